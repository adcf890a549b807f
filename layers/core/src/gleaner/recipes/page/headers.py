"""Heads of columns: of tables, with one row of them or several, of ARIA grids, and of grids made of plain elements."""

import re
from collections.abc import Iterator, Sequence

from lxml.html import HtmlElement

from gleaner.recipes.page.boxes import Box, is_header_row, text_of
from gleaner.recipes.page.spans import WIDEST, span_of

_CELLS = ("td", "th")
_MOST_ROWS = 3
_LEAST_CELLS = 3
_LONGEST = 40
_DIGIT = re.compile(r"\d")


def cells_of(box: Box) -> Sequence[HtmlElement] | None:
    """Give the cells of a row of a table or grid; None when the container is none, or has wide cells."""
    if box.cells is not None or len(box.elements) != 1 or box.elements[0].tag == "tr":
        return box.cells
    return list(box.elements[0]) if _plain_head(box.elements[0]) is not None else None


def table_headers(row: HtmlElement) -> list[str]:
    """Give the text at the head of each column of the table or grid that a row stands in; empty when it has none.

    With several rows of heads a column has all that stand above it, the widest first: "Goals Home".
    """
    table = next(row.iterancestors("table"), None)
    if table is not None:
        return _named(list(_head_rows(table, row)))
    parent = row.getparent()
    rows = [other for other in (parent if parent is not None else ()) if other.get("role") == "row"][:1]
    if rows:
        return _named([rows[0]]) if rows[0] is not row and is_header_row(rows[0]) else []
    head = _plain_head(row)
    return [text_of(cell) for cell in head] if head is not None else []


def _head_rows(table: HtmlElement, row: HtmlElement) -> Iterator[HtmlElement]:
    """Give the first rows, as long as they hold names of columns."""
    for number, each in enumerate(table.iter("tr")):
        if each is row or number == _MOST_ROWS or not is_header_row(each):
            return
        yield each


def _named(rows: Sequence[HtmlElement]) -> list[str]:
    """Give the names of the columns; none when only one row has them, and not one for each."""
    if not rows or (len(rows) == 1 and any(cell.get("colspan", "1") != "1" for cell in rows[0])):
        return []
    columns: dict[int, list[str]] = {}
    hanging: dict[int, int] = {}
    for number, row in enumerate(rows):
        column = 0
        for cell in (cell for cell in row if cell.tag in _CELLS or cell.get("role") == "columnheader"):
            while hanging.get(column, 0) > number:
                column += 1
            wide, deep = span_of(cell, "colspan", WIDEST), span_of(cell, "rowspan", WIDEST)
            for at in range(column, column + wide):
                columns.setdefault(at, []).append(text_of(cell))
                hanging[at] = number + deep
            column += wide
    return [" ".join(filter(None, columns.get(at, ()))) for at in range(max(columns, default=-1) + 1)]


def _plain_head(row: HtmlElement) -> HtmlElement | None:
    """Give the row of names that a grid of plain elements begins with: as many as cells, short, in another class."""
    parent = row.getparent()
    head = next(iter(parent), None) if parent is not None else None
    if head is None or head is row or head.tag != row.tag or len(head) != len(row) or len(row) < _LEAST_CELLS:
        return None
    tags = {cell.tag for cell in (*head, *row)}
    classes = [(one.get("class"), *(cell.get("class") for cell in one)) for one in (head, row)]
    if len(tags) != 1 or classes[0] == classes[1]:
        return None
    names = [text_of(cell) for cell in head]
    is_named = all(name and len(name) <= _LONGEST and not _DIGIT.search(name) for name in names)
    return head if is_named and len(set(names)) == len(names) else None
