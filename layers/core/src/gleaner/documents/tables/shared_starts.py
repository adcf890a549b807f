"""Find the places at which columns begin on page after page, and part lines there.

A page of a long list may hold three rows of it, too few to tell columns from words that happen to stand far apart. The
pages around it have the same columns.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

from gleaner.documents.lines import WIDE_GAP, Piece, Row, Walls, piece_of, rows_of
from gleaner.documents.page import PageContents, Word
from gleaner.documents.tables.columns import FIGURE
from gleaner.documents.tables.rows import are_numbers
from gleaner.documents.tables.runs import Run, by_column

_NEAR = 1.5
"""Points by which the words at the left of a column begin apart."""
_FEWEST_PAGES, _FEWEST_COLUMNS = 3, 3
_USUAL = 0.15
"""Share of the lines with wide gaps, over all pages, in which a column begins anew: a number that stands in the first
of five lines of each row has a fifth."""
_MOSTLY = 0.9
_LEAST_GAP, _WIDEST_WITHIN = 0.3, 2.5
"""Sizes of the text: a blank before a word at such a place parts a line; a wider one elsewhere does, too."""


def count_starts(page: PageContents) -> Counter[int]:
    """Count the lines of a page with wide gaps (under -1), and those of them in which a piece begins at each point."""
    lines = [row for row in rows_of(page.words, Walls()) if len(row) > 1]
    starts = Counter(at for row in lines for at in {round(piece.x0) for piece in row})
    starts[-1] = len(lines)
    return starts


def shared_starts(counts: Sequence[Counter[int]]) -> tuple[int, ...]:
    """Give the places, from left to right, at which columns begin on several pages; none unless there are several."""
    total = Counter[int]()
    for count in counts:
        total.update(count)
    least = _USUAL * total.pop(-1, 0)
    around = {at: sum(total[near] for near in (at - 1, at, at + 1)) for at in total}
    found = [
        at
        for at in sorted(around)
        if around[at] >= least
        and total[at] == max(total[near] for near in range(at - 2, at + 3))
        and sum(any(count[near] for near in (at - 1, at, at + 1)) for count in counts) >= _FEWEST_PAGES
    ]
    return tuple(found) if len(found) >= _FEWEST_COLUMNS else ()


def part_at(rows: Iterable[Row], starts: Sequence[int]) -> list[Row]:
    """Give the lines parted at the places where columns begin, if a wide gap ends at one of these, and hardly else."""
    return [_parted(row, starts) if starts and _is_laid_out(row, starts) else row for row in rows]


def are_at(rows: Iterable[Row], starts: Sequence[int]) -> bool:
    """Tell whether nearly all pieces of some lines begin where the columns of several pages do."""
    pieces = [piece for row in rows for piece in row]
    return sum(_is_at(piece, starts) for piece in pieces) >= _MOSTLY * len(pieces)


def are_counted(run: Run, starts: Sequence[int]) -> bool:
    """Tell whether lines are rows of a list: they stand in columns of several pages, the first of which counts them."""
    numbers = by_column(run)[0]
    is_first = run.rows[0][0] is numbers[0]
    return len(run.columns) >= _FEWEST_COLUMNS and is_first and are_numbers(numbers) and are_at(run.rows, starts)


def _is_laid_out(row: Row, starts: Sequence[int]) -> bool:
    return _is_at(row[0].words[0], starts) and any(_is_at(piece, starts) for piece in row[1:])


def _is_at(box: Word | Piece, starts: Sequence[int]) -> bool:
    return any(abs(box.x0 - at) <= _NEAR for at in starts)


def _parted(row: Row, starts: Sequence[int]) -> Row:
    words = sorted((word for piece in row for word in piece.words), key=lambda word: word.x0)
    groups = [[words[0]]]
    for before, word in pairwise(words):
        gap = (word.x0 - before.x1) / max(before.size, word.size)
        is_apart = gap > (WIDE_GAP if FIGURE.fullmatch(word.text) else _WIDEST_WITHIN)
        if is_apart or (gap >= _LEAST_GAP and _is_at(word, starts)):
            groups.append([word])
        else:
            groups[-1].append(word)
    return [piece_of(group) for group in groups]
