"""Candidate groups of units, before they are scored."""

from dataclasses import dataclass, field

from gleaner.units.groups import UnitKind


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
