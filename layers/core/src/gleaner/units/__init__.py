"""The repeated pieces of a page that can each hold one record: rows, items, cards (EX-6, CM-1)."""

from gleaner.units.detection import find_unit_groups
from gleaner.units.groups import (
    CLOSE_SCORE,
    PRIMARY_SCORE,
    ROUND_SCORE,
    SPARE_SCORE,
    TURN_SCORE,
    PlacedUnit,
    UnitGroup,
    UnitKind,
    primary_groups,
    primary_units,
    whole_units,
)
from gleaner.units.lines import line_units
from gleaner.units.placing import container_groups
from gleaner.units.rounds import BEGINNING

__all__ = [
    "BEGINNING",
    "CLOSE_SCORE",
    "PRIMARY_SCORE",
    "ROUND_SCORE",
    "SPARE_SCORE",
    "TURN_SCORE",
    "PlacedUnit",
    "UnitGroup",
    "UnitKind",
    "container_groups",
    "find_unit_groups",
    "line_units",
    "primary_groups",
    "primary_units",
    "whole_units",
]
