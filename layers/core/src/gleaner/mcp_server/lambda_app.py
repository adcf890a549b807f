"""MCP behind API Gateway: one event in, one answer out; the tenant is whose bearer token it is (AU-1)."""

from collections.abc import Mapping
from typing import Any

from mangum import Mangum

from gleaner.gateway import Gateway
from gleaner.mcp_server.server import GatewayOf, asgi_app
from gleaner.ports import JsonObject, Services, Starter
from gleaner.tokens import Tokens
from gleaner.wiring import starter_for

WAIT_S = 20.0
"""API Gateway cuts at 30 s, and the function may have to start first."""


def token_gateway(services: Services, starter: Starter) -> GatewayOf:
    """Give what finds the gateway of a request by its Authorization header, and counts the request."""
    tokens = Tokens(services.table)

    def gateway_of(headers: Mapping[str, str]) -> Gateway:
        principal = tokens.verify(headers.get("authorization"))
        tokens.admit(principal)
        return Gateway(services, starter, principal.tenant)

    return gateway_of


def answer_event(event: JsonObject, context: Any, services: Services, starter: Starter | None = None) -> JsonObject:
    """Take an HTTP API event (payload format 2.0); give its answer.

    The app is made anew each time: it serves one lifespan, and nothing may outlive an invocation.
    """
    gateway_of = token_gateway(services, starter_for(services.settings, starter))
    app: Any = asgi_app(gateway_of, wait_s=WAIT_S)
    return Mangum(app, lifespan="on")(event, context)
