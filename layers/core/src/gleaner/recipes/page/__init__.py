"""A page as recipes see it: the containers of records, their elements and their pieces of text."""
