"""The account of a chunk's units: each has a record, was skipped on purpose, or is missing (EX-6).

Neither a valid schema nor a low price shows that records were lost; only counting does.
"""

from bisect import bisect_left, insort
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from gleaner.page.model import NumberedUnit, Span
from gleaner.units import PRIMARY_SCORE, SPARE_SCORE, PlacedUnit

SURE_SCORE = 0.75
"""From this score on, a group is a listing of records even where no record of the answer came from it."""

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


@dataclass(frozen=True, slots=True)
class UnitLedger:
    """Where the units of a chunk stand, by number.

    ``missing`` should have a record: units of groups that gave some. Of units of groups that gave none nothing is said,
    unless nothing was given at all.
    """

    answered: tuple[int, ...] = ()
    skipped: tuple[int, ...] = ()
    missing: tuple[int, ...] = ()


def number_units(units: Sequence[PlacedUnit], *, with_lists: bool = False) -> tuple[NumberedUnit, ...]:
    """Give the units of a page that are worth numbering: those of convincing groups, the better of two that overlap.

    With ``with_lists`` the records have lists of objects: of convincing groups in one another the outer one is theirs.
    A unit that holds others of its group, as a comment holds its replies, answers only for the text that is its own.
    Where no group is convincing, the best of three or more units is numbered if it comes close, else nothing.
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


def spare_units(
    units: Sequence[PlacedUnit], numbered: Sequence[NumberedUnit] | None = None
) -> tuple[NumberedUnit, ...]:
    """Give the units that are not numbered, for the case that records turn out to come from them."""
    listed = {unit.number for unit in (number_units(units) if numbered is None else numbered)}
    return tuple(
        NumberedUnit(number, unit.start, unit.end, unit.group, unit.group_score, unit.kind)
        for number, unit in enumerate(units)
        if number not in listed and unit.start < unit.end
    )


def whole_pieces(spare: Iterable[NumberedUnit]) -> tuple[NumberedUnit, ...]:
    """Give the pieces that are some by themselves, not those that were joined to see whether records come from them."""
    return tuple(unit for unit in spare if unit.score >= SPARE_SCORE)


def with_untouched(units: Iterable[NumberedUnit], chosen: Iterable[NumberedUnit]) -> tuple[NumberedUnit, ...]:
    """Give the pieces chosen in place of units, and the repeated elements among these that none touches, in order.

    A section of one line, among sections whose lines are the records, has no lines of its own and may hold a record.
    """
    taken = {unit.number: unit for unit in chosen}
    places = sorted((unit.start, unit.end) for unit in taken.values())
    kept = (unit for unit in units if unit.score > SPARE_SCORE and not _overlaps(unit, places))
    return tuple(sorted((*taken.values(), *kept), key=lambda unit: unit.number))


def _hold(outer: Sequence[PlacedUnit], members: Sequence[tuple[int, PlacedUnit]]) -> bool:
    """Tell whether nearly each of some units holds one of a group or a few, as a record does whose list they are."""
    starts = sorted(unit.start for _, unit in members)
    counts = [bisect_left(starts, unit.end) - bisect_left(starts, unit.start) for unit in outer]
    holders = sum(0 < count <= _MOST_INSIDE for count in counts)
    return len(outer) < len(starts) and holders >= _NEARLY_ALL * len(outer) and sum(counts) >= _NEARLY_ALL * len(starts)


def _overlaps(unit: PlacedUnit | NumberedUnit, taken: Sequence[Span]) -> bool:
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
    return tuple(unit if unit.end <= end else replace(unit, end=end) for unit in units if start <= unit.start < end)


def balance(
    units: Sequence[NumberedUnit],
    answered: Collection[int],
    skipped: Collection[int],
    *,
    has_others: bool = False,
) -> UnitLedger:
    """Settle the account of a chunk.

    A unit with a record is answered, whatever was said of skipping it. The rest of a group that gave records is
    missing. Where no group gave any, nor the text outside of all units (``has_others``), the likeliest one is missing.

    >>> rows = [NumberedUnit(n, n * 10, n * 10 + 9, 0, 0.9, "row") for n in range(4)]
    >>> balance(rows, answered={0, 1}, skipped={2})
    UnitLedger(answered=(0, 1), skipped=(2,), missing=(3,))
    """
    giving = {unit.group for unit in units if unit.number in answered}
    if not giving and not has_others:
        best = max((unit.score for unit in units), default=0.0)
        giving = {unit.group for unit in units if unit.score == best}
    numbers = sorted(unit.number for unit in units)
    groups = {unit.number: unit.group for unit in units}
    settled = {*answered, *skipped}
    return UnitLedger(
        tuple(number for number in numbers if number in answered),
        tuple(number for number in numbers if number in skipped and number not in answered),
        tuple(number for number in numbers if number not in settled and groups[number] in giving),
    )


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


def spans_of(units: Sequence[NumberedUnit], base: int) -> list[tuple[int, int]]:
    """Give the places of units in a text that begins at ``base`` of their own scale."""
    return [(unit.start - base, unit.end - base) for unit in units]
