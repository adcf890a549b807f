"""The problem+json responses (RFC 9457) of everything that speaks HTTP."""

from http import HTTPStatus
from typing import Any

from gleaner.contracts.error_types import ErrorType
from gleaner.contracts.errors import GleanerError, RateLimited

PROBLEM_JSON = "application/problem+json"


def problem_body(status: int, error_type: ErrorType, detail: str) -> dict[str, Any]:
    """Give the problem itself; ``error_type`` is for programs, ``detail`` for people."""
    return {
        "type": f"urn:gleaner:error:{error_type}",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        "error_type": error_type,
    }


def headers_of(error: GleanerError) -> dict[str, str]:
    """Give the headers that an error's answer carries: when to come back, how to sign in."""
    headers: dict[str, str] = {}
    if isinstance(error, RateLimited) and error.retry_after is not None:
        headers["Retry-After"] = str(max(1, round(error.retry_after)))
    if error.http_status == HTTPStatus.UNAUTHORIZED:
        headers["WWW-Authenticate"] = "Bearer"
    return headers
