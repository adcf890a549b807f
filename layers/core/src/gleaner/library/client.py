"""``Gleaner``: scrapes pages and extracts records on this machine."""

import json
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from typing_extensions import TypeVar, Unpack

from gleaner.contracts.errors import InvalidRequest, InvalidSettings, QueueTimeout, UnsupportedContent
from gleaner.contracts.items import DEFAULT_TENANT, every_item
from gleaner.contracts.media import LONGEST_SNIFFED, file_of
from gleaner.contracts.models import ScrapeResult, parse_request
from gleaner.contracts.ports import JsonObject, Model
from gleaner.contracts.settings import load_settings
from gleaner.html.links import page_links
from gleaner.html.style_hiding import mark_hidden_by_styles
from gleaner.jobs.aggregates import ExtractionAggregator
from gleaner.jobs.batches import Politeness, parse_list
from gleaner.jobs.jobs import JobRef, new_job_id
from gleaner.jobs.pages import Pages, StoredPage, page_id_of
from gleaner.jobs.record_changes import RecordChanges
from gleaner.jobs.site_maps import CrawlOrder, MapOrder, SiteMap
from gleaner.jobs.strategies import ExtractionCache
from gleaner.jobs.watches import WatchRun
from gleaner.library.crawl_result import CrawlResult
from gleaner.library.options import CrawlOptions, CrawlOrderOptions, MapOptions, RequestOptions, SettingOptions
from gleaner.library.signatures import shows_its_keywords
from gleaner.library.typed_data import instances_of
from gleaner.local.batch_runs import BatchRun
from gleaner.local.listings import run_listing
from gleaner.local.runner import LocalRunner, StepListener
from gleaner.local.watching import run_watch
from gleaner.reports.document import report_html
from gleaner.reports.workbook import workbook_of
from gleaner.results.records import records_of
from gleaner.schemas.classes import is_class, schema_of_classes
from gleaner.service.gateway import Gateway
from gleaner.steps.document import file_page
from gleaner.steps.site.mapping import map_at_once
from gleaner.structured.suggesting import Suggestion
from gleaner.wiring import WiredServices

T = TypeVar("T", default=Any)
"""The class that is asked for, or a list of one; any JSON where a schema is given."""
JsonSchema = Mapping[str, Any] | bool | str | list[Any]
"""A schema as it is: a JSON Schema, an example of the data, or either as JSON text."""
Wanted = type[T] | JsonSchema | None
"""What is to be extracted: a class or a list of one, or a schema."""
PageLike = str | Mapping[str, Any]
"""A page of a batch: its URL, or a whole request."""

logger = logging.getLogger("gleaner")
logger.addHandler(logging.NullHandler())


class Gleaner:
    """Scrapes pages and extracts records on this machine.

    ``model`` is a name as in the settings (``"ollama:qwen3"``, ``"bedrock:…"``, ``"none"``), a function from a prompt
    to an answer, or an object with ``answer(ModelRequest) -> ModelAnswer``. ``home`` is the data folder. ``on_step`` is
    called with each step's name, phase and payload. Other settings go by their names
    (``allow_hosts=["127.0.0.1:8000"]``, ``max_page_size=…``, ``browser={…}``); what is not given comes from the
    environment. InvalidSettings names what is wrong.
    """

    @shows_its_keywords
    def __init__(
        self,
        model: "str | Model | Callable[[str], str] | None" = None,
        home: str | Path | None = None,
        *,
        tenant: str = DEFAULT_TENANT,
        on_step: StepListener | None = None,
        **settings: Unpack[SettingOptions],
    ) -> None:
        named = model if isinstance(model, str) else None
        if not (model is None or named is not None or callable(getattr(model, "answer", model))):
            raise InvalidSettings(f"model is a name, a function, or an object with answer(request), and not {model!r}")
        self.tenant = JobRef("any", tenant).tenant
        loaded = load_settings(model=named, home=Path(home) if home else None, **settings)
        self.services = WiredServices(loaded, model=None if isinstance(model, str) else model)
        self._runner = LocalRunner(self.services, log_step, *([on_step] if on_step else []))
        self._is_closed = False

    @shows_its_keywords
    def scrape(
        self, url: str | None = None, *, output_schema: Wanted[T] = None, **options: Unpack[RequestOptions]
    ) -> ScrapeResult[T]:
        """Scrape one page; the keywords are the fields of ScrapeRequest.

        ``output_schema`` is a JSON Schema, an example, or a class: with ``Product`` or ``list[Product]`` the result's
        ``data`` is an instance, or a list of them. Raises InvalidRequest for a request that is wrong in itself;
        whatever happens later is in the result, whose ``status`` is complete, partial or failed
        (``result.raise_for_status()`` raises what it failed with).
        """
        plain = plain_request({"url": url, **options}, output_schema)
        return self._typed(self._run(plain, JobRef(new_job_id(), self.tenant)), output_schema)

    @shows_its_keywords
    def extract_html(
        self, html: str, url: str, *, output_schema: Wanted[T] = None, **options: Unpack[RequestOptions]
    ) -> ScrapeResult[T]:
        """Work on HTML that is at hand, as if it had been fetched from the URL; nothing is fetched."""
        if not isinstance(html, str):
            decode = "gleaner.adapters.http_fetch.decode_html(raw, content_type)"
            raise InvalidRequest(f"html is a str, not {type(html).__name__}; {decode} gives the text of bytes")
        if file := file_of(html[:LONGEST_SNIFFED].encode("utf-8", "replace")):
            raise InvalidRequest(f"html begins as a file of the kind {file}; extract_document reads documents")
        if not isinstance(url, str):
            raise InvalidRequest(f"url is a str, the address that the page is from, not {type(url).__name__}")
        ref = JobRef(new_job_id(), self.tenant)
        page_id = page_id_of(ref, url)
        plain = plain_request({**options, "page_id": page_id}, output_schema)
        page = StoredPage(page_id, url, url, 200, links=tuple(page_links(html, url)))
        Pages(self.services.blobs, ref).store(page, mark_hidden_by_styles(html))
        return self._typed(self._run(plain, ref), output_schema)

    @shows_its_keywords
    def extract_document(
        self,
        document: bytes | Path,
        url: str = "",
        *,
        output_schema: Wanted[T] = None,
        **options: Unpack[RequestOptions],
    ) -> ScrapeResult[T]:
        """Work on a file that is at hand, or its bytes, as if it had been fetched from the URL; nothing is fetched.

        PDFs and all that is read as a page: HTML, CSV, JSON, XML, mails, calendars, texts, known by the name and the
        first bytes. LockedDocument, DamagedDocument, NoTextLayer, PageTooLarge or UnsupportedContent say why it
        can't be read.
        """
        if not isinstance(document, bytes | Path):
            raise InvalidRequest(f"document is a Path or bytes, not {type(document).__name__}")
        body = document if isinstance(document, bytes) else document.read_bytes()
        url = url or (document.resolve().as_uri() if isinstance(document, Path) else "file:///document")
        ref = JobRef(new_job_id(), self.tenant)
        page_id = page_id_of(ref, url)
        plain = plain_request({**options, "page_id": page_id}, output_schema)
        Pages(self.services.blobs, ref).store(*file_page(body, (page_id, url, url), self.services))
        return self._typed(self._run(plain, ref), output_schema)

    @shows_its_keywords
    def batch(
        self,
        pages: Iterable[PageLike],
        *,
        output_schema: Wanted[T] = None,
        on_result: "Callable[[ScrapeResult[T]], object] | None" = None,
        concurrency: int = 8,
        per_host: int = 2,
        delay_ms: int = 0,
        ignore_robots: bool = False,
        **options: Unpack[RequestOptions],
    ) -> list[ScrapeResult[T]]:
        """Scrape many pages, politely; give their results in the order of the pages.

        ``pages`` are URLs or whole requests; the keywords hold for each that does not give them itself. A page that is
        named twice is fetched once. ``on_result`` is called with each result as it comes.
        """
        politeness = {
            "concurrency": concurrency, "per_host": per_host, "delay_ms": delay_ms, "ignore_robots": ignore_robots,
        }  # fmt: skip
        begun = self.begin_batch(pages, output_schema, politeness, dict(options))
        return begun.ordered(begun.heard_by(on_result))

    def begin_batch(
        self, pages: Iterable[PageLike], output_schema: Any, politeness: Mapping[str, Any], options: dict[str, Any]
    ) -> "BegunBatch":
        """Begin a batch."""
        self._check_open()
        defaults = plain_defaults(options, output_schema)
        listed = [page if isinstance(page, str) else dict(page) for page in pages]
        parsed = parse_list(json.dumps(listed).encode(), "pages.json", defaults)
        if parsed.bad:
            raise InvalidRequest(f"page {parsed.bad[0].line} of the batch: {parsed.bad[0].reason}")
        run = BatchRun(self.gateway, self._runner)
        run.start(parsed, Politeness.read(dict(politeness)))
        return BegunBatch(run, (self._typed(result, output_schema) for result in run.results()))

    @shows_its_keywords
    def map(
        self,
        url: str,
        *,
        on_progress: "Callable[[SiteMap], object] | None" = None,
        **options: Unpack[MapOptions],
    ) -> SiteMap:
        """Give the URLs of a site, from its sitemaps, its feeds, and links to a depth; no browser is used.

        ``include`` and ``exclude`` are globs (``/blog/*``). What could not be read is in the map's ``warnings``, and
        its ``status`` is partial then. ``on_progress`` is called between requests, with the counts so far.
        """
        self._check_open()
        order = MapOrder.read({"url": url, **with_lists(options)})
        return map_at_once(order, self.services, on_progress)

    @shows_its_keywords
    def crawl(
        self,
        url: str,
        *,
        output_schema: Wanted[T] = None,
        name: str | None = None,
        on_result: "Callable[[ScrapeResult[T]], object] | None" = None,
        **options: Unpack[CrawlOptions],
    ) -> CrawlResult[T]:
        """Map a site and scrape its pages, each once, politely.

        The other keywords are fields of the request for each page; ``budget`` holds for the whole crawl. The same
        ``name`` with the same order goes on with a crawl that was interrupted.
        """
        begun = self.begin_crawl(url, output_schema, dict(options), name)
        return begun.crawled(begun.heard_by(on_result))

    def begin_crawl(self, url: str, output_schema: Any, options: Mapping[str, Any], name: str | None) -> "BegunBatch":
        """Begin a crawl, or go on with the one of this name."""
        self._check_open()
        own = {field: value for field, value in options.items() if field in CrawlOrderOptions.__annotations__}
        request = {field: value for field, value in options.items() if field not in own}
        order = CrawlOrder.read({"url": url, **with_lists(own), "request": plain_defaults(request, output_schema)})
        run = BatchRun(self.gateway, self._runner)
        run.start_crawl(order, name)
        return BegunBatch(run, (self._typed(result, output_schema) for result in run.results()))

    def suggest(
        self, url: str | None = None, *, page_id: str | None = None, enable_javascript: bool = True
    ) -> list[Suggestion]:
        """Give schemas that fit a page, the likeliest first; no model is asked.

        ``page_id`` is that of an earlier result. Raises what a scrape of the page fails with.
        """
        if page_id is None:
            result = self.scrape(url, format="links", enable_javascript=enable_javascript)
            result.raise_for_status()
            page_id = result.page_id if result.format == "links" else None
            if page_id is None:
                raise UnsupportedContent(f"{url} is a file, not a page: no schema can be suggested for it")
        found: Any = self.gateway.suggest({"page_id": page_id})
        return [Suggestion.from_json(one) for one in found["suggestions"]]

    def report(self, result: ScrapeResult[Any]) -> str:
        """Give a result as an HTML page of its own: records, what is missing, and the page's text with the proofs."""
        self._check_open()
        return report_html(result, self.gateway.text_of(result))

    def workbook(self, result: ScrapeResult[Any]) -> bytes:
        """Give a result as an Excel workbook with a sheet of proofs; ImportError without the extra ``spreadsheets``."""
        self._check_open()
        return workbook_of(result, self.gateway.text_of(result))

    def extraction(self, extraction_id: str) -> ExtractionAggregator:
        """Give the records of all pages that were extracted under an id; NotFound when there are none."""
        return self.gateway.aggregate(extraction_id)

    @property
    def strategies(self) -> ExtractionCache:
        """What was learned: which extractions there are for which URLs."""
        return self.gateway.strategies

    def sessions(self) -> list[JsonObject]:
        """Give the named sessions: name, created_at, used_at and expires_at in epoch seconds."""
        return [dict(item.data) for item in every_item(lambda after: self.gateway.sessions.list(after=after))]

    def delete_session(self, name: str) -> None:
        """Forget a named session; NotFound when there is none of that name."""
        self.gateway.delete_session(name)

    @property
    def gateway(self) -> Gateway:
        """All that the HTTP API can do, on this installation."""
        return Gateway(self.services, self._runner, self.tenant)

    @shows_its_keywords
    def watch(
        self,
        url: str,
        *,
        output_schema: Any,
        keys: Sequence[str] = (),
        name: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> RecordChanges:
        """Run a request and give what has changed since the last complete run of the same watch.

        The first run changes nothing: later ones are compared with it. ``keys`` are the fields that tell records
        apart, ``name`` is the watch's id.
        """
        plain = plain_request({"url": url, **options}, output_schema)
        record = self.gateway.create_watch({"request": plain, "keys": list(keys), "name": name})
        run = self.run_watch(str(record["watch_id"]))
        return self.watch_changes(str(record["watch_id"]), run.run_id)

    def run_watch(self, watch_id: str) -> WatchRun:
        """Run a watch once; give its entry in the history. QueueTimeout while another run of it goes on."""
        self._check_open()
        run = run_watch(self._runner, watch_id, self.tenant, f"now-{new_job_id()}")
        if run is None:
            raise QueueTimeout(f"another run of watch {watch_id} goes on")
        return run

    def watch_changes(self, watch_id: str, run_id: str) -> RecordChanges:
        """Give what changed in a run of a watch, with the proof of old and new values."""
        return self.gateway.watches.changes(watch_id, run_id)

    def resume_listing(self, request: Mapping[str, Any]) -> ScrapeResult[Any]:
        """Scrape a listing as ``scrape`` does, but go on with the same one if it was stopped or killed on its way.

        KeyboardInterrupt ends it with what was found by then.
        """
        self._check_open()
        plain = plain_request(request, request.get("output_schema"))
        parse_request(plain)
        result = run_listing(plain, self._runner, self.tenant)
        log_result(result)
        return result

    def _run(self, request: dict[str, Any], ref: JobRef) -> ScrapeResult[Any]:
        self._check_open()
        return self._runner.run_scrape(request, ref)

    def _typed(self, result: ScrapeResult[Any], output_schema: Any) -> ScrapeResult[Any]:
        extraction = result.extraction
        result.take_records(records_of(extraction)[0] if extraction is not None else [])
        if is_class(output_schema):
            result.take_data(*instances_of(output_schema, extraction.data if extraction is not None else None))
        log_result(result)
        return result

    def _check_open(self) -> None:
        if self._is_closed:
            raise RuntimeError("this Gleaner is closed; make a new one")

    def close(self) -> None:
        """Close the browser and the stores."""
        self._is_closed = True
        self._runner.close()
        self.services.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@dataclass(frozen=True, slots=True)
class BegunBatch:
    """A batch or crawl that runs: its results as they come, and what they make together."""

    run: BatchRun
    results: Iterator[ScrapeResult[Any]]

    def heard_by(self, listener: Callable[[ScrapeResult[Any]], object] | None) -> list[ScrapeResult[Any]]:
        """Wait for all results; a listener is called with each as it comes."""
        found = list[ScrapeResult[Any]]()
        for result in self.results:
            found.append(result)
            if listener is not None:
                listener(result)
        return found

    def ordered(self, results: Iterable[ScrapeResult[Any]]) -> list[ScrapeResult[Any]]:
        """Give results in the order of the pages; one that was named twice, twice."""
        found = {result.job_id: result for result in results}
        return [found[job] for job in self.run.jobs if job in found]

    def crawled(self, results: Iterable[ScrapeResult[Any]]) -> CrawlResult[Any]:
        """Give what a crawl came to, by its results."""
        gateway, crawl_id = self.run.gateway, self.run.batch_id
        record: Any = gateway.batches.view(crawl_id)
        not_run = int(record["counts"].get("not_run") or 0)
        site_map = gateway.sites.site_map(crawl_id)
        return CrawlResult(crawl_id, record["status"], self.ordered(results), site_map, not_run)


def with_lists(options: Mapping[str, Any]) -> dict[str, Any]:
    """Give options with their sequences as the lists that JSON knows, and without those that are None."""
    given = {name: value for name, value in options.items() if value is not None}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in given.items()}


def plain_defaults(options: Mapping[str, Any], output_schema: Any) -> dict[str, Any]:
    """Give fields for each of many requests as JSON; InvalidRequest for a schema that JSON can't say."""
    defaults = {name: value for name, value in options.items() if value is not None}
    if output_schema is not None:
        defaults["output_schema"] = plain_schema(output_schema)
    return defaults


def plain_request(fields: Mapping[str, Any], output_schema: Any) -> dict[str, Any]:
    """Give the request as the JSON that every other way in would send; InvalidRequest when it is wrong in itself."""
    return parse_request(plain_defaults(fields, output_schema)).model_dump(mode="json", exclude_unset=True)


def plain_schema(output_schema: Any) -> Any:
    """Give the schema of a class, or what was given as it is; InvalidRequest for what JSON can't say."""
    try:
        return schema_of_classes(output_schema)
    except ValueError as error:
        raise InvalidRequest(f"output_schema: {error}") from None
    except RecursionError:
        raise InvalidRequest("output_schema: it is nested too deeply, or holds itself") from None


def log_step(function: str, phase: str, payload: JsonObject) -> None:  # noqa: ARG001 - a StepListener
    """Write one line about a step under the logger ``gleaner``."""
    logger.debug("%s %s", function, phase)


def log_result(result: ScrapeResult[Any]) -> None:
    """Write one line about a result under the logger ``gleaner``: a warning for one that failed or is partial."""
    usage = result.extraction.usage if result.extraction else None
    told = f", {len(records_of(result.extraction)[0])} records" if result.extraction else ""
    told += f", {usage.calls} model calls" if usage and usage.calls else ""
    level = logging.INFO if result.status == "complete" else logging.WARNING
    why = f": {result.why_no_data()}" if result.status != "complete" else ""
    logger.log(level, "%s %s%s%s", result.source_url or result.url or result.job_id, result.status, told, why)
