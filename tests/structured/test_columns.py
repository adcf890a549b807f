"""Columns that go by other names than the fields: given where nothing else would do as well, or not at all."""

from typing import Any

import pytest
from gleaner.page.opening import open_page
from gleaner.structured import extract_structured, find_answer

from tests.support.schemas import MAYBE_TEXT, TEXT

URL = "https://courts.example/"
DAY = {"type": ["string", "null"], "format": "date"}
ROWS = (("March 27, 2026", "64475", "Oak Corp.", "Prouty"), ("March 26, 2026", "64469", "Elm and Sons", "Dole"))


def table(heads: str, rows: Any = ROWS) -> str:
    said = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    named = "".join(f"<th>{head}</th>" for head in heads.split(", "))
    return f"<table><thead><tr>{named}</tr></thead><tbody>{said}</tbody></table>"


def answer(html: str, **fields: Any) -> Any:
    item = {"type": "object", "properties": fields, "required": [*fields][:1]}
    return extract_structured(html, URL, {"type": "array", "items": item})


FIELDS = {"case_name": TEXT, "date": DAY, "docket_number": MAYBE_TEXT, "judge": MAYBE_TEXT}
RIGHT = [
    {"case_name": "Oak Corp.", "date": "2026-03-27", "docket_number": "64475", "judge": "Prouty"},
    {"case_name": "Elm and Sons", "date": "2026-03-26", "docket_number": "64469", "judge": "Dole"},
]


@pytest.mark.req("RC-4")
@pytest.mark.parametrize(
    "heads",
    [
        "Decision Date, ASBCA Number, Appellant, Judge",
        "Date Filed, Case Number, Case Name, Judge",
        "Released on date, Number, Case, Judge",
    ],
)
def test_columns_are_told_by_words_by_their_values_and_by_what_is_left(heads: str) -> None:
    assert answer(table(heads), **FIELDS) == RIGHT


@pytest.mark.req("RC-4")
@pytest.mark.parametrize(
    "html",
    [
        pytest.param(table("Decision Date, Filing Date, Case, Judge"), id="two days"),
        pytest.param(
            table("Date, Appeal No, Docket of District No, Case", [(*ROWS[0][:2], "77", "A v. B")] * 2), id="two codes"
        ),
        pytest.param(table("Date, Number, Appellant, Counsel"), id="two of words are left"),
        pytest.param(
            table("Date, Case No, Case Name, Judge", [*ROWS, ("March 2, 2026", "7", "Fir <i>(dissenting)</i>", "Orr")]),
            id="a remark",
        ),
    ],
)
def test_columns_that_may_be_several_fields_are_no_answer(html: str) -> None:
    assert answer(html, **FIELDS) is None


@pytest.mark.req("RC-4")
def test_words_in_brackets_that_nothing_marks_off_belong_to_the_value() -> None:
    rows = [*ROWS, ("March 2, 2026", "7", "People v. Fir (Robert)", "Orr")]
    found = answer(table("Date, Case No, Party Name, Judge", rows), **FIELDS)
    assert [record["case_name"] for record in found] == ["Oak Corp.", "Elm and Sons", "People v. Fir (Robert)"]


@pytest.mark.req("RC-4")
def test_headings_among_rows_part_them_but_do_not_end_the_table() -> None:
    month = "<tr><td colspan='4'>March</td></tr>"
    html = table("Date, Docket number, Case name, Judge")
    assert answer(html.replace("<tbody>", f"<tbody>{month}"), **FIELDS) == RIGHT
    assert answer(html.replace("</tbody>", f"{month.replace('March', 'Show 14 more')}</tbody>"), **FIELDS) is None


@pytest.mark.req("RC-6")
def test_an_optional_field_in_doubt_is_left_and_the_others_are_read() -> None:
    item = {"type": "object", "properties": FIELDS, "required": ["case_name"]}
    found = find_answer(
        open_page(table("Decision Date, Filing Date, Case, Judge"), URL), {"type": "array", "items": item}
    )
    assert {name for name, _ in found.unread} == {"date", "docket_number"}
    assert [record["judge"] for record in found.records] == ["Prouty", "Dole"]
    assert found.in_doubt == {"date", "docket_number"}


@pytest.mark.req("RC-4")
@pytest.mark.parametrize(
    "cells",
    [
        pytest.param(("69", "<a>Koenig v. London, 2021 S.D. 69</a>"), id="what another column says"),
        pytest.param(("69", "<b>No. 81-306</b><br>Lopes v. Jetset"), id="several texts"),
    ],
)
def test_a_name_whose_cell_may_hold_what_has_no_column_is_no_answer(cells: tuple[str, str]) -> None:
    html = table("Date, Number, Case name, Type", [("March 27, 2026", *cells, "Civil")] * 3)
    assert answer(html, case_name=TEXT, date=DAY, judge=MAYBE_TEXT) is None


LINKED = [
    (day, f"<a href='/dockets/{number}'>{number}</a>", f"<a href='/{number}.pdf'>{name}</a>")
    for day, number, name, _ in ROWS
]
LINK = {"type": ["string", "null"], "format": "uri"}


@pytest.mark.req("RC-4", "RC-6")
def test_of_two_links_in_a_row_the_one_in_the_names_cell_is_taken_where_the_other_is_a_known_fields() -> None:
    fields = {"case_name": TEXT, "date": DAY, "docket_number": MAYBE_TEXT, "url": LINK}
    found = answer(table("Date, Case Number, Appellant", LINKED), **fields)
    assert [one["url"] for one in found] == [f"{URL}{number}.pdf" for _, number, *_ in ROWS]
    more = [(*row, "<a href='/order'>View</a>") for row in LINKED]
    assert answer(table("Date, Case Number, Appellant, Order", more), **fields) is None


@pytest.mark.req("RC-4")
def test_one_column_of_words_beside_a_day_is_the_name_of_a_list_and_of_nothing_else() -> None:
    html = table("Date, Style", [(day, name) for day, _, name, _ in ROWS])
    assert [one["case_name"] for one in answer(html, case_name=TEXT, date=DAY)] == ["Oak Corp.", "Elm and Sons"]
    assert answer(html, author=TEXT, date=DAY) is None


@pytest.mark.req("RC-4", "CM-1")
def test_a_table_of_the_same_head_beside_the_one_that_fits_may_be_a_part_of_the_list() -> None:
    rows = [("May 2, 2026", "Sup Ct, Kings", "A v B"), ("May 3, 2026", "Civ Ct, NY", "C v D")]
    other = table("Date, Court, Style", rows)
    html = table("Date, Court, Style", [(day, "Sup Ct", name) for day, _, name, _ in ROWS])
    fields = {"case_name": TEXT, "date": DAY}
    assert answer(html, **fields) is not None
    assert answer(html + other, **fields) is None
