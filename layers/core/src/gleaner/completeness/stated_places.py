"""Find where the page states the values of a result and of each list element."""

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate

from gleaner.completeness.ledger import NumberedUnit
from gleaner.contracts.models import ProvenanceEntry
from gleaner.contracts.ports import JsonValue
from gleaner.grounding.leaves import CONTEXT, Steps
from gleaner.grounding.rejection import read_steps
from gleaner.units import PlacedUnit

Span = tuple[int, int]
Unit = PlacedUnit | NumberedUnit

_OF_SHARED = 0.01
_AROUND = re.compile(r"^\W+|\W+\Z")


class StatedPlaces:
    """The places of all proven values, and those of each element of the lists, in page order.

    ``lists`` gives for the path of each list or map what number each of its keys has.
    """

    def __init__(
        self, entries: Sequence[ProvenanceEntry], data: JsonValue, lists: Mapping[Steps, Mapping[str | int, int]]
    ) -> None:
        self._texts = {steps: texts for steps in lists if (texts := _texts_at(data, steps))}
        self.places: list[tuple[int, int, Steps]] = []
        self.of_elements: dict[Steps, dict[int, list[Span]]] = {}
        for entry in entries:
            if entry.start is None or entry.end is None or entry.source != "markdown" or _is_shared(entry):
                continue
            steps = read_steps(data, entry.pointer)
            self.places.append((entry.start, entry.end, steps))
            for depth in (depth for depth in range(len(steps)) if steps[:depth] in lists):
                elements = self.of_elements.setdefault(steps[:depth], {})
                elements.setdefault(lists[steps[:depth]][steps[depth]], []).append((entry.start, entry.end))
        self.places.sort(key=lambda place: place[:2])
        self._reached = [0, *accumulate((end for _, end, _ in self.places), max)]
        counts = Counter((start, end) for start, end, _ in self.places)
        self._shared = frozenset(place for place, count in counts.items() if count > 1)

    def in_unit(self, unit: Unit) -> Iterator[Steps]:
        """Give the paths of the values that stand in a unit."""
        at = bisect_left(self.places, unit.start, key=lambda place: place[0])
        while at < len(self.places) and self.places[at][0] < unit.end:
            if self.places[at][1] <= unit.end:
                yield self.places[at][2]
            at += 1

    def near(self, start: int, end: int) -> Iterator[tuple[int, int, Steps]]:
        """Give the values of which a part stands in a run, with their places."""
        at = bisect_left(self.places, end, key=lambda place: place[0])
        while at > 0 and self._reached[at] > start:
            at -= 1
            if self.places[at][1] > start:
                yield self.places[at]

    def is_element(self, steps: Steps, words: str) -> bool:
        """Tell whether a piece says just an element of a list: it may be proven where another field says the same."""
        return words_without_marks(words) in self._texts.get(steps, ())

    def share_of(self, unit: Unit) -> float:
        """Give how much of a unit values are, or parts of values: of a description, a clause."""
        at = bisect_left(self.places, unit.start, key=lambda place: place[0])
        reached = min(max(unit.start, self._reached[at]), unit.end)
        stated = reached - unit.start
        while at < len(self.places) and self.places[at][0] < unit.end:
            start, end = max(reached, self.places[at][0]), min(unit.end, self.places[at][1])
            stated, reached, at = stated + max(0, end - start), max(reached, end), at + 1
        return stated / max(1, unit.end - unit.start)

    def says_more(self, unit: Unit, text: str) -> bool:
        """Tell whether a unit has words or figures that are in no value."""
        at = unit.start
        for start, end, _ in sorted(self.near(unit.start, unit.end)):
            if any(map(str.isalnum, text[at:start])):
                return True
            at = max(at, end)
        return any(map(str.isalnum, text[at : unit.end]))

    def homes(self, steps: Steps, numbers: Sequence[int], units: Sequence[Unit], count: int) -> list[int | None]:
        """Give for each of the ``count`` elements of a list the unit, of these, that most of what it states stands in.

        ``numbers`` are in the order of the units' starts. A place that several values share says little of each.
        """
        places = self.of_elements.get(steps, {})
        starts = [units[number].start for number in numbers]
        homes: list[int | None] = []
        for element in range(count):
            weights: dict[int, float] = {}
            for start, end in places.get(element, ()):
                at = bisect_right(starts, start) - 1
                if at >= 0 and end <= units[numbers[at]].end:
                    weight = (end - start) * (_OF_SHARED if (start, end) in self._shared else 1)
                    weights[numbers[at]] = weights.get(numbers[at], 0) + weight
            homes.append(max(weights, key=lambda number: weights[number], default=None))
        return homes

    def count_at_home(self, steps: Steps, homes: Sequence[int | None], units: Sequence[Unit]) -> int:
        """Give how many values of a list's elements stand in the elements' own units."""
        places = self.of_elements.get(steps, {})
        return sum(
            units[home].start <= start and end <= units[home].end
            for element, home in enumerate(homes)
            if home is not None
            for start, end in places.get(element, ())
        )


def _texts_at(data: JsonValue, steps: Steps) -> frozenset[str]:
    """Give the texts that are elements of a list, as they are compared."""
    for step in steps:
        if isinstance(data, dict) and isinstance(step, str):
            data = data.get(step)
        elif isinstance(data, list) and isinstance(step, int):
            data = data[step] if step < len(data) else None
    found = data if isinstance(data, list) else []
    return frozenset(words_without_marks(one) for one in found if isinstance(one, str))


def words_without_marks(text: str) -> str:
    """Give the words of a piece or a value without the signs around them, for comparing.

    >>> words_without_marks("- **Remote**")
    'remote'
    """
    return _AROUND.sub("", " ".join(text.split())).casefold()


def _is_shared(entry: ProvenanceEntry) -> bool:
    return (entry.transform or "").startswith(CONTEXT) or entry.status not in ("verbatim", "normalized")


def words_of(text: str) -> str:
    """Give what a piece says, for comparing; "" for one without a letter or a digit."""
    words = " ".join(text.split())
    return words if any(sign.isalnum() for sign in words) else ""


def is_cell(unit: Unit, markdown: str) -> bool:
    """Tell whether a unit is a cell of a table's row: what stands side by side there is no list."""
    line = markdown.rfind("\n", 0, unit.start) + 1
    return unit.kind == "entry" and line < unit.start and markdown.startswith("|", line)


def overlaps(unit: Unit, taken: Sequence[Span]) -> bool:
    """Tell whether a unit lies in one of these places, which are sorted, or one of these in it."""
    at = bisect_left(taken, (unit.start, 0))
    return (at < len(taken) and taken[at][0] < unit.end) or (at > 0 and taken[at - 1][1] > unit.start)
