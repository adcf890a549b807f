"""State FollowListing: which pages of a listing come next, and at its end the result."""

from typing import Any

from gleaner.contracts.ports import JsonObject
from gleaner.service.telemetry import observed
from gleaner.steps.follow import follow_listing
from gleaner.wiring import services_for


@observed
def handler(event: JsonObject, context: Any) -> JsonObject:
    """Take {job}; give {pages, at_a_time, wait_s} or {status, result_key}."""
    return follow_listing(event, services_for(context))
