"""How many records a page shows, how many came back, and which are missing."""
