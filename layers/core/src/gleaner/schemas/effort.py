"""Bound the work of one validation, even if a schema's branches multiply.

Counted in subschemas applied, so that the same value always gets the same answer.
"""

import threading
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

FREE_STEPS = 30_000
STEPS_FOR_EACH_PART = 500
"""Subschemas that may be applied: to any value, and more for each part (leaf, list or object) that it has."""

_work = threading.local()


class TooMuchWork(Exception):
    """A value would take more steps to check than it may."""


@contextmanager
def bounded_work(instance: Any) -> Generator[None]:
    """Count the steps of one validation; TooMuchWork ends it."""
    outer = getattr(_work, "now", None)
    _work.now = [0, FREE_STEPS, instance]
    try:
        yield
    finally:
        _work.now = outer


def count_step() -> None:
    """Count one subschema that is applied. Outside of ``bounded_work`` nothing is counted."""
    work = getattr(_work, "now", None)
    if work is None:
        return
    work[0] += 1
    if work[0] > work[1]:
        allowed = FREE_STEPS + STEPS_FOR_EACH_PART * _parts(work[2])
        if work[0] > allowed:
            raise TooMuchWork(f"checking this value takes more than {allowed} steps")
        work[1] = allowed


def _parts(instance: Any) -> int:
    count, level = 0, [instance]
    while level:
        count += len(level)
        below: list[Any] = []
        for part in level:
            below.extend(part.values() if isinstance(part, dict) else part if isinstance(part, list) else ())
        level = below
    return count
