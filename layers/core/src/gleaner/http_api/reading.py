"""How a request is read: one JSON object and the parameters that its route has, where Powertools would guess."""

from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.middlewares.openapi_validation import OpenAPIRequestValidationMiddleware
from aws_lambda_powertools.event_handler.openapi.exceptions import RequestUnsupportedContentType

from gleaner.errors import InvalidRequest
from gleaner.strict_json import parse_json

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
        if kind.partition(";")[0].strip().lower() != "application/json":
            raise RequestUnsupportedContentType(kind, [])
        try:
            text = app.current_event.decoded_body
        except ValueError:
            raise InvalidRequest("the body is not UTF-8") from None
        try:
            value = parse_json(text) if text else None
        except ValueError as error:
            raise InvalidRequest(f"the body is not valid JSON: {error}") from None
        if isinstance(value, list):
            raise InvalidRequest("the body is a JSON array; it must be an object")
        return value
