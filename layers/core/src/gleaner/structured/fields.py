"""What a schema asks for: the fields of a record, their names and kinds, and where the records belong."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from gleaner.contracts.errors import InvalidSchema
from gleaner.contracts.json_pointers import read_pointer
from gleaner.contracts.ports import JsonValue
from gleaner.schemas import RecordPath, declared_properties, declared_types, record_path, unenforceable
from gleaner.schemas.nodes import root_node
from gleaner.structured.decline import Declined
from gleaner.structured.names import forms, words_of
from gleaner.values.measures import unit_of_name

Kind = Literal["text", "number", "boolean", "date", "address", "image", "texts"]

_ADDRESS_FORMATS = frozenset(["uri", "uri-reference", "iri", "iri-reference"])
_DATE_FORMATS = frozenset(["date", "date-time", "time"])
_ADDRESS_NAMES = frozenset(["url", "link", "href", "uri", "permalink"])
_IMAGE_NAMES = frozenset(["image", "img", "photo", "picture", "thumbnail", "logo"])
_AMOUNTS = frozenset(["value", "amount"])
"""Names of the inner field that is what its object is: the amount of a price."""
_OBJECT = frozenset(["object"])
_MOST_STEPS = 3
_LONGEST_HINT = 6
"""Words of a description that may be a label of the field, and no sentence about it."""


@dataclass(frozen=True, slots=True)
class Field:
    """One scalar of a record, or a list of texts.

    ``path`` are the properties that lead to it through the record's inner objects. ``names`` are its name, title and
    aliases; ``hints`` what its description calls it.
    """

    path: tuple[str, ...]
    schema: Mapping[str, Any]
    kind: Kind
    names: tuple[str, ...]
    is_required: bool
    is_nullable: bool
    description: str = ""

    @property
    def name(self) -> str:
        """The path in one, by which records in the making have the field."""
        return ".".join(self.path)

    @property
    def may_be_absent(self) -> bool:
        """Whether a record may lack it, or have null in its place."""
        return self.is_nullable or not self.is_required

    @property
    def forms(self) -> frozenset[str]:
        """The forms of its names."""
        return frozenset(form for name in self.names for form in forms(name))

    @property
    def hints(self) -> frozenset[str]:
        """The forms of a short description, which people write as they would a label."""
        first = self.description.split(".")[0].split(",")[0]
        return forms(first) if 0 < len(words_of(first)) <= _LONGEST_HINT else frozenset()


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a schema asks for: one object, or the list of records at ``path``.

    ``steps`` are the properties that lead to the list or to the one object; ``words`` those of what the schema says of
    its records.
    """

    schema: Any
    fields: tuple[Field, ...]
    path: RecordPath | None
    steps: tuple[str, ...] = ()
    words: frozenset[str] = frozenset()

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
            if each.name in record:
                inner = data
                for step in each.path[:-1]:
                    inner = inner.setdefault(step, {})
                inner[each.path[-1]] = record[each.name]
        return data


def read_wanted(schema: Any) -> Wanted:
    """Read a schema; Declined where tables and embedded data can't hold what it asks for."""
    if not isinstance(schema, dict) or unenforceable(schema) is not None:
        raise Declined("there is no schema that can be enforced")
    try:
        path = record_path(schema)
        steps = _steps_to_object(schema) if path is None else tuple(read_pointer(path.pointer))
        _check_that_nothing_is_beside(schema, () if path is None else steps)
        item = _inside(schema, steps) if path is None else path.item_schema
        fields = _own_names(_read_fields(item, (), is_required=True, said=""))
    except InvalidSchema as error:
        raise Declined("there is no schema that can be enforced") from error
    said = [
        str(part.get(key) or "")
        for part in (schema, item)
        if isinstance(part, dict)
        for key in ("title", "description")
    ]
    words = frozenset(word for text in [*said, *steps] for word in words_of(text))
    return Wanted(schema, fields, path, steps, words)


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
            raise Declined("the schema asks for more than one list")
        inner = properties[step]


def _read_fields(schema: Any, path: tuple[str, ...], *, is_required: bool, said: str) -> list[Field]:
    choices = root_node(schema).choices()
    properties = declared_properties(schema) if isinstance(schema, dict) else {}
    if len(choices) != 1 or not properties or "object" not in declared_types(schema):
        raise Declined("the records of the schema are no objects of one kind")
    required = {name for part in choices[0].schemas for name in part.get("required") or ()}
    if len(path) > _MOST_STEPS or required - set(properties):
        raise Declined("the schema is nested too deep for a table")
    found: list[Field] = []
    for name, sub in properties.items():
        inner, needed = (*path, name), is_required and name in required
        if isinstance(sub, dict) and declared_types(sub) == _OBJECT:
            description = f"{said} {sub.get('description') or ''}"
            found += _read_fields(sub, inner, is_required=needed, said=description)
        else:
            found.append(_read_field(inner, sub, is_required=needed, said=said))
    return found


def _read_field(path: tuple[str, ...], schema: Any, *, is_required: bool, said: str) -> Field:
    if not isinstance(schema, dict) or "const" in schema or schema.get("x-derived"):
        raise Declined(f"the field {path[-1]} is not read from the page as it stands")
    is_nullable = "null" in declared_types(schema)
    plain = _without_null(schema)
    aliases = plain.get("x-aliases") or []
    named = [path[-1], plain.get("title"), *(aliases if isinstance(aliases, list) else [aliases])]
    named += [_without_unit(path[-1])]
    names = tuple(dict.fromkeys(name for name in named if isinstance(name, str) and name.strip()))
    kind = _kind(declared_types(schema) - {"null"}, plain, words_of(path[-1]))
    if kind is None:
        raise Declined(f"the field {path[-1]} is neither text, number, date, yes or no, nor a list of texts")
    description = f"{said} {plain.get('description') or ''}".strip()
    return Field(path, plain, kind, names, is_required, is_nullable, description)


def _without_unit(name: str) -> str:
    """Give a name without the unit that ends it: "weight" for "weight_kg"."""
    words = words_of(name)
    return " ".join(words[:-1]) if len(words) > 1 and unit_of_name(name) else ""


def _own_names(fields: list[Field]) -> tuple[Field, ...]:
    """Give fields of inner objects the names of their path, and their own where no other field has it."""
    alone = Counter(form for field in fields for form in forms(field.path[-1]))
    named: list[Field] = []
    for field in fields:
        if len(field.path) > 1:
            names = [" ".join((*field.path[:-1], name)) for name in field.names]
            if words_of(field.path[-1])[-1:] and words_of(field.path[-1])[-1] in _AMOUNTS:
                names.append(field.path[-2])
            elif all(alone[form] == 1 for form in forms(field.path[-1])) and words_of(field.path[-1]) not in (
                ("name",),
                ("title",),
            ):
                names += field.names
            named.append(replace(field, names=tuple(names)))
        else:
            named.append(field)
    if len({field.name for field in named}) < len(named):
        raise Declined("two fields of the schema have one name")
    return tuple(named)


def _without_null(schema: dict[str, Any]) -> dict[str, Any]:
    """Give a field's schema with the one branch of its anyOf that is no null in its place."""
    branches = schema.get("anyOf")
    said = [each for each in branches if each != {"type": "null"}] if isinstance(branches, list) else []
    if len(said) != 1 or not isinstance(said[0], dict) or not isinstance(said[0].get("type"), str):
        return schema
    rest = {key: value for key, value in schema.items() if key != "anyOf"}
    return {**said[0], **rest, "type": [said[0]["type"], "null"]}


def _kind(types: frozenset[str], schema: Mapping[str, Any], words: Sequence[str]) -> Kind | None:
    if sorted(types) == ["array"]:
        items = schema.get("items")
        return "texts" if isinstance(items, dict) and items.get("type") == "string" and "enum" not in items else None
    if types <= {"number", "integer"} and types:
        return "number"
    if sorted(types) == ["boolean"]:
        return "boolean"
    if sorted(types) != ["string"]:
        return None
    form, last = schema.get("format"), words[-1] if words else ""
    if form in _DATE_FORMATS:
        return "date"
    is_address = form in _ADDRESS_FORMATS
    if last in _IMAGE_NAMES or (is_address and not _IMAGE_NAMES.isdisjoint(words)):
        return "image"
    return "address" if is_address or last in _ADDRESS_NAMES else "text"
