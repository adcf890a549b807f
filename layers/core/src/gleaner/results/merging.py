"""Merge the results of all chunks: a pure algebra over a set of outcomes (MG-1, MG-2).

``merge`` looks at outcomes as a set: it puts them into page order, forgets repetitions, and folds. So neither the
order in which chunks finish, nor retries, nor how outcomes were grouped on the way can change a byte.
"""

import json
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

from gleaner.contracts.json_pointers import pointer_of, read_pointer
from gleaner.contracts.json_text import canonical
from gleaner.contracts.ports import JsonObject, JsonValue
from gleaner.units import PlacedUnit

Span = tuple[int, int]
SortKey = tuple[int, tuple[int, ...], str]
ListPlace = tuple[int, int]
"""A list of the page, and which of its stretches: a group of like units that something else interrupts has several."""
Dedupe = Literal["exact", "keys", "none"]
Schema = dict[str, Any] | bool


@dataclass(frozen=True)
class ChunkOutcome:
    """What one chunk, or a part of a chunk that was split, gave.

    ``part`` is the path of halves within the chunk. ``spans`` are the places of the records in the page's Markdown,
    by index, None where unknown; ``lists`` the lists of the page that these places belong to.
    ``context`` names the chunk's place for free text.
    """

    chunk_index: int
    data: JsonValue
    part: tuple[int, ...] = ()
    spans: tuple[Span | None, ...] | None = None
    context: str = ""
    lists: tuple[ListPlace | None, ...] | None = None

    @cached_property
    def sort_key(self) -> SortKey:
        """Where the outcome stands in page order; different outcomes have different keys."""
        return self.chunk_index, self.part, f"{canonical(self.data)}{self.spans}{self.lists}{self.context}"


@dataclass(frozen=True)
class Merged:
    """The merged data, the places of its records by index, what disagreed, and how many records went as duplicates.

    ``outcomes`` is the canonical set it was made of: merging merged results again is merging the union of their sets.
    """

    data: JsonValue
    spans: tuple[Span | None, ...] = ()
    conflicts: tuple[str, ...] = ()
    duplicates_removed: int = 0
    outcomes: tuple[ChunkOutcome, ...] = field(default=(), repr=False)


def merge(
    results: Iterable[ChunkOutcome | Merged],
    schema: Schema | None = None,
    dedupe: Dedupe = "exact",
    keys: Sequence[str] = (),
) -> Merged:
    """Merge the outcomes of a page's chunks.

    Lists of records are joined in page order. The same record from the same place, seen by two chunks, stays once.
    Equal records from different places of one list are records of their own; of different lists, or without a place,
    they go under ``exact``. Those with equal ``keys`` (property names) go under ``keys``, none under ``none``. Objects
    are merged deeply: a later scalar wins, null never does, arrays are joined. Free texts are joined with ``---`` and
    each chunk's context. Whatever disagrees is listed.
    """
    outcomes = _canonical_set(results)
    answered = [outcome for outcome in outcomes if outcome.data is not None]
    texts = [outcome for outcome in answered if isinstance(outcome.data, str)]
    path = _records_path(schema, answered)
    if texts and len(texts) == len(answered):
        return Merged(_join_texts(texts), outcomes=outcomes)
    if not answered:
        return Merged([] if path == () else None, outcomes=outcomes)
    fold = _Fold(path, dedupe, tuple(keys))
    structured = [outcome for outcome in answered if not isinstance(outcome.data, str)]
    for outcome in structured:
        fold.add(outcome)
    conflicts = [
        f"chunk {outcome.chunk_index}: dropped, because the model gave text instead of data" for outcome in texts
    ]
    return fold.finish(outcomes, conflicts)


def _canonical_set(results: Iterable[ChunkOutcome | Merged]) -> tuple[ChunkOutcome, ...]:
    unique: dict[SortKey, ChunkOutcome] = {}
    for result in results:
        for outcome in result.outcomes if isinstance(result, Merged) else (result,):
            known = unique.setdefault(outcome.sort_key, outcome)
            if known is not outcome:  # the same data may have its names in another order
                unique[outcome.sort_key] = min(known, outcome, key=lambda one: json.dumps(one.data))
    return tuple(unique[key] for key in sorted(unique))


def _records_path(schema: Schema | None, outcomes: Sequence[ChunkOutcome]) -> tuple[str, ...] | None:
    """Give the path of the list of records; by the schema, else a list if any outcome is one."""
    if isinstance(schema, dict):
        from gleaner.schemas import record_path

        found = record_path(schema)
        if found is not None:
            return tuple(read_pointer(found.pointer))
    if any(isinstance(outcome.data, list) for outcome in outcomes):
        return ()
    return next((path for outcome in outcomes if (path := _path_by_count(outcome)) is not None), None)


def _path_by_count(outcome: ChunkOutcome) -> tuple[str, ...] | None:
    """Give the property whose array is as long as the outcome has places: so the records tell themselves."""
    if not outcome.spans or not isinstance(outcome.data, dict):
        return None
    lists = [key for key, value in outcome.data.items() if isinstance(value, list) and len(value) == len(outcome.spans)]
    return (lists[0],) if lists else None


def _join_texts(outcomes: Sequence[ChunkOutcome]) -> str:
    pieces = [(outcome.context.strip(), str(outcome.data).strip()) for outcome in outcomes]
    filled = list(dict.fromkeys(pair for pair in pieces if pair[1]))
    if len(filled) == 1:
        return filled[0][1]
    return "\n\n---\n\n".join(f"{context}\n\n{text}" if context else text for context, text in filled)


@dataclass(frozen=True)
class _Placed:
    """A record with the key of its place in the page, and who reported it."""

    record: JsonValue
    order: tuple[int, int, tuple[int, ...], int]
    span: Span | None
    source: SortKey
    of_list: ListPlace | None = None


class _Fold:
    def __init__(self, path: tuple[str, ...] | None, dedupe: Dedupe, keys: tuple[str, ...]) -> None:
        self.path, self.dedupe, self.keys = path, dedupe, keys
        self.records: list[_Placed] = []
        self.rest: JsonValue = None
        self.conflicts: list[str] = []
        self.reached = -1

    def add(self, outcome: ChunkOutcome) -> None:
        if self.path is None:
            self.rest = self._join(self.rest, outcome.data, ())
            return
        records, rest = _take_records(outcome.data, self.path)
        self.rest = self._join(self.rest, rest, ()) if self.path else self.rest
        self.records.extend(_place(records, outcome, self.reached))
        self.reached = max([self.reached, *(item.order[0] for item in self.records[-len(records) :] if records)])

    def finish(self, outcomes: tuple[ChunkOutcome, ...], conflicts: list[str]) -> Merged:
        if self.path is None:
            return Merged(self.rest, (), tuple(conflicts + self.conflicts), 0, outcomes)
        placed = self._without_overlaps(sorted(self.records, key=_by_place))
        kept = self._without_twins(placed)
        data = _put_records(self.rest, self.path, [item.record for item in kept])
        removed = len(self.records) - len(kept)
        return Merged(data, tuple(item.span for item in kept), tuple(conflicts + self.conflicts), removed, outcomes)

    # Objects

    def _join(self, old: JsonValue, new: JsonValue, path: tuple[str | int, ...]) -> JsonValue:
        if old is None or new is None:
            return old if new is None else new
        if isinstance(old, dict) and isinstance(new, dict):
            return {key: self._member(old, new, key, path) for key in [*old, *(key for key in new if key not in old)]}
        if isinstance(old, list) and isinstance(new, list):
            return self._join_lists(old, new)
        if canonical(old) != canonical(new):
            self.conflicts.append(f"{pointer_of(path) or '/'}: {canonical(old)} then {canonical(new)}")
        return new

    def _member(self, old: JsonObject, new: JsonObject, key: str, path: tuple[str | int, ...]) -> JsonValue:
        return self._join(old.get(key), new.get(key), (*path, key))

    def _join_lists(self, old: list[JsonValue], new: list[JsonValue]) -> list[JsonValue]:
        if self.dedupe == "none":
            return old + new
        left = Counter(canonical(item) for item in old)
        added: list[JsonValue] = []
        for item in new:
            name = canonical(item)
            left[name] -= 1
            if left[name] < 0:
                added.append(item)
        return old + added

    # Records

    def _without_overlaps(self, placed: Sequence[_Placed]) -> list[_Placed]:
        """Take out what a second chunk says of a place that the first one has reported."""
        kept: list[_Placed] = []
        for group in _by_span(placed):
            if len(group) == 1 or group[0].span is None:
                kept.extend(group)
            else:
                kept.extend(self._same_place(group))
        return kept

    def _same_place(self, group: Sequence[_Placed]) -> list[_Placed]:
        by_source: dict[object, list[_Placed]] = {}
        for item in group:
            by_source.setdefault(item.source, []).append(item)
        reports = list(by_source.values())
        if len(reports) > 1 and all(len(report) == 1 for report in reports):
            return [self._fill(group)]
        kept = list(reports[0])
        for report in reports[1:]:
            known = Counter(canonical(item.record) for item in kept)
            for item in report:
                name = canonical(item.record)
                known[name] -= 1
                if known[name] < 0:
                    kept.append(item)
        return kept

    def _fill(self, group: Sequence[_Placed]) -> _Placed:
        """Give the first record, with what it lacks from the others."""
        first = group[0]
        record = first.record
        for other in group[1:]:
            record = self._filled(record, other.record, first.span)
        return replace(first, record=record)

    def _filled(self, record: JsonValue, other: JsonValue, span: Span | None) -> JsonValue:
        if not isinstance(record, dict) or not isinstance(other, dict):
            return other if record is None else record
        where = f"record at {span[0]}" if span else "record"
        for key, value in other.items():
            known = record.get(key)
            if known is None and value is not None:
                record = {**record, key: value}
            elif value is not None and canonical(known) != canonical(value):
                self.conflicts.append(
                    f"{where}{pointer_of((key,))}: {canonical(known)} kept, {canonical(value)} dropped"
                )
        return record

    def _without_twins(self, placed: Sequence[_Placed]) -> list[_Placed]:
        if self.dedupe == "none":
            return list(placed)
        if self.dedupe == "exact":
            return _shown_once(placed)
        kept: dict[object, _Placed] = {}
        for number, item in enumerate(placed):
            name = self._identity(item.record, number)
            kept[name] = self._fill([kept[name], item]) if name in kept else item
        return list(kept.values())

    def _identity(self, record: JsonValue, number: int) -> object:
        """Give what makes a record the same as another; a record without any of the key fields is like no other."""
        if not isinstance(record, dict) or all(record.get(key) is None for key in self.keys):
            return number
        return tuple(canonical(record.get(key)) for key in self.keys)


def _shown_once(placed: Sequence[_Placed]) -> list[_Placed]:
    """Give equal records as often as the one list that has most of them does; without a list, once."""
    names = [canonical(item.record) for item in placed]
    if len({*names}) == len(names):
        return list(placed)
    repeats = _repeats(placed, names)
    copies: dict[str, dict[int | None, list[int]]] = {}
    for number, item in enumerate(placed):
        if item.of_list not in repeats:
            of_list = item.of_list[0] if item.of_list else None
            copies.setdefault(names[number], {}).setdefault(of_list, []).append(number)
    kept: set[int] = set()
    for lists in copies.values():
        of_lists = [numbers for of_list, numbers in lists.items() if of_list is not None]
        kept.update(max(of_lists, key=len) if of_lists else lists[None][:1])
    return [item for number, item in enumerate(placed) if number in kept]


def _repeats(placed: Sequence[_Placed], names: Sequence[str]) -> set[ListPlace | None]:
    """Give the stretches of lists that show nothing but what another one of the same list shows: a carousel of cards.

    Where records are equal besides that, equal ones are not the same in that list, and none is left out.
    """
    lists: dict[int, dict[ListPlace, list[str]]] = {}
    for item, name in zip(placed, names, strict=True):
        if item.of_list is not None:
            lists.setdefault(item.of_list[0], {}).setdefault(item.of_list, []).append(name)
    found: set[ListPlace | None] = set()
    for stretches in lists.values():
        by_size = sorted(stretches, key=lambda one: (-len(stretches[one]), one))
        repeated = {one for at, one in enumerate(by_size) if _is_in_one_of(stretches[one], stretches, by_size[:at])}
        left = [name for one, names in stretches.items() if one not in repeated for name in names]
        if len(set(left)) == len(left):
            found |= repeated
    return found


def _is_in_one_of(names: list[str], stretches: dict[ListPlace, list[str]], others: Sequence[ListPlace]) -> bool:
    own = set(names)
    return len(own) > 1 and any(own <= set(stretches[other]) for other in others)


def _take_records(data: JsonValue, path: tuple[str, ...]) -> tuple[list[JsonValue], JsonValue]:
    """Give the records of one outcome, and the rest of its object without them."""
    if not path:
        return data if isinstance(data, list) else [data], None
    if isinstance(data, list):
        return data, None
    if not isinstance(data, dict):
        return [], data
    records, rest = _take_records_below(data.get(path[0]), path[1:])
    return records, {key: rest if key == path[0] else value for key, value in data.items()}


def _take_records_below(data: JsonValue, path: tuple[str, ...]) -> tuple[list[JsonValue], JsonValue]:
    if path:
        return _take_records(data, path) if isinstance(data, dict) else ([], data)
    return (data, None) if isinstance(data, list) else ([] if data is None else [data], None)


def _put_records(rest: JsonValue, path: tuple[str, ...], records: list[JsonValue]) -> JsonValue:
    if not path:
        return records
    outer = rest if isinstance(rest, dict) else {}
    return {**outer, path[0]: _put_records(outer.get(path[0]), path[1:], records)}


def _place(records: Sequence[JsonValue], outcome: ChunkOutcome, reached: int) -> Iterator[_Placed]:
    """Give the records with their places; one without a place of its own stays behind the one before it.

    ``reached`` is how far the chunks before this one went.
    """
    spans = outcome.spans if outcome.spans is not None and len(outcome.spans) == len(records) else None
    lists = outcome.lists if spans and outcome.lists is not None and len(outcome.lists) == len(spans) else None
    known = [span for span in spans or () if span is not None]
    last = min(reached, known[0][0]) if known else reached
    for number, record in enumerate(records):
        span = spans[number] if spans else None
        last = span[0] if span else last
        order = (last, outcome.chunk_index, outcome.part, number)
        yield _Placed(record, order, span, outcome.sort_key, lists[number] if lists else None)


def _by_place(item: _Placed) -> tuple[int, int, tuple[int, ...], int]:
    return item.order


def _by_span(placed: Sequence[_Placed]) -> Iterator[list[_Placed]]:
    """Give the records of each place together, at the first one's turn; those without a place alone."""
    groups: dict[object, list[_Placed]] = {}
    for number, item in enumerate(placed):
        groups.setdefault(item.span or number, []).append(item)
    yield from groups.values()


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
