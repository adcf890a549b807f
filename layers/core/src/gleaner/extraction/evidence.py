"""What speaks for a record: which of its values a chunk states, and where. Pure; the model is not asked."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any

from gleaner.completeness.ledger import NumberedUnit
from gleaner.contracts.ports import JsonValue
from gleaner.grounding import TextIndex
from gleaner.grounding.leaves import Leaf, SchemaViews, iterate_leaves

Span = tuple[int, int]

_ADDRESS = re.compile(r"(?:https?://|mailto:|tel:|\.{0,2}/)\S*$")
_DEEPEST = 8
"""Units around a place that are looked at: replies within replies."""

_MOST_WEIGHT = 20
_WEIGHT_OF_ADDRESS = 5
_LEAST_SHARE, _LEAST_SHARE_WITHOUT_LEAD = 1 / 3, 1 / 2


class Witness:
    """Looks values up in one chunk. Offsets are the chunk's own, the units' spans by number."""

    def __init__(self, content: str, context: str, units: Sequence[NumberedUnit], base: int, item_schema: Any) -> None:
        self.index = TextIndex(content)
        self.views = SchemaViews(item_schema)
        self.spans = {unit.number: (unit.start - base, unit.end - base) for unit in units}
        self._groups = {unit.number: unit.group for unit in units}
        self._context_text = context
        self._stated: dict[object, list[Span]] = {}

    def checkable(self, record: JsonValue) -> Iterator[Leaf]:
        """Give the leaves that a text would state word for word: no flags, no choices, nothing derived.

        An address that the text does not state may yet stand in the page's links: the proof looks there.
        """
        for leaf in iterate_leaves(record, self.views):
            if leaf.value is None or isinstance(leaf.value, bool) or leaf.value == "":
                continue
            if not leaf.is_derived and not leaf.choices and not (_is_address(leaf) and not self.places(leaf)):
                yield leaf

    def places(self, leaf: Leaf) -> list[Span]:
        """Give where the chunk states a leaf's value."""
        if leaf.key not in self._stated:
            self._stated[leaf.key] = [(match.start, match.end) for match in self.index.find(leaf.value)]
        return self._stated[leaf.key]

    def states(self, leaf: Leaf) -> bool:
        """Tell whether the chunk, or the text before it, states a leaf's value."""
        return bool(self.places(leaf)) or self._in_context(leaf)

    def lead(self, record: JsonValue) -> Leaf | None:
        """Give the first leaf that a text would state: what names the record."""
        return next(self.checkable(record), None)

    def speaks_for(self, record: JsonValue, span: Span) -> bool:
        """Tell whether a run of the chunk may be a record's: it states its first value and a third of it, or half.

        Values that stand outside of all units count as stated: a heading's. So does a record with nothing to look up.
        The lists of a record may stand in the units beside.
        """
        leaves = list(self.checkable(record))
        leaves = [leaf for leaf in leaves if not any(isinstance(step, int) for step in leaf.steps)] or leaves
        if not leaves:
            return True
        inside = [any_inside(self.places(leaf), span) for leaf in leaves]
        if not any(inside):
            return False
        known = [here or self._is_around(leaf) for leaf, here in zip(leaves, inside, strict=True)]
        if inside[0] and all(here or not self.places(leaf) for leaf, here in zip(leaves, known, strict=True)):
            return True
        weights = [_weight(leaf) for leaf in leaves]
        share = sum(weight for weight, here in zip(weights, known, strict=True) if here) / sum(weights)
        return share >= (_LEAST_SHARE if inside[0] else _LEAST_SHARE_WITHOUT_LEAD)

    def units_stating(self, leaf: Leaf) -> set[int]:
        """Give the numbers of the units that state a leaf's value."""
        return {number for start, end in self.places(leaf) for number in self._units_around(start, end)}

    def _units_around(self, start: int, end: int) -> Iterator[int]:
        at = bisect_left(self._ordered, (start + 1, 0, 0))
        return (number for _, last, number in self._ordered[max(0, at - _DEEPEST) : at] if end <= last)

    @cached_property
    def _ordered(self) -> list[tuple[int, int, int]]:
        return sorted((start, end, number) for number, (start, end) in self.spans.items())

    def spans_like(self, numbers: Iterable[int]) -> Iterator[Span]:
        """Give the places of all units of the groups that some units are of."""
        groups = {self._groups[number] for number in numbers}
        return (span for number, span in self.spans.items() if self._groups[number] in groups)

    def is_echo(self, record: JsonValue) -> bool:
        """Tell whether a record is one of the text before the chunk, all of whose values stand there."""
        leaves = list(self.checkable(record))
        return bool(leaves) and bool(self._context_text) and all(self._in_context(leaf) for leaf in leaves)

    def unsaid(self, record: JsonValue, span: Span, *, in_lists: bool) -> Iterator[int]:
        """Give where values begin that a record's own unit does not state, nor the text outside of all units.

        Those of lists inside of the record wherever they stand; with ``in_lists`` no others.
        """
        for leaf in self.checkable(record):
            is_listed = any(isinstance(step, int) for step in leaf.steps)
            places = self.places(leaf)
            if any_inside(places, span) or (in_lists and not is_listed):
                continue
            if is_listed or not self._is_around(leaf):
                yield from (start for start, _ in places)

    def hull(self, record: JsonValue) -> Span | None:
        """Give the run of the chunk around a record's rarest value that holds the nearest mentions of the others."""
        mentions = sorted(self._mentions(record), key=lambda one: (len(one[1]), -len(str(one[0].value))))
        if not mentions:
            return None
        start, end = mentions[0][1][0]
        for _, places in mentions[1:]:
            first, last = min(places, key=lambda place: max(place[0] - end, start - place[1], 0))
            start, end = min(start, first), max(end, last)
        return start, end

    def in_page_order(self, records: list[JsonValue]) -> list[JsonValue]:
        """Give the records by the place of what is rarest in them; as they are when that of one is not known."""
        starts = [self._start(record) for record in records]
        if None in starts:
            return records
        placed = sorted(zip(starts, range(len(starts)), records, strict=True), key=lambda one: one[:2])
        return [record for _, _, record in placed]

    def _start(self, record: JsonValue) -> int | None:
        found = [(len(places), -len(str(leaf.value)), places[0][0]) for leaf, places in self._mentions(record)]
        return min(found)[2] if found else None

    def _mentions(self, record: JsonValue) -> Iterator[tuple[Leaf, list[Span]]]:
        return ((leaf, places) for leaf in self.checkable(record) if (places := self.places(leaf)))

    def _is_around(self, leaf: Leaf) -> bool:
        """Tell whether a value stands outside of all units."""
        return any(not self._is_covered(start) for start, _ in self.places(leaf))

    @cached_property
    def _covered(self) -> list[Span]:
        return _union(self.spans.values())

    def _is_covered(self, position: int) -> bool:
        at = bisect_left(self._covered, (position + 1, -1)) - 1
        return at >= 0 and position < self._covered[at][1]

    @cached_property
    def _context(self) -> TextIndex:
        return TextIndex(self._context_text)

    def _in_context(self, leaf: Leaf) -> bool:
        return bool(self._context_text) and bool(self._context.find(leaf.value))


def _weight(leaf: Leaf) -> int:
    return min(len(str(leaf.value)), _WEIGHT_OF_ADDRESS if _is_address(leaf) else _MOST_WEIGHT)


def _is_address(leaf: Leaf) -> bool:
    return isinstance(leaf.value, str) and _ADDRESS.match(leaf.value) is not None


def any_inside(places: Sequence[Span], span: Span) -> bool:
    """Tell whether one of the places, which are in order, lies in a run."""
    at = bisect_left(places, (span[0], -1))
    while at < len(places) and places[at][0] < span[1]:
        if places[at][1] <= span[1]:
            return True
        at += 1
    return False


def _union(spans: Iterable[Span]) -> list[Span]:
    runs: list[Span] = []
    for start, end in sorted(spans):
        if runs and start <= runs[-1][1]:
            runs[-1] = (runs[-1][0], max(end, runs[-1][1]))
        else:
            runs.append((start, end))
    return runs
