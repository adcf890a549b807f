"""What a careful reader takes a number, a date or a code of a page for, and what no part of it proves."""

import pytest
from gleaner.grounding import TextIndex, prove
from gleaner.values.mentions.numerals import may_part_a_numeral, scan_numbers
from hypothesis import example, given
from hypothesis import strategies as st

ACCEPTED = [
    ("3 milhões", 3000000), ("1,5 milliard", 1500000000), ("2 miljoner", 2000000), ("5 ล้านบาท", 5000000),
    ("3 tys.", 3000),
    ("1 450 EUR", 1450), ("EUR 1 450", 1450), ("1\u00a0450 kr", 1450), ("12 345 678", 12345678), ("1 450,50 €", 1450.5),
    ("15 256 views", 15), ("15 256 views", 256), ("1/2 cup", 0.5), ("2 1/2 cups", 2.5), ("1⁄2", 0.5), ("⅖", 0.4),
    ("3/4 stars", 3),
    ("33.8688° S", -33.8688), ("151.2° W", -151.2), ("52.52° N", 52.52), ("3‰", 0.003), ("3‰", 3), ("2×10³", 2000),
    ("10^6", 1000000),
    ("12€50", 12.5), ("99¢", 0.99), ("$.99", 0.99), (".5 l", 0.5), ("－5", -5), ("minus 5 °C", -5), ("al menos 5", 5),
    ("1.5e3", 1500), ("25 m2", 25), ("twenty-one", 21), ("thirteen", 13), ("drei Zimmer", 3), ("XIV century", 14),
    ("part II", 2),
    ("令和8年3月12日", "2026-03-12"), ("民國115年3月12日", "2026-03-12"), ("12 มีนาคม 2569", "2026-03-12"),
    ("12 มี.ค. 2569", "2026-03-12"),
    ("12/03/2569", "2026-03-12"), ("۲۱ اسفند ۱۴۰۴", "2026-03-12"), ("1404/12/21", "2026-03-12"),
    ("12.III.2026", "2026-03-12"),
    ("ngày 12 tháng 3, 2026", "2026-03-12"), ("12 ožujka 2026", "2026-03-12"), ("2026 m. kovo 12 d.", "2026-03-12"),
    ("12-mrt-2026", "2026-03-12"), ("下午3:30", "15:30"), ("午後3時", "15:00"), ("오후 3시 30분", "15:30"),
    ("7:05 pm", "19:05"),

    ("Tel. +49 30 1234567", "+49301234567"), ("+49 (0)30 1234567", "+49 30 1234567"), ("(555) 123-4567", "5551234567"),
    ("ISBN 978-3-16-148410-0", "9783161484100"), ("DE89 3704 0044 0532 0130 00", "DE89370400440532013000"),
    ("joe [at] e.com", "joe@e.com"), ("joe (at) e (dot) com", "joe@e.com"), ("joe AT e DOT com", "joe@e.com"),
    ("Visit shop.example.org/a today", "https://shop.example.org/a"), ("v1.2.3", "1.2.3"), ("up to 1.2.", "1.2"),
]  # fmt: skip
REFUSED = [
    ("1 450 EUR", 1), ("1 450 EUR", 450), ("EUR 1 450", 450), ("1\u00a0450 kr", 450), ("12 345 678", 345),
    ("1 450,50 €", 450.5),
    ("1 450 EUR", "450"), ("1/2 cup", 1), ("1/2 cup", 2), ("2 1/2 cups", 2), ("33.8688° S", 33.8688), ("2×10³", 2),
    ("2×10³", 10),
    ("10^6", 6), ("12€50", 12), ("12€50", 50), ("$.99", 99), (".5 l", 5), ("－5", 5), ("minus 5 °C", 5),
    ("1.5e3", 1.5), ("1.5e3", 3),
    ("25 m2", 2), ("twenty-one", 1), ("twenty-one", 20), ("two hundred", 2), ("one million", 1), ("vi xi", 11),
    ("Louis I", 1), ("12.408 voti (41,3%)", -41.3),
    ("1.2.3", "1.2"), ("1.2.3", "2.3"), ("978-3-16-148410-0", "978-3-16-148410"), ("7:05 pm", "7:05"),
    ("12:30 AM", "12:30"),
    ("Tel. +49 30 1234567", 30), ("Tel. +49 30 1234567", 1234567), ("+49 30 1234567", "+4930123456"),
    ("978-3-16-148410-0", 16),
    ("joe.smith@e.com", "smith@e.com"), ("joe@e.com.au", "joe@e.com"), ("joe@e.com", "https://e.com"),
    ("joe [at] e.com", "jo@e.com"),
    ("令和8年3月12日", "2025-03-12"), ("1404/12/21", "2026-03-13"), ("12/03/2569", "2025-03-12"),
    ("3時間", "03:00"), ("上午3:30", "15:30"),
]  # fmt: skip


@pytest.mark.req("PR-1")
@pytest.mark.parametrize(("text", "value"), ACCEPTED)
def test_a_value_in_another_notation_is_stated(text: str, value: str | float) -> None:
    assert TextIndex(f"It says {text}, they say").find(value)


@pytest.mark.req("PR-2")
@pytest.mark.parametrize(("text", "value"), REFUSED)
def test_a_part_of_a_number_a_date_or_a_code_is_not_stated(text: str, value: str | float) -> None:
    assert not TextIndex(f"It says {text}, they say").find(value)


@pytest.mark.req("PR-2")
def test_blanks_do_not_group_money_where_the_page_writes_it_without() -> None:
    index = TextIndex("Size 42 499 kr, size 43 1499 kr")
    assert index.find(42) and index.find(499)


@pytest.mark.req("PR-1")
@pytest.mark.parametrize(
    ("data", "text"),
    [
        ({"revenue": 12.4}, "Revenue $12.4m"), ({"followers": 1.2}, "1.2M followers"), ({"likes": 3}, "3k likes"),
        ({"budget": 2}, "Budget: 2 Mio. Euro"), ({"price": 320}, "总价320万元"), ({"price": 99}, "99¢"),
        ({"salary": 5}, "5 lakh"),
        ({"worth": "12.4"}, "worth 12.4 million"), ({"revenue_bn": 12.4}, "Revenue $12.4m"),
        ({"cook_minutes": 30}, "Cook 1 h 30 min"),
        ({"minutes": 23}, "Runs 1:23:00"),
    ],
)  # fmt: skip
def test_a_number_that_is_multiplied_or_a_part_of_a_length_of_time_is_no_value(
    data: dict[str, object], text: str
) -> None:
    assert [entry.status for entry in prove(data, text)] == ["ungrounded"]


@pytest.mark.req("PR-1")
@pytest.mark.parametrize(
    ("data", "text"),
    [
        ({"revenue_m": 12.4}, "Revenue $12.4m"), ({"revenue_millions": 12.4}, "Revenue $12.4m"),
        ({"height": 12.4}, "wall 12.4m high"),
        ({"amount": 250}, "250g flour"), ({"distance_km": 10}, "10k run"), ({"price_cents": 99}, "99¢"),
        ({"likes": 3000}, "3k likes"),
        ({"revenue": 12400000}, "Revenue $12.4m"), ({"cook_minutes": 90}, "Cook 1 h 30 min"),
        ({"duration_hours": 1.5}, "1 h 30 min"),
        ({"hours": 1, "minutes": 30}, "Cook 1 h 30 min"), ({"cook_minutes": 45}, "Cook 45 min"),
    ],
)  # fmt: skip
def test_what_a_fields_name_says_of_its_number_counts(data: dict[str, object], text: str) -> None:
    assert "ungrounded" not in [entry.status for entry in prove(data, text)]


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
