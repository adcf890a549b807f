"""A page, opened once: its nodes, its text, and the places of both in each other."""
