"""Actions on a page that a browser shows: find the element, do the step, log what came of it (AC-1)."""
