"""The same key starts the same thing once: its name is made from the key, and its record keeps what was asked."""

import json
from collections.abc import Callable
from typing import Any

from gleaner.contracts.digests import digest_of
from gleaner.contracts.errors import InvalidRequest, NotFound
from gleaner.contracts.ports import JsonObject
from gleaner.jobs.jobs import JobRef, new_job_id


def ref_of_key(tenant: str, key: str | None) -> JobRef:
    """Give the name of what a tenant starts under a key; a new one without a key. InvalidRequest for no valid key."""
    if key is None:
        return JobRef(new_job_id(), tenant)
    if not 1 <= len(key) <= 255:
        raise InvalidRequest("an idempotency key has 1 to 255 characters")
    return JobRef(f"k{digest_of(f'{tenant}{chr(10)}{key}')[:40]}", tenant)


def earlier(what: str, record_of: Callable[[], JsonObject], digest: str) -> JsonObject | None:
    """Give the record of what the same key has started; None when it is new, InvalidRequest when that was another."""
    try:
        record = record_of()
    except NotFound:
        return None
    if record.get("request_digest") != digest:
        raise InvalidRequest(f"this idempotency key was used for another {what}; use a new one")
    return record


def request_digest(request: Any) -> str:
    """Give what a request is known again by."""
    return digest_of(json.dumps(request, sort_keys=True))
