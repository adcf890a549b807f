"""The local interpreter does with each definition of `statemachine/` what moto's interpreter does (WF-1).

moto evaluates the whole of Amazon States Language; what it asks AWS for is answered from a table here. Each case runs
in both, over the definitions as they stand in their files: the same functions are asked for the same, and the
execution ends the same. Where a path leads to nothing Step Functions ends the execution, which moto passes over.
"""

import datetime
import io
import json
import logging
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from gleaner.contracts.ports import JsonObject, JsonValue
from gleaner.local.engine import LocalEngine, scaled_retry_waits
from gleaner.local.interpreter import Outcome

pytestmark = pytest.mark.req("WF-1", "LO-1")

FOLDER = Path(__file__).parents[2] / "statemachine"
ASL = "moto.stepfunctions.parser.asl"
JOB = {"job_id": "j", "tenant": "t"}
PLAN = {"job": JOB, "follows": False, "has_snapshot": False, "needs_content": True, "max_concurrent_chunks": 1}
CHUNKS = {"chunks": [{"index": 0}, {"index": 1}]}
DONE = {"status": "complete", "chunks": []}
FAILED = {"status": "failed", "failure": {"Error": "ModelMisconfigured", "Cause": "{}"}, "chunks": []}
LANES = {
    "batch": JOB,
    "lanes": [{"key": "a"}],
    "politeness": {"per_host": 1},
    "max_lanes": 1,
}
ITEMS = [{"job": {"job_id": f"p{n}"}, "request": {"url": f"https://e.example/{n}"}} for n in range(2)]


class Named(Exception):
    """An error that a function ends with, by a name of Lambda or of ours."""


def error(name: str) -> Exception:
    return type(name, (Named,), {})("it went wrong")


Answers = dict[str, list[Any]]
PAGE = ("scrape_page", {"url": "https://e.example/"})
CASES: dict[str, tuple[str, Any, Answers]] = {
    "a rendered page": (*PAGE, {}),
    "a page that is known": (*PAGE, {"plan_scrape": [{**PLAN, "has_snapshot": True}]}),
    "media": (*PAGE, {"probe_media": [{"kind": "media"}]}),
    "a document": (*PAGE, {"probe_media": [{"kind": "document"}]}),
    "a page without content": (*PAGE, {"plan_scrape": [{**PLAN, "needs_content": False}]}),
    "an answer without a model": (*PAGE, {"chunk_page": [{"chunks": []}]}),
    "chunks that are left over": (*PAGE, {"aggregate_results": [{**DONE, "chunks": [{"index": 7}]}, DONE]}),
    "a model that can't be used": (*PAGE, {"aggregate_results": [FAILED]}),
    "an error that passes": (
        *PAGE,
        {"probe_media": [error("QueueTimeout"), error("StoreThrottled"), {"kind": "page"}]},
    ),
    "an error that does not pass": (*PAGE, {"render_page": [error("BrowserCrashed")]}),
    "an error that nobody knows": (*PAGE, {"chunk_page": [error("KeyError")]}),
    "a plan that is refused": (*PAGE, {"plan_scrape": [error("InvalidRequest")]}),
    "a failure that can't be recorded": (
        *PAGE,
        {"probe_media": [error("KeyError")], "record_failure": [error("OSError")]},
    ),
    "a result that was there": (*PAGE, {"aggregate_results": [error("KeyError")], "record_failure": [DONE]}),
    "a chunk that fails": (*PAGE, {"extract_chunk": [error("KeyError"), {}]}),
    "a chunk whose failure is lost": (
        *PAGE,
        {"extract_chunk": [error("KeyError")], "record_failure": [error("OSError")]},
    ),
    "a listing": (
        *PAGE,
        {
            "plan_scrape": [{**PLAN, "follows": True}],
            "follow_listing": [
                {"pages": [{"job": {"job_id": "p1"}}], "at_a_time": 2, "wait_s": 0, "status": "running"},
                {"pages": [{"job": {"job_id": "p2"}}], "at_a_time": 1, "wait_s": 1, "status": "running"},
                {"pages": [], "at_a_time": 1, "wait_s": 0, "status": "complete"},
            ],
        },
    ),
    "a listing that fails": (
        *PAGE,
        {"plan_scrape": [{**PLAN, "follows": True}], "follow_listing": [{**FAILED, "pages": [], "wait_s": 0}]},
    ),
    "a batch": ("scrape_batch", LANES, {}),
    "a batch whose pages are not admitted": ("scrape_batch", LANES, {"admit_page": [{"admitted": False}]}),
    "a batch whose admission fails": ("scrape_batch", LANES, {"admit_page": [error("KeyError"), {"admitted": True}]}),
    "a batch whose sum fails": ("scrape_batch", LANES, {"summarize_batch": [error("KeyError")]}),
    "a batch whose pages fail": ("scrape_batch", LANES, {"machine scrape_page": [Outcome("FAILED", error="KeyError")]}),
    "a map": ("crawl_site", {"site": JOB}, {"map_site": [{"status": "running"}, {"status": "complete"}]}),
    "a crawl": ("crawl_site", {"site": JOB}, {"map_site": [{"status": "mapped", "batch": LANES}]}),
    "a map that fails": ("crawl_site", {"site": JOB}, {"map_site": [error("KeyError")]}),
    "a watch": ("watch_run", {"watch": JOB, "run": "r"}, {}),
    "a watch that is busy": ("watch_run", {"watch": JOB, "run": "r"}, {"begin_watch": [{"begun": False}]}),
    "a watch that delivers": (
        "watch_run",
        {"watch": JOB, "run": "r"},
        {"finish_watch": [{"status": "changed", "deliver": True}], "deliver_webhook": [error("WebhookFailed"), {}]},
    ),
    "a webhook that is given up": (
        "watch_run",
        {"watch": JOB, "run": "r"},
        {"finish_watch": [{"status": "changed", "deliver": True}], "deliver_webhook": [error("BlockedAddress"), {}]},
    ),
    "a watch whose scrape fails": (
        "watch_run",
        {"watch": JOB, "run": "r"},
        {"machine scrape_page": [Outcome("FAILED", error="InvalidRequest")]},
    ),
}
USUAL: Answers = {
    "plan_scrape": [PLAN],
    "probe_media": [{"kind": "page"}],
    "render_page": [{"page_id": "p"}],
    "read_document": [{"page_id": "p"}],
    "chunk_page": [CHUNKS],
    "extract_chunk": [{}],
    "aggregate_results": [DONE],
    "record_failure": [{"status": "failed"}],
    "admit_page": [{"admitted": True}],
    "summarize_batch": [{"status": "complete"}],
    "begin_watch": [{"begun": True, "run_id": "r", "job": JOB, "request": {"url": "https://e.example/"}}],
    "finish_watch": [{"status": "unchanged", "deliver": False}],
    "machine scrape_page": [Outcome("SUCCEEDED", output={})],
    "machine scrape_batch": [Outcome("SUCCEEDED", output={})],
}


class World:
    """What a machine reaches, with a list of what it asked for."""

    def __init__(self, answers: Answers) -> None:
        self._left = {name: list(found) for name, found in {**USUAL, **answers}.items()}
        self.asked: list[tuple[str, Any]] = []

    def _next(self, name: str, payload: Any) -> Any:
        self.asked.append((name, json.loads(json.dumps(payload))))
        found = self._left[name]
        answer = found.pop(0) if len(found) > 1 else found[0]
        if isinstance(answer, Exception):
            raise answer
        return answer

    def invoke(self, function: str, payload: JsonObject) -> JsonValue:
        return self._next(function, payload)

    def run_machine(self, machine: str, payload: JsonValue, name: str) -> Outcome:
        return self._next(f"machine {machine}", {"input": payload, "name": name})

    @staticmethod
    def read_object(key: str) -> bytes:
        return json.dumps(ITEMS).encode()


def locally(machine: str, payload: JsonValue, world: World) -> Outcome:
    engine = LocalEngine(world.invoke, world.read_object, run_machine=world.run_machine)
    return engine.load(machine, (FOLDER / f"{machine}.asl.json").read_text("utf-8")).run(payload, "execution-1")


class Clients:
    """What moto's interpreter asks AWS for, answered by a world."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._ended: dict[str, Any] = {}

    def client(self, service: str, **_: Any) -> "Clients":
        return self

    def invoke(self, **asked: Any) -> dict[str, Any]:
        function, payload = asked["FunctionName"].rpartition(":")[2], json.loads(asked["Payload"])
        try:
            answer = json.dumps(self._world.invoke(function, payload))
        except Exception as raised:  # noqa: BLE001 - as the Lambda runtime does
            told = json.dumps({"errorType": type(raised).__name__, "errorMessage": str(raised)})
            return {"StatusCode": 200, "FunctionError": "Unhandled", "Payload": io.BytesIO(told.encode())}
        return {"StatusCode": 200, "Payload": io.BytesIO(answer.encode())}

    def get_object(self, **asked: Any) -> dict[str, Any]:
        return {"Body": io.BytesIO(self._world.read_object(asked["Key"]))}

    def start_execution(self, **asked: Any) -> dict[str, Any]:
        machine, name = asked["StateMachineArn"].rpartition(":")[2], asked["Name"]
        outcome = self._world.run_machine(machine, json.loads(asked["Input"]), name)
        arn = f"{asked['StateMachineArn']}:{name}:{len(self._ended)}"
        described = {"executionArn": arn, "stateMachineArn": asked["StateMachineArn"], "name": name, "input": "{}"}
        described |= {"status": outcome.status, "output": json.dumps(outcome.output), "error": outcome.error}
        self._ended[arn] = described
        return {"ExecutionArn": arn}

    def describe_execution(self, **asked: Any) -> dict[str, Any]:
        return self._ended[asked["executionArn"]]


class NoWait:
    """Stands in for the time module where moto waits."""

    sleep = staticmethod(lambda _: None)


@cache
def parsed(text: str) -> Any:
    """Give a definition as moto's grammar reads it, which takes most of the time."""
    return import_module(f"{ASL}.parse.asl_parser").AmazonStateLanguageParser.parse(text)[0]


class Silent:
    """The interpreter's report of an end, which is read from its worker."""

    def terminated(self) -> None:
        """Do nothing."""


@pytest.fixture
def with_moto(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str, JsonValue, World], Outcome]]:
    """Runs a definition in moto's interpreter, without ``mock_aws``, which would intercept all of the process."""
    states = f"{ASL}.component.state.exec"
    details = import_module(f"{ASL}.eval.evaluation_details")
    worker_of = import_module("moto.stepfunctions.parser.backend.execution_worker").SyncExecutionWorker
    logging.getLogger("moto").setLevel(logging.CRITICAL)

    def run(machine: str, payload: JsonValue, world: World) -> Outcome:
        clients = Clients(world)
        for place in ("state_task.lambda_eval_utils", "state_task.service.state_task_service_sfn",
                      "state_map.item_reader.eval.resource_eval_s3"):  # fmt: skip
            monkeypatch.setattr(f"{states}.{place}.boto_client_for", clients.client)
        monkeypatch.setattr(f"{ASL}.component.common.retry.retrier_decl.time", NoWait)
        text = LocalEngine(world.invoke).filled((FOLDER / f"{machine}.asl.json").read_text("utf-8"))
        arn = f"arn:aws:states:local:000000000000:stateMachine:{machine}"
        started = datetime.datetime.now(tz=datetime.UTC).isoformat()
        evaluation = details.EvaluationDetails(
            aws_execution_details=details.AWSExecutionDetails(account="0" * 12, region="us-east-1", role_arn="role"),
            execution_details=details.ExecutionDetails(
                arn=f"{arn}:execution-1", name="execution-1", role_arn="role", inpt=payload, start_time=started
            ),
            state_machine_details=details.StateMachineDetails(arn=arn, name=machine, typ="STANDARD", definition=text),
        )
        worker: Any = worker_of(
            evaluation_details=evaluation, exec_comm=Silent(), cloud_watch_logging_session=None, activity_store={}
        )
        worker._get_evaluation_entrypoint = lambda: parsed(text)
        worker.start()
        state = worker.env.program_state()
        if type(state).__name__ == "ProgramEnded":
            return Outcome("SUCCEEDED", output=worker.env.states.get_input())
        return Outcome("FAILED", error=state.error.get("error"), cause=state.error.get("cause"))

    with scaled_retry_waits(0):
        yield run


@pytest.mark.parametrize("case", CASES)
def test_a_definition_is_evaluated_as_moto_evaluates_it(
    case: str, with_moto: Callable[[str, JsonValue, World], Outcome]
) -> None:
    machine, payload, answers = CASES[case]
    mine, theirs = World(answers), World(answers)
    found, expected = locally(machine, payload, mine), with_moto(machine, payload, theirs)
    assert mine.asked == theirs.asked
    assert (found.status, found.error, found.output) == (expected.status, expected.error, expected.output)


def test_each_state_of_each_machine_is_evaluated_by_a_case() -> None:
    visited: set[str] = set()
    real = LocalEngine.load

    def states_of(definition: Any) -> Iterator[str]:
        for name, state in definition["States"].items():
            yield name
            yield from states_of(state["ItemProcessor"]) if "ItemProcessor" in state else ()

    class Told(dict[str, Any]):
        def __getitem__(self, name: str) -> Any:
            visited.add(name)
            return super().__getitem__(name)

    def told(definition: Any) -> Any:
        states = {
            name: {**state, "ItemProcessor": told(state["ItemProcessor"])} if "ItemProcessor" in state else state
            for name, state in definition["States"].items()
        }
        return {**definition, "States": Told(states)}

    with scaled_retry_waits(0):
        for machine, payload, answers in CASES.values():
            world = World(answers)
            engine = LocalEngine(world.invoke, world.read_object, run_machine=world.run_machine)
            loaded = real(engine, machine, (FOLDER / f"{machine}.asl.json").read_text("utf-8"))
            type(loaded)(machine, told(loaded.definition), engine.around).run(payload, "execution-1")
    every = {name for path in FOLDER.glob("*.json") for name in states_of(json.loads(path.read_text("utf-8")))}
    assert every - visited == set()
