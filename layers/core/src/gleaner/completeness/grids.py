"""Records in the cells of a grid: of a timetable, or of a table whose heads are values."""

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import pairwise

from gleaner.page.blocks import blocks_of
from gleaner.page.model import Span
from gleaner.values import locales

Values = Mapping[Hashable, Sequence[Sequence[int]]]
"""Where the values of each field may begin, value by value."""

_Place = tuple[int, int]
_Row = Mapping[int, Span]

_LETTER = re.compile(r"[^\W\d_]")
_MOST_CELLS = 2_000
_NEARLY_ALL = 0.8
_FEWEST, _FEWEST_BESIDE = 3, 2
_RUN = re.compile(r"\d+|[^\W\d_]+")


def open_cells(text: str, values: Values, count: int) -> list[Span]:
    """Give the cells that no value stands in, of a table in which nearly each of ``count`` records has its own cell.

    A field's values tell: each begins a cell, and some rows have several. Cells count that stand in columns with such
    a cell, or in any if these stand side by side; the first row and column head the others. What several cells of
    nobody say alike is no record: "Closed", "Lunch".

    >>> text = "| | Mon | Tue |\\n|---|---|---|\\n| 9 | Yoga | Spin |\\n| 10 | Box | Row |"
    >>> starts = [[text.index(name)] for name in ("Yoga", "Spin", "Row")]
    >>> [text[start:end] for start, end in open_cells(text, {"class": starts}, 3)]
    ['Box']
    """
    blocks = blocks_of(text)
    for table in blocks.tables if count >= _FEWEST else ():
        if text.count("|", *blocks.span(table)) <= _MOST_CELLS:
            rows = [blocks.cells(row) for row in table.rows]
            homes, spare = _homes(text, rows, values, count)
            if homes:
                starts = [start for each in values.values() for one in each for start in one]
                return _open(text, rows, homes, _stated(rows, starts), spare)
    return []


def cells_beside(text: str, values: Values, count: int) -> list[Span]:
    """Give the cells that no value stands in, of a table whose records take a value from the head of their own cell.

    Below "Programme | 2023 | 2024" the row "Arts | 120 | 135" holds two records: an answer with the sums of 2023 alone
    has left out those of 2024. The columns that count have heads of one kind: figures alike, days of the week, months.

    >>> text = "| Fund | 2023 | 2024 |\\n|---|---|---|\\n| Arts | 120 | 135 |\\n| Sport | 90 | 88 |"
    >>> starts = {"year": [[9], [9]], "sum": [[text.index("120")], [text.index("90 ")]]}
    >>> [text[start:end] for start, end in cells_beside(text, starts, 2)]
    ['135', '88']
    """
    blocks = blocks_of(text)
    for table in blocks.tables if count >= _FEWEST_BESIDE else ():
        if not table.is_headed or text.count("|", *blocks.span(table)) > _MOST_CELLS:
            continue
        rows = [blocks.cells(row) for row in table.rows]
        begins = {span[0]: (row, column) for row, own in enumerate(rows) for column, span in own.items()}
        several = (each for each in values.values() if len(each) >= _NEARLY_ALL * count)
        places = [[begins[one[0]] for one in each if one[0] in begins] for each in several]
        in_head = [some for some in places if sum(not row for row, _ in some) >= _NEARLY_ALL * count]
        heads = {column for some in in_head for row, column in some if not row}
        homes = {place for some in places for place in some if place[0] and place[1] in heads}
        kinds = {_kind_of_head(text[slice(*rows[0][column])]) for column in heads} - {""}
        if kinds and len(homes) >= _NEARLY_ALL * count:
            alike = [column for column, span in rows[0].items() if _kind_of_head(text[slice(*span)]) in kinds]
            stated = _stated(rows, (start for each in values.values() for one in each for start in one))
            asked = ((row, column) for row in sorted({row for row, _ in homes}) for column in alike)
            return [rows[row][column] for row, column in asked if column in rows[row] and (row, column) not in stated]
    return []


def _kind_of_head(text: str) -> str:
    """Give the form of a head with figures, or that it is a day of the week or a month; "" for other words."""
    if any(map(str.isdigit, text)):
        return _RUN.sub(lambda run: "9" if run[0][0].isdigit() else "a", text)
    word = text.strip(" .*_").casefold()
    return "weekday" if word in locales.weekday_numbers() else "month" if word in locales.month_numbers() else ""


def _said(text: str, start: int, end: int) -> str:
    return f'"{" ".join(text[start:end].split())[:60]}"'


def _homes(text: str, rows: Sequence[_Row], values: Values, count: int) -> tuple[set[_Place], Counter[str]]:
    """Give the cells in which the values of one field begin, each in one of its own; none where that is no grid.

    And how many values say what a home says, beyond the homes: equal ones may rest on one of several cells.
    """
    begins = {span[0]: (row, column) for row, own in enumerate(rows) for column, span in own.items()}
    best: set[_Place] = set()
    spare = Counter[str]()
    for each in values.values():
        homes: set[_Place] = set()
        for starts in each if len(each) >= _NEARLY_ALL * count else ():
            found = (begins[start] for start in starts if start in begins)
            inner = (place for place in found if place[0] > 0 and place[1] > min(rows[place[0]]))
            homes.update([place for place in inner if place not in homes][:1])
        if len(homes) > len(best):
            best = homes
            said = (
                _said(text, *rows[row][column]) for one in each for row, column in [begins.get(one[0], (0, 0))] if row
            )
            spare = Counter(said) - Counter(_said(text, *rows[row][column]) for row, column in homes)
    used = {row for row, _ in best}
    is_grid = len(best) >= max(_FEWEST, _NEARLY_ALL * count) and len(best) > len(used) > 1
    return (best, spare) if is_grid else (set(), spare)


def _stated(rows: Sequence[_Row], starts: Iterable[int]) -> set[_Place]:
    inside = {at: (row, column) for row, own in enumerate(rows) for column, span in own.items() for at in range(*span)}
    return {inside[start] for start in starts if start in inside}


def _open(
    text: str, rows: Sequence[_Row], homes: set[_Place], stated: set[_Place], spare: Mapping[str, int]
) -> list[Span]:
    columns = sorted({column for _, column in homes})
    if any(second == first + 1 for first, second in pairwise(columns)):
        columns = list(range(columns[0] - 1, columns[-1] + 2))
    has_letters = all(_LETTER.search(text[slice(*rows[row][column])]) for row, column in homes)
    found = [
        span
        for row, own in enumerate(rows)
        for column, span in own.items()
        if row > 0 and column in columns and column > min(own) and (row, column) not in stated
        if not has_letters or _LETTER.search(text[slice(*span)])
    ]
    said = Counter(_said(text, *span).casefold() for span in found)
    free = [span for span in found if said[_said(text, *span).casefold()] == 1]
    return [span for span in free if not spare.get(_said(text, *span))]
