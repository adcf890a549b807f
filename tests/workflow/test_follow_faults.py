"""The states of a listing made to fail, to be killed, delivered twice and stopped: nothing is lost or doubled (FP-2).

The rows stand in ``docs/faults.md``, ``python -m tests.workflow.test_follow_faults --write``.
"""

import json
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from gleaner.contracts.errors import UnsupportedContent
from gleaner.contracts.ports import JsonObject
from gleaner.jobs.aggregates import ExtractionAggregator
from gleaner.jobs.places import jobs_of
from gleaner.local.engine import scaled_retry_waits

from tests.support.paged_site import LISTED_SCHEMA, PagedSite, listed_records, listed_truth
from tests.workflow.fault_tables import TABLE, write_section, write_when_asked
from tests.workflow.faulty import Fault, FaultyRunner, Installation, Killed, LogicFault, without_waits
from tests.workflow.test_fault_injection import KINDS, check_readable

pytestmark = pytest.mark.req("FP-2", "WF-1")

PAGES = 4
RECORDS = listed_records(PAGES * 12)
HEADING = "## A listing that is followed"
TEXT = f"""A listing of {PAGES} pages with {len(RECORDS)} records; measured by
`python -m tests.workflow.test_follow_faults --write`."""
CASES: dict[tuple[str, str], Callable[[], list[Fault]]] = {
    **{("follow_listing", kind): lambda make=make: [make("follow_listing")] for kind, make in KINDS.items()},
    ("follow_listing", "fails for good behind the second page"): lambda: [
        Fault("follow_listing", UnsupportedContent, times=100, seen=-2)
    ],
    ("a page", "its chunk_page raises what nobody knows, once"): lambda: [Fault("chunk_page", LogicFault)],
    ("a page", "its probe_media is killed, four times"): lambda: [Fault("probe_media", Killed, times=4)],
    ("a page", "its aggregate_results is delivered twice"): lambda: [Fault("aggregate_results", twice=True, times=100)],
    ("a page", "its result's answer is lost"): lambda: [Fault("aggregate_results", LogicFault, after=True, times=100)],
    **{
        ("the execution", f"stopped after {name}"): lambda name=name: [Fault(name, Killed, after=True, stops=True)]
        for name in ("follow_listing", "chunk_page", "aggregate_results")
    },
}


@dataclass(frozen=True)
class Seen:
    """How a case went, and how the same job went after it."""

    state: str
    records: int
    again: str
    calls: int

    def row(self, what: str, kind: str) -> str:
        return f"| {what} | {kind} | {self.state} | {self.records} of {len(RECORDS)} | {self.again} | {self.calls} |"


@pytest.fixture(scope="module")
def site() -> Iterator[PagedSite]:
    with without_waits(), PagedSite(records=listed_records(PAGES * 12)) as server:
        yield server


def observe(home: Path, site: PagedSite, faults: list[Fault]) -> Seen:
    installation = Installation(home, site.host)
    installation.model.truth = listed_truth(RECORDS)
    installation.request = {
        "url": f"{site.url}/next",
        "output_schema": LISTED_SCHEMA,
        "extraction_id": "the-items",
        "enable_javascript": False,
        "follow": 10,
    }
    installation.runner.faults = faults
    first = installation.run()
    check_readable(installation, first)
    found = first.extraction.data if first.extraction is not None else []
    assert found == RECORDS[: len(found)]
    assert first.status != "complete" or found == RECORDS
    installation.runner.faults = ()
    again = installation.run()
    assert again.extraction is not None, again.error
    assert again.extraction.data == RECORDS
    gathered = [json.dumps(one) for one in ExtractionAggregator(installation.services.table, "the-items").all_records()]
    assert sorted(gathered) == sorted(map(json.dumps, RECORDS))
    calls = len(installation.model.requests)
    installation.close()
    return Seen(first.status, len(found), again.status, calls)


@pytest.mark.parametrize(("what", "kind"), list(CASES), ids=lambda text: text)
def test_a_fault_on_the_way_through_a_listing_loses_nothing_and_doubles_nothing(
    tmp_path: Path, site: PagedSite, what: str, kind: str
) -> None:
    seen = observe(tmp_path / "home", site, CASES[what, kind]())
    assert seen.again == "complete"
    assert seen.calls == 1
    assert seen.row(what, kind) in TABLE.read_text("utf-8").splitlines()


def test_a_process_that_is_gone_is_gone_on_with_where_it_was(tmp_path: Path, site: PagedSite) -> None:
    installation = Installation(tmp_path / "home", site.host)
    installation.model.truth = listed_truth(RECORDS)
    payload: JsonObject = {
        "job": installation.ref.to_json(),
        "request": {
            "url": f"{site.url}/next", "output_schema": LISTED_SCHEMA, "enable_javascript": False, "follow": 10
        },
    }  # fmt: skip
    stop = Fault("aggregate_results", Killed, after=True, stops=True, times=1)
    stop.seen = -2  # the third page's
    installation.runner.faults = [stop]
    installation.runner.run_machine("scrape_page", payload, "the-job")
    before = dict(site.asked)
    installation.runner.close()
    second = FaultyRunner(installation.services)
    second.run_machine("scrape_page", payload, "the-job")
    second.close()
    result = jobs_of(installation.services).result(installation.ref)
    assert result.extraction is not None
    assert result.extraction.data == RECORDS
    second_page = "/next?sort=name&page=2"
    assert site.asked[second_page] == before[second_page], "a page that was read is read again"
    assert len(installation.model.requests) == 1
    installation.close()


def write_table() -> None:
    """Run every case and write the rows below those of a page."""
    rows: list[str] = []
    with scaled_retry_waits(0), without_waits(), PagedSite(records=listed_records(PAGES * 12)) as site:
        for (what, kind), make in CASES.items():
            with tempfile.TemporaryDirectory() as folder:
                rows.append(observe(Path(folder) / "home", site, make()).row(what, kind))
    write_section(HEADING, TEXT, rows)


if __name__ == "__main__":
    write_when_asked("test_follow_faults", write_table)
