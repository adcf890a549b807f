"""Fields that an answer added of its own accord (EX-1)."""

import json
from functools import lru_cache

from gleaner.ports import JsonValue
from gleaner.schemas.dialects import Schema
from gleaner.schemas.nodes import Node, root_node
from gleaner.schemas.validation import schema_text

OPENING = frozenset(
    {"additionalProperties", "patternProperties", "unevaluatedProperties", "propertyNames", "dependentSchemas", "if"}
)
"""Keywords by which a schema speaks of properties beside those it declares."""


def drop_undeclared(schema: Schema, value: JsonValue) -> JsonValue:
    """Give the value without the fields that the schema neither declares nor speaks of.

    An object without ``properties`` keeps all it has, and so does one that mentions others (``additionalProperties``,
    ``patternProperties`` and their like): those the schema itself judges.

    >>> drop_undeclared({"properties": {"name": {}}}, {"name": "Lamp", "note": "mine"})
    {'name': 'Lamp'}
    >>> drop_undeclared({"properties": {"name": {}}, "additionalProperties": True}, {"note": "ours"})
    {'note': 'ours'}
    """
    fields = _fields_of(schema_text(schema))
    return fields.drop_from(fields.root, value)


class _Fields:
    """Looks up what a schema declares; what was found once for a node is remembered."""

    def __init__(self, root: Node) -> None:
        self.root = root
        self._declared: dict[frozenset[int], dict[str, Node | None] | None] = {}

    def drop_from(self, node: Node | None, value: JsonValue) -> JsonValue:
        """Give the value, which the node applies to, without what is not declared."""
        if node is None or not isinstance(value, dict | list):
            return value
        if isinstance(value, list):
            return [self.drop_from(_item(node, index), inner) for index, inner in enumerate(value)]
        declared = self._declared_by(node)
        if declared is None:
            return value
        return {name: self.drop_from(declared[name], inner) for name, inner in value.items() if name in declared}

    def _declared_by(self, node: Node) -> dict[str, Node | None] | None:
        """Give the declared properties under every choice; None for an object that is open."""
        if node.identity not in self._declared:
            self._declared[node.identity] = _declared(node)
        return self._declared[node.identity]


@lru_cache(maxsize=64)
def _fields_of(text: str) -> _Fields:
    return _Fields(root_node(json.loads(text)))


def _declared(node: Node) -> dict[str, Node | None] | None:
    choices = node.choices()
    if any(OPENING & set(schema) for choice in choices for schema in choice.schemas):
        return None
    found: dict[str, Node | None] = {}
    for choice in choices:
        for name in choice.property_names():
            # Where alternatives declare a name differently, what lies below it is left as it is.
            found[name] = choice.property_node(name) if name not in found else None
    return found or None


def _item(node: Node, index: int) -> Node | None:
    choices = node.choices()
    return choices[0].item_node(index) if len(choices) == 1 else None
