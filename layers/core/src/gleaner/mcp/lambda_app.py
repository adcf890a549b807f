"""MCP behind API Gateway: one event in, one answer out; the tenant comes from the token (AU-1)."""

import asyncio
from collections.abc import Mapping
from typing import Any

from mangum import Mangum

from gleaner.contracts.ports import JsonObject, Services, Starter
from gleaner.mcp.server import asgi_app
from gleaner.service.gateway import Gateway, GatewayOf, authorized_tenant, authorizer_context, by_token
from gleaner.wiring import starter_for

WAIT_S = 20.0
"""API Gateway cuts at 30 s, and the function may have to start first."""


def answer_event(event: JsonObject, context: Any, services: Services, starter: Starter | None = None) -> JsonObject:
    """Take an HTTP API event (payload format 2.0); give its answer.

    The tenant is whom API Gateway's authorizer has let in; on a route without it, the token is looked up here. The app
    is made anew each time: it serves one lifespan, and nothing may outlive an invocation.
    """
    app: Any = asgi_app(_gateway_of(event, services, starter_for(services.settings, starter)), wait_s=WAIT_S)
    with asyncio.Runner() as loop:
        asyncio.set_event_loop(loop.get_loop())  # Mangum takes the thread's loop, or makes one that nobody closes
        try:
            return Mangum(app, lifespan="on")(event, context)
        finally:
            asyncio.set_event_loop(None)


def _gateway_of(event: Mapping[str, Any], services: Services, starter: Starter) -> GatewayOf:
    if authorizer_context(event):
        return lambda _: Gateway(services, starter, authorized_tenant(event))
    return by_token(services, starter)
