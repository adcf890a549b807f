"""Which list of a page a place belongs to (CM-3)."""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence

from gleaner.results.merging import ListPlace, Span
from gleaner.units import PlacedUnit

_MOST_AROUND = 40


class Lists:
    """The groups of a page's units, each in stretches that nothing else interrupts."""

    def __init__(self, units: Sequence[PlacedUnit], markdown: str) -> None:
        self._units = sorted(units, key=lambda unit: (unit.start, -unit.end))
        self._starts = [unit.start for unit in self._units]
        self._sizes = Counter(unit.group for unit in units)
        self._stretch: list[int] = []
        ends: dict[int, tuple[int, int]] = {}
        for unit in self._units:
            end, stretch = ends.get(unit.group, (unit.start, 0))
            stretch += any(sign.isalnum() for sign in markdown[end : unit.start])
            ends[unit.group] = max(end, unit.end), stretch
            self._stretch.append(stretch)

    def of(self, place: Span | None) -> ListPlace | None:
        """Give the list of a place: that of the smallest unit around it, or of the first one in it; None without."""
        if place is None:
            return None
        last = bisect_right(self._starts, place[0])
        around = [at for at in range(max(0, last - _MOST_AROUND), last) if self._units[at].end >= place[1]]
        first = bisect_left(self._starts, place[0])
        if not around and first < len(self._starts) and self._starts[first] < place[1]:
            around = [first]
        if not around:
            return None
        at = min(
            around, key=lambda at: (self._units[at].end - self._units[at].start, *self._rank(self._units[at].group))
        )
        return self._units[at].group, self._stretch[at]

    def _rank(self, group: int) -> tuple[int, int]:
        """Let the larger of two groups come first that have one and the same piece."""
        return -self._sizes[group], group
