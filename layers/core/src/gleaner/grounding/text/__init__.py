"""A text made searchable: folded, indexed, cut into words."""
