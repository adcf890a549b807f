"""Reach closed shadow trees, which people see and scripts do not: the debugging protocol gives their roots (BR-2)."""

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from playwright.async_api import CDPSession
from playwright.async_api import Error as PlaywrightError

MOST_TREES = 200
"""Trees of a page that are reached: each costs two messages."""

_DECLARED = re.compile(r"""<template\s[^>]{0,200}?shadowrootmode\s*=\s*["']?closed\b""", re.IGNORECASE)
_KEEP = "function () { (globalThis.gleanerRoots ||= new WeakMap()).set(this.host, this) }"


def declared_closed(html: str) -> int:
    """Count the closed trees that a page's own HTML declares, at the utmost.

    >>> declared_closed("<p>a</p><x-a><template shadowrootmode=closed>b</template></x-a>")
    1
    """
    return sum(1 for _ in _DECLARED.finditer(html))


async def reach_closed_trees(session: CDPSession, context_id: int) -> bool:
    """Keep the closed roots of a frame where the snapshot's script finds them; tell whether that was possible."""
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
