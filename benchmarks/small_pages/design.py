"""What a small page is, and the short forms that its schemas are written in."""

from dataclasses import dataclass
from typing import Any

Schema = dict[str, Any]
TEXT: Schema = {"type": "string"}
WORDS: Schema = {"type": ["string", "null"]}
COUNT: Schema = {"type": ["integer", "null"]}
NUMBER: Schema = {"type": ["number", "null"]}
DAY: Schema = {"type": ["string", "null"], "format": "date"}
ADDRESS: Schema = {"type": ["string", "null"], "format": "uri"}
FLAG: Schema = {"type": ["boolean", "null"]}


@dataclass(frozen=True, slots=True)
class SmallPage:
    """A page that shows one thing that real pages do, with its right answer."""

    name: str
    html: str
    schema: Schema
    truth: Any
    query: str | None = None


def page(body: str, title: str = "Tern Market") -> str:
    """Give a whole page around its content, as plain as it can be."""
    return f"<!DOCTYPE html><html lang=en><head><title>{title}</title></head><body><main>{body}</main></body></html>"


def records(**fields: Schema) -> Schema:
    """Give the schema of a list of records whose first field is required."""
    return {"type": "array", "items": thing(**fields)}


def thing(**fields: Schema) -> Schema:
    """Give the schema of one thing whose first field is required."""
    return {"type": "object", "properties": fields, "required": [next(iter(fields))]}


def many(schema: Schema) -> Schema:
    """Give the schema of a list inside a record."""
    return {"type": "array", "items": schema}
