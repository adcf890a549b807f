"""Starts a job for an event, a schedule or a direct call."""

from typing import Any

from gleaner.contracts.ports import JsonObject
from gleaner.service.events import start_scrape
from gleaner.service.telemetry import observed
from gleaner.wiring import services_for, starter_for


@observed
def handler(event: JsonObject, context: Any) -> JsonObject:
    """Take the event; give {job_id, tenant}."""
    services = services_for(context)
    starter = starter_for(services.settings, getattr(context, "gleaner_starter", None))
    return start_scrape(event, services, starter)
