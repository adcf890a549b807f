"""Find a schema's list of records, and the schema of one record."""

import json
from copy import deepcopy
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from gleaner.contracts.json_pointers import escape_step
from gleaner.schemas.dialects import Schema
from gleaner.schemas.nodes import Node, root_node
from gleaner.schemas.validation import schema_text

MAX_OTHER_FIELDS = 3
"""An object with more fields of its own than this, and than its list's records have, is itself the record."""

MAX_WRAPPERS = 4
ROOT = "gleaner-root"
NO_SCHEMA_INSIDE = frozenset({"const", "enum", "default", "example", "examples"})
NAMES_OF_SCHEMAS = frozenset(
    {"properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"}
)
SAYS_NOTHING = frozenset({"$ref", "$dynamicRef", "allOf", "title", "description", "$comment", "default", "examples"})


@dataclass(frozen=True, slots=True)
class RecordPath:
    """Where the records are in an instance (JSON Pointer of the array; "" for the root), and their schema.

    ``item_schema`` stands on its own: its references resolve within it.
    """

    pointer: str
    item_schema: Schema


def record_path(schema: Schema) -> RecordPath | None:
    """Give the place of the list of records; None for a schema of one single record.

    A root array; or the property that is an array of objects, the sole one or the one with most fields; or the array of
    scalars that is an object's only property. InvalidSchema when the schema can't be enforced.

    >>> record_path({"type": "object", "properties": {"names": {"type": "array", "items": {"type": "string"}}}})
    RecordPath(pointer='/names', item_schema={'type': 'string'})
    """
    return _record_path(schema_text(schema))


@lru_cache(maxsize=256)
def _record_path(text: str) -> RecordPath | None:
    """Read a schema's text once: every step of every page of a job asks the same."""
    schema: Schema = json.loads(text)
    found = _find_records(root_node(schema), "", MAX_WRAPPERS)
    return None if found is None else RecordPath(found[0], standalone(schema, found[1]))


def declared_properties(schema: Schema) -> dict[str, Schema]:
    """Give the declared properties, through references, allOf and alternatives, each standing on its own."""
    found: dict[str, Schema] = {}
    for choice in root_node(schema).choices():
        for name in choice.property_names():
            node = choice.property_node(name)
            if node is not None and name not in found:
                found[name] = standalone(schema, node)
    return found


def declared_types(schema: Schema) -> frozenset[str]:
    """Give the types that the schema lets an instance have, through references, allOf and alternatives."""
    return frozenset[str]().union(*(choice.types() for choice in root_node(schema).choices()))


def _find_records(node: Node | None, pointer: str, wrappers: int) -> tuple[str, Node] | None:
    if node is None or wrappers < 0:
        return None
    if (item := _item_of_list(node)) is not None:
        return pointer, item
    return next(filter(None, (_records_of_object(c, pointer, wrappers) for c in node.choices())), None)


def _records_of_object(node: Node, pointer: str, wrappers: int) -> tuple[str, Node] | None:
    names = node.property_names()
    lists = {name: item for name in names if (item := _item_of_list(node.property_node(name))) is not None}
    of_objects = {name: item for name, item in lists.items() if _fields(item) and not node.identity <= item.identity}
    if of_objects:
        best = max(of_objects, key=lambda name: len(_fields(of_objects[name])))
        others = len(names) - len(lists)
        if others > max(MAX_OTHER_FIELDS, len(_fields(of_objects[best]))):
            return None
        return f"{pointer}/{escape_step(best)}", of_objects[best]
    if len(names) != 1:
        return None
    only = names[0]
    if only in lists:
        return (f"{pointer}/{escape_step(only)}", lists[only]) if not node.identity <= lists[only].identity else None
    return _find_records(node.property_node(only), f"{pointer}/{escape_step(only)}", wrappers - 1)


def _item_of_list(node: Node | None) -> Node | None:
    """Give what applies to the items of a list; None for what is none, or one thing whose places have meanings."""
    for choice in node.choices() if node else ():
        types = choice.types()
        if "array" in types and "object" not in types:
            return None if _has_places(choice) else choice.item_node(0)
    return None


def _has_places(node: Node) -> bool:
    """Tell whether an array is no list, but one thing whose places have meanings (``prefixItems``)."""
    return any(schema.get("prefixItems") or isinstance(schema.get("items"), list) for schema in node.schemas)


def _fields(node: Node) -> list[str]:
    return list(dict.fromkeys(name for choice in node.choices() for name in choice.property_names()))


def standalone(root: Schema, node: Node) -> Schema:
    """Give the node as one schema whose references resolve within itself."""
    speaking = [schema for schema in node.schemas if not SAYS_NOTHING.issuperset(schema)] or list(node.schemas[:1])
    if node.refuses_everything or not speaking:
        return not node.refuses_everything
    members = [_member(schema) for schema in speaking]
    single: dict[str, Any] = members[0] if len(members) == 1 else {"allOf": members}
    if (isinstance(root, dict) and '"$ref"' in schema_text(single)) or '"$dynamicRef"' in schema_text(single):
        single = _rewrite_references(single)
        single["$defs"] = {**single.get("$defs", {}), ROOT: _rewrite_references(_without_identity(root))}
    if isinstance(root, dict) and "$schema" in root:
        single = {"$schema": root["$schema"], **single}
    return single


def _member(schema: dict[str, Any]) -> dict[str, Any]:
    """Give a copy without what stands beside it as a member already, unless it judges by what that leaves over."""
    if any(keyword in schema for keyword in ("unevaluatedProperties", "unevaluatedItems")):
        return deepcopy(schema)
    return deepcopy({keyword: value for keyword, value in schema.items() if keyword not in ("$ref", "allOf")})


def _without_identity(root: Schema) -> Any:
    if isinstance(root, bool):
        return root
    return {key: value for key, value in deepcopy(root).items() if key not in ("$id", "id", "$schema")}


def _rewrite_references(schema: Any, *, names: bool = False) -> Any:
    """Point the references from the root at the copy of the root; ``names``: the keys are names, not keywords."""
    if isinstance(schema, list):
        return [_rewrite_references(member) for member in schema]
    if not isinstance(schema, dict) or (not names and isinstance(schema.get("$id"), str)):
        return schema
    return {key: _rewrite_value(key, value, names) for key, value in schema.items()}


def _rewrite_value(key: str, value: Any, is_name: bool) -> Any:
    if is_name:
        return _rewrite_references(value)
    if key in NO_SCHEMA_INSIDE:
        return value
    if key in ("$ref", "$dynamicRef") and isinstance(value, str) and (value == "#" or value.startswith("#/")):
        return f"#/$defs/{ROOT}{value[1:]}"
    return _rewrite_references(value, names=key in NAMES_OF_SCHEMAS)
