"""Where chunks of a page end: before the record that a border of its text would cut, and within the limit. Pure."""

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import accumulate
from statistics import median

from gleaner.completeness.ledger import number_units, spare_units
from gleaner.page.model import NumberedUnit
from gleaner.units import BEGINNING, PRIMARY_SCORE, ROUND_SCORE, SPARE_SCORE, PlacedUnit

_HEADING_AT_END = re.compile(r"^#{1,6}[ \t][^\n]*\s*\Z", re.MULTILINE)
_MOST_BOXES = 4
_GAP = 4
"""Blanks and separators at most between a piece and the border behind it."""


class ChunkEnds:
    """Moves the end of a chunk to the start of the unit that it cuts; else to that of a spare piece (CH-3).

    What is left out of one chunk begins the next, so that none is longer than the limit. ``units`` are all units of
    the page, numbered by their position.
    """

    def __init__(self, markdown: str, units: Sequence[PlacedUnit]) -> None:
        self._markdown = markdown
        self._placed = units

    def __call__(self, start: int, end: int) -> int:
        """Give where a chunk ends that begins at ``start`` and may reach to ``end``: at least half of it stays."""
        border = self._border(start + (end - start) / 2, end, (end - start) / _MOST_BOXES)
        return start + _before_heading(self._markdown[start:border]) if border < end else end

    def _border(self, least: float, end: int, small: float) -> int:
        """Give the start of the outermost unit that ``end`` cuts, if it is not before ``least``; else ``end``.

        Where it cuts none, the start of a box up to ``small``, which may be the record that the units are parts of, and
        of a piece of which only the title would stand before it. Else the place where most ways to join the pieces
        around it to records begin one. Else that of a small piece that begins as records do (in bold, or as a link),
        where what follows the border does not. Where no spare piece ends there either, the start of the innermost one
        that it cuts and that does not begin inside a unit: that may be a record which only the text sets apart.
        """
        if cut := self._units.cut_at(least, end):
            return cut[0].start
        around = self._spare.cut_at(least, end)
        boxes = [one for one in around if one.score >= SPARE_SCORE]
        taken = [
            box.start
            for box in boxes
            if (box.score > SPARE_SCORE and box.end - box.start <= small) or self._is_title_alone(box, end)
        ]
        if taken:
            return min(taken)
        if (begun := self._begun_at(least, end)) is not None:
            return begun
        led = [one.start for one in around if one.end - one.start <= small and self._is_led(one.start)]
        if led and not self._is_led(end):
            return max(led)
        if self._spare.end_within(end - _GAP, end):
            return end
        return max((one.start for one in around if not self._units.lie_between(one.start, one.start)), default=end)

    def _is_led(self, start: int) -> bool:
        return BEGINNING.match(self._markdown, start) is not None

    def _is_title_alone(self, box: NumberedUnit, end: int) -> bool:
        """Tell whether a box of the page's list would leave no unit before the border."""
        return bool(self._units.all) and not self._units.lie_between(box.start, end)

    @cached_property
    def _units(self) -> "_Places":
        numbered = number_units(self._placed)
        return _Places(_with_all_their_text(numbered, self._placed))

    @cached_property
    def _spare(self) -> "_Places":
        return _Places(spare_units(self._placed))

    def _begun_at(self, least: float, end: int) -> int | None:
        """Give where most ways to join pieces begin a record, from the first joined piece on that ``end`` cuts, if any.

        Where a listing by its looks says what the records are, nothing is joined.
        """
        cut = [] if self._is_listed else [one for one in self._spare.cut_at(least, end) if one.score == ROUND_SCORE]
        if not cut:
            return None
        low, high = bisect_left(self._begun, (cut[0].start, 0)), bisect_left(self._begun, (end + _GAP + 1, 0))
        return min(max(self._begun[low:high], key=lambda one: (one[1], one[0]))[0], end)

    @cached_property
    def _is_listed(self) -> bool:
        return any(unit.score >= PRIMARY_SCORE for unit in self._units.all)

    @cached_property
    def _begun(self) -> list[tuple[int, int]]:
        """Give the places where ways to join pieces begin one, in order, and how many do.

        One whose first and last piece are as long as most counts for each of these once more: a run of records rarely
        begins or ends within one.
        """
        ways: dict[int, list[NumberedUnit]] = {}
        for unit in self._spare.all:
            if unit.score == ROUND_SCORE:
                ways.setdefault(unit.group, []).append(unit)
        found: Counter[int] = Counter()
        for pieces in ways.values():
            lengths = [self._markdown.count("\n", piece.start, piece.end) for piece in pieces]
            whole = sum(lengths[at] == median(lengths) for at in (0, -1))
            found.update({piece.start: 1 + whole for piece in pieces})
        return sorted(found.items())


class _Places:
    """Units in order, to be found by where they stand without looking at each of them."""

    def __init__(self, units: Iterable[NumberedUnit]) -> None:
        self.all = sorted(units, key=lambda unit: unit.start)
        self._starts = [unit.start for unit in self.all]
        self._reach = list(accumulate((unit.end for unit in self.all), max))
        self._ends = sorted(unit.end for unit in self.all)

    def cut_at(self, least: float, place: int) -> list[NumberedUnit]:
        """Give those that begin at ``least`` or later, and that a border would cut."""
        low, high = bisect_left(self._starts, least), bisect_left(self._starts, place)
        return [unit for unit in self.all[low:high] if unit.end > place]

    def end_within(self, low: int, high: int) -> bool:
        """Tell whether one ends from ``low`` to ``high``."""
        return bisect_left(self._ends, low) < bisect_right(self._ends, high)

    def lie_between(self, start: int, end: int) -> bool:
        """Tell whether one begins before ``end`` and reaches over ``start``."""
        before = bisect_left(self._starts, end)
        return before > 0 and self._reach[before - 1] > start


def _with_all_their_text(numbered: Sequence[NumberedUnit], units: Sequence[PlacedUnit]) -> Iterator[NumberedUnit]:
    """Give units up to their own ends where one other lies in them at most: a box in a record is no reply to it."""
    starts = sorted(unit.start for unit in numbered)
    for unit in numbered:
        end = units[unit.number].end
        inside = bisect_left(starts, end) - bisect_right(starts, unit.start)
        yield replace(unit, end=end) if inside <= 1 else unit


def _before_heading(content: str) -> int:
    """Give where a run ends without the heading that it ends with: that belongs to what follows."""
    found = _HEADING_AT_END.search(content)
    return found.start() if found and found.start() * 2 >= len(content) else len(content)
