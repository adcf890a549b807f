"""The local engine runs the project's own state machine as Step Functions would."""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Barrier, Event, Lock, Thread, current_thread
from typing import Any

import pytest
from gleaner.contracts.errors import BlockedAddress, InternalError, RateLimited
from gleaner.contracts.ports import JsonObject, JsonValue
from gleaner.local.engine import LocalEngine
from gleaner.local.interpreter import PAYLOAD_LIMIT, Halted

DEFINITION = (Path(__file__).parents[2] / "statemachine/scrape_page.asl.json").read_text("utf-8")
PASSING = {
    "ModelUnavailable", "QueueTimeout", "ProfileLocked", "StoreThrottled", "BrowserCrashed", "Lambda.ServiceException",
    "Lambda.TooManyRequestsException", "Lambda.Unknown", "Sandbox.Timedout", "States.Timeout",
}  # fmt: skip
"""What may go through when a task is tried again, whichever it is."""


def _tasks_of(machine: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for name, state in machine["States"].items():
        if state["Type"] in ("Task", "Map"):
            yield name, state
        if "ItemProcessor" in state:
            yield from _tasks_of(state["ItemProcessor"])


STATES = list(_tasks_of(json.loads(DEFINITION)))
JOB: JsonObject = {"job_id": "j", "tenant": "t"}
PLAN: JsonObject = {
    "job": JOB, "follows": False, "has_snapshot": False, "needs_content": True, "max_concurrent_chunks": 4,
}  # fmt: skip


class Functions:
    """Answers each task from a table; an exception in it is raised."""

    def __init__(self, **answers: object) -> None:
        self.answers: dict[str, object] = {
            "plan_scrape": PLAN,
            "probe_media": {"kind": "page"},
            "render_page": {"page_id": "p"},
            "chunk_page": {"chunks": [{"index": n} for n in range(3)]},
            "extract_chunk": {},
            "aggregate_results": {"status": "complete", "chunks": []},
            "record_failure": {"status": "failed"},
            **answers,
        }
        self.calls: list[tuple[str, JsonObject]] = []

    def __call__(self, function: str, payload: JsonObject) -> JsonValue:
        self.calls.append((function, payload))
        answer = self.answers[function]
        if isinstance(answer, list):
            answer = answer.pop(0) if len(answer) > 1 else answer[0]
        if isinstance(answer, Exception):
            raise answer
        return json.loads(json.dumps(answer))

    @property
    def names(self) -> list[str]:
        return [name for name, _ in self.calls]


def run(functions: Functions, payload: JsonValue = None):
    machine = LocalEngine(functions).load("scrape_page", DEFINITION)
    return machine.run(payload or {"url": "https://e.example"}, "execution-1")


@pytest.mark.req("WF-1")
def test_a_page_goes_through_every_state_in_order() -> None:
    functions = Functions()
    outcome = run(functions)
    assert outcome.status == "SUCCEEDED"
    assert outcome.output == {"status": "complete", "chunks": []}
    assert functions.names == [
        "plan_scrape", "probe_media", "render_page", "chunk_page", *["extract_chunk"] * 3, "aggregate_results",
    ]  # fmt: skip


@pytest.mark.req("WF-1")
@pytest.mark.parametrize(
    ("answers", "left_out"),
    [
        ({"probe_media": {"kind": "media"}}, {"render_page", "chunk_page", "extract_chunk"}),
        ({"probe_media": {"kind": "snapshot"}}, {"render_page"}),
        ({"chunk_page": {"chunks": []}}, {"extract_chunk"}),
        (
            {
                "plan_scrape": {
                    "job": JOB,
                    "follows": False,
                    "has_snapshot": True,
                    "needs_content": True,
                    "max_concurrent_chunks": 1,
                }
            },
            {"probe_media", "render_page"},
        ),
        (
            {
                "plan_scrape": {
                    "job": JOB,
                    "follows": False,
                    "has_snapshot": False,
                    "needs_content": False,
                    "max_concurrent_chunks": 1,
                }
            },
            {"chunk_page", "extract_chunk"},
        ),
    ],
)
def test_what_is_not_needed_is_left_out(answers: dict[str, object], left_out: set[str]) -> None:
    functions = Functions(**answers)
    assert run(functions).status == "SUCCEEDED"
    assert left_out.isdisjoint(functions.names)
    assert functions.names[-1] == "aggregate_results"


@pytest.mark.req("WF-1")
def test_chunks_that_are_left_over_go_through_the_map_again() -> None:
    functions = Functions(aggregate_results=[{"chunks": [{"index": 7}]}, {"status": "complete", "chunks": []}])
    run(functions)
    assert functions.names.count("extract_chunk") == 4
    assert functions.names.count("aggregate_results") == 2


@pytest.mark.req("WF-1", "EX-4")
def test_a_rate_limit_is_retried_by_the_machine() -> None:
    functions = Functions(
        chunk_page={"chunks": [{"index": 0}]}, extract_chunk=[RateLimited("slow"), RateLimited("slow"), {}]
    )
    assert run(functions).status == "SUCCEEDED"
    assert functions.names.count("extract_chunk") == 3
    assert "record_failure" not in functions.names


@pytest.mark.req("EX-4")
def test_the_machine_waits_longer_each_time_and_by_chance() -> None:
    states = json.loads(DEFINITION)["States"]["ExtractChunks"]["ItemProcessor"]["States"]
    (retrier,) = [one for one in states["ExtractChunk"]["Retry"] if "RateLimited" in one["ErrorEquals"]]
    assert retrier["BackoffRate"] > 1
    assert retrier["JitterStrategy"] == "FULL"
    assert retrier["MaxAttempts"] >= 5


@pytest.mark.req("EX-3", "WF-1")
def test_no_more_chunks_are_read_at_a_time_than_the_request_says() -> None:
    meeting, is_third, lock = Barrier(2, timeout=60), Event(), Lock()
    inside: list[int] = []
    most: list[int] = []

    class Crowded(Functions):
        def __call__(self, function: str, payload: JsonObject) -> JsonValue:
            if function == "extract_chunk":
                with lock:
                    inside.append(1)
                    most.append(len(inside))
                    if len(inside) > 2:
                        is_third.set()
                meeting.wait()
                is_third.wait(0.05)  # stay, so that a third would be seen
                with lock:
                    inside.pop()
            return super().__call__(function, payload)

    plan = {**PLAN, "has_snapshot": True, "max_concurrent_chunks": 2}
    functions = Crowded(plan_scrape=plan, chunk_page={"chunks": [{"index": n} for n in range(6)]})
    assert run(functions).status == "SUCCEEDED"
    assert max(most) == 2


@pytest.mark.req("WF-1", "EX-5")
def test_a_chunk_that_fails_is_recorded_and_the_others_go_on() -> None:
    functions = Functions(extract_chunk=[ValueError("bad"), {}, {}])
    assert run(functions).status == "SUCCEEDED"
    recorded = [payload for name, payload in functions.calls if name == "record_failure"]
    assert len(recorded) == 1
    assert recorded[0]["failure"]["Error"] == "ValueError"
    assert set(recorded[0]) == {"job", "chunk", "failure"}


@pytest.mark.req("WF-1")
@pytest.mark.parametrize("function", ["plan_scrape", "probe_media", "render_page", "chunk_page", "aggregate_results"])
def test_the_failure_of_any_state_is_recorded_and_fails_the_execution(function: str) -> None:
    functions = Functions(**{function: BlockedAddress("no way in")})
    outcome = run(functions, {"url": "http://10.0.0.1"})
    assert (outcome.status, outcome.error) == ("FAILED", "BlockedAddress")
    name, payload = functions.calls[-1]
    assert name == "record_failure"
    assert payload["input"] == {"url": "http://10.0.0.1"}
    assert payload["execution"] == "execution-1"
    assert "no way in" in payload["failure"]["Cause"]


@pytest.mark.req("WF-1")
def test_a_failure_that_could_not_be_recorded_is_still_why_the_execution_ended() -> None:
    functions = Functions(probe_media=BlockedAddress("no way in"), record_failure=OSError("no space left"))
    outcome = run(functions)
    assert (outcome.status, outcome.error) == ("FAILED", "BlockedAddress")
    assert functions.names.count("record_failure") == 3


@pytest.mark.req("WF-1")
def test_a_payload_over_the_limit_of_the_cloud_fails_here_too() -> None:
    outcome = run(Functions(chunk_page={"chunks": [], "text": "x" * PAYLOAD_LIMIT}))
    assert (outcome.status, outcome.error) == ("FAILED", "DataLimitExceeded")


@pytest.mark.req("WF-1")
@pytest.mark.parametrize(("name", "state"), STATES, ids=[name for name, _ in STATES])
def test_no_state_of_the_machine_is_without_retry_and_catch(name: str, state: dict[str, Any]) -> None:
    assert state["Catch"][-1]["ErrorEquals"] == ["States.ALL"]
    if state["Type"] == "Map" or "startExecution" in state["Resource"]:
        return
    retried = {error for one in state["Retry"] if one["MaxAttempts"] >= 2 for error in one["ErrorEquals"]}
    assert retried >= PASSING
    assert name != "RecordFailure" or "States.ALL" in retried
    assert state["TimeoutSeconds"] <= 900


@pytest.mark.req("LO-1")
def test_executions_at_the_same_time_do_not_mix() -> None:
    import threading

    def answer(function: str, payload: JsonObject) -> JsonValue:
        if function == "plan_scrape":
            time.sleep(0.01)
            mine = {"job_id": payload["execution"], "tenant": "t"}
            return {
                "job": mine,
                "follows": False,
                "has_snapshot": True,
                "needs_content": True,
                "max_concurrent_chunks": 2,
            }
        if function == "chunk_page":
            return {"chunks": [{"index": 0}, {"index": 1}]}
        return {"status": payload["job"]["job_id"], "chunks": []}

    engine = LocalEngine(answer)
    machine = engine.load("scrape_page", DEFINITION)
    seen: dict[str, object] = {}

    def work(name: str) -> None:
        seen[name] = machine.run({}, name).output

    threads = [threading.Thread(target=work, args=(f"e{number}",)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == {f"e{number}": {"status": f"e{number}", "chunks": []} for number in range(8)}


@pytest.mark.req("WF-1")
@pytest.mark.parametrize(
    "state",
    [
        {"Type": "Parallel", "Branches": [], "End": True},
        {"Type": "Pass", "Parameters": {"a.$": "$.b"}, "End": True},
        {"Type": "Task", "Resource": "arn:aws:states:::sns:publish", "Parameters": {}, "End": True},
    ],
)
def test_a_definition_with_what_is_not_known_here_is_refused_before_it_runs(state: dict[str, Any]) -> None:
    definition = json.dumps({"StartAt": "One", "States": {"One": state}})
    with pytest.raises(InternalError, match="the local state machine knows no"):
        LocalEngine(Functions()).load("one", definition)


@pytest.mark.req("WF-1", "EX-3")
def test_a_task_that_takes_longer_than_its_limit_is_given_up() -> None:
    released = Event()

    class Slow(Functions):
        def __call__(self, function: str, payload: JsonObject) -> JsonValue:
            if function == "probe_media":
                released.wait(60)
            return super().__call__(function, payload)

    definition = json.loads(DEFINITION)
    definition["States"]["ProbeMedia"] |= {"TimeoutSeconds": 0.05, "Retry": []}
    outcome = LocalEngine(Slow()).load("scrape_page", json.dumps(definition)).run({"url": "https://e.example"}, "one")
    released.set()
    assert (outcome.status, outcome.error) == ("FAILED", "States.Timeout")


@pytest.mark.req("WF-1")
def test_a_process_that_ends_begins_no_state_more() -> None:
    class Ending(Functions):
        def __call__(self, function: str, payload: JsonObject) -> JsonValue:
            super().__call__(function, payload)
            raise Halted

    functions = Ending()
    assert run(functions).status == "ABORTED"
    assert functions.names == ["plan_scrape"]


@pytest.mark.req("LO-1")
def test_tasks_of_one_execution_after_another_use_the_same_thread() -> None:
    seen: list[Thread] = []

    class Told(Functions):
        def __call__(self, function: str, payload: JsonObject) -> JsonValue:
            seen.append(current_thread())
            return super().__call__(function, payload)

    for _ in range(3):
        run(Told(chunk_page={"chunks": [{"index": 0}]}))
    assert len(seen) == 18
    assert len(set(seen)) == 1


@pytest.mark.req("WF-2")
@pytest.mark.parametrize("mode", ["DISTRIBUTED", "INLINE"])
def test_a_map_over_more_items_than_the_stack_is_deep_comes_to_its_end(mode: str) -> None:
    definition = {
        "StartAt": "Each",
        "States": {
            "Each": {
                "Type": "Map",
                "MaxConcurrency": 1,
                "ItemProcessor": {
                    "ProcessorConfig": {"Mode": mode, **({"ExecutionType": "STANDARD"} if mode != "INLINE" else {})},
                    "StartAt": "Done",
                    "States": {"Done": {"Type": "Pass", "End": True}},
                },
                "End": True,
            }
        },
    }
    engine = LocalEngine(Functions())
    outcome = engine.load("each", json.dumps(definition)).run(list(range(1_500)), "each")
    assert outcome.output == list(range(1_500))
