"""Track what a page sends and receives: open requests, feeds, documents, console errors."""

import asyncio
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from playwright.async_api import ConsoleMessage, Page, Request, Response, WebSocket
from playwright.async_api import Error as PlaywrightError

from gleaner.adapters.browser.waiting import REQUEST_PATIENCE_MS

TEXT_REQUESTS = frozenset(("document", "stylesheet", "script", "xhr", "fetch"))
"""Requests whose answers may bring or show text; images, fonts and media do not."""

DATA_REQUESTS = frozenset(("xhr", "fetch", "eventsource"))
FIRST_FRAME_MS = 1_000
"""A feed that opens may take this much longer for its first text."""

MAX_FRAMES = 50
MAX_CONSOLE_ERRORS = 50
MAX_CONSOLE_LENGTH = 500


@dataclass(eq=False)
class PageTraffic:
    """Listens to one page."""

    page: Page
    open_requests: dict[Request, float] = field(default_factory=dict[Request, float])
    sockets: int = 0
    streams: set[Request] = field(default_factory=set[Request])
    feed_opened_at: float = 0.0
    console_errors: list[str] = field(default_factory=list[str])
    last_document: Request | None = None
    frame_urls: dict[str, None] = field(default_factory=dict[str, None])
    crashed: bool = False
    brings_data: bool = False
    """Whether the page asked for more than its document and what it begins with: data, frames, late scripts."""
    ready: asyncio.Event = field(default_factory=asyncio.Event)
    on_navigation: Callable[[], object] = lambda: None
    on_crash: Callable[[], object] = lambda: None

    def listen(self) -> None:
        """Start to listen."""
        self.page.on("request", self._on_request)
        self.page.on("requestfinished", self._on_end)
        self.page.on("requestfailed", self._on_end)
        self.page.on("websocket", self._on_socket)
        self.page.on("console", self._on_console)
        self.page.on("pageerror", self._on_page_error)
        self.page.on("crash", self._on_crash)
        self.page.on("domcontentloaded", self._on_ready)

    def requests_waited_for(self) -> int:
        """Count the requests in flight that may bring text and are not too old."""
        oldest = time.monotonic() - REQUEST_PATIENCE_MS / 1000
        return sum(started > oldest for started in self.open_requests.values())

    def feed_silence_ms(self, quiet_ms: float, workers: Iterable[float | None]) -> float | None:
        """Give how long open sockets, event streams and workers have brought nothing; None when there is none.

        ``workers`` are the ages of the last ones, None where a frame has none.
        """
        ages = [age for age in workers if age is not None]
        if self.sockets or self.streams:
            open_ms = (time.monotonic() - self.feed_opened_at) * 1000
            ages.append(max(0.0, open_ms - FIRST_FRAME_MS))
        return min(quiet_ms, *ages) if ages else None

    def _on_request(self, request: Request) -> None:
        if request.is_navigation_request() and self._is_of_main_frame(request):
            if self.last_document:
                self.on_navigation()
            self.last_document = request
            self.open_requests.clear()
            self.frame_urls.clear()
            self.brings_data = False
        elif request.resource_type == "document" and len(self.frame_urls) < MAX_FRAMES:
            self.frame_urls[request.url] = None
        if request.resource_type in DATA_REQUESTS or (request.resource_type == "script" and self.ready.is_set()):
            self.brings_data = True
        if request.resource_type in TEXT_REQUESTS:
            self.open_requests[request] = time.monotonic()
            if request.redirected_from:
                self.open_requests.pop(request.redirected_from, None)
        if request.resource_type == "eventsource":
            self.streams.add(request)
            self.feed_opened_at = time.monotonic()

    def _is_of_main_frame(self, request: Request) -> bool:
        try:
            return request.frame == self.page.main_frame
        except PlaywrightError:  # the frame is not there yet
            return False

    def _on_end(self, request: Request) -> None:
        self.open_requests.pop(request, None)
        self.streams.discard(request)

    def _on_socket(self, socket: WebSocket) -> None:
        self.brings_data = True
        self.sockets += 1
        self.feed_opened_at = time.monotonic()
        socket.on("close", self._on_socket_end)

    def _on_socket_end(self, _socket: WebSocket) -> None:
        self.sockets -= 1

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self._note(message.text)

    def _on_page_error(self, error: PlaywrightError) -> None:
        self._note(error.message)

    def _note(self, text: str) -> None:
        if len(self.console_errors) < MAX_CONSOLE_ERRORS:
            self.console_errors.append(text[:MAX_CONSOLE_LENGTH])

    def _on_crash(self, _page: Page) -> None:
        self.crashed = True
        self.on_crash()

    def _on_ready(self, _page: Page) -> None:
        self.ready.set()


async def response_of(request: Request | None) -> Response | None:
    """Give a request's response; None when there is none (yet)."""
    if request is None:
        return None
    try:
        async with asyncio.timeout(1.0):
            return await request.response()
    except (PlaywrightError, TimeoutError):
        return None


def count_redirects(request: Request | None) -> int:
    """Count the hops that led to the request."""
    hops = 0
    while request and request.redirected_from:
        request = request.redirected_from
        hops += 1
    return hops
