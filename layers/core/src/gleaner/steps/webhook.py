"""Webhooks: the changes of a run, signed, sent to whom the watch names (WA-1).

The body is signed with HMAC-SHA256 over ``timestamp.body``: ``Gleaner-Signature: t=…,v1=…``. A receiver that checks
it, and that the time is not long ago, knows that the call is ours and no replay.
"""

import hashlib
import hmac
import json
import re
import time
from typing import Any

from gleaner.contracts.errors import BlockedAddress, NotFound, PageError, WebhookFailed
from gleaner.contracts.ports import JsonObject, Services
from gleaner.steps.watch import read_watch, told_of

TOLERANCE_S = 300
"""How old a signature may be for a receiver that does not keep what it has seen."""

MOST_PARTS = 20
"""Parts of a header that are read; a sender writes three at the most."""

_STAMP = re.compile("[0-9]{1,15}")
_BEHIND_ORIGIN = re.compile(r"(https?://)(?:[^\s/?#]*@)?([^\s/?#]+)[/?#]\S*")


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
        run.delivery = {"status": "dead", "tries": tries, "said": _told(str(event["failure"]))[:500]}
        watches.note(ref.job_id, run)
        told: JsonObject = {
            "watch_id": ref.job_id,
            "tenant": ref.tenant,
            "run_id": run_id,
            "url": _told(webhook["url"]),
        }
        services.events.send("WebhookDeadLettered", {**told, "delivery": run.delivery})
        return {"delivered": False}
    run.delivery = {"status": "trying", "tries": tries + 1}
    watches.note(ref.job_id, run)
    changes = told_of(run, record, watches.changes(ref.job_id, run_id), ref.tenant)
    body = json.dumps({"type": "RecordsChanged", **changes}, ensure_ascii=False).encode("utf-8", "surrogatepass")
    headers = {
        "Content-Type": "application/json",
        "Gleaner-Delivery": f"{ref.job_id}/{run_id}",
        "Gleaner-Signature": signature(webhook["secret"], body, int(time.time()), *_former_secret(webhook)),
    }
    try:
        status = services.fetcher.post(webhook["url"], body, headers)
    except BlockedAddress as error:
        raise BlockedAddress(_told(error.message)) from None
    except PageError as error:
        raise WebhookFailed(f"{_told(webhook['url'])}: {_told(error.message)}") from None
    if not 200 <= status < 300:
        raise WebhookFailed(f"{_told(webhook['url'])} answered {status}; any of 200 to 299 is an acceptance")
    run.delivery = {"status": "delivered", "tries": tries + 1, "at": time.time()}
    watches.note(ref.job_id, run)
    return {"delivered": True}


def _told(text: str) -> str:
    """Give a text with its addresses cut to their origins: what follows may be a token, and errors are kept for long.

    >>> _told("https://hooks.example:8443/T0/s3cret?a=b: no answer")
    'https://hooks.example:8443/… no answer'
    """
    return _BEHIND_ORIGIN.sub(r"\1\2/…", text)


def _former_secret(webhook: Any) -> tuple[str, ...]:
    former = webhook.get("former") or {}
    return (former["secret"],) if former.get("until", 0) > time.time() else ()


def signature(secret: str, body: bytes, timestamp: int, *others: str) -> str:
    """Give the value of ``Gleaner-Signature``: a ``v1`` for the secret, and one for each other that is still in use.

    >>> signature("secret", b"{}", 1)[:12]
    't=1,v1=11227'
    """
    signed = (f"v1={_digest(one, body, timestamp)}" for one in (secret, *others))
    return ",".join((f"t={timestamp}", *signed))


def is_signed(header: str, secret: str, body: bytes, now: float | None = None) -> bool:
    """Tell whether a body is signed by this secret, not long ago: what a receiver checks. No header raises an error.

    One of several ``v1`` is enough: while a secret is changed, the sender signs with the old one, too.

    >>> is_signed(signature("s", b"{}", 5), "s", b"{}", now=6.0), is_signed(signature("s", b"{}", 5), "s", b"{}")
    (True, False)
    """
    parts = [part.strip().partition("=") for part in header.split(",", MOST_PARTS)]
    stamp = next((value for name, _, value in parts if name == "t"), "")
    if not _STAMP.fullmatch(stamp) or abs((time.time() if now is None else now) - int(stamp)) > TOLERANCE_S:
        return False
    right = _digest(secret, body, int(stamp)).encode()
    given = [value.encode("utf-8", "surrogatepass") for name, _, value in parts if name == "v1"]
    return any(hmac.compare_digest(right, one) for one in given)


def _digest(secret: str, body: bytes, timestamp: int) -> str:
    return hmac.new(secret.encode(), f"{timestamp}.".encode() + body, hashlib.sha256).hexdigest()
