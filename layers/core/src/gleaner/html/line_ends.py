"""Line breaks that ``white-space: pre-line`` keeps."""

import re
from collections.abc import Iterator
from typing import Any

from lxml import etree
from lxml.html import HtmlElement

from gleaner.html.elements import PREFORMATTED

_KEPT = re.compile(r"(?:^|;)\s*white-space(?:-collapse)?\s*:\s*(?P<how>[a-z-]+)", re.IGNORECASE)
_APART = frozenset({*PREFORMATTED, "script", "style", "textarea", "br"})
_KEEPING = frozenset({"pre", "pre-line", "pre-wrap", "break-spaces", "preserve", "preserve-breaks"})


def write_line_ends(root: HtmlElement, html: str) -> None:
    """Make a ``<br>`` of each end of a line in elements whose own style keeps them, as a browser's snapshot does.

    ``html`` is what the tree was made of: where it does not name the style, there is no walk.
    """
    for element in list(root.xpath("//*[contains(@style, 'white-space')]")) if "white-space" in html else ():
        if _keeps_line_ends(element) and not any(True for _ in element.iterancestors(*PREFORMATTED)):
            for node in list(_inside(element)):
                _write_within(node)


def _keeps_line_ends(element: HtmlElement) -> bool:
    said = [found["how"].lower() for found in _KEPT.finditer(element.get("style") or "")]
    return bool(said) and said[-1] in _KEEPING and element.tag not in PREFORMATTED


def _inside(element: HtmlElement) -> Iterator[HtmlElement]:
    """Give an element and all inside that have no rule of their own for the ends of lines."""
    walker: Any = etree.iterwalk(element, events=("start",))
    for _, node in walker:
        if node is not element and (node.tag in _APART or "white-space" in (node.get("style") or "")):
            walker.skip_subtree()
        else:
            yield node


def _write_within(node: HtmlElement) -> None:
    """Put breaks into the texts right inside an element; what only sets its children apart in the source stays.

    All children are set at once: to find the place of each anew would be quadratic.
    """
    first, breaks = _parted(node, node.text)
    children = [*breaks]
    tails: list[tuple[HtmlElement, str]] = []
    for child in node:
        tail, breaks = _parted(node, child.tail)
        children += [child, *breaks]
        tails += [(child, tail)] if breaks else []
    for child, tail in tails:
        child.tail = tail
    if len(children) > len(node):
        node.text = first
        node[:] = children


def _parted(node: HtmlElement, text: str | None) -> tuple[str, list[HtmlElement]]:
    """Give a text up to its first end of a line, and a break for each of these with what follows it."""
    if not text or "\n" not in text.strip():
        return text or "", []
    first, *lines = text.split("\n")
    return first, [_break(node, line) for line in lines]


def _break(node: HtmlElement, tail: str) -> HtmlElement:
    made = node.makeelement("br", {})
    made.tail = tail
    return made
