"""Decide whether a schema asks for addresses, which pages state in links."""

from collections.abc import Iterator
from typing import Any

from gleaner.schemas.dialects import Schema
from gleaner.schemas.leaves import types_of
from gleaner.schemas.records import NAMES_OF_SCHEMAS, NO_SCHEMA_INSIDE
from gleaner.values.fields import ADDRESSES
from gleaner.values.names import name_words, roles_of


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


def asks_for_images(schema: Schema) -> bool:
    """Tell whether a field may be the address of an image: by a word of its name or description, or by format alone.

    >>> asks_for_images({"properties": {"image_url": {}}}), asks_for_images({"properties": {"url": {}}})
    (True, False)
    >>> asks_for_images({"properties": {"poster": {"type": "string", "format": "uri"}}})
    True
    """
    return any(_is_address(name, field) and _may_be_image(name, field) for name, field in _fields(schema))


def _may_be_image(name: str, field: Any) -> bool:
    said = field.get("description")
    words = [*name_words(name), *(name_words(said) if isinstance(said, str) else ())]
    return any("picture" in roles_of(word) for word in words) or not any("link" in roles_of(word) for word in words)


def _is_address(name: str, field: Any) -> bool:
    if not isinstance(field, dict):
        return False
    if field.get("format") in ADDRESSES:
        return True
    if not {"integer", "number", "boolean"}.isdisjoint(types_of(field)):
        return False
    said = field.get("description")
    return not roles_of(name).isdisjoint(["link", "picture"]) or (
        isinstance(said, str) and any("link" in roles_of(word) for word in name_words(said))
    )


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
