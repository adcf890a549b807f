"""Errors as problem+json (RFC 9457), from one table: the classes of gleaner.errors and their ``http_status``."""

import json
from http import HTTPStatus
from typing import Any

from aws_lambda_powertools.event_handler import Response

from gleaner.errors import GleanerError, RateLimited

PROBLEM_JSON = "application/problem+json"


def problem(status: int, error_type: str, detail: str, headers: dict[str, str] | None = None) -> Response[str]:
    """Give the answer for a problem; ``error_type`` is for programs, ``detail`` for people."""
    body = {
        "type": f"urn:gleaner:error:{error_type}",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        "error_type": error_type,
    }
    return Response(status, content_type=PROBLEM_JSON, body=json.dumps(body), headers=dict(headers or {}))


def problem_of(error: GleanerError) -> Response[str]:
    """Give the answer for one of our own errors."""
    headers: dict[str, str] = {}
    if isinstance(error, RateLimited) and error.retry_after is not None:
        headers["Retry-After"] = str(max(1, round(error.retry_after)))
    if error.http_status == HTTPStatus.UNAUTHORIZED:
        headers["WWW-Authenticate"] = "Bearer"
    return problem(error.http_status, error.error_type, error.message, headers)


def validation_detail(errors: Any) -> str:
    """Say which parameters are wrong, in one line."""
    lines = [f"{'.'.join(str(part) for part in item.get('loc', ())[1:])}: {item.get('msg')}" for item in errors]
    return "; ".join(lines) or "the request is not valid"
