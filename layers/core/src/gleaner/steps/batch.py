"""Batch: admit each page when its turn comes, and sum up at the end (WF-2)."""

import time
from collections import Counter
from collections.abc import Callable
from random import uniform
from typing import Any
from urllib.parse import urlsplit

from gleaner.addresses import format_authority, split_url
from gleaner.contracts.errors import BlockedAddress, DisallowedByRobots, GleanerError, InvalidRequest
from gleaner.contracts.items import DAY_S
from gleaner.contracts.models import JobError
from gleaner.contracts.ports import Item, JsonObject, Services
from gleaner.jobs.batches import Batches, Politeness
from gleaner.jobs.jobs import ENDED, JobRef
from gleaner.jobs.places import jobs_of
from gleaner.jobs.robots import FORBIDS_ALL, RobotRules
from gleaner.sites.addresses import path_of
from gleaner.steps.closing import send_failure_event, store_failure

MAX_CRAWL_DELAY_S = 20.0
MOST_JITTER = 0.25
"""What a pause between two pages of a host may be longer, by chance, as a share: a fixed beat adds up with others'."""

FAILURES_NAMED = 100
UNSAID_RULES_S = 120
"""Rules that a host did not say, for a fault of it or of the network, hold no longer than such a fault may."""


def admit_page(event: JsonObject, services: Services, sleep: Callable[[float], None] = time.sleep) -> JsonObject:
    """Take ``{batch, item: {job, request}, politeness}``; wait for the host's turn; give ``{admitted}``.

    A page whose job has ended, or whose host's robots.txt forbids it, is not admitted; the latter is a stored failure.
    Once a batch is cancelled, or a crawl's deadline has passed, no page is.
    A URL of no host that may be asked is admitted at once: its own job says what is wrong with it.
    """
    ref, url = _read_item(event.get("item"))
    politeness = Politeness.model_validate(event.get("politeness") or {})
    batch = JobRef.read(event.get("batch"))
    has_ended = (jobs_of(services).find(ref) or {}).get("status") in ENDED
    if has_ended or _is_over(batches_of(services, batch.tenant).record(batch.job_id)):
        return {"admitted": False}
    delay_s = politeness.delay_ms / 1000
    origin = origin_of(url) if url is not None else None
    if url is None or origin is None:
        return {"admitted": True}
    if not politeness.ignore_robots:
        rules = rules_of(origin, services)
        if not rules.allows(path_of(url)):
            _refuse(ref, url, services)
            return {"admitted": False}
        delay_s = max(delay_s, min(rules.crawl_delay_s, MAX_CRAWL_DELAY_S))
    if delay_s > 0:
        sleep(_take_turn(batch, origin, delay_s * uniform(1, 1 + MOST_JITTER), services))
    return {"admitted": True}


def summarize_batch(event: JsonObject, services: Services) -> JsonObject:
    """Take ``{batch}``; store the counts and the first failures in the batch's record; give the counts.

    A batch is complete when each line of its list was a request, and each page's result is; that of a crawl when its
    map is, too.
    """
    ref = JobRef.read(event.get("batch"))
    batches = batches_of(services, ref.tenant)
    record = batches.record(ref.job_id)
    found: Counter[str] = Counter()
    failures: list[JsonObject] = []
    for job in batches.jobs(ref.job_id):
        found[str(job.get("status"))] += 1
        if job.get("status") == "failed" and len(failures) < FAILURES_NAMED:
            failures.append({"job_id": job["job_id"], "url": job.get("url"), "error": job.get("error")})
    done = sum(found[status] for status in ENDED)
    not_run = int(str(record["total"])) - done
    counts: JsonObject = {**found, "done": done, "not_run": not_run}
    status = "cancelled" if record["status"] == "cancelled" else _status(found, record)
    changes: dict[str, Any] = {"status": status, "finished_at": time.time(), "counts": counts, "failures": failures}
    batches.update(ref.job_id, **changes)
    tell_of_batch(ref, status, counts, services)
    return {"status": status, "counts": counts}


def tell_of_batch(ref: JobRef, status: str, counts: JsonObject, services: Services) -> None:
    """Tell the listeners that a batch has ended."""
    event_id = f"{ref.tenant}/{ref.job_id}/{status}"
    services.events.send("BatchCompleted", {"event_id": event_id, **ref.to_json(), "status": status, "counts": counts})


def _status(found: Counter[str], record: JsonObject) -> str:
    is_listed = not record.get("bad_line_count") and record.get("map_status", "complete") == "complete"
    is_whole = found["complete"] == record["total"] and is_listed
    return "complete" if is_whole else "partial"


def batches_of(services: Services, tenant: str) -> Batches:
    """Give the batches of a tenant."""
    return Batches(services.table, services.blobs, tenant, services.settings.job_ttl_days)


def _read_item(item: Any) -> tuple[JobRef, str | None]:
    if not isinstance(item, dict) or not isinstance(item.get("request"), dict):
        raise InvalidRequest(f"an item is {{job, request}}, not {str(item)[:200]}")
    return JobRef.read(item.get("job")), item["request"].get("url")


def _is_over(record: JsonObject) -> bool:
    deadline_at: Any = record.get("deadline_at")
    return record["status"] == "cancelled" or (deadline_at is not None and time.time() >= deadline_at)


def origin_of(url: str) -> str | None:
    """Give scheme, host and port in the one way that they are asked by; None where no page is ever asked for."""
    try:
        scheme, host, port, _ = split_url(url)
    except BlockedAddress:
        return None
    return f"{scheme}://{format_authority(scheme, host, port)}"


def rules_of(origin: str, services: Services) -> RobotRules:
    """Give the host's rules, fetched once a day; soon again while the host does not say them."""
    stored = services.table.get("ROBOTS", origin)
    if stored is not None and "robots" in stored.data:  # an earlier version kept them in another form
        return RobotRules.from_json(stored.data)
    rules, kept_s = _fetch_rules(origin, services)
    services.table.put(Item("ROBOTS", origin, rules.to_json(), ttl=int(time.time()) + kept_s))
    return rules


def _fetch_rules(origin: str, services: Services) -> tuple[RobotRules, int]:
    """Fetch robots.txt: none allows all, a server error forbids all (RFC 9309, 2.3.1); give the seconds to keep that.

    A host that can't be reached allows all: the page's own job says what is wrong with it.
    """
    try:
        page = services.fetcher.fetch(f"{origin}/robots.txt")
    except GleanerError:
        return RobotRules(), UNSAID_RULES_S
    if page.status >= 500:
        return RobotRules(FORBIDS_ALL), UNSAID_RULES_S
    return RobotRules(page.text) if page.status < 400 else RobotRules(), DAY_S


def _refuse(ref: JobRef, url: str, services: Services) -> None:
    error = DisallowedByRobots(
        f"robots.txt of {urlsplit(url).netloc} forbids {path_of(url)[:200]}; set ignore_robots to fetch it anyway"
    )
    jobs_of(services).open(ref, url)
    failure = JobError(error_type=error.error_type, message=error.message)
    send_failure_event(ref, store_failure(ref, {"url": url}, failure, services), services)


def _take_turn(batch: JobRef, origin: str, delay_s: float, services: Services) -> float:
    """Reserve the host's next free moment; give the seconds until then."""
    key = (f"TURN#{batch.tenant}#{batch.job_id}", urlsplit(origin).netloc)
    while True:
        now = time.time()
        stored = services.table.get(*key)
        free_at = float(str(stored.data["free_at"])) if stored else 0.0
        turn = max(now, free_at)
        item = Item(*key, {"free_at": turn + delay_s}, ttl=int(now) + DAY_S)
        if services.table.put(item, if_version=stored.version if stored else 0):
            return turn - now
