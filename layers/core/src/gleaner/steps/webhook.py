"""Webhooks: the changes of a run, signed, sent to whom the watch names (WA-1).

The body is signed with HMAC-SHA256 over ``timestamp.body``: ``Gleaner-Signature: t=…,v1=…``. A receiver that checks
it, and that the time is not long ago, knows that the call is ours and no replay.
"""

import hashlib
import hmac
import json
import time
from typing import Any

from gleaner.contracts.errors import NotFound, PageError, WebhookFailed
from gleaner.contracts.ports import JsonObject, Services
from gleaner.steps.watch import read_watch, told_of

TOLERANCE_S = 300
"""How old a signature may be for a receiver that does not keep what it has seen."""


def deliver_webhook(event: JsonObject, services: Services) -> JsonObject:
    """Take ``{watch, run_id}``; call the watch's webhook; give ``{delivered}``. With ``failure`` give up and say so.

    WebhookFailed is retried by the state machine; BlockedAddress is not: the address leads where nobody may go.
    """
    watches, ref = read_watch(event, services)
    run_id = str(event.get("run_id"))
    run = watches.run(ref.job_id, run_id)
    try:
        record = watches.record(ref.job_id)
    except NotFound:
        return {"delivered": False}
    webhook: Any = record.get("webhook")
    if run is None or not webhook or (run.delivery or {}).get("status") == "delivered":
        return {"delivered": False}
    tries = int((run.delivery or {}).get("tries", 0))
    if "failure" in event:
        run.delivery = {"status": "dead", "tries": tries, "said": str(event["failure"])[:500]}
        watches.note(ref.job_id, run)
        told: JsonObject = {"watch_id": ref.job_id, "tenant": ref.tenant, "run_id": run_id, "url": webhook["url"]}
        services.events.send("WebhookDeadLettered", {**told, "delivery": run.delivery})
        return {"delivered": False}
    run.delivery = {"status": "trying", "tries": tries + 1}
    watches.note(ref.job_id, run)
    changes = told_of(run, record, watches.changes(ref.job_id, run_id), ref.tenant)
    body = json.dumps({"type": "RecordsChanged", **changes}, ensure_ascii=False).encode("utf-8", "surrogatepass")
    headers = {
        "Content-Type": "application/json",
        "Gleaner-Delivery": f"{ref.job_id}/{run_id}",
        "Gleaner-Signature": signature(webhook["secret"], body, int(time.time())),
    }
    try:
        status = services.fetcher.post(webhook["url"], body, headers)
    except PageError as error:
        raise WebhookFailed(f"{webhook['url']}: {error.message}") from error
    if not 200 <= status < 300:
        raise WebhookFailed(f"{webhook['url']} answered {status}; any of 200 to 299 is an acceptance")
    run.delivery = {"status": "delivered", "tries": tries + 1, "at": time.time()}
    watches.note(ref.job_id, run)
    return {"delivered": True}


def signature(secret: str, body: bytes, timestamp: int) -> str:
    """Give the value of ``Gleaner-Signature``.

    >>> signature("secret", b"{}", 1)[:12]
    't=1,v1=11227'
    """
    digest = hmac.new(secret.encode(), f"{timestamp}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={timestamp},v1={digest}"


def is_signed(header: str, secret: str, body: bytes, now: float | None = None) -> bool:
    """Tell whether a body is signed by this secret, not long ago: what a receiver checks.

    >>> is_signed(signature("s", b"{}", 5), "s", b"{}", now=6.0), is_signed(signature("s", b"{}", 5), "s", b"{}")
    (True, False)
    """
    stamp = header.partition(",")[0].removeprefix("t=")
    if not stamp.isdigit():
        return False
    is_recent = abs((time.time() if now is None else now) - int(stamp)) <= TOLERANCE_S
    return is_recent and hmac.compare_digest(signature(secret, body, int(stamp)), header)
