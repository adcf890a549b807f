"""What speaks for a record: which of its values the chunk states, and where. Pure; the model is not asked."""

import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from gleaner.contracts.ports import JsonValue
from gleaner.judging.amounts.converted import stated_in_another_unit
from gleaner.page.model import NumberedUnit
from gleaner.schemas.leaves import Leaf, SchemaViews, iterate_leaves
from gleaner.values.texts.text_index import TextIndex

Standing = Literal["inside", "around", "context", "elsewhere", "nowhere"]
"""Where a value stands: in its record's unit · outside of all units · in the text before the chunk · only in other
units · nowhere at all."""

_ADDRESS = re.compile(r"(?:https?://|mailto:|tel:|\.{0,2}/)\S*$")
_MOST_WEIGHT = 20
_WEIGHT_OF_ADDRESS = 5
_DEEPEST = 32
_MOST_BARREN = 20


@dataclass(frozen=True, slots=True)
class Sighting:
    """One value of a record that must be stated somewhere, and where it stands; ``weight`` grows with its length."""

    field: str
    standing: Standing
    weight: int


@dataclass(frozen=True, slots=True)
class Evidence:
    """All sightings of one record, in its own order."""

    sightings: tuple[Sighting, ...] = ()

    @property
    def doubts(self) -> tuple[Sighting, ...]:
        """The values that neither the unit nor its surroundings state."""
        return tuple(seen for seen in self.sightings if seen.standing in ("elsewhere", "nowhere"))

    @property
    def share(self) -> float:
        """How much of the record its unit or the surroundings state, by weight; 1 when there is nothing to state."""
        total = sum(seen.weight for seen in self.sightings)
        return 1.0 if total == 0 else 1 - sum(seen.weight for seen in self.doubts) / total

    @property
    def is_believable(self) -> bool:
        """Whether the record is likely the unit's: its first value is stated there, or else most of it.

        One that begins as its unit does, and says nothing that stands in another one, is the unit's, however long the
        values are that the page does not state: these alone are refused.
        """
        if not self.sightings or not self.doubts:
            return True
        if self.leads and not any(seen.standing == "elsewhere" for seen in self.doubts):
            return True
        return self.share >= (1 / 3 if self.leads else 1 / 2)

    @property
    def leads(self) -> bool:
        """Whether the record's first value is stated in its unit."""
        return bool(self.sightings) and self.sightings[0].standing == "inside"

    def counts(self, *standings: Standing) -> int:
        """Count the values with one of these standings."""
        return sum(seen.standing in standings for seen in self.sightings)

    def fields(self, *standings: Standing) -> set[str]:
        """Give the record's own fields that hold a value with one of these standings."""
        return {seen.field.split("/")[0] for seen in self.sightings if seen.standing in standings}


class Witness:
    """Looks values up in one chunk. Offsets are the chunk's own."""

    def __init__(
        self, content: str | TextIndex, context: str, units: Sequence[NumberedUnit], base: int, item_schema: Any
    ) -> None:
        self.index = content if isinstance(content, TextIndex) else TextIndex(content)
        self._context_text = context
        self._context: TextIndex | None = None
        self.views = SchemaViews(item_schema)
        self.spans = {unit.number: (unit.start - base, unit.end - base) for unit in units}
        self._order = sorted(self.spans, key=lambda number: (self.spans[number][0], -self.spans[number][1]))
        self._starts = [self.spans[number][0] for number in self._order]
        self._rank = {number: at for at, number in enumerate(self._order)}
        self._covered = _union(self.spans.values())
        self._stated: dict[object, list[tuple[int, int]]] = {}
        self._homes: dict[object, frozenset[int]] = {}
        self._around: dict[object, bool] = {}
        # By identity, with the record itself, so that no other one takes its number: a record is asked about ten times.
        self._checkable: dict[int, tuple[JsonValue, tuple[Leaf, ...]]] = {}

    def evidence(self, record: JsonValue, span: tuple[int, int] | None) -> Evidence:
        """Give where a record's values stand, seen from the unit at ``span``; None: from outside of all units."""
        return Evidence(tuple(self._sight(leaf, span) for leaf in self.checkable(record)))

    def checkable(self, record: JsonValue) -> Sequence[Leaf]:
        """Give the leaves that a text would state word for word: no flags, no choices, nothing derived.

        An address that the text does not state may yet stand in the page's links: the proof looks there.
        """
        known = self._checkable.get(id(record))
        if known is None or known[0] is not record:
            known = self._checkable[id(record)] = (record, tuple(self._find_checkable(record)))
        return known[1]

    def _find_checkable(self, record: JsonValue) -> Iterator[Leaf]:
        for leaf in iterate_leaves(record, self.views):
            if leaf.value is None or isinstance(leaf.value, bool) or leaf.value == "":
                continue
            if not leaf.is_derived and not leaf.choices and not (_is_address(leaf) and not self.places(leaf)):
                yield leaf

    def states(self, leaf: Leaf) -> bool:
        """Tell whether the chunk, or the text before it, states a leaf's value."""
        return bool(self.places(leaf)) or self._in_context(leaf)

    def places(self, leaf: Leaf) -> list[tuple[int, int]]:
        """Give where the chunk states a leaf's value."""
        key = (leaf.field, leaf.key)
        if key not in self._stated:
            found = self.index.find(leaf.value) or stated_in_another_unit(leaf, self.index)
            self._stated[key] = [(match.start, match.end) for match in found]
        return self._stated[key]

    def is_stated_only_in(self, record: JsonValue, span: tuple[int, int]) -> bool:
        """Tell whether a unit states all of a record, and no text outside of the units states any of it."""
        found = [self.places(leaf) for leaf in self.checkable(record)]
        return all(
            _any_inside(places, span) and all(self._is_covered(start) for start, _ in places) for places in found
        )

    def overlap(self, places: Sequence[tuple[int, int]]) -> Iterator[bool]:
        """Tell for each run of the chunk whether it has something in common with a unit."""
        for start, end in places:
            at = bisect_left(self._covered, (end,))
            yield at > 0 and self._covered[at - 1][1] > start

    def hold(self, places: Sequence[tuple[int, int]]) -> bool:
        """Tell whether each of these runs of the chunk lies in a unit."""
        return all(any(True for _ in self._units_around(*place)) for place in places)

    def lie_in(self, places: Sequence[tuple[int, int]]) -> bool:
        """Tell whether all units that these runs of the chunk touch lie in them."""
        runs = _union(places)
        last = ((runs[at - 1], unit) for unit in self.spans.values() if (at := bisect_left(runs, (unit[1],))))
        return all(run[1] <= unit[0] or run[0] <= unit[0] <= unit[1] <= run[1] for run, unit in last)

    def covers(self, record: JsonValue, span: tuple[int, int]) -> float:
        """Give the share of a run's letters and digits that the record's values make up."""
        inside = [place for leaf in self.checkable(record) for place in self.places(leaf) if _any_inside([place], span)]
        said = sum(_signs(self.index.text[start:end]) for start, end in _union(inside))
        return said / max(1, _signs(self.index.text[span[0] : span[1]]))

    def home(self, record: JsonValue) -> tuple[int, int]:
        """Give the number of the unit that states most of a record, and how many of its values; (-1, 0) for none.

        What is stated in few places counts for more.
        """
        counts: dict[int, int] = {}
        weights: dict[int, float] = {}
        for leaf in self.checkable(record):
            homes = self.units_stating(leaf)
            for number in homes:
                counts[number] = counts.get(number, 0) + 1
                weights[number] = weights.get(number, 0) + 1 / len(homes)
        best = max(weights, key=lambda number: (weights[number], -number), default=-1)
        return best, counts.get(best, 0)

    def units_stating(self, leaf: Leaf) -> frozenset[int]:
        """Give the numbers of the units that state a leaf's value."""
        key = (leaf.field, leaf.key)
        if key not in self._homes:
            homes = (number for start, end in self.places(leaf) for number in self._units_around(start, end))
            self._homes[key] = frozenset(homes)
        return self._homes[key]

    def _units_around(self, start: int, end: int) -> Iterator[int]:
        """Give the units that a run of the chunk lies in, the innermost first."""
        at = bisect_left(self._starts, start + 1)
        for number in reversed(self._order[max(0, at - _DEEPEST) : at]):
            if end <= self.spans[number][1]:
                yield number

    def stretch(self, record: JsonValue, number: int, others: Callable[[], Iterable[int]]) -> tuple[int, ...]:
        """Give the run of neighbouring units that states a record with lists inside; just the unit for a flat one.

        A table's rows may be units while one record takes in several of them (a team and its players). It takes in
        none of ``others()``, the units that other records begin in, and none that states nothing of it: that one is
        missing. What stands in one place only says first how far it reaches. A neighbour that alone states a value
        which is in no list is another record's, mixed into this one.
        """
        if number < 0 or not _holds_a_list(record):
            return (number,)
        foreign = {*others(), *self._strayed(record, number)}
        wanted = [places for leaf in self.checkable(record) if (places := self.places(leaf))]
        run = {number}
        for sought in ([places for places in wanted if len(places) == 1], wanted):
            run |= self._neighbours_with(sought, number, run, foreign)
        return tuple(sorted(run))

    def _strayed(self, record: JsonValue, number: int) -> Iterator[int]:
        """Give the units that state rare values of a record itself, not of its lists, which one unit does not."""
        for leaf in self.checkable(record):
            places = [] if any(isinstance(step, int) for step in leaf.steps) else self.places(leaf)
            if 0 < len(places) <= _MOST_BARREN and not _any_inside(places, self.spans[number]):
                yield from self.units_stating(leaf)

    def _neighbours_with(
        self, sought: list[list[tuple[int, int]]], number: int, run: Collection[int], others: Collection[int]
    ) -> set[int]:
        """Give the units after and before one that state what is sought and the run does not."""
        at = self._rank[number]
        left = [places for places in sought if not any(_any_inside(places, self.spans[known]) for known in run)]
        found: set[int] = set()
        for ranks in (range(at + 1, len(self._order)), range(at - 1, -1, -1)):
            barren = 0
            for neighbour in map(self._order.__getitem__, ranks):
                rest = [places for places in left if not _any_inside(places, self.spans[neighbour])]
                barren = 0 if len(rest) < len(left) else barren + 1
                if neighbour in others or not left or barren > _MOST_BARREN:
                    break
                left = rest
                found |= set() if barren else {neighbour}
        return found

    def span_of(self, numbers: Sequence[int]) -> tuple[int, int]:
        """Give the run of the chunk from the first to the last of these units."""
        spans = [self.spans[number] for number in numbers]
        return min(start for start, _ in spans), max(end for _, end in spans)

    def is_echo(self, record: JsonValue) -> bool:
        """Tell whether a record is one of the text before the chunk, all of whose values stand there."""
        leaves = list(self.checkable(record))
        return bool(leaves) and bool(self._context_text) and all(self._in_context(leaf) for leaf in leaves)

    def hull(self, record: JsonValue) -> tuple[int, int] | None:
        """Give the run of the chunk around a record's rarest value that holds the nearest mentions of the others."""
        mentions = sorted(self._mentions(record), key=lambda one: (len(one[1]), -len(str(one[0].value))))
        if not mentions:
            return None
        start, end = mentions[0][1][0]
        for _, places in mentions[1:]:
            first, last = min(places, key=lambda place: max(place[0] - end, start - place[1], 0))
            start, end = min(start, first), max(end, last)
        return start, end

    def core(self, record: JsonValue, span: tuple[int, int] | None) -> list[tuple[int, int]]:
        """Give the first mention of each of a record's values in a run of the chunk."""
        low, high = span or (0, len(self.index.text))
        found = (_first_inside(places, (low, high)) for _, places in self._mentions(record))
        return [place for place in found if place is not None]

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

    def _mentions(self, record: JsonValue) -> Iterator[tuple[Leaf, list[tuple[int, int]]]]:
        return ((leaf, places) for leaf in self.checkable(record) if (places := self.places(leaf)))

    def _sight(self, leaf: Leaf, span: tuple[int, int] | None) -> Sighting:
        most = _WEIGHT_OF_ADDRESS if _is_address(leaf) else _MOST_WEIGHT
        weight = min(len(str(leaf.value)), most)
        return Sighting("/".join(leaf.field), self._standing(leaf, span), weight)

    def _standing(self, leaf: Leaf, span: tuple[int, int] | None) -> Standing:
        places = self.places(leaf)
        if span is not None and _any_inside(places, span):
            return "inside"
        if self._is_around(leaf):
            return "around"
        if self._context_text and self._in_context(leaf):
            return "context"
        return "elsewhere" if places else "nowhere"

    def _is_around(self, leaf: Leaf) -> bool:
        """Tell whether a value stands outside of all units."""
        key = (leaf.field, leaf.key)
        if key not in self._around:
            self._around[key] = any(not self._is_covered(start) for start, _ in self.places(leaf))
        return self._around[key]

    def _is_covered(self, position: int) -> bool:
        at = bisect_left(self._covered, (position + 1, -1)) - 1
        return at >= 0 and position < self._covered[at][1]

    def _in_context(self, leaf: Leaf) -> bool:
        if self._context is None:
            self._context = TextIndex(self._context_text)
        return bool(self._context.find(leaf.value))


def _signs(text: str) -> int:
    return sum(sign.isalnum() for sign in text)


def _is_address(leaf: Leaf) -> bool:
    return isinstance(leaf.value, str) and _ADDRESS.match(leaf.value) is not None


def _holds_a_list(value: JsonValue) -> bool:
    if isinstance(value, list):
        return len(value) > 1 or any(isinstance(inner, dict) or _holds_a_list(inner) for inner in value)
    return isinstance(value, dict) and any(_holds_a_list(inner) for inner in value.values())


def _any_inside(places: Sequence[tuple[int, int]], span: tuple[int, int]) -> bool:
    return _first_inside(places, span) is not None


def _first_inside(places: Sequence[tuple[int, int]], span: tuple[int, int]) -> tuple[int, int] | None:
    at = bisect_left(places, (span[0], -1))
    while at < len(places) and places[at][0] < span[1]:
        if places[at][1] <= span[1]:
            return places[at]
        at += 1
    return None


def _union(spans: Any) -> list[tuple[int, int]]:
    runs: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if runs and start <= runs[-1][1]:
            runs[-1] = (runs[-1][0], max(end, runs[-1][1]))
        else:
            runs.append((start, end))
    return runs
