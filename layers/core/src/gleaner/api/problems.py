"""Turn errors into problem responses by one table: the classes of gleaner.errors and their ``http_status``."""

import json
from typing import Any

from aws_lambda_powertools.event_handler import Response

from gleaner.contracts.error_types import ErrorType
from gleaner.contracts.errors import GleanerError
from gleaner.contracts.models import ID_RULE, PROBLEMS_SHOWN, wrong_value
from gleaner.service.problems import PROBLEM_JSON, headers_of, problem_body

PLACE_RULE = "use the `next` of the previous page"


def problem(status: int, error_type: ErrorType, detail: str, headers: dict[str, str] | None = None) -> Response[str]:
    """Give the answer for a problem."""
    body = json.dumps(problem_body(status, error_type, detail))
    return Response(status, content_type=PROBLEM_JSON, body=body, headers=dict(headers or {}))


def problem_of(error: GleanerError) -> Response[str]:
    """Give the answer for one of our own errors."""
    return problem(error.http_status, error.error_type, error.message, headers_of(error))


def validation_detail(errors: Any) -> str:
    """Say which parameters are wrong, in one line."""
    lines = [_line(item) for item in errors[:PROBLEMS_SHOWN]]
    more = [f"and {len(errors) - len(lines)} more"] if len(errors) > len(lines) else []
    return "; ".join([*lines, *more]) or "the request is not valid"


def _line(item: Any) -> str:
    where, *inner = item.get("loc") or ("request",)
    place = ".".join(str(part) for part in inner) or str(where)
    kind, message = str(item.get("type")), str(item.get("msg"))
    if kind == "string_pattern_mismatch":
        message = PLACE_RULE if place == "after" else ID_RULE
    return wrong_value(place, message, item.get("input"), kind)
