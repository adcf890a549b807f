"""Records in a comparison table: one column per record, one row per field."""

from collections.abc import Sequence
from dataclasses import dataclass

from gleaner.completeness.likeness import kinds_stated
from gleaner.contracts.ports import JsonValue
from gleaner.judging.origins.side_by_side import Row, find_columns
from gleaner.values.texts.text_index import TextIndex

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Comparison:
    """The columns of a table that hold a record each: how many, and the first cells of those without one."""

    columns: int
    missing: tuple[Span, ...]


def find_comparison(markdown: str, records: Sequence[JsonValue]) -> Comparison | None:
    """Give the table whose columns the records come from, each from one of its own; None when there is none.

    A column without a record counts when it states what those with one do; the first column may hold the labels.
    """
    found = find_columns(TextIndex(markdown), records) if "|" in markdown else None
    if found is None:
        return None
    own = {column for column in found.homes if column is not None}
    texts = _texts(found.rows, markdown)
    said = kinds_stated([texts[column] for column in own])[0]
    alike = [at for at in texts if at in own or (said and said <= kinds_stated([texts[at]])[1])]
    missing = [next(cells[at] for cells in found.rows if at in cells) for at in alike if at not in own]
    return Comparison(len(alike), tuple(missing))


def _texts(rows: Sequence[Row], markdown: str) -> dict[int, str]:
    texts: dict[int, str] = {}
    for cells in rows:
        for column, (start, end) in cells.items():
            texts[column] = f"{texts.get(column, '')}\n{markdown[start:end]}"
    return texts
