"""Open units that hold no record by what they say: remarks between records, advertisements. Pure."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from gleaner.completeness.emptiness import may_hold_records, says_it_is_empty
from gleaner.completeness.ledger import SURE_SCORE, UnitLedger
from gleaner.completeness.likeness import calls_itself_an_ad, is_unlike, kinds_stated
from gleaner.judging.table_heads import named_field
from gleaner.page.model import NumberedUnit, Part
from gleaner.page.totals import is_total
from gleaner.schemas import declared_properties
from gleaner.units import PRIMARY_SCORE
from gleaner.units.totals import stated_total
from gleaner.values.texts.spellings import label_words

_SEPARATORS = tuple(re.compile(pattern) for pattern in (";", r"\|", r"\t", r"\s{2,}", ","))
_LEAST_PARTS = 2
_FEWEST_GIVEN = 3
_SHORT = 30


def find_remarks(
    task: Part,
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
    heads = _heads(task, units.values(), given, item_schema)
    sizes = Counter(unit.group for unit in units.values())
    return {
        number
        for number in account.missing
        if number in heads
        or (asked.get(number, 0) > 1 and calls_itself_an_ad(text_of(task, units[number])))
        or (is_empty and _is_no_record(task, units[number], item_schema))
        or _is_remark(task, units[number], given.get(units[number].group, []), sizes[units[number].group])
    }


def _heads(task: Part, units: Iterable[NumberedUnit], given: Mapping[int, Sequence[str]], item_schema: Any) -> set[int]:
    """Give the units that are the first of a group and hold the names of its columns, as in text set in columns.

    Such a line has as many parts as most of those with a record. It names fields, or states nothing where they state
    numbers.
    """
    firsts: dict[int, NumberedUnit] = {}
    for unit in units:
        if unit.group in given and (unit.group not in firsts or unit.start < firsts[unit.group].start):
            firsts[unit.group] = unit
    names = list(declared_properties(item_schema))
    return {
        unit.number
        for group, unit in firsts.items()
        if unit.score < PRIMARY_SCORE and _is_head(text_of(task, unit), given[group], names)
    }


def _is_head(text: str, given: Sequence[str], names: Sequence[str]) -> bool:
    says_nothing = bool(kinds_stated(given)[0]) and not kinds_stated([text])[1]
    for separator in _SEPARATORS:
        parts = separator.split(text.strip())
        usual = Counter(len(separator.split(one.strip())) for one in given).most_common(1)[0][0]
        if len(parts) == usual >= _LEAST_PARTS:
            named = {named_field(label_words(part), names) for part in parts} - {None}
            return says_nothing or len(named) * 2 >= len(parts)
    return False


def _is_no_record(task: Part, unit: NumberedUnit, item_schema: Any) -> bool:
    return unit.score < SURE_SCORE and not may_hold_records(text_of(task, unit), item_schema)


def _is_remark(task: Part, unit: NumberedUnit, given: Sequence[str], size: int) -> bool:
    text = text_of(task, unit)
    return unit.score < PRIMARY_SCORE and (_sums_up(text, given, size) or is_unlike(text, given))


def _sums_up(text: str, given: Sequence[str], size: int) -> bool:
    """Tell whether one of ``size`` lines counts the others, as databases do below a table, or is their total.

    >>> _sums_up("3 rows in set", ["Oslo  4", "Rome  2", "Bath  7"], 4), _sums_up("Total    13", ["Oslo  4"] * 3, 4)
    (True, True)
    """
    if len(given) < _FEWEST_GIVEN or "\n" in text:
        return False
    total = stated_total(text)
    return is_total(text) or (
        total is not None and total.total in (len(given), size - 1) and total.text in text[:_SHORT]
    )


def text_of(task: Part, unit: NumberedUnit) -> str:
    """Give the text of a unit."""
    return task.content[unit.start - task.start_char : unit.end - task.start_char]
