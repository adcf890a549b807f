"""An execution that times out or is aborted leaves a job that has ended: with what was found by then."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from gleaner.contracts.errors import InvalidRequest, NotFound
from gleaner.contracts.models import ScrapeResult
from gleaner.contracts.ports import JsonObject
from gleaner.contracts.settings import load_settings
from gleaner.jobs.batches import Politeness, parse_list
from gleaner.jobs.jobs import JobRef, job_id_of
from gleaner.jobs.pages import Pages, StoredPage
from gleaner.jobs.places import jobs_of
from gleaner.local.runner import LocalContext, load_handler
from gleaner.steps.batch import batches_of
from gleaner.testing import FunctionModel
from gleaner.wiring import WiredServices

EVENTS = Path(__file__).parents[2] / "events/close_stopped"
REF = JobRef("01d2f8a6c3b4e5f60718")
ITEMS = [{"label": f"Item {number:02}", "cost": number + 0.5} for number in range(24)]
ROWS = "".join(f"<tr><td>{item['label']}</td><td>{item['cost']}</td></tr>" for item in ITEMS)
PAGE = f"<title>Items</title><h1>Items</h1><table><tr><th>What</th><th>How much</th></tr>{ROWS}</table>"
FIELDS = {"label": {"type": "string"}, "cost": {"type": "number"}}
SCHEMA = {"type": "array", "items": {"type": "object", "properties": FIELDS, "required": ["label", "cost"]}}
REQUEST = {
    "output_schema": SCHEMA,
    "query": "all items",
    "config": {"max_chunk_chars": 220, "overlap_lines": 0, "tiers": ["model"]},
}

pytestmark = pytest.mark.req("WF-1")


def answer(prompt: str) -> str:
    return json.dumps([item for item in ITEMS if f"| {item['label']} |" in prompt])


class Installation:
    """A job whose steps are called one by one, as far as its execution came."""

    def __init__(self, home: Path) -> None:
        self.told: list[tuple[str, JsonObject]] = []
        self.services = WiredServices(
            load_settings(home=home),
            model=FunctionModel(answer),
            on_event=lambda name, detail: self.told.append((name, detail)),
        )

    def call(self, function: str, event: Any) -> Any:
        return load_handler(function)(event, LocalContext(function, self.services))

    def begin(self, **request: Any) -> JsonObject:
        """Get as far as the page's snapshot."""
        self.request = {"url": "https://shop.example/items", **request}
        payload = {"job": REF.to_json(), "request": self.request}
        self.call("plan_scrape", {"input": payload, "execution": REF.job_id})
        return {"job": REF.to_json()}

    def begin_with_page(self, **request: Any) -> tuple[JsonObject, list[JsonObject]]:
        """Get as far as the chunks."""
        job = self.begin(**request)
        store_page(self.services)
        return job, self.call("chunk_page", job)["chunks"]

    def stop(self, status: str = "TIMED_OUT", **changes: Any) -> Any:
        event = json.loads((EVENTS / "timed_out.json").read_text("utf-8"))
        payload = {"job": REF.to_json(), "request": self.request}
        event["detail"].update({"status": status, "input": json.dumps(payload), **changes})
        return self.call("close_stopped", event)

    def record(self) -> JsonObject:
        return jobs_of(self.services).status(REF)

    def result(self) -> ScrapeResult:
        return jobs_of(self.services).result(REF)


def store_page(services: WiredServices) -> None:
    url = "https://shop.example/items"
    page_id = jobs_of(services).plan(REF).page_id
    Pages(services.blobs, REF).store(StoredPage(page_id, url, url, 200, "Items"), PAGE)


@pytest.fixture
def installation(tmp_path: Path) -> Iterator[Installation]:
    made = Installation(tmp_path / "home")
    yield made
    made.services.close()


@pytest.mark.parametrize(("status", "error"), [("TIMED_OUT", "execution_timed_out"), ("ABORTED", "execution_aborted")])
def test_a_job_that_was_stopped_before_it_had_a_page_has_failed_and_says_why(
    installation: Installation, status: str, error: str
) -> None:
    installation.begin()
    assert installation.record()["status"] == "running"
    assert installation.stop(status) == {"status": "failed"}
    assert installation.record()["status"] == "failed"
    result = installation.result()
    assert (result.status, result.url) == ("failed", "https://shop.example/items")
    assert result.error is not None
    assert (result.error.error_type, bool(result.error.message)) == (error, True)
    assert [name for name, _ in installation.told] == ["ScrapeFailed"]


def test_the_chunks_that_were_extracted_before_the_stop_are_the_result(installation: Installation) -> None:
    job, chunks = installation.begin_with_page(**REQUEST)
    assert len(chunks) > 1
    for chunk in chunks[:-1]:
        installation.call("extract_chunk", {**job, "chunk": chunk})
    assert installation.stop()["status"] == "partial"
    extraction = installation.result().extraction
    assert extraction is not None
    assert extraction.data == ITEMS[: len(extraction.data)] != []
    assert extraction.is_partial
    assert (extraction.completeness.expected, extraction.completeness.returned) == (24, len(extraction.data))
    assert extraction.completeness.missing
    assert installation.record()["status"] == "partial"
    assert [name for name, _ in installation.told] == ["ScrapeCompleted"]


def test_all_chunks_extracted_before_the_stop_are_a_complete_result(installation: Installation) -> None:
    job, chunks = installation.begin_with_page(**REQUEST)
    for chunk in chunks:
        installation.call("extract_chunk", {**job, "chunk": chunk})
    assert installation.stop("ABORTED")["status"] == "complete"
    extraction = installation.result().extraction
    assert extraction is not None
    assert extraction.data == ITEMS


def test_the_markdown_of_a_page_is_not_lost_with_the_execution(installation: Installation) -> None:
    installation.begin_with_page()
    assert installation.stop()["status"] == "complete"
    assert "Item 23" in str(installation.result().markdown)


def test_a_page_without_its_content_is_no_complete_result(installation: Installation) -> None:
    installation.begin()
    store_page(installation.services)
    assert installation.stop() == {"status": "failed"}


@pytest.mark.parametrize("status", ["complete", "partial", "failed"])
def test_a_job_that_has_ended_is_never_touched(installation: Installation, status: Any) -> None:
    installation.begin()
    jobs_of(installation.services).close(REF, ScrapeResult(status=status, job_id=REF.job_id, title="mine"))
    before = installation.record()
    assert installation.stop("FAILED") == {"status": status}
    assert (installation.record(), installation.result().title) == (before, "mine")
    assert installation.told == []


def test_a_job_that_was_called_off_stays_called_off(installation: Installation) -> None:
    installation.begin()
    jobs_of(installation.services).update(REF, status="cancelled")
    assert installation.stop("ABORTED") == {"status": "cancelled"}
    assert installation.record()["status"] == "cancelled"


def test_a_result_that_was_stored_before_the_stop_is_kept(installation: Installation) -> None:
    installation.begin()
    jobs_of(installation.services).close(REF, ScrapeResult(status="partial", job_id=REF.job_id, title="mine"))
    jobs_of(installation.services).update(REF, status="running")
    assert installation.stop()["status"] == "partial"
    assert (installation.record()["status"], installation.result().title) == ("partial", "mine")


def test_the_same_stop_told_twice_ends_in_the_same_state_and_names_one_event(installation: Installation) -> None:
    installation.begin()
    first = installation.stop()
    again = installation.stop()
    assert first == again
    assert len({str(detail["event_id"]) for _, detail in installation.told}) == 1


def test_an_execution_that_failed_without_recording_it_says_what_failed(installation: Installation) -> None:
    installation.begin()
    cause = json.dumps({"errorMessage": "the table asks to slow down"})
    installation.stop("FAILED", error="StoreThrottled", cause=cause)
    error = installation.result().error
    assert error is not None
    assert (error.error_type, error.message) == ("store_throttled", "the table asks to slow down")


@pytest.mark.parametrize("name", ["prices@2026.01", "каталог", "a." * 40, "nightly-1"])
def test_an_execution_that_was_started_by_hand_is_found_by_its_name(installation: Installation, name: str) -> None:
    payload = {"url": "https://shop.example/items"}
    planned = installation.call("plan_scrape", {"input": payload, "execution": name})
    ref = JobRef.read(planned["job"])
    assert ref.job_id == job_id_of(name)
    detail = {"status": "ABORTED", "name": name, "input": json.dumps(payload)}
    installation.call("close_stopped", {"detail": detail})
    assert jobs_of(installation.services).status(ref)["status"] == "failed"


def test_an_event_without_its_input_closes_the_job_that_the_execution_is_named_for(installation: Installation) -> None:
    installation.begin()
    installation.stop(input="", inputDetails={"included": False})
    assert (installation.record()["status"], installation.result().url) == ("failed", "https://shop.example/items")
    with pytest.raises(NotFound, match="leaves out the input of 'other'"):
        installation.stop(input="", name="other")


@pytest.mark.parametrize(
    "event", [{}, {"detail": 5}, {"detail": {"status": "RUNNING", "name": "n"}},
              {"detail": {"status": "ABORTED", "name": "n", "input": "{"}},
              {"detail": {"status": "ABORTED", "input": "{}"}}],
)  # fmt: skip
def test_an_event_that_tells_of_no_stop_says_why(installation: Installation, event: JsonObject) -> None:
    with pytest.raises(InvalidRequest):
        installation.call("close_stopped", event)


@pytest.mark.req("WF-2")
def test_a_batch_that_was_aborted_is_summed_up_once(installation: Installation) -> None:
    event = json.loads((EVENTS / "aborted_batch.json").read_text("utf-8"))
    ref = JobRef.read(json.loads(event["detail"]["input"])["batch"])
    batches = batches_of(installation.services, ref.tenant)
    batches.prepare(ref.job_id, parse_list(b"https://shop.example/1\nhttps://shop.example/2"), Politeness())
    assert installation.call("close_stopped", event)["status"] == "partial"
    assert batches.record(ref.job_id)["counts"] == {"done": 0, "not_run": 2}
    assert installation.call("close_stopped", event) == {"status": "partial"}
    assert [name for name, _ in installation.told] == ["BatchCompleted"]


@pytest.mark.parametrize("request_", [5, [], "https://a.example", None, {"url": 5}, {}])
def test_an_input_that_is_no_request_ends_in_a_readable_failure(installation: Installation, request_: Any) -> None:
    start = {"input": request_, "execution": "by.hand"}
    with pytest.raises(InvalidRequest) as raised:
        installation.call("plan_scrape", start)
    failure = {"Error": "InvalidRequest", "Cause": json.dumps({"errorMessage": str(raised.value)})}
    assert installation.call("record_failure", {**start, "failure": failure}) == {"status": "failed"}
    error = jobs_of(installation.services).result(JobRef(job_id_of("by.hand"))).error
    assert error is not None
    assert (error.error_type, error.message) == ("invalid_request", str(raised.value))


def test_a_job_that_can_not_be_read_fails_under_its_executions_name(installation: Installation) -> None:
    start = {"input": {"job": {"job_id": "../up"}, "request": {}}, "execution": "odd"}
    with pytest.raises(InvalidRequest, match=r"\.\./up"):
        installation.call("plan_scrape", start)
    installation.call("record_failure", {**start, "failure": {"Error": "InvalidRequest", "Cause": "{}"}})
    assert jobs_of(installation.services).status(JobRef("odd"))["status"] == "failed"


@pytest.mark.req("EV-1")
def test_the_samples_of_the_events_that_jobs_end_with_are_what_is_sent(installation: Installation) -> None:
    installation.begin()
    installation.stop()
    job, chunks = installation.begin_with_page(**REQUEST)
    for chunk in chunks:
        installation.call("extract_chunk", {**job, "chunk": chunk})
    for _ in range(2):
        installation.call("aggregate_results", job)
    batches_of(installation.services, "default").prepare("monday", parse_list(b"https://a.example"), Politeness())
    installation.call("summarize_batch", {"batch": {"job_id": "monday"}})
    sent = dict(installation.told)
    for name, kind in (
        ("scrape_failed", "ScrapeFailed"),
        ("scrape_completed", "ScrapeCompleted"),
        ("batch_completed", "BatchCompleted"),
    ):
        sample = json.loads((EVENTS.parent / f"bus/{name}.json").read_text("utf-8"))
        assert (sample["detail-type"], set(sample["detail"])) == (kind, set(sent[kind]))
    twice = [detail["event_id"] for name, detail in installation.told if name == "ScrapeCompleted"]
    assert len(twice) == 2
    assert len(set(twice)) == 1
