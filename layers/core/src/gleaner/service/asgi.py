"""The ASGI types that the servers use, and how they send an answer that is there whole."""

import json
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from gleaner.contracts.error_types import ErrorType
from gleaner.service.problems import PROBLEM_JSON, problem_body

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Refusal:
    """What a request is refused with."""

    status: int
    error_type: ErrorType
    detail: str
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


async def send_refusal(send: Send, refusal: Refusal) -> None:
    """Answer with problem+json."""
    body = json.dumps(problem_body(refusal.status, refusal.error_type, refusal.detail)).encode()
    await send_whole(send, refusal.status, body, {"content-type": PROBLEM_JSON, **refusal.headers})


async def send_whole(send: Send, status: int, body: bytes, headers: Mapping[str, str]) -> None:
    """Send one whole answer; nothing to a caller who has hung up."""
    fields = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
    fields.append((b"content-length", str(len(body)).encode()))
    with suppress(OSError):
        await send({"type": "http.response.start", "status": status, "headers": fields})
        await send({"type": "http.response.body", "body": body})
