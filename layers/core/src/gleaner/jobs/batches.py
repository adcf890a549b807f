"""Batches: read a list of pages (CSV, JSON, JSON lines, URLs) and divide it into polite lanes.

A batch's record is ``BATCH#tenant / id`` in the table; its lists stand under ``batches/tenant/id/``. Each page of it is
a job of its own, named ``id-number``, so that it is found, read and never done twice like any other job (WF-2).
"""

import csv
import io
import json
import re
import time
from collections import Counter, defaultdict, deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any
from urllib.parse import urlsplit

from pydantic import Field

from gleaner.contracts.errors import InvalidRequest, UnsupportedFormat
from gleaner.contracts.items import DAY_S, every_item, rewrite
from gleaner.contracts.json_text import parse_json
from gleaner.contracts.models import REQUEST_BYTES, Closed, ScrapeRequest, parse_request
from gleaner.contracts.ports import Item, ItemPage, JsonObject
from gleaner.contracts.schema_input import with_schema_as_text
from gleaner.jobs.blob_texts import write_text
from gleaner.jobs.jobs import ENDED, JobRef
from gleaner.jobs.tenant_records import TenantRecords

MAX_REQUESTS = 50_000
"""Lines of a list, bad ones included: each is looked at by itself."""
MAX_WRITTEN_BYTES = 500_000_000
"""What the requests of a list may have together as JSON, each with the defaults."""
DELIMITERS = (",", ";", "\t")
"""What parts the cells of a CSV list: spreadsheets of many countries write semicolons."""
MAX_LIST_BYTES = 50_000_000
UNDER_WAY = ("mapping", "running")
"""The states of a batch that has not ended: its pages are looked for, or scraped."""
REPORTED_LINES = 100
"""Bad lines that a batch's record names; all of them are counted."""
TEXT_FIELDS = frozenset({"url", "page_id", "format", "query", "css_selector", "extraction_id", "profile", "parser"})
FIELDS = frozenset({*ScrapeRequest.model_fields, "waitFor"})
_FIELD_NAMES = {name.lower(): name for name in FIELDS}
_SEPARATOR_LINE = re.compile(r"\Asep=[,;\t]\r?\n", re.IGNORECASE)
"""What spreadsheets write above the heads, to tell themselves how a list is parted."""


class Politeness(Closed):
    """How a batch treats the hosts that it asks: pages at a time in all, at one host, and the time between two."""

    concurrency: int = Field(default=8, ge=1, le=200)
    per_host: int = Field(default=2, ge=1, le=20)
    delay_ms: int = Field(default=0, ge=0, le=20_000)
    ignore_robots: bool = False

    @property
    def at_a_host(self) -> int:
        """Pages at a time at one host: never more than in all."""
        return min(self.per_host, self.concurrency)

    @property
    def lanes(self) -> int:
        """Lanes at a time, each working on as many pages as one host is to see: no more in all than is allowed."""
        return self.concurrency // self.at_a_host

    def at_most(self, concurrency: int) -> "Politeness":
        """Give the same with no more pages at a time than an installation has room for."""
        return self.model_copy(update={"concurrency": min(self.concurrency, concurrency)})


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line of a list that is no request: its number, from 1, and why."""

    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class ParsedList:
    """The requests of a list with their lines, in order, and the lines that are none.

    ``copies`` are the lines that ask the very same as an earlier one, with that one's: such a page is fetched once.
    """

    requests: tuple[tuple[int, JsonObject], ...]
    bad: tuple[BadLine, ...]
    copies: tuple[tuple[int, int], ...] = ()

    @property
    def lines(self) -> list[tuple[int, JsonObject | str]]:
        """All that the list says, bad lines too, by which it is known again: one bad line more is another list."""
        return [*self.requests, *((bad.line, bad.reason) for bad in self.bad)]


def parse_list(body: bytes, name: str = "", defaults: Mapping[str, Any] | None = None) -> ParsedList:
    """Read a list of requests: a JSON array, JSON lines, CSV with a ``url`` column, or a URL a line.

    ``name`` is the file's, whose ending settles what the text leaves open; ``defaults`` are fields for each request
    that does not give them. An invalid line is reported with its number and skipped. InvalidRequest when the
    list as a whole can't be read.

    >>> parse_list(b"https://a.example/\\r\\nnot a url\\r\\n").bad[0].line
    2
    """
    if len(body) > MAX_LIST_BYTES:
        raise InvalidRequest(f"the list has {len(body)} bytes; the limit is {MAX_LIST_BYTES}")
    default_bytes = _size_of(defaults or {})
    requests: list[tuple[int, JsonObject]] = []
    bad: list[BadLine] = []
    copies: list[tuple[int, int]] = []
    first: dict[str, int] = {}
    for line, value in _entries(_decode(body), name.lower()):
        try:
            request = _request(value, defaults or {})
            earlier = first.setdefault(json.dumps(request, sort_keys=True), line)
            if earlier == line:
                requests.append((line, request))
            else:
                copies.append((line, earlier))
        except (InvalidRequest, UnsupportedFormat) as error:
            bad.append(BadLine(line, error.message[:300]))
        check_count(len(requests) + len(bad) + len(copies), default_bytes)
    return ParsedList(tuple(requests), tuple(bad), tuple(copies))


def check_count(count: int, default_bytes: int = 0) -> None:
    """Raise InvalidRequest for more requests than one batch may have: fewer where each repeats long defaults."""
    most = min(MAX_REQUESTS, MAX_WRITTEN_BYTES // max(1, default_bytes))
    if count > most:
        raise InvalidRequest(f"the list has more than {most} requests; split it")


def _size_of(defaults: Mapping[str, Any]) -> int:
    size = len(json.dumps(dict(defaults), default=str))
    if size > REQUEST_BYTES:
        raise InvalidRequest(f"defaults: {size} bytes of JSON; the limit is {REQUEST_BYTES}: shorten the output_schema")
    return size


def _decode(body: bytes) -> str:
    encoding = "utf-16" if body[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        return body.decode(encoding)
    except UnicodeDecodeError as error:
        named = encoding.removesuffix("-sig").upper()
        raise InvalidRequest(f"the list is not {named} text: byte {error.start} can't be read") from None


def _request(value: Any, defaults: Mapping[str, Any]) -> JsonObject:
    if isinstance(value, InvalidRequest):
        raise value
    given = {"url": value} if isinstance(value, str) else value
    if not isinstance(given, dict):
        raise InvalidRequest(f"a line is a URL or a ScrapeRequest object, not {type(value).__name__}")
    other = {"format": "formats", "formats": "format"}  # a line's own stands in place of either
    kept = {name: value for name, value in defaults.items() if other.get(name) not in given}
    request = parse_request({**kept, **given})
    return request.model_dump(mode="json", exclude_unset=True)


def _entries(text: str, name: str) -> Iterator[tuple[int, Any]]:
    text = _SEPARATOR_LINE.sub("\n", text)
    start = text.lstrip()[:1]
    if start == "[" and not name.endswith((".jsonl", ".ndjson")):
        yield from enumerate(_json_array(text), start=1)
    elif start == "{" or name.endswith((".jsonl", ".ndjson")):
        yield from _json_lines(text)
    elif (delimiter := _delimiter(text)) or name.endswith(".csv"):
        yield from _csv_rows(text, delimiter or ",")
    else:
        yield from _plain_lines(text)


def _json_array(text: str) -> list[Any]:
    try:
        found = parse_json(text)
    except ValueError as error:
        raise InvalidRequest(f"the list is not valid JSON: {error}") from None
    check_count(len(found))
    return found


def _json_lines(text: str) -> Iterator[tuple[int, Any]]:
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                yield number, parse_json(line)
            except ValueError as error:
                yield number, InvalidRequest(f"not valid JSON: {error}")


def _delimiter(text: str) -> str | None:
    """Give what parts the cells of a first line that names a ``url`` column; None when it names none."""
    first = text.lstrip().partition("\n")[0]
    return next((mark for mark in DELIMITERS if "url" in map(_plain_name, first.split(mark))), None)


def _plain_name(cell: str) -> str:
    return cell.strip().strip('"').lower()


def _plain_lines(text: str) -> Iterator[tuple[int, Any]]:
    for number, line in enumerate(text.split("\n"), start=1):
        url = line.strip()
        if url and not url.startswith("#"):
            yield number, url


def _csv_rows(text: str, delimiter: str) -> Iterator[tuple[int, Any]]:
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    header: list[str] | None = None
    while True:
        try:
            row = next(rows, None)
        except csv.Error as error:
            yield rows.line_num, InvalidRequest(f"not valid CSV: {error}")
            continue
        if row is None:
            return
        if not any(cell.strip() for cell in row):
            continue
        if header is None and any(cell.strip().lower() == "url" for cell in row):
            header = _header(row)
            continue
        yield rows.line_num, _bare(row) if header is None else _row(header, row)


def _header(row: list[str]) -> list[str]:
    names = [_FIELD_NAMES.get(cell.strip().lower(), cell.strip()) for cell in row]
    unknown = [name for name in names if name not in FIELDS]
    if unknown:
        raise InvalidRequest(f"column {unknown[0]!r} is not a field of a request; fields: {', '.join(sorted(FIELDS))}")
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise InvalidRequest(f"column {twice[0]!r} appears twice; keep one")
    return names


def _bare(row: list[str]) -> Any:
    """Give the URL that a row without a header is."""
    url = row[0].strip()
    if len(row) > 1 and "://" not in url:
        return InvalidRequest(f"{url!r} is not a URL, and no header names a column url")
    return url


def _row(header: list[str], row: list[str]) -> Any:
    if len(row) > len(header):
        return InvalidRequest(f"{len(row)} cells, but the header has {len(header)} columns")
    cells = {name: cell.strip() for name, cell in zip(header, row, strict=False) if cell.strip()}
    return {name: cell if name in TEXT_FIELDS else _cell_value(cell) for name, cell in cells.items()}


def _cell_value(cell: str) -> Any:
    if cell.lower() in ("true", "false"):
        return cell.lower() == "true"
    try:
        return parse_json(cell)
    except ValueError:
        return cell


def share_out(items: list[JsonObject], lanes: int) -> list[list[JsonObject]]:
    """Share items (``{job, request}``) out to so many lanes: each host is in one lane, and takes turns with others.

    What a lane does at the same time is then what one host sees at the most.
    """
    hosts: dict[str, deque[JsonObject]] = defaultdict(deque)
    for item in items:
        hosts[_host_of(item)].append(item)
    shares: list[list[deque[JsonObject]]] = [[] for _ in range(max(1, min(lanes, len(hosts))))]
    filled = [0] * len(shares)
    for queue in sorted(hosts.values(), key=len, reverse=True):
        least = filled.index(min(filled))
        shares[least].append(queue)
        filled[least] += len(queue)
    return [_take_turns(queues) for queues in shares]


def _take_turns(queues: list[deque[JsonObject]]) -> list[JsonObject]:
    taken: list[JsonObject] = []
    waiting = deque(queues)
    while waiting:
        queue = waiting.popleft()
        taken.append(queue.popleft())
        if queue:
            waiting.append(queue)
    return taken


def _host_of(item: JsonObject) -> str:
    request = item["request"]
    url = request.get("url") if isinstance(request, dict) else None
    return urlsplit(str(url or "")).netloc.lower()


class Batches(TenantRecords):
    """The batches of one tenant."""

    kind, noun = "BATCH", "batch"

    def prepare(
        self,
        batch_id: str,
        parsed: ParsedList,
        politeness: Politeness,
        *,
        owner: JsonObject | None = None,
        **more: Any,
    ) -> JsonObject:
        """Store the lists and the record of a batch; give its execution's input. The same batch may be prepared again.

        ``owner``, ``{job_id, deadline_at}``, is whose caps all pages spend from; ``more`` goes into the record.

        InvalidRequest when the list holds no request.
        """
        ref = JobRef(batch_id, self._tenant)
        if not parsed.requests:
            reason = f"; line {parsed.bad[0].line}: {parsed.bad[0].reason}" if parsed.bad else ""
            raise InvalidRequest(f"the list holds no request{reason}")
        owned: JsonObject = {"owner": owner} if owner is not None else {}
        items: list[JsonObject] = [
            {"job": {**JobRef(page_job(batch_id, line), self._tenant).to_json(), **owned}, "request": carried}
            for line, request in parsed.requests
            for carried in (with_schema_as_text(request, REQUEST_BYTES),)
        ]
        lanes = share_out(items, politeness.lanes)
        keys: list[JsonObject] = []
        for number, lane in enumerate(lanes):
            key = f"batches/{self._tenant}/{batch_id}/lane-{number:04}.json"
            write_text(self._blobs, key, json.dumps(lane))
            keys.append({"key": key})
        self.open(batch_id, parsed, politeness, more)
        return {
            "batch": ref.to_json(),
            "lanes": list(keys),
            "politeness": politeness.model_dump(mode="json") | {"per_host": politeness.at_a_host},
            "max_lanes": len(keys),
        }

    def view(self, batch_id: str) -> JsonObject:
        """Give a batch's record with what has become of its pages so far."""
        record = {name: value for name, value in self.record(batch_id).items() if name != "request_digest"}
        return {**record, "counts": record.get("counts") or self.counts(batch_id)}

    def counts(self, batch_id: str) -> JsonObject:
        """Count the batch's jobs by their status."""
        found = Counter(str(job.get("status")) for job in self.jobs(batch_id))
        return {**found, "done": sum(found[status] for status in ENDED)}

    def jobs(self, batch_id: str) -> Iterator[JsonObject]:
        """Give the records of the batch's jobs that have begun, in the order of the list."""
        return (item.data for item in every_item(lambda after: self.page(batch_id, limit=500, after=after)))

    def page(self, batch_id: str, *, limit: int, after: str | None = None) -> ItemPage:
        """Give so many of the batch's jobs that have begun, in the order of the list."""
        return self._table.query(f"JOB#{self._tenant}", prefix=f"{batch_id}-", limit=limit, after=after)

    def of_upload(self, source: str, *, limit: int = 50, after: str | None = None) -> ItemPage:
        """Give the batches that an upload has started, page by page; ``source`` is its key."""
        every = every_item(lambda place: self.list(limit=500, after=place or after))
        found = list(islice((item for item in every if item.data.get("source") == source), limit + 1))
        return ItemPage(tuple(found[:limit]), found[limit - 1].sk if len(found) > limit else None)

    def open(
        self, batch_id: str, parsed: ParsedList, politeness: Politeness, more: JsonObject, *, status: str = "running"
    ) -> None:
        """Make the record of a batch, "mapping" while its pages are looked for; one whose pages are known stays."""
        data: JsonObject = {
            "batch_id": batch_id,
            "status": status,
            "total": len(parsed.requests),
            "bad_line_count": len(parsed.bad),
            "copy_count": len(parsed.copies),
            "bad_lines": [{"line": bad.line, "reason": bad.reason} for bad in parsed.bad[:REPORTED_LINES]],
            "politeness": politeness.model_dump(mode="json"),
            "created_at": time.time(),
            **more,
        }
        ttl = int(time.time()) + self._ttl_days * DAY_S

        def opened(item: Item) -> Item | None:
            is_final = bool(item.data.get("total")) or item.data.get("status") == "cancelled"
            if item.version and (is_final or status != "running"):
                return None
            kept = {name: value for name, value in item.data.items() if name in ("created_at", "request_digest")}
            return replace(item, data={**data, **kept}, ttl=ttl)

        rewrite(self._table, *self._key(batch_id), opened)


def page_job(batch_id: str, line: int) -> str:
    """Give the name of the job of a batch's line."""
    return f"{batch_id}-{line:06}"
