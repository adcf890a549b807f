"""Tables that compare records: one column per record, one row per field."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gleaner.contracts.ports import JsonValue
from gleaner.judging.origins.regions import Span
from gleaner.schemas.leaves import Leaf, SchemaViews, iterate_leaves
from gleaner.units.segments import row_cells
from gleaner.values.texts.spellings import Field, label_words, spellings
from gleaner.values.texts.text_index import Match, TextIndex

Row = dict[int, Span]

_TABLE = re.compile(r"(?:^[ \t]*\|[^\n]*(?:\n|\Z)){2,}", re.MULTILINE)
_LEAST_VALUES = 2
_NEARLY_ALL = 0.8
_MOST_CELLS = 2_000
_LEAST_VOTES = 3
_MAJORITY = 0.6


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


class FieldRows:
    """The row of each field in a table that compares records: the one that it names, else that of most records."""

    def __init__(self, sides: SideBySide, records: Mapping[int, Sequence[Leaf]], index: TextIndex) -> None:
        self._sides = sides
        names = {leaf.field for own in records.values() for leaf in own if leaf.field}
        said = {label_words(index.text[slice(*cells[min(cells)])]): row for row, cells in enumerate(sides.rows)}
        named = ((field, label_words(name)) for field in names for name in (field[-1], *spellings(field)[1:]))
        self._row_of = {field: said[name] for field, name in named if name in said}
        self._named = frozenset(self._row_of)
        self._text = index.text
        votes: dict[Field, Counter[int]] = {}
        for number, own in records.items():
            for leaf in own:
                rows = {row for match in index.find(leaf.value) if (row := self._row(number, match)) is not None}
                if len(rows) == 1 and leaf.field not in self._row_of:
                    votes.setdefault(leaf.field, Counter()).update(rows)
        for field, counts in votes.items():
            row, most = counts.most_common(1)[0]
            if most >= _LEAST_VOTES and most >= _MAJORITY * counts.total() and row not in self._row_of.values():
                self._row_of[field] = row
        self._taken: set[int | None] = set(self._row_of.values())

    def fitting(self, leaf: Leaf, number: int, matches: Sequence[Match]) -> Sequence[Match]:
        """Give the matches but those in another field's row, or outside of the table where the own row says something.

        All of a field whose own row is not known.
        """
        own = self._row_of.get(leaf.field)
        if own is None:
            return matches
        is_said = self._says(own, number)
        taken = self._taken | ({None} if is_said else set())
        only_own = is_said and leaf.field in self._named
        places = ((match, self._row(number, match)) for match in matches)
        return [match for match, row in places if row == own or not (only_own or row in taken)]

    def _says(self, row: int, number: int) -> bool:
        """Tell whether a record has anything in a row."""
        home = self._sides.homes[number]
        cell = self._sides.rows[row].get(home) if home is not None else None
        return cell is not None and any(map(str.isalnum, self._text[slice(*cell)]))

    def _row(self, number: int, match: Match) -> int | None:
        """Give the row of a place in a record's own column."""
        place = self._sides.cells.around(match)
        return place[0] if place is not None and place[1] == self._sides.homes[number] else None


def find_columns(index: TextIndex, records: Sequence[JsonValue]) -> SideBySide | None:
    """Give the table whose columns the records come from, each from one of its own; None when there is none.

    A table of so many cells that nobody would compare them side by side is not looked at.
    """
    least = max(1, _NEARLY_ALL * len(records))
    for table in _TABLE.finditer(index.text) if records else ():
        head = table[0].split("\n", 1)[0]
        if head.count("|") < least or table[0].count("|") > _MOST_CELLS:
            continue
        rows = tuple(cells for cells in row_cells(index.text, *table.span()) if cells)
        table_cells = Cells(rows)
        homes = tuple(_column_of(record, table_cells, index) for record in records)
        if len({home for home in homes if home is not None}) >= least:
            return SideBySide(rows, homes, table_cells)
    return None


def _column_of(record: JsonValue, cells: Cells, index: TextIndex) -> int | None:
    """Give the column that states most of a record, in as many rows as it has values there; None when none does.

    None, too, when a row states as much of it: tables go by rows.
    """
    columns: Counter[int] = Counter()
    across: Counter[int] = Counter()
    rows_of: dict[int, set[int]] = {}
    leaves = iterate_leaves(record, SchemaViews(None))
    values = [leaf.value for leaf in leaves if not isinstance(leaf.value, bool | None)]
    for value in values:
        places = {place for match in index.find(value) if (place := cells.around(match)) is not None}
        across.update({row for row, _ in places})
        for column in {column for _, column in places}:
            columns[column] += 1
            rows_of.setdefault(column, set()).update(row for row, at in places if at == column)
    best, count = max(columns.items(), key=lambda one: one[1], default=(-1, 0))
    enough = max(_LEAST_VALUES, len(values) * 2 / 3)
    is_one = count >= enough and len(rows_of[best]) >= count > max(across.values())
    return best if is_one else None
