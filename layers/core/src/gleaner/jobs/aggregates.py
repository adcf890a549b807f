"""Aggregates: the unique records of all pages extracted under one extraction id (seed 001, PR 5; AG-1).

A record's key is made from the record, so adding it twice, or by many writers at once, keeps it once. Under
``AGG#tenant#extraction``: ``KEY#hash`` says which place in the order a record got, ``RECORD#order`` holds it,
``PAGE#hash`` a page and the records that it was the first to bring, ``SUMMARY#digit`` the sums of the pages whose hash
begins with that digit, ``SCHEMA`` what holds for all: the schema, the rule of what is the same record, the fields seen.

A page is counted once even if the writer dies between any two writes: the item with its sum names it in ``open`` by
the same write that counts it, and keeps the name until the page's own item says how much of it was counted.
"""

import json
import re
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import cast, get_args

from gleaner.contracts.digests import digest_of
from gleaner.contracts.errors import InvalidRequest
from gleaner.contracts.in_memory_table import MemoryTable
from gleaner.contracts.items import DEFAULT_TENANT, count_of, every_item, partition, rewrite
from gleaner.contracts.json_pointers import value_at
from gleaner.contracts.json_text import canonical
from gleaner.contracts.models import Completeness, ExtractionResult, ProvenanceEntry, ScrapeResult, Usage
from gleaner.contracts.ports import Item, JsonObject, JsonValue, TableStore
from gleaner.results.exports import column_names, to_csv, to_ndjson
from gleaner.results.records import (
    Dedupe,
    Sameness,
    columns_of,
    filled,
    joined,
    marked_item,
    records_of,
    sameness_of,
    unproven_of,
)

__all__ = ["ExtractionAggregator", "records_of", "to_csv", "to_ndjson"]

LAST_PAGES = 16
"""Pages that a sum remembers to have counted, of those whose own items say so too."""

ITEMS_AT_ONCE = 500
"""Records that are read at a time."""

RECORD = "RECORD#"
PLACE = re.compile(r"\d+-\d+-[0-9a-f]+")
"""What stands after RECORD in the key of a record."""

SHORT_KEY = 12
"""Letters of a record's hash by which its page remembers it."""


@dataclass(frozen=True, slots=True)
class _Entry:
    """A record of a page, and the hash that tells it from others."""

    digest: str
    record: JsonValue
    position: int
    unproven: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Reading:
    """One page as it is added; ``started`` is in nanoseconds."""

    page: str
    page_hash: str
    started: int
    fills: bool

    def key_of(self, entry: _Entry) -> JsonObject:
        return {"order": f"{self.started:019}-{entry.position:07}", "page": self.page_hash}

    def record_of(self, entry: _Entry) -> JsonObject:
        item: JsonObject = {"record": entry.record, "pages": [{"url": self.page, "position": entry.position}]}
        if entry.unproven:
            item["unproven"] = [*entry.unproven]
        return item


@dataclass(frozen=True, slots=True)
class _Counted:
    """What a page counts with: the records that it brought, and those that were equal to one that was there."""

    records: int
    equal: int

    @classmethod
    def of(cls, stored: JsonObject, name: str = "counted") -> "_Counted":
        return cls(count_of(stored, name), count_of(stored, "equal"))

    def most(self, other: "_Counted") -> "_Counted":
        return _Counted(max(self.records, other.records), max(self.equal, other.equal))


class ExtractionAggregator:
    """The running collection of one extraction's records."""

    def __init__(
        self,
        table: TableStore | None = None,
        extraction_id: str = "default",
        tenant: str = DEFAULT_TENANT,
        *,
        dedupe: Dedupe | None = None,
        dedupe_keys: Sequence[str] = (),
    ) -> None:
        """Name the collection. Without ``dedupe`` the rule holds that it was begun with; ``exact`` for a new one."""
        if dedupe not in (None, *get_args(Dedupe)):
            raise InvalidRequest(f"dedupe is {', '.join(get_args(Dedupe))}, or None, not {dedupe!r}")
        if dedupe == "keys" and not dedupe_keys:
            raise InvalidRequest("dedupe 'keys' needs dedupe_keys, the names of the fields that identify a record")
        self._table = table if table is not None else MemoryTable()
        self.extraction_id = extraction_id
        self._pk = partition("AGG", tenant, extraction_id)
        self._sameness = Sameness(dedupe, tuple(dedupe_keys)) if dedupe is not None else None

    def add(self, result: ExtractionResult | ScrapeResult) -> str:
        """Add a page's records and give the summary. Adding the same page again changes nothing.

        A result without a URL is a page of its own, told from others by its records. InvalidRequest for the result of a
        request that extracted nothing.
        """
        result = _extraction_of(result)
        records, noun = records_of(result)
        page = result.source_url or ""
        page_hash = digest_of(page or canonical(records))
        sameness = self._describe(noun, result, records)
        ordered = list(_entries(records, unproven_of(result), sameness, page or page_hash))
        reading = _Reading(page, page_hash, time.time_ns(), fills=sameness.fills)
        blocks = (ordered[at : at + ITEMS_AT_ONCE] for at in range(0, len(ordered), ITEMS_AT_ONCE))
        brought = set[str]().union(*(self._add_block(block, reading) for block in blocks))
        self._count_page(page_hash, {"url": page, "records": len(records)}, brought, len(records) - len(brought))
        return self.summary

    @property
    def summary(self) -> str:
        """What the aggregate holds, in words: "40 unique products from 2 pages", and how many were equal to those."""
        counts = self.counts()
        records, pages, equal = counts["records"], counts["pages"], counts["equal"]
        noun = str(counts.get("noun") or "records")
        if (records, noun) == (1, "records"):
            noun = "record"
        more = f"; {equal} more {'is' if equal == 1 else 'are'} the same as one of these" if equal else ""
        return f"{records} unique {noun} from {pages} page{'' if pages == 1 else 's'}{more}"

    def counts(self) -> JsonObject:
        """Give the sums: pages, records, records that were equal to one of those, and their name in the schema."""
        sums: JsonObject = {"pages": 0, "records": 0, "equal": 0}
        for item in self._table.query(self._pk, prefix="SUMMARY#").items:
            sums = {name: count_of(sums, name) + count_of(item.data, name) for name in sums}
        noun = self._described().get("noun")
        return {**sums, "noun": noun} if noun else sums

    def records(
        self, *, limit: int = 100, after: str | None = None, max_bytes: int | None = None
    ) -> tuple[list[JsonObject], str | None]:
        """Give ``{record, pages}`` objects in the order in which they came, and where to go on (None at the end).

        ``unproven`` has the pointers of values that no page proves, where there are any.

        ``max_bytes`` of JSON end it early, but not before the first record. Where to go on has no ``#`` in it, which
        would end a URL's query; InvalidRequest for an ``after`` that is no such place.
        """
        if after is not None and not PLACE.fullmatch(after):
            raise InvalidRequest(f"after: {after!r} is not the `next` of an earlier page")
        found: list[JsonObject] = []
        size = 0
        for item in self._items(after and RECORD + after, limit + 1):
            size += len(json.dumps(item.data)) if max_bytes is not None else 0
            if len(found) == limit or (found and max_bytes is not None and size > max_bytes):
                return found, after
            found.append(item.data)
            after = item.sk.removeprefix(RECORD)
        return found, None

    def all_records(self) -> Iterator[JsonValue]:
        """Give every record, read page by page."""
        return (item["record"] for item in self.all_items())

    def exported_records(self) -> Iterator[JsonValue]:
        """Give every record as it is exported: ``_unproven`` names the values that no page proves."""
        return map(marked_item, self.all_items())

    def all_items(self) -> Iterator[JsonObject]:
        """Give every record with its pages, ``{record, pages}``, read page by page."""
        return (item.data for item in self._items())

    def _items(self, after: str | None = None, at_once: int = ITEMS_AT_ONCE) -> Iterator[Item]:
        limit = min(at_once, ITEMS_AT_ONCE)
        return every_item(lambda at: self._table.query(self._pk, prefix=RECORD, limit=limit, after=at), after)

    @property
    def columns(self) -> list[str]:
        """The fields of all records, in the order in which they came: what a CSV file has as its header."""
        names = self._described().get("columns")
        return [str(name) for name in names] if isinstance(names, list) else column_names(self.all_records())

    def aggregate(self) -> ExtractionResult:
        """Give all records as one result."""
        items = list(self.all_items())
        data = [item["record"] for item in items]
        return ExtractionResult(
            data=data,
            provenance=[*_unproven_entries(items)],
            schema_used=self._described().get("schema"),  # pyright: ignore[reportArgumentType]
            extraction_id=self.extraction_id,
            completeness=Completeness(returned=len(data)),
            usage=Usage(),
            aggregate_summary=self.summary,
        )

    def delete(self, most: int | None = None) -> bool:
        """Delete the aggregate, or so many of its items; tell whether all of it is gone."""
        left = most
        while items := self._table.query(
            self._pk, limit=ITEMS_AT_ONCE if left is None else min(left, ITEMS_AT_ONCE)
        ).items:
            for item in items:
                self._table.delete(item.pk, item.sk)
            left = None if left is None else left - len(items)
            if left == 0:
                return not self._table.query(self._pk, limit=1).items
        return True

    def _add_block(self, block: Sequence[_Entry], reading: _Reading) -> set[str]:
        """Keep some records of a page; give the short keys of those that this page is the first to bring."""
        keys = self._keys(block, reading)
        items = [
            Item(self._pk, f"{RECORD}{key.data['order']}-{entry.digest[:16]}", reading.record_of(entry))
            for key, entry in zip(keys, block, strict=True)
        ]
        new = [item for key, item in zip(keys, items, strict=True) if not key.version]
        known = [item for key, item in zip(keys, items, strict=True) if key.version]
        known += [item for item, done in zip(new, self._table.put_new(new), strict=True) if not done]
        for item, stored in zip(known, self._table.get_many(self._pk, [item.sk for item in known]), strict=True):
            self._join(item, stored, fills=reading.fills)
        return {key.sk.removeprefix("KEY#")[:SHORT_KEY] for key in keys if key.data["page"] == reading.page_hash}

    def _keys(self, block: Sequence[_Entry], reading: _Reading) -> list[Item]:
        """Give the records' keys, whose ``page`` was the first to bring them; those that are new have version 0."""
        made = [Item(self._pk, f"KEY#{entry.digest}", reading.key_of(entry)) for entry in block]
        known = [key.sk for key, is_new in zip(made, self._table.put_new(made), strict=True) if not is_new]
        there = {key.sk: key for key in self._table.get_many(self._pk, known) if key is not None}
        return [there.get(key.sk, key) for key in made]

    def _join(self, item: Item, stored: Item | None, *, fills: bool) -> None:
        """Add the page to the record that is there; ``fills``: and the fields that it lacks."""
        while True:
            data = item.data if stored is None else joined(stored.data, item.data, fills=fills)
            if stored is not None and data == stored.data:
                return
            if self._table.put(replace(item, data=data), if_version=stored.version if stored else 0):
                return
            stored = self._table.get(self._pk, item.sk)

    def _count_page(self, page_hash: str, data: JsonObject, brought: set[str], equal: int) -> None:
        """Bring the sums up to what this page brought; a page that was added before counts by the difference.

        What it brought at any time counts: a page that has changed since does not take its old records away. ``equal``
        is how many records of this reading others were there for, of this page or of another one.
        """
        sk = f"PAGE#{page_hash}"
        while True:
            stored = self._table.get(self._pk, sk)
            known = stored.data if stored else {}
            version = stored.version if stored else 0
            keys = _split(known.get("keys")) | brought
            counted = _Counted.of(known) if known.get("counted") is not None else None
            new = _Counted(len(keys), max(equal, counted.equal if counted else 0))
            if counted == new:
                return
            changed: JsonObject = {**data, "keys": "".join(sorted(keys)), "new": new.records}
            before: JsonObject = {name: known.get(name) for name in ("counted", "equal")}
            if not self._table.put(Item(self._pk, sk, {**changed, **before}), if_version=version):
                continue
            self._add_to_sums(page_hash, counted, new)
            settled: JsonObject = {**changed, "counted": new.records, "equal": new.equal}
            if self._table.put(Item(self._pk, sk, settled), if_version=version + 1):
                return

    def _add_to_sums(self, page_hash: str, counted: _Counted | None, new: _Counted) -> None:
        """Count a page with its records; one that another writer has counted with more, meanwhile, stays so."""
        sk = f"SUMMARY#{page_hash[0]}"

        def with_page(stored: Item) -> Item | None:
            known = self._pruned(stored.data.get("open"))
            before = _Counted.of(known[page_hash], "new") if page_hash in known else counted
            most = before.most(new) if before else new
            if most == before:
                return None
            sums: JsonObject = {
                "pages": count_of(stored.data, "pages") + int(before is None),
                "records": count_of(stored.data, "records") + most.records - (before.records if before else 0),
                "equal": count_of(stored.data, "equal") + most.equal - (before.equal if before else 0),
                "open": {**known, page_hash: {"new": most.records, "equal": most.equal, "at": stored.version}},
            }
            return replace(stored, data=sums)

        rewrite(self._table, self._pk, sk, with_page)

    def _pruned(self, known: JsonValue) -> dict[str, JsonObject]:
        """Drop the oldest pages that are settled; the last ones stay, for a writer that is late with the same page."""
        entries = {name: one for name, one in known.items() if isinstance(one, dict)} if isinstance(known, dict) else {}
        if len(entries) < 2 * LAST_PAGES:
            return entries
        oldest = sorted(entries, key=lambda name: count_of(entries[name], "at"))[:-LAST_PAGES]
        return {name: one for name, one in entries.items() if name not in oldest or not self._is_settled(name, one)}

    def _is_settled(self, page_hash: str, entry: JsonObject) -> bool:
        stored = self._table.get(self._pk, f"PAGE#{page_hash}")
        return stored is not None and _Counted.of(stored.data) == _Counted.of(entry, "new")

    def _describe(self, noun: str, result: ExtractionResult, records: list[JsonValue]) -> Sameness:
        """Keep what holds for all records, fields that are new too; give the rule by which these are compared."""
        rule = self._sameness or Sameness()
        begun: JsonObject = {"schema": result.schema_used, "noun": noun}
        begun |= {"dedupe": rule.dedupe, "dedupe_keys": [*rule.keys]}
        found = columns_of(result) if records else []

        def with_columns(stored: Item) -> Item | None:
            kept = stored.data if stored.version else begun
            columns = kept.get("columns")
            seen = dict.fromkeys(map(str, columns)) if isinstance(columns, list) else {}
            every = seen | dict.fromkeys(found)
            is_known = stored.version and len(every) == len(seen)
            return None if is_known else replace(stored, data={**kept, "columns": [*every]})

        described = rewrite(self._table, self._pk, "SCHEMA", with_columns).data
        return self._sameness or sameness_of(described)

    def _described(self) -> JsonObject:
        stored = self._table.get(self._pk, "SCHEMA")
        return stored.data if stored else {}


def _extraction_of(result: ExtractionResult | ScrapeResult) -> ExtractionResult:
    if isinstance(result, ExtractionResult):
        return result
    if not isinstance(result, ScrapeResult):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InvalidRequest(f"a result is added, an ExtractionResult or a ScrapeResult, not {type(result).__name__}")
    if result.extraction is None:
        raise InvalidRequest(f"the result of {result.url} has no extraction: give the request an output_schema")
    return result.extraction


def _unproven_entries(items: Sequence[JsonObject]) -> Iterator[ProvenanceEntry]:
    for number, item in enumerate(items):
        for pointer in cast(list[str], item.get("unproven") or []):
            value = value_at(item["record"], pointer)
            yield ProvenanceEntry(pointer=f"/{number}{pointer}", status="ungrounded", value=value)


def _entries(
    records: Sequence[JsonValue], unproven: Sequence[Sequence[str]], sameness: Sameness, page: str
) -> Iterable[_Entry]:
    """Give the records with their hashes, those that are the same once."""
    entries: dict[str, _Entry] = {}
    for position, record in enumerate(records):
        digest = digest_of(sameness.identity(record, page, position))
        twin = entries.get(digest)
        if twin is None:
            entries[digest] = _Entry(digest, record, position, tuple(unproven[position]))
        elif sameness.fills:
            entries[digest] = replace(twin, record=filled(twin.record, record))
    return entries.values()


def _split(keys: JsonValue) -> set[str]:
    return {keys[at : at + SHORT_KEY] for at in range(0, len(keys), SHORT_KEY)} if isinstance(keys, str) else set()
