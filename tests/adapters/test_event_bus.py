"""Completion events go to the stack's own bus, and one that it refuses is not lost without a word."""

import json
from typing import Any

import pytest
from gleaner.adapters.aws.eventbridge import EventBridgeSink
from gleaner.contracts.errors import StoreThrottled

pytestmark = pytest.mark.req("EV-1")


class Bus:
    """EventBridge's client, as far as a sink uses it."""

    def __init__(self, refused: int) -> None:
        self.refused = refused
        self.entries: list[Any] = []

    def put_events(self, **given: Any) -> dict[str, Any]:
        self.entries += given["Entries"]
        return {"FailedEntryCount": self.refused, "Entries": [{"ErrorCode": "ThrottlingException"}]}


def test_an_event_is_put_on_the_bus() -> None:
    bus: Any = Bus(refused=0)
    EventBridgeSink(bus, "gleaner").send("ScrapeCompleted", {"job_id": "j"})
    (entry,) = bus.entries
    assert (entry["EventBusName"], entry["Source"], entry["DetailType"]) == ("gleaner", "gleaner", "ScrapeCompleted")
    assert json.loads(entry["Detail"]) == {"job_id": "j"}


def test_what_the_bus_refuses_is_an_error_that_names_it() -> None:
    bus: Any = Bus(refused=1)
    with pytest.raises(StoreThrottled, match=r"gleaner refused ScrapeFailed: .*ThrottlingException"):
        EventBridgeSink(bus, "gleaner").send("ScrapeFailed", {})
