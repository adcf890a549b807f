"""Make a table of lines whose columns stand under each other, with or without rules between its rows and columns."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median

from gleaner.documents.blocks import Cell, TableBlock, inline
from gleaner.documents.lines import Row
from gleaner.documents.page import Box, around
from gleaner.documents.tables.columns import Placed
from gleaner.documents.tables.grid import FilledCell, Grid
from gleaner.documents.tables.heads import head_cells, head_lines
from gleaner.documents.tables.rows import body_rows
from gleaner.documents.tables.rulings import Rules

_MOST_ABOVE, _SET_OFF = 4, 1.2
"""Lines before the names of columns, and sizes of the text between these and a head line over several of them."""
_MOSTLY = 0.6
"""Share of the columns that a rule runs along to part all of them."""


@dataclass(slots=True)
class Table:
    """A table with the lines above and below it that are a title and notes, where they are within its rules."""

    block: TableBlock
    box: Box
    above: list[Row] = field(default_factory=list[Row])
    below: list[Row] = field(default_factory=list[Row])


def table_of(rows: Sequence[Row], rules: Rules, vocabulary: frozenset[str]) -> Table | None:
    """Make a table of lines; None if they do not stand in columns."""
    grid = Grid(rows, rules)
    if grid.width < 2 or len(rows) < 2:
        return None
    first, last = _title_lines(grid), len(rows) - _note_lines(grid)
    if last - first < 2:
        return None
    if first or last < len(rows):
        grid = Grid(rows[first:last], _within(rules, rows[first:last]))
        if grid.width < 2:
            return None
    head = head_lines(grid)
    cells = list(head_cells(grid, head))
    head_rows = max((cell.row for cell in cells), default=-1) + 1
    groups = body_rows(grid, head)
    for at, group in enumerate(groups, head_rows):
        cells += _cells(grid, group, at)
    cells = _merged_down(grid, cells, groups, head_rows)
    used = sorted({cell.column for cell in cells})
    if len(used) < 2:
        return None
    for cell in cells:  # a column in which no cell begins lies between double rules, or walls that miss each other
        cell.column, cell.last_column = bisect_left(used, cell.column), bisect_right(used, cell.last_column) - 1
    block = TableBlock(
        list(_rows_of(cells, len(used), vocabulary)),
        head_rows,
        [grid.edges[column] for column in used],
        median(row[0].size for row in grid.rows),
        right=grid.edges[-1],
    )
    return Table(block, grid.box, list(rows[:first]), list(rows[last:]))


def _within(rules: Rules, rows: Sequence[Row]) -> Rules:
    """Give the rules that stand between and right around some lines."""
    box = around(piece for row in rows for piece in row)
    size = rows[0][0].size
    across = [rule for rule in rules.across if box.top - size <= rule.y <= box.bottom + size]
    down = [rule for rule in rules.down if rule.bottom > box.top and rule.top < box.bottom]
    return Rules(across, down, rules.starts)


def _goes_across(grid: Grid, line: Sequence[Placed]) -> bool:
    """Tell whether a line stands in a cell across all columns, or runs across them from the first one."""
    if len(line) != 1:
        return False
    drawn = grid.drawn_span(line[0].first, line[0].piece.y)
    if drawn is not None:
        return drawn == (0, grid.width - 1)
    is_centred = abs(line[0].piece.x - grid.box.x) <= 2 * line[0].piece.size
    is_long = line[0].last - line[0].first + 1 >= max(2, _MOSTLY * grid.width)
    return is_long and (line[0].first == 0 or is_centred)


def _title_lines(grid: Grid) -> int:
    """Give how many of the first lines are a title: they run across all columns, and the names of these follow."""
    count = 0
    while count < len(grid.lines) and _goes_across(grid, grid.lines[count]):
        count += 1
    is_name = count < len(grid.lines) and len(grid.lines[count]) > 1 and not grid.figures(count)
    return max(count if is_name else 0, _lines_set_off(grid))


def _lines_set_off(grid: Grid) -> int:
    """Give how many of the first lines stand apart from one that names all columns: they are none of its head."""
    names = next((at for at, line in enumerate(grid.lines[:_MOST_ABOVE]) if len(line) == grid.width), 0)
    if not names or grid.figures(names) or grid.cuts[names - 1]:
        return 0
    above, row = (grid.rows[at] for at in (names - 1, names))
    blank = min(piece.top for piece in row) - max(piece.bottom for piece in above)
    return names if blank > _SET_OFF * row[0].size else 0


def _note_lines(grid: Grid) -> int:
    """Give how many of the last lines are notes: text that runs across, below the last rule if there are any."""
    count = 0
    while count < len(grid.lines) - 2 and _is_note(grid, len(grid.lines) - 1 - count):
        count += 1
    return count


def _is_note(grid: Grid, at: int) -> bool:
    line = grid.lines[at]
    if len(line) != 1 or line[0].first:
        return False
    is_text = len(line[0].piece.words) > 4 and line[0].last > 0
    is_below = any(map(grid.is_full, grid.cuts)) and not any(map(grid.is_full, grid.cuts[at:]))
    return is_text and (_goes_across(grid, line) or is_below)


def _cells(grid: Grid, group: Sequence[int], row: int) -> list[FilledCell]:
    """Give the cells of the lines of one row."""
    cells: dict[int, FilledCell] = {}
    for at in group:
        for placed in grid.lines[at]:
            cell = cells.setdefault(placed.first, FilledCell(row, placed.first, placed.last, [], row))
            cell.pieces.append(placed.piece)
            cell.last_column = max(cell.last_column, placed.last)
    ordered = [cells[at] for at in sorted(cells)]
    for at, cell in enumerate(ordered):
        low = ordered[at - 1].last_column + 1 if at else 0
        high = ordered[at + 1].column - 1 if at + 1 < len(ordered) else grid.width - 1
        drawn = grid.drawn_span(cell.column, cell.pieces[0].y)
        if drawn and low <= drawn[0] and drawn[1] <= high and all(map(grid.is_wall, range(drawn[0] + 1, drawn[1] + 1))):
            cell.column, cell.last_column = drawn[0], drawn[1]
        cell.last_column = min(cell.last_column, high)
    if len(ordered) == 1 and ordered[0].column < ordered[0].last_column:
        ordered[0].column, ordered[0].last_column = 0, grid.width - 1
    return ordered


def _merged_down(grid: Grid, cells: list[FilledCell], rows: Sequence[Sequence[int]], head: int) -> list[FilledCell]:
    """Join the cells of drawn columns that no rule parts; ``rows`` are the lines of the rows below the head."""
    merged = [cell for cell in cells if cell.row < head or cell.column < cell.last_column]
    single = [cell for cell in cells if cell.row >= head and cell.column == cell.last_column]
    for column in range(grid.width):
        own = {cell.row: cell for cell in single if cell.column == column}
        chains: list[list[int]] = [[head]]
        for at, (above, below) in enumerate(pairwise(rows), head + 1):
            if not _goes_on_below(grid, column, above[-1], below[0]):
                chains.append([])
            chains[-1].append(at)
        for chain in chains:
            held = [own[row] for row in chain if row in own]
            if len(chain) > 1 and held and not (len(held) == len(chain) > 2):
                merged.append(
                    FilledCell(chain[0], column, column, [p for cell in held for p in cell.pieces], chain[-1])
                )
            else:
                merged += held
    return merged


def _goes_on_below(grid: Grid, column: int, above: int, below: int) -> bool:
    cut = frozenset[int]().union(*grid.cuts[above:below])
    if not cut or column in cut:
        return False
    top, bottom = grid.rows[above][0].y, grid.rows[below][0].y
    return grid.drawn_span(column, (top + bottom) / 2) == (column, column)


def _rows_of(cells: Sequence[FilledCell], width: int, vocabulary: frozenset[str]) -> Iterator[list[Cell]]:
    """Give the rows of a table with its empty cells."""
    owners = {
        (row, column): cell
        for cell in cells
        for row in range(cell.row, cell.last_row + 1)
        for column in range(cell.column, cell.last_column + 1)
    }
    count = max(cell.last_row for cell in cells) + 1
    for row in range(count):
        written: list[Cell] = []
        for column in range(width):
            cell = owners.get((row, column))
            if cell is None:
                written.append(Cell(""))
            elif (cell.row, cell.column) == (row, column):
                said = inline(cell.pieces, vocabulary, keeps_lines=True)
                written.append(Cell(said, cell.last_column - cell.column + 1, cell.last_row - cell.row + 1))
        yield written
