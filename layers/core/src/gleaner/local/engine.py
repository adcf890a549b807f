"""Run the state machines of ``statemachine/`` in this process, on moto's interpreter.

Tasks are answered by a callable that the caller gives, and a Distributed Map reads its list through another.
"""

import re
import uuid
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager

from gleaner.contracts.errors import InternalError
from gleaner.local.interpreter import ACCOUNT, MachineRunner, StateMachine, TaskInvoker, interpreter


def _snake(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


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
        interpreter().engines[self.id] = self

    def load(self, name: str, definition: str) -> StateMachine:
        """Take a definition as it stands in the file, its placeholders filled."""
        filled = re.sub(r"\$\{(\w+)\}", lambda match: self._fill(match[1]), definition)
        return StateMachine(name, filled, self.id)

    def close(self) -> None:
        """Forget this engine."""
        interpreter().engines.pop(self.id, None)

    def _fill(self, placeholder: str) -> str:
        if placeholder in self.substitutions:
            return self.substitutions[placeholder]
        if placeholder.endswith("FunctionArn"):
            return f"arn:aws:lambda:local:{ACCOUNT}:function:{_snake(placeholder.removesuffix('FunctionArn'))}"
        if placeholder.endswith("StateMachineArn"):
            machine = _snake(placeholder.removesuffix("StateMachineArn"))
            return f"arn:aws:states:local:{ACCOUNT}:stateMachine:{machine}"
        if placeholder == "BucketName":
            return "local"
        raise InternalError(f"the state machine names ${{{placeholder}}}, which does not exist on this machine")


@contextmanager
def scaled_retry_waits(scale: float) -> Generator[None]:
    """Make the waits of Retry shorter or longer in this process for a while; tests take 0."""
    clock = interpreter().clock
    before, clock.scale = clock.scale, scale
    try:
        yield
    finally:
        clock.scale = before
