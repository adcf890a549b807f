"""A batch or crawl run in this process to its end, with each page's result as it comes: for command and library."""

from collections.abc import Iterator
from queue import Empty, SimpleQueue
from typing import Any

from gleaner.contracts.errors import NotFound
from gleaner.contracts.models import ScrapeResult
from gleaner.contracts.ports import JsonObject
from gleaner.jobs.batches import UNDER_WAY, ParsedList, Politeness, page_job
from gleaner.jobs.jobs import ENDED
from gleaner.jobs.site_maps import CrawlOrder
from gleaner.local.runner import LocalRunner
from gleaner.service.gateway import Gateway

LOOK_S = 2.0
"""How often a batch is looked at when none of its pages ends: another process may work on it."""
LAST_STEPS = ("aggregate_results", "record_failure", "admit_page")
LAST_OF_ALL = ("summarize_batch", "map_site")
"""The steps after which a page of a batch may have its result."""


class BatchRun:
    """One batch or crawl of this process. Waits for its pages without looking again and again."""

    def __init__(self, gateway: Gateway, runner: LocalRunner) -> None:
        self.gateway = gateway
        self.batch_id = ""
        self._machine = "scrape_batch"
        self._listed: list[str] = []
        self._runner = runner
        self._ended: SimpleQueue[str] = SimpleQueue()

    def start(self, parsed: ParsedList, politeness: Politeness, name: str | None = None) -> JsonObject:
        """Start the batch, or go on with the one of this name; give its record."""
        self._runner.listeners.append(self._note)
        started = self.gateway.start_batch(parsed, politeness, idempotency_key=name)
        self.batch_id = str(started["batch_id"])
        firsts = dict(parsed.copies)
        lines = sorted({line for line, _ in parsed.requests} | firsts.keys())
        self._listed = [page_job(self.batch_id, firsts.get(line, line)) for line in lines]
        return started

    def start_crawl(self, order: CrawlOrder, name: str | None = None) -> JsonObject:
        """Start a crawl, or go on with the one of this name; give its record."""
        self._runner.listeners.append(self._note)
        self._machine = "crawl_site"
        asked = order.model_dump(mode="json", exclude_unset=True)
        started = self.gateway.sites.start_crawl(asked, idempotency_key=name)
        self.batch_id = str(started["batch_id"])
        return started

    @property
    def jobs(self) -> list[str]:
        """The jobs of the pages in their order; of a crawl, none before its map has ended."""
        if self._machine == "crawl_site" and not self._listed:
            self._listed = [page_job(self.batch_id, number) for number in range(1, self.total + 1)]
        return self._listed

    @property
    def total(self) -> int:
        """How many pages there are; of a crawl, 0 before its map has ended."""
        return int(str(self.gateway.batches.record(self.batch_id)["total"]))

    @property
    def is_mine(self) -> bool:
        """Whether this process works on it, or goes on with what another one has left."""
        return self._runner.go_on(self._machine, self.batch_id)

    def results(self) -> "Iterator[ScrapeResult[Any]]":
        """Give the pages' results as they come, each once, until the batch has ended."""
        told: set[str] = set()
        try:
            while self.gateway.batches.record(self.batch_id)["status"] in UNDER_WAY:
                self._runner.go_on(self._machine, self.batch_id)
                yield from self._new(self._waited(), told)
            yield from self._new(self.jobs, told)
        finally:
            self._runner.listeners.remove(self._note)

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
            is_own = job.startswith(f"{self.batch_id}-") and job not in told
            result = self._result(job) if is_own else None
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
        if function in LAST_OF_ALL:
            self._ended.put("")
        if function in LAST_STEPS:
            place: Any = payload.get("item") or payload.get("input") or payload
            job = place.get("job") if isinstance(place, dict) else None
            self._ended.put(str(job.get("job_id")) if isinstance(job, dict) else "")
