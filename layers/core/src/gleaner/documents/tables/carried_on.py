"""The last rows of a table that stand alone at the top of the next page: too few to tell columns there."""

from collections.abc import Sequence
from itertools import takewhile

from gleaner.documents.blocks import Cell, TableBlock, inline
from gleaner.documents.lines import Piece, Row
from gleaner.documents.page import Columns
from gleaner.documents.tables.columns import FIGURE, place

_NEXT_LINE = 1.5
"""Sizes of the text between the lines of one cell."""


def columns_of(table: TableBlock) -> Columns:
    """Give the columns of a table, and those in which all rows that have a cell for each have figures."""
    rows = [row for row in table.rows[table.head :] if len(row) == len(table.edges)]
    figures = {at for at in range(len(table.edges)) if rows and all(FIGURE.fullmatch(row[at].html) for row in rows)}
    return Columns((*table.edges, table.right), frozenset(figures))


def carried_on(
    rows: Sequence[Row], columns: Columns, vocabulary: frozenset[str], *, is_own: bool
) -> tuple[TableBlock | None, int]:
    """Give the first lines of a page that go on with a table, as one, and how many they are.

    A line is a row if it has cells in several columns, figures in those of figures; one with a single piece goes on
    with the row above it. The first ones go on with the row that ends the page before, if they do not stand in the
    first column, and begin in small letters or stand over a row. ``is_own``: the rows below make a table of their own.
    """
    lead = sum(1 for _ in takewhile(lambda row: len(row) == 1, rows))
    are_followed = lead < len(rows) and _row_of(rows[lead], columns) is not None
    made: list[dict[int, list[Piece]]] = []
    count = 0
    for row in rows[:lead] if is_own else rows:
        cells, placed = _row_of(row, columns), place(row, columns.edges)
        at = placed[0].first
        is_alone = len(placed) == 1 and at == placed[0].last and _is_between(row, columns)
        is_next = bool(count) and row[0].y - rows[count - 1][0].y <= _NEXT_LINE * row[0].size
        is_rest = not count and at > 0 and (row[0].text[:1].islower() or are_followed)
        if cells is not None:
            made.append({column: [piece] for column, piece in cells.items()})
        elif is_alone and (is_next or is_rest):
            made += [] if count else [{}]
            made[-1].setdefault(at, []).append(placed[0].piece)
        else:
            break
        count += 1
    if not made:
        return None, 0
    width = len(columns.edges) - 1
    written = [
        [Cell(inline(row[at], vocabulary, keeps_lines=True) if at in row else "") for at in range(width)]
        for row in made
    ]
    return TableBlock(written, 0, list(columns.edges[:-1]), rows[0][0].size, right=columns.edges[-1]), count


def _is_between(row: Row, columns: Columns) -> bool:
    return row[0].x0 >= columns.edges[0] - 1 and row[-1].x1 <= columns.edges[-1] + 1


def _row_of(row: Row, columns: Columns) -> dict[int, Piece] | None:
    """Give the cells of a line by their columns; None if it is no row of a table with these columns."""
    placed = place(row, columns.edges)
    cells = {one.first: one.piece for one in placed if one.first == one.last}
    is_inside = _is_between(row, columns) and len(cells) == len(placed) > 1 and 0 in cells
    return cells if is_inside and _has_its_figures(cells, columns) else None


def _has_its_figures(cells: dict[int, Piece], columns: Columns) -> bool:
    figures = [at in cells and FIGURE.fullmatch(cells[at].text) for at in columns.figures]
    return bool(figures) and all(figures)
