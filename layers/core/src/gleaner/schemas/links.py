"""Decide whether a schema asks for addresses, which pages state in links."""

import re
from collections.abc import Iterator
from typing import Any

from gleaner.contracts.word_lists import words_in
from gleaner.schemas.dialects import Schema
from gleaner.schemas.records import NAMES_OF_SCHEMAS, NO_SCHEMA_INSIDE

_FORMATS = frozenset({"uri", "uri-reference", "iri", "iri-reference"})
_WORD = re.compile(r"(?<=[^\W\d_])(?=[A-Z][^\W\d_A-Z])|(?<=[^\W\d_A-Z])(?=[A-Z])|[\W\d_]+")
"""Where a name or a text parts into words."""


def asks_for_links(schema: Schema) -> bool:
    """Tell whether a field is an address: by format, by the last word of its name, or as its description names a link.

    >>> asks_for_links({"items": {"properties": {"imageUrl": {"type": "string"}}}})
    True
    >>> asks_for_links({"properties": {"linked": {"type": "string"}, "url_count": {"type": "integer"}}})
    False
    >>> asks_for_links({"properties": {"pdf": {"type": "string", "description": "Link to the PDF"}}})
    True
    """
    return any(_is_address(name, field) for name, field in _fields(schema))


def _is_address(name: str, field: Any) -> bool:
    if not isinstance(field, dict):
        return False
    if field.get("format") in _FORMATS:
        return True
    if {"integer", "number", "boolean"} & {*_listed(field.get("type", "string"))}:
        return False
    *_, last = ["", *_words(name)]
    said = _words(field.get("description"))
    return last in words_in("address_words", "links", "pictures") or not words_in("address_words", "links").isdisjoint(
        said
    )


def _words(text: Any) -> list[str]:
    return [word.lower() for word in _WORD.split(text) if word] if isinstance(text, str) else []


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _fields(schema: Any) -> Iterator[tuple[str, Any]]:
    """Give all subschemas, each with the name of the property that it describes, or ""."""
    stack: list[tuple[str, Any]] = [("", schema)]
    while stack:
        name, current = stack.pop()
        if isinstance(current, list):
            stack.extend((name, inner) for inner in current)
        elif isinstance(current, dict):
            yield name, current
            for keyword, inner in current.items():
                if keyword in NAMES_OF_SCHEMAS and isinstance(inner, dict):
                    stack.extend(inner.items())
                elif keyword not in NO_SCHEMA_INSIDE and isinstance(inner, dict | list):
                    stack.append((name, inner))
