"""Records side by side: a table that compares them has a column for each, and its rows are their fields. Pure."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gleaner.completeness import kinds_stated
from gleaner.ports import JsonValue
from gleaner.proof import TextIndex
from gleaner.proof.leaves import SchemaViews, iterate_leaves
from gleaner.units.segments import row_cells

Span = tuple[int, int]

_TABLE = re.compile(r"(?:^[ \t]*\|[^\n]*(?:\n|\Z)){2,}", re.MULTILINE)
_LEAST_VALUES = 2
_NEARLY_ALL = 0.8


@dataclass(frozen=True, slots=True)
class Comparison:
    """The columns of a table that hold a record each: how many, and the first cells of those without one."""

    columns: int
    missing: tuple[Span, ...]


def find_comparison(markdown: str, records: Sequence[JsonValue]) -> Comparison | None:
    """Give the table whose columns the records come from, each from one of its own; None when there is none.

    A column without a record counts when it states what those with one do; the first column may hold the labels.
    """
    if not records or "|" not in markdown:
        return None
    index = TextIndex(markdown)
    for table in _TABLE.finditer(markdown):
        rows = [cells for cells in row_cells(markdown, *table.span()) if cells]
        homes = [_column_of(record, rows, index) for record in records]
        own = {home for home in homes if home is not None}
        if len(own) >= max(1, _NEARLY_ALL * len(records)):
            texts = _texts(rows, markdown)
            said = kinds_stated([texts[column] for column in own])[0]
            alike = [at for at in texts if at in own or (said and said <= kinds_stated([texts[at]])[1])]
            missing = [next(cells[at] for cells in rows if at in cells) for at in alike if at not in own]
            return Comparison(len(alike), tuple(missing))
    return None


Row = dict[int, Span]


def _column_of(record: JsonValue, rows: Sequence[Row], index: TextIndex) -> int | None:
    """Give the column that states most of a record, in as many rows as it has values there; None when none does."""
    columns: Counter[int] = Counter()
    rows_of: dict[int, set[int]] = {}
    leaves = iterate_leaves(record, SchemaViews(None))
    values = [leaf.value for leaf in leaves if not isinstance(leaf.value, bool | None)]
    for value in values:
        places = {place for match in index.find(value) for place in _cells_at(rows, match.start, match.end)}
        for column in {column for _, column in places}:
            columns[column] += 1
            rows_of.setdefault(column, set()).update(row for row, at in places if at == column)
    best, count = max(columns.items(), key=lambda one: one[1], default=(-1, 0))
    enough = max(_LEAST_VALUES, len(values) * 2 / 3)
    return best if count >= enough and len(rows_of[best]) >= count else None


def _cells_at(rows: Sequence[Row], start: int, end: int) -> Iterator[tuple[int, int]]:
    for number, cells in enumerate(rows):
        for column, cell in cells.items():
            if cell[0] <= start and end <= cell[1]:
                yield number, column


def _texts(rows: Sequence[Row], markdown: str) -> dict[int, str]:
    texts: dict[int, str] = {}
    for cells in rows:
        for column, (start, end) in cells.items():
            texts[column] = f"{texts.get(column, '')}\n{markdown[start:end]}"
    return texts
