"""Containers inside containers: where the items of a list of objects stand in a record, and what stands around them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

from lxml.html import HtmlElement

from gleaner.html.dom import classes_of
from gleaner.html.elements import HEADINGS
from gleaner.recipes.boxes import Box, is_header_row, squeeze, text_of
from gleaner.recipes.model import ListRecipe, RecordSelector
from gleaner.recipes.record_selectors import common_ancestor, is_telling_class, runs, tokens_of

_TITLES = frozenset({*HEADINGS, "caption", "summary", "legend", "header"})
_WHOLE = frozenset({"main", "body", "html"})
_LONGEST_HEADING = 60


def inner_boxes(box: Box, selector: RecordSelector) -> list[Box]:
    """Give the containers that a selector names inside one, in page order."""
    found = selected(box, selector)
    if selector.kind == "element":
        return [Box([element], stops=box.stops) for element in found]
    inside = set(box.inside)
    return [Box(run, stops=box.stops) for run in runs(found, inside)]


def selected(box: Box, selector: RecordSelector) -> list[HtmlElement]:
    """Give the elements that a selector names inside a container; no head of a table, nor what it begins with."""
    scope = _scope(box, selector.scope) if selector.scope else None
    if selector.scope and scope is None:
        return []
    found = [node for node in _named(box, selector) if node is not box.elements[0] and not is_header_row(node)]
    if scope is not None:
        inside = set(scope.iter())
        found = [node for node in found if node in inside]
    if selector.without:
        found = [node for node in found if tokens_of(node).isdisjoint(selector.without)]
    return found


def _named(box: Box, selector: RecordSelector) -> list[HtmlElement]:
    if selector.by == "path":
        return _at_place(box, selector.value)
    if selector.by == "class":
        return [node for node in box.by_class.get(selector.value, ()) if node.tag == selector.tag]
    return [node for node in box.by_tag.get(selector.tag, ()) if node.get(selector.name) == selector.value]


def _at_place(box: Box, place: str) -> list[HtmlElement]:
    first, *rest = place.split("/")
    level = [node for node in box.elements if node.tag == first]
    for tag in rest:
        level = [child for node in level for child in node if child.tag == tag]
        if box.stops:
            level = [node for node in level if node not in box.stops]
    return level


def place_in(box: Box, node: HtmlElement) -> str:
    """Give the tags from the container's own, or the one of its siblings, to an element in it."""
    tags = [cast(str, node.tag)]
    current = node
    while current not in box.elements:
        parent = current.getparent()
        if parent is None:
            break
        current = parent
        tags.append(cast(str, current.tag))
    return "/".join(reversed(tags))


def scopes_in(box: Box, around: HtmlElement) -> Iterator[tuple[str, str, str]]:
    """Give what names an element inside a container: its id, classes and marks, the heading before or in it."""
    current: HtmlElement | None = around
    while current is not None and current not in box.elements:
        tag = cast(str, current.tag)
        if tag in _WHOLE:
            return
        for name in ("id", "itemprop", "data-section"):
            if value := current.get(name):
                yield tag, name, value
        for token in sorted(tokens_of(current)):
            if is_telling_class(token):
                yield tag, "class", token
        if title := _title_before(current):
            yield tag, "beside", title
        if title := _title_in(current):
            yield tag, "headed", title
        current = current.getparent()


def _title_before(node: HtmlElement) -> str:
    before = node.getprevious()
    return "" if before is None else _title(before)


def _title_in(node: HtmlElement) -> str:
    first = node[0] if len(node) else None
    return _title(first) if first is not None and first.tag in _TITLES else ""


def _title(node: HtmlElement) -> str:
    if len(node) and node.tag not in _TITLES:
        return ""
    text = text_of(node).rstrip(": ")
    return text if len(text) <= _LONGEST_HEADING else ""


def _scope(box: Box, scope: tuple[str, str, str]) -> HtmlElement | None:
    """Give the one element of the container with that name; None when there is none, or more than one."""
    tag, name, value = scope
    nodes = box.by_tag.get(tag, ())
    if name == "class":
        found = [node for node in box.by_class.get(value, ()) if node.tag == tag]
    elif name == "beside":
        found = [node for node in nodes if _title_before(node) == value]
    elif name == "headed":
        found = [node for node in nodes if _title_in(node) == value]
    else:
        found = [node for node in nodes if node.get(name) == value]
    return found[0] if len(found) == 1 else None


@dataclass(frozen=True, slots=True)
class Opened:
    """A container without the items of its lists, and the containers of those, by list."""

    box: Box
    inner: list[list[Box]]


def open_box(box: Box, inner: list[list[Box]]) -> Opened:
    """Give the container without these."""
    taken = frozenset[Any](element for found in inner for each in found for element in each.elements)
    if not taken:
        return Opened(box, inner)
    own = [element for element in box.elements if element not in taken]
    return Opened(Box(own or box.elements, box.captions, box.stops | taken), inner)


def open_boxes(lists: Sequence[ListRecipe], boxes: Sequence[Box]) -> tuple[list[Opened], list[str]]:
    """Give the containers opened at their lists, and what is doubtful about where the items stand."""
    doubts: list[str] = []
    columns: list[list[list[Box]]] = []
    for one in lists:
        found, doubt = _items(one, boxes)
        columns.append(found)
        doubts += [f"{'/'.join(one.steps)}: {doubt}"] if doubt else []
    return [open_box(box, [column[row] for column in columns]) for row, box in enumerate(boxes)], doubts


def _items(one: ListRecipe, boxes: Sequence[Box]) -> tuple[list[list[Box]], str]:
    """Give each container's items by the first selector that finds some, and why this is doubtful, if it is."""
    captions = frozenset(one.items.captions)
    alive = [found for each in one.items.record if any(found := [inner_boxes(box, each) for box in boxes])]
    if not alive:
        return [[] for _ in boxes], ""
    leaders = [[[inner.elements for inner in row] for row in found] for found in alive]
    if any(other != leaders[0] for other in leaders[1:]):
        return alive[0], "its selectors do not find the same items"
    found = [[Box(inner.elements, captions, inner.stops) for inner in row] for row in alive[0]]
    return found, _misplaced(one, boxes, found)


def _misplaced(one: ListRecipe, boxes: Sequence[Box], found: Sequence[Sequence[Box]]) -> str:
    for box, row in zip(boxes, found, strict=True):
        samples = {(leader.getparent(), leader.tag): leader for leader in (inner.elements[0] for inner in row)}
        if any(place_in(box, leader) not in one.places for leader in samples.values()):
            return "items stand where none stood when the recipe was learned"
        if one.together and len(parents_of(row)) > 1:
            return "items stand in several places, where they stood in one"
    return ""


def parents_of(row: Sequence[Box]) -> set[HtmlElement | None]:
    """Give the elements that hold the items of a list."""
    return {inner.elements[0].getparent() for inner in row}


def texts_around(box: Box) -> Iterator[tuple[str, str]]:
    """Give the texts of a container with how they look: the tags from it on, their classes, if they have digits."""
    for node in box.inside:
        own = " ".join([node.text or "", *(child.tail or "" for child in node)])
        if text := squeeze(own):
            tokens = sorted(token for token in classes_of(node) if is_telling_class(token))
            digits = " 9" if any(map(str.isdigit, text)) else ""
            yield ".".join([place_in(box, node), *tokens]) + digits, text


def area_of(items: Sequence[Box], stops: frozenset[Any]) -> Box:
    """Give the smallest part of a page that holds all items of a list and more, without ``stops``, the items of all."""
    nodes = [element for box in items for element in box.elements]
    around = common_ancestor(nodes)
    return Box(nodes[:1] if around is None else [around], stops=stops)
