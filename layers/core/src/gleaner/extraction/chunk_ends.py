"""Where chunks of a page end: before the record that a border of its text would cut, and within the limit. Pure."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from gleaner.extraction.joined_pieces import JoinedPieces
from gleaner.ledger import NumberedUnit, number_units, spare_units
from gleaner.units import SPARE_SCORE, PlacedUnit

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
        """Give where a chunk ends that begins at ``start`` and may reach to ``end``."""
        border = _border(self._units, self._spare, self._joined, start, end)
        return start + _before_heading(self._markdown[start:border]) if border < end else end

    @cached_property
    def _numbered(self) -> tuple[NumberedUnit, ...]:
        return number_units(self._placed)

    @cached_property
    def _units(self) -> list[NumberedUnit]:
        return list(_with_all_their_text(self._numbered, self._placed))

    @cached_property
    def _spare(self) -> tuple[NumberedUnit, ...]:
        return spare_units(self._placed)

    @cached_property
    def _joined(self) -> JoinedPieces:
        return JoinedPieces(self._units, self._spare, self._markdown)


def _with_all_their_text(numbered: Sequence[NumberedUnit], units: Sequence[PlacedUnit]) -> Iterator[NumberedUnit]:
    """Give units up to their own ends where one other lies in them at most: a box in a record is no reply to it."""
    starts = sorted(unit.start for unit in numbered)
    for unit in numbered:
        end = units[unit.number].end
        inside = bisect_left(starts, end) - bisect_right(starts, unit.start)
        yield replace(unit, end=end) if inside <= 1 else unit


def _border(
    units: Sequence[NumberedUnit], spare: Sequence[NumberedUnit], joined: JoinedPieces, start: int, end: int
) -> int:
    """Give the start of the outermost unit that ``end`` cuts, if at least half of the chunk stays; else ``end``.

    Where it cuts none, the start of a small box, which may be the record that the units are parts of, and of a piece of
    which only the title would stand before it. Else the place where most ways to join the pieces around it to records
    begin one. Where there are no such ways, and no spare piece ends there either, the start of the innermost one that
    it cuts and that does not begin inside a unit: that may be a record which only the text sets apart.
    """
    least = start + (end - start) / 2
    cut = [unit.start for unit in units if least <= unit.start < end < unit.end]
    if cut:
        return min(cut)
    around = [unit for unit in spare if least <= unit.start < end < unit.end and unit.score >= SPARE_SCORE]
    boxes = [
        unit.start
        for unit in around
        if unit.score > SPARE_SCORE and _MOST_BOXES * (unit.end - unit.start) <= end - start
    ]
    titled = [
        box.start for box in around if units and not any(unit.start < end and unit.end > box.start for unit in units)
    ]
    if boxes or titled:
        return min([*boxes, *titled])
    if (begun := joined.begin_before(end)) is not None and begun >= least:
        return begun
    if any(0 <= end - unit.end <= _GAP for unit in spare):
        return end
    starts = {unit.start for unit in spare if least <= unit.start < end < unit.end}
    return max((at for at in starts if not any(unit.start < at < unit.end for unit in units)), default=end)


def _before_heading(content: str) -> int:
    """Give where a run ends without the heading that it ends with: that belongs to what follows."""
    found = _HEADING_AT_END.search(content)
    return found.start() if found and found.start() * 2 >= len(content) else len(content)
