"""jsonschema's validators with the keywords that need more care: patterns, uniqueness, ``nullable``, NaN.

Patterns run with a time limit (gleaner.schemas.patterns); uniqueItems and long enumerations take linear time;
``nullable: true`` beside ``type`` admits null, as in OpenAPI 3.0, because callers who write it mean it; NaN and
infinities, which JSON cannot write, are no numbers. A subschema that names its draft keeps all this, and work that
multiplies with the depth of a value ends (gleaner.schemas.effort).
"""

import math
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import Any

from attrs import fields
from jsonschema import ValidationError
from jsonschema.validators import extend
from referencing.jsonschema import lookup_recursive_ref

from gleaner.schemas.dialects import DIALECTS, Dialect
from gleaner.schemas.effort import count_step
from gleaner.schemas.patterns import search

Problems = Iterator[ValidationError]

MOST_LISTED = 50
"""Choices that a message names."""

MOST_REMEMBERED = 64
"""Long lists of branches whose values are remembered."""

NOTES = frozenset(("title", "description", "default", "examples"))
"""Keywords that refuse no value."""


@cache
def enforcing_validator(dialect: Dialect) -> Any:
    """Give the dialect's validator class with the keywords of this module."""
    known = dialect.validator.VALIDATORS
    replaced = {name: check for name, check in KEYWORDS.items() if name in known}
    checker = dialect.validator.TYPE_CHECKER
    for name in ("number", "integer"):
        checker = checker.redefine(name, _finite(dialect.validator.TYPE_CHECKER, name))
    replaced["type"] = _nullable(known["type"])
    replaced |= {name: check_alternatives(name, known[name]) for name in ("anyOf", "oneOf")}
    enforcing: Any = extend(dialect.validator, validators=replaced, type_checker=checker)
    enforcing.evolve = _enforcing_still(enforcing.evolve)
    enforcing.descend = _counting(enforcing.descend)
    return enforcing


def _enforcing_still(original: Any) -> Any:
    def evolve(self: Any, **changes: Any) -> Any:
        evolved = original(self, **changes)
        if type(evolved) is type(self):
            return evolved
        known = next((dialect for dialect in DIALECTS if type(evolved) is dialect.validator), None)
        if known is None:
            return evolved
        given = {field.alias: getattr(evolved, field.name) for field in fields(known.validator) if field.init}
        return enforcing_validator(known)(**given)

    return evolve


def _counting(original: Any) -> Any:
    def descend(self: Any, *args: Any, **named: Any) -> Problems:
        count_step()
        return original(self, *args, **named)

    return descend


def _finite(original: Any, name: str) -> Any:
    def is_number(_checker: Any, value: Any) -> bool:
        return original.is_type(value, name) and not (isinstance(value, float) and not math.isfinite(value))

    return is_number


def _nullable(original: Any) -> Any:
    def check_type(validator: Any, types: Any, instance: Any, schema: Any) -> Problems:
        if instance is not None or schema.get("nullable") is not True:
            yield from original(validator, types, instance, schema)

    return check_type


def check_pattern(validator: Any, pattern: str, instance: Any, _schema: Any) -> Problems:
    """``pattern``: the text holds a match."""
    if validator.is_type(instance, "string") and not search(pattern, instance):
        yield ValidationError(f"{instance!r} does not match {pattern!r}")


def check_pattern_properties(validator: Any, patterns: Any, instance: Any, _schema: Any) -> Problems:
    """``patternProperties``: properties whose names match meet the schema."""
    if not validator.is_type(instance, "object"):
        return
    for pattern, subschema in patterns.items():
        for name, value in instance.items():
            if search(pattern, name):
                yield from validator.descend(value, subschema, path=name, schema_path=pattern)


def check_additional_properties(validator: Any, allowed: Any, instance: Any, schema: Any) -> Problems:
    """``additionalProperties``: what neither properties nor patternProperties name."""
    if not validator.is_type(instance, "object"):
        return
    extras = [name for name in instance if not _is_declared(name, schema)]
    if validator.is_type(allowed, "object"):
        for name in extras:
            yield from validator.descend(instance[name], allowed, path=name)
    elif extras and not allowed:
        yield ValidationError(f"no such properties are allowed: {_listed(extras)}")


def check_unevaluated_properties(validator: Any, allowed: Any, instance: Any, schema: Any) -> Problems:
    """``unevaluatedProperties``: what no applicable subschema has looked at."""
    if not validator.is_type(instance, "object"):
        return
    evaluated = evaluated_names(validator, instance, schema)
    refused = [
        name
        for name, value in instance.items()
        if name not in evaluated and next(validator.descend(value, allowed, path=name), None) is not None
    ]
    if refused:
        yield ValidationError(f"unevaluated properties are not allowed: {_listed(refused)}")


def check_unique_items(validator: Any, unique: Any, instance: Any, _schema: Any) -> Problems:
    """``uniqueItems``, by a hash of each item: linear, where comparing pairs takes minutes on 5,000 records."""
    if not unique or not validator.is_type(instance, "array"):
        return
    seen: dict[Any, int] = {}
    for index, item in enumerate(instance):
        first = seen.setdefault(json_identity(item), index)
        if first != index:
            yield ValidationError(f"items {first} and {index} are equal")
            return


def check_multiple(validator: Any, factor: Any, instance: Any, _schema: Any) -> Problems:
    """``multipleOf``, by the numbers as JSON writes them: 19.99 is a multiple of 0.01, though not in binary."""
    if validator.is_type(instance, "number") and _as_written(instance) % _as_written(factor):
        yield ValidationError(f"{instance!r} is not a multiple of {factor!r}")


def _as_written(number: float) -> Fraction:
    return Fraction(number if isinstance(number, int) else repr(number))


def check_enum(_validator: Any, choices: Any, instance: Any, _schema: Any) -> Problems:
    """``enum``: one of the choices, found without comparing twenty thousand of them one by one in Python."""
    identity = json_identity(instance)
    if instance not in choices or all(json_identity(choice) != identity for choice in choices if choice == instance):
        yield ValidationError(f"{instance!r} is not one of {_listed_choices(choices)}")


def check_alternatives(name: str, original: Any) -> Any:
    """``anyOf`` and ``oneOf``: where all branches list values, they are looked up and not applied one by one.

    What long lists of branches list is read once for each; a list is kept with it, so that no other gets its id.
    """
    known: dict[int, tuple[Any, Counter[Any] | None]] = {}

    def listed_once(branches: Any) -> Counter[Any] | None:
        if id(branches) not in known:
            if len(known) >= MOST_REMEMBERED:
                known.clear()
            known[id(branches)] = branches, listed_in(branches)
        return known[id(branches)][1]

    def check(validator: Any, branches: Any, instance: Any, schema: Any) -> Problems:
        is_long = len(branches) > MOST_LISTED and "const" in validator.VALIDATORS
        listed = listed_once(branches) if is_long else None
        count = listed[json_identity(instance)] if listed is not None else None
        if count is None or (count > 1 and name == "oneOf"):
            yield from original(validator, branches, instance, schema)
        elif count == 0:
            first = list(validator.descend(instance, branches[0], schema_path=0))
            yield ValidationError(f"{instance!r} is not valid under any of the given schemas", context=first)

    return check


def listed_in(branches: list[Any]) -> Counter[Any] | None:
    """Count the branches that list each value, by its identity; None where a branch says more than what it lists."""
    listed: Counter[Any] = Counter()
    for branch in branches:
        if not isinstance(branch, dict) or branch.keys() - NOTES not in ({"const"}, {"enum"}):
            return None
        values = branch["enum"] if "enum" in branch else [branch["const"]]
        listed.update({json_identity(value) for value in values})
    return listed


def json_identity(value: Any) -> Any:
    """Give a hashable twin of a JSON value, equal where JSON Schema says equal: 1 and 1.0, not 1 and true."""
    if isinstance(value, bool):
        return ("bool", value)
    if isinstance(value, list):
        return ("list", tuple(json_identity(item) for item in value))
    if isinstance(value, dict):
        return ("dict", frozenset((name, json_identity(item)) for name, item in value.items()))
    return value


def _is_declared(name: str, schema: Any) -> bool:
    if name in schema.get("properties", {}):
        return True
    return any(search(pattern, name) for pattern in schema.get("patternProperties", {}))


def _listed(names: list[str]) -> str:
    shown = ", ".join(repr(name) for name in names[:10])
    return shown if len(names) <= 10 else f"{shown} and {len(names) - 10} more"


def _listed_choices(choices: list[Any]) -> str:
    return repr(choices) if len(choices) <= MOST_LISTED else f"{choices[:MOST_LISTED]!r} and {len(choices)} in all"


def evaluated_names(validator: Any, instance: Any, schema: Any) -> set[str]:
    """Give the names of the properties that the schema, with what applies in place, has evaluated (2019-09 §9.3)."""
    if not isinstance(schema, dict):
        return set()
    names = {name for name in instance if _is_declared(name, schema)}
    for keyword in ("additionalProperties", "unevaluatedProperties"):
        if keyword in schema:
            names |= {n for n, value in instance.items() if _accepts(validator, value, schema[keyword])}
    for subschema, resolver in _applied_in_place(validator, instance, schema):
        inner = validator if resolver is None else validator.evolve(schema=subschema, _resolver=resolver)
        names |= evaluated_names(inner, instance, subschema)
    return names


def _applied_in_place(validator: Any, instance: Any, schema: Any) -> Iterator[tuple[Any, Any]]:
    resolver = validator._resolver
    for keyword in ("$ref", "$dynamicRef"):
        if keyword in schema and keyword in validator.VALIDATORS:
            resolved = resolver.lookup(schema[keyword])
            yield resolved.contents, resolved.resolver
    if "$recursiveRef" in schema and "$recursiveRef" in validator.VALIDATORS:
        resolved = lookup_recursive_ref(resolver)
        yield resolved.contents, resolved.resolver
    for subschema in _conditional_branches(validator, instance, schema):
        yield subschema, None


def _conditional_branches(validator: Any, instance: Any, schema: Any) -> Iterator[Any]:
    for keyword in ("allOf", "anyOf", "oneOf"):
        yield from (branch for branch in schema.get(keyword, ()) if _accepts(validator, instance, branch))
    for name, subschema in schema.get("dependentSchemas", {}).items():
        if name in instance:
            yield subschema
    if "if" in schema:
        holds = _accepts(validator, instance, schema["if"])
        if holds:
            yield schema["if"]
        yield schema.get("then" if holds else "else", True)


def _accepts(validator: Any, instance: Any, subschema: Any) -> bool:
    return next(validator.descend(instance, subschema), None) is None


KEYWORDS = {
    "pattern": check_pattern,
    "patternProperties": check_pattern_properties,
    "additionalProperties": check_additional_properties,
    "unevaluatedProperties": check_unevaluated_properties,
    "uniqueItems": check_unique_items,
    "enum": check_enum,
    "multipleOf": check_multiple,
}
