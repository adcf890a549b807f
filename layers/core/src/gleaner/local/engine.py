"""The state machines of ``statemachine/`` with the functions, the objects and the machines that they reach here."""

import re
from collections.abc import Callable, Generator
from contextlib import contextmanager

from gleaner.contracts.errors import InternalError
from gleaner.local.interpreter import (
    ACCOUNT,
    CLOCK,
    MachineRunner,
    StateMachine,
    Surroundings,
    TaskInvoker,
    read_definition,
)


def _snake(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


class LocalEngine:
    """Loads definitions whose tasks are answered by ``invoke``, and whose Distributed Maps read by ``read_object``."""

    def __init__(
        self,
        invoke: TaskInvoker,
        read_object: Callable[[str], bytes] | None = None,
        *,
        run_machine: MachineRunner | None = None,
    ) -> None:
        self.around = Surroundings(invoke, read_object, run_machine)

    def load(self, name: str, definition: str) -> StateMachine:
        """Take a definition as it stands in the file."""
        return StateMachine(name, read_definition(self.filled(definition)), self.around)

    @staticmethod
    def filled(definition: str) -> str:
        """Give a definition with the names of this machine in place of its placeholders."""
        return re.sub(r"\$\{(\w+)\}", lambda match: _local_name(match[1]), definition)


def _local_name(placeholder: str) -> str:
    for ending, kind in (
        ("FunctionArn", "lambda:local:{}:function"),
        ("StateMachineArn", "states:local:{}:stateMachine"),
    ):
        if placeholder.endswith(ending):
            return f"arn:aws:{kind.format(ACCOUNT)}:{_snake(placeholder.removesuffix(ending))}"
    if placeholder == "BucketName":
        return "local"
    raise InternalError(f"the state machine names ${{{placeholder}}}, which does not exist on this machine")


@contextmanager
def scaled_retry_waits(scale: float) -> Generator[None]:
    """Make the waits of Retry shorter or longer in this process for a while; tests take 0."""
    before, CLOCK.scale = CLOCK.scale, scale
    try:
        yield
    finally:
        CLOCK.scale = before
