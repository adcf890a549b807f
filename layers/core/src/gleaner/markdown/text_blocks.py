"""The blocks of text that a page consists of: what stands between two breaks, with the places that it came from."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from lxml import etree
from lxml.html import HtmlElement

from gleaner.html.dom import mark_dropped, remove_dropped
from gleaner.html.elements import BREAKS, HEADINGS, LISTS
from gleaner.html.layout import collapse

_BREAKING = frozenset(
    {*BREAKS, *LISTS, "body", "table", "thead", "tbody", "tfoot", "td", "th", "dt", "option", "button"}
)
_HEADINGS = frozenset(HEADINGS)
_NEAR_HEADING = 3
"""An element, and those around it, of which one may be the heading that it lies right in."""


@dataclass(slots=True)
class TextBlock:
    """A run of text in one element, up to the next break.

    ``linked`` counts the characters inside links, ``links`` the links that begin in it, ``level`` is that of the
    heading that it is, 0 for none. ``texts`` are the elements whose text, ``tails`` those whose following text belongs
    to it.
    """

    element: HtmlElement
    text: str = ""
    linked: int = 0
    links: int = 0
    level: int = 0
    texts: list[HtmlElement] = field(default_factory=list[HtmlElement])
    tails: list[HtmlElement] = field(default_factory=list[HtmlElement])

    @property
    def link_share(self) -> float:
        """Which part of the text is linked, 0 to 1."""
        return self.linked / len(self.text)


def text_blocks(body: HtmlElement) -> list[TextBlock]:
    """Give the blocks of a body in the order of the page; those without text are left out."""
    return _Reading(body).blocks


class _Reading:
    """One walk over a tree: the pieces of the text that is being read, where they stand, and whether a link is open."""

    def __init__(self, body: HtmlElement) -> None:
        self.blocks: list[TextBlock] = []
        self.open = [body]
        self.open_links = 0
        self._begin()
        walker: Any = etree.iterwalk(body, events=("start", "end", "comment", "pi"))
        for event, element in walker:
            if event == "start":
                tag = element.tag
                if tag in _BREAKING:
                    self._close()
                    self.open.append(element)
                elif tag == "a":
                    self.open_links += 1
                    self.links += 1
                elif tag == "br":
                    self._close()
                if (text := element.text) and (self.parts or not text.isspace()):
                    self._add(text)
                    self.texts.append(element)
                continue
            if event == "end":
                tag = element.tag
                if tag in _BREAKING:
                    self._close()
                    self.open.pop()
                elif tag == "a":
                    self.open_links -= 1
            if (tail := element.tail) and (self.parts or not tail.isspace()) and element is not body:
                self._add(tail)
                self.tails.append(element)

    def _begin(self) -> None:
        self.parts: list[str] = []
        self.linked: list[str] = []
        self.texts: list[HtmlElement] = []
        self.tails: list[HtmlElement] = []
        self.links = 0

    def _add(self, text: str) -> None:
        self.parts.append(text)
        if self.open_links:
            self.linked.append(text)

    def _close(self) -> None:
        """End a block; all of it stands in the innermost element that is open."""
        if not self.parts:
            self.links = 0
            return
        if text := collapse("".join(self.parts)):
            element, linked = self.open[-1], min(len(collapse("".join(self.linked))), len(text))
            level = heading_level(element)
            self.blocks.append(TextBlock(element, text, linked, self.links, level, self.texts, self.tails))
        self._begin()


def heading_level(element: HtmlElement) -> int:
    """Give the level of the heading that an element is or lies right in; 0 for none."""
    one: HtmlElement | None = element
    for _ in range(_NEAR_HEADING):
        if one is None:
            break
        if one.tag in _HEADINGS:
            return int(one.tag[1])
        one = one.getparent()
    return 0


def remove_blocks(body: HtmlElement, blocks: Sequence[TextBlock], dropped: Iterable[int]) -> None:
    """Take blocks out of the tree by their numbers, with the elements that held nothing else."""
    numbers = set(dropped)
    kept_above = {body, *body.iterancestors()}
    for number, block in enumerate(blocks):
        if number not in numbers:
            for element in (*block.texts, *(tail.getparent() for tail in block.tails)):
                _note_path(element, kept_above)
    for number in numbers:
        _remove_text(blocks[number], kept_above)
    remove_dropped(body)


def _note_path(element: HtmlElement | None, kept_above: set[HtmlElement]) -> None:
    while element is not None and element not in kept_above:
        kept_above.add(element)
        element = element.getparent()


def _remove_text(block: TextBlock, kept_above: set[HtmlElement]) -> None:
    for element in block.texts:
        element.text = None
    for element in block.tails:
        element.tail = None
    for element in (*block.texts, block.element):
        top = element
        while (parent := top.getparent()) is not None and parent not in kept_above:
            top = parent
        if top not in kept_above:
            mark_dropped(top)
