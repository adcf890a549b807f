"""What every way in can do: start, wait, read, cancel, list. HTTP API, MCP and CLI only translate (AP-1).

All of it is of one tenant: what belongs to another is not found.
"""

import json
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from gleaner.addresses import Policy, check_url
from gleaner.contracts.errors import (
    FetchTimeout,
    NotFound,
    RateLimited,
    Unauthorized,
    UnsupportedContent,
    error_of,
)
from gleaner.contracts.items import DEFAULT_TENANT
from gleaner.contracts.models import REQUEST_BYTES, MediaPayload, ScrapeResult, parse_request
from gleaner.contracts.ports import ItemPage, JsonObject, JsonValue, RenderedPage, Services, Starter
from gleaner.contracts.schema_input import with_schema_as_text
from gleaner.jobs.aggregates import ExtractionAggregator
from gleaner.jobs.batches import UNDER_WAY, Batches, ParsedList, Politeness
from gleaner.jobs.blob_texts import read_json, read_text
from gleaner.jobs.jobs import ENDED, JobRef, Jobs, new_job_id
from gleaner.jobs.pages import Pages
from gleaner.jobs.places import jobs_of
from gleaner.jobs.sessions import SessionList, SessionStates
from gleaner.jobs.strategies import ExtractionCache, ExtractionStrategy
from gleaner.jobs.tokens import Tokens
from gleaner.jobs.watches import Watches, WatchOrder
from gleaner.page.model import PageOptions
from gleaner.page.opening import open_page
from gleaner.parsers import ParserRegistry, browse_page
from gleaner.service.idempotency import earlier, ref_of_key, request_digest
from gleaner.service.progress import stored_progress
from gleaner.service.sites import Sites
from gleaner.steps.batch import batches_of
from gleaner.steps.watch import watches_of

POLL_S = 0.05
LONGEST_PAUSE_S = 1.0
PATIENCE = 0.2
"""Of the time waited so far, how much passes before the next look: what has taken long is seen a fifth later."""
MAX_WAIT_S = 25.0


def pauses_within(wait_s: float, clock: Callable[[], float] = time.monotonic) -> Iterator[float]:
    """Give the seconds to rest between looks at a job until the time is over, longer ones as it goes on.

    A wait of 25 s takes about 40 looks, each of which is a read that is paid for.
    """
    started = clock()
    while (passed := clock() - started) < wait_s:
        yield min(max(POLL_S, passed * PATIENCE), LONGEST_PAUSE_S, wait_s - passed)


class CallerGone(Exception):
    """Nobody waits for the answer any more."""


@dataclass(frozen=True, slots=True)
class Gateway:
    """The doors of one installation, for one tenant."""

    services: Services
    starter: Starter
    tenant: str = DEFAULT_TENANT
    sleep: Callable[[float], None] = time.sleep
    heed: Callable[[JobRef], None] = lambda _: None
    """Called now and then while a job is waited for. CallerGone from it ends the wait, and a job begun by it."""
    largest_body: int | None = None
    """Bytes that one answer can carry here; what is larger is read at a URL of its own. None: any."""
    media_url: Callable[[JobRef], str] | None = None
    """Gives where this caller reads a job's media, if not at the blob store's own URL."""

    @property
    def jobs(self) -> Jobs:
        """The installation's jobs."""
        return jobs_of(self.services)

    def start_scrape(self, request: Any, *, idempotency_key: str | None = None) -> JobRef:
        """Start a job and give its name. The same key with the same request gives the job that was started before.

        InvalidRequest or UnsupportedFormat when the request is wrong in itself, or the key was used for another one.
        """
        parsed = parse_request(request)
        ref = ref_of_key(self.tenant, idempotency_key)
        digest = request_digest(request)
        if idempotency_key is None or earlier("request", lambda: self.jobs.status(ref), digest) is None:
            self.jobs.open(ref, parsed.url, status="queued", request_digest=digest)
        if self.jobs.status(ref).get("status") == "queued":
            carried = with_schema_as_text(request, REQUEST_BYTES)
            self.starter.start("scrape_page", {"job": ref.to_json(), "request": carried}, ref.job_id)
        return ref

    def scrape(
        self, request: Any, *, wait_s: float, idempotency_key: str | None = None
    ) -> tuple[JobRef, ScrapeResult | None]:
        """Start a job and wait for its result for a while; None when it is not there by then.

        CallerGone when the caller left meanwhile: nobody knows the job's name, so it is cancelled.
        """
        ref = self.start_scrape(request, idempotency_key=idempotency_key)
        try:
            return ref, self.wait(ref, wait_s)
        except CallerGone:
            self.cancel(ref.job_id)
            raise

    def wait(self, ref: JobRef, wait_s: float) -> ScrapeResult | None:
        """Give the result as soon as the job ends, None when it has not within the time."""
        has_ended = self.wait_until(lambda: self.jobs.status(ref).get("status") in ENDED, ref, wait_s)
        return self.result(ref.job_id) if has_ended else None

    def wait_until(self, has_ended: Callable[[], bool], ref: JobRef, wait_s: float) -> bool:
        """Look now and then whether something has ended, until the time is over; give whether it has."""
        pauses = pauses_within(wait_s)
        while not has_ended():
            self.heed(ref)
            pause = next(pauses, None)
            if pause is None:
                return False
            self.sleep(pause)
        return True

    def job(self, job_id: str) -> JsonObject:
        """Give a job's record; NotFound when this tenant has none of that name."""
        record = self.jobs.status(JobRef(job_id, self.tenant))
        shown = public_record(record)
        steps = self.starter.steps(job_id)
        if not steps:
            return {**shown, **self._stored_progress(job_id, str(record.get("status")))}
        asked = [step for step in steps if step["name"] == "extract_chunk"]
        counts: JsonObject = {
            "chunks_done": sum(step["status"] != "running" for step in asked),
            "chunks_total": max(len(asked), sum(int(str(step.get("chunks", 0))) for step in steps)),
        }
        return {**shown, "steps": list(steps), **counts}

    def _stored_progress(self, job_id: str, status: str) -> JsonObject:
        progress = stored_progress(JobRef(job_id, self.tenant), status, self.services.blobs)
        counts: JsonObject = {"chunks_done": progress.chunks_done, "chunks_total": progress.chunks_total}
        return {"steps": list(progress.steps), **counts}

    def result(self, job_id: str) -> ScrapeResult:
        """Give a job's result; NotFound when there is no such job, or it has none yet."""
        ref = JobRef(job_id, self.tenant)
        record = self.jobs.status(ref)
        if record.get("status") == "cancelled" and not self.services.blobs.exists(ref.key("result.json")):
            raise NotFound(f"job {job_id} was cancelled: it has no result")
        if record.get("status") not in ENDED:
            raise NotFound(f"job {job_id} is {record.get('status')}: it has no result yet")
        return self._stored_result(ref)

    def _stored_result(self, ref: JobRef) -> ScrapeResult:
        result = self.jobs.result(ref)
        own = self.media_url
        for picture in result.pictures:  # the URL that was stored has its hour; this reader gets a new one
            named = "" if picture is result.media else f"?format={picture.format}"
            picture.url = own(ref) + named if own is not None else self.services.blobs.url(picture.key)
        return result

    def request(self, job_id: str) -> JsonObject:
        """Give the request of a job as it was sent; NotFound when this tenant has none of that name, or it was no page.

        A job that has not begun has none yet.
        """
        ref = JobRef(job_id, self.tenant)
        status = self.jobs.status(ref).get("status")
        if not self.services.blobs.exists(ref.key("plan.json")):
            raise NotFound(f"job {job_id} is {status}: its request is not known")
        asked: JsonObject = read_json(self.services.blobs, ref.key("plan.json")).get("asked") or {}
        return asked

    def markdown(self, job_id: str) -> str:
        """Give the Markdown that a job's provenance points into; NotFound when it has none."""
        ref = JobRef(job_id, self.tenant)
        status = self.jobs.status(ref).get("status")
        if not self.services.blobs.exists(ref.key("content.md")):
            why = "it has no Markdown" if status in ENDED else "it has no Markdown yet"
            raise NotFound(f"job {job_id} is {status}: {why}")
        return read_text(self.services.blobs, ref.key("content.md"))

    def report(self, job_id: str) -> str:
        """Give a job's result as an HTML page of its own, with proofs; NotFound when it has none yet."""
        from gleaner.reports.document import report_html

        result = self.result(job_id)
        return report_html(result, self.text_of(result))

    def controls(self, job_id: str) -> JsonObject:
        """Give what can be pressed and filled in on a job's stored page, as steps; NotFound when it has no page yet."""
        from gleaner.page.controls import controls_of

        page_id = self.result(job_id).page_id
        if page_id is None:
            raise NotFound(f"job {job_id} has no page")
        found: list[JsonValue] = [*controls_of(Pages(self.services.blobs, JobRef(job_id, self.tenant)).html(page_id))]
        return {"controls": found}

    def text_of(self, result: ScrapeResult[Any]) -> str:
        """Give the text that a result's provenance points into; "" where the page has none, or it has expired."""
        try:
            return self.markdown(result.job_id)
        except NotFound:
            return result.markdown or ""

    def media(self, job_id: str, named: str | None = None) -> MediaPayload:
        """Say where a job's screenshot or media is, of several the one of that format; NotFound when it has none."""
        found = [one for one in self.result(job_id).pictures if named in (None, one.format)]
        if not found:
            raise NotFound(f"job {job_id} has no {named or 'screenshot and no media'}")
        return found[0]

    def media_body(self, media: MediaPayload) -> bytes | None:
        """Give the bytes of a job's screenshot or media; None when they are too many for an answer here."""
        if self.largest_body is not None and media.size > self.largest_body:
            return None
        return self.services.blobs.read(media.key)

    def cancel(self, job_id: str) -> JsonObject:
        """Call a job off; one that has ended stays as it is."""
        ref = JobRef(job_id, self.tenant)
        if self.jobs.status(ref).get("status") not in ENDED:
            self.jobs.update(ref, status="cancelled", finished_at=time.time())
        return self.job(job_id)

    def list_jobs(self, *, limit: int = 50, after: str | None = None) -> ItemPage:
        """Give the tenant's jobs, oldest first."""
        return self.jobs.list(self.tenant, limit=limit, after=after)

    def aggregate(self, extraction_id: str) -> ExtractionAggregator:
        """Give the records kept under an extraction id; NotFound when there are none."""
        aggregator = ExtractionAggregator(self.services.table, extraction_id, self.tenant)
        if not aggregator.counts()["pages"]:
            raise NotFound(f"there is no extraction {extraction_id}")
        return aggregator

    @property
    def batches(self) -> Batches:
        """The tenant's batches."""
        return batches_of(self.services, self.tenant)

    def start_batch(
        self,
        parsed: ParsedList,
        politeness: Politeness,
        *,
        idempotency_key: str | None = None,
        source: str | None = None,
    ) -> JsonObject:
        """Start a batch and give its record. The same key with the same list gives the batch that was started before.

        ``source`` is the key of the upload that it is from.

        InvalidRequest when the list holds no request, or the key was used for another one.
        """
        batch_id = ref_of_key(self.tenant, idempotency_key).job_id
        digest = request_digest([politeness.model_dump(), *parsed.lines])
        known = earlier("list", lambda: self.batches.record(batch_id), digest) if idempotency_key else None
        if known is None or known.get("status") == "running":
            bounded = politeness.at_most(self.services.settings.batch_concurrency)
            told: dict[str, Any] = {"source": source} if source is not None else {}
            payload = self.batches.prepare(batch_id, parsed, bounded, request_digest=digest, **told)
            self.starter.start("scrape_batch", payload, batch_id)
        return self.batches.view(batch_id)

    def batch_results(
        self, batch_id: str, *, limit: int = 100, after: str | None = None, max_bytes: int | None = None
    ) -> tuple[list[JsonObject], str | None]:
        """Give results of pages of a batch that have ended, in the order of its list, and where to go on.

        That is None at the end. ``max_bytes`` ends it early, but not before the first result. NotFound when there is
        no such batch.
        """
        self.batches.record(batch_id)
        page = self.batches.page(batch_id, limit=limit, after=after)
        found: list[JsonObject] = []
        size = 0
        for item in page.items:
            if item.data.get("status") in ENDED - {"cancelled"}:
                result = self._stored_result(JobRef(item.sk, self.tenant)).to_json()
                size += len(json.dumps(result)) if max_bytes else 0
                if found and max_bytes and size > max_bytes:
                    return found, after
                found.append(result)
            after = item.sk
        return found, page.next

    def list_batches(self, *, limit: int = 50, after: str | None = None, source: str | None = None) -> ItemPage:
        """Give the tenant's batches, in the order of their ids; with ``source`` those that this upload has started."""
        if source is None:
            return self.batches.list(limit=limit, after=after)
        return self.batches.of_upload(source, limit=limit, after=after)

    def cancel_batch(self, batch_id: str) -> JsonObject:
        """Let no more pages of a batch in; those that run are finished. Of a crawl no more are looked for either."""
        status = self.batches.record(batch_id).get("status")
        if status in UNDER_WAY:
            self.batches.update(batch_id, status="cancelled")
        if status == "mapping":
            self.sites.cancel_map(batch_id)
        return self.batches.view(batch_id)

    @property
    def sites(self) -> Sites:
        """The tenant's maps of sites."""
        return Sites(self)

    @property
    def watches(self) -> Watches:
        """The tenant's watches."""
        return watches_of(self.services, self.tenant)

    def create_watch(self, order: Any) -> JsonObject:
        """Keep a watch, and run it in its time; give its record, with the secret of its webhook this once.

        InvalidRequest names the field; BlockedAddress when the webhook leads where nobody may go.
        """
        read = WatchOrder.read(order)
        if read.webhook is not None:
            check_url(read.webhook.url, policy=Policy.from_settings(self.services.settings))
        record = self.watches.create(read)
        self.services.schedules.put(str(record["watch_id"]), self.tenant, read.every)
        return record

    def run_watch(self, watch_id: str) -> JsonObject:
        """Run a watch now, besides its times; give its record."""
        record = self.watches.record(watch_id)
        run = f"now-{new_job_id()}"
        watch: JsonObject = {"watch_id": watch_id, "tenant": self.tenant}
        self.starter.start("watch_run", {"watch": watch, "run": run}, f"{watch_id[:40]}-{run}")
        return record

    def pause_watch(self, watch_id: str, *, is_paused: bool) -> JsonObject:
        """Run a watch no more until it is resumed, or resume it; give its record. What runs goes on to its end."""
        record = self.watches.record(watch_id)
        if is_paused:
            self.services.schedules.delete(watch_id, self.tenant)
            self.watches.update(watch_id, paused=True)
        else:
            self.services.schedules.put(watch_id, self.tenant, int(str(record["every_s"])))
            self.watches.update(watch_id, paused=False, due_at=time.time())  # what was paused was not missed
        return self.watches.record(watch_id)

    def delete_watch(self, watch_id: str) -> None:
        """Watch no more; the history expires by itself."""
        self.watches.delete(watch_id)
        self.services.schedules.delete(watch_id, self.tenant)

    @property
    def sessions(self) -> SessionList:
        """Which named sessions the tenant has."""
        return SessionList(self.services.table, self.tenant, self.services.settings.session_ttl_days)

    def delete_session(self, name: str) -> None:
        """Forget a named session; NotFound when this tenant has none of that name."""
        if not self.sessions.delete(name):
            raise NotFound(f"there is no session {name}")
        days = self.services.settings.session_ttl_days
        SessionStates(self.services.blobs, self.services.sealer, self.tenant, days).delete(name)

    @property
    def strategies(self) -> ExtractionCache:
        """The tenant's strategies."""
        return ExtractionCache(self.services.table, self.tenant)

    def strategy(self, strategy_id: str) -> ExtractionStrategy:
        """Give a strategy; NotFound when this tenant has none of that id."""
        found = self.strategies.get(strategy_id)
        if found is None:
            raise NotFound(f"there is no strategy {strategy_id}")
        return found

    def recipes(self, strategy_id: str) -> JsonObject:
        """Give a strategy's recipes in words, and what became of them."""
        from gleaner.wrappers.book import (
            RecipeBook,  # reads pages, which few requests do
            described,
        )

        return described(RecipeBook(self.services.table, self.tenant), strategy_id)

    def browse(self, request: Any) -> JsonObject:
        """Give a page's content as seed 003's JSON, its failure too; never raises (PA-3).

        The page is fetched by a job like any other: this function may have no browser. ``enable_javascript: false``
        does without one there too.
        """
        fields = request if isinstance(request, dict) else {}
        plain = {name: value for name, value in fields.items() if name != "enable_javascript"} or request
        wanted = {name: fields[name] for name in ("enable_javascript",) if name in fields}
        return browse_page(
            plain, lambda url: self._fetch_by_job({"url": url, "format": "links", **wanted}), ParserRegistry()
        )

    def suggest(self, request: Any) -> JsonObject:
        """Give schemas that fit a page, ``{url, page_id, suggestions}``; the likeliest first, none where nothing fits.

        ``request`` is ``{url, enable_javascript}`` or ``{page_id}``. No model is asked. What fails raises GleanerError.
        """
        from gleaner.structured.suggesting import suggest_schemas  # reads pages, which few requests do

        order = parse_request(request)
        page_id, ref = order.page_id, JobRef(new_job_id(), self.tenant)
        if page_id is None:
            given = {name: request[name] for name in ("url", "enable_javascript") if name in request}
            ref, page_id = self._page_by_job({**given, "format": "links"})
        pages = Pages(self.services.blobs, ref)
        url = pages.read(page_id).source_url
        page = open_page(pages.html(page_id), url, PageOptions(max_size=self.services.settings.limits.max_page_size))
        found: list[JsonValue] = [one.to_json() for one in suggest_schemas(page)]
        return {"url": url, "page_id": page_id, "suggestions": found}

    def _fetch_by_job(self, request: JsonObject) -> RenderedPage:
        ref, page_id = self._page_by_job(request)
        pages = Pages(self.services.blobs, ref)
        page = pages.read(page_id)
        return RenderedPage(page.source_url, page.status, page.title, pages.html(page_id), page.links)

    def _page_by_job(self, request: JsonObject) -> tuple[JobRef, str]:
        ref, result = self.scrape(request, wait_s=MAX_WAIT_S)
        if result is None:
            raise FetchTimeout(f"{request['url']} took longer than {MAX_WAIT_S:g} s")
        if result.error is not None:
            raise error_of(result.error.error_type, result.error.message)
        if result.page_id is None or result.format == "media":
            raise UnsupportedContent(f"{request['url']} is a file, not a page; scrape returns it")
        return ref, result.page_id


GatewayOf = Callable[[Mapping[str, str]], Gateway]
"""Gives the gateway for a request by its headers (lower-case names); Unauthorized or RateLimited if it may not pass."""


def by_token(services: Services, starter: Starter, media_url: Callable[[JobRef], str] | None = None) -> GatewayOf:
    """Give what finds the gateway of a request by its bearer token, and counts the request (AU-1)."""
    tokens = Tokens(services.table)

    def gateway_of(headers: Mapping[str, str]) -> Gateway:
        principal = tokens.verify(headers.get("authorization"))
        tokens.admit(principal)
        return Gateway(services, starter, principal.tenant, media_url=media_url)

    return gateway_of


def authorizer_context(event: Mapping[str, Any]) -> Mapping[str, Any]:
    """Give what the Lambda authorizer has said of an HTTP API event's caller; nothing on a route without it."""
    authorizer = event.get("requestContext", {}).get("authorizer") or {}
    return authorizer.get("lambda") or {}


def authorized_tenant(event: Mapping[str, Any]) -> str:
    """Give the tenant that the authorizer has let in; Unauthorized when there is none, RateLimited over its rate."""
    context = authorizer_context(event)
    if context.get("retry_after"):
        wait_s = float(context["retry_after"])
        raise RateLimited(f"the token's requests per minute are used up; wait {wait_s:.0f} s", wait_s)
    if not context.get("tenant"):
        raise Unauthorized("the request did not come through the authorizer")
    return str(context["tenant"])


def public_record(record: JsonObject) -> JsonObject:
    """Give what of a job's record its caller sees."""
    return {name: value for name, value in record.items() if name not in ("request_digest", "result_key")}
