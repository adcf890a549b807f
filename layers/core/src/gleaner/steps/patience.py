"""A table that waits out short throttling, where a lost write would lose a paid answer."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from gleaner.contracts.errors import StoreThrottled
from gleaner.contracts.ports import Item, ItemPage, JsonObject, TableStore

T = TypeVar("T")
WAITS_S = (0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 3.2, 3.2)


@dataclass(frozen=True, slots=True)
class PatientTable:
    """The table, asked again after a wait when it is throttled; StoreThrottled when it stays so.

    A throttled write has changed nothing, so asking again doubles nothing.
    """

    table: TableStore
    sleep: Callable[[float], None] = time.sleep

    def get(self, pk: str, sk: str) -> Item | None:
        """Give the item."""
        return self._patiently(lambda: self.table.get(pk, sk))

    def put(self, item: Item, *, if_version: int | None = None) -> bool:
        """Write the item."""
        return self._patiently(lambda: self.table.put(item, if_version=if_version))

    def get_many(self, pk: str, sks: Sequence[str]) -> list[Item | None]:
        """Give each item."""
        return self._patiently(lambda: self.table.get_many(pk, sks))

    def put_new(self, items: Sequence[Item]) -> list[bool]:
        """Write each item that is absent; what was written before a wait counts as there."""
        return self._patiently(lambda: self.table.put_new(items))

    def add(
        self,
        pk: str,
        sk: str,
        amounts: Mapping[str, int],
        *,
        ceilings: Mapping[str, int] | None = None,
        ttl: int | None = None,
    ) -> JsonObject | None:
        """Add to integer fields."""
        return self._patiently(lambda: self.table.add(pk, sk, amounts, ceilings=ceilings, ttl=ttl))

    def query(self, pk: str, *, prefix: str = "", limit: int = 100, after: str | None = None) -> ItemPage:
        """Give the items of a partition."""
        return self._patiently(lambda: self.table.query(pk, prefix=prefix, limit=limit, after=after))

    def query_host(self, host: str, *, limit: int = 100, after: str | None = None) -> ItemPage:
        """Give the items indexed under the host."""
        return self._patiently(lambda: self.table.query_host(host, limit=limit, after=after))

    def delete(self, pk: str, sk: str) -> bool:
        """Delete the item."""
        return self._patiently(lambda: self.table.delete(pk, sk))

    def every_key(self) -> Iterator[tuple[str, str]]:
        """Give the keys of all items."""
        return self.table.every_key()

    def _patiently(self, ask: Callable[[], T]) -> T:
        for wait_s in WAITS_S:
            try:
                return ask()
            except StoreThrottled:
                self.sleep(wait_s)
        return ask()
