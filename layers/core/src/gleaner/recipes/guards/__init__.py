"""What makes the answer of a recipe doubtful."""
