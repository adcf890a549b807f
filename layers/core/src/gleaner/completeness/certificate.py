"""Certify a result: how many records the page shows, how many came back, which are missing (CM-1)."""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from gleaner.completeness.ledger import number_units
from gleaner.completeness.likeness import (
    is_unlike,
    kinds_stated,
    like_given,
    read_alike,
)
from gleaner.contracts.models import Completeness, MissingUnit
from gleaner.judging.origins.regions import Span, Stretches
from gleaner.units import PRIMARY_SCORE, SPARE_SCORE, PlacedUnit, primary_units
from gleaner.units.totals import StatedTotal, has_next_page, stated_page, stated_total

__all__ = ["Certificate", "StatedTotal", "certify", "kinds_stated", "like_given", "place_unit", "stated_total"]

_Method = Literal["units", "stated_total", "unknown"]

_EXCERPT = 160
_NEAR = 4_000
_FEW = 0.2


@dataclass(frozen=True, slots=True)
class Certificate:
    """The completeness of a result, whether it is short of records (so: partial), and what to tell the caller."""

    completeness: Completeness
    is_short: bool
    warnings: tuple[str, ...] = field(default=())


def certify(
    *,
    returned: int,
    units: Sequence[PlacedUnit] = (),
    answered: Collection[int] = (),
    skipped: Collection[int] = (),
    unanswered: Collection[int] = (),
    stated: StatedTotal | None = None,
    markdown: str = "",
    is_list: bool = True,
    chunk_starts: Sequence[int] = (),
    more: int = 0,
    twins: int = 0,
) -> Certificate:
    """Count the units of the page against the records of the result.

    ``answered`` and ``skipped`` hold positions in ``units`` (``answered`` may map them to numbers of records). The
    groups with an answered unit are the records'; with none answered, the primary ones. ``unanswered`` are units that
    were asked about in vain: they count, too, where they lie apart from these. ``stated`` is what ``stated_total`` gave
    for the Markdown; ``chunk_starts`` are the chunks' offsets; ``more`` is how many records answered units hold beyond
    one each. ``twins`` are records that the page shows besides those ``returned``, equal to one of them: they are not
    expected once more. A result is short when a unit is neither answered nor
    skipped, or when the listing states more records on this page than came back.
    """
    if not is_list:
        return _single(returned)
    answers, passed = set(answered), set(skipped)
    listed = _record_units(units, answers, passed, markdown)
    counted = _without_covered(units, listed, answers | passed, answers)
    passed |= _unlike(units, counted, answers, markdown) - answers
    known = Stretches((units[position].start, units[position].end) for position in counted)
    apart = (number for number in unanswered if not known.touch(units[number].start, units[number].end))
    counted = sorted({*counted, *apart})
    shown = returned + twins
    missing = _missing(counted, answers, passed, shown)
    by_units = more + len(counted) - len([unit for unit in counted if unit in passed and unit not in answers])
    stated = stated if stated is not None and _is_about(stated, units, counted) else None
    is_counted = bool(counted) and (by_units > 0 or not shown)
    expected, method, warnings = _expect(by_units if is_counted else None, len(passed), stated, shown, markdown)
    is_short = bool(missing) or (expected is not None and method == "stated_total" and shown < expected)
    expected = None if expected is None else max(0, expected - twins)
    if missing or is_short:
        warnings.insert(0, _shortfall(returned, expected, len(missing)))
    elif expected is not None:
        warnings += _surplus(returned, expected)
    completeness = Completeness(
        expected=expected,
        returned=returned,
        missing=[place_unit(position, units[position], markdown, chunk_starts) for position in missing],
        skipped=len(passed),
        method=method,
        listing_total=None if stated is None else stated.total,
    )
    return Certificate(completeness, is_short, tuple(warnings))


def _single(returned: int) -> Certificate:
    completeness = Completeness(expected=1, returned=min(returned, 1), method="single")
    warnings = () if returned else ("The page gave no value for the object that the schema describes.",)
    return Certificate(completeness, returned == 0, warnings)


def _record_units(units: Sequence[PlacedUnit], answered: set[int], skipped: set[int], markdown: str = "") -> list[int]:
    """Give the positions of the units that hold the records.

    A group that is not among the primary ones counts when at least a fifth of it was answered or skipped: a single
    match there is chance. A group of which no answer spoke counts beside one that was answered when its units state the
    same kinds of things, and lie apart: who gives a table has not given the cards below it.
    """
    sizes = Counter(unit.group for unit in units)
    touched = Counter(units[position].group for position in answered)
    settled = Counter(units[position].group for position in answered | skipped)
    primary = {unit.group for unit in primary_units(units)}
    groups = {group for group in touched if group in primary or settled[group] >= _FEW * sizes[group]}
    if groups:
        groups.update(_unspoken(units, answered, skipped, settled, markdown))
    groups = groups or set(touched) or {units[position].group for position in skipped} or primary
    return [position for position, unit in enumerate(units) if unit.group in groups]


def _unspoken(
    units: Sequence[PlacedUnit],
    answered: Collection[int],
    skipped: Collection[int],
    settled: Collection[int],
    text: str,
) -> Iterator[int]:
    """Give the groups that are like the records, and of which no answer spoke.

    What begins and ends where skipped units do was spoken of, as were two messages in a row. Of those that are listings
    by their looks, all that are numbered; beside rows of a table only a table that is as likely: another one lists
    other things. Of the rest those that read like the records.
    """
    given = [(units[position].start, units[position].end) for position in answered]
    begins, ends = {units[position].start for position in skipped}, {units[position].end for position in skipped}
    kinds = {units[position].kind for position in answered}
    likely = {unit.group for unit in primary_units(units)}
    numbered = {unit.group for unit in number_units(units)}
    listed: dict[int, list[Span]] = {}
    others: dict[int, list[Span]] = {}
    for unit in units:
        if unit.group in settled or unit.kind == "attribute" or unit.group_score < SPARE_SCORE:
            continue
        if unit.start in begins and unit.end in ends:
            continue
        is_another_table = unit.kind == "row" and "row" in kinds
        if unit.group in likely or (unit.group in numbered and not is_another_table):
            listed.setdefault(unit.group, []).append((unit.start, unit.end))
        elif not is_another_table:
            others.setdefault(unit.group, []).append((unit.start, unit.end))
    yield from like_given(listed, given, text)
    yield from read_alike(others, given, text)


def _missing(counted: list[int], answered: set[int], skipped: set[int], returned: int) -> list[int]:
    """Give the counted units that nothing answers."""
    open_units = [position for position in counted if position not in answered and position not in skipped]
    return [] if not answered and returned >= len(open_units) else open_units


def _unlike(units: Sequence[PlacedUnit], counted: list[int], answered: set[int], markdown: str) -> set[int]:
    """Give the units of groups that are no listing by their looks which are something else than the answered ones."""
    given: dict[int, list[str]] = {}
    for position in answered:
        unit = units[position]
        if unit.group_score < PRIMARY_SCORE:
            given.setdefault(unit.group, []).append(markdown[unit.start : unit.end])
    return {
        position
        for position in counted
        if (unit := units[position]).group in given and position not in answered
        if is_unlike(markdown[unit.start : unit.end], given[unit.group])
    }


def _without_covered(
    units: Sequence[PlacedUnit], counted: list[int], settled: set[int], answered: set[int]
) -> list[int]:
    """Leave out the units that answered ones of another group lie in, or around: these account for them."""
    others = sorted((units[at].start, units[at].end, units[at].group) for at in answered)
    left = [position for position in counted if position in settled or not _is_covered(units[position], others)]
    return _each_place_once(units, left, settled, answered)


def _each_place_once(
    units: Sequence[PlacedUnit], counted: list[int], settled: set[int], answered: set[int]
) -> list[int]:
    """Leave out the open units at a place that another group's, of a better score, has an open unit for.

    And of units that are the very place of a settled one all but that, which is answered if any is.
    """
    by_answer = sorted((at for at in counted if at in settled), key=lambda at: at in answered)
    first = {(units[at].start, units[at].end): at for at in by_answer}
    left_out = {at for at in counted if first.get((units[at].start, units[at].end), at) != at}
    groups = {units[position].group: units[position].group_score for position in counted if position not in settled}
    known: list[tuple[int, int, int]] = []
    for group in sorted(groups, key=lambda group: (-groups[group], group)) if len(groups) > 1 else ():
        own = [position for position in counted if units[position].group == group and position not in settled]
        left_out.update(position for position in own if _is_covered(units[position], known))
        known = sorted([*known, *((units[at].start, units[at].end, group) for at in own if at not in left_out)])
    return [position for position in counted if position not in left_out]


def _is_covered(unit: PlacedUnit, answered: list[tuple[int, int, int]]) -> bool:
    """Tell whether an answered unit of another group lies in this one, or this one at its very place."""
    low = bisect_left(answered, (unit.start, 0, 0))
    for start, end, group in answered[low : low + 8]:
        if start >= unit.end:
            break
        if group != unit.group and end <= unit.end:
            return True
    before = bisect_right(answered, (unit.start, 10**12, 0)) - 1
    for start, end, group in answered[max(0, before - 2) : before + 1]:
        if group != unit.group and start <= unit.start and unit.end <= end:
            return True
    return False


def _is_about(stated: StatedTotal, units: Sequence[PlacedUnit], counted: list[int]) -> bool:
    """Tell whether a statement stands where a listing's header or footer would, and not within a record."""
    if not counted:
        return True
    first = min(units[position].start for position in counted)
    last = max(units[position].end for position in counted)
    if stated.strength in ("range", "shown"):
        return not any(units[at].start <= stated.start < units[at].end for at in counted)
    return first - _NEAR <= stated.start < first or last <= stated.start <= last + _NEAR


def _expect(
    by_units: int | None, skipped: int, stated: StatedTotal | None, returned: int, markdown: str
) -> tuple[int | None, _Method, list[str]]:
    """Give how many records are expected, what that was counted by, and warnings about further pages."""
    warnings: list[str] = []
    seen = returned if by_units is None else by_units + skipped
    is_loose = stated is not None and stated.strength == "loose" and stated.shown != seen
    if stated is not None and not is_loose and stated.first is not None and stated.shown < stated.total:
        warnings.append(
            f'The listing has {stated.total} records in all ("{stated.text}"); this page shows {stated.shown}.'
        )
    elif (page := stated_page(markdown)) is not None and page[0] < page[1]:
        warnings.append(f"This is page {page[0]} of {page[1]}; the listing continues.")
    method: _Method = "unknown" if by_units is None else "units"
    if stated is None or stated.shown < seen or (by_units is not None and stated.shown == seen):
        return by_units, method, warnings
    goes_on = by_units is not None and stated.strength == "listing" and has_next_page(markdown)
    if stated.strength == "loose" or goes_on:
        if stated.shown > seen:
            warnings.append(f'The page states "{stated.text}" and shows {seen}; the rest may be on other pages.')
        return by_units, method, warnings
    return stated.shown - (skipped if by_units is not None else 0), "stated_total", warnings


def _shortfall(returned: int, expected: int | None, missing: int) -> str:
    if expected is not None and returned >= expected:
        return (
            f"{returned} records came back, and none for {missing} of the {expected} items that the page lists: "
            "completeness.missing quotes them."
        )
    places = f"; completeness.missing quotes the {missing} that the page shows besides" if missing else ""
    return f"{returned} of {expected} records were extracted{places}."


def _surplus(returned: int, expected: int) -> list[str]:
    if returned > expected:
        return [
            f"{returned} records came back for {expected} items that the page lists: some items gave several, "
            "or some records are of no item of the list."
        ]
    if returned < expected:
        return [f"The page lists {expected} items, and {returned} records came back: a record may cover several items."]
    return []


def place_unit(position: int, unit: PlacedUnit, markdown: str, chunk_starts: Sequence[int]) -> MissingUnit:
    """Give a unit as a place of the page that has no record; ``position`` is its number."""
    chunk = bisect_right(chunk_starts, unit.start) - 1 if chunk_starts else None
    text = " ".join(markdown[unit.start : min(unit.end, unit.start + 2 * _EXCERPT)].split())[:_EXCERPT]
    return MissingUnit(unit=position, chunk=chunk, start=unit.start, end=unit.end, text=text)
