"""Which lines of a table make one row."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from statistics import median

from gleaner.documents.blocks import ends_on_purpose
from gleaner.documents.lines import line_pitch
from gleaner.documents.tables.columns import FIGURE
from gleaner.documents.tables.grid import Grid

_FULL = 0.75
"""Share of the cells of the fullest line that a line of another row fills."""
_FEWEST_RULED = 2
_PADDING = 0.06
"""Sizes of the text by which the blanks between rows are higher than those between the lines of a row."""
_TIGHT = 1.45
"""Distance of two lines of one cell, in sizes of the text."""


def body_rows(grid: Grid, head: int) -> list[list[int]]:
    """Give the lines below the head by the rows of the table that they make."""
    bands: list[list[int]] = [[head]] if head < len(grid.rows) else []
    for at in range(head + 1, len(grid.rows)):
        if grid.cuts[at - 1]:
            bands.append([])
        bands[-1].append(at)
    rows: list[list[int]] = []
    for band in bands:
        is_open = band is bands[-1] and not grid.is_closed and _is_dense(grid, band)
        if len(bands) > _FEWEST_RULED and not is_open and not _is_stack(grid, band):
            rows.append(band)
        else:
            rows += _parted(grid, band, _numeric_columns(grid, head))
    return rows


def _is_stack(grid: Grid, lines: Sequence[int]) -> bool:
    """Tell whether lines between two rules are rows of their own: they are full, and hold figures."""
    held = [placed for at in lines for placed in grid.lines[at]]
    figures = Counter(placed.first for placed in held if FIGURE.fullmatch(placed.piece.text))
    return _is_dense(grid, lines) and max(figures.values(), default=0) > 1


def _is_dense(grid: Grid, lines: Sequence[int]) -> bool:
    """Tell whether some lines are rows of their own: another one fills nearly as many columns as the fullest."""
    fullest, second = sorted([0, *(len(grid.lines[at]) for at in lines)], reverse=True)[:2]
    return second > 1 and second >= _FULL * fullest


def _numeric_columns(grid: Grid, head: int) -> set[int]:
    known: list[list[bool]] = [[] for _ in range(grid.width)]
    for line in grid.lines[head:]:
        for placed in line:
            known[placed.first].append(FIGURE.fullmatch(placed.piece.text) is not None)
    return {at for at, figures in enumerate(known) if figures and sum(figures) * 2 >= len(figures)}


def _parted(grid: Grid, band: Sequence[int], numeric: set[int]) -> list[list[int]]:
    """Give lines by rows, where no rules part them.

    Blanks do where what stands closer goes on with full cells. Of the other ways, by the blanks, by what the lines say,
    or each alone, that one is taken which leaves most rows with a name and cells, and fewest without.
    """
    blanks = list(_by_blanks(grid, band))
    if wrapped := next((rows for rows in blanks if _are_wrapped(grid, rows)), None):
        return wrapped
    ways = [*blanks, _grouped(grid, band, numeric), [[at] for at in band]]
    fullest = max(len(grid.lines[at]) for at in band)
    return max(ways, key=lambda rows: sum(_worth(grid, row, fullest) for row in rows))


def _by_blanks(grid: Grid, band: Sequence[int]) -> Iterator[list[list[int]]]:
    """Give lines by rows in each way in which the blanks between rows are higher than those within them."""
    bottoms = accumulate((max(piece.bottom for piece in grid.rows[at]) for at in band), max)
    blanks = [min(piece.top for piece in grid.rows[at]) - bottom for at, bottom in zip(band[1:], bottoms, strict=False)]
    least = _PADDING * grid.rows[band[0]][0].size
    for low, high in pairwise(sorted(blanks)):
        if high - low >= least:
            rows = [[band[0]]]
            for at, blank in zip(band[1:], blanks, strict=True):
                if blank > (low + high) / 2:
                    rows.append([])
                rows[-1].append(at)
            yield rows


def _are_wrapped(grid: Grid, rows: Sequence[Sequence[int]]) -> bool:
    """Tell whether the further lines of rows go on with cells that are full, and have fewer of them than the first."""
    further = [(rows_at[0], above, at) for rows_at in rows for above, at in pairwise(rows_at)]
    fewer = sum(len(grid.lines[at]) < len(grid.lines[first]) for first, _, at in further)
    return 0 < len(further) <= 2 * fewer and all(_goes_on(grid, above, at) for _, above, at in further)


def _goes_on(grid: Grid, above: int, at: int) -> bool:
    """Tell whether all that a line says goes on with text of the line above that has no room left in its column."""
    over = {(one.first, one.last): one.piece for one in grid.lines[above]}
    for placed in grid.lines[at]:
        before, extent = over.get((placed.first, placed.last)), grid.columns[placed.first]
        if before is None or extent is None or FIGURE.fullmatch(placed.piece.text):
            return False
        if ends_on_purpose(before, placed.piece, extent.x1):
            return False
    return True


def _worth(grid: Grid, lines: Sequence[int], fullest: int) -> int:
    """Tell whether lines make a row: 1 if they do, 0 for a title of rows, less for a part of one."""
    filled = {placed.first for at in lines for placed in grid.lines[at]}
    if len(filled) > 1 and 0 in filled and 2 * len(filled) >= fullest:
        return 1
    return 0 if filled == {0} else -1


def _grouped(grid: Grid, band: Sequence[int], numeric: set[int]) -> list[list[int]]:
    """Give lines by rows, where nothing parts them: a line without figures may go on with the cells beside it."""
    bases = [median(piece.words[0].base for piece in grid.rows[at]) for at in band]
    steps = [1e6, *(below - above for above, below in pairwise(bases)), 1e6]
    pitch = line_pitch([grid.rows[at] for at in band])
    groups: list[list[int]] = []
    ahead: list[int] = []
    for place_in_band, at in enumerate(band):
        before, after = steps[place_in_band], steps[place_in_band + 1]
        size = grid.rows[at][0].size
        is_part = _is_continuation(grid, at, numeric)
        is_near = before <= max(min(after * 1.25, _TIGHT * size), 1.05 * pitch)
        if is_part and groups and is_near and not ahead:
            groups[-1].append(at)
        elif is_part and after < 0.8 * before and after <= _TIGHT * size:
            ahead.append(at)
        else:
            groups.append([*ahead, at])
            ahead = []
    return groups + ([ahead] if ahead else [])


def _is_continuation(grid: Grid, at: int, numeric: set[int]) -> bool:
    """Tell whether a line may only go on with cells of the row beside it."""
    line = grid.lines[at]
    filled = {placed.first for placed in line}
    is_small = all(placed.piece.text[:1].islower() for placed in line)
    if (filled & numeric and not is_small) or any(FIGURE.fullmatch(placed.piece.text) for placed in line):
        return False
    return 0 not in filled and 2 * len(filled) <= grid.width
