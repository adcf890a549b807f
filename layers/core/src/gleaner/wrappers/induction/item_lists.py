"""Selectors of lists of scalars: elements that are an item each."""

from collections.abc import Iterator, Sequence
from itertools import product

from gleaner.contracts.ports import JsonValue
from gleaner.html.elements import LISTS
from gleaner.wrappers.container import Container
from gleaner.wrappers.cuts import Cut, shared_start
from gleaner.wrappers.induction.mentions import (
    MOST_NOTHINGS,
    MOST_TRIED,
    SAID,
    SEEDS,
    Hypothesis,
    Wanted,
    common,
    says,
)
from gleaner.wrappers.model import Scalar, Selector
from gleaner.wrappers.places import NEXT, Place, find, places_of_items, survival_of
from gleaner.wrappers.readings import UNREAD, Readers, same
from gleaner.wrappers.selectors import read_said, text_at
from gleaner.wrappers.trees import squeeze

_AROUND_ITEMS = (*LISTS, "dl", "table", "tbody")
"""Tags of what is around items, and an item only at first sight: where a list has one item."""


def list_selectors(
    wanted: Wanted, boxes: Sequence[Container], known: Sequence[int], readers: Readers
) -> Iterator[Selector]:
    """Give selectors of lists of scalars; none where an item has several lines, for an element's text stands on one."""
    if any("\n" in one for at in known for one in wanted.values[at] if isinstance(one, str)):  # type: ignore[union-attr]
        return
    seeds = sorted(known, key=lambda at: -len(wanted.values[at]))[:SEEDS]  # type: ignore[arg-type]
    shows_two = len(wanted.values[seeds[0]]) > 1  # type: ignore[arg-type]
    shared = common(_item_places(wanted.values[at], wanted, boxes[at], readers) for at in seeds)  # type: ignore[arg-type]
    shared = [one for one in shared if shows_two or one[0].inner != NEXT]
    for place, source in sorted(shared, key=lambda one: -survival_of(one[0], wanted.words, False))[:MOST_TRIED]:
        for cuts, reading in product(_cuts_of_items(place, source, boxes, seeds), wanted.readings):
            nothing = _texts_of_nothing(place, source, wanted, boxes)
            selector = Selector(place=place, source=source, cuts=cuts, reading=reading, many=True, words=nothing)
            if _reads_all(selector, wanted, boxes, readers):
                yield selector.model_copy(update={"survival": survival_of(place, wanted.words, False)})
                break


def _texts_of_nothing(place: Place, source: str, wanted: Wanted, boxes: Sequence[Container]) -> dict[str, Scalar]:
    """Give the texts that stand where a list is empty, each alone."""
    found: dict[str, Scalar] = {}
    for value, box in zip(wanted.values, boxes, strict=True):
        spots = [] if value else find(place, box)
        if len(spots) == 1 and (text := text_at(spots[0], source, box)):
            found[text] = None
    return found if len(found) <= MOST_NOTHINGS else {}


def _cuts_of_items(
    place: Place, source: str, boxes: Sequence[Container], seeds: Sequence[int]
) -> list[tuple[Cut, ...]]:
    """Give the signs that all items begin with, to be cut off, after no cut: "#python"."""
    spots = [spot for at in seeds for spot in find(place, boxes[at])]
    texts = [text for spot in spots if (text := text_at(spot, source, boxes[0]))]
    lead = shared_start(texts)
    signs = lead[: len(lead) - len(_without_signs(lead))]
    return [(), (Cut(signs, ""),)] if signs else [()]


def _without_signs(text: str) -> str:
    """Give a text from its first letter or figure on."""
    return text[next((at for at, one in enumerate(text) if one.isalnum()), len(text)) :]


def _reads_all(selector: Selector, wanted: Wanted, boxes: Sequence[Container], readers: Readers) -> bool:
    for value, box in zip(wanted.values, boxes, strict=True):
        got, _ = read_said(selector, box, readers)
        if got is UNREAD or not same(got or [], value or []):
            return False
    return True


def _item_places(items: list[JsonValue], wanted: Wanted, box: Container, readers: Readers) -> Iterator[Hypothesis]:
    """Give the places that may name the elements of all items: those of the first item's element, without a number."""
    first, last = items[0], items[-1]
    for node in (one for one in box.nodes if one.tag not in _AROUND_ITEMS):
        for source in ("", *(name for name in map(str, node.keys()) if name in SAID)):
            said = box.text(node) if not source else squeeze(node.get(source) or "")
            if not said or not any(
                says(one, text, wanted, readers) for one in (first, last) for text in (said, _without_signs(said))
            ):
                continue
            yield from ((place, source) for place in places_of_items(node, box))
