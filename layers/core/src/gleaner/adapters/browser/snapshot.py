"""Serialise the page's DOM from an isolated world, out of reach of the page's scripts (MD-4)."""

import asyncio
import json
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from playwright.async_api import CDPSession, Frame, Page
from playwright.async_api import Error as PlaywrightError

from gleaner.contracts.errors import PageTooLarge
from gleaner.html.decoding.mojibake import repair_mojibake

WORLD = "gleaner"
MAX_FRAMES = 50
FRAME_TIMEOUT_S = 3.0


MOST_TREES = 200
"""Trees of a page that are reached: each costs two messages."""

_DECLARED = re.compile(r"""<template\s[^>]{0,200}?shadowrootmode\s*=\s*["']?closed\b""", re.IGNORECASE)
_KEEP = "function () { (globalThis.gleanerRoots ||= new WeakMap()).set(this.host, this) }"

GUESSED = "windows-1252"
"""The charset that browsers take for a page without a label."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What the script gives. ``url`` is the address of the very document that was read; ``faded`` are the screens
    below the first that hold text which is transparent now; ``is_whole`` is false where closed trees are missing."""

    url: str
    html: str
    links: tuple[str, ...]
    title: str
    faded: tuple[int, ...] = ()
    is_whole: bool = True


@cache
def page_script(name: str) -> str:
    """Give one of the scripts that run in the page."""
    return files("gleaner.adapters.browser").joinpath("page_scripts", name).read_text("utf-8")


async def take_snapshot(page: Page, session: CDPSession, max_length: int, *, has_closed: bool = False) -> Snapshot:
    """Serialise the page with its frames, and where it ``has_closed`` shadow trees, with what these hold.

    PageTooLarge when it is longer than ``max_length`` characters.
    """
    reader = FrameReader(page, {"": session}, max_length)
    frame_id = await main_frame_of(session)
    is_whole = not has_closed or await reach_closed_trees(session, await isolated_world(session, frame_id))
    answer = await reader.read(session, frame_id, only_body=False)
    faded = tuple(sorted(answer["faded"]))
    return Snapshot(answer["url"], answer["html"], tuple(answer["links"]), answer["title"], faded, is_whole)


async def reveal(session: CDPSession, screens: Sequence[int]) -> None:
    """Scroll to the screens and back, so that what a page fades in on scrolling is there."""
    await evaluate_apart(session, page_script("reveal.js").replace("SCREENS", json.dumps(list(screens))))


async def unfold(session: CDPSession, most: int) -> int:
    """Open what only unfolds in the main frame, ``most`` controls at the utmost; give how many were opened."""
    return int(await evaluate_apart(session, page_script("unfold.js").replace("MOST", str(most))))


class FrameReader:
    """Reads frames of one page, each through the debugging session that it belongs to."""

    def __init__(self, page: Page, sessions: dict[str, CDPSession], max_length: int) -> None:
        self._page = page
        self._sessions = sessions
        self._max_length = max_length
        self._found_sessions = False
        self._read_frames = 0

    async def read(self, session: CDPSession, frame_id: str, *, only_body: bool) -> dict[str, Any]:
        """Serialise one frame, and put in the frames below it that the script itself could not enter."""
        context_id = await isolated_world(session, frame_id)
        expression = (
            page_script("snapshot.js")
            .replace("MAX_LENGTH", str(self._max_length))
            .replace("ONLY_BODY", str(only_body).lower())
        )
        answer: dict[str, Any] = json.loads(await evaluate(session, expression, context_id))
        if answer["tooLarge"]:
            raise PageTooLarge(f"the page is longer than max_page_size, {self._max_length} characters")
        if answer["charset"] == GUESSED:
            answer |= {name: repair_mojibake(answer[name]) for name in ("html", "title")}
        for number in range(answer["frames"]):
            inner = await self._read_inner(session, context_id, number)
            mark = f"<gleaner-frame-{number}></gleaner-frame-{number}>"
            answer["html"] = answer["html"].replace(mark, inner.get("html", ""), 1)
            answer["links"] = list(dict.fromkeys([*answer["links"], *inner.get("links", [])]))
            if len(answer["html"]) > self._max_length:
                raise PageTooLarge(
                    f"the page and its frames are longer than max_page_size, {self._max_length} characters"
                )
        return answer

    async def _read_inner(self, session: CDPSession, context_id: int, number: int) -> dict[str, Any]:
        self._read_frames += 1
        if self._read_frames > MAX_FRAMES:
            return {}
        try:
            async with asyncio.timeout(FRAME_TIMEOUT_S):
                frame_id = await frame_id_of(session, context_id, number)
                inner_session = await self._session_of(frame_id) or session
                return await self.read(inner_session, frame_id, only_body=True)
        except (PlaywrightError, TimeoutError, KeyError):  # a frame that is gone, or does not answer, is left out
            return {}

    async def _session_of(self, frame_id: str) -> CDPSession | None:
        if not self._found_sessions:
            self._found_sessions = True
            self._sessions |= await sessions_of_frames(self._page, self._page.frames[1:])
        return self._sessions.get(frame_id)


def declared_closed(html: str) -> int:
    """Count the closed trees that a page's own HTML declares, at the utmost.

    >>> declared_closed("<p>a</p><x-a><template shadowrootmode=closed>b</template></x-a>")
    1
    """
    return sum(1 for _ in _DECLARED.finditer(html))


async def reach_closed_trees(session: CDPSession, context_id: int) -> bool:
    """Keep the closed roots of a frame where the snapshot's script finds them; tell whether that was possible.

    People see what stands in them, and no script of the page's does: the debugging protocol alone knows the roots.
    """
    try:
        tree = await session.send("DOM.getDocument", {"depth": -1, "pierce": True})
        roots = list(_closed_roots(tree["root"]))
        for number in roots[:MOST_TREES]:
            found = await session.send("DOM.resolveNode", {"backendNodeId": number, "executionContextId": context_id})
            order = {"functionDeclaration": _KEEP, "objectId": found["object"]["objectId"]}
            await session.send("Runtime.callFunctionOn", order)
    except PlaywrightError:  # the page is gone, or nests deeper than a message may
        return False
    finally:
        with suppress(PlaywrightError):
            await session.send("DOM.disable")
    return len(roots) <= MOST_TREES


def _closed_roots(root: dict[str, Any]) -> Iterator[int]:
    """Give the closed roots of a document by number, those within others too; not those of the frames below it."""
    open_nodes = [root]
    while open_nodes:
        node = open_nodes.pop()
        for shadow in node.get("shadowRoots", ()):
            if shadow["shadowRootType"] == "closed":
                yield int(shadow["backendNodeId"])
            if shadow["shadowRootType"] != "user-agent":
                open_nodes.append(shadow)
        open_nodes += node.get("children", ())


async def main_frame_of(session: CDPSession) -> str:
    """Give the id of the frame that a session belongs to, the page's own or one in a process of its own."""
    tree = await session.send("Page.getFrameTree")
    return str(tree["frameTree"]["frame"]["id"])


async def isolated_world(session: CDPSession, frame_id: str) -> int:
    """Make a world of our own in the frame, and give the id of its execution context."""
    world = await session.send(
        "Page.createIsolatedWorld", {"frameId": frame_id, "worldName": WORLD, "grantUniveralAccess": True}
    )
    return int(world["executionContextId"])


async def evaluate(session: CDPSession, expression: str, context_id: int | None = None) -> Any:
    """Evaluate in a context and give the value; a script that throws is a PlaywrightError."""
    order: dict[str, Any] = {"expression": expression, "returnByValue": True, "awaitPromise": True}
    if context_id is not None:
        order["contextId"] = context_id
    answer = await session.send("Runtime.evaluate", order)
    if "exceptionDetails" in answer:
        details = answer["exceptionDetails"]
        raise PlaywrightError(str(details.get("exception", details).get("description", details))[:500])
    return answer["result"].get("value")


async def evaluate_apart(session: CDPSession, expression: str) -> Any:
    """Evaluate in a world of our own in the main frame, and give the value."""
    return await evaluate(session, expression, await isolated_world(session, await main_frame_of(session)))


async def frame_id_of(session: CDPSession, context_id: int, number: int) -> str:
    """Give the id of the frame that the script left as ``gleanerFrames[number]``."""
    order = {"expression": f"globalThis.gleanerFrames[{number}]", "contextId": context_id}
    element = await session.send("Runtime.evaluate", order)
    node = await session.send("DOM.describeNode", {"objectId": element["result"]["objectId"]})
    return str(node["node"]["frameId"])


async def sessions_of_frames(page: Page, frames: Sequence[Frame]) -> dict[str, CDPSession]:
    """Give the sessions of the frames that run in processes of their own, by frame id."""
    sessions: dict[str, CDPSession] = {}
    for frame in frames[:MAX_FRAMES]:
        try:
            session = await page.context.new_cdp_session(frame)
            sessions[await main_frame_of(session)] = session
        except PlaywrightError:  # it belongs to its parent's session
            continue
    return sessions
