"""Lists that load more as one scrolls: scrolled to their end, as far as there is time (BR-3, CM-1)."""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from playwright.async_api import CDPSession
from playwright.async_api import Error as PlaywrightError

from gleaner.adapters.page_snapshot import evaluate, isolated_world, page_script
from gleaner.waiting import Sample, is_busy

PATIENCE_S = 2.0
"""How long a page may be at work after a scroll without any new text."""

_LOOK_S = 0.05
_STILL_S = 0.25
"""How long nothing is under way before nothing is to be expected: what asks for more may take its time to begin."""

Found: TypeAlias = Literal["nothing", "all", "some"]
"""What scrolling brought: no more of a list, all there was, or some, and there may be more."""


@dataclass(frozen=True, slots=True)
class Scroller:
    """Scrolls one page. ``sample`` looks at it, ``rest`` waits until its text is still, or until a time.

    ``answer_of`` asks a page that may be too busy to answer.
    """

    session: CDPSession
    answer_of: Callable[[Callable[[], Awaitable[Any]]], Awaitable[Any]]
    sample: Callable[[], Awaitable[Sample]]
    rest: Callable[[float], Awaitable[object]]

    async def scroll(self, until: float) -> Found:
        """Scroll to the end while lists grow by it, up to a time of the monotonic clock, and back to the beginning."""
        found: Found = "nothing"
        try:
            tree = await self.session.send("Page.getFrameTree")
            world = await isolated_world(self.session, tree["frameTree"]["frame"]["id"])
            while await self._brings_items(world, until):
                found = "all" if time.monotonic() < until else "some"
                if found == "some":
                    break
            await self._ask("back", world)
        except PlaywrightError:  # the page has moved on: what was there before is what counts
            return "nothing"
        return found

    async def _brings_items(self, world: int, until: float) -> bool:
        before = await self._look()
        if not before.listens or not await self._ask("down", world):
            return False
        start = still_since = time.monotonic()
        while time.monotonic() - start < PATIENCE_S:
            sample = await self._look()
            if sample.changes != before.changes:
                await self.rest(until)
                return bool(await self._ask("grown", world))
            still_since = time.monotonic() if is_busy(sample) else still_since
            if time.monotonic() - still_since > _STILL_S:
                return False
            await asyncio.sleep(_LOOK_S)
        return False

    async def _look(self) -> Sample:
        return await self.answer_of(self.sample)

    async def _ask(self, order: str, world: int) -> Any:
        script = page_script("scroll_on.js").replace("ORDER", json.dumps(order))
        return await self.answer_of(lambda: evaluate(self.session, script, world))
