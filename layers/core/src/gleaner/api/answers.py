"""What the routes share: parameters, problem responses and how they answer."""

import json
from collections.abc import Callable
from http import HTTPStatus
from typing import Annotated, Any, Literal
from urllib.parse import urlencode

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.api_gateway import ApiGatewayResolver
from aws_lambda_powertools.event_handler.openapi.params import Header, Path, Query
from pydantic import BaseModel

from gleaner.api.bodies import Problem
from gleaner.contracts.ports import ItemPage
from gleaner.service.gateway import MAX_WAIT_S, Gateway

GatewayOf = Callable[[ApiGatewayResolver], Gateway]
"""Gives the gateway for the request that the resolver works on; Unauthorized or RateLimited when it may not pass."""

PROBLEMS: Any = {
    status: {"description": HTTPStatus(status).phrase, "content": {"application/problem+json": {"model": Problem}}}
    for status in (400, 401, 402, 403, 404, 405, 413, 415, 421, 422, 424, 429, 500, 502, 503, 504)
}


def answering(description: str, status: int = 200, content: Any = None) -> Any:
    """Give the ``responses`` of a route: what it answers with, and the problems; ``content`` by media type."""
    answer = {"description": description} | ({"content": content} if content is not None else {})
    elsewhere = (
        {303: {"description": "On AWS: the answer is too large; read it at `Location`"}} if status == 200 else {}
    )
    return {status: answer, **elsewhere, **PROBLEMS}


def json_of(model: type[BaseModel]) -> Any:
    """Give the content of a JSON answer that is such a model."""
    return {"application/json": {"model": model}}


Limit = Annotated[int, Query(ge=1, le=1000, description="Maximum number")]
AnyLimit = Annotated[
    int | None,
    Query(ge=1, le=50_000, description="Maximum number; by default 100 for JSON, and as many as fit for other formats"),
]
After = Annotated[
    str | None, Query(pattern="^[ -~]{1,1000}$", description="Where to continue: the `next` of the previous page")
]
PageUrl = Annotated[
    str | None,
    Query(min_length=1, max_length=16_384, description="Only strategies whose pattern matches this URL, best first"),
]
MAX_PAGE = 4_000_000
"""Bytes of a page of results; a function's answer may have 6 MB."""
Wait = Annotated[float, Query(ge=0, le=MAX_WAIT_S, description="Seconds to wait for the result")]
Id = Annotated[str, Path(pattern="^[A-Za-z0-9_-]{1,80}$")]
Picture = Annotated[
    Literal["screenshot", "fullscreenshot"] | None, Query(description="Which one, where there are both")
]
LinesKind = Annotated[Literal["json", "ndjson"], Query(description="json or ndjson")]
Kind = Annotated[Literal["json", "ndjson", "csv"], Query(description="json, ndjson or csv")]
IdempotencyKey = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        min_length=1,
        max_length=255,
        description="Requests with the same key start one job",
    ),
]


def next_link(path: str, following: str | None, **query: Any) -> dict[str, str]:
    """Give the header that leads to the next page (RFC 8288), if there is one: lines and tables have no room for it."""
    if following is None:
        return {}
    given = {name: value for name, value in query.items() if value is not None}
    return {"Link": f'<{path}?{urlencode({**given, "after": following})}>; rel="next"'}


def fitting(page: ItemPage) -> ItemPage:
    """Give the page, ended early where it would be larger than an answer may be, but not before its first item."""
    size = 0
    for number, item in enumerate(page.items):
        size += len(json.dumps(item.data))
        if number and size > MAX_PAGE:
            return ItemPage(page.items[:number], page.items[number - 1].sk)
    return page


def json_answer(status: int, body: Any, headers: dict[str, str] | None = None) -> Response[Any]:
    """Give a JSON answer."""
    return Response(status, content_type="application/json", body=body, headers=dict(headers or {}))


STRANGERS_WORDS = {"X-Content-Type-Options": "nosniff", "Content-Security-Policy": "default-src 'none'; sandbox"}
"""Headers of what strangers have written: shown by a browser, it would be a page of this origin, and ask as one."""


def raw_answer(kind: str, body: str | bytes, headers: dict[str, str] | None = None) -> Response[Any]:
    """Give what a site has sent, or what was made of it, as the type that it has: nothing in it is run."""
    return Response(200, content_type=kind, body=body, headers={**STRANGERS_WORDS, **(headers or {})})
