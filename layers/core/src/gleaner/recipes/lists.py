"""Fields whose value is a list: all elements of a kind in the record, or the parts of one text."""

from collections.abc import Iterator, Sequence
from typing import cast

from lxml.html import HtmlElement

from gleaner.coercion.words import says_nothing
from gleaner.contracts.ports import JsonValue
from gleaner.recipes.asides import asides_of
from gleaner.recipes.boxes import LINES, Box, squeeze, text_of
from gleaner.recipes.class_names import telling_classes
from gleaner.recipes.columns import Wanted, is_read_as
from gleaner.recipes.finders import HEADS, beginning_of_address, finder_of
from gleaner.recipes.headers import table_headers
from gleaner.recipes.locators import counted, path_in
from gleaner.recipes.model import FieldSelector
from gleaner.recipes.readers import Reader

_SEPARATORS = (", ", "; ", " / ", " | ", " · ", ",", " ")
_MAY_END = 2
"""Of the separators, those whose lists may be sentences."""

_ATTRIBUTES = ("alt", "title", "href", "src", "aria-label", "content")
_MOST = 2000
_MOST_NODES = 24
_DEEPEST = 3
_LONGEST_LABEL = 40


def list_selectors(wanted: Wanted, boxes: Sequence[Box], base_url: str) -> list[FieldSelector]:
    """Give the selectors that give exactly the wanted lists, most trusted first."""
    longest = max(range(len(boxes)), key=lambda at: _size(wanted.values[at]))
    values = _lists(wanted.values)
    items = values[longest]
    tried = list(dict.fromkeys(_candidates(boxes[longest], wanted, items)))[:_MOST]
    found = _fitting(tried, boxes, values, base_url)
    if not any(one.is_strong for one in found):
        tried = list(dict.fromkeys(_before_asides(boxes[longest], items, boxes)))
        found += _fitting(tried, boxes, values, base_url)
    found = [counted(one, boxes) if one.kind == "path" else one for one in found]
    return sorted(found, key=lambda one: not one.is_strong)


def _before_asides(box: Box, items: JsonValue, boxes: Sequence[Box]) -> Iterator[FieldSelector]:
    """Give the elements that say an item before something else, which is no part of it: "XL (sold out)"."""
    for one in dict.fromkeys(_places(box, _texts_of(items))):
        if one.kind != "label" and (signs := asides_of(finder_of(one), boxes, of_all=True)):
            yield one.model_copy(update={"aside": signs})


def _texts_of(items: JsonValue) -> list[str]:
    return [squeeze(str(item)) for item in items] if isinstance(items, list) else []


def _fitting(
    tried: Sequence[FieldSelector], boxes: Sequence[Box], values: Sequence[JsonValue], base_url: str
) -> list[FieldSelector]:
    """Give the selectors that give these lists; the longest is looked at first."""
    longest = max(range(len(boxes)), key=lambda at: _size(values[at]))
    readers = (Reader(one, base_url) for one in tried)
    likely = (reader for reader in readers if is_read_as(reader.cell(boxes[longest]), values[longest]))
    return [one for reader in likely if (one := _giving(reader, boxes, values, base_url)) is not None]


def _giving(reader: Reader, boxes: Sequence[Box], values: Sequence[JsonValue], base_url: str) -> FieldSelector | None:
    """Give the selector, with the words that stand for an empty list, if it gives these lists; None if it does not."""
    selector, cells = reader.selector, reader.column(boxes)
    said = [cell for cell, value in zip(cells, values, strict=True) if value == [] and cell != []]
    words = {str(one[0]) for one in said if isinstance(one, list) and len(one) == 1}
    if words and all(map(says_nothing, words)):
        selector = selector.model_copy(update={"nothing": tuple(sorted(words))})
        cells = Reader(selector, base_url).column(boxes)
    return selector if all(map(is_read_as, cells, values)) else None


def _size(value: JsonValue) -> int:
    return len(value) if isinstance(value, list) else 0


def _lists(values: Sequence[JsonValue]) -> list[JsonValue]:
    """Take an absent list for an empty one: a page shows no difference."""
    return [[] if value is None else value for value in values]


def _candidates(box: Box, wanted: Wanted, items: JsonValue) -> Iterator[FieldSelector]:
    for one in dict.fromkeys(_places(box, _texts_of(items))):
        parted = [one.model_copy(update={"separator": mark}) for mark in (*_SEPARATORS, LINES)]
        ended = [each.model_copy(update={"suffix": "."}) for each in parted[:_MAY_END]] if one.kind == "label" else []
        for selector in (one, *parted, *ended):
            yield selector
            if wanted.transforms:
                yield selector.model_copy(update={"transforms": wanted.transforms})
        for name in _ATTRIBUTES:
            yield one.model_copy(update={"attribute": name})
            yield one.model_copy(update={"attribute": name, "transforms": ("resolve",)})


def _places(box: Box, items: Sequence[str]) -> Iterator[FieldSelector]:
    """Give the elements that lists are kept in: those with a telling class or mark, parts of such, and tags."""
    for label in dict.fromkeys(label for label, _ in box.pieces):
        if label:
            yield FieldSelector(kind="label", value=label, many=True)
    stating = [node for node in box.inside if _states(node, items)] or box.inside
    nearest = set(sorted(stating, key=lambda node: len(text_of(node)))[:_MOST_NODES])
    stating = [node for node in stating if node in nearest]
    for node in stating:
        tag = cast(str, node.tag)
        for token in telling_classes(node):
            yield FieldSelector(kind="class", tag=tag, value=token, many=True)
        if mark := node.get("itemprop"):
            yield FieldSelector(kind="attribute", tag=tag, name="itemprop", value=mark, many=True)
        before = node.getprevious()
        label = text_of(before).rstrip(": ") if before is not None else ""
        if 0 < len(label) <= _LONGEST_LABEL:
            yield FieldSelector(kind="beside", tag=tag, value=label, many=True)
        yield from _by_what_it_is(node, items)
        yield from _behind_its_label(node, items)
    for node in stating:
        yield from _inside(box, node)
    for tag in dict.fromkeys(cast(str, node.tag) for node in stating):
        yield FieldSelector(kind="tag", tag=tag, many=True)


def _by_what_it_is(node: HtmlElement, items: Sequence[str]) -> Iterator[FieldSelector]:
    """Give the column of a table that an element is a cell of, and the beginning of its address if it is a link."""
    row = node.getparent()
    heads = table_headers(row) if node.tag == "td" and row is not None else []
    if row is not None and heads and len(heads) == len(row) and all(heads):
        yield FieldSelector(kind="column", value=HEADS.join(heads), nth=row.index(node), many=True)
    begin = beginning_of_address(node) if node.tag == "a" else ""
    if begin:
        linked = FieldSelector(kind="linked", tag="a", value=begin, many=True)
        marks = {text.removesuffix(item) for item in items if (text := text_of(node)).endswith(item)}
        yield linked
        yield from (linked.model_copy(update={"prefix": mark}) for mark in marks if mark and not mark.isalnum())


def _behind_its_label(node: HtmlElement, items: Sequence[str]) -> Iterator[FieldSelector]:
    """Give the element that begins with a label and says the items of a list behind it: "Tags: a | b"."""
    label, first, _ = text_of(node).partition(items[0]) if items and items[0] else ("", "", "")
    if first and label[:1].isalpha() and label[-1].isspace() and len(label) <= _LONGEST_LABEL:
        yield FieldSelector(kind="worded", tag=cast(str, node.tag), prefix=label, many=True)


def _states(node: HtmlElement, items: Sequence[str]) -> bool:
    """Tell whether an element says one of the items, or has it (or the end of an address) in an attribute."""
    text = text_of(node)
    held = [value for name in _ATTRIBUTES if (value := node.get(name))]
    return any(item in text or item in held or any(item.endswith(value) for value in held) for item in items)


def _inside(box: Box, node: HtmlElement) -> Iterator[FieldSelector]:
    """Give the ways down to an element from one around it: by its telling class, its place, or the label before."""
    path: list[str] = [cast(str, node.tag)]
    around = node.getparent()
    if node not in box.elements:
        yield FieldSelector(kind="path", value=path_in(box, node), many=True)
    for _ in range(_DEEPEST):
        if around is None or node in box.elements:
            return
        tag = cast(str, around.tag)
        for token in telling_classes(around):
            yield FieldSelector(kind="within", name=tag, value=token, tag="/".join(path), many=True)
        if around not in box.elements:
            yield FieldSelector(kind="path", value=path_in(box, around), tag="/".join(path), many=True)
        path.insert(0, tag)
        before = around.getprevious()
        label = text_of(before).rstrip(": ") if before is not None else ""
        if 0 < len(label) <= _LONGEST_LABEL:
            yield FieldSelector(kind="beside", tag="/".join(path), value=label, many=True)
        node, around = around, around.getparent()
