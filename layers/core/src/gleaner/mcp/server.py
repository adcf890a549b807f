"""The MCP server: stdio for a client that starts us, stateless streamable HTTP for others."""

from collections.abc import Callable
from typing import Any

import anyio
from mcp.server import Server, ServerRequestContext
from mcp.server.stdio import stdio_server
from mcp.server.transport_security import TransportSecuritySettings
from mcp.shared.exceptions import MCPError
from mcp.types import CallToolRequestParams, CallToolResult, ListToolsResult, PaginatedRequestParams
from mcp_types import INVALID_PARAMS

from gleaner.contracts.error_types import ErrorType
from gleaner.contracts.errors import GleanerError
from gleaner.contracts.guides import installed_version
from gleaner.mcp.calls import call_tool
from gleaner.mcp.catalogue import BY_NAME, INSTRUCTIONS, TOOLS
from gleaner.mcp.clients import Client
from gleaner.mcp.reading import read_message, refusal_of
from gleaner.service.asgi import App, Receive, Refusal, Scope, Send, send_refusal, send_whole
from gleaner.service.gateway import MAX_WAIT_S, Gateway, GatewayOf
from gleaner.service.problems import headers_of

Context = ServerRequestContext[Any, Any]
PATH = "/mcp"
GATEWAY = "gleaner.service.gateway"
MAX_BODY = 6_000_000
"""Bytes of a call: what a Lambda function takes."""


def make_server(gateway_for: Callable[[Context], Gateway], *, wait_s: float = MAX_WAIT_S) -> Server[Any]:
    """Make a server with all tools. Calls work in threads, so that one that waits holds up no other."""

    async def list_tools(_: Context, __: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=list(TOOLS))

    async def call(context: Context, params: CallToolRequestParams) -> CallToolResult:
        if params.name not in BY_NAME:
            raise MCPError(
                INVALID_PARAMS, f"there is no tool {params.name[:100]!r}; the tools are {', '.join(BY_NAME)}"
            )
        arguments = params.arguments or {}
        client = Client(context)

        def answer() -> CallToolResult:
            return call_tool(client.heeded_by(gateway_for(context)), params.name, arguments, wait_s)

        try:
            return await anyio.to_thread.run_sync(answer, abandon_on_cancel=True)
        except anyio.get_cancelled_exc_class():
            client.is_gone.set()
            raise

    return Server(
        "gleaner",
        version=installed_version(),
        title="Gleaner",
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call,
    )


async def serve_stdio(gateway: Gateway) -> None:
    """Serve one client over stdin and stdout until it closes them; nothing else is written to stdout."""
    server = make_server(lambda _: gateway)
    async with stdio_server() as (received, sent):
        await server.run(received, sent, server.create_initialization_options())


def asgi_app(gateway_of: GatewayOf, *, wait_s: float = MAX_WAIT_S) -> App:
    """Make the ASGI app, with its lifespan; it serves one lifespan, and POST at any path that it is given.

    It keeps nothing between requests. Which hosts and origins may call is for the caller to see to (``gleaner serve``
    answers to this machine's names alone, the cloud wants a token): ``gateway_of`` refuses by raising.
    """
    server = make_server(_gateway_in, wait_s=wait_s)
    inner = server.streamable_http_app(
        streamable_http_path=PATH,
        json_response=True,
        stateless_http=True,
        max_request_body_size=MAX_BODY,
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
    )

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await inner(scope, receive, send)
        elif scope["type"] == "http":
            await _answer(inner, gateway_of, scope, receive, send)

    return app


def _gateway_in(context: Context) -> Gateway:
    request: Any = context.request
    return request.scope[GATEWAY]


async def _answer(inner: App, gateway_of: GatewayOf, scope: Scope, receive: Receive, send: Send) -> None:
    if scope["method"] != "POST":
        detail = f"{scope['method']} is not supported here; use POST"
        await send_refusal(send, Refusal(405, ErrorType.METHOD_NOT_ALLOWED, detail, {"allow": "POST"}))
        return
    headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
    try:
        gateway = await anyio.to_thread.run_sync(gateway_of, headers)
    except GleanerError as error:
        await send_refusal(send, Refusal(error.http_status, error.error_type, error.message, headers_of(error)))
        return
    body, receive = await read_message(receive, MAX_BODY)
    if body is None:
        detail = f"the message is over {MAX_BODY:,} bytes"
        await send_refusal(send, Refusal(413, ErrorType.BODY_TOO_LARGE, detail))
        return
    refusal = await anyio.to_thread.run_sync(refusal_of, body) if body else None
    if refusal is not None:
        await send_whole(send, 400, refusal, {"content-type": "application/json"})
        return
    await inner({**scope, "path": PATH, "raw_path": PATH.encode(), "root_path": "", GATEWAY: gateway}, receive, send)
