"""Parts of dates for fields that ask for one part, and numbers of which a part is none."""

from typing import Any

import pytest
from gleaner.judging.judge import judge as prove


def is_proven(field: str, value: Any, text: str) -> bool:
    return prove({field: value}, text)[0].status != "ungrounded"


@pytest.mark.req("PR-1")
@pytest.mark.parametrize(
    "text", ["12 March 2026", "March 12, 2026", "12 mars 2026", "12.03.2026", "2026年3月12日", "2026-03-12"]
)
def test_the_parts_of_a_date_are_told_apart(text: str) -> None:
    parts = {"year": 2026, "month": 3, "day": 12}
    assert "ungrounded" not in {entry.status for entry in prove({"date": parts}, text)}
    assert is_proven("birth_month", 3, text)
    for field, value in (("month", 12), ("startMonth", 12), ("month", 4), ("day", 3), ("warranty_months", 3)):
        assert not is_proven(field, value, text), (field, value)


@pytest.mark.req("PR-1")
def test_a_range_of_days_has_two_days_of_one_month() -> None:
    for day in (3, 7):
        assert is_proven("day", day, "3-7 March 2026")
    assert not is_proven("day", 5, "3-7 March 2026")
    assert is_proven("start", "2026-07-16", "De 16 a 19 de julho de 2026")


@pytest.mark.req("PR-1")
@pytest.mark.parametrize(
    ("value", "text", "is_stated"),
    [
        ("2026-05-05", "Del 5 de mayo al 23 de junio de 2026", True),
        ("2026-06-23", "Del 5 de mayo al 23 de junio de 2026", True),
        ("2023-05-05", "Del 5 de mayo al 23 de junio de 2026", False),
        ("2025-12-28", "28 December – 3 January 2026", True),
        ("2026-12-28", "28 December – 3 January 2026", False),
        ("2026-05-05", "5 May, and 3 June 2026", False),
    ],
)
def test_a_range_of_two_months_has_the_year_of_its_last_day(value: str, text: str, is_stated: bool) -> None:
    entries = prove({"start": value, "year": 2026}, text)
    assert (entries[0].status != "ungrounded" and entries[0].transform == "date") is is_stated


@pytest.mark.req("PR-1")
@pytest.mark.parametrize(
    ("field", "value", "text", "is_stated"),
    [
        ("size", 42, "Size: 42⅓", False),
        ("month", 12, "2026-W12, issue 480", False),
        ("day", 12, "KW 12", False),
        ("week", 12, "2026-W12, issue 480", True),
        ("loss", -3.4, "(3.4)%", True),
        ("reviews", -213, "★ 4.6 (213)", False),
        ("reviews", 213, "★ 4.6 (213)", True),
        ("issue", -3, "41(3), 2025", False),
        ("balance", -213, "| (213) |", True),
        ("balance", -213.5, "(213.50)", True),
        ("cups", 2, "2 ½ cups", False),
        ("cups", 2.5, "2 ½ cups", True),
        ("atoms", 2, "Water is H2O.", False),
        ("atoms", 2, "CO2 and C6H12O6", False),
        ("episode", 3, "S01E03", True),
        ("amount", 5, "EUR5", True),
        ("customers", 800, "Call 0800 123 456.", False),
        ("customers", 123, "Call 0800 123 456.", False),
        ("place", 240, "17th of 240", False),
        ("place", 17, "17th of 240", True),
        ("floor", 9, "Этаж 5 из 9", False),
        ("runners", 240, "17th of 240", True),
        ("balance", -120.5, "| 120.50- |", True),
        ("balance", 120.5, "| 120.50- |", False),
        ("price", 10.5, "10.50-12.00", True),
        ("price", 3500, "三千五百円", True),
        ("price", 500, "三千五百円", False),
        ("people", 20, "定員二十名", False),
        ("people", 20, "約二十名", True),
        ("date", "2026-03-12", "令和八年三月十二日", True),
        ("date", "2026-03-12", "二〇二六年三月十二日", True),
        ("count", 1000, "千葉市", False),
    ],
)
def test_a_part_of_a_number_is_none_and_numerals_of_other_kinds_are_read(
    field: str, value: Any, text: str, is_stated: bool
) -> None:
    assert is_proven(field, value, text) is is_stated
