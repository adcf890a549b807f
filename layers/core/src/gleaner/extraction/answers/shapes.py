"""An answer brought into the schema's shape: out of its envelope, its records found, its values coerced, its faults."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from gleaner.coercion import coerce
from gleaner.contracts.json_pointers import escape_step, pointer_of, read_pointer, value_at
from gleaner.contracts.json_text import canonical
from gleaner.contracts.ports import JsonObject, JsonValue
from gleaner.extraction.prompts import DATA, SKIPPED
from gleaner.results.refused import Refusals, refusal
from gleaner.schemas import (
    RecordPath,
    Violation,
    declared_properties,
    declared_types,
    drop_undeclared,
    drop_unnamed,
    is_valid,
    named_as_declared,
    record_path,
    violations,
)
from gleaner.values.lenient_json import UnreadableAnswer, read_answer

_NAIVE_TIME = re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?")

_MOST_MENDS = 50
_MOST_ENVELOPES = 3


@dataclass(frozen=True, slots=True)
class Unwrapped:
    """The data of an answer, and the unit numbers that it says hold no record."""

    data: JsonValue
    skipped: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Listing:
    """The records of an answer, and what else its object holds around them."""

    records: list[JsonValue]
    outer: JsonObject = field(default_factory=dict[str, JsonValue])


def unwrap(value: JsonValue, schema: Any) -> Unwrapped:
    """Take the data out of its envelope; data that came without one is taken as it is (LB-2).

    Where the caller's own schema has a property ``data``, an answer that is an instance of it as it stands is bare.
    """
    if not (isinstance(value, dict) and DATA in value and set(value) <= {DATA, SKIPPED}):
        return Unwrapped(_opened(value, schema))
    inner = Unwrapped(_opened(value[DATA], schema), _numbers(value.get(SKIPPED)))
    if DATA in declared_properties(schema):
        is_bare = is_valid(schema, coerce(schema, value).value) and not is_valid(
            schema, coerce(schema, inner.data).value
        )
        return Unwrapped(value) if is_bare else inner
    return inner


def _opened(value: JsonValue, schema: Any) -> JsonValue:
    """Open envelopes of the model's own ({"result": ...}): boxes that name nothing of the schema and hold one value.

    >>> _opened({"status": "ok", "result": {"name": "Lamp"}}, {"properties": {"name": {}}})
    {'name': 'Lamp'}
    """
    value = named_as_declared(schema, _unquoted(value, schema))
    path = record_path(schema)
    records = set(declared_properties(path.item_schema)) if path else set[str]()
    own = set(declared_properties(schema))
    for _ in range(_MOST_ENVELOPES):
        if not own | records or not isinstance(value, dict) or _is_data(value, own, records):
            return value
        inner = [part for part in value.values() if isinstance(part, dict | list)]
        if len(inner) != 1:
            return value
        value = inner[0]
    return value


def _unquoted(value: JsonValue, schema: Any) -> JsonValue:
    """Give the object or list that a text holds, where the schema asks for no text: models put JSON into quotes.

    >>> _unquoted('[{"n": 1}]', {"type": "array"}), _unquoted('[{"n": 1}]', {"type": "string"})
    ([{'n': 1}], '[{"n": 1}]')
    """
    if not isinstance(value, str) or not value.lstrip().startswith(("[", "{")) or "string" in declared_types(schema):
        return value
    try:
        read = read_answer(value)
    except UnreadableAnswer:
        return value
    return value if read.cut else read.value


def _is_data(value: JsonObject, own: set[str], of_records: set[str]) -> bool:
    """Tell whether an object names what the schema, or a record, does.

    An envelope may by chance, such as {"status": "ok", "result": [...]}: then what is inside names more of it.
    """
    named = of_records & set(value)
    if not named or own & set(value):
        return bool(own & set(value))
    parts = (part for part in value.values() if isinstance(part, dict | list))
    firsts = (part if isinstance(part, dict) else next(iter(part), None) for part in parts)
    inside = [set(first) for first in firsts if isinstance(first, dict)]
    return not any(own & names or len(of_records & names) > len(named) for names in inside)


def _numbers(value: JsonValue) -> frozenset[int]:
    listed = value if isinstance(value, list) else []
    whole = (item for item in listed if isinstance(item, int | str) and not isinstance(item, bool))
    return frozenset(int(item) for item in whole if str(item).isdigit() and len(str(item)) < 10)


def find_records(data: JsonValue, path: RecordPath) -> Listing | None:
    """Give the records of an answer wherever it put them; None when it holds nothing of the kind.

    Taken as they are meant: a bare list for a schema that wraps it in an object, an object around a bare list, several
    such objects in a row, and a single record in place of a list of one.
    """
    if data is None or data == {}:
        return Listing([])
    steps = read_pointer(path.pointer)
    if isinstance(data, list):
        wrapped = [_at(item, steps) for item in data] if steps else []
        if wrapped and all(isinstance(records, list) for records in wrapped):
            joined = [record for records in wrapped if isinstance(records, list) for record in records]
            return Listing(joined, data[0] if isinstance(data[0], dict) else {})
        return Listing(_flat(data, path))
    if not isinstance(data, dict):
        return Listing([data]) if is_valid(path.item_schema, coerce(path.item_schema, data).value) else None
    return _records_of_object(data, steps, path)


def _records_of_object(data: JsonObject, steps: list[str], path: RecordPath) -> Listing | None:
    named = _at(data, steps) if steps else None
    if isinstance(named, str):
        named = _unquoted(named, {"type": "array"})
    if isinstance(named, dict) and named and all(_is_numbered(*entry) for entry in named.items()):
        named = list(named.values())
    if isinstance(named, list):
        return Listing(_flat(named, path), data)
    if isinstance(named, dict):
        return Listing([named] if named else [], data)
    if steps and steps[0] in data:
        return Listing([], data)
    if _looks_like_a_record(data, path):
        return Listing([data])
    lists = [value for value in data.values() if isinstance(value, list)]
    return Listing(_flat(lists[0], path)) if len(lists) == 1 else None


def _is_numbered(name: str, value: JsonValue) -> bool:
    return name.isdecimal() and isinstance(value, dict)


def _looks_like_a_record(data: JsonObject, path: RecordPath) -> bool:
    return bool(set(data) & set(declared_properties(path.item_schema))) or is_valid(path.item_schema, data)


def _flat(records: list[JsonValue], path: RecordPath) -> list[JsonValue]:
    """Open lists of lists, as JSON lines of arrays give them, where a record is no list itself; drop nulls."""
    records = [_unquoted(record, path.item_schema) for record in records]
    if records and all(isinstance(record, list) for record in records) and "array" not in _types(path):
        records = [inner for record in records if isinstance(record, list) for inner in record]
    return [record for record in records if record is not None and record != {}]


def _types(path: RecordPath) -> frozenset[str]:
    return declared_types(path.item_schema)


def _at(value: JsonValue, steps: Sequence[str]) -> JsonValue:
    for step in steps:
        if not isinstance(value, dict) or step not in value:
            return None
        value = value[step]
    return value


def rebuild(path: RecordPath, outer: JsonObject, records: list[JsonValue]) -> JsonValue:
    """Give an instance of the whole schema around the records.

    >>> rebuild(RecordPath("/shop/items", {}), {"shop": {"name": "A"}}, [1])
    {'shop': {'name': 'A', 'items': [1]}}
    """
    steps = read_pointer(path.pointer)
    if not steps:
        return records
    if len(steps) == 1:
        return {**outer, steps[0]: records}
    inner = outer.get(steps[0])
    rest = RecordPath(path.pointer[len(escape_step(steps[0])) + 1 :], path.item_schema)
    return {**outer, steps[0]: rebuild(rest, inner if isinstance(inner, dict) else {}, records)}


@dataclass(frozen=True, slots=True)
class Checked:
    """A value after coercion and removal of fields that the schema does not allow, with what is still wrong."""

    value: JsonValue
    faults: tuple[Violation, ...] = ()


def says_nothing(value: JsonValue) -> bool:
    """Tell whether nothing is said: null, or an object or list of nothing but nulls and empties.

    >>> says_nothing({"name": None, "tags": []}), says_nothing({"stock": False})
    (True, False)
    """
    if isinstance(value, dict):
        return all(says_nothing(inner) for inner in value.values())
    if isinstance(value, list):
        return all(says_nothing(inner) for inner in value)
    return value is None or value == ""


def check(schema: Any, value: JsonValue, *, is_part: bool = False, base_url: str | None = None) -> Checked:
    """Coerce and validate a value, without fields beyond the schema's, items given twice and nulls that it refuses.

    Models are told to say null for what the page does not state. Of a part of a larger instance, what is absent is no
    fault, and neither is a date-time without an offset: pages seldom state one, and no question brings it forth.
    Relative addresses are resolved against ``base_url``.
    """
    coerced = drop_undeclared(schema, coerce(schema, named_as_declared(schema, value), base_url=base_url).value)
    found = _but_for_naive_times(violations(schema, coerced), coerced)
    twice = [read_pointer(fault.pointer) for fault in found if fault.keyword == "uniqueItems"]
    for steps in twice:
        coerced = _replaced(coerced, steps, _each_once(value_at(coerced, pointer_of(steps))))
    found = _but_for_naive_times(violations(schema, coerced), coerced) if twice else found
    nulls = [fault for fault in found if fault.pointer and value_at(coerced, fault.pointer) is None]
    for fault in nulls:
        shorter = _replaced(coerced, read_pointer(fault.pointer), _GONE)
        left = _but_for_naive_times(violations(schema, shorter), shorter)
        if is_part or len(left) < len(found):
            coerced, found = shorter, left
    if found:
        named = drop_unnamed(schema, coerced)
        left = _but_for_naive_times(violations(schema, named), named) if named != coerced else found
        if len(left) < len(found):
            coerced, found = named, left
    return Checked(coerced, _faults(found, is_part=is_part))


def is_naive_time(value: JsonValue) -> bool:
    """Tell whether a text is a date with a time of day in ISO 8601 that says no offset from UTC.

    >>> is_naive_time("2026-03-05T19:30"), is_naive_time("2026-03-05T19:30:00Z"), is_naive_time("2026-03-05")
    (True, False, False)
    """
    return isinstance(value, str) and _NAIVE_TIME.fullmatch(value) is not None


def _but_for_naive_times(found: Sequence[Violation], value: JsonValue) -> list[Violation]:
    return [one for one in found if not (one.keyword == "format" and is_naive_time(value_at(value, one.pointer)))]


def settle_naive_times(schema: Any, value: JsonValue) -> tuple[JsonValue, dict[str, JsonValue]]:
    """Give the value with null in place of date-times without an offset where the schema wants one and takes null.

    The values taken out come with their pointers; what may not be null stays, and breaks the schema.
    """
    taken: dict[str, JsonValue] = {}
    for fault in violations(schema, value):
        if fault.keyword == "format" and is_naive_time(value_at(value, fault.pointer)):
            candidate = _replaced(value, read_pointer(fault.pointer), None)
            if len(violations(schema, candidate)) < len(violations(schema, value)):
                taken[fault.pointer] = value_at(value, fault.pointer)
                value = candidate
    return value, taken


def _each_once(value: JsonValue) -> JsonValue:
    """Give a list of scalars without the items that it has before."""
    if not isinstance(value, list) or any(isinstance(item, dict | list) for item in value):
        return value
    return list({canonical(item): item for item in value}.values())


def _faults(found: Sequence[Violation], *, is_part: bool) -> tuple[Violation, ...]:
    return tuple(fault for fault in found if not (is_part and fault.keyword in _OF_THE_WHOLE))


_OF_THE_WHOLE = frozenset({"required", "minItems", "minProperties", "dependentRequired", "contains", "minContains"})


def _replaced(value: JsonValue, steps: Sequence[str], new: JsonValue) -> JsonValue:
    """Give a copy with another value at the place; ``_GONE`` takes a property out."""
    if not steps:
        return new
    step, rest = steps[0], steps[1:]
    if isinstance(value, dict) and step in value:
        if new is _GONE and not rest:
            return {name: inner for name, inner in value.items() if name != step}
        return {**value, step: _replaced(value[step], rest, new)}
    if isinstance(value, list) and step.isdigit() and int(step) < len(value):
        if new is _GONE and not rest:
            return value[: int(step)] + value[int(step) + 1 :]
        return [_replaced(inner, rest, new) if n == int(step) else inner for n, inner in enumerate(value)]
    return value


_GONE: Any = object()


def mend(schema: Any, checked: Checked, *, is_part: bool = False) -> tuple[JsonValue, Refusals] | None:
    """Give the value without what breaks the schema in it, and that; None when that is not enough.

    The last resort after asking again: one bad field is no reason to lose the record that it stands in.
    """
    value, dropped = checked.value, Refusals()
    for _ in range(_MOST_MENDS):
        found = _faults(violations(schema, value), is_part=is_part)
        if not found:
            return value, dropped
        mended = _without(schema, value, found[0])
        if mended is None:
            return None
        steps, left = mended
        dropped.append(refusal(pointer_of(steps), value_at(value, pointer_of(steps))))
        value = left
    return None


def _without(schema: Any, value: JsonValue, fault: Violation) -> tuple[Sequence[str], JsonValue] | None:
    """Give the value with null in place of what is at fault, or without it, or an object at fault without one field.

    The steps lead to what was taken out.

    None when nothing helps.
    """
    before = len(violations(schema, value))
    for steps, new in _changes(value, read_pointer(fault.pointer)):
        candidate = _replaced(value, steps, new)
        if candidate != value and len(violations(schema, candidate)) < before:
            return steps, candidate
    return None


def _changes(value: JsonValue, steps: Sequence[str]) -> Iterator[tuple[Sequence[str], JsonValue]]:
    if steps:
        yield steps, None
        yield steps, _GONE
    at_fault = value_at(value, pointer_of(steps))
    for name in at_fault if isinstance(at_fault, dict) else ():
        yield (*steps, name), _GONE
