"""Records from the one table whose columns are the schema's fields."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gleaner.completeness.emptiness import says_it_is_empty
from gleaner.page.content import Content
from gleaner.page.model import Page
from gleaner.schemas.fields import RecordSchema
from gleaner.structured.columns import Matched, is_wordy, match_columns, tells_rows
from gleaner.structured.grids import Grid, read_grids
from gleaner.structured.reading import ABSENT, PLACEHOLDER, Declined, Found, read_column
from gleaner.values.conventions import Conventions, conventions
from gleaner.values.fields import VERY_NAME, Field
from gleaner.values.measures import units_of
from gleaner.values.money import currencies_of
from gleaner.values.scales import scale_stated

_FEWEST_SUMMED = 2
_BRACKETED = re.compile(r"[(\[]([^()\[\]]+)[)\]]")
_IN_SCALE = re.compile(r"\b(?:in|en|em|w)\s+([^\W\d_]{5,12})|['’]000\b|\b000s\b", re.IGNORECASE)


class _SeveralAddresses(Declined):
    """Rows have several links, and the field may be absent: it is left unread."""


def find_in_tables(page: Page, wanted: RecordSchema) -> Found | None:
    """Give the records of the one table that has a column for each field; None when no table has.

    Declined when two tables have, or when the one leaves something open.
    """
    grids = list(read_grids(page))
    fitting: list[tuple[Grid, Matched]] = []
    for by_name in (True, False):
        offered = ((grid, _columns(grid, wanted, by_name=by_name)) for grid in grids if grid.rows and not fitting)
        fitting = [*fitting, *((grid, matched) for grid, matched in offered if matched is not None)]
    if not fitting:
        return None
    grid, matched = fitting[0]
    same = {(one.rows, tuple(each.columns.items())) for one, each in fitting}
    alike = {one.rows for one in grids if one.rows and one.labels == grid.labels}
    if (count := max(len(same), len(alike))) > 1:  # they may be parts of one list, or lists of several things
        raise Declined(f"{'two' if count == 2 else count} tables have these columns")
    columns, doubts = matched.columns, dict(matched.doubts)
    if any(_goes_on(grid, other) for other in grids if other is not grid):
        raise Declined(f"the table of {len(grid.rows)} rows may go on in another one, which has no head")
    if any(field.kind == "number" for field in wanted.fields):
        _check_scale(page)
    in_text = [field.key for field in wanted.fields if field.kind not in ("address", "image")]
    if grid.has_groups or (grid.has_titles and not columns.keys() >= {*in_text}):
        raise Declined("headings part the rows of the table in groups")
    if grid.has_total:
        raise Declined("a row of the table may be a total and no record")
    settled = conventions((cell.text for row in grid.rows for cell in row), page.language)
    values: dict[str, list[Any]] = {}
    for field in wanted.fields:
        try:
            values[field.key] = _read(field, grid, columns, settled)
        except _SeveralAddresses as doubt:
            doubts[field.key] = str(doubt)
            values[field.key] = _nothing(field, grid)
    records = [
        {name: column[at] for name, column in values.items() if column[at] is not ABSENT}
        for at in range(len(grid.rows))
    ]
    _check_rows(wanted, grid, records)
    rows = tuple(span for node in grid.nodes if (span := page.nodes.span(node)) is not None)
    if len(rows) < len(records):
        raise Declined("the page does not show all rows of the table")
    texts = tuple(tuple(cell.text for cell in row if cell.text) for row in grid.rows)
    addresses = ("address", "image")  # which are read from the links of the row, too
    lacking = [one.key for one in wanted.fields if one.key not in columns and one.kind not in addresses]
    unread = dict.fromkeys(lacking, "the table has no column of that name") | doubts
    return Found(wanted, records, "table", texts, rows, (*unread.items(),), frozenset(doubts))


def _goes_on(grid: Grid, other: Grid) -> bool:
    """Tell whether a table without a head has the columns of another one, some of them with figures (CM-4)."""
    if other.is_headed or len(other.labels) != len(grid.labels):
        return False
    first = [label[0] for label in other.labels]
    own = [_with_figures([cell.text for cell in grid.column(at)]) for at in range(len(first))]
    more = [_with_figures([text, *(cell.text for cell in other.column(at))]) for at, text in enumerate(first)]
    return own == more and any(own)


def _with_figures(texts: Sequence[str]) -> bool:
    """Tell whether most cells of a column that are not blank hold a figure."""
    said = [text for text in texts if text]
    return 2 * sum(any(map(str.isdigit, text)) for text in said) > len(said)


def _check_scale(page: Page) -> None:
    """Decline where the page says, anywhere, that figures are "in thousands"."""
    for match in _IN_SCALE.finditer(page.unplaced.said(0)):
        if match[1] is None or scale_stated(match[1]):
            raise Declined(f"figures of the page may be {match[0]}")


def _check_rows(wanted: RecordSchema, grid: Grid, records: Sequence[Mapping[str, Any]]) -> None:
    """Decline where a row may be no record: a note under a name alone, a template's, or one that sums up the others."""
    texts = [[value for value in record.values() if isinstance(value, str)] for record in records]
    if any(PLACEHOLDER.search(text) for row in texts for text in row) or any(
        says_it_is_empty(" ".join(row)) for row in texts
    ):
        raise Declined("a row of the table is a template or says that there are none")
    said = [sum(bool(cell.text) or cell.is_marked for cell in row) for row in grid.rows]
    if len(grid.labels) > 1 and min(said) == 1 < max(said) and any(field.kind != "text" for field in wanted.fields):
        raise Declined("a row of the table has a name alone: it may be a note or a heading")
    numbers = [[record.get(field.key) for record in records] for field in wanted.fields if field.kind == "number"]
    ends = (0, -1) if len(records) > _FEWEST_SUMMED else ()
    if numbers and any(all(_sums_up(column, end) for column in numbers) for end in ends):
        raise Declined("the first or the last row of the table may sum up the others")


def _sums_up(column: Sequence[Any], end: int) -> bool:
    """Tell whether the first or last number of a column is the sum or the mean of the others."""
    value = column[end]
    others = [each for each in (column[1:] if end == 0 else column[:-1]) if each is not None]
    if value is None or len(others) < _FEWEST_SUMMED or len(set(others)) == 1:
        return False
    slack = 0.06 * 10 ** -len(str(value).partition(".")[2].rstrip("0"))
    return abs(sum(others) - value) <= slack or (
        abs(sum(others) / len(others) - value) <= slack and value not in others
    )


def _columns(grid: Grid, wanted: RecordSchema, *, by_name: bool) -> Matched | None:
    """Give the column of each field; None for a table that is about something else."""
    found = match_columns(grid, wanted, by_name=by_name)
    if found is not None:
        for field in wanted.fields:
            _check_brackets(field, grid, [found.columns[field.key]] if field.key in found.columns else [])
    return found


def _check_brackets(field: Field, grid: Grid, positions: Sequence[int]) -> None:
    """Decline where the header over numbers adds what is no unit: "Price (p)", "Price (ex VAT)"."""
    if field.kind != "number" or not positions:
        return
    label = grid.labels[positions[0]][0]
    for piece in _BRACKETED.findall(label) if field.likeness(label) < VERY_NAME else ():
        bare = piece.strip().removeprefix("in ")
        if not (units_of(bare) or currencies_of(bare) or "%" in bare or scale_stated(label)):
            raise Declined(f"the header {label!r} says more than {field.key}")


def _read(field: Field, grid: Grid, columns: Mapping[str, int], settled: Conventions) -> list[Any]:
    at = columns.get(field.key)
    if field.kind in ("address", "image"):
        return list(_targets(field, grid, _linked_name(field, grid, columns) if at is None else at))
    if at is None:
        return _nothing(field, grid)
    cells = grid.column(at)
    if any(cell.is_marked and (not cell.text or field.kind == "text") and not _says(cell) for cell in cells):
        raise Declined(f"a picture stands under {grid.labels[at][0]!r}")
    return read_column(field, grid.labels[at][0], [cell.text for cell in cells], settled)


def _nothing(field: Field, grid: Grid) -> list[Any]:
    return [None if field.is_nullable else ABSENT] * len(grid.rows)


def _says(cell: Content) -> bool:
    return any(map(str.isalnum, cell.text))


def _linked_name(field: Field, grid: Grid, columns: Mapping[str, int]) -> int | None:
    """Give the column of a name with an address in each row, where all others stand in other fields' columns."""
    found = [[len({*_addresses(field, cell)}) for cell in grid.column(at)] for at in range(len(grid.labels))]
    linked = [at for at, counts in enumerate(found) if any(counts)]
    named = [at for at in linked if is_wordy(grid, at) and tells_rows(grid, at) and {*found[at]} == {1}]
    return named[0] if len(named) == 1 and {*linked} <= {*columns.values()} else None


def _targets(field: Field, grid: Grid, at: int | None) -> Iterator[Any]:
    """Give the one address of each row: in the field's column, else the only one that the row has."""
    for row in grid.rows:
        cells = row if at is None else (row[at],)
        found = list(dict.fromkeys(target for cell in cells for target in _addresses(field, cell)))
        if len(found) > 1 or (not found and not field.may_be_absent):
            kind = _SeveralAddresses if found and field.may_be_absent else Declined
            raise kind(f"a row has {'several addresses' if found else 'no address'} for {field.key}")
        yield found[0] if found else None if field.is_nullable else ABSENT


def _addresses(field: Field, cell: Content) -> tuple[str, ...]:
    if field.kind == "image":
        return cell.images
    return cell.links or ((cell.text,) if cell.text.startswith(("http://", "https://")) else ())
