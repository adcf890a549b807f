"""The renderer: Chromium under Playwright, behind the filtering proxy (BR-1 to BR-4, SS-1)."""

import asyncio
import atexit
import itertools
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import cast

from playwright.async_api import BrowserContext
from playwright.async_api import Error as PlaywrightError

from gleaner.adapters.browser.acting.actor import LONGEST_ACTING_S
from gleaner.adapters.browser.errors import explain_failed_page
from gleaner.adapters.browser.fonts import Fonts, undrawn_warning
from gleaner.adapters.browser.master_profile import MasterProfile
from gleaner.adapters.browser.memory import within_memory
from gleaner.adapters.browser.page import PageVisit, context_options
from gleaner.adapters.browser.pool import BrowserPool, BrowserWorker, LoopThread
from gleaner.adapters.browser.scrolling import longest_reading_on
from gleaner.adapters.browser.visit_clock import seconds_until
from gleaner.adapters.http.address_proxy import AddressProxy
from gleaner.adapters.http.upstream_proxy import Routes, UpstreamProxy
from gleaner.addresses import RESOLVE_TIMEOUT_S, Policy, check_url, resolve_host
from gleaner.contracts.errors import BrowserCrashed, CallerError, FetchTimeout, InvalidSettings, PageError
from gleaner.contracts.ports import BlobStore, JsonObject, RenderedPage, RenderOrder, SecretStore
from gleaner.contracts.settings import Settings

SLACK_S = 25.0
"""What snapshot, screenshot and opening may take in all, above navigation and wait, before a browser counts as hung."""

ATTEMPTS = 2


class PlaywrightRenderer:
    """Renders pages with real browsers; may be used from any thread, and closes itself when the process ends.

    Nothing is started before the first page. ``blobs`` are where the master profile's lease and login state are kept,
    so that several machines can share it.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        blobs: BlobStore | None = None,
        proxy: AddressProxy | None = None,
        secrets: Callable[[], SecretStore] | None = None,
    ) -> None:
        self._settings = settings
        self._policy = Policy.from_settings(settings)
        self._most_memory = settings.limits.max_page_memory
        self._blobs = blobs
        self._fonts = Fonts(settings.home, blobs)
        self._proxy = proxy or AddressProxy.from_settings(settings, secrets=secrets)
        self._routes = Routes(settings, secrets)
        self._behind: dict[UpstreamProxy, AddressProxy] = {}
        self._user_agents: Iterator[str] = itertools.cycle(settings.browser.user_agents or [""])
        self._starting = threading.Lock()
        self._thread: LoopThread | None = None
        self._pool: BrowserPool | None = None
        self._owner = 0

    def render(self, order: RenderOrder) -> RenderedPage:
        """Show the page in a browser and give what it shows; a browser that crashes or hangs is replaced once.

        A page that a new browser hangs on is at fault itself: FetchTimeout, which nobody tries again.
        """
        resolve = partial(resolve_host, timeout_s=seconds_until(order.ends_at, RESOLVE_TIMEOUT_S))
        check_url(order.url, resolve=resolve, policy=self._policy)
        thread, pool = self._started()
        return thread.run(self._render(pool, order, self._checking_proxy(order.proxy)))

    def _checking_proxy(self, name: str | None) -> AddressProxy:
        """Give the checking proxy of a page's browser: the one, or one that goes on through a named proxy."""
        if name is None:
            return self._proxy
        upstream = self._routes.named(name)
        with self._starting:
            return self._behind.setdefault(upstream, self._proxy.through(upstream)).start()

    def warm_up(self) -> None:
        """Start the workers that the settings want ready, and the driver."""
        thread, pool = self._started()
        thread.run(pool.warm_up())

    def close(self) -> None:
        """End all browsers; the next page starts new ones."""
        with self._starting:
            thread, pool = self._thread, self._pool
            self._thread = self._pool = None
            if thread and pool and self._owner == os.getpid():
                atexit.unregister(self.close)
                thread.run(pool.close(), timeout_s=20)
                thread.stop()
                for proxy in (self._proxy, *self._behind.values()):
                    proxy.stop()
                self._behind.clear()

    @property
    def workers(self) -> tuple[BrowserWorker, ...]:
        """The browsers that run now."""
        return self._pool.workers if self._pool else ()

    def _started(self) -> tuple[LoopThread, BrowserPool]:
        with self._starting:
            if self._thread is None or self._pool is None or self._owner != os.getpid():
                self._owner = os.getpid()  # a forked child starts its own
                self._proxy.start()
                self._thread = LoopThread()
                self._pool = BrowserPool(self._settings, self._proxy.url)
                atexit.register(self.close)
            return self._thread, self._pool

    async def _render(self, pool: BrowserPool, order: RenderOrder, proxy: AddressProxy) -> RenderedPage:
        """Show the page; once more in a new browser, if its screenshot needs fonts that the store has."""
        page = await self._show(pool, order, proxy)
        problem = ""
        try:
            if page.undrawn and page.cut_short is None and await asyncio.to_thread(self._fonts.fetch):
                await pool.renew()
                page = await self._show(pool, order, proxy)
        except InvalidSettings as error:
            problem = f" ({error.message})"
        if not page.undrawn:
            return page
        return replace(page, warnings=(*page.warnings, undrawn_warning(page.undrawn) + problem))

    async def _show(self, pool: BrowserPool, order: RenderOrder, proxy: AddressProxy) -> RenderedPage:
        for attempt in range(1, ATTEMPTS + 1):
            try:
                if order.profile == "master":
                    return await self._visit_as_master(pool, order, proxy)
                async with pool.worker(order.ends_at) as worker:
                    return await self._visit_in(worker, order, proxy)
            except BrowserCrashed:
                if attempt == ATTEMPTS or not seconds_until(order.ends_at, 1):
                    raise
        raise BrowserCrashed(f"no browser could show {order.url}")

    async def _visit_in(self, worker: BrowserWorker, order: RenderOrder, proxy: AddressProxy) -> RenderedPage:
        user_agent = self._settings.browser.user_agent or next(self._user_agents) or None
        try:
            async with asyncio.timeout(self._time_limit_s(order)):
                single = self._settings.browser.single_process  # such a browser bears one context, its own
                options = context_options(self._settings, user_agent)
                if single and (order.keeps_state or order.state is not None):
                    raise InvalidSettings("sessions need a context of their own: set browser_single_process to false")
                if order.proxy is not None:
                    if single:
                        raise InvalidSettings("a proxy needs a context of its own: set browser_single_process to false")
                    options["proxy"] = {"server": proxy.url}
                if order.state is not None:
                    options["storage_state"] = order.state
                context = worker.context if single else await worker.browser.new_context(**options)
                visit = self._visit(context, order, proxy)
                page = await within_memory(visit, order.url, worker.process_id, self._most_memory, worker.kill)
                if order.keeps_state:
                    page = replace(page, state=cast("JsonObject", await context.storage_state(indexed_db=True)))
                await context.close()
                return page
        except TimeoutError:
            worker.kill()
            if worker.pages > 1:
                raise BrowserCrashed(f"the browser hung on {order.url}; it was closed") from None
            raise self._too_slow(order) from None  # not what an earlier page has left in the browser
        except PlaywrightError as error:
            worker.kill()
            raise explain_failed_page(error.message, order.url) from None
        except BrowserCrashed:
            worker.kill()
            raise

    async def _visit_as_master(self, pool: BrowserPool, order: RenderOrder, proxy: AddressProxy) -> RenderedPage:
        profile = MasterProfile(self._settings, self._blobs)
        options = context_options(self._settings, self._settings.browser.user_agent)
        async with profile.held():
            opened = profile.opened(await pool.playwright(), options, headless=True, proxy_url=proxy.url)
            async with opened as context:
                try:
                    async with asyncio.timeout(self._time_limit_s(order)):
                        visit = PageVisit(context, order, self._settings, proxy.error_for)
                        browser, end = profile.process_id, profile.end_left_browser
                        page = await within_memory(visit.run(), order.url, browser, self._most_memory, end)
                        state = await context.storage_state(indexed_db=True)
                except TimeoutError:
                    profile.end_left_browser()
                    raise self._too_slow(order) from None
                except PlaywrightError as error:
                    raise explain_failed_page(error.message, order.url) from None
            await asyncio.to_thread(profile.save_state, state)
            return page

    def _too_slow(self, order: RenderOrder) -> FetchTimeout:
        limit = self._time_limit_s(order)
        return FetchTimeout(f"{order.url} kept a new browser busy for over {limit:g} s; it was closed")

    def _time_limit_s(self, order: RenderOrder) -> float:
        scrape = self._settings.scrape
        wait_ms = order.wait_for_ms or scrape.stability_max_wait_ms * (1 + scrape.scroll_enabled)
        wait_ms += longest_reading_on(order, scrape) * 1000 if order.batches else 0
        wait_ms += (LONGEST_ACTING_S + scrape.stability_max_wait_ms / 1000) * 1000 if order.actions else 0
        return seconds_until(order.ends_at, (scrape.navigate_timeout_ms + wait_ms) / 1000 + SLACK_S)

    async def _visit(self, context: BrowserContext, order: RenderOrder, proxy: AddressProxy) -> RenderedPage:
        try:
            return await PageVisit(context, order, self._settings, proxy.error_for).run()
        except (PageError, CallerError):  # the browser is well, and serves the next page
            with suppress(PlaywrightError):
                await context.close()
            raise
