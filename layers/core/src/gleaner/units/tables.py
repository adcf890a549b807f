"""The rows of tables that may be records, and the tables of labels and values."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import mean, median

from gleaner.page.tables import Table, TableRow
from gleaner.units.groups import Candidate
from gleaner.units.survey import Survey
from gleaner.values.money_signs import SIGN

_SAMPLE = 60
_USUAL = 1 / 3
"""The least share of rows that stand under merged cells, from which on they are parts of the record above: it is a half
where each record has two rows. In 75 tables of Wikipedia, whose rows are records, it was up to 0.2, and in one 0.8."""

_VALUE_TYPES = (
    ("empty", re.compile(r"^[\s–—-]*$|^n/?a$", re.IGNORECASE)),
    ("flag", re.compile(r"^(?:yes|no|ja|nein|oui|non|sí|✓|✔|✗|✘|×|x|true|false|included|unlimited)$", re.IGNORECASE)),
    ("date", re.compile(r"\b(?:19|20)\d\d\b.*\d|\d{1,2}[./]\d{1,2}[./]\d{2,4}")),
    ("money", re.compile(SIGN)),
    ("number", re.compile(r"^[\d.,\s%+-]+$")),
    ("measure", re.compile(r"^[\d.,]+\s*\S{1,6}$")),
    ("coded", re.compile(r"\d")),
)


@dataclass(slots=True)
class _Row:
    """``width`` counts columns, those included that ``hanging`` cells of rows above span.

    ``pictured`` tells that none of those cells has text.
    """

    place: int
    cells: list[int]
    width: int
    hanging: int = 0
    pictured: bool = False


def table_candidates(survey: Survey, tables: Sequence[Table]) -> tuple[list[Candidate], set[int]]:
    """Give the row groups of the data tables, and the positions that the tables have taken (rows, cells).

    Tables with the same columns make one group. Tables of labels and values, and tables whose records are columns,
    are marked as attributes. One row without heads is no table by itself, but goes with others of its columns.
    """
    groups: dict[object, Candidate] = {}
    lone: list[tuple[object, list[list[int]]]] = []
    taken: set[int] = set()
    for table in tables:
        place, rows = survey.place_of(table.node), [_row(survey, row) for row in table.rows]
        if place < 0 or not _is_data(survey, rows):
            taken.update(row.place for row, kind in zip(rows, table.kinds, strict=True) if kind == "head")
            continue
        taken.update(row.place for row in rows)
        taken.update(cell for row in rows for cell in row.cells)
        found = _read(survey, table, rows)
        if found is None:
            continue
        above = survey.parents[place]
        alike: object = found.columns or (found.kind, survey.paths[place], len(rows[-1].cells), survey.classes[above])
        key = (alike, found.kind, survey.chrome[place])
        if len(found.runs) == 1 == len(found.runs[0]) and not found.columns:
            lone.append((key, found.runs))
        elif key in groups:
            groups[key].runs.extend(found.runs)
        else:
            groups[key] = found
    for key, runs in lone:
        if key in groups:
            groups[key].runs = sorted([*groups[key].runs, *runs])
    return list(groups.values()), taken


def _row(survey: Survey, row: TableRow) -> _Row:
    cells = [place for cell in row.cells if (place := survey.place_of(cell)) >= 0]
    beside = [place for cell in {*row.slots} - {*row.cells, -1} if (place := survey.place_of(cell)) >= 0]
    is_pictured = row.above > 0 and not any(survey.text[cell] for cell in beside)
    return _Row(survey.place_of(row.node), cells, sum(cell >= 0 for cell in row.slots), row.above, is_pictured)


def _is_data(survey: Survey, rows: list[_Row]) -> bool:
    """Tell data from layout: rows of several cells, and cells that are no cards of their own."""
    filled = [row for row in rows if row.cells]
    if not filled or max(len(row.cells) for row in filled) < 2:
        return False
    body = [row for row in filled[1:] if len(row.cells) > 1] or filled
    cells = [cell for row in body[:_SAMPLE] for cell in row.cells if survey.text[cell]]
    if not cells:
        return True
    return median(survey.leaves[cell] for cell in cells) < 3 and median(survey.text[cell] for cell in cells) <= 250


def _read(survey: Survey, table: Table, rows: Sequence[_Row]) -> Candidate | None:
    columns = _columns(survey, table, rows)
    body = [row for row, kind in zip(rows, table.kinds, strict=True) if kind == "row" and row.cells]
    if not body or _is_calendar(survey, body):
        return None
    texts = [[survey.run_text([cell], 60) for cell in row.cells] for row in body[:_SAMPLE]]
    if table.period == 1 and _lists_attributes(survey, body, texts, columns):
        return Candidate("attribute", [[row.place] for row in body], columns=columns, weight=0.3)
    return Candidate("row", _joined(body, table.period), columns=columns)


def _columns(survey: Survey, table: Table, rows: Sequence[_Row]) -> tuple[str, ...]:
    """Give the texts of the last row that names the columns."""
    heads = [row for row, kind in zip(rows, table.kinds, strict=True) if kind == "head"]
    is_wide = any(len(row.cells) > 1 for row in rows)
    last = next((row for row in reversed(heads) if len(row.cells) > 1 or not is_wide), None)
    return tuple(survey.run_text([cell], 60).lower() for cell in last.cells) if last else ()


def _is_calendar(survey: Survey, body: list[_Row]) -> bool:
    """Tell a month of days, each one more than the last, from a table that has seven columns, too."""
    if median(row.width for row in body) != 7 or len(body) > 8:
        return False
    texts = [survey.run_text([cell], 20) for row in body for cell in row.cells]
    days = [int(text[:2]) for text in texts if text[:2].strip().isdecimal() and 0 < int(text[:2]) < 32]
    following = sum(1 for before, after in pairwise(days) if after in (before + 1, 1))
    return len(days) >= 0.6 * len(texts) and following >= 0.8 * (len(days) - 1)


def _lists_attributes(survey: Survey, body: list[_Row], texts: list[list[str]], columns: tuple[str, ...]) -> bool:
    """Tell tables of labels and values, and those whose records are the columns, from tables of records."""
    if median(len(row.cells) for row in body) == 2 and not columns:
        headed = all(survey.tags[row.cells[0]] == "th" for row in body)
        labelled = all(len(row) > 0 and row[0].endswith((":", "：")) for row in texts)
        values = Counter(_value_type(row[1]) for row in texts if len(row) > 1)
        mixed = not values or values.most_common(1)[0][1] < 0.8 * len(texts)
        plain = not values or values.most_common(1)[0][0] in ("text", "empty")
        return headed or labelled or mixed or (plain and len(texts) < 12)
    return _is_transposed(texts)


def _is_transposed(texts: list[list[str]]) -> bool:
    """Tell whether values are of one type along rows rather than down columns (a comparison of a few things)."""
    width = min((len(row) for row in texts), default=0)
    if len(texts) < 3 or not 3 <= width <= 8:
        return False
    types = [[_value_type(text) for text in row[1:width]] for row in texts]
    along = mean(_share(row) for row in types)
    down = mean(_share([row[column] for row in types]) for column in range(width - 1))
    return along - down > 0.25 and along > 0.75


def _share(types: list[str]) -> float:
    return Counter(types).most_common(1)[0][1] / len(types)


def _value_type(text: str) -> str:
    return next((name for name, pattern in _VALUE_TYPES if pattern.search(text)), "text")


def _joined(body: list[_Row], period: int) -> list[list[int]]:
    """Join the rows of one record: beside a picture, under a row most of whose cells span them, or taking turns.

    Where few rows of a table stand under such a one, their cells were merged as they say the same: each is a record.
    """
    if period > 1:
        usual = [_count(row) for row in body[:period]]
        turns = [body[at : at + period] for at in range(0, len(body), period)]
        return [[row.place for row in turn] for turn in turns if [*map(_count, turn)] == usual[: len(turn)]]
    spanned = [row.hanging >= 2 and row.hanging >= len(row.cells) for row in body]
    are_usual = sum(spanned) >= _USUAL * len(body)
    runs: list[list[int]] = []
    for row, is_spanned in zip(body, spanned, strict=True):
        if runs and (row.pictured or (is_spanned and are_usual)):
            runs[-1].append(row.place)
        else:
            runs.append([row.place])
    return runs


def _count(row: _Row) -> int:
    return len(row.cells) + row.hanging
