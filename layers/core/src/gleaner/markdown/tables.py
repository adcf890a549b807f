"""Make tables regular in the tree before conversion (MD-2).

Afterwards each table is a grid: one header row, rows of one width, no spans, no tables inside; its caption and
whatever text strayed out of its cells stand before it. Tables that only place things on the page become blocks.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import is_not
from typing import Any

from lxml import etree
from lxml.html import HtmlElement

from gleaner.html.dom import clean_text, raw_text
from gleaner.html.elements import BREAKS, HEADINGS
from gleaner.html.layout import collapse
from gleaner.html.table_spans import spans_of
from gleaner.markdown.table_grids import Cell, Row, count_headers, drop_idle_columns, expand, merge_headers, text_cell

_CELLS = frozenset({"td", "th"})
_SECTIONS = frozenset({"thead", "tbody", "tfoot"})
_PAIR = 2
_LONG_CELL = 800
_BLOCKS = (*HEADINGS, "pre", "article", "section", "hr", "dl", "form")


@dataclass(slots=True)
class _Table:
    element: HtmlElement
    rows: list[Row] = field(default_factory=list[Row])
    captions: list[HtmlElement] = field(default_factory=list[HtmlElement])
    strays: list[HtmlElement] = field(default_factory=list[HtmlElement])
    stray_text: list[str] = field(default_factory=list[str])
    nested: bool = False


def normalise_tables(root: HtmlElement) -> None:
    """Make every table below ``root`` regular, in place, the inner ones first.

    Work and result are bounded by a small multiple of the cells that are really there, whatever the spans claim.
    """
    for element in reversed(list(root.iter("table"))):
        _normalise(element)


def _normalise(element: HtmlElement) -> None:
    table = _read(element)
    table.rows = [row for row in table.rows if not all(cell.is_empty for cell in row.cells)]
    if not table.rows:
        element.tag = "div"
    elif _is_layout(table):
        _lift(table, table.captions)
        _turn_into_blocks(table)
    else:
        for inner in [inner for row in table.rows for cell in row.cells for inner in cell.element.iter("table")]:
            _flatten_inner(inner)
        _lift(table, [*table.captions, *_title_rows(table)])
        _rebuild(table)


def _read(element: HtmlElement) -> _Table:
    """Collect rows, cells, captions and strays of one table, without going into cells or inner tables."""
    table = _Table(element)
    section, group, row = "", 0, None
    walker: Any = etree.iterwalk(element, events=("start", "end"))
    for event, node in walker:
        tag = node.tag
        if event == "end":
            if tag == "tr":
                row = None
            elif tag in _SECTIONS:
                section, group, row = "", group + 1, None
            _keep_text(table, node.tail if node is not element else None)
        elif tag in _CELLS:
            if row is None:
                row = Row(etree.SubElement(element, "tr"), section, group)  # pyright: ignore[reportArgumentType]
                table.rows.append(row)
            row.cells.append(_read_cell(table, node))
            walker.skip_subtree()
        elif tag == "tr":
            row = Row(node, section, group)
            if node is not element:
                table.rows.append(row)
            _keep_text(table, node.text)
        elif tag in _SECTIONS:
            section, group, row = tag, group + 1, None
            _keep_text(table, node.text)
        elif tag == "caption" or (tag == "table" and node is not element):
            (table.captions if tag == "caption" else table.strays).append(node)
            walker.skip_subtree()
        else:
            _keep_text(table, node.text)
    return table


def _keep_text(table: _Table, text: str | None) -> None:
    if text and not text.isspace():
        table.stray_text.append(text)


def _read_cell(table: _Table, node: HtmlElement) -> Cell:
    if len(node) and next(node.iter("table"), None) is not None:
        table.nested = True
    return Cell(node, collapse(_parted_text(node)), *spans_of(node.get))


def _parted_text(node: HtmlElement) -> str:
    """Give the text of a cell with blanks where its lines end: the first of two rows may say it once for both."""
    if not len(node) or next(node.iter("br", *BREAKS), None) is None:
        return raw_text(node)
    pieces: list[str] = []
    for event, one in etree.iterwalk(node, events=("start", "end")):
        pieces.append(" " if one.tag == "br" or one.tag in BREAKS else "")
        pieces.append((one.text if event == "start" else one.tail if one is not node else "") or "")
    return "".join(pieces)


def _is_layout(table: _Table) -> bool:
    """Tell whether the table only places things: one cell, blocks or whole tables in its cells."""
    width = max(len(row.cells) for row in table.rows)
    role = (table.element.get("role") or "").strip().lower()
    headed = bool(table.captions) or any(
        row.section == "thead" or row.cells[0].element.tag == "th" for row in table.rows
    )
    if role in ("presentation", "none") or (len(table.rows) == 1 and width == 1):
        return True
    if headed and role != "presentation":
        return table.nested and not _has_small_tables(table)
    if table.nested or width == 1:
        return True
    cells = [cell for row in table.rows for cell in row.cells]
    if next(table.element.iter(*_BLOCKS), None) is not None and not _heads_are_headings(table):
        return True
    long = sum(len(cell.text) > _LONG_CELL for cell in cells)
    return long > 0 and long * 4 >= len(table.rows)


def _heads_are_headings(table: _Table) -> bool:
    """Tell whether the only blocks are headings that fill the cells of the first row or column; make those heads."""
    heads = [cell for cell in table.rows[0].cells if _is_heading(cell)]
    if len(heads) < len(table.rows[0].cells):
        heads = [row.cells[0] for row in table.rows if _is_heading(row.cells[0])]
    headings = [heading for cell in heads for heading in cell.element.iter(*HEADINGS)]
    if len(table.rows) < _PAIR or len(heads) < _PAIR or len(list(table.element.iter(*_BLOCKS))) > len(headings):
        return False
    for heading in headings:
        heading.tag = "span"
    return True


def _is_heading(cell: Cell) -> bool:
    heading = next(cell.element.iter(*HEADINGS), None)
    return heading is not None and collapse(raw_text(heading)) == cell.text != ""


def _has_small_tables(table: _Table) -> bool:
    return all(
        len(list(inner.iter("tr"))) <= 6 and len(raw_text(inner)) <= 400
        for row in table.rows
        for cell in row.cells
        for inner in cell.element.iter("table")
    )


def _lift(table: _Table, elements: Sequence[HtmlElement]) -> None:
    """Put captions, title rows and strays before the table, as blocks."""
    target = table.element
    for element in elements:
        element.tail = None
        element.tag = "p" if element.tag in ("caption", "td", "th") else element.tag
        target.addprevious(element)
    for element in table.strays:
        element.tail = None
        target.addprevious(element)
    if table.stray_text:
        paragraph = etree.Element("p")
        paragraph.text = clean_text(collapse(" ".join(table.stray_text)))
        target.addprevious(paragraph)  # pyright: ignore[reportArgumentType]


def _turn_into_blocks(table: _Table) -> None:
    """Make rows and cells plain blocks; a row of a few words stays on one line."""
    children: list[HtmlElement] = []
    for row in table.rows:
        short = sum(len(cell.text) for cell in row.cells) <= 200 and not any(_has_blocks(cell) for cell in row.cells)
        cells = [cell.element for cell in row.cells]
        for cell in cells:
            cell.tag = "span" if short else "div"
            cell.tail = " "
        row.element.text = row.element.tail = None
        row.element[:] = cells
        row.element.tag = "div"
        children.append(row.element)
    table.element.text = None
    table.element[:] = children
    table.element.tag = "div"


def _has_blocks(cell: Cell) -> bool:
    return next(cell.element.iter("table", "div", "p", "ul", "ol", *_BLOCKS), None) is not None


def _flatten_inner(inner: HtmlElement) -> None:
    """Turn a small table inside a cell into text: ``a: 1; b: 2``."""
    if inner.tag != "table":
        return
    lines: list[str] = []
    for row in inner.iter("tr"):
        texts = [text for cell in row if (text := collapse(raw_text(cell)))]
        if texts:
            lines.append(": ".join(texts) if len(texts) == 2 else ", ".join(texts))
    tail = inner.tail
    inner.clear()
    inner.tag = "span"
    inner.text = clean_text(f" {'; '.join(lines)} ")
    inner.tail = tail


def _title_rows(table: _Table) -> list[HtmlElement]:
    """Take out the rows at the top that are one cell over the whole width; not if such rows begin each record."""
    width = max(len(row.cells) for row in table.rows)
    count = 0
    while width > 1 and len(table.rows) - count > 2 and _is_title(table.rows[count]):
        count += 1
    if _come_round(table.rows):
        return []
    titles = [row.cells[0].element for row in table.rows[:count]]
    del table.rows[:count]
    return titles


def _come_round(rows: Sequence[Row]) -> bool:
    """Tell whether title rows take turns with as many other rows each time: with one, or with more at least twice."""
    places = [at for at, row in enumerate(rows) if _is_title(row)]
    size = places[1] if len(places) > 1 else len(rows)
    is_regular = places == [*range(0, len(rows), size)]
    return is_regular and (size == _PAIR or (size > _PAIR and len(places) > _PAIR and len(rows) % size == 0))


def _is_title(row: Row) -> bool:
    cell = row.cells[0]
    return len(row.cells) == 1 and cell.rows == 1 and (cell.columns > 1 or cell.element.tag == "th")


def _rebuild(table: _Table) -> None:
    rows = [row for row in table.rows if row.section != "tfoot"] + [row for row in table.rows if row.section == "tfoot"]
    count = count_headers(rows)
    grid = expand(rows, count)
    header = rows[0].element
    texts_only = merge_headers(grid[:count]) if count > 1 else None
    drop_idle_columns(grid, texts_only)
    head, body = etree.Element("thead"), etree.Element("tbody")
    cells = [text_cell(text) for text in texts_only] if texts_only else [cell.element for cell in grid[0]]
    _fill(header, cells, "th")
    head.append(header)
    for row, line in zip(rows[count:], grid[count:], strict=True):
        if table.stray_text or not _is_filled(row, line):
            _fill(row.element, [cell.element for cell in line], None)
        body.append(row.element)
    table.element.text = None
    table.element[:] = [head, body]  # pyright: ignore[reportArgumentType]


def _is_filled(row: Row, line: list[Cell]) -> bool:
    """Tell whether the row's element already has just these cells; most rows of most tables do."""
    row.element.tail = None
    if not len(line) == len(row.cells) == len(row.element) or any(map(is_not, line, row.cells)):
        return False
    is_wrapped = row.element[0] is not line[0].element or row.element[-1] is not line[-1].element
    return not is_wrapped or next(row.element.iterdescendants("tr"), None) is not None


def _fill(row: HtmlElement, cells: list[HtmlElement], tag: str | None) -> None:
    for cell in cells:
        cell.tail = None
        if tag:
            cell.tag = tag
    row.text = row.tail = None
    row[:] = cells
