"""What strangers wrote is no formula in a spreadsheet, and is read back as it was."""

import csv
import io
import re

import pytest
from gleaner.jobs.aggregates import to_csv
from gleaner.results.exports import read_cell, safe_cell
from hypothesis import given
from hypothesis import strategies as st

TEXTS = st.text() | st.text(alphabet="'=+-@\t\r\n ;(|\"05.,%a\u00a0\uff1d\x00\u200b\ufeff\u202e", max_size=8)


@pytest.mark.req("AG-1")
@pytest.mark.parametrize(
    "text",
    [
        "=1+1",
        "+cmd|' /C calc'!A0",
        "-2+3+cmd",
        "@SUM(A1)",
        "\t=1",
        "\r=1",
        "\n=1",
        " =1",
        "\uff1d1+1",
        "-x",
        "+1+1",
        "-(1)",
        "\x00=1",
        "\u200b=1",
        "\ufeff=1",
        "\u2060\u200e @SUM(A1)",
        "\U000e0041+1+1",
        "\x1f\u3164-x",
    ],
)
def test_a_text_that_reads_as_a_formula_is_kept_a_text(text: str) -> None:
    table = "".join(to_csv([{text: text}]))
    for row in csv.reader(io.StringIO(table, newline="")):
        assert row == [f"'{text}"]


@pytest.mark.req("AG-1")
@pytest.mark.parametrize("call", ["=HYPERLINK(A1)", "\"=cmd|'/C calc'!A0", " @SUM(A1)", "-Sheet2!A1"])
@pytest.mark.parametrize("mark", list(";\t\r\n"))
def test_what_calls_something_behind_another_separator_is_kept_a_text(mark: str, call: str) -> None:
    text = f"red{mark}{call}{mark}blue"
    [_, row] = csv.reader(io.StringIO("".join(to_csv([{"a": 1, "b": text}])), newline=""))
    assert row[1] == f"red{mark}'{call}{mark}blue"
    assert read_cell(row[1]) == text


@pytest.mark.req("AG-1")
def test_lists_in_a_text_stay_as_they_are() -> None:
    assert safe_cell("Oak\n- turned\n- oiled; -3 to +4") == "Oak\n- turned\n- oiled; -3 to +4"


@pytest.mark.req("AG-1")
@pytest.mark.parametrize(
    "text", ["-5", "+3.5", "-1,299.00", "-12 %", "+44 20 7946 0958", "a=b", "'tis", "", "€-5", "--"[:1]]
)
def test_numbers_and_other_texts_stay_as_they_are(text: str) -> None:
    assert safe_cell(text) == text


@pytest.mark.req("AG-1")
def test_numbers_that_are_no_texts_stay_numbers() -> None:
    assert "".join(to_csv([{"a": -5, "b": -0.5, "c": [-1]}])) == "a,b,c\r\n-5,-0.5,[-1]\r\n"


@pytest.mark.req("AG-1")
@given(TEXTS)
def test_every_text_is_read_back_and_never_begins_a_formula(text: str) -> None:
    cell = safe_cell(text)
    assert read_cell(cell) == text
    assert not re.match(r"[\0\u200b\ufeff\u202e \u00a0]*[=@]|[\t\r\n]", cell)
    assert not re.match(r"[+-]", cell) or re.fullmatch(r"[+-][0-9 .,%\u00a0\u202f]*", cell)
