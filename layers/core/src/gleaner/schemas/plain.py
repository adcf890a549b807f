"""Fast validation for plain schemas: types, formats, properties, items.

Most records are of such schemas and most answers are right, and jsonschema takes a hundred times as long to say so.
"""

import math
from collections.abc import Callable, Mapping
from typing import Any

from gleaner.schemas.formats import format_checker

Accepts = Callable[[Any], bool]

_KINDS: Mapping[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
    "object": (dict,),
    "array": (list,),
}
_NOTES = frozenset(("title", "description", "default", "examples"))
_KNOWN = _NOTES | {"type", "nullable", "enum", "format", "properties", "required", "additionalProperties", "items"}
_DEEPEST = 24


def plain_check(schema: Any) -> Accepts | None:
    """Give what tells that an instance is surely valid; None for a schema that says more than this module knows.

    What it does not accept may be valid all the same: that is for the validator to say.

    >>> check = plain_check({"type": "array", "items": {"type": "integer"}})
    >>> check and (check([1, 2]), check([1, "2"]), check([1.0]))
    (True, False, False)
    """
    whole = {name: value for name, value in schema.items() if name != "$schema"} if isinstance(schema, dict) else schema
    return _check_of(whole, _DEEPEST)


def _check_of(schema: Any, depth: int) -> Accepts | None:
    if schema is True:
        return lambda _: True
    if not isinstance(schema, dict) or depth == 0 or any(_is_unknown(name) for name in schema):
        return None
    kinds, items, fields = _kinds_of(schema), schema.get("items", True), schema.get("properties", {})
    required, is_open = schema.get("required"), schema.get("additionalProperties")
    choices, form = schema.get("enum"), schema.get("format", "")
    item = _check_of(items, depth - 1)
    checks = {name: _check_of(inner, depth - 1) for name, inner in fields.items()}
    known = {name: check for name, check in checks.items() if check is not None}
    if kinds is None or item is None or len(known) < len(fields) or is_open not in (None, True, False):
        return None
    wanted, is_closed = tuple(required or ()), is_open is False
    conforms = format_checker().conforms

    def accepts(value: Any) -> bool:
        kind = type(value)
        if kind not in kinds or (kind is float and not math.isfinite(value)):
            return False
        if choices is not None and not (kind in (str, type(None)) and value in choices):
            return False
        if form and not conforms(value, form):
            return False
        if kind is list:
            return items is True or all(map(item, value))
        if kind is not dict:
            return True
        if is_closed and not value.keys() <= known.keys():
            return False
        return all(name in value for name in wanted) and all(
            check(value[name]) for name, check in known.items() if name in value
        )

    return accepts


def _is_unknown(name: str) -> bool:
    return name not in _KNOWN and not name.startswith("x-")


def _kinds_of(schema: dict[str, Any]) -> frozenset[type] | None:
    """Give the types of the values that a schema allows, all without a ``type``; None for one that is not known."""
    stated = schema.get("type", list(_KINDS))
    names = stated if isinstance(stated, list) else [stated]
    if not all(isinstance(name, str) and name in _KINDS for name in names):
        return None
    extra = ["null"] if schema.get("nullable") is True else []
    return frozenset(kind for name in (*names, *extra) for kind in _KINDS[name])
