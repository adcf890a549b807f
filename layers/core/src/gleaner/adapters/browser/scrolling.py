"""Scroll lists that load or draw more rows, to their end or the time limit (BR-3, CM-1)."""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from playwright.async_api import CDPSession
from playwright.async_api import Error as PlaywrightError

from gleaner.adapters.browser.snapshot import Snapshot, evaluate, isolated_world, main_frame_of, page_script
from gleaner.adapters.browser.waiting import Sample, is_busy
from gleaner.contracts.errors import BlockedAddress
from gleaner.contracts.ports import RenderOrder
from gleaner.contracts.settings import ScrapeSettings
from gleaner.contracts.word_lists import words_in
from gleaner.page.continuations import ROOM_MARK

PATIENCE_S = 2.0
"""How long a page may be at work after a scroll without any new text."""

BATCH_S = 3.0
"""How long each batch may take that a listing's reading may load, and all of them at the most."""
MOST_S = 120.0

_LOOK_S = 0.05
_STILL_S = 0.25
"""How long nothing is under way before nothing is to be expected: what asks for more may take its time to begin."""


def longest_reading_on(order: RenderOrder, scrape: ScrapeSettings) -> float:
    """Give the seconds that a page's lists may take to load on: more where a listing is followed."""
    return max(scrape.stability_max_wait_ms / 1000, min(order.batches * BATCH_S, MOST_S))


@cache
def _words_of_more() -> str:
    """Give what "load more" is called in each language, as JSON."""
    return json.dumps(sorted(words_in("paging_words", "more", "code_more")))


@dataclass(slots=True)
class Scroller:
    """Scrolls one page, and presses its "load more" where ``batches`` says how many more may be loaded.

    ``answer_of`` asks a page that may be too busy to answer; ``sample`` looks at it, as of a time of the monotonic
    clock; ``rest`` waits until its text is still, or until such a time; ``take`` reads it. ``goes_on`` tells whether
    the time was over before the end of what loads more.
    """

    session: CDPSession
    answer_of: Callable[[Callable[[], Awaitable[Any]]], Awaitable[Any]]
    sample: Callable[[float], Awaitable[Sample]]
    rest: Callable[[float], Awaitable[object]]
    take: Callable[[], Awaitable[Snapshot]]
    batches: int = 0
    goes_on: bool = False
    _loaded: int = 0
    _start: float = field(default_factory=time.monotonic)
    _until: float = 0.0
    _draws: bool = True
    _world: int = 0

    async def read_on(self, snapshot: Snapshot, most_s: float) -> Snapshot:
        """Give the page with all that its lists load or draw as one scrolls, scrolled back; as it is if they do not."""
        self._until = self._start + most_s
        read = snapshot
        try:
            self._world = await isolated_world(self.session, await main_frame_of(self.session))
            if await self._load():
                read = await self.take()
            has_windows = f" {ROOM_MARK}=" in read.html
            if has_windows:
                await self._look_through()
            await self._ask("back")
            if has_windows:
                read = await self._take_at_rest()
        except (PlaywrightError, BlockedAddress):  # the page has moved on: what was there before is what counts
            return snapshot
        return read

    async def _load(self) -> bool:
        """Scroll to the end and press "load more" while lists grow by it; tell whether they did."""
        while not self._is_enough() and (await self._brings_items("down") or await self._presses()):
            self._loaded += 1
        return self._loaded > 0

    def _is_enough(self) -> bool:
        """Tell whether no more is to be loaded: so many batches were asked for, or the time is over."""
        if self._loaded and time.monotonic() >= self._until:
            self.goes_on = True
        return self.goes_on or bool(self.batches and self._loaded >= self.batches)

    async def _presses(self) -> bool:
        return bool(self.batches) and await self._brings_items("press")

    async def _brings_items(self, order: str) -> bool:
        """Scroll down, or press the control; tell whether lists have grown by that."""
        before = await self._look()
        if (order == "down" and not before.listens) or not await self._ask(order):
            return False
        start = still_since = time.monotonic()
        still_s = _STILL_S + before.polls_ms / 1000
        while time.monotonic() - start < PATIENCE_S:
            sample = await self._look()
            if sample.changes != before.changes:
                await self.rest(self._until)
                return bool(await self._ask("grown"))
            still_since = time.monotonic() if is_busy(sample) else still_since
            if time.monotonic() - still_since > still_s:
                return False
            await asyncio.sleep(_LOOK_S)
        return False

    async def _look_through(self) -> None:
        """Show lists that draw only what is in view window by window: the page's script keeps what each reading saw."""
        if await self._ask("probe"):
            await self._rest()
        if not await self._ask("sift"):
            return
        await self._ask("top")
        await self._take_at_rest()
        while time.monotonic() < self._until and await self._ask("step"):
            await self._take_at_rest()

    async def _take_at_rest(self) -> Snapshot:
        await self._rest()
        return await self.take()

    async def _rest(self) -> None:
        end = min(self._until, time.monotonic() + PATIENCE_S)
        while is_busy(await self._look()) or (self._draws and not await self._ask("drawn")):
            if time.monotonic() >= end:
                self._draws = False  # what did not draw its rows in time is not waited for at each step
                break
            await asyncio.sleep(_LOOK_S)

    async def _look(self) -> Sample:
        return await self.answer_of(lambda: self.sample(self._start))

    async def _ask(self, order: str) -> Any:
        script = page_script("scroll_on.js").replace("ORDER", json.dumps(order)).replace("WORDS", _words_of_more())
        return await self.answer_of(lambda: evaluate(self.session, script, self._world))
