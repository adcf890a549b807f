"""Work that is waited for no longer than it may take, whatever it does about its own limits."""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

T = TypeVar("T")


class TookTooLong(TimeoutError):
    """The work was left alone: it may go on, and nobody waits for it."""


def within(seconds: float, work: Callable[[], T]) -> T:
    """Give what the work gives, or raise what it raises; TookTooLong when it has not ended by then.

    >>> within(5, lambda: "done")
    'done'
    """
    doing: Future[T] = Future()
    threading.Thread(target=_do, args=(doing, work), daemon=True).start()
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
