"""Which elements of a container a selector names."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lxml.html import HtmlElement

from gleaner.html.dom import classes_of
from gleaner.recipes.boxes import Box, is_header_row, squeeze, text_of
from gleaner.recipes.group_headings import Heading, heading_of
from gleaner.recipes.headers import cells_of, table_headers
from gleaner.recipes.labels import SAID, labelled
from gleaner.recipes.markers import marked
from gleaner.recipes.model import NAMING_TAGS, FieldSelector
from gleaner.recipes.plurals import end_of
from gleaner.recipes.unreadable import Unreadable

_BEGINNING_OF_ADDRESS = re.compile(r"/[a-z]{2,}(?:[-_][a-z]+)*/(?=.)")
_END_OF_ADDRESS = re.compile(r"[/#][a-z]+(?:[-_][a-z]+)*$")
_SCHEME = re.compile(r"(?!javascript:|data:|blob:|file:)[a-z][a-z0-9+.-]+:(?!//)")

HEADS = " | "
"""Stands between the heads of a table."""

NEXT = "+"
"""Stands for what comes after the only element of a tag."""

MADE_OF = "="
"""Begins, in place of a class, what elements an element is made of: "=" for text alone, "=a+b" for links and bold."""

ALONE = ((1,),)
"""The counts of a tag that containers had at most once."""

Find = Callable[[Box], Sequence[HtmlElement]]


def finder_of(selector: FieldSelector) -> Find:
    """Give what finds the selector's elements in a container, in page order; Unreadable where it can't tell."""
    if selector.kind in _SIMPLE:
        return _SIMPLE[selector.kind](selector)
    return lambda _box: ()


def found_by(selector: FieldSelector, box: Box) -> Sequence[HtmlElement]:
    """Give the selector's elements in a container; none where it can't tell."""
    try:
        return finder_of(selector)(box)
    except Unreadable:
        return ()


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
    tag, is_telling = selector.tag, selector.is_strong and selector.tag not in NAMING_TAGS
    was_alone = selector.counts == ALONE

    def find(box: Box) -> Sequence[HtmlElement]:
        found = box.by_tag.get(tag, ())
        if len(found) > 1 and (was_alone or not is_telling) and not selector.many:
            raise Unreadable(f"{len(found)} {tag}")
        return found

    return find


def _by_within(selector: FieldSelector) -> Find:
    is_deep, steps = selector.tag.startswith("//"), selector.tag.split("/")
    tag, _, token = selector.tag.removeprefix("//").partition(".")

    def find(box: Box) -> Sequence[HtmlElement]:
        around = _part_named(box, selector.name, selector.value)
        if not is_deep or not around:
            return _down(box, around, steps)
        inside = box.by_class.get(token, ()) if token else box.by_tag.get(tag, ())
        return [node for node in inside if node.tag == tag and (node is around[0] or around[0] in node.iterancestors())]

    return find


def _part_named(box: Box, tag: str, name: str) -> Sequence[HtmlElement]:
    """Give the element inside which a selector looks: by a mark, an id, a class, or after the only one of a tag.

    Unreadable where there are several.
    """
    nodes = box.by_tag.get(tag, ())
    if name.startswith("#"):
        found: Sequence[HtmlElement] = [node for node in nodes if f"#{node.get('id')}" == name]
    elif name == NEXT:
        found = [after for node in nodes if (after := node.getnext()) is not None]
    else:
        found = marked(box, tag, name)
    if len(found) > 1:
        raise Unreadable(f"{len(found)} {name}")
    return found


def _by_place(selector: FieldSelector) -> Find:
    steps = steps_of(selector.tag)

    def find(box: Box) -> Sequence[HtmlElement]:
        around = _part_named(box, selector.name, selector.value)
        return _way_down(box, box.level(around[0]), steps, selector.counts) if around else ()

    return find


def mark_of(selector: FieldSelector) -> str:
    """Give the attribute by which a selector finds an element, or one around it; "" for none."""
    return selector.name if selector.kind == "attribute" else _mark_around(selector)[0]


def _mark_around(selector: FieldSelector) -> tuple[str, str]:
    """Give the attribute and its value by which a selector finds the element around; ("", "") for none."""
    if selector.kind not in ("within", "placed") or not selector.value.startswith("["):
        return "", ""
    name, _, value = selector.value[1:-1].partition("=")
    return name, value


def _down(box: Box, level: Sequence[HtmlElement], steps: Sequence[str]) -> Sequence[HtmlElement]:
    """Give the elements at the end of a way of tags, from child to child."""
    for tag in steps:
        level = [child for node in level for child in box.level(node) if child.tag == tag]
    return level


def _by_column(selector: FieldSelector) -> Find:
    return _down_a_column(selector) if selector.many else _in_a_row(selector)


def _down_a_column(selector: FieldSelector) -> Find:
    """Find the cells below a head, in the only table that has it, and the same others beside it."""
    heads = selector.value.split(HEADS)

    def find(box: Box) -> Sequence[HtmlElement]:
        said = [(row, table_headers(row)) for row in box.by_tag.get("tr", ()) if not is_header_row(row)]
        rows = [row for row, names in said if heads[selector.nth] in names]
        tables = {next(row.iterancestors("table"), None) for row in rows}
        if len(tables) > 1 or any(names != heads and heads[selector.nth] in names for _, names in said):
            raise Unreadable(f"another table, or other heads than {selector.value}")
        if any(len(row) != len(heads) for row in rows):
            raise Unreadable(f"a row of {selector.value} with other cells")
        return [row[selector.nth] for row in rows]

    return find


def _in_a_row(selector: FieldSelector) -> Find:
    places: dict[Any, int] = {}
    tag, _, token = selector.tag.partition(".")

    def find(box: Box) -> Sequence[HtmlElement]:
        cells = cells_of(box)
        if cells is None:
            return ()
        parent = next(box.elements[0].iterancestors("table"), box.elements[0].getparent())
        if parent not in places:
            headers = table_headers(box.elements[0])
            places[parent] = headers.index(selector.value) if headers.count(selector.value) == 1 else -1
        place = places[parent]
        found = cells[place : place + 1] if place >= 0 else ()
        return _only_one_inside(found[0], tag, token) if tag and found else found

    return find


def _only_one_inside(cell: HtmlElement, tag: str, token: str) -> Sequence[HtmlElement]:
    """Give the element of a tag and class in a cell; Unreadable where there are several."""
    found = [node for node in cell.iterdescendants(tag) if not token or token in classes_of(node)]
    if len(found) > 1:
        raise Unreadable(f"{len(found)} {tag} in a cell")
    return found


def _by_beside(selector: FieldSelector) -> Find:
    value = selector.value
    first, *steps = selector.tag.split("/")
    part, _, name = selector.name.partition(" ")

    def find(box: Box) -> Sequence[HtmlElement]:
        found = (labelled(box, first) if selector.name == SAID else box.beside(first)).get(value, ())
        if name:
            around = _part_named(box, part, name)
            found = [node for node in found if around and around[0] in node.iterancestors()]
        if len(found) > 1 and selector.many and steps:
            raise Unreadable(f"{len(found)} lists beside {value}")
        return _down(box, found, steps)

    return find


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a path: a tag, a class ("" for any), and which of the children of that kind; from the end below 0.

    In place of the class may stand what the element is made of.
    """

    tag: str
    token: str
    nth: int

    def among(self, level: Sequence[HtmlElement]) -> list[HtmlElement]:
        """Give the elements of that kind."""
        same = [child for child in level if child.tag == self.tag]
        if self.is_by_make:
            return [child for child in same if make_of(child) == self.token.removeprefix(MADE_OF)]
        return [child for child in same if self.token in classes_of(child)] if self.token else same

    @property
    def is_by_make(self) -> bool:
        """Whether it goes by what the element is made of."""
        return self.token.startswith(MADE_OF)


def make_of(element: HtmlElement) -> str:
    """Give the tags that an element holds right inside, each once.

    >>> from gleaner.recipes.boxes import open_page
    >>> make_of(open_page("<p><b>1</b> <a>2</a> <b>3</b></p>").find(".//p"))
    'a+b'
    """
    return "+".join(sorted({str(child.tag) for child in element})) if len(element) else ""


def steps_of(path: str) -> list[Step]:
    """Give the steps of a path.

    >>> steps_of("div:0/span.meta:-1")
    [Step(tag='div', token='', nth=0), Step(tag='span', token='meta', nth=-1)]
    """
    parts = [step.rpartition(":") for step in path.split("/")]
    kinds = [(*kind.partition("."), int(nth)) for kind, _, nth in parts if kind]
    return [Step(tag, token, nth) for tag, _, token, nth in kinds]


def _by_path(selector: FieldSelector) -> Find:
    steps = steps_of(selector.value)
    counts, inner = selector.counts, selector.tag.split("/") if selector.tag else []

    def find(box: Box) -> Sequence[HtmlElement]:
        return _down(box, _way_down(box, box.level(), steps, counts), inner)

    return find


def _way_down(
    box: Box, level: Sequence[HtmlElement], steps: Sequence[Step], counts: Sequence[Sequence[int]]
) -> Sequence[HtmlElement]:
    """Give the element at the end of a way; Unreadable where a step stands among others than it ever did."""
    found: Sequence[HtmlElement] = ()
    for number, step in enumerate(steps):
        same = step.among(level)
        if not -len(same) <= step.nth < len(same):
            return ()
        if counts and len(same) not in counts[number]:
            raise Unreadable(f"{len(same)} {step.tag}")
        found = [same[step.nth]]
        level = box.level(found[0])
    return found


def _by_words_around(selector: FieldSelector) -> Find:
    tag, name, prefix, suffix = selector.tag, selector.attribute, selector.prefix, selector.suffix
    if selector.presence:
        return lambda box: [node for node in box.by_tag.get(tag, ()) if said_by(node, name) == prefix]
    if selector.value:
        return lambda box: [node for node in box.by_tag.get(tag, ()) if text_of(node) == selector.value]

    def find(box: Box) -> Sequence[HtmlElement]:
        found: list[HtmlElement] = []
        for node in box.by_tag.get(tag, ()):
            text = said_by(node, name)
            end = end_of(text, suffix) if text.startswith(prefix) else None
            if end is not None and len(text) > len(prefix) + end:
                found.append(node)
        return _innermost(found) if len(found) > 1 else found

    return find


def said_by(node: HtmlElement, name: str) -> str:
    """Give an element's text, or what its attribute of this name says."""
    return squeeze(node.get(name) or "") if name else text_of(node)


def _innermost(found: Sequence[HtmlElement]) -> Sequence[HtmlElement]:
    around = {above for node in found for above in node.iterancestors()}
    return [node for node in found if node not in around]


def end_of_address(node: HtmlElement) -> str:
    """Give the last word of a link's address, which may say what it leads to: "/reviews", "#comments"; else ""."""
    end = _END_OF_ADDRESS.search(node.get("href") or "")
    return end[0] if end else ""


def scheme_of_address(node: HtmlElement) -> str:
    """Give what a link's address begins with when it leads to no page: "tel:", "mailto:"; else "".

    >>> from gleaner.recipes.boxes import open_page
    >>> [scheme_of_address(open_page(f"<a href={to}>x</a>").find(".//a")) for to in ("tel:+349", "https://a.b", "/c")]
    ['tel:', '', '']
    """
    scheme = _SCHEME.match(node.get("href") or "")
    return scheme[0] if scheme else ""


def beginning_of_address(node: HtmlElement) -> str:
    """Give the first word of a link's address within the site, which may say what it leads to: "/tags/"; else ""."""
    begin = _BEGINNING_OF_ADDRESS.match(node.get("href") or "")
    return begin[0] if begin else ""


def _by_link(selector: FieldSelector) -> Find:
    tag, value = selector.tag, selector.value
    if value.endswith(":"):
        return lambda box: [node for node in box.by_tag.get(tag, ()) if scheme_of_address(node) == value]
    if selector.many:
        return lambda box: [node for node in box.by_tag.get(tag, ()) if beginning_of_address(node) == value]
    return lambda box: [node for node in box.by_tag.get(tag, ()) if end_of_address(node) == value]


def _by_marker(selector: FieldSelector) -> Find:
    tag, name = selector.tag, selector.value
    return lambda box: marked(box, tag, name)


def _by_heading(selector: FieldSelector) -> Find:
    heads: dict[HtmlElement, dict[HtmlElement, Heading]] = {}
    distances = selector.counts[0] if selector.counts else None

    def find(box: Box) -> Sequence[HtmlElement]:
        heading = heading_of(box, selector, heads)
        if heading is None:
            return ()
        if distances is not None and heading.distance not in distances:
            raise Unreadable(f"a heading {heading.distance} elements above")
        return (heading.element,)

    return find


_SIMPLE: Mapping[str, Callable[[FieldSelector], Find]] = {
    "self": _by_self,
    "attribute": _by_attribute,
    "class": _by_class,
    "within": _by_within,
    "placed": _by_place,
    "tag": _by_tag,
    "column": _by_column,
    "beside": _by_beside,
    "path": _by_path,
    "worded": _by_words_around,
    "heading": _by_heading,
    "linked": _by_link,
    "behind": _by_marker,
}
