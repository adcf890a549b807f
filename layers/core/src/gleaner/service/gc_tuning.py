"""Tune Python's garbage collector for our work."""

import gc
from threading import Lock

_ALLOCATIONS = 50_000
"""Objects that come to be between two looks. Python's 700 are a page's first few rows: with them a replay of 1,000
records takes a fifth more, all of it for looking at objects that are still in use."""


class _SeldomCollected:
    """Lets Python look for garbage seldom as long as anybody is in here, on any thread; then as often as before.

    So who imports the library keeps their ways: a threshold that is higher, or 0 for never, is left alone, and so
    is one that is set meanwhile.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._inside = 0
        self._before = 0

    def __enter__(self) -> None:
        with self._lock:
            self._inside += 1
            if self._inside == 1:
                self._before = gc.get_threshold()[0]
                if 0 < self._before < _ALLOCATIONS:
                    _set(_ALLOCATIONS)

    def __exit__(self, *_fault: object) -> None:
        with self._lock:
            self._inside -= 1
            if self._inside == 0 and gc.get_threshold()[0] == _ALLOCATIONS:
                _set(self._before)


def _set(allocations: int) -> None:
    gc.set_threshold(allocations, *gc.get_threshold()[1:])


seldom_collected = _SeldomCollected()
