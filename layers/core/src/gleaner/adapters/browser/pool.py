"""A pool of browser workers on one event loop in a thread of its own (BR-1, BR-4).

All browsers of a process share one Playwright driver. A worker is one browser with a profile folder of its own; each
page gets its own context in it. On this machine workers stay warm; in the cloud the driver stays warm, and each page
gets a new browser.
"""

import asyncio
import contextlib
import os
import re
import signal
import sys
import threading
import time
from collections.abc import AsyncGenerator, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from playwright.async_api import Browser, BrowserContext, Playwright, async_playwright
from playwright.async_api import Error as PlaywrightError

from gleaner.adapters.browser.chromium import BrowserBuild, find_browser, launch_options
from gleaner.adapters.browser.errors import refused_setting
from gleaner.adapters.browser.page import context_options
from gleaner.adapters.browser.profiles import WorkerFolder, open_worker_folder, remove_stale_folders
from gleaner.adapters.browser.visit_clock import seconds_until
from gleaner.contracts.errors import BrowserCrashed, GleanerError, InvalidSettings, QueueTimeout
from gleaner.contracts.settings import Settings

Answer = TypeVar("Answer")

PAGES_PER_BROWSER = 100
"""A browser is replaced after so many pages, so that what it never gives back does not add up."""

IDLE_S = 60.0
CLOSE_S = 5.0
START_S = 60.0


def _report(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Say nothing of what a driver that was ended from outside, as with all of a service, leaves without an answer."""
    if "reading from the driver" not in str(context.get("exception")):
        loop.default_exception_handler(context)


class LoopThread:
    """An event loop that runs in a daemon thread; coroutines are handed to it from any thread."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._loop.set_exception_handler(_report)
        self._thread = threading.Thread(target=self._run, name="gleaner-browser", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_forever()
        self._loop.close()

    def run(self, work: Coroutine[Any, Any, Answer], timeout_s: float | None = None) -> Answer:
        """Run the coroutine there, wait, and give what it gives."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(timeout_s)

    def stop(self) -> None:
        """End the loop and the thread."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(CLOSE_S)


@dataclass(eq=False, slots=True)
class BrowserWorker:
    """One running browser: the name of its profile, its process, and how many pages it has shown."""

    name: str
    folder: WorkerFolder
    context: BrowserContext
    browser: Browser
    process_id: int
    pages: int = 0
    idle_since: float = 0.0
    killed: bool = False
    page_limit: int = PAGES_PER_BROWSER

    def kill(self) -> None:
        """End the browser's processes at once, for one that does not answer."""
        self.killed = True
        kill_browser(self.process_id)

    @property
    def usable(self) -> bool:
        """Tell whether another page may be shown in it."""
        return not self.killed and self.browser.is_connected() and self.pages < self.page_limit


def kill_browser(process_id: int) -> None:
    """Kill a browser and its children; it is the leader of a process group of its own."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if sys.platform == "win32":
            os.kill(process_id, signal.SIGTERM)
        elif os.getpgid(process_id) == process_id:
            os.killpg(process_id, signal.SIGKILL)
        else:
            os.kill(process_id, signal.SIGKILL)


class BrowserPool:
    """The isolated workers of a process, ``slave_{pid}_{n}``; all methods run on the loop of the LoopThread."""

    def __init__(self, settings: Settings, proxy_url: str | None) -> None:
        self._settings = settings
        self._proxy_url = proxy_url
        self._slots = asyncio.Semaphore(settings.browser.worker_pool_max_size_per_process)
        self._idle: list[BrowserWorker] = []
        self._running: set[BrowserWorker] = set()
        self._playwright: Playwright | None = None
        self._starting = asyncio.Lock()
        self._warming = asyncio.Lock()
        self._build: BrowserBuild | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_reaping = False

    @property
    def workers(self) -> tuple[BrowserWorker, ...]:
        """The browsers that run now."""
        return tuple(sorted(self._running, key=lambda worker: worker.name))

    @asynccontextmanager
    async def worker(self, ends_at: float | None = None) -> AsyncGenerator[BrowserWorker]:
        """Lend a worker; QueueTimeout when none is free within ``queue_offer_timeout_ms``, or at ``ends_at``."""
        await self._take_slot(ends_at)
        worker: BrowserWorker | None = None
        try:
            worker = await self._warm_worker() or await self._started_worker(ends_at)
            self._keep_ready()
            worker.pages += 1
            yield worker
        finally:
            try:
                if worker:
                    await self._take_back(worker)
            finally:
                self._slots.release()

    async def _take_slot(self, ends_at: float | None) -> None:
        timeout_ms = self._settings.browser.queue_offer_timeout_ms
        try:
            async with asyncio.timeout(seconds_until(ends_at, timeout_ms / 1000)):
                await self._slots.acquire()
        except TimeoutError:
            size = self._settings.browser.worker_pool_max_size_per_process
            raise QueueTimeout(
                f"no browser worker was free within {timeout_ms} ms (all {size} are busy): try again later, or raise "
                "browser_worker_pool_max_size_per_process"
            ) from None

    async def _warm_worker(self) -> BrowserWorker | None:
        while self._idle:
            worker = self._idle.pop()
            if worker.usable:
                return worker
            await self._stop_worker(worker)
        return None

    async def _take_back(self, worker: BrowserWorker) -> None:
        if not worker.usable or self._settings.cloud:
            await self._stop_worker(worker)
            return
        worker.idle_since = time.monotonic()
        self._idle.append(worker)
        if not self._is_reaping:
            self._is_reaping = True
            self._in_background(self._close_idle())

    async def renew(self) -> None:
        """Let pages from now on be shown in new browsers; those that show a page end after it."""
        for worker in self._running:
            worker.page_limit = 0
        while self._idle:
            await self._stop_worker(self._idle.pop())

    def _keep_ready(self) -> None:
        wanted = self._settings.browser.worker_pool_min_size_per_process
        if len(self._running) < wanted and not self._settings.cloud:
            self._in_background(self.warm_up())

    async def warm_up(self) -> None:
        """Start as many workers as the settings want ready."""
        async with self._warming:
            while len(self._running) < self._settings.browser.worker_pool_min_size_per_process:
                await self._take_back(await self._start_worker())

    def _in_background(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def playwright(self) -> Playwright:
        """Give the driver, started at its first use."""
        async with self._starting:
            if self._playwright is None:
                self._playwright = await async_playwright().start()
                remove_stale_folders(self._settings)
            return self._playwright

    def build(self, *, headed: bool = False) -> BrowserBuild:
        """Give the browser to start."""
        if headed:
            return find_browser(self._settings, headed=True)
        self._build = self._build or find_browser(self._settings)
        return self._build

    async def _started_worker(self, ends_at: float | None) -> BrowserWorker:
        """Start a worker; one that comes after ``ends_at`` is kept for the next page."""
        starting = asyncio.ensure_future(self._start_worker())
        await asyncio.wait([starting], timeout=None if ends_at is None else seconds_until(ends_at, START_S))
        if not starting.done():
            self._in_background(self._keep(starting))
            raise QueueTimeout("no browser had started in time")
        return starting.result()

    async def _keep(self, starting: asyncio.Future[BrowserWorker]) -> None:
        with contextlib.suppress(GleanerError):
            await self._take_back(await starting)

    async def _start_worker(self) -> BrowserWorker:
        headless = self._settings.browser.slave_headless
        playwright, build = await asyncio.gather(
            self.playwright(), asyncio.to_thread(self.build, headed=not headless)
        )  # at once: on Lambda the browser is unpacked while the driver starts
        folder = open_worker_folder(self._settings)
        started = False
        try:
            options = launch_options(self._settings, build, folder.path, headless=headless, proxy_url=self._proxy_url)
            if self._settings.browser.single_process:  # its pages are shown in the context that it starts with
                options |= context_options(self._settings, self._settings.browser.user_agent)
            worker = await self._launch(playwright, folder, options)
            started = True
        finally:
            if not started:
                folder.remove()
        self._running.add(worker)
        return worker

    async def _launch(self, playwright: Playwright, folder: WorkerFolder, options: dict[str, Any]) -> BrowserWorker:
        try:
            context = await playwright.chromium.launch_persistent_context(folder.user_data, **options)
        except PlaywrightError as error:
            if "Connection closed" in error.message:  # the driver died: the next call starts another
                self._playwright = None
            raise explain_failed_start(error.message) from None
        browser = context.browser
        if browser is None:
            raise BrowserCrashed("the browser ended while it started")
        process_id = await browser_process_id(browser)
        limit = 1 if self._settings.browser.single_process else PAGES_PER_BROWSER
        return BrowserWorker(folder.path.name, folder, context, browser, process_id, page_limit=limit)

    async def _stop_worker(self, worker: BrowserWorker) -> None:
        self._running.discard(worker)
        if not worker.killed:
            try:
                async with asyncio.timeout(CLOSE_S):
                    await worker.context.close()
            except (PlaywrightError, TimeoutError):
                worker.kill()
        worker.folder.remove()

    async def _close_idle(self) -> None:
        try:
            while self._idle:
                await asyncio.sleep(IDLE_S)
                spare = len(self._running) - self._settings.browser.worker_pool_min_size_per_process
                before = time.monotonic() - IDLE_S
                old = [worker for worker in self._idle if worker.idle_since <= before][: max(0, spare)]
                self._idle = [worker for worker in self._idle if worker not in old]
                for worker in old:
                    await self._stop_worker(worker)
        finally:
            self._is_reaping = False

    async def close(self) -> None:
        """End all browsers and the driver."""
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._idle.clear()
        await asyncio.gather(*(self._stop_worker(worker) for worker in self.workers))
        playwright, self._playwright = self._playwright, None
        if playwright:
            with contextlib.suppress(PlaywrightError, TimeoutError):
                async with asyncio.timeout(CLOSE_S):
                    await playwright.stop()


_TOLD_AT_START = re.compile(r"\[pid=\d+\](?:\[err\] *(\S.*)| <(process did exit: .*)>)")


def explain_failed_start(message: str) -> GleanerError:
    """Give the error of a browser that did not start: the caller's to mend when there is no such program.

    Of Playwright's message, most of which is the command line, it tells what the browser said and how it ended.

    >>> explain_failed_start("closed\\n<launching> chrome --a\\n[pid=1][err] no libnss3.so\\n[pid=1] <kill>")
    BrowserCrashed('the browser did not start: no libnss3.so')
    """
    if "is not found at" in message or "doesn't exist" in message:
        return InvalidSettings(f"browser_channel, browser_executable_path: {message.partition(': ')[2][:300]}")
    found = dict.fromkeys(told[1] or told[2] for told in _TOLD_AT_START.finditer(message))
    said = "; ".join(found) or message.partition("\n")[0]
    return refused_setting(message) or BrowserCrashed(f"the browser did not start: {said[:500]}")


async def browser_process_id(browser: Browser) -> int:
    """Ask the browser for the id of its main process."""
    session = await browser.new_browser_cdp_session()
    answer = await session.send("SystemInfo.getProcessInfo")
    await session.detach()
    return next(int(process["id"]) for process in answer["processInfo"] if process["type"] == "browser")
