"""State RecordFailure: what every Catch ends in."""

from typing import Any

from gleaner.contracts.ports import JsonObject
from gleaner.service.telemetry import observed
from gleaner.steps.failure import record_failure
from gleaner.wiring import services_for


@observed
def handler(event: JsonObject, context: Any) -> JsonObject:
    """Take the failed state's input and {failure}; give {status}."""
    return record_failure(event, services_for(context))
