"""Fast validation for plain schemas: types, formats, listed values, alternatives, properties, items.

Most records are of such schemas and most answers are right, and jsonschema takes a hundred times as long to say so.
"""

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from gleaner.schemas.dialects import dialect_of
from gleaner.schemas.formats import format_checker
from gleaner.schemas.keywords import NOTES, json_identity, listed_in

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
_CHOICES = frozenset(("enum", "const", "anyOf", "oneOf"))
_PARTS = frozenset(("properties", "required", "additionalProperties", "items"))
_KNOWN = NOTES | _CHOICES | _PARTS | {"type", "nullable", "format"}
_DEEPEST = 24


def plain_check(schema: Any) -> Accepts | None:
    """Give what tells that an instance is surely valid; None for a schema that says more than this module knows.

    What it does not accept may be valid all the same: that is for the validator to say.

    >>> check = plain_check({"type": "array", "items": {"type": "integer"}})
    >>> check and (check([1, 2]), check([1, "2"]), check([1.0]))
    (True, False, False)
    """
    whole = {name: value for name, value in schema.items() if name != "$schema"} if isinstance(schema, dict) else schema
    return _check_of(whole, _KNOWN if dialect_of(schema).knows("const") else _KNOWN - {"const"}, _DEEPEST)


def _check_of(schema: Any, keywords: frozenset[str], depth: int) -> Accepts | None:
    if schema is True:
        return lambda _: True
    if not isinstance(schema, dict) or depth == 0:
        return None
    if not all(name in keywords or name.startswith("x-") for name in schema):
        return None
    kinds, items, fields = _kinds_of(schema), schema.get("items", True), schema.get("properties", {})
    required, is_open = schema.get("required"), schema.get("additionalProperties")
    choices, form = _choices_of(schema, keywords, depth), schema.get("format", "")
    item = _check_of(items, keywords, depth - 1)
    checks = {name: _check_of(inner, keywords, depth - 1) for name, inner in fields.items()}
    known = {name: check for name, check in checks.items() if check is not None}
    if kinds is None or item is None or choices is None or len(known) < len(fields):
        return None
    if is_open not in (None, True, False):
        return None
    wanted, is_closed = tuple(required or ()), is_open is False
    conforms = format_checker().conforms

    def accepts(value: Any) -> bool:
        kind = type(value)
        if kind not in kinds or (kind is float and not math.isfinite(value)):
            return False
        if choices and not all(check(value) for check in choices):
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


def _choices_of(schema: dict[str, Any], keywords: frozenset[str], depth: int) -> list[Accepts] | None:
    """Give the checks of ``enum``, ``const``, ``anyOf`` and ``oneOf``; None where one says more than is known here.

    Of ``oneOf`` only branches that list values are known: no check here tells for sure that a branch refuses one.
    """
    found: list[Accepts | None] = []
    if "enum" in schema:
        found.append(_is_among(map(json_identity, schema["enum"])))
    if "const" in schema:
        found.append(_is_among([json_identity(schema["const"])]))
    for name in ("anyOf", "oneOf"):
        if name in schema:
            branches = [_check_of(branch, keywords, depth - 1) for branch in schema[name]]
            listed = None if None in branches else listed_in(schema[name])
            if listed is not None:
                found.append(_is_among(one for one, count in listed.items() if count == 1 or name == "anyOf"))
            else:
                found.append(_is_any_of(branches) if name == "anyOf" else None)
    known = [check for check in found if check is not None]
    return known if len(known) == len(found) else None


def _is_among(identities: Iterable[Any]) -> Accepts:
    listed = frozenset(identities)
    return lambda value: json_identity(value) in listed


def _is_any_of(branches: list[Accepts | None]) -> Accepts | None:
    known = [check for check in branches if check is not None]
    return (lambda value: any(check(value) for check in known)) if len(known) == len(branches) else None


def _kinds_of(schema: dict[str, Any]) -> frozenset[type] | None:
    """Give the types of the values that a schema allows, all without a ``type``; None for one that is not known."""
    stated = schema.get("type", list(_KINDS))
    names = stated if isinstance(stated, list) else [stated]
    if not all(isinstance(name, str) and name in _KINDS for name in names):
        return None
    extra = ["null"] if schema.get("nullable") is True else []
    return frozenset(kind for name in (*names, *extra) for kind in _KINDS[name])
