"""State AggregateResults: merge, prove, certify, learn, close the job."""

from typing import Any

from gleaner.ports import JsonObject
from gleaner.steps.aggregate import aggregate_results
from gleaner.telemetry import observed
from gleaner.wiring import services_for


@observed
def handler(event: JsonObject, context: Any) -> JsonObject:
    """Take {job}; give {status, result_key, chunks}."""
    return aggregate_results(event, services_for(context))
