"""``gleaner serve``: the HTTP API, the playground and MCP on this machine, over ASGI."""

import asyncio
import json
import re
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager, suppress
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from aws_lambda_powertools.event_handler.api_gateway import ApiGatewayResolver

from gleaner.api.app import add_routes
from gleaner.api.playground import file_headers, web_file
from gleaner.api.reading import body_limit, is_packed
from gleaner.contracts.error_types import ErrorType
from gleaner.contracts.errors import Unauthorized
from gleaner.contracts.items import DEFAULT_TENANT
from gleaner.contracts.ports import Services
from gleaner.jobs.jobs import JobRef
from gleaner.jobs.tokens import Tokens
from gleaner.local.resolver import GATEWAY, ThreadedResolver
from gleaner.local.runner import LocalRunner
from gleaner.local.watching import WatchKeeper
from gleaner.service.asgi import App, Receive, Refusal, Scope, Send, send_refusal, send_whole
from gleaner.service.gateway import Gateway, GatewayOf, by_token
from gleaner.service.problems import headers_of

MCP_BODY = 6_000_000
"""Bytes of a message to MCP, whose tools take pages, too: what a Lambda function is handed at most."""

BODY_S = 60.0
"""Within how many seconds a body has to be there."""
DRAIN_S = 2.0
"""For how many seconds a body is thrown away that nobody reads, so that the caller gets to see the answer."""
LOCAL_NAMES = frozenset({"127.0.0.1", "localhost", "[::1]"})
HOST = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[^:\[\]]*)(?::\d+)?")
Known = Callable[[str | None], object]
"""Raises Unauthorized where the Authorization header is nobody's."""


def api_app(gateway_for: GatewayOf, *, has_model: bool = False) -> ThreadedResolver:
    """Make the API's resolver for this machine."""

    def gateway_of(resolver: ApiGatewayResolver) -> Gateway:
        return resolver.context[GATEWAY]

    app = ThreadedResolver(gateway_for)
    add_routes(app, gateway_of, has_model=has_model)
    app.prepare()
    return app


def mcp_app(gateway_for: GatewayOf) -> App | None:
    """Make the MCP server's ASGI app; None where it is not installed."""
    if find_spec("mcp") is None or find_spec("gleaner.mcp") is None:
        return None
    return import_module("gleaner.mcp").asgi_app(gateway_for)


def media_route(ref: JobRef) -> str:
    """Give where a caller of this server reads a job's media: the file itself is nobody's business."""
    return f"/v1/jobs/{ref.job_id}/screenshot"


@contextmanager
def serving(services: Services, runner: LocalRunner, *, require_token: bool) -> Generator["Front"]:
    """Make all that answers on this machine; its threads end with the context.

    Without tokens every caller is the default tenant.
    """
    open_to_all = Gateway(services, runner, media_url=media_route)
    gateway_for: GatewayOf = by_token(services, runner, media_route) if require_token else lambda _: open_to_all
    api = api_app(gateway_for, has_model=services.model is not None)
    keeper = WatchKeeper(runner, lambda: _tenants(services, require_token=require_token))
    try:
        known = Tokens(services.table).verify if require_token else None
        yield Front(api, known=known, mcp=mcp_app(gateway_for))
    finally:
        keeper.close()
        api.close()


def _tenants(services: Services, *, require_token: bool) -> list[str]:
    """Give the tenants whose watches are run here: those that have a token."""
    named = {str(token.get("tenant")) for token in Tokens(services.table).list()} if require_token else set[str]()
    return sorted({DEFAULT_TENANT, *named})


class Front:
    """What stands before the API: limits, the pages of the playground, MCP, and who may call at all.

    Without tokens only this machine's own names are answered, and no other site's page may post: a web page that a
    person has open must not be able to use the API behind their back. With tokens (``known``) no body is read of
    somebody without one.
    """

    def __init__(self, api: App, *, known: Known | None = None, mcp: App | None = None) -> None:
        self._api = api
        self._mcp = mcp
        self._known = known
        self.has_mcp = mcp is not None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or refuse it."""
        if scope["type"] == "lifespan":
            await (self._mcp or self._api)(scope, receive, send)
            return
        if scope["type"] != "http":
            return
        headers = read_headers(scope)
        limit = MCP_BODY if self._is_mcp(scope) else body_limit(scope["path"])
        refusal = await self._refusal(scope, headers, limit)
        if refusal and "expect" not in (headers or {}):
            await throw_away(receive)
        body = refusal or await read_body(receive, limit)
        if isinstance(body, Refusal):
            await send_refusal(send, body)
        else:
            await self._route(scope, body, send)

    async def _route(self, scope: Scope, body: bytes, send: Send) -> None:
        file = web_file(scope["path"]) if scope["method"] in ("GET", "HEAD") else None
        if file is not None:
            await send_file(send, file)
        elif self._mcp is not None and self._is_mcp(scope):
            await self._mcp(scope, replay(body), send)
        else:  # HEAD is GET without a body (RFC 9110), which uvicorn leaves out
            method = "GET" if scope["method"] == "HEAD" else scope["method"]
            await self._api({**scope, "method": method}, replay(body), send)

    def _is_mcp(self, scope: Scope) -> bool:
        return self._mcp is not None and scope["path"].rstrip("/") == "/mcp"

    async def _refusal(self, scope: Scope, headers: dict[str, str] | None, limit: int) -> Refusal | None:
        """Give what can be said against a request before its body is read."""
        if headers is None:
            return Refusal(400, ErrorType.INVALID_REQUEST, "the headers or the query are not UTF-8")
        if self._known is None:
            refusal = _refuse_strangers(headers)
        else:
            refusal = await _refuse_unknown(self._known, headers)
        return refusal or _refuse_body(scope, headers, limit)


def _refuse_strangers(headers: Mapping[str, str]) -> Refusal | None:
    named = headers.get("host", "")
    match = HOST.fullmatch(named)
    if match is None or match[1].lower() not in LOCAL_NAMES:
        answers_to = ", ".join(sorted(LOCAL_NAMES))
        return Refusal(421, ErrorType.BLOCKED_ADDRESS, f"this server answers to {answers_to} only, not {named!r}")
    origin = headers.get("origin")
    if origin is not None and origin.lower() != f"http://{named.lower()}":
        return Refusal(403, ErrorType.BLOCKED_ADDRESS, f"pages of {origin} may not use this server")
    return None


async def _refuse_unknown(known: Known, headers: Mapping[str, str]) -> Refusal | None:
    """Ask who sends a body; who only reads is asked by the routes that hold data."""
    if headers.get("content-length", "0") == "0" and "transfer-encoding" not in headers:
        return None
    try:
        await asyncio.to_thread(known, headers.get("authorization"))
    except Unauthorized as error:
        return Refusal(error.http_status, error.error_type, error.message, headers_of(error))
    return None


def _refuse_body(scope: Scope, headers: Mapping[str, str], limit: int) -> Refusal | None:
    kind = headers.get("content-type", "application/json").partition(";")[0].strip().lower()
    if scope["method"] == "POST" and kind != "application/json":
        return Refusal(415, ErrorType.UNSUPPORTED_MEDIA_TYPE, f"the body must be application/json, not {kind!r}")
    if is_packed(headers):
        said = f"the body must be sent as it is, without content-encoding: {headers['content-encoding'][:100]}"
        return Refusal(415, ErrorType.UNSUPPORTED_MEDIA_TYPE, said)
    stated = headers.get("content-length", "0")
    return _too_large(limit) if stated.isdecimal() and int(stated) > limit else None


def _too_large(limit: int) -> Refusal:
    return Refusal(
        413,
        ErrorType.BODY_TOO_LARGE,
        f"the body is over {limit:,} bytes (quotation marks and line breaks count twice)",
    )


def read_headers(scope: Scope) -> dict[str, str] | None:
    """Give the headers by lower-case name, None when one of them, or the query, is not UTF-8."""
    try:
        scope.get("query_string", b"").decode()
        return {name.decode().lower(): value.decode() for name, value in scope["headers"]}
    except UnicodeDecodeError:
        return None


async def read_body(receive: Receive, limit: int) -> bytes | Refusal:
    """Give the request's body, or what is wrong with it."""
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_S):
            while True:
                message = await receive()
                body += message.get("body", b"")
                is_whole = not message.get("more_body", False)
                if len(body) > limit:
                    if not is_whole:
                        await throw_away(receive)
                    return _too_large(limit)
                if is_whole:
                    break
    except TimeoutError:
        return Refusal(408, ErrorType.INVALID_REQUEST, f"the body did not arrive within {BODY_S:g} s")
    try:
        text = body.decode()
    except UnicodeDecodeError:
        return Refusal(400, ErrorType.INVALID_REQUEST, "the body is not UTF-8")
    if len(json.dumps(text, ensure_ascii=False).encode()) > limit:
        return _too_large(limit)
    return bytes(body)


async def throw_away(receive: Receive) -> None:
    """Read the rest of a body for a while, and keep nothing of it."""
    with suppress(TimeoutError):
        async with asyncio.timeout(DRAIN_S):
            while (await receive()).get("more_body", False):
                pass


def replay(body: bytes) -> Receive:
    """Give a receive that hands on a body that was read."""
    left: list[Any] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> Any:
        if not left:
            await asyncio.Event().wait()
        return left.pop()

    return receive


async def send_file(send: Send, file: Path) -> None:
    """Answer with a file of the playground."""
    await send_whole(send, 200, file.read_bytes(), file_headers(file))
