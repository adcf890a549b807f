"""The last rows of a table that stand alone at the top of the next page: too few to tell columns there."""

from collections.abc import Sequence

from gleaner.documents.blocks import Cell, TableBlock, inline
from gleaner.documents.lines import Piece, Row
from gleaner.documents.page import Columns
from gleaner.documents.tables.columns import FIGURE, place

_MOST_ROWS, _NEXT_LINE = 4, 1.5
"""Lines that are looked at, and sizes of the text between the lines of one cell."""


def columns_of(table: TableBlock) -> Columns:
    """Give the columns of a table, and those in which all rows that have a cell for each have figures."""
    rows = [row for row in table.rows[table.head :] if len(row) == len(table.edges)]
    figures = {at for at in range(len(table.edges)) if rows and all(FIGURE.fullmatch(row[at].html) for row in rows)}
    return Columns((*table.edges, table.right), frozenset(figures))


def carried_on(rows: Sequence[Row], columns: Columns, vocabulary: frozenset[str]) -> tuple[TableBlock | None, int]:
    """Give the first lines of a page that go on with a table, as one, and how many they are.

    A line is a row if it has cells in several columns, figures in those of figures; one with a single piece goes on
    with the row above it, at the beginning of a page in small letters and not in the first column.
    """
    made: list[dict[int, list[Piece]]] = []
    count = 0
    for row in rows[:_MOST_ROWS]:
        placed = place(row, columns.edges)
        cells = {one.first: one.piece for one in placed if one.first == one.last}
        is_between = row[0].x0 >= columns.edges[0] - 1 and row[-1].x1 <= columns.edges[-1] + 1
        is_inside = is_between and len(cells) == len(placed)
        is_next = bool(count) and row[0].y - rows[count - 1][0].y <= _NEXT_LINE * row[0].size
        is_rest = not count and row[0].text[:1].islower() and 0 not in cells
        if is_inside and len(cells) > 1 and 0 in cells and _has_its_figures(cells, columns):
            made.append({at: [piece] for at, piece in cells.items()})
        elif is_inside and len(cells) == 1 and (is_next or is_rest):
            made += [] if count else [{}]
            for at, piece in cells.items():
                made[-1].setdefault(at, []).append(piece)
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


def _has_its_figures(cells: dict[int, Piece], columns: Columns) -> bool:
    figures = [at in cells and FIGURE.fullmatch(cells[at].text) for at in columns.figures]
    return bool(figures) and all(figures)
