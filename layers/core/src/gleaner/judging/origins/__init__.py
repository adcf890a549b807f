"""Where the values of a record may come from: its unit, what stands over it, the page outside of all units."""
