"""Certify a result: how many records the page shows, how many came back, which are missing (CM-1)."""

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Literal

from gleaner.contracts.models import Completeness, MissingUnit
from gleaner.units import PRIMARY_SCORE, PlacedUnit, primary_units
from gleaner.units.totals import StatedTotal, has_next_page, stated_page, stated_total

__all__ = ["Certificate", "StatedTotal", "calls_itself_an_ad", "certify", "place_unit", "stated_total"]

_Method = Literal["units", "stated_total", "unknown"]

_EXCERPT = 160
_NEAR = 4_000
_FEW = 0.2
_AD = re.compile(
    r"^\W{0,9}(?:sponsored|advertisement|promoted|anzeige|werbung|publicit\w{1,3}|publicidad|reklam\w?|реклама|広告|广告)\b",
    re.IGNORECASE | re.MULTILINE,
)


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
    covered: Collection[int] = (),
    stated: StatedTotal | None = None,
    markdown: str = "",
    is_list: bool = True,
    chunk_starts: Sequence[int] = (),
    twins: int = 0,
) -> Certificate:
    """Count the units of the page against the records of the result.

    ``answered``, ``skipped`` and ``covered`` (units that belong to a record which begins beside them) hold positions in
    ``units``. The groups with an answered unit are the records'; where nothing came back, the primary ones. A unit of
    these that is none of the three is missing. ``stated`` is what ``stated_total`` gave for the Markdown;
    ``chunk_starts`` are the chunks' offsets. ``twins`` are records that the page shows besides those ``returned``,
    equal to one of them: they are not expected once more. A result is short when a unit is missing, or when the listing
    states more records on this page than came back.
    """
    if not is_list:
        return _single(returned)
    answers, passed = set(answered), set(skipped) - set(answered)
    counted = _record_units(units, answers, is_empty=not returned)
    settled = answers | passed | set(covered)
    missing = _outside_of(units, [position for position in counted if position not in settled], answers)
    shown = returned + twins
    is_counted = bool(counted) and bool(answers or missing or passed)
    stated = stated if stated is not None and _is_about(stated, units, counted) else None
    by_units = max(shown, len(answers.intersection(counted))) + len(missing) if is_counted else None
    expected, method, warnings = _expect(by_units, len(passed), stated, shown, markdown)
    is_short = bool(missing) or (expected is not None and method == "stated_total" and shown < expected)
    expected = None if expected is None else max(0, expected - twins)
    if is_short:
        warnings.insert(0, _shortfall(returned, expected, len(missing)))
    completeness = Completeness(
        expected=expected,
        returned=returned,
        missing=[place_unit(position, units[position], markdown, chunk_starts) for position in missing],
        skipped=len(passed),
        method=method,
    )
    return Certificate(completeness, is_short, tuple(warnings))


def calls_itself_an_ad(text: str) -> bool:
    """Tell whether a line of a piece begins with the label of an advertisement.

    >>> calls_itself_an_ad("**Sponsored** Best lamps"), calls_itself_an_ad("Advert desk")
    (True, False)
    """
    return _AD.search(text) is not None


def _single(returned: int) -> Certificate:
    completeness = Completeness(expected=1, returned=min(returned, 1), method="single")
    warnings = () if returned else ("The page gave no value for the object that the schema describes.",)
    return Certificate(completeness, returned == 0, warnings)


def _record_units(units: Sequence[PlacedUnit], answered: set[int], *, is_empty: bool) -> list[int]:
    """Give the positions of the units that hold the records.

    A group that is not convincing by itself counts when at least a fifth of it was answered: a single match there is
    chance.
    """
    sizes = Counter(unit.group for unit in units)
    touched = Counter(units[position].group for position in answered)
    groups = {
        units[position].group
        for position in answered
        if units[position].group_score >= PRIMARY_SCORE
        or touched[units[position].group] >= _FEW * sizes[units[position].group]
    }
    if is_empty and not answered:
        groups = {unit.group for unit in primary_units(units)}
    return [position for position, unit in enumerate(units) if unit.group in groups]


def _outside_of(units: Sequence[PlacedUnit], open_units: list[int], answered: set[int]) -> list[int]:
    """Leave out the units that answered ones of another group lie in, or around: these account for them."""
    others = sorted((units[at].start, units[at].end, units[at].group) for at in answered) if open_units else []
    return [position for position in open_units if not _is_covered(units[position], others)]


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
    noun = "1 unit of the page has" if missing == 1 else f"{missing} units of the page have"
    places = f"; {noun} no record (completeness.missing)" if missing else ""
    return f"{returned} of {expected} records were extracted{places}."


def place_unit(position: int, unit: PlacedUnit, markdown: str, chunk_starts: Sequence[int]) -> MissingUnit:
    """Give a unit as a place of the page that has no record; ``position`` is its number."""
    chunk = bisect_right(chunk_starts, unit.start) - 1 if chunk_starts else None
    text = " ".join(markdown[unit.start : min(unit.end, unit.start + 2 * _EXCERPT)].split())[:_EXCERPT]
    return MissingUnit(unit=position, chunk=chunk, start=unit.start, end=unit.end, text=text)
