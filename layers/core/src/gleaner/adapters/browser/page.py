"""Show one page: navigate, wait until it settles, take snapshot and screenshot (BR-2, BR-3)."""

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable, Coroutine, Generator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, TypeVar
from urllib.parse import urlsplit

from playwright.async_api import BrowserContext, CDPSession, Frame, Locator, Page, Response
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import TimeoutError as PlaywrightTimeout

from gleaner.adapters.browser.acting.actor import Actor
from gleaner.adapters.browser.consent.answering import CLOSES_S, LONGEST_ANSWER_S, DialogAnswerer
from gleaner.adapters.browser.consent.rules import MISSING, rule_set
from gleaner.adapters.browser.document_meter import DocumentMeter
from gleaner.adapters.browser.errors import explain_navigation_error
from gleaner.adapters.browser.fonts import undrawn_characters
from gleaner.adapters.browser.screenshot import VIEWPORT, shown_height, take_screenshots
from gleaner.adapters.browser.scrolling import Scroller, longest_reading_on
from gleaner.adapters.browser.snapshot import Snapshot, evaluate, page_script, reveal, take_snapshot, unfold
from gleaner.adapters.browser.traffic import PageTraffic, count_redirects, response_of
from gleaner.adapters.browser.visit_clock import VisitClock
from gleaner.adapters.browser.waiting import SHORT_TIMER_MS, Sample, Watch, advance
from gleaner.adapters.http.proxy_messages import BLOCKED_MARK, ERROR_MARK
from gleaner.contracts.actions import ActionOutcome, ConsentOutcome
from gleaner.contracts.errors import (
    NO_PAGE,
    BlockedAddress,
    BrowserCrashed,
    FetchTimeout,
    GleanerError,
    PageTooLarge,
    TooManyRedirects,
    status_error,
)
from gleaner.contracts.ports import RenderedPage, RenderOrder
from gleaner.contracts.settings import Settings
from gleaner.html.decoding.truncation import BREAKS_OFF
from gleaner.sites.busy_hosts import asked_wait_s
from gleaner.sites.header_links import with_next_page
from gleaner.sites.walls import LARGEST_WALL, wall_of

Answer = TypeVar("Answer")

REFUSAL_MARKS = {BLOCKED_MARK.decode(), ERROR_MARK.decode()}
PICTURES_S = 5.0
MAX_PROBED_FRAMES = 8
READY_CHECK_S = 0.25
BUSY_S = 5.0
"""How long a page may be too busy to answer."""

FRAME_PROBE_TIMEOUT_S = 0.5
UNKNOWN: dict[str, Any] = {
    "length": 0, "changes": 0, "quiet": 0.0, "loading": True, "timers": 0, "inert": False, "veiled": False,
    "worker": None, "listens": False,
}  # fmt: skip
"""What the probe would say of a page that is only just coming."""

MOST_UNFOLDED = 40
UNFOLDING_S = 3.0
"""How many closed parts of a page are opened before it is read, and how long their content is waited for."""

SNAPSHOT_ATTEMPTS = 3
SNAPSHOT_TIMEOUT_S = 15.0

BUILT_IN_STEALTH = "Object.defineProperty(Navigator.prototype, 'webdriver', {get: () => undefined, configurable: true})"


def context_options(settings: Settings, user_agent: str | None) -> dict[str, Any]:
    """Give what each page's context is made with: nothing is downloaded, and no service worker stays behind."""
    browser = settings.browser
    headers = dict(browser.extra_headers)
    if browser.accept_language:
        headers["Accept-Language"] = browser.accept_language
    options: dict[str, Any] = {
        "accept_downloads": False,
        "service_workers": "block",
        "viewport": VIEWPORT,
        "user_agent": user_agent,
        "locale": browser.locale,
        "timezone_id": browser.timezone_id,
        "extra_http_headers": headers,
    }
    return {name: value for name, value in options.items() if value not in (None, {})}


async def prepare_context(context: BrowserContext, settings: Settings) -> str:
    """Add the scripts that run before the page's own and refuse all permissions; give the name of the probe."""
    name = f"_{secrets.token_hex(6)}"
    scripts = [page_script("probe.js").replace("NAME", name).replace("SHORT_TIMER", str(SHORT_TIMER_MS))]
    if settings.browser.stealth_enabled:
        scripts.insert(0, settings.browser.stealth_script or BUILT_IN_STEALTH)
    await asyncio.gather(
        *(context.add_init_script(script) for script in scripts),
        context.grant_permissions([]),
    )
    return name


@dataclass(eq=False)
class PageVisit:
    """The visit of one page in a context of its own; ``run`` gives the page or raises what went wrong.

    ``refusal_of`` gives the error with which the filtering proxy refused a URL.
    """

    context: BrowserContext
    order: RenderOrder
    settings: Settings
    refusal_of: Callable[[str], GleanerError | None] = lambda _url: None
    page: Page = field(init=False)
    session: CDPSession = field(init=False)
    traffic: PageTraffic = field(init=False)
    meter: DocumentMeter = field(init=False)
    probe: str = field(init=False)
    clock: VisitClock = field(init=False)
    timings: dict[str, float] = field(default_factory=dict[str, float])
    warnings: list[str] = field(default_factory=list[str])
    inert: bool = False
    closed_trees: int = 0
    closed_in_frames: int = 0
    silent_frames: set[Frame] = field(default_factory=set[Frame])
    headers: dict[str, str] = field(default_factory=dict[str, str])
    masked: Sequence[Locator] = ()
    gave_up_on_scripts: bool = False
    """Whether the page's scripts were stopped, since they kept it busy."""
    _showing: asyncio.Task[RenderedPage] = field(init=False)
    _trouble: GleanerError | None = None
    _tasks: set[asyncio.Task[None]] = field(default_factory=set[asyncio.Task[None]])

    async def run(self) -> RenderedPage:
        """Show the page."""
        self.clock = VisitClock(self.order.ends_at)
        self._showing = asyncio.create_task(self._show())
        try:
            return await self._showing
        except asyncio.CancelledError:
            if self._trouble:
                raise self._trouble from None
            raise

    def _give_up(self, trouble: GleanerError) -> None:
        self._trouble = self._trouble or trouble
        self._showing.cancel()

    def _crash(self) -> BrowserCrashed:
        return BrowserCrashed(f"the page's process crashed on {self.order.url}")

    async def _show(self) -> RenderedPage:
        with self.timed("open"):
            await self._open()
        with self.timed("navigate"):
            await self._navigate()
        with self.timed("wait"):
            await self._wait()
        status = await self._check_document()
        with self.timed("consent"):
            consent = await self._answer_consent()
        if consent:
            status = await self.check()
        outcomes: list[ActionOutcome] = []
        if self.order.actions:
            with self.timed("act"):
                status = await self._act(outcomes)
        with self.timed("snapshot"):
            snapshot = await self._take_snapshot()
        if wall := wall_of(snapshot.url, status, self.headers, snapshot.html):
            raise wall
        url = snapshot.url  # as it was before scrolling, which rewrites it on some pages
        with self.timed("scroll"):
            snapshot = await self._scroll_on(snapshot)
        with self.timed("screenshot"):
            screenshots = await take_screenshots(self.page, self.session, self.order, self.warnings, self.masked)
        with self.timed("fonts"):
            undrawn = await self._undrawn()
        with self.timed("unfold"):
            snapshot = await self._unfold(snapshot)
        self.warnings += self._refused_frames()
        if unread := self.closed_in_frames + (0 if snapshot.is_whole else self.closed_trees):
            self.warnings.append(f"{unread} closed shadow tree(s) could not be read; their text is missing")
        return RenderedPage(
            url=url,
            status=status,
            title=snapshot.title,
            html=with_next_page(snapshot.html, url, self.headers.get("link", "")),
            links=snapshot.links,
            screenshots=screenshots,
            undrawn=undrawn,
            console_errors=tuple(self.traffic.console_errors),
            timings=self.timings,
            warnings=tuple(self.warnings),
            cut_short=self.clock.cut_short,
            actions=tuple(outcomes),
            consent=consent,
            validators=self._validators(),
        )

    def _validators(self) -> dict[str, str]:
        """Give the document's validators; none where the page's text may change without it."""
        if self.traffic.brings_data or self.traffic.frame_urls:
            return {}
        return {name: self.headers[name] for name in ("etag", "last-modified") if name in self.headers}

    async def _answer_consent(self) -> ConsentOutcome | None:
        """Answer a consent dialog; where the page can't change any more, nothing would close it."""
        wish = self.order.consent
        if wish == "leave" or self.inert or self.gave_up_on_scripts or self.clock.is_over:
            return None
        rules = await asyncio.to_thread(rule_set)
        if rules is None:
            self.warnings.append(MISSING)
            return None
        answerer = DialogAnswerer(self.page, self.session, rules, wish == "reject", self._settle_after_answer)
        outcome = await answerer.answer(self.clock.shortened(LONGEST_ANSWER_S))
        if outcome is None:
            return None
        if outcome.did == "nothing":
            self.warnings.append(f"a consent dialog was seen and could not be answered: {outcome.dialog}")
        await self._settle_after_answer()
        return outcome

    async def _settle_after_answer(self) -> None:
        await asyncio.sleep(CLOSES_S)
        limit_s = self.settings.scrape.navigate_timeout_ms / 1000
        is_moving = self.traffic.last_document in self.traffic.open_requests
        await self.settle(time.monotonic() + limit_s if is_moving else 0)

    async def _act(self, outcomes: list[ActionOutcome]) -> int:
        """Do the actions, and give the status of the document that is there then."""
        actor = Actor(self.page, self.traffic, self.clock, self, self.order.secrets, outcomes)
        await actor.perform(self.order.actions)
        self.masked = actor.masked
        await self._wait_for_pictures()
        return await self.check()

    async def look(self) -> Sample:
        """Look at the page."""
        return await self._answer_of(lambda: self._sample(time.monotonic()))

    async def check(self) -> int:
        """Give the status of the document that is shown after an action; an error when it is not one to work on."""
        document = self.traffic.last_document
        if document and document.failure and self.page.url.startswith("chrome-error:"):
            await self._explain_failed_navigation(PlaywrightError(document.failure), document.url)
        return await self._check_document()

    async def settle(self, deadline: float) -> None:
        """Wait until an action's document is there, where it led to one until ``deadline``, and the text is still."""
        limit_s = self.settings.scrape.navigate_timeout_ms / 1000
        until = min(deadline, time.monotonic() + self.clock.shortened(limit_s))
        while time.monotonic() < until and self.traffic.last_document in self.traffic.open_requests:
            await asyncio.sleep(READY_CHECK_S / 5)
        if deadline:
            if self.traffic.last_document in self.traffic.open_requests:
                raise FetchTimeout(f"the page that it led to did not answer within {limit_s:g} s")
            await self._wait_for_document(until)
        await self._wait_until_still()

    @contextmanager
    def timed(self, name: str) -> Generator[None]:
        """Note how long a step took, in milliseconds."""
        start = time.monotonic()
        try:
            yield
        finally:
            self.timings[name] = round((time.monotonic() - start) * 1000, 1)

    async def _open(self) -> None:
        self.probe = await prepare_context(self.context, self.settings)
        self.page = await self.context.new_page()
        self.context.on("page", self._close_popup)
        self.traffic = PageTraffic(self.page)
        self.traffic.listen()
        self.session = await self.context.new_cdp_session(self.page)
        self.meter = DocumentMeter(self.session, self.settings.limits.max_page_size, self._give_up)
        self.traffic.on_crash = lambda: self._give_up(self._crash())
        self.traffic.on_navigation = lambda: self._in_background(self.meter.resume())
        await self.meter.start()
        browser = self.settings.browser
        if browser.accept_language and browser.locale:  # the locale's own would win over the context's headers
            languages = [part.partition(";")[0].strip() for part in browser.accept_language.split(",")]
            agent = await evaluate(self.session, "navigator.userAgent")
            override = {"userAgent": agent, "acceptLanguage": ",".join(languages)}  # Chromium adds the weights
            await self.session.send("Emulation.setUserAgentOverride", override)

    def _in_background(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _close_popup(self, popup: Page) -> None:
        with suppress(PlaywrightError):
            await popup.close()

    async def _navigate(self) -> None:
        timeout_s = self.clock.shortened(self.settings.scrape.navigate_timeout_ms / 1000)
        deadline = time.monotonic() + timeout_s
        try:
            await self.page.goto(self.order.url, wait_until="commit", timeout=timeout_s * 1000)
        except PlaywrightTimeout:
            raise FetchTimeout(f"{self.order.url} did not answer within {timeout_s * 1000:.0f} ms") from None
        except PlaywrightError as error:
            await self._explain_failed_navigation(error, self.order.url)
        await self._wait_for_document(deadline)

    async def _wait_for_document(self, deadline: float) -> None:
        while time.monotonic() < deadline:
            with suppress(TimeoutError):
                async with asyncio.timeout(READY_CHECK_S):
                    await self.traffic.ready.wait()
            if self.traffic.ready.is_set() or await self._answer_of(self._document_state) != "loading":
                return
        timeout_ms = self.settings.scrape.navigate_timeout_ms
        when = "when its time was up" if self.clock.is_over else f"after {timeout_ms} ms"
        self.warnings.append(self.clock.cut(f"the page was still loading {when}; its content so far is used"))

    async def _document_state(self) -> str:
        try:
            return str(await evaluate(self.session, "document.readyState"))
        except PlaywrightError:  # the page is on the move
            return "loading"

    async def _answer_of(self, ask: Callable[[], Awaitable[Answer]], patience_s: float | None = None) -> Answer:
        """Ask the page something; one that is too busy to answer has its scripts stopped, and is asked again."""
        if self.traffic.crashed:
            raise self._crash()
        try:
            async with asyncio.timeout(patience_s or BUSY_S):
                return await ask()
        except TimeoutError:
            await self._stop_scripts()
        return await ask()

    async def _stop_scripts(self) -> None:
        self.gave_up_on_scripts = True
        self.warnings.append(f"a script of the page kept it busy for {BUSY_S:g} s; the page's scripts were stopped")
        async with asyncio.timeout(BUSY_S):
            await asyncio.gather(
                self.session.send("Runtime.terminateExecution"),
                self.session.send("Emulation.setScriptExecutionDisabled", {"value": True}),
            )

    async def _explain_failed_navigation(self, error: PlaywrightError, url: str) -> None:
        browser = self.context.browser
        if self.traffic.crashed or (browser and not browser.is_connected()):
            raise self._crash() from None
        refusal = self.refusal_of(self.traffic.last_document.url if self.traffic.last_document else url)
        if refusal:
            raise refusal from None
        response = await response_of(self.traffic.last_document)
        if response and "ERR_HTTP_RESPONSE_CODE_FAILURE" in error.message:
            raise await self._error_of(response, self.page.url or url) from None
        if response and response.status in NO_PAGE:
            raise status_error(url, response.status) from None
        raise explain_navigation_error(error.message, url) from None

    async def _wait(self) -> None:
        if self.order.wait_for_ms:
            wait_s = self.order.wait_for_ms / 1000
            await asyncio.sleep(self.clock.shortened(wait_s))
            if self.clock.is_over:
                self.warnings.append(
                    self.clock.cut(f"the page was shown for less time than wait_for asks, {wait_s:g} s")
                )
        elif self.settings.scrape.smart_wait_enabled:
            await self._wait_until_still()
        await self._wait_for_pictures()

    async def _wait_for_pictures(self) -> None:
        if self.order.screenshots:
            with suppress(PlaywrightTimeout):
                await self.page.wait_for_load_state("load", timeout=self.clock.shortened(PICTURES_S) * 1000)

    async def _wait_until_still(self) -> None:
        watch = await self._rest()
        self.inert = watch.verdict == "inert"
        if watch.verdict == "timeout":
            self.warnings.append("the text was still changing after stability_max_wait_ms")

    async def _rest(self, until: float = float("inf")) -> Watch:
        watch = Watch()
        start = time.monotonic()
        while True:
            sample = await self._answer_of(lambda: self._sample(start))
            watch = advance(watch, sample, self.settings.scrape)
            if watch.verdict != "waiting" or time.monotonic() >= until:
                break
            if self.clock.is_over:
                self.warnings.append(self.clock.cut("the page did not settle; its content so far is used"))
                break
            if not sample.loading and self.traffic.last_document not in self.traffic.open_requests:
                self._in_background(self.meter.stop())
            await asyncio.sleep(self.settings.scrape.stability_check_interval_ms / 1000)
        return watch

    async def _scroll_on(self, snapshot: Snapshot) -> Snapshot:
        """Give the page with what its lists load as one scrolls; as it is where they load nothing."""
        scrape = self.settings.scrape
        is_asked = scrape.smart_wait_enabled and scrape.scroll_enabled and not self.order.wait_for_ms
        if not (is_asked or self.order.batches) or self.inert or self.clock.is_over:
            return snapshot
        scroller = Scroller(
            self.session, self._answer_of, self._sample, self._rest, self._take_steady_snapshot, self.order.batches
        )
        snapshot = await scroller.read_on(snapshot, self.clock.shortened(longest_reading_on(self.order, scrape)))
        if scroller.goes_on:
            said = "the page loads more while scrolling, and did not reach its end within the time limit"
            self.warnings.append(self.clock.cut(said) if self.clock.is_over else said)
        return snapshot

    async def _undrawn(self) -> str:
        """Give the characters that the screenshot should show, and for which no font is there."""
        if not self.order.screenshots or self.clock.is_over:
            return ""
        height = await shown_height(self.session, self.order)
        return await self._answer_of(lambda: undrawn_characters(self.session, height))

    async def _unfold(self, snapshot: Snapshot) -> Snapshot:
        """Give the page with what its closed parts hold; as it is where nothing is closed, or a click leads away.

        After the screenshot, which shows the page as it is.
        """
        if not self.settings.scrape.smart_wait_enabled or self.order.wait_for_ms or self.clock.is_over:
            return snapshot
        address = self.page.url.partition("#")[0]
        try:
            if not await self._answer_of(lambda: unfold(self.session, MOST_UNFOLDED)):
                return snapshot
            await self._rest(time.monotonic() + self.clock.shortened(UNFOLDING_S))
            unfolded = await self._take_steady_snapshot()
        except (PlaywrightError, BlockedAddress, PageTooLarge):  # the page went elsewhere, or grew beyond all bounds
            return snapshot
        is_less = len(unfolded.html) < len(snapshot.html) // 2
        return snapshot if is_less or self.page.url.partition("#")[0] != address else unfolded

    async def _sample(self, start: float) -> Sample:
        seen = await self._probe_frames()
        self.closed_trees = int(seen[0].get("closed", 0)) + self.meter.closed_trees
        self.closed_in_frames = sum(int(part.get("closed", 0)) for part in seen[1:])
        quiet_ms = min(float(part["quiet"]) for part in seen)
        return Sample(
            elapsed_ms=(time.monotonic() - start) * 1000,
            length=sum(int(part["length"]) for part in seen),
            changes=sum(int(part["changes"]) for part in seen),
            quiet_ms=quiet_ms,
            loading=bool(seen[0]["loading"]),
            requests=self.traffic.requests_waited_for(),
            timers=sum(int(part["timers"]) for part in seen),
            feed_silence_ms=self.traffic.feed_silence_ms(quiet_ms, [part["worker"] for part in seen]),
            inert=bool(seen[0]["inert"]) and not self.traffic.sockets,
            veiled=bool(seen[0]["veiled"]),
            listens=bool(seen[0]["listens"]),
            polls_ms=float(seen[0].get("polls", 0)),
        )

    async def _probe_frames(self) -> list[dict[str, Any]]:
        """Ask the probes of the main frame and of the first frames below it; a frame on the move gives none."""
        expression = f"window.{self.probe} && window.{self.probe}()"
        frames = [frame for frame in self.page.frames[1:] if frame not in self.silent_frames][:MAX_PROBED_FRAMES]
        asked = [self._ask_main(expression), *(self._ask_frame(frame, expression) for frame in frames)]
        main, *inner = await asyncio.gather(*asked)
        return [main or UNKNOWN, *(answer for answer in inner if answer)]

    async def _ask_main(self, expression: str) -> dict[str, Any] | None:
        with suppress(PlaywrightError):
            answer = await evaluate(self.session, expression)
            if answer:
                return answer
        with suppress(PlaywrightError):  # the page is on the move, or has broken the probe: watch the bare length
            length = await evaluate(self.session, "document.body ? document.body.textContent.length : -1")
            return {**UNKNOWN, "length": max(0, length), "loading": length < 0}
        return None

    async def _ask_frame(self, frame: Frame, expression: str) -> dict[str, Any] | None:
        try:
            async with asyncio.timeout(FRAME_PROBE_TIMEOUT_S):
                answer = await frame.evaluate(expression)
        except PlaywrightError:
            return None
        except TimeoutError:  # it has not loaded, or hangs: the page is shown without waiting for it
            self.silent_frames.add(frame)
            return None
        return answer if isinstance(answer, dict) else None

    async def _check_document(self) -> int:
        """Give the status of the document that is shown; an error when it is not one to work on."""
        self._refuse_other_schemes(self.page.url)
        limit = self.settings.limits.max_redirects
        if count_redirects(self.traffic.last_document) > limit:
            raise TooManyRedirects(f"{self.order.url} redirects more than {limit} times (max_redirects)")
        response = await response_of(self.traffic.last_document)
        status = response.status if response else HTTPStatus.OK
        self.headers = dict(response.headers) if response else {}
        if response and (status >= HTTPStatus.BAD_REQUEST or await self._leads_nowhere(status)):
            if REFUSAL_MARKS & self.headers.keys() and (refusal := self.refusal_of(self.page.url)):
                raise refusal
            raise await self._error_of(response, self.page.url)
        await self.meter.check_unpacking()
        await self.meter.read_to_the_end()
        if self.meter.broken:
            self.warnings.append(self.clock.break_off(f"{BREAKS_OFF}: {self.meter.broken}"))
        return status

    async def _leads_nowhere(self, status: int) -> bool:
        """Tell whether the answer is a redirect without an address and without a text of its own."""
        asked = "!document.body?.firstChild"
        return status >= HTTPStatus.MULTIPLE_CHOICES and bool(
            await self._answer_of(lambda: evaluate(self.session, asked))
        )

    async def _error_of(self, response: Response, url: str) -> GleanerError:
        """Give the error for an answer with an error status: a wall, or the status with the wait that it asks for."""
        html = ""
        with suppress(PlaywrightError):
            asked = f"document.documentElement.outerHTML.slice(0, {LARGEST_WALL})"
            html = str(await self._answer_of(lambda: evaluate(self.session, asked)))
        status, headers = response.status, response.headers
        wait_s = asked_wait_s(status, headers, time.time())
        return wall_of(url, status, headers, html) or status_error(url, status, wait_s)

    def _refuse_other_schemes(self, url: str) -> None:
        if urlsplit(url).scheme not in {"http", "https"}:
            raise BlockedAddress(f"{self.order.url} led to {url[:200]}, which is neither http nor https")

    def _refused_frames(self) -> list[str]:
        """Say which frames the filtering proxy left empty."""
        refusals = dict.fromkeys(map(self.refusal_of, self.traffic.frame_urls))
        return [f"a frame was left out: {error}" for error in refusals if isinstance(error, BlockedAddress)]

    async def _take_snapshot(self) -> Snapshot:
        snapshot = await self._take_steady_snapshot()
        if snapshot.faded and not self.inert:
            with suppress(PlaywrightError):
                await reveal(self.session, snapshot.faded)
            snapshot = await self._take_steady_snapshot()
        return snapshot

    async def _take_steady_snapshot(self) -> Snapshot:
        for _ in range(SNAPSHOT_ATTEMPTS - 1):
            try:
                return await self._answer_of(self._ask_snapshot, SNAPSHOT_TIMEOUT_S)
            except PlaywrightError:  # the page moved on meanwhile
                await asyncio.sleep(0.1)
                await self._wait_for_document(time.monotonic() + self.clock.shortened(PICTURES_S))
        return await self._answer_of(self._ask_snapshot, SNAPSHOT_TIMEOUT_S)

    async def _ask_snapshot(self) -> Snapshot:
        most, has_closed = self.settings.limits.max_page_size, self.closed_trees + self.meter.closed_trees > 0
        snapshot = await take_snapshot(self.page, self.session, most, has_closed=has_closed)
        self._refuse_other_schemes(snapshot.url)  # a script may have led away since the document was checked
        return snapshot
