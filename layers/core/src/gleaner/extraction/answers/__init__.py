"""A model's answer, repaired and brought into the schema's shape."""
