"""Find lines whose pieces stand in the same columns without rules: tables, columns of text, cards."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from gleaner.documents.lines import Piece, Row, marker_of
from gleaner.documents.page import Box, around
from gleaner.documents.tables.columns import FIGURE, is_figure

_FARTHEST_ROW = 3.0
"""Sizes of the text between two rows of a table; wider ones are accepted where all its rows are as far apart."""
_TOUCHING = 1.0
_LARGER = 1.1
_LEAST_SEVERAL = 6
"""Lines to one with more than two cells: the other lines of high cells have one or two."""
_TITLE, _FEWEST_ROWS = 1.15, 2
"""Sizes of the rows below that a title has at least."""
_MOST_BESIDE, _WIDE_GUTTER = 14, 4.0
_LEAST_LINES = 4
_LEAST_WORDS = 3.0
"""Of a line of text, on average."""
_MOSTLY_FULL, _MOST_OF_WIDTH = 0.6, 0.7
_FEWEST_CARDS, _BLANK = 3, 0.3
"""Cards below each other, and sizes of the text by which the blanks between them are higher than within them."""


@dataclass(slots=True)
class Run:
    """Rows whose pieces stand in the same columns. ``spanning`` are the rows that go across."""

    rows: list[Row]
    columns: list[tuple[float, float]]
    spanning: set[int]

    @property
    def box(self) -> Box:
        """The box around all of it."""
        return around(piece for row in self.rows for piece in row)


def runs_of(rows: Sequence[Row]) -> list[Run]:
    """Part rows into runs of the same columns, from top to bottom."""
    runs: list[Run] = []
    for index, row in enumerate(rows):
        run = runs[-1] if runs else None
        if run is not None and _is_near(run, row) and not _begins_after_heading(run, row):
            columns = _fitted(run.columns, row)
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


def _columns_of(run: Run) -> list[tuple[float, float]]:
    columns: list[tuple[float, float]] = []
    for at, row in enumerate(run.rows):
        columns = columns if at in run.spanning else _fitted(columns, row) or run.columns
    return columns


def _fitted(columns: Sequence[tuple[float, float]], row: Row) -> list[tuple[float, float]] | None:
    """Give the columns with a row added; None where a piece of it goes across two, or all stand in one."""
    grown = list(columns)
    if len(row) > 1 and any(x0 - _TOUCHING < row[0].x1 and row[-1].x0 < x1 + _TOUCHING for x0, x1 in columns):
        return None
    for piece in row:
        touched = [at for at, (x0, x1) in enumerate(grown) if piece.x0 < x1 + _TOUCHING and piece.x1 > x0 - _TOUCHING]
        if len(touched) > 1:
            return None
        if touched:
            x0, x1 = grown.pop(touched[0])
            grown.append((min(x0, piece.x0), max(x1, piece.x1)))
        else:
            grown.append((piece.x0, piece.x1))
    grown.sort()
    return grown if all(one[1] + _TOUCHING < other[0] for one, other in pairwise(grown)) else None


def _begins_after_heading(run: Run, row: Row) -> bool:
    """Tell whether a row is a heading, in larger letters than the one above, or the first one below headings alone."""
    if len(row) == 1:
        return row[0].size >= _LARGER * run.rows[-1][0].size
    above = run.rows[-1]
    return all(len(each) == 1 for each in run.rows) and above[0].size >= _LARGER * max(piece.size for piece in row)


def _top(row: Row) -> float:
    return min(piece.top for piece in row)


def _bottom(row: Row) -> float:
    return max(piece.bottom for piece in row)


def gaps_of(rows: Sequence[Row]) -> list[float]:
    """Give the blank heights between rows."""
    return [max(0.0, _top(below) - _bottom(above)) for above, below in pairwise(rows)]


def _is_near(run: Run, row: Row) -> bool:
    gap = _top(row) - _bottom(run.rows[-1])
    return gap <= _FARTHEST_ROW * row[0].size or gap <= 1.3 * max(gaps_of(run.rows[-12:]), default=0.0)


def _is_title_within(run: Run, row: Row, following: Row) -> bool:
    """Tell whether the columns go on below a row that goes across some: a title of rows, or a cell that is too long."""
    many = [each for each in run.rows if len(each) > 1]
    if len(many) < 2 or len(following) < 2 or _fitted(run.columns, following) is None:
        return False
    return row[0].size <= _LARGER * many[0][0].size


def are_cards(run: Run) -> bool:
    """Tell whether the columns of a run are read one by one: in each stand lines that go on in the next, or cards."""
    columns = by_column(run)
    if len(columns) < 2 or run.spanning or min(map(len, columns)) < max(3, 0.7 * len(run.rows)):
        return False
    is_text = all(sum(_goes_on(one, other) for one, other in pairwise(lines)) > 1 for lines in columns)
    return is_text or _repeat_a_card(run)


def _repeat_a_card(run: Run) -> bool:
    """Tell whether the same few lines, with a blank below, stand in all columns again and again.

    All first lines of cards look alike, all second ones, and so on; the columns of a table look different.
    """
    gaps = gaps_of(run.rows)
    ends = [at for at, gap in enumerate(gaps, 1) if gap > min(gaps) + _BLANK * run.rows[0][0].size]
    cards = [run.rows[start:end] for start, end in pairwise([0, *ends, len(run.rows)])]
    height = len(cards[0])
    if len(cards) < _FEWEST_CARDS or height < _FEWEST_ROWS or any(len(card) != height for card in cards):
        return False
    looks: list[tuple[bool, bool]] = []
    for line in range(height):
        cells = [[(one.is_bold, is_figure(one.text)) for one in card[line]] for card in cards]
        looks.append(Counter(look for row in cells for look in row).most_common(1)[0][0])
        if any(2 * column.count(looks[-1]) <= len(column) for column in zip(*cells, strict=False)):
            return False
    return looks.count(looks[0]) == 1


def _goes_on(line: Piece, following: Piece) -> bool:
    is_text = len(line.words) > 1 and not line.text.endswith((".", ":", "!", "?")) and following.text[:1].islower()
    return is_text and following.y - line.y <= 1.6 * line.size


def by_column(run: Run) -> list[list[Piece]]:
    """Give the pieces of a run by columns, from top to bottom."""
    columns: list[list[Piece]] = [[] for _ in run.columns]
    for row in run.rows:
        for piece in row:
            columns[_column_at(run.columns, piece)].append(piece)
    return columns


def is_prose(columns: Sequence[Sequence[Piece]], least: int = _LEAST_LINES) -> bool:
    """Tell whether columns are text: lines, ``least`` in each, that break when they are full."""
    texts = [lines for lines in columns if len(lines) >= least]
    if len(texts) < 2 or not all(map(breaks_when_full, texts)):
        return False
    width = around(piece for lines in columns for piece in lines).width
    return sum(around(lines).width for lines in texts) >= _MOST_OF_WIDTH * width


def breaks_when_full(lines: Sequence[Piece]) -> bool:
    """Tell whether lines are text that fills its column, but for the last lines of items."""
    count, right = len(lines), max(line.x1 for line in lines)
    if sum(len(line.words) for line in lines) < _LEAST_WORDS * count:
        return False
    going_on = [(line, following) for line, following in pairwise(lines) if not marker_of(following)]
    full = sum(line.x1 + 0.3 * line.size + following.words[0].width >= right for line, following in going_on)
    return full >= _MOSTLY_FULL * max(1, len(going_on))


def _column_at(columns: Sequence[tuple[float, float]], piece: Box) -> int:
    """Give the column that shares most of its width with a piece, or is nearest."""
    return max(
        range(len(columns)),
        key=lambda at: min(columns[at][1], piece.x1) - max(columns[at][0], piece.x0),
    )


def is_table(run: Run) -> bool:
    """Tell whether the columns of a run make a table: enough rows that say something in more than one.

    Two are enough where names have figures beside them.
    """
    many, several = sum(len(row) > 1 for row in run.rows), sum(len(row) > 2 for row in run.rows)
    if len(run.columns) == len(run.rows) == many == _FEWEST_ROWS:
        return all(FIGURE.fullmatch(row[-1].text) and not FIGURE.fullmatch(row[0].text) for row in run.rows)
    if len(run.columns) > 2 and several > 2 and _LEAST_SEVERAL * several >= len(run.rows):
        return True
    return len(run.columns) >= 2 and many >= (2 if len(run.columns) > 2 else 3) and 2 * many >= len(run.rows)


def trimmed(run: Run) -> tuple[list[Row], Run, list[Row]]:
    """Part a run into text above the table, the table, and text below it: lines that say something in one column."""
    first = next((at for at, row in enumerate(run.rows) if len(row) > 1), 0)
    last = max(first, max((at for at, row in enumerate(run.rows) if len(row) > 1), default=len(run.rows) - 1))
    near = 0.75 * min(gaps_of(run.rows[first : last + 1]), default=0.0)
    while last + 1 < len(run.rows):
        gap = _top(run.rows[last + 1]) - _bottom(run.rows[last])
        if gap > max(0.45 * run.rows[last][0].size, near):
            break
        last += 1
    spanning = {at - first for at in run.spanning if first <= at <= last}
    table = Run(run.rows[first : last + 1], run.columns, spanning)
    table.columns = _columns_of(table)
    return run.rows[:first], table, run.rows[last + 1 :]


def _titles_beside(run: Run) -> float | None:
    """Give the middle of the gutter before the second of several titles, each over columns of its own."""
    titles, *rows = run.rows
    if len(titles) < _FEWEST_ROWS or len(run.columns) < _FEWEST_ROWS * len(titles) or len(rows) < _FEWEST_ROWS:
        return None
    if min(piece.size for piece in titles) <= _TITLE * max(piece.size for row in rows for piece in row):
        return None
    second = _column_at(run.columns, titles[1])
    return (run.columns[second - 1][1] + run.columns[second][0]) / 2 if second > 1 else None


def side_by_side(run: Run) -> float | None:
    """Give the middle of a gutter that parts blocks which have nothing to do with each other; None for one table.

    An address beside the details of an invoice: the gutter is far wider than any other, the blocks end at different
    lines or do not stand on the same ones.
    """
    gaps = [right - left for (_, left), (right, _) in pairwise(run.columns)]
    if (gutter := _titles_beside(run)) is not None:
        return gutter
    if not gaps or len(run.rows) > _MOST_BESIDE:
        return None
    at = gaps.index(max(gaps))
    others = gaps[:at] + gaps[at + 1 :]
    gutter = (run.columns[at][1] + run.columns[at + 1][0]) / 2
    is_uneven = not all(row[0].x < gutter <= row[-1].x for row in run.rows)
    is_far = gaps[at] >= _WIDE_GUTTER * run.rows[0][0].size and gaps[at] >= 2.5 * max(others, default=0.0)
    return gutter if is_uneven and is_far else None


def beside(rows: Sequence[Row], gutter: float, *, is_left: bool) -> list[Row]:
    """Give what of some rows stands on one side of a gutter."""
    parts = ([piece for piece in row if (piece.x < gutter) == is_left] for row in rows)
    return [part for part in parts if part]
