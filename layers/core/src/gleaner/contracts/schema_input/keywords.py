"""The keywords of JSON Schema (drafts 4 to 2020-12), their values, and likely misspellings.

A word alone tells little: pages have fields named ``type``, ``items`` or ``title``. A keyword counts as one where its
value has the keyword's shape.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from typing import Any

Shape = Callable[[Any], bool]

TYPES = frozenset(("object", "array", "string", "number", "integer", "boolean", "null"))
LIKELY = 0.77
"""Likeness (difflib's ratio) from which an unknown word is a misspelt keyword: "property" has 0.78, "content" for
"contains" 0.67."""

_LONGEST = 40
MOST_WORDS = 200
"""Unknown words that are compared with the keywords; a schema of more is no slip of the pen."""


def is_schema(value: Any) -> bool:
    """Tell whether a value reads as a JSON Schema: a boolean, or an object with a keyword of the right shape.

    >>> is_schema({"type": "object"}), is_schema({"title": "string"}), is_schema({"type": "lamp", "price": 5})
    (True, False, False)
    """
    if isinstance(value, bool):
        return True
    return isinstance(value, dict) and any(is_keyword(name, inner) for name, inner in value.items())


def is_keyword(name: str, value: Any) -> bool:
    """Tell whether a name with this value says something in JSON Schema, beyond a remark."""
    return name in SHAPES and SHAPES[name](value)


def is_vocabulary(name: str) -> bool:
    """Tell whether a name may stand in a schema without saying anything to us: remarks, extensions, OpenAPI's words."""
    return name in REMARKS or name.startswith(("x-", "X-", "$"))


def subschemas(schema: Mapping[str, Any]) -> Iterator[tuple[str, str | int | None, Any]]:
    """Give what stands where a schema has subschemas: the keyword, the place in its value, and what stands there."""
    for name, value in schema.items():
        if name in MAPS and isinstance(value, dict):
            yield from ((name, place, inner) for place, inner in value.items())
        elif name in LISTS and isinstance(value, list):
            yield from ((name, place, inner) for place, inner in enumerate(value))
        elif name in SINGLES:
            yield name, None, value


def find_misspelt(schema: Any) -> str | None:
    """Say which word of a schema seems to be a misspelt keyword, and which one; None without any.

    Only a word that means nothing, looks like a keyword, and has a value such as that keyword has.

    >>> find_misspelt({"type": "object", "propertys": {"title": {"type": "string"}}})
    "'propertys' is not a keyword of JSON Schema; did you mean 'properties'?"
    """
    seen: set[str] = set()
    stack = [schema]
    while stack:
        current = stack.pop()
        if not isinstance(current, dict):
            continue
        for name, value in current.items():
            if len(seen) >= MOST_WORDS:
                return None
            if name in SHAPES or is_vocabulary(name) or (name in seen and not isinstance(value, dict | list)):
                continue
            seen.add(name)
            meant = likely_keyword(name)
            if meant is not None and SHAPES[meant](value):
                return f"{name[:100]!r} is not a keyword of JSON Schema; did you mean {meant!r}?"
        stack.extend(inner for _, _, inner in subschemas(current))
    return None


def likely_keyword(name: str) -> str | None:
    """Give the keyword that a word is likely to be, whatever its capitals and joints: ``min_length`` is minLength.

    A keyword with a word more is an extension (``requiredXor``, ``enumNames``), and none misspelt.
    """
    close = get_close_matches(_plain(name), _PLAIN, n=1, cutoff=LIKELY) if len(name) <= _LONGEST else []
    keyword = _PLAIN[close[0]] if close else None
    if keyword is None or (name.startswith(keyword) and not name[len(keyword) :][:1].islower()):
        return None
    return keyword


def _plain(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).lower()


def _is_subschema(value: Any) -> bool:
    return value == {} or is_schema(value) or _is_remark(value)


def _is_remark(value: Any) -> bool:
    return isinstance(value, dict) and any(is_vocabulary(name) for name in value) and not _are_type_names(value)


def _are_type_names(value: Mapping[str, Any]) -> bool:
    return all(isinstance(inner, str) and inner in TYPES for inner in value.values())


def _is_list_of_schemas(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(map(_is_subschema, value))


def _is_map(value: Any) -> bool:
    return isinstance(value, dict)


def _is_list_of_names(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) for name in value)


def _is_type(value: Any) -> bool:
    names = value if isinstance(value, list) and value else [value]
    return all(isinstance(name, str) and name in TYPES for name in names)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and value not in TYPES


MAPS = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")
LISTS = ("allOf", "anyOf", "oneOf", "prefixItems", "items")
SINGLES = (
    "items", "additionalItems", "unevaluatedItems", "contains", "additionalProperties", "unevaluatedProperties",
    "propertyNames", "not", "if", "then", "else", "contentSchema",
)  # fmt: skip

SHAPES: Mapping[str, Shape] = {
    "type": _is_type,
    **dict.fromkeys((*MAPS, "dependencies", "dependentRequired"), _is_map),
    **dict.fromkeys(SINGLES, lambda value: isinstance(value, dict | bool)),
    "contains": _is_subschema,
    **dict.fromkeys(LISTS, _is_list_of_schemas),
    "items": lambda value: _is_subschema(value) or _is_list_of_schemas(value),
    "enum": lambda value: isinstance(value, list),
    "const": lambda value: value not in TYPES if isinstance(value, str) else True,
    "required": _is_list_of_names,
    **dict.fromkeys(("$ref", "$dynamicRef", "$recursiveRef", "$schema"), lambda value: isinstance(value, str)),
    **dict.fromkeys(("pattern", "format"), _is_text),
    **dict.fromkeys(("minimum", "maximum", "multipleOf"), _is_number),
    **dict.fromkeys(("exclusiveMinimum", "exclusiveMaximum"), lambda value: isinstance(value, int | float)),
    **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems"), _is_number),
    **dict.fromkeys(("minProperties", "maxProperties", "minContains", "maxContains"), _is_number),
    "uniqueItems": lambda value: isinstance(value, bool),
}
"""Keywords that say what values are accepted, by what their own values look like."""

REMARKS = frozenset((
    "title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly", "contentEncoding",
    "contentMediaType", "id",
    "example", "nullable", "discriminator", "xml", "externalDocs",
))  # fmt: skip
"""Words of the drafts that only remark, and OpenAPI's own (3.0.3, Schema Object)."""

_PLAIN = {_plain(name): name for name in SHAPES if not name.startswith("$")}
