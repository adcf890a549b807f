"""The records that a tenant has of one kind: batches, maps, watches."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar

from gleaner.contracts.errors import NotFound
from gleaner.contracts.items import rewrite
from gleaner.contracts.ports import BlobStore, Item, ItemPage, JsonObject, TableStore
from gleaner.jobs.jobs import JobRef


class TenantRecords:
    """The records of one kind, items ``KIND#tenant / id`` of the table; messages call one by the ``noun``."""

    kind: ClassVar[str]
    noun: ClassVar[str]

    def __init__(self, table: TableStore, blobs: BlobStore, tenant: str, ttl_days: int = 30) -> None:
        self._table, self._blobs, self._tenant, self._ttl_days = table, blobs, tenant, ttl_days

    def record(self, record_id: str) -> JsonObject:
        """Give a record; NotFound when this tenant has none of that id."""
        item = self._table.get(*self._key(record_id))
        if item is None:
            raise NotFound(f"there is no {self.noun} {record_id}")
        return item.data

    def update(self, record_id: str, **changes: Any) -> None:
        """Change fields of a record; NotFound when there is none."""
        self._change(record_id, lambda item: replace(item, data={**item.data, **changes}))

    def list(self, *, limit: int = 50, after: str | None = None) -> ItemPage:
        """Give the tenant's records page by page, in the order of their ids."""
        return self._table.query(f"{self.kind}#{self._tenant}", limit=limit, after=after)

    def _change(self, record_id: str, change: Callable[[Item], Item | None]) -> None:
        def changed(item: Item) -> Item | None:
            if not item.version:
                raise NotFound(f"there is no {self.noun} {record_id}")
            return change(item)

        rewrite(self._table, *self._key(record_id), changed)

    def _key(self, record_id: str) -> tuple[str, str]:
        return f"{self.kind}#{self._tenant}", JobRef(record_id, self._tenant).job_id
