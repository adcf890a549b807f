"""State ProbeMedia: page or media."""

from typing import Any

from gleaner.contracts.ports import JsonObject
from gleaner.service.telemetry import observed
from gleaner.steps.probe import probe_media
from gleaner.wiring import services_for


@observed
def handler(event: JsonObject, context: Any) -> JsonObject:
    """Take {job}; give {kind}: media, page or snapshot."""
    return probe_media(event, services_for(context))
