"""Start jobs from events: ScrapeRequested, a schedule, a direct call, an upload under ``inbox/`` (EV-1).

Events come at least once. What an event starts is named for the event, so that the same one starts one job.
"""

import json
from typing import Any

from gleaner.contracts.errors import InvalidRequest
from gleaner.contracts.items import DEFAULT_TENANT
from gleaner.contracts.ports import JsonObject, Services, Starter
from gleaner.jobs.batches import ParsedList, Politeness, parse_list
from gleaner.jobs.jobs import JobRef, tenant_of
from gleaner.service.gateway import Gateway

INBOX = "inbox/"
MAX_SOURCE = 1_024
"""Characters of an upload's key: what S3 takes."""
CALL_FIELDS = {"request", "idempotency_key", "tenant"}
BATCH_FIELDS = {"requests", "list", "name", "defaults", "politeness", "idempotency_key", "tenant"}


def start_scrape(event: JsonObject, services: Services, starter: Starter) -> JsonObject:
    """Start the job that an event asks for; give ``{job_id, tenant}``.

    The event is a ScrapeRequested event of the bus, a ScrapeRequest, or ``{request, idempotency_key, tenant}``, which
    a schedule sends with its execution's id as the key. InvalidRequest names what is wrong with any other.
    """
    request, key, tenant = _read_scrape(event)
    ref = Gateway(services, starter, JobRef("x", tenant).tenant).start_scrape(request, idempotency_key=key)
    return ref.to_json()


def start_batch(event: JsonObject, services: Services, starter: Starter) -> JsonObject:
    """Start the batch that an event asks for; give its record, or ``{ignored}`` for a folder's own object.

    The event is S3's Object Created for a list under ``inbox/`` (``inbox/TENANT/…`` for a tenant's), or
    ``{requests or list, defaults, politeness, idempotency_key, tenant}``.
    """
    if "detail-type" in event:
        return _start_upload(event, services, starter)
    _check_fields(event, BATCH_FIELDS)
    gateway = Gateway(services, starter, JobRef("x", tenant_of(event)).tenant)
    politeness = Politeness.read(event.get("politeness") or {})
    return gateway.start_batch(_read_list(event), politeness, idempotency_key=_text(event, "idempotency_key"))


def _read_scrape(event: JsonObject) -> tuple[Any, str | None, str]:
    if "detail-type" in event:
        if event.get("detail-type") != "ScrapeRequested":
            raise InvalidRequest(
                f"an event of type {event.get('detail-type')!r} can't start a job; ScrapeRequested can"
            )
        return event.get("detail"), f"event {_needed(event, 'id')}", DEFAULT_TENANT
    if "request" in event:
        _check_fields(event, CALL_FIELDS)
        return event["request"], _text(event, "idempotency_key"), tenant_of(event)
    return event, None, DEFAULT_TENANT


def _start_upload(event: JsonObject, services: Services, starter: Starter) -> JsonObject:
    detail = event.get("detail")
    stored = detail.get("object") if isinstance(detail, dict) else None
    if event.get("detail-type") != "Object Created" or not isinstance(detail, dict) or not isinstance(stored, dict):
        raise InvalidRequest(f"an event of type {event.get('detail-type')!r} can't start a batch; Object Created can")
    _check_bucket(detail, services)
    key = _needed(stored, "key")
    if not key.startswith(INBOX):
        raise InvalidRequest(f"{key!r} is not under {INBOX}")
    if key.endswith("/"):
        return {"ignored": key}
    tenant, _, rest = key.removeprefix(INBOX).partition("/")
    gateway = Gateway(services, starter, JobRef("x", tenant if rest else DEFAULT_TENANT).tenant)
    version = str(stored.get("version-id") or stored.get("sequencer") or stored.get("etag") or _needed(event, "id"))
    parsed = parse_list(services.blobs.read(key), key)
    return gateway.start_batch(
        parsed, Politeness(), idempotency_key=f"upload {version} {key}"[:255], source=key[:MAX_SOURCE]
    )


def _check_bucket(detail: JsonObject, services: Services) -> None:
    bucket = detail.get("bucket")
    name = bucket.get("name") if isinstance(bucket, dict) else None
    own = services.settings.bucket_name
    if own is not None and name != own:
        raise InvalidRequest(f"the upload is in bucket {name!r}, not in {own!r}")


def _read_list(event: JsonObject) -> ParsedList:
    defaults = event.get("defaults") or {}
    if not isinstance(defaults, dict):
        raise InvalidRequest("defaults must be an object of ScrapeRequest fields")
    text = event.get("list") if isinstance(event.get("list"), str) else json.dumps(event.get("requests") or [])
    return parse_list(str(text).encode("utf-8", "surrogatepass"), str(event.get("name") or ""), defaults)


def _check_fields(event: JsonObject, known: set[str]) -> None:
    unknown = set(event) - known
    if unknown:
        raise InvalidRequest(f"{sorted(unknown)[0]}: unknown field; fields: {', '.join(sorted(known))}")


def _needed(event: JsonObject, name: str) -> str:
    value = event.get(name)
    if not isinstance(value, str) or not value:
        raise InvalidRequest(f"the event has no {name}")
    return value


def _text(event: JsonObject, name: str) -> str | None:
    value = event.get(name)
    if value is not None and not isinstance(value, str):
        raise InvalidRequest(f"{name} must be a string")
    return value
