"""Find and replace a value's list of records (EX-1)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from gleaner.coercion import coerce
from gleaner.contracts.json_pointers import escape_step, read_pointer
from gleaner.contracts.ports import JsonObject, JsonValue
from gleaner.results.answer_json import UnreadableAnswer, read_answer
from gleaner.schemas import (
    RecordPath,
    declared_properties,
    declared_types,
    is_valid,
)
from gleaner.schemas.leaves import SchemaViews


@dataclass(frozen=True, slots=True)
class Listing:
    """The records of an answer, and what else its object holds around them."""

    records: list[JsonValue]
    outer: JsonObject = field(default_factory=dict[str, JsonValue])


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
        named = unquoted(named, {"type": "array"})
    columns = named if isinstance(named, dict) else data
    if (rows := _rows_of_columns(columns, path)) is not None:
        return Listing(rows, data if columns is named else {})
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


def _rows_of_columns(data: JsonObject, path: RecordPath) -> list[JsonValue] | None:
    """Give the records of an answer that has a list for each field; None for any other, and for lists of other lengths.

    >>> schema = {"properties": {"name": {"type": "string"}, "price": {"type": "number"}}}
    >>> _rows_of_columns({"name": ["Jug", "Mug"], "price": [5, 6]}, RecordPath("", schema))
    [{'name': 'Jug', 'price': 5}, {'name': 'Mug', 'price': 6}]
    """
    declared = declared_properties(path.item_schema)
    columns = [cells for cells in data.values() if isinstance(cells, list)]
    known = [name for name in data if name in declared]
    is_table = bool(known) and len(columns) == len(data) and len(known) >= len(data) - 1
    if not is_table or any("array" in declared_types(declared[name]) for name in known):
        return None
    texts = [name for name in known if "object" not in declared_types(declared[name])]
    if any(isinstance(cell, dict) for cells in map(data.get, texts) if isinstance(cells, list) for cell in cells):
        return None  # the list of the records has the name of one of their fields
    if len({len(cells) for cells in columns}) > 1 or not columns[0]:
        return None
    return [dict(zip(data, row, strict=True)) for row in zip(*columns, strict=True)]


def _is_numbered(name: str, value: JsonValue) -> bool:
    return name.isdecimal() and isinstance(value, dict)


def _looks_like_a_record(data: JsonObject, path: RecordPath) -> bool:
    return bool(set(data) & set(declared_properties(path.item_schema))) or is_valid(path.item_schema, data)


def _flat(records: list[JsonValue], path: RecordPath) -> list[JsonValue]:
    """Open lists of lists, as JSON lines of arrays give them, where a record is no list itself; drop nulls."""
    records = [unquoted(record, path.item_schema) for record in records]
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


def unquoted(value: JsonValue, schema: Any) -> JsonValue:
    """Give the object or list that a text holds, where the schema asks for no text: models put JSON into quotes.

    >>> unquoted('[{"n": 1}]', {"type": "array"}), unquoted('[{"n": 1}]', {"type": "string"})
    ([{'n': 1}], '[{"n": 1}]')
    """
    if not isinstance(value, str) or not value.lstrip().startswith(("[", "{")) or "string" in declared_types(schema):
        return value
    try:
        read = read_answer(value)
    except UnreadableAnswer:
        return value
    return value if read.cut else read.value


def most_records(schema: Any, path: RecordPath) -> int | None:
    """Give the most records that the schema takes (``maxItems``); None for any number.

    >>> most_records({"type": "array", "maxItems": 3}, RecordPath("", {}))
    3
    """
    views = SchemaViews(schema).of(tuple(read_pointer(path.pointer)))
    return min((view["maxItems"] for view in views if isinstance(view.get("maxItems"), int)), default=None)
