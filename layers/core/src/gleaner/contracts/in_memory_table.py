"""A table in memory, for library use without an installation and for tests."""

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from gleaner.contracts.items import added
from gleaner.contracts.ports import Item, ItemPage, JsonObject

Key = tuple[str, str]


class MemoryTable:
    """TableStore in a dict."""

    def __init__(self) -> None:
        self._items: dict[Key, Item] = {}
        self._lock = threading.RLock()

    def get(self, pk: str, sk: str) -> Item | None:
        """Give the item, or None."""
        with self._lock:
            item = self._items.get((pk, sk))
            return item if item and _alive(item) else None

    def put(self, item: Item, *, if_version: int | None = None) -> bool:
        """Write the item if its stored version is the one given."""
        with self._lock:
            stored = self.get(item.pk, item.sk)
            version = stored.version if stored else 0
            if if_version is not None and version != if_version:
                return False
            self._items[item.pk, item.sk] = replace(item, data=dict(item.data), version=version + 1)
            return True

    def get_many(self, pk: str, sks: Sequence[str]) -> list[Item | None]:
        """Give each item, or None."""
        return [self.get(pk, sk) for sk in sks]

    def put_new(self, items: Sequence[Item]) -> list[bool]:
        """Write each item that is absent."""
        return [self.put(item, if_version=0) for item in items]

    def add(
        self,
        pk: str,
        sk: str,
        amounts: Mapping[str, int],
        *,
        ceilings: Mapping[str, int] | None = None,
        ttl: int | None = None,
    ) -> JsonObject | None:
        """Add to integer fields unless one would pass its ceiling."""
        with self._lock:
            stored = self.get(pk, sk) or Item(pk, sk, {})
            data = added(stored.data, amounts, ceilings)
            if data is not None:
                self.put(replace(stored, data=data, ttl=ttl or stored.ttl))
            return data

    def query(self, pk: str, *, prefix: str = "", limit: int = 100, after: str | None = None) -> ItemPage:
        """Give the items of a partition in the order of sk."""
        found = self._sorted(lambda item: item.pk == pk and item.sk.startswith(prefix) and item.sk > (after or ""))
        return ItemPage(tuple(found[:limit]), found[limit - 1].sk if len(found) > limit else None)

    def query_host(self, host: str, *, limit: int = 100, after: str | None = None) -> ItemPage:
        """Give the items indexed under the host."""
        start = int(after or 0)
        found = self._sorted(lambda item: item.host == host)[start:]
        return ItemPage(tuple(found[:limit]), str(start + limit) if len(found) > limit else None)

    def delete(self, pk: str, sk: str) -> bool:
        """Delete the item."""
        with self._lock:
            return self._items.pop((pk, sk), None) is not None

    def every_key(self) -> Iterator[tuple[str, str]]:
        """Give the keys of all items."""
        with self._lock:
            return iter(list(self._items))

    def _sorted(self, wanted: Callable[[Item], bool]) -> list[Item]:
        with self._lock:
            return sorted(
                (item for item in self._items.values() if _alive(item) and wanted(item)), key=lambda i: (i.pk, i.sk)
            )


def _alive(item: Item) -> bool:
    return item.ttl is None or item.ttl > time.time()
