"""Counts of single pages, and the figures that are made of their sums: a row for each corpus and one for all.

A suite over the corpora gives a ``Tally`` for each case; what it says of a corpus are figures of the sum. So the same
counts serve the table, the ratchet and the ablation, which sums them anew without a mechanism.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import mean
from typing import Literal

from layouts.split import Part

from measure.cases import FITTED, OVER_ALL, TITLES, Case, attempt
from measure.rows import Context, Row, Unit

Tally = Counter[str]
Value = tuple[float | None, str]
"""A figure, and what was counted."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A row that each corpus has. ``of`` makes it of a tally; ``joined`` says how the row over all corpora is made.

    ``is_drawn`` for what few drawn faults decide: the quick subset holds only its row over all corpora.
    """

    name: str
    title: str
    unit: Unit
    better: Literal["higher", "lower"]
    tolerance: float
    of: Callable[[Tally], Value]
    joined: Literal["mean", "sum"] = "mean"
    is_drawn: bool = False


def share(part: str, whole: str, *, of: float = 100, called: str = "values") -> Callable[[Tally], Value]:
    """Give a figure's way: one count per ``of`` of another."""

    def figure(tally: Tally) -> Value:
        told = f"{tally[part]:,} of {tally[whole]:,} {called}"
        return (of * tally[part] / tally[whole] if tally[whole] else None), told

    return figure


def ratio(part: str, whole: str, *, called: str = "") -> Callable[[Tally], Value]:
    """Give a figure's way: one count by another."""
    return share(part, whole, of=1, called=called)


def count(part: str, whole: str, *, called: str = "pages") -> Callable[[Tally], Value]:
    """Give a figure's way: a count, if anything was tried."""
    return lambda tally: (float(tally[part]) if tally[whole] else None, f"{tally[part]:,} of {tally[whole]:,} {called}")


def tallies(
    context: Context, cases: Iterable[Case], count_case: Callable[[Case], Tally]
) -> dict[tuple[str, Part], Tally]:
    """Give the sums by corpus and part; a case that fails is named in the notes and not counted."""
    found: dict[tuple[str, Part], Tally] = {}
    for case in cases:
        one = attempt(context, f"{case.corpus}/{case.name}", lambda case=case: count_case(case))
        if one is not None:
            found.setdefault((case.corpus, case.part), Counter()).update(one)
    return found


def rows_of(
    figures: Sequence[Figure], sums: Mapping[tuple[str, Part], Tally], corpora: Sequence[str], *, quick: bool
) -> Iterator[Row]:
    """Give the rows of each corpus; one without a case gives rows without a figure."""
    for corpus in corpora:
        here, held_out = sums.get((corpus, "develop"), Tally()), sums.get((corpus, "check"))
        for figure in figures:
            value, of = figure.of(here)
            row = Row(
                f"{corpus}.{figure.name}",
                f"{TITLES[corpus]}: {figure.title}",
                value,
                figure.unit,
                figure.better,
                None if quick and figure.is_drawn else figure.tolerance,
                of if value is not None else "",
                note="" if here else "no case of this corpus is here",
            )
            check, check_of = figure.of(held_out) if held_out else (None, "")
            told = check_of if check is not None else ""
            yield replace(row, check=check, check_of=told, is_fitted=corpus in FITTED)


def rows_over_all(figures: Sequence[Figure], rows: Sequence[Row]) -> Iterator[Row]:
    """Give a row over all corpora for each figure: each corpus counts the same, however many pages it has.

    Pages that were made because something fails on them stand apart.
    """
    for figure in figures:
        own = [row for row in rows if row.id in {f"{corpus}.{figure.name}" for corpus in OVER_ALL}]
        values = [row.value for row in own if row.value is not None]
        if own:
            value = (sum(values) if figure.joined == "sum" else mean(values)) if values else None
            how = "sum" if figure.joined == "sum" else "mean"
            yield replace(
                own[0],
                id=f"all.{figure.name}",
                title=f"all corpora: {figure.title}",
                value=value,
                tolerance=figure.tolerance,
                of=f"{how} of {len(values)} corpora",
                check=None,
                check_of="",
                note="",
                is_fitted=False,
            )
