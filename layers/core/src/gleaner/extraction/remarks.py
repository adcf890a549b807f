"""Open units that hold no record by what they say: remarks between records, advertisements. Pure."""

from collections.abc import Mapping, Sequence

from gleaner.completeness import calls_itself_an_ad, is_unlike, is_within_line
from gleaner.extraction.tasks import ChunkTask
from gleaner.ledger import NumberedUnit, UnitLedger
from gleaner.units import PRIMARY_SCORE


def find_remarks(
    task: ChunkTask, units: Mapping[int, NumberedUnit], account: UnitLedger, asked: Mapping[int, int]
) -> set[int]:
    """Give the numbers of open units that may count as passed over; ``asked`` tells how often each was asked about.

    What calls itself an advertisement may be one of the records: it has to be asked about alone first.
    """
    given: dict[int, list[str]] = {}
    for number in account.answered:
        given.setdefault(units[number].group, []).append(text_of(task, units[number]))
    return {
        number
        for number in (*account.missing, *account.doubtful)
        if (asked.get(number, 0) > 1 and calls_itself_an_ad(text_of(task, units[number])))
        or _is_remark(task, units[number], given.get(units[number].group, []))
    }


def _is_remark(task: ChunkTask, unit: NumberedUnit, given: Sequence[str]) -> bool:
    base = task.start_char
    is_part = is_within_line(task.content, unit.start - base, unit.end - base)
    return unit.score < PRIMARY_SCORE and is_unlike(text_of(task, unit), given, is_within_line=is_part)


def text_of(task: ChunkTask, unit: NumberedUnit) -> str:
    """Give the text of a unit."""
    return task.content[unit.start - task.start_char : unit.end - task.start_char]
