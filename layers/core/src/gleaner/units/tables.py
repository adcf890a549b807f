"""Rows of data tables: which are records, and which are headers, totals, section titles or spacers."""

import re
from collections import Counter
from collections.abc import Iterator

from gleaner.units.candidates import Candidate
from gleaner.units.survey import Survey

_TOTAL = re.compile(
    r"^\s*(?:grand |sub-?)?(?:totals?|sum|summe|gesamt|insgesamt|somme|totale|average|итого|всего|合計|合计)\b", re.I
)


def table_candidates(survey: Survey) -> tuple[list[Candidate], set[int]]:
    """Give the row groups of the data tables, and the positions that the tables have taken (rows, cells)."""
    groups: dict[object, Candidate] = {}
    taken: set[int] = set()
    for place, tag in enumerate(survey.tags):
        if tag != "table":
            continue
        rows = list(_rows(survey, place))
        cells = {row: [cell for cell in survey.children[row] if survey.tags[cell] in ("td", "th")] for row in rows}
        if not _is_data(survey, rows, cells):
            continue
        taken.update(rows)
        taken.update(cell for row in rows for cell in cells[row])
        found = _read(survey, rows, cells)
        if found is None:
            continue
        key = (found.kind, found.columns, survey.chrome[place]) if found.columns else place
        if key in groups:
            groups[key].runs.extend(found.runs)
        else:
            groups[key] = found
    return list(groups.values()), taken


def _rows(survey: Survey, table: int) -> Iterator[int]:
    for child in survey.children[table]:
        if survey.tags[child] == "tr":
            yield child
        elif survey.tags[child] in ("thead", "tbody", "tfoot"):
            yield from (row for row in survey.children[child] if survey.tags[row] == "tr")


def _is_data(survey: Survey, rows: list[int], cells: dict[int, list[int]]) -> bool:
    counts = [len(cells[row]) for row in rows if cells[row]]
    if not counts or max(counts) < 2:
        return False
    nested = any(survey.tags[place] == "table" for row in rows for place in range(row, survey.last[row] + 1))
    return not nested


def _read(survey: Survey, rows: list[int], cells: dict[int, list[int]]) -> Candidate | None:
    width = Counter(len(cells[row]) for row in rows if cells[row]).most_common(1)[0][0]
    columns: tuple[str, ...] = ()
    body: list[int] = []
    for row in rows:
        own = cells[row]
        section = survey.tags[survey.parents[row]]
        if section == "thead" or (own and all(survey.tags[cell] == "th" for cell in own)):
            columns = columns or tuple(survey.run_text([cell], 60).lower() for cell in own)
            continue
        if section == "tfoot" or not survey.text[row] or (len(own) == 1 and width > 1):
            continue
        if _TOTAL.search(survey.run_text(own[:1], 40)):
            continue
        body.append(row)
    if not body or (len(body) == 1 and not columns):
        return None
    plain = width == 2 and not columns
    kind = "attribute" if plain else "row"
    return Candidate(kind, [[row] for row in body], columns=columns, weight=0.3 if plain else 1.0)
