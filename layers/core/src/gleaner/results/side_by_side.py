"""Records in a comparison table: one column per record, one row per field."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from gleaner.contracts.ports import JsonValue
from gleaner.grounding import TextIndex
from gleaner.grounding.side_by_side import find_columns

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Comparison:
    """The columns of a table that hold a record each: how many, and the first cells of those without one."""

    columns: int
    missing: tuple[Span, ...]


def find_comparison(markdown: str, records: Sequence[JsonValue]) -> Comparison | None:
    """Give the table whose columns the records come from, each from one of its own; None when there is none.

    A column without a record counts when it fills as many rows as one with a record does; the first holds the labels.
    """
    found = find_columns(TextIndex(markdown), records) if "|" in markdown else None
    if found is None:
        return None
    own = {column for column in found.homes if column is not None}
    filled = Counter(column for cells in found.rows for column in cells)
    least = min(filled[column] for column in own)
    alike = [column for column in filled if column in own or (column > min(filled) and filled[column] >= least)]
    missing = [next(cells[at] for cells in found.rows if at in cells) for at in sorted(alike) if at not in own]
    return Comparison(len(alike), tuple(missing))
