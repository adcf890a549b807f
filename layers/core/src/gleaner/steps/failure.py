"""Failure: what every Catch ends in. A job's failure, or one chunk's, becomes a stored, readable result."""

import json
from typing import Any

from gleaner.errors import GleanerError, InvalidRequest, error_type_of
from gleaner.extraction import ChunkExtractionResult
from gleaner.jobs import JobRef
from gleaner.models import ExtractionError, JobError, ScrapeResult
from gleaner.ports import JsonObject, Services
from gleaner.steps.places import jobs_of
from gleaner.steps.plan import read_start

STATES_ERRORS = {
    "States.Timeout": ("task_timeout", "a step took longer than its limit"),
    "Sandbox.Timedout": ("task_timeout", "a function took longer than its limit"),
    "Runtime.ExitError": ("function_killed", "a function was killed, as a rule for want of memory"),
    "States.DataLimitExceeded": ("internal_error", "a state's payload was larger than the limit"),
    "DataLimitExceeded": ("internal_error", "a state's payload was larger than the limit"),
}


def record_failure(event: JsonObject, services: Services) -> JsonObject:
    """Take ``{input, execution, failure}``, or ``{job, chunk, failure}`` of a chunk; store it; give ``{status}``."""
    error = read_failure(event.get("failure"))
    if "chunk" in event:
        return _record_chunk(event, error, services)
    ref, raw = read_start(event)
    request: dict[str, Any] = raw if isinstance(raw, dict) else {}
    url = request.get("url")
    result = ScrapeResult(status="failed", job_id=ref.job_id, url=url if isinstance(url, str) else None, error=error)
    jobs_of(services).close(ref, result)
    services.events.send("ScrapeFailed", {**ref.to_json(), "url": result.url, **error.model_dump()})
    return {"status": "failed"}


def read_failure(failure: Any) -> JobError:
    """Read what a Catch gives, ``{Error, Cause}``, where Cause is the function's error as JSON text."""
    name = str((failure or {}).get("Error", "InternalError"))
    message = _message(str((failure or {}).get("Cause", "")))
    if name in STATES_ERRORS:
        error_type, text = STATES_ERRORS[name]
        return JobError(error_type=error_type, message=text)
    if name in _known_names():
        return JobError(error_type=error_type_of(name), message=message)
    return JobError(error_type="internal_error", message=f"{name}: {message}")


def _message(cause: str) -> str:
    try:
        parsed = json.loads(cause)
    except ValueError:
        return cause[:2_000]
    return str(parsed.get("errorMessage", cause))[:2_000] if isinstance(parsed, dict) else cause[:2_000]


def _known_names() -> set[str]:
    names: set[str] = set()
    open_classes: list[type[GleanerError]] = [GleanerError]
    while open_classes:
        current = open_classes.pop()
        names.add(current.__name__)
        open_classes += current.__subclasses__()
    return names


def _record_chunk(event: JsonObject, error: JobError, services: Services) -> JsonObject:
    ref = JobRef.read(event.get("job"))
    chunk = event.get("chunk")
    if not isinstance(chunk, dict) or not isinstance(chunk.get("index"), int):
        raise InvalidRequest(f"a chunk is {{index}}, not {chunk!r}")
    index = int(str(chunk["index"]))
    failed = ChunkExtractionResult(
        chunk_index=index,
        errors=[
            ExtractionError(
                error_type=error.error_type, message=error.message, chunk_index=index, retries_exhausted=True
            )
        ],
    )
    jobs_of(services).write_json(ref.key(f"outcomes/{index:04}.json"), failed.model_dump(mode="json"))
    return {"index": index, "status": "failed"}
