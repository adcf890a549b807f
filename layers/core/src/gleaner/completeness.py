"""The certificate of a result: how many records the page shows, how many came back, and which are missing (CM-1)."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from gleaner.models import Completeness, MissingUnit
from gleaner.units import PlacedUnit, primary_units


@dataclass(frozen=True, slots=True)
class StatedTotal:
    """A total that the page states: ``markdown[start:end]`` is ``text``.

    ``total`` counts the whole listing; ``first`` and ``last`` are the range that this page shows, when it says so.
    """

    total: int
    first: int | None
    last: int | None
    start: int
    end: int
    text: str

    @property
    def shown(self) -> int:
        """How many records this page should show."""
        if self.first is None or self.last is None:
            return self.total
        return self.last - self.first + 1


@dataclass(frozen=True, slots=True)
class Certificate:
    """The completeness of a result, whether it is short of records (so: partial), and what to tell the caller."""

    completeness: Completeness
    is_short: bool
    warnings: tuple[str, ...] = ()


def stated_total(markdown: str) -> StatedTotal | None:
    """Give the total that a listing states about itself, or None."""
    del markdown
    return None


def certify(
    *,
    returned: int,
    units: Sequence[PlacedUnit],
    answered: Collection[int],
    skipped: Collection[int] = (),
    stated: StatedTotal | None = None,
    markdown: str = "",
    is_list: bool = True,
    chunk_starts: Sequence[int] = (),
) -> Certificate:
    """Count the units of the page against the records of the result.

    ``answered`` and ``skipped`` hold positions in ``units``; ``chunk_starts`` the chunks' offsets in the Markdown.
    """
    del stated, chunk_starts
    if not is_list:
        return Certificate(Completeness(expected=1, returned=min(returned, 1), method="single"), is_short=False)
    groups = {units[i].group for i in answered} or {unit.group for unit in primary_units(units)}
    counted = [i for i, unit in enumerate(units) if unit.group in groups and i not in skipped]
    if not counted:
        return Certificate(Completeness(returned=returned), is_short=False)
    missing = [
        MissingUnit(unit=i, start=units[i].start, end=units[i].end, text=markdown[units[i].start : units[i].end])
        for i in counted
        if i not in answered
    ]
    completeness = Completeness(
        expected=len(counted), returned=returned, missing=missing, skipped=len(skipped), method="units"
    )
    return Certificate(completeness, is_short=bool(missing))
