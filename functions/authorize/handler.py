"""The HTTP API's authorizer."""

from typing import Any

from gleaner.api.authorizer import authorize
from gleaner.contracts.ports import JsonObject
from gleaner.service.telemetry import observed
from gleaner.wiring import services_for


@observed
def handler(event: JsonObject, context: Any) -> JsonObject:
    """Take an HTTP API request event; give {isAuthorized, context: {tenant}}."""
    return authorize(event, services_for(context))
