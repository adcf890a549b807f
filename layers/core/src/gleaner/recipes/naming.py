"""What on a page about one thing says that a place is a field's: its name, an id, fixed words, the page's heading."""

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import compress, islice
from typing import Any, cast

from lxml.html import HtmlElement

from gleaner.contracts.ports import JsonValue
from gleaner.html.elements import count_texts
from gleaner.recipes.boxes import Box, text_of
from gleaner.recipes.class_names import is_hashed
from gleaner.recipes.columns import Wanted, candidate_columns, fit_column, is_first_of_several, read_all, trust
from gleaner.recipes.containers import PageMap
from gleaner.recipes.cuts import only_cuts
from gleaner.recipes.field_names import is_named
from gleaner.recipes.fields import best, fit
from gleaner.recipes.finders import finder_of, found_by
from gleaner.recipes.flags import flag_selectors, holds_blocks, is_flag, telling
from gleaner.recipes.labels import SAID, labels_of
from gleaner.recipes.locators import anchors_of
from gleaner.recipes.model import Columns, FieldSelector
from gleaner.recipes.whole_pages import elements_of
from gleaner.recipes.wordings import lone_wordings

_ATTRIBUTES = ("datetime", "content", "src", "href", "title", "aria-label")
_MOST_PLACES = 4
_ENOUGH_FIGURES = 5
_MOST_SELECTORS = 3
_MOST_AROUND = 3
_LONGEST_LABEL = 40
_DIGIT = re.compile(r"\d")


def page_columns(boxes: Sequence[Box], places: Collection[HtmlElement]) -> Columns:
    """Give the texts that selectors read on each page, also by ids; of elements in ``places`` only."""
    asked = [(box, node) for box in boxes for node in box.inside if node in places]
    found = dict.fromkeys(
        one for box, node in asked for one in (*_by_id(node), *_by_labels(box, node), *_by_what_it_says(node))
    )
    return {**candidate_columns(boxes, places), **read_all([*found], boxes)}


def _by_labels(box: Box, node: HtmlElement) -> Iterator[FieldSelector]:
    """Give the selectors of an element by a label under its heading, or by that of an element around it."""
    steps = [cast(str, node.tag)]
    for around in [node, *node.iterancestors()][:_MOST_AROUND]:
        tag = "/".join(steps)
        ways = [FieldSelector(kind="beside", name=SAID, tag=tag, value=label) for label in labels_of(box, around)]
        before = around.getprevious()
        if before is not None and _is_one_text(before) and len(label := text_of(before).rstrip(": ")) <= _LONGEST_LABEL:
            ways += [FieldSelector(kind="beside", tag=tag, value=label)] * (around is not node)
            ways += _in_parts(box, around, tag, label)
        for one in ways:
            yield one
            yield from (one.model_copy(update={"attribute": said}) for said in _ATTRIBUTES if node.get(said))
        steps.insert(0, cast(str, getattr(around.getparent(), "tag", "")))


def _by_what_it_says(node: HtmlElement) -> Iterator[FieldSelector]:
    """Give a link by its few words, for its address: "Permalink", "Download the flyer"."""
    said = text_of(node) if node.tag == "a" and node.get("href") else ""
    if 0 < len(said) <= _LONGEST_LABEL and not _DIGIT.search(said):
        yield FieldSelector(kind="worded", tag="a", value=said, attribute="href")


def _in_parts(box: Box, node: HtmlElement, tag: str, label: str) -> Iterator[FieldSelector]:
    """Give the selectors of an element by a label that other parts may have, too, and the named part of its own."""
    alike = box.beside(cast(str, node.tag)).get(label, ()) if label else ()
    for around in islice(node.iterancestors(), _MOST_AROUND):
        if sum(around in one.iterancestors() for one in alike) == 1:
            for part, name in anchors_of(box, around):
                yield FieldSelector(kind="beside", name=f"{part} {name}", tag=tag, value=label)


def _by_id(node: HtmlElement) -> Iterator[FieldSelector]:
    """Give the selectors of an element with a telling id, or inside one."""
    tag = cast(str, node.tag)
    if name := telling_id(node):
        one = FieldSelector(kind="attribute", tag=tag, name="id", value=name)
        yield one
        yield from (one.model_copy(update={"attribute": said}) for said in _ATTRIBUTES if node.get(said))
    path = [tag]
    for around in node.iterancestors():
        if name := telling_id(around):
            if around.tag not in ("body", "html"):
                one = FieldSelector(kind="within", name=cast(str, around.tag), value=f"#{name}", tag="/".join(path))
                yield one
                yield from (one.model_copy(update={"attribute": said}) for said in _ATTRIBUTES if node.get(said))
            return
        path.insert(0, cast(str, around.tag))


def telling_id(node: HtmlElement) -> str:
    """Give the id of an element, if it names a role and not one thing; "" otherwise."""
    name = node.get("id") or ""
    return "" if not name or _DIGIT.search(name) or is_hashed(name) or " " in name else name


def fit_on_pages(one: Wanted, boxes: Sequence[Box], columns: Columns, base: str) -> list[FieldSelector]:
    """Give the selectors that read the field on every page, best first; on a single one also those by its words."""
    columns = {key: texts for key, texts in columns.items() if not _goes_by_a_sentence(key, boxes)}
    found = [selector for selector in fit(one, boxes, columns, base) if not _is_one_of_many(selector, boxes)]
    found = [selector for selector in found if len(boxes) > 1 or not _is_words_of_a_link(selector)]
    if one.is_list or all(value is None for value in one.values):
        return found
    found += flag_selectors(one, boxes, columns)
    if len(boxes) == 1 and not isinstance(one.values[0], bool):
        worded = read_all(lone_wordings(one.values[0], boxes[0]), boxes)
        cut = (fit_column(key, texts, one, base, only_cuts) for key, texts in {**columns, **worded}.items())
        found += [selector for selector in cut if selector is not None and selector not in found]
    is_kept = [(one.kind == "worded" and len(boxes) > 1) or not _cuts_blocks(one, boxes) for one in found]
    return sorted(compress(found, is_kept) if any(is_kept) else found, key=trust)


def _is_words_of_a_link(selector: FieldSelector) -> bool:
    """Tell whether a link goes by what it says, which one page alone does not show to be its name, and no title."""
    return selector.kind == "worded" and bool(selector.value)


def _cuts_blocks(selector: FieldSelector, boxes: Sequence[Box]) -> bool:
    """Tell whether words around a value stand in other blocks of text than it does: they may be another field's."""
    if selector.attribute or not (selector.prefix or selector.suffix):
        return False
    return holds_blocks(selector, boxes)


def _is_one_of_many(selector: FieldSelector, boxes: Sequence[Box]) -> bool:
    """Tell whether a selector takes the first of a tag that a page has several of: without that it takes another."""
    return selector.tag != "h1" and not selector.many and is_first_of_several(selector, boxes)


def _goes_by_a_sentence(selector: FieldSelector, boxes: Sequence[Box]) -> bool:
    """Tell whether a label is several texts (another field and its value, perhaps), or what the title begins with."""
    if selector.kind == "label":
        return any(node.tag == "title" or node.get("content") for box in boxes for node in elements_of(selector, box))
    if selector.kind != "beside":
        return False
    befores = (node.getprevious() for box in boxes for node in elements_of(selector, box)[:1])
    return any(count_texts(before) > 1 for before in befores if before is not None)


def _is_one_text(before: HtmlElement) -> bool:
    """Tell whether an element says one text: several may be a menu above the page's part with the value."""
    return count_texts(before) == 1


def beyond_chance(
    one: Wanted, found: Sequence[FieldSelector], boxes: Sequence[Box], maps: Sequence[PageMap]
) -> list[FieldSelector]:
    """Give the selectors of which it is no chance that they give the values; none where it may be.

    Pages with different values show it; a single value must stand in one place, or where the field's name does, or in
    the page's heading, and after no figure ("4 beds"). If it stands in a few places that can all be named, one selector
    for each must agree later.
    """
    known = [at for at, value in enumerate(one.values) if value is not None and value != []]
    if is_flag(one):
        return telling(one, found, boxes)
    if one.is_list or _is_beyond_chance({str(one.values[at]) for at in known}):
        return [*found]
    found = [one for one in found if one.kind not in ("label", "beside") or not _DIGIT.search(one.value)]
    if named := [selector for selector in found if is_named(one, selector)]:
        return named
    if any(_are_behind_several(found, boxes[at]) for at in known):
        return []
    hits = [[maps[at].elements[hit] for hit in maps[at].hits(cast(Any, one.values[at]))] for at in known]
    if all(len(places) <= 1 for places in hits):
        return [*found]
    if any(selector.tag == "h1" for selector in found) or all(_begins_title(boxes[at], one.values[at]) for at in known):
        return [*found]
    return _for_each_place(found, [boxes[at] for at in known], hits)


def _are_behind_several(found: Sequence[FieldSelector], box: Box) -> bool:
    """Tell whether the same value stands behind several icons or labels: nobody knows which is the field's."""
    markers = {node for one in found if one.kind == "behind" for node in finder_of(one)(box)}
    return sum(markers.isdisjoint(node.iterancestors()) for node in markers) > 1


def _is_beyond_chance(values: Collection[str]) -> bool:
    """Tell whether different values are too telling to stand in one place by chance: a few figures below 10 are not."""
    return len(values) > 1 and (max(map(len, values)) > 1 or len(values) >= _ENOUGH_FIGURES)


def of_several_places(found: Sequence[FieldSelector], boxes: Sequence[Box]) -> list[FieldSelector]:
    """Give a few selectors, most trusted first: of several places, so that each vouches for others."""
    by_place: dict[tuple[HtmlElement, ...], FieldSelector] = {}
    for selector in found:
        place = next((elements for box in boxes if (elements := tuple(elements_of(selector, box)))), ())
        by_place.setdefault(place, selector)
    others = [one for one in best(found) if one not in by_place.values()]
    return [*by_place.values(), *others][: max(_MOST_SELECTORS, min(len(by_place), _MOST_PLACES))]


def _begins_title(box: Box, value: JsonValue) -> bool:
    title = next(iter(box.by_tag.get("title", ())), None)
    return isinstance(value, str) and title is not None and text_of(title).startswith(value)


def _for_each_place(
    found: Sequence[FieldSelector], boxes: Sequence[Box], hits: Sequence[Sequence[HtmlElement]]
) -> list[FieldSelector]:
    """Give a selector for each place that states the value; none when a place has none, or there are many."""
    chosen: dict[FieldSelector, None] = {}
    for box, places in zip(boxes, hits, strict=True):
        if len(places) > _MOST_PLACES:
            return []
        for place in places:
            here = next((selector for selector in found if place in _around(selector, box)), None)
            if here is None:
                return []
            chosen[here] = None
    return list(chosen) if len(chosen) <= _MOST_PLACES else []


def _around(selector: FieldSelector, box: Box) -> set[HtmlElement]:
    """Give the elements that a selector names, and those inside and around with the same text."""
    found: set[HtmlElement] = set()
    for node in found_by(selector, box):
        text = text_of(node)
        found |= {other for other in (*node.iter(), *node.iterancestors()) if text_of(other) == text}
        found.add(node)
    return found
