"""Starts a batch for an upload under inbox/ or a direct call."""

from typing import Any

from gleaner.contracts.ports import JsonObject
from gleaner.service.events import start_batch
from gleaner.service.telemetry import observed
from gleaner.wiring import services_for, starter_for


@observed
def handler(event: JsonObject, context: Any) -> JsonObject:
    """Take the event; give the batch's record."""
    services = services_for(context)
    starter = starter_for(services.settings, getattr(context, "gleaner_starter", None))
    return start_batch(event, services, starter)
