"""The claims of an answer in words, and the passages that support them."""
