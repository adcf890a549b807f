"""Turn a table into a regular grid, with spans filled as far as real cells justify it (MD-2)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from lxml import etree
from lxml.html import HtmlElement

from gleaner.html.dom import clean_text
from gleaner.html.table_spans import lay_out

_LONGEST_COPY = 300


@dataclass(slots=True)
class Cell:
    """A cell with its text, and how many columns and rows it claims."""

    element: HtmlElement
    text: str
    columns: int
    rows: int
    is_copy: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether it says and shows nothing."""
        if self.text:
            return False
        return not len(self.element) or next(self.element.iter("img", "svg", "input"), None) is None


@dataclass(slots=True)
class Row:
    """A row of cells, with the section of the table and the run of rows that its spans stay in."""

    element: HtmlElement
    section: str
    group: int
    cells: list[Cell] = field(default_factory=list[Cell])

    @property
    def is_header(self) -> bool:
        """Whether all its cells are heads."""
        return bool(self.cells) and all(cell.element.tag == "th" for cell in self.cells)


def count_headers(rows: list[Row]) -> int:
    """Count the header rows: those of thead, else those at the top made of th; at least the first row."""
    count = 0
    while count < len(rows) and rows[count].section == "thead":
        count += 1
    if not count:
        while count < len(rows) and rows[count].is_header:
            count += 1
        tall = max((cell.rows for cell in rows[0].cells), default=1)
        if 0 < count < tall < len(rows) and tall <= 3:
            count = tall
    return max(1, count if count < len(rows) else 1)


def expand(rows: list[Row], header_count: int) -> list[list[Cell]]:
    """Give the grid with every span filled, as far as the real cells justify it.

    A cell over the whole width and cells of the foot stand once; a long cell is not repeated.
    """
    lines = lay_out([row.cells for row in rows], [row.group for row in rows])
    width = max(map(len, lines))
    grid: list[list[Cell]] = []
    for row, line in zip(rows, lines, strict=True):
        grid.append(row.cells if line is row.cells else _filled(row, line, grid, width, len(grid) < header_count))
    return grid


def _filled(row: Row, line: Sequence[Cell | None], above: list[list[Cell]], width: int, in_header: bool) -> list[Cell]:
    """Give a row with a cell of its own in each place."""
    own = {id(cell): 0 for cell in row.cells}
    taken = Counter(map(id, line))
    filled: list[Cell] = []
    for column, cell in enumerate(line):
        if cell is None:
            filled.append(_blank())
        elif id(cell) not in own:
            filled.append(_copy(above[-1][column]))
        else:
            repeats = in_header or (taken[id(cell)] < width and row.section != "tfoot")
            filled.append((_copy(cell) if repeats else _blank()) if own[id(cell)] else cell)
            own[id(cell)] += 1
    return filled


def _copy(cell: Cell) -> Cell:
    if cell.is_empty or len(cell.text) > _LONGEST_COPY:
        return _blank()
    return Cell(text_cell(cell.text), cell.text, 1, 1, is_copy=True)


def _blank() -> Cell:
    return Cell(text_cell(""), "", 1, 1, is_copy=True)


def text_cell(text: str) -> HtmlElement:
    """Give a new cell of plain text."""
    cell: Any = etree.Element("td")
    if text:
        cell.text = clean_text(text)
    return cell


def merge_headers(lines: list[list[Cell]]) -> list[str]:
    """Join what stands above one column, each text once: ``2024`` over ``Q1`` is ``2024 Q1``."""
    merged: list[str] = []
    for column in range(len(lines[0])):
        texts = [line[column].text for line in lines if column < len(line)]
        merged.append(" ".join(dict.fromkeys(text for text in texts if text)))
    return merged


def drop_idle_columns(grid: list[list[Cell]], header: list[str] | None) -> None:
    """Leave out columns that are empty, and those in which no cell begins: ``colspan=100`` over three columns."""
    width = len(grid[0])
    if any(len(line) != width for line in grid):
        return
    idle = {at for at in range(width) if all(line[at].is_empty or line[at].is_copy for line in grid)}
    if not idle or len(idle) == width:
        return
    kept = [at for at in range(width) if at not in idle]
    for position, line in enumerate(grid):
        grid[position] = [line[at] for at in kept]
    if header:
        header[:] = [header[at] for at in kept]
