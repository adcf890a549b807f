"""Powertools' resolver over ASGI, with one thread per request.

HttpResolverLocal runs plain functions in the event loop: one request that waits for its job would hold up all others.
"""

import asyncio
import base64
import json
import logging
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from aws_lambda_powertools.event_handler import HttpResolverLocal
from aws_lambda_powertools.event_handler.http_resolver import (
    HttpProxyEvent,
    MockLambdaContext,
    _RequestState,  # pyright: ignore[reportPrivateUsage]
)

from gleaner.contracts.error_types import ErrorType
from gleaner.contracts.errors import GleanerError
from gleaner.service.asgi import send_whole
from gleaner.service.gateway import GatewayOf
from gleaner.service.problems import PROBLEM_JSON, headers_of, problem_body

log = logging.getLogger("gleaner.api")
CONCURRENT_REQUESTS = 64
GUARDED = "/v1/"
"""Where a caller is asked who they are, before anything of the request is read; the rest holds no data."""
GATEWAY = "gateway"
"""The name under which a request's context holds its gateway."""


class ThreadedResolver(HttpResolverLocal):
    """The same routes as on Lambda; safe to be called by many requests at once."""

    def __init__(self, gateway_for: GatewayOf) -> None:
        super().__init__(enable_validation=True)
        self._gateway_for = gateway_for
        self._pool = ThreadPoolExecutor(CONCURRENT_REQUESTS, thread_name_prefix="gleaner-http")

    def prepare(self) -> None:
        """Build what Powertools builds at a route's first call, which two threads must not do at once."""
        for route in self._static_routes + self._dynamic_routes:
            route._build_middleware_stack(self._router_middlewares, self)  # pyright: ignore[reportPrivateUsage]

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer one HTTP request whose body comes in one message."""
        if scope["type"] != "http":
            await super().__call__(scope, receive, send)
            return
        message = await receive()
        loop = asyncio.get_running_loop()
        answer = await loop.run_in_executor(self._pool, partial(self._answer, scope, message.get("body", b"")))
        text = answer.get("body") or ""
        body = base64.b64decode(text) if answer.get("isBase64Encoded") else text.encode("utf-8", "replace")
        fields = {name: str(value) for name, value in answer.get("headers", {}).items()}
        await send_whole(send, answer["statusCode"], body, fields)

    def close(self) -> None:
        """Let no more requests in."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _answer(self, scope: Mapping[str, Any], body: bytes) -> dict[str, Any]:
        event = HttpProxyEvent.from_asgi(scope, body)
        context: Any = MockLambdaContext()
        state = _RequestState(event=event, lambda_context=context, context={})
        token = self._request_state.set(state)
        try:
            if event.path.startswith(GUARDED):
                state.context[GATEWAY] = self._gateway_for(event.headers)
            return self._resolve().build(event, self._cors)
        except GleanerError as error:
            return _problem(error.http_status, error.error_type, error.message, headers_of(error))
        except Exception as error:  # the edge of the server: no fault may show its insides or end it
            log.exception("a fault at %s %r", event.http_method, event.path)
            return _problem(500, ErrorType.INTERNAL_ERROR, f"internal error in Gleaner: {type(error).__name__}")
        finally:
            self._request_state.reset(token)


def _problem(
    status: int, error_type: ErrorType, detail: str, headers: Mapping[str, str] | None = None
) -> dict[str, Any]:
    body = json.dumps(problem_body(status, error_type, detail))
    return {"statusCode": status, "headers": {"Content-Type": PROBLEM_JSON, **(headers or {})}, "body": body}
