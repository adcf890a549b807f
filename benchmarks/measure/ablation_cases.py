"""What mechanisms are measured on: the cases of the suites that count page by page, of the develop half alone."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from measure.cases import TITLES, Case, read_cases
from measure.counting import Tally
from measure.pages import count_page
from measure.replays import count_layout, count_replays, designs, real_lists
from measure.rows import Context

CHANGES = "changes"
SOURCES = (*TITLES, CHANGES)
"""The corpora, and the pages that change."""


@dataclass(frozen=True, slots=True)
class Work:
    """One case: ``run`` gives its counts."""

    name: str
    source: str
    run: Callable[[], Tally]


@dataclass(frozen=True, slots=True)
class Counted:
    """What a case gave: its counts, seconds of processor time, the mechanisms that did anything, or why it failed."""

    tally: Tally
    seconds: float
    fired: frozenset[str] = frozenset()
    failure: str = ""

    def as_json(self) -> dict[str, Any]:
        """Give it as JSON."""
        return {"tally": dict(self.tally), "seconds": self.seconds, "fired": sorted(self.fired)}

    @classmethod
    def read(cls, stored: Mapping[str, Any]) -> "Counted":
        """Read it from JSON."""
        return cls(Tally(stored["tally"]), stored["seconds"], frozenset(stored["fired"]))


def works(context: Context) -> Iterator[Work]:
    """Give the cases: each page with right, faulty and lossy answers, lists and layouts after changes."""
    for case in read_cases(context):
        yield Work(f"{case.corpus}/{case.name}", case.corpus, lambda case=case: count_page(case, context))
    for case in real_lists(context):
        yield Work(f"changed/{case.name}", CHANGES, lambda case=case: _replays(case, context.seed))
    for design, part in designs(context):
        run = lambda design=design, part=part: count_layout(design, part, context.seed)  # noqa: E731
        yield Work(f"layout/{design.name}", CHANGES, run)


def _replays(case: Case, seed: int) -> Tally:
    """Give the counts of a list after changes; none for one whose records can't be moved."""
    try:
        return count_replays(case, seed)
    except ValueError:
        return Tally()
