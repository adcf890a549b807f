"""Find columns that stand under each other without rules, and make tables of them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from gleaner.documents.blocks import Cell, TableBlock, inline
from gleaner.documents.lines import Piece, Row, piece_of
from gleaner.documents.page import Box, around

FIGURE = re.compile(
    r"\W{0,4}\(?[^\W\d_]{0,4}\W{0,3}\d[\d.,:'’\s/%-]*[^\W\d_]{0,4}\W{0,4}|[-–—]{1,3}|n/?a", re.IGNORECASE
)
"""A cell that holds a number, an amount, a time or a dash: "€ 1,299.00", "07:45", "12 kg"."""
_FARTHEST_ROW = 3.0
"""Sizes of the text between two rows of a table; wider ones are accepted where all its rows are as far apart."""
_TOUCHING = 1.0
_ALIGNED, _LEAST_GAP = 1.5, 0.5
_LARGER = 1.1
_MOST_HEAD_LINES = 3
_LEAST_PROSE_LINES = 4
_LEAST_PROSE_WORDS, _LEAST_PROSE_CHARACTERS = 3.0, 18.0
_MOSTLY_FULL = 0.6
_MOST_BESIDE, _WIDE_GUTTER = 14, 4.0
_TIGHT = 1.45
"""Distance of two lines of one cell, in sizes of the text."""


@dataclass(slots=True)
class Run:
    """Rows whose pieces stand in the same columns. ``spanning`` are the rows that go across."""

    rows: list[Row]
    columns: list[tuple[float, float]]
    spanning: set[int]

    @property
    def box(self) -> Box:
        """The box around all of it."""
        return around([piece for row in self.rows for piece in row])


def runs_of(rows: Sequence[Row]) -> list[Run]:
    """Part rows into runs of the same columns, from top to bottom."""
    runs: list[Run] = []
    for index, found in enumerate(rows):
        row, run = found, runs[-1] if runs else None
        if run is not None and _is_near(run, row) and not _is_heading(run, row):
            columns = _fitted(run.columns, row) or _fitted(_under_heads(run), row)
            if columns is None:
                parted = _parted_at(run.columns, row)
                columns = _fitted(run.columns, parted)
                row = parted if columns is not None else row
            if columns is not None:
                run.columns = columns
                run.rows.append(row)
                continue
            following = rows[index + 1] if index + 1 < len(rows) else None
            if following is not None and _is_title_within(run, row, following):
                run.spanning.add(len(run.rows))
                run.rows.append(row)
                continue
        runs.append(Run([row], [(piece.x0, piece.x1) for piece in row], set()))
    return runs


def _fitted(columns: Sequence[tuple[float, float]], row: Row) -> list[tuple[float, float]] | None:
    """Give the columns with a row added; None where a piece of it goes across two, or two stand in one."""
    grown, taken = list(columns), set[int]()
    for piece in row:
        touched = [at for at, (x0, x1) in enumerate(grown) if piece.x0 < x1 + _TOUCHING and piece.x1 > x0 - _TOUCHING]
        if len(touched) > 1 or (touched and touched[0] in taken):
            return None
        if touched:
            at = touched[0]
            grown[at] = (min(grown[at][0], piece.x0), max(grown[at][1], piece.x1))
        else:
            at = len(grown)
            grown.append((piece.x0, piece.x1))
        taken.add(at)
    grown.sort()
    return grown if all(one[1] + _TOUCHING < other[0] for one, other in pairwise(grown)) else None


def _under_heads(run: Run) -> list[tuple[float, float]]:
    """Give the columns of a run, a name that touches none of its cells joined to the column of these cells.

    Such a name, centred over short cells or at their other end, looks like a column of its own that is filled in the
    first rows only, beside one that is filled below them. Where it may name either neighbour, nothing is joined.
    """
    filled = [
        [at for at, row in enumerate(run.rows) for piece in row if _covers(column, piece)] for column in run.columns
    ]
    columns: list[tuple[float, float]] = []
    stretch = [0]
    for at in range(1, len(filled) + 1):
        if at < len(filled) and (_names(filled[at - 1], filled[at]) or _names(filled[at], filled[at - 1])):
            stretch.append(at)
            continue
        width = 1 if len(stretch) % 2 else 2
        columns += [(run.columns[first][0], run.columns[first + width - 1][1]) for first in stretch[::width]]
        stretch = [at]
    return columns


def _names(head: Sequence[int], cells: Sequence[int]) -> bool:
    """Tell whether a column's rows are the head's only, and another's all below them."""
    return bool(head and cells) and max(head) < _MOST_HEAD_LINES and max(head) < min(cells)


def _covers(column: tuple[float, float], piece: Box) -> bool:
    return column[0] <= piece.x0 and piece.x1 <= column[1]


def _parted_at(columns: Sequence[tuple[float, float]], row: Row) -> Row:
    """Part the pieces of a row where a word begins or ends where a column does: the gap may be that of two words."""
    lefts, rights = [x0 for x0, _ in columns[1:]], [x1 for _, x1 in columns[:-1]]
    pieces: Row = []
    for piece in row:
        words = sorted(piece.words, key=lambda word: word.x0)
        groups = [[words[0]]]
        for before, word in pairwise(words):
            is_edge = any(abs(word.x0 - x) <= _ALIGNED for x in lefts) or any(
                abs(before.x1 - x) <= _ALIGNED for x in rights
            )
            if is_edge and word.x0 - before.x1 >= _LEAST_GAP * word.size:
                groups.append([word])
            else:
                groups[-1].append(word)
        pieces += [piece_of(group) for group in groups]
    return pieces


def _is_heading(run: Run, row: Row) -> bool:
    """Tell whether a row is in larger letters than the one above: it begins something else."""
    return len(row) == 1 and row[0].size >= _LARGER * run.rows[-1][0].size


def _top(row: Row) -> float:
    return min(piece.top for piece in row)


def _bottom(row: Row) -> float:
    return max(piece.bottom for piece in row)


def gaps_of(rows: Sequence[Row]) -> list[float]:
    """Give the blank heights between rows."""
    return [max(0.0, _top(below) - _bottom(above)) for above, below in pairwise(rows)]


def _is_near(run: Run, row: Row) -> bool:
    gap = _top(row) - _bottom(run.rows[-1])
    usual = max(gaps_of(run.rows), default=0.0)
    return gap <= max(_FARTHEST_ROW * row[0].size, 1.3 * usual)


def _is_title_within(run: Run, row: Row, following: Row) -> bool:
    """Tell whether a row that goes across columns parts a table in groups: the columns go on below it."""
    many = [each for each in run.rows if len(each) > 1]
    if len(row) != 1 or len(many) < 2 or len(following) < 2 or _fitted(run.columns, following) is None:
        return False
    usual = max(gaps_of(run.rows), default=0.0)
    gaps = _top(row) - _bottom(run.rows[-1]), _top(following) - _bottom(row)
    return max(gaps) <= 1.6 * usual + 2 and row[0].size <= 1.1 * many[0][0].size


def is_prose(run: Run, least: int = _LEAST_PROSE_LINES) -> bool:
    """Tell whether the columns of a run are text: lines, ``least`` in each, that break when they are full."""
    if len(run.columns) < 2 or run.spanning:
        return False
    columns = [lines for lines in _by_column(run) if len(lines) >= least]
    if len(columns) < 2 or not all(map(_breaks_when_full, columns)):
        return False
    return sum(around(list(lines)).width for lines in columns) >= 0.7 * run.box.width


def rows_in(run: Run, column: int) -> list[Row]:
    """Give what of a run stands in one column, as rows."""
    return [[piece] for row in run.rows for piece in row if column_at(run.columns, piece) == column]


def has_prose(run: Run) -> bool:
    """Tell whether one of the columns of a run is text."""
    return any(len(lines) > 1 and _breaks_when_full(lines) for lines in _by_column(run))


def _by_column(run: Run) -> list[list[Piece]]:
    columns: list[list[Piece]] = [[] for _ in run.columns]
    for row in run.rows:
        for piece in row:
            columns[column_at(run.columns, piece)].append(piece)
    return columns


def column_at(columns: Sequence[tuple[float, float]], piece: Box) -> int:
    """Give the column that shares most of its width with a piece, or is nearest."""
    return max(
        range(len(columns)),
        key=lambda at: min(columns[at][1], piece.x1) - max(columns[at][0], piece.x0),
    )


def _breaks_when_full(lines: Sequence[Piece]) -> bool:
    count, right = len(lines), max(line.x1 for line in lines)
    if sum(len(line.words) for line in lines) < _LEAST_PROSE_WORDS * count:
        return False
    if sum(len(line.text) for line in lines) < _LEAST_PROSE_CHARACTERS * count:
        return False
    full = sum(line.x1 + 0.3 * line.size + following.words[0].width >= right for line, following in pairwise(lines))
    return full >= _MOSTLY_FULL * (count - 1)


def is_table(run: Run) -> bool:
    """Tell whether the columns of a run make a table: enough rows that say something in more than one."""
    many = sum(len(row) > 1 for row in run.rows)
    return len(run.columns) >= 2 and many >= (2 if len(run.columns) > 2 else 3) and 2 * many >= len(run.rows)


def trimmed(run: Run) -> tuple[list[Row], Run, list[Row]]:
    """Part a run into text above the table, the table, and text below it: lines that say something in one column."""
    first = next((at for at, row in enumerate(run.rows) if len(row) > 1), 0)
    fullest = max(len(row) for row in run.rows)
    while first + 1 < len(run.rows) and 2 * len(run.rows[first]) < fullest and _is_parted(run, first):
        first += 1
    last = max((at for at, row in enumerate(run.rows) if len(row) > 1), default=len(run.rows) - 1)
    gaps = gaps_of(run.rows[first : last + 1])
    while last + 1 < len(run.rows):
        gap = _top(run.rows[last + 1]) - _bottom(run.rows[last])
        if gap > max(0.45 * run.rows[last][0].size, 0.75 * min(gaps, default=0.0)):
            break
        last += 1
    rows = run.rows[first : last + 1]
    columns: list[tuple[float, float]] = []
    spanning = {at - first for at in run.spanning if first <= at <= last}
    for at, row in enumerate(rows):
        columns = columns if at in spanning else _fitted(columns, row) or run.columns
    table = Run(rows, columns, spanning)
    table.columns = _under_heads(table)
    return run.rows[:first], table, run.rows[last + 1 :]


def side_by_side(run: Run) -> float | None:
    """Give the middle of a gutter that parts blocks which have nothing to do with each other; None for one table.

    An address beside the details of an invoice: the gutter is far wider than any other, the blocks end at different
    lines or do not stand on the same ones.
    """
    gaps = [right - left for (_, left), (right, _) in pairwise(run.columns)]
    if not gaps or len(run.rows) > _MOST_BESIDE:
        return None
    at = gaps.index(max(gaps))
    others = gaps[:at] + gaps[at + 1 :]
    size = run.rows[0][0].size
    gutter = (run.columns[at][1] + run.columns[at + 1][0]) / 2
    sides = [[bool(beside([row], gutter, is_left=is_left)) for row in run.rows] for is_left in (True, False)]
    is_uneven = any(has_left != has_right for has_left, has_right in zip(*sides, strict=True))
    is_far = gaps[at] >= _WIDE_GUTTER * size and gaps[at] >= 2.5 * max(others, default=0.0)
    has_pairs = len(run.columns) - at - 1 == 2 or at + 1 == 2 or (len(run.columns) == 2 and min(map(sum, sides)) > 1)
    return gutter if is_uneven and is_far and has_pairs and not _has_figures_in_rows(run) else None


def beside(rows: Sequence[Row], gutter: float, *, is_left: bool) -> list[Row]:
    """Give what of some rows stands on one side of a gutter."""
    parts = ([piece for piece in row if ((piece.x0 + piece.x1) / 2 < gutter) == is_left] for row in rows)
    return [part for part in parts if part]


def _has_figures_in_rows(run: Run) -> bool:
    """Tell whether rows hold several figures, as those of tables do."""
    return any(sum(FIGURE.fullmatch(piece.text) is not None for piece in row) > 1 for row in run.rows)


def _is_parted(run: Run, at: int) -> bool:
    """Tell whether a row stands farther from the next than the rows of the run usually do."""
    gaps = gaps_of(run.rows)
    usual = sorted(gaps)[len(gaps) // 2]
    return gaps[at] > 1.2 * usual + 1


def table_of(run: Run, rules: Sequence[Box], vocabulary: frozenset[str]) -> TableBlock:
    """Make the table of a run; lines that go on in the next one are cells of one row."""
    lines = [rule for rule in rules if rule.width > rule.height and rule.width >= 0.4 * run.box.width]
    heights = sorted((rule.top + rule.bottom) / 2 for rule in lines)
    groups = grouped(run, heights)
    rows = [_cells(run, [run.rows[at] for at in group], vocabulary) for group in groups]
    head = head_rows(run, groups, heights)
    if head > 1:
        merged = [[piece for at in group for piece in run.rows[at]] for group in groups[:head]]
        rows[:head] = [_cells(run, merged, vocabulary)]
    return TableBlock(rows, min(head, 1), [x0 for x0, _ in run.columns], median(row[0].size for row in run.rows))


def _cells(run: Run, rows: Sequence[Row], vocabulary: frozenset[str]) -> list[Cell]:
    if len(rows) == 1 and len(rows[0]) == 1 and _goes_across(run, rows[0][0]):
        return [Cell(inline(rows[0], vocabulary), colspan=len(run.columns))]
    cells: list[list[Piece]] = [[] for _ in run.columns]
    for row in rows:
        for piece in row:
            cells[column_at(run.columns, piece)].append(piece)
    return [Cell(inline(pieces, vocabulary) if pieces else "") for pieces in cells]


def _goes_across(run: Run, piece: Piece) -> bool:
    return sum(piece.x0 < x1 and piece.x1 > x0 for x0, x1 in run.columns) > 1


def grouped(run: Run, heights: Sequence[float]) -> list[list[int]]:
    """Give the lines of a run by the rows of the table that they make."""
    banded = _bands(run, heights)
    if banded is not None:
        return banded
    numeric = _numeric_columns(run)
    groups: list[list[int]] = []
    ahead: list[int] = []
    for at, row in enumerate(run.rows):
        before, after = _distance(run, at - 1), _distance(run, at)
        is_part = at not in run.spanning and _is_continuation(run, row, numeric)
        if is_part and groups and before <= min(after * 1.25, _TIGHT * row[0].size) and not ahead:
            groups[-1].append(at)
        elif is_part and after < 0.8 * before and after <= _TIGHT * row[0].size:
            ahead.append(at)
        else:
            groups.append([*ahead, at])
            ahead = []
    return groups + ([ahead] if ahead else [])


def _distance(run: Run, at: int) -> float:
    """Give the distance from the middle of a row to that of the next; a large one beyond the ends."""
    if not 0 <= at < len(run.rows) - 1:
        return 1e6
    return run.rows[at + 1][0].middle - run.rows[at][0].middle


def _bands(run: Run, heights: Sequence[float]) -> list[list[int]] | None:
    """Give the lines between rules as rows, where rules part the rows of the table; None where they do not."""
    bands: dict[int, list[int]] = {}
    for at, row in enumerate(run.rows):
        bands.setdefault(sum(height < row[0].middle for height in heights), []).append(at)
    if len(bands) < 3:
        return None
    numeric = _numeric_columns(run)
    for band in bands.values():
        stacked = [column_at(run.columns, piece) for at in band for piece in run.rows[at]]
        if any(stacked.count(column) > 1 for column in numeric) or len(band) > 8:
            return None
    return list(bands.values())


def _numeric_columns(run: Run) -> set[int]:
    columns: list[list[bool]] = [[] for _ in run.columns]
    for row in run.rows:
        for piece in row:
            columns[column_at(run.columns, piece)].append(FIGURE.fullmatch(piece.text) is not None)
    return {at for at, known in enumerate(columns) if known and sum(known) * 2 >= len(known)}


def _is_continuation(run: Run, row: Row, numeric: set[int]) -> bool:
    """Tell whether a line may only go on with cells of the row beside it."""
    filled = {column_at(run.columns, piece) for piece in row}
    if filled & numeric or 2 * len(filled) > len(run.columns) or any(FIGURE.fullmatch(piece.text) for piece in row):
        return False
    if 0 not in filled:
        return True
    return len(filled) == 1 and bool(numeric) and not row[0].is_bold and row[0].text[:1].islower()


def head_rows(run: Run, groups: Sequence[Sequence[int]], heights: Sequence[float]) -> int:
    """Give how many of the first rows name the columns: set off by a rule or in bold, or without the figures below."""
    if len(groups) < 2:
        return 0
    tops = [run.rows[group[0]][0].middle for group in groups]
    first_rule = next((height for height in heights if height > tops[0]), None)
    above = sum(top < first_rule for top in tops) if first_rule is not None else 0
    has_other_rule = any(height < tops[0] for height in heights) or above in (1, 2, 3)
    pieces = [[piece for at in group for piece in run.rows[at]] for group in groups]
    has_figures = [any(FIGURE.fullmatch(piece.text) for piece in row) for row in pieces]
    if 0 < above <= 3 and has_other_rule and above < len(groups) and not any(has_figures[:above]):
        return above
    is_full = 2 * len(pieces[0]) > len(run.columns)
    is_bold = all(piece.is_bold for piece in pieces[0]) and not all(piece.is_bold for piece in pieces[1])
    if is_full and not has_figures[0] and (is_bold or sum(has_figures[1:]) * 2 >= len(groups) - 1):
        return 1
    return 0
