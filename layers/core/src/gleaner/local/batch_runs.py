"""A batch run in this process to its end, with each page's result as it comes: for the command and the library."""

from collections.abc import Iterator
from queue import Empty, SimpleQueue
from typing import Any

from gleaner.contracts.errors import NotFound
from gleaner.contracts.models import ScrapeResult
from gleaner.contracts.ports import JsonObject
from gleaner.jobs.batches import ParsedList, Politeness, page_job
from gleaner.jobs.jobs import ENDED
from gleaner.local.runner import LocalRunner, StepListener
from gleaner.service.gateway import Gateway

LOOK_S = 2.0
"""How often a batch is looked at when none of its pages ends: another process may work on it."""
LAST_STEPS = ("aggregate_results", "record_failure", "admit_page")
"""The steps after which a page of a batch may have its result."""


class BatchRun:
    """One batch of this process. Waits for its pages without looking again and again."""

    def __init__(self, gateway: Gateway, runner: LocalRunner, listeners: list[StepListener]) -> None:
        self.gateway = gateway
        self.batch_id = ""
        self.jobs: list[str] = []
        self._own: frozenset[str] = frozenset()
        self._runner = runner
        self._listeners = listeners
        self._ended: SimpleQueue[str] = SimpleQueue()

    def start(self, parsed: ParsedList, politeness: Politeness, name: str | None = None) -> JsonObject:
        """Start the batch, or go on with the one of this name; give its record."""
        self._listeners.append(self._note)
        started = self.gateway.start_batch(parsed, politeness, idempotency_key=name)
        self.batch_id = str(started["batch_id"])
        firsts = dict(parsed.copies)
        lines = sorted({line for line, _ in parsed.requests} | firsts.keys())
        self.jobs = [page_job(self.batch_id, firsts.get(line, line)) for line in lines]
        self._own = frozenset(self.jobs)
        return started

    @property
    def is_mine(self) -> bool:
        """Whether this process works on it, or goes on with what another one has left."""
        return self._runner.go_on("scrape_batch", self.batch_id)

    def results(self) -> "Iterator[ScrapeResult[Any]]":
        """Give the pages' results as they come, each once, until the batch has ended."""
        told: set[str] = set()
        try:
            while self.gateway.batches.record(self.batch_id)["status"] == "running":
                self._runner.go_on("scrape_batch", self.batch_id)
                yield from self._new(self._waited(), told)
            yield from self._new(self.jobs, told)
        finally:
            self._listeners.remove(self._note)

    def _waited(self) -> list[str]:
        """Wait for pages to end; give their jobs, none when the batch has to be looked at."""
        try:
            ended = [self._ended.get(timeout=LOOK_S)]
        except Empty:
            return []
        while not self._ended.empty():
            ended.append(self._ended.get())
        return ended

    def _new(self, jobs: list[str], told: set[str]) -> "Iterator[ScrapeResult[Any]]":
        for job in jobs:
            result = self._result(job) if job in self._own and job not in told else None
            if result is not None:
                told.add(job)
                yield result

    def _result(self, job: str) -> "ScrapeResult[Any] | None":
        try:
            if self.gateway.job(job).get("status") not in ENDED - {"cancelled"}:
                return None
            return self.gateway.result(job)
        except NotFound:
            return None

    def _note(self, function: str, phase: str, payload: JsonObject) -> None:
        if phase not in ("succeeded", "failed") or "chunk" in payload:
            return
        if function == "summarize_batch":
            self._ended.put("")
        if function in LAST_STEPS:
            place: Any = payload.get("item") or payload.get("input") or payload
            job = place.get("job") if isinstance(place, dict) else None
            self._ended.put(str(job.get("job_id")) if isinstance(job, dict) else "")
