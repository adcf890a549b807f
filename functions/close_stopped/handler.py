"""Closes the job or the batch of an execution that was stopped."""

from typing import Any

from gleaner.contracts.ports import JsonObject
from gleaner.service.telemetry import observed
from gleaner.steps.stopped import close_stopped
from gleaner.wiring import services_for


@observed
def handler(event: JsonObject, context: Any) -> JsonObject:
    """Take the event of an execution's end without success; give {status}."""
    return close_stopped(event, services_for(context))
