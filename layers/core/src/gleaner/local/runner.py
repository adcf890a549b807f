"""Run the functions of ``functions/`` and the state machines together in this process."""

import importlib.util
import sys
import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from pathlib import Path
from threading import Event, Lock
from types import ModuleType
from typing import Any

from gleaner.contracts.errors import GleanerError, InternalError, LayoutBeingRead, QueueTimeout, error_classes
from gleaner.contracts.items import DEFAULT_TENANT
from gleaner.contracts.models import ScrapeResult
from gleaner.contracts.ports import JsonObject, JsonValue, Services, Starter
from gleaner.jobs.jobs import JobRef, new_job_id
from gleaner.jobs.places import jobs_of
from gleaner.local.engine import LocalEngine, StateMachine
from gleaner.local.interpreter import Halted, Outcome
from gleaner.local.unfinished import Execution, Unfinished
from gleaner.steps.stopped import close_execution

CONCURRENT_EXECUTIONS = {"scrape_page": 8, "scrape_batch": 4, "watch_run": 2, "crawl_site": 2}
"""What runs at the same time in one process, by machine; more wait their turn. A batch takes no job's place."""


def is_fault(error: str | None) -> bool:
    """Tell whether what ended an execution is Gleaner's to mend; all else is for the caller, whom the result tells."""
    return error not in error_classes() or error == InternalError.__name__


StepListener = Callable[[str, str, JsonObject], None]
"""Called with the function's name, ``started`` / ``succeeded`` / ``failed`` / ``waiting``, and the payload."""


@cache
def project_root() -> Path:
    """Give the folder that holds functions/ and statemachine/: beside the package when installed, else the checkout."""
    for folder in (Path(__file__).parents[1] / "deployed", *Path(__file__).resolve().parents):
        if (folder / "statemachine").is_dir() and (folder / "functions").is_dir():
            return folder
    raise InternalError("the folders functions/ and statemachine/ are missing beside the package; reinstall Gleaner")


@cache
def load_handler(function: str) -> Callable[[Any, Any], Any]:
    """Give the handler of functions/NAME/handler.py."""
    path = project_root() / "functions" / function / "handler.py"
    name = f"gleaner_function_{function}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None or not path.is_file():
        raise InternalError(f"there is no function {function}")
    module: ModuleType = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module.handler


class LocalContext:
    """The context of a handler on this machine: it carries the services."""

    def __init__(self, function: str, services: Services, starter: Starter | None = None) -> None:
        self.function_name = function
        self.function_version = "$LATEST"
        self.invoked_function_arn = f"arn:aws:lambda:local:0:function:{function}"
        self.memory_limit_in_mb = 1024
        self.aws_request_id = function
        self.gleaner_services = services
        self.gleaner_starter = starter

    def get_remaining_time_in_millis(self) -> int:
        """Give the time left, which here has no end."""
        return 900_000


class Progress:
    """The steps of the jobs that this process ran last."""

    KEPT = 500

    def __init__(self) -> None:
        self._steps = OrderedDict[str, list[tuple[JsonValue, JsonObject]]]()
        self._lock = Lock()

    def note(self, function: str, phase: str, payload: JsonObject, chunks: int | None = None) -> None:
        """Take note of a step's begin or end; ``chunks`` is how many it gave to the model.

        A chunk is one step, however often it is tried. Steps of no job, as those of a batch are, are not kept.
        """
        job_id, chunk = _job_id(payload), payload.get("chunk")
        if job_id is None:
            return
        with self._lock:
            steps = self._steps.setdefault(job_id, [])
            same = (one for of, one in reversed(steps) if of == chunk and one["name"] == function)
            mine = next((one for one in same if chunk is not None or not one["ended_at"]), None)
            if phase == "started" and mine is None:
                begun: JsonObject = {"status": "running", "started_at": time.time(), "ended_at": None}
                steps.append((chunk, {"name": function, **begun}))
            elif phase == "started" and mine is not None:
                mine.update(status="running", ended_at=None)
            elif phase in ("succeeded", "failed") and mine is not None:
                mine.update(status=phase, ended_at=time.time(), **({"chunks": chunks} if chunks else {}))
            while len(self._steps) > self.KEPT:
                self._steps.popitem(last=False)  # a plain dict would look for its first key behind all that went

    def steps(self, job_id: str) -> list[JsonObject]:
        """Give a job's steps."""
        with self._lock:
            return [dict(step) for _, step in self._steps.get(job_id, [])]


def _job_id(payload: JsonObject) -> str | None:
    job, execution = payload.get("job"), payload.get("execution")
    if isinstance(job, dict):
        return str(job.get("job_id"))
    return None if execution is None else str(execution)


def _chunk_count(answer: Any) -> int | None:
    chunks = answer.get("chunks") if isinstance(answer, dict) else None
    return len(chunks) if isinstance(chunks, list) else None


class LocalRunner:
    """Runs jobs in this process. Safe to share between threads."""

    def __init__(self, services: Services, *listeners: StepListener) -> None:
        self.services = services
        self.listeners = list(listeners)
        self._engine = LocalEngine(self._invoke, services.blobs.read, run_machine=self.run_machine)
        self._machines: dict[str, StateMachine] = {}
        self._started: dict[tuple[str, str], Future[None]] = {}
        self._progress = Progress()
        self._halted = Event()
        self._unfinished = Unfinished(services)
        self._lock = Lock()
        self._executors = {
            machine: ThreadPoolExecutor(count, thread_name_prefix=f"gleaner-{machine}")
            for machine, count in CONCURRENT_EXECUTIONS.items()
        }

    def run_scrape(self, request: Any, ref: JobRef | None = None) -> ScrapeResult:
        """Run one request to its end and give the stored result, a failed one too."""
        self.close_left()
        ref = ref or JobRef(new_job_id(), DEFAULT_TENANT)
        payload: JsonObject = {"job": ref.to_json(), "request": request}
        execution = Execution("scrape_page", payload, ref.job_id, may_go_on=False)
        self._unfinished.note(execution)
        self.run_machine(execution.machine, payload, execution.name)
        self._unfinished.forget(execution)
        return jobs_of(self.services).result(ref)

    def run_machine(self, name: str, payload: JsonValue, execution: str) -> Outcome:
        """Run one execution of statemachine/NAME.asl.json."""
        outcome = self._machine(name).run(payload, execution)
        if outcome.status != "SUCCEEDED" and not self._halted.is_set():
            self._leave_readable(payload, execution, outcome)
        return outcome

    def _leave_readable(self, payload: JsonValue, execution: str, outcome: Outcome) -> None:
        """See that the job of an execution that could not do so itself has ended: none may look as if it still ran."""
        failure: JsonObject = {"Error": outcome.error or outcome.status, "Cause": outcome.cause}
        close_execution({"input": payload, "execution": execution, "failure": failure}, self.services)

    def start(self, machine: str, payload: JsonValue, name: str) -> None:
        """Start an execution in a thread.

        A name that is running, in another process too, or was run in this one starts nothing. QueueTimeout from a
        runner that was closed: the next process goes on with it.
        """
        execution = Execution(machine, payload, name)
        with self._lock:
            if (machine, name) in self._started or not self._unfinished.claim(execution):
                return
            try:
                self._started[machine, name] = self._executors[machine].submit(self._run_noted, execution)
            except RuntimeError:
                raise QueueTimeout(f"this server is stopping; job {name} resumes at its next start") from None

    def go_on(self, machine: str, name: str) -> bool:
        """Go on with an execution if the process that has begun it is gone; give whether this one works on it.

        What kept one of this process from being closed, a full disk, is raised: nobody else waits for its end.
        """
        begun = self._started.get((machine, name))
        if begun is not None and begun.done():
            begun.result()
        elif begun is None and (left := self._unfinished.left_by_another(machine, name)):
            self.start(left.machine, left.payload, left.name)
        return (machine, name) in self._started

    def resume(self) -> int:
        """Go on with what processes that are gone have started, whose steps find finished work; give how many."""
        self.close_left()
        left = self._unfinished.take_over(may_go_on=True)
        for execution in left:
            self.start(execution.machine, execution.payload, execution.name)
        return len(left)

    def close_left(self) -> None:
        """Close jobs that only their own process waited for, which is gone, with what was found by then.

        So that nobody takes them for jobs that run.
        """
        for execution in self._unfinished.take_over(may_go_on=False):
            self._close(execution)

    def _close(self, execution: Execution) -> None:
        failure: JsonObject = {"Error": "ABORTED", "Cause": "the process that ran the job ended early"}
        start: JsonObject = {"input": execution.payload, "execution": execution.name, "failure": failure}
        close_execution(start, self.services)
        self._unfinished.forget(execution)

    def _run_noted(self, execution: Execution) -> None:
        machine, name = execution.machine, execution.name
        try:
            outcome = self.run_machine(machine, execution.payload, name)
        except (OSError, GleanerError) as error:
            sys.stderr.write(f"job {name} could not be closed: {error}\n")
            raise
        if self._halted.is_set():
            return
        if outcome.status != "SUCCEEDED" and is_fault(outcome.error):
            sys.stderr.write(f"job {name} ended with an internal error in Gleaner: {outcome.error}: {outcome.cause}\n")
        self._unfinished.forget(execution)

    def steps(self, name: str) -> list[JsonObject]:
        """Give the steps of a job of this process: name, status, started_at, ended_at, in the order of their begin."""
        return self._progress.steps(name)

    def halt(self) -> None:
        """Let no more steps begin: what runs ends soon, as neither done nor failed, and can be started again."""
        self._halted.set()

    def close(self) -> None:
        """Wait for what runs, and forget the engine; the services stay open."""
        for executor in self._executors.values():
            executor.shutdown(wait=True, cancel_futures=True)

    def _machine(self, name: str) -> StateMachine:
        if name not in self._machines:
            definition = (project_root() / "statemachine" / f"{name}.asl.json").read_text("utf-8")
            self._machines[name] = self._engine.load(name, definition)
        return self._machines[name]

    def _invoke(self, function: str, payload: JsonObject) -> JsonValue:
        if self._halted.is_set():
            raise Halted
        self._tell(function, "started", payload)
        phase, chunks = "failed", None
        try:
            answer = load_handler(function)(payload, LocalContext(function, self.services, self))
            phase, chunks = "succeeded", _chunk_count(answer)
        except LayoutBeingRead:
            phase = "waiting"
            raise
        finally:
            self._tell(function, phase, payload, chunks)
        return answer

    def _tell(self, function: str, phase: str, payload: JsonObject, chunks: int | None = None) -> None:
        self._progress.note(function, phase, payload, chunks)
        for listener in tuple(self.listeners):
            listener(function, phase, payload)
