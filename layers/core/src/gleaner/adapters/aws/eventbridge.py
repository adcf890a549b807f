"""Send completion events to an EventBridge bus."""

import json
from typing import TYPE_CHECKING

from botocore.exceptions import ClientError

from gleaner.adapters.aws.errors import code_of, may_go_through_later
from gleaner.contracts.errors import GleanerError, InternalError, StoreThrottled
from gleaner.contracts.ports import JsonObject

if TYPE_CHECKING:
    from mypy_boto3_events import EventBridgeClient

SOURCE = "gleaner"


class EventBridgeSink:
    """EventSink over one bus."""

    def __init__(self, client: "EventBridgeClient", bus: str) -> None:
        self._client = client
        self._bus = bus

    def send(self, detail_type: str, detail: JsonObject) -> None:
        """Put one event; StoreThrottled or InternalError when the bus refuses it."""
        entry = {"Source": SOURCE, "DetailType": detail_type, "Detail": json.dumps(detail), "EventBusName": self._bus}
        try:
            answer = self._client.put_events(Entries=[entry])  # pyright: ignore[reportArgumentType]
        except ClientError as error:
            raise self._refusal(code_of(error), f"{detail_type}: {error}") from error
        if answer["FailedEntryCount"]:
            failed = answer["Entries"][0]
            raise self._refusal(str(failed.get("ErrorCode")), f"{detail_type}: {failed}")

    def _refusal(self, code: str, said: str) -> GleanerError:
        kind = StoreThrottled if may_go_through_later(code) else InternalError
        return kind(f"the event bus {self._bus} refused {said}")
