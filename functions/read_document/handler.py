"""State ReadDocument: a PDF as a page."""

from typing import Any

from gleaner.contracts.ports import JsonObject
from gleaner.service.telemetry import observed
from gleaner.steps.document import read_stored_document
from gleaner.wiring import services_for


@observed
def handler(event: JsonObject, context: Any) -> JsonObject:
    """Take {job}; give {page_id}."""
    return read_stored_document(event, services_for(context))
