"""Where each field stands in the records of a short list: behind which label, in which cell, in which part of a line.

Where all other records have a field in one such part, and a record's value of it is taken from another field's, or from
beside the list, while its own part says something that no field of the record says, the value is refused. Two records
beside it are enough, since all of them agree and the record itself says otherwise.
"""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from gleaner.grounding.entries import is_context
from gleaner.grounding.leaves import Leaf
from gleaner.grounding.regions import Span
from gleaner.grounding.text.spellings import Field
from gleaner.grounding.text.text_index import Match, TextIndex, within

_LEAST = 2
_MOST = 12
_MARK = re.compile(r"[ \t]*(?:[-*+>]|\d{1,3}[.)])?[ \t]*")
_PARTS = re.compile(r"(?<!\\)\||[ ][·•][ ]|[·•]")
_LABEL = re.compile(r"[ *_]*([^\W\d_][^:：\n|]{1,38}?)[*_ ]*[:：]")
_HEADING = re.compile(r"#{1,6} ")


class Part(NamedTuple):
    """A part of a record's place: its key, which is a label or its number among so many, and its offsets."""

    key: tuple[str | int, ...]
    start: int
    end: int


class Segments:
    """The parts of the places of a few records, and the one that each field has in all of them but one."""

    def __init__(
        self,
        records: Mapping[int, Sequence[Leaf]],
        spans: Sequence[Span | None],
        index: TextIndex,
    ) -> None:
        self._index = index
        known = {number: span for number, span in enumerate(spans) if span is not None and number in records}
        self._leaves = {
            number: [leaf for leaf in own if _is_single(leaf)] for number, own in records.items() if number in known
        }
        is_short = _LEAST < len(known) <= _MOST
        self._parts = {number: list(parts_of(index.text, span)) for number, span in known.items()} if is_short else {}

    def refuted(self, found: Mapping[str, Match]) -> set[str]:
        """Give the pointers of values that are not where all other records have them, though something stands there."""
        usual = self._usual(found)
        return {
            leaf.pointer
            for number, parts in self._parts.items()
            for leaf in self._leaves[number]
            if leaf.pointer in found and self._is_displaced(leaf, number, parts, usual, found)
        }

    def _usual(self, found: Mapping[str, Match]) -> dict[Field, dict[int, tuple[str | int, ...]]]:
        """Give the parts of the fields, by record."""
        usual: dict[Field, dict[int, tuple[str | int, ...]]] = {}
        for number, parts in self._parts.items():
            for leaf in self._leaves[number]:
                part = part_at(parts, found[leaf.pointer].start) if self._is_inside(leaf, parts, found) else None
                if part is not None:
                    usual.setdefault(leaf.field, {})[number] = part.key
        return usual

    def _is_inside(self, leaf: Leaf, parts: Sequence[Part], found: Mapping[str, Match]) -> bool:
        match = found.get(leaf.pointer)
        return match is not None and match.source == "markdown" and part_at(parts, match.start) is not None

    def _is_displaced(
        self,
        leaf: Leaf,
        number: int,
        parts: Sequence[Part],
        usual: Mapping[Field, Mapping[int, tuple[str | int, ...]]],
        found: Mapping[str, Match],
    ) -> bool:
        others = [key for record, key in usual.get(leaf.field, {}).items() if record != number]
        if len(others) < _LEAST or len(set(others)) > 1 or usual[leaf.field].get(number) == others[0]:
            return False
        own = next((part for part in parts if part.key == others[0]), None)
        if own is None or not self._is_free(leaf, own, number, found):
            return False
        match = found[leaf.pointer]
        if is_context(match):
            return all(len(self._parts[record]) == len(parts) for record in usual[leaf.field])
        return any(
            other is not leaf
            and (its := found.get(other.pointer)) is not None
            and its.start < match.end
            and match.start < its.end
            for other in self._leaves[number]
        )

    def _is_free(self, leaf: Leaf, part: Part, number: int, found: Mapping[str, Match]) -> bool:
        """Tell whether a part says something of a value's kind, and nothing that the record's values are."""
        said = self._index.text[part.start : part.end]
        if not leaf.may_be_said_in(said) or within(self._index.find(leaf.value), (part.start, part.end)):
            return False
        matches = (found.get(one.pointer) for one in self._leaves[number] if one is not leaf)
        return not any(one is not None and part.start <= one.start < part.end for one in matches)


def parts_of(text: str, span: Span) -> list[Part]:
    """Give the parts of a place: the cells of a row, else what a dot in the middle of a line parts.

    >>> [part.key for part in parts_of("## Oslo\\n\\nArea: 5 · wet", (0, 21))]
    [('#',), ('area',), (2, 1, 2)]
    """
    lines = [(start, end) for start, end in _lines(text, span) if text[start:end].strip(" |-:")]
    parts: list[Part] = []
    for number, (start, end) in enumerate(lines, start=1):
        begin = _MARK.match(text, start, end)
        pieces = _pieces(text, begin.end() if begin else start, end)
        for at, (first, last) in enumerate(pieces):
            labelled = _LABEL.match(text, first, last)
            key: tuple[str | int, ...] = (number, at, len(pieces))
            if labelled:
                key = (labelled[1].casefold(),)
            elif _HEADING.match(text, first, last):
                key = ("#",)
            parts.append(Part(key, first, last))
    return parts


def part_at(parts: Sequence[Part], place: int) -> Part | None:
    """Give the part that a place lies in."""
    return next((part for part in parts if part.start <= place < part.end), None)


def _lines(text: str, span: Span) -> list[Span]:
    start, lines = span[0], list[Span]()
    while start < span[1]:
        end = text.find("\n", start, span[1])
        end = span[1] if end < 0 else end
        lines.append((start, end))
        start = end + 1
    return lines


def _pieces(text: str, start: int, end: int) -> list[Span]:
    borders = [(start, start), *(match.span() for match in _PARTS.finditer(text, start, end)), (end, end)]
    pieces = [(one[1], other[0]) for one, other in pairwise(borders)]
    return pieces if text[start:end].count("|") > 1 else [one for one in pieces if one[0] < one[1]]


def _is_single(leaf: Leaf) -> bool:
    return leaf.is_open and leaf.value is not None and leaf.field.count("*") <= 1
