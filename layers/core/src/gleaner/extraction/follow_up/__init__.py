"""What a model is asked again, and what not."""
