"""Tell text in columns from the cells of tables: its lines break where the column is full."""

from collections.abc import Sequence
from itertools import pairwise

from gleaner.documents.lines import Piece
from gleaner.documents.page import around

LEAST_LINES = 4
_LEAST_WORDS, _LEAST_CHARACTERS = 3.0, 18.0
"""Of a line, on average."""
_MOSTLY_FULL, _MOST_OF_WIDTH = 0.6, 0.7


def is_prose(columns: Sequence[Sequence[Piece]], least: int = LEAST_LINES) -> bool:
    """Tell whether columns are text: lines, ``least`` in each, that break when they are full."""
    texts = [lines for lines in columns if len(lines) >= least]
    if len(texts) < 2 or not all(map(breaks_when_full, texts)):
        return False
    width = around(piece for lines in columns for piece in lines).width
    return sum(around(lines).width for lines in texts) >= _MOST_OF_WIDTH * width


def breaks_when_full(lines: Sequence[Piece]) -> bool:
    """Tell whether lines are text that fills its column."""
    count, right = len(lines), max(line.x1 for line in lines)
    if sum(len(line.words) for line in lines) < _LEAST_WORDS * count:
        return False
    if sum(len(line.text) for line in lines) < _LEAST_CHARACTERS * count:
        return False
    full = sum(line.x1 + 0.3 * line.size + following.words[0].width >= right for line, following in pairwise(lines))
    return full >= _MOSTLY_FULL * (count - 1)
