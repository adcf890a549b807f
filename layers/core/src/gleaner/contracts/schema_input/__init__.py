"""A JSON Schema as callers send it, as an object or as text, to one that can be kept and written again."""

import json
from typing import Any

from gleaner.contracts.json_text import NestedTooDeeply, json_text, parse_json
from gleaner.contracts.schema_input.examples import meant_schema

SCHEMA_LEVELS = 200
"""Levels that a schema may nest: more could not be written as JSON again (Pydantic's writer ends at 255)."""


def parse_schema_text(value: Any) -> Any:
    """Give the JSON Schema, which may have come as a JSON string or as an example; ValueError says why it is none."""
    given = _parsed(value) if isinstance(value, str) else value
    if nests_deeper(given, SCHEMA_LEVELS):
        raise ValueError(f"a JSON Schema may nest {SCHEMA_LEVELS} levels, but this one has more")
    schema = meant_schema(given)
    if not isinstance(schema, dict | bool):
        raise ValueError(f"a JSON Schema is an object, not {type(schema).__name__}")
    if nests_deeper(schema, SCHEMA_LEVELS):
        raise ValueError(f"a JSON Schema may nest {SCHEMA_LEVELS} levels, but this one has more")
    try:
        json.dumps(schema, ensure_ascii=False, allow_nan=False).encode()
    except (TypeError, ValueError) as error:  # UnicodeEncodeError is a ValueError
        raise ValueError(f"a JSON Schema must be valid JSON: {error}") from None
    return schema


def with_schema_as_text(request: Any, most: int) -> Any:
    """Give a request with its schema as JSON text, unless it then has over ``most`` characters as JSON.

    States pass objects on, and no standard makes them keep the order of their names; a text keeps its own.

    >>> with_schema_as_text({"output_schema": {"type": "array"}}, 100)
    {'output_schema': '{"type": "array"}'}
    """
    schema = request.get("output_schema") if isinstance(request, dict) else None
    if not isinstance(schema, dict):
        return request
    carried = {**request, "output_schema": json_text(schema)}
    return carried if len(json.dumps(carried)) <= most else request


def _parsed(text: str) -> Any:
    try:
        return parse_json(text, parse_constant=_refuse_constant)
    except NestedTooDeeply:
        raise ValueError(f"a JSON Schema may nest {SCHEMA_LEVELS} levels, but this one has more") from None
    except ValueError as error:
        raise ValueError(f"not valid JSON ({error}); give a JSON Schema as an object or as a JSON string") from None


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a number in JSON")


def nests_deeper(value: Any, levels: int) -> bool:
    """Tell whether a JSON value has more levels of objects and arrays than that.

    >>> nests_deeper({"a": [1]}, 2), nests_deeper({"a": [1]}, 1)
    (False, True)
    """
    level: list[Any] = [value]
    for _ in range(levels):
        level = [inner for outer in level for inner in _inside(outer) if isinstance(inner, dict | list)]
        if not level:
            return False
    return True


def _inside(value: Any) -> Any:
    return value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
