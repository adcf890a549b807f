"""Pydantic models made from JSON Schema (SC-2, SC-6).

The caller's schema does the validating, on the raw input, before any model sees it: converters that translate each
keyword let ``"1"`` pass for 1, ``null`` for an absent optional, and more. The model gives the validated data its shape:
attributes, nesting, types, as far as classes can show them: ``not``, ``if``, ``contains``, places of an array are the
validator's alone. Absent stays absent: in the dump too.
"""

import keyword
from copy import deepcopy
from typing import Annotated, Any, ForwardRef, Literal, Union

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ModelWrapValidatorHandler,
    PrivateAttr,
    RootModel,
    SerializerFunctionWrapHandler,
    StrictBool,
    StrictFloat,
    StrictInt,
    StrictStr,
    create_model,
    model_serializer,
    model_validator,
)
from pydantic_core import PydanticCustomError

from gleaner.contracts.errors import InvalidSchema
from gleaner.contracts.json_pointers import escape_step
from gleaner.schemas.dialects import Schema
from gleaner.schemas.nodes import JSON_TYPES, MAX_CHOICES, Node, root_node
from gleaner.schemas.validation import enforced, violations

MAX_SHOWN = 20
MAX_SHAPES = 5_000
"""How many types a model holds with all references written out, as Pydantic's serializers hold them; past that, any."""

RESERVED = frozenset({"Config"})
_DYNAMIC = ("$dynamicRef", "$recursiveRef")
"""References whose target depends on who asks."""


class Carried(BaseModel):
    """An object: declared properties as fields, others kept; what was absent is absent in the dump."""

    model_config = ConfigDict(extra="allow", serialize_by_alias=True, protected_namespaces=())
    _bare: tuple[Any, ...] = PrivateAttr(default=())
    """The one value that a schema without a type accepts although it is no object."""

    @classmethod
    def holding(cls, value: Any) -> "Carried":
        """Give an instance for a value that is no object."""
        made = cls.model_construct()
        made._bare = (value,)
        return made

    @model_serializer(mode="wrap")
    def _without_absent(self, handler: SerializerFunctionWrapHandler) -> Any:
        if self._bare:
            return self._bare[0]
        dumped: dict[str, Any] = handler(self)
        extra = self.__pydantic_extra__ or {}
        for name, field in type(self).model_fields.items():
            # An undeclared property may bear the Python name of a field: fields_set has it then.
            is_set = name in self.model_fields_set and not (name in extra and self.__dict__.get(name) is None)
            if not is_set:
                for key in {name, name if field.alias is None else field.alias} - extra.keys():
                    dumped.pop(key, None)
        return dumped


def schema_dict_to_pydantic_model(schema: Schema) -> type[BaseModel]:
    """Give a Pydantic model that accepts what the schema accepts, and nothing else.

    Objects become fields under their names (names that Python or Pydantic can't take get an alias; dumps use the
    schema's names); other roots a RootModel. ``model_json_schema()`` gives the schema back. ValueError names the
    keyword and its path when the schema is invalid.

    >>> Product = schema_dict_to_pydantic_model({"type": "object", "properties": {"price": {"type": "number"}}})
    >>> Product.model_validate({"price": 5}).price, Product.model_validate({}).model_dump()
    (5, {})
    """
    try:
        ready = enforced(schema)
    except InvalidSchema as error:
        raise ValueError(str(error)) from None
    shapes = _Shapes()
    shape = shapes.of(root_node(schema), "Extracted", "", root=True)
    base = shape if isinstance(shape, type) and issubclass(shape, Carried) else RootModel[shape]
    shapes.close(base)
    return _enforcing(base, ready.schema)


def _enforcing(base: type[BaseModel], schema: Schema) -> type[BaseModel]:
    class Extracted(base):
        """What was extracted, as the caller's schema has it."""

        @model_validator(mode="wrap")
        @classmethod
        def _by_the_schema(cls, value: Any, handler: ModelWrapValidatorHandler[Any]) -> Any:
            if isinstance(value, cls):
                return value
            problems = violations(schema, value)
            if problems:
                lines = [f"{problem.pointer or '/'}: {problem.message}" for problem in problems[:MAX_SHOWN]]
                raise PydanticCustomError("json_schema", "{problems}", {"problems": "; ".join(lines)})
            if not issubclass(cls, Carried) or isinstance(value, dict):
                return handler(value)
            return cls.holding(value)

        @classmethod
        def model_json_schema(cls, *_args: Any, **_options: Any) -> dict[str, Any]:
            """Give the caller's schema."""
            return deepcopy(schema) if isinstance(schema, dict) else {"allOf": [schema]}

    title = schema.get("title") if isinstance(schema, dict) else None
    Extracted.__name__ = Extracted.__qualname__ = _class_name(title or "Extracted")
    return Extracted


class _Shapes:
    """Makes the Python types of one schema; a subschema used twice is one class."""

    def __init__(self) -> None:
        self.made: dict[tuple[frozenset[int], frozenset[tuple[int, str]]], Any] = {}
        self.open: dict[frozenset[int], str] = {}
        self.named: dict[str, Any] = {}
        self.classes: list[type[Carried]] = []
        self.sizes: dict[Any, int] = {}
        self.size = 0

    def of(self, node: Node, name: str, pointer: str, *, root: bool = False) -> Any:
        """Give the type of the node's values; at a reference to something still open, its name."""
        key = (node.identity, node.taken)
        if key in self.made and not root:
            self.size += self.sizes[key]
            return self.made[key] if self.size <= MAX_SHAPES else Any
        if self.size >= MAX_SHAPES:
            return Any
        if node.identity in self.open:
            self.named.setdefault(self.open[node.identity], Any)
            return ForwardRef(self.open[node.identity])
        self.open[node.identity] = opened = f"Shape{len(self.made)}_{len(self.open)}"
        before = self.size
        self.size += 1
        self.made[key] = made = self._union(node, name, pointer, root=root)
        if opened in self.named and isinstance(made, type) and issubclass(made, Carried):
            is_object = node.types() == frozenset({"object"})
            anything = Annotated[made | Any, Field(union_mode="left_to_right")]  # a root without a type, in itself
            self.named[opened] = made if is_object else anything
        self.sizes[key] = self.size - before
        del self.open[node.identity]
        return made

    def close(self, root: type[BaseModel]) -> None:
        """Fill in the names of what was still open; what is no class of its own stays unnamed: any value."""
        for model in (*self.classes, root) if self.named else ():
            model.model_rebuild(force=True, _types_namespace=self.named)

    def _union(self, node: Node, name: str, pointer: str, *, root: bool) -> Any:
        choices = node.choices()
        if len(choices) >= MAX_CHOICES or any(name in schema for schema in node.schemas for name in _DYNAMIC):
            return Any
        kinds: list[Any] = []
        for choice in choices:
            kinds.extend(kind for kind in self._kinds(choice, name, pointer, root=root) if kind not in kinds)
        if not kinds or Any in kinds:
            return Any
        return Union[tuple(kinds)]  # noqa: UP007 (a tuple of any length)

    def _kinds(self, node: Node, name: str, pointer: str, *, root: bool) -> list[Any]:
        types = node.types()
        values = node.values()
        if node.refuses_everything:
            return []
        if values is not None:
            return [_literal(values)]
        has_fields = bool(node.property_names())
        if types.issuperset(JSON_TYPES):
            if not has_fields:
                return [Any]
            types = frozenset({"object"}) if root else types
        kinds = [self._object(node, name, pointer, root=root)] if "object" in types else []
        kinds += [self._array(node, name, pointer)] if "array" in types else []
        return kinds + [kind for type_name, kind in SCALARS.items() if type_name in types]

    def _array(self, node: Node, name: str, pointer: str) -> Any:
        if any("prefixItems" in schema or isinstance(schema.get("items"), list) for schema in node.schemas):
            return list[Any]
        item = node.item_node(0)
        return list[self.of(item, f"{name} item", f"{pointer}/items")] if item else list[Any]

    def _object(self, node: Node, name: str, pointer: str, *, root: bool) -> Any:
        names = node.property_names()
        if not names and not root:
            return dict[str, Any]
        required = {each for schema in node.schemas for each in schema.get("required") or () if isinstance(each, str)}
        fields: dict[str, Any] = {}
        taken: set[str] = set(names)
        for each in names:
            inner = node.property_node(each)
            assert inner is not None
            kind = self.of(inner, f"{name} {each}", f"{pointer}/properties/{escape_step(each)}")
            python_name = _field_name(each, taken)
            alias = each if python_name != each else None
            default = Field(..., alias=alias) if each in required else Field(default=None, alias=alias)
            fields[python_name] = (kind if each in required else _or_none(kind), default)
        title = node.keyword("title")
        made = create_model(_class_name(title if isinstance(title, str) else name), __base__=Carried, **fields)
        self.classes.append(made)
        return made


def _or_none(kind: Any) -> Any:
    return Union[kind, None]  # noqa: UP007 (Any | None is no type)


def _whole(value: Any) -> Any:
    return int(value) if isinstance(value, float) and value.is_integer() else value


SCALARS: dict[str, Any] = {
    "string": StrictStr,
    "boolean": StrictBool,
    "number": StrictInt | StrictFloat,
    "integer": Annotated[StrictInt, BeforeValidator(_whole)],
    "null": None,
}


def _literal(values: list[Any]) -> Any:
    """Give a Literal of texts and null; other values are compared by the schema alone, where 1 and 1.0 are one."""
    if values and all(isinstance(value, str) or value is None for value in values):
        return Literal[tuple(values)]
    return Any


def _field_name(name: str, taken: set[str]) -> str:
    if name.isascii() and name.isidentifier() and not name.startswith("_") and not _is_reserved(name):
        return name
    base = "".join(character if character.isascii() and character.isalnum() else "_" for character in name).strip("_")
    candidate = f"{base}_" if base and not base[0].isdigit() else f"field_{base}"
    while candidate in taken or _is_reserved(candidate):
        candidate += "_"
    taken.add(candidate)
    return candidate


def _is_reserved(name: str) -> bool:
    return keyword.iskeyword(name) or name in RESERVED or hasattr(Carried, name)


def _class_name(title: Any) -> str:
    words = "".join(c if c.isascii() and c.isalnum() else " " for c in str(title)).split()
    name = "".join(word[:1].upper() + word[1:] for word in words)[:100]
    return name if name.isidentifier() else f"Model{name}"
