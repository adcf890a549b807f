"""State RecordFailure: what every Catch ends in."""

from typing import Any

from gleaner.ports import JsonObject
from gleaner.steps.failure import record_failure
from gleaner.telemetry import observed
from gleaner.wiring import services_for


@observed
def handler(event: JsonObject, context: Any) -> JsonObject:
    """Take the failed state's input and {failure}; give {status}."""
    return record_failure(event, services_for(context))
