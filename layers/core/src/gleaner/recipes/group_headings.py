"""What a group of records stands under: the last element of a kind before the record, or before what is around it."""

from collections.abc import Iterator
from dataclasses import dataclass

from lxml.html import HtmlElement

from gleaner.html.dom import classes_of
from gleaner.recipes.boxes import Box
from gleaner.recipes.model import FieldSelector


@dataclass(frozen=True, slots=True)
class Heading:
    """The last heading before an element, and how many elements before it that stands."""

    element: HtmlElement
    distance: int


def heading_of(
    box: Box, selector: FieldSelector, heads: dict[HtmlElement, dict[HtmlElement, Heading]]
) -> Heading | None:
    """Give the heading that a container stands under. ``heads`` are those of the children of elements, once known."""
    element: HtmlElement | None = box.elements[0]
    for _ in range(selector.nth):
        element = None if element is None else element.getparent()
    parent = None if element is None else element.getparent()
    if element is None or parent is None:
        return None
    if parent not in heads:
        heads[parent] = dict(_under(parent, selector))
    return heads[parent].get(element)


def _under(parent: HtmlElement, selector: FieldSelector) -> Iterator[tuple[HtmlElement, Heading]]:
    last: tuple[HtmlElement, int] | None = None
    for at, child in enumerate(parent):
        if last is not None:
            yield child, Heading(last[0], at - last[1])
        if child.tag == selector.tag and (not selector.value or selector.value in classes_of(child)):
            last = child, at
