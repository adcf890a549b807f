"""Classify table rows: records, headers, totals, section titles, spacers."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from statistics import mean, median

from gleaner.units.candidates import Candidate
from gleaner.units.survey import Survey
from gleaner.units.vocabulary import is_total
from gleaner.values.money_signs import SIGN

_SAMPLE = 60
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


def table_candidates(survey: Survey) -> tuple[list[Candidate], set[int]]:
    """Give the row groups of the data tables, and the positions that the tables have taken (rows, cells).

    Tables with the same columns make one group. Tables of labels and values, and tables whose records are columns,
    are marked as attributes.
    """
    groups: dict[object, Candidate] = {}
    taken: set[int] = set()
    holders = _holders(survey)
    for place, tag in enumerate(survey.tags):
        if tag != "table":
            continue
        rows = _hang(survey, [_row(survey, row) for row in _rows(survey, place)])
        if place in holders or not _is_data(survey, rows):
            continue
        taken.update(row.place for row in rows)
        taken.update(cell for row in rows for cell in row.cells)
        found = _read(survey, rows)
        if found is None:
            continue
        above = survey.parents[place]
        alike: object = found.columns or (found.kind, survey.paths[place], len(rows[-1].cells), survey.classes[above])
        key = (alike, found.kind, survey.chrome[place])
        if key in groups:
            groups[key].runs.extend(found.runs)
        else:
            groups[key] = found
    return list(groups.values()), taken


def _holders(survey: Survey) -> set[int]:
    """Give the tables that hold other tables: layout, not data."""
    holders: set[int] = set()
    open_tables: list[int] = []
    for place, tag in enumerate(survey.tags):
        while open_tables and survey.last[open_tables[-1]] < place:
            open_tables.pop()
        if tag == "table":
            if open_tables:
                holders.add(open_tables[-1])
            open_tables.append(place)
    return holders


def _rows(survey: Survey, table: int) -> Iterator[int]:
    for child in survey.children[table]:
        if survey.tags[child] == "tr":
            yield child
        elif survey.tags[child] in ("thead", "tbody", "tfoot"):
            yield from (row for row in survey.children[child] if survey.tags[row] == "tr")


def _row(survey: Survey, place: int) -> _Row:
    cells = [cell for cell in survey.children[place] if survey.tags[cell] in ("td", "th")]
    return _Row(place, cells, sum(_span(survey, cell, "colspan") for cell in cells))


def _hang(survey: Survey, rows: list[_Row]) -> list[_Row]:
    """Count for each row the cells above that span into it; none where the row is full by itself."""
    full = max((row.width for row in rows), default=0)
    spans: list[tuple[int, int, bool]] = []
    for row in rows:
        if row.width < full:
            row.hanging = min(full - row.width, sum(wide for wide, _, _ in spans))
            row.width += row.hanging
            row.pictured = row.hanging > 0 and not any(says for _, _, says in spans)
        spans = [(wide, left - 1, says) for wide, left, says in spans if left > 1]
        for cell in row.cells:
            down = _span(survey, cell, "rowspan")
            if down > 1:
                spans.append((_span(survey, cell, "colspan"), down - 1, bool(survey.text[cell])))
    return rows


def _span(survey: Survey, cell: int, name: str) -> int:
    text = survey.get(cell, name) or "1"
    return min(int(text), 1000) if text.isdecimal() and len(text) < 6 else 1


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


def _read(survey: Survey, rows: list[_Row]) -> Candidate | None:
    columns, body = _part(survey, rows)
    if not body or (len(body) == 1 and not columns) or _is_calendar(survey, body):
        return None
    texts = [[survey.run_text([cell], 60) for cell in row.cells] for row in body[:_SAMPLE]]
    if not _period(body) and _lists_attributes(survey, body, texts, columns):
        return Candidate("attribute", [[row.place] for row in body], columns=columns, weight=0.3)
    return Candidate("row", _joined(body), columns=columns)


def _part(survey: Survey, rows: list[_Row]) -> tuple[tuple[str, ...], list[_Row]]:
    """Part the header cells' texts from the rows that may be records."""
    filled = [row for row in rows if row.cells and survey.text[row.place]]
    if not filled:
        return (), []
    usual = Counter(len(row.cells) + row.hanging for row in filled).most_common(1)[0][0]
    plain = [row for row in filled if not _is_head(survey, row) and not _is_total(survey, row, usual)]
    paired = bool(_period(plain))
    sparse = median(_filled(survey, row) for row in filled) < 3
    columns: tuple[str, ...] = ()
    body: list[_Row] = []
    for row in filled:
        section = survey.tags[survey.parents[row.place]]
        if _is_head(survey, row):
            if len(row.cells) > 1 or usual == 1:
                columns = tuple(survey.run_text([cell], 60).lower() for cell in row.cells)
        elif section == "tfoot" or _is_total(survey, row, usual):
            continue
        elif paired or not _is_title(survey, row, usual, sparse):
            body.append(row)
    if not columns and not paired and len(body) > 1 and not body[1].pictured and _names_columns(survey, body):
        return tuple(survey.run_text([cell], 60).lower() for cell in body[0].cells), body[1:]
    return columns, body


def _is_head(survey: Survey, row: _Row) -> bool:
    in_head = survey.tags[survey.parents[row.place]] == "thead"
    return in_head or all(survey.tags[cell] == "th" for cell in row.cells)


def _filled(survey: Survey, row: _Row) -> int:
    return sum(1 for cell in row.cells if survey.text[cell] or survey.leaves[cell])


def _is_title(survey: Survey, row: _Row, usual: int, sparse: bool) -> bool:
    """Tell a section's title: one cell over all columns, or the only filled one where rows have several."""
    if row.hanging:
        return False
    return len(row.cells) == 1 < usual or (not sparse and _filled(survey, row) == 1)


def _is_total(survey: Survey, row: _Row, usual: int) -> bool:
    label = next((cell for cell in row.cells if survey.text[cell]), row.cells[0])
    is_whole = _filled(survey, row) >= usual > 1
    return is_total(survey.run_text([label], 40), is_whole=is_whole) and survey.text[label] < 40


def _names_columns(survey: Survey, body: list[_Row]) -> bool:
    """Tell whether the first row of plain cells names the columns: bold throughout, or no number above numbers."""
    head, rest = body[0], body[1 : 1 + _SAMPLE]
    texts = [survey.run_text([cell], 60) for cell in head.cells]
    if any(len(text) > 40 or any(mark.isdigit() for mark in text) for text in texts) or not any(texts):
        return False
    bold = all(_is_bold(survey, cell) for cell in head.cells if survey.text[cell])
    if bold and not all(_is_bold(survey, row.cells[0]) for row in rest):
        return True
    numeric = 0
    for column in range(len(head.cells)):
        below = [survey.run_text([row.cells[column]], 60) for row in rest if column < len(row.cells)]
        digits = sum(1 for text in below if any(mark.isdigit() for mark in text))
        filled = sum(1 for text in below if text)
        numeric += bool(texts[column]) and filled > 0 and digits >= 0.9 * filled
    return numeric >= 2 or (numeric == 1 and len(head.cells) <= 2 and len(rest) >= 3)


def _is_bold(survey: Survey, cell: int) -> bool:
    children = survey.children[cell]
    return len(children) == 1 and survey.tags[children[0]] in ("b", "strong") and not survey.own[cell]


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


def _joined(body: list[_Row]) -> list[list[int]]:
    """Join the rows of one record: beside a picture, under a row most of whose cells span them, or taking turns."""
    period = _period(body)
    if period:
        usual = [_columns(row) for row in body[:period]]
        turns = [body[at : at + period] for at in range(0, len(body), period)]
        return [[row.place for row in turn] for turn in turns if [*map(_columns, turn)] == usual[: len(turn)]]
    runs: list[list[int]] = []
    for row in body:
        if runs and (row.pictured or (row.hanging >= 2 and row.hanging >= len(row.cells))):
            runs[-1].append(row.place)
        else:
            runs.append([row.place])
    return runs


def _period(rows: list[_Row]) -> int:
    """Give how many rows make one record, where rows of unlike cells take steady turns; else 0.

    Fewer rows may be left at the end: a last record cut short, or a link to more of them.
    """
    counts = [_columns(row) for row in rows]
    return next((size for size in (2, 3) if _alternates(counts, size)), 0)


def _columns(row: _Row) -> int:
    return len(row.cells) + row.hanging


def _alternates(counts: list[int], size: int) -> bool:
    first, end = counts[:size], len(counts) - len(counts) % size
    if end < 3 * size or len(set(first)) == 1:
        return False
    return all(counts[at : at + size] == first for at in range(0, end, size))
