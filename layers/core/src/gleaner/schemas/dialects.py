"""The drafts of JSON Schema that are enforced, and where their subschemas stand.

Schemas are walked by position: a property that is *named* ``pattern`` or ``$ref`` is not the keyword.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import jsonschema
from referencing import Specification
from referencing.jsonschema import DRAFT4, DRAFT6, DRAFT7, DRAFT201909, DRAFT202012

from gleaner.contracts.errors import InvalidSchema
from gleaner.contracts.json_pointers import escape_step

Schema: TypeAlias = dict[str, Any] | bool
"""A JSON Schema: the caller's own JSON, of any shape."""

IN_PLACE_LISTS = ("allOf", "anyOf", "oneOf")
IN_PLACE_SINGLES = ("not", "if", "then", "else")
CHILD_SINGLES = (
    "additionalItems", "additionalProperties", "contains", "contentSchema", "items", "propertyNames",
    "unevaluatedItems", "unevaluatedProperties",
)  # fmt: skip
CHILD_LISTS = ("prefixItems", "items")
CHILD_MAPS = ("properties", "patternProperties")
DEPENDENT_MAPS = ("dependentSchemas", "dependencies")
DEFINITION_MAPS = ("$defs", "definitions")
REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")
NO_VALIDATOR_OF_THEIR_OWN = frozenset({"then", "else", "contentSchema", *DEFINITION_MAPS})


@dataclass(frozen=True, slots=True)
class Dialect:
    """One draft: its name and URI, jsonschema's validator class and the specification of its references."""

    name: str
    uri: str
    validator: Any
    specification: Specification[Any]
    references_hide_siblings: bool = False

    def knows(self, keyword: str) -> bool:
        """Tell whether the keyword means anything in this draft."""
        return keyword in self.validator.VALIDATORS or keyword in NO_VALIDATOR_OF_THEIR_OWN


DIALECTS = (
    Dialect("draft 4", "json-schema.org/draft-04/schema", jsonschema.Draft4Validator, DRAFT4, True),
    Dialect("draft 6", "json-schema.org/draft-06/schema", jsonschema.Draft6Validator, DRAFT6, True),
    Dialect("draft 7", "json-schema.org/draft-07/schema", jsonschema.Draft7Validator, DRAFT7, True),
    Dialect("2019-09", "json-schema.org/draft/2019-09/schema", jsonschema.Draft201909Validator, DRAFT201909),
    Dialect("2020-12", "json-schema.org/draft/2020-12/schema", jsonschema.Draft202012Validator, DRAFT202012),
)
DEFAULT = DIALECTS[-1]
LATEST = "json-schema.org/schema"


def dialect_of(schema: Schema) -> Dialect:
    """Give the draft that ``$schema`` names, 2020-12 without it; InvalidSchema for any other."""
    uri = schema.get("$schema") if isinstance(schema, dict) else None
    if uri is None:
        return DEFAULT
    name = str(uri).strip().rstrip("#").partition("://")[2]
    for dialect in DIALECTS:
        if name == dialect.uri:
            return dialect
    if name == LATEST:
        return DEFAULT
    supported = ", ".join(dialect.name for dialect in DIALECTS)
    raise InvalidSchema(f"$schema at /$schema: {str(uri)[:200]!r} is not a supported draft; supported: {supported}")


def in_place_subschemas(schema: Schema, dialect: Dialect) -> Iterator[tuple[str, Schema]]:
    """Give the subschemas that apply to the same value, with their relative pointers."""
    if not isinstance(schema, dict) or hides_siblings(schema, dialect):
        return
    for keyword in (*IN_PLACE_LISTS, *IN_PLACE_SINGLES):
        if dialect.knows(keyword):
            yield from _subschemas_at(keyword, schema.get(keyword))
    for keyword in DEPENDENT_MAPS:
        if dialect.knows(keyword):
            yield from _subschemas_in_map(keyword, schema.get(keyword))


def child_subschemas(schema: Schema, dialect: Dialect) -> Iterator[tuple[str, Schema]]:
    """Give the subschemas that apply to parts of the value, or to nothing by themselves (definitions)."""
    if not isinstance(schema, dict):
        return
    for keyword in DEFINITION_MAPS:
        yield from _subschemas_in_map(keyword, schema.get(keyword))
    if hides_siblings(schema, dialect):
        return
    for keyword in dict.fromkeys((*CHILD_SINGLES, *CHILD_LISTS)):
        if dialect.knows(keyword):
            yield from _subschemas_at(keyword, schema.get(keyword))
    for keyword in CHILD_MAPS:
        if dialect.knows(keyword):
            yield from _subschemas_in_map(keyword, schema.get(keyword))


def hides_siblings(schema: dict[str, Any], dialect: Dialect) -> bool:
    """Tell whether ``$ref`` stands here and, as up to draft 7, makes all other keywords void."""
    return dialect.references_hide_siblings and isinstance(schema.get("$ref"), str)


def walk(schema: Schema, dialect: Dialect) -> Iterator[tuple[str, Schema]]:
    """Give each subschema with its JSON Pointer, the schema itself first."""
    stack: list[tuple[str, Schema]] = [("", schema)]
    while stack:
        pointer, current = stack.pop()
        yield pointer, current
        below = [*in_place_subschemas(current, dialect), *child_subschemas(current, dialect)]
        stack.extend((pointer + relative, child) for relative, child in reversed(below))


def _subschemas_at(keyword: str, value: Any) -> Iterator[tuple[str, Schema]]:
    if isinstance(value, dict | bool):
        yield f"/{keyword}", value
    elif isinstance(value, list):
        for index, child in enumerate(value):
            if isinstance(child, dict | bool):
                yield f"/{keyword}/{index}", child


def _subschemas_in_map(keyword: str, value: Any) -> Iterator[tuple[str, Schema]]:
    if isinstance(value, dict):
        for name, child in value.items():
            if isinstance(child, dict | bool):
                yield f"/{keyword}/{escape_step(name)}", child
