"""One table of what texts say, by language and field: what each must read as, and what must be left alone (SC-4)."""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from babel import Locale
from babel.dates import format_date
from babel.numbers import format_currency, format_decimal
from gleaner.values.conventions import Conventions, conventions
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
MOMENT = Field("at", frozenset(["string"]), ("date-time",))
CLOCK = Field("at", frozenset(["string"]), ("time",))
FLAG = Field("in_stock", frozenset(["boolean"]))
MINUTES, HOURS = number("total_time", "minutes"), number("duration_hours")

CASES = [
    ("", "¼", number(), 0.25),
    ("", "1 ½", number(), 1.5),
    ("", "1 1/2", number(), 1.5),
    ("", "1/2", number(), None),
    ("", "⅓", number(), None),
    ("en", "2.3k", number(), 2300),
    ("de", "1,2 Mio.", number(), 1_200_000),
    ("de", "3 Mrd", number(), 3_000_000_000),
    ("ja", "3万2000", number(), 32_000),
    ("ja", "3万2000人", number(), 32_000),
    ("en", "5 m", number(), None),
    ("ar", "١٬٢٩٩٫٥", number(), 1299.5),
    ("hi", "१,२३,४५६", number(), 123_456),
    ("", "３００", number(), 300),
    ("en", "5-10", number(), None),
    ("en", "$5 - $10", number(), None),
    ("en", "£5m", number(), 5_000_000),
    ("de", "3 Mio. €", number(), 3_000_000),
    ("sv", "450:-", number(), 450),
    ("en", "99p", number("price"), 0.99),
    ("en", "99p", number("price_pence"), 99),
    ("en", "99p", number("pages"), None),
    ("en", "99¢", number("unit_price"), 0.99),
    ("en", "120 cents", number("price_cents"), 120),
    ("de", "99 ct", number("preis"), 0.99),
    ("de", "18 ct", number("gold"), None),
    ("de", "50 Cent", number("preis"), 0.5),
    ("de", "1,50 €", number("preis"), 1.5),
    ("fr", "99 centimes", number("prix"), 0.99),
    ("es", "75 céntimos", number("precio"), 0.75),
    ("ru", "50 коп.", number("цена"), 0.5),
    ("en", "2 pairs from $349", number("price"), None),
    ("en", "1 h 30 min", MINUTES, 90),
    ("en", "2 hours", MINUTES, 120),
    ("de", "2 Stunden 15 Minuten", MINUTES, 135),
    ("fr", "1 heure 5 minutes", MINUTES, 65),
    ("en", "PT1H45M", MINUTES, 105),
    ("en", "90 minutes", HOURS, 1.5),
    ("en", "100 minutes", HOURS, None),
    ("en", "1 ½ hours", MINUTES, 90),
    ("en", "45", MINUTES, 45),
    ("en", "500 g", number("weight_kg"), 0.5),
    ("en", "120 ml", number("volume", "in litres"), 0.12),
    ("de", "12,5 Kilogramm", number("weight_kg"), 12.5),
    ("en", "6 ft", number("height", "in metres"), 1.8288),
    ("en", "12 kg", number("weight"), None),
    ("en", "500 ml", number("weight_kg"), None),
    ("en", "27 inches", number("screen", "size in inches"), 27),
    ("en", "45 %", number("share", maximum=1), 0.45),
    ("en", "4.5 out of 5", number("rating"), 4.5),
    ("de", "4,5 von 5 Sternen", number("rating"), 4.5),
    ("en", "7 out of 5", number("rating"), None),
    ("en", "2026-03-05T19:30", MOMENT, None),
    ("en", "2026-03-05T19:30Z", MOMENT, "2026-03-05T19:30:00Z"),
    ("en", "5 March 2026, 7:30 pm UTC+1", MOMENT, "2026-03-05T19:30:00+01:00"),
    ("en", "7:30 pm", CLOCK, "19:30:00"),
    ("ja", "令和8年3月12日", DAY, "2026-03-12"),
    ("th", "12 มีนาคม 2569", DAY, "2026-03-12"),
    ("th", "12/03/2569", DAY, "2026-03-12"),
    ("fa", "۲۱ اسفند ۱۴۰۴", DAY, "2026-03-12"),
    ("en", "12.III.2026", DAY, "2026-03-12"),
    ("ja", "三千五百", number(), 3500),
    ("es", "3 mil millones", number(), 3_000_000_000),
    ("en", "1.5 kg / 3.3 lb", number("weight_kg"), 1.5),
    ("de", "19.30 Uhr", CLOCK, "19:30:00"),
    ("ja", "午後3:05", CLOCK, "15:05:00"),
    ("en", "25:00", CLOCK, None),
    ("hr", "12. listopada 2026.", DAY, "2026-10-12"),
    ("pl", "12 listopada 2026", DAY, "2026-11-12"),
    ("vi", "12 tháng 3, 2026", DAY, "2026-03-12"),
    ("en", "03/04/2026", DAY, None),
    ("en", "in stock", FLAG, True),
    ("de", "nicht lieferbar", FLAG, False),
    ("en", "maybe", FLAG, None),
]


@pytest.mark.req("SC-4")
@pytest.mark.parametrize(("language", "text", "field", "expected"), CASES)
def test_a_text_is_the_value_of_a_field_or_none(language: str, text: str, field: Field, expected: Any) -> None:
    page = Conventions(language=language)
    if expected is None:
        with pytest.raises(ValueError, match=r"no value|several values"):
            parse(text, field, page)
    else:
        assert parse(text, field, page) == expected


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


def readings(text: str) -> list[tuple[str, list[tuple[str, Any, str | None]]]]:
    return [
        (text[one.start : one.end], [(each.kind, each.value, each.unit) for each in one.readings]) for one in scan(text)
    ]


@pytest.mark.req("SC-4")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Was €5.50, -20 %", [("€5.50", [("money", 5.5, None)]), ("-20 %", [("percent", -20, "percent")])]),
        ("SAVE 70 $229.99", [("70", [("number", 70, None)]), ("$229.99", [("money", 229.99, None)])]),
        ("M100 and 3.5 GB", [("3.5 GB", [("measure", 3.5, "gigabyte")])]),
        ("03/04/2026", [("03/04/2026", [("date", "2026-04-03", None), ("date", "2026-03-04", None)])]),
        ("on 2026-03-05T19:30", [("2026-03-05T19:30", [("date_time", "2026-03-05T19:30:00", None)])]),
        ("le 12 mars 2026", [("12 mars 2026", [("date", "2026-03-12", None)])]),
        ("45 minutes", [("45 minutes", [("duration", 45, "minute")])]),
        ("1.299", [("1.299", [("number", 1.299, None), ("number", 1299, None)])]),
    ],
)
def test_every_value_of_a_text_has_its_place_and_all_its_readings(text: str, expected: Any) -> None:
    assert readings(text) == expected
