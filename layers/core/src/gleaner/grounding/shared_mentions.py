"""Reject one of two fields that rest on the same mention, if other records state them in two places.

The one whose place in the others is not that mention's holds the other's value: the maker for the name, too. A few
records are enough to tell, since only such a double is judged, and in a few records two values that stand exactly where
the other field stands in all the rest; what most of many show is told in ``slots.py``.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from gleaner.grounding.evidence.slots import Slot, Slots
from gleaner.grounding.leaves import Leaf
from gleaner.grounding.regions import Span
from gleaner.grounding.text.spellings import Field
from gleaner.grounding.text.text_index import Match, TextIndex, within

_LEAST = 2
_FEW = 12
_ANY = -2
"""In place of a number of lines: records of any."""

_FIGURE = re.compile(r"\d[\d.,]*")
_Place = tuple[int, int, Slot | int]


class Doubles:
    """The places of the fields in the records, by lines, columns and signs."""

    def __init__(
        self, records: Mapping[int, Sequence[Leaf]], spans: Sequence[Span | None], index: TextIndex, slots: Slots
    ) -> None:
        self._index = index
        self._slots = slots
        self._places: dict[tuple[Field, int], Counter[_Place]] = {}
        self._own_places: dict[tuple[Field, int], list[_Place]] = {}
        self._standing: dict[tuple[Field, _Place], dict[int, bool]] = {}
        self._records = {
            number: (spans[number], [leaf for leaf in own if _is_single(leaf)])
            for number, own in records.items()
            if number < len(spans)
        }

    def refuted(self, found: Mapping[str, Match]) -> set[str]:
        """Give the pointers of values that only another field's mention says."""
        doubles = [
            (number, one, other)
            for number, (own, leaves) in self._records.items()
            if own is not None
            for one, other in self._pairs(leaves, found, own)
        ]
        exchanged = [
            leaf.pointer
            for number, (own, leaves) in self._records.items()
            if own is not None and len(self._records) <= _FEW
            for leaf in self._exchanged(number, own, leaves, found)
        ]
        return {*exchanged, *(leaf.pointer for double in doubles for leaf in self._misplaced(*double, found))}

    def _is_inside(self, leaf: Leaf, found: Mapping[str, Match], own: Span) -> bool:
        match = found.get(leaf.pointer)
        return match is not None and own[0] <= match.start < own[1]

    def _exchanged(self, number: int, own: Span, leaves: Sequence[Leaf], found: Mapping[str, Match]) -> Iterator[Leaf]:
        """Give the values of a record that stand where another field stands in all records built like it.

        That one's value stands in theirs, or is not proven at all.
        """
        inside = [leaf for leaf in leaves if self._is_inside(leaf, found, own)]
        places = {leaf.field: self._place(number, found[leaf.pointer]) for leaf in inside}
        usual = {leaf.field: self._usual(number, leaf.field, found) for leaf in leaves}
        for leaf in inside:
            its, place = usual[leaf.field], places[leaf.field]
            others = [one for one in leaves if one is not leaf and usual[one.field] == place] if its != place else []
            if its is not None and any(one.pointer not in found or places.get(one.field) == its for one in others):
                yield leaf

    def _pairs(self, leaves: Sequence[Leaf], found: Mapping[str, Match], own: Span) -> list[tuple[Leaf, Leaf]]:
        by_place: dict[tuple[int, int], list[Leaf]] = {}
        for leaf in leaves:
            if self._is_inside(leaf, found, own):
                match = found[leaf.pointer]
                by_place.setdefault((match.start, match.end), []).append(leaf)
        return [(same[0], same[1]) for same in by_place.values() if len(same) == _LEAST]

    def _misplaced(self, number: int, one: Leaf, other: Leaf, found: Mapping[str, Match]) -> list[Leaf]:
        if one.value != other.value:
            return []  # a mention that says two things, as "March 10-12" does
        place = self._place(number, found[one.pointer])
        for wrong, right in ((one, other), (other, one)):
            its, theirs = self._shown(number, wrong.field, found), self._shown(number, right.field, found)
            if place in theirs and place not in its and (its or self._is_never_at(number, wrong.field, theirs)):
                return [wrong]
        return []

    def _is_never_at(self, apart: int, field: Field, theirs: Counter[_Place]) -> bool:
        """Tell whether other records have a field, and none where all of them have the one that says the same here."""
        if len(theirs) != 1:
            return False
        place = next(iter(theirs))
        if (field, place) not in self._standing:
            told = ((number, leaf) for number, (_, own) in self._records.items() for leaf in own if leaf.field == field)
            self._standing[field, place] = {number: self._may_stand(number, leaf, place) for number, leaf in told}
        others = [stands for number, stands in self._standing[field, place].items() if number != apart]
        return len(others) >= _LEAST and not any(others)

    def _may_stand(self, number: int, leaf: Leaf, place: _Place) -> bool:
        own = self._records[number][0]
        return own is None or any(
            self._place(number, match) == place for match in within(self._index.find(leaf.value), own)
        )

    def _usual(self, apart: int, field: Field, found: Mapping[str, Match]) -> _Place | None:
        """Give the one place of a field in all other records that are built like this one; None where there is none."""
        places = self._places_beside(apart, field, found, self._lines(apart))
        return next(iter(places)) if len(places) == 1 and places.total() >= _LEAST else None

    def _shown(self, apart: int, field: Field, found: Mapping[str, Match]) -> Counter[_Place]:
        """Give the places of a field in other records, in those built like this one if they are enough to tell."""
        for lines in (self._lines(apart), _ANY):
            places = self._places_beside(apart, field, found, lines)
            if places.total() >= _LEAST:
                return places
        return Counter()

    def _places_beside(self, apart: int, field: Field, found: Mapping[str, Match], lines: int) -> Counter[_Place]:
        if not self._places:
            self._collect(found)
        places = self._places.get((field, lines), Counter[_Place]()).copy()
        places.subtract(self._own_places.get((field, apart), ()))
        return +places

    def _collect(self, found: Mapping[str, Match]) -> None:
        """Count the places of all fields, by how many lines the records have."""
        for number, (own, leaves) in self._records.items():
            for leaf in leaves:
                if own is not None and leaf.pointer in found and self._is_sure(leaf, own):
                    place = self._place(number, found[leaf.pointer])
                    self._own_places.setdefault((leaf.field, number), []).append(place)
                    for lines in (self._lines(number), _ANY):
                        self._places.setdefault((leaf.field, lines), Counter())[place] += 1

    def _is_sure(self, leaf: Leaf, own: Span) -> bool:
        return len(within(self._index.find(leaf.value), own)) == 1

    def _lines(self, number: int) -> int:
        own = self._records[number][0]
        return -1 if own is None else self._slots.lines(own)

    def _place(self, number: int, match: Match) -> _Place:
        own, text = self._records[number][0] or (0, 0), self._index.text
        line = max(own[0], text.rfind("\n", 0, match.start) + 1)
        number_of_line = text.count("\n", own[0], line)
        if text.startswith("|", line):
            cell = text.rfind("|", line, match.start)
            figures = len(_FIGURE.findall(text, cell, match.start))
            return number_of_line, text.count("|", line, match.start), figures
        return number_of_line, 0, self._slots.slot(own, match)


def _is_single(leaf: Leaf) -> bool:
    return leaf.field[-1:] != ("*",) and not isinstance(leaf.value, bool) and not leaf.choices and not leaf.is_derived
