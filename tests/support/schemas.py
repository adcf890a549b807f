"""JSON Schemas of records in few words."""

from typing import Any

Json = dict[str, Any]

TEXT: Json = {"type": "string"}
NUMBER: Json = {"type": "number"}
INTEGER: Json = {"type": "integer"}
FLAG: Json = {"type": "boolean"}
MAYBE_TEXT: Json = {"type": ["string", "null"]}
MAYBE_NUMBER: Json = {"type": ["number", "null"]}
MAYBE_INTEGER: Json = {"type": ["integer", "null"]}


def object_of(*required: str, **properties: Any) -> Json:
    """Give the schema of an object with these properties, of which those named first are required."""
    return {"type": "object", "properties": properties, **({"required": [*required]} if required else {})}


def list_of(items: Any) -> Json:
    """Give the schema of a list."""
    return {"type": "array", "items": items}


def records_of(**properties: Any) -> Json:
    """Give the schema of a list of records whose properties are all required."""
    return list_of(object_of(*properties, **properties))
