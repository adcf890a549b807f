"""Evaluates the state machines of ``statemachine/`` in this process, as Step Functions evaluates them on AWS.

It knows the part of Amazon States Language that they use, and refuses a definition with anything else: the definitions
stay the only order of steps. States are evaluated in the calling thread; only tasks, which have time limits, and the
items of a Map run in others, which are used again, since a store's connection belongs to a thread.
`tests/workflow/test_state_language.py` compares each outcome with that of moto's interpreter.
"""

import json
import random
import re
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import lru_cache
from queue import SimpleQueue
from typing import Any, Literal

from gleaner.contracts.errors import InternalError
from gleaner.contracts.ports import JsonObject, JsonValue

TaskInvoker = Callable[[str, JsonObject], JsonValue]
"""What answers a Lambda task: runs the function named for its folder; an exception becomes the task's error."""
MachineRunner = Callable[[str, JsonValue, str], "Outcome"]
"""What runs an execution that a state starts: the machine's name, its input, the execution's name."""

PAYLOAD_LIMIT = 262_144
"""Bytes of a state's payload on AWS; a larger one fails here as it would there."""

ACCOUNT = "000000000000"
MOST_AT_A_TIME = 40
"""Items of a Map that run at a time where it does not say."""

MOST_IDLE = 64
"""Threads that are kept for the next tasks."""

INVOKE, EXECUTE = "arn:aws:states:::lambda:invoke", "arn:aws:states:::states:startExecution.sync:2"
_COMMON = {"Type", "Comment", "Next", "End"}
_TRIED = {"ResultPath", "Retry", "Catch", "TimeoutSeconds"}
_FIELDS: dict[str, set[str]] = {
    "Task": _COMMON | _TRIED | {"Resource", "Parameters", "ResultSelector", "OutputPath"},
    "Map": _COMMON | _TRIED | {
        "ItemsPath", "ItemReader", "ItemSelector", "ItemProcessor", "MaxConcurrency", "MaxConcurrencyPath",
        "ToleratedFailurePercentage",
    },
    "Choice": {"Type", "Comment", "Choices", "Default"},
    "Pass": _COMMON | {"InputPath", "Result", "ResultPath"},
    "Wait": _COMMON | {"SecondsPath", "Seconds"},
    "Fail": {"Type", "Comment", "ErrorPath", "CausePath", "Error", "Cause"},
    "Succeed": {"Type", "Comment"},
}  # fmt: skip
_STEP = re.compile(r"\.([A-Za-z_][\w-]*)|\[(\d+)\]")
_TESTS: dict[str, Callable[[Any, Any], bool]] = {
    "BooleanEquals": lambda value, wanted: value is wanted,
    "StringEquals": lambda value, wanted: isinstance(value, str) and value == wanted,
    "NumericGreaterThan": lambda value, wanted: isinstance(value, int | float) and value > wanted,
}
_MISSING: Any = object()


class Halted(BaseException):
    """Raised by a task when this process ends: no state comes after it, and nothing is caught."""


class _TimeUp(Exception):
    """The execution's own limit has passed."""


class StateError(Exception):
    """The error that a state ends with, by its name, and its cause in words or as JSON."""

    def __init__(self, name: str, cause: str) -> None:
        super().__init__(f"{name}: {cause}")
        self.name, self.cause = name, cause

    def is_one_of(self, names: Sequence[str]) -> bool:
        """Tell whether a Retry or Catch of these names is about it."""
        is_task = "States.TaskFailed" in names and self.name != "States.Timeout"
        return self.name in names or "States.ALL" in names or is_task


@dataclass(frozen=True, slots=True)
class Outcome:
    """How an execution ended."""

    status: Literal["SUCCEEDED", "FAILED", "TIMED_OUT", "ABORTED"]
    output: JsonValue = None
    error: str | None = None
    cause: str | None = None


@dataclass
class Surroundings:
    """What the states of a machine reach: functions, the list of a Distributed Map, other machines, a clock."""

    invoke: TaskInvoker
    read_object: Callable[[str], bytes] | None = None
    run_machine: MachineRunner | None = None


class _Clock:
    """Sleeps between tries and where a state waits; tests scale it."""

    scale = 1.0

    def sleep(self, seconds: float) -> None:
        """Sleep, scaled."""
        time.sleep(seconds * self.scale)


CLOCK = _Clock()


@dataclass(frozen=True, slots=True)
class StateMachine:
    """One definition, read and checked, and what its tasks reach."""

    name: str
    definition: Mapping[str, Any] = field(repr=False)
    around: Surroundings = field(repr=False)

    def run(self, payload: JsonValue, execution: str) -> Outcome:
        """Run one execution to its end, in the calling thread. Names may repeat: no history is kept."""
        arn = f"arn:aws:states:local:{ACCOUNT}:stateMachine:{self.name}"
        context = {"Execution": {"Input": payload, "Name": execution}, "StateMachine": {"Id": arn}}
        limit_s = self.definition.get("TimeoutSeconds")
        ends_at = None if limit_s is None else time.monotonic() + limit_s
        try:
            return Outcome("SUCCEEDED", output=_Run(self.around, ends_at).states(self.definition, payload, context))
        except StateError as error:
            return Outcome("FAILED", error=error.name, cause=error.cause)
        except _TimeUp:
            cause = "the execution took longer than its limit"
            return Outcome("TIMED_OUT", error="States.Timeout", cause=cause)
        except Halted:
            return Outcome("ABORTED")


@lru_cache(64)
def read_definition(text: str) -> Mapping[str, Any]:
    """Read a definition; InternalError for what this interpreter does not know."""
    definition: Any = json.loads(text)
    _check(definition)
    return definition


def _check(definition: Any) -> None:
    for name, state in definition["States"].items():
        unknown = set(state) - _FIELDS.get(state["Type"], set())
        if unknown or state.get("Resource", INVOKE) not in (INVOKE, EXECUTE):
            raise InternalError(f"the local state machine knows no {sorted(unknown) or state['Resource']} at {name}")
        if "ItemProcessor" in state:
            _check(state["ItemProcessor"])


class _Run:
    """One execution under way."""

    def __init__(self, around: Surroundings, ends_at: float | None) -> None:
        self._around, self._ends_at = around, ends_at

    def states(self, definition: Mapping[str, Any], payload: JsonValue, context: Mapping[str, Any]) -> JsonValue:
        """Evaluate states from the first to an end; give the last one's output."""
        following: str | None = definition["StartAt"]
        while following is not None:
            if self._ends_at is not None and time.monotonic() >= self._ends_at:
                raise _TimeUp
            state = definition["States"][following]
            following, payload = getattr(self, f"_{state['Type'].lower()}")(state, payload, context)
        return payload

    def _pass(self, state: Any, payload: JsonValue, context: Any) -> tuple[str | None, JsonValue]:
        found = state["Result"] if "Result" in state else _read(state.get("InputPath", "$"), payload, context)
        return state.get("Next"), _put(state.get("ResultPath", "$"), payload, found)

    def _succeed(self, _: Any, payload: JsonValue, __: Any) -> tuple[str | None, JsonValue]:
        return None, payload

    def _fail(self, state: Any, payload: JsonValue, context: Any) -> tuple[str | None, JsonValue]:
        said = (state.get(name) or _read(state[f"{name}Path"], payload, context) for name in ("Error", "Cause"))
        raise StateError(*map(str, said))

    def _wait(self, state: Any, payload: JsonValue, context: Any) -> tuple[str | None, JsonValue]:
        CLOCK.sleep(state["Seconds"] if "Seconds" in state else float(_read(state["SecondsPath"], payload, context)))
        return state.get("Next"), payload

    def _choice(self, state: Any, payload: JsonValue, context: Any) -> tuple[str | None, JsonValue]:
        chosen = (one["Next"] for one in state["Choices"] if _holds(one, payload, context))
        return next(chosen, state["Default"]), payload

    def _task(self, state: Any, payload: JsonValue, context: Any) -> tuple[str | None, JsonValue]:
        do = self._invoke if state["Resource"] == INVOKE else self._execute

        def tried() -> JsonValue:
            answer = do(_filled(state["Parameters"], payload, context), state.get("TimeoutSeconds"))
            return _filled(state["ResultSelector"], answer, context) if "ResultSelector" in state else answer

        following, output = self._guarded(state, payload, tried)
        is_caught = following != state.get("Next")
        return following, output if is_caught else _read(state.get("OutputPath", "$"), output, context)

    def _map(self, state: Any, payload: JsonValue, context: Any) -> tuple[str | None, JsonValue]:
        return self._guarded(state, payload, lambda: self._each(state, payload, context))

    def _guarded(self, state: Any, payload: JsonValue, do: Callable[[], JsonValue]) -> tuple[str | None, JsonValue]:
        """Do a state's work by its Retry and Catch; give what comes next, and its output."""
        tries = [0] * len(state.get("Retry", ()))
        while True:
            try:
                return state.get("Next"), _put(state.get("ResultPath", "$"), payload, do())
            except StateError as error:
                at = next(
                    (at for at, one in enumerate(state.get("Retry", ())) if error.is_one_of(one["ErrorEquals"])), -1
                )
                if at >= 0 and tries[at] < state["Retry"][at].get("MaxAttempts", 3):
                    CLOCK.sleep(_pause(state["Retry"][at], tries[at]))
                    tries[at] += 1
                    continue
                for one in state.get("Catch", ()):
                    if error.is_one_of(one["ErrorEquals"]):
                        told: JsonObject = {"Error": error.name, "Cause": error.cause}
                        return one["Next"], _put(one.get("ResultPath", "$"), payload, told)
                raise

    # Tasks

    def _invoke(self, parameters: Any, limit_s: float | None) -> JsonValue:
        function = parameters["FunctionName"].rpartition(":")[2]
        payload = json.loads(_within_limit(parameters["Payload"], f"the input of {function}"))
        try:
            answer = _HANDS.run(lambda: self._around.invoke(function, payload), limit_s)
        except Exception as error:
            if isinstance(error, StateError):
                raise
            cause = {"errorType": type(error).__name__, "errorMessage": str(error)[:8_000]}
            raise StateError(type(error).__name__, json.dumps(cause, separators=(",", ":"))) from error
        return {"StatusCode": 200, "Payload": json.loads(_within_limit(answer, f"the answer of {function}"))}

    def _execute(self, parameters: Any, _: float | None) -> JsonValue:
        machine, name = parameters["StateMachineArn"].rpartition(":")[2], parameters["Name"]
        if self._around.run_machine is None:
            raise InternalError("this engine runs one state machine only")
        outcome = self._around.run_machine(machine, json.loads(json.dumps(parameters["Input"])), name)
        if outcome.status == "ABORTED":
            raise Halted
        told: JsonObject = {"Name": name, "Status": outcome.status, "Output": outcome.output}
        if outcome.status != "SUCCEEDED":
            raise StateError("States.TaskFailed", json.dumps({**told, "Error": outcome.error, "Cause": outcome.cause}))
        return told

    # Maps

    def _each(self, state: Any, payload: JsonValue, context: Any) -> JsonValue:
        items = self._items(state, payload, context)
        most = _read(state["MaxConcurrencyPath"], payload, context) if "MaxConcurrencyPath" in state else None
        at_a_time = min(int(most or state.get("MaxConcurrency") or MOST_AT_A_TIME), len(items))
        results: list[JsonValue] = [None] * len(items)
        failures: list[StateError] = []
        tolerates = state.get("ToleratedFailurePercentage", 0) >= 100
        left = iter(enumerate(items))
        lock, is_over = threading.Lock(), threading.Event()

        def work_off() -> None:
            while not is_over.is_set() and (tolerates or not failures):
                with lock:
                    at, item = next(left, (-1, None))
                if at < 0:
                    return
                own = {**context, "Map": {"Item": {"Index": at, "Value": item}}}
                selected = _filled(state["ItemSelector"], payload, own) if "ItemSelector" in state else item
                try:
                    results[at] = self.states(state["ItemProcessor"], selected, own)
                except StateError as error:
                    failures.append(error)

        try:
            _HANDS.run_beside(work_off, at_a_time)
        finally:  # interrupted, no more items are begun
            is_over.set()
        if failures and not tolerates:
            raise failures[0]
        return results

    def _items(self, state: Any, payload: JsonValue, context: Any) -> list[Any]:
        if "ItemReader" not in state:
            found = _read(state.get("ItemsPath", "$"), payload, context)
            return found if isinstance(found, list) else []
        if self._around.read_object is None:
            raise InternalError("this engine has no object store")
        key = _filled(state["ItemReader"]["Parameters"], payload, context)["Key"]
        try:
            return json.loads(self._around.read_object(key))
        except Exception as error:
            raise StateError("States.ItemReaderFailed", str(error)) from error


# Data


@lru_cache(1_000)
def _steps(path: str) -> tuple[str | int, ...]:
    """Read a path such as ``$.plan.value.chunks[0]`` as the steps that it takes."""
    rest = path.removeprefix("$").removeprefix("$")
    steps = [found[1] if found[1] is not None else int(found[2]) for found in _STEP.finditer(rest)]
    if _STEP.sub("", rest) or not path.startswith("$"):
        raise InternalError(f"the local state machine reads paths such as $.a.b[0], not {path}")
    return tuple(steps)


def _find(path: str, payload: JsonValue, context: Mapping[str, Any]) -> Any:
    value: Any = context if path.startswith("$$") else payload
    for step in _steps(path):
        try:
            value = value[step] if isinstance(step, int) == isinstance(value, list) else _MISSING
        except (KeyError, IndexError, TypeError):
            return _MISSING
        if value is _MISSING:
            return value
    return value


def _read(path: str, payload: JsonValue, context: Mapping[str, Any]) -> Any:
    found = _find(path, payload, context)
    if found is _MISSING:
        raise StateError("States.Runtime", f"the path {path} leads to nothing")
    return found


def _put(path: str | None, payload: JsonValue, value: JsonValue) -> Any:
    """Give a payload with a value at a path; None leaves it as it is. What is changed is copied."""
    if path is None:
        return payload
    steps = _steps(path)
    if not steps:
        return value
    changed: Any = dict(payload) if isinstance(payload, dict) else {}
    place = changed
    for step in steps[:-1]:
        inner = place.get(step)
        place[step] = dict(inner) if isinstance(inner, dict) else {}
        place = place[step]
    place[steps[-1]] = value
    return changed


def _filled(template: Any, payload: JsonValue, context: Mapping[str, Any]) -> Any:
    """Give a template with each ``name.$`` replaced by what its path leads to."""
    if isinstance(template, dict):
        return {
            name.removesuffix(".$"): _read(value, payload, context) if name.endswith(".$") else
            _filled(value, payload, context)
            for name, value in template.items()
        }  # fmt: skip
    return [_filled(one, payload, context) for one in template] if isinstance(template, list) else template


def _holds(rule: Mapping[str, Any], payload: JsonValue, context: Mapping[str, Any]) -> bool:
    if "And" in rule:
        return all(_holds(one, payload, context) for one in rule["And"])
    found = _find(rule["Variable"], payload, context)
    if "IsPresent" in rule:
        return (found is not _MISSING) is rule["IsPresent"]
    name = next((name for name in _TESTS if name in rule), None)
    if name is None:
        raise InternalError(f"the local state machine knows no test of {sorted(rule)}")
    if found is _MISSING:
        raise StateError("States.Runtime", f"the path {rule['Variable']} leads to nothing")
    return _TESTS[name](found, rule[name])


def _pause(retrier: Mapping[str, Any], tries: int) -> float:
    """Give the seconds before the next try: longer each time, and by chance if it says so."""
    pause = retrier.get("IntervalSeconds", 1) * retrier.get("BackoffRate", 2.0) ** tries
    pause = min(pause, retrier.get("MaxDelaySeconds", pause))
    return random.uniform(0, pause) if retrier.get("JitterStrategy") == "FULL" else pause


def _within_limit(value: Any, what: str) -> str:
    text = json.dumps(value)
    if len(text) > PAYLOAD_LIMIT:
        raise StateError("DataLimitExceeded", f"{what} has {len(text)} bytes of {PAYLOAD_LIMIT}")
    return text


# Threads


class _Hand(threading.Thread):
    """A thread that does one piece of work after another."""

    def __init__(self, idle: list["_Hand"]) -> None:
        super().__init__(name="gleaner-task", daemon=True)
        self.work: SimpleQueue[tuple[Callable[[], Any], Future[Any]] | None] = SimpleQueue()
        self._idle = idle
        self.start()

    def run(self) -> None:
        """Work until told to end."""
        while (order := self.work.get()) is not None:
            do, future = order
            try:
                answer, error = do(), None
            except BaseException as raised:  # noqa: BLE001 - whoever waits for it gets it
                answer, error = None, raised
            if len(self._idle) < MOST_IDLE:
                self._idle.append(self)  # before the answer: who waits for it may have the next piece at once
            else:
                self.work.put(None)
            future.set_result(answer) if error is None else future.set_exception(error)
            del do, future, order, answer, error


class _Hands:
    """The threads of this process for tasks and Maps: as many as work at a time, and used again."""

    def __init__(self) -> None:
        self._idle: list[_Hand] = []

    def _begin(self, do: Callable[[], Any]) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            hand = self._idle.pop()
        except IndexError:
            hand = _Hand(self._idle)
        hand.work.put((do, future))
        return future

    def run(self, do: Callable[[], Any], limit_s: float | None) -> Any:
        """Do a piece of work and give its answer; a StateError where it takes longer than its limit."""
        future = self._begin(do)
        try:
            return future.result(limit_s)
        except TimeoutError:
            if future.done():  # the work's own
                raise
            raise StateError("States.Timeout", f"a step took longer than {limit_s} s") from None

    def run_beside(self, do: Callable[[], None], count: int) -> None:
        """Do the same work so many times at once, and wait for all; once is done in the calling thread."""
        if count == 1:
            do()
            return
        for future in [self._begin(do) for _ in range(count)]:
            future.result()


_HANDS = _Hands()
