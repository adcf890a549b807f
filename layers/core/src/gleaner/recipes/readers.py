"""From a field selector and a container to a value. Fixed functions that read data: a recipe brings no code."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias, cast
from urllib.parse import urljoin

from lxml.html import HtmlElement

from gleaner.coercion import TRANSFORMS
from gleaner.coercion.dates import parse_date, parse_date_time
from gleaner.coercion.numbers import (
    parse_count,
    parse_integer,
    parse_money,
    parse_number,
    parse_percent,
    parse_quantity,
)
from gleaner.ports import JsonValue
from gleaner.recipes.boxes import Box, squeeze, table_headers, text_of
from gleaner.recipes.cuts import parts_at
from gleaner.recipes.model import FieldSelector
from gleaner.recipes.templates import slot_of
from gleaner.recipes.unreadable import Unreadable

NOTHING = frozenset({"", "-", "–", "—", "−", "n/a", "N/A", "n. a.", "none", "null", "?", "…"})
"""Texts that stand where a page has no value."""

_NUMERIC: Mapping[str, Callable[..., JsonValue]] = {
    "number": parse_number,
    "integer": parse_integer,
    "money": parse_money,
    "percent": parse_percent,
    "count": parse_count,
    "quantity": parse_quantity,
}


_WITH_DIGITS = frozenset({*_NUMERIC, "rating", "date", "date_time"})
_DIGIT = re.compile(r"\d")


class Unread:
    """Stands for what a selector could not read."""


UNREAD: Final = Unread()
Cell: TypeAlias = "JsonValue | Unread"
"""A value that was read, or UNREAD."""


Memory = dict[tuple[Any, ...], dict[str, object]]
_NEW, _BAD = object(), object()
_NOWHERE, _TOO_MANY, _NOT_COMPARED = -1, -2, -3
_BY_BUILD = frozenset({"self", "attribute", "class", "within", "tag", "column", "path"})
"""Kinds of selectors that go by how a container is built, not by its texts."""

Find = Callable[[Box], Sequence[HtmlElement]]
Decode = Callable[[str], JsonValue]


class Reader:
    """One selector, made ready.

    ``rivals`` are the typed readers of other fields: what is theirs is not left over. ``memory`` keeps what texts were
    read as, for all readers of one page that read alike.
    """

    def __init__(
        self, selector: FieldSelector, base_url: str = "", rivals: Sequence["Reader"] = (), memory: Memory | None = None
    ) -> None:
        self.selector = selector
        self._rivals = rivals
        self._decode = _decoder(selector, base_url)
        self._known = memory.setdefault(_reading_of(selector), {}) if memory is not None else {}
        self._beyond = _decoder(FieldSelector(kind="rest", transforms=selector.beyond), base_url)
        self._find = _finder(selector)
        self._is_alone = selector.kind in ("class", "attribute", "beside", "within")
        self._by_piece = selector.kind in ("label", "typed", "rest", "template")
        self._by_build = selector.kind in _BY_BUILD and not selector.many
        self._places: dict[int, int] = {}
        self.reading = _reading_of(selector)

    def read(self, box: Box) -> JsonValue:
        """Give the value; None when the container has none. Unreadable when there is something else."""
        if self.selector.many:
            return self._read_many(box)
        text = self.text(box)
        return None if text is None else self.decode(text)

    def text(self, box: Box) -> str | None:
        """Give the text that the selector names in a container, uncut; None when there is none."""
        if self._by_piece:
            return self._piece(box)
        place = self.place(box)
        if place == _NOT_COMPARED:
            return self._text(self._find(box))
        if place == _NOWHERE:
            return None
        if place == _TOO_MANY:
            raise Unreadable(f"not one {self.selector.kind} {self.selector.value}")
        if not self.selector.attribute:
            return box.text_at(place)
        value = box.inside[place].get(self.selector.attribute)
        return None if value is None else squeeze(value)

    def place(self, box: Box) -> int:
        """Give the place of the selector's element inside a container: worked out once for all that are built alike.

        Negative when there is none, or not one alone, or when the selector goes by texts.
        """
        if box.build is None or not self._by_build:
            return _NOT_COMPARED
        place = self._places.get(box.build)
        if place is None:
            place = self._places[box.build] = self._work_out(box)
        return place

    def _work_out(self, box: Box) -> int:
        try:
            found = self._find(box)
        except Unreadable:
            return _TOO_MANY
        if not found:
            return _NOWHERE
        if len(found) > 1 and self._is_alone:
            return _TOO_MANY
        return box.inside.index(found[0]) if found[0] in box.inside else _NOT_COMPARED

    def column(self, boxes: Sequence[Box], twins: Sequence[tuple["Reader", list[Cell]]] = ()) -> list[Cell]:
        """Give the value in each container, UNREAD where something else stands.

        ``twins`` are readers with their columns; where one reads the same element alike, that is not done again.
        """
        alike = [(twin, cells) for twin, cells in twins if twin.reading == self.reading]
        if not alike or not self._by_build:
            return self._plain_column(boxes)
        known: dict[int | None, list[Cell] | None] = {}
        column: list[Cell] = []
        for row, box in enumerate(boxes):
            if box.build not in known:
                place = self.place(box)
                known[box.build] = next((c for twin, c in alike if place >= 0 and twin.place(box) == place), None)
            same = known[box.build]
            column.append(self._cell(box) if same is None else same[row])
        return column

    def _plain_column(self, boxes: Sequence[Box]) -> list[Cell]:
        """Read each container; by a table of texts and values where only the text of an element is asked for."""
        if not self._by_build or self.selector.attribute:
            return [self._cell(box) for box in boxes]
        column: list[Cell] = []
        known = self._known
        for box in boxes:
            place = self.place(box)
            value = known.get(box.text_at(place), _NEW) if place >= 0 else _NEW
            column.append(self._cell(box) if value is _NEW or value is _BAD else cast(JsonValue, value))
        return column

    def _cell(self, box: Box) -> Cell:
        try:
            return self.read(box)
        except Unreadable:
            return UNREAD

    def decode(self, text: str) -> JsonValue:
        """Give the value that a text stands for, cut as the selector says."""
        known = self._known.get(text, _NEW)
        if known is _NEW:
            try:
                known = self._decoded(text)
            except Unreadable:
                known = _BAD
            self._known[text] = known
        if known is _BAD:
            raise Unreadable(text)
        return cast(JsonValue, known)

    def _decoded(self, text: str) -> JsonValue:
        selector = self.selector
        if text in NOTHING:
            return None
        if selector.prefix or selector.suffix:
            if not (text.startswith(selector.prefix) and text.endswith(selector.suffix)):
                raise Unreadable(text)
            text = text[len(selector.prefix) : len(text) - len(selector.suffix)].strip()
        if selector.mark:
            return self._part(text)
        return None if text in NOTHING else self._decode(text)

    def _part(self, text: str) -> JsonValue:
        """Give the value on its side of the only mark where both sides can be read."""
        values: list[JsonValue] = []
        for before, after in parts_at(text, self.selector.mark):
            part, other = (before, after) if self.selector.side == "before" else (after, before)
            try:
                self._beyond(other)
                values.append(self._decode(part))
            except Unreadable:
                continue
        if len(values) != 1 or values[0] in NOTHING:
            raise Unreadable(text)
        return values[0]

    def _text(self, found: Sequence[HtmlElement]) -> str | None:
        if not found:
            return None
        if len(found) > 1 and self._is_alone:
            raise Unreadable(f"{len(found)} in place of one")
        element = found[0]
        if self.selector.attribute:
            value = element.get(self.selector.attribute)
            return None if value is None else squeeze(value)
        return text_of(element)

    def _piece(self, box: Box) -> str | None:
        if self.selector.kind == "template":
            return slot_of(self.selector.value, self.selector.nth, box)
        if self.selector.kind == "label":
            return _only(box.by_label.get(self.selector.value, ()))
        bare = box.by_label.get("", [])
        if self.selector.kind == "typed":
            return _only([text for text in bare if self.accepts(text)])
        left = [text for text in bare if not any(rival.accepts(text) for rival in self._rivals)]
        return left[self.selector.nth] if self.selector.nth < len(left) else None

    def accepts(self, text: str) -> bool:
        """Tell whether a text reads as this field's type."""
        try:
            return self.decode(text) is not None
        except Unreadable:
            return False

    def _read_many(self, box: Box) -> JsonValue:
        if self._by_piece:
            texts = [text for text in (self._piece(box),) if text is not None]
        else:
            texts = [text for element in self._find(box) if (text := self._text([element]))]
        if self.selector.separator:
            texts = [part for text in texts for part in text.split(self.selector.separator)]
        values = [self.decode(text.strip()) for text in texts]
        return [value for value in values if value is not None]


def _reading_of(selector: FieldSelector) -> tuple[Any, ...]:
    cut = (selector.attribute, selector.prefix, selector.suffix, selector.mark, selector.side, selector.beyond)
    return (*cut, selector.transforms, selector.decimal, selector.day_first, selector.words)


def _only(texts: Sequence[str]) -> str | None:
    if len(texts) > 1 and len(set(texts)) > 1:
        raise Unreadable(" / ".join(texts[:3]))
    return texts[0] if texts else None


def _finder(selector: FieldSelector) -> Find:
    if selector.kind in _SIMPLE:
        return _SIMPLE[selector.kind](selector)
    return lambda _box: ()


def _by_self(_selector: FieldSelector) -> Find:
    return lambda box: box.elements[:1]


def _by_attribute(selector: FieldSelector) -> Find:
    name, value, tag = selector.name, selector.value, selector.tag
    if not value:
        return lambda box: [node for node in box.by_tag.get(tag, ()) if node.get(name) is not None]
    return lambda box: [node for node in box.by_tag.get(tag, ()) if node.get(name) == value]


def _by_class(selector: FieldSelector) -> Find:
    value, tag = selector.value, selector.tag
    return lambda box: [node for node in box.by_class.get(value, ()) if node.tag == tag]


def _by_tag(selector: FieldSelector) -> Find:
    tag, is_telling = selector.tag, selector.is_strong

    def find(box: Box) -> Sequence[HtmlElement]:
        found = box.by_tag.get(tag, ())
        if len(found) > 1 and not is_telling and not selector.many:
            raise Unreadable(f"{len(found)} {tag}")
        return found

    return find


def _by_within(selector: FieldSelector) -> Find:
    steps = selector.tag.split("/")

    def find(box: Box) -> Sequence[HtmlElement]:
        around = [node for node in box.by_class.get(selector.value, ()) if node.tag == selector.name]
        if len(around) > 1:
            raise Unreadable(f"{len(around)} {selector.value}")
        return _down(around, steps)

    return find


def _down(level: Sequence[HtmlElement], steps: Sequence[str]) -> Sequence[HtmlElement]:
    """Give the elements at the end of a way of tags, from child to child."""
    for tag in steps:
        level = [child for node in level for child in node if child.tag == tag]
    return level


def _by_column(selector: FieldSelector) -> Find:
    places: dict[Any, int] = {}

    def find(box: Box) -> Sequence[HtmlElement]:
        cells = box.cells
        if cells is None:
            return ()
        parent = next(box.elements[0].iterancestors("table"), box.elements[0].getparent())
        if parent not in places:
            headers = table_headers(box.elements[0])
            places[parent] = headers.index(selector.value) if headers.count(selector.value) == 1 else -1
        place = places[parent]
        return cells[place : place + 1] if place >= 0 else ()

    return find


def _by_beside(selector: FieldSelector) -> Find:
    first, *steps = selector.tag.split("/")

    def find(box: Box) -> Sequence[HtmlElement]:
        found: list[HtmlElement] = []
        for node in box.by_tag.get(first, ()):
            before = node.getprevious()
            if before is not None and text_of(before).rstrip(": ") == selector.value:
                found.append(node)
        return _down(found, steps)

    return find


def _by_path(selector: FieldSelector) -> Find:
    steps = [(tag, int(nth)) for tag, _, nth in (step.rpartition(":") for step in selector.value.split("/")) if tag]
    counts = selector.counts

    def find(box: Box) -> Sequence[HtmlElement]:
        top = box.elements[0]
        level: Sequence[HtmlElement] = box.elements if len(box.elements) > 1 else list(top)
        found: Sequence[HtmlElement] = ()
        for number, (tag, nth) in enumerate(steps):
            same = [child for child in level if child.tag == tag]
            found = same[nth : nth + 1]
            if not found:
                return ()
            if counts and len(same) not in counts[number]:
                raise Unreadable(f"{len(same)} {tag}")
            level = list(found[0])
        return found

    return find


_SIMPLE: Mapping[str, Callable[[FieldSelector], Find]] = {
    "self": _by_self,
    "attribute": _by_attribute,
    "class": _by_class,
    "within": _by_within,
    "tag": _by_tag,
    "column": _by_column,
    "beside": _by_beside,
    "path": _by_path,
}


def _decoder(selector: FieldSelector, base_url: str) -> Decode:
    if selector.words is not None:
        words: dict[str, JsonValue] = dict(selector.words)

        def look_up(text: str) -> JsonValue:
            if text not in words:
                raise Unreadable(text)
            return words[text]

        return look_up
    reads = [_transform(name, selector, base_url) for name in selector.transforms]
    needs_digit = _WITH_DIGITS.issuperset(selector.transforms)

    def decode(text: str) -> JsonValue:
        if needs_digit and not _DIGIT.search(text):
            raise Unreadable(text)
        for read in reads:
            try:
                return read(text)
            except ValueError:
                continue
        raise Unreadable(text)

    return decode if reads else lambda text: text


def _transform(name: str, selector: FieldSelector, base_url: str) -> Callable[[str], JsonValue]:
    if name in _NUMERIC:
        return lambda text: _NUMERIC[name](text, decimal=selector.decimal)
    if name == "date":
        return lambda text: parse_date(text, day_first=selector.day_first)
    if name == "date_time":
        return lambda text: parse_date_time(text, day_first=selector.day_first)
    if name == "resolve":
        return lambda text: urljoin(base_url, text)
    if name == "url":
        return lambda text: TRANSFORMS["url"](urljoin(base_url, text))
    return TRANSFORMS[name]
