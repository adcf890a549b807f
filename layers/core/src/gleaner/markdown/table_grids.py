"""Turn a table into a regular grid, with spans filled as far as real cells justify it (MD-2)."""

from dataclasses import dataclass, field
from typing import Any

from lxml import etree
from lxml.html import HtmlElement

from gleaner.html.dom import clean_text

_MOST_COLUMNS = 1000
_SPARE_CELLS = 10_000
_MOST_COPIES = 50_000
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
    """Give the grid with every span filled, as far as the real cells justify it."""
    real = sum(len(row.cells) for row in rows)
    limit = 4 * real + _SPARE_CELLS
    plain = max(len(row.cells) for row in rows)
    claimed = max((sum(cell.columns for cell in row.cells) for row in rows if len(row.cells) > 1), default=plain)
    width = max(plain, min(claimed, _MOST_COLUMNS))
    if width * len(rows) > limit:
        width = plain
    grid: list[list[Cell]] = []
    hanging: dict[int, tuple[Cell, int]] = {}
    copies = min(limit, _MOST_COPIES)
    for position, row in enumerate(rows):
        if (position and row.group != rows[position - 1].group) or copies < 0:
            hanging = {}
        line = _expand_row(row, width, hanging, in_header=position < header_count)
        grid.append(line)
        copies -= len(line) - len(row.cells)
    total = max(len(line) for line in grid)
    if total * len(grid) <= limit:
        for position, line in enumerate(grid):
            if len(line) < total:
                grid[position] = [*line, *(_blank() for _ in range(total - len(line)))]
    return grid


def _expand_row(row: Row, width: int, hanging: dict[int, tuple[Cell, int]], *, in_header: bool) -> list[Cell]:
    if not hanging and all(cell.columns == 1 and cell.rows == 1 for cell in row.cells):
        return row.cells
    line: list[Cell] = []
    cells = iter(row.cells)
    cell = next(cells, None)
    while cell is not None or len(line) in hanging:
        column = len(line)
        if column in hanging:
            above, left = hanging.pop(column)
            line.append(_copy(above))
            if left > 1:
                hanging[column] = (above, left - 1)
            continue
        assert cell is not None
        columns = 1 if cell.columns == 1 else _columns_of(cell, row, width, len(line))
        for offset in range(columns):
            repeat = in_header or (columns < width and row.section != "tfoot")
            line.append(cell if not offset else _copy(cell) if repeat else _blank())
            if cell.rows > 1:
                hanging[column + offset] = (cell if not offset else line[-1], cell.rows - 1)
        cell = next(cells, None)
    return line


def _columns_of(cell: Cell, row: Row, width: int, used: int) -> int:
    following = sum(1 for other in row.cells if other is not cell) if len(row.cells) <= 50 else len(row.cells)
    room = width - used if len(row.cells) == 1 else width - max(used, following)
    return max(1, min(cell.columns, room))


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
