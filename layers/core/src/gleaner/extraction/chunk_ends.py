"""Where chunks of a page end: before the record that a border of its text would cut, and within the limit. Pure."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from gleaner.completeness.ledger import NumberedUnit, number_units
from gleaner.units import PlacedUnit

_HEADING_AT_END = re.compile(r"^#{1,6}[ \t][^\n]*\s*\Z", re.MULTILINE)


class ChunkEnds:
    """Moves the end of a chunk to the start of the unit that it cuts (CH-3).

    What is left out of one chunk begins the next, so that none is longer than the limit. ``units`` are all units of
    the page, numbered by their position.
    """

    def __init__(self, markdown: str, units: Sequence[PlacedUnit]) -> None:
        self._markdown = markdown
        self._placed = units

    def __call__(self, start: int, end: int) -> int:
        """Give where a chunk ends that begins at ``start`` and may reach to ``end``: at least half of it stays."""
        border = self._border(start + (end - start) / 2, end)
        return start + _before_heading(self._markdown[start:border]) if border < end else end

    def _border(self, least: float, end: int) -> int:
        """Give the start of the outermost unit that ``end`` cuts, if it is not before ``least``; else ``end``."""
        low, high = bisect_left(self._starts, least), bisect_left(self._starts, end)
        return next((unit.start for unit in self._units[low:high] if unit.end > end), end)

    @cached_property
    def _units(self) -> list[NumberedUnit]:
        numbered = number_units(self._placed)
        return sorted(_with_all_their_text(numbered, self._placed), key=lambda unit: unit.start)

    @cached_property
    def _starts(self) -> list[int]:
        return [unit.start for unit in self._units]


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
