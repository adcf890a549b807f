"""The account of a chunk's units: each has a record, was skipped on purpose, or is missing (EX-6).

Neither a valid schema nor a low price shows that records were lost; only counting does.
"""

from bisect import bisect_left
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from gleaner.units import CLOSE_SCORE, SPARE_SCORE, PlacedUnit, primary_units

SURE_SCORE = 0.75
"""From this score on, a group is a listing of records even where no record of the answer came from it."""


LEAST_SCORE = 0.25
"""Below this score a group is navigation or decoration."""

_LEAST_OWN = 8


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

    ``missing`` are those that should have a record. ``doubtful`` belong to groups that no record came from while
    others gave some: they are worth one question, and no alarm.
    """

    answered: tuple[int, ...] = ()
    skipped: tuple[int, ...] = ()
    missing: tuple[int, ...] = ()
    doubtful: tuple[int, ...] = ()


def number_units(units: Sequence[PlacedUnit]) -> tuple[NumberedUnit, ...]:
    """Give the units of a page that are worth numbering: those of its listing, or of listings as likely.

    Where no group is a listing by itself, the likeliest is numbered all the same: somebody asks for a list. A unit that
    others lie in (a comment with its replies) ends where the first of them begins: the rest is theirs to answer for.
    """
    listed = frozenset(primary_units(units) or _likeliest(units))
    chosen = [(number, unit) for number, unit in enumerate(units) if unit in listed and unit.start < unit.end]
    starts = sorted({unit.start for _, unit in chosen})
    return tuple(
        NumberedUnit(number, unit.start, _own_end(unit, starts), unit.group, unit.group_score, unit.kind)
        for number, unit in chosen
    )


def spare_units(units: Sequence[PlacedUnit]) -> tuple[NumberedUnit, ...]:
    """Give the units that are not numbered, for the case that records turn out to come from them."""
    listed = {unit.number for unit in number_units(units)}
    return tuple(
        NumberedUnit(number, unit.start, unit.end, unit.group, unit.group_score, unit.kind)
        for number, unit in enumerate(units)
        if number not in listed and unit.start < unit.end
    )


def whole_pieces(spare: Iterable[NumberedUnit]) -> tuple[NumberedUnit, ...]:
    """Give the pieces that are some by themselves, not those that were joined to see whether records come from them."""
    return tuple(unit for unit in spare if unit.score >= SPARE_SCORE)


def _own_end(unit: PlacedUnit, starts: Sequence[int]) -> int:
    following = bisect_left(starts, unit.start + _LEAST_OWN)
    return min(unit.end, starts[following]) if following < len(starts) else unit.end


def _likeliest(units: Sequence[PlacedUnit]) -> list[PlacedUnit]:
    likely = [unit for unit in units if unit.group_score >= LEAST_SCORE and unit.kind != "attribute"]
    best = max((unit.group_score for unit in likely), default=0.0)
    return [unit for unit in likely if unit.group_score >= best * CLOSE_SCORE]


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
    *,
    has_others: bool = False,
) -> UnitLedger:
    """Settle the account of a chunk.

    A unit with a record is answered, whatever was said of skipping it. The rest of a group that gave records is
    missing. Where a group gave none, it is missing if it is the likeliest group of the chunk, and either nothing else
    gave any (``has_others``: records from outside of all units) or it is a listing beyond doubt; else it is doubtful.

    >>> rows = [NumberedUnit(n, n * 10, n * 10 + 9, 0, 0.9, "row") for n in range(4)]
    >>> balance(rows, answered={0, 1}, skipped={2})
    UnitLedger(answered=(0, 1), skipped=(2,), missing=(3,), doubtful=())
    """
    giving = {unit.group for unit in units if unit.number in answered}
    best = max((unit.score for unit in units), default=0.0)
    places: dict[str, list[int]] = {"answered": [], "skipped": [], "missing": [], "doubtful": []}
    for unit in sorted(units, key=lambda unit: unit.number):
        if unit.number in answered:
            places["answered"].append(unit.number)
        elif unit.number in skipped:
            places["skipped"].append(unit.number)
        else:
            is_listing = unit.score >= best and (unit.score >= SURE_SCORE or not (giving or has_others))
            places["missing" if unit.group in giving or is_listing else "doubtful"].append(unit.number)
    return UnitLedger(**{name: tuple(numbers) for name, numbers in places.items()})


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
