"""Coerce a whole instance along its schema."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urljoin

from gleaner.contracts.errors import InvalidSchema
from gleaner.contracts.json_pointers import escape_step
from gleaner.contracts.ports import JsonValue
from gleaner.schemas.dialects import Schema
from gleaner.schemas.fields import field_of, formats_of
from gleaner.schemas.formats import matches_format
from gleaner.schemas.keywords import json_identity
from gleaner.schemas.nodes import Node, allows_type, root_node
from gleaner.values.conventions import Conventions
from gleaner.values.fields import Field
from gleaner.values.readers import READERS, able_to_read
from gleaner.values.readings import TRANSFORMS, transforms_of
from gleaner.values.text import fold

MAX_DEPTH = 100
MAX_TRIED = 8


@dataclass(frozen=True, slots=True)
class Coerced:
    """The coerced value, and by pointer which transform made each changed place.

    Beside the names of TRANSFORMS: ``enum`` (spelling of a listed value), ``array`` (one value made a list), ``first``
    (list of one unpacked, its value as it was), ``absent`` (a null left out where the schema has no null), and ``null``
    for a required property that was missing and may be null.
    """

    value: JsonValue
    transforms: dict[str, str] = field(default_factory=dict[str, str])


def coerce(
    schema: Schema,
    instance: JsonValue,
    *,
    base_url: str | None = None,
    day_first: bool | None = None,
    decimal: str | None = None,
    language: str = "",
) -> Coerced:
    """Give the instance with each value in its declared type and format where its text has exactly one such reading.

    What meets its type and format is left alone, as is what is in doubt: ranges, "03/04/2026" without ``day_first``,
    "1.299 €" without ``decimal``, "5m". The instance itself is not changed. By a schema that can't be enforced nothing
    is coerced.

    >>> coerce({"properties": {"price": {"type": "number"}}}, {"price": "$1,299.00"})
    Coerced(value={'price': 1299.0}, transforms={'/price': 'money'})
    """
    try:
        node = root_node(schema)
    except InvalidSchema:
        return Coerced(instance)
    walk = _Walk(Conventions(decimal, day_first, language), base_url)
    return Coerced(walk.value(node, instance, Spot("", "", 0)), walk.transforms)


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in the instance: its pointer, the name of its property, its depth."""

    pointer: str
    name: str
    depth: int

    def below(self, token: str | int) -> "Spot":
        """Give the place of a part; items keep the name of their list."""
        name = token if isinstance(token, str) else self.name
        return Spot(f"{self.pointer}/{escape_step(token)}", name, self.depth + 1)


class _Walk:
    def __init__(self, page: Conventions, base_url: str | None) -> None:
        self.page, self.base_url = page, base_url
        self.transforms: dict[str, str] = {}
        self.known: dict[tuple[frozenset[int], str], tuple[Field, tuple[str, ...]]] = {}

    def value(self, node: Node, value: Any, spot: Spot) -> Any:
        """Give the coerced value."""
        if spot.depth > MAX_DEPTH:
            return value
        choices = node.choices()
        wants_array = any("array" in choice.types() for choice in choices)
        if isinstance(value, list):
            if not wants_array and len(value) == 1 and not isinstance(value[0], list):
                return self._unpacked(node, value, spot)
            return self._container(choices, value, spot) if wants_array else value
        if wants_array and _only_arrays(choices) and value is not None:
            return self._packed(node, value, spot)
        if isinstance(value, dict):
            return self._container(choices, value, spot)
        return self._scalar(node, choices, value, spot)

    def _unpacked(self, node: Node, value: list[Any], spot: Spot) -> Any:
        trial = _Walk(self.page, self.base_url)
        inner = trial.value(node, value[0], spot)
        if not _meets_any(node.choices(), inner):
            return value
        self.transforms |= {spot.pointer: "first"} | trial.transforms
        return inner

    def _packed(self, node: Node, value: Any, spot: Spot) -> Any:
        packed = self.value(node, [value], spot)
        if isinstance(value, str) and not value.strip():
            return value
        self.transforms[spot.pointer] = "array"
        return packed

    def _container(self, choices: list[Node], value: Any, spot: Spot) -> Any:
        fitting = [choice for choice in choices if allows_type(choice.types(), value)]
        if len(fitting) == 1:
            return self._inside(fitting[0], value, spot)
        if any(choice.accepts(value) for choice in fitting[:MAX_TRIED]):
            return value
        for choice in fitting[:MAX_TRIED]:
            trial = _Walk(self.page, self.base_url)
            coerced = trial._inside(choice, value, spot)
            if choice.accepts(coerced):
                self.transforms |= trial.transforms
                return coerced
        return value

    def _inside(self, node: Node, value: Any, spot: Spot) -> Any:
        if isinstance(value, list):
            return [self._part(node.item_node(i), each, spot.below(i)) for i, each in enumerate(value)]
        required = {name for schema in node.schemas for name in schema.get("required") or ()}
        result: dict[str, Any] = {}
        for name, each in value.items():
            part, place = node.property_node(name), spot.below(name)
            if each is None and part is not None and name not in required and not _meets_any(part.choices(), None):
                self.transforms[place.pointer] = "absent"
            else:
                result[name] = self._part(part, each, place)
        return result | self._missing_nulls(node, required - value.keys(), spot)

    def _missing_nulls(self, node: Node, missing: set[str], spot: Spot) -> dict[str, None]:
        added: dict[str, None] = {}
        for name in sorted(missing):
            part = node.property_node(name)
            if part is not None and any("null" in choice.types() for choice in part.choices()) and part.accepts(None):
                added[name] = None
                self.transforms[spot.below(name).pointer] = "null"
        return added

    def _part(self, node: Node | None, value: Any, spot: Spot) -> Any:
        return value if node is None else self.value(node, value, spot)

    def _scalar(self, node: Node, choices: list[Node], value: Any, spot: Spot) -> Any:
        if _meets_any(choices, value):
            if (
                isinstance(value, str)
                and value != value.strip()
                and not node.accepts(value)
                and node.accepts(value.strip())
            ):
                self.transforms[spot.pointer] = "trim"
                return value.strip()
            return value
        readings: dict[Any, tuple[str, Any]] = {}
        for choice in choices:
            for name, reading in self._readings(choice, value, spot):
                if _meets(choice, reading):
                    readings.setdefault(json_identity(reading), (name, reading))
                    break
        if len(readings) != 1:
            return value
        name, reading = next(iter(readings.values()))
        self.transforms[spot.pointer] = name
        return reading

    def _readings(self, node: Node, value: Any, spot: Spot) -> Iterator[tuple[str, Any]]:
        listed = node.values()
        if listed is not None:
            yield from _listed_spelling(listed, value)
        if isinstance(value, int | float) and not isinstance(value, bool) and "string" in node.types():
            yield "string", repr(value)
        if type(value) is int and value in (0, 1) and "boolean" in node.types():
            yield "boolean", bool(value)
        if not isinstance(value, str):
            return
        key = (node.identity, spot.name)
        if key not in self.known:
            field = field_of(node, spot.name)
            self.known[key] = field, transforms_of(field)
        field, names = self.known[key]
        for name in able_to_read(value, names):
            try:
                yield name, self._apply(name, value, field)
            except ValueError:
                continue

    def _apply(self, name: str, text: str, field: Field) -> Any:
        if name == "url":
            return _absolute(text, self.base_url)
        if name in READERS:
            return READERS[name](text, field, self.page)
        return TRANSFORMS[name](text)


_BLANKS_IN_PATH = re.compile(r"(?:https?://[^\s/]+)?/\S[^\t\n\r]*", re.IGNORECASE)
_JOINS = re.compile(r"(?<=[^\W\d_])[ _-](?=[^\W\d_])")


def _only_arrays(choices: list[Node]) -> bool:
    kinds = frozenset[str]().union(*(choice.types() for choice in choices))
    return kinds <= {"array", "null"}


def _meets_any(choices: list[Node], value: Any) -> bool:
    return any(_meets(choice, value) for choice in choices)


def _meets(node: Node, value: Any) -> bool:
    """Tell whether the value has a declared type, the formats, and is one of the listed values."""
    if node.refuses_everything or not allows_type(node.types(), value):
        return False
    listed = node.values()
    if listed is not None and (value not in listed or json_identity(value) not in map(json_identity, listed)):
        return False
    return all(matches_format(name, value) for name in formats_of(node))


def _listed_spelling(listed: list[Any], value: Any) -> Iterator[tuple[str, Any]]:
    """Give the one listed value that differs from the text in case, spaces and what joins words in code only."""
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        scalars = [each for each in listed if not isinstance(each, bool | list | dict)]
        for spelled in (fold, _joined):
            same = [each for each in scalars if spelled(_shown(each)) == spelled(str(value))]
            if len(same) == 1:
                yield "enum", same[0]
                return


def _joined(text: str) -> str:
    return _JOINS.sub(" ", fold(text))


def _shown(value: Any) -> str:
    return "null" if value is None else str(value)


def _absolute(text: str, base_url: str | None) -> JsonValue:
    """Give the whole address; blanks in a path are written ``%20``, as the page's own links are read."""
    trimmed = text.strip()
    if _BLANKS_IN_PATH.fullmatch(trimmed):
        trimmed = trimmed.replace(" ", "%20")
    if base_url is None or not trimmed or any(character.isspace() for character in trimmed):
        return TRANSFORMS["url"](trimmed)
    return TRANSFORMS["url"](urljoin(base_url, trimmed))
