"""Start executions on Step Functions."""

import json
from typing import TYPE_CHECKING

from botocore.exceptions import ClientError

from gleaner.adapters.aws.errors import code_of, may_go_through_later
from gleaner.contracts.errors import InternalError, StoreThrottled
from gleaner.contracts.ports import JsonObject

if TYPE_CHECKING:
    from mypy_boto3_stepfunctions import SFNClient


class StepFunctionsStarter:
    """Starter over Step Functions; ``arns`` are the state machines by name."""

    def __init__(self, client: "SFNClient", arns: dict[str, str | None]) -> None:
        self._client = client
        self._arns = arns

    def start(self, machine: str, payload: JsonObject, name: str) -> None:
        """Start one execution; a name that was used before starts nothing."""
        arn = self._arns.get(machine)
        if arn is None:
            raise InternalError(f"{machine}_state_machine_arn is not set")
        try:
            self._client.start_execution(stateMachineArn=arn, name=name, input=json.dumps(payload))
        except ClientError as error:
            code = code_of(error)
            if code == "ExecutionAlreadyExists":
                return
            if may_go_through_later(code):
                raise StoreThrottled(f"Step Functions asks for fewer requests: {code}") from error
            raise InternalError(f"Step Functions refused to start {machine}: {code}") from error

    def steps(self, name: str) -> list[JsonObject]:  # noqa: ARG002 - reading the history costs a call of the operator's quota
        """Give nothing: the job's record says how far it is."""
        return []
