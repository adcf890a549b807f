"""What AWS has no room for waits for minutes and is named so; a model that may not be used ends a job as failed."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from botocore.exceptions import ClientError
from gleaner import Gleaner
from gleaner.adapters.aws.errors import may_go_through_later
from gleaner.adapters.aws.eventbridge import EventBridgeSink
from gleaner.contracts.errors import (
    GleanerError,
    InternalError,
    ModelMisconfigured,
    ModelUnavailable,
    RateLimited,
    StoreThrottled,
)
from gleaner.contracts.settings import load_settings
from gleaner.jobs.batches import Politeness
from gleaner.jobs.jobs import JobRef
from gleaner.jobs.places import jobs_of
from gleaner.local.engine import scaled_retry_waits
from gleaner.steps.closing import close_job, measures_of
from gleaner.steps.failure import read_failure
from gleaner.testing import FunctionModel

from tests.support.schemas import INTEGER, TEXT, list_of, object_of

ROOT = Path(__file__).parents[2]
MACHINES = sorted((ROOT / "statemachine").glob("*.asl.json"))
WAITS_FOR_A_PLACE = "Lambda.TooManyRequestsException"


def invoking(path: Path) -> list[tuple[str, Any]]:
    """Give the retriers of each state of a machine that invokes a function; those that start an execution don't."""
    return list(_retriers(json.loads(path.read_text("utf-8"))))


def _retriers(machine: Any) -> Iterator[tuple[str, Any]]:
    for name, state in machine["States"].items():
        if "Retry" in state and ":states:startExecution" not in state["Resource"]:
            yield name, state["Retry"]
        if "ItemProcessor" in state:
            yield from _retriers(state["ItemProcessor"])


def longest_wait(retrier: Any) -> float:
    waits = (retrier["IntervalSeconds"] * retrier["BackoffRate"] ** n for n in range(retrier["MaxAttempts"]))
    return sum(min(wait, retrier["MaxDelaySeconds"]) for wait in waits)


@pytest.mark.req("WF-1", "WF-2")
@pytest.mark.parametrize("path", MACHINES, ids=lambda path: path.name)
def test_every_step_waits_some_minutes_for_a_place_by_chance_and_never_all_at_once(path: Path) -> None:
    for name, retriers in invoking(path):
        for error in (WAITS_FOR_A_PLACE, "StoreThrottled"):
            (retrier,) = [one for one in retriers if error in one["ErrorEquals"]]
            assert retrier["JitterStrategy"] == "FULL", name
            assert 5 * 60 <= longest_wait(retrier) <= 20 * 60, name


@pytest.mark.req("WF-1")
@pytest.mark.parametrize("path", MACHINES, ids=lambda path: path.name)
def test_a_step_that_ran_out_of_memory_is_tried_again(path: Path) -> None:
    for name, retriers in invoking(path):
        assert any("Runtime.OutOfMemory" in one["ErrorEquals"] for one in retriers), name


@pytest.mark.req("WF-1")
@pytest.mark.parametrize(
    ("error", "error_type"),
    [
        ("Lambda.TooManyRequestsException", "throttled"),
        ("Lambda.ThrottlingException", "throttled"),
        ("StepFunctions.ExecutionLimitExceededException", "throttled"),
        ("Runtime.OutOfMemory", "function_killed"),
        ("StoreThrottled", "store_throttled"),
        ("Lambda.Unknown", "internal_error"),
    ],
)
def test_what_aws_had_no_room_for_is_not_called_a_fault_of_ours(error: str, error_type: str) -> None:
    assert read_failure({"Error": error, "Cause": "Rate Exceeded."}).error_type == error_type


@pytest.mark.parametrize(
    ("code", "is_passing"),
    [
        ("ThrottlingException", True), ("ProvisionedThroughputExceededException", True), ("SlowDown", True),
        ("TooManyRequestsException", True), ("RequestLimitExceeded", True), ("ExecutionLimitExceeded", True),
        ("ServiceQuotaExceededException", True), ("InternalServerError", True), ("AccessDeniedException", False),
        ("ValidationException", False), ("ConditionalCheckFailedException", False), ("NoSuchKey", False),
    ],
)  # fmt: skip
def test_each_service_is_understood_when_it_asks_to_slow_down(code: str, is_passing: bool) -> None:
    assert may_go_through_later(code) is is_passing


class Bus:
    """An EventBridge that answers once, with an error or with a refused entry."""

    def __init__(self, error: str | None, entry: str | None) -> None:
        self.error, self.entry = error, entry

    def put_events(self, **_: Any) -> Any:
        if self.error:
            raise ClientError({"Error": {"Code": self.error}}, "PutEvents")
        return {"FailedEntryCount": 1, "Entries": [{"ErrorCode": self.entry}]}


@pytest.mark.parametrize(
    ("error", "entry", "raised"),
    [
        ("ThrottlingException", None, StoreThrottled), (None, "ThrottlingException", StoreThrottled),
        (None, "InternalFailure", StoreThrottled), ("AccessDeniedException", None, InternalError),
    ],
)  # fmt: skip
def test_a_bus_that_asks_to_slow_down_is_told_again_later(error: Any, entry: Any, raised: type[Exception]) -> None:
    with pytest.raises(raised):
        EventBridgeSink(Bus(error, entry), "bus").send("ScrapeCompleted", {})  # pyright: ignore[reportArgumentType]


@pytest.mark.req("WF-2")
@pytest.mark.parametrize(("most", "browsers", "at_a_time"), [(6, 0, 6), (50, 0, 20), (50, 4, 4), (2, 4, 2)])
def test_a_batch_takes_no_more_places_than_its_installation_has(
    tmp_path: Path, most: int, browsers: int, at_a_time: int
) -> None:
    settings = load_settings({}, home=tmp_path, batch_max_concurrency=most, render_concurrency=browsers)
    bounded = Politeness(concurrency=20, per_host=3).at_most(settings.batch_concurrency)
    assert bounded.concurrency == at_a_time
    assert bounded.lanes * bounded.at_a_host <= at_a_time


PAGE = "<h1>Kilns</h1><ul>" + "".join(f"<li>Kiln {n} fires at {1000 + n} °C" for n in range(8)) + "</ul>"
SCHEMA = list_of(object_of(name=TEXT, heat=INTEGER))
REFUSALS: list[GleanerError] = [
    ModelMisconfigured("AccessDeniedException: no access to the model"),
    ModelUnavailable("nothing answers there"),
    RateLimited("ThrottlingException"),
]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Callable[..., Gleaner]]:
    made: list[Gleaner] = []

    def build(answer: Callable[[str], str]) -> Gleaner:
        made.append(Gleaner(model=FunctionModel(answer), home=tmp_path))
        return made[-1]

    with scaled_retry_waits(0):
        yield build
    for one in made:
        one.close()


@pytest.mark.req("EX-5")
@pytest.mark.parametrize("error", REFUSALS, ids=lambda error: type(error).__name__)
@pytest.mark.parametrize(
    "asked", [{"output_schema": SCHEMA}, {"query": "How hot is kiln 3?"}], ids=["records", "words"]
)
def test_a_job_whose_model_may_not_be_used_fails_and_says_why(make: Any, error: GleanerError, asked: Any) -> None:
    def refuse(_: str) -> str:
        raise error

    gleaner = make(refuse)
    result = gleaner.extract_html(PAGE, "https://kilns.example/", config={"tiers": ["model"]}, **asked)
    assert result.status == "failed"
    assert result.error is not None
    assert (result.error.error_type, result.error.message) == (error.error_type, error.message)
    assert result.page_id
    record = jobs_of(gleaner.services).status(JobRef(result.job_id))
    assert record["status"] == "failed"
    assert record["error"] == result.error.model_dump()
    assert measures_of(result)["ModelUnusable"] == 1


@pytest.mark.req("WF-1")
def test_the_execution_fails_with_the_models_error(make: Any) -> None:
    machine = json.loads((ROOT / "statemachine/scrape_page.asl.json").read_text("utf-8"))["States"]
    (choice,) = [one for one in machine["MoreToExtract"]["Choices"] if one.get("StringEquals") == "failed"]
    ending = machine[choice["Next"]]
    assert ending["Type"] == "Fail"
    gleaner = make(lambda _: "")
    failed = gleaner.extract_html(PAGE, "https://kilns.example/", query="?", config={"tiers": ["model"]})
    failed.error = read_failure({"Error": "ModelMisconfigured", "Cause": '{"errorMessage": "no access"}'})
    failed.status = "failed"
    answer: Any = {"work": {"value": close_job(JobRef(failed.job_id), failed, gleaner.services)}}
    for path, value in (("ErrorPath", "ModelMisconfigured"), ("CausePath", '{"errorMessage": "no access"}')):
        found: Any = answer
        for name in ending[path].removeprefix("$.").split("."):
            found = found[name]
        assert found == value


@pytest.mark.req("EX-5")
def test_what_was_found_before_a_model_went_away_is_a_partial_result_that_operators_hear_of(make: Any) -> None:
    asked: list[int] = []

    def answer(prompt: str) -> str:
        asked.append(1)
        if len(asked) > 1:
            raise ModelMisconfigured("the key was revoked")
        return json.dumps([{"name": "Kiln 0", "heat": 1000}])

    config = {"tiers": ["model"], "max_chunk_chars": 200, "max_concurrent_chunks": 1}
    result = make(answer).extract_html(PAGE * 3, "https://kilns.example/", output_schema=SCHEMA, config=config)
    assert result.status == "partial"
    assert result.error is None
    assert result.extraction.data
    assert measures_of(result)["ModelUnusable"] == 1


@pytest.mark.req("EX-4")
def test_a_job_that_failed_for_its_model_is_read_when_the_model_may_be_used_again(tmp_path: Path) -> None:
    states = {"is_broken": True}

    def answer(_: str) -> str:
        if states["is_broken"]:
            raise ModelMisconfigured("no access")
        return json.dumps([{"name": f"Kiln {n}", "heat": 1000 + n} for n in range(8)])

    with scaled_retry_waits(0), Gleaner(model=FunctionModel(answer), home=tmp_path) as gleaner:
        ask: dict[str, Any] = {"output_schema": SCHEMA, "config": {"tiers": ["model"]}}
        first = gleaner.extract_html(PAGE, "https://kilns.example/", **ask)
        states["is_broken"] = False
        ref = JobRef(first.job_id)
        again = gleaner._runner.run_scrape({"page_id": first.page_id, **ask}, ref)
    assert (first.status, again.status) == ("failed", "complete")
    assert again.extraction is not None
    assert len(again.extraction.data) == 8
