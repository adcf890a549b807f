"""Find the units that the elements of all inner lists come from (CM-1).

One menu's section may hold a single dish, and show nothing by itself; the dishes of all sections show what a dish is.
So a piece like theirs inside a record that gave none is missing from this record's list, also where the list is empty.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property

from gleaner.completeness.certificate import calls_itself_an_ad, kinds_stated
from gleaner.completeness.regions_of_records import Regions
from gleaner.completeness.stated_places import Span, StatedPlaces, Unit, is_cell, overlaps, words_of
from gleaner.contracts.ports import JsonValue
from gleaner.grounding.leaves import SchemaViews, Steps, field_at
from gleaner.grounding.regions import related_sections

_LEAST_HOMES = 2
_NEARLY_ALL = 0.6
_ONE_EACH = 0.8
_LEAST_HELD = 0.3
_HALF = 0.5
_FEW = 0.4
_MOST_ELEMENTS = 50_000
_ROW = re.compile(r"^\|[^\n]*\w[^\n]*$", re.MULTILINE)
Pattern = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class InnerList:
    """A list of a record: its path, the number of the record, how many elements it has."""

    steps: Steps
    record: int
    count: int


def lists_in_records(data: JsonValue, records: Steps) -> dict[Pattern, list[InnerList]]:
    """Give the lists of all records, empty ones too, by their paths with "*" for numbers.

    A list that one record has and another one leaves out, or has as null, is an empty one of that.
    """
    found: dict[Pattern, list[InnerList]] = {}
    objects: dict[Pattern, list[tuple[Steps, int]]] = {}
    rows = _at(data, records)
    stack = [((*records, at), at, row) for at, row in enumerate(rows if isinstance(rows, list) else [])][::-1]
    while stack:
        steps, record, value = stack.pop()
        if isinstance(value, list):
            found.setdefault(field_at(steps), []).append(InnerList(steps, record, len(value)))
            stack += [((*steps, at), record, one) for at, one in enumerate(value)][::-1]
        elif isinstance(value, dict):
            objects.setdefault(field_at(steps), []).append((steps, record))
            stack += [((*steps, key), record, one) for key, one in value.items()][::-1]
    for pattern, lists in found.items():
        known = {one.steps for one in lists}
        around = objects.get(pattern[:-1], ()) if pattern[-1] != "*" else ()
        names = {one.steps[-1] for one in lists}
        for steps, record in around:
            lists += [InnerList((*steps, name), record, 0) for name in names if (*steps, name) not in known]
    return found


def _at(value: JsonValue, steps: Steps) -> JsonValue:
    for step in steps:
        value = value.get(step) if isinstance(value, dict) and isinstance(step, str) else None
    return value


def find_lost_pieces(
    lists: Mapping[Pattern, Sequence[InnerList]],
    stated: StatedPlaces,
    units: Sequence[Unit],
    text: str,
    *,
    views: SchemaViews,
    records: Steps,
    spans: Sequence[Span | None],
    settled: Collection[int] = (),
) -> dict[Steps, list[int]]:
    """Give the units that lists of records lack, by the path of the list; the path of a record where a unit begins one.

    ``spans`` are the places of the records, ``records`` is the path of their list, ``settled`` names units that hold
    nothing more.
    """
    count = sum(one.count for each in lists.values() for one in each)
    if not units or not any(spans) or count > _MOST_ELEMENTS:
        return {}
    rows = _rows_in(units, text)
    regions = Regions.of(spans, stated, text)
    page = _Page([*units, *(row for row, _ in rows)], text, stated, regions, frozenset(settled), len(units))
    lost: dict[Steps, list[int]] = {}
    for pattern, each in lists.items():
        group = page.group_of(pattern, each) if any(one.count for one in each) else page.unsaid_group(pattern, views)
        for steps, numbers in (group.lost(each) if group else {}).items():
            lost.setdefault(steps, []).extend(numbers)
    other_kinds = [one for each in lists.values() for one in each if one.steps[-1:] != records[-1:]]
    if headless := page.headless(len(records), other_kinds):
        lost.setdefault(records, []).extend(headless)
    around = [*range(len(units)), *(number for _, number in rows)]
    return {steps: list(dict.fromkeys(around[number] for number in numbers)) for steps, numbers in lost.items()}


def _rows_in(units: Sequence[Unit], text: str) -> list[tuple[Unit, int]]:
    """Give the rows of the units of groups in which one is several rows, as cells over several rows make them."""
    rows = [(number, unit) for number, unit in enumerate(units) if unit.kind == "row"]
    parted = {unit.group for _, unit in rows if "\n" in text[unit.start : unit.end].strip()}
    return [
        (replace(unit, start=unit.start + row.start(), end=unit.start + row.end()), number)
        for number, unit in rows
        if unit.group in parted
        for row in _ROW.finditer(text[unit.start : unit.end])
    ]


@dataclass(frozen=True, slots=True)
class _Group:
    """A group of units that elements come from: the units that hold one, and those that hold none, by record."""

    homes: Mapping[Steps, Sequence[int | None]]
    open: Mapping[int, Sequence[int]]

    def lost(self, lists: Sequence[InnerList]) -> dict[Steps, list[int]]:
        """Give the units without an element, each to the list of its record whose elements stand next to it."""
        lost: dict[Steps, list[int]] = {}
        by_record: dict[int, list[InnerList]] = {}
        for one in lists:
            by_record.setdefault(one.record, []).append(one)
        for record, numbers in self.open.items():
            for number in numbers:
                nearest = min(by_record.get(record, ()), key=lambda one: self._distance(one, number), default=None)
                if nearest is not None:
                    lost.setdefault(nearest.steps, []).append(number)
        return lost

    def _distance(self, one: InnerList, number: int) -> float:
        homes = (home for home in self.homes.get(one.steps, ()) if home is not None)
        return min((abs(home - number) for home in homes), default=1e9)


@dataclass(frozen=True)
class _Page:
    """The units of a page by groups, and what is stated where."""

    units: Sequence[Unit]
    text: str
    stated: StatedPlaces
    regions: Regions
    settled: frozenset[int]
    known: int
    """How many units have a number; the further ones are rows of a unit."""

    @cached_property
    def groups(self) -> list[list[int]]:
        """The units inside records, by group; all items, all rows and all lines of text as one more group each."""
        groups: dict[object, list[int]] = {}
        lines: dict[Span, int] = {}
        for number in sorted(range(len(self.units)), key=lambda number: (self.units[number].start, -number)):
            unit = self.units[number]
            if unit.start < unit.end and not is_cell(unit, self.text) and self._record_of(number) is not None:
                groups.setdefault(unit.group if number < self.known else "rows", []).append(number)
                if number >= self.known:
                    continue
                if unit.kind in ("item", "row"):
                    groups.setdefault(unit.kind, []).append(number)
                elif self._is_line(unit):
                    lines.setdefault((unit.start, unit.end), number)
        return [*groups.values(), [*lines.values()]]

    def _is_line(self, unit: Unit) -> bool:
        """Tell whether a unit is all of a line: one of those that breaks set apart, or a paragraph of one line."""
        before, after = self.text[max(0, unit.start - 1) : unit.start], self.text[unit.end : unit.end + 1]
        return {before, after} <= {"", "\n"} and "\n" not in self.text[unit.start : unit.end]

    @cached_property
    def _settled_places(self) -> frozenset[Span]:
        """The places of settled units: a unit of another group at the very same place is the same piece."""
        return frozenset((self.units[number].start, self.units[number].end) for number in self.settled)

    @cached_property
    def _related(self) -> list[Span]:
        return related_sections(self.text)

    def _record_of(self, number: int) -> int | None:
        unit = self.units[number]
        return self.regions.record_at(unit.start, unit.end)

    def _words(self, number: int) -> str:
        return words_of(self.text[self.units[number].start : self.units[number].end])

    def group_of(self, pattern: Pattern, lists: Sequence[InnerList]) -> _Group | None:
        """Give the group of units of which nearly each element has one of its own."""
        count = sum(one.count for one in lists)
        best: tuple[tuple[int, int, int], list[int], dict[Steps, list[int | None]]] | None = None
        for numbers in self.groups:
            if len(numbers) < max(_LEAST_HOMES, _NEARLY_ALL * count):
                continue
            homes = {one.steps: self.stated.homes(one.steps, numbers, self.units, one.count) for one in lists}
            held = [home for each in homes.values() for home in each if home is not None]
            own = set(held)
            size = sum(self.units[number].end - self.units[number].start for number in own)
            is_theirs = len(own) >= max(_LEAST_HOMES, _NEARLY_ALL * count, _ONE_EACH * len(held))
            rank = (len(own), -len(numbers), -size)
            if is_theirs and len(own) >= _LEAST_HELD * len(numbers) and (best is None or rank > best[0]):
                best = rank, numbers, homes
        return None if best is None else _Group(best[2], self._open(pattern, lists, best[1], best[2]))

    def _open(
        self,
        pattern: Pattern,
        lists: Sequence[InnerList],
        numbers: Sequence[int],
        homes: Mapping[Steps, Sequence[int | None]],
    ) -> dict[int, list[int]]:
        """Give by record the units of a group that hold none of its elements, and say what elements say."""
        own: dict[int, set[int]] = {}
        of_record: dict[int, list[Steps]] = {}
        for one in lists:
            own.setdefault(one.record, set()).update(home for home in homes[one.steps] if home is not None)
            of_record.setdefault(one.record, []).append(one.steps)
        every = set[int]().union(*own.values())
        usual = {field_at(steps) for number in every for steps in self.stated.in_unit(self.units[number])}
        given = {number: self._words(number) for number in every}
        by_most, by_any = kinds_stated(list(given.values()))
        longest = max(map(len, given.values()), default=0)
        taken = sorted((self.units[number].start, self.units[number].end) for number in every)
        found: dict[int, list[int]] = {}
        for number in numbers:
            record, words = self._record_of(number), self._words(number)
            if record is None or number in own.get(record, ()):
                continue
            if any(self.stated.is_element(steps, words) for steps in of_record.get(record, ())):
                continue
            is_foreign = number in every
            is_like = (self.units[number].kind == "row" and number < self.known) or by_most <= kinds_stated([words])[
                0
            ] <= by_any
            if not is_foreign and (not is_like or len(words) > 3 * longest or overlaps(self.units[number], taken)):
                continue
            mine = {given[home] for home in own.get(record, ())}
            if words and words not in mine and (is_foreign or self._is_unsaid(number, pattern, usual)):
                found.setdefault(record, []).append(number)
        return self._without_chrome(found, set(given.values()))

    def _is_unsaid(self, number: int, pattern: Pattern, usual: Set[Pattern] = frozenset()) -> bool:
        """Tell whether no value but parts of other elements stands in a unit, and nothing says that it is none.

        Nor do values of the ``usual`` fields, which stand beside elements: an order's number in each of its rows. A
        record of such a row that holds no more than these does not settle what else the row says.
        """
        unit = self.units[number]
        if number >= self.known:
            return True
        fields = [field_at(steps) for steps in self.stated.in_unit(unit)]
        if any(field[: len(pattern)] != pattern and field not in usual for field in fields):
            return False
        is_settled = (unit.start, unit.end) in self._settled_places
        if is_settled and not (fields and usual >= {*fields} and self.stated.says_more(unit, self.text)):
            return False
        said = self.text[unit.start : unit.end]
        is_related = any(start <= unit.start < end for start, end in self._related)
        if is_related or calls_itself_an_ad(said):
            return False
        return self.stated.share_of(unit) < _HALF and self.stated.says_more(unit, self.text)

    def _without_chrome(self, found: Mapping[int, Sequence[int]], given: Collection[str]) -> dict[int, list[int]]:
        """Leave out what stands in several records alike, and in no element: a button, a note."""
        counts = Counter(words for numbers in found.values() for words in {self._words(number) for number in numbers})
        kept = {
            record: [number for number in numbers if (words := self._words(number)) in given or counts[words] == 1]
            for record, numbers in found.items()
        }
        return {record: numbers for record, numbers in kept.items() if numbers}

    def unsaid_group(self, pattern: Pattern, views: SchemaViews) -> _Group | None:
        """Give the group of which units stand in most records, several in one, and of which no value is stated.

        That is what a list shows that is empty in every record. Numbers that its elements are to have stand in each.
        """
        fields = views.of((*pattern, "*"))
        names = [name for view in fields for name in view.get("properties", {})]
        if not names:
            return None
        has_numbers = any(_is_number(view) for name in names for view in views.of((*pattern, "*", name)))
        best: _Group | None = None
        for numbers in self.groups:
            if len(numbers) < max(_LEAST_HOMES, _HALF * len(self.regions.starts)):
                continue
            open_units = [number for number in numbers if self._is_unsaid_alone(number)]
            if len(open_units) < _NEARLY_ALL * len(numbers):
                continue
            found: dict[int, list[int]] = {}
            for number in open_units:
                if (record := self._record_of(number)) is not None and self._words(number):
                    found.setdefault(record, []).append(number)
            found = self._without_chrome(found, ())
            if (best is None or _size(found) > _size(best.open)) and self._may_be_elements(
                found, has_numbers=has_numbers
            ):
                best = _Group({}, found)
        return best

    def _is_unsaid_alone(self, number: int) -> bool:
        return self._is_unsaid(number, ()) and not next(self.stated.in_unit(self.units[number]), None)

    def _may_be_elements(self, found: Mapping[int, Sequence[int]], *, has_numbers: bool) -> bool:
        texts = [self._words(number) for numbers in found.values() for number in numbers]
        if len(found) < _HALF * len(self.regions.starts) or len(texts) <= len(found):
            return False
        letters = sum(map(len, texts))
        unsaid = sum(end - start for start, end in zip(self.regions.starts, self.regions.ends, strict=True))
        unsaid -= sum(
            end - start for start, end, _ in self.stated.places if self.regions.record_at(start, end) is not None
        )
        with_numbers = sum(any(map(str.isdigit, text)) for text in texts)
        return with_numbers >= _ONE_EACH * len(texts) if has_numbers else letters >= _FEW * unsaid

    def headless(self, depth: int, lists: Sequence[InnerList]) -> list[int]:
        """Give the units that hold elements of a record which begins in another one, where hardly any other does.

        Most records have a unit of their own that states their own values: a unit with elements alone is a record
        that went into the one before it. ``depth`` is how long the path of the records' list is.
        """
        inner = {one.steps for one in lists if one.count}
        for numbers in self.groups_of_records:
            led = self._led(numbers, depth)
            rest = [number for number in numbers if number not in led]
            alone = sum(len(records) == 1 for records in led.values())
            records = {record for one in led.values() for record in one}
            is_one_each = alone >= _ONE_EACH * len(led) and len(records) >= len(led) >= _LEAST_HOMES
            if is_one_each and len(rest) <= _FEW * len(numbers) and self._begin_alike(list(led), depth):
                lost = [number for number in rest if self._holds_any(number, inner)]
                if lost:
                    return lost
        return []

    def _led(self, numbers: Sequence[int], depth: int) -> dict[int, set[int]]:
        """Give the units that state records' own values, not those of their lists, with the numbers of the records."""
        starts = [self.units[number].start for number in numbers]
        led: dict[int, set[int]] = {}
        for start, end, steps in self.stated.places:
            record = steps[depth] if len(steps) > depth else None
            if not isinstance(record, int) or any(isinstance(step, int) for step in steps[depth + 1 :]):
                continue
            at = bisect_right(starts, start) - 1
            if at >= 0 and end <= self.units[numbers[at]].end:
                led.setdefault(numbers[at], set()).add(record)
        return led

    def _begin_alike(self, numbers: Sequence[int], depth: int) -> bool:
        """Tell whether units all state one and the same field of their records."""
        fields = [{field_at(steps[depth + 1 :]) for steps in self.stated.in_unit(self.units[at])} for at in numbers]
        return any("*" not in field for field in set[Pattern].intersection(*fields))

    def _holds_any(self, number: int, lists: Collection[Steps]) -> bool:
        """Tell whether a unit states a value of one of the lists."""
        inside = self.stated.in_unit(self.units[number])
        return any(steps[:depth] in lists for steps in inside for depth in range(len(steps)))

    @cached_property
    def groups_of_records(self) -> list[list[int]]:
        """The groups of which about as many units stand in records as there are records; lines are of no one kind."""
        count = len(self.regions.starts)
        known = (numbers for numbers in self.groups[:-1] if numbers and numbers[0] < self.known)
        return [numbers for numbers in known if count <= len(numbers) <= count / _NEARLY_ALL]


def _size(found: Mapping[int, Sequence[int]]) -> int:
    return sum(map(len, found.values()))


def _is_number(view: Mapping[str, object]) -> bool:
    kinds = view.get("type")
    return bool({"number", "integer"}.intersection(kinds if isinstance(kinds, list) else [kinds]))
