"""Measures in another unit of the same kind: "500 g" is 0.5 of ``weight_kg``, "1 TB" 1000 of ``storage_gb``.

Only units that are multiples of each other by definition, and only where the field's name or its description says its
unit and the page says its own right behind the number. What is converted from miles and the like may be rounded.
Where a page says the value as it is asked for, nothing is converted.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import replace

from gleaner.judging.measuring import unit_behind
from gleaner.schemas.fields import field_of_leaf
from gleaner.schemas.leaves import Leaf
from gleaner.values.measures import is_rounded, ratios_to, unit_spelled
from gleaner.values.mentions.money import currencies_at
from gleaner.values.money import CENTS
from gleaner.values.name_measures import measure_of
from gleaner.values.numbers import as_number, times_ten
from gleaner.values.texts.text_index import Match, TextIndex, start_of

_WITH_CENTS = re.compile(r"-?\d[\d.,' ]*[.,]\d\d")
_ASKED = re.compile(r"\bin\s+([^\W\d_]{1,12})\b", re.IGNORECASE)
_MOST = 2_000
_BESIDE = 32
_TOLERANCE = 0.01


def find_converted(leaf: Leaf, value: float, index: TextIndex) -> list[Match]:
    """Give where a number stands in another unit than its field's name or description says."""
    if field_of_leaf(leaf).is_in_cents:
        return _in_main_unit(value, index)
    if degrees := _in_degrees(value, index):
        return degrees
    unit = _unit_asked(leaf) if value else None
    if unit is None:
        return []
    found = [match for said, number in _readings(value, unit) for match in _in_unit(said, number, index)]
    found = found or list(_rounded(value, unit, index))
    return sorted({replace(match, status="normalized", transform="unit") for match in found}, key=lambda one: one.start)


def _in_degrees(value: float, index: TextIndex) -> list[Match]:
    """Give where a number stands as a coordinate in degrees, minutes and seconds: 61.4 for "61°24′N"."""
    places, known = len(str(value).partition(".")[2]), index.notations.degrees
    low, high = (bisect_left(known, (value + side * 0.5 * 10**-places,)) for side in (-1, 1))
    return sorted((Match(*place, "normalized", "unit") for _, place in known[low:high]), key=start_of)


def _in_main_unit(value: float, index: TextIndex) -> list[Match]:
    """Give where an amount stands with its currency, or with cents, that is a number of cents: 3800 for "€38,00"."""
    found = (one for one in index.find(times_ten(value, -CENTS)) if value and not one.weak)
    paid = (
        one
        for one in found
        if _WITH_CENTS.fullmatch(index.text, one.start, one.end) or currencies_at(index.text, one.start, one.end)
    )
    return [replace(one, status="normalized", transform="unit") for one in paid]


def _unit_asked(leaf: Leaf) -> str | None:
    """Give the unit of a field's name, else the one that its description asks for: "in kilometres"."""
    named = measure_of(leaf.field[-1]).sure_unit if leaf.field else None
    if named or not leaf.field:
        return named
    said = [text for view in leaf.views if isinstance(text := view.get("description"), str)]
    units = {unit for text in said for word in _ASKED.findall(text) if (unit := unit_spelled(word))}
    return units.pop() if len(units) == 1 else None


def _rounded(value: float, unit: str, index: TextIndex) -> Iterator[Match]:
    """Give where a number stands in miles, pounds and the like that is the value, rounded as the value is."""
    factors = {said: ratios[0] for said, ratios in ratios_to(unit).items() if is_rounded(said, unit)}
    if not factors or len(index.numbers) > _MOST:
        return
    places = len(str(value).partition(".")[2].rstrip("0"))
    for number in index.numbers:
        near = [said for said, factor in factors.items() if _is_about(value, number * factor, places)]
        for match in index.find(number) if near else ():
            if not match.weak and unit_behind(match, index.text) in near and not _is_said_beside(match, unit, index):
                yield match


def _is_about(value: float, exact: float, places: int) -> bool:
    """Tell whether a value is a number, rounded to so many places, and not far from it.

    >>> _is_about(9.98, 9.9779328, 2), _is_about(10, 9.9779328, 0), _is_about(9, 9.9779328, 0), _is_about(1, 1.4, 0)
    (True, True, False, False)
    """
    return abs(value - exact) <= min(0.5 * 10**-places + 1e-9, _TOLERANCE * abs(exact))


def _is_said_beside(match: Match, unit: str, index: TextIndex) -> bool:
    """Tell whether a page says a measure in the unit that is asked for, too: "19 mi (31 km)"."""
    around = index.figures((max(0, match.start - _BESIDE), match.end + _BESIDE))
    return any(unit_behind(one, index.text) == unit for one in around)


def _readings(value: float, unit: str) -> Iterator[tuple[str, int | float]]:
    for said, ratios in ratios_to(unit).items():
        yield from ((said, as_number(round(value / ratio, 9))) for ratio in ratios)


def _in_unit(said: str, value: float, index: TextIndex) -> Iterable[Match]:
    return (one for one in index.find(value) if not one.weak and unit_behind(one, index.text) == said)
