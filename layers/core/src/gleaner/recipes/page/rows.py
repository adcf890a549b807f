"""The containers of a page, read column by column: what is alike in many of them is worked out once."""

from collections.abc import Sequence

from lxml import etree

from gleaner.recipes.guards.advertisements import Said
from gleaner.recipes.model import FieldSelector
from gleaner.recipes.page.boxes import Box, Once, as_label, pieces_of
from gleaner.recipes.page.builds import Build, builds_of
from gleaner.recipes.page.pieces import Pieces
from gleaner.recipes.selectors.finders import mark_of
from gleaner.recipes.selectors.readers import NOWHERE, TOO_MANY, UNKNOWN, Reader
from gleaner.recipes.texts.decoding import NO_VALUES, Cell

_SPANNING = etree.XPath("boolean(//@colspan|//@rowspan)")

Places = tuple[int, ...]
"""The place of a selector's element for each way in which containers are built; negative when it has none."""


class Rows:
    """Containers, with what is read in them by ``selectors``."""

    def __init__(self, boxes: Sequence[Box], selectors: Sequence[FieldSelector]) -> None:
        self.boxes = boxes
        self._builds = _builds(boxes, selectors)
        self._labels: dict[tuple[int, int], frozenset[str]] = {}
        self._columns: dict[tuple[int, str, Places], list[Cell]] = {}
        self._texts: dict[tuple[str, Places], list[str | None]] = {}

    @Once
    def pieces(self) -> list[Pieces]:
        """The containers' pieces of text, in groups of those whose pieces have the same labels."""
        if not self._builds:
            return pieces_of(self.boxes)
        return [pieces for one in self._builds for pieces in one.pieces]

    @property
    def said(self) -> list[Said] | None:
        """What the containers say; None where they are looked at one by one."""
        said = [(one.boxes, strings) for one in self._builds if (strings := one.strings) is not None]
        return said if said and len(said) == len(self._builds) else None

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
            for pieces in self.pieces:
                at = [at for at, row in enumerate(pieces.rows) if type(known[row]) in NO_VALUES]
                rows = [pieces.rows[each] for each in at]
                lacking = Pieces(rows, pieces.labels, [[texts[each] for each in at] for texts in pieces.texts])
                for row, cell in zip(rows, reader.cells(lacking), strict=True) if rows else ():
                    column[row] = cell
        return column

    def _by_pieces(self, reader: Reader) -> list[Cell]:
        column: list[Cell] = [None] * len(self.boxes)
        for pieces in self.pieces:
            for row, cell in zip(pieces.rows, reader.cells(pieces), strict=True):
                column[row] = cell
        return column

    def _places(self, reader: Reader) -> Places | None:
        """Give the places of a selector that goes by how containers are built; None when each is to be looked at."""
        if not self._builds or not (reader.goes_by_build or reader.goes_by_neighbour):
            return None
        if reader.goes_by_build:
            places = tuple([reader.place(build.sample) for build in self._builds])
        else:
            places = tuple([self._place_beside(reader.selector, build) for build in self._builds])
        return None if UNKNOWN in places else places

    def _place_beside(self, selector: FieldSelector, build: Build) -> int:
        """Give the place of the element after a text in all containers of a build; UNKNOWN where they differ."""
        sample = build.sample
        found: list[int] = []
        for node in sample.by_tag.get(selector.tag, ()):
            if (before := node.getprevious()) is not None:
                said = self._labels_at(build, sample.places.get(before, UNKNOWN))
                if not said or (selector.value in said and len(said) > 1):
                    return UNKNOWN
                if selector.value in said:
                    found.append(sample.places[node])
        return NOWHERE if not found else TOO_MANY if len(found) > 1 else found[0]

    def _labels_at(self, build: Build, place: int) -> frozenset[str]:
        """Give all that the elements at a place say in the containers of a build, as labels; nothing of no place."""
        if place < 0:
            return frozenset()
        key = (build.number, place)
        if key not in self._labels:
            self._labels[key] = frozenset(as_label(text) for text in {*build.said(place)} if text is not None)
        return self._labels[key]

    def _column(self, reader: Reader, places: Places) -> list[Cell]:
        decoded = reader.decoded
        texts = self._texts_at(reader.selector.attribute, places)
        decoded.fill(text for text in texts if text is not None)
        column: list[Cell] = [None if text is None else decoded[text] for text in texts]
        for build, place in zip(self._builds, places, strict=True):
            for row in build.rows if place == TOO_MANY else ():
                column[row] = reader.cell(self.boxes[row])
        return column

    def _texts_at(self, attribute: str, places: Places) -> list[str | None]:
        key = (attribute, places)
        if key not in self._texts:
            texts: list[str | None] = [None] * len(self.boxes)
            for build, place in zip(self._builds, places, strict=True):
                for row, text in zip(build.rows, build.said(place, attribute), strict=True) if place >= 0 else ():
                    texts[row] = text
            self._texts[key] = texts
        return self._texts[key]


def _builds(boxes: Sequence[Box], selectors: Sequence[FieldSelector]) -> list[Build]:
    """Give the ways in which containers are built, as far as these selectors see; none of one container."""
    if len(boxes) <= 1:
        return []
    marks = dict.fromkeys(name for one in selectors if (name := mark_of(one)) not in ("", "class"))
    by_column = any(one.kind == "column" for one in selectors)
    if by_column and _SPANNING(boxes[0].elements[0].getroottree()):
        marks |= {"colspan": None, "rowspan": None}
    return builds_of(boxes, [*marks], by_parent=by_column)
