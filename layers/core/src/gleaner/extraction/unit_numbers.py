"""The number of its unit that a model gives with each record: asked for in the answer's schema, then taken out.

The caller's schema knows nothing of it, and neither does what is validated. The number is a claim like any other: the
unit's text has to speak for the record.
"""

from collections.abc import Sequence
from typing import Any

from gleaner.contracts.json_pointers import read_pointer
from gleaner.contracts.ports import JsonObject, JsonValue
from gleaner.schemas import RecordPath, declared_properties, declared_types, record_path

_NAMES = ("unit", "unit_number", "number_of_unit")
"""Of words a model knows, in letters that every provider takes as a name."""


def name_of_number(item_schema: Any) -> str:
    """Give the name of the number, which is none of a record's own; "" where a record is no object with names.

    >>> name_of_number({"properties": {"unit": {"type": "string"}}}), name_of_number({"type": "string"})
    ('unit_number', '')
    """
    own = declared_properties(item_schema)
    names = (*_NAMES, *(f"unit_{at}" for at in range(2, len(own) + 3)))
    return next(name for name in names if name not in own) if own else ""


def list_name_of(schema: Any, path: RecordPath) -> str:
    """Give the name of the list whose records carry numbers; "" where the schema has no other list of objects.

    >>> rows = {"type": "array", "items": {"type": "object"}}
    >>> list_name_of({"properties": {"open": rows, "done": rows}}, RecordPath("/open", {}))
    'open'
    """
    own = declared_properties(schema).values()
    lists = [one for one in own if "array" in declared_types(one) and record_path(one) is not None]
    return read_pointer(path.pointer)[-1] if path.pointer and len(lists) > 1 else ""


def with_number(answer_schema: JsonObject, path: RecordPath, name: str) -> JsonObject:
    """Give the schema of an answer with the number before the fields of each record.

    >>> list(with_number({"items": {"properties": {"a": {}}}}, RecordPath("", {}), "unit")["items"]["properties"])
    ['unit', 'a']
    """
    return _put(answer_schema, read_pointer(path.pointer), name)


def _put(form: Any, steps: Sequence[str], name: str) -> Any:
    if "anyOf" in form:
        return {**form, "anyOf": [_put(branch, steps, name) for branch in form["anyOf"]]}
    if steps:
        inner = form.get("properties", {}).get(steps[0])
        return {**form, "properties": {**form["properties"], steps[0]: _put(inner, steps[1:], name)}} if inner else form
    return {**form, "items": _numbered(form["items"], name)} if "items" in form else form


def _numbered(item: Any, name: str) -> Any:
    if "anyOf" in item:
        return {**item, "anyOf": [_numbered(branch, name) for branch in item["anyOf"]]}
    if "properties" not in item:
        return item
    return {**item, "properties": {name: {"type": ["integer", "null"]}, **item["properties"]}}


def take_number(record: JsonValue, name: str) -> tuple[JsonValue, int | None]:
    """Give a record without the number, and the number; None for a record that names no unit.

    >>> take_number({"unit": "7", "name": "Oak"}, "unit"), take_number("Oak", "")
    (({'name': 'Oak'}, 7), ('Oak', None))
    """
    if not name or not isinstance(record, dict) or name not in record:
        return record, None
    rest = {key: value for key, value in record.items() if key != name}
    return rest, _whole(record[name])


def _whole(value: JsonValue) -> int | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, str):
        text = value.strip().strip("[]#")
        return int(text) if text.isdecimal() and len(text) < 10 else None
    return int(value) if isinstance(value, int | float) and abs(value) < 1e9 and value == int(value) else None
