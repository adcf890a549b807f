"""The blocks of text that a page consists of: what stands between two breaks, with the places that it came from."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from lxml import etree
from lxml.html import HtmlElement

from gleaner.html.dom import mark_dropped, remove_dropped
from gleaner.html.elements import BREAKS, LISTS
from gleaner.html.layout import collapse

_BREAKING = frozenset(
    {*BREAKS, *LISTS, "body", "table", "thead", "tbody", "tfoot", "td", "th", "dt", "option", "button"}
)


@dataclass(slots=True)
class TextBlock:
    """A run of text in one element, up to the next break.

    ``linked`` counts the characters inside links, ``links`` the links that begin in it. ``texts`` are the elements
    whose text, ``tails`` those whose following text belongs to it.
    """

    element: HtmlElement
    text: str = ""
    linked: int = 0
    links: int = 0
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
    """One walk over a tree: the block that is being read, and whether a link is open."""

    def __init__(self, body: HtmlElement) -> None:
        self.blocks: list[TextBlock] = []
        self.open = [body]
        self.open_links = 0
        self.parts: list[tuple[str, bool]] = []
        self.block = TextBlock(body)
        walker: Any = etree.iterwalk(body, events=("start", "end", "comment", "pi"))
        for event, element in walker:
            if event == "start":
                self._enter(element)
            elif event == "end":
                self._leave(element, is_last=element is body)
            elif element.tail:
                self._add(element.tail, element, is_tail=True)

    def _enter(self, element: HtmlElement) -> None:
        if element.tag in _BREAKING or element.tag == "br":
            self._close()
        if element.tag in _BREAKING:
            self.open.append(element)
        elif element.tag == "a":
            self.open_links += 1
        if element.tag == "a":
            self.block.links += 1
        if element.text:
            self._add(element.text, element, is_tail=False)

    def _leave(self, element: HtmlElement, *, is_last: bool) -> None:
        if element.tag in _BREAKING:
            self._close()
            self.open.pop()
        elif element.tag == "a":
            self.open_links -= 1
        if element.tail and not is_last:
            self._add(element.tail, element, is_tail=True)

    def _add(self, text: str, element: HtmlElement, *, is_tail: bool) -> None:
        if not self.parts:
            if not text.strip():
                return
            self.block.element = self.open[-1]
        self.parts.append((text, self.open_links > 0))
        (self.block.tails if is_tail else self.block.texts).append(element)

    def _close(self) -> None:
        text = collapse("".join(part for part, _ in self.parts))
        if text:
            linked = collapse("".join(part for part, is_linked in self.parts if is_linked))
            self.block.text, self.block.linked = text, min(len(linked), len(text))
            self.blocks.append(self.block)
        self.parts = []
        self.block = TextBlock(self.open[-1])


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
