"""Handle fields that an answer adds although the schema does not declare them (EX-1)."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from gleaner.contracts.ports import JsonValue
from gleaner.schemas.dialects import Schema
from gleaner.schemas.nodes import Node, root_node
from gleaner.schemas.patterns import search
from gleaner.schemas.validation import schema_text
from gleaner.values.lookups import grouped

OPENING = frozenset(
    {"additionalProperties", "patternProperties", "unevaluatedProperties", "propertyNames", "dependentSchemas", "if"}
)
"""Keywords by which a schema speaks of properties beside those it declares."""

CONDITIONS = frozenset({"dependentSchemas", "if"})
CLOSING = frozenset({"additionalProperties", "unevaluatedProperties"})
"""Those by which it refuses all others, when they are false."""


def drop_undeclared(schema: Schema, value: JsonValue) -> JsonValue:
    """Give the value without the fields that the schema neither declares nor speaks of.

    An object without ``properties`` keeps all it has, and so does one that mentions others (``additionalProperties``,
    ``patternProperties`` and their like): those the schema itself judges. One that is closed keeps what it declares.

    >>> drop_undeclared({"properties": {"name": {}}}, {"name": "Lamp", "note": "mine"})
    {'name': 'Lamp'}
    >>> drop_undeclared({"properties": {"name": {}}, "additionalProperties": True}, {"note": "ours"})
    {'note': 'ours'}
    >>> drop_undeclared({"properties": {"name": {}}, "additionalProperties": False}, {"name": "Lamp", "note": "mine"})
    {'name': 'Lamp'}
    """
    fields = _fields_of(schema_text(schema), False)
    return fields.changed(fields.root, value, _Declared.kept)


def drop_unnamed(schema: Schema, value: JsonValue) -> JsonValue:
    """Give the value without the fields that the schema has no name or pattern for, though it speaks of others.

    For values that the schema refuses: what it says of others may be what is against them.

    >>> drop_unnamed({"properties": {"name": {}}, "propertyNames": {"pattern": "^[a-z]+$"}}, {"name": "Lamp", "A1": 2})
    {'name': 'Lamp'}
    """
    fields = _fields_of(schema_text(schema), True)
    return fields.changed(fields.root, value, _Declared.kept)


def named_as_declared(schema: Schema, value: JsonValue) -> JsonValue:
    """Give the value with the schema's own names for fields that differ from them in capitals and signs alone.

    Only where ``drop_undeclared`` would drop the field, and nothing stands under the schema's own name.

    >>> named_as_declared({"properties": {"in_stock": {}, "name": {}}}, {"inStock": True, "Name": "Lamp", "NAME": "-"})
    {'in_stock': True, 'name': 'Lamp', 'NAME': '-'}
    """
    fields = _fields_of(schema_text(schema), False)
    return fields.changed(fields.root, value, _Declared.renamed)


@dataclass(frozen=True, slots=True)
class _Declared:
    """The declared properties of an object under every choice, and the patterns of names that a closed one allows."""

    properties: Mapping[str, Node | None]
    patterns: frozenset[str]

    def allows(self, name: str) -> bool:
        return name in self.properties or any(search(pattern, name) for pattern in self.patterns)

    def kept(self, given: Mapping[str, JsonValue]) -> Mapping[str, JsonValue]:
        """Give the fields that are allowed."""
        return {name: value for name, value in given.items() if self.allows(name)}

    def renamed(self, given: Mapping[str, JsonValue]) -> Mapping[str, JsonValue]:
        """Give the fields, under the declared names those that are meant by them, though spelled otherwise."""
        strangers = [name for name in given if not self.allows(name)]
        meant = grouped((_spoken(name), name) for name in self.properties) if strangers else {}
        found: dict[str, str] = {}
        for name in strangers:
            own = meant.get(_spoken(name), ())
            if len(own) == 1 and own[0] not in given and own[0] not in found.values():
                found[name] = own[0]
        return {found.get(name, name): value for name, value in given.items()}


_Change = Callable[[_Declared, Mapping[str, JsonValue]], Mapping[str, JsonValue]]


class _Fields:
    """Looks up what a schema declares; what was found once for a node is remembered."""

    def __init__(self, root: Node, *, all_closed: bool) -> None:
        self.root = root
        self.all_closed = all_closed
        self._known: dict[frozenset[int], _Declared | None] = {}

    def changed(self, node: Node | None, value: JsonValue, change: "_Change") -> JsonValue:
        """Give the value, which the node applies to, with the fields of each of its declared objects changed."""
        if isinstance(value, list):
            return [self.changed(_item(node, index), inner, change) for index, inner in enumerate(value)]
        declared = self._declared_at(node) if node is not None and isinstance(value, dict) else None
        if declared is None or not isinstance(value, dict):
            return value
        fields = change(declared, value)
        return {name: self.changed(declared.properties.get(name), inner, change) for name, inner in fields.items()}

    def _declared_at(self, node: Node) -> _Declared | None:
        if node.identity not in self._known:
            self._known[node.identity] = _declared(node, all_closed=self.all_closed)
        return self._known[node.identity]


@lru_cache(maxsize=64)
def _fields_of(text: str, all_closed: bool) -> _Fields:
    return _Fields(root_node(json.loads(text)), all_closed=all_closed)


def _declared(node: Node, *, all_closed: bool) -> _Declared | None:
    """Give what an object declares; None for one that is open, where not all are to count as closed."""
    choices = _choices_for("object", node)
    schemas = [schema for choice in choices for schema in choice.schemas]
    is_closed = all_closed or all(map(_is_closed, choices))
    if not is_closed and any(OPENING & set(schema) for schema in schemas):
        return None
    found: dict[str, Node | None] = {}
    for choice in choices:
        for name in choice.property_names():
            # Where alternatives declare a name differently, what lies below it is left as it is.
            found[name] = choice.property_node(name) if name not in found else None
    patterns = frozenset(pattern for schema in schemas for pattern in schema.get("patternProperties") or ())
    return _Declared(found, patterns) if found or (all_closed and patterns) else None


def _spoken(name: str) -> str:
    """Give the letters and figures of a name, without capitals; a name of signs alone as it is."""
    return "".join(filter(str.isalnum, name.casefold())) or name


def _is_closed(choice: Node) -> bool:
    """Tell whether all others are refused; ``unevaluatedProperties`` lets those by that a condition speaks of."""
    closing = {keyword for schema in choice.schemas for keyword in CLOSING if schema.get(keyword) is False}
    conditional = any(CONDITIONS & set(schema) for schema in choice.schemas)
    return bool(closing - {"unevaluatedProperties"} if conditional else closing)


def _choices_for(kind: str, node: Node) -> list[Node]:
    """Give the choices of a node that values of this type can fall under: all but the null of an optional one."""
    return [choice for choice in node.choices() if kind in choice.types()]


def _item(node: Node | None, index: int) -> Node | None:
    choices = _choices_for("array", node) if node is not None else ()
    return choices[0].item_node(index) if len(choices) == 1 else None
