"""What a careful reader takes a number, a date or a code of a page for, and what no part of it proves."""

import pytest
from gleaner.values.mentions.numerals import may_part_a_numeral, scan_numbers
from gleaner.values.texts.text_index import TextIndex
from hypothesis import example, given
from hypothesis import strategies as st

from tests.support.told import told as prove


@pytest.mark.req("PR-2")
def test_blanks_do_not_group_money_where_the_page_writes_it_without() -> None:
    index = TextIndex("Size 42 499 kr, size 43 1499 kr")
    assert index.find(42) and index.find(499)


@pytest.mark.req("PR-1")
@pytest.mark.parametrize(
    ("data", "text"),
    [
        ({"revenue": 12.4}, "Revenue $12.4m"), ({"followers": 1.2}, "1.2M followers"), ({"likes": 3}, "3k likes"),
        ({"budget": 2}, "Budget: 2 Mio. Euro"), ({"price": 320}, "总价320万元"),
        ({"salary": 5}, "5 lakh"),
        ({"revenue_bn": 12.4}, "Revenue $12.4m"),
        ({"cook_minutes": 30}, "Cook 1 h 30 min"),
        ({"minutes": 23}, "Runs 1:23:00"),
    ],
)  # fmt: skip
def test_a_number_that_is_multiplied_or_a_part_of_a_length_of_time_is_no_value(
    data: dict[str, object], text: str
) -> None:
    assert [entry.status for entry in prove(data, text)] == ["ungrounded"]


@pytest.mark.req("PR-1")
def test_a_description_may_say_that_a_number_is_in_millions() -> None:
    schema = {"properties": {"r": {"type": "number", "description": "Revenue in EUR million"}}}
    assert [entry.status for entry in prove({"r": 12.4}, "$12.4m", schema=schema)] == ["verbatim"]


@pytest.mark.req("PR-1")
@pytest.mark.parametrize(
    ("text", "value", "status"),
    [
        ("1 h 30 min", "PT1H30M", "normalized"), ("90 minutes", "PT1H30M", "normalized"),
        ("1:30:00", "PT90M", "normalized"),
        ("2 Stunden", "PT2H", "normalized"), ("2 days", "P2D", "normalized"), ("45 min", "PT45S", "ungrounded"),
        ("1 h 30 min", "PT1H", "ungrounded"),
    ],
)  # fmt: skip
def test_a_duration_that_the_schema_wants_in_iso_form_is_stated_in_words(text: str, value: str, status: str) -> None:
    schema = {"properties": {"time": {"type": "string", "format": "duration"}}}
    assert [entry.status for entry in prove({"time": value}, f"Takes {text}.", schema=schema)] == [status]


@pytest.mark.req("PR-2")
def test_brackets_are_a_minus_sign_in_a_column_that_has_other_numbers_too() -> None:
    text = "| Item | Result | Votes |\n|---|---|---|\n| A | (64.35) | (3) |\n| B | 12.00 | (7) |\n"
    for said in (text, text.replace("(64.35)", "(64.35)%").replace("12.00", "12.00%")):
        for result, status in ((64.35, "ungrounded"), (-64.35, "normalized")):
            found = prove([{"n": "A", "result": result, "votes": 3}, {"n": "B", "result": 12, "votes": 7}], said)
            assert [entry.status for entry in found[1:3]] == [status, "verbatim"]


def test_long_runs_of_signs_are_read_in_linear_time() -> None:
    for piece in ("1 ", "1.", "+1", "1 1/", "(1", "978-", "10^", "1e", "| (1) "):
        assert sum(1 for _ in scan_numbers(piece * 500)) >= 0


SIGNS_OF_NUMERALS = [
    *"1 ,.'-−–+€$°SWeE×x·*^{}⁻²½/⁄|a%(\n\u00a0",
    "23",
    "000",
    "10^{-",
    "1/2",
    "7²",
    "１２",
    " 456",
    "120.50-",
    "12€50",
]


@given(st.lists(st.sampled_from(SIGNS_OF_NUMERALS), max_size=12).map("".join))
@example("8.4 × 10^{-16} and 33.8688 ° S")
@example("| 1 ½ | 2⁄3 | 12 345 678,5 |")
def test_every_place_within_a_numeral_is_told_by_the_signs_around_it(text: str) -> None:
    for numeral in scan_numbers(text):
        within = range(numeral.start + 1, numeral.end) if numeral.whole else ()
        assert all(may_part_a_numeral(text, place) for place in within)
