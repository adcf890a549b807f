"""Faults on pages: wrong values that are served without a word, and right ones that are refused beside them.

Each answer is a page's truth with faults of ``faults.py``; a model gives it however it is asked, and what counts is
what comes out at the end: extraction with its follow-up questions, proof and certificate.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from gleaner.contracts.json_pointers import read_pointer

from measure.answering import Reader
from measure.asking import installation
from measure.cases import Case
from measure.comparing import Fate, Json, compare, with_records
from measure.counting import Figure, Tally, Value, share
from measure.faults import FAULTS, KINDS, MIX, Change, Fault, Truth, weighted

SPOILT_RECORDS = 4
"""One record of so many has a fault in a spoilt list: models are mostly right, and the proof goes by majorities."""


@dataclass(frozen=True, slots=True)
class Spoilt:
    """A faulty answer: what was changed, and which fault did it, by record and field."""

    change: Change
    by: dict[tuple[int, str], str]


def spoilt_answers(case: Case, seed: object) -> Iterator[Spoilt]:
    """Give the faulty answers of a page: several faults of single records to an answer, a whole column alone."""
    truth = Truth(case.records, case.record_schema, case.donors)
    room = max(1, len(case.records) // SPOILT_RECORDS)
    values: dict[tuple[int, str], Json] = {}
    by: dict[tuple[int, str], str] = {}
    used: set[int] = set()
    for fault in FAULTS:
        random = Random(f"{seed}/{case.name}/{fault.name}")
        if fault.spoils == "column":
            if (change := _applied(fault, truth, random, set())) is not None:
                yield Spoilt(change, dict.fromkeys(change.values, fault.name))
            continue
        if len(used) >= room:
            yield Spoilt(Change(values), by)
            values, by, used = {}, {}, set()
        change = _applied(fault, truth, random, used)
        if change is not None:
            values |= change.values
            by |= dict.fromkeys(change.values, fault.name)
            used |= {at for at, _ in change.values}
    if values:
        yield Spoilt(Change(values), by)


def _applied(fault: Fault, truth: Truth, random: Random, used: set[int]) -> Change | None:
    """Give what a fault does at the first record, in a drawn order, where it can do something."""
    order = [at for at in range(len(truth.records)) if at not in used]
    random.shuffle(order)
    return next((change for at in order if (change := fault.spoil(truth, at, random)) is not None), None)


def count_faults(case: Case, seed: object, most: int) -> Tally:
    """Count what becomes of the page's faulty answers, ``most`` of them drawn by the seed."""
    if case.schema is None:
        return Counter()
    answers = [*spoilt_answers(case, seed)]
    drawn = Random(f"{seed}/{case.name}").sample(answers, min(most, len(answers)))
    return sum((_of_answer(case, one) for one in drawn), Tally())


def _of_answer(case: Case, spoilt: Spoilt) -> Tally:
    given = spoilt.change.applied(case.records)
    with installation() as asked:
        result = asked.ask(case, Reader(case, given=given), ["model"])
    fate = compare(with_records(case.truth, given, case.steps), result.data)
    tally: Tally = Counter(column=0)
    changed: set[str] = set()
    for place, fault in spoilt.by.items():
        pointer = case.pointer(*place)
        changed.add(pointer)
        there = fate.kept.get(pointer)
        is_served = there is not None and not result.is_told(there)
        tally.update({f"tried/{fault}": 1, f"served/{fault}": is_served})
        if fault == "invented_column" and place[0] == 0:
            tally.update(columns=1, columns_complete=result.is_complete)
    held = withheld_records(case, changed, fate)
    beside = [
        pointer
        for pointer in (*fate.kept, *fate.lost)
        if pointer in case.counted and pointer not in changed and record_of(case, pointer) not in held
    ]
    return tally + Counter(beside=len(beside), collateral=len(set(fate.lost) & set(beside)))


def record_of(case: Case, pointer: str) -> tuple[str, ...]:
    """Give the record of a list that a pointer leads into; on a page about one thing, the pointer itself."""
    parts = tuple(read_pointer(pointer))
    return parts if case.steps is None else parts[: len(case.steps) + 1]


def withheld_records(case: Case, changed: set[str], fate: Fate) -> set[tuple[str, ...]]:
    """Give the records of which nothing is left and of which a value was wrong: they are withheld, and named (PR-7)."""
    return {record_of(case, one) for one in changed} - {record_of(case, one) for one in fate.kept}


def served_by_kind(tally: Tally) -> dict[str, float]:
    """Give the share of wrong values served without a word, by the kinds of ``MIX``, each fault by its weight."""
    found: dict[str, float] = {}
    for kind in MIX:
        shares = {one: (tally[f"served/{one}"], tally[f"tried/{one}"]) for one, own in KINDS.items() if own == kind}
        if (value := weighted(shares)) is not None:
            found[kind] = value
    return found


def _served(tally: Tally) -> Value:
    """Give the wrong values served of all that a good model gives."""
    kinds = served_by_kind(tally)
    hits, tries = (sum(tally[f"{what}/{name}"] for name in KINDS) for what in ("served", "tried"))
    whole = sum(MIX[kind] for kind in kinds)
    value = sum(MIX[kind] * part for kind, part in kinds.items()) / whole if whole else None
    return value, f"{hits} of {tries} values"


FAULT_FIGURES = (
    Figure("served", "wrong values served without a word (by weight)", "%", "lower", 4.0, _served, is_drawn=True),
    Figure(
        "columns", "results called complete with an invented column", "%", "lower", 0,
        share("columns_complete", "columns", called="answers"),
    ),
    Figure(
        "collateral", "right values refused beside a wrong one", "per 1,000", "lower", 5.0,
        share("collateral", "beside", of=1000), is_drawn=True,
    ),
)  # fmt: skip
