"""Answers that leave out records of a list, or items of a list inside a record: each must be loud, or made good.

Four ways on each list: one record in the middle and the last three, in the first answer or in every one. Of each page
with lists inside its records one item, in every answer.
"""

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any
from zlib import crc32

from gleaner.contracts.json_pointers import pointer_of
from gleaner.schemas.leaves import SchemaViews, field_at, locate_records

from measure.answering import Answer, Reader
from measure.asking import PAID_TIERS, Asked, installation
from measure.cases import Case
from measure.comparing import Json, compare, is_nothing
from measure.counting import Figure, Tally, share

FEWEST = 5
"""Records of a list that some are left out of."""

EVERY = {"layouts": 3, "tables": 3}
"""One list of so many, of the corpora that have dozens alike; by the name, so that it is always the same ones."""

LOSSES = (
    Figure(
        "records_lost", "results called complete with records left out of every answer", "%", "lower", 0,
        share("lost_complete", "lost", called="answers"),
    ),
    Figure(
        "unnamed", "records left out of every answer that nothing names", "%", "lower", 0,
        share("unnamed", "lost", called="answers"),
    ),
    Figure(
        "not_made_good", "complete with records that only the first answer left out", "%", "lower", 0,
        share("late_complete", "late", called="answers"),
    ),
    Figure(
        "items_lost", "results called complete with an item of a list in a record left out", "%", "lower", 0,
        share("items_complete", "items", called="answers"),
    ),
    Figure(
        "nulls", "values left null that no warning and no error names", "%", "lower", 0,
        share("nulls_unnamed", "nulls", called="values"),
    ),
)  # fmt: skip


def count_losses(case: Case, seed: object) -> Tally:
    """Give the counts of a page's answers with something left out."""
    tally: Tally = Counter()
    if not case.is_whole or case.schema is None or crc32(case.name.encode()) % EVERY.get(case.corpus, 1):
        return tally
    if case.is_list and len(case.records) >= FEWEST:
        for without in (
            frozenset({len(case.records) // 2}),
            frozenset(range(len(case.records) - 3, len(case.records))),
        ):
            tally += _of_records(case, without)
    spoilt = _with_an_item_less(case, Random(f"{seed}/{case.name}"))
    if spoilt is not None:
        result = _asked(case, Reader(case, given=spoilt))
        is_short = compare(case.wanted, result.data).items_missing > 0
        tally.update(items=1, items_complete=result.is_complete and is_short)
    left_out = _with_a_null(case, Random(f"{seed}/{case.name}"))
    if left_out is not None:
        answer, pointer = left_out
        told = _asked(case, Reader(case, given=answer)).found
        said = [*told.warnings, *(error.message for error in told.errors)]
        tally.update(nulls=1, nulls_unnamed=not any(pointer in one for one in said))
    return tally


def _of_records(case: Case, without: frozenset[int]) -> Tally:
    given = [None if at in without else record for at, record in enumerate(case.records)]
    always = _asked(case, Reader(case, given=given))
    if not always.found.completeness.returned:  # a list that no prompt shows has a row of its own
        return Counter()
    late = _asked(case, Reader(case, given_first=given))
    tally: Tally = Counter(lost=1, late=1)
    tally["lost_complete"] += always.is_complete and _lacks(case, always)
    tally["unnamed"] += _lacks(case, always) and not is_loss_named(always)
    tally["late_complete"] += late.is_complete and _lacks(case, late)
    return tally


def _asked(case: Case, reader: Reader) -> Asked:
    with installation() as asked:
        return asked.ask(case, reader, PAID_TIERS)


def _lacks(case: Case, result: Asked) -> bool:
    return compare(case.wanted, result.data).missing > 0


def is_loss_named(result: Asked) -> bool:
    """Tell whether a result says that records are missing: their places, or fewer than were expected."""
    counted = result.found.completeness
    is_short = counted.expected is not None and counted.expected > counted.returned
    return bool(counted.missing) or is_short or any("missing" in error.error_type for error in result.found.errors)


def _with_an_item_less(case: Case, random: Random) -> Answer | None:
    """Give the answer without one item of a list inside a record; None where no record has a list of three."""
    chosen = [(at, name) for at, record in enumerate(case.records) for name in _lists(record)]
    if not chosen:
        return None
    at, name = random.choice(chosen)
    records: list[dict[str, Any]] = [{**record} for record in case.records]
    items: list[Json] = [*records[at][name]]
    items.pop(random.randrange(1, len(items) - 1))
    records[at][name] = items
    return records


def _with_a_null(case: Case, random: Random) -> tuple[Answer, str] | None:
    """Give the answer with one value of a record null, and its pointer; None where no record has one that may be."""
    views = SchemaViews(case.schema)
    root, _ = locate_records(case.wanted, None)
    chosen = [
        (at, name)
        for at, record in enumerate(case.records if case.is_list else ())
        for name, value in record.items()
        if not isinstance(value, list | dict | bool | None) and views.allows_null((*field_at(root), "*", name))
    ]
    if not chosen:
        return None
    at, name = random.choice(chosen)
    records: list[dict[str, Any]] = [{**record} for record in case.records]
    records[at][name] = None
    return records, pointer_of((*root, at, name))


def _lists(record: dict[str, Json]) -> Iterator[str]:
    for name, value in record.items():
        if isinstance(value, list) and len(value) >= 3 and not any(map(is_nothing, value)):
            yield name
