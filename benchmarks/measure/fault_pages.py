"""Faults on pages: wrong values served, results called complete that are not, right values refused.

Each answer is the page's truth with faults of ``faults.py``; a model gives it however it is asked, and what counts is
what comes out at the end: extraction with its follow-up questions, proof and certificate.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from random import Random
from typing import Any

from gleaner.contracts.json_pointers import escape_step
from gleaner.contracts.models import ExtractionResult

from measure.faults import FAULTS, Change, Fault, Record, kind_of, weighted
from measure.rows import Context, Row, share
from measure.true_pages import GivenAnswer, TruePage, extracted, layout_pages, real_pages

Tally = Counter[str]
"""Counts by name: "served/list/filled_null" and "tried/list/filled_null", "refused/list", "right/list" and so on."""

SPOILT_RECORDS = 4
"""One record of so many has a fault in a spoilt list: models are mostly right, and the proof goes by majorities."""


@dataclass(frozen=True, slots=True)
class Spoilt:
    """A faulty answer: what was changed, and which fault did it, by record and field."""

    change: Change
    by: dict[tuple[int, str], str]
    lacks: str = ""


def spoilt_answers(page: TruePage, seed: object) -> Iterator[Spoilt]:
    """Give the faulty answers of a page: several faults of single records to an answer, each other fault alone."""
    count = len(page.records)
    room = max(1, count // SPOILT_RECORDS)
    values: dict[tuple[int, str], Any] = {}
    by: dict[tuple[int, str], str] = {}
    used: set[int] = set()
    for fault in FAULTS:
        random = Random(f"{seed}/{page.name}/{fault.name}")
        if fault.spoils != "values":
            if (change := _applied(fault, page, random, set())) is not None:
                lacks = fault.name if page.pointer is not None else ""
                yield Spoilt(change, dict.fromkeys(change.values, fault.name), lacks)
            continue
        if len(used) >= room:
            yield Spoilt(Change(values), by)
            values, by, used = {}, {}, set()
        change = _applied(fault, page, random, used)
        if change is not None:
            values |= change.values
            by |= dict.fromkeys(change.values, fault.name)
            used |= {at for at, _ in change.values}
    if values:
        yield Spoilt(Change(values), by)


def _applied(fault: Fault, page: TruePage, random: Random, used: set[int]) -> Change | None:
    """Give what a fault does at the first record, in a drawn order, where it can do something."""
    order = [at for at in range(len(page.records)) if at not in used]
    random.shuffle(order)
    return next((change for at in order if (change := fault.spoil(page.truth, at, random)) is not None), None)


def tally_of(page: TruePage, seed: object, most: int | None = None) -> Tally:
    """Count what becomes of the page's true answer and of its faulty ones, ``most`` of these drawn by the seed."""
    tally = _of_truth(page)
    answers = [*spoilt_answers(page, seed)]
    if most is not None:
        answers = Random(f"{seed}/{page.name}").sample(answers, min(most, len(answers)))
    for spoilt in answers:
        tally += _of_fault(page, spoilt)
    return tally


def _of_truth(page: TruePage) -> Tally:
    result = extracted(page, GivenAnswer(page, page.records))
    right, kept = _values_kept(page.records, Served(page, result, page.records), set())
    return Counter({f"right/{page.kind}": right, f"refused/{page.kind}": right - kept})


def _of_fault(page: TruePage, spoilt: Spoilt) -> Tally:
    answer = spoilt.change.applied(page.records)
    result = extracted(page, GivenAnswer(page, answer))
    served = Served(page, result, answer)
    tally: Tally = Counter()
    for (at, name), fault in spoilt.by.items():
        tally[f"tried/{page.kind}/{fault}"] += 1
        tally[f"served/{page.kind}/{fault}"] += served.holds(at, name, spoilt.change.values[at, name])
    right, kept = _values_kept(answer, served, set(spoilt.change.values))
    tally["right_beside"] += right
    tally["collateral"] += right - kept
    if spoilt.lacks:
        tally["lacking"] += 1
        tally["claimed"] += not result.is_partial
    return tally


def _values_kept(answer: Sequence[Record | None], served: "Served", changed: set[tuple[int, str]]) -> tuple[int, int]:
    """Count the single values of an answer that are right, and those of them that came through."""
    right = kept = 0
    for at, one in enumerate(answer):
        for name, value in (one or {}).items():
            if kind_of(value) != "none" and value != "" and (at, name) not in changed:
                right += 1
                kept += served.holds(at, name, value)
    return right, kept


class Served:
    """What a result serves of an answer: values that are in the data and not marked as stated nowhere."""

    def __init__(self, page: TruePage, result: ExtractionResult, answer: Sequence[Record | None]) -> None:
        self.rows = page.unwrapped(result.data)
        numbers = [at for at, one in enumerate(answer) if one is not None]
        places = matched([one for one in answer if one is not None], self.rows)
        self.place = dict(zip(numbers, places, strict=True))
        self.pointer = page.pointer
        self.ungrounded = {entry.pointer for entry in result.provenance if entry.status == "ungrounded"}

    def holds(self, at: int, name: str, value: Any) -> bool:
        """Tell whether a value of a record is served as a true one."""
        place = self.place.get(at)
        if place is None or not same(self.rows[place].get(name), value):
            return False
        around = "" if self.pointer is None else f"{self.pointer}/{place}"
        return f"{around}/{escape_step(name)}" not in self.ungrounded


def matched(given: Sequence[Record], found: Sequence[Record]) -> list[int | None]:
    """Give, for each record of an answer, which of the result's it is: the same values or null, in the same order."""
    rows: list[int | None] = []
    start = 0
    for one in given:
        place = next((at for at in range(start, len(found)) if _may_be(one, found[at])), None)
        rows.append(place)
        start = start if place is None else place + 1
    return rows


def _may_be(given: Record, found: Record) -> bool:
    kept = [name for name, value in found.items() if kind_of(value) != "none"]
    return bool(kept) and all(same(given.get(name), found[name]) for name in kept)


def same(one: Any, other: Any) -> bool:
    """Tell whether two values are the same: 1 is 1.0, and spaces at the ends of texts do not count."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    return one.strip() == other.strip() if isinstance(one, str) and isinstance(other, str) else one == other


def figures_of(tally: Tally) -> dict[str, tuple[float | None, str]]:
    """Give each row's figure, and what was counted."""
    found: dict[str, tuple[float | None, str]] = {}
    for kind in ("list", "single", "real"):
        shares = {one.name: (tally[f"served/{kind}/{one.name}"], tally[f"tried/{kind}/{one.name}"]) for one in FAULTS}
        shares = {name: each for name, each in shares.items() if each[1]}
        hits, tries = (int(sum(each[n] for each in shares.values())) for n in (0, 1))
        found[f"faults.served.{kind}"] = weighted(shares), f"{hits} of {tries} values"
        refused, right = tally[f"refused/{kind}"], tally[f"right/{kind}"]
        found[f"faults.refused.{kind}"] = share(refused, right), f"{refused:,} of {right:,} values"
    found["faults.claimed"] = (
        share(tally["claimed"], tally["lacking"]),
        f"{tally['claimed']} of {tally['lacking']} results",
    )
    beside = f"{tally['collateral']:,} of {tally['right_beside']:,} values"
    found["faults.collateral"] = share(tally["collateral"], tally["right_beside"]), beside
    return found


TITLES = {
    "faults.served.list": "Wrong values served, lists of the layouts (by weight)",
    "faults.served.single": "Wrong values served, layouts about one thing (by weight)",
    "faults.served.real": "Wrong values served, real pages (by weight)",
    "faults.claimed": "Called complete though a record is missing or a column is invented",
    "faults.collateral": "Right values refused beside a fault",
    "faults.refused.list": "Right values refused in the true answer, lists of the layouts",
    "faults.refused.single": "Right values refused in the true answer, layouts about one thing",
}
TOLERANCES = {"faults.refused.list": 0.5, "faults.refused.single": 0.5, "faults.collateral": 0.5}


def tallies(context: Context, pages: Iterable[TruePage]) -> dict[str, Tally]:
    """Give the counts by part; a page that fails is named in the notes and not counted."""
    found: dict[str, Tally] = {"develop": Counter(), "check": Counter()}
    for page in pages:
        try:
            found[page.part] += tally_of(page, context.seed, 2 if context.quick else 3)
        except Exception as error:  # noqa: BLE001 - one broken page must not end the measurement
            context.note(f"faults on {page.name}", error)
    return found


def _pages(context: Context) -> Iterator[TruePage]:
    """Give the pages to measure on; for the ratchet a few layouts of each kind and three real pages."""
    if not context.quick:
        return chain(layout_pages(context, 3), real_pages(context, 3))
    layouts = [*layout_pages(context, 1)]
    few = [
        page
        for part, count in (("develop", 3), ("check", 2))
        for kind in ("list", "single")
        for page in [one for one in layouts if one.part == part and one.kind == kind][::7][:count]
    ]
    return chain(few, real_pages(context, 50))


def measure(context: Context) -> list[Row]:
    """Give the rows of faults."""
    found = tallies(context, _pages(context))
    figures, checks = figures_of(found["develop"]), figures_of(found["check"])
    rows: list[Row] = []
    for name, title in TITLES.items():
        value, of = figures[name]
        check, check_of = checks[name]
        note = "no corpus" if value is None and context.corpus is None else ""
        tolerance = TOLERANCES.get(name, 1.0) * (3 if context.quick else 1)
        rows.append(
            Row(name, title, value, "%", "lower", tolerance, of, check, check_of if check is not None else "", note)
        )
    return rows
