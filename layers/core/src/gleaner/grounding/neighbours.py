"""Lines and sentences that belong to one record, where nothing else separates the records."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property

from gleaner.grounding.anchors import anchor_places
from gleaner.grounding.leaves import Leaf
from gleaner.grounding.regions import Span
from gleaner.grounding.text.text_index import Match, TextIndex

_REACH = 400
_LEAST = 3
_END = re.compile(r"\n|[.!?](?=\s)")


class Neighbours:
    """Tells values that stand beside another record's rarest value, in its line or sentence."""

    def __init__(self, records: Mapping[int, Sequence[Leaf]], index: TextIndex) -> None:
        self._text = index.text
        self._index = index
        self._records = records
        self._others: set[int] | None = None

    @cached_property
    def _anchors(self) -> Mapping[int, int]:
        telling = {number: list(filter(_is_telling, own)) for number, own in self._records.items()}
        return anchor_places(telling, self._index)

    @cached_property
    def places(self) -> list[int]:
        """Where the records' own rarest values stand."""
        return sorted(self._anchors.values())

    @cached_property
    def _ordered(self) -> list[int]:
        return self.places if self._others is None else sorted({*self.places, *self._others})

    @cached_property
    def _uses(self) -> Mapping[object, int]:
        return Counter(key for own in self._records.values() for key in {leaf.key for leaf in own})

    def add(self, places: Sequence[int]) -> None:
        """Take the rarest values of other lists' records for neighbours, too."""
        self._others = {*(self._others or ()), *places}

    def own(self, leaf: Leaf, number: int | None, matches: Sequence[Match]) -> Sequence[Match]:
        """Give the matches but those beside another record; all of a value that several records have.

        Only where the record's own line or sentence holds no other record: a row of names says nothing of prices.
        """
        anchor = self._anchors.get(number) if number is not None else None
        if anchor is None or self._uses[leaf.key] > 1 or self._count(self._line(anchor)) != 1:
            return matches
        return [match for match in matches if not self._is_beside_another(match, anchor)]

    def _is_beside_another(self, match: Match, anchor: int) -> bool:
        start, end = self._line(match.start)
        return not start <= anchor < end and self._count((start, end)) == 1

    def _count(self, line: Span) -> int:
        return bisect_left(self._ordered, line[1]) - bisect_left(self._ordered, line[0])

    def _line(self, position: int) -> Span:
        """Give the line or sentence around a position, as far as it is of a usual length."""
        first, last = max(0, position - _REACH), position + _REACH
        ends = [found.end() for found in _END.finditer(self._text, first, position)]
        after = _END.search(self._text, position, last)
        return ends[-1] if ends else first, after.start() if after else min(last, len(self._text))


def _is_telling(leaf: Leaf) -> bool:
    return isinstance(leaf.value, str) and len(leaf.value) >= _LEAST


def nearest(matches: Sequence[Match], window: Span) -> Match:
    """Give the match that begins nearest to where a stretch does."""
    return min(matches, key=lambda match: abs(match.start - window[0]))
