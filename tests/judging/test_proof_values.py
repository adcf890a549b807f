"""Values as pages of many countries write them: what is said is proven, and what is nearly said is refused."""

from typing import Any

import pytest
from gleaner.page.opening import open_page
from gleaner.values.dates import parse_date

from tests.support.told import told as prove


def statuses(text: str, **values: Any) -> list[str]:
    return [entry.status for entry in prove(values, text)]


def is_proven(text: str, html: str | None = None, **values: Any) -> bool:
    entries = prove(values, text, page=None if html is None else open_page(html))
    return all(entry.status in ("verbatim", "normalized") for entry in entries)


@pytest.mark.req("PR-1", "PR-2")
@pytest.mark.parametrize(
    ("text", "value", "other"),
    [
        ("قیمت: ۱۲٬۵۰۰ تومان", 12500, 12.5),
        ("１２，８００円", 12800, 12.8),
        ("€ 1.299,–", 1299, 1.299),
        ("£ 1,299.-", 1299, 1.299),
    ],
)
def test_a_mark_that_only_groups_is_no_decimal_mark(text: str, value: float, other: float) -> None:
    assert is_proven(text, price=value)
    assert not is_proven(text, price=other)


@pytest.mark.req("PR-1", "PR-2")
@pytest.mark.parametrize(
    ("text", "is_so"),
    [
        ("Op voorraad", True),
        ("Niedostępny", False),
        ("No disponible", False),
        ("Non disponibile", False),
        ("在庫あり", True),
        ("在庫なし", False),
        ("缺货", False),
        ("有货", True),
        ("Tükendi", False),
        ("品切れ", False),
        ("Backordered", False),
        ("Нет в наличии", False),
        ("В наличии", True),
    ],
)
def test_stock_is_read_in_many_languages_and_its_opposite_refused(text: str, is_so: bool) -> None:
    assert statuses(f"# Jug\n\n{text}", in_stock=is_so) != ["ungrounded"]
    assert statuses(f"# Jug\n\n{text}", in_stock=not is_so) == ["ungrounded"]


@pytest.mark.req("PR-1", "SC-4")
@pytest.mark.parametrize(
    "text",
    ["2026. május 3.", "2026-May-03", "May the 3rd, 2026", "3 במאי 2026", "3 мај 2026", "3 май 2026", "3. mája 2026"],
)
def test_a_day_is_the_same_in_any_language_and_order(text: str) -> None:
    assert is_proven(f"On {text}", date="2026-05-03")
    assert not is_proven(f"On {text}", date="2026-03-05")
    assert parse_date(text) == "2026-05-03"


@pytest.mark.req("PR-2")
def test_a_year_that_ends_a_sentence_is_not_of_the_day_behind_it() -> None:
    assert not is_proven("Founded in 2019. May 3 was a Sunday", date="2019-05-03")


@pytest.mark.req("PR-1", "PR-2")
@pytest.mark.parametrize(
    ("zone", "offset", "other"),
    [("CEST", "+02:00", "+09:00"), ("PST", "-08:00", "-05:00"), ("(JST)", "+09:00", "+02:00")],
)
def test_a_named_zone_states_its_own_offset_alone(zone: str, offset: str, other: str) -> None:
    assert is_proven(f"3 May 2026 18:00 {zone}", start=f"2026-05-03T18:00:00{offset}")
    assert not is_proven(f"3 May 2026 18:00 {zone}", start=f"2026-05-03T18:00:00{other}")


@pytest.mark.req("PR-1")
def test_an_hour_of_the_clock_needs_no_minutes() -> None:
    assert is_proven("Beginn um 18 Uhr", time="18:00")
    assert not is_proven("Beginn um 18 Uhr", time="08:00")


@pytest.mark.req("PR-1", "PR-2")
def test_each_picture_of_a_set_is_stated_by_the_page() -> None:
    html = '<img src="/a-200.jpg" srcset="/a-200.jpg 1x, /a,b-400.jpg 2x"><source srcset="/c.webp 800w">'
    for address in ("/a-200.jpg", "/a,b-400.jpg", "/c.webp"):
        assert is_proven("A jug", html, image=f"https://x.example{address}")
    assert not is_proven("A jug", html, image="https://x.example/a-400.jpg")


@pytest.mark.req("PR-2")
def test_a_part_of_a_number_in_words_counts_nothing() -> None:
    assert is_proven("A house of twenty-one rooms", rooms=21)
    assert not is_proven("A house of twenty-one rooms", rooms=20)
    assert not is_proven("A house of twenty-one rooms", rooms=1)
    assert is_proven("A two-bedroom flat", bedrooms=2)


@pytest.mark.req("PR-2")
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Wi-Fi: not available", "available"),
        ("Status: nicht verfügbar", "verfügbar"),
        ("Statut : non vérifié", "vérifié"),
        ("Estado: no disponible", "disponible"),
        ("| Pool | not heated |", "heated"),
        ("Pool: non-heated", "heated"),
        ("Non-stop", "stop"),
        ("状态：不可用", "可用"),
        ("Mail: info@acme.example", "info@acme"),
        ("v1.0.0-beta.2", "1.0.0"),
    ],
)
def test_a_text_is_not_proven_by_its_denial_nor_by_a_longer_name(text: str, value: str) -> None:
    assert statuses(text, state=value) == ["ungrounded"]
    assert statuses(f"{text}\n\n- {value}", state=value) == ["verbatim"]


@pytest.mark.req("PR-1")
@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("Contains: no gluten", {"free_of": "gluten"}),
        ("No parking", {"sign": "parking"}),
        ("no Brasil", {"place": "Brasil"}),
        ("no centro", {"place": "centro"}),
        ("not only oak", {"wood": "oak"}),
        ("No 12", {"number": "12"}),
        ("No pets", {"rules": ["pets"]}),
        ("This is not oak but pine, they say", {"wood": "oak"}),
    ],
)
def test_a_word_behind_a_no_may_be_what_is_asked_for(text: str, values: dict[str, Any]) -> None:
    assert is_proven(text, **values)


@pytest.mark.req("PR-1", "PR-2")
def test_a_code_keeps_the_letters_of_its_land_or_leaves_them_out() -> None:
    for text, value in (("VAT: GB 123 4567 89", "GB123456789"), ("Tel. DE 030 1234567", "0301234567")):
        assert is_proven(text, vat=value)
        assert not is_proven(text, vat=f"{value[:-1]}0")
    assert not is_proven("VAT: GB 123 4567 89", vat="FR123456789")


@pytest.mark.req("PR-1", "PR-2")
@pytest.mark.parametrize(
    ("text", "value", "other"),
    [
        ("6 Monate", "P6M", "PT6M"),
        ("2 years", "P2Y", "P2M"),
        ("3 недели", "P3W", "P4W"),
        ("12-month plan", "P12M", "P2M"),
    ],
)
def test_months_weeks_and_years_are_durations(text: str, value: str, other: str) -> None:
    schema = {"type": "object", "properties": {"term": {"type": "string", "format": "duration"}}}
    assert [one.status for one in prove({"term": value}, f"Term: {text}", schema=schema)] == ["normalized"]
    assert [one.status for one in prove({"term": other}, f"Term: {text}", schema=schema)] == ["ungrounded"]


@pytest.mark.req("PR-4")
def test_a_control_character_between_a_number_and_a_unit_is_no_error() -> None:
    assert len(prove([0], "1\x1fM")) == 1


@pytest.mark.req("PR-4")
@pytest.mark.parametrize(
    ("text", "proven", "refused"),
    [
        ("Doors at 19:30", ["19:30", "19:30:00"], ["19:30:00Z", "19:30:00+05:00"]),
        ("Doors at 19:30 UTC+2", ["19:30", "19:30:00+02:00"], ["19:30:00Z"]),
        ("Doors at 19:30. All times are CET.", ["19:30:00+01:00"], ["19:30:00-05:00"]),
    ],
)
def test_a_time_of_day_has_no_offset_that_the_page_does_not_state(
    text: str, proven: list[str], refused: list[str]
) -> None:
    assert all(is_proven(text, at=value) for value in proven)
    assert not any(is_proven(text, at=value) for value in refused)


@pytest.mark.req("PR-1", "PR-2")
@pytest.mark.parametrize(
    ("language", "proven", "unsure"),
    [("ur-PK", ["PKR"], ["INR", "LKR"]), ("si-LK", ["LKR"], ["INR", "PKR"]), ("en", [], ["INR", "PKR", "LKR", "NPR"])],
)
def test_a_sign_of_several_currencies_is_that_of_the_page_s_own_country(
    language: str, proven: list[str], unsure: list[str]
) -> None:
    page = f'<html lang="{language}">'
    assert all(is_proven("Jug\n\nRs 450", page, currency=code) for code in proven)
    assert not any(is_proven("Jug\n\nRs 450", page, currency=code) for code in unsure)
    assert is_proven("Jug\n\n$ 450", '<html lang="en-CA">', currency="USD")  # quoted everywhere
