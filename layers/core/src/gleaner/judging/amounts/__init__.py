"""Numbers that a page says in another way than they are asked for."""
