"""The state machines of ``statemachine/`` run unchanged in this process, on the interpreter that moto ships.

The interpreter is used without ``mock_aws``, which would intercept every AWS call of the process. Its private names
are touched here and nowhere else: `boto_client_for`, through which it reaches Lambda, S3 and Step Functions, the sleep
of a retry, and the history of events.
Tasks are answered by a callable that the caller gives, and a Distributed Map reads its list through another.
"""

import datetime
import io
import json
import logging
import re
import sys
import threading
import time
import uuid
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any, Literal, Protocol

from gleaner.errors import InternalError
from gleaner.ports import JsonObject, JsonValue

MachineRunner = Callable[[str, JsonValue, str], "Outcome"]
"""What runs an execution that a state starts: the machine's name, its input, the execution's name."""

PAYLOAD_LIMIT = 262_144
"""Bytes of a state's payload on AWS; a larger one fails here as it would there."""


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


def _snake(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


class StateMachine:
    """One definition, parsed once for each execution that runs at the same time."""

    def __init__(self, name: str, definition: str) -> None:
        self.name = name
        self.definition = definition
        self._parsed: list[Any] = []
        self._lock = threading.Lock()

    def run(self, payload: JsonValue, execution: str | None = None) -> Outcome:
        """Run one execution to its end, in the calling thread. Names may repeat: the engine keeps no history."""
        program = self._take_program()
        try:
            return _run_program(program, self, payload, execution or uuid.uuid4().hex)
        finally:
            _interpreter().forget_ended_threads()
            with self._lock:
                self._parsed.append(program)

    def _take_program(self) -> Any:
        with self._lock:
            if self._parsed:
                return self._parsed.pop()
        return _interpreter().parse(self.definition)


class LocalEngine:
    """An interpreter with its own functions and its own object store."""

    def __init__(
        self,
        invoke: TaskInvoker,
        read_object: Callable[[str], bytes] | None = None,
        *,
        substitutions: Mapping[str, str] | None = None,
        run_machine: MachineRunner | None = None,
    ) -> None:
        self.id = uuid.uuid4().hex[:12]
        self.invoke = invoke
        self.read_object = read_object
        self.run_machine = run_machine
        self.substitutions = dict(substitutions or {})
        _interpreter().engines[self.id] = self

    def load(self, name: str, definition: str) -> StateMachine:
        """Take a definition as it stands in the file, its placeholders filled."""
        filled = re.sub(r"\$\{(\w+)\}", lambda match: self._fill(match[1]), definition)
        return StateMachine(name, filled)

    def close(self) -> None:
        """Forget this engine."""
        _interpreter().engines.pop(self.id, None)

    def _fill(self, placeholder: str) -> str:
        if placeholder in self.substitutions:
            return self.substitutions[placeholder]
        if placeholder.endswith("FunctionArn"):
            return f"arn:aws:lambda:local:{self.id}:function:{_snake(placeholder.removesuffix('FunctionArn'))}"
        if placeholder.endswith("StateMachineArn"):
            machine = _snake(placeholder.removesuffix("StateMachineArn"))
            return f"arn:aws:states:local:{self.id}:stateMachine:{machine}"
        if placeholder == "BucketName":
            return self.id
        raise InternalError(f"the state machine names ${{{placeholder}}}, for which there is nothing on this machine")


class _LambdaClient:
    """Answers `invoke` as the Lambda API would, from the engine that the function's name points to."""

    def __init__(self, interpreter: "_Interpreter") -> None:
        self._interpreter = interpreter

    def invoke(self, **parameters: Any) -> dict[str, Any]:
        *_, engine_id, _kind, function = parameters["FunctionName"].split(":")
        engine = self._interpreter.engines[engine_id]
        payload = json.loads(parameters.get("Payload") or b"{}")
        try:
            answer = json.dumps(engine.invoke(function, payload))
        except Exception as error:  # noqa: BLE001 - as the Lambda runtime does: any error becomes the task's error
            return _failure(type(error).__name__, str(error))
        if len(answer) > PAYLOAD_LIMIT:
            return _failure("DataLimitExceeded", f"{function} answered {len(answer)} bytes of {PAYLOAD_LIMIT}")
        return {"StatusCode": 200, "Payload": io.BytesIO(answer.encode())}


def _failure(name: str, message: str) -> dict[str, Any]:
    body = json.dumps({"errorType": name, "errorMessage": message[:8_000]}).encode()
    return {"StatusCode": 200, "FunctionError": "Unhandled", "Payload": io.BytesIO(body)}


class _ObjectClient:
    """Answers `get_object` from the engine that the bucket's name points to."""

    def __init__(self, interpreter: "_Interpreter") -> None:
        self._interpreter = interpreter

    def get_object(self, **parameters: Any) -> dict[str, Any]:
        reader = self._interpreter.engines[parameters["Bucket"]].read_object
        if reader is None:
            raise InternalError("this engine has no object store")
        return {"Body": io.BytesIO(reader(parameters["Key"]))}


class _MachineClient:
    """Answers `start_execution` and `describe_execution` from the engine that the machine's name points to.

    An execution that another one starts runs to its end in the calling thread, before the start is answered.
    """

    def __init__(self, interpreter: "_Interpreter") -> None:
        self._interpreter = interpreter
        self._ended: dict[str, dict[str, Any]] = {}

    def start_execution(self, **parameters: Any) -> dict[str, Any]:
        machine_arn, name = parameters["StateMachineArn"], parameters.get("Name") or uuid.uuid4().hex
        *_, engine_id, _kind, machine = machine_arn.split(":")
        run = self._interpreter.engines[engine_id].run_machine
        if run is None:
            raise InternalError("this engine runs one state machine only")
        outcome = run(machine, json.loads(parameters["Input"]), name)
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


class _Interpreter:
    """moto's interpreter with its ways out closed; made once for the process."""

    ASL = "moto.stepfunctions.parser.asl"

    def __init__(self) -> None:
        self.engines: dict[str, LocalEngine] = {}
        self.clock = _Clock()
        try:
            self._bind()
        except (ImportError, AttributeError) as error:
            raise InternalError(
                f"the installed moto is not the one that the local state machine is built on ({error}); "
                "install moto[stepfunctions]==5.2.5"
            ) from error

    def _bind(self) -> None:
        with _without_batch():
            import_module(f"{self.ASL}.parse.asl_parser")
        logging.getLogger("moto.stepfunctions").setLevel(logging.CRITICAL)
        clients = {"lambda": _LambdaClient(self), "s3": _ObjectClient(self), "stepfunctions": _MachineClient(self)}

        def client_for(service: str, **_: Any) -> Any:
            if service not in clients:
                raise InternalError(f"the local state machine has no {service}")
            return clients[service]

        states = f"{self.ASL}.component.state.exec"
        self._replace(f"{states}.state_task.lambda_eval_utils", "boto_client_for", client_for)
        self._replace(f"{states}.state_task.service.state_task_service_sfn", "boto_client_for", client_for)
        self._replace(f"{states}.state_map.item_reader.eval.resource_eval_s3", "boto_client_for", client_for)
        self._replace(f"{self.ASL}.component.common.retry.retrier_decl", "time", self.clock)
        # The history of an execution is read by nobody here; a batch of 10,000 pages would hold all of it.
        events: Any = import_module(f"{self.ASL}.eval.event.event_manager").EventManager
        events._publish_history_event = _forget_event
        self._parser: Any = import_module(f"{self.ASL}.parse.asl_parser").AmazonStateLanguageParser
        self._worker: Any = import_module("moto.stepfunctions.parser.backend.execution_worker").SyncExecutionWorker
        self._details: Any = import_module(f"{self.ASL}.eval.evaluation_details")
        self._threads: Any = import_module("moto.stepfunctions.parser.utils").TMP_THREADS

    @staticmethod
    def _replace(module_name: str, name: str, replacement: Any) -> None:
        module = import_module(module_name)
        getattr(module, name)
        setattr(module, name, replacement)

    def parse(self, definition: str) -> Any:
        """Give the program of a definition; a program serves one execution at a time."""
        return self._parser.parse(definition)[0]

    def forget_ended_threads(self) -> None:
        """Drop the threads that the interpreter keeps a list of, and never takes off it."""
        self._threads[:] = [thread for thread in self._threads if thread.is_alive()]

    def worker(self, program: Any, machine: StateMachine, payload: JsonValue, execution: str) -> Any:
        """Give what runs the program in the calling thread."""
        arn = f"arn:aws:states:local:000000000000:stateMachine:{machine.name}"
        started = datetime.datetime.now(tz=datetime.UTC).isoformat()
        details = self._details.EvaluationDetails(
            aws_execution_details=self._details.AWSExecutionDetails(
                account="000000000000", region="us-east-1", role_arn="local"
            ),
            execution_details=self._details.ExecutionDetails(
                arn=f"{arn}:{execution}", name=execution, role_arn="local", inpt=payload, start_time=started
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
    """The interpreter's report of an end; `_run_program` reads it from the worker."""

    def terminated(self) -> None:
        """Do nothing."""


def _forget_event(*_: Any, **__: Any) -> None:
    """Keep no history."""


def scale_retry_waits(scale: float) -> None:
    """Make the waits of Retry shorter or longer in this process; tests take 0."""
    _interpreter().clock.scale = scale


@cache
def _interpreter() -> _Interpreter:
    return _Interpreter()


def _run_program(program: Any, machine: StateMachine, payload: JsonValue, execution: str) -> Outcome:
    worker = _interpreter().worker(program, machine, payload, execution)
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
