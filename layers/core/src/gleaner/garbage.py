"""How often a process of ours looks for garbage in cycles."""

import gc

_ALLOCATIONS = 50_000
"""Objects that come to be between two looks. Python's 700 are a page's first few rows: with them a replay of 1,000
records takes a fifth more, all of it for looking at objects that are still in use."""


def collect_seldom() -> None:
    """Let this process look for garbage seldom. For our own processes: who imports the library keeps their ways."""
    gc.set_threshold(_ALLOCATIONS, *gc.get_threshold()[1:])
