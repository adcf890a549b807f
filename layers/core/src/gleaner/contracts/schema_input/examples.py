"""Turn an example of the data, such as ``{"price": "number"}``, into a JSON Schema.

An example names fields and says of each what it holds: by a word for a type, by a value, by an inner example. Nothing
of it is required and everything may be null, since an example says nothing of what a page may leave out.
"""

import re
from typing import Any

from gleaner.contracts.schema_input.keywords import (
    SHAPES,
    TYPES,
    find_misspelt,
    is_keyword,
    is_schema,
    is_vocabulary,
    subschemas,
)

_FORMATS = {
    "date": "date", "datetime": "date-time", "date-time": "date-time", "time": "time", "url": "uri", "uri": "uri",
    "link": "uri", "email": "email",
}  # fmt: skip
_TYPE_WORDS = {
    **{name: name for name in TYPES},
    "str": "string", "text": "string", "int": "integer", "float": "number", "double": "number", "decimal": "number",
    "bool": "boolean", "list": "array", "dict": "object", "none": "null",
}  # fmt: skip
_ANYTHING = ("any", "unknown")
_WORDED = re.compile(r"\s*([A-Za-z-]+)((?:\[\])?)(\??)\s*(?:[:,;(–—-]\s*(.*?)\)?\s*)?", re.DOTALL)
"""A word for a type, "[]" for a list of it, "?" where it may be missing, and what is said of it: "number, in euros"."""

_SCALAR = ["string", "number", "boolean"]
_WRAPPERS = frozenset(("name", "schema", "strict", "description", "type"))
"""The fields around a schema in requests to providers: ``{"name": …, "strict": true, "schema": {…}}``."""


def meant_schema(given: Any) -> Any:
    """Give the JSON Schema that is meant: the very object where it is one, else the one that an example stands for.

    ValueError where it is neither, or a keyword seems misspelt, with the word that was likely meant.

    >>> meant_schema({"title": "string", "pages": 120})["properties"]
    {'title': {'type': ['string', 'null']}, 'pages': {'type': ['number', 'null']}}
    >>> meant_schema([{"name": "string"}])["items"]["properties"]
    {'name': {'type': ['string', 'null']}}
    """
    given = _unwrapped(given)
    if isinstance(given, list):
        return _list_of(given)
    if not isinstance(given, dict) or _says_nothing(given):
        return given
    if _is_example(given):
        _refuse_misspelt_root(given)
        return _of_fields(given)
    said = find_misspelt(given)
    if said is not None:
        raise ValueError(said)
    return _with_examples_inside(given)


def _unwrapped(given: Any) -> Any:
    """Give the schema of a provider's ``response_format``."""
    inner = given
    while isinstance(inner, dict) and isinstance(inner.get("json_schema"), dict) and len(inner) <= 2:
        inner = inner["json_schema"]
    if isinstance(inner, dict) and inner.keys() <= _WRAPPERS and isinstance(inner.get("schema"), dict):
        return inner["schema"] if is_schema(inner["schema"]) else given
    return given


def _says_nothing(given: dict[str, Any]) -> bool:
    """Tell whether an object holds no word but keywords, remarks and extensions, of which none names a field.

    A keyword with a plain value that it can't have (``{"type": "strng"}``) is a wrong schema, and no example.
    """
    return all(
        (is_vocabulary(name) and name not in SHAPES)
        or (name in SHAPES and not is_keyword(name, value) and _is_plain(value))
        for name, value in given.items()
        if not (isinstance(value, str) and _type_of(value))
    ) and not _is_typed(given)


def _is_plain(value: Any) -> bool:
    inner = value if isinstance(value, list) else [value]
    return not any(isinstance(item, dict | list) for item in inner)


def _is_example(given: dict[str, Any]) -> bool:
    """Tell whether an object is an example: no keyword in it says anything, or each of its names says a type."""
    if not is_schema(given):
        return True
    names_a_field = any(not is_keyword(name, value) and not is_vocabulary(name) for name, value in given.items())
    return names_a_field and given.get("type") not in ("object", "array") and _is_typed(given)


def _is_typed(value: Any) -> bool:
    """Tell whether an example is made of words for types alone."""
    if isinstance(value, dict):
        return bool(value) and all(map(_is_typed, value.values()))
    if isinstance(value, list):
        return len(value) == 1 and _is_typed(value[0])
    return isinstance(value, str) and _type_of(value) is not None


def _refuse_misspelt_root(given: dict[str, Any]) -> None:
    """Refuse an object whose one word that might be a keyword holds a schema: ``{"propertys": {"a": {"type": …}}}``."""
    for value in given.values():
        inner = [value, *value.values()] if isinstance(value, dict) else value if isinstance(value, list) else []
        if any(map(_holds_keyword, inner)) and (said := find_misspelt(given)) is not None:
            raise ValueError(said)


def _holds_keyword(value: Any) -> bool:
    return isinstance(value, dict) and is_schema(value) and not _is_example(value)


def _of_fields(example: dict[str, Any]) -> dict[str, Any]:
    properties = {name: _meant_field(value) for name, value in example.items() if not name.startswith("$")}
    return {"type": "object", "properties": properties}


def _meant_field(value: Any) -> Any:
    """Give the schema of what a field of an example holds."""
    if isinstance(value, dict):
        if not value:
            return {"type": ["object", "null"]}
        if not _is_example(value):
            return meant_schema(value)
        return {**_of_fields(value), "type": ["object", "null"]}
    if isinstance(value, list):
        return {**_list_of(value, inside=True), "type": ["array", "null"]}
    if isinstance(value, str):
        return _of_text(value)
    if value is None:
        return {"type": [*_SCALAR, "null"]}
    return {"type": ["boolean" if isinstance(value, bool) else "number", "null"]}


def _list_of(items: list[Any], *, inside: bool = False) -> dict[str, Any]:
    """Give the list of what its items show: one example, or several of the same kind."""
    if not items and inside:
        return {"type": "array"}
    kinds = [_meant_item(item) for item in items]
    if kinds and all(kind == kinds[0] for kind in kinds) and (inside or len(kinds) == 1):
        return {"type": "array", "items": kinds[0]}
    if kinds and all(isinstance(item, dict) for item in items):
        joined: dict[str, Any] = {}
        for item in items:
            joined |= {name: value for name, value in item.items() if value is not None or name not in joined}
        return {"type": "array", "items": _meant_item(joined)}
    if kinds and inside:
        return {"type": "array"}
    raise ValueError('a list is an example if it holds one record: [{"title": "string"}]; else give a JSON Schema')


def _meant_item(item: Any) -> Any:
    """Give the schema of a list's item, which is there, and so not null."""
    kind = _meant_field(item)
    types = kind.get("type") if isinstance(kind, dict) else None
    if not isinstance(types, list) or "null" not in types or len(types) < 2:
        return kind
    left = [name for name in types if name != "null"]
    return {**kind, "type": left[0] if len(left) == 1 else left}


def _of_text(text: str) -> dict[str, Any]:
    """Give the schema of a text that says a type, shows a value or describes one."""
    found = _type_of(text)
    if found is not None:
        return found
    kind: dict[str, Any] = {"type": ["string", "null"]}
    return {**kind, "description": text.strip()} if len(text.split()) > 1 else kind


def _type_of(text: str) -> dict[str, Any] | None:
    """Give the schema that a word for a type stands for, with what is said of it; None for any other text."""
    words = [part.strip() for part in text.split("|")]
    if len(words) > 1:
        parts = [_type_of(word) for word in words]
        names = [name for part in parts if part is not None and set(part) == {"type"} for name in part["type"]]
        types = [name for name in dict.fromkeys(names) if name != "null"]
        return {"type": [*types, "null"]} if None not in parts and types else None
    match = _WORDED.fullmatch(text)
    if match is None:
        return None
    word = match[1].lower()
    said = {"description": match[4].strip()} if match[4] and match[4].strip() else {}
    if word in _ANYTHING:
        kind: dict[str, Any] = {}
    elif word in _FORMATS:
        kind = {"type": ["string", "null"], "format": _FORMATS[word]}
    elif word in _TYPE_WORDS:
        kind = {"type": [*dict.fromkeys((_TYPE_WORDS[word], "null"))]}
    else:
        return None
    if match[2]:
        kind = {"type": ["array", "null"], "items": _without_null(kind)}
    return {**kind, **said}


def _without_null(kind: dict[str, Any]) -> dict[str, Any]:
    return {**kind, "type": kind["type"][0]} if "type" in kind else kind


def _with_examples_inside(schema: Any) -> Any:
    """Give a schema with its subschemas written out where they are said by words: ``{"properties": {"a": "string"}}``.

    The very schema where there are none. An inner object of no keyword is an example where all it says is types.
    """
    if isinstance(schema, str):
        return _type_of(schema) or schema
    if not isinstance(schema, dict):
        return schema
    if not is_schema(schema):
        return {**_of_fields(schema), "type": ["object", "null"]} if _is_typed(schema) else schema
    changed: dict[str, Any] = {}
    for keyword, place, inner in subschemas(schema):
        meant = _with_examples_inside(inner)
        if meant is inner:
            continue
        if place is None:
            changed[keyword] = meant
        else:
            if keyword not in changed:
                changed[keyword] = schema[keyword].copy()
            changed[keyword][place] = meant
    return {**schema, **changed} if changed else schema
