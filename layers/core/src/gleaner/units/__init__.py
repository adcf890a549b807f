"""The repeated pieces of a page that can each hold one record: rows, items, cards (EX-6, CM-1)."""

from gleaner.units.detection import find_unit_groups
from gleaner.units.groups import (
    CLOSE_SCORE,
    PRIMARY_SCORE,
    PlacedUnit,
    UnitGroup,
    UnitKind,
    primary_groups,
    primary_units,
)

__all__ = [
    "CLOSE_SCORE",
    "PRIMARY_SCORE",
    "PlacedUnit",
    "UnitGroup",
    "UnitKind",
    "find_unit_groups",
    "primary_groups",
    "primary_units",
]
