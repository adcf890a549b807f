"""Find the places at which columns begin on page after page, and part lines there.

A page of a long list may hold three rows of it, too few to tell columns from words that happen to stand far apart. The
pages around it have the same columns. Only lists whose first column counts the rows are read so: text in three columns
has the same places on each page, too.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class Starts:
    """The lines of a page with wide gaps: how many, and how many pieces begin at each point.

    ``firsts`` are the first pieces of lines, ``numbers`` those of them that begin with a number, where these count
    one by one: the days of dates do not.
    """

    lines: int
    pieces: Counter[int]
    firsts: Counter[int]
    numbers: Counter[int]


def count_starts(page: PageContents) -> Starts:
    """Count where the pieces of a page's lines with wide gaps begin."""
    lines = [row for row in rows_of(page.words, Walls()) if len(row) > 1]
    pieces = Counter(at for row in lines for at in {round(piece.x0) for piece in row})
    firsts: dict[int, list[Piece]] = {}
    for row in lines:
        firsts.setdefault(round(row[0].x0), []).append(piece_of(row[0].words[:1]))
    numbers = {at: [one for one in begun if are_numbers([one])] for at, begun in firsts.items()}
    counted = {at: len(found) for at, found in numbers.items() if are_numbers(found)}
    return Starts(len(lines), pieces, Counter({at: len(begun) for at, begun in firsts.items()}), Counter(counted))


def shared_starts(pages: Sequence[Starts]) -> tuple[int, ...]:
    """Give the places, from left to right, at which the columns of a counted list begin on several pages; none else."""
    total = sum((page.pieces for page in pages), Counter[int]())
    least = _USUAL * sum(page.lines for page in pages)
    found = [
        at
        for at in sorted(total)
        if _near(total, at) >= least
        and total[at] == max(total[near] for near in range(at - 2, at + 3))
        and sum(_near(page.pieces, at) > 0 for page in pages) >= _FEWEST_PAGES
    ]
    if len(found) < _FEWEST_COLUMNS:
        return ()
    firsts = sum(_near(page.firsts, found[0]) for page in pages)
    numbers = sum(_near(page.numbers, found[0]) for page in pages)
    return tuple(found) if numbers >= _MOSTLY * firsts else ()


def _near(counts: Counter[int], at: int) -> int:
    return counts[at - 1] + counts[at] + counts[at + 1]


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
    is_first = run.rows[0][0] in numbers[:1]
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
