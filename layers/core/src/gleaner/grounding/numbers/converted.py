"""Measures in another unit of the same kind: "500 g" is 0.5 of ``weight_kg``, "1 TB" 1000 of ``storage_gb``.

Only units that are multiples of each other by definition, and only where the field's name or its description says its
unit and the page says its own right behind the number. What is converted from miles and the like may be rounded.
Where a page says the value as it is asked for, nothing is converted.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from gleaner.grounding.leaves import Leaf
from gleaner.grounding.numbers.measures import unit_behind, unit_of
from gleaner.grounding.numbers.unit_names import unit_named
from gleaner.grounding.text.text_index import Match, TextIndex
from gleaner.values.numbers import as_number

_SCALES: tuple[Mapping[str, float], ...] = (
    {"km": 1000, "m": 1, "cm": 0.01, "mm": 0.001},
    {"km2": 10**6, "ha": 10**4, "m2": 1},
    {"kg": 1000, "g": 1, "mg": 0.001},
    {"l": 1, "cl": 0.01, "ml": 0.001},
    {"tb": 10**6, "gb": 1000, "mb": 1},
    {"kw": 1000, "watt": 1},
    {"day": 86400, "h": 3600, "min": 60, "sec": 1},
)
_IMPERIAL: Mapping[str, Mapping[str, float]] = {
    "km": {"mi": 1.609344},
    "m": {"ft": 0.3048, "yd": 0.9144, "mi": 1609.344},
    "cm": {"inch": 2.54, "ft": 30.48},
    "mm": {"inch": 25.4},
    "kg": {"lb": 0.45359237},
    "g": {"oz": 28.349523, "lb": 453.59237},
    "mi": {"km": 0.6213712},
    "ft": {"m": 3.2808399},
    "inch": {"cm": 0.3937008, "mm": 0.03937008},
    "lb": {"kg": 2.2046226},
    "oz": {"g": 0.035273962},
}
"""Units asked for, by what the units said are multiplied; such values are rounded by who converts them."""

_ASKED = re.compile(r"\bin\s+([^\W\d_]{1,12})\b", re.IGNORECASE)
_MOST = 2_000
_BESIDE = 32
_TOLERANCE = 0.01
_BINARY = {("tb", "gb"): 1024, ("gb", "mb"): 1024}
_FACTORS: dict[str, list[tuple[str, float]]] = {}
for _scale in _SCALES:
    for _asked in _scale:
        _FACTORS[_asked] = [(said, _scale[said] / _scale[_asked]) for said in _scale if said != _asked]
for (_said, _asked), _factor in _BINARY.items():
    _FACTORS[_asked].append((_said, _factor))


def factor_to(asked: str, said: str | None) -> float | None:
    """Give by what a number in one unit is multiplied for another one; None where they are of different kinds.

    >>> factor_to("kg", "g"), factor_to("kg", "kg"), factor_to("kg", "km")
    (0.001, 1, None)
    """
    return 1 if said == asked else next((factor for unit, factor in _FACTORS.get(asked, ()) if unit == said), None)


def find_converted(leaf: Leaf, index: TextIndex) -> list[Match]:
    """Give where a number stands in another unit than its field's name or description says."""
    unit = _unit_asked(leaf)
    if unit is None or not leaf.value or isinstance(leaf.value, str | bool):
        return []
    found = [match for said, value in _readings(leaf.value, unit) for match in _in_unit(said, value, index)]
    found = found or list(_rounded(leaf.value, unit, index))
    return sorted({replace(match, status="normalized", transform="unit") for match in found}, key=lambda one: one.start)


def _unit_asked(leaf: Leaf) -> str | None:
    """Give the unit of a field's name, else the one that its description asks for: "in kilometres"."""
    named = unit_of(leaf.field) if leaf.field else None
    if named or not leaf.field:
        return named
    said = [text for view in leaf.views if isinstance(text := view.get("description"), str)]
    units = {unit[1] for text in said for word in _ASKED.findall(text) if (unit := unit_named(word))}
    return units.pop() if len(units) == 1 else None


def _rounded(value: float, unit: str, index: TextIndex) -> Iterator[Match]:
    """Give where a number stands in miles, pounds and the like that is the value, rounded as the value is."""
    factors = _IMPERIAL.get(unit, {})
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
    for said, factor in _FACTORS.get(unit, ()):
        yield said, as_number(round(value / factor, 9))


def _in_unit(said: str, value: float, index: TextIndex) -> Iterable[Match]:
    return (one for one in index.find(value) if not one.weak and unit_behind(one, index.text) == said)
