"""MCP over streamable HTTP."""

from typing import Any

from gleaner.contracts.ports import JsonObject
from gleaner.mcp.lambda_app import answer_event
from gleaner.service.telemetry import observed
from gleaner.wiring import services_for


@observed
def handler(event: JsonObject, context: Any) -> JsonObject:
    """Take an HTTP API event (payload format 2.0) of POST /mcp; give its answer."""
    return answer_event(event, context, services_for(context))
