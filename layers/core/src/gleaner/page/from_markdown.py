"""A page of which only the text is known: its items, rows and paragraphs as nodes, enough to tell what are siblings."""

import re
from array import array
from collections.abc import Iterator
from itertools import pairwise

from lxml.html import HtmlElement

from gleaner.html.dom import clean_text, empty_tree, words_of
from gleaner.page.blocks import CELL, Block, blocks_of
from gleaner.page.model import Layer, Nodes, Page, PageOptions, Span, Written

_DEEPEST = 40
"""Lists within lists: more are none that a page has."""

_TARGET = re.compile(r"\]\([^()\s]*\)")


def page_of_markdown(text: str, url: str = "") -> Page:
    """Give a page that has this Markdown; its nodes have the words of the text without the targets of links.

    >>> page = page_of_markdown("- Oak\\n- Elm [tall](/elm)")
    >>> [(page.nodes.tags[at], page.nodes.texts[at]) for at in range(3, 5)]
    [('li', 'Oak'), ('li', 'Elm [tall]')]
    """
    builder = _Builder(text)
    for number, block in enumerate(blocks_of(text).all):
        builder.read(number, block)
    tree, nodes = builder.tree, builder.nodes()
    written = Written(text, builder.starts, builder.stops)
    return Page(
        html="",
        part="",
        url=url,
        base=url,
        title="",
        language="",
        options=PageOptions(),
        tree=tree,
        code=(),
        numbers=range(len(nodes)),
        unplaced=nodes,
        words=words_of("", empty_tree()),
        removed={},
        given=written,
    )


class _Builder:
    """The nodes of a text as they are read, with the tree of the same elements."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tree = empty_tree()
        self.elements: list[HtmlElement] = [self.tree]
        self.parents, self.starts, self.stops = array("i", (-1,)), array("i", (0,)), array("i", (len(text),))
        self.lists: list[tuple[int, int]] = []
        """The lists that are open: how far their items are indented, and their numbers."""
        self.table = self.first_row = -1
        self.body = self.add("body", 0, (0, len(text)))

    def add(self, tag: str, parent: int, span: Span, text: str = "") -> int:
        """Add a node behind all others, and give its number."""
        element = self.tree.makeelement(tag)
        element.text = clean_text(text) or None
        self.elements[parent].append(element)
        self.elements.append(element)
        self.parents.append(parent)
        self.starts.append(span[0])
        self.stops.append(span[1])
        return len(self.elements) - 1

    def widen(self, node: int, stop: int) -> None:
        """Note that a list or a table goes on."""
        while node > self.body:
            self.stops[node] = stop
            node = self.parents[node]

    def read(self, number: int, block: Block) -> None:
        """Take in a line: an item, a row, the rule under a table's head, or a paragraph."""
        line, start, indent = self.text[block.start : block.end], block.start, block.level
        is_item = block.kind == "item"
        span = start, start + len(line.rstrip())
        self.lists = [one for one in self.lists if is_item and one[0] <= indent]
        if block.kind == "rule" and block.over == self.first_row >= 0:
            self.make_heads()
        elif block.kind == "row":
            if block.over != self.first_row or self.first_row < 0:
                self.table, self.first_row = self.add("table", self.body, span), number
            self.widen(self.table, span[1])
            row = self.add("tr", self.table, span)
            for first, last in _cells(line):
                self.add("td", row, (start + first, start + last), _TARGET.sub("]", line[first:last]))
        elif is_item:
            if not self.lists or (self.lists[-1][0] < indent and len(self.lists) < _DEEPEST):
                around = self.lists[-1][1] if self.lists else self.body
                self.lists.append((indent, self.add("ul", around, span)))
            self.widen(self.lists[-1][1], span[1])
            self.add("li", self.lists[-1][1], span, _TARGET.sub("]", self.text[block.said : block.end]))
        else:
            self.add("p", self.body, span, _TARGET.sub("]", line.strip()))

    def make_heads(self) -> None:
        """Make heads of the cells of the row before."""
        for cell in self.elements[self.table][-1]:
            cell.tag = "th"

    def nodes(self) -> Nodes:
        """Give the nodes."""
        count = len(self.elements)
        ends = array("i", range(1, count + 1))
        for at in range(count - 1, 0, -1):
            ends[self.parents[at]] = max(ends[self.parents[at]], ends[at])
        content: list[Layer] = ["content"]
        texts = [element.text or "" for element in self.elements]
        return Nodes(
            tags=[str(element.tag) for element in self.elements],
            attributes=[None] * count,
            parents=self.parents,
            ends=ends,
            texts=texts,
            tails=[""] * count,
            layers=content * count,
            starts=self.starts,
            stops=self.stops,
        )


def _cells(line: str) -> Iterator[Span]:
    """Give where the cells of a row stand in its line, blanks around them left out."""
    first = len(line) - len(line.lstrip()) + 1
    last = len(line.rstrip())
    last -= line[last - 1] == "|" and last > first
    edges = [first - 1, *(found.start() for found in CELL.finditer(line, first, last)), last]
    for before, after in pairwise(edges):
        cell = line[before + 1 : after]
        start = before + 1 + len(cell) - len(cell.lstrip())
        yield start, max(start, start + len(cell.strip()))
