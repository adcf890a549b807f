"""Watch: one run at a time, compared with the last complete one, record by record (WA-1)."""

import json
import time
from typing import Any

from gleaner.contracts.digests import digest_of
from gleaner.contracts.errors import InvalidRequest, NotFound
from gleaner.contracts.json_text import canonical
from gleaner.contracts.models import ExtractionResult, ProvenanceEntry, ScrapeResult
from gleaner.contracts.ports import JsonObject, Services
from gleaner.contracts.schema_input import with_schema_as_text
from gleaner.jobs.jobs import ENDED, JobRef
from gleaner.jobs.places import jobs_of
from gleaner.jobs.record_changes import KeptRecord, Proof, RecordChanges, compare, proof_by_record
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
    result = _result_of(job, services)
    found = _records_of(result, job, services)
    run = watches.run(ref.job_id, run_id) or _compared(run_id, result, found, record, watches)
    running: Any = record.get("running")
    if running and running["run_id"] == run_id:  # a run that is kept is not compared again, least of all with itself
        _settle(run, result, found, watches, ref.job_id)
    if run.status == "changed":
        services.events.send("RecordsChanged", told_of(run, record, watches.changes(ref.job_id, run_id), ref.tenant))
    watches.end(ref.job_id, run_id)
    return {"status": run.status, "counts": dict(run.counts), "deliver": _is_delivered(run, record)}


def _result_of(job: JobRef, services: Services) -> ScrapeResult:
    try:
        return jobs_of(services).result(job)
    except NotFound:
        return ScrapeResult(status="failed", job_id=job.job_id)


def _records_of(result: ScrapeResult, job: JobRef, services: Services) -> list[KeptRecord] | None:
    if result.status == "failed" or result.extraction is None:
        return None
    return kept_records(result, result.extraction, job.tenant, services)


def _compared(
    run_id: str, result: ScrapeResult, found: list[KeptRecord] | None, record: JsonObject, watches: Watches
) -> WatchRun:
    """Compare a run with the last complete one, and keep what has changed and the run's entry in the history."""
    watch_id = str(record["watch_id"])
    run = WatchRun(run_id=run_id, at=time.time(), status="failed", job_id=result.job_id, job_status=result.status)
    if found is None:
        run.said = result.error.message if result.error is not None else "the run left no result"
        watches.note(watch_id, run)
        return run
    base, is_whole = watches.base(watch_id), result.status == "complete"
    run.records = len(found)
    if base is None:
        run.status, run.said = (
            "baseline",
            "" if is_whole else "not complete: the next complete run is the first to compare with",
        )
    else:
        keys: Any = record.get("keys") or []
        changes = compare(base, found, keys, is_whole=is_whole)
        watches.write_changes(watch_id, run_id, changes)
        run.counts, run.digest = changes.counts, digest_of(canonical(changes.model_dump(mode="json", exclude=_WHERE)))
        is_new = bool(changes) and (is_whole or run.digest != record.get("told"))
        run.status = "changed" if is_new else "unchanged"
        run.said = "" if is_whole else "the run is partial: nothing counts as removed"
    watches.note(watch_id, run)
    return run


def _settle(
    run: WatchRun, result: ScrapeResult, found: list[KeptRecord] | None, watches: Watches, watch_id: str
) -> None:
    """Let a complete run be what the next is compared with, and remember what was told."""
    if found is not None and result.status == "complete":
        watches.write_base(watch_id, found)
    if run.status == "changed":
        watches.update(watch_id, told=run.digest)


_WHERE: Any = {
    "new": {"__all__": {"proof"}},
    "removed": {"__all__": {"proof"}},
    "changed": {"__all__": {"fields": {"__all__": {"old_proof", "new_proof"}}}},
}


def kept_records(
    result: ScrapeResult, extraction: ExtractionResult, tenant: str, services: Services
) -> list[KeptRecord]:
    """Give the records of a result, each with the proof of its leaves."""
    from gleaner.schemas import record_path  # loads jsonschema: for the end of a run alone

    path = record_path(extraction.schema_used) if extraction.schema_used is not None else None
    key = JobRef(result.job_id, tenant).key("content.md")
    markdown = services.blobs.read(key).decode("utf-8", "surrogatepass") if services.blobs.exists(key) else ""
    proofs = [(entry.pointer, _proof(entry, result, markdown)) for entry in extraction.provenance]
    by_record = proof_by_record(proofs, path.pointer if path is not None else "")
    records = records_of(extraction)[0]
    if path is None:
        return [KeptRecord(record=record, proof=dict(proofs)) for record in records]
    return [KeptRecord(record=record, proof=by_record.get(at, {})) for at, record in enumerate(records)]


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
    try:
        return jobs_of(services).status(JobRef(job_id, tenant)).get("status") in ENDED
    except NotFound:
        return True


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
