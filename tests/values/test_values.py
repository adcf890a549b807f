"""What CLDR writes reads back, signs stand for their currencies, and a scan finds every value (SC-4)."""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from babel import Locale
from babel.dates import format_date
from babel.numbers import format_currency, format_decimal
from gleaner.values.conventions import conventions
from gleaner.values.fields import Field
from gleaner.values.money import currencies_of
from gleaner.values.readers import parse
from gleaner.values.scanning import scan

_LOCALES = """
ar bg ca cs da de el en es et fa fi fil fr he hi hr hu id is it ja ko lt lv mk ms nb nl pl pt ro ru sk sl sr sv th tr uk
"""
LOCALES = _LOCALES.split()

OTHER_CALENDARS = ("fa", "th")
"""Locales that write years of another calendar, or that Babel writes in ours with the words of another."""


def number(name: str = "", description: str = "", **limits: Any) -> Field:
    return Field(name, frozenset(["number"]), (), description, **limits)


DAY = Field("day", frozenset(["string"]), ("date",))


@pytest.mark.req("SC-4")
@pytest.mark.parametrize(
    ("sign", "codes"),
    [
        ("€", {"EUR"}),
        ("Rs", {"INR", "LKR", "MUR", "NPR", "PKR", "SCR"}),
        ("kr", {"DKK", "ISK", "NOK", "SEK"}),
        ("US$", {"USD"}),
        ("円", {"JPY"}),
        ("Ft", {"HUF"}),
        ("ft", set()),
        ("km", set()),
    ],
)
def test_a_sign_stands_for_every_currency_that_has_it(sign: str, codes: set[str]) -> None:
    assert currencies_of(sign) == codes
    assert len(currencies_of("$")) > 20


@pytest.mark.req("SC-4")
@pytest.mark.parametrize("name", LOCALES)
def test_what_cldr_writes_in_a_locale_reads_back(name: str) -> None:
    locale = Locale.parse(name)
    day = date(2026, 3, 12)
    for width in ("long", "medium"):
        text = format_date(day, width, locale=locale)
        if name not in OTHER_CALENDARS:
            assert parse(text, DAY, conventions([text], name)) == "2026-03-12", text
    for value in (Decimal("1234567.5"), Decimal("0.75"), Decimal("-42")):
        text = format_decimal(value, locale=locale, numbering_system="latn")
        page = conventions([text], name)
        assert parse(text, number(), page) == float(value), text
    text = format_currency(Decimal("1234.50"), "EUR", locale=locale, numbering_system="latn")
    assert parse(text, number(), conventions([text], name)) == 1234.5, text


def readings(text: str) -> list[tuple[str, list[tuple[str, Any]]]]:
    return [(text[one.start : one.end], [(each.kind, each.value) for each in one.readings]) for one in scan(text)]


@pytest.mark.req("SC-4")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Was €5.50, -20 %", [("€5.50", [("money", 5.5)]), ("-20 %", [("percent", -20)])]),
        ("SAVE 70 $229.99", [("70", [("number", 70)]), ("$229.99", [("money", 229.99)])]),
        ("M100 and 3.5 GB", [("3.5 GB", [("measure", 3.5)])]),
        ("03/04/2026", [("03/04/2026", [("date", "2026-04-03"), ("date", "2026-03-04")])]),
        ("on 2026-03-05T19:30", [("2026-03-05", [("date", "2026-03-05")]), ("19:30", [("time", "19:30")])]),
        ("le 12 mars 2026", [("12 mars 2026", [("date", "2026-03-12")])]),
        ("बुधवार 24 मई 2026", [("24 मई 2026", [("date", "2026-05-24")])]),
        ("45 minutes", [("45 minutes", [("duration", 45)])]),
        ("1.299", [("1.299", [("number", 1.299), ("number", 1299)])]),
    ],
)
def test_every_value_of_a_text_has_its_place_and_all_its_readings(text: str, expected: Any) -> None:
    assert readings(text) == expected
