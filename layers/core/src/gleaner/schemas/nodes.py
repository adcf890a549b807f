"""A schema prepared for reading: references followed, ``allOf`` merged, alternatives listed.

A Node is all the subschemas that apply to one value together. Only checked schemas become nodes, so in-place
references never loop; recursion over values (a tree of comments) is the reader's to bound.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from gleaner.schemas.checks import Place, referenced_places, root_resolver
from gleaner.schemas.dialects import Dialect, Schema, hides_siblings
from gleaner.schemas.patterns import matches
from gleaner.schemas.validation import enforced, schema_text

JSON_TYPES = ("object", "array", "string", "number", "boolean", "null")
"""All types of values; integers are numbers."""

MAX_CHOICES = 64


@dataclass(frozen=True, slots=True)
class Part:
    """One subschema and the scope of its references; ``is_inside``: its own ``$id`` is part of that scope already."""

    schema: Schema
    resolver: Any
    is_inside: bool = False


Alternatives = tuple[frozenset[int], frozenset[tuple[int, str]]]
"""What tells a node with its chosen alternatives from others of the same schema."""


@dataclass(frozen=True, slots=True)
class Node:
    """The subschemas that apply to one value, references and allOf followed; ``taken``: alternatives chosen already.

    ``known`` has the choices of all nodes of the schema that were asked for them: an enumeration of a thousand branches
    is opened once, and not for each record.
    """

    parts: tuple[Part, ...]
    dialect: Dialect
    taken: frozenset[tuple[int, str]] = frozenset()
    known: "dict[Alternatives, list[Node]]" = field(default_factory=dict, repr=False, compare=False)

    @property
    def schemas(self) -> tuple[dict[str, Any], ...]:
        """The subschemas that say anything."""
        return tuple(part.schema for part in self.parts if isinstance(part.schema, dict))

    @property
    def identity(self) -> frozenset[int]:
        """What tells this node from others of the same schema."""
        return frozenset(id(part.schema) for part in self.parts)

    @property
    def refuses_everything(self) -> bool:
        """Whether a subschema is ``false``."""
        return any(part.schema is False for part in self.parts)

    def keyword(self, name: str) -> Any:
        """Give the first value of the keyword; None when no subschema has it."""
        return next((schema[name] for schema in self.schemas if name in schema), None)

    def types(self) -> frozenset[str]:
        """Give the types that values may have by ``type``, ``enum`` and ``const``; integer only if not all numbers."""
        allowed = frozenset((*JSON_TYPES, "integer"))
        for schema in self.schemas:
            allowed &= _declared_types(schema, self.dialect)
        return allowed - {"integer"} if "number" in allowed else allowed

    def values(self) -> list[Any] | None:
        """Give the values that the first ``const`` or ``enum`` lists; None without any."""
        for schema in self.schemas:
            if "const" in schema and self.dialect.knows("const"):
                return [schema["const"]]
            if isinstance(schema.get("enum"), list):
                return list(schema["enum"])
        return None

    def property_names(self) -> list[str]:
        """Give the names of the declared properties, in the caller's order."""
        return list(dict.fromkeys(name for schema in self.schemas for name in schema.get("properties") or ()))

    def property_node(self, name: str) -> "Node | None":
        """Give what applies to the property; None when nothing does."""
        parts = [Part(sub, part.resolver) for part in self.parts for sub in _of_property(part.schema, name)]
        return self._joined(parts) if parts else None

    def item_node(self, index: int) -> "Node | None":
        """Give what applies to the item; None when nothing does."""
        parts = [Part(sub, part.resolver) for part in self.parts for sub in _of_item(part.schema, index, self.dialect)]
        return self._joined(parts) if parts else None

    def _joined(self, parts: Iterable[Part], taken: frozenset[tuple[int, str]] = frozenset()) -> "Node":
        return replace(join_parts(parts, self.dialect, taken), known=self.known)

    def alternatives(self) -> "list[Node]":
        """Give this node once with each branch of its first open anyOf or oneOf; empty when there is none."""
        for part in self.parts:
            if not isinstance(part.schema, dict):
                continue
            for keyword in ("anyOf", "oneOf"):
                mark = (id(part.schema), keyword)
                if isinstance(part.schema.get(keyword), list) and mark not in self.taken:
                    branches = [Part(branch, part.resolver) for branch in part.schema[keyword]]
                    taken = self.taken | {mark}
                    return [self._joined([*self.parts, branch], taken) for branch in branches]
        return []

    def choices(self) -> "list[Node]":
        """Give the node under every choice of alternatives, at most MAX_CHOICES; itself when it has none."""
        asked = self.identity, self.taken
        if asked in self.known:
            return self.known[asked]
        open_nodes: list[Node] = [self]
        closed: list[Node] = []
        while open_nodes and len(closed) < MAX_CHOICES:
            node = open_nodes.pop(0)
            branches = node.alternatives()
            if branches:
                open_nodes[:0] = branches
            else:
                closed.append(node)
        self.known[asked] = closed
        return closed

    def accepts(self, value: Any) -> bool:
        """Tell whether every subschema of the node accepts the value; what can't be checked is not accepted."""
        ready = _validator_for(self.dialect)
        try:
            return all(
                next(ready.descend(value, part.schema, resolver=part.resolver), None) is None for part in self.parts
            )
        except (RecursionError, TimeoutError, OverflowError):
            return False


def root_node(schema: Schema) -> Node:
    """Give the node of a whole schema; InvalidSchema when it can't be enforced."""
    return _root_of(schema_text(schema))


@lru_cache(maxsize=256)
def _root_of(text: str) -> Node:
    ready = enforced(json.loads(text))
    return join_parts([Part(ready.schema, root_resolver(ready.schema, ready.dialect), is_inside=True)], ready.dialect)


def join_parts(parts: Iterable[Part], dialect: Dialect, taken: frozenset[tuple[int, str]] = frozenset()) -> Node:
    """Give the node of subschemas that apply together, with what they refer to and their allOf."""
    found: dict[int, Part] = {}
    queue = list(parts)
    while queue:
        part = queue.pop(0)
        if isinstance(part.schema, bool):
            found[int(part.schema)] = part
            continue
        if id(part.schema) in found:
            continue
        scope = part.resolver
        if not part.is_inside:
            scope = scope.in_subresource(dialect.specification.create_resource(part.schema))
        if not hides_siblings(part.schema, dialect):
            found[id(part.schema)] = Part(part.schema, scope, is_inside=True)
            queue.extend(Part(member, scope) for member in part.schema.get("allOf") or ())
        targets = referenced_places(Place("", part.schema, scope), dialect)
        queue.extend(Part(target.schema, target.resolver, is_inside=True) for target in targets)
    return Node(tuple(found.values()), dialect, taken)


def json_type(value: Any) -> str:
    """Give the JSON type of a value, ``integer`` for whole numbers.

    >>> json_type(True), json_type(1.0), json_type(None)
    ('boolean', 'integer', 'null')
    """
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int) or (isinstance(value, float) and value.is_integer()):
        return "integer"
    for kind, name in ((float, "number"), (str, "string"), (list, "array")):
        if isinstance(value, kind):
            return name
    return "object"


def allows_type(types: frozenset[str], value: Any) -> bool:
    """Tell whether the value has one of the types."""
    name = json_type(value)
    return name in types or (name == "integer" and "number" in types)


def _declared_types(schema: dict[str, Any], dialect: Dialect) -> frozenset[str]:
    declared = schema.get("type")
    names: set[str] = {declared} if isinstance(declared, str) else set(declared or ())
    if declared is not None and schema.get("nullable") is True:
        names.add("null")
    listed: Any = [schema["const"]] if "const" in schema and dialect.knows("const") else schema.get("enum")
    allowed: set[str] = names or {*JSON_TYPES, "integer"}
    if "number" in allowed:
        allowed.add("integer")
    if isinstance(listed, list):
        allowed &= _types_of(listed)
    return frozenset(allowed)


def _types_of(listed: list[Any]) -> set[str]:
    """Give the types of listed values; those of one class are looked at once, since enumerations may be long."""
    classes = {type(value): value for value in listed}
    numbers = {json_type(value) for value in listed if isinstance(value, float)} if float in classes else set[str]()
    names = numbers | {json_type(value) for kind, value in classes.items() if kind is not float}
    return names | {"number"} if any(map(is_number, classes.values())) else names


def is_number(value: Any) -> bool:
    """Tell whether a JSON value is a number; true and false, which Python takes for some, are none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def _of_property(schema: Schema, name: str) -> Iterator[Schema]:
    if not isinstance(schema, dict):
        return
    named = schema.get("properties") or {}
    if name in named:
        yield named[name]
    matched = [sub for pattern, sub in (schema.get("patternProperties") or {}).items() if matches(pattern, name)]
    yield from matched
    if name not in named and not matched and isinstance(schema.get("additionalProperties"), dict):
        yield schema["additionalProperties"]


def _of_item(schema: Schema, index: int, dialect: Dialect) -> Iterator[Schema]:
    if not isinstance(schema, dict):
        return
    items = schema.get("items")
    prefix = items if isinstance(items, list) else schema.get("prefixItems") if dialect.knows("prefixItems") else None
    rest = schema.get("additionalItems") if isinstance(items, list) else items
    if index < len(prefix or ()):
        yield (prefix or [])[index]
    elif rest is not None:
        yield rest


def _validator_for(dialect: Dialect) -> Any:
    return enforced({"$schema": f"http://{dialect.uri}"}).strict
