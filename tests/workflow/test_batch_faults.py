"""The functions of scrape_batch made to go wrong: the batch ends, each page is done once, the rest is counted."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from gleaner.contracts.errors import StoreThrottled, UnsupportedContent
from gleaner.contracts.ports import JsonObject
from gleaner.contracts.settings import load_settings
from gleaner.jobs.batches import Politeness, parse_list
from gleaner.local.runner import LocalContext, load_handler
from gleaner.steps.batch import batches_of
from gleaner.wiring import WiredServices

from tests.workflow.faulty import Fault, FaultyRunner, Killed, LogicFault, TimedOut, serving

PAGES = 5


class Batch:
    """A batch of pages that need no browser, and all that is told of it."""

    def __init__(self, home: Path, host: str) -> None:
        self.told: list[str] = []
        self.services = WiredServices(
            load_settings({}, home=home, allow_hosts=[host]), on_event=lambda name, _: self.told.append(name)
        )
        parsed = parse_list(
            "\n".join(f"http://{host}/{n}" for n in range(PAGES)).encode(), defaults={"enable_javascript": False}
        )
        self.batches = batches_of(self.services, "default")
        self.payload = self.batches.prepare("b", parsed, Politeness(concurrency=1, per_host=1))

    def run(self, name: str, *faults: Fault) -> JsonObject:
        runner = FaultyRunner(self.services)
        runner.faults = faults
        runner.run_machine("scrape_batch", self.payload, name)
        runner.close()
        return self.batches.record("b")


@pytest.fixture(scope="module")
def host() -> Iterator[str]:
    with serving() as address:
        yield address


@pytest.fixture
def batch(tmp_path: Path, host: str) -> Iterator[Batch]:
    made = Batch(tmp_path / "home", host)
    yield made
    made.services.close()


ONCE = [
    Fault("admit_page", StoreThrottled), Fault("admit_page", TimedOut), Fault("admit_page", Killed),
    Fault("admit_page", Killed, after=True), Fault("admit_page", twice=True, times=100),
    Fault("summarize_batch", StoreThrottled), Fault("summarize_batch", TimedOut), Fault("summarize_batch", Killed),
    Fault("summarize_batch", Killed, after=True), Fault("summarize_batch", twice=True),
    Fault("summarize_batch", LogicFault, times=100), Fault("summarize_batch", Killed, times=100, after=True),
]  # fmt: skip


def described(fault: Fault) -> str:
    error = fault.error.__name__ if fault.error else "twice"
    return f"{fault.function} {error}{' after its write' if fault.after else ''} {fault.times}"


@pytest.mark.req("WF-2")
@pytest.mark.parametrize("fault", ONCE, ids=described)
def test_what_may_go_through_later_costs_a_batch_nothing(batch: Batch, fault: Fault) -> None:
    fault.seen = 0
    record = batch.run("b", fault)
    assert record["status"] == "complete"
    assert record["counts"] == {"complete": PAGES, "done": PAGES, "not_run": 0}
    assert batch.told.count("ScrapeCompleted") == PAGES


@pytest.mark.req("WF-2")
@pytest.mark.parametrize("error", [UnsupportedContent, LogicFault, TimedOut], ids=lambda error: error.__name__)
def test_pages_that_could_not_be_let_in_are_counted_and_done_by_the_next_run(
    batch: Batch, error: type[Exception]
) -> None:
    record = batch.run("b", Fault("admit_page", error, times=100))
    assert (record["status"], record["counts"]) == ("partial", {"done": 0, "not_run": PAGES})
    again = batch.run("b-again")
    assert (again["status"], again["counts"]) == ("complete", {"complete": PAGES, "done": PAGES, "not_run": 0})
    assert batch.told.count("ScrapeCompleted") == PAGES


@pytest.mark.req("WF-2")
def test_a_page_that_fails_stops_no_other(batch: Batch) -> None:
    record = batch.run("b", Fault("probe_media", UnsupportedContent))
    assert record["counts"] == {"complete": PAGES - 1, "failed": 1, "done": PAGES, "not_run": 0}


@pytest.mark.req("WF-2")
def test_a_batch_that_was_stopped_is_summed_up_and_gone_on_with(batch: Batch) -> None:
    runner = FaultyRunner(batch.services)
    runner.faults = [Fault("aggregate_results", Killed, after=True, stops=True)]
    runner.run_machine("scrape_batch", batch.payload, "b")
    runner.close()
    assert batch.batches.record("b")["status"] == "running"
    detail: JsonObject = {"status": "ABORTED", "name": "b", "input": json.dumps(batch.payload)}
    for _ in range(2):
        load_handler("close_stopped")({"detail": detail}, LocalContext("close_stopped", batch.services))
    assert batch.batches.record("b")["counts"] == {"complete": 1, "done": 1, "not_run": PAGES - 1}
    again = batch.run("b-again")
    assert (again["status"], again["counts"]) == ("complete", {"complete": PAGES, "done": PAGES, "not_run": 0})
    assert batch.told.count("ScrapeCompleted") == PAGES
