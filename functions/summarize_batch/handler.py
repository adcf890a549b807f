"""State SummarizeBatch: what has become of a batch."""

from typing import Any

from gleaner.contracts.ports import JsonObject
from gleaner.service.telemetry import observed
from gleaner.steps.batch import summarize_batch
from gleaner.wiring import services_for


@observed
def handler(event: JsonObject, context: Any) -> JsonObject:
    """Take {batch}; give {status, counts}."""
    return summarize_batch(event, services_for(context))
