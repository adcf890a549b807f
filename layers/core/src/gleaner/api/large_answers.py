"""Store answers that are too large for Lambda, and redirect the caller to them (303)."""

import base64
import hashlib
import json
from typing import Any

from gleaner.contracts.items import DEFAULT_TENANT
from gleaner.contracts.ports import BlobStore, JsonObject

MAX_ANSWER = 6_000_000
"""Bytes of a function's answer as Lambda counts them: as JSON, a binary body in base64. Its quota is 6,291,556."""
MAX_BINARY = MAX_ANSWER * 3 // 4 - 10_000
"""Bytes of a binary body that fit, with room for the headers."""
EXPIRES_S = 3_600
ESCAPED = 6
"""Bytes that one byte of a body takes at the most: a control character as ``\\u0000``."""


def within_limit(answer: JsonObject, blobs: BlobStore, tenant: str | None) -> JsonObject:
    """Give an HTTP API answer (payload format 2.0) as it is, or the way to its body where it is too large to send.

    Half surrogates, which no UTF-8 can carry, become ``?``. The body is stored as ``answers/TENANT/DIGEST``: the same
    body is stored once. RFC 9110, 15.4.4: what ``Location`` names is read with GET, whatever the request was.
    """
    body = answer.get("body")
    if not isinstance(body, str):
        return answer
    body = body.encode("utf-8", "replace").decode()
    answer = {**answer, "body": body}
    if answer.get("statusCode") != 200 or len(body) * ESCAPED < MAX_ANSWER or encoded_size(answer) <= MAX_ANSWER:
        return answer
    raw = base64.b64decode(body) if answer.get("isBase64Encoded") else body.encode()
    kind = _content_type(answer)
    key = f"answers/{tenant or DEFAULT_TENANT}/{hashlib.sha256(raw).hexdigest()[:40]}"
    blobs.write(key, raw, kind)
    return see_other(blobs.url(key, EXPIRES_S), len(raw), kind, answer)


def see_other(url: str, size: int, kind: str, answer: JsonObject) -> JsonObject:
    """Give the answer that leads to a body of that size and type at another URL; other headers stay."""
    kept = {name: value for name, value in _headers(answer).items() if not name.lower().startswith("content-")}
    body = json.dumps(location_of(url, size, kind))
    headers: Any = {**kept, "Content-Type": "application/json", "Location": url, "Cache-Control": "no-store"}
    return {**answer, "statusCode": 303, "headers": headers, "body": body, "isBase64Encoded": False}


def location_of(url: str, size: int, kind: str) -> JsonObject:
    """Say in JSON where a body is, for callers that follow no redirect."""
    return {"location": url, "bytes": size, "content_type": kind, "expires_in_s": EXPIRES_S}


def encoded_size(answer: JsonObject) -> int:
    """Give the bytes that Lambda's runtime client for Python 3.12 and up makes of an answer."""
    return len(json.dumps(answer, ensure_ascii=False).encode("utf-8", "replace"))


def _headers(answer: JsonObject) -> dict[str, Any]:
    headers = answer.get("headers")
    return dict(headers) if isinstance(headers, dict) else {}


def _content_type(answer: JsonObject) -> str:
    named = (str(value) for name, value in _headers(answer).items() if name.lower() == "content-type")
    return next(named, "application/octet-stream")
