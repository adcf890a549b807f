"""Find records in a page's Markdown by the text of their containers."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from gleaner.contracts.ports import JsonValue
from gleaner.units import PlacedUnit, primary_units
from gleaner.wrappers.replaying import IMAGE_TEXT

Span = tuple[int, int]

_RUN = re.compile(r"[^\W_]+")
_SIGNS = re.compile(r"[^\w\n]*(?=\n|$)")
_TITLE = re.compile(r"(#{1,6})[ \t]+[^\n]+")
_UNSAID = re.compile(
    r"!\[[^\]]*\]\([^()\s]*(?:\s\"[^\"]*\")?\)|(?<=\])\([^()\s]*\)|^[ \t]*\d{1,9}[.)](?=[ \t])", re.MULTILINE
)
"""Images, link targets and numbers of list items: Markdown has letters there that no text of the page has."""

_REPEATED = re.compile(r"(?<=\|)(?P<cell>[^|\n]*\w[^|\n]*)\|(?P<again>(?P=cell)(?:\|(?P=cell))*)(?=\|)")
"""A cell over several columns: Markdown says it in each."""


@dataclass(frozen=True, slots=True)
class RecordPlaces:
    """The place of each record, and the positions of the units that the records answer.

    ``rows`` holds, for each group of units that records are, the unit of each record; ``others`` are units of such
    groups, and main ones like those inside records, that neither stand in a record nor hold one, ``titles`` headings
    above records.
    """

    places: list[Span]
    answered: list[int]
    rows: list[list[int | None]] = field(default_factory=list[list[int | None]])
    others: frozenset[int] = frozenset()
    titles: list[int] = field(default_factory=list[int])


def find_places(
    texts: Sequence[str], records: Sequence[JsonValue], markdown: str, units: Sequence[PlacedUnit]
) -> RecordPlaces | None:
    """Give where each record's text stands, one after the other, with the records' units; None when one has no place.

    Units of their own; or where a record has none, all main ones in the places. No unit is a record's when a record has
    more of those than objects, so that one of them gave nothing, or has none and does not say all that stands there.
    Texts of images stand in the Markdown, or none does.
    """
    for said in _readings(markdown):
        for spoken in (texts, [IMAGE_TEXT.sub("", text) for text in texts]):
            found = said.find_all(spoken)
            if found is not None:
                return _with_units(found, said, records, markdown, units)
    return None


_FEWEST_RUNS = 3


@dataclass(frozen=True, slots=True)
class Account:
    """Where records stand, the units that are records or hold some, further units inside records, and those outside.

    ``counts`` says how many units each record has, ``outside`` has the letters of each unit.
    """

    places: list[Span]
    answered: list[int]
    inside: list[int]
    outside: dict[int, str]
    counts: list[int]

    @property
    def most(self) -> int:
        """How many units one record has at most."""
        return max(self.counts, default=0)


def account_for(
    texts: Sequence[str], markdown: str, units: Sequence[PlacedUnit], *, are_runs: bool = False
) -> Account | None:
    """Tell which main units (or else the likeliest) are inside of records, hold records, or neither; None in doubt.

    A record without a unit that is in it, or that it is in, can't be found either: it may be an advertisement. With
    ``are_runs`` nothing ends a record but the next one's beginning: then all must have the same number of units, or one
    may have swallowed another record; and what the last one has more than the others is outside.
    """
    primary = {id(unit) for unit in primary_units(units) or [unit for unit in units if unit.group == 0]}
    for said in _readings(markdown):
        found = said.find_all(texts)
        if found is not None:
            held = [(said.before(one.start), said.before(one.end)) for one in units]
            places = {number: held[number] for number, unit in enumerate(units) if id(unit) in primary}
            return _account(found, places, said, markdown, are_runs=are_runs)
    return None


def _account(
    found: Sequence[Span], units: Mapping[int, Span], said: "_Said", markdown: str, *, are_runs: bool
) -> Account | None:
    starts = [start for start, _ in found]
    own: list[list[int]] = [[] for _ in found]
    around: list[list[int]] = [[] for _ in found]
    outside: dict[int, str] = {}
    for number, (start, end) in units.items():
        first, last = bisect_right(starts, start) - 1, bisect_left(starts, end)
        if first >= 0 and end <= found[first][1]:
            own[first].append(number)
        elif held := [at for at in range(max(0, first), last) if start <= found[at][0] and found[at][1] <= end]:
            for at in held:
                around[at].append(number)
        else:
            outside[number] = said.letters[start:end]
    if are_runs:
        size = len(own[0])
        outside |= {number: said.letters[slice(*units[number])] for number in own[-1][size:]}
        own[-1] = own[-1][:size]
        if len(found) < _FEWEST_RUNS or any(len(within) != size for within in own):
            return None
    if not all(within or holders for within, holders in zip(own, around, strict=True)):
        return None
    answered = {number for within, holders in zip(own, around, strict=True) for number in (*within[:1], *holders)}
    inside = sorted({number for within in own for number in within} - answered)
    places = [said.span(one, markdown) for one in found]
    return Account(places, sorted(answered), inside, outside, [*map(len, own)])


@dataclass(frozen=True, slots=True)
class Sections:
    """Records that are each one unit: their places and units; the main units that begin inside, by their titles."""

    places: list[Span]
    answered: list[int]
    inside: dict[int, str]


def find_sections(texts: Sequence[str], markdown: str, units: Sequence[PlacedUnit]) -> Sections | None:
    """Give records that are units of one group, though not of the likeliest: sections that have sections inside.

    None where a main unit begins inside of a record and not with a title: that may be a record.
    """
    primary = {id(unit) for unit in primary_units(units)}
    for said in _readings(markdown):
        found = said.find_all(texts)
        held = [(said.before(unit.start), said.before(unit.end)) for unit in units] if found else []
        answered = _section_units(found, held, units) if found else None
        if found and answered:
            places = [said.span(one, markdown) for one in found]
            titles = {number: _TITLE.match(markdown, units[number].start) for number in _begun(units, places, primary)}
            return None if None in titles.values() else Sections(places, answered, _letters_of(titles))
    return None


def _section_units(found: Sequence[Span], held: Sequence[Span], units: Sequence[PlacedUnit]) -> list[int] | None:
    """Give the units of a group that the records are; the last section of a page goes on to what stands below it."""
    for group, row in _own_units(found, held, units).items():
        *others, last = row
        begun = (at for at, unit in enumerate(units) if unit.group == group and held[at][0] == found[-1][0])
        whole = [*others, next(begun, None) if last is None else last]
        answered = [number for number in whole if number is not None]
        if len(answered) == len(found):
            return answered
    return None


def _begun(units: Sequence[PlacedUnit], places: Sequence[Span], primary: Container[int]) -> list[int]:
    """Give the main units that begin inside of a place, after its beginning."""
    starts = [start for start, _ in places]
    homes = [bisect_left(starts, unit.start) - 1 for unit in units]
    pairs = enumerate(zip(homes, units, strict=True))
    return [at for at, (home, unit) in pairs if id(unit) in primary and home >= 0 and unit.start < places[home][1]]


def _letters_of(titles: Mapping[int, re.Match[str] | None]) -> dict[int, str]:
    return {number: "".join(_RUN.findall(title[0])) for number, title in titles.items() if title}


def _readings(markdown: str) -> list["_Said"]:
    """Read the Markdown with cells over several columns said once, as the page says them; then as it stands."""
    unsaid = [match.span() for match in _UNSAID.finditer(markdown)]
    repeated = [match.span("again") for match in _REPEATED.finditer(markdown)]
    plain = _Said.of(markdown, unsaid)
    return [_Said.of(markdown, sorted([*unsaid, *repeated])), plain] if repeated else [plain]


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
) -> RecordPlaces:
    held = [(said.before(unit.start), said.before(unit.end)) for unit in units]
    own = {place: unit for unit, place in zip(units, held, strict=True)}
    places = [(own[one].start, own[one].end) if one in own else said.span(one, markdown) for one in found]
    homes = _homes(found, held)
    inside: list[list[int]] = [[] for _ in found]
    primary = {id(unit) for unit in primary_units(units)}
    main = [number for number, unit in enumerate(units) if id(unit) in primary]
    for number in main:
        if (home := homes[number]) is not None:
            inside[home].append(number)
    rows = _own_units(found, held, units)
    groups = {units[number].group for within in inside for number in within}.union(rows)
    level = min((len(title[1]) for start, _ in places if (title := _TITLE.match(markdown, start))), default=0)
    others = {
        at
        for at, unit in enumerate(units)
        if unit.group in groups and homes[at] is None and not _holds(held[at], found)
    }
    titles = {at for at in others if _is_above(markdown[units[at].start : units[at].end], level)}
    if all(one in own for one in found):
        answered = sorted({number for row in rows.values() for number in row if number is not None})
    elif all(
        len(within) <= _objects_in(one) and (within or _says_all(one, said.letters[slice(*place)]))
        for within, one, place in zip(inside, records, found, strict=True)
    ):
        answered = [number for within in inside for number in within]
    else:
        answered = []
    return RecordPlaces(places, answered, list(rows.values()), frozenset(others - titles), sorted(titles))


def _own_units(found: Sequence[Span], held: Sequence[Span], units: Sequence[PlacedUnit]) -> dict[int, list[int | None]]:
    """Give by group the unit that is each record."""
    rows: dict[int, list[int | None]] = {}
    numbers = {place: number for number, place in enumerate(found)}
    for at, (unit, place) in enumerate(zip(units, held, strict=True)):
        if place in numbers:
            rows.setdefault(unit.group, [None] * len(found))[numbers[place]] = at
    return rows


def _homes(found: Sequence[Span], held: Sequence[Span]) -> list[int | None]:
    """Give for each unit the place that it lies in, if any."""
    starts = [start for start, _ in found]
    homes: list[int | None] = []
    for start, end in held:
        at = bisect_right(starts, start) - 1
        homes.append(at if at >= 0 and end <= found[at][1] else None)
    return homes


def _holds(piece: Span, places: Sequence[Span]) -> bool:
    """Tell whether a piece is a record and more: the last section of a page goes on to what stands below it."""
    at = bisect_left(places, piece[0], key=lambda place: place[0])
    return at < len(places) and places[at][1] <= piece[1]


def _is_above(text: str, level: int) -> bool:
    """Tell whether a piece is a heading alone, above those that records begin with: the title of a group of them."""
    title = _TITLE.fullmatch(text.strip())
    return title is not None and len(title[1]) < level


def _says_all(record: JsonValue, letters: str) -> bool:
    """Tell whether a record without items is all that its container says."""
    if _objects_in(record) != 1 or not isinstance(record, dict):
        return False
    for value in record.values():
        letters = letters.replace("".join(_RUN.findall(str(value))), "", 1) if isinstance(value, str) else letters
    return not letters


def _objects_in(value: JsonValue) -> int:
    parts = value if isinstance(value, list) else list(value.values()) if isinstance(value, dict) else []
    return isinstance(value, dict) + sum(_objects_in(part) for part in parts)
