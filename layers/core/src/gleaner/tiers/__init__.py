"""The cascade: the page's own data, what was learned, then a model."""
