"""The states of a crawl made to fail, to be killed, delivered twice and stopped: nothing is lost or doubled (MP-2).

The rows stand in ``docs/faults.md``: ``python -m tests.workflow.test_crawl_faults --write``.
"""

import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from gleaner.jobs.jobs import ENDED
from gleaner.local.engine import scaled_retry_waits

from tests.support.mapped_site import MappedSite, page_path
from tests.workflow.fault_tables import TABLE, write_section, write_when_asked
from tests.workflow.faulty import Fault, Killed, LogicFault
from tests.workflow.test_crawling import NUMBERS, Crawl
from tests.workflow.test_fault_injection import KINDS

pytestmark = pytest.mark.req("MP-2", "WF-2")

FOR_GOOD = ("a page", "its probe_media is killed, four times")
"""A page that has failed has ended: a batch that is run again passes it over, too."""
HEADING = "## A site that is crawled"
CASES: dict[tuple[str, str], Callable[[], list[Fault]]] = {
    **{("map_site", kind): lambda make=make: [make("map_site")] for kind, make in KINDS.items()},
    ("a page", "its admit_page raises what nobody knows, once"): lambda: [Fault("admit_page", LogicFault)],
    FOR_GOOD: lambda: [Fault("probe_media", Killed, times=4)],
    ("a page", "its aggregate_results is delivered twice"): lambda: [Fault("aggregate_results", twice=True, times=100)],
    ("the batch", "its summarize_batch raises what nobody knows"): lambda: [
        Fault("summarize_batch", LogicFault, times=100)
    ],
    **{
        ("the execution", f"stopped after {name}"): lambda name=name: [Fault(name, Killed, after=True, stops=True)]
        for name in ("map_site", "admit_page", "aggregate_results")
    },
}


@dataclass(frozen=True)
class Seen:
    """How a case went, and how the same crawl went after it."""

    state: str
    pages: int
    again: str
    complete: int

    def row(self, what: str, kind: str) -> str:
        count = len(NUMBERS)
        then, at_last = f"{self.pages} of {count}", f"{self.complete} of {count}"
        return f"| {what} | {kind} | {self.state} | {then} | {self.again} | {at_last} |"


@pytest.fixture(scope="module")
def site() -> Iterator[MappedSite]:
    with MappedSite() as server:
        yield server


def observe(home: Path, site: MappedSite, faults: list[Fault]) -> Seen:
    crawl = Crawl(home, site)
    crawl.run("one", *faults)
    if any(fault.stops for fault in faults):
        crawl.tell_of_the_stop()
    first = crawl.record()
    assert first["status"] not in ("mapping", "running"), "a crawl that nobody works on has ended"
    done = [page_path(n) for n, job in zip(NUMBERS, crawl.jobs(), strict=True) if job in ENDED]
    before = {path: site.asked[path] for path in done}
    again = crawl.run("two")
    assert {path: site.asked[path] for path in done} == before, "a page that was done is fetched again"
    assert again["counts"]["not_run"] == 0
    results = [crawl.gateway.result(f"{crawl.id}-{number:06}") for number in range(1, again["total"] + 1)]
    assert [one.url for one in results] == [site.url + page_path(n) for n in NUMBERS]
    crawl.services.close()
    return Seen(first["status"], first["counts"]["done"], again["status"], again["counts"]["complete"])


@pytest.mark.parametrize(("what", "kind"), list(CASES), ids=lambda text: text)
def test_a_fault_on_the_way_through_a_crawl_loses_no_page_and_scrapes_none_twice(
    tmp_path: Path, site: MappedSite, what: str, kind: str
) -> None:
    seen = observe(tmp_path / "home", site, CASES[what, kind]())
    assert seen.again == ("partial" if (what, kind) == FOR_GOOD else "complete")
    assert seen.row(what, kind) in TABLE.read_text("utf-8").splitlines()


TEXT = f"""A crawl of {len(NUMBERS)} pages of a site with five sitemaps; measured by
`python -m tests.workflow.test_crawl_faults --write`.
No page that was done is fetched again; one that failed stays so."""
COLUMNS = "| where | what | the crawl | pages done then | run again | complete in all |\n|---|---|---|---|---|---|\n"


def write_table() -> None:
    """Run every case and write the rows."""
    rows: list[str] = []
    with scaled_retry_waits(0), MappedSite() as site:
        for (what, kind), make in CASES.items():
            with tempfile.TemporaryDirectory() as folder:
                rows.append(observe(Path(folder) / "home", site, make()).row(what, kind))
    write_section(HEADING, TEXT, rows, COLUMNS)


if __name__ == "__main__":
    write_when_asked("test_crawl_faults", write_table)
