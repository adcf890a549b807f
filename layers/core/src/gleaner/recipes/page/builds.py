"""Containers that are built alike, read place by place: what stands at one place of all of them is read at once."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from lxml.html import HtmlElement

from gleaner.recipes.page.boxes import Box, Once, pieces_of, squeeze, text_of
from gleaner.recipes.page.pieces import Pieces, parted, squeezed


class Held:
    """The other records that stand inside of containers, and are no part of them."""

    def __init__(self, boxes: Iterable[Box]) -> None:
        found = frozenset[Any]().union(*{box.stops for box in boxes})
        self.say_nothing = not any((one.tail or "").strip() for one in found)
        """Whether nothing is said right behind them."""
        self._counts = Counter(one.getparent() for one in found)
        self.around = set(self._counts)
        """The elements that they stand in, at any depth."""
        for parent in self._counts:
            for above in () if parent is None else parent.iterancestors():
                if above in self.around:
                    break
                self.around.add(above)

    def children(self, element: HtmlElement) -> int:
        """Give how many children an element has without them."""
        return len(element) - self._counts.get(element, 0)


class Build:
    """Containers whose elements have the same tags, classes, marks and numbers of children: a place is one in all.

    ``rows`` are the containers' places among all of the page, ``number`` this build's among the builds.
    """

    def __init__(self, number: int, rows: Sequence[int], boxes: Sequence[Box], held: Held) -> None:
        self.number = number
        self.rows = rows
        self.boxes = boxes
        self.sample = boxes[0]
        self._held = held
        self._is_cut_alike = held.say_nothing and all(box.captions is boxes[0].captions for box in boxes)
        self._said: dict[tuple[int, str], list[str | None]] = {}

    @Once
    def _columns(self) -> list[tuple[HtmlElement, ...]]:
        """The elements at each place."""
        return list(zip(*[box.inside for box in self.boxes], strict=True))

    @Once
    def _strings(self) -> tuple[list[Sequence[str]], list[tuple[int, int]]]:
        """The strings of all containers, "" for none, in page order; and which of them are those of each place.

        Without those of other records inside, and what stands behind these.
        """
        columns = self._columns
        strings: list[Sequence[str]] = []
        spans: list[tuple[int, int]] = [(0, 0)] * len(columns)
        open_: list[list[int]] = []
        for place, elements in enumerate(columns):
            open_.append([place, self._held.children(elements[0]), len(strings)])
            strings.append([one.text or "" for one in elements])
            while open_ and not open_[-1][1]:
                done, _, start = open_.pop()
                spans[done] = start, len(strings)
                if open_:
                    open_[-1][1] -= 1
                    strings.append([one.tail or "" for one in columns[done]])
        return strings, spans

    @Once
    def _squeezed(self) -> list[Sequence[str]]:
        """The strings with their whitespace collapsed."""
        return [*map(squeezed, self._strings[0])]

    @property
    def strings(self) -> Sequence[Sequence[str]] | None:
        """What stands between the tags of all containers, place by place; None where other records stand inside."""
        return None if self._held.around else self._squeezed

    def said(self, place: int, attribute: str = "") -> list[str | None]:
        """Give the text of the elements at a place, or their attribute, in each container."""
        key = (place, attribute)
        if key not in self._said:
            elements = self._columns[place]
            if attribute:
                values = [one.get(attribute) for one in elements]
                self._said[key] = [None if value is None else squeeze(value) for value in values]
            else:
                self._said[key] = [*self._texts(place)]
        return self._said[key]

    def _texts(self, place: int) -> Sequence[str]:
        if self._held.around and not self._held.around.isdisjoint(self._columns[place]):
            return [*map(text_of, self._columns[place])]
        strings, spans = self._strings
        start, end = spans[place]
        if end == start + 1:
            return self._squeezed[start]
        return squeezed([*map("".join, zip(*strings[start:end], strict=True))])

    @property
    def pieces(self) -> Iterable[Pieces]:
        """The containers' pieces of text, in groups of those whose pieces have the same labels."""
        if not self._is_cut_alike:
            found = pieces_of(self.boxes)
            return [Pieces([self.rows[row] for row in one.rows], one.labels, one.texts) for one in found]
        return parted(self.sample.captions, self.rows, self._squeezed)


def builds_of(boxes: Sequence[Box], marks: Sequence[str], *, by_parent: bool) -> list[Build]:
    """Give containers by how they are built; ``marks`` are attributes that count, ``by_parent`` lets parents do so."""
    sized: dict[tuple[Any, ...], list[int]] = {}
    for row, box in enumerate(boxes):
        head = box.elements[0].getparent() if by_parent else None
        sized.setdefault((len(box.inside), len(box.elements), head), []).append(row)
    held = Held(boxes)
    builds = [
        each for rows in sized.values() for each in _alike([boxes[row].inside for row in rows], rows, held, marks)
    ]
    made = [Build(number, rows, [boxes[row] for row in rows], held) for number, rows in enumerate(builds)]
    for one in made:
        for box in one.boxes:
            box.build = one.number
    return made


def _alike(
    inside: Sequence[Sequence[HtmlElement]], rows: list[int], held: Held, marks: Sequence[str]
) -> Iterable[list[int]]:
    """Give the rows, of as many elements each, in groups that are built alike."""
    features = (found for column in zip(*inside, strict=True) for found in _features(column, held, marks))
    varied = [found for found in features if found.count(found[0]) < len(found)]
    if not varied:
        return [rows]
    groups: dict[tuple[Any, ...], list[int]] = {}
    for row, build in zip(rows, zip(*varied, strict=True), strict=True):
        groups.setdefault(build, []).append(row)
    return groups.values()


def _features(column: Sequence[HtmlElement], held: Held, marks: Sequence[str]) -> Iterator[list[Any]]:
    """Give what tells whether elements at one place are alike: tags, classes, marks, and numbers of children."""
    yield [one.tag for one in column]
    yield [one.get("class") for one in column]
    yield [*map(held.children if held.around else len, column)]
    for mark in marks:
        yield [one.get(mark) for one in column]
