"""Each function made to fail, to time out, to be killed after its write, to be delivered twice; executions stopped.

Table and blobs are throttled, too.

For each case, over the whole local state machine: the job ends in a readable state, nothing extracted is lost, nothing
is doubled, and the same job run again finishes without paying again. ``docs/faults.md`` is written from these cases:
``python -m tests.workflow.test_fault_injection --write``.
"""

import json
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from gleaner.contracts.errors import StoreThrottled, UnsupportedContent
from gleaner.contracts.models import ScrapeResult
from gleaner.jobs.aggregates import ExtractionAggregator
from gleaner.jobs.jobs import ENDED
from gleaner.jobs.places import jobs_of
from gleaner.jobs.strategies import ExtractionCache

from tests.workflow.fault_tables import write_when_asked
from tests.workflow.faulty import (
    CHUNKS,
    RECORDS,
    Fault,
    Installation,
    Killed,
    LogicFault,
    Throttle,
    TimedOut,
    installed,
    serving,
    without_waits,
)

pytestmark = [pytest.mark.req("WF-1", "AG-1", "EX-5")]

TABLE = Path(__file__).parents[2] / "docs/faults.md"
FUNCTIONS = ("plan_scrape", "probe_media", "render_page", "chunk_page", "extract_chunk", "aggregate_results")


@pytest.fixture(scope="module")
def host() -> Iterator[str]:
    with without_waits(), serving() as address:
        yield address


@pytest.fixture
def installation(tmp_path: Path, host: str) -> Iterator[Installation]:
    with installed(tmp_path / "home", host) as made:
        yield made


KINDS: dict[str, Callable[[str], Fault]] = {
    "transient error, once": lambda name: Fault(name, StoreThrottled),
    "transient error, every time": lambda name: Fault(name, StoreThrottled, times=100),
    "permanent error": lambda name: Fault(name, UnsupportedContent, times=100),
    "unknown exception": lambda name: Fault(name, LogicFault, times=100),
    "times out, once": lambda name: Fault(name, TimedOut),
    "times out, every time": lambda name: Fault(name, TimedOut, times=100),
    "killed before its write": lambda name: Fault(name, Killed),
    "killed after its write": lambda name: Fault(name, Killed, after=True),
    "unknown exception after its write": lambda name: Fault(name, LogicFault, times=100, after=True),
    "delivered twice": lambda name: Fault(name, twice=True, times=100),
}


FINAL = {
    "transient error, once": lambda: Fault("record_failure", StoreThrottled),
    "times out, once": lambda: Fault("record_failure", TimedOut),
    "times out, every time": lambda: Fault("record_failure", TimedOut, times=100),
    "unknown exception, once": lambda: Fault("record_failure", LogicFault),
    "unknown exception": lambda: Fault("record_failure", LogicFault, times=100),
    "killed after its write": lambda: Fault("record_failure", Killed, after=True),
    "delivered twice": lambda: Fault("record_failure", twice=True, times=100),
}
CASES: dict[tuple[str, str], Callable[[], list[Fault]]] = {
    **{(name, kind): lambda name=name, make=make: [make(name)] for name in FUNCTIONS for kind, make in KINDS.items()},
    ("extract_chunk", "one chunk: permanent error"): lambda: [Fault("extract_chunk", UnsupportedContent)],
    ("extract_chunk", "one chunk: unknown exception after its write"): lambda: [
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
    check_readable(installation, first)
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


def check_readable(installation: Installation, result: ScrapeResult) -> None:
    assert result.status in ENDED
    assert jobs_of(installation.services).status(installation.ref)["status"] == result.status
    if result.status == "failed":
        assert result.error is not None
        assert result.error.message


def check_nothing_is_doubled(installation: Installation, result: ScrapeResult) -> None:
    table = installation.services.table
    aggregate = ExtractionAggregator(table, "the-items")
    gathered = list(aggregate.all_records())
    assert aggregate.counts()["records"] in (len(gathered), 0)
    assert len({json.dumps(record) for record in gathered}) == len(gathered)
    assert aggregate.counts()["pages"] in (0, 1)
    if result.status == "complete":
        assert aggregate.counts() == {"pages": 1, "records": len(RECORDS), "equal": 0, "noun": "records"}
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
    own = TABLE.read_text("utf-8").split("\n## ")[0]
    rows = [line for line in own.splitlines() if line.startswith("| ")][1:]
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

Each row is a test: the whole state machine runs over a page of {len(RECORDS)} records in {CHUNKS} chunks while one
thing fails, and then the same job runs again without the failure. In every row:

- the job ends in a state that can be read,
- nothing that was extracted is lost, and nothing is doubled,
- each chunk's model call is paid for once in both runs together.

CI compares this table with the tests. The following command measures it again:

```sh
python -m tests.workflow.test_fault_injection --write
```

The table uses these terms:

- *transient error*: an error that the state machine retries, such as `StoreThrottled`
- *permanent error*: an error that it does not retry
- *unknown exception*: one that is not in Gleaner's error tree
- *killed*: the function's process ended
- *after its write*: the work was stored, and the function's answer was lost
- *stopped*: the execution was aborted, or reached its time limit; `close_stopped` is called twice

You run a job again by starting an execution with the same input,
`{{"job": {{"job_id": …, "tenant": …}}, "request": {{…}}}}`, under a new name. A restarted `gleaner serve` does this for
the jobs that an earlier process left.

`tests/workflow/test_batch_faults.py` tests the functions of scrape_batch in the same way: the batch ends, each page is
scraped once, and pages that were not scraped are counted, and scraped by the next run.

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
    below = TABLE.read_text("utf-8").partition("\n## ")
    TABLE.write_text(HEAD + "\n".join(rows) + "\n" + "".join(below[1:]), "utf-8")


if __name__ == "__main__":
    write_when_asked("test_fault_injection", write_table)
