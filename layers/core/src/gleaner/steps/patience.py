"""A table that waits out short throttling, where a lost write would lose a paid answer."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

from gleaner.contracts.errors import StoreThrottled
from gleaner.contracts.ports import TableStore

WAITS_S = (0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 3.2, 3.2)


@dataclass(frozen=True, slots=True)
class _Patient:
    table: TableStore
    sleep: Callable[[float], None]

    def __getattr__(self, name: str) -> Any:
        return partial(self._patiently, getattr(self.table, name))

    def _patiently(self, ask: Callable[..., Any], *given: Any, **named: Any) -> Any:
        for wait_s in WAITS_S:
            try:
                return ask(*given, **named)
            except StoreThrottled:
                self.sleep(wait_s)
        return ask(*given, **named)


def patient(table: TableStore, sleep: Callable[[float], None] = time.sleep) -> TableStore:
    """Give the table, asked again after a wait when it is throttled; StoreThrottled when it stays so.

    A throttled write has changed nothing, so asking again doubles nothing.
    """
    return cast("TableStore", _Patient(table, sleep))
