"""Read a request strictly: one JSON object, and only the parameters of its route."""

from collections.abc import Mapping
from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.exceptions import RequestEntityTooLargeError
from aws_lambda_powertools.event_handler.middlewares.openapi_validation import OpenAPIRequestValidationMiddleware
from aws_lambda_powertools.event_handler.openapi.exceptions import RequestUnsupportedContentType

from gleaner.contracts.errors import InvalidRequest
from gleaner.contracts.json_text import parse_json

MAX_BODY = 1_000_000
"""Bytes of a body. A ScrapeRequest has at most 250,000 of compact JSON; this leaves room to indent it."""

MAX_BODIES = {"/v1/content": 6_000_000, "/v1/similarity": 6_000_000, "/v1/batches": 6_000_000}
"""Bytes of the bodies that carry a page or a list: as much as a Lambda function is handed."""

MAX_FIELDS = 100
"""Names at the top level of a body. None has half as many; each unknown one would be an error of its own."""

CHECKED = "/v1/"
"""Where parameters are checked; other pages have their own, and hold no data."""


class ExactReading(OpenAPIRequestValidationMiddleware):
    """Powertools' own check of a request, on a body and parameters that mean one thing.

    By itself it drops parameters that no route has, takes a form for JSON, and of a list the first item.
    """

    def handler(self, app: Any, next_middleware: Any) -> Response[Any]:
        """Refuse what is misread, then validate."""
        event = app.current_event
        if event.path.startswith(CHECKED):
            known = [one.alias for one in app.context["_route"].dependant.query_params]
            unknown = next((name for name in event.query_string_parameters or {} if name not in known), None)
            if unknown is not None:
                there_are = f"there are {', '.join(known)}" if known else "there are none here"
                raise InvalidRequest(f"{unknown[:100]}: unknown parameter; {there_are}")
        return super().handler(app, next_middleware)

    def _get_body(self, app: Any) -> Any:
        kind = app.current_event.headers.get("content-type") or "application/json"
        if kind.partition(";")[0].strip().lower() != "application/json" or is_packed(app.current_event.headers):
            raise RequestUnsupportedContentType(kind, [])
        try:
            text = app.current_event.decoded_body
        except ValueError:
            raise InvalidRequest("the body is not UTF-8") from None
        check_size(app.current_event.path, len(text))
        try:
            value = parse_json(text) if text else None
        except ValueError as error:
            raise InvalidRequest(f"the body is not valid JSON: {error}") from None
        if isinstance(value, list):
            raise InvalidRequest("the body is a JSON array; it must be an object")
        if isinstance(value, dict) and len(value) > MAX_FIELDS:
            raise InvalidRequest(f"the body has {len(value)} fields; no request has more than {MAX_FIELDS}")
        return value


def is_packed(headers: Mapping[str, str]) -> bool:
    """Tell whether a body was sent compressed, which no route reads.

    >>> is_packed({"content-encoding": "gzip"}), is_packed({"content-encoding": "identity"}), is_packed({})
    (True, False, False)
    """
    return (headers.get("content-encoding") or "identity").strip().lower() != "identity"


def body_limit(path: str) -> int:
    """Give how many bytes the body of a route may have."""
    return MAX_BODIES.get(path, MAX_BODY)


def check_size(path: str, size: int) -> None:
    """Raise RequestEntityTooLargeError for a body that takes longer to read than its route needs."""
    if size > body_limit(path):
        raise RequestEntityTooLargeError(f"the body is over {body_limit(path)} bytes")
