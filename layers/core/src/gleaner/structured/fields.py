"""What a schema asks for: the fields of a record, their names, their units, and where the records belong."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from gleaner.contracts.json_pointers import read_pointer
from gleaner.contracts.ports import JsonValue
from gleaner.contracts.word_lists import listed
from gleaner.schemas import RecordPath, declared_properties, declared_types, record_path
from gleaner.schemas.nodes import root_node
from gleaner.structured.labels import Words, read_label, words_of
from gleaner.structured.measures import SCALES, stated_range, unit_named, units_stated
from gleaner.structured.names import mean_the_same
from gleaner.structured.vocabulary import GENERIC

Kind = Literal["text", "number", "boolean", "date", "address", "image", "texts"]

_ADDRESS_FORMATS = frozenset(["uri", "uri-reference", "iri", "iri-reference"])
_ADDRESS_NAMES = frozenset(["url", "link", "href", "uri", "permalink"])
_IMAGE_NAMES = frozenset(["image", "img", "photo", "picture", "thumbnail", "logo"])
_OF_TEXTS = frozenset(["type", "items", "title", "description", "x-aliases", "minLength", "minItems", "default"])
_OBJECT = frozenset(["object"])
_OF_THE_RECORD = listed("offer address dimension size detail specification spec contact info measurement attribute")
"""Inner objects whose fields are the record's own: the city of its address, the price of its offer."""
_OF_ITSELF = frozenset({("value",), ("amount",)})
"""Names that say again what the inner object is: the amount of a price."""
_MISSING = object()
_MOST_STEPS = 3
_DATE_FORMATS = frozenset(["date", "date-time", "time"])


@dataclass(frozen=True, slots=True)
class Field:
    """One scalar of a record, or a list of texts.

    ``path`` are the properties that lead to it through the record's inner objects, ``name`` is that path in one.
    ``names`` are the word forms of its name, title and aliases, the name first. ``units`` are those that its
    description, title or ``unit`` states; ``suffix`` is the unit that ends its name.
    """

    path: tuple[str, ...]
    schema: Any
    kind: Kind
    names: tuple[Words, ...]
    is_required: bool
    is_nullable: bool
    units: frozenset[str] = frozenset()
    description: str = ""
    suffix: str | None = None

    @property
    def name(self) -> str:
        """The name by which records in the making have it."""
        return ".".join(self.path)

    @property
    def may_be_absent(self) -> bool:
        """Whether a record may lack it, or have null in its place."""
        return self.is_nullable or not self.is_required

    def holds(self, value: Any) -> bool:
        """Tell whether a value is none of those that the description leaves out: "from 1 to 5"."""
        bounds = stated_range(self.description) if self.kind == "number" else None
        return bounds is None or not isinstance(value, int | float) or bounds[0] <= value <= bounds[1]

    @property
    def all_names(self) -> tuple[Words, ...]:
        """The names, and those that end in a unit ("weight_kg") without it."""
        if self.suffix is None:
            return self.names
        bare = (words[:-1] for words in self.names if len(words) > 1 and unit_named(words[-1]) == self.suffix)
        return tuple(dict.fromkeys([*self.names, *bare]))

    def unit_under(self, words: Words) -> str | None:
        """Give the unit that the field asks for, if it states one; "?" when it states several.

        ``words`` are the label's: where they are the field's name to its last word, that word is no unit ("cast_in").
        """
        units = self.units
        if self.suffix is not None and not any(mean_the_same(words, own) for own in self.names):
            units |= {self.suffix}
        return None if not units else next(iter(units)) if len(units) == 1 else "?"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a schema asks for: one object, or the list of records at ``path``. ``noun``: what it calls a record.

    ``steps`` are the properties that lead to the list or to the one object.
    """

    schema: Any
    fields: tuple[Field, ...]
    path: RecordPath | None
    nouns: tuple[Words, ...] = ()
    remarks: tuple[str, ...] = field(default=())
    steps: tuple[str, ...] = ()

    @property
    def is_list(self) -> bool:
        """Whether records are wanted rather than one object."""
        return self.path is not None

    def wrap(self, records: list[dict[str, JsonValue]]) -> JsonValue:
        """Give the instance that holds the records where the schema keeps them; for one object, itself."""
        nested: list[JsonValue] = [self._nested(record) for record in records]
        data: JsonValue = nested if self.is_list else nested[0]
        for step in reversed(self.steps):
            data = {step: data}
        return data

    def unwrap(self, data: Any) -> list[Any]:
        """Give the records that an instance holds, without inner objects; the one object as a list."""
        for step in self.steps:
            data = data[step]
        return [self._flat(record) for record in (data if self.is_list else [data])]

    def property_at(self, pointer: str) -> str:
        """Give the field of a record to which a pointer into the instance leads."""
        inner = read_pointer(pointer)[len(self.steps) + self.is_list :]
        fits = (each.name for each in self.fields if list(each.path) == inner[: len(each.path)])
        return inner[0] if len(inner) == 1 else next(fits, inner[0])

    def _nested(self, record: dict[str, JsonValue]) -> dict[str, Any]:
        data: dict[str, Any] = {}
        for each in self.fields:
            if each.name in record:
                inner = data
                for step in each.path[:-1]:
                    inner = inner.setdefault(step, {})
                inner[each.path[-1]] = record[each.name]
        return data

    def _flat(self, data: dict[str, Any]) -> dict[str, Any]:
        record: dict[str, Any] = {}
        for each in self.fields:
            inner: Any = data
            for step in each.path:
                inner = inner.get(step, _MISSING) if isinstance(inner, dict) else _MISSING
            if inner is not _MISSING:
                record[each.name] = inner
        return record


def read_wanted(schema: Any) -> Wanted | None:
    """Read a schema; None where tier 0 can't be sure what it asks for.

    Fields are scalars or lists of texts, also of inner objects; alternatives of records, inner lists of objects and
    data beside the list are doubt.
    """
    path = record_path(schema)
    steps = _steps_to_object(schema) if path is None else tuple(read_pointer(path.pointer))
    item = _inside(schema, steps) if path is None else path.item_schema
    if not isinstance(item, dict) or len(root_node(item).choices()) != 1 or not _holds_only_the_list(schema, path):
        return None
    if "object" not in declared_types(item):
        return None
    known = _read_fields(item, _Holder())
    if known is None or len({each.name for each in known}) < len(known):
        return None
    if path is not None and any(each.kind == "texts" for each in known):
        return None
    return Wanted(schema, known, path, _nouns(schema, item, steps), _remarks(schema, item), steps)


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


def _holds_only_the_list(schema: Any, path: RecordPath | None) -> bool:
    inner = schema
    for step in read_pointer(path.pointer) if path else ():
        properties = declared_properties(inner)
        if set(properties) != {step}:
            return False
        inner = properties[step]
    return True


@dataclass(frozen=True, slots=True)
class _Holder:
    """An object in which fields stand: the properties that lead to it, and what the schema says of it."""

    path: tuple[str, ...] = ()
    is_required: bool = True
    said: str = ""

    def names_of(self, words: Words) -> tuple[Words, ...]:
        """Give the names of one of its fields: with its own name; alone, where that says nothing of another thing."""
        own = tuple(word for step in self.path for word in words_of(step))
        full = words if not own or words[: len(own)] == own else own + words
        if not own or (_OF_THE_RECORD.issuperset(own) and words not in GENERIC):
            return (words, full)
        return (full, own) if words in GENERIC or words in _OF_ITSELF else (full,)


def _read_fields(schema: Any, holder: _Holder) -> tuple[Field, ...] | None:
    """Give the fields of an object, and of those inside it; None when one of them is in doubt."""
    choices = root_node(schema).choices()
    properties = declared_properties(schema)
    required = {name for part in choices[0].schemas for name in part.get("required") or ()}
    if len(choices) != 1 or not properties or required - set(properties) or len(holder.path) > _MOST_STEPS:
        return None
    found: list[Field] = []
    for name, sub in properties.items():
        if not isinstance(sub, dict):
            return None
        inner = _Holder((*holder.path, name), holder.is_required and name in required, _said_of(holder, sub))
        if declared_types(sub) == _OBJECT:
            fields = _read_fields(sub, inner)
        else:
            field = _read_field(holder, inner, sub)
            fields = None if field is None else (field,)
        if fields is None:
            return None
        found += fields
    return tuple(found)


def _said_of(holder: _Holder, schema: Mapping[str, Any]) -> str:
    return " ".join(filter(None, (holder.said, str(schema.get("description") or ""))))


def _read_field(holder: _Holder, own: _Holder, schema: dict[str, Any]) -> Field | None:
    types = declared_types(schema)
    schema = _without_null(schema)
    titled = [own.path[-1], schema.get("title"), *_aliases(schema)]
    plain = (words for each in titled if isinstance(each, str) and (words := _name(each)))
    names = tuple(dict.fromkeys(full for words in plain for full in holder.names_of(words)))
    kind = _kind(types - {"null"}, schema, names)
    if kind is None or not names or schema.get("x-derived"):
        return None
    units = _units(own.said, schema) if kind == "number" else frozenset[str]()
    suffix = _suffix(names[0]) if kind == "number" else None
    if kind == "number" and names[0][0] == "year" and len(names[0]) > 1:  # "year_built" is "built_year"
        names, suffix = (*names, (*names[0][1:], "year")), "yr"
    return Field(own.path, schema, kind, names, own.is_required, "null" in types, units, own.said, suffix)


def _without_null(schema: dict[str, Any]) -> dict[str, Any]:
    """Give a field's schema with the one branch of its anyOf that is no null in its place."""
    branches = schema.get("anyOf")
    said = [each for each in branches if each != {"type": "null"}] if isinstance(branches, list) else []
    if len(said) != 1 or not isinstance(said[0], dict) or not isinstance(said[0].get("type"), str):
        return schema
    rest = {key: value for key, value in schema.items() if key != "anyOf"}
    return {**said[0], **rest, "type": [said[0]["type"], "null"]}


def _suffix(words: Words) -> str | None:
    return unit_named(words[-1]) if len(words) > 1 else None


def _aliases(schema: Mapping[str, Any]) -> list[Any]:
    listed = schema.get("x-aliases") or []
    return listed if isinstance(listed, list) else [listed]


def _name(text: str) -> Words:
    label = read_label(text)
    return words_of(text) if label.unit is None else label.words


def _kind(types: frozenset[str], schema: Mapping[str, Any], names: tuple[Words, ...]) -> Kind | None:
    if len(types) != 1 or "const" in schema:
        return None
    (only,) = types
    if only == "array":
        return "texts" if _lists_texts(schema) else None
    if only in ("number", "integer"):
        return "number"
    if only == "boolean":
        return "boolean"
    if only != "string":
        return None
    return _kind_of_text(schema.get("format"), names)


def _lists_texts(schema: Mapping[str, Any]) -> bool:
    """Tell whether an array's items are texts of any kind, as many as there are."""
    items = schema.get("items")
    return isinstance(items, dict) and items.get("type") == "string" and _OF_TEXTS.issuperset([*schema, *items])


def _kind_of_text(form: Any, names: tuple[Words, ...]) -> Kind | None:
    words = names[0] if names else ()
    if form in _DATE_FORMATS:
        return "date"
    if (words and words[-1] in _IMAGE_NAMES) or (form in _ADDRESS_FORMATS and not _IMAGE_NAMES.isdisjoint(words)):
        return "image"
    if form in _ADDRESS_FORMATS or (words and words[-1] in _ADDRESS_NAMES):
        return "address"
    return "text"


def _units(description: str, schema: Mapping[str, Any]) -> frozenset[str]:
    """Give the units that the field's description, title or ``unit`` states."""
    title = str(schema.get("title") or "")
    found = units_stated(description) | (units_stated(title) if read_label(title).unit or "(" in title else set())
    for word in (str(schema[key]) for key in ("unit", "x-unit") if key in schema):
        if unit := unit_named(word) or (word if word in SCALES else None):
            found.add(unit)
    return frozenset(found)


def _nouns(schema: Any, item: Any, steps: Sequence[str]) -> tuple[Words, ...]:
    names = [item.get("title"), *steps[-1:]]
    if isinstance(schema, dict) and schema is not item:
        names.append(schema.get("title"))
    return tuple(dict.fromkeys(words_of(name) for name in names if isinstance(name, str) and words_of(name)))


def _remarks(schema: Any, item: Any) -> tuple[str, ...]:
    """Give what the schema says about the records as a whole; it may narrow them down."""
    texts: list[str] = []
    inner = schema
    while isinstance(inner, dict):
        texts.append(str(inner.get("description") or ""))
        properties: Any = inner.get("properties") or {}
        inner = inner.get("items") or (next(iter(properties.values())) if len(properties) == 1 else None)
        if inner is item:
            break
    if isinstance(item, dict):
        texts.append(str(item.get("description") or ""))
    return tuple(dict.fromkeys(text for text in texts if text))
