"""Python classes as schemas: Pydantic models, dataclasses, ``TypedDict``, lists of them, and examples made of types."""

import datetime as dt
import sys
import types
import typing
from typing import Any, get_args, get_origin, get_type_hints

import typing_extensions
from pydantic import BaseModel, TypeAdapter
from pydantic.errors import PydanticInvalidForJsonSchema, PydanticUserError

_WORDS: dict[Any, str] = {
    str: "string", int: "integer", float: "number", bool: "boolean", dict: "object", list: "array",
    dt.date: "date", dt.datetime: "date-time", dt.time: "time",
}  # fmt: skip


def schema_of_classes(given: Any) -> Any:
    """Give the JSON Schema, or the example, that Python classes stand for; anything else as it is.

    ValueError names what JSON can't say.

    >>> schema_of_classes(list[int])
    {'items': {'type': 'integer'}, 'type': 'array'}
    >>> schema_of_classes({"title": str, "offers": [{"price": float}]})
    {'title': 'string', 'offers': [{'price': 'number'}]}
    """
    if isinstance(given, dict):
        return {name: _inside(value) for name, value in given.items()} if _holds_class(given) else given
    if isinstance(given, list):
        if len(given) == 1 and is_class(given[0]):
            return _schema_of(list[given[0]])
        return [_inside(value) for value in given] if _holds_class(given) else given
    return _schema_of(given) if is_class(given) else given


def _inside(value: Any) -> Any:
    """Give what stands for a class inside an example, where there is no place for definitions."""
    if not is_class(value):
        return schema_of_classes(value)
    if value in _WORDS:
        return _WORDS[value]
    schema = _schema_of(value)
    if "$defs" in schema:
        raise ValueError(f"{_name(value)} refers to other classes: give a class for the whole, or the schema of one")
    return schema


def _holds_class(value: Any) -> bool:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return any(is_class(one) or _holds_class(one) for one in inner)


def is_class(value: Any) -> bool:
    """Tell whether a value stands for a type: a class, or a generic of one such as ``list[int]``."""
    return isinstance(value, type) or get_origin(value) is not None or typing_extensions.is_typeddict(value)


def _schema_of(kind: Any) -> Any:
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return kind.model_json_schema()
    try:
        return TypeAdapter(readable(kind)).json_schema()
    except (PydanticUserError, PydanticInvalidForJsonSchema, NameError, TypeError) as error:
        said = str(error).partition("\n")[0]
        raise ValueError(f"{_name(kind)} can't be expressed as JSON Schema: {said}") from None


def readable(kind: Any) -> Any:
    """Give a class as Pydantic reads it: before Python 3.12 it takes typing_extensions' TypedDict alone."""
    if sys.version_info < (3, 12) and typing.is_typeddict(kind) and type(kind).__module__ == "typing":
        hints = get_type_hints(kind, include_extras=True)
        fields = {
            name: readable(hint) if name in kind.__required_keys__ else typing_extensions.NotRequired[readable(hint)]
            for name, hint in hints.items()
        }
        made: Any = typing_extensions.TypedDict(kind.__name__, fields)  # type: ignore[operator]
        made.__doc__ = kind.__doc__
        return made
    inner = tuple(map(readable, get_args(kind)))
    made_of: Any = {list: list, dict: dict, typing.Union: typing.Union, types.UnionType: typing.Union}
    container = made_of.get(get_origin(kind))
    if container is not None and inner:
        return container[inner]
    return kind


def _name(kind: Any) -> str:
    return getattr(kind, "__name__", None) or str(kind)
