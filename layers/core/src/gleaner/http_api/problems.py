"""Errors as problem+json (RFC 9457), from one table: the classes of gleaner.errors and their ``http_status``."""

import json
from http import HTTPStatus
from typing import Any

from aws_lambda_powertools.event_handler import Response

from gleaner.errors import GleanerError, RateLimited
from gleaner.models import wrong_value

PROBLEM_JSON = "application/problem+json"


def problem_body(status: int, error_type: str, detail: str) -> dict[str, Any]:
    """Give the problem itself; ``error_type`` is for programs, ``detail`` for people."""
    return {
        "type": f"urn:gleaner:error:{error_type}",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        "error_type": error_type,
    }


def problem(status: int, error_type: str, detail: str, headers: dict[str, str] | None = None) -> Response[str]:
    """Give the answer for a problem."""
    body = json.dumps(problem_body(status, error_type, detail))
    return Response(status, content_type=PROBLEM_JSON, body=body, headers=dict(headers or {}))


def problem_of(error: GleanerError) -> Response[str]:
    """Give the answer for one of our own errors."""
    return problem(error.http_status, error.error_type, error.message, headers_of(error))


def headers_of(error: GleanerError) -> dict[str, str]:
    """Give the headers that an error's answer carries: when to come back, how to sign in."""
    headers: dict[str, str] = {}
    if isinstance(error, RateLimited) and error.retry_after is not None:
        headers["Retry-After"] = str(max(1, round(error.retry_after)))
    if error.http_status == HTTPStatus.UNAUTHORIZED:
        headers["WWW-Authenticate"] = "Bearer"
    return headers


def validation_detail(errors: Any) -> str:
    """Say which parameters are wrong, in one line."""
    lines = [_line(item) for item in errors]
    return "; ".join(lines) or "the request is not valid"


def _line(item: Any) -> str:
    where, *inner = item.get("loc") or ("request",)
    if item.get("type") == "json_invalid":
        return f"the body is not valid JSON: {item.get('ctx', {}).get('error', '')} at character {(inner or [0])[0]}"
    place = ".".join(str(part) for part in inner) or str(where)
    return wrong_value(place, str(item.get("msg")), item.get("input"), str(item.get("type")))
