"""Ends of lines that style keeps: ``white-space: pre-line`` shows each as one: lists are typed so, a line a record."""

import re
from collections.abc import Iterator
from typing import Any

from lxml import etree
from lxml.html import HtmlElement

from gleaner.elements import PREFORMATTED

_KEPT = re.compile(r"(?:^|;)\s*white-space(?:-collapse)?\s*:\s*(?P<how>[a-z-]+)", re.IGNORECASE)
_APART = frozenset({*PREFORMATTED, "script", "style", "textarea", "br"})
_KEEPING = frozenset({"pre", "pre-line", "pre-wrap", "break-spaces", "preserve", "preserve-breaks"})


def write_line_ends(root: HtmlElement) -> None:
    """Make a ``<br>`` of each end of a line in elements whose own style keeps them, as a browser's snapshot does."""
    for element in list(root.xpath("//*[contains(@style, 'white-space')]")):
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
    """Put breaks into the texts right inside an element; what only sets its children apart in the source stays."""
    for child in list(node):
        if child.tail and "\n" in child.tail.strip():
            first, *lines = child.tail.split("\n")
            child.tail = first
            at = node.index(child)
            for count, line in enumerate(lines, 1):
                node.insert(at + count, _break(node, line))
    if node.text and "\n" in node.text.strip():
        first, *lines = node.text.split("\n")
        node.text = first
        for count, line in enumerate(lines):
            node.insert(count, _break(node, line))


def _break(node: HtmlElement, tail: str) -> HtmlElement:
    made = node.makeelement("br", {})
    made.tail = tail
    return made
