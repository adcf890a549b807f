"""Relax a schema for the model: plain structure, everything nullable (SC-3).

``relax`` never refuses what the caller's schema accepts: limits, patterns, formats and conditions are left to the
validation that follows. What a certain provider asks for beyond that is gleaner.schemas.providers' matter.
"""

from typing import Any

from gleaner.schemas.dialects import Schema
from gleaner.schemas.nodes import JSON_TYPES, Node, is_number, json_type, root_node

MAX_RECURSION = 3
"""How often one subschema may stand inside itself; below, anything goes."""

MAX_LEVELS = 20
"""How deep values may nest; below, anything goes."""

MAX_NODES = 2_000
MAX_BRANCHES = 16
ORDER = ("object", "array", "string", "number", "integer", "boolean", "null")


def relax(schema: Schema) -> dict[str, Any]:
    """Give the relaxed copy: it accepts all that the schema accepts, and holds only structure.

    Kept: type, properties, items, enum, anyOf, description, ``additionalProperties`` where the caller closes or types
    it. References are written out (three levels deep where they recurse), everything is nullable, nothing is required.
    Properties stay in the caller's order, since a model writes them in it, and what it has written of a record helps
    it with the rest. The same JSON text gives the same bytes. InvalidSchema when it can't be enforced.

    >>> relax({"type": "object", "properties": {"price": {"type": "number", "minimum": 0}}, "required": ["price"]})
    {'type': ['object', 'null'], 'properties': {'price': {'type': ['number', 'null']}}}
    """
    return _Relaxation().relaxed(root_node(schema), ())


class _Relaxation:
    """One run: counts what it has written, so that references that multiply end."""

    def __init__(self) -> None:
        self.written = 0

    def relaxed(self, node: Node, trail: tuple[frozenset[int], ...]) -> dict[str, Any]:
        """Give the relaxed form of the node, nullable."""
        self.written += 1
        if self.written > MAX_NODES or len(trail) > MAX_LEVELS or _recursion(node, trail) >= MAX_RECURSION:
            return {}
        if node.refuses_everything:
            return {"type": "null"}
        branches = self._branches(node, (*trail, node.identity))
        return _described(node, _nullable(branches))

    def _branches(self, node: Node, trail: tuple[frozenset[int], ...]) -> list[dict[str, Any]]:
        """Give the alternatives of a value that is not null."""
        choices = node.choices()
        if len(choices) > MAX_BRANCHES:
            return [{}]
        found: list[dict[str, Any]] = []
        for choice in choices:
            found.extend(form for form in self._forms(choice, trail) if form not in found)
        return found

    def _forms(self, node: Node, trail: tuple[frozenset[int], ...]) -> list[dict[str, Any]]:
        if node.refuses_everything:
            return []
        types = node.types()
        values = node.values()
        if values is not None:
            return _listed(values, types)
        if types.issuperset(JSON_TYPES) and not _has_structure(node):
            return [{}]
        forms = [self._object(node, trail)] if "object" in types else []
        forms += [self._array(node, trail)] if "array" in types else []
        scalars = [name for name in ORDER[2:-1] if name in types]
        return forms + [{"type": name} for name in scalars]

    def _object(self, node: Node, trail: tuple[frozenset[int], ...]) -> dict[str, Any]:
        form: dict[str, Any] = {"type": "object"}
        inner = {name: node.property_node(name) for name in node.property_names()}
        if inner:
            form["properties"] = {name: self.relaxed(part, trail) for name, part in inner.items() if part is not None}
        extra = _additional(node)
        if isinstance(extra, Node):
            form["additionalProperties"] = self.relaxed(extra, trail)
        elif extra is False:
            form["additionalProperties"] = False
        return form

    def _array(self, node: Node, trail: tuple[frozenset[int], ...]) -> dict[str, Any]:
        kinds: list[dict[str, Any]] = []
        for index in range(_prefix_length(node) + 1):
            item = node.item_node(index)
            form: dict[str, Any] = {} if item is None else self.relaxed(item, trail)
            if form not in kinds:
                kinds.append(form)
        if {} in kinds:
            return {"type": "array"}
        return {"type": "array", "items": kinds[0] if len(kinds) == 1 else {"anyOf": kinds}}


def _recursion(node: Node, trail: tuple[frozenset[int], ...]) -> int:
    """Count how often a subschema of the node stands above it already."""
    return max((sum(id(schema) in above for above in trail) for schema in node.schemas), default=0)


def _has_structure(node: Node) -> bool:
    return bool(node.property_names()) or node.item_node(0) is not None or _additional(node) is not None


def _prefix_length(node: Node) -> int:
    tuples = [schema.get("prefixItems") or schema.get("items") for schema in node.schemas]
    return max((len(items) for items in tuples if isinstance(items, list)), default=0)


def _additional(node: Node) -> Node | bool | None:
    """Give what undeclared properties may be: a node, False when they are refused, None when nothing is said."""
    schemas = node.schemas
    closing = [s for s in schemas if s.get("additionalProperties") is False and not s.get("patternProperties")]
    if closing:
        return False
    if len([s for s in schemas if "properties" in s or "additionalProperties" in s]) != 1:
        return None
    if node.keyword("patternProperties") or not isinstance(node.keyword("additionalProperties"), dict):
        return None
    return node.property_node(_undeclared_name(node))


def _undeclared_name(node: Node) -> str:
    names = set(node.property_names())
    return next(name for count in range(len(names) + 1) if (name := f"any{count}") not in names)


def _listed(values: list[Any], types: frozenset[str]) -> list[dict[str, Any]]:
    """Give the values as an enum when all are scalars, else as their types; values of other types drop out."""
    fitting = [value for value in values if json_type(value) in types or ("number" in types and is_number(value))]
    kinds = {json_type(value) for value in fitting}
    if not kinds.isdisjoint(("object", "array")):
        return [{"type": name} for name in ORDER[:-1] if name in kinds]
    shown = [value for value in fitting if value is not None]
    return [{"type": _type_names(kinds - {"null"}), "enum": shown}] if shown else []


def _type_names(kinds: frozenset[str] | set[str]) -> Any:
    names = [name for name in ORDER if name in kinds and not (name == "integer" and "number" in kinds)]
    return names[0] if len(names) == 1 else names


def _nullable(branches: list[dict[str, Any]]) -> dict[str, Any]:
    """Join the alternatives and null into one schema."""
    if {} in branches:
        return {}
    if not branches:
        return {"type": "null"}
    if all(branch.keys() == {"type"} for branch in branches):
        return {"type": [*(branch["type"] for branch in branches), "null"]}
    if len(branches) > 1:
        return {"anyOf": [*branches, {"type": "null"}]}
    only = branches[0]
    names = only["type"] if isinstance(only["type"], list) else [only["type"]]
    joined = {**only, "type": [*names, "null"]}
    if "enum" in only:
        joined["enum"] = [*only["enum"], None]
    return joined


def _described(node: Node, form: dict[str, Any]) -> dict[str, Any]:
    description = node.keyword("description")
    return {**form, "description": description} if isinstance(description, str) and description else form
