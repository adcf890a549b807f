"""Stopped: close the jobs of executions that timed out, were aborted or failed by themselves.

No state of the machine runs then; EventBridge tells of it (AWS: "Step Functions Execution Status Change"). What the
steps have stored by that time becomes the job's result.
"""

import json
from contextlib import suppress
from typing import Any

from gleaner.contracts.error_types import ErrorType
from gleaner.contracts.errors import CallerError, InvalidRequest, NotFound, PageError
from gleaner.contracts.ports import JsonObject, Services
from gleaner.jobs.batches import UNDER_WAY
from gleaner.jobs.jobs import ENDED, JobRef
from gleaner.jobs.places import jobs_of
from gleaner.steps.aggregate import aggregate_results
from gleaner.steps.batch import batches_of, summarize_batch
from gleaner.steps.closing import close_job, result_that_is_there, send_failure_event, store_failure
from gleaner.steps.failure import is_page_of_listing, job_of_failure, read_failure
from gleaner.steps.follow import follow_listing, follows
from gleaner.steps.site.mapping import map_site
from gleaner.steps.watch import close_watch

STOPS = ("FAILED", "TIMED_OUT", "ABORTED")
STOPPED_TYPES = frozenset({ErrorType.EXECUTION_TIMED_OUT, ErrorType.EXECUTION_ABORTED})


def close_stopped(event: JsonObject, services: Services) -> JsonObject:
    """Take the event of an execution that ended without success; give ``{status}`` of its job or batch.

    A job or batch that has ended stays as it is. InvalidRequest when the event is another one, NotFound when it leaves
    out the input (Step Functions does when it is over 248 KB) and the execution's name names no job by itself.
    """
    detail = _detail(event)
    payload = _input(detail)
    failure: JsonObject = {"Error": detail.get("error") or detail["status"], "Cause": detail.get("cause")}
    start: JsonObject = {"input": payload, "execution": detail.get("name"), "failure": failure}
    if payload is None and jobs_of(services).find(job_of_failure(start)[0]) is None:
        raise NotFound(f"the event leaves out the input of {detail.get('name')!r}, and there is no job of that name")
    return close_execution(start, services)


def close_execution(start: JsonObject, services: Services) -> JsonObject:
    """Take ``{input, execution, failure}`` of an execution of either machine; give ``{status}`` of its job or batch."""
    payload = start.get("input")
    if isinstance(payload, dict) and "batch" in payload:
        return _close_batch(JobRef.read(payload["batch"]), services)
    if isinstance(payload, dict) and "watch" in payload:
        return close_watch(payload, services)
    if isinstance(payload, dict) and "site" in payload:
        return map_site({**payload, "failure": "stopped"}, services)
    return _close_job(start, services)


def _close_job(start: JsonObject, services: Services) -> JsonObject:
    """Make of the pieces that are there a result, else store the failure: the first end that is seen is the last one.

    Whatever happens on the way, the job can be read.
    """
    ref, raw = job_of_failure(start)
    record = jobs_of(services).find(ref)
    if record is not None and _is_settled(record):
        return {"status": record["status"]}
    is_told = not is_page_of_listing(start.get("input"))
    kept = result_that_is_there(ref, services)
    if kept is not None:
        return close_job(ref, kept, services, is_told=is_told)
    error = read_failure(start.get("failure"))
    finish = follow_listing if follows(ref, services) else aggregate_results
    closed: JsonObject | None = None
    with suppress(CallerError, PageError):  # the pieces do not make a result
        try:
            closed = finish({"job": ref.to_json(), "final": True, "failure": error.message}, services)
        finally:
            if closed is None:
                failed = store_failure(ref, raw or record, error, services)
                closed = send_failure_event(ref, failed, services, is_told=is_told)
    return closed or {"status": "failed"}


def _is_settled(record: JsonObject) -> bool:
    """Tell whether a job has ended otherwise than by a stop that this step may not have seen to its end."""
    error = record.get("error")
    by_stop = isinstance(error, dict) and error.get("error_type") in STOPPED_TYPES
    return record.get("status") in ENDED and not by_stop


def _close_batch(ref: JobRef, services: Services) -> JsonObject:
    record = batches_of(services, ref.tenant).record(ref.job_id)
    if record.get("status") not in UNDER_WAY:
        return {"status": record.get("status")}
    return summarize_batch({"batch": ref.to_json()}, services)


def _detail(event: JsonObject) -> JsonObject:
    detail = event.get("detail")
    if not isinstance(detail, dict) or detail.get("status") not in STOPS:
        raise InvalidRequest(f"an execution's end is one of {', '.join(STOPS)}, not {str(detail)[:200]}")
    return detail


def _input(detail: JsonObject) -> Any:
    """Give the execution's input; None when the event leaves it out."""
    text = detail.get("input")
    if not isinstance(text, str) or not text:
        return None
    try:
        return json.loads(text)
    except ValueError:
        raise InvalidRequest(f"the input of {detail.get('name')!r} is no JSON") from None
