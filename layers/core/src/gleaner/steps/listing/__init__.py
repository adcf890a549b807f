"""A whole listing: the walk over its pages, and their one result."""
