"""Tables that compare records: one column per record, one row per field."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from gleaner.contracts.ports import JsonValue
from gleaner.judging.origins.regions import Span
from gleaner.page.blocks import blocks_of
from gleaner.schemas.leaves import SchemaViews, iterate_leaves
from gleaner.values.lookups import grouped
from gleaner.values.texts.text_index import Match, TextIndex

Row = dict[int, Span]

_LEAST_VALUES = 2
_NEARLY_ALL = 0.8
_MOST_CELLS = 2_000


class Cells:
    """The filled cells of a table's rows, found by a place inside."""

    def __init__(self, rows: Sequence[Row]) -> None:
        placed = [(*cell, row, column) for row, cells in enumerate(rows) for column, cell in cells.items()]
        self._cells = sorted(placed)
        self._starts = [start for start, *_ in self._cells]

    def around(self, match: Match) -> tuple[int, int] | None:
        """Give the row and column of the cell that a match stands in; None outside of the table."""
        at = bisect_right(self._starts, match.start) - 1
        if at < 0 or match.end > self._cells[at][1]:
            return None
        return self._cells[at][2:]


@dataclass(frozen=True, slots=True)
class SideBySide:
    """The filled rows of a table, as places by column, and the column of each record; None where it has none."""

    rows: tuple[Row, ...]
    homes: tuple[int | None, ...]
    cells: Cells

    def own(self, number: int, matches: Sequence[Match]) -> Sequence[Match]:
        """Give the matches that stand outside of the table, or in the column of a record."""
        home = self.homes[number]
        found = ((match, self.cells.around(match)) for match in matches)
        return [match for match, place in found if home is None or place is None or place[1] == home]


def find_columns(index: TextIndex, records: Sequence[JsonValue]) -> SideBySide | None:
    """Give the table whose columns the records come from, each from one of its own; None when there is none.

    A table of so many cells that nobody would compare them side by side is not looked at.
    """
    least = max(1, _NEARLY_ALL * len(records))
    blocks = blocks_of(index.text)
    for table in blocks.tables if records else ():
        head = blocks.all[table.rows[0]]
        is_wide = index.text.count("|", head.start, head.end) >= least
        if not is_wide or index.text.count("|", *blocks.span(table)) > _MOST_CELLS:
            continue
        rows = tuple(cells for row in table.rows if (cells := blocks.cells(row)))
        table_cells = Cells(rows)
        homes = tuple(_column_of(record, table_cells, index) for record in records)
        if len({home for home in homes if home is not None}) >= least:
            return SideBySide(rows, homes, table_cells)
    return None


def _column_of(record: JsonValue, cells: Cells, index: TextIndex) -> int | None:
    """Give the column that states most of a record, in as many rows as it has fields there; None when none does.

    None, too, when a row states as much of it: tables go by rows. The items of a list may stand in one cell.
    """
    columns: Counter[int] = Counter()
    across: Counter[int] = Counter()
    rows_of: dict[int, set[int]] = {}
    leaves = [leaf for leaf in iterate_leaves(record, SchemaViews(None)) if not isinstance(leaf.value, bool | None)]
    fields = grouped((leaf.field, leaf.value) for leaf in leaves)
    for values in fields.values():
        places = set.intersection(*(_cells_with(value, cells, index) for value in values))
        across.update({row for row, _ in places})
        for column in {column for _, column in places}:
            columns[column] += 1
            rows_of.setdefault(column, set()).update(row for row, at in places if at == column)
    best, count = max(columns.items(), key=lambda one: one[1], default=(-1, 0))
    enough = max(_LEAST_VALUES, len(fields) * 2 / 3)
    is_one = count >= enough and len(rows_of[best]) >= count > max(across.values())
    return best if is_one else None


def _cells_with(value: JsonValue, cells: Cells, index: TextIndex) -> set[tuple[int, int]]:
    """Give the row and the column of each cell that states a value."""
    return {place for match in index.find(value) if (place := cells.around(match)) is not None}
