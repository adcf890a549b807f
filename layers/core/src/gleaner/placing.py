"""Where records stand among the units of a text: the only alignment of records with units that there is (EX-10).

``align_records`` finds units by the values that records share with them, rare ones first: for bare answers (LB-2), and
for records that name no unit, or a wrong one. ``Placing`` looks records up in one chunk, and gives each its unit: the
one that it names, unless that says little of it or another one states at least two more of its values.
"""

import math
import re
from bisect import bisect_left, bisect_right, insort
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from gleaner.contracts.ports import JsonValue
from gleaner.page.blocks import blocks_of
from gleaner.schemas.leaves import Leaf, Schema, SchemaViews, iterate_leaves
from gleaner.values.texts.text_index import TextIndex, start_of

Span: TypeAlias = tuple[int, int]
Standing: TypeAlias = Literal["inside", "around", "before", "elsewhere", "nowhere"]
"""Where a value stands: in its record's unit · outside of all units · in the text before the chunk · only in other
units · nowhere at all."""

_LEAST_SHARE = 1 / 3
_NESTED_SHARE = 0.75
_CONVINCING = 0.8
_RARE = 64
_OF_INNER = 0.5
_MORE = 2
"""So many values more another unit must state than the one that a record names: a model that read the page is right
49 times in 50."""

_ADDRESS = re.compile(r"(?:https?://|mailto:|tel:|\.{0,2}/)\S*$")
_MOST_WEIGHT, _WEIGHT_OF_ADDRESS = 20, 5
_DEEPEST = 32
_MOST_BARREN = 20


def find_text_units(text: str) -> list[Span]:
    """Give the places of table rows (without heads and rules) and of outer list items in a Markdown text.

    >>> find_text_units("|Name|\\n|---|\\n|Ann|\\n\\n- one\\n  more\\n- two")
    [(13, 18), (20, 32), (33, 38)]
    """
    blocks = blocks_of(text)
    rows = (row for table in blocks.tables for row in table.rows[table.is_headed :])
    items = (item for one in blocks.lists for item in one)
    return sorted((blocks.all[number].start, blocks.stops[number]) for some in (rows, items) for number in some)


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


@dataclass(frozen=True, slots=True)
class Seen:
    """What a chunk says of one record: where each of its values stands, in its own order, and how much each weighs."""

    standings: tuple[Standing, ...] = ()
    weights: tuple[int, ...] = ()

    def count(self, *standings: Standing) -> int:
        """Count the values with one of these standings."""
        return sum(one in standings for one in self.standings)

    @property
    def doubts(self) -> int:
        """How many values neither the unit nor its surroundings state."""
        return self.count("elsewhere", "nowhere")

    @property
    def leads(self) -> bool:
        """Whether the record's first value is stated in its unit."""
        return self.standings[:1] == ("inside",)

    @property
    def share(self) -> float:
        """How much of the record its unit or the surroundings state, by weight; 1 when there is nothing to state."""
        doubted = (weight for one, weight in zip(self.standings, self.weights, strict=True) if one in _DOUBTFUL)
        return 1 - sum(doubted) / max(1, sum(self.weights))

    @property
    def is_believable(self) -> bool:
        """Whether the record is likely the unit's: its first value is stated there, or else most of it.

        One that begins as its unit does, and says nothing that stands in another one, is the unit's, however long the
        values are that the page does not state: these alone are refused.
        """
        if not self.doubts or (self.leads and not self.count("elsewhere")):
            return True
        return self.share >= (1 / 3 if self.leads else 1 / 2)


_DOUBTFUL = ("elsewhere", "nowhere")


class Placing:
    """Places records in one chunk: ``units`` are its units by number, ``before`` the text that is shown before it."""

    def __init__(self, index: TextIndex, units: Mapping[int, Span], schema: Schema, before: str = "") -> None:
        self.index, self.schema, self.views = index, schema, SchemaViews(schema)
        self.spans = {**units}
        self._before = TextIndex(before) if before.strip() else None
        self._order = sorted(self.spans, key=lambda number: (self.spans[number][0], -self.spans[number][1]))
        self._starts = [self.spans[number][0] for number in self._order]
        self._rank = {number: at for at, number in enumerate(self._order)}
        self._covered = joined_spans(self.spans.values())
        self._known: dict[object, list[Span]] = {}
        self._homes: dict[object, frozenset[int]] = {}
        # By identity, with the record itself, so that no other one takes its number: a record is asked about ten times.
        self._leaves: dict[int, tuple[JsonValue, tuple[Leaf, ...]]] = {}

    def place(
        self, records: Sequence[JsonValue], named: Sequence[int | None], among: Collection[int]
    ) -> list[int | None]:
        """Give the unit of each record, of those ``among`` which it must stand; None for none. ``named`` they name.

        A unit that an earlier record names, too, is a record's only if no other one is left that says as much.
        """
        claimed = [
            number if number is not None and number in self.spans and self._is_borne_out(record, number) else None
            for record, number in zip(records, named, strict=True)
        ]
        first = {number: at for at, number in reversed([*enumerate(claimed)])}
        homes = [number if number is not None and first[number] == at else None for at, number in enumerate(claimed)]
        left = [at for at, number in enumerate(homes) if number is None]
        own = [number for number in among if number in self.spans and number not in homes]
        found = align_records(
            [records[at] for at in left], self.index, [self.spans[number] for number in own], schema=self.schema
        )
        for at, place in zip(left, found, strict=True):
            is_own = place is not None and self.is_its(records[at], own[place])
            homes[at] = own[place] if place is not None and is_own else claimed[at]
        return homes

    def _is_borne_out(self, record: JsonValue, number: int) -> bool:
        """Tell whether a unit that a record names states enough of it, and no other one states much more."""
        counts = Counter(home for leaf in self.leaves(record) for home in self.units_stating(leaf))
        return max(counts.values(), default=0) < counts[number] + _MORE and self.is_its(record, number)

    def is_its(self, record: JsonValue, number: int) -> bool:
        """Tell whether a record is likely a unit's, and none of the text before the chunk."""
        seen = self.seen(record, self.spans[number])
        inside = seen.count("inside")
        is_here = inside == len(seen.standings) or (inside > 0 and not self.is_echo(record))
        return is_here and seen.is_believable

    def seen(self, record: JsonValue, span: Span | None) -> Seen:
        """Give where a record's values stand, seen from the unit at ``span``; None: from outside of all units."""
        leaves = self.leaves(record)
        weights = (
            min(len(str(leaf.value)), _WEIGHT_OF_ADDRESS if _is_address(leaf) else _MOST_WEIGHT) for leaf in leaves
        )
        return Seen(tuple(self._standing(leaf, span) for leaf in leaves), tuple(weights))

    def _standing(self, leaf: Leaf, span: Span | None) -> Standing:
        places = self.places(leaf)
        if span is not None and first_inside(places, span) is not None:
            return "inside"
        if any(not self._is_covered(start) for start, _ in places):
            return "around"
        if self._is_before(leaf):
            return "before"
        return "elsewhere" if places else "nowhere"

    def leaves(self, record: JsonValue) -> Sequence[Leaf]:
        """Give the values that a text would state word for word: no flags, no choices, nothing derived.

        An address that the text does not state may yet stand in the page's links: the proof looks there.
        """
        known = self._leaves.get(id(record))
        if known is None or known[0] is not record:
            found = (one for one in iterate_leaves(record, self.views) if one.is_open and one.value not in (None, ""))
            stated = tuple(one for one in found if not _is_address(one) or self.places(one))
            known = self._leaves[id(record)] = (record, stated)
        return known[1]

    def lead(self, record: JsonValue) -> JsonValue:
        """Give the first value of a record that a text would state: what names it; None without one."""
        return next((leaf.value for leaf in self.leaves(record)), None)

    def places(self, leaf: Leaf) -> list[Span]:
        """Give where the chunk states a value."""
        if leaf.key not in self._known:
            self._known[leaf.key] = [(match.start, match.end) for match in self.index.find(leaf.value)]
        return self._known[leaf.key]

    def mentions(self, record: JsonValue) -> list[list[Span]]:
        """Give the places of each value of a record that the chunk states, those of the rarest and longest first."""
        found = [
            (len(places), -len(str(leaf.value)), places)
            for leaf in self.leaves(record)
            if (places := self.places(leaf))
        ]
        return [places for *_, places in sorted(found, key=lambda one: one[:2])]

    def covers(self, record: JsonValue, span: Span) -> float:
        """Give the share of a run's letters and digits that the record's values make up."""
        inside = (first_inside(places, span) for places in self.mentions(record))
        said = joined_spans(place for place in inside if place is not None)
        letters = [sum(map(str.isalnum, self.index.text[start:end])) for start, end in (*said, span)]
        return sum(letters[:-1]) / max(1, letters[-1])

    def units_stating(self, leaf: Leaf) -> frozenset[int]:
        """Give the numbers of the units that state a value."""
        if leaf.key not in self._homes:
            homes = (number for start, end in self.places(leaf) for number in self.units_around(start, end))
            self._homes[leaf.key] = frozenset(homes)
        return self._homes[leaf.key]

    def units_around(self, start: int, end: int) -> Iterator[int]:
        """Give the units that a run of the chunk lies in, the innermost first."""
        at = bisect_left(self._starts, start + 1)
        for number in reversed(self._order[max(0, at - _DEEPEST) : at]):
            if end <= self.spans[number][1]:
                yield number

    def home(self, record: JsonValue) -> int | None:
        """Give the unit that states most of a record, where what is stated in few places counts for more; or None."""
        weights: Counter[int] = Counter()
        for leaf in self.leaves(record):
            homes = self.units_stating(leaf)
            weights.update(dict.fromkeys(homes, 1 / max(1, len(homes))))  # type: ignore[arg-type]
        return max(weights, key=lambda number: (weights[number], -number), default=None)

    def stretch(self, record: JsonValue, number: int, others: Collection[int]) -> tuple[int, ...]:
        """Give the run of neighbouring units that states a record with lists inside; just the unit for a flat one.

        A table's rows may be units while one record takes in several of them (a team and its players). It takes in
        none of the ``others``, which other records begin in, and none that states nothing of it: that one is missing.
        What stands in one place only says first how far it reaches.
        """
        if not _holds_a_list(record):
            return (number,)
        wanted, run = self.mentions(record), {number}
        for sought in ([places for places in wanted if len(places) == 1], wanted):
            run |= self._neighbours_with(sought, number, run, others)
        return tuple(sorted(run))

    def _neighbours_with(
        self, sought: Sequence[Sequence[Span]], number: int, run: Collection[int], others: Collection[int]
    ) -> set[int]:
        """Give the units after and before one that state what is sought and the run does not."""
        at, found = self._rank[number], set[int]()
        left = [places for places in sought if not any(first_inside(places, self.spans[known]) for known in run)]
        for ranks in (range(at + 1, len(self._order)), range(at - 1, -1, -1)):
            barren = 0
            for neighbour in map(self._order.__getitem__, ranks):
                rest = [places for places in left if not first_inside(places, self.spans[neighbour])]
                barren = 0 if len(rest) < len(left) else barren + 1
                if neighbour in others or not left or barren > _MOST_BARREN:
                    break
                left = rest
                found |= set() if barren else {neighbour}
        return found

    def hull(self, record: JsonValue) -> Span | None:
        """Give the run of the chunk around a record's rarest value that holds the nearest mentions of the others."""
        mentions = self.mentions(record)
        if not mentions:
            return None
        start, end = mentions[0][0]
        for places in mentions[1:]:
            first, last = min(places, key=lambda place: max(place[0] - end, start - place[1], 0))
            start, end = min(start, first), max(end, last)
        return start, end

    def in_page_order(self, records: list[JsonValue]) -> list[JsonValue]:
        """Give the records by the place of what is rarest in them; as they are when that of one is not known."""
        mentions = [self.mentions(record) for record in records]
        order = sorted(range(len(records)), key=lambda at: mentions[at][0][0]) if all(mentions) else range(len(records))
        return [records[at] for at in order]

    def is_echo(self, record: JsonValue) -> bool:
        """Tell whether a record is one of the text before the chunk, all of whose values stand there."""
        return bool(self.leaves(record)) and all(map(self._is_before, self.leaves(record)))

    def _is_before(self, leaf: Leaf) -> bool:
        return self._before is not None and bool(self._before.find(leaf.value))

    def _is_covered(self, position: int) -> bool:
        at = bisect_left(self._covered, (position + 1, -1)) - 1
        return at >= 0 and position < self._covered[at][1]

    def hold(self, places: Iterable[Span]) -> bool:
        """Tell whether each of these runs of the chunk lies in a unit."""
        return all(any(True for _ in self.units_around(*place)) for place in places)

    def lie_in(self, places: Iterable[Span]) -> bool:
        """Tell whether all units that these runs of the chunk touch lie in them."""
        runs = joined_spans(places)
        last = ((runs[at - 1], unit) for unit in self.spans.values() if (at := bisect_left(runs, (unit[1],))))
        return all(run[1] <= unit[0] or run[0] <= unit[0] <= unit[1] <= run[1] for run, unit in last)

    def touched(self, places: Sequence[Span]) -> list[bool]:
        """Tell for each run of the chunk whether it has something in common with a unit."""
        ends = (bisect_left(self._covered, (end,)) for _, end in places)
        return [at > 0 and self._covered[at - 1][1] > start for at, (start, _) in zip(ends, places, strict=True)]


def _is_address(leaf: Leaf) -> bool:
    return isinstance(leaf.value, str) and _ADDRESS.match(leaf.value) is not None


def _holds_a_list(value: JsonValue) -> bool:
    if isinstance(value, list):
        return len(value) > 1 or any(isinstance(inner, dict) or _holds_a_list(inner) for inner in value)
    return isinstance(value, dict) and any(_holds_a_list(inner) for inner in value.values())


def first_inside(places: Sequence[Span], span: Span) -> Span | None:
    """Give the first of some places, which are in order, that lies in a run; None without one."""
    at = bisect_left(places, (span[0], -1))
    while at < len(places) and places[at][0] < span[1]:
        if places[at][1] <= span[1]:
            return places[at]
        at += 1
    return None


def joined_spans(spans: Iterable[Span]) -> list[Span]:
    """Give runs in order, those that touch as one."""
    runs: list[Span] = []
    for start, end in sorted(spans):
        if runs and start <= runs[-1][1]:
            runs[-1] = (runs[-1][0], max(end, runs[-1][1]))
        else:
            runs.append((start, end))
    return runs
