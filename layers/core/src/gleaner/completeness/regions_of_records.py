"""Find the part of the page to which each record's inner lists belong."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from gleaner.completeness.stated_places import Span, StatedPlaces

_BORDER = re.compile(r"^(?:#{1,6} |[ \t]*-{3,}[ \t]*$)", re.MULTILINE)
"""A heading, or a rule between sections: what follows is no more of a record."""


@dataclass(frozen=True, slots=True)
class Regions:
    """Where each record's lists may stand: from its place to the next record's, the last one's to the next heading."""

    starts: list[int]
    ends: list[int]
    numbers: list[int]

    @classmethod
    def of(cls, spans: Sequence[Span | None], stated: StatedPlaces, text: str) -> "Regions":
        """Give the regions of the records at ``spans``; ``stated`` tells how far the last one reaches."""
        known = sorted((span, number) for number, span in enumerate(spans) if span is not None)
        alone = [one for at, one in enumerate(known) if at == 0 or known[at - 1][0][0] < one[0][0]]
        starts = [span[0] for span, _ in alone]
        return cls(starts, [*starts[1:], _last_end(spans, stated, text)], [number for _, number in alone])

    def record_at(self, start: int, end: int) -> int | None:
        """Give the record that a place lies in."""
        at = bisect_right(self.starts, start) - 1
        return self.numbers[at] if at >= 0 and end <= self.ends[at] else None


def _last_end(spans: Sequence[Span | None], stated: StatedPlaces, text: str) -> int:
    """Give where the last record ends: at the heading or rule behind all that it states, though its piece is shorter.

    A piece may be but the heading of a record whose list stands below it.
    """
    last = max((span for span in spans if span is not None), default=(0, 0))
    reached = max((end for start, end, _ in stated.places if start >= last[0]), default=0)
    if reached <= last[1]:
        return last[1]
    border = _BORDER.search(text, reached)
    return border.start() if border else len(text)
