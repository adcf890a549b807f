"""A result as an Excel workbook: records with types and links, a sheet of their proofs, and what is to know of both.

Texts are written as texts: nothing of a page becomes a formula.
"""

import io
import re
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from importlib import import_module
from typing import Any

from gleaner.contracts.json_text import encodable
from gleaner.contracts.models import ScrapeResult
from gleaner.contracts.ports import JsonValue
from gleaner.reports.values import (
    STATUS_WORDS,
    ShownTable,
    doubts_of,
    facts_of,
    notices_of,
    place_of,
    quote_of,
    tables_of,
    web_address,
    words_of,
)

_LONGEST_CELL = 32_767
"""Characters that Excel has room for in a cell; so many rows, columns and links in a sheet."""
_MOST_ROWS, _MOST_COLUMNS, _MOST_LINKS = 1_048_576, 16_384, 65_000
_EXACT = 2**53
"""Whole numbers that a double holds exactly: larger ones are written as text."""
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_PROOFS = ("record", "field", "value", "proof", "words of the page", "from", "to", "read as", "in", "doubts")


def workbook_of(result: ScrapeResult[Any], text: str = "") -> bytes:
    """Give a result as an ``.xlsx`` file. ``text`` is the Markdown that its provenance points into.

    ImportError where xlsxwriter, of the extra ``spreadsheets``, is not installed.
    """
    try:
        xlsxwriter: Any = import_module("xlsxwriter")
    except ImportError:
        raise ImportError('an .xlsx file needs xlsxwriter: pip install "gleaner-extract[spreadsheets]"') from None
    target = io.BytesIO()
    safe = {"strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False, "in_memory": True}
    with xlsxwriter.Workbook(target, safe) as book:
        looks = {
            "head": book.add_format({"bold": True, "bottom": 1}),
            "day": book.add_format({"num_format": "yyyy-mm-dd"}),
            "unproven": book.add_format({"font_color": "#A5341F"}),
            "": None,
        }
        tables = tables_of(result.extraction) if result.extraction is not None else []
        for table in reversed(tables):  # the records first
            _write_records(book.add_worksheet(table.title), table, looks)
        if tables:
            _write_proofs(book.add_worksheet("Proofs"), tables, looks, text)
        _write_summary(book.add_worksheet("About"), result, looks)
    return target.getvalue()


def _write_records(sheet: Any, table: ShownTable, looks: dict[str, Any]) -> None:
    columns = table.columns[:_MOST_COLUMNS]
    _write_head(sheet, columns, looks)
    links = 0
    for number, row in enumerate(table.rows[: _MOST_ROWS - 1], start=1):
        for column, value in enumerate(row[:_MOST_COLUMNS]):
            links += bool(web_address(value.value))
            look = "unproven" if value.status == "ungrounded" and value.value is not None else ""
            _write_value(sheet, (number, column), value.value, looks, look, may_link=links <= _MOST_LINKS)
    if table.rows and columns:
        sheet.autofilter(0, 0, len(table.rows), len(columns) - 1)


def _write_head(sheet: Any, names: Sequence[str], looks: dict[str, Any]) -> None:
    for column, name in enumerate(names):
        sheet.write_string(0, column, _fitting(name), looks["head"])
        sheet.set_column(column, column, min(max(len(name) + 4, 14), 50))
    sheet.freeze_panes(1, 0)


def _write_value(
    sheet: Any, place: tuple[int, int], value: JsonValue, looks: dict[str, Any], look: str = "", *, may_link: bool
) -> None:
    """Write a value as what it is: number, yes or no, day, link or text."""
    if value is None:
        return
    if isinstance(value, bool):
        sheet.write_boolean(*place, value, looks[look])
    elif isinstance(value, float) or (isinstance(value, int) and abs(value) <= _EXACT):
        sheet.write_number(*place, value, looks[look])
    elif isinstance(value, str) and _DAY.fullmatch(value) and (day := _day_of(value)) is not None:
        sheet.write_datetime(*place, day, looks[look or "day"])
    elif may_link and (address := web_address(value)):
        sheet.write_url(*place, encodable(address), looks[look], _fitting(address))
    else:
        sheet.write_string(*place, _fitting(words_of(value)), looks[look])


def _day_of(text: str) -> date | None:
    """Give the day that Excel can hold, from 1900 on."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return day if day.year >= 1900 else None


def _write_proofs(sheet: Any, tables: Iterable[ShownTable], looks: dict[str, Any], text: str) -> None:
    _write_head(sheet, _PROOFS, looks)
    row = 0
    for table in tables:
        for number, values in enumerate(table.rows, start=1):
            for name, value in zip(table.columns, values, strict=True):
                for proof in value.proofs:
                    row += 1
                    if row >= _MOST_ROWS:
                        return
                    _write_line(sheet.write_string, sheet.write_number, row, [
                        number if table.title == "Records" else "", name, value.words, STATUS_WORDS[proof.status],
                        quote_of(proof, text), proof.start, proof.end, (proof.transform or "").replace("_", " "),
                        place_of(proof), "; ".join(doubts_of(proof)),
                    ])  # fmt: skip


def _write_line(
    write_string: Callable[..., Any], write_number: Callable[..., Any], row: int, values: Iterable[str | int | None]
) -> None:
    for column, value in enumerate(values):
        if isinstance(value, int):
            write_number(row, column, value)
        elif value:
            write_string(row, column, _fitting(value))


def _write_summary(sheet: Any, result: ScrapeResult[Any], looks: dict[str, Any]) -> None:
    missing = result.extraction.completeness.missing if result.extraction is not None else []
    lines = [
        ("Status", result.status), ("Title", result.title or ""), ("Address", result.source_url or result.url or ""),
        *facts_of(result),
        *((title, line) for title, told in notices_of(result) for line in told),
        *(("Missing record", unit.text) for unit in missing),
    ]  # fmt: skip
    sheet.set_column(0, 0, 24)
    sheet.set_column(1, 1, 100)
    for row, (name, said) in enumerate(lines[:_MOST_ROWS]):
        sheet.write_string(row, 0, name, looks["head"])
        sheet.write_string(row, 1, _fitting(said))


def _fitting(text: str) -> str:
    """Give a text as a cell can hold it."""
    safe = encodable(text)
    return safe if len(safe) <= _LONGEST_CELL else safe[: _LONGEST_CELL - 1] + "…"
