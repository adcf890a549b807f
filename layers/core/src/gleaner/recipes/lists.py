"""Fields whose value is a list: all elements of a kind in the record, or the parts of one text."""

from collections.abc import Iterator, Sequence
from typing import cast

from gleaner.ports import JsonValue
from gleaner.recipes.boxes import Box
from gleaner.recipes.columns import Wanted, gives
from gleaner.recipes.model import FieldSelector
from gleaner.recipes.readers import Reader
from gleaner.recipes.record_selectors import is_telling_class

_SEPARATORS = (", ", "; ", " / ", " | ", " · ", ",", " ")
_MOST = 300


def list_selectors(wanted: Wanted, boxes: Sequence[Box], base_url: str) -> list[FieldSelector]:
    """Give the selectors that give exactly the wanted lists, most trusted first."""
    longest = max(range(len(boxes)), key=lambda at: _size(wanted.values[at]))
    values = _lists(wanted.values)
    tried = list(dict.fromkeys(_candidates(boxes[longest], wanted)))[:_MOST]
    found = [selector for selector in tried if gives(Reader(selector, base_url), boxes, values)]
    return sorted(found, key=lambda one: not one.is_strong)


def _size(value: JsonValue) -> int:
    return len(value) if isinstance(value, list) else 0


def _lists(values: Sequence[JsonValue]) -> list[JsonValue]:
    """Take an absent list for an empty one: a page shows no difference."""
    return [[] if value is None else value for value in values]


def _candidates(box: Box, wanted: Wanted) -> Iterator[FieldSelector]:
    for one in _places(box):
        for selector in (one, *(one.model_copy(update={"separator": mark}) for mark in _SEPARATORS)):
            yield selector
            if wanted.transforms:
                yield selector.model_copy(update={"transforms": wanted.transforms})
        for name in ("alt", "title", "href", "src", "aria-label", "content"):
            yield one.model_copy(update={"attribute": name})
            yield one.model_copy(update={"attribute": name, "transforms": ("resolve",)})


def _places(box: Box) -> Iterator[FieldSelector]:
    """Give the elements that lists are kept in: those with a telling class or mark, children of such, and tags."""
    for label in box.by_label:
        if label:
            yield FieldSelector(kind="label", value=label, many=True)
    for node in box.inside:
        tag = cast(str, node.tag)
        for token in (node.get("class") or "").split():
            if is_telling_class(token):
                yield FieldSelector(kind="class", tag=tag, value=token, many=True)
                children = dict.fromkeys(cast(str, child.tag) for child in node)
                for child in children:
                    yield FieldSelector(kind="within", name=tag, value=token, tag=child, many=True)
        if mark := node.get("itemprop"):
            yield FieldSelector(kind="attribute", tag=tag, name="itemprop", value=mark, many=True)
    for tag in box.by_tag:
        yield FieldSelector(kind="tag", tag=tag, many=True)
