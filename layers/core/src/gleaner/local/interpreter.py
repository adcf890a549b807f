"""moto's interpreter of state machines, with outside access closed and memory bounded.

It is used without ``mock_aws``, which would intercept every AWS call of the process. Its private names are touched here
and nowhere else: `boto_client_for`, through which it reaches Lambda, S3 and Step Functions, the sleep of a retry, the
parsing of JSON paths, and what it keeps of each step and never drops.
"""

import copy
import datetime
import io
import json
import logging
import sys
import threading
import time
import uuid
from collections import OrderedDict
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from functools import cache, lru_cache, reduce
from importlib import import_module
from types import ModuleType
from typing import Any, Final, Literal, Protocol

from gleaner.contracts.errors import InternalError
from gleaner.contracts.ports import JsonObject, JsonValue

MachineRunner = Callable[[str, JsonValue, str], "Outcome"]
"""What runs an execution that a state starts: the machine's name, its input, the execution's name."""

PAYLOAD_LIMIT = 262_144
"""Bytes of a state's payload on AWS; a larger one fails here as it would there."""
PATHS_KEPT = 1_000
"""Parsed JSON paths; parsing one takes 2 ms, and a page's execution reads 40."""
ACCOUNT = "000000000000"
PROGRAMS_KEPT = 16
"""Definitions whose programs are kept; parsing one takes 200 ms."""


class TaskInvoker(Protocol):
    """What answers a Lambda task."""

    def __call__(self, function: str, payload: JsonObject) -> JsonValue:
        """Run the function named for its folder; an exception becomes the task's error, by its class name."""
        ...


@dataclass(frozen=True, slots=True)
class Outcome:
    """How an execution ended."""

    status: Literal["SUCCEEDED", "FAILED", "TIMED_OUT", "ABORTED"]
    output: JsonValue = None
    error: str | None = None
    cause: str | None = None


class Surroundings(Protocol):
    """What the states of an engine's machines reach: its functions, its objects, its other machines."""

    @property
    def invoke(self) -> TaskInvoker:
        """What answers Lambda tasks."""
        ...

    @property
    def read_object(self) -> Callable[[str], bytes] | None:
        """What reads the list of a Distributed Map."""
        ...

    @property
    def run_machine(self) -> MachineRunner | None:
        """What runs another machine's execution."""
        ...


@dataclass(frozen=True, slots=True)
class StateMachine:
    """One definition as it stands in its file, and the id of the engine that answers its tasks."""

    name: str
    definition: str
    engine: str

    def run(self, payload: JsonValue, execution: str | None = None) -> Outcome:
        """Run one execution to its end, in the calling thread. Names may repeat: the engine keeps no history."""
        return interpreter().run(self, payload, execution or uuid.uuid4().hex)


class _LambdaClient:
    """Answers `invoke` as the Lambda API would, from an engine's functions."""

    def __init__(self, engine: Surroundings) -> None:
        self._engine = engine

    def invoke(self, **parameters: Any) -> dict[str, Any]:
        function = parameters["FunctionName"].rpartition(":")[2]
        payload = json.loads(parameters.get("Payload") or b"{}")
        try:
            answer = json.dumps(self._engine.invoke(function, payload))
        except Exception as error:  # noqa: BLE001 - as the Lambda runtime does: any error becomes the task's error
            return _failure(type(error).__name__, str(error))
        if len(answer) > PAYLOAD_LIMIT:
            return _failure("DataLimitExceeded", f"{function} answered {len(answer)} bytes of {PAYLOAD_LIMIT}")
        return {"StatusCode": 200, "Payload": io.BytesIO(answer.encode())}


def _failure(name: str, message: str) -> dict[str, Any]:
    body = json.dumps({"errorType": name, "errorMessage": message[:8_000]}).encode()
    return {"StatusCode": 200, "FunctionError": "Unhandled", "Payload": io.BytesIO(body)}


class _ObjectClient:
    """Answers `get_object` from an engine's object store."""

    def __init__(self, engine: Surroundings) -> None:
        self._engine = engine

    def get_object(self, **parameters: Any) -> dict[str, Any]:
        if self._engine.read_object is None:
            raise InternalError("this engine has no object store")
        return {"Body": io.BytesIO(self._engine.read_object(parameters["Key"]))}


class _MachineClient:
    """Answers `start_execution` and `describe_execution` from an engine's machines. ``_ended`` is of all clients.

    An execution that another one starts runs to its end in the calling thread, before the start is answered.
    """

    _ended: Final[dict[str, dict[str, Any]]] = {}

    def __init__(self, engine: Surroundings) -> None:
        self._engine = engine

    def start_execution(self, **parameters: Any) -> dict[str, Any]:
        machine_arn, name = parameters["StateMachineArn"], parameters.get("Name") or uuid.uuid4().hex
        if self._engine.run_machine is None:
            raise InternalError("this engine runs one state machine only")
        outcome = self._engine.run_machine(machine_arn.rpartition(":")[2], json.loads(parameters["Input"]), name)
        arn = f"{machine_arn}:{name}:{uuid.uuid4().hex}"
        described = {"executionArn": arn, "stateMachineArn": machine_arn, "name": name, "status": outcome.status}
        self._ended[arn] = {**described, "input": "{}", "output": json.dumps(outcome.output), "error": outcome.error}
        return {"ExecutionArn": arn}

    def describe_execution(self, **parameters: Any) -> dict[str, Any]:
        return self._ended.pop(parameters["executionArn"])


class _Clock:
    """Stands in for `time` where the interpreter sleeps between retries."""

    scale = 1.0

    def sleep(self, seconds: float) -> None:
        """Sleep, scaled."""
        time.sleep(seconds * self.scale)


@contextmanager
def _without_batch() -> Generator[None]:
    """Stand in for the one name that the interpreter takes of AWS Batch: the real module loads half of EC2, for 1 s."""
    name = "moto.batch.utils"
    if name in sys.modules:
        yield
        return
    stand_in = ModuleType(name)
    stand_in.JobStatus = Enum("JobStatus", ["SUCCEEDED", "FAILED"])  # pyright: ignore[reportAttributeAccessIssue]
    parents = [parent for parent in ("moto.batch",) if parent not in sys.modules]
    sys.modules.update({parent: ModuleType(parent) for parent in parents})
    sys.modules[name] = stand_in
    try:
        yield
    finally:
        for added in (*parents, name):
            del sys.modules[added]


class Interpreter:
    """moto's interpreter, bound once for the process."""

    ASL = "moto.stepfunctions.parser.asl"

    def __init__(self) -> None:
        self.engines: dict[str, Surroundings] = {}
        """The engines by the role that their executions act in: so a program may serve any engine."""
        self.clock = _Clock()
        self._programs: OrderedDict[str, list[Any]] = OrderedDict()
        self._lock = threading.Lock()
        self._parsing = threading.Lock()
        try:
            self._bind()
        except (ImportError, AttributeError) as error:
            raise InternalError(
                f"the local state machine needs another version of moto ({error}); install moto[stepfunctions]==5.2.5"
            ) from error

    def _bind(self) -> None:
        with _without_batch():
            import_module(f"{self.ASL}.parse.asl_parser")
        logging.getLogger("moto.stepfunctions").setLevel(logging.CRITICAL)
        clients = {"lambda": _LambdaClient, "s3": _ObjectClient, "stepfunctions": _MachineClient}

        def client_for(service: str, *, state_credentials: Any, **_: Any) -> Any:
            if service not in clients:
                raise InternalError(f"the local state machine has no {service}")
            return clients[service](self.engines[state_credentials.role_arn])

        states = f"{self.ASL}.component.state.exec"
        self._replace(f"{states}.state_task.lambda_eval_utils", "boto_client_for", client_for)
        self._replace(f"{states}.state_task.service.state_task_service_sfn", "boto_client_for", client_for)
        self._replace(f"{states}.state_map.item_reader.eval.resource_eval_s3", "boto_client_for", client_for)
        self._replace(f"{self.ASL}.component.common.retry.retrier_decl", "time", self.clock)
        self._bound_memory(states)
        self._parser: Any = import_module(f"{self.ASL}.parse.asl_parser").AmazonStateLanguageParser
        self._worker: Any = import_module("moto.stepfunctions.parser.backend.execution_worker").SyncExecutionWorker
        self._details: Any = import_module(f"{self.ASL}.eval.evaluation_details")
        self._threads: Any = import_module("moto.stepfunctions.parser.utils").TMP_THREADS

    def _bound_memory(self, states: str) -> None:
        """Make a list of any length cost the memory and the stack of one item, and a page's steps little time."""
        for module in (f"{self.ASL}.utils.json_path", f"{self.ASL}.component.common.path.result_path"):
            self._replace(module, "parse", lru_cache(PATHS_KEPT)(import_module(module).parse))
        for module in ("eval.states", "component.common.string.string_expression", "component.common.path.result_path"):
            self._replace(f"{self.ASL}.{module}", "copy", _JsonCopier)
        self._replace(f"{self.ASL}.eval.event.event_manager", "EventManager.add_event", _forget_event)
        for event in ("entered", "exited"):
            details = f"CommonStateField._get_state_{event}_event_details"
            self._replace(f"{self.ASL}.component.state.state", details, _forget_event)
        self._replace(f"{self.ASL}.eval.callback.callback", "CallbackPoolManager.get", _take_endpoint)
        iteration = f"{states}.state_map.iteration"
        self._replace(f"{iteration}.iteration_worker", "IterationWorker._eval_pool", _work_off_inline)
        distributed = f"{iteration}.itemprocessor.distributed_item_processor_worker"
        self._replace(distributed, "DistributedItemProcessorWorker._eval_pool", _work_off_distributed)

    @staticmethod
    def _replace(module_name: str, path: str, replacement: Any) -> None:
        *owners, name = path.split(".")
        place: Any = reduce(getattr, owners, import_module(module_name))
        getattr(place, name)
        setattr(place, name, replacement)

    def _take(self, definition: str) -> Any:
        """Give the program of a definition, which serves one execution at a time and is to be put back then."""
        with self._lock:
            if spare := self._programs.get(definition):
                return spare.pop()
        with self._parsing:  # the parser keeps what it has seen of the grammar, without a lock of its own
            return self._parser.parse(definition)[0]

    def _put_back(self, definition: str, program: Any) -> None:
        """Keep a program for the next execution; the definitions used last are kept."""
        with self._lock:
            self._programs.setdefault(definition, []).append(program)
            self._programs.move_to_end(definition)
            if len(self._programs) > PROGRAMS_KEPT:
                self._programs.popitem(last=False)

    def run(self, machine: StateMachine, payload: JsonValue, execution: str) -> Outcome:
        """Run one execution of a machine to its end, in the calling thread."""
        program = self._take(machine.definition)
        try:
            return self._run(self._worker_of(program, machine, payload, execution))
        finally:
            self._threads[:] = [thread for thread in self._threads if thread.is_alive()]  # of which it drops none
            self._put_back(machine.definition, program)

    def _run(self, worker: Any) -> Outcome:
        worker.start()
        state = worker.env.program_state()
        match type(state).__name__:
            case "ProgramEnded":
                return Outcome("SUCCEEDED", output=worker.env.states.get_input())
            case "ProgramError":
                return Outcome("FAILED", error=state.error.get("error"), cause=state.error.get("cause"))
            case "ProgramTimedOut":
                return Outcome("TIMED_OUT", error="States.Timeout", cause="the execution took longer than its limit")
            case _:
                return Outcome("ABORTED")

    def _worker_of(self, program: Any, machine: StateMachine, payload: JsonValue, execution: str) -> Any:
        arn = f"arn:aws:states:local:{ACCOUNT}:stateMachine:{machine.name}"
        started = datetime.datetime.now(tz=datetime.UTC).isoformat()
        details = self._details.EvaluationDetails(
            aws_execution_details=self._details.AWSExecutionDetails(
                account=ACCOUNT, region="us-east-1", role_arn=machine.engine
            ),
            execution_details=self._details.ExecutionDetails(
                arn=f"{arn}:{execution}", name=execution, role_arn=machine.engine, inpt=payload, start_time=started
            ),
            state_machine_details=self._details.StateMachineDetails(
                arn=arn, name=machine.name, typ="STANDARD", definition=machine.definition
            ),
        )
        worker = self._worker(
            evaluation_details=details, exec_comm=_Silent(), cloud_watch_logging_session=None, activity_store={}
        )
        worker._get_evaluation_entrypoint = lambda: program
        return worker


class _Silent:
    """The interpreter's report of an end; `run` reads it from the worker."""

    def terminated(self) -> None:
        """Do nothing."""


class _JsonCopier:
    """Stands in for `copy` where the interpreter copies states' data: JSON needs no memory of what was copied."""

    @staticmethod
    def deepcopy(value: Any) -> Any:
        """Copy JSON, and anything else as `copy` does."""
        if isinstance(value, dict):
            return {name: _JsonCopier.deepcopy(one) for name, one in value.items()}
        if isinstance(value, list):
            return [_JsonCopier.deepcopy(one) for one in value]
        return value if value is None or isinstance(value, str | int | float) else copy.deepcopy(value)


def _forget_event(*_: Any, **__: Any) -> int:
    """Keep no history: nobody here reads it."""
    return 0


def _take_endpoint(manager: Any, callback_id: str) -> Any:
    """Give the place where a task's callback would arrive, once: a task asks for it once, and nobody calls back."""
    return manager._pool.pop(callback_id, None)


def _work_off_distributed(worker: Any, job: Any, worker_frame: Any) -> None:
    """Work off the jobs of a Distributed Map in a loop; moto calls itself for each, 900 times at most."""
    while job is not None:
        frame = worker_frame.open_inner_frame()
        worker._eval_job(env=frame, job=job)
        worker_frame.delete_frame(frame)
        following = None if _ends_work(worker, job) else worker._job_pool.next_job()
        if following is None:
            worker._env.delete_frame(worker_frame)
        worker._job_pool.close_job(job)
        job = following


def _work_off_inline(worker: Any, job: Any, worker_frame: Any) -> None:
    """Work off the jobs of an inline Map in a loop, for the same reason."""
    if job is None:
        worker._env.close_frame(worker_frame)
    while job is not None:
        frame = worker_frame.open_inner_frame()
        worker._eval_job(env=frame, job=job)
        worker_frame.close_frame(frame)
        following = None if _ends_work(worker, job) else worker._job_pool.next_job()
        if following is None:  # before the job: the map goes on as soon as the last one is closed
            worker._env.close_frame(worker_frame)
        worker._job_pool.close_job(job)
        job = following


def _ends_work(worker: Any, job: Any) -> bool:
    return isinstance(job.job_output, Exception) or worker.stopped()


def interpreter() -> Interpreter:
    """Give the process's interpreter, made once whichever threads ask at the same time; importing it takes 2 s.

    A second one would bind moto to itself, and the engines of the first would be answered by nobody.
    """
    with _MAKING:
        return _make()


@cache
def _make() -> Interpreter:
    return Interpreter()


_MAKING = threading.Lock()
