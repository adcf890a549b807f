"""Do the actions of a request on a page that has settled, one after another, and log what came of each (AC-1)."""

import asyncio
import re
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from playwright.async_api import BrowserContext, Dialog, Download, Locator, Page
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import TimeoutError as PlaywrightTimeout

from gleaner.adapters.browser.acting.targets import MOST_FRAMES, TargetFinder, TargetTrouble, describe
from gleaner.adapters.browser.snapshot import evaluate_apart
from gleaner.adapters.browser.traffic import PageTraffic
from gleaner.adapters.browser.visit_clock import VisitClock
from gleaner.contracts.actions import Action, ActionOutcome, SecretName
from gleaner.contracts.errors import ActionFailed, BudgetExceeded, CallerError, PageError
from gleaner.contracts.ports import Secret

if TYPE_CHECKING:
    from gleaner.adapters.browser.page import PageVisit

LONGEST_ACTING_S = 90.0
"""What all actions of a request may take in all, waits included; a render function has 300 s."""

REACH_S = 5.0
"""How long an element may take until it can be acted upon: visible, at rest, enabled, and under nothing else."""

BUSY_S = 8.0
"""How long a page may keep an action from ending: a script that does not return, or alerts without end."""

LONGEST_WAIT_S = 30.0
"""How long ``wait_for`` waits for its target."""

SETTLE_S = 0.1
"""What a page gets to begin what an action starts, before it is looked at."""

MOST_DIALOGS = 10
"""Dialogs that one action may open before they count as endless."""

MOST_NOTES = 10
PICTURE_S = 3.0

_NO_LIST = "is not a <select>"
_TOLD_S, _SOON_S = 0.5, 1.0
"""Seconds to ask an element for its attributes; and to reach it, before what covers it is looked at."""

_UNSEEN_SELECTION = """(field) => {
  if (field.localName !== "select" || field.selectedOptions.length !== 1) return "";
  const box = field.getBoundingClientRect(), style = getComputedStyle(field);
  const isUnseen = box.width < 2 || box.height < 2 || Number(style.opacity) < 0.02 || style.pointerEvents === "none";
  return isUnseen ? field.selectedOptions[0].textContent.trim() : "";
}"""
_DRAWN_LIST = "@role='combobox' or @aria-haspopup='listbox' or @aria-haspopup='true'"
_PLACES_OF_DRAWN = (
    f"xpath=ancestor::*[position() <= 3][{_DRAWN_LIST}]",
    f"xpath=following-sibling::*[position() <= 2]/descendant-or-self::*[{_DRAWN_LIST}]",
)
_COVERED_BY_FIELD = re.compile(r"<(?:input|textarea|select)\b[^>\n]*> intercepts pointer events")
"""Over its own placeholder, which is seen through it."""
_COVERED = re.compile(r"(<[^>\n]{1,200}>)[^\n]* intercepts pointer events")


@dataclass(eq=False)
class Actor:
    """Does the actions of one visit; ``outcomes`` is the log."""

    page: Page
    traffic: PageTraffic
    clock: VisitClock
    showing: "PageVisit"
    secrets: Mapping[str, Secret] = field(default_factory=dict[str, Secret])
    outcomes: list[ActionOutcome] = field(default_factory=list[ActionOutcome])
    masked: list[Locator] = field(default_factory=list[Locator])
    """Fields that hold a secret, which no picture shows."""
    _finder: TargetFinder = field(init=False)
    _now: ActionOutcome = field(default_factory=lambda: ActionOutcome(step=0, action=""))
    _dialogs: int = 0
    _endless: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self._finder = TargetFinder(self.page)

    async def perform(self, actions: tuple[Action, ...]) -> None:
        """Do the actions; ActionFailed, with the log and a screenshot, at the first that can't be done.

        BudgetExceeded when the request's time is over before the last.
        """
        self.page.on("dialog", self._dismiss)
        self.page.on("download", self._note_download)
        context: BrowserContext = self.page.context
        context.on("page", self._note_window)
        until = time.monotonic() + LONGEST_ACTING_S
        length = (await self.showing.look()).length
        for step, action in enumerate(actions, start=1):
            if self.clock.is_over:
                raise BudgetExceeded(f"deadline_s passed before step {step} of {len(actions)}, {action}")
            self._now = ActionOutcome(
                step=step, action=str(action), url_before=self.page.url, text_length_before=length
            )
            self.outcomes.append(self._now)
            await self._take_step(action, until)
            length = self._now.text_length

    async def _take_step(self, action: Action, until: float) -> None:
        start, self._dialogs = time.monotonic(), 0
        document = self.traffic.last_document
        self.traffic.ready.clear()
        try:
            await self._within_reason(action, until)
            await asyncio.sleep(SETTLE_S)
            has_moved = self.traffic.last_document is not document
            await self.showing.settle(until if has_moved else 0)
            await self.showing.check()
            self._now.text_length = (await self.showing.look()).length
            self._refuse_stopped_scripts()
        except TargetTrouble as trouble:
            raise await self._failed(str(trouble)) from None
        except (CallerError, PageError) as error:
            raise await self._failed(f"it led to a page that can't be read: {error.message}") from None
        except PlaywrightError as error:
            raise await self._failed(explain(error.message)) from None
        finally:
            self._now.url = self.page.url
            self._now.ms = round((time.monotonic() - start) * 1000, 1)

    def _refuse_stopped_scripts(self) -> None:
        if self.showing.gave_up_on_scripts:
            raise TargetTrouble("it kept the page busy, whose scripts were stopped")

    async def _within_reason(self, action: Action, until: float) -> None:
        """Do an action; TargetTrouble when it does not end, or opens dialogs without end."""
        pause_s = action.ms / 1000 if action.ms is not None else LONGEST_WAIT_S if action.do == "wait_for" else 0.0
        limit_s = min(max(0.0, until - time.monotonic()), self.clock.shortened(pause_s + REACH_S + BUSY_S))
        doing = asyncio.ensure_future(self._do(action))
        endless = asyncio.ensure_future(self._endless.wait())
        try:
            done, _ = await asyncio.wait((doing, endless), timeout=limit_s, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (doing, endless):
                task.cancel()
            await asyncio.gather(doing, endless, return_exceptions=True)
        if endless in done:
            raise TargetTrouble(f"the page opens dialogs without end, the last: {self._now.notes[-1]}")
        if doing not in done:
            if time.monotonic() >= until:
                raise TargetTrouble(f"the actions took more than {LONGEST_ACTING_S:g} s in all")
            raise TargetTrouble(f"it did not end within {limit_s:.0f} s: the page is busy, or still loading")
        doing.result()

    async def _do(self, action: Action) -> None:
        if action.target is None:
            await self._do_on_page(action)
            return
        if action.do == "wait_for":
            found = await self._finder.find(action.target, LONGEST_WAIT_S, first=True)
            self._now.met = await describe(found)
            return
        found = await self._finder.find(action.target, deed=action.do)
        self._now.met = await describe(found)
        if isinstance(action.value, SecretName):
            await self._fill_secret(found, self.secrets[action.value.secret])
            return
        try:
            await DEEDS[action.do](found, action)
        except PlaywrightError as error:
            if _NO_LIST not in error.message or not await _opens_a_list(found):
                raise
            await self._pick(found, action, str(action.value))
            return
        if action.do == "select" and (drawn := await _drawn_over(found)) is not None:
            try:
                await self._pick(drawn[0], action, drawn[1])
            except TargetTrouble:
                self._note("selected in the field, and the list that is drawn over it does not show it")

    async def _pick(self, found: Locator, action: Action, name: str) -> None:
        """Open a list that is drawn by scripts and click an option of it."""
        await _click(found, action)
        try:
            option = await self._finder.find(f"text={name}", deed="pick")
        except TargetTrouble as trouble:
            raise TargetTrouble(f"it is no list of options; clicked, it shows none of that name: {trouble}") from None
        await _click(option, action)

    async def _fill_secret(self, found: Locator, secret: Secret) -> None:
        """Fill in a secret, where the field's own document is of a host that may see it."""
        handle = await found.element_handle(timeout=REACH_S * 1000)
        frame = await handle.owner_frame()
        address = frame.url if frame is not None else ""
        if not secret.may_be_seen_at(address):
            raise TargetTrouble(
                f"the secret is for {', '.join(secret.hosts)}, over https, and the field is on {address[:200]}"
            )
        self.masked.append(found)
        await _fill_in(found, secret.value)

    async def _do_on_page(self, action: Action) -> None:
        if action.do == "press":
            await self.page.keyboard.press(str(action.value))
        elif action.do == "wait_for":
            await asyncio.sleep((action.ms or 0) / 1000)
        else:
            session = await self.page.context.new_cdp_session(self.page)
            await evaluate_apart(session, "scrollTo(0, document.documentElement.scrollHeight)")
            await session.detach()

    async def _failed(self, why: str) -> ActionFailed:
        self._now.error = why
        picture: bytes | None = None
        with suppress(PlaywrightError, TimeoutError):
            async with asyncio.timeout(PICTURE_S):
                if not await self._shows_a_secret():
                    picture = await self.page.screenshot(type="png", timeout=PICTURE_S * 1000, mask=self.masked)
        return ActionFailed(f"step {self._now.step}, {self._now.action}: {why}", self.outcomes, picture)

    async def _shows_a_secret(self) -> bool:
        """Tell whether the text of a frame holds a secret that was filled in."""
        if not self.masked:
            return False
        texts = [await frame.locator("html").inner_text(timeout=1_000) for frame in self.page.frames[:MOST_FRAMES]]
        return any(secret.value in text for secret in self.secrets.values() for text in texts)

    async def _dismiss(self, dialog: Dialog) -> None:
        self._dialogs += 1
        self._note(f'{dialog.type} "{dialog.message[:100]}", dismissed')
        if self._dialogs > MOST_DIALOGS:
            self._endless.set()
        with suppress(PlaywrightError):
            await dialog.dismiss()

    def _note_download(self, download: Download) -> None:
        self._note(f"a download, refused: {download.url[:300]}")

    def _note_window(self, window: Page) -> None:
        self._note(f"a new window, closed: {window.url[:300]}")

    def _note(self, said: str) -> None:
        if len(self._now.notes) < MOST_NOTES:
            self._now.notes.append(said)


async def _click(found: Locator, _action: Action) -> None:
    try:
        await found.click(timeout=_SOON_S * 1000)
    except PlaywrightTimeout as error:
        is_seen_through = _COVERED_BY_FIELD.search(error.message) is not None
        await found.click(timeout=(REACH_S - _SOON_S) * 1000, force=is_seen_through)


async def _opens_a_list(found: Locator) -> bool:
    roles = [await found.get_attribute(name, timeout=_TOLD_S * 1000) for name in ("role", "aria-haspopup")]
    return any(role in ("combobox", "listbox", "menu", "true") for role in roles)


async def _drawn_over(found: Locator) -> tuple[Locator, str] | None:
    """Give the list that scripts draw in place of a <select> that nobody sees, and the option that it does not show.

    Some take no notice of the <select> any more once they stand in its place.
    """
    selected = await found.evaluate(_UNSEEN_SELECTION, timeout=_TOLD_S * 1000)
    for place in _PLACES_OF_DRAWN if selected else ():
        drawn = found.locator(place)
        if await drawn.count() and await drawn.first.is_visible():
            own = await found.inner_text(timeout=_TOLD_S * 1000)  # which the list that is drawn around it has, too
            shown = (await drawn.first.inner_text(timeout=_TOLD_S * 1000)).replace(own, "")
            return None if selected.casefold() in shown.casefold() else (drawn.first, selected)
    return None


async def _fill(found: Locator, action: Action) -> None:
    await _fill_in(found, str(action.value))


async def _fill_in(found: Locator, text: str) -> None:
    """Fill a field; pages that look at it after each key are told of the last one."""
    await found.fill(text, timeout=REACH_S * 1000)
    with suppress(PlaywrightError):
        await found.dispatch_event("keyup", timeout=_TOLD_S * 1000)


async def _select(found: Locator, action: Action) -> None:
    try:
        await found.select_option(str(action.value), timeout=REACH_S * 1000)
    except PlaywrightTimeout as error:
        if "did not find some options" not in error.message:
            raise
        options = [text.strip()[:40] for text in await found.locator("option").all_text_contents()]
        raise TargetTrouble(f"it has no option {action.value!r}; it has {', '.join(options[:20]) or 'none'}") from None


async def _check(found: Locator, action: Action) -> None:
    is_on = action.value is not False
    try:
        await found.set_checked(is_on, timeout=_SOON_S * 1000)
    except PlaywrightTimeout as error:
        if _COVERED.search(error.message):
            with suppress(PlaywrightError):  # a drawn box may lie over the real one, and passes clicks on
                await found.set_checked(is_on, timeout=_SOON_S * 1000, force=True)
                return
        await found.set_checked(is_on, timeout=(REACH_S - _SOON_S) * 1000)


async def _press(found: Locator, action: Action) -> None:
    await found.press(str(action.value), timeout=REACH_S * 1000)


async def _hover(found: Locator, _action: Action) -> None:
    await found.hover(timeout=REACH_S * 1000)


async def _scroll(found: Locator, _action: Action) -> None:
    await found.scroll_into_view_if_needed(timeout=REACH_S * 1000)


DEEDS: dict[str, Callable[[Locator, Action], Awaitable[None]]] = {
    "click": _click, "fill": _fill, "select": _select, "check": _check, "press": _press, "hover": _hover,
    "scroll": _scroll,
}  # fmt: skip
"""How each action is done on the element that it names."""

REASONS = (
    ("is not an <input>", "it is no field that text can be filled in"),
    ("cannot be filled", "it is no field that such text can be filled in"),
    ("Cannot type text into input[type=number]", "it takes a number alone"),
    ("Malformed value", "it takes another form of date or time: YYYY-MM-DD, HH:MM"),
    (_NO_LIST, "it is no list of options; click what opens it, then click the option"),
    ("Not a checkbox", "it is no checkbox, radio button or switch"),
    ("Clicking the checkbox did not change its state", "clicking it did not change whether it is checked"),
    ("not a valid selector", "its css= is not a valid CSS selector"),
    ("Unexpected token", "its css= is not a valid CSS selector"),
    ("while parsing css selector", "its css= is not a valid CSS selector"),
    ("element is not enabled", "it is disabled"),
    ("element is not editable", "it can't be changed: it is read-only"),
    ("element is not visible", "it is not visible"),
    ("element is not stable", "it keeps moving"),
    ("outside of the viewport", "it stands outside of the window and can't be scrolled into it"),
    ("Element is not attached", "it was taken off the page meanwhile"),
    ("Timeout", f"it did not end within {REACH_S:g} s: the page is busy, or still loading"),
)
"""What Playwright says of an element that can't be acted upon, and what a reader of the request makes of it."""


def explain(message: str) -> str:
    """Give the reason in words that fit a request, for a message of Playwright; never what was filled in.

    >>> explain("Locator.fill: Error: Element is not an <input>, <textarea>")
    'it is no field that text can be filled in'
    """
    if covering := _COVERED.search(message):
        return f"it is covered by {covering[1]}; close that first"
    said = next((reason for mark, reason in REASONS if mark in message), None)
    return said or "the browser could not do it; the page may have changed meanwhile"
