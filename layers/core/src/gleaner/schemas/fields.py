"""A schema as the fields of its records: what is asked for, and where in an instance it belongs."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from gleaner.contracts.errors import InvalidSchema
from gleaner.contracts.json_pointers import read_pointer
from gleaner.contracts.ports import JsonValue
from gleaner.schemas.dialects import Schema
from gleaner.schemas.leaves import Leaf, as_list, types_of
from gleaner.schemas.nodes import Node, root_node
from gleaner.schemas.records import RecordPath, declared_properties, declared_types, record_path
from gleaner.schemas.validation import is_valid, schema_text, unenforceable
from gleaner.values.fields import Field
from gleaner.values.measures import unit_of_name
from gleaner.values.names import forms, roles_of, words_of
from gleaner.values.readings import transforms_of

_AMOUNTS = frozenset(["value", "amount"])
"""Names of the inner field that is what its object is: the amount of a price."""

_OF_ANYTHING = (("name",), ("title",))
_OBJECT = frozenset(["object"])
_MOST_STEPS = 3


@dataclass(frozen=True, slots=True)
class RecordSchema:
    """What a schema asks for: one object, or the list of records at ``path``.

    ``steps`` are the properties that lead to the list or to the one object; ``words`` those of what the schema says of
    its records. ``problem`` says why tables and embedded data can't hold it all; "" where they can.
    """

    schema: Any
    fields: tuple[Field, ...] = ()
    path: RecordPath | None = None
    steps: tuple[str, ...] = ()
    words: frozenset[str] = frozenset()
    problem: str = ""

    @property
    def is_list(self) -> bool:
        """Whether records are wanted rather than one object."""
        return self.path is not None

    def wrap(self, records: Sequence[Mapping[str, JsonValue]]) -> JsonValue:
        """Give the instance that holds the records where the schema keeps them."""
        nested: list[JsonValue] = [self._nested(record) for record in records]
        data: JsonValue = nested if self.is_list else nested[0]
        for step in reversed(self.steps):
            data = {step: data}
        return data

    def field_at(self, pointer: str) -> Field | None:
        """Give the field of a record to which a pointer into the instance leads."""
        inner = read_pointer(pointer)[len(self.steps) + self.is_list :]
        return next((each for each in self.fields if list(each.path) == inner[: len(each.path)]), None)

    def record_at(self, pointer: str) -> int:
        """Give the number of the record that a pointer leads into."""
        return int(read_pointer(pointer)[len(self.steps)]) if self.is_list else 0

    def _nested(self, record: Mapping[str, JsonValue]) -> dict[str, Any]:
        data: dict[str, Any] = {}
        for each in self.fields:
            if each.key in record:
                inner = data
                for step in each.outer:
                    inner = inner.setdefault(step, {})
                inner[each.name] = record[each.key]
        return data


class _Unreadable(ValueError):
    """A schema that no table or embedded data can hold, with the reason."""


def read_schema(schema: Any) -> RecordSchema:
    """Read the fields of a schema's records.

    >>> inner = {"properties": {"weightKg": {"type": "number"}, "name": {"type": "string"}}, "type": "object"}
    >>> [(field.name, field.kind, field.units) for field in read_schema({"type": "array", "items": inner}).fields]
    [('weightKg', 'number', ('kilogram',)), ('name', 'text', ())]
    >>> read_schema({"type": "string"}).problem
    'the records of the schema are no objects of one kind'
    """
    if not isinstance(schema, dict) or unenforceable(schema) is not None:
        return RecordSchema(schema, problem="there is no schema that can be enforced")
    return _read_text(schema_text(schema))


@lru_cache(maxsize=256)
def _read_text(text: str) -> RecordSchema:
    schema: dict[str, Any] = json.loads(text)
    try:
        path = record_path(schema)
        steps = _steps_to_object(schema) if path is None else tuple(read_pointer(path.pointer))
        _check_that_nothing_is_beside(schema, () if path is None else steps)
        item = _inside(schema, steps) if path is None else path.item_schema
        fields = _with_ends(_own_names(_read_fields(item, (), is_required=True, said="")))
    except InvalidSchema:
        return RecordSchema(schema, problem="there is no schema that can be enforced")
    except _Unreadable as error:
        return RecordSchema(schema, problem=str(error))
    said = [
        str(part.get(key) or "")
        for part in (schema, item)
        if isinstance(part, dict)
        for key in ("title", "description")
    ]
    return RecordSchema(
        schema, fields, path, steps, frozenset(word for one in (*said, *steps) for word in words_of(one))
    )


def fields_of(schema: Any, names: Iterable[str] = ()) -> list[Field]:
    """Give the fields of a schema's records, and one for each of the dotted ``names`` that no table could hold."""
    known = [*read_schema(schema).fields]
    for name in dict.fromkeys(names):
        if all(name != field.key for field in known):
            *outer, own = name.split(".")
            known.append(Field(own, outer=tuple(outer), also=(own,)))
    return known


def field_of(node: Node, name: str = "") -> Field:
    """Give what a node of a schema says of a value."""
    description = str(node.keyword("description") or "")
    return Field(name, frozenset(node.types()), tuple(formats_of(node)), description, node.keyword("maximum"))


def field_of_leaf(leaf: Leaf) -> Field:
    """Give the field of a leaf: its own name, or that of the list it is an item of."""
    names = [step for step in leaf.field if step != "*"]
    name = names[-1] if names else ""
    also = [name, _without_unit(name)]
    choices: list[JsonValue] = []
    types: set[str] = set()
    formats: list[str] = []
    maximum = None
    for view in leaf.views:
        types.update(types_of(view))
        choices += as_list(view.get("enum"))
        formats += [form for form in (view.get("format"),) if isinstance(form, str)]
        maximum = view.get("maximum", maximum)
        also += [one for one in (view.get("title"), *as_list(view.get("x-aliases"))) if isinstance(one, str)]
    return Field(
        name,
        frozenset(types),
        tuple(dict.fromkeys(formats)),
        " ".join(said for view in leaf.views if isinstance(said := view.get("description"), str)),
        maximum,
        tuple(one for one in choices if isinstance(one, str | int | float)),
        tuple(names[-2:-1]),
        tuple(one for one in dict.fromkeys(also) if one.strip()),
        is_required=True,
        is_list=leaf.field[-1:] == ("*",),
    )


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


def formats_of(node: Node) -> list[str]:
    """Give all formats that apply."""
    return [schema["format"] for schema in node.schemas if isinstance(schema.get("format"), str)]


def _steps_to_object(schema: Any) -> tuple[str, ...]:
    """Give the properties around the one object, each of them the only one of its object."""
    steps: list[str] = []
    while len(properties := declared_properties(_inside(schema, steps))) == 1 and len(steps) < _MOST_STEPS:
        ((name, inner),) = properties.items()
        if not isinstance(inner, dict) or declared_types(inner) != _OBJECT or not declared_properties(inner):
            break
        steps.append(name)
    return tuple(steps)


def _inside(schema: Any, steps: Sequence[str]) -> Any:
    for step in steps:
        schema = declared_properties(schema)[step]
    return schema


def _check_that_nothing_is_beside(schema: Any, steps: Sequence[str]) -> None:
    inner = schema
    for step in steps:
        properties = declared_properties(inner)
        if set(properties) != {step}:
            raise _Unreadable("the schema asks for more than one list")
        inner = properties[step]


def _read_fields(schema: Any, path: tuple[str, ...], *, is_required: bool, said: str) -> list[Field]:
    choices = root_node(schema).choices()
    properties = declared_properties(schema) if isinstance(schema, dict) else {}
    if len(choices) != 1 or not properties or "object" not in declared_types(schema):
        raise _Unreadable("the records of the schema are no objects of one kind")
    required = {name for part in choices[0].schemas for name in part.get("required") or ()}
    if len(path) > _MOST_STEPS or required - set(properties):
        raise _Unreadable("the schema is nested too deep for a table")
    found: list[Field] = []
    for name, sub in properties.items():
        needed = is_required and name in required
        if isinstance(sub, dict) and declared_types(sub) == _OBJECT:
            description = f"{said} {sub.get('description') or ''}"
            found += _read_fields(sub, (*path, name), is_required=needed, said=description)
        else:
            found.append(_read_field(name, path, sub, is_required=needed, said=said))
    return found


def _read_field(name: str, outer: tuple[str, ...], schema: Any, *, is_required: bool, said: str) -> Field:
    if not isinstance(schema, dict) or "const" in schema or schema.get("x-derived"):
        raise _Unreadable(f"the field {name} is not read from the page as it stands")
    plain = _of_one_type(schema)
    types = declared_types(plain)
    aliases = plain.get("x-aliases") or []
    named = [plain.get("title"), *(aliases if isinstance(aliases, list) else [aliases]), _without_unit(name)]
    is_list = sorted(types - {"null"}) == ["array"]
    items = plain.get("items") if is_list else plain
    inner: Mapping[str, Any] = items if isinstance(items, dict) else {}
    kinds = frozenset([str(inner.get("type"))]) | (types & {"null"}) if is_list else types
    found = Field(
        name,
        kinds,
        tuple(form for form in (plain.get("format"),) if isinstance(form, str)),
        f"{said} {plain.get('description') or ''}".strip(),
        plain.get("maximum"),
        tuple(one for one in inner.get("enum") or () if isinstance(one, str | int | float)),
        outer,
        tuple(one for one in named if isinstance(one, str) and one.strip()),
        is_required=is_required,
        is_list=is_list,
        schema=plain,
    )
    if found.kind == "other" or not found.types - {"null"}:
        raise _Unreadable(f"the field {name} is neither text, number, date, yes or no, nor a list of texts")
    return found


def _of_one_type(schema: dict[str, Any]) -> dict[str, Any]:
    """Give a field's schema with the one branch of its anyOf that is no null in its place.

    Of a number and its digits as a text, which Pydantic writes for a decimal, the number is meant.

    >>> digits = {"type": "string", "pattern": r"^(?!^[-+.]*$)[+-]?0*\\d*\\.?\\d*$"}
    >>> _of_one_type({"anyOf": [{"type": "number"}, digits, {"type": "null"}]})
    {'type': ['number', 'null']}
    """
    branches = schema.get("anyOf")
    branches = branches if isinstance(branches, list) else []
    said = [each for each in branches if each != {"type": "null"}]
    if len(said) == 2 and isinstance(said[0], dict) and said[0].get("type") == "number" and _is_of_digits(said[1]):
        said.pop()
    if len(said) != 1 or not isinstance(said[0], dict) or not isinstance(said[0].get("type"), str):
        return schema
    rest = {key: value for key, value in schema.items() if key != "anyOf"}
    return {**said[0], **rest, "type": [said[0]["type"], *(["null"] if {"type": "null"} in branches else [])]}


def _is_of_digits(schema: Any) -> bool:
    """Tell whether a schema is of texts that are numbers, and of no words."""
    return (
        isinstance(schema, dict)
        and {*schema} == {"type", "pattern"}
        and [is_valid(schema, text) for text in ("12.5", "7", "twelve", "")] == [True, True, False, False]
    )


def _without_unit(name: str) -> str:
    """Give a name without the unit that ends it: "weight" for "weight_kg"."""
    words = words_of(name)
    return " ".join(words[:-1]) if len(words) > 1 and unit_of_name(name) else ""


def _own_names(fields: list[Field]) -> list[Field]:
    """Give fields of inner objects the names of their path, and their own where no other field has it."""
    alone = Counter(form for field in fields for form in forms(field.name))
    named = [_named_by_path(field, alone) if field.outer else field for field in fields]
    if len({field.key for field in named}) < len(named):
        raise _Unreadable("two fields of the schema have one name")
    return named


def _named_by_path(field: Field, alone: Mapping[str, int]) -> Field:
    own, words = (field.name, *field.also), words_of(field.name)
    names = [" ".join((*field.outer, name)) for name in own]
    if words[-1:] and words[-1] in _AMOUNTS:
        names.append(field.outer[-1])
    elif all(alone[form] == 1 for form in forms(field.name)) and words not in _OF_ANYTHING:
        names += own
    return replace(field, also=tuple(names))


def _with_ends(fields: Sequence[Field]) -> tuple[Field, ...]:
    """Mark the fields that are the least or the most of something of which another field is the other end."""
    ends = {(*field.outer, *words_of(field.name)[:-1], role) for field in fields for role in _ends(field.name)}
    opposite = {"lowest": "highest", "highest": "lowest"}
    return tuple(
        replace(field, has_other_end=True)
        if any((*field.outer, *words_of(field.name)[:-1], opposite[role]) in ends for role in _ends(field.name))
        else field
        for field in fields
    )


def _ends(name: str) -> frozenset[str]:
    return roles_of(name) & {"lowest", "highest"}
