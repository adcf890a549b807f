"""A watch's run made to fail, to be killed and delivered twice: a change is told once, and not lost (WA-1).

The rows stand in ``docs/faults.md``, ``python -m tests.workflow.test_watch_faults --write``.
"""

import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from gleaner.contracts.errors import StoreThrottled
from gleaner.contracts.items import every_item
from gleaner.jobs.watches import WatchOrder, run_id_of
from gleaner.local.engine import scaled_retry_waits
from gleaner.local.watching import run_watch
from gleaner.steps.watch import begin_watch, finish_watch, watches_of

from tests.support.paged_site import LISTED_SCHEMA, PagedSite, listed_records, listed_truth
from tests.workflow.fault_tables import TABLE, write_section, write_when_asked
from tests.workflow.faulty import Fault, Installation, Killed, LogicFault, without_waits
from tests.workflow.test_fault_injection import KINDS

pytestmark = pytest.mark.req("WA-1", "WF-1")

RECORDS = listed_records(24)
THIRD = run_id_of("third", 0)[-8:]
HEADING = "## A run of a watch"
TEXT = """One record of 24 gets another price, and the run that should tell it meets a fault. The next run meets none.
Measured by `python -m tests.workflow.test_watch_faults --write`."""
COLUMNS = "| where | what | runs in the history | told by | times told |\n|---|---|---|---|---|\n"
CASES: dict[tuple[str, str], Callable[[], Fault]] = {
    **{
        (name, kind): lambda name=name, make=make: make(name)
        for name in ("begin_watch", "finish_watch")
        for kind, make in KINDS.items()
    },
    ("the scrape", "its chunk_page raises what nobody knows"): lambda: Fault("chunk_page", LogicFault, times=100),
    ("the scrape", "its aggregate_results is killed after its write"): lambda: Fault(
        "aggregate_results", Killed, after=True
    ),
}


@dataclass(frozen=True)
class Seen:
    """Which runs the history has after the baseline, and which of them told the change."""

    history: tuple[str, ...]
    told_by: tuple[int, ...]

    def row(self, what: str, kind: str) -> str:
        which = {0: "the run itself", 1: "the next run"}
        told = ", ".join(which[at] for at in self.told_by)
        return f"| {what} | {kind} | {', '.join(self.history)} | {told} | {len(self.told_by)} |"


@pytest.fixture(scope="module")
def site() -> Iterator[PagedSite]:
    with without_waits(), PagedSite(records=listed_records(24)) as server:
        yield server


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory, site: PagedSite) -> Path:
    return make_baseline(tmp_path_factory.mktemp("watched") / "home", site)


def installation_at(home: Path, site: PagedSite) -> Installation:
    installation = Installation(home, site.host)
    installation.model.truth = listed_truth(RECORDS)
    return installation


def make_baseline(home: Path, site: PagedSite) -> Path:
    """Make the data folder of an installation with a watch that has its baseline."""
    installation = installation_at(home, site)
    request = {"url": f"{site.url}/next", "output_schema": LISTED_SCHEMA, "enable_javascript": False, "follow": 5}
    watches = watches_of(installation.services, "default")
    watches.create(WatchOrder.read({"request": request, "name": "lamps"}))
    baseline = run_watch(installation.runner, "lamps", "default", "first")
    assert baseline is not None and baseline.status == "baseline"
    installation.close()
    return home


def installed(home: Path, watched: Path, site: PagedSite) -> Installation:
    """Give an installation with a watch that has its baseline, and let one price change."""
    shutil.copytree(watched, home)
    site.records = listed_records(24)
    site.records[3] = {**site.records[3], "price": 5.5}
    return installation_at(home, site)


def observe(home: Path, watched: Path, site: PagedSite, fault: Fault) -> Seen:
    installation = installed(home, watched, site)
    installation.runner.faults = [fault]
    run_watch(installation.runner, "lamps", "default", "second")
    installation.runner.faults = ()
    run_watch(installation.runner, "lamps", "default", "third")
    last = run_watch(installation.runner, "lamps", "default", "fourth")
    assert last is not None and last.status == "unchanged", "the watch goes on, and has nothing more to tell"
    watches = watches_of(installation.services, "default")
    runs = list(every_item(lambda after: watches.runs("lamps", limit=500, after=after)))[1:-1]
    installation.close()
    changed = [item for item in runs if item.data["status"] == "changed"]
    assert all(item.data["counts"] == {"new": 0, "changed": 1, "removed": 0} for item in changed)
    told_by = tuple(int(str(item.data["run_id"]).endswith(THIRD)) for item in changed)
    return Seen(tuple(str(item.data["status"]) for item in runs), told_by)


@pytest.mark.parametrize(("what", "kind"), list(CASES), ids=lambda text: text)
def test_a_fault_in_a_watchs_run_neither_loses_a_change_nor_tells_it_twice(
    tmp_path: Path, watched: Path, site: PagedSite, what: str, kind: str
) -> None:
    seen = observe(tmp_path / "home", watched, site, CASES[what, kind]())
    assert len(seen.told_by) == 1
    assert seen.row(what, kind) in TABLE.read_text("utf-8").splitlines()


def test_a_change_is_told_though_any_one_call_of_a_store_is_refused(
    tmp_path: Path, watched: Path, site: PagedSite
) -> None:
    installation = installed(tmp_path / "home", watched, site)
    services, watch = installation.services, {"watch": {"watch_id": "lamps", "tenant": "default"}}
    prices = iter(range(100))
    for throttle in (services.table_throttle, services.blob_throttle):
        refused, is_over = 1, False
        while not is_over:
            site.records[3] = {**site.records[3], "price": 6.5 + next(prices)}
            begun = begin_watch({**watch, "run": f"run-{throttle is services.table_throttle}-{refused}"}, services)
            payload = {"job": begun["job"], "request": begun["request"]}
            installation.runner.run_machine("scrape_page", payload, begun["job"]["job_id"])
            order = {**watch, "run_id": begun["run_id"], "job": begun["job"]}
            throttle.calls, throttle.refused = 0, range(refused, refused + 1)
            try:
                finished = finish_watch(order, services)
                is_over = throttle.calls < refused
            except StoreThrottled:
                finished = finish_watch(order, services)
            throttle.refused = range(0)
            assert finished["status"] == "changed", f"call {refused} was refused"
            assert finished["counts"] == {"new": 0, "changed": 1, "removed": 0}
            refused += 1
    installation.close()


def write_table() -> None:
    """Run every case and write the rows."""
    with scaled_retry_waits(0), without_waits(), PagedSite(records=listed_records(24)) as site:
        rows: list[str] = []
        with tempfile.TemporaryDirectory() as folder:
            watched = make_baseline(Path(folder) / "watched", site)
            for at, ((what, kind), make) in enumerate(CASES.items()):
                rows.append(observe(Path(folder) / str(at), watched, site, make()).row(what, kind))
    write_section(HEADING, TEXT, rows, COLUMNS)


if __name__ == "__main__":
    write_when_asked("test_watch_faults", write_table)
