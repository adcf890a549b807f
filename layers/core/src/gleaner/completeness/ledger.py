"""The account of a chunk's units: answered by a record, passed over on purpose, part of a record, or missing (EX-6).

Neither a valid schema nor a low price shows that records were lost; only counting does. Only groups that gave a record
are counted: a menu, a list of facets or a footer is nobody's loss.
"""

from bisect import bisect_left, bisect_right, insort
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median_low

from gleaner.units import PRIMARY_SCORE, PlacedUnit

CLOSE = 0.55
"""A group with this share of the best one's score is numbered beside it: on a page of prices (0.91) the cards above the
reports (0.53) are the records that were asked for."""

CLOSE_TO_PRIMARY = 0.3
"""A list of three short items has 0.36; two regions of a page have up to 0.3."""

_FEWEST = 3
_MOST_SHARED = 0.2
_NEARLY_ALL = 0.8
_MOST_INSIDE = 12
_LEAST_OWN = 8
_MAJORITY = 0.8

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class NumberedUnit:
    """A unit that is worth numbering; ``number`` is its position among all units of the page, from 0."""

    number: int
    start: int
    end: int
    group: int
    score: float
    kind: str


@dataclass(frozen=True, slots=True)
class UnitLedger:
    """Where the units of a chunk stand, by number.

    ``covered`` belong to a record that begins in a unit beside them (a team's players, the second row of a record),
    whose number they are given with.
    ``missing`` should have a record: units of groups that gave some. Of units of groups that gave none nothing is said.
    """

    answered: tuple[int, ...] = ()
    skipped: tuple[int, ...] = ()
    covered: Mapping[int, int] = field(default_factory=dict[int, int])
    missing: tuple[int, ...] = ()


def number_units(units: Sequence[PlacedUnit], *, with_lists: bool = False) -> tuple[NumberedUnit, ...]:
    """Give the units of a page that are worth numbering: those of convincing groups, the better of two that overlap.

    Where records have lists of objects (``with_lists``), of convincing groups in one another the outer one is theirs.

    A unit that others of its group lie in (a comment with its replies) ends where the first of them begins, or begins
    where one ends that it begins with (boxes never closed): the rest is theirs to answer for. Where no group is
    convincing, one of three or more that comes close is numbered, else nothing.
    """
    groups: dict[int, list[tuple[int, PlacedUnit]]] = {}
    for number, unit in enumerate(units):
        if unit.group_score >= CLOSE_TO_PRIMARY and unit.kind != "attribute" and unit.start < unit.end:
            groups.setdefault(unit.group, []).append((number, unit))
    ranked = sorted(groups.values(), key=lambda members: (-members[0][1].group_score, members[0][1].group))
    convincing = [members for members in ranked if members[0][1].group_score >= PRIMARY_SCORE]
    ranked = convincing or [members for members in ranked if len(members) >= _FEWEST][:1]
    best = ranked[0][0][1].group_score if ranked else 0.0
    if with_lists and ranked:
        outer = [members for members in ranked[1:] if _hold([unit for _, unit in members], ranked[0])]
        ranked = [*outer[:1], *(members for members in ranked if members not in outer[:1])]
    taken: list[Span] = []
    chosen: list[NumberedUnit] = []
    for members in ranked:
        shared = sum(_overlaps(unit, taken) for _, unit in members)
        if (taken and members[0][1].group_score < CLOSE * best) or shared > _MOST_SHARED * len(members):
            continue
        places = sorted({(unit.start, unit.end) for _, unit in members})
        chosen += [
            NumberedUnit(number, *_own(unit, places), unit.group, unit.group_score, unit.kind)
            for number, unit in members
            if not _overlaps(unit, taken)
        ]
        for _, unit in members:
            insort(taken, (unit.start, unit.end))
    return tuple(sorted(chosen, key=lambda unit: unit.number))


def _hold(outer: Sequence[PlacedUnit], members: Sequence[tuple[int, PlacedUnit]]) -> bool:
    """Tell whether nearly each of some units holds one of a group or a few, as a record does whose list they are."""
    starts = sorted(unit.start for _, unit in members)
    counts = [bisect_left(starts, unit.end) - bisect_left(starts, unit.start) for unit in outer]
    holders = sum(0 < count <= _MOST_INSIDE for count in counts)
    return len(outer) < len(starts) and holders >= _NEARLY_ALL * len(outer) and sum(counts) >= _NEARLY_ALL * len(starts)


def _overlaps(unit: PlacedUnit, taken: Sequence[Span]) -> bool:
    at = bisect_left(taken, (unit.end, 0)) - 1
    return at >= 0 and max(end for _, end in taken[max(0, at - 1) : at + 1]) > unit.start


def _own(unit: PlacedUnit, places: Sequence[Span]) -> Span:
    """Give the part of a unit that is in no other of ``places``, which are those of its group."""
    at = bisect_left(places, (unit.start, unit.end))
    same = places[at - 1] if at else (-1, -1)
    start = same[1] if same[0] == unit.start and same[1] < unit.end else unit.start
    following = bisect_left(places, (start + _LEAST_OWN, 0))
    return start, min(unit.end, places[following][0]) if following < len(places) else unit.end


def units_between(units: Sequence[NumberedUnit], start: int, end: int) -> tuple[NumberedUnit, ...]:
    """Give the units that begin in a run of the page, cut at its end."""
    return tuple(
        NumberedUnit(unit.number, unit.start, min(unit.end, end), unit.group, unit.score, unit.kind)
        for unit in units
        if start <= unit.start < end
    )


def balance(
    units: Sequence[NumberedUnit],
    answered: Collection[int],
    skipped: Collection[int],
    unsaid: Mapping[int, Sequence[int]] | None = None,
    listed: Mapping[int, Sequence[int]] | None = None,
) -> UnitLedger:
    """Settle the account of a chunk.

    A unit with a record is answered, whatever was said of skipping it. The rest of its group is missing, but for units
    that were passed over and those that belong to the record before or behind them: ``unsaid`` holds, for the unit of a
    record, where values of it begin that this unit does not state, ``listed`` those of lists inside the record. Where
    most records reach over several units, the units are parts of records, and a run of open ones as long as a record is
    missing as one. Where few do, only lists reach over: a single value may be the neighbour's, in the wrong record.

    >>> rows = [NumberedUnit(n, n * 10, n * 10 + 9, 0, 0.9, "row") for n in range(4)]
    >>> balance(rows, answered={0, 1}, skipped={2})
    UnitLedger(answered=(0, 1), skipped=(2,), covered={}, missing=(3,))
    >>> balance(rows, answered={0, 2}, skipped=(), unsaid={0: [12], 2: [33]}).covered
    {1: 0, 3: 2}
    """
    giving = {unit.group for unit in units if unit.number in answered}
    covered: dict[int, int] = {}
    missing: set[int] = set()
    for group in giving:
        own = sorted((unit for unit in units if unit.group == group), key=lambda unit: (unit.start, unit.number))
        owners = [at for at, unit in enumerate(own) if unit.number in answered]
        reached = _owners_of(_reached(own, owners, unsaid or {}))
        are_parts = bool(reached) and len(set(reached.values())) >= _MAJORITY * len(owners)
        reached = reached if are_parts else _owners_of(_reached(own, owners, listed or {}))
        is_open = {unit.number for unit in own} - {*answered} - {*skipped} - reached.keys()
        covered |= reached
        if are_parts and is_open:
            lost = set(_lost_runs(own, owners, is_open))
            covered |= {unit: owner for unit, owner in _before(own, owners) if unit in is_open - lost}
            missing |= lost
        else:
            missing |= is_open
    numbers = sorted(unit.number for unit in units)
    passed = {*skipped} - {*answered} - covered.keys()
    return UnitLedger(
        tuple(number for number in numbers if number in answered),
        tuple(number for number in numbers if number in passed),
        covered,
        tuple(sorted(missing)),
    )


def _reached(
    own: Sequence[NumberedUnit], owners: Sequence[int], unsaid: Mapping[int, Sequence[int]]
) -> Iterator[tuple[int, int]]:
    """Give the units without a record that hold values of the nearest record before or behind, with that one's unit."""
    starts = [unit.start for unit in own]
    for position, at in enumerate(owners):
        low = owners[position - 1] + 1 if position else 0
        high = owners[position + 1] if position + 1 < len(owners) else len(own)
        for place in unsaid.get(own[at].number, ()):
            around = bisect_right(starts, place) - 1
            if low <= around < high and around != at and place < own[around].end:
                yield own[around].number, own[at].number


def _owners_of(reached: Iterable[tuple[int, int]]) -> dict[int, int]:
    """Give each unit the record that has most values in it, of equals the one before it."""
    hits = Counter(reached)
    return dict(sorted(hits, key=lambda pair: (hits[pair], -pair[1])))


def _before(own: Sequence[NumberedUnit], owners: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Give each unit with that of the record before it; those before the first one with the first."""
    for at, unit in enumerate(own):
        yield unit.number, own[owners[max(0, bisect_right(owners, at) - 1)]].number


def _lost_runs(own: Sequence[NumberedUnit], owners: Sequence[int], is_open: Collection[int]) -> Iterator[int]:
    """Give the first units of runs of open ones that are as long as a record is."""
    size = median_low([second - first for first, second in pairwise(owners)]) if len(owners) > 1 else len(own)
    run: list[int] = []
    for unit in (*own, None):
        if unit is not None and unit.number in is_open:
            run.append(unit.number)
            continue
        if size > 1 and len(run) >= size:
            yield from run[len(run) % size :: size]  # what is left over belongs to the record before
        run = []


def batches(
    numbers: Sequence[int], sizes: Mapping[int, int], *, most_units: int, most_chars: int
) -> list[tuple[int, ...]]:
    """Cut numbers into runs of at most so many units and characters; a unit larger than that stands alone."""
    runs: list[list[int]] = []
    room = 0
    for number in numbers:
        size = sizes[number]
        if not runs or len(runs[-1]) >= most_units or size > room:
            runs.append([])
            room = most_chars
        runs[-1].append(number)
        room -= size
    return [tuple(run) for run in runs]
