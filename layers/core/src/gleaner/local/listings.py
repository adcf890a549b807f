"""A listing that a command follows: the same command goes on where one before it was stopped or killed (FP-4)."""

import json
import time
from typing import Any

from gleaner.contracts.digests import digest_of
from gleaner.contracts.items import DAY_S
from gleaner.contracts.models import ScrapeResult
from gleaner.contracts.ports import Item, JsonObject, Services
from gleaner.jobs.jobs import JobRef, new_job_id
from gleaner.jobs.places import jobs_of
from gleaner.local.runner import LocalRunner
from gleaner.steps.follow import follow_listing
from gleaner.steps.listing.walk import STOPS, WalkStore

INTERRUPTED = "interrupted; the same command goes on there"


def run_listing(request: JsonObject, runner: LocalRunner, tenant: str) -> ScrapeResult:
    """Follow a listing to its end, or go on with the same one that was stopped on its way; give the result.

    KeyboardInterrupt ends it with what was found by then: that is the result, and says so.
    """
    ref = _job_of(request, runner.services, tenant)
    try:
        return runner.run_scrape(request, ref)
    except KeyboardInterrupt:
        runner.halt()
        follow_listing({"job": ref.to_json(), "final": True, "failure": INTERRUPTED}, runner.services)
        return jobs_of(runner.services).result(ref)


def was_interrupted(result: ScrapeResult) -> bool:
    """Tell whether a listing's result is that of a run that was interrupted."""
    said = [*(result.extraction.warnings if result.extraction else ()), *result.warnings]
    return any(INTERRUPTED in one for one in said) or (result.error is not None and INTERRUPTED in result.error.message)


def _job_of(request: JsonObject, services: Services, tenant: str) -> JobRef:
    """Give the job of the last run of a request if it was stopped, else a new one; kept for as long as jobs are."""
    asked = digest_of(json.dumps([request, services.settings.model], sort_keys=True, default=str))
    key = f"LISTING#{tenant}", asked[:32]
    kept = services.table.get(*key)
    if kept is not None and _was_stopped(last := JobRef(str(kept.data["job_id"]), tenant), services):
        return last
    ref = JobRef(new_job_id(), tenant)
    ttl = int(time.time()) + services.settings.job_ttl_days * DAY_S
    services.table.put(Item(*key, {"job_id": ref.job_id}, ttl=ttl))
    return ref


def _was_stopped(ref: JobRef, services: Services) -> bool:
    walk: Any = WalkStore(services.blobs, ref).read()
    if walk is not None:
        return walk.end is None or walk.end in STOPS
    return (jobs_of(services).find(ref) or {}).get("status") == "running"
