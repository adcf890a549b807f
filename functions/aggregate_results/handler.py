"""State AggregateResults: merge, prove, certify, learn, close the job."""

from typing import Any

from gleaner.contracts.ports import JsonObject
from gleaner.service.telemetry import observed
from gleaner.steps.aggregate import aggregate_results
from gleaner.wiring import services_for


@observed
def handler(event: JsonObject, context: Any) -> JsonObject:
    """Take {job}; give {status, result_key, chunks}."""
    return aggregate_results(event, services_for(context))
