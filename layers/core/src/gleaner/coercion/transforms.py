"""The named transforms of values: coercion applies them, recipes replay them, the proof inverts them."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from urllib.parse import urlsplit

from gleaner.coercion.dates import parse_date, parse_date_time
from gleaner.coercion.numbers import (
    parse_count,
    parse_integer,
    parse_money,
    parse_number,
    parse_percent,
    parse_quantity,
    parse_rating,
)
from gleaner.coercion.words import parse_boolean, parse_null
from gleaner.contracts.ports import JsonValue
from gleaner.schemas.dialects import Schema
from gleaner.schemas.nodes import Node, root_node


def parse_url(text: str) -> str:
    """Give an absolute http(s) URL as it stands, trimmed; ValueError for anything else.

    >>> parse_url(" https://example.com/a ")
    'https://example.com/a'
    """
    trimmed = text.strip()
    parts = urlsplit(trimmed)
    if parts.scheme.lower() not in ("http", "https") or not parts.netloc or any(c.isspace() for c in trimmed):
        raise ValueError(f"not an absolute URL: {text[:80]!r}")
    return trimmed


TRANSFORMS: Mapping[str, Callable[[str], JsonValue]] = MappingProxyType(
    {
        "string": str,
        "trim": str.strip,
        "null": parse_null,
        "number": parse_number,
        "integer": parse_integer,
        "money": parse_money,
        "percent": parse_percent,
        "count": parse_count,
        "rating": parse_rating,
        "quantity": parse_quantity,
        "boolean": parse_boolean,
        "date": parse_date,
        "date_time": parse_date_time,
        "url": parse_url,
    }
)
"""Each gives the value of a text, or raises ValueError when the text has no such value without doubt."""

OF_FORMATS = {"date": "date", "date-time": "date_time", "uri": "url", "iri": "url"}


def transforms_for(schema: Schema) -> tuple[str, ...]:
    """Give the names of the transforms that may make a text a value of the schema, likeliest first.

    InvalidSchema when the schema can't be enforced; a part of a schema without the definitions it refers to has none.

    >>> transforms_for({"type": ["number", "null"]})
    ('null', 'number', 'money', 'percent', 'count', 'rating', 'quantity')
    """
    if isinstance(schema, dict) and "$ref" in schema and not {"$defs", "definitions"} & schema.keys():
        return ()
    return tuple(dict.fromkeys(name for choice in root_node(schema).choices() for name in transforms_of(choice)))


def transforms_of(node: Node) -> tuple[str, ...]:
    """Give the transforms for one node without open alternatives."""
    types = node.types()
    names = ["null"] if "null" in types and "string" not in types else []
    if "number" in types:
        names += ["number", "money", "percent", "count", "rating", "quantity"]
    elif "integer" in types:
        names += ["integer", "money", "percent", "count", "quantity"]
    if "boolean" in types:
        names.append("boolean")
    if "string" in types:
        names += [OF_FORMATS[each] for each in formats_of(node) if each in OF_FORMATS] or ["string"]
        names.append("trim")
    return tuple(names)


def formats_of(node: Node) -> list[str]:
    """Give all formats that apply."""
    return [schema["format"] for schema in node.schemas if isinstance(schema.get("format"), str)]
