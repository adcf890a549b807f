"""``gleaner serve``: the HTTP API, the playground and MCP on this machine, over ASGI."""

import asyncio
import json
import mimetypes
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path
from typing import Any

from aws_lambda_powertools.event_handler import HttpResolverLocal
from aws_lambda_powertools.event_handler.api_gateway import ApiGatewayResolver

from gleaner.gateway import Gateway
from gleaner.http_api.app import add_routes
from gleaner.jobs import DEFAULT_TENANT
from gleaner.local.runner import LocalRunner
from gleaner.ports import Services
from gleaner.tokens import Tokens

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

WEB = Path(__file__).parents[1] / "web"
MAX_BODY = 12_000_000
LOCAL_NAMES = frozenset({"127.0.0.1", "localhost", "[::1]"})
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
)


def api_app(services: Services, runner: LocalRunner, *, require_token: bool) -> App:
    """Make the API's resolver for this machine: without tokens every caller is the default tenant."""
    app = HttpResolverLocal(enable_validation=True)
    tokens = Tokens(services.table)

    def gateway_of(resolver: ApiGatewayResolver) -> Gateway:
        if not require_token:
            return Gateway(services, runner, DEFAULT_TENANT)
        principal = tokens.verify(resolver.current_event.headers.get("authorization"))
        tokens.admit(principal)
        return Gateway(services, runner, principal.tenant)

    add_routes(app, gateway_of)
    return app


class Front:
    """What stands before the API: limits, the pages of the playground, MCP, and who may call at all.

    Without tokens only this machine's own names are answered, and no other site's page may post: a web page that a
    person has open must not be able to use the API behind their back.
    """

    def __init__(self, api: App, *, require_token: bool, mcp: App | None = None) -> None:
        self._api = api
        self._mcp = mcp
        self._require_token = require_token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or refuse it."""
        if scope["type"] == "lifespan":
            await (self._mcp or self._api)(scope, receive, send)
            return
        if scope["type"] != "http":
            return
        refusal = self._refusal(scope)
        if refusal is not None:
            await send_problem(send, *refusal)
            return
        body = await read_body(receive, MAX_BODY)
        if body is None:
            await send_problem(send, 413, "body_too_large", f"the body is over {MAX_BODY} bytes")
        elif not is_text(body) and not scope["path"].startswith("/mcp"):
            await send_problem(send, 400, "invalid_request", "the body is not UTF-8")
        else:
            await self._route(scope, body, send)

    async def _route(self, scope: Scope, body: bytes, send: Send) -> None:
        file = web_file(scope["path"]) if scope["method"] in ("GET", "HEAD") else None
        if file is not None:
            await send_file(send, file)
        elif scope["path"].rstrip("/") == "/mcp" and self._mcp is not None:
            await self._mcp(scope, replay(body), send)
        else:
            await self._api(scope, replay(body), send)

    def _refusal(self, scope: Scope) -> tuple[int, str, str] | None:
        headers = read_headers(scope)
        if headers is None:
            return 400, "invalid_request", "a header is not UTF-8"
        if self._require_token:
            return None
        host = headers.get("host", "").rpartition(":")[0] or headers.get("host", "")
        if host not in LOCAL_NAMES:
            return 421, "blocked_address", f"this server answers to {', '.join(sorted(LOCAL_NAMES))} only, not {host!r}"
        origin = headers.get("origin")
        if origin is not None and origin != f"http://{headers.get('host', '')}":
            return 403, "blocked_address", f"pages of {origin} may not use this server"
        return None


def read_headers(scope: Scope) -> dict[str, str] | None:
    """Give the headers by lower-case name, None when one is not UTF-8."""
    try:
        return {name.decode().lower(): value.decode() for name, value in scope["headers"]}
    except UnicodeDecodeError:
        return None


def is_text(body: bytes) -> bool:
    """Tell whether the bytes are UTF-8."""
    try:
        body.decode()
    except UnicodeDecodeError:
        return False
    return True


async def read_body(receive: Receive, limit: int) -> bytes | None:
    """Give the request's body, None when it is over the limit."""
    parts: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        part = message.get("body", b"")
        size += len(part)
        if size > limit:
            return None
        parts.append(part)
        if not message.get("more_body", False):
            return b"".join(parts)


def replay(body: bytes) -> Receive:
    """Give a receive that hands on a body that was read."""
    left: list[Any] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> Any:
        if not left:
            await asyncio.Event().wait()
        return left.pop()

    return receive


def web_file(path: str) -> Path | None:
    """Give the playground's file for a path, None when there is none."""
    name = path.lstrip("/") or "index.html"
    if "/" in name or name.startswith(".") or not (WEB / name).is_file():
        return None
    return WEB / name


async def send_file(send: Send, file: Path) -> None:
    """Answer with a file of the playground."""
    kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    charset = "; charset=utf-8" if kind.startswith("text/") or kind.endswith("javascript") else ""
    headers = {"content-type": kind + charset, "content-security-policy": POLICY, "x-content-type-options": "nosniff"}
    await send_whole(send, 200, file.read_bytes(), headers)


async def send_problem(send: Send, status: int, error_type: str, detail: str) -> None:
    """Answer with problem+json."""
    body = {
        "type": f"urn:gleaner:error:{error_type}",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        "error_type": error_type,
    }
    await send_whole(send, status, json.dumps(body).encode(), {"content-type": "application/problem+json"})


async def send_whole(send: Send, status: int, body: bytes, headers: dict[str, str]) -> None:
    """Send one whole answer."""
    fields = [(name.encode(), value.encode()) for name, value in headers.items()]
    fields.append((b"content-length", str(len(body)).encode()))
    with suppress(OSError):
        await send({"type": "http.response.start", "status": status, "headers": fields})
        await send({"type": "http.response.body", "body": body})
