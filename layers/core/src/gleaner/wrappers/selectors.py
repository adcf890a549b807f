"""What a selector reads in a container: the text that its place names, cut, and the value of that."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypeAlias

from gleaner.values.texts.partial_days import days_over
from gleaner.wrappers.container import Container
from gleaner.wrappers.cuts import part_of_text
from gleaner.wrappers.labels import is_made_of_parts
from gleaner.wrappers.marks import read_marks
from gleaner.wrappers.model import Selector
from gleaner.wrappers.places import Place, chosen, depends_on_shape, find
from gleaner.wrappers.readings import OVER, UNREAD, Cell, Reader, Readers, is_typed, mask
from gleaner.wrappers.trees import CELLS, MARKER, Spot, attribute_text


class Several:
    """Stands for what a place names when it names several different texts."""


SEVERAL: Final = Several()
SEVERAL_TEXTS: Final = "\0several"
"""Stands among texts for those of a place that should name one."""

Said: TypeAlias = str | None | Several


def text_at(spot: Spot, source: str, box: Container) -> str | None:
    """Give what is read at a place: the text, with its line breaks, or an attribute; None where there is none."""
    if isinstance(spot, str):
        return spot if not source else None
    if source == MARKER:
        return box.page.markers.get(spot)
    if source:
        value = spot.get(source)
        return attribute_text(source, value) if value is not None else None
    return box.text(spot) or None


def said_by(place: Place, source: str, box: Container) -> Said:
    """Give the text that a place names in a container; None when there is none."""
    texts = {text_at(spot, source, box) for spot in chosen(place, box)}
    return None if not texts else texts.pop() if len(texts) == 1 else SEVERAL


def said_with_over(place: Place, over: Place | None, source: str, box: Container) -> Said:
    """Give the text that a place names, with what another over the record adds to it; None when there is none."""
    said = said_by(place, source, box)
    if over is None or not isinstance(said, str):
        return said
    adds = said_by(over, "", box)
    return f"{said}{OVER}{days_over(adds) if isinstance(adds, str) else ''}"


def read_said(selector: Selector, box: Container, readers: Readers) -> tuple[Cell, tuple[str, ...]]:
    """Give the value that a selector reads in a container, and the texts that it is read from."""
    if selector.marks:
        words = frozenset(selector.place.value.split())
        return read_marks(selector.marks, words, box, may_lack=selector.optional)
    if selector.many:
        texts = tuple(text for spot in find(selector.place, box) if (text := text_at(spot, selector.source, box)))
        return _items(texts, selector, readers), texts
    if selector.presence is not None:
        return (selector.presence if find(selector.place, box) else not selector.presence), ()
    said = said_with_over(selector.place, selector.over, selector.source, box)
    if isinstance(said, Several):
        return UNREAD, (SEVERAL_TEXTS,)
    if said is None:
        return None, ()
    return value_of(selector, said, readers), (said,)


def heads_of(selectors: Iterable[Selector], box: Container) -> set[str]:
    """Give the heads of the columns that selectors read in a row of a table."""
    if box.elements[0].tag != "tr" or not box.columns:
        return set()
    spots = {spot for one in selectors for spot in chosen(one.place, box) if not isinstance(spot, str)}
    cells = {next((one for one in (spot, *spot.iterancestors()) if one.tag in CELLS), None) for spot in spots}
    return {head for head, under in box.columns.items() if not cells.isdisjoint(under)}


def is_composed(selector: Selector, box: Container) -> bool:
    """Tell whether what a selector reads is made of several elements, with no text beside them."""
    spots = () if selector.source or selector.many else chosen(selector.place, box)
    return any(is_made_of_parts(one) for one in spots if not isinstance(one, str))


def is_in_parts(selector: Selector, box: Container) -> bool:
    """Tell whether what a selector reads, cut, is made of several elements: none says all of it."""
    return is_composed(selector, box) and not is_one_of_parts(selector, box)


def is_one_of_parts(selector: Selector, box: Container) -> bool:
    """Tell whether what a selector cuts out of a text is all that one of the elements with that text says."""
    said = said_by(selector.place, selector.source, box)
    if not selector.cuts or is_typed(selector.reading) or not isinstance(said, str):
        return False
    part, spots = cut_text(selector, said), chosen(selector.place, box)
    nodes = [node for one in spots if not isinstance(one, str) for node in one.iterdescendants("*")]
    return any(box.text(node) == part for node in nodes)


def read_all(
    selector: Selector, boxes: Sequence[Container], readers: Readers
) -> tuple[list[Cell], list[tuple[str, ...]]]:
    """Give the values that a selector reads in many containers, and the texts that they are read from."""
    place, source = selector.place, selector.source
    first = 0 if place.nth is None else place.nth
    if selector.many or selector.presence is not None or selector.marks or source or selector.over is not None:
        found = [read_said(selector, box, readers) for box in boxes]
        return [cell for cell, _ in found], [said for _, said in found]
    is_plain = selector.is_plain and not selector.goes_by_words
    reader = readers.of(selector.reading) if is_plain else {}
    cells: list[Cell] = []
    texts: list[tuple[str, ...]] = []
    for box in boxes:
        spots = find(place, box)
        if len(spots) != 1 or first not in (0, -1) or place.of > 1:
            cell, said = read_said(selector, box, readers) if spots else (None, ())
        elif text := spots[0] if isinstance(spots[0], str) else box.text(spots[0]):
            cell, said = reader[text] if is_plain else value_of(selector, text, readers), (text,)
        else:
            cell, said = None, ()
        cells.append(cell)
        texts.append(said)
    return cells, texts


def read_alike(one: Selector, other: Selector, box: Container) -> bool:
    """Tell whether two selectors read the same elements in the same way in all containers of one's shape."""
    if box.shape is None or one.model_copy(update=_PLACE_OF_NONE) != other.model_copy(update=_PLACE_OF_NONE):
        return False
    spots = [chosen(each.place, box) if depends_on_shape(each.place, box.shape) else None for each in (one, other)]
    return spots[0] is not None and spots[0] == spots[1]


_PLACE_OF_NONE = {"place": None, "survival": 0.0}


def value_of(selector: Selector, said: str, readers: Readers) -> Cell:
    """Give the value that a text has by a selector."""
    if words := selector.words:
        known = words.get(said, UNREAD)
        known = words.get(mask(said), UNREAD) if known is UNREAD and selector.goes_by_words else known
        if isinstance(known, str) and selector.parted:
            return [*_parts(known, selector.parted)]
        if known is not UNREAD or selector.goes_by_words:
            return known
    part = part_of_text(selector.cuts, said)
    if part is None:
        return None if selector.optional and not any(cut.is_begun_in(said) for cut in selector.cuts) else UNREAD
    reader = readers.of(selector.reading)
    return _list_of([*_parts(part, selector.parted)], reader) if selector.parted else reader[part]


def _parts(text: str, mark: str) -> Iterator[str]:
    return filter(None, map(str.strip, text.split(mark)))


def _list_of(parts: Sequence[str | None], reader: Reader) -> Cell:
    values = [UNREAD if part is None else reader[part] for part in parts if part != ""]
    return UNREAD if UNREAD in values else [value for value in values if value is not None]  # type: ignore[misc]


def _items(texts: Sequence[str], selector: Selector, readers: Readers) -> Cell:
    if len(texts) == 1 and texts[0] in selector.words:
        return []
    parts = [text.strip() if not selector.cuts else part_of_text(selector.cuts, text) for text in texts]
    return _list_of(parts, readers.of(selector.reading))


def reads_a_part(selector: Selector) -> bool:
    """Tell whether a selector finds its value somewhere in a text, and no marks say where."""
    return is_typed(selector.reading) and not selector.cuts and not selector.goes_by_words


def cut_text(selector: Selector, text: str) -> str:
    """Give what is left of a text when it is cut; all of it where it can't be."""
    return part_of_text(selector.cuts, text) or text


def cut_texts(selector: Selector, texts: Iterable[str]) -> list[str]:
    """Give what is left of texts when they are cut; nothing of one that lacks a part between signs which may lack."""
    may_lack = selector.optional and any(cut.sign for cut in selector.cuts)
    is_there = (text for text in texts if not may_lack or part_of_text(selector.cuts, text) is not None)
    return [cut_text(selector, text) for text in is_there]


def marked_text(selector: Selector, text: str) -> str:
    """Give what is left of a text when it is cut, with the marks around it."""
    cut = next((cut for cut in selector.cuts if cut.of(text) is not None), None)
    return text if cut is None or text in selector.words else cut.with_marks(text)
