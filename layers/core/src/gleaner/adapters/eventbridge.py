"""Completion events on an EventBridge bus."""

import json
from typing import TYPE_CHECKING

from gleaner.errors import InternalError
from gleaner.ports import JsonObject

if TYPE_CHECKING:
    from mypy_boto3_events import EventBridgeClient

SOURCE = "gleaner"


class EventBridgeSink:
    """EventSink over one bus."""

    def __init__(self, client: "EventBridgeClient", bus: str) -> None:
        self._client = client
        self._bus = bus

    def send(self, detail_type: str, detail: JsonObject) -> None:
        """Put one event; InternalError when the bus refuses it."""
        entry = {"Source": SOURCE, "DetailType": detail_type, "Detail": json.dumps(detail), "EventBusName": self._bus}
        answer = self._client.put_events(Entries=[entry])  # pyright: ignore[reportArgumentType]
        if answer["FailedEntryCount"]:
            raise InternalError(f"the event bus {self._bus} refused {detail_type}: {answer['Entries'][0]}")
