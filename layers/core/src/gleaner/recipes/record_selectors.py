"""Selectors for records: which elements of a page they name, and how to find such ones again on another page."""

import re
from collections import Counter
from collections.abc import Container, Iterator, Sequence
from typing import Any, cast

from lxml import etree
from lxml.html import HtmlElement

from gleaner.html.dom import classes_of
from gleaner.recipes.advertisements import ad_labels, labelled
from gleaner.recipes.beginnings import ENDING, begun
from gleaner.recipes.boxes import Box, is_header_row, text_of
from gleaner.recipes.class_names import is_hashed, is_telling_class, names_a_term
from gleaner.recipes.closings import ended
from gleaner.recipes.model import RecordSelector
from gleaner.recipes.pieces import Cutter

BLOCKED = frozenset({"id", "style", "class", "href", "src", "alt", "title", "onclick", "tabindex", "name", "for"})


_ROLES: Any = etree.XPath("//@role", smart_strings=False)
_MOST_TEXTS = 4
_LONGEST_TEXT = 120
_NUMBER = re.compile(r"\d+")
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")


def selecting(
    root: HtmlElement, found: Sequence[HtmlElement], kind: Any, *, are_all: bool = True
) -> list[RecordSelector]:
    """Give the selectors that select all of the elements: those that select no others first.

    A selector that selects others costs a look at each of them, on every page. Unless these ``are_all`` the page's
    records, the others may be records, too: then none leaves them out, and the fewer stand among these the better.
    """
    wanted = set(found)
    exact: list[RecordSelector] = []
    wide: list[tuple[int, RecordSelector]] = []
    narrow: list[RecordSelector] = []
    for one in _selectors(found, kind):
        chosen = select(root, one)
        others = [each for each in chosen if each not in wanted and not is_header_row(each)]
        if wanted <= set(chosen):
            if not others:
                exact.append(one)
                continue
            wide.append((0 if are_all else _count_among(chosen, wanted), one))
            narrow += narrowed(root, one, found, others) if are_all else []
    return [*exact, *narrow, *(one for _, one in sorted(wide, key=lambda pair: pair[0]))]


def _count_among(chosen: Sequence[HtmlElement], wanted: Container[HtmlElement]) -> int:
    """Give how many of the chosen elements stand between the wanted ones."""
    places = [at for at, each in enumerate(chosen) if each in wanted]
    return places[-1] - places[0] + 1 - len(places)


def narrowed(
    root: HtmlElement, one: RecordSelector, found: Sequence[HtmlElement], others: Sequence[HtmlElement]
) -> Iterator[RecordSelector]:
    """Give selectors without the others: by classes that only those have, and by what the records stand in."""
    own = {token for element in found for token in tokens_of(element)}
    foreign = [tokens_of(element) - own for element in others]
    if all(foreign):
        yield one.model_copy(update={"without": tuple(sorted(set[str]().union(*foreign)))})
    yield from (one.model_copy(update=told) for told in _told_apart(found, others))
    around = common_ancestor(found)
    scopes = scopes_of(around) if around is not None else []
    for scope in scopes:
        less = one.model_copy(update={"scope": scope})
        if set(found) <= set(select(root, less)):
            yield less


def _told_apart(found: Sequence[HtmlElement], others: Sequence[HtmlElement]) -> Iterator[dict[str, Any]]:
    """Give by what the others say that they are none: by their few texts, or by the label of an advertisement."""
    said = {text_of(other) for other in others}
    is_short = len(said) <= _MOST_TEXTS and all(0 < len(text) <= _LONGEST_TEXT for text in said)
    if is_short and said.isdisjoint(map(text_of, found)):
        yield {"unless": tuple(sorted(said))}
    labels = set[str].intersection(*(ad_labels([other]) for other in others))
    for label in sorted(labels.difference(ad_labels(found))):
        yield {"label": label}


def tokens_of(element: HtmlElement) -> set[str]:
    """Give the element's classes."""
    return set(classes_of(element))


def looks_of(boxes: Sequence[Box]) -> list[str]:
    """Give the classes of the containers' own elements, but for those that a build tool made; "#" for numbers."""
    classes = {box.elements[0].get("class") for box in boxes}
    tokens = {token for names in classes if names for token in names.split()}
    return sorted({_NUMBER.sub("#", token) for token in tokens if is_telling_class(token)})


def common_ancestor(found: Sequence[HtmlElement]) -> HtmlElement | None:
    """Give the smallest element around all of these; None when there is none."""
    above = [set(element.iterancestors()) for element in found[1:]]
    return next((one for one in found[0].iterancestors() if all(one in each for each in above)), None)


def scopes_of(around: HtmlElement) -> list[tuple[str, str, str]]:
    """Give what may name the element around records: its id, its classes, its place."""
    tag = cast(str, around.tag)
    names = [("id", around.get("id") or "")] + [("class", token) for token in sorted(tokens_of(around))]
    made = [(tag, name, value) for name, value in names if value and not is_hashed(value)]
    return [*made, (tag, "place", _place_of(around))]


def _scoped(root: HtmlElement, scope: tuple[str, str, str]) -> HtmlElement | None:
    tag, name, value = scope
    if name == "place":
        return _at_place(root, value)
    nodes = root.iter(tag)
    if name == "class":
        return next((node for node in nodes if value in tokens_of(node)), None)
    return next((node for node in nodes if node.get(name) == value), None)


def _selectors(found: Sequence[HtmlElement], kind: Any) -> list[RecordSelector]:
    tags = {cast(str, element.tag) for element in found}
    if len(tags) != 1:
        return []
    tag = tags.pop()
    made: list[RecordSelector] = []
    shared = set(found[0].attrib.items()).intersection(*(element.attrib.items() for element in found[1:]))
    for name, value in sorted(shared):
        if name not in BLOCKED and not name.startswith("data-gleaner"):
            made.append(RecordSelector(kind=kind, by="attribute", tag=tag, name=name, value=value))
    classes = set(classes_of(found[0])).intersection(*(classes_of(element) for element in found[1:]))
    made += [
        RecordSelector(kind=kind, by="class", tag=tag, value=token)
        for token in sorted(classes)
        if not _is_of_a_page(token)
    ]
    made += [
        RecordSelector(kind=kind, by="path", tag=tag, value=path)
        for path, _ in Counter(map(path_of, found)).most_common()
    ][:1]
    made += [
        RecordSelector(kind=kind, by="class", tag=tag, value=token) for token in sorted(classes) if _is_of_a_page(token)
    ]
    made += [RecordSelector(kind=kind, by="head", tag=tag, value=head) for head in _shared_heads(found)]
    return made


def _is_of_a_page(token: str) -> bool:
    """Tell whether a class may be another one on the next page."""
    return is_hashed(token) or names_a_term(token)


def _shared_heads(found: Sequence[HtmlElement]) -> list[str]:
    """Give the head that all elements have, when those stand at several levels, as nested posts do."""
    heads = {_head_of(element) for element in found}
    return sorted(heads - {""}) if len(heads) == 1 and len(set(map(path_of, found))) > 1 else []


def _head_of(element: HtmlElement) -> str:
    """Give the tags of the first child, of its first child, and so on."""
    tags: list[str] = []
    while len(element):
        element = element[0]
        tags.append(cast(str, element.tag))
    return "/".join(tags)


def selectors_of_one(root: HtmlElement, element: HtmlElement) -> list[RecordSelector]:
    """Give selectors that name this element of the page alone: by marks and classes, or by its place."""
    made = [one for one in _selectors([element], "element") if one.by != "path"]
    made.append(RecordSelector(kind="element", by="place", tag=cast(str, element.tag), value=_place_of(element)))
    return [one for one in made if select(root, one) == [element]]


def _place_of(element: HtmlElement) -> str:
    """Give the tags from the root to the element, each with its place among its like."""
    steps: list[str] = []
    current: HtmlElement | None = element
    while current is not None:
        before = sum(1 for node in current.itersiblings(preceding=True) if node.tag == current.tag)
        steps.append(f"{current.tag}[{before + 1}]")
        current = current.getparent()
    return "/".join(reversed(steps))


def path_of(element: HtmlElement) -> str:
    """Give the tags from the root to the element."""
    return "/".join([*reversed([cast(str, a.tag) for a in element.iterancestors()]), cast(str, element.tag)])


def select(root: HtmlElement, selector: RecordSelector) -> list[HtmlElement]:
    """Give the elements that a record selector names, in page order."""
    found = _select_anywhere(root, selector)
    if selector.scope is not None:
        top = _scoped(root, selector.scope)
        inside = set(top.iter()) if top is not None else set[HtmlElement]()
        found = [node for node in found if node in inside]
    if selector.without:
        found = [node for node in found if tokens_of(node).isdisjoint(selector.without)]
    if selector.unless:
        found = [node for node in found if text_of(node) not in selector.unless]
    if selector.begun:
        found = begun(found, selector.begun)
    ads = labelled(root, selector.label) if selector.label else set[HtmlElement]()
    return [node for node in found if node not in ads] if ads else found


def _select_anywhere(root: HtmlElement, selector: RecordSelector) -> list[HtmlElement]:
    if selector.by == "path":
        return _at_path(root, selector.value)
    if selector.by == "place":
        found = _at_place(root, selector.value)
        return [] if found is None else [found]
    if selector.by == "head":
        return [node for node in root.iter() if node.tag == selector.tag and _head_of(node) == selector.value]
    nodes = root.iter(selector.tag)
    if selector.by == "class":
        return [node for node in nodes if selector.value in (node.get("class") or "").split()]
    return [node for node in nodes if node.get(selector.name) == selector.value]


def _at_path(root: HtmlElement, path: str) -> list[HtmlElement]:
    first, *rest = path.split("/")
    level = [root] if root.tag == first else []
    for tag in rest:
        level = [child for node in level for child in node if child.tag == tag]
    return level


def _at_place(root: HtmlElement, place: str) -> HtmlElement | None:
    found: HtmlElement | None = None
    level: Sequence[HtmlElement] = [root]
    for step in place.split("/"):
        tag, _, number = step.removesuffix("]").rpartition("[")
        same = [child for child in level if child.tag == tag]
        if int(number) > len(same):
            return None
        found = same[int(number) - 1]
        level = list(same[int(number) - 1])
    return found


def boxes_of(root: HtmlElement, selector: RecordSelector, captions: frozenset[str] = frozenset()) -> list[Box]:
    """Give the containers that a record selector names."""
    cutter = Cutter(captions)
    if selector.kind == "page":
        return [Box([root], cutter)]
    found = select(root, selector)
    if _may_have_heads(root):
        found = [one for one in found if not is_header_row(one)]
    if selector.kind == "element":
        stops = frozenset(found) if is_nested(found) else frozenset[Any]()
        return [Box([element], cutter, stops) for element in found]
    ending = ENDING if selector.begun else frozenset[str]()
    return [Box(run, cutter) for run in ended([*runs(found, ending=ending)], selector.end)]


def _may_have_heads(root: HtmlElement) -> bool:
    """Tell at little cost whether a page has any of what rows of column heads are made of."""
    return next(root.iter("td", "th"), None) is not None or "columnheader" in _ROLES(root)


def runs(
    leaders: Sequence[HtmlElement],
    inside: Container[HtmlElement] | None = None,
    ending: Container[Any] = frozenset[str](),
) -> Iterator[list[HtmlElement]]:
    """Give each leader with the siblings up to the next one, as far as they are ``inside``, if that is given.

    A heading ends before one of a higher rank: that is the title of the next group; all end before the tags ``ending``.
    """
    known = set(leaders)
    for leader in leaders:
        run = [leader]
        above = _HEADINGS[: _HEADINGS.index(leader.tag)] if leader.tag in _HEADINGS else ending
        for sibling in leader.itersiblings():
            if sibling in known or sibling.tag in above or (inside is not None and sibling not in inside):
                break
            run.append(sibling)
        yield run


def twin_of(selector: RecordSelector, boxes: Sequence[Box]) -> HtmlElement | None:
    """Give a sibling of the records that has their class, and another tag; None when there is none."""
    if selector.by != "class":
        return None
    parents = dict.fromkeys(box.elements[0].getparent() for box in boxes)
    siblings = (child for parent in parents if parent is not None for child in parent if child.tag != selector.tag)
    named = (child for child in siblings if selector.value in child.get("class", ""))
    return next((child for child in named if selector.value in tokens_of(child)), None)


def is_nested(found: Sequence[HtmlElement]) -> bool:
    """Tell whether one of the elements stands inside another."""
    known = set(found)
    parents = {parent for element in found if (parent := element.getparent()) is not None}
    return any(above in known for parent in parents for above in (parent, *parent.iterancestors()))
