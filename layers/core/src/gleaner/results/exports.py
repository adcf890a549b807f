"""Export records as JSON, JSON lines and CSV, streamed in constant memory, and safe in a spreadsheet."""

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Sequence

from gleaner.contracts.json_text import encodable, json_text
from gleaner.contracts.ports import JsonValue
from gleaner.html.invisible_characters import SKIPPED_IN_CELLS

PLAIN_COLUMN = "value"
"""The column of records that are no objects, or that have no fields."""


def to_json_array(records: Iterable[JsonValue]) -> Iterator[str]:
    """Give a JSON array, a record a line."""
    opening = "["
    for record in records:
        yield f"{opening}\n{json_text(record)}"
        opening = ","
    yield "\n]\n" if opening == "," else "[]\n"


def to_ndjson(records: Iterable[JsonValue]) -> Iterator[str]:
    """Give one JSON text a line."""
    for record in records:
        yield json_text(record) + "\n"


def to_csv(
    records: Iterable[JsonValue], columns: Sequence[str] | None = None, *, has_header: bool = True
) -> Iterator[str]:
    """Give CSV lines (RFC 4180): a header, then a line a record; nested values are JSON text.

    Texts that a spreadsheet would run as a formula get an apostrophe; ``spreadsheets.read_cell`` takes it off.

    Without ``columns`` they are the fields of all records in the order of their first appearance, which takes one
    pass over the records before the first line. Of a record that is no object, the column ``value`` holds it.
    """
    rows = list(records) if columns is None else records
    names = (list(columns) if columns is not None else column_names(rows)) or [PLAIN_COLUMN]
    if has_header:
        yield _csv_line([safe_cell(name) for name in names])
    for row in rows:
        fields = row if isinstance(row, dict) else {PLAIN_COLUMN: row}
        yield _csv_line([_cell(fields.get(name)) for name in names])


def column_names(records: Iterable[JsonValue]) -> list[str]:
    """Give the fields of all records in the order of their first appearance; ``value`` for what has none.

    >>> column_names([{"a": 1}, {"b": 2, "a": 3}, 4])
    ['a', 'b', 'value']
    """
    found: dict[str, None] = {}
    is_plain = False
    for record in records:
        is_plain = is_plain or not isinstance(record, dict)
        found.update(dict.fromkeys(record if isinstance(record, dict) else ()))
    return list(found | ({PLAIN_COLUMN: None} if is_plain or not found else {}))


def _cell(value: JsonValue) -> str:
    if value is None:
        return ""
    return safe_cell(value) if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _csv_line(cells: Sequence[str]) -> str:
    buffer = io.StringIO()
    csv.writer(buffer).writerow([encodable(cell) for cell in cells])
    return buffer.getvalue()


_FORMULA = re.compile(f"'*(?:[{SKIPPED_IN_CELLS}]*[=+\\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n])")
"""What begins a formula, full-width forms too, behind whatever is not seen, under any number of apostrophes: so taking
one off is always right."""
_CALL = re.compile(f"'*[\"{SKIPPED_IN_CELLS}]*[=+\\-@\uff1d\uff0b\uff0d\uff20][^(|!]*[(|!]")
"""The same of a part of a cell, as far as it can do harm: a function, another program (DDE), another sheet."""
_BORDERS = re.compile("([;\t\r\n])")
_NUMBER = re.compile("[+-][0-9 .,\u00a0\u202f]*%?")


def safe_cell(text: str) -> str:
    """Give the text as it may stand in a cell; any other text than a formula stays as it is.

    >>> safe_cell("=HYPERLINK(A1)"), safe_cell("-5"), safe_cell("red")
    ("'=HYPERLINK(A1)", '-5', 'red')
    >>> safe_cell("red;=HYPERLINK(A1);- or blue")
    "red;'=HYPERLINK(A1);- or blue"
    """
    first, *more = _BORDERS.split(text)
    for at in range(1, len(more), 2):
        more[at] = f"'{more[at]}" if _CALL.match(more[at]) else more[at]
    return ("'" if _is_formula(text) else "") + first + "".join(more)


def read_cell(cell: str) -> str:
    """Give the text that ``safe_cell`` was given.

    >>> read_cell("'=HYPERLINK(A1)")
    '=HYPERLINK(A1)'
    """
    first, *more = _BORDERS.split(cell)
    for at in range(1, len(more), 2):
        more[at] = more[at].removeprefix("'") if _CALL.match(more[at]) else more[at]
    text = first + "".join(more)
    return text[1:] if text.startswith("'") and _is_formula(text[1:]) else text


def _is_formula(text: str) -> bool:
    return _FORMULA.match(text) is not None and _NUMBER.fullmatch(text) is None
