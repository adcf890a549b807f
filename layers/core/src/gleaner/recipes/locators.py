"""Selectors that may name a value's element or text in a container: by marks, classes, labels, tags and places."""

import re
from collections import Counter
from collections.abc import Callable, Container, Iterator, Sequence
from itertools import islice
from typing import cast

from lxml.html import HtmlElement

from gleaner.contracts.ports import JsonValue
from gleaner.html.dom import classes_of
from gleaner.html.elements import HEADINGS
from gleaner.recipes.asides import STRUCK, asides_of, has_own_text, says_more_than_struck
from gleaner.recipes.boxes import Box, squeeze, text_of
from gleaner.recipes.class_names import is_hashed, telling_classes
from gleaner.recipes.finders import (
    ALONE,
    MADE_OF,
    NEXT,
    end_of_address,
    finder_of,
    make_of,
    scheme_of_address,
    steps_of,
)
from gleaner.recipes.group_headings import Heading, heading_of
from gleaner.recipes.headers import cells_of, table_headers
from gleaner.recipes.markers import markers_of
from gleaner.recipes.model import TELLING_TAGS, FieldSelector

_ATTRIBUTES = ("href", "src", "datetime", "content", "aria-label", "title", "alt", "value", "data-src")
_MARKS = ("itemprop", "property", "role", "name", "rel", "itemtype", "headers")
_SPOKEN = ("aria-label", "title", "slot", "part")
_ROLE = re.compile(r"[A-Za-z][A-Za-z_:. -]{1,40}")
"""Values of data attributes that say what an element is (``data-testid="price"``), not which one."""

_SAMPLES = 6
_MOST = 300
_HIGHEST = 6
_DEEPEST = 100
_MOST_ELEMENTS = 500
_LONGEST = 400
_FEWEST_GROUPS = 2
_MOST_LEVELS = 4
_MOST_BEFORE = 60
_LONGEST_HEADING = 80
_LONGEST_LABEL = 40
_DIGIT = re.compile(r"\d")
_NO_DIGIT = re.compile(r"\D")


def candidates(box: Box, places: Container[HtmlElement] | None = None) -> Iterator[FieldSelector]:
    """Give the selectors that name something in a container: of elements in ``places``, or else of the first ones."""
    for label in dict.fromkeys(label for label, _ in box.pieces if label):
        yield FieldSelector(kind="label", value=label)
    seen: Counter[str] = Counter()
    for node in box.inside if places is not None else box.inside[:_MOST_ELEMENTS]:
        tag = cast(str, node.tag)
        is_asked = places is None or node in places
        for marker, name in markers_of(box, node) if is_asked else ():
            yield FieldSelector(kind="behind", tag=marker, value=name)
        for locator in _locators(box, node, tag, seen[tag]) if is_asked else ():
            yield locator
            for name in node.attrib:
                if name in _ATTRIBUTES or (name.startswith("data-") and "gleaner" not in name):
                    yield locator.model_copy(update={"attribute": str(name)})
        seen[tag] += 1


def _locators(box: Box, node: HtmlElement, tag: str, nth: int) -> Iterator[FieldSelector]:
    if node is box.elements[0]:
        yield FieldSelector(kind="self")
    for name, value in node.attrib.items():
        if name in _MARKS:
            yield FieldSelector(kind="attribute", tag=tag, name=str(name), value=str(value))
        elif str(name).startswith("data-") and "gleaner" not in str(name):
            yield FieldSelector(kind="attribute", tag=tag, name=str(name))
            if _ROLE.fullmatch(value):
                yield FieldSelector(kind="attribute", tag=tag, name=str(name), value=value)
    for token in telling_classes(node):
        if len({text_of(other) for other in box.by_class[token] if other.tag == tag}) == 1:
            yield FieldSelector(kind="class", tag=tag, value=token)
    if tag == "a" and (scheme := scheme_of_address(node)):
        yield FieldSelector(kind="linked", tag=tag, value=scheme)
    if node.getparent() is box.elements[0] and (head := _head_above(box, node)):
        yield FieldSelector(kind="column", value=head)
    before = node.getprevious()
    if before is not None and node is not box.elements[0] and _is_label(label := text_of(before).rstrip(": ")):
        yield FieldSelector(kind="beside", tag=tag, value=label)
    if nth == 0 and (tag in TELLING_TAGS or len(box.by_tag[tag]) == 1):
        yield FieldSelector(kind="tag", tag=tag)
    yield from _within(box, node, tag)
    if (node is not box.elements[0] or len(box.elements) > 1) and _is_near(node):
        yield FieldSelector(kind="path", value=path_in(box, node))


def _head_above(box: Box, cell: HtmlElement) -> str:
    """Give the head of a cell's column in a table; "" where it has none of its own."""
    cells = cells_of(box)
    if not cells or cell not in cells:
        return ""
    headers, place = table_headers(box.elements[0]), cells.index(cell)
    is_own = place < len(headers) and headers.count(headers[place]) == 1
    return headers[place] if is_own else ""


def _in_a_cell(box: Box, node: HtmlElement, tag: str) -> Iterator[FieldSelector]:
    """Give an element by the head of the column that it stands in, where its cell says other things, too."""
    cell = next((around for around in node.iterancestors() if around.getparent() is box.elements[0]), None)
    if cell is not None and (head := _head_above(box, cell)):
        alike = list(cell.iterdescendants(tag))
        for token in telling_classes(node):
            if sum(token in classes_of(other) for other in alike) == 1:
                yield FieldSelector(kind="column", value=head, tag=f"{tag}.{token}")
        if len(alike) == 1:
            yield FieldSelector(kind="column", value=head, tag=tag)


def _is_label(text: str) -> bool:
    """Tell whether a text can be the label of what comes after it; "Price: Free" is one with its own text."""
    return 0 < len(text) <= _LONGEST_LABEL and ": " not in text


def _is_near(node: HtmlElement) -> bool:
    """Tell whether an element is not so deep down that a way to it takes longer to go than the page has elements."""
    return next(islice(node.iterancestors(), _DEEPEST, None), None) is None


def _within(box: Box, node: HtmlElement, tag: str) -> Iterator[FieldSelector]:
    parent = node.getparent()
    if parent is None or node in box.elements:
        return
    nth = [child for child in parent if child.tag == tag].index(node)
    for token in telling_classes(parent):
        if nth == 0 and _is_alone(box, parent, token):
            yield FieldSelector(kind="within", name=cast(str, parent.tag), value=token, tag=tag, nth=nth)


def path_in(box: Box, node: HtmlElement) -> str:
    """Give the way from a container to an element: each tag with its number among its like."""
    steps: list[str] = []
    current = node
    while True:
        parent = current.getparent()
        top = current in box.elements
        level = box.elements if top or parent is None else box.level(parent)
        if top and len(box.elements) == 1:
            break
        same = [child for child in level if child.tag == current.tag]
        steps.append(f"{current.tag}:{same.index(current)}")
        if top or parent is None:
            break
        current = parent
    return "/".join(reversed(steps))


def _is_alone(box: Box, node: HtmlElement, token: str) -> bool:
    """Tell whether an element is the only one of its tag and class in a container."""
    return sum(other.tag == node.tag for other in box.by_class.get(token, ())) == 1


def deeper(values: Sequence[JsonValue], boxes: Sequence[Box]) -> list[FieldSelector]:
    """Give selectors that take two steps to a value: by an element around it, by all its classes, or from the end.

    Or to an element that says something else behind the value, or strikes it out.
    """
    before = ((one, asides_of(finder_of(one), boxes)) for one in _at_stated(values, boxes, _where(has_own_text)))
    told = [one.model_copy(update={"aside": signs}) for one, signs in before if signs]
    told += [
        one.model_copy(update={"aside": (STRUCK,)})
        for one in _at_stated(values, boxes, _where(says_more_than_struck))
        if not one.attribute
    ]
    return [*_at_stated(values, boxes, _two_steps), *told]


def hashed(values: Sequence[JsonValue], boxes: Sequence[Box]) -> list[FieldSelector]:
    """Give selectors by class names that a build tool made."""
    return _at_stated(values, boxes, _by_hash)


def _at_stated(
    values: Sequence[JsonValue], boxes: Sequence[Box], ways: Callable[[Box, HtmlElement], Iterator[FieldSelector]]
) -> list[FieldSelector]:
    """Give ways to the elements that may state a field's value, in a few of several containers."""
    known = [at for at, value in enumerate(values) if isinstance(value, str | int | float) and value != ""]
    if len(boxes) <= 1 or any(isinstance(value, bool | list | dict) for value in values):
        return []
    chosen = known[:: max(1, len(known) // _SAMPLES)][:_SAMPLES]
    nodes = ((boxes[at], node) for at in chosen for node in boxes[at].inside if may_state(node, values[at]))
    return list(dict.fromkeys(way for box, node in nodes for way in ways(box, node)))[:_MOST]


def may_state(node: HtmlElement, value: JsonValue) -> bool:
    """Tell whether an element's text may say a value: it has it, or its figures."""
    text = text_of(node)
    if not text or len(text) > _LONGEST:
        return False
    if isinstance(value, str):
        return squeeze(value) in text
    return _DIGIT.search(text) is not None and (not text.isascii() or _figures(value) in _figures(text))


def _figures(said: JsonValue) -> str:
    """Give the digits of a number, or of all in a text: those that "1,299.00", "1299" and "1.299 k" have in common."""
    return _NO_DIGIT.sub("", str(said)).strip("0")


def _two_steps(box: Box, node: HtmlElement) -> Iterator[FieldSelector]:
    tag = cast(str, node.tag)
    yield from _by_make(box, node, tag)
    if node in box.elements:
        return
    yield from _in_a_cell(box, node, tag)
    classes = node.get("class") or ""
    first = next(iter(classes.split()), "")
    if len(box.by_class.get(first, ())) > 1 and not is_hashed(classes):
        yield FieldSelector(kind="attribute", tag=tag, name="class", value=classes)
    for around in islice(node.iterancestors(), _HIGHEST):
        is_top = around in box.elements
        if is_top and len(box.elements) == 1:
            break
        for token in telling_classes(around):
            if _is_alone(box, around, token):
                inner = [f"//{tag}.{own}" for own in telling_classes(node)] + [f"//{tag}"]
                for step in inner:
                    yield FieldSelector(kind="within", name=cast(str, around.tag), value=token, tag=step)
        if is_top:
            break
    yield from _by_marks_around(box, node, tag)
    if tag == "a" and (end := end_of_address(node)):
        yield FieldSelector(kind="linked", tag=tag, value=end)
    yield from _among_siblings(box, node, tag)


def _where(is_so: Callable[[HtmlElement], bool]) -> Callable[[Box, HtmlElement], Iterator[FieldSelector]]:
    """Give what finds the selectors of an element that is so."""

    def locate(box: Box, node: HtmlElement) -> Iterator[FieldSelector]:
        if is_so(node):
            tag = cast(str, node.tag)
            yield from (one for one in _locators(box, node, tag, box.by_tag[tag].index(node)) if one.kind != "self")

    return locate


def _by_marks_around(box: Box, node: HtmlElement, tag: str) -> Iterator[FieldSelector]:
    """Give the element by what an attribute says of it or of one around it: a control's name, a part's role."""
    for around in [node, *node.iterancestors()][:_HIGHEST]:
        if around in box.elements:
            break
        for name, value in around.attrib.items():
            is_mark = name in _MARKS or name in _SPOKEN or str(name).startswith("data-")
            if not is_mark or not _ROLE.fullmatch(value) or box.marks[name, value] > 1:
                continue
            around_tag, mark = cast(str, around.tag), f"[{name}={value}]"
            yield FieldSelector(kind="within", name=around_tag, value=mark, tag=f"//{tag}")


def anchors_of(box: Box, element: HtmlElement) -> Iterator[tuple[str, str]]:
    """Give what names an element alone: its tag with a class, an id or a mark, or that it follows the heading."""
    tag = cast(str, element.tag)
    yield from ((tag, token) for token in telling_classes(element) if _is_alone(box, element, token))
    name = element.get("id") or ""
    if name and not is_hashed(name) and not _DIGIT.search(name):
        yield tag, f"#{name}"
    for mark, value in element.attrib.items():
        is_mark = mark in _MARKS or mark in _SPOKEN or str(mark).startswith("data-")
        if is_mark and _ROLE.fullmatch(value) and box.marks[mark, value] == 1:
            yield tag, f"[{mark}={value}]"
    before = element.getprevious()
    if before is not None and before.tag == HEADINGS[0] and len(box.by_tag[HEADINGS[0]]) == 1:
        yield HEADINGS[0], NEXT


def path_between(box: Box, around: HtmlElement, node: HtmlElement) -> Iterator[str]:
    """Give the ways from an element to one inside: each tag with its number among its like, the last from both ends."""
    ways = [""]
    for current in [node, *node.iterancestors()]:
        if current is around:
            break
        same = [child for child in box.level(current.getparent()) if child.tag == current.tag]
        if current not in same:
            return
        nth = same.index(current)
        begins = dict.fromkeys((nth, nth - len(same)) if current is node else (nth,))
        ways = [
            f"{current.tag}:{at}" if current is node else f"{current.tag}:{at}/{way}" for way in ways for at in begins
        ]
    yield from ways


def _among_siblings(box: Box, node: HtmlElement, tag: str) -> Iterator[FieldSelector]:
    """Give the place of an element among siblings of its class, and from the end."""
    parent = node.getparent()
    same = [child for child in parent if child.tag == tag] if parent is not None else []
    above, _, _ = path_in(box, node).rpartition("/")
    start = above + "/" if above else ""
    for token in telling_classes(node):
        alike = [child for child in same if token in classes_of(child)]
        if node in alike and len(alike) > 1 and "/" not in token:
            yield FieldSelector(kind="path", value=f"{start}{tag}.{token}:{alike.index(node)}")
    if len(same) > 1:
        yield FieldSelector(kind="path", value=f"{start}{tag}:{same.index(node) - len(same)}")


def _by_make(box: Box, node: HtmlElement, tag: str) -> Iterator[FieldSelector]:
    """Give the place of an element among siblings that are made of the same elements, where others are not."""
    path = path_in(box, node)
    above, _, _ = path.rpartition("/")
    level = box.elements if path and not above and len(box.elements) > 1 else box.level(node.getparent())
    same = [child for child in level if child.tag == tag]
    alike = [child for child in same if make_of(child) == make_of(node)]
    if path and node in alike and len(alike) < len(same):
        step = f"{tag}.{MADE_OF}{make_of(node)}:{alike.index(node)}"
        yield FieldSelector(kind="path", value=f"{above}/{step}" if above else step)


def _by_hash(box: Box, node: HtmlElement) -> Iterator[FieldSelector]:
    tag = cast(str, node.tag)
    for token in classes_of(node):
        if is_hashed(token) and len({text_of(other) for other in box.by_class[token] if other.tag == tag}) == 1:
            yield FieldSelector(kind="class", tag=tag, value=token)


def headings(values: Sequence[JsonValue], boxes: Sequence[Box]) -> list[FieldSelector]:
    """Give selectors for what stands above groups of records, where the records differ in the value."""
    known = [at for at, value in enumerate(values) if value is not None]
    if len(boxes) <= 1 or len({str(values[at]) for at in known}) < _FEWEST_GROUPS:
        return []
    return list(dict.fromkeys(_headings(boxes[known[-1]])))


def _headings(box: Box) -> Iterator[FieldSelector]:
    around = [box.elements[0], *box.elements[0].iterancestors()][:_MOST_LEVELS]
    for nth, element in enumerate(around):
        for before in islice(element.itersiblings(preceding=True), _MOST_BEFORE):
            if 0 < len(text_of(before)) <= _LONGEST_HEADING and before.tag != box.elements[0].tag:
                for token in [*telling_classes(before), ""]:
                    yield FieldSelector(kind="heading", tag=cast(str, before.tag), value=token, nth=nth)
            elif 0 < len(text_of(before)) <= _LONGEST_HEADING:
                for token in telling_classes(before):
                    yield FieldSelector(kind="heading", tag=cast(str, before.tag), value=token, nth=nth)


def _distanced(selector: FieldSelector, boxes: Sequence[Box]) -> FieldSelector:
    """Note how far above groups their headings stand: farther above, one may be another group's."""
    heads: dict[HtmlElement, dict[HtmlElement, Heading]] = {}
    found = [heading.distance for box in boxes if (heading := heading_of(box, selector, heads))]
    return selector.model_copy(update={"counts": (tuple(sorted(set(found))),)}) if selector.nth else selector


def counted(selector: FieldSelector, boxes: Sequence[Box]) -> FieldSelector:
    """Note how many siblings each step of a path was found among: among others, the place may mean something else."""
    if (
        selector.kind == "tag"
        and selector.is_strong
        and not any(len(box.by_tag.get(selector.tag, ())) > 1 for box in boxes)
    ):
        return selector.model_copy(update={"counts": ALONE})
    if selector.kind != "path":
        return _distanced(selector, boxes) if selector.kind == "heading" else selector
    steps = steps_of(selector.value)
    counts: list[set[int]] = [set() for _ in steps]
    for box in boxes:
        level = box.level()
        for number, step in enumerate(steps):
            same = step.among(level)
            counts[number].add(len(same))
            if not -len(same) <= step.nth < len(same):
                counts[number].discard(len(same))
                break
            level = box.level(same[step.nth])
    return selector.model_copy(update={"counts": tuple(tuple(sorted(seen)) for seen in counts)})
