"""State ExtractChunk: one chunk through the model."""

from typing import Any

from gleaner.contracts.ports import JsonObject
from gleaner.service.telemetry import observed
from gleaner.steps.extract import extract_chunk_step
from gleaner.wiring import services_for


@observed
def handler(event: JsonObject, context: Any) -> JsonObject:
    """Take {job, chunk}; give {index, status}."""
    return extract_chunk_step(event, services_for(context))
