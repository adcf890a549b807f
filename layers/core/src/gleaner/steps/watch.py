"""Watch: one run at a time, compared with the last complete one, record by record (WA-1)."""

import json
import time
from typing import Any

from gleaner.contracts.digests import digest_of
from gleaner.contracts.error_types import ErrorType
from gleaner.contracts.errors import InvalidRequest, NotFound
from gleaner.contracts.models import ExtractionResult, ProvenanceEntry, ScrapeResult
from gleaner.contracts.ports import JsonObject, Services
from gleaner.contracts.schema_input import with_schema_as_text
from gleaner.jobs.blob_texts import find_text
from gleaner.jobs.jobs import ENDED, JobRef
from gleaner.jobs.places import jobs_of
from gleaner.jobs.record_changes import (
    KeptRecord,
    Proof,
    Reading,
    RecordChanges,
    compare,
    has_key,
    key_fields,
    proof_by_record,
)
from gleaner.jobs.watches import Watches, WatchRun, run_id_of
from gleaner.results.records import records_of

MOST_IN_AN_EVENT = 100_000
"""Bytes of changes that an event carries; EventBridge takes 256 KB, and the rest is read with the run."""

REQUEST_BYTES = 200_000


def watches_of(services: Services, tenant: str) -> Watches:
    """Give the watches of a tenant."""
    return Watches(services.table, services.blobs, tenant, services.settings.job_ttl_days)


def begin_watch(event: JsonObject, services: Services) -> JsonObject:
    """Take ``{watch: {watch_id, tenant}, run}``; give ``{begun, run_id, job, request}``.

    ``begun`` is false when the watch is gone, or its last run has not finished: that is kept in its history. Runs that
    nobody began, since no process or schedule was there, are said, too.
    """
    watches, ref = read_watch(event, services)
    run = str(event.get("run") or "")
    if not run:
        raise InvalidRequest("run: name the run, so that the same one begins once")
    job = _job_of(ref, run)
    try:
        record = watches.record(ref.job_id)
        running: Any = record.get("running")
        run_id = running["run_id"] if running and running["job_id"] == job.job_id else run_id_of(run, time.time())
        state = watches.begin(ref.job_id, run_id, job.job_id, lambda job_id: _is_over(job_id, ref.tenant, services))
    except NotFound:
        return {"begun": False}
    if state == "busy":
        said = f"run {running['run_id']} has not finished"
        watches.note(ref.job_id, WatchRun(run_id=run_id, at=time.time(), status="skipped", said=said))
        return {"begun": False}
    if state.startswith("missed:"):
        count = int(state.removeprefix("missed:"))
        said = f"{count} run{' before this one was' if count == 1 else 's before this one were'} missed"
        missed = run_id_of(f"{run} missed", time.time() - 0.001)
        watches.note(ref.job_id, WatchRun(run_id=missed, at=time.time(), status="missed", said=said))
    request = with_schema_as_text(record["request"], REQUEST_BYTES)
    jobs_of(services).open(job, request.get("url"), status="queued", watch=ref.job_id)
    return {"begun": True, "run_id": run_id, "job": job.to_json(), "request": request}


def finish_watch(event: JsonObject, services: Services) -> JsonObject:
    """Take ``{watch, run_id, job}``; compare, keep and tell what has changed; give ``{status, counts, deliver}``.

    ``deliver`` says that a webhook is to be called. A run that was finished before gives the same again.
    """
    watches, ref = read_watch(event, services)
    run_id, job = str(event.get("run_id")), JobRef.read(event.get("job"))
    try:
        record = watches.record(ref.job_id)
    except NotFound:
        return {"status": "failed", "counts": {}, "deliver": False}
    run = watches.run(ref.job_id, run_id)
    running: Any = record.get("running")
    if run is None or (running and running["run_id"] == run_id):  # what was kept by half is kept again, the same
        run = _compared(run_id, job, record, watches, services)
    if run.status == "changed":
        services.events.send("RecordsChanged", told_of(run, record, watches.changes(ref.job_id, run_id), ref.tenant))
    watches.end(ref.job_id, run_id)
    return {"status": run.status, "counts": dict(run.counts), "deliver": _is_delivered(run, record)}


def _compared(run_id: str, job: JobRef, record: JsonObject, watches: Watches, services: Services) -> WatchRun:
    """Compare a run with what is known, and keep what has changed, the run's entry in the history, what is known now.

    In this order: killed on the way, the run is compared again with what was known before, or with itself.
    """
    watch_id = str(record["watch_id"])
    result = jobs_of(services).find_result(job) or ScrapeResult(status="failed", job_id=job.job_id)
    before = watches.run(watch_id, run_id)
    run = WatchRun(run_id=run_id, at=time.time(), status="failed", job_id=result.job_id, job_status=result.status)
    if result.status == "failed" or result.extraction is None:
        run.said = result.error.message if result.error is not None else "the run left no result"
        watches.note(watch_id, run)
        return run
    known, said = watches.base(watch_id), _why_partial(result)
    reading = read_records(result, result.extraction, job.tenant, services, had_some=bool(known))
    run.records, run.said = len(reading.records), said
    key: Any = record.get("keys") or record.get("key")
    if known is None or key is None:
        if not reading.has_all:
            run.status = "incomplete"
            run.said = f"{said or 'not all records were read'}: the first run that has all is the one to compare with"
        elif key and reading.records and not any(has_key(one.record, key) for one in reading.records):
            run.status = "incomplete"
            run.said = f"no record has a value of its key ({', '.join(key)}): the first run that has is compared with"
        else:
            run.status = "baseline"
            watches.update(watch_id, key=list(key_fields(reading.records)))
            watches.write_base(watch_id, reading.records)
        watches.note(watch_id, run)
        return run
    changes, now = compare(known, reading, key)
    if before is not None and before.status == "changed" and not changes:  # kept before, and known by now
        return before
    if not reading.has_all:
        run.said = f"{said or 'the page shows no records, and does not say so'}: nothing counts as removed"
    run.status = "changed" if changes else "unchanged" if reading.has_all else "incomplete"
    run.counts = changes.counts
    watches.write_changes(watch_id, run_id, changes)
    watches.note(watch_id, run)
    watches.write_base(watch_id, now)
    return run


def _why_partial(result: ScrapeResult) -> str:
    """Say why a run is partial, "" for one that is not."""
    if result.status != "partial" or result.extraction is None:
        return ""
    told = [*result.extraction.warnings, *(error.message for error in result.extraction.errors), *result.warnings]
    return told[0].rstrip(".") if told else "the run is partial"


def read_records(
    result: ScrapeResult, extraction: ExtractionResult, tenant: str, services: Services, *, had_some: bool
) -> Reading:
    """Give what a result has read. That all records are there is one thing, that all of their values are another.

    A page that shows none where some were has all of them only if it says so.
    """
    counted = extraction.completeness
    losses = [error for error in extraction.errors if error.error_type != ErrorType.UNGROUNDED]
    is_counted = counted.expected is not None and counted.returned >= counted.expected and not counted.missing
    has_all = result.status == "complete" or (is_counted and not losses and not extraction.withheld)
    records, markdown = kept_records(result, extraction, tenant, services)
    if has_all and had_some and not records:
        from gleaner.completeness.emptiness import says_it_is_empty  # loads the readers of pages: for empty ones alone

        has_all = says_it_is_empty(markdown)
    unread: list[str] = list(getattr(counted, "unread", ()))
    return Reading(records=records, has_all=has_all, is_read=result.status == "complete", unread=unread)


def kept_records(
    result: ScrapeResult, extraction: ExtractionResult, tenant: str, services: Services
) -> tuple[list[KeptRecord], str]:
    """Give the records of a result, each with the proof of its leaves, and the Markdown that they are from."""
    from gleaner.schemas import record_path  # loads jsonschema: for the end of a run alone

    path = record_path(extraction.schema_used) if extraction.schema_used is not None else None
    markdown = find_text(services.blobs, JobRef(result.job_id, tenant).key("content.md"))
    proofs = [(entry.pointer, _proof(entry, result, markdown)) for entry in extraction.provenance]
    by_record = proof_by_record(proofs, path.pointer if path is not None else "")
    records = records_of(extraction)[0]
    if path is None:
        return [KeptRecord(record=record, proof=dict(proofs)) for record in records], markdown
    return [KeptRecord(record=record, proof=by_record.get(at, {})) for at, record in enumerate(records)], markdown


def _proof(entry: ProvenanceEntry, result: ScrapeResult, markdown: str) -> Proof:
    is_shown = entry.source == "markdown" and entry.start is not None and entry.end is not None
    pages = {page.number: page for page in result.pages or ()}
    page = pages.get(entry.page or 0)
    proof = {
        "status": entry.status,
        "text": markdown[entry.start : entry.end] if is_shown else None,
        "url": page.url if page is not None else result.source_url,
        "job_id": result.job_id,
        "start": entry.start,
        "end": entry.end,
    }
    return {name: value for name, value in proof.items() if value is not None}


def told_of(run: WatchRun, record: JsonObject, changes: RecordChanges, tenant: str) -> JsonObject:
    """Give what the bus and webhooks are told of a run; changes that are too many are read with the run."""
    request: Any = record.get("request")
    told: JsonObject = {
        "event_id": f"{tenant}/{record['watch_id']}/{run.run_id}",
        "tenant": tenant,
        "watch_id": record["watch_id"],
        "run_id": run.run_id,
        "job_id": run.job_id,
        "url": request.get("url"),
        "is_partial": run.job_status != "complete",
        "counts": dict(run.counts),
    }
    written: Any = changes.model_dump(mode="json", exclude_none=True)
    if len(json.dumps(written)) > MOST_IN_AN_EVENT:
        return {**told, "changes_at": f"/v1/watches/{record['watch_id']}/runs/{run.run_id}"}
    return {**told, "changes": written}


def _is_delivered(run: WatchRun, record: JsonObject) -> bool:
    return run.status == "changed" and bool(record.get("webhook")) and run.delivery is None


def _is_over(job_id: str, tenant: str, services: Services) -> bool:
    record = jobs_of(services).find(JobRef(job_id, tenant))
    return record is None or record.get("status") in ENDED


def read_watch(event: JsonObject, services: Services) -> tuple[Watches, JobRef]:
    """Give the watches and the name of the watch, as a job's reference has one."""
    watch = event.get("watch")
    if not isinstance(watch, dict) or not isinstance(watch.get("watch_id"), str):
        raise InvalidRequest(f"a watch is {{watch_id, tenant}}, not {str(watch)[:200]}")
    ref = JobRef(str(watch["watch_id"]), str(watch.get("tenant") or "default"))
    return watches_of(services, ref.tenant), ref


def close_watch(payload: JsonObject, services: Services) -> JsonObject:
    """Take the input of a run whose execution was stopped; let the next run begin, and keep what became of this one."""
    watches, ref = read_watch(payload, services)
    try:
        running: Any = watches.record(ref.job_id).get("running")
    except NotFound:
        return {"status": "failed"}
    if not running or running["job_id"] != _job_of(ref, str(payload.get("run"))).job_id:
        return {"status": "closed"}
    if watches.run(ref.job_id, running["run_id"]) is None:
        said = "the run was stopped before its end"
        watches.note(ref.job_id, WatchRun(run_id=running["run_id"], at=time.time(), status="failed", said=said))
    watches.end(ref.job_id, running["run_id"])
    return {"status": "failed"}


def _job_of(ref: JobRef, run: str) -> JobRef:
    """Give the job of a run: the same for the same run."""
    return JobRef(f"watch-{digest_of(f'{ref.job_id} {run}')[:24]}", ref.tenant)
