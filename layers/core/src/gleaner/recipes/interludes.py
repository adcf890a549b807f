"""What stands among the records and is none: titles of groups, advertisements, gaps. Known again by how it looks.

A recipe reads nothing there; neither does it from a record that a page has come to write in another way. So only what
looks as it did on a page that was read whole counts as none, and never what looks like a record.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from lxml.html import HtmlElement

from gleaner.html.dom import classes_of
from gleaner.recipes.advertisements import labelled
from gleaner.recipes.boxes import Box, is_header_row
from gleaner.recipes.class_names import names_an_ad, steady_classes
from gleaner.recipes.decoding import UNREAD
from gleaner.recipes.model import Recipe
from gleaner.recipes.pieces import Cutter
from gleaner.recipes.readers import Reader
from gleaner.recipes.templates import text_of_box

_DIGIT = re.compile(r"\d")
_SPARE = 12
ADVERTISEMENT = "advertisement"


@dataclass(frozen=True, slots=True)
class Interlude:
    """One such element of a page: how many records stand before it, how it looks, what it says."""

    after: int
    look: str
    text: str


def find_interludes(recipe: Recipe, records: Sequence[Box], marks: Sequence[int], url: str) -> list[Interlude]:
    """Give the elements among the records, of their tag, in which none of the fields ``marks`` can be read.

    Those that look like a record of this page are left out, but for advertisements with the label or the class that
    tells them.
    """
    selectors = [selector for at in marks for selector in recipe.fields[at].selectors if selector.is_strong]
    if not selectors or any(len(box.elements) > 1 or box.stops for box in records):
        return []
    readers = [Reader(selector, url) for selector in selectors]
    cutter = Cutter(frozenset(recipe.captions))
    forms = _forms(records)
    found = [(after, node, Box([node], cutter)) for after, node in _among(records) if not is_header_row(node)]
    labels = {one.label for one in recipe.record} - {""} if found else set[str]()
    ads = {node for _, node, _ in found if any(node in labelled(node, label) for label in labels)}
    named = {token for one in recipe.record for token in one.without if names_an_ad(token)}
    ads |= {node for _, node, _ in found if not named.isdisjoint(classes_of(node))}
    return [Interlude(after, ADVERTISEMENT, text_of_box(box)) for after, node, box in found if node in ads] + [
        Interlude(after, look_of(box), text_of_box(box))
        for after, node, box in found
        if node not in ads
        if _form(box) not in forms and not any(_could_read(reader, box) for reader in readers)
    ]


def _forms(records: Sequence[Box]) -> set[str]:
    """Give how the records look; those that are built alike do so alike."""
    alone = {_form(box) for box in records if box.build is None}
    return alone | {_form(box) for box in {box.build: box for box in records if box.build is not None}.values()}


def _among(records: Sequence[Box]) -> Iterator[tuple[int, HtmlElement]]:
    """Give the siblings of records that are none, or the rows of their table; with the number of records before."""
    places = {box.elements[0]: number for number, box in enumerate(records)}
    firsts: dict[HtmlElement | None, HtmlElement] = {}
    for element in places:
        firsts.setdefault(element.getparent(), element)
    done: set[HtmlElement | None] = {None}
    for element in firsts.values():
        around = _around(element)
        if around is None or around in done:
            continue
        done.add(around)
        after = places[element]
        for node in around.iter("tr") if element.tag == "tr" else around:
            if node in places:
                after = places[node] + 1
            elif node.tag == element.tag and _around(node) is around:
                yield after, node


def _around(element: HtmlElement) -> HtmlElement | None:
    return next(element.iterancestors("table"), None) if element.tag == "tr" else element.getparent()


def _could_read(reader: Reader, box: Box) -> bool:
    """Tell whether a field stands in a container, or, where a field goes by texts, several that could be it."""
    cell = reader.cell(box)
    if cell is UNREAD:
        return reader.selector.kind in ("typed", "label")
    return cell is not None and cell != []


def look_of(box: Box) -> str:
    """Give what tells one kind of interlude from another: classes, tags, cells over several columns, digits."""
    return f"{_form(box)}{' 9' if _DIGIT.search(text_of_box(box)) else ''}"


def _form(box: Box) -> str:
    top = box.elements[0]
    wide = [cast(str, node.tag) for node in box.inside if node.get("colspan", "1") != "1"]
    return ".".join(["", *steady_classes(top)]) + f" {box.shape}{''.join(f' wide {tag}' for tag in wide)}"


def longest_by_look(found: Sequence[Interlude], known: Mapping[str, int] | None = None) -> dict[str, int]:
    """Give the looks of interludes, each with the length of the longest text, together with those known before."""
    longest = dict(known or {})
    for one in found:
        longest[one.look] = max(len(one.text), longest.get(one.look, 0))
    return longest


def known_interludes(recipe: Recipe, found: Sequence[Interlude], records: int) -> tuple[Interlude, ...]:
    """Give those that look and are about as long as what was seen; none where they are more than the records."""
    seen = recipe.interludes
    known = [one for one in found if one.look in seen and len(one.text) <= 2 * seen[one.look] + _SPARE]
    return tuple(known) if len(known) <= records else ()
