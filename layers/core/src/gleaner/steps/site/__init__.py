"""Map: the walk over a site, and the state that maps and crawls begin with."""
