"""Measures in another unit of the same kind: "500 g" is 0.5 of ``weight_kg``, "1 TB" 1000 of ``storage_gb``.

Only units that are whole multiples of each other by definition, and only where the field's name says its unit and the
page says its own right behind the number. Where a page says the value as it is asked for, nothing is converted.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from gleaner.proof.leaves import Leaf
from gleaner.proof.measures import unit_behind, unit_of
from gleaner.proof.numerals import as_number
from gleaner.proof.text_index import Match, TextIndex

_SCALES: tuple[Mapping[str, float], ...] = (
    {"km": 1000, "m": 1, "cm": 0.01, "mm": 0.001},
    {"km2": 10**6, "ha": 10**4, "m2": 1},
    {"kg": 1000, "g": 1, "mg": 0.001},
    {"l": 1, "cl": 0.01, "ml": 0.001},
    {"tb": 10**6, "gb": 1000, "mb": 1},
    {"kw": 1000, "watt": 1},
    {"day": 86400, "h": 3600, "min": 60, "sec": 1},
)
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
    """Give where a number stands in another unit than its field's name says."""
    unit = unit_of(leaf.field) if leaf.field else None
    if unit is None or not leaf.value or isinstance(leaf.value, str | bool):
        return []
    found = (match for said, value in _readings(leaf.value, unit) for match in _in_unit(said, value, index))
    return sorted({replace(match, status="normalized", transform="unit") for match in found}, key=lambda one: one.start)


def _readings(value: float, unit: str) -> Iterator[tuple[str, int | float]]:
    for said, factor in _FACTORS.get(unit, ()):
        yield said, as_number(round(value / factor, 9))


def _in_unit(said: str, value: float, index: TextIndex) -> Iterable[Match]:
    return (one for one in index.find(value) if not one.weak and unit_behind(one, index.text) == said)
