"""Where the cells of a table stand once their spans are filled: for trees of lxml and nodes of a page alike (MD-2)."""

import re
from collections.abc import Callable, Sequence
from typing import Generic, NamedTuple, Protocol, TypeVar

_SPAN = re.compile(r"\s*([0-9]{1,6})")
_TO_THE_END = 65_534
"""The most rows that a cell may span by HTML's own rules; ``rowspan=0`` says as many as there are."""

_MOST_COLUMNS = 1000
_SPARE_CELLS = 10_000
_MOST_COPIES = 50_000
_SHORT_ROW = 50


class Spanning(Protocol):
    """A cell that claims some columns and rows."""

    @property
    def columns(self) -> int:
        """How many columns it claims."""
        ...

    @property
    def rows(self) -> int:
        """How many rows it claims."""
        ...


Cell = TypeVar("Cell", bound=Spanning)
Item = TypeVar("Item")


class Spanned(NamedTuple, Generic[Item]):
    """A cell, as an element or its number, with how many columns and rows it claims."""

    item: Item
    columns: int
    rows: int


def spans_of(get: Callable[[str], str | None]) -> tuple[int, int]:
    """Give how many columns and rows a cell claims, as its attributes say.

    >>> spans_of({"colspan": "2", "rowspan": "0"}.get), spans_of({"colspan": "two"}.get)
    ((2, 65534), (1, 1))
    """
    return max(1, _number(get("colspan"), 1)), _number(get("rowspan"), 1) or _TO_THE_END


def _number(value: str | None, default: int) -> int:
    match = _SPAN.match(value) if value else None
    return int(match[1]) if match else default


def lay_out(rows: Sequence[Sequence[Cell]], sections: Sequence[int]) -> list[Sequence[Cell | None]]:
    """Give for each row the cell that stands in each column, None where there is none; rows are of one width.

    A cell stands in each place that it spans, as far as the cells that are really there justify it, and in no other of
    the ``sections`` than its row's. A row that no span changes is given as it is. Work and result are bounded by a
    small multiple of the real cells, whatever the spans claim: where rows of one width exceed it, they stay short.
    """
    if not rows:
        return []
    limit = 4 * sum(map(len, rows)) + _SPARE_CELLS
    plain = max(map(len, rows))
    claimed = max((sum(cell.columns for cell in cells) for cells in rows if len(cells) > 1), default=plain)
    width = max(plain, min(claimed, _MOST_COLUMNS))
    if width * len(rows) > limit:
        width = plain
    lines: list[Sequence[Cell | None]] = []
    hanging: dict[int, tuple[Cell, int]] = {}
    spare = min(limit, _MOST_COPIES)
    for at, cells in enumerate(rows):
        if spare < 0 or (at and sections[at] != sections[at - 1]):
            hanging = {}
        if hanging or any(cell.columns > 1 or cell.rows > 1 for cell in cells):
            line, hanging = _lay_out_row(cells, width, hanging)
            spare -= len(line) - len(cells)
            lines.append(line)
        else:
            lines.append(cells)
    total = max(map(len, lines))
    if total * len(lines) > limit:
        return lines
    return [line if len(line) == total else [*line, *[None] * (total - len(line))] for line in lines]


def _lay_out_row(
    cells: Sequence[Cell], width: int, hanging: dict[int, tuple[Cell, int]]
) -> tuple[list[Cell | None], dict[int, tuple[Cell, int]]]:
    """Give the cell in each column of a row below others, and what hangs into the next row: cells and rows left."""
    line: list[Cell | None] = []
    below: dict[int, tuple[Cell, int]] = {}
    left, last = iter(cells), max(hanging, default=-1)
    cell = next(left, None)
    while cell is not None or len(line) <= last:
        column = len(line)
        if column in hanging:
            above, rows = hanging[column]
            line.append(above)
            if rows > 1:
                below[column] = above, rows - 1
        elif cell is None:
            line.append(None)
        else:
            columns = 1 if cell.columns == 1 else _columns_of(cell, len(cells), width, column)
            line += [cell] * columns
            if cell.rows > 1:
                below.update((column + offset, (cell, cell.rows - 1)) for offset in range(columns))
            cell = next(left, None)
    return line, below


def _columns_of(cell: Spanning, count: int, width: int, used: int) -> int:
    """Give how many columns a cell takes beside the others of its row."""
    following = count - 1 if count <= _SHORT_ROW else count
    room = width - used if count == 1 else width - max(used, following)
    return max(1, min(cell.columns, room))
