"""Find the element that an action names, in the page, its frames and its open shadow roots (AC-1)."""

import asyncio
import re
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from functools import partial, reduce
from typing import Any

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Frame, Locator, Page

from gleaner.contracts.actions import Target, read_target

PATIENCE_S = 3.0
"""How long a target may take to come after the page has settled."""

MOST_FRAMES = 20
FRAME_TIMEOUT_S = 1.0
"""What a frame may take to answer; one that does not is passed over from then on."""

NAMING_S = 2.5
"""What it may take to say what an element is: with the time that it may take to be reached less than an action has."""

_LOOK_S = 0.1
_FIELDS = ("textbox", "searchbox", "combobox", "listbox", "spinbutton", "slider")
_BOXES = ("checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio")
_CONTROLS = ("button", "link", "tab", "option", "menuitem", "treeitem", *_FIELDS, *_BOXES)
_BY_NAME = {"fill": _FIELDS, "select": _FIELDS, "check": _BOXES, "pick": ("option", "treeitem", "menuitem", *_BOXES)}
"""The roles of what an action works on. A text is looked for among the names of these first: labels, placeholders and
attributes give them. To ``pick`` is to click an option of a list that is open."""
_BY_TEXT = ("click", "hover", "press")
"""Actions on what shows a text, or on the control of that name where nothing does."""
_EXPOSED = ':not([aria-hidden="true"], [aria-hidden="true"] *)'
MOST_SHOWN = 3
MOST_OFFERED = 8
_FIRST_LINE = re.compile(r'-\s+(?P<role>[\w-]+)(?:\s+"(?P<name>(?:[^"\\]|\\.)*)")?(?P<rest>.*)')


class TargetTrouble(Exception):
    """The target is not there, hidden, or there more than once; the message says which."""


@dataclass(slots=True)
class TargetFinder:
    """Finds elements of one page. Playwright looks from a world of its own, out of reach of the page's scripts."""

    page: Page
    silent_frames: set[Frame] = field(default_factory=set[Frame])

    async def find(self, text: str, patience_s: float = PATIENCE_S, *, deed: str = "", first: bool = False) -> Locator:
        """Give the one visible element of a target that an action works on; with ``first`` the first of several.

        TargetTrouble if there is none; PlaywrightError for a selector that is none.
        """
        target = read_target(text)
        until = time.monotonic() + patience_s
        while True:
            found = await self._visible(target, deed)
            if len(found) == 1 or (found and first):
                return found[0]
            if found:
                shown = [await describe(one) for one in found[:MOST_SHOWN]]
                more = f" and {len(found) - MOST_SHOWN} more" if len(found) > MOST_SHOWN else ""
                raise TargetTrouble(
                    f"{text} is there {len(found)} times: {', '.join(shown)}{more}; name one of them, such as by "
                    "role=…[name=…] or a longer css="
                )
            if time.monotonic() >= until:
                break
            await asyncio.sleep(_LOOK_S)
        raise TargetTrouble(f"{text} {await self._why_not(target)}")

    async def _visible(self, target: Target, deed: str = "") -> list[Locator]:
        """Give the visible elements of the strictest way of looking that finds any."""
        for exactly in (True, False) if target.by != "css" else (True,):
            own = partial(locate, target=target, exactly=exactly)
            if target.by != "text":
                found = await self._shown(own)
            elif deed in _BY_NAME:
                found = await self._named(target, _BY_NAME[deed], exactly=exactly) or await self._exposed(own)
            else:
                found = await self._exposed(own)
                if deed == "click" and len(found) == 1 and await self._shown(own, "label, label *"):
                    fields = await self._named(target, _FIELDS, exactly=exactly)
                    found = fields if len(fields) == 1 else found
                elif deed in _BY_TEXT and not found:
                    found = await self._named(target, _CONTROLS, exactly=exactly)
            if found:
                return found
        return []

    async def _named(self, target: Target, roles: tuple[str, ...], *, exactly: bool) -> list[Locator]:
        return await self._shown(partial(locate_named, name=target.what, roles=roles, exactly=exactly))

    async def _exposed(self, where: Callable[[Frame], Locator]) -> list[Locator]:
        """Give what is visible; of several, without copies that keep a place free, hidden from screen readers."""
        found = await self._shown(where)
        return await self._shown(where, _EXPOSED) or found if len(found) > 1 else found

    async def _shown(self, where: Callable[[Frame], Locator], among: str = "") -> list[Locator]:
        """Give the visible elements of all frames; ``among`` is a CSS selector that they match, too."""
        found: list[Locator] = []
        for frame in self._frames():
            shown = where(frame).filter(visible=True)
            shown = shown.and_(frame.locator(among)) if among else shown
            count = await self._answer(frame, shown.count, 0)
            found += [shown.nth(at) for at in range(count)]
        return found

    async def _why_not(self, target: Target) -> str:
        for frame in self._frames():
            if await self._answer(frame, locate(frame, target, exactly=False).count, 0):
                return "is there, but hidden"
        others = await self._visible(Target("role", target.what)) if target.name else []
        shown = ", ".join([await describe(one) for one in others[:MOST_OFFERED]])
        return "is not on the page" + (f", which has {shown}" if shown else "")

    def _frames(self) -> Iterator[Frame]:
        return (frame for frame in self.page.frames[:MOST_FRAMES] if frame not in self.silent_frames)

    async def _answer(self, frame: Frame, ask: Callable[[], Awaitable[int]], otherwise: int) -> int:
        """Ask a frame below the main one with a time limit; the page's own may be busy, which is told elsewhere."""
        if frame == self.page.main_frame:
            return await ask()
        try:
            async with asyncio.timeout(FRAME_TIMEOUT_S):
                return await ask()
        except TimeoutError:
            self.silent_frames.add(frame)
        except PlaywrightError as error:
            if "selector" in error.message:
                raise
        return otherwise


def locate(frame: Frame, target: Target, *, exactly: bool) -> Locator:
    """Give where a frame's elements of a target are: whole names and texts, or such that contain it."""
    if target.by == "css":
        return frame.locator(f"css={target.what}")
    if target.by == "role":
        role: Any = target.what
        return frame.get_by_role(role, name=target.name, exact=exactly) if target.name else frame.get_by_role(role)
    if not exactly:
        return frame.get_by_text(target.what)
    return frame.get_by_text(_whole(target.what))


def locate_named(frame: Frame, name: str, roles: tuple[Any, ...], *, exactly: bool) -> Locator:
    """Give where a frame's elements of some roles are that have a name, or one that contains it."""
    wanted = _whole(name) if exactly else name
    return reduce(Locator.or_, (frame.get_by_role(role, name=wanted) for role in roles))


def _whole(text: str) -> re.Pattern[str]:
    words = r"\s+".join(re.escape(word) for word in text.split())
    return re.compile(rf"^\s*{words}\s*$", re.IGNORECASE)


async def describe(locator: Locator) -> str:
    """Say what an element is in a few words, by its role and name: ``button "Show all"``. No value is among them."""
    try:
        lines = await locator.aria_snapshot(timeout=NAMING_S * 1000)
    except PlaywrightError:
        return "an element"
    found = _FIRST_LINE.match(lines.strip().partition("\n")[0])
    if found is None:
        return "an element"
    if found["name"]:
        return f'{found["role"]} "{found["name"][:80]}"'
    is_text = found["role"] in ("text", "paragraph", "listitem", "generic", "strong", "emphasis")
    said = found["rest"].lstrip(": ").strip()[:80] if is_text else ""
    return f'{found["role"]} "{said}"' if said else str(found["role"])
