"""Contain bugs in learning and replaying, so that a paid answer is not lost."""

import logging
from collections.abc import Callable
from typing import ParamSpec, TypeVar

T = TypeVar("T")
P = ParamSpec("P")

log = logging.getLogger("gleaner.wrappers")


def unless_it_fails(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T | None:
    """Give what a function without side effects gives; None, with the fault in the log, where it raises.

    A page without a recipe is read by a model; a job that fails after its answer was paid for has lost it.
    """
    try:
        return work(*args, **kwargs)
    except Exception as error:  # noqa: BLE001 - whatever a page makes of it
        log.warning("%s failed: %s: %s", work.__name__, type(error).__name__, error)
        return None
