"""Run work with a time limit, even if it ignores limits of its own."""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextvars import copy_context
from typing import TypeVar

T = TypeVar("T")

GRACE_S = 0.5
"""What a model may take beyond its time before it is left alone."""


class TookTooLong(TimeoutError):
    """The work was left alone: it may go on, and nobody waits for it."""


def within(seconds: float, work: Callable[[], T]) -> T:
    """Give what the work gives, or raise what it raises; TookTooLong when it has not ended by then.

    It runs in a thread of its own, with the caller's context variables: whose call it is stays known.

    >>> within(5, lambda: "done")
    'done'
    """
    doing: Future[T] = Future()
    threading.Thread(target=copy_context().run, args=(_do, doing, work), daemon=True).start()
    try:
        return doing.result(seconds)
    except TimeoutError:
        if doing.done():  # its own
            raise
        raise TookTooLong(f"it took longer than {seconds:g} s") from None


def _do(doing: "Future[T]", work: Callable[[], T]) -> None:
    try:
        doing.set_result(work())
    except BaseException as error:  # noqa: BLE001 - raised again where the work is waited for
        doing.set_exception(error)
