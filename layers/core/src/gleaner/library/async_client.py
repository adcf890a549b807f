"""``AsyncGleaner``: the same methods for a running loop, as in notebooks and web servers (LB-5)."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Generator, Iterable
from functools import wraps
from pathlib import Path
from typing import Any, Concatenate, Generic, ParamSpec, Self

from typing_extensions import TypeVar, Unpack

from gleaner.contracts.items import DEFAULT_TENANT
from gleaner.contracts.models import ScrapeResult
from gleaner.contracts.ports import JsonObject, Model
from gleaner.jobs.strategies import ExtractionCache
from gleaner.library.client import BegunBatch, Gleaner, PageLike, Wanted
from gleaner.library.crawl_result import CrawlResult
from gleaner.library.options import CrawlOptions, RequestOptions, SettingOptions
from gleaner.library.signatures import shows_its_keywords
from gleaner.local.runner import StepListener
from gleaner.service.gateway import Gateway

T = TypeVar("T", default=Any)
Taken = ParamSpec("Taken")
Given = TypeVar("Given")


class AsyncBatch(Generic[T]):
    """A batch that runs: ``async for`` gives each result as it comes, ``await`` all of them in the pages' order."""

    def __init__(self, begin: Callable[[], Awaitable[BegunBatch]]) -> None:
        self._begin = begin

    async def _results(self) -> list[ScrapeResult[T]]:
        begun = await self._begin()
        return begun.ordered(await asyncio.to_thread(list, begun.results))

    def __await__(self) -> Generator[Any, None, list[ScrapeResult[T]]]:
        return self._results().__await__()

    async def __aiter__(self) -> AsyncIterator[ScrapeResult[T]]:
        begun = await self._begin()
        while (result := await asyncio.to_thread(next, begun.results, None)) is not None:
            yield result


class AsyncCrawl(Generic[T]):
    """A crawl that runs: ``async for`` gives each page's result as it comes, ``await`` the whole crawl."""

    def __init__(self, begin: Callable[[], Awaitable[BegunBatch]]) -> None:
        self._begin = begin

    async def _crawled(self) -> CrawlResult[T]:
        begun = await self._begin()
        results = await asyncio.to_thread(list, begun.results)
        return await asyncio.to_thread(begun.crawled, results)

    def __await__(self) -> Generator[Any, None, CrawlResult[T]]:
        return self._crawled().__await__()

    async def __aiter__(self) -> AsyncIterator[ScrapeResult[T]]:
        async for result in AsyncBatch[T](self._begin):
            yield result


def awaited(
    method: Callable[Concatenate[Gleaner, Taken], Given],
) -> Callable[Concatenate["AsyncGleaner", Taken], Coroutine[Any, Any, Given]]:
    """Give a method of ``Gleaner`` as one that is awaited: it works in a thread, and the loop goes on."""

    @wraps(method)
    async def call(self: "AsyncGleaner", /, *arguments: Taken.args, **keywords: Taken.kwargs) -> Given:
        self.hear_in(asyncio.get_running_loop())
        return await asyncio.to_thread(method, self.sync, *arguments, **keywords)

    return call


class AsyncGleaner:
    """``Gleaner`` whose methods are awaited; pages are worked on in threads, so the loop goes on.

    ``on_step`` is called in the loop, ``on_progress`` of ``map`` in a thread of its own. The methods of ``gateway`` are
    not awaited.
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

    scrape = awaited(Gleaner.scrape)
    extract_html = awaited(Gleaner.extract_html)
    extract_document = awaited(Gleaner.extract_document)
    map = awaited(Gleaner.map)
    suggest = awaited(Gleaner.suggest)
    watch = awaited(Gleaner.watch)
    run_watch = awaited(Gleaner.run_watch)
    watch_changes = awaited(Gleaner.watch_changes)
    resume_listing = awaited(Gleaner.resume_listing)
    report = awaited(Gleaner.report)
    workbook = awaited(Gleaner.workbook)
    extraction = awaited(Gleaner.extraction)
    sessions = awaited(Gleaner.sessions)
    delete_session = awaited(Gleaner.delete_session)
    close = awaited(Gleaner.close)

    @shows_its_keywords
    def batch(
        self,
        pages: Iterable[PageLike],
        *,
        output_schema: Wanted[T] = None,
        concurrency: int = 8,
        per_host: int = 2,
        delay_ms: int = 0,
        ignore_robots: bool = False,
        **options: Unpack[RequestOptions],
    ) -> AsyncBatch[T]:
        """Scrape many pages: ``async for result in gleaner.batch(urls)``, or ``await`` it for the whole list."""
        politeness = {
            "concurrency": concurrency, "per_host": per_host, "delay_ms": delay_ms, "ignore_robots": ignore_robots,
        }  # fmt: skip
        return AsyncBatch(lambda: self._begun(self.sync.begin_batch, pages, output_schema, politeness, dict(options)))

    @shows_its_keywords
    def crawl(
        self,
        url: str,
        *,
        output_schema: Wanted[T] = None,
        name: str | None = None,
        **options: Unpack[CrawlOptions],
    ) -> AsyncCrawl[T]:
        """Scrape the pages of a site: ``async for result in gleaner.crawl(url)``, or ``await`` it for the whole."""
        return AsyncCrawl(lambda: self._begun(self.sync.begin_crawl, url, output_schema, dict(options), name))

    async def _begun(self, begin: Callable[..., BegunBatch], *arguments: object) -> BegunBatch:
        self.hear_in(asyncio.get_running_loop())
        return await asyncio.to_thread(begin, *arguments)

    @property
    def strategies(self) -> ExtractionCache:
        """What was learned: which extractions there are for which URLs."""
        return self.sync.strategies

    @property
    def gateway(self) -> Gateway:
        """All that the HTTP API can do, on this installation; its methods are not awaited."""
        return self.sync.gateway

    def _tell(self, function: str, phase: str, payload: JsonObject) -> None:
        if self._loop is not None and self._on_step is not None:
            self._loop.call_soon_threadsafe(self._on_step, function, phase, payload)

    def hear_in(self, loop: asyncio.AbstractEventLoop) -> None:
        """Have ``on_step`` called in a loop."""
        self._loop = loop

    async def __aenter__(self) -> Self:
        self.hear_in(asyncio.get_running_loop())
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()
