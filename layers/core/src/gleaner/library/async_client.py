"""``AsyncGleaner``: the same methods for a running loop, as in notebooks and web servers (LB-5)."""

import asyncio
from collections.abc import AsyncIterator, Callable, Generator, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Generic, Self, TypeVar, overload

from typing_extensions import Unpack

from gleaner.contracts.items import DEFAULT_TENANT
from gleaner.contracts.models import ScrapeResult
from gleaner.contracts.ports import JsonObject, Model
from gleaner.jobs.aggregates import ExtractionAggregator
from gleaner.jobs.record_changes import RecordChanges
from gleaner.jobs.site_maps import SiteMap
from gleaner.jobs.strategies import ExtractionCache
from gleaner.jobs.watches import WatchRun
from gleaner.library.client import BegunBatch, Gleaner, JsonSchema, PageLike
from gleaner.library.crawl_result import CrawlResult
from gleaner.library.options import CrawlOptions, MapOptions, RequestOptions, SettingOptions
from gleaner.library.signatures import shows_its_keywords
from gleaner.local.runner import StepListener
from gleaner.service.gateway import Gateway
from gleaner.structured.suggesting import Suggestion

T = TypeVar("T")


class AsyncBatch(Generic[T]):
    """A batch that runs: ``async for`` gives each result as it comes, ``await`` all of them in the pages' order."""

    def __init__(self, begin: Callable[[], BegunBatch]) -> None:
        self._begin = begin

    async def _results(self) -> list[ScrapeResult[T]]:
        begun = await asyncio.to_thread(self._begin)
        return begun.ordered(await asyncio.to_thread(list, begun.results))

    def __await__(self) -> Generator[Any, None, list[ScrapeResult[T]]]:
        return self._results().__await__()

    async def __aiter__(self) -> AsyncIterator[ScrapeResult[T]]:
        begun = await asyncio.to_thread(self._begin)
        while (result := await asyncio.to_thread(next, begun.results, None)) is not None:
            yield result


class AsyncCrawl(Generic[T]):
    """A crawl that runs: ``async for`` gives each page's result as it comes, ``await`` the whole crawl."""

    def __init__(self, begin: Callable[[], BegunBatch]) -> None:
        self._begin = begin

    async def _crawled(self) -> CrawlResult[T]:
        begun = await asyncio.to_thread(self._begin)
        results = await asyncio.to_thread(list, begun.results)
        return await asyncio.to_thread(begun.crawled, results)

    def __await__(self) -> Generator[Any, None, CrawlResult[T]]:
        return self._crawled().__await__()

    async def __aiter__(self) -> AsyncIterator[ScrapeResult[T]]:
        async for result in AsyncBatch[T](self._begin):
            yield result


class AsyncGleaner:
    """``Gleaner`` whose methods are awaited; pages are worked on in threads, so the loop goes on.

    ``on_step`` is called in the loop.
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
        self._on_step = on_step
        self._loop: asyncio.AbstractEventLoop | None = None
        self.sync = Gleaner(model, home, tenant=tenant, on_step=self._tell if on_step else None, **settings)

    @overload
    async def scrape(
        self, url: str | None = None, *, output_schema: type[T], **options: Unpack[RequestOptions]
    ) -> ScrapeResult[T]: ...

    @overload
    async def scrape(
        self, url: str | None = None, *, output_schema: JsonSchema | None = None, **options: Unpack[RequestOptions]
    ) -> ScrapeResult[Any]: ...

    @shows_its_keywords
    async def scrape(
        self, url: str | None = None, *, output_schema: Any = None, **options: Unpack[RequestOptions]
    ) -> ScrapeResult[Any]:
        """Scrape one page, as ``Gleaner.scrape``."""
        self._loop = asyncio.get_running_loop()
        return await asyncio.to_thread(self.sync.scrape, url, output_schema=output_schema, **options)

    @overload
    async def extract_html(
        self, html: str, url: str, *, output_schema: type[T], **options: Unpack[RequestOptions]
    ) -> ScrapeResult[T]: ...

    @overload
    async def extract_html(
        self, html: str, url: str, *, output_schema: JsonSchema | None = None, **options: Unpack[RequestOptions]
    ) -> ScrapeResult[Any]: ...

    @shows_its_keywords
    async def extract_html(
        self, html: str, url: str, *, output_schema: Any = None, **options: Unpack[RequestOptions]
    ) -> ScrapeResult[Any]:
        """Work on HTML that is at hand, as ``Gleaner.extract_html``."""
        self._loop = asyncio.get_running_loop()
        return await asyncio.to_thread(self.sync.extract_html, html, url, output_schema=output_schema, **options)

    @overload
    async def extract_document(
        self, document: bytes | Path, url: str = "", *, output_schema: type[T], **options: Unpack[RequestOptions]
    ) -> ScrapeResult[T]: ...

    @overload
    async def extract_document(
        self,
        document: bytes | Path,
        url: str = "",
        *,
        output_schema: JsonSchema | None = None,
        **options: Unpack[RequestOptions],
    ) -> ScrapeResult[Any]: ...

    @shows_its_keywords
    async def extract_document(
        self, document: bytes | Path, url: str = "", *, output_schema: Any = None, **options: Unpack[RequestOptions]
    ) -> ScrapeResult[Any]:
        """Work on a file that is at hand, as ``Gleaner.extract_document``."""
        self._loop = asyncio.get_running_loop()
        return await asyncio.to_thread(
            self.sync.extract_document, document, url, output_schema=output_schema, **options
        )

    @overload
    def batch(
        self,
        pages: Iterable[PageLike],
        *,
        output_schema: type[T],
        concurrency: int = 8,
        per_host: int = 2,
        delay_ms: int = 0,
        ignore_robots: bool = False,
        **options: Unpack[RequestOptions],
    ) -> AsyncBatch[T]: ...

    @overload
    def batch(
        self,
        pages: Iterable[PageLike],
        *,
        output_schema: JsonSchema | None = None,
        concurrency: int = 8,
        per_host: int = 2,
        delay_ms: int = 0,
        ignore_robots: bool = False,
        **options: Unpack[RequestOptions],
    ) -> AsyncBatch[Any]: ...

    @shows_its_keywords
    def batch(
        self,
        pages: Iterable[PageLike],
        *,
        output_schema: Any = None,
        concurrency: int = 8,
        per_host: int = 2,
        delay_ms: int = 0,
        ignore_robots: bool = False,
        **options: Unpack[RequestOptions],
    ) -> AsyncBatch[Any]:
        """Scrape many pages: ``async for result in gleaner.batch(urls)``, or ``await`` it for the whole list."""
        politeness = {
            "concurrency": concurrency, "per_host": per_host, "delay_ms": delay_ms, "ignore_robots": ignore_robots,
        }  # fmt: skip
        return AsyncBatch(lambda: self.sync.begin_batch(pages, output_schema, politeness, dict(options)))

    @shows_its_keywords
    async def map(
        self,
        url: str,
        *,
        on_progress: "Callable[[SiteMap], object] | None" = None,
        **options: Unpack[MapOptions],
    ) -> SiteMap:
        """Give the URLs of a site, as ``Gleaner.map``; ``on_progress`` is called in a thread of its own."""
        return await asyncio.to_thread(self.sync.map, url, on_progress=on_progress, **options)

    @overload
    def crawl(
        self,
        url: str,
        *,
        output_schema: type[T],
        name: str | None = None,
        **options: Unpack[CrawlOptions],
    ) -> AsyncCrawl[T]: ...

    @overload
    def crawl(
        self,
        url: str,
        *,
        output_schema: JsonSchema | None = None,
        name: str | None = None,
        **options: Unpack[CrawlOptions],
    ) -> AsyncCrawl[Any]: ...

    @shows_its_keywords
    def crawl(
        self,
        url: str,
        *,
        output_schema: Any = None,
        name: str | None = None,
        **options: Unpack[CrawlOptions],
    ) -> AsyncCrawl[Any]:
        """Scrape the pages of a site: ``async for result in gleaner.crawl(url)``, or ``await`` it for the whole."""
        return AsyncCrawl(lambda: self.sync.begin_crawl(url, output_schema, dict(options), name))

    async def suggest(
        self, url: str | None = None, *, page_id: str | None = None, enable_javascript: bool = True
    ) -> list[Suggestion]:
        """Give schemas that fit a page, as ``Gleaner.suggest``."""
        return await asyncio.to_thread(self.sync.suggest, url, page_id=page_id, enable_javascript=enable_javascript)

    @shows_its_keywords
    async def watch(
        self,
        url: str,
        *,
        output_schema: Any,
        keys: Sequence[str] = (),
        name: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> RecordChanges:
        """Run a request and give what has changed since the last complete run, as ``Gleaner.watch``."""
        self._loop = asyncio.get_running_loop()
        watch = partial(self.sync.watch, output_schema=output_schema, keys=keys, name=name, **options)
        return await asyncio.to_thread(watch, url)

    async def run_watch(self, watch_id: str) -> WatchRun:
        """Run a watch once; give its entry in the history."""
        return await asyncio.to_thread(self.sync.run_watch, watch_id)

    async def watch_changes(self, watch_id: str, run_id: str) -> RecordChanges:
        """Give what changed in a run of a watch, with the proof of old and new values."""
        return await asyncio.to_thread(self.sync.watch_changes, watch_id, run_id)

    async def resume_listing(self, request: Mapping[str, Any]) -> ScrapeResult[Any]:
        """Scrape a listing, or go on with one that was stopped on its way, as ``Gleaner.resume_listing``."""
        self._loop = asyncio.get_running_loop()
        return await asyncio.to_thread(self.sync.resume_listing, request)

    async def report(self, result: ScrapeResult[Any]) -> str:
        """Give a result as an HTML page, as ``Gleaner.report``."""
        return await asyncio.to_thread(self.sync.report, result)

    async def workbook(self, result: ScrapeResult[Any]) -> bytes:
        """Give a result as an Excel workbook, as ``Gleaner.workbook``."""
        return await asyncio.to_thread(self.sync.workbook, result)

    async def extraction(self, extraction_id: str) -> ExtractionAggregator:
        """Give the records of all pages that were extracted under an id."""
        return await asyncio.to_thread(self.sync.extraction, extraction_id)

    @property
    def strategies(self) -> ExtractionCache:
        """What was learned: which extractions there are for which URLs."""
        return self.sync.strategies

    async def sessions(self) -> list[JsonObject]:
        """Give the named sessions."""
        return await asyncio.to_thread(self.sync.sessions)

    async def delete_session(self, name: str) -> None:
        """Forget a named session."""
        await asyncio.to_thread(self.sync.delete_session, name)

    @property
    def gateway(self) -> Gateway:
        """All that the HTTP API can do, on this installation; its methods are not awaited."""
        return self.sync.gateway

    def _tell(self, function: str, phase: str, payload: JsonObject) -> None:
        if self._loop is not None and self._on_step is not None:
            self._loop.call_soon_threadsafe(self._on_step, function, phase, payload)

    async def close(self) -> None:
        """Close the browser and the stores."""
        await asyncio.to_thread(self.sync.close)

    async def __aenter__(self) -> Self:
        self._loop = asyncio.get_running_loop()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()
