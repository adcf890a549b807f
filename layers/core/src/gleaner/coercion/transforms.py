"""The named transforms of values: coercion applies them, recipes replay them, the proof inverts them."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from urllib.parse import urlsplit

from gleaner.contracts.ports import JsonValue
from gleaner.schemas.dialects import Schema
from gleaner.schemas.fields import field_of
from gleaner.schemas.nodes import root_node
from gleaner.values.conventions import NOTHING_KNOWN
from gleaner.values.dates import parse_time
from gleaner.values.fields import Field
from gleaner.values.measures import parse_quantity
from gleaner.values.numbers import parse_rating
from gleaner.values.readers import READERS, readers_for


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


def _alone(name: str) -> Callable[[str], JsonValue]:
    """Give a reader that knows nothing of its field or page."""
    return lambda text: READERS[name](text, Field(), NOTHING_KNOWN)


TRANSFORMS: Mapping[str, Callable[[str], JsonValue]] = MappingProxyType(
    {
        "string": str,
        "trim": str.strip,
        **{name: _alone(name) for name in READERS if name not in ("quantity", "rating", "time")},
        "quantity": parse_quantity,
        "rating": parse_rating,
        "time": parse_time,
        "url": parse_url,
    }
)
"""Each gives the value of a text, or raises ValueError when the text has no such value without doubt."""

_URLS = ("uri", "iri")


def transforms_for(schema: Schema) -> tuple[str, ...]:
    """Give the names of the transforms that may make a text a value of the schema, likeliest first.

    InvalidSchema when the schema can't be enforced; a part of a schema without the definitions it refers to has none.

    >>> transforms_for({"type": ["number", "null"]})
    ('null', 'number', 'money', 'percent', 'scale', 'count', 'rating', 'quantity')
    """
    if isinstance(schema, dict) and "$ref" in schema and not {"$defs", "definitions"} & schema.keys():
        return ()
    return tuple(
        dict.fromkeys(name for choice in root_node(schema).choices() for name in transforms_of(field_of(choice)))
    )


def transforms_of(field: Field) -> tuple[str, ...]:
    """Give the transforms for one field without open alternatives."""
    names = list(readers_for(field))
    if "string" in field.types:
        names += ["url"] if any(each in _URLS for each in field.formats) else []
        names += [] if any(name in names for name in ("date", "date_time", "time", "url")) else ["string"]
        names.append("trim")
    return tuple(names)
