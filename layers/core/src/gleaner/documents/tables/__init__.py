"""Tables of a page: where they are, their columns, their rows and cells."""
