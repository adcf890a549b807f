"""State ChunkPage: Markdown, chunks and the answers that need no model."""

from typing import Any

from gleaner.contracts.ports import JsonObject
from gleaner.service.telemetry import observed
from gleaner.steps.chunk import chunk_page
from gleaner.wiring import services_for


@observed
def handler(event: JsonObject, context: Any) -> JsonObject:
    """Take {job}; give {chunks}: the chunks that a model is to read."""
    return chunk_page(event, services_for(context))
