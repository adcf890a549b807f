"""Each function made to fail, to time out, to be killed after its write, to be delivered twice; executions stopped.

Table and blobs are throttled, too.

For each case, over the whole local state machine: the job ends in a readable state, nothing extracted is lost, nothing
is doubled, and the same job run again finishes without paying again. ``docs/faults.md`` is written from these cases:
``python tests/workflow/test_fault_injection.py --write``.
"""

import json
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from gleaner.aggregates import ExtractionAggregator
from gleaner.errors import StoreThrottled, UnsupportedContent
from gleaner.jobs import ENDED, JobRef
from gleaner.local.engine import scale_retry_waits
from gleaner.local.runner import LocalContext, LocalRunner, load_handler
from gleaner.models import ScrapeResult
from gleaner.ports import Item, ItemPage, JsonObject, JsonValue, RenderedPage, RenderOrder
from gleaner.settings import load_settings
from gleaner.steps import patience
from gleaner.steps.places import jobs_of
from gleaner.strategies import ExtractionCache
from gleaner.testing import ScriptedModel, TrueRecord
from gleaner.testing.loopback import LoopbackHandler, LoopbackServer
from gleaner.wiring import WiredServices

pytestmark = [pytest.mark.req("WF-1", "AG-1", "EX-5")]

TABLE = Path(__file__).parents[2] / "docs/faults.md"
SCHEMA = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {"label": {"type": "string"}, "cost": {"type": "number"}},
        "required": ["label", "cost"],
    },
}
RECORDS = [{"label": f"Item {number:03}", "cost": number * 7 + 3.4} for number in range(24)]
ROWS = "".join(f"<tr><td>{record['label']}</td><td>${record['cost']}</td></tr>" for record in RECORDS)
PAGE = f"<title>Items</title><h1>Items</h1><table><tr><th>What</th><th>How much</th></tr>{ROWS}</table>"
CHUNKS = 3
FUNCTIONS = ("plan_scrape", "probe_media", "render_page", "chunk_page", "extract_chunk", "aggregate_results")


class Killed(Exception):
    """Lambda's own name for a function whose process ended."""


Killed.__name__ = "Runtime.ExitError"


class TimedOut(Exception):
    """Lambda's own name for a function that took longer than its limit."""


TimedOut.__name__ = "Sandbox.Timedout"


class LogicFault(Exception):
    """A fault that no table of errors knows."""


@dataclass
class Fault:
    """Goes wrong at one function: before or after the real handler, or by calling it twice, for some of its calls.

    With ``stops`` the execution ends there, as one does that is aborted or has reached its limit.
    """

    function: str
    error: type[Exception] | None = None
    times: int = 1
    after: bool = False
    twice: bool = False
    stops: bool = False
    seen: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def strikes(self, function: str) -> bool:
        if function != self.function:
            return False
        with self.lock:
            self.seen += 1
            return self.seen <= self.times


class FaultyRunner(LocalRunner):
    """The runner of this machine, whose functions go wrong as Lambda's may."""

    faults: Sequence[Fault] = ()

    def _invoke(self, function: str, payload: JsonObject) -> JsonValue:
        fault = next((fault for fault in self.faults if fault.strikes(function)), None)
        if fault is None:
            return super()._invoke(function, payload)
        if fault.twice:
            super()._invoke(function, json.loads(json.dumps(payload)))
        if fault.after:
            super()._invoke(function, payload)
        if fault.stops:
            self.halt()
        if fault.error is not None:
            raise fault.error("injected")
        return super()._invoke(function, payload)


class Throttle:
    """Refuses the n-th call, and as many after it as it is told."""

    def __init__(self) -> None:
        self.calls = 0
        self.refused: range = range(0)
        self.lock = threading.Lock()

    def pass_or_refuse(self) -> None:
        with self.lock:
            self.calls += 1
            if self.calls in self.refused:
                raise StoreThrottled(f"injected: call {self.calls} is one too many")


class ThrottledTable:
    """The table, through a throttle."""

    def __init__(self, table: Any, throttle: Throttle) -> None:
        self.table, self.throttle = table, throttle

    def get(self, pk: str, sk: str) -> Item | None:
        self.throttle.pass_or_refuse()
        return self.table.get(pk, sk)

    def put(self, item: Item, *, if_version: int | None = None) -> bool:
        self.throttle.pass_or_refuse()
        return self.table.put(item, if_version=if_version)

    def get_many(self, pk: str, sks: Sequence[str]) -> list[Item | None]:
        self.throttle.pass_or_refuse()
        return self.table.get_many(pk, sks)

    def put_new(self, items: Sequence[Item]) -> list[bool]:
        self.throttle.pass_or_refuse()
        return self.table.put_new(items)

    def add(
        self, pk: str, sk: str, amounts: Mapping[str, int], *, ceilings: Mapping[str, int] | None = None
    ) -> JsonObject | None:
        self.throttle.pass_or_refuse()
        return self.table.add(pk, sk, amounts, ceilings=ceilings)

    def query(self, pk: str, *, prefix: str = "", limit: int = 100, after: str | None = None) -> ItemPage:
        self.throttle.pass_or_refuse()
        return self.table.query(pk, prefix=prefix, limit=limit, after=after)

    def query_host(self, host: str, *, limit: int = 100, after: str | None = None) -> ItemPage:
        self.throttle.pass_or_refuse()
        return self.table.query_host(host, limit=limit, after=after)

    def delete(self, pk: str, sk: str) -> bool:
        self.throttle.pass_or_refuse()
        return self.table.delete(pk, sk)

    def close(self) -> None:
        self.table.close()


class ThrottledBlobs:
    """The blob store, through a throttle."""

    def __init__(self, blobs: Any, throttle: Throttle) -> None:
        self.blobs, self.throttle = blobs, throttle

    def write(self, key: str, body: bytes, content_type: str = "application/octet-stream") -> None:
        self.throttle.pass_or_refuse()
        self.blobs.write(key, body, content_type)

    def read(self, key: str) -> bytes:
        self.throttle.pass_or_refuse()
        return self.blobs.read(key)

    def exists(self, key: str) -> bool:
        self.throttle.pass_or_refuse()
        return self.blobs.exists(key)

    def url(self, key: str, expires_s: int = 3600) -> str:
        return self.blobs.url(key, expires_s)


class FetchingRenderer:
    """Stands in for the browser, which is not what fails here: the page as plain HTTP gives it."""

    def __init__(self, services: WiredServices) -> None:
        self.services = services

    def render(self, order: RenderOrder) -> RenderedPage:
        fetched = self.services.fetcher.fetch(order.url)
        return RenderedPage(fetched.url, fetched.status, "Items", fetched.text)


class FaultyServices(WiredServices):
    """The services of this machine over stores that can be throttled."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.table_throttle, self.blob_throttle = Throttle(), Throttle()
        self._throttled_table = ThrottledTable(super().table, self.table_throttle)
        self._throttled_blobs = ThrottledBlobs(super().blobs, self.blob_throttle)
        self._fetching = FetchingRenderer(self)

    @property
    def table(self) -> Any:
        return self._throttled_table

    @property
    def blobs(self) -> Any:
        return self._throttled_blobs

    @property
    def renderer(self) -> Any:
        return self._fetching


class Page(LoopbackHandler):
    """One page, whatever is asked for."""

    def do_GET(self) -> None:
        self.answer(200, "text/html; charset=utf-8", PAGE.encode())


@dataclass
class Installation:
    """An installation with one job to do."""

    home: Path
    host: str
    ref: JobRef = field(default_factory=lambda: JobRef("the-job"))

    def __post_init__(self) -> None:
        self.model = ScriptedModel([TrueRecord(record, (str(record["label"]),)) for record in RECORDS])
        self.services = FaultyServices(load_settings(home=self.home, allow_hosts=[self.host]), model=self.model)
        self.runner = FaultyRunner(self.services)
        self.request = {
            "url": f"http://{self.host}/items",
            "output_schema": SCHEMA,
            "extraction_id": "the-items",
            "config": {"max_chunk_chars": 220, "overlap_lines": 0, "tiers": ["model"], "max_concurrent_chunks": 1},
        }

    def run(self) -> ScrapeResult:
        payload: JsonObject = {"job": self.ref.to_json(), "request": self.request}
        self.runner.run_machine("scrape_page", payload, self.ref.job_id)
        if any(fault.stops for fault in self.runner.faults):
            self.tell_of_the_stop(payload)
            self.runner.close()
            self.runner = FaultyRunner(self.services)
        return jobs_of(self.services).result(self.ref)

    def tell_of_the_stop(self, payload: JsonObject) -> None:
        """Deliver the event of the execution's end, twice, as it may come."""
        detail: JsonObject = {"status": "ABORTED", "name": self.ref.job_id, "input": json.dumps(payload)}
        for _ in range(2):
            load_handler("close_stopped")({"detail": detail}, LocalContext("close_stopped", self.services))

    def close(self) -> None:
        self.runner.close()
        self.services.close()


@contextmanager
def serving() -> Iterator[str]:
    with LoopbackServer(Page) as server:
        yield server.host


@contextmanager
def without_waits() -> Iterator[None]:
    waits = patience.WAITS_S
    patience.WAITS_S = (0.0,) * len(waits)  # type: ignore[assignment]
    scale_retry_waits(0)
    yield
    patience.WAITS_S = waits
    scale_retry_waits(1)


@contextmanager
def installed(home: Path, host: str) -> Iterator[Installation]:
    made = Installation(home, host)
    yield made
    made.close()


@pytest.fixture(scope="module")
def host() -> Iterator[str]:
    with without_waits(), serving() as address:
        yield address


@pytest.fixture
def installation(tmp_path: Path, host: str) -> Iterator[Installation]:
    with installed(tmp_path / "home", host) as made:
        yield made


KINDS: dict[str, Callable[[str], Fault]] = {
    "may go through later, once": lambda name: Fault(name, StoreThrottled),
    "may go through later, every time": lambda name: Fault(name, StoreThrottled, times=100),
    "fails for good": lambda name: Fault(name, UnsupportedContent, times=100),
    "raises what nobody knows": lambda name: Fault(name, LogicFault, times=100),
    "takes too long, once": lambda name: Fault(name, TimedOut),
    "takes too long, every time": lambda name: Fault(name, TimedOut, times=100),
    "killed before its write": lambda name: Fault(name, Killed),
    "killed after its write": lambda name: Fault(name, Killed, after=True),
    "raises what nobody knows after its write": lambda name: Fault(name, LogicFault, times=100, after=True),
    "delivered twice": lambda name: Fault(name, twice=True, times=100),
}


FINAL = {
    "may go through later, once": lambda: Fault("record_failure", StoreThrottled),
    "takes too long, once": lambda: Fault("record_failure", TimedOut),
    "takes too long, every time": lambda: Fault("record_failure", TimedOut, times=100),
    "raises what nobody knows, once": lambda: Fault("record_failure", LogicFault),
    "raises what nobody knows": lambda: Fault("record_failure", LogicFault, times=100),
    "killed after its write": lambda: Fault("record_failure", Killed, after=True),
    "delivered twice": lambda: Fault("record_failure", twice=True, times=100),
}
CASES: dict[tuple[str, str], Callable[[], list[Fault]]] = {
    **{(name, kind): lambda name=name, make=make: [make(name)] for name in FUNCTIONS for kind, make in KINDS.items()},
    ("extract_chunk", "one chunk fails for good"): lambda: [Fault("extract_chunk", UnsupportedContent)],
    ("extract_chunk", "one chunk raises what nobody knows after its write"): lambda: [
        Fault("extract_chunk", LogicFault, after=True)
    ],
    **{
        ("record_failure of a job", kind): lambda make=make: [Fault("chunk_page", LogicFault, times=100), make()]
        for kind, make in FINAL.items()
    },
    **{
        ("record_failure of a chunk", kind): lambda make=make: [Fault("extract_chunk", LogicFault), make()]
        for kind, make in FINAL.items()
    },
    **{
        ("the execution", f"stopped after {name}"): lambda name=name: [Fault(name, Killed, after=True, stops=True)]
        for name in FUNCTIONS
    },
}
STORES = ("the table", "the blob store")
REFUSED = {"one call refused, each in turn": 1, "eight calls in a row refused, from each in turn": 8}
STEP = 12
"""One call in so many is tried as the first that is refused; the whole range is walked by ``--write``."""


@dataclass(frozen=True)
class Seen:
    """How a case went: the job's state after the fault, the records in its result, and the same after a restart."""

    state: str
    records: int
    again: str
    calls: int

    def row(self, what: str, kind: str) -> str:
        return f"| {what} | {kind} | {self.state} | {self.records} of {len(RECORDS)} | {self.again} | {self.calls} |"


def records_of(result: ScrapeResult) -> int:
    return len(result.extraction.data or []) if result.extraction else 0


def observe(installation: Installation) -> Seen:
    """Run the job with the fault, then without; hold both runs to what is promised of every case."""
    first = installation.run()
    assert first.status in ENDED
    assert jobs_of(installation.services).status(installation.ref)["status"] == first.status
    if first.status == "failed":
        assert first.error is not None
        assert first.error.message
    if first.status == "complete":
        assert records_of(first) == len(RECORDS)
    check_nothing_is_doubled(installation, first)
    paid = len(installation.model.requests)
    installation.runner.faults = ()
    installation.services.table_throttle.refused = installation.services.blob_throttle.refused = range(0)
    again = installation.run()
    assert again.status == "complete", again.error
    assert again.extraction is not None
    assert again.extraction.data == RECORDS
    check_nothing_is_doubled(installation, again)
    assert len(installation.model.requests) == CHUNKS, "an answer was paid for twice"
    if records_of(first) == len(RECORDS):
        assert paid == len(installation.model.requests), "the restart paid again"
    return Seen(first.status, records_of(first), again.status, len(installation.model.requests))


def check_nothing_is_doubled(installation: Installation, result: ScrapeResult) -> None:
    table = installation.services.table
    aggregate = ExtractionAggregator(table, "the-items")
    gathered = list(aggregate.all_records())
    assert aggregate.counts()["records"] in (len(gathered), 0)
    assert len({json.dumps(record) for record in gathered}) == len(gathered)
    assert aggregate.counts()["pages"] in (0, 1)
    if result.status == "complete":
        assert aggregate.counts() == {"pages": 1, "records": len(RECORDS), "noun": "records"}
        assert sorted(gathered, key=lambda record: record["label"]) == RECORDS  # type: ignore[index, call-overload]
    strategy = ExtractionCache(table).get("the-items")
    assert strategy is None or strategy.success_count + strategy.failure_count <= 1


@pytest.mark.parametrize(("what", "kind"), list(CASES), ids=lambda text: text)
def test_a_fault_loses_nothing_doubles_nothing_and_a_restart_pays_nothing_twice(
    installation: Installation, what: str, kind: str
) -> None:
    installation.runner.faults = CASES[what, kind]()
    assert observe(installation).row(what, kind) in TABLE.read_text("utf-8").splitlines()


@pytest.mark.parametrize("what", STORES)
@pytest.mark.parametrize("kind", list(REFUSED))
def test_a_throttled_store_loses_nothing_doubles_nothing_and_a_restart_pays_nothing_twice(
    tmp_path: Path, host: str, what: str, kind: str
) -> None:
    assert throttled_row(tmp_path, host, what, kind, STEP).split(" | ")[:2] == f"| {what} | {kind}".split(" | ")
    assert f"| {what} | {kind} |" in TABLE.read_text("utf-8")


def test_the_table_in_the_documents_names_every_case_and_no_other() -> None:
    rows = [line for line in TABLE.read_text("utf-8").splitlines() if line.startswith("| ")][1:]
    named = [tuple(cell.strip() for cell in row.split("|")[1:3]) for row in rows]
    assert named == [*CASES, *((what, kind) for what in STORES for kind in REFUSED)]


def throttle_of(installation: Installation, what: str) -> Throttle:
    services = installation.services
    return services.table_throttle if what == "the table" else services.blob_throttle


def throttled_row(folder: Path, host: str, what: str, kind: str, step: int) -> str:
    """Refuse calls from the first, then from the next, and so on, each in an installation of its own."""
    with installed(folder / "clean", host) as installation:
        assert installation.run().status == "complete"
        calls = throttle_of(installation, what).calls
    seen: list[Seen] = []
    for first in range(1, calls, step):  # the last call is the caller's own, who reads the result
        with installed(folder / f"from-{first}", host) as installation:
            throttle_of(installation, what).refused = range(first, first + REFUSED[kind])
            seen.append(observe(installation))
    states = " or ".join(sorted({one.state for one in seen}))
    least = min(one.records for one in seen)
    return f"| {what} | {kind} | {states} | {least} of {len(RECORDS)} | complete | {max(one.calls for one in seen)} |"


HEAD = f"""# What happens when something fails

Each row is a run of the whole state machine over a page of {len(RECORDS)} records in {CHUNKS} chunks, with one thing
going wrong, and then of the same job again, with all well. In every row the job ends in a state that can be read,
nothing that was extracted is lost, no record and no count is doubled, and each chunk's model call is paid for once in
both runs together. The rows are measured, by

```sh
python tests/workflow/test_fault_injection.py --write
```

and CI runs the cases and compares. "May go through later" stands for what the state machine retries
(`StoreThrottled`, `ModelUnavailable` and their like), "fails for good" for an error that it does not retry, "killed"
for a function whose process ended, "after its write" for one whose work was stored and whose answer was lost, and
"stopped" for an execution that was aborted, or reached its limit; close_stopped is told so twice.

To run a job again is to start an execution with the same input,
`{{"job": {{"job_id": …, "tenant": …}}, "request": {{…}}}}`, under a name of its own. `gleaner serve` does so at its
start for the jobs that an earlier process left.

The functions of scrape_batch are made to go wrong in `tests/workflow/test_batch_faults.py`: the batch ends, each
page is done once, and pages that were not done are counted and done by the next run.

| where | what | the job | records then | run again | model calls in all |
|---|---|---|---|---|---|
"""


def write_table() -> None:
    """Run every case and write the table."""
    rows: list[str] = []
    with without_waits(), serving() as host, tempfile.TemporaryDirectory() as folder:
        for number, ((what, kind), make) in enumerate(CASES.items()):
            with installed(Path(folder) / str(number), host) as installation:
                installation.runner.faults = make()
                rows.append(observe(installation).row(what, kind))
        places = [(what, kind) for what in STORES for kind in REFUSED]
        rows += [throttled_row(Path(folder) / what / kind, host, what, kind, 1) for what, kind in places]
    TABLE.write_text(HEAD + "\n".join(rows) + "\n", "utf-8")


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit("usage: python tests/workflow/test_fault_injection.py --write")
    write_table()
