"""Candidates for groups of units, groups, and their places in the Markdown."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from gleaner.page.model import PlacedUnit, UnitKind

PRIMARY_SCORE = 0.4
"""From this score on, a group is taken for a listing of records."""

SPARE_SCORE = 0.01
"""The score of pieces that only the lines of the text set apart: none by itself, until records come from them."""

ROUND_SCORE = 0.008
"""The score of neighbouring pieces that are joined by their looks: none of records with records inside."""

TURN_SCORE = 0.005
"""The score of runs of a fixed number of pieces: looked at where no others state the records."""

CLOSE_SCORE = 0.8
"""A group this close to the best one (as a ratio of scores) is numbered beside it."""


@dataclass(frozen=True, slots=True, eq=False)
class UnitGroup:
    """Repeated pieces of a page that have one shape.

    ``runs`` holds one run of consecutive siblings for each unit, as numbers of nodes, in page order: mostly of one;
    more where a record has no wrapper of its own (dt + dd, h3 + p + p, two table rows). Units may lie inside one
    another (a reply within its comment). ``score`` is in [0, 1]: how much the group looks like records rather than like
    navigation or attributes. ``label`` is the caption or the nearest heading before it, ``columns`` the header cells of
    a table.
    """

    kind: UnitKind
    runs: tuple[tuple[int, ...], ...]
    score: float
    label: str = ""
    columns: tuple[str, ...] = ()


def primary_groups(groups: Sequence[UnitGroup]) -> tuple[UnitGroup, ...]:
    """Give the groups whose units are worth numbering: the best one that looks like records, and those close to it.

    Empty on a page about a single thing, and on an article.
    """
    listed = [group for group in groups if group.score >= PRIMARY_SCORE and group.kind != "attribute"]
    if not listed:
        return ()
    best = max(group.score for group in listed)
    return tuple(group for group in listed if group.score >= best * CLOSE_SCORE)


def primary_units(units: Sequence[PlacedUnit]) -> tuple[PlacedUnit, ...]:
    """Give the units of the groups that ``primary_groups`` would give, for callers that hold only places.

    >>> row = PlacedUnit(group=0, index=0, start=0, end=9, group_score=0.9, kind="row")
    >>> link = PlacedUnit(group=1, index=0, start=9, end=12, group_score=0.1, kind="item")
    >>> primary_units([row, link]) == (row,)
    True
    """
    listed = [unit for unit in units if unit.group_score >= PRIMARY_SCORE and unit.kind != "attribute"]
    best = max((unit.group_score for unit in listed), default=0.0)
    return tuple(unit for unit in listed if unit.group_score >= best * CLOSE_SCORE)


def whole_units(units: Sequence[PlacedUnit]) -> Sequence[PlacedUnit]:
    """Give the units that are some by themselves: what was joined to see whether records come from it stands last."""
    return units[: sum(unit.group_score >= SPARE_SCORE for unit in units)]


@dataclass(slots=True)
class Candidate:
    """Runs of element positions with one shape; ``weight`` is a factor that the finder already puts on the score."""

    kind: UnitKind
    runs: list[list[int]]
    columns: tuple[str, ...] = ()
    label: str = ""
    weight: float = 1.0
    score: float = 0.0
    fields: float = 0.0
    starts: list[int] = field(default_factory=list[int])
