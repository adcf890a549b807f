"""Aggregates: the unique records of all pages extracted under one extraction id (seed 001, PR 5; AG-1).

A record's key is made from the record, so adding it twice, or by many writers at once, keeps it once. Under
``AGG#tenant#extraction``: ``KEY#hash`` says which place in the order a record got, ``RECORD#order`` holds it,
``PAGE#hash`` a page and how many records it was the first to bring, ``SUMMARY`` the sums.
"""

import csv
import hashlib
import io
import json
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal

from gleaner.jobs import DEFAULT_TENANT
from gleaner.memory import MemoryTable
from gleaner.models import Completeness, ExtractionResult, Usage
from gleaner.ports import Item, JsonObject, JsonValue, TableStore
from gleaner.schemas import record_path

PAGES_PER_RECORD = 50
"""Pages listed with one record at the most."""


class ExtractionAggregator:
    """The running collection of one extraction's records."""

    def __init__(
        self,
        table: TableStore | None = None,
        extraction_id: str = "default",
        tenant: str = DEFAULT_TENANT,
        *,
        dedupe: Literal["exact", "keys", "none"] = "exact",
        dedupe_keys: Sequence[str] = (),
    ) -> None:
        self._table = table if table is not None else MemoryTable()
        self.extraction_id = extraction_id
        self._pk = f"AGG#{tenant}#{extraction_id}"
        self._dedupe = dedupe
        self._dedupe_keys = tuple(dedupe_keys)

    def add(self, result: ExtractionResult) -> str:
        """Add a page's records and give the summary. Adding the same page again changes nothing."""
        records, noun = records_of(result)
        page = result.source_url or ""
        page_hash = _hash(page)
        started = time.time_ns() // 1_000_000
        brought = {
            self._add_record(record, page, page_hash, position, f"{started:013}-{position:07}")
            for position, record in enumerate(records)
        }
        new = len(brought - {None})
        data: JsonObject = {"url": page, "records": len(records), "new": new}
        if self._table.put(Item(self._pk, f"PAGE#{page_hash}", data), if_version=0):
            self._table.add(self._pk, "SUMMARY", {"pages": 1, "records": new})
        else:
            self._recount(page_hash, data)
        self._describe(noun, result)
        return self.summary

    @property
    def summary(self) -> str:
        """What the aggregate holds, in words: "40 unique products from 2 pages"."""
        counts = self.counts()
        noun = str(counts.get("noun") or "records")
        pages = counts["pages"]
        return f"{counts['records']} unique {noun} from {pages} page{'' if pages == 1 else 's'}"

    def counts(self) -> JsonObject:
        """Give the sums: pages, records, and the records' name in the schema."""
        item = self._table.get(self._pk, "SUMMARY")
        return {"pages": 0, "records": 0, **(item.data if item else {})}

    def records(self, *, limit: int = 100, after: str | None = None) -> tuple[list[JsonObject], str | None]:
        """Give ``{record, pages}`` objects in the order in which they came, and where to go on (None at the end)."""
        page = self._table.query(self._pk, prefix="RECORD#", limit=limit, after=after)
        return [dict(item.data) for item in page.items], page.next

    def all_records(self) -> Iterator[JsonValue]:
        """Give every record, read page by page."""
        after: str | None = None
        while True:
            items, after = self.records(limit=500, after=after)
            yield from (item["record"] for item in items)
            if after is None:
                return

    def aggregate(self) -> ExtractionResult:
        """Give all records as one result."""
        data = list(self.all_records())
        described = self._table.get(self._pk, "SCHEMA")
        return ExtractionResult(
            data=data,
            schema_used=(described.data.get("schema") if described else None),  # pyright: ignore[reportArgumentType]
            extraction_id=self.extraction_id,
            completeness=Completeness(returned=len(data)),
            usage=Usage(),
            aggregate_summary=self.summary,
        )

    def delete(self) -> int:
        """Delete the aggregate; give the number of items that went."""
        gone = 0
        while items := self._table.query(self._pk, limit=500).items:
            gone += sum(self._table.delete(item.pk, item.sk) for item in items)
        return gone

    def _add_record(self, record: JsonValue, page: str, page_hash: str, position: int, order: str) -> str | None:
        """Keep the record; give its key when this page is the first that brought it."""
        digest = _hash(self._identity(record, page, position))
        key = Item(self._pk, f"KEY#{digest}", {"order": order, "page": page_hash})
        if not self._table.put(key, if_version=0):
            stored = self._table.get(self._pk, key.sk)
            key = stored or key
        sk = f"RECORD#{key.data['order']}-{digest[:16]}"
        place: JsonObject = {"url": page, "position": position}
        self._write_record(sk, record, place)
        return digest if key.data["page"] == page_hash else None

    def _write_record(self, sk: str, record: JsonValue, place: JsonObject) -> None:
        while True:
            stored = self._table.get(self._pk, sk)
            if stored is None:
                if self._table.put(Item(self._pk, sk, {"record": record, "pages": [place]}), if_version=0):
                    return
                continue
            pages = stored.data.get("pages")
            known = pages if isinstance(pages, list) else []
            if any(isinstance(one, dict) and one.get("url") == place["url"] for one in known):
                return
            if len(known) >= PAGES_PER_RECORD:
                return
            data: JsonObject = {**stored.data, "pages": [*known, place]}
            if self._table.put(Item(self._pk, sk, data), if_version=stored.version):
                return

    def _identity(self, record: JsonValue, page: str, position: int) -> str:
        if self._dedupe == "none":
            return canonical([record, page, position])
        if self._dedupe == "keys" and isinstance(record, dict):
            return canonical([record.get(name) for name in self._dedupe_keys])
        return canonical(record)

    def _recount(self, page_hash: str, data: JsonObject) -> None:
        """Settle the sums when a page that was added before brings other records now."""
        while True:
            stored = self._table.get(self._pk, f"PAGE#{page_hash}")
            if stored is None or stored.data == data:
                return
            more = _count(data) - _count(stored.data)
            if self._table.put(Item(self._pk, stored.sk, data), if_version=stored.version):
                if more > 0:
                    self._table.add(self._pk, "SUMMARY", {"records": more})
                return

    def _describe(self, noun: str, result: ExtractionResult) -> None:
        if self._table.get(self._pk, "SCHEMA") is None:
            self._table.put(Item(self._pk, "SCHEMA", {"schema": result.schema_used}), if_version=0)
        while True:
            item = self._table.get(self._pk, "SUMMARY") or Item(self._pk, "SUMMARY", {})
            if item.data.get("noun"):
                return
            if self._table.put(Item(self._pk, "SUMMARY", {**item.data, "noun": noun}), if_version=item.version):
                return


def records_of(result: ExtractionResult) -> tuple[list[JsonValue], str]:
    """Give a result's records, and what its schema calls them ("products", or "records" where it says nothing)."""
    data = result.data
    path = record_path(result.schema_used) if isinstance(result.schema_used, dict) else None
    if isinstance(data, list):
        return list(data), "records"
    if isinstance(data, dict) and path is not None and path.pointer.count("/") == 1:
        name = path.pointer[1:].replace("~1", "/").replace("~0", "~")
        found = data.get(name)
        if isinstance(found, list):
            return list(found), name
    return ([data] if data not in (None, {}, "") else []), "records"


def to_ndjson(records: Iterable[JsonValue]) -> Iterator[str]:
    """Give one JSON text a line."""
    for record in records:
        yield json.dumps(record, ensure_ascii=False) + "\n"


def to_csv(records: Iterable[JsonValue], columns: Sequence[str] | None = None) -> Iterator[str]:
    """Give CSV lines (RFC 4180): a header, then a line a record; nested values are JSON text.

    Without ``columns`` they are the fields of all records in the order of their first appearance, which takes one
    pass over the records before the first line.
    """
    rows = list(records) if columns is None else records
    names = list(columns) if columns is not None else list(dict.fromkeys(_field_names(rows)))
    yield _csv_line(names or ["value"])
    for row in rows:
        yield _csv_line([_cell(row.get(name)) for name in names] if isinstance(row, dict) else [_cell(row)])


def canonical(value: Any) -> str:
    """Give the one JSON text of a value: equal values, equal text."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _count(data: JsonObject) -> int:
    new = data.get("new")
    return new if isinstance(new, int) else 0


def _field_names(rows: Iterable[JsonValue]) -> Iterator[str]:
    for row in rows:
        if isinstance(row, dict):
            yield from row


def _cell(value: JsonValue) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False)


def _csv_line(cells: Sequence[str]) -> str:
    buffer = io.StringIO()
    csv.writer(buffer).writerow(cells)
    return buffer.getvalue()
