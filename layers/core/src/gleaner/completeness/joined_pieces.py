"""Find where records without a wrapper begin, so that chunks are cut there."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from gleaner.completeness.ledger import NumberedUnit
from gleaner.units import BEGINNING, PRIMARY_SCORE, ROUND_SCORE

_GAP = 4
_HEAD = re.compile(rf"(?:[-*+]\s+|\|\s*)?(?:{BEGINNING.pattern})")
_NAME = re.compile(r"[^\d\n]+$", re.MULTILINE)
_RULE = re.compile(r"^[ \t]*(?:[-*_=][ \t]*){3,}$", re.MULTILINE)
_FOR_RULES = 6.0
_FOR_WHOLE_ENDS = 1.0
_FOR_A_HEAD = 2.0
_FOR_A_NAME = 1.5


class JoinedPieces:
    """The ways to join neighbouring pieces to records, where no listing by its looks says what the records are.

    Each way speaks for the places where it begins a piece: more if rules part its pieces, and if its first and last
    one are as long as others, since a run rarely begins or ends within a record. What begins with emphasis, a link or
    a number, and what has no figures, is a name rather than something said of it.
    """

    def __init__(self, units: Sequence[NumberedUnit], spare: Sequence[NumberedUnit], text: str) -> None:
        is_listed = any(unit.score >= PRIMARY_SCORE for unit in units)
        groups: dict[int, list[NumberedUnit]] = {}
        for unit in () if is_listed else spare:
            if unit.score == ROUND_SCORE:
                groups.setdefault(unit.group, []).append(unit)
        self._text = text
        self._weights: dict[int, float] = {}
        for pieces in groups.values():
            weight = self._weight(pieces)
            for piece in pieces:
                self._weights[piece.start] = self._weights.get(piece.start, 0.0) + weight
        self._pieces = sorted((piece for pieces in groups.values() for piece in pieces), key=lambda one: one.start)
        self._starts = [piece.start for piece in self._pieces]
        self._longest = max((piece.end - piece.start for piece in self._pieces), default=0)

    def begin_before(self, end: int) -> int | None:
        """Give where a record most likely begins, from the first piece that ``end`` cuts on, if any."""
        low, high = bisect_left(self._starts, end - self._longest), bisect_right(self._starts, end + _GAP)
        cut = [piece.start for piece in self._pieces[low:high] if piece.start < end < piece.end]
        places = {start for start in self._starts[low:high] if cut and start >= min(cut)}
        best = max(places, key=lambda start: (self._weights[start] + self._looks(start), start), default=None)
        return None if best is None else min(best, end)

    def _weight(self, pieces: Sequence[NumberedUnit]) -> float:
        texts = [self._said(piece.start, piece.end) for piece in pieces]
        sizes = [text.count("\n") for text in texts]
        gaps = [self._said(one.end, other.start) for one, other in pairwise(pieces)]
        whole = sum(sizes[at] == median(sizes) for at in (0, -1))
        return 1 + _FOR_WHOLE_ENDS * whole + (_FOR_RULES if all(map(_RULE.search, gaps)) else 0)

    def _looks(self, start: int) -> float:
        is_head, is_name = _HEAD.match(self._text, start), _NAME.match(self._text, start)
        return (_FOR_A_HEAD if is_head else 0) + (_FOR_A_NAME if is_name else 0)

    def _said(self, start: int, end: int) -> str:
        return self._text[start:end]
