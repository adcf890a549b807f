"""The lines of a table that name its columns, and the cells that they make."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from gleaner.documents.lines import Piece
from gleaner.documents.tables.columns import FIGURE, MOST_HEAD_LINES, Placed
from gleaner.documents.tables.grid import FilledCell, Grid
from gleaner.documents.tables.rows import numbered_rows

_FEW_RULES = 3
"""Rules along a table that part its head and its foot; more part its rows."""
_OF_ROWS, _OF_PAIRS = 0.5, 0.8
"""Share of the lines below a head without rules that hold figures; of names and values, some do without a head."""
_CENTRED = 1.2
"""Sizes of the text by which a name is off the middle of the columns that it stands over."""


def head_lines(grid: Grid) -> int:
    """Give how many of the first lines name the columns.

    They stand over the first rule that runs along the table, or are bold, or have none of the figures below. A line
    that begins with the first number of rows that are counted names none.
    """
    count = len(grid.rows)
    if grid.lines[0][0].first == 0 and numbered_rows(grid, range(count)):
        return 0
    full = [at + 1 for at, cut in enumerate(grid.cuts) if grid.is_full(cut)]
    most = min(MOST_HEAD_LINES, count - 1)
    has_figures = [bool(grid.figures(at)) for at in range(count)]
    if full[:1] == [2] and most > 1 and _names_numbers(grid):
        return 2
    plain = next((at for at in range(count) if has_figures[at]), count)
    if full and full[0] <= min(most, plain):
        longest = max(map(len, grid.cuts))
        ends = [at for at in full if at <= min(most, plain)]
        head = next((at for at in ends if len(grid.cuts[at - 1]) == longest), ends[0])
        has_levels = any(0 < len(cut) < len(grid.cuts[head - 1]) for cut in grid.cuts[: head - 1])
        if has_levels or sum(has_figures[head:]) * 2 >= len(full) or _is_bold(grid, head) or len(full) < _FEW_RULES:
            return head
    bold = next((at for at, row in enumerate(grid.rows) if not all(piece.is_bold for piece in row)), count)
    while bold and _is_label(grid, bold - 1):
        bold -= 1
    if 0 < bold <= min(most, plain):
        return bold
    share = _OF_PAIRS if grid.width == 2 else _OF_ROWS
    are_pairs = grid.width == 2 and sum(len(line) > 1 for line in grid.lines[:plain]) > 1
    if not are_pairs and 0 < plain <= most and sum(has_figures[plain:]) >= share * (count - plain):
        while plain and _is_label(grid, plain - 1):
            plain -= 1
        is_over_rows = full[:2] == [plain + 1, plain + 2] and len(grid.lines[plain]) == grid.width  # none below names
        return plain if plain in full or len(full) < _FEW_RULES or is_over_rows else 0
    return int(_stands_out(grid))


def _stands_out(grid: Grid) -> bool:
    """Tell whether the first line names all columns, by its looks: bold alone, or without figures over one of these."""
    names, *lines = grid.rows
    if len(names) < max(_FEW_RULES, grid.width) or len(lines) < _FEW_RULES:
        return False
    if all(piece.is_bold for piece in names) and not any(all(piece.is_bold for piece in row) for row in lines):
        return True
    are_full = all(len(row) == len(names) for row in lines) and not any(FIGURE.fullmatch(one.text) for one in names)
    return are_full and any(all(FIGURE.fullmatch(row[at].text) for row in lines) for at in range(len(names)))


def _names_numbers(grid: Grid) -> bool:
    """Tell whether the first two lines are a head: names, and under each a number, beside what these are numbers of.

    The cell of the first column stands beside both: "Steam" and "71", beside "Train no.:".
    """
    names, numbers = grid.lines[:2]
    under = numbers[-len(names) :]
    return (
        0 not in grid.cuts[0]
        and not grid.figures(0)
        and len(numbers) > len(names)
        and [one.first for one in under] == [one.first for one in names]
        and all(FIGURE.fullmatch(one.piece.text) for one in under)
        and not any(FIGURE.fullmatch(one.piece.text) for one in numbers[: -len(names)])
    )


def _is_bold(grid: Grid, count: int) -> bool:
    rows = [[piece.is_bold for piece in row] for row in grid.rows]
    return all(map(all, rows[:count])) and not all(map(all, rows[count:]))


def _is_label(grid: Grid, at: int) -> bool:
    """Tell whether a line only names the rows below it."""
    return len(grid.lines[at]) == 1 and grid.lines[at][0].first == 0 and len(grid.rows) > 1


def head_cells(grid: Grid, count: int) -> Iterator[FilledCell]:
    """Give the cells of the names of columns: a name over several columns stands in a row of its own."""
    if not count:
        return
    lines: list[list[Placed]] = []
    for at in range(count):
        lines.append(_widened(grid, at, count, [placed for line in lines for placed in line]))
    level, levels, over = 0, list[int](), list[Placed]()
    for line in lines:
        if any(_is_inside(placed, other) for placed in line for other in over):
            level, over = level + 1, []
        levels.append(level)
        over += line
    spans: dict[tuple[int, int, int], list[Piece]] = {}
    for line, row in zip(lines, levels, strict=True):
        for placed in line:
            spans.setdefault((row, placed.first, placed.last), []).append(placed.piece)
    taken: set[int] = set()
    for (row, first, last), pieces in sorted(spans.items()):
        if first == last and first in taken:
            continue
        others = [
            (other, held) for (other, start, end), held in sorted(spans.items()) if start <= first and end >= last
        ]
        if first == last and all(start == end for (_, start, end) in spans if start <= first <= end):
            taken.add(first)
            yield FilledCell(0, first, last, [piece for _, held in others for piece in held], level)
        else:
            yield FilledCell(row, first, last, pieces, row)


def _is_inside(inner: Placed, outer: Placed) -> bool:
    return (
        outer.first <= inner.first
        and inner.last <= outer.last
        and (inner.first, inner.last)
        != (
            outer.first,
            outer.last,
        )
    )


def _widened(grid: Grid, at: int, count: int, above: Sequence[Placed]) -> list[Placed]:
    """Give the names of a line with all columns that they stand over: over a rule, or in the middle of them."""
    line = grid.lines[at]
    found: list[Placed] = []
    for index, placed in enumerate(line):
        low = line[index - 1].last + 1 if index else 0
        high = line[index + 1].first - 1 if index + 1 < len(line) else grid.width - 1
        for other in above:
            if other.first <= placed.first and placed.last <= other.last:
                low, high = max(low, other.first), min(high, other.last)
            elif other.last < placed.first:
                low = max(low, other.last + 1)
            elif other.first > placed.last:
                high = min(high, other.first - 1)
        first, last = _span(grid, placed, (low, high), at, count)
        found.append(Placed(first, last, placed.piece))
    return found


def _span(grid: Grid, placed: Placed, free: tuple[int, int], at: int, count: int) -> tuple[int, int]:
    """Give the columns that a name stands over, of those that no other name of its line does."""
    piece = placed.piece
    drawn = grid.drawn_span(placed.first, piece.y)
    if drawn is not None:
        is_alone = free[0] <= drawn[0] and drawn[1] <= free[1]
        return (drawn[0], max(drawn[1], placed.last)) if is_alone else (placed.first, placed.last)
    bottom = min(piece.y for piece in grid.rows[at + 1]) if at + 1 < len(grid.rows) else piece.bottom
    under = [rule for rule in grid.rules.across if piece.y < rule.y < bottom and rule.x0 - 2 <= piece.x <= rule.x1 + 2]
    columns = [(left + right) / 2 for left, right in pairwise(grid.edges)]
    if under and at + 1 < count and under[0].width < 0.95 * grid.box.width:
        held = [at for at, x in enumerate(columns) if under[0].x0 <= x <= under[0].x1 and free[0] <= at <= free[1]]
        if held:
            return min([placed.first, *held]), max([placed.last, *held])
    if at + 1 >= count:
        return placed.first, placed.last
    extents = [grid.extent(column, at + 1) for column in range(grid.width)]
    best = (placed.first, placed.last)
    for first in range(free[0], placed.first + 1):
        for last in range(placed.last, free[1] + 1):
            left, right = extents[first], extents[last]
            if left is None or right is None or last - first <= best[1] - best[0] or first == last:
                continue
            if abs((left.x0 + right.x1) / 2 - piece.x) <= _CENTRED * piece.size:
                best = (first, last)
    return best
