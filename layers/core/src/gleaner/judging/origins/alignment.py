"""Find the unit of the page that each record comes from, by the values they share, rare ones first."""

import math
import re
from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from gleaner.contracts.ports import JsonValue
from gleaner.schemas.leaves import Leaf, Schema, SchemaViews, iterate_leaves
from gleaner.values.texts.text_index import TextIndex, start_of

Span = tuple[int, int]

_ROW = re.compile(r"^[ \t]*\|.*$", re.MULTILINE)
_RULE = re.compile(r"[ \t]*\|[-| :\t]*")
_ITEM = re.compile(r"^(?:[-*+]|\d{1,6}[.)])[ \t]+.*(?:\n+[ \t]+\S.*)*", re.MULTILINE)
_LEAST_SHARE = 1 / 3
_NESTED_SHARE = 0.75
_CONVINCING = 0.8
_RARE = 64
_OF_INNER = 0.5


def find_text_units(text: str) -> list[Span]:
    """Give the places of table rows (without heads and rules) and of outer list items in a Markdown text.

    >>> find_text_units("|Name|\\n|---|\\n|Ann|\\n\\n- one\\n  more\\n- two")
    [(13, 18), (20, 32), (33, 38)]
    """
    rows = list(_ROW.finditer(text))
    rules = {number for number, row in enumerate(rows) if "-" in row[0] and _RULE.fullmatch(row[0])}
    spans = [row.span() for number, row in enumerate(rows) if number not in rules and number + 1 not in rules]
    spans += [item.span() for item in _ITEM.finditer(text)]
    return sorted(spans)


def is_convincing(numbers: Sequence[int | None]) -> bool:
    """Tell whether nearly all records have a unit, and nearly each one its own."""
    found = [number for number in numbers if number is not None]
    return bool(found) and len(found) >= _CONVINCING * len(numbers) and len(set(found)) >= _CONVINCING * len(found)


def align_records(
    records: Sequence[JsonValue],
    text: str | TextIndex,
    spans: Sequence[Span],
    *,
    schema: Schema | None = None,
) -> list[int | None]:
    """Give for each record the number of the unit it comes from, by the evidence of its values; None for no unit.

    ``schema`` is of one record. Values that few units state weigh most. Units are given out once; a second record
    gets the same one only when it is another record that stands whole in it (nested records). Among equal units
    the first free one after the unit of the record before is taken, so that twins keep the page's order. When the
    records hold nothing to go by (only booleans and enums) and are as many as the units, they go by order.
    """
    if not spans:
        return [None] * len(records)
    index = text if isinstance(text, TextIndex) else TextIndex(text)
    grid = _Grid(index, spans)
    views = SchemaViews(schema)
    claims = _claims(records, grid, views)
    chosen = _Assignment(claims, grid).run()
    return [None if place is None else grid.order[place] for place in chosen]


class _Grid:
    """The units in page order, and for each value the units that state it, as the bits of a number."""

    def __init__(self, index: TextIndex, spans: Sequence[Span]) -> None:
        self.index = index
        self.order = sorted(range(len(spans)), key=lambda number: (spans[number][0], -spans[number][1]))
        self.spans = [spans[number] for number in self.order]
        self.starts = [start for start, _ in self.spans]
        self._known: dict[tuple[type, JsonValue], int] = {}

    def units_of(self, value: JsonValue) -> int:
        key = (type(value), value)
        if key not in self._known:
            self._known[key] = _bits(self.unit_at(match.start) for match in self.index.find(value))
        return self._known[key]

    def unit_at(self, position: int) -> int | None:
        place = bisect_right(self.starts, position) - 1
        return place if place >= 0 and position < self.spans[place][1] else None

    def mentions(self, value: JsonValue, place: int) -> list[int]:
        found = self.index.find(value)
        start, end = self.spans[place]
        return [
            match.start
            for match in found[bisect_left(found, start, key=start_of) : bisect_left(found, end, key=start_of)]
        ]


def _bits(places: Iterable[int | None]) -> int:
    # Bytes first: setting bits of a long integer one by one would copy it each time.
    numbers = {place for place in places if place is not None}
    if not numbers:
        return 0
    buffer = bytearray(max(numbers) // 8 + 1)
    for number in numbers:
        buffer[number // 8] |= 1 << number % 8
    return int.from_bytes(buffer, "little")


def _places(bits: int) -> Iterator[int]:
    """Give the numbers of the bits that are set, rising."""
    if bits.bit_count() <= _RARE:
        while bits:
            lowest = bits & -bits
            yield lowest.bit_length() - 1
            bits ^= lowest
        return
    for number, byte in enumerate(bits.to_bytes((bits.bit_length() + 7) // 8, "little")):
        if byte:
            yield from (number * 8 + bit for bit in range(8) if byte >> bit & 1)


@dataclass(frozen=True, slots=True)
class _Claim:
    """What a record can show: its telling values, the best units and how well they fit, then others by fit.

    Values of its lists that no unit states, since the units are headings, say nothing against any of them.
    """

    values: tuple[JsonValue, ...]
    best: tuple[int, ...] = ()
    share: float = 0.0
    others: tuple[tuple[float, int], ...] = ()


def _claims(records: Sequence[JsonValue], grid: _Grid, views: SchemaViews) -> list[_Claim]:
    """Give the claim of each record; equal records share one, so that many twins cost as much as one."""
    known: dict[tuple[object, ...], _Claim] = {}
    claims: list[_Claim] = []
    for record in records:
        leaves = [leaf for leaf in iterate_leaves(record, views) if _is_telling(leaf)]
        key = tuple(leaf.key for leaf in leaves)
        if key not in known:
            known[key] = _claim([(leaf.value, _OF_INNER if _is_inner(leaf) else 1.0) for leaf in leaves], grid)
        claims.append(known[key])
    return claims


def _is_telling(leaf: Leaf) -> bool:
    return not (leaf.value is None or isinstance(leaf.value, bool) or leaf.is_derived or leaf.choices)


def _is_inner(leaf: Leaf) -> bool:
    """Tell whether a leaf is of an object in a list of the record's, which may have a unit of its own: a reply."""
    return any(isinstance(step, int) for step in leaf.steps[:-1])


def _claim(values: Sequence[tuple[JsonValue, float]], grid: _Grid) -> _Claim:
    evidence: list[tuple[float, int]] = []
    for value, weight in values:
        units = grid.units_of(value)
        rarity = math.log(1 + (1 + len(grid.spans)) / max(1, units.bit_count()))
        telling = 1.5 if isinstance(value, str) and len(value) > 3 else 1.0
        evidence.append((rarity * telling * weight, units))
    total = sum(weight for (weight, units), (_, part) in zip(evidence, values, strict=True) if units or part == 1)
    scores = _scores([(weight, units) for weight, units in evidence if units])
    if not scores:
        return _Claim(tuple(value for value, _ in values))
    ranked = sorted(((score / total, place) for place, score in scores.items()), key=lambda pair: (-pair[0], pair[1]))
    top = ranked[0][0]
    best = tuple(place for share, place in ranked if share > top - 1e-9)
    return _Claim(
        tuple(value for value, _ in values), best, top, tuple(pair for pair in ranked[len(best) : len(best) + _RARE])
    )


def _scores(evidence: Sequence[tuple[float, int]]) -> dict[int, float]:
    """Give the score of each unit worth a look: those of rare values, or those of as many common ones as possible."""
    ordered = sorted(evidence, key=lambda pair: pair[1].bit_count())
    candidates = 0
    for _, units in ordered:
        if units.bit_count() <= _RARE:
            candidates |= units
        elif not candidates:
            candidates = _narrowed([units for _, units in ordered])
    scores: dict[int, float] = {}
    for weight, units in ordered:
        for place in _places(units & candidates):
            scores[place] = scores.get(place, 0.0) + weight
    return scores


def _narrowed(sets: Sequence[int]) -> int:
    common = sets[0]
    for units in sets[1:]:
        common = common & units or common
    return common


class _Assignment:
    """Gives units to claims, the best founded first."""

    def __init__(self, claims: Sequence[_Claim], grid: _Grid) -> None:
        self.claims = claims
        self.grid = grid
        self.chosen: list[int | None] = [None] * len(claims)
        self.owners: dict[int, list[int]] = {}
        self.settled: list[int] = []
        self.free: dict[int, list[int]] = {}
        self.mentioned: dict[tuple[int, int], set[int]] = {}

    def run(self) -> list[int | None]:
        by_certainty = sorted(range(len(self.claims)), key=lambda number: -round(self.claims[number].share, 1))
        for number in by_certainty:
            claim = self.claims[number]
            if claim.best and claim.share >= _LEAST_SHARE:
                self._give(number, self._pick(number, claim))
        self._fill_gaps()
        return self.chosen

    def _give(self, number: int, place: int | None) -> None:
        if place is not None:
            self.chosen[number] = place
            self.owners.setdefault(place, []).append(number)
            insort(self.settled, number)

    def _pick(self, number: int, claim: _Claim) -> int | None:
        place = self._take_free(number, claim)
        if place is not None:
            return place
        if any(self._repeats_one_of(number, place) for place in claim.best[:_RARE]):
            return None
        if claim.share >= _NESTED_SHARE:
            return claim.best[0]
        return next((p for share, p in claim.others if share >= _LEAST_SHARE and p not in self.owners), None)

    def _take_free(self, number: int, claim: _Claim) -> int | None:
        """Take the first free one of the best units between the neighbours' units, else the first free one.

        Each claim keeps its list, and what is taken leaves it when it is met: twins do not look twice.
        """
        free = self.free.setdefault(id(claim), list(claim.best))
        before, after = self._neighbours(number)
        for first, limit in ((bisect_right(free, before), after), (0, len(self.grid.spans))):
            while first < len(free) and free[first] in self.owners:
                del free[first]
            if first < len(free) and free[first] < limit:
                return free.pop(first)
        return None

    def _neighbours(self, number: int) -> tuple[int, int]:
        """Give the units of the records that are settled next before and after this one."""
        place = bisect_left(self.settled, number)
        before = self.chosen[self.settled[place - 1]] if place else None
        after = self.chosen[self.settled[place]] if place < len(self.settled) else None
        return -1 if before is None else before, len(self.grid.spans) if after is None else after

    def _repeats_one_of(self, number: int, place: int) -> bool:
        """Tell whether a record says nothing that an owner of the unit has not said from the same places.

        A unit of countless owners is a line of records, and no unit of one.
        """
        owners = self.owners[place]
        return len(owners) <= _RARE and any(
            self._mentions(number, place) <= self._mentions(owner, place) for owner in owners
        )

    def _mentions(self, number: int, place: int) -> set[int]:
        if (number, place) not in self.mentioned:
            values = self.claims[number].values
            self.mentioned[number, place] = {at for value in values for at in self.grid.mentions(value, place)}
        return self.mentioned[number, place]

    def _fill_gaps(self) -> None:
        """Give records without anything to go by the units between their neighbours', when the counts agree."""
        number = 0
        while number < len(self.claims):
            past = number
            while past < len(self.claims) and not self.claims[past].values:
                past += 1
            if past > number:
                before, after = self._neighbours(number)
                free = [place for place in range(before + 1, after) if place not in self.owners]
                for blank, place in zip(range(number, past), free, strict=False) if len(free) == past - number else ():
                    self._give(blank, place)
            number = max(past, number + 1)
