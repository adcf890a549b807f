"""Open units that hold no record by what they say: remarks between records, advertisements. Pure."""

from collections.abc import Mapping, Sequence
from typing import Any

from gleaner.completeness import calls_itself_an_ad, is_unlike, is_within_line
from gleaner.emptiness import may_hold_records, says_it_is_empty
from gleaner.extraction.tasks import ChunkTask
from gleaner.ledger import SURE_SCORE, NumberedUnit, UnitLedger
from gleaner.units import PRIMARY_SCORE


def find_remarks(
    task: ChunkTask,
    units: Mapping[int, NumberedUnit],
    account: UnitLedger,
    asked: Mapping[int, int],
    item_schema: Any = None,
) -> set[int]:
    """Give the numbers of open units that may count as passed over; ``asked`` tells how often each was asked about.

    So may all when the page says that it lists nothing and they state nothing that a record of ``item_schema`` would.
    What calls itself an advertisement may be one of the records: it has to be asked about alone first.
    """
    is_empty = not account.answered and says_it_is_empty(task.content)
    given: dict[int, list[str]] = {}
    for number in account.answered:
        given.setdefault(units[number].group, []).append(text_of(task, units[number]))
    return {
        number
        for number in (*account.missing, *account.doubtful)
        if (asked.get(number, 0) > 1 and calls_itself_an_ad(text_of(task, units[number])))
        or (is_empty and _is_no_record(task, units[number], item_schema))
        or _is_remark(task, units[number], given.get(units[number].group, []))
    }


def _is_no_record(task: ChunkTask, unit: NumberedUnit, item_schema: Any) -> bool:
    return unit.score < SURE_SCORE and not may_hold_records(text_of(task, unit), item_schema)


def _is_remark(task: ChunkTask, unit: NumberedUnit, given: Sequence[str]) -> bool:
    base = task.start_char
    is_part = is_within_line(task.content, unit.start - base, unit.end - base)
    return unit.score < PRIMARY_SCORE and is_unlike(text_of(task, unit), given, is_within_line=is_part)


def text_of(task: ChunkTask, unit: NumberedUnit) -> str:
    """Give the text of a unit."""
    return task.content[unit.start - task.start_char : unit.end - task.start_char]
