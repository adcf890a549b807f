"""A page's tree for recipes, with lines, cents and spanning cells put right."""

import re
from collections.abc import Iterator, Sequence
from copy import deepcopy
from itertools import groupby, islice
from typing import Literal, TypeAlias

from lxml import etree
from lxml.html import HtmlElement

from gleaner.html.dom import raw_text
from gleaner.html.elements import BREAKS, LISTS, mark_of_raised, text_behind
from gleaner.html.table_spans import Spanned, lay_out, spans_of
from gleaner.page.model import Page
from gleaner.wrappers.trees import CELLS, INLINE, LINE_END, PageTree, squeeze, text_of

_UNREAD = ("select", "textarea")
_BLOCKS = (*BREAKS, *LISTS, *CELLS, "dt")
_LONGEST_COPY = 300
_MOST_COPIES = 20_000
_CENTS = re.compile(r"[.,]\d{1,3}\S{0,3}|\d\d\S{0,2}")
_MOST_BEFORE = 3
LEAST_BREAKS = 3
_LEAST_TURNED = 2
LINE, LINES = "text-line", "text-lines"
"""The classes of elements made of a line, and of lines between blank ones."""


TreeForm: TypeAlias = Literal["", "lines", "columns"]
"""What a tree is made of beside the page's elements: of lines that only line breaks part, each an element of its own as
are those between blank lines; or of tables that are turned, with a row for each column."""


def tree_of(page: Page, *, form: TreeForm = "") -> PageTree:
    """Give the tree of a page as it is when it has just been opened: nothing is asked of it yet.

    Who is given a tree may not change it: it is made once.
    """
    tree = page.once(("recipes", form), lambda: _tree_of(page, form))
    tree.labels = None
    return tree


def _tree_of(page: Page, form: TreeForm) -> PageTree:
    root = deepcopy(page.tree)
    nodes = {element: at for element, at in zip(root.iter(etree.Element), page.numbers, strict=True) if at >= 0}
    etree.strip_elements(root, *_UNREAD, with_tail=False)
    for element in root.iter("sup", "small", "span"):
        _join_cents(element)
    copies = _spread_rows(root)
    if form == "lines":
        _break_lines(root)
        set_lines_apart(root)
    elif form == "columns":
        turn_tables(root)
    for element in root.iter("br"):
        element.tail = LINE_END + (element.tail or "")
    for element in root.iter(*_BLOCKS):
        element.tail = f" {element.tail or ''}"
        if element.text:
            element.text = f" {element.text}"
    return PageTree(root, page.base, nodes, page, copies)


def turn_tables(root: HtmlElement) -> None:
    """Turn each table whose rows have a cell for each column, and one in each: its first column becomes its head.

    >>> from gleaner.html.dom import parse_html
    >>> root = parse_html("<table><tr><td><th>Aero<th>Terra<tr><th>Memory<td>16 GB<td>32 GB</table>")
    >>> turn_tables(root)
    >>> [[text_of(cell) for cell in row] for row in root.iter("tr")]
    [['', 'Memory'], ['Aero', '16 GB'], ['Terra', '32 GB']]
    """
    for table in [*root.iter("table")]:
        rows = [[cell for cell in row if cell.tag in CELLS] for row in table.iter("tr")]
        sizes = {len(row) for row in rows}
        cells = [cell for row in rows for cell in row]
        is_nested = any(cell.find(".//table") is not None for cell in cells)
        is_plain = not is_nested and all(spans_of(cell.get) == (1, 1) for cell in cells)
        if len(rows) < _LEAST_TURNED or len(sizes) > 1 or min(sizes) < _LEAST_TURNED or not is_plain:
            continue
        parts = [table.makeelement(tag) for tag in ("thead", "tbody")]
        for at, column in enumerate(zip(*rows, strict=True)):
            line = table.makeelement("tr")
            line.extend(column)
            parts[at > 0].append(line)
        table[:] = [*table.iterchildren("caption"), *parts]


def _break_lines(root: HtmlElement) -> None:
    """Put line breaks where preformatted text has new lines."""
    for pre in [*root.iter("pre")]:
        for node, slot in [(pre, "text"), *((child, "tail") for child in pre)]:
            first, *lines = (getattr(node, slot) or "").split("\n")
            setattr(node, slot, first)
            at = 0 if slot == "text" else pre.index(node) + 1
            for line in lines[::-1]:
                made = pre.makeelement("br")
                made.tail = line
                pre.insert(at, made)


def set_lines_apart(root: HtmlElement) -> None:
    """Put lines that only line breaks part into elements, and into one more those between blank lines.

    What stands beside such lines and is of their tag and class may hold a single one.
    """
    breaks = {one: count for one in root.iter() if (count := sum(1 for _ in one.iterchildren("br")))}
    looks = {(one.tag, one.getparent(), one.get("class")) for one, count in breaks.items() if count >= LEAST_BREAKS}
    around = dict.fromkeys(above for _, above, _ in looks if above is not None)
    said = (one for above in around for one in above if squeeze(one.text or ""))
    candidates = dict.fromkeys((*breaks, *said))
    for element in [one for one in candidates if (one.tag, one.getparent(), one.get("class")) in looks]:
        lines = _split_lines(element)
        groups = [[*group] for has_text, group in groupby(lines, key=lambda line: bool(text_of(line))) if has_text]
        element[:] = []
        element.text = None
        for group in groups:
            around = element
            if len(groups) > 1:
                around = element.makeelement("div", {"class": LINES})
                element.append(around)
            around.extend(group)


def _split_lines(element: HtmlElement) -> list[HtmlElement]:
    """Give the contents of an element as lines, those without a text too."""
    line = element.makeelement("div", {"class": LINE})
    line.text = element.text
    lines = [line]
    for child in [*element]:
        if child.tag == "br":
            line = element.makeelement("div", {"class": LINE})
            line.text = child.tail
            lines.append(line)
        else:
            line.append(child)
    return lines


def _join_cents(element: HtmlElement) -> None:
    """Move the cents of an amount that is split over elements ("$12<sup>99</sup>") into the text that they continue."""
    text = element.text
    if not text or len(element) or not (text[0] in ".," or element.tag == "sup") or not _CENTS.fullmatch(text):
        return
    if (element.tail or "")[:1].isdigit():
        return
    before = element.getprevious()
    slot = (before, "tail") if before is not None else (element.getparent(), "text")
    if before is not None and not (before.tail or "").strip() and not len(before) and before.tag in INLINE:
        slot = (before, "text")
    said = getattr(slot[0], slot[1], None) or ""
    if said[-1:].isdigit():
        mark = mark_of_raised(text, _text_before(element), text_behind(element)) if text[0] not in ".," else ""
        setattr(slot[0], slot[1], f"{said}{mark}{text}")
        element.text = None


def _text_before(element: HtmlElement) -> str:
    """Give the text that an element follows in its parent, from the nearest elements before it on."""
    near = [*islice(element.itersiblings(preceding=True), _MOST_BEFORE)][::-1]
    above = element.getparent()
    first = above.text or "" if above is not None and len(near) < _MOST_BEFORE else ""
    return first + "".join(f"{raw_text(one)}{one.tail or ''}" for one in near)


def _spread_rows(root: HtmlElement) -> frozenset[HtmlElement]:
    """Copy each cell that spans rows into the rows below, in its column, as the Markdown has it; give the copies.

    Left alone are heads, and tables in which most cells of a row span the next one: there several rows make one record.
    """
    spare, copied = _MOST_COPIES, set[HtmlElement]()
    sections: dict[HtmlElement, None] = {}
    for cell in root.iter(*CELLS):
        if cell.get("rowspan", "1") != "1":
            row = cell.getparent()
            if row is not None and (above := row.getparent()) is not None and above.tag != "thead":
                sections[above] = None
    for section in sections:
        rows = [row for row in section if row.tag == "tr"]
        lines = [*_lines(rows)]
        pairs = [*zip(rows, lines, strict=True)]
        copies = [[cell for cell in line if cell.getparent() is not row] for row, line in pairs]
        spare -= sum(map(len, copies))
        is_plain = all(
            len(many) < max(2, len(row)) and all(len(raw_text(cell)) <= _LONGEST_COPY for cell in many)
            for row, many in zip(rows, copies, strict=True)
        )
        if spare < 0 or not is_plain:
            continue
        for row, line in pairs:
            made = [cell if cell.getparent() is row else deepcopy(cell) for cell in line]
            copied.update(one for one, cell in zip(made, line, strict=True) if one is not cell)
            row[:] = made
        for row in rows:
            for cell in row:
                cell.attrib.pop("rowspan", None)
    return frozenset(copied)


def _lines(rows: Sequence[HtmlElement]) -> Iterator[list[HtmlElement]]:
    """Give the cells of each row by their columns, those of rows above that reach into it among them."""
    cells = [[Spanned(cell, *spans_of(cell.get)) for cell in row] for row in rows]
    for line in lay_out(cells, [0] * len(rows)):
        yield list(dict.fromkeys(cell.item for cell in line if cell is not None))
