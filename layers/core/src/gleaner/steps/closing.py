"""End a job in any step: store the result, update its record, send events.

Events and metrics come at least once: a step that is run again tells again. An event's ``event_id`` is made from the
job and its status, so that a listener can pass over what it has heard.
"""

import json
from typing import Any

from gleaner.contracts.actions import ActionOutcome
from gleaner.contracts.error_types import OF_AN_UNUSABLE_MODEL, ErrorType
from gleaner.contracts.errors import error_of
from gleaner.contracts.models import JobError, ScrapeResult
from gleaner.contracts.ports import JsonObject, Services
from gleaner.jobs.blob_texts import read_json
from gleaner.jobs.jobs import JobRef
from gleaner.jobs.places import actions_key, jobs_of

CANARY = "canary"
"""The tenant of the scheduled page that shows whether all works."""


def store_failure(ref: JobRef, raw: Any, error: JobError, services: Services) -> ScrapeResult:
    """Store a failure as the job's result and in its record; tell nobody yet."""
    url = raw.get("url") if isinstance(raw, dict) else None
    result = ScrapeResult(
        status="failed",
        job_id=ref.job_id,
        url=url if isinstance(url, str) else None,
        error=error,
        actions=_actions_done(ref, error, services),
    )
    jobs_of(services).close(ref, result)
    return result


def _actions_done(ref: JobRef, error: JobError, services: Services) -> list[ActionOutcome] | None:
    """Give what came of the actions of a job that failed at one of them, with a URL that reads its picture."""
    if error.error_type != ErrorType.ACTION_FAILED or not services.blobs.exists(actions_key(ref)):
        return None
    outcomes = [ActionOutcome.model_validate(one) for one in read_json(services.blobs, actions_key(ref))]
    for outcome in outcomes:
        outcome.screenshot = services.blobs.url(outcome.screenshot) if outcome.screenshot else None
    return outcomes


def send_failure_event(ref: JobRef, result: ScrapeResult, services: Services, *, is_told: bool = True) -> JsonObject:
    """Tell the listeners of a stored failure; give ``{status, measures}``."""
    error = result.error.model_dump() if result.error else {}
    if is_told:
        services.events.send("ScrapeFailed", {**_heading(ref, result), **error})
    return {"status": "failed", "measures": _measures(ref, result), "annotations": annotations_of(ref, result)}


def close_job(ref: JobRef, result: ScrapeResult, services: Services, *, is_told: bool = True) -> JsonObject:
    """Store a job's result, say so in its record and to the listeners; give where.

    Of one that failed the answer carries ``failure``, ``{Error, Cause}``, which the execution ends with. Of a page of a
    listing nobody ``is_told``: the listing's own end is what is listened for.
    """
    key = jobs_of(services).close(ref, result)
    if result.error is not None:
        failure: JsonObject = {
            "Error": type(error_of(result.error.error_type, "")).__name__,
            "Cause": json.dumps({"errorMessage": result.error.message}),
        }
        told = send_failure_event(ref, result, services, is_told=is_told)
        return {**told, "result_key": key, "chunks": [], "failure": failure}
    if is_told:
        heading = _heading(ref, result)
        services.events.send("ScrapeCompleted", {**heading, "status": result.status, "result_key": key})
    told = {"measures": _measures(ref, result), "annotations": annotations_of(ref, result)}
    return {"status": result.status, "result_key": key, "chunks": [], **told}


def annotations_of(ref: JobRef, result: ScrapeResult) -> JsonObject:
    """Give what a trace is found by: the job, how it ended, and the tier that answered it."""
    tier = result.extraction.tier if result.extraction is not None else "none"
    return {"job_id": ref.job_id, "status": result.status, "tier": tier}


def _measures(ref: JobRef, result: ScrapeResult) -> JsonObject:
    canary: JsonObject = {"CanaryComplete": int(result.status == "complete")} if ref.tenant == CANARY else {}
    return {**measures_of(result), **canary}


def measures_of(result: ScrapeResult) -> JsonObject:
    """Give what operators count of a job that has ended: metrics by name, in pieces, tokens and US dollars."""
    errors = [*(result.extraction.errors if result.extraction else ()), *([result.error] if result.error else ())]
    is_unusable = any(error.error_type in OF_AN_UNUSABLE_MODEL for error in errors)
    measures: JsonObject = {"Pages": 1, "PagesPartial": 0, "PagesFailed": 0, "ModelUnusable": int(is_unusable)}
    if result.status != "complete":
        measures[f"Pages{result.status.capitalize()}"] = 1
    if result.pages is not None:  # each of them has been counted by itself
        return {"Listings": 1, "PagesFollowed": len(result.pages)}
    if result.extraction is not None:
        usage = result.extraction.usage
        measures |= {"Records": result.extraction.completeness.returned, "ModelCalls": usage.calls}
        measures |= {"InputTokens": usage.input_tokens, "OutputTokens": usage.output_tokens}
        measures |= {"CacheHits": usage.cache_hits, "UsDollars": usage.usd or 0.0}
        measures["PagesByRecipe"] = int(result.extraction.tier == "recipe" and not usage.calls)
    return measures


def _heading(ref: JobRef, result: ScrapeResult) -> JsonObject:
    """Give what every event of a job begins with. Events come at least once; equal ``event_id`` means the same one."""
    event_id = f"{ref.tenant}/{ref.job_id}/{result.status}"
    return {"event_id": event_id, **ref.to_json(), "url": result.url}


def result_that_is_there(ref: JobRef, services: Services) -> ScrapeResult | None:
    """Give a job's stored result, complete or partial; None when there is none, or a failure."""
    result = jobs_of(services).find_result(ref)
    return None if result is None or result.status == "failed" else result
