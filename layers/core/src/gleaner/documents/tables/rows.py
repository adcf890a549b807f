"""Which lines of a table make one row."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from statistics import median

from gleaner.documents.blocks import ends_on_purpose
from gleaner.documents.lines import Piece, Row, line_pitch
from gleaner.documents.tables.columns import FIGURE, Placed
from gleaner.documents.tables.grid import Grid

_COUNT = re.compile(r"[0-9]{1,5}")
_FEWEST_NUMBERED = 2
_FULL = 0.75
"""Share of the cells of the fullest line that a line of another row fills."""
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
    are_ruled = len(bands) > 2 and 2 * sum(not _is_stack(grid, band) for band in bands) > len(bands)
    rows: list[list[int]] = []
    for band in bands:
        is_open = band is bands[-1] and not grid.is_closed and _is_dense(grid, band)
        if are_ruled and not is_open and not _is_stack(grid, band):
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

    Rows that are counted have a number each, between the blanks or from one number on. Blanks part others where what
    stands closer goes on with full cells. Of the other ways, by the blanks, by what they
    say, or each alone, that one is taken which leaves most rows with a name and cells, and fewest without; a row from
    each full line on, where this leaves far more.
    """
    numbered = numbered_rows(grid, band)
    ways = list(_by_blanks(grid, band))
    for rows in ways:
        if _have_one_number_each(grid, rows) if numbered else _are_wrapped(grid, rows):
            return rows
    if numbered:
        return numbered
    fullest = max(len(grid.lines[at]) for at in band)
    ways += [_grouped(grid, band, numeric), [[at] for at in band]]
    others = _from_full_lines(grid, band, fullest)
    worths = [sum(_worth(grid, row, fullest) for row in rows) for rows in [*ways, others]]
    best = max(worths[:-1])
    return others if worths[-1] > 2 * max(best, 1) else ways[worths.index(best)]


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


def _have_one_number_each(grid: Grid, rows: Sequence[Sequence[int]]) -> bool:
    """Tell whether each row has one line that begins in the first column: the number may stand in the row's middle."""
    return all(sum(grid.lines[at][0].first == 0 for at in row) == 1 for row in rows)


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


def numbered_rows(grid: Grid, band: Sequence[int]) -> list[list[int]]:
    """Give lines by rows where the first column counts these, one by one and nothing else; none where it does not.

    Lines before the first number go on with a row that began on the page before.
    """
    starts = [at for at in band if grid.lines[at][0].first == 0]
    fewest = 1 if grid.rules.starts else _FEWEST_NUMBERED
    numbers = [grid.lines[at][0].piece for at in starts]
    if len(starts) < fewest or not are_numbers(numbers):
        return []
    if starts[0] > band[0] and numbers[0].text.rstrip(".)") == "1":  # nothing began on the page before
        return []
    ends = pairwise(sorted({band[0], *starts, band[-1] + 1}))
    return [[at for at in band if start <= at < end] for start, end in ends]


def are_numbers(pieces: Sequence[Piece]) -> bool:
    """Tell whether pieces count, one by one and nothing else: "1.", "2.", "3."."""
    texts = [piece.text.rstrip(".)") for piece in pieces]
    return all(map(_COUNT.fullmatch, texts)) and all(int(two) == int(one) + 1 for one, two in pairwise(texts))


def _from_full_lines(grid: Grid, band: Sequence[int], fullest: int) -> list[list[int]]:
    """Give lines by rows that begin with a line that fills most columns, or with a title."""
    rows: list[list[int]] = []
    for at in band:
        line = grid.lines[at]
        is_title = len(line) == 1 and line[0].first == 0
        if not rows or is_title or 2 * len(line) >= fullest or len(grid.lines[rows[-1][0]]) == 1:
            rows.append([])
        rows[-1].append(at)
    return rows


def _worth(grid: Grid, lines: Sequence[int], fullest: int) -> int:
    """Tell whether lines make a row: 1 if they do, 0 for a title of rows or a sum, less for a part or for several."""
    sums = Counter(one.first for at in lines for one in grid.lines[at] if _is_sum(grid, one))
    if max(sums.values(), default=0) > 1:
        return -2
    above = grid.lines[lines[0] - 1] if lines[0] else []
    if any(one.piece.is_broken and one.first == other.first for one in above for other in grid.lines[lines[0]]):
        return -2
    filled = {placed.first for at in lines for placed in grid.lines[at]}
    if len(filled) > 1 and 0 in filled and 2 * len(filled) >= fullest:
        return 1
    return 0 if filled == {0} or sums else -1


def _is_sum(grid: Grid, placed: Placed) -> bool:
    """Tell whether a cell is a figure that ends where the others of its column do, as amounts and numbers of pieces."""
    return placed.first in grid.sums and FIGURE.fullmatch(placed.piece.text) is not None


def _grouped(grid: Grid, band: Sequence[int], numeric: set[int]) -> list[list[int]]:
    """Give lines by rows, where nothing parts them: a line without figures may go on with the cells beside it."""
    bases = [median(piece.words[0].base for piece in grid.rows[at]) for at in band]
    steps = [1e6, *(below - above for above, below in pairwise(bases)), 1e6]
    pitch = line_pitch([grid.rows[at] for at in band])
    few_small = 5 * sum(_is_small(grid.rows[at]) for at in band) <= 2 * len(band)
    groups: list[list[int]] = []
    ahead: list[int] = []
    for place_in_band, at in enumerate(band):
        before, after = steps[place_in_band], steps[place_in_band + 1]
        size = grid.rows[at][0].size
        is_part = _is_continuation(grid, at, numeric, few_small=few_small)
        is_near = before <= max(min(after * 1.25, _TIGHT * size), 1.05 * pitch)
        if is_part and groups and is_near and not ahead:
            groups[-1].append(at)
        elif is_part and after < 0.8 * before and after <= _TIGHT * size:
            ahead.append(at)
        else:
            groups.append([*ahead, at])
            ahead = []
    return groups + ([ahead] if ahead else [])


def _is_small(row: Row) -> bool:
    return row[0].text[:1].islower()


def _is_continuation(grid: Grid, at: int, numeric: set[int], *, few_small: bool) -> bool:
    """Tell whether a line may only go on with cells of the row beside it."""
    line = grid.lines[at]
    filled = {placed.first for placed in line}
    is_small = all(placed.piece.text[:1].islower() for placed in line)
    if (filled & numeric and not is_small) or any(FIGURE.fullmatch(placed.piece.text) for placed in line):
        return False
    if few_small and is_small:
        return True
    if 2 * len(filled) > grid.width:
        return False
    return 0 not in filled and bool(filled)
