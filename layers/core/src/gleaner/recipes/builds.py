"""Containers that are built alike, read place by place: what stands at one place of all of them is read at once."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from lxml.html import HtmlElement

from gleaner.recipes.boxes import Box, Once, pieces_of, squeeze, text_of
from gleaner.recipes.pieces import Pieces, are_even, parted


class Build:
    """Containers whose elements have the same tags, classes, marks and numbers of children: a place is one in all.

    ``rows`` are the containers' places among all of the page, ``number`` this build's among the builds.
    """

    def __init__(self, number: int, rows: Sequence[int], boxes: Sequence[Box]) -> None:
        self.number = number
        self.rows = rows
        self.boxes = boxes
        self.sample = boxes[0]
        self._has_stops = any(box.stops for box in boxes)
        self._is_cut_alike = not self._has_stops and all(box.captions is boxes[0].captions for box in boxes)
        self._said: dict[tuple[int, str], list[str | None]] = {}

    @Once
    def _columns(self) -> list[tuple[HtmlElement, ...]]:
        """The elements at each place."""
        return list(zip(*[box.inside for box in self.boxes], strict=True))

    @Once
    def _strings(self) -> tuple[list[Sequence[str]], list[tuple[int, int]]]:
        """The strings of all containers, "" for none, in page order; and which of them are those of each place."""
        columns = self._columns
        strings: list[Sequence[str]] = []
        spans: list[tuple[int, int]] = [(0, 0)] * len(columns)
        open_: list[list[int]] = []
        for place, elements in enumerate(columns):
            open_.append([place, len(elements[0]), len(strings)])
            strings.append([one.text or "" for one in elements])
            while open_ and not open_[-1][1]:
                done, _, start = open_.pop()
                spans[done] = start, len(strings)
                if open_:
                    open_[-1][1] -= 1
                    strings.append([one.tail or "" for one in columns[done]])
        return strings, spans

    def said(self, place: int, attribute: str = "") -> list[str | None]:
        """Give the text of the elements at a place, or their attribute, in each container."""
        key = (place, attribute)
        if key not in self._said:
            elements = self._columns[place]
            if attribute:
                values = [one.get(attribute) for one in elements]
                self._said[key] = [None if value is None else squeeze(value) for value in values]
            else:
                self._said[key] = [*map(text_of, elements)] if self._has_stops else [*self._texts(place)]
        return self._said[key]

    def _texts(self, place: int) -> Sequence[str]:
        strings, spans = self._strings
        start, end = spans[place]
        texts = strings[start] if end == start + 1 else [*map("".join, zip(*strings[start:end], strict=True))]
        return texts if are_even(texts) else [*map(squeeze, texts)]

    @property
    def pieces(self) -> Iterable[Pieces]:
        """The containers' pieces of text, in groups of those whose pieces have the same labels."""
        if not self._is_cut_alike:
            found = pieces_of(self.boxes)
            return [Pieces([self.rows[row] for row in one.rows], one.labels, one.texts) for one in found]
        return parted(self.sample.captions, self.rows, self._strings[0])


def builds_of(boxes: Sequence[Box], marks: Sequence[str], *, by_parent: bool) -> list[Build]:
    """Give containers by how they are built; ``marks`` are attributes that count, ``by_parent`` lets parents do so."""
    sized: dict[tuple[Any, ...], list[int]] = {}
    for row, box in enumerate(boxes):
        head = box.elements[0].getparent() if by_parent else None
        sized.setdefault((len(box.inside), len(box.elements), head), []).append(row)
    builds = [each for rows in sized.values() for each in _alike(boxes, rows, marks)]
    made = [Build(number, rows, [boxes[row] for row in rows]) for number, rows in enumerate(builds)]
    for one in made:
        for box in one.boxes:
            box.build = one.number
    return made


def _alike(boxes: Sequence[Box], rows: list[int], marks: Sequence[str]) -> Iterable[list[int]]:
    """Give the rows, of as many elements each, in groups that are built alike."""
    inside = [boxes[row].inside for row in rows]
    stops = [boxes[row].stops for row in rows]
    features = (found for column in zip(*inside, strict=True) for found in _features(column, stops, marks))
    varied = [found for found in features if found.count(found[0]) < len(found)]
    if not varied:
        return [rows]
    groups: dict[tuple[Any, ...], list[int]] = {}
    for row, build in zip(rows, zip(*varied, strict=True), strict=True):
        groups.setdefault(build, []).append(row)
    return groups.values()


def _features(
    column: Sequence[HtmlElement], stops: Sequence[frozenset[Any]], marks: Sequence[str]
) -> Iterator[list[Any]]:
    """Give what tells whether elements at one place are alike: tags, classes, marks, and numbers of children."""
    yield [one.tag for one in column]
    yield [one.get("class") for one in column]
    if any(stops):
        yield [sum(child not in those for child in one) for one, those in zip(column, stops, strict=True)]
    else:
        yield [*map(len, column)]
    for mark in marks:
        yield [one.get(mark) for one in column]
