"""Table cells that hold for several rows, given to each: then a row says all that it says to a reader."""

from collections.abc import Iterator, Sequence
from copy import deepcopy
from typing import cast

from lxml import etree
from lxml.html import HtmlElement

from gleaner.html.dom import raw_text

_CELLS = ("td", "th")
_MOST_COPIES = 20_000
_LONGEST = 300
WIDEST = 1000

_SPANNING = etree.XPath("descendant::td[@rowspan]|descendant::th[@rowspan]")  # not by "/..": quadratic

Line = list[HtmlElement]
"""The cells of a row from left to right, those of rows above that reach into it among them."""


def spread_cells(root: HtmlElement) -> None:
    """Copy each cell that spans rows into the rows below, in its column, as the Markdown has it.

    Left as they are: long cells, heads of columns, and tables in which most cells of a row span the next one: there
    several rows make one record.
    """
    if next(root.iter(*_CELLS), None) is None:
        return  # names that a page has nowhere are found out without a walk
    parents = (cell.getparent() for cell in cast(list[HtmlElement], _SPANNING(root)) if cell.get("rowspan") != "1")
    sections = {above: None for row in parents if row is not None and (above := row.getparent()) is not None}
    spare = _MOST_COPIES
    for section in sections:
        rows = _below_heads([row for row in section if row.tag == "tr"])
        copies = sum(span_of(cell, "rowspan", len(rows) - at) - 1 for at, row in enumerate(rows) for cell in row)
        if section.tag == "thead" or copies > spare:
            continue
        spare -= copies
        lines = list(_lines(rows))
        if _can_be_spread(rows, lines):
            _spread(rows, lines)


def _below_heads(rows: Sequence[HtmlElement]) -> Sequence[HtmlElement]:
    """Give the rows without those of heads at the top, whose names of columns may span several of them."""
    heads = next((at for at, row in enumerate(rows) if not len(row) or any(cell.tag != "th" for cell in row)), 0)
    deepest = max((at + span_of(cell, "rowspan", len(rows)) for at in range(heads) for cell in rows[at]), default=0)
    return rows[heads:] if deepest <= heads else rows


def _spread(rows: Sequence[HtmlElement], lines: Sequence[Line]) -> None:
    for row, line in zip(rows, lines, strict=True):
        row[:] = [cell if cell.getparent() is row else _copied(cell) for cell in line]
    for cell in (cell for row in rows for cell in row):
        cell.attrib.pop("rowspan", None)


def _copied(cell: HtmlElement) -> HtmlElement:
    copy = deepcopy(cell)
    copy.tail = None
    return copy


def _lines(rows: Sequence[HtmlElement]) -> Iterator[Line]:
    """Give the cells of each row by their columns."""
    hanging: dict[int, tuple[HtmlElement, int]] = {}
    for number, row in enumerate(rows):
        line: Line = []
        below: dict[int, tuple[HtmlElement, int]] = {}
        own = list(reversed(row))
        column, last = 0, max(hanging, default=-1)
        while own or column <= last:
            if column not in hanging and not own:
                column = min(at for at in hanging if at >= column)
            if column in hanging:
                cell, left = hanging[column]
            else:
                cell = own.pop()
                left = span_of(cell, "rowspan", len(rows) - number) - 1
            line.append(cell)
            if left > 0:
                below[column] = cell, left - (column in hanging)
            column += span_of(cell, "colspan", WIDEST)
        hanging = {at: (cell, left) for at, (cell, left) in below.items() if left > 0}
        yield line


def span_of(cell: HtmlElement, name: str, most: int) -> int:
    """Give how many columns or rows a cell spans, ``most`` at most: as many for a rowspan of 0; 1 for what is none."""
    value = (cell.get(name) or "1").strip()
    count = int(value) if value.isascii() and value.isdigit() and len(value) < 6 else 1
    return min(count, most) if count else (most if name == "rowspan" else 1)


def _can_be_spread(rows: Sequence[HtmlElement], lines: Sequence[Line]) -> bool:
    """Tell whether all are plain rows of cells, none of them a part of the record of the row above."""
    for row, line in zip(rows, lines, strict=True):
        if any(cell.tag not in _CELLS for cell in row):
            return False
        copied = [cell for cell in line if cell.getparent() is not row]
        if copied and all(cell.tag == "th" for cell in line):
            return False
        if any(len(raw_text(cell)) > _LONGEST for cell in copied) or (len(copied) > 1 and len(copied) >= len(row)):
            return False
    return True
