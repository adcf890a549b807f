"""The HTTP API behind API Gateway."""

from functools import cache
from typing import Any

from aws_lambda_powertools.event_handler import APIGatewayHttpResolver
from gleaner.api.lambda_app import answer_event, lambda_app
from gleaner.contracts.ports import JsonObject
from gleaner.service.telemetry import observed
from gleaner.wiring import services_for


@cache
def _app(services: Any) -> APIGatewayHttpResolver:
    return lambda_app(services, services.settings.cors_origin)


@observed
def handler(event: JsonObject, context: Any) -> JsonObject:
    """Take an HTTP API event (payload format 2.0); give its answer."""
    services = services_for(context)
    return answer_event(_app(services), event, context, services)
