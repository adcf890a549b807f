"""Failure: turn the failure of a job or a chunk into a stored, readable result."""

import errno
import json
import re
from typing import Any

from gleaner.contracts.error_types import THROTTLING, ErrorType
from gleaner.contracts.errors import InvalidRequest, error_classes, error_type_of
from gleaner.contracts.models import ExtractionError, JobError
from gleaner.contracts.ports import JsonObject, Services
from gleaner.extraction import ChunkExtractionResult
from gleaner.jobs.blob_texts import write_json
from gleaner.jobs.jobs import JobRef
from gleaner.jobs.places import failure_key, jobs_of
from gleaner.steps.closing import close_job, result_that_is_there, send_failure_event, store_failure
from gleaner.steps.extract import chunk_index
from gleaner.steps.follow import follow_listing
from gleaner.steps.listing.walk import WalkStore
from gleaner.steps.plan import named_by_execution, read_start

STATES_ERRORS = {
    "States.Timeout": (ErrorType.TASK_TIMEOUT, "a step exceeded its time limit"),
    "Sandbox.Timedout": (ErrorType.TASK_TIMEOUT, "a function exceeded its time limit"),
    "Lambda.TooManyRequestsException": (
        ErrorType.THROTTLED,
        "AWS had no room for a step for minutes: more functions were asked for at a time than the account may run",
    ),
    "Runtime.ExitError": (ErrorType.FUNCTION_KILLED, "a function was killed, usually because it ran out of memory"),
    "Runtime.OutOfMemory": (ErrorType.FUNCTION_KILLED, "a function ran out of memory"),
    "States.DataLimitExceeded": (ErrorType.INTERNAL_ERROR, "a state's payload exceeded the limit"),
    "DataLimitExceeded": (ErrorType.INTERNAL_ERROR, "a state's payload exceeded the limit"),
    "TIMED_OUT": (
        ErrorType.EXECUTION_TIMED_OUT,
        "the job exceeded the time limit of its execution; what was found is kept",
    ),
    "ABORTED": (
        ErrorType.EXECUTION_ABORTED,
        "the job was stopped from outside; what was found is kept, send the request again for the rest",
    ),
}
"""Names that are not ours: of States Language and Lambda, and how an execution ended."""


_NO_ROOM = re.compile(rf"\[Errno (?:{errno.ENOSPC}|{errno.EDQUOT})\]")


def record_failure(event: JsonObject, services: Services) -> JsonObject:
    """Take ``{input, execution, failure}``, or ``{job, chunk, failure}`` of a chunk; store it; give ``{status}``.

    A job that has a result already, complete or partial, keeps it: what failed came after it.
    """
    error = read_failure(event.get("failure"))
    if "chunk" in event:
        return _record_chunk(event, error, services)
    ref, raw = job_of_failure(event)
    is_told = not is_page_of_listing(event.get("input"))
    kept = result_that_is_there(ref, services)
    if kept is not None:
        return close_job(ref, kept, services, is_told=is_told)
    if WalkStore(services.blobs, ref).read() is not None:  # of a listing the pages that were read are kept
        return follow_listing({"job": ref.to_json(), "final": True, "failure": error.message}, services)
    failed = store_failure(ref, raw if is_told else jobs_of(services).find(ref), error, services)
    return send_failure_event(ref, failed, services, is_told=is_told)


def is_page_of_listing(payload: Any) -> bool:
    """Tell whether an execution reads a page for another job, which is the one that is listened for."""
    return isinstance(payload, dict) and "listing" in payload


def job_of_failure(event: JsonObject) -> tuple[JobRef, Any]:
    """Give the job and the request; an input whose job can't be read fails as the job that its execution names."""
    try:
        return read_start(event)
    except InvalidRequest:
        return JobRef(named_by_execution(event)), None


def read_failure(failure: Any) -> JobError:
    """Read what a Catch gives, ``{Error, Cause}``, where Cause is the function's error as JSON text."""
    name = str((failure or {}).get("Error", "InternalError"))
    message = _message(str((failure or {}).get("Cause", "")))
    if name in STATES_ERRORS:
        error_type, text = STATES_ERRORS[name]
        return JobError(error_type=error_type, message=text)
    if name in error_classes():
        return JobError(error_type=error_type_of(name), message=message)
    if _NO_ROOM.search(message):
        return JobError(error_type=ErrorType.STORAGE_FULL, message=message)
    if THROTTLING.search(name):
        return JobError(
            error_type=ErrorType.THROTTLED, message=f"AWS throttled requests for minutes: {name}: {message}"
        )
    return JobError(error_type=ErrorType.INTERNAL_ERROR, message=f"{name}: {message}")


def _message(cause: str) -> str:
    try:
        parsed = json.loads(cause)
    except ValueError:
        return cause[:2_000]
    return str(parsed.get("errorMessage", cause))[:2_000] if isinstance(parsed, dict) else cause[:2_000]


def _record_chunk(event: JsonObject, error: JobError, services: Services) -> JsonObject:
    ref, index = JobRef.read(event.get("job")), chunk_index(event)
    failed = ChunkExtractionResult(
        chunk_index=index,
        errors=[
            ExtractionError(
                error_type=error.error_type, message=error.message, chunk_index=index, retries_exhausted=True
            )
        ],
    )
    write_json(services.blobs, failure_key(ref, index), failed.model_dump(mode="json"))
    return {"index": index, "status": "failed"}
