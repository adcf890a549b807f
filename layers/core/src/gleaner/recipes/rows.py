"""The containers of a page, read column by column: what is alike in many of them is worked out once."""

from collections.abc import Iterable, Sequence
from itertools import repeat
from typing import Any

from lxml import etree

from gleaner.recipes.boxes import Box, as_label, squeeze, text_of
from gleaner.recipes.decoding import NO_VALUES, Cell
from gleaner.recipes.finders import mark_of
from gleaner.recipes.model import FieldSelector
from gleaner.recipes.pieces import Cutter, Layout, Pieces
from gleaner.recipes.readers import NOWHERE, TOO_MANY, UNKNOWN, Reader

_SPANNING = etree.XPath("boolean(//@colspan|//@rowspan)")

Places = tuple[int, ...]
"""The place of a selector's element for each way in which containers are built; negative when it has none."""


class Rows:
    """Containers, with what is read in them by ``selectors``."""

    def __init__(self, boxes: Sequence[Box], selectors: Sequence[FieldSelector]) -> None:
        self.boxes = boxes
        self._builds = _builds(boxes, selectors)
        self._built: dict[int, list[Box]] = {}
        for build, box in zip(self._builds, boxes, strict=True):
            self._built.setdefault(build, []).append(box)
        self._said: dict[tuple[int, int, str], list[str | None]] = {}
        self._labels: dict[tuple[int, int], frozenset[str]] = {}
        self._columns: dict[tuple[int, str, Places], list[Cell]] = {}
        self._texts: dict[tuple[str, Places], list[str | None]] = {}
        self._pieces: list[Pieces] = []

    def column(self, reader: Reader) -> list[Cell]:
        """Give the value in each container, UNREAD where something else stands.

        The very same list for readers that read the same places alike.
        """
        if reader.goes_by_pieces and not reader.selector.many:
            return self._by_pieces(reader)
        places = self._places(reader)
        if places is None:
            return reader.column(self.boxes)
        if TOO_MANY in places:
            return self._column(reader, places)
        key = (id(reader.decoded), reader.selector.attribute, places)
        if key not in self._columns:
            self._columns[key] = self._column(reader, places)
        return self._columns[key]

    def completed(self, known: Sequence[Cell], reader: Reader) -> list[Cell]:
        """Give the values that are known, and those that a reader by pieces finds in the containers without one."""
        column = list(known)
        if not NO_VALUES.isdisjoint(map(type, known)):
            lacking = [row for row, cell in enumerate(known) if type(cell) in NO_VALUES]
            for pieces in alike([self.boxes[row] for row in lacking]):
                for at, cell in zip(pieces.rows, reader.cells(pieces), strict=True):
                    column[lacking[at]] = cell
        return column

    def _by_pieces(self, reader: Reader) -> list[Cell]:
        self._pieces = self._pieces or alike(self.boxes)
        column: list[Cell] = [None] * len(self.boxes)
        for pieces in self._pieces:
            for row, cell in zip(pieces.rows, reader.cells(pieces), strict=True):
                column[row] = cell
        return column

    def _places(self, reader: Reader) -> Places | None:
        """Give the places of a selector that goes by how containers are built; None when each is to be looked at."""
        if len(self.boxes) == 1 or not (reader.goes_by_build or reader.goes_by_neighbour):
            return None
        if reader.goes_by_build:
            places = tuple([reader.place(boxes[0]) for boxes in self._built.values()])
        else:
            places = tuple([self._place_beside(reader.selector, build) for build in self._built])
        return None if UNKNOWN in places else places

    def _place_beside(self, selector: FieldSelector, build: int) -> int:
        """Give the place of the element after a text in all containers of a build; UNKNOWN where they differ."""
        sample = self._built[build][0]
        found: list[int] = []
        for node in sample.by_tag.get(selector.tag, ()):
            if (before := node.getprevious()) is not None:
                said = self._labels_at(build, sample.places.get(before, UNKNOWN))
                if not said or (selector.value in said and len(said) > 1):
                    return UNKNOWN
                if selector.value in said:
                    found.append(sample.places[node])
        return NOWHERE if not found else TOO_MANY if len(found) > 1 else found[0]

    def _said_at(self, build: int, place: int, attribute: str = "") -> list[str | None]:
        """Give the text of the elements at a place, or their attribute, in each container of a build."""
        key = (build, place, attribute)
        if key not in self._said:
            elements = [box.inside[place] for box in self._built[build]]
            values = [one.get(attribute) for one in elements] if attribute else []
            texts = [None if value is None else squeeze(value) for value in values]
            self._said[key] = texts if attribute else list(map(text_of, elements))
        return self._said[key]

    def _labels_at(self, build: int, place: int) -> frozenset[str]:
        """Give all that the elements at a place say in the containers of a build, as labels; nothing of no place."""
        if place < 0:
            return frozenset()
        if (build, place) not in self._labels:
            texts = set(self._said_at(build, place))
            self._labels[build, place] = frozenset(as_label(text) for text in texts if text is not None)
        return self._labels[build, place]

    def _column(self, reader: Reader, places: Places) -> list[Cell]:
        decoded = reader.decoded
        texts = self._texts_at(reader.selector.attribute, places)
        column: list[Cell] = [None if text is None else decoded[text] for text in texts]
        if TOO_MANY not in places:
            return column
        rows = zip(self.boxes, self._builds, column, strict=True)
        return [reader.cell(box) if places[build] == TOO_MANY else cell for box, build, cell in rows]

    def _texts_at(self, attribute: str, places: Places) -> list[str | None]:
        key = (attribute, places)
        if key not in self._texts:
            said = [
                iter(self._said_at(build, place, attribute)) if place >= 0 else repeat(None)
                for build, place in enumerate(places)
            ]
            self._texts[key] = [next(said[build]) for build in self._builds]
        return self._texts[key]


def alike(boxes: Sequence[Box]) -> list[Pieces]:
    """Give the containers in groups whose pieces have the same labels."""
    groups: dict[tuple[int, Layout], tuple[Cutter, list[int], list[Sequence[str]]]] = {}
    for row, box in enumerate(boxes):
        cutter = box.captions
        layout, texts = box.cuts
        _, rows, found = groups.setdefault((id(cutter), layout), (cutter, [], []))
        rows.append(row)
        found.append(texts)
    return [
        Pieces(rows, cutter.labels(layout), list(zip(*found, strict=True)))
        for (_, layout), (cutter, rows, found) in groups.items()
    ]


def _builds(boxes: Sequence[Box], selectors: Sequence[FieldSelector]) -> list[int]:
    """Number the ways in which containers are built, as far as these selectors see.

    Containers of one number have every element that selectors find at the same place.
    """
    if len(boxes) <= 1:
        return [0] * len(boxes)
    marks = dict.fromkeys(name for one in selectors if (name := mark_of(one)) not in ("", "class"))
    by_column = any(one.kind == "column" for one in selectors)
    if by_column and _SPANNING(boxes[0].elements[0].getroottree()):
        marks |= {"colspan": None, "rowspan": None}
    builds: dict[tuple[Any, ...], int] = {}
    for box in boxes:
        head = (box.elements[0].getparent(),) if by_column else ()
        box.build = builds.setdefault((*head, *_build(box, marks)), len(builds))
    return [box.build or 0 for box in boxes]


def _build(box: Box, marks: Iterable[str]) -> list[Any]:
    """Give the tags of a container's elements, their classes and marks, and how many children each has."""
    inside, stops = box.inside, box.stops
    build: list[Any] = [node.tag for node in inside]
    build += [node.get("class") for node in inside]
    build += [sum([child not in stops for child in node]) for node in inside] if stops else map(len, inside)
    for mark in marks:
        build += [node.get(mark) for node in inside]
    return build
