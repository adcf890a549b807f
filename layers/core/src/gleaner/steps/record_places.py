"""Where records stand in a page's Markdown, found by what their containers say: letter by letter, in their order."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from gleaner.ports import JsonValue
from gleaner.units import PlacedUnit, primary_units

Span = tuple[int, int]

_RUN = re.compile(r"[^\W_]+")
_SIGNS = re.compile(r"[^\w\n]*(?=\n|$)")
_UNSAID = re.compile(
    r"!\[[^\]]*\]\([^()\s]*(?:\s\"[^\"]*\")?\)|(?<=\])\([^()\s]*\)|^[ \t]*\d{1,9}[.)](?=[ \t])", re.MULTILINE
)
"""Images, link targets and numbers of list items: Markdown has letters there that no text of the page has."""

_REPEATED = re.compile(r"(?<=\|)(?P<cell>[^|\n]*\w[^|\n]*)\|(?P<again>(?P=cell)(?:\|(?P=cell))*)(?=\|)")
"""A cell over several columns: Markdown says it in each."""


@dataclass(frozen=True, slots=True)
class RecordPlaces:
    """The place of each record, and the positions of the units that are the records."""

    places: list[Span]
    answered: list[int]


def find_places(
    texts: Sequence[str], records: Sequence[JsonValue], markdown: str, units: Sequence[PlacedUnit]
) -> RecordPlaces | None:
    """Give where each record's text stands, one after the other, and its unit; None when one of them has none.

    A record without a unit of its own takes all main ones in its place. When these are more than it has objects, one
    of them gave nothing, and there is no answer.
    """
    for said in _readings(markdown):
        found = said.find_all(texts)
        if found is not None:
            return _with_units(found, said, records, markdown, units)
    return None


def _readings(markdown: str) -> list["_Said"]:
    unsaid = [match.span() for match in _UNSAID.finditer(markdown)]
    repeated = [match.span("again") for match in _REPEATED.finditer(markdown)]
    plain = _Said.of(markdown, unsaid)
    return [plain, _Said.of(markdown, sorted([*unsaid, *repeated]))] if repeated else [plain]


@dataclass(frozen=True, slots=True)
class _Said:
    """The letters and digits of a Markdown; where its runs of them begin in it, and among the letters."""

    letters: str
    starts: list[int]
    ends: list[int]
    borders: list[int]

    @classmethod
    def of(cls, markdown: str, unsaid: Sequence[Span]) -> "_Said":
        """Read a Markdown without what no text of the page says."""
        ends = [end for _, end in unsaid]
        kept: list[re.Match[str]] = []
        for match in _RUN.finditer(markdown):
            at = bisect_left(ends, match.end())
            if at == len(unsaid) or match.start() < unsaid[at][0]:
                kept.append(match)
        return cls(
            "".join(match[0] for match in kept),
            [match.start() for match in kept],
            [match.end() for match in kept],
            [0, *accumulate(len(match[0]) for match in kept)],
        )

    def find_all(self, texts: Sequence[str]) -> list[Span] | None:
        """Give the place of each text among the letters; None when one has none behind the one before."""
        found: list[Span] = []
        after = 0
        for text in ("".join(_RUN.findall(text)) for text in texts):
            at = self.letters.find(text, after) if text else -1
            while at >= 0 and not (self._is_border(at) and self._is_border(at + len(text))):
                at = self.letters.find(text, at + 1)
            if at < 0:
                return None
            after = at + len(text)
            found.append((at, after))
        return found

    def _is_border(self, place: int) -> bool:
        return self.borders[bisect_left(self.borders, place)] == place

    def before(self, offset: int) -> int:
        """Give how many letters stand before an offset of the Markdown."""
        at = bisect_right(self.starts, offset) - 1
        return 0 if at < 0 else self.borders[at] + min(max(0, offset - self.starts[at]), self._length(at))

    def _length(self, run: int) -> int:
        return self.borders[run + 1] - self.borders[run]

    def span(self, place: Span, markdown: str) -> Span:
        """Give the offsets of a place, with the bullets, pipes and emphasis around it in its lines."""
        start = self.starts[bisect_left(self.borders, place[0])]
        end = self.ends[bisect_left(self.borders, place[1]) - 1]
        line = markdown.rfind("\n", 0, start) + 1
        after = _SIGNS.match(markdown, end)
        return line if not _RUN.search(markdown[line:start]) else start, after.end() if after else end


def _with_units(
    found: Sequence[Span], said: _Said, records: Sequence[JsonValue], markdown: str, units: Sequence[PlacedUnit]
) -> RecordPlaces | None:
    held = [(said.before(unit.start), said.before(unit.end)) for unit in units]
    own = {place: unit for unit, place in zip(units, held, strict=True)}
    places = [(own[one].start, own[one].end) if one in own else said.span(one, markdown) for one in found]
    if all(one in own for one in found):
        every = set(found)
        return RecordPlaces(places, [number for number, place in enumerate(held) if place in every])
    primary = {id(unit) for unit in primary_units(units)}
    starts = [start for start, _ in found]
    inside: list[list[int]] = [[] for _ in found]
    for number, (unit, place) in enumerate(zip(units, held, strict=True)):
        at = bisect_right(starts, place[0]) - 1
        if at >= 0 and place[1] <= found[at][1] and id(unit) in primary:
            inside[at].append(number)
    if not all(within and len(within) <= _objects_in(one) for within, one in zip(inside, records, strict=True)):
        return None
    return RecordPlaces(places, [number for within in inside for number in within])


def _objects_in(value: JsonValue) -> int:
    parts = value if isinstance(value, list) else list(value.values()) if isinstance(value, dict) else []
    return isinstance(value, dict) + sum(_objects_in(part) for part in parts)
