"""The models that Gleaner asks."""
