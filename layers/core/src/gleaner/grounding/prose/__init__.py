"""Answers in words: their claims, and the passages that support them."""
