"""Check that lists beside and inside the records are as long as the page shows (CM-1).

An invoice has its items, a catalogue its branches, a product its sizes. Their elements have places like the records
have, so their loss shows the same way: the page has more pieces like theirs than the list has elements.
"""

import re
from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from gleaner.completeness.certificate import kinds_stated
from gleaner.completeness.inner_pieces import find_lost_pieces, lists_in_records
from gleaner.completeness.ledger import NumberedUnit
from gleaner.completeness.stated_places import Span, StatedPlaces, Unit, is_cell, overlaps, words_of
from gleaner.contracts.json_pointers import pointer_of, read_pointer
from gleaner.contracts.models import ProvenanceEntry
from gleaner.contracts.ports import JsonValue
from gleaner.grounding import TextIndex, prove
from gleaner.grounding.alignment import align_records
from gleaner.grounding.leaves import Schema, SchemaViews, Steps, field_at

_BORDER = re.compile(r"^#{1,6} |^[ \t]*\|?[ \t:]*-{3,}", re.MULTILINE)
"""A heading, the rule under a table's head, or a rule between sections: what follows is another run."""

_MOST_ASTRAY = 0.4
_LEAST_HELD = 0.2
_HALF = 0.5
_LEAST_ELEMENTS = 2
_NEARLY_ALL = 0.8
_MOST_LOOKED_AT = 50
_MOST_NAMED = 3
_EXCERPT = 60


@dataclass(frozen=True, slots=True)
class ShortList:
    """A list with fewer elements than the page has pieces like theirs.

    ``homes`` are the elements' pieces, ``missing`` the pieces without an element, as positions in the units.
    """

    pointer: str
    homes: tuple[int | None, ...]
    missing: tuple[int, ...]

    def describe(self, texts: Sequence[str]) -> str:
        """Say how much is missing; ``texts`` are those of the missing pieces."""
        return describe_lack(self.pointer or "/", len(self.homes), "shows", texts)


def describe_lack(pointer: str, found: int, verb: str, texts: Sequence[str]) -> str:
    """Say how many elements of a list were found, and what the page also says; ``texts`` are all that is missing.

    >>> describe_lack("/tags", 2, "names", ["elm"])
    '/tags: 2 of 3; the page also names "elm"'
    """
    named = ", ".join(f'"{" ".join(text.split())[:_EXCERPT]}"' for text in texts[:_MOST_NAMED])
    more = f" and {len(texts) - _MOST_NAMED} more" if len(texts) > _MOST_NAMED else ""
    return f"{pointer}: {found} of {found + len(texts)}; the page also {verb} {named}{more}"


def find_short_lists(
    data: JsonValue,
    entries: Sequence[ProvenanceEntry],
    units: Sequence[Unit],
    text: str,
    *,
    schema: Schema | None = None,
    records: Steps | None = None,
    spans: Sequence[Span | None] = (),
    settled: Collection[int] = (),
) -> list[ShortList]:
    """Give the lists of a result that lack elements which the page shows; of records only beside other lists.

    ``entries`` prove the data; ``records`` is the path of the list of records, ``spans`` the places of its items, in
    which their own lists are looked for. Offsets of entries, units and spans count in ``text``. A list is measured by
    the run of units that most of its elements stand in, each in one of its own: rows of one table, items of one list,
    cards under one heading. Units that state a proven value, those ``settled``, and those that state other kinds of
    things are none of its missing pieces.
    """
    views = SchemaViews(schema)
    lists = dict(_lists_in(data, views))
    lists = {} if lists.keys() == {records} else lists
    inner = lists_in_records(data, records) if records is not None else {}
    if not lists and not inner:
        return []
    stated = StatedPlaces(
        entries, data, {steps: {key: at for at, key in enumerate(keys)} for steps, keys in lists.items()}
    )
    ordered = sorted(range(len(units)), key=lambda number: (units[number].start, -units[number].end))
    survey = _Survey(units, ordered, [units[number].start for number in ordered], text, stated, frozenset(settled))
    found: list[ShortList] = []
    for steps, keys in lists.items():
        region = _region(steps, records, spans, len(text))
        if region is not None and (short := survey.measure(steps, len(keys), region, is_main=steps == records)):
            found.append(short)
    if records is None or not inner:
        return found
    lost = find_lost_pieces(inner, stated, units, text, views=views, records=records, spans=spans, settled=settled)
    counts = {**{one.steps: one.count for each in inner.values() for one in each}, records: len(spans)}
    lost = {steps: numbers for steps, numbers in lost.items() if not views.is_full(field_at(steps), counts[steps])}
    return _with_lost(found, lost, counts)


def _with_lost(
    found: Sequence[ShortList], lost: Mapping[Steps, Sequence[int]], counts: Mapping[Steps, int]
) -> list[ShortList]:
    """Give the lists with what they lack beside what was known, in one entry each."""
    by_pointer = {one.pointer: one for one in found}
    for steps, numbers in lost.items():
        pointer = pointer_of(steps)
        known = by_pointer.get(pointer, ShortList(pointer, (None,) * counts[steps], ()))
        by_pointer[pointer] = replace(known, missing=tuple(dict.fromkeys((*known.missing, *numbers))))
    return list(by_pointer.values())


@dataclass(frozen=True, slots=True)
class Lacking:
    """What the inner lists of a chunk's data lack, for asking again.

    ``records`` maps the indices of records whose own lists are short to what is wrong; ``missing`` are the numbers of
    the units that the lists beside the records (or of a single object) lack.
    """

    records: Mapping[int, tuple[str, ...]] = field(default_factory=dict[int, tuple[str, ...]])
    missing: tuple[int, ...] = ()


def find_lacking(
    data: JsonValue,
    index: TextIndex,
    units: Sequence[NumberedUnit],
    *,
    base: int,
    schema: Schema,
    records_at: str | None = None,
    spans: Sequence[Span | None] = (),
    settled: Collection[int] = (),
) -> Lacking:
    """Prove what a chunk gave, and give what its inner lists lack.

    ``spans`` count in the text of the index, which begins at ``base`` of the units' scale; ``settled`` are numbers of
    units that hold nothing more.
    """
    records = None if records_at is None else tuple(read_pointer(records_at))
    views = SchemaViews(schema)
    if not units or not (
        any(steps != records for steps, _ in _lists_in(data, views))
        or (records is not None and lists_in_records(data, records))
    ):
        return Lacking()
    units = [
        replace(unit, start=start, end=end) for unit, (start, end) in zip(units, spans_of(units, base), strict=True)
    ]
    entries = prove(data, index, schema=schema, records_at=records_at, spans=spans or None)
    done = {position for position, unit in enumerate(units) if unit.number in settled}
    shorts = find_short_lists(
        data, entries, units, index.text, schema=schema, records=records, spans=spans, settled=done
    )
    complaints: dict[int, tuple[str, ...]] = {}
    missing: set[int] = set()
    for short in shorts:
        inside = _record_around(short.pointer, records)
        if inside is not None:
            texts = [index.text[units[number].start : units[number].end] for number in short.missing]
            complaints[inside] = (*complaints.get(inside, ()), short.describe(texts))
        elif not any(step.isdigit() for step in read_pointer(short.pointer)):
            missing.update(units[number].number for number in short.missing)
    return Lacking(complaints, tuple(sorted(missing)))


def _record_around(pointer: str, records: Steps | None) -> int | None:
    steps = read_pointer(pointer)
    if records is None or len(steps) <= len(records) or tuple(steps[: len(records)]) != records:
        return None
    return int(steps[len(records)]) if steps[len(records)].isdigit() else None


def _lists_in(data: JsonValue, views: SchemaViews) -> Iterator[tuple[Steps, Sequence[str | int]]]:
    """Give the lists of a result and its maps (objects whose names are the page's), by path, with their keys."""
    stack: list[tuple[Steps, JsonValue]] = [((), data)]
    while stack:
        steps, value = stack.pop()
        keys = list(value) if isinstance(value, dict) else list(range(len(value))) if isinstance(value, list) else []
        is_list = isinstance(value, list) and not views.is_full(field_at(steps), len(value))
        if keys and (is_list or (isinstance(value, dict) and _is_map(steps, views))):
            yield steps, keys
        inner = ((key, value[key]) for key in keys)  # type: ignore[index,call-overload]
        stack.extend(((*steps, key), one) for key, one in inner if isinstance(one, dict | list))


def _is_map(steps: Steps, views: SchemaViews) -> bool:
    """Tell whether the schema leaves the names of an object's members to the page, and types their values."""
    schemas = views.of(field_at(steps))
    typed = any(isinstance(schema.get("additionalProperties"), Mapping) for schema in schemas)
    return typed and not any(schema.get("properties") for schema in schemas)


def _region(steps: Steps, records: Steps | None, spans: Sequence[Span | None], length: int) -> Span | None:
    """Give where the elements of a list may stand: in the record around it, else anywhere."""
    if records is None or len(steps) <= len(records) or steps[: len(records)] != records:
        return 0, length
    number = steps[len(records)]
    return spans[number] if isinstance(number, int) and number < len(spans) else None


def spans_of(units: Sequence[Unit], base: int) -> list[Span]:
    """Give the places of units in a text that begins at ``base`` of their own scale."""
    return [(unit.start - base, unit.end - base) for unit in units]


def elements_of(units: Sequence[Unit], base: int, elements: Sequence[JsonValue], index: TextIndex) -> list[JsonValue]:
    """Give the elements that come from these units; the text of the index begins at ``base`` of their scale."""
    places = align_records(elements, index, spans_of(units, base))
    return [element for element, place in zip(elements, places, strict=True) if place is not None]


@dataclass(frozen=True)
class _Survey:
    """The units of a page, those in a part of it by runs, and how a list fits to each run."""

    units: Sequence[Unit]
    ordered: Sequence[int]
    starts: Sequence[int]
    text: str
    stated: StatedPlaces
    settled: frozenset[int]

    def measure(self, steps: Steps, count: int, region: Span, *, is_main: bool = False) -> ShortList | None:
        """Give what a list lacks of the run that its elements come from; None when that is nothing.

        The list of records (``is_main``) has its own account, and is measured only by units that other lists share.
        """
        best: tuple[tuple[int, int, int, int], list[int], list[int | None]] | None = None
        for numbers in self._runs(region):
            homes = self.stated.homes(steps, numbers, self.units, count)
            own = {home for home in homes if home is not None}
            size = sum(self.units[number].end - self.units[number].start for number in own)
            rank = (len(own), self.stated.count_at_home(steps, homes, self.units), -size, -len(numbers))
            is_theirs = self._is_theirs(own, numbers, count) and (not is_main or self._are_elements(numbers))
            if is_theirs and (best is None or rank > best[0]):
                best = (rank, numbers, homes)
        if best is None:
            return None
        missing = self._missing(steps, best[1], {home for home in best[2] if home is not None})
        return ShortList(pointer_of(steps), tuple(best[2]), missing) if missing else None

    def _runs(self, region: Span) -> Iterator[list[int]]:
        """Give the units in a part of the page that stand in one run; of the whole page all of a group, too."""
        groups: dict[int, list[int]] = {}
        for number in self.ordered[bisect_left(self.starts, region[0]) : bisect_left(self.starts, region[1])]:
            unit = self.units[number]
            if unit.start < unit.end <= region[1] and not is_cell(unit, self.text):
                groups.setdefault(self.units[number].group, []).append(number)
        for numbers in (self._without_what_is_around(numbers) for numbers in groups.values()):
            runs = list(self._parted(numbers))
            yield from runs
            if len(runs) > 1 and region == (0, len(self.text)):
                yield numbers

    def _without_what_is_around(self, numbers: list[int]) -> list[int]:
        """Leave out a first unit that all others lie in: the comment that the replies of a list are given to."""
        around, rest = self.units[numbers[0]], numbers[1:]
        return rest if rest and all(self.units[number].end <= around.end for number in rest) else numbers

    def _parted(self, numbers: Sequence[int]) -> Iterator[list[int]]:
        gaps = [self._gap(first, second) for first, second in pairwise(numbers)]
        closest = min((len(gap) for gap in gaps if not gap.strip()), default=0)
        run = [numbers[0]]
        for number, gap in zip(numbers[1:], gaps, strict=True):
            is_item = self.units[number].kind == "item"
            if _BORDER.search(gap) or (is_item and (gap.strip() or len(gap) > closest)):
                yield run
                run = []
            run.append(number)
        yield run

    def _gap(self, first: int, second: int) -> str:
        return self.text[self.units[first].end : self.units[second].start]

    def _is_theirs(self, own: set[int], numbers: Sequence[int], count: int) -> bool:
        """Tell whether a list comes from a run: nearly each element from a unit of its own, and a fair part of it.

        One element is enough where it stands in a row, or among units that hold elements of other lists elsewhere.
        """
        least = 1 if self.units[numbers[0]].kind == "row" or self._are_elements(numbers) else _LEAST_ELEMENTS
        return len(own) >= max(least, count * (1 - _MOST_ASTRAY)) and len(own) >= _LEAST_HELD * len(numbers)

    def _are_elements(self, numbers: Sequence[int]) -> bool:
        """Tell whether nearly all other units of a run's group state something of the data."""
        group, run = self.units[numbers[0]].group, set(numbers)
        others = [unit for number, unit in enumerate(self.units) if unit.group == group and number not in run]
        stating = sum(next(self.stated.in_unit(unit), None) is not None for unit in others[:_MOST_LOOKED_AT])
        return len(others) >= _LEAST_ELEMENTS and stating >= _NEARLY_ALL * len(others[:_MOST_LOOKED_AT])

    def _missing(self, steps: Steps, numbers: Sequence[int], own: set[int]) -> tuple[int, ...]:
        given = {self._words(number) for number in own}
        by_most, by_any = kinds_stated(list(given))
        taken = sorted((self.units[number].start, self.units[number].end) for number in own)
        open_units: list[int] = []
        are_said = all(map(self._is_said, own))
        others = (number for number in numbers if number not in own and (self._is_said(number) or not are_said))
        for number in (number for number in others if not self.stated.is_element(steps, self._words(number))):
            stated = list(self.stated.in_unit(self.units[number]))
            if self.units[number].kind != "row" and any(path[: len(steps)] != steps for path in stated):
                return ()  # A run that holds other fields, too, is no list.
            is_part = self.stated.share_of(self.units[number]) >= _HALF  # of a value that reaches beyond it
            if not (stated or is_part or number in self.settled or overlaps(self.units[number], taken)):
                open_units.append(number)
        return tuple(number for number in open_units if self._is_alike(number, given, by_most, by_any))

    def _is_alike(self, number: int, given: set[str], by_most: frozenset[str], by_any: frozenset[str]) -> bool:
        """Tell whether a unit says something of the kind that the elements' units say, and none of the same.

        Nor what most of them say beside their own: the "unavailable" that stands with each size.
        """
        words = self._words(number)
        if not words or words in given:
            return False
        if self.units[number].kind == "row":
            return True
        beside = sum(f" {words} " in f" {one} " for one in given)
        is_their_own = beside < _LEAST_ELEMENTS or 2 * beside <= len(given)
        return is_their_own and by_most <= kinds_stated([words])[0] <= by_any

    def _is_said(self, number: int) -> bool:
        """Tell whether a unit is what a definition list says; a line above such ones that is not is their name."""
        return self.text.startswith(":", self.units[number].start)

    def _words(self, number: int) -> str:
        return words_of(self.text[self.units[number].start : self.units[number].end])
