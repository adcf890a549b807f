"""Aggregates: the unique records of all pages extracted under one extraction id (seed 001, PR 5; AG-1).

A record's key is made from the record, so adding it twice, or by many writers at once, keeps it once. Under
``AGG#tenant#extraction``: ``KEY#hash`` says which place in the order a record got, ``RECORD#order`` holds it,
``PAGE#hash`` a page and how many records it was the first to bring, ``SUMMARY#digit`` the sums of the pages whose hash
begins with that digit.

A page is counted once even if the writer dies between any two writes: the item with its sum names it in ``open`` by
the same write that counts it, and keeps the name until the page's own item says how much of it was counted.
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
from gleaner.spreadsheets import safe_cell

PAGES_PER_RECORD = 50
"""Pages listed with one record at the most."""

LAST_PAGES = 16
"""Pages that a sum remembers to have counted, of those whose own items say so too."""


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
        started = time.time_ns()
        brought = {
            self._add_record(record, page, page_hash, position, f"{started:019}-{position:07}")
            for position, record in enumerate(records)
        }
        new = len(brought - {None})
        self._describe(noun, result)
        self._count_page(page_hash, {"url": page, "records": len(records), "new": new})
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
        sums: JsonObject = {"pages": 0, "records": 0}
        for item in self._table.query(self._pk, prefix="SUMMARY#").items:
            sums = {name: _number(sums, name) + _number(item.data, name) for name in sums}
        described = self._table.get(self._pk, "SCHEMA")
        noun = described.data.get("noun") if described else None
        return {**sums, "noun": noun} if noun else sums

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

    def _count_page(self, page_hash: str, data: JsonObject) -> None:
        """Bring the sums up to what this page brought; a page that was added before counts by the difference."""
        sk, new = f"PAGE#{page_hash}", _number(data, "new")
        while True:
            stored = self._table.get(self._pk, sk)
            counted = stored.data.get("counted") if stored else None
            if stored is not None and counted is not None and _number(stored.data, "counted") == new:
                return
            pending: JsonObject = {**data, "counted": counted}
            if not self._table.put(Item(self._pk, sk, pending), if_version=stored.version if stored else 0):
                continue
            self._add_to_sums(page_hash, counted if isinstance(counted, int) else None, new)
            settled = Item(self._pk, sk, {**data, "counted": new})
            if self._table.put(settled, if_version=(stored.version if stored else 0) + 1):
                return

    def _add_to_sums(self, page_hash: str, counted: int | None, new: int) -> None:
        sk = f"SUMMARY#{page_hash[0]}"
        while True:
            stored = self._table.get(self._pk, sk)
            sums, version = (stored.data, stored.version) if stored else ({}, 0)
            known = self._pruned(sums.get("open"))
            before = _number(known[page_hash], "new") if page_hash in known else counted
            changed: JsonObject = {
                "pages": _number(sums, "pages") + int(before is None),
                "records": _number(sums, "records") + new - (before or 0),
                "open": {**known, page_hash: {"new": new, "at": version}},
            }
            if self._table.put(Item(self._pk, sk, changed), if_version=version):
                return

    def _pruned(self, known: JsonValue) -> dict[str, JsonObject]:
        """Drop the oldest pages that are settled; the last ones stay, for a writer that is late with the same page."""
        entries = {name: one for name, one in known.items() if isinstance(one, dict)} if isinstance(known, dict) else {}
        if len(entries) < 2 * LAST_PAGES:
            return entries
        oldest = sorted(entries, key=lambda name: _number(entries[name], "at"))[:-LAST_PAGES]
        return {name: one for name, one in entries.items() if name not in oldest or not self._is_settled(name, one)}

    def _is_settled(self, page_hash: str, entry: JsonObject) -> bool:
        stored = self._table.get(self._pk, f"PAGE#{page_hash}")
        return stored is not None and stored.data.get("counted") == entry.get("new")

    def _describe(self, noun: str, result: ExtractionResult) -> None:
        if self._table.get(self._pk, "SCHEMA") is None:
            self._table.put(Item(self._pk, "SCHEMA", {"schema": result.schema_used, "noun": noun}), if_version=0)


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

    Texts that a spreadsheet would run as a formula get an apostrophe; ``spreadsheets.read_cell`` takes it off.

    Without ``columns`` they are the fields of all records in the order of their first appearance, which takes one
    pass over the records before the first line.
    """
    rows = list(records) if columns is None else records
    names = list(columns) if columns is not None else list(dict.fromkeys(_field_names(rows)))
    yield _csv_line([safe_cell(name) for name in names] or ["value"])
    for row in rows:
        yield _csv_line([_cell(row.get(name)) for name in names] if isinstance(row, dict) else [_cell(row)])


def canonical(value: Any) -> str:
    """Give the one JSON text of a value: equal values, equal text."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _number(data: JsonObject, name: str) -> int:
    value = data.get(name)
    return value if isinstance(value, int) else 0


def _field_names(rows: Iterable[JsonValue]) -> Iterator[str]:
    for row in rows:
        if isinstance(row, dict):
            yield from row


def _cell(value: JsonValue) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return safe_cell(value)
    return json.dumps(value, ensure_ascii=False)


def _csv_line(cells: Sequence[str]) -> str:
    buffer = io.StringIO()
    csv.writer(buffer).writerow(cells)
    return buffer.getvalue()
