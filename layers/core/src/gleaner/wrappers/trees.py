"""A page's tree as wrappers read it: texts, labels, and the heads of tables."""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import islice
from textwrap import dedent
from typing import TypeAlias

from lxml.html import HtmlElement

from gleaner.extraction.own_words import in_own_words
from gleaner.html import dom
from gleaner.html.dom import classes_of, raw_text
from gleaner.html.table_spans import spans_of
from gleaner.page.model import NodeRange, Page
from gleaner.values import locales
from gleaner.values.conventions import conventions, decimal_mark
from gleaner.values.names import singular
from gleaner.wrappers.readings import Readers

LINE_END = "\u2028"
"""Stands in a tree for a line break. ``str.split`` takes it for white space, so that texts on one line lose it."""

INLINE = dom.INLINE | {"data", "ins", "time", "var"}
CELLS = ("td", "th")
SPANNING = "[colspan]"
"""In the place of a class: a cell that is all of its row, over several columns."""

_SHORTEST_HEADING = 3
_MOST_COLUMNS = 50

Spot: TypeAlias = HtmlElement | str
"""Where a value stands: an element, or a text that has none of its own."""


def squeeze(text: str) -> str:
    """Give the text with its white space collapsed."""
    return " ".join(text.split())


MARKER = "::marker"
"""Stands among the attributes of an item for the number that a numbered list shows before it; named as in CSS."""


def attribute_text(name: str, value: str) -> str:
    """Give what an attribute says: with its white space collapsed, but inside addresses, where each blank counts."""
    return value.strip() if name in ("href", "src") else squeeze(value)


def text_of(element: HtmlElement) -> str:
    """Give the element's text with its white space collapsed."""
    text = raw_text(element) if len(element) else element.text
    return " ".join(text.split()) if text else ""


def lined_text(element: HtmlElement) -> str:
    """Give the element's text with its line breaks as `LINE_END`."""
    text = raw_text(element) if len(element) else element.text or ""
    if LINE_END not in text:
        return squeeze(text)
    return LINE_END.join(filter(None, map(squeeze, text.split(LINE_END))))


def label_form(text: str) -> str:
    """Give a text as a label is compared: without case, and without a colon at its end."""
    return " ".join(text.split()).rstrip(":： ").casefold()


@lru_cache(8192)
def label_name(text: str) -> str:
    """Give what names the same thing as a label on all pages: its form, whether it stands before one value or several.

    >>> label_name("Common names:"), label_name("Common name")
    ('common name', 'common name')
    """
    first, blank, last = label_form(text).rpartition(" ")
    return f"{first}{blank}{singular(last)}"


def columns_of(cell: HtmlElement) -> int:
    """Give how many columns a cell spans."""
    return min(spans_of(cell.get)[0], _MOST_COLUMNS)


def is_spanning(cell: HtmlElement) -> bool:
    """Tell whether a cell is all of its row, over several columns: it heads the rows below."""
    row = cell.getparent()
    return cell.tag in CELLS and columns_of(cell) > 1 and row is not None and len(row) == 1


def head_over(cell: HtmlElement) -> HtmlElement | None:
    """Give the cell of a table's first row that stands over another cell; None for one of that row, and for others."""
    row, table = cell.getparent(), next(cell.iterancestors("table"), None)
    first = next(table.iter("tr"), None) if table is not None else None
    if cell.tag not in CELLS or first is None or row is None or first is row:
        return None
    left = sum(columns_of(one) for one in cell.itersiblings(*CELLS, preceding=True))
    for head in first.iterchildren(*CELLS):
        if left < columns_of(head):
            return head
        left -= columns_of(head)
    return None


class PageTree:
    """A page's tree with what is worked out once for all its containers."""

    def __init__(
        self,
        root: HtmlElement,
        base: str,
        nodes: Mapping[HtmlElement, int] | None = None,
        page: Page | None = None,
        copies: frozenset[HtmlElement] = frozenset(),
    ) -> None:
        self.root = root
        self.base = base
        self.copies = copies
        """Cells that repeat one over several rows: no records of their own."""
        self._nodes = nodes or {}
        self._page = page
        self.labels: frozenset[str] | None = None
        """The labels that are asked for; None for all."""
        self.marks: dict[str, str] | None = None
        """The marks of the page, once they were asked for."""
        self._heads: dict[HtmlElement, list[str]] = {}
        self.head_rows: dict[HtmlElement, bool] = {}
        """Of rows that were asked about, whether they say the heads of their table's columns."""
        self._places: dict[tuple[str, str], tuple[list[int], list[HtmlElement]]] = {}
        self._tagged: dict[str, list[HtmlElement]] = {}
        self._holding: dict[str, set[HtmlElement]] = {}

    def region(self, run: Sequence[HtmlElement]) -> NodeRange | None:
        """Give the nodes that a run of siblings takes up; None for elements that are no nodes of the page."""
        first, last = self._nodes.get(run[0]), self._nodes.get(run[-1])
        if first is None or last is None or self._page is None:
            return None
        return first, self._page.unplaced.ends[last]

    def element_at(self, span: tuple[int, int]) -> HtmlElement | None:
        """Give the innermost element whose Markdown holds a span of the page's text; None where none does."""
        starts, nodes, stops = self._written
        at = bisect_right(starts, span[0]) - 1
        found = nodes[at] if at >= 0 else None
        while found is not None and stops.get(found, 0) < span[1]:
            found = found.getparent()
        return found

    @cached_property
    def _written(self) -> tuple[list[int], list[HtmlElement], dict[HtmlElement, int]]:
        """The elements that the Markdown has, by where they begin there, and where each ends."""
        page, spans = self._page, dict[HtmlElement, tuple[int, int]]()
        for node, at in self._nodes.items() if page is not None else ():
            if page is not None and (span := page.nodes.span(at)) is not None:
                spans[node] = span
        ordered = sorted(spans, key=lambda node: spans[node][0])  # of those that begin alike the innermost is last
        return [spans[node][0] for node in ordered], ordered, {node: span[1] for node, span in spans.items()}

    def markdown_of(self, node: HtmlElement) -> str:
        """Give an element's lines as the page's Markdown has them, without its marks; "" for no node of the page."""
        at, page = self._nodes.get(node), self._page
        span = page.nodes.span(at) if page is not None and at is not None else None
        first, end, others = page.text[slice(*span)].strip().partition("\n") if page and span else ("", "", "")
        said = first + end + dedent(others)
        return str(in_own_words(said, said))

    @cached_property
    def order(self) -> dict[HtmlElement, int]:
        """The place of each element in the page."""
        return {node: at for at, node in enumerate(self.root.iter("*"))}

    @cached_property
    def decimal_mark(self) -> str | None:
        """The mark before decimals that the page's figures show, else that of its language; None if not known."""
        if (page := self._page) is None:
            return None
        found = conventions([page.text]).decimal or decimal_mark(page.text)
        return found or (locales.decimal_mark(page.language) if page.language else None)

    @cached_property
    def has_notes(self) -> bool:
        """Whether the page has raised links, which lead to footnotes."""
        return any(one.find(".//a") is not None for one in self.root.iter("sup"))

    @cached_property
    def markers(self) -> dict[HtmlElement, str]:
        """The number before each item of a numbered list, but of lists that count down or give numbers themselves."""
        found: dict[HtmlElement, str] = {}
        for listing in self.tagged("ol"):
            items = [one for one in listing if one.tag == "li"]
            start = listing.get("start") or "1"
            if start.isdecimal() and listing.get("reversed") is None and not any(one.get("value") for one in items):
                found.update((one, str(number)) for number, one in enumerate(items, int(start)))
        return found

    def tagged(self, tag: str) -> list[HtmlElement]:
        """Give the elements of a tag, in page order."""
        if tag not in self._tagged:
            self._tagged[tag] = [*self.root.iter(tag)]
        return self._tagged[tag]

    def holding(self, tag: str) -> set[HtmlElement]:
        """Give the elements that have one of a tag inside them."""
        if tag not in self._holding:
            known = self._holding[tag] = set[HtmlElement]()
            for node in self.tagged(tag):
                above = node.getparent()
                while above is not None and above not in known:
                    known.add(above)
                    above = above.getparent()
        return self._holding[tag]

    def nearest_before(self, node: HtmlElement, tag: str, token: str) -> HtmlElement | None:
        """Give the last element of a tag before an element, of a class, or of the cells that are all of their row."""
        if (tag, token) not in self._places:
            tagged = self.tagged(tag)
            found = [one for one in tagged if is_spanning(one)] if token == SPANNING else tagged
            found = [one for one in found if token in ("", SPANNING) or token in classes_of(one)]
            self._places[tag, token] = [self.order[one] for one in found], found
        places, found = self._places[tag, token]
        at = bisect_left(places, self.order[node])
        return found[at - 1] if at else None

    @cached_property
    def heading(self) -> str:
        """What the page's only main heading says, as a label is compared; "" without one."""
        found = [*self.root.iter("h1")]
        said = label_form(text_of(found[0])) if len(found) == 1 else ""
        return said if len(said) > _SHORTEST_HEADING else ""

    def label_of(self, text: str) -> str:
        """Give a text as a label: without the page's heading, which changes from page to page.

        >>> from gleaner.html.dom import parse_html
        >>> page = PageTree(parse_html("<h1>Zodine</h1>"), "")
        >>> page.label_of("How to store Zodine:")
        'how to store'
        """
        label = label_form(text)
        return label.replace(self.heading, "").strip() or label if self.heading and self.heading in label else label

    def heads_of(self, row: HtmlElement) -> list[str]:
        """Give the texts that head the columns of a table row: those of the table's head, or of its first row."""
        table = next(row.iterancestors("table"), None)
        if table is None:
            return []
        if table not in self._heads:
            self._heads[table] = column_heads(table)
        return self._heads[table]


def readers_of(pages: Sequence[PageTree]) -> Readers:
    """Give the readers for pages of one layout, with the decimal mark that those agree upon."""
    marks = {mark for page in pages if (mark := page.decimal_mark)}
    return Readers(pages[-1].base, marks.pop() if len(marks) == 1 else None)


def _is_bold(cell: HtmlElement) -> bool:
    inner = [*cell.iter("b", "strong", "th")]
    return bool(inner) and text_of(inner[0]) == text_of(cell)


def is_small(node: HtmlElement) -> bool:
    """Tell whether an element holds at most two others: a label does."""
    return not len(node) or len([*islice(node.iter(), 4)]) < 4


def column_heads(table: HtmlElement) -> list[str]:
    """Give the texts that head the columns of a table: those of its head, or of a row of header or bold cells."""
    rows = [row for row in table.iter("tr") if len(row)]
    first = next((row for row in rows if len(row) > 1 and all(cell.tag == "th" for cell in row)), None)
    in_head = [row for row in rows if (above := row.getparent()) is not None and above.tag == "thead"]
    bold = rows[0] if rows and all(map(_is_bold, rows[0])) else None
    chosen = in_head[-1] if in_head else first if first is not None else bold
    if chosen is None:
        return []
    return [label_form(text_of(cell)) for cell in chosen for _ in range(columns_of(cell))]
