"""Find lines whose pieces stand in the same columns without rules: tables, columns of text, cards."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from gleaner.documents.lines import Piece, Row, marker_of, piece_of, whole
from gleaner.documents.page import Box, around
from gleaner.documents.tables.columns import FIGURE, is_figure

_FARTHEST_ROW = 3.0
"""Sizes of the text between two rows of a table; wider ones are accepted where all its rows are as far apart."""
_TOUCHING = 1.0
_ALIGNED, _LEAST_GAP = 1.5, 0.5
_LARGER = 1.1
_MOST_HEAD_LINES = 3
_LEAST_SEVERAL = 6
"""Lines to one with more than two cells: the other lines of high cells have one or two."""
_TITLE, _FEWEST_ROWS = 1.15, 2
"""Sizes of the rows below that a title has at least."""
_FEWEST_SURE = 3
"""Columns, and lines of them, that are a table beyond doubt."""
_MOST_BESIDE, _WIDE_GUTTER = 14, 4.0
_OFF_LINE = 0.2
"""Sizes of the text by which the base lines of two blocks beside each other differ; cells of one row differ by 0.05."""
LEAST_LINES, _MOST_NOTES = 4, 4
_LEAST_WORDS, _LEAST_CHARACTERS = 3.0, 18.0
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
    for index, found in enumerate(rows):
        row, run = found, runs[-1] if runs else None
        if run is not None and _is_near(run, row) and not _begins_after_heading(run, row):
            columns = _fitted(run.columns, row) or _fitted(_under_heads(run), row)
            if columns is None and _is_within_one(run, row):
                row = [whole(row)]
                columns = _fitted(run.columns, row)
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
    for run, following in pairwise(runs):
        _give_names(run, following)
    return runs


def _give_names(run: Run, following: Run) -> None:
    """Put the last row of a run to the next one where it names the columns of that and stands nearer to it."""
    names = run.rows[-1]
    count = len(run.rows) - 1
    if len(names) <= max(map(len, run.rows[:-1]), default=len(names)) or count in run.spanning:
        return
    columns = _fitted(following.columns, names)
    if columns is None or len(columns) != len(names) or any(FIGURE.fullmatch(piece.text) for piece in names):
        return
    if _top(names) - _bottom(run.rows[-2]) > _top(following.rows[0]) - _bottom(names):
        run.rows.pop()
        run.columns = _columns_of(run)
        following.rows.insert(0, names)
        following.columns = columns
        following.spanning = {at + 1 for at in following.spanning}


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


def _under_heads(run: Run) -> list[tuple[float, float]]:
    """Give the columns of a run, a name that touches none of its cells joined to the column of these cells.

    Such a name, centred over short cells or at their other end, looks like a column of its own that is filled in the
    first rows only, beside one that is filled below them. Where it may name either neighbour, nothing is joined.
    """
    filled = [
        [at for at, row in enumerate(run.rows) for piece in row if column[0] <= piece.x0 and piece.x1 <= column[1]]
        for column in run.columns
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


def _is_within_one(run: Run, row: Row) -> bool:
    """Tell whether all pieces of a row begin in one of several columns: the wide gap is within a cell."""
    if len(run.columns) < _FEWEST_SURE or len(run.rows) < _FEWEST_SURE:
        return False
    return any(x0 - _TOUCHING <= row[0].x0 and row[-1].x0 <= x1 for x0, x1 in run.columns)


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
    usual = max(gaps_of(run.rows), default=0.0)
    gaps = _top(row) - _bottom(run.rows[-1]), _top(following) - _bottom(row)
    return max(gaps) <= 1.6 * usual + 2 and row[0].size <= _LARGER * many[0][0].size


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
    if any(len(row) != len(run.columns) for card in cards[:-1] for row in card):
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


def is_prose(columns: Sequence[Sequence[Piece]], least: int = LEAST_LINES) -> bool:
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
    if sum(len(line.text) for line in lines) < _LEAST_CHARACTERS * count:
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

    Two are enough where dots lead from a name to its price, with notes below, or where names have figures beside them.
    """
    many, several = sum(len(row) > 1 for row in run.rows), sum(len(row) > 2 for row in run.rows)
    if many > 1 and _MOST_NOTES * many >= len(run.rows) and _is_led(run):
        return True
    if len(run.columns) == len(run.rows) == many == _FEWEST_ROWS:
        return all(FIGURE.fullmatch(row[-1].text) and not FIGURE.fullmatch(row[0].text) for row in run.rows)
    if len(run.columns) > 2 and several > 2 and _LEAST_SEVERAL * several >= len(run.rows):
        return True
    return len(run.columns) >= 2 and many >= (2 if len(run.columns) > 2 else 3) and 2 * many >= len(run.rows)


def _is_led(run: Run) -> bool:
    """Tell whether dots lead from one piece to the next in all rows of several."""
    return all(any(piece.words[-1].is_led for piece in row[:-1]) for row in run.rows if len(row) > 1)


def names_columns(run: Run, following: Run) -> bool:
    """Tell whether a run only names the columns of the next one, several at once."""
    if len(run.rows) > _MOST_HEAD_LINES or len(run.columns) < 2 or not _is_near(run, following.rows[0]):
        return False
    has_figures = [any(is_figure(piece.text) for row in each.rows for piece in row) for each in (run, following)]
    return has_figures == [False, True] and is_table(trimmed(following)[1])


def trimmed(run: Run) -> tuple[list[Row], Run, list[Row]]:
    """Part a run into text above the table, the table, and text below it: lines that say something in one column."""
    first = next((at for at, row in enumerate(run.rows) if len(row) > 1), 0)
    fullest = max(len(row) for row in run.rows)
    while first + 1 < len(run.rows) and (
        (2 * len(run.rows[first]) < fullest and _is_parted(run, first)) or _has_a_title(run, first)
    ):
        first += 1
    last = max(first, max((at for at, row in enumerate(run.rows) if len(row) > 1), default=len(run.rows) - 1))
    gaps = gaps_of(run.rows[first : last + 1])
    while last + 1 < len(run.rows):
        gap = _top(run.rows[last + 1]) - _bottom(run.rows[last])
        if gap > max(0.45 * run.rows[last][0].size, 0.75 * min(gaps, default=0.0)):
            break
        last += 1
    spanning = {at - first for at in run.spanning if first <= at <= last}
    table = Run(run.rows[first : last + 1], run.columns, spanning)
    table.columns = _columns_of(table)
    table.columns = _under_heads(table)
    return run.rows[:first], table, run.rows[last + 1 :]


def _has_a_title(run: Run, at: int) -> bool:
    """Tell whether a piece of a row, and not all of it, is in larger letters than the rows below."""
    if len({piece.size for piece in run.rows[at]}) == 1:
        return False
    usual = median(piece.size for row in run.rows[at + 1 :] for piece in row)
    larger = [piece.size > _TITLE * usual for piece in run.rows[at]]
    return any(larger) and not all(larger)


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
    if not gaps or len(run.rows) > _MOST_BESIDE or _is_led(run):
        return None
    at = gaps.index(max(gaps))
    others = gaps[:at] + gaps[at + 1 :]
    gutter = (run.columns[at][1] + run.columns[at + 1][0]) / 2
    sides = [[bool(beside([row], gutter, is_left=is_left)) for row in run.rows] for is_left in (True, False)]
    is_uneven = any(has_left != has_right for has_left, has_right in zip(*sides, strict=True))
    is_far = gaps[at] >= _WIDE_GUTTER * run.rows[0][0].size and gaps[at] >= 2.5 * max(others, default=0.0)
    if is_far and is_uneven and _are_on_lines_of_their_own(run, gutter):
        return gutter
    has_pairs = len(run.columns) - at - 1 == 2 or at + 1 == 2 or (len(run.columns) == 2 and min(map(sum, sides)) > 1)
    return gutter if is_uneven and is_far and has_pairs and not _has_figures_in_rows(run) else None


def _are_on_lines_of_their_own(run: Run, gutter: float) -> bool:
    """Tell whether what stands on both sides of a gutter is on other base lines in most of several rows."""
    steps = [
        abs(row[0].words[0].base - row[-1].words[0].base) / row[0].size
        for row in run.rows
        if row[0].x < gutter < row[-1].x
    ]
    return len(steps) > 1 and 2 * sum(step > _OFF_LINE for step in steps) > len(steps)


def beside(rows: Sequence[Row], gutter: float, *, is_left: bool) -> list[Row]:
    """Give what of some rows stands on one side of a gutter."""
    parts = ([piece for piece in row if (piece.x < gutter) == is_left] for row in rows)
    return [part for part in parts if part]


def _has_figures_in_rows(run: Run) -> bool:
    """Tell whether rows hold several figures, or a column nothing else, as in tables."""
    if any(sum(FIGURE.fullmatch(piece.text) is not None for piece in row) > 1 for row in run.rows):
        return True
    return any(all(FIGURE.fullmatch(piece.text) for piece in pieces[1:]) for pieces in by_column(run) if pieces[2:])


def _is_parted(run: Run, at: int) -> bool:
    """Tell whether a row stands farther from the next than the rows of the run usually do."""
    gaps = gaps_of(run.rows)
    return gaps[at] > 1.2 * sorted(gaps)[len(gaps) // 2] + 1
