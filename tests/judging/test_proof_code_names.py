"""Codes of countries and languages, which pages write as names."""

from typing import Any

import pytest

from tests.support.told import told as prove

ENUM = {"enum": ["DE", "ES", "FR", "IT"]}


def status(field: str, value: str, text: str, schema: dict[str, Any] | None = None) -> str:
    whole = {"type": "object", "properties": {field: schema or {"type": "string"}}}
    (entry,) = prove({field: value}, f"# Hotel Alpha\n\n{text}", schema=whole)
    return entry.status


@pytest.mark.req("PR-2")
@pytest.mark.parametrize(
    ("field", "value", "text"),
    [
        ("country", "DE", "Country: Germany"),
        ("countryCode", "DEU", "Seestraße 4, 10115 Berlin, Deutschland"),
        ("addressCountry", "JP", "日本 東京都千代田区"),
        ("country", "GB", "12 High Street, Leeds LS1 4AB, UK"),
        ("country", "SS", "Juba, South Sudan"),
        ("country", "DE", "DE-10115 Berlin"),
        ("language", "nl", "Taal: Nederlands"),
        ("idioma", "fr", "Idioma: francés"),
    ],
)
def test_a_name_states_its_code_and_no_other(field: str, value: str, text: str) -> None:
    assert status(field, value, text) in ("verbatim", "normalized")
    other = {"nl": "de", "fr": "es"}.get(value, "ESP" if len(value) > 2 else "ES")
    assert status(field, other, text) == "ungrounded"


@pytest.mark.req("PR-2")
@pytest.mark.parametrize(
    ("field", "value", "text"),
    [
        ("country", "SD", "Juba, South Sudan"),
        ("country", "IT", "We love it here. Land: Deutschland"),
        ("country", "US", "Visit us in Berlin, Germany"),
        ("language", "de", "Precio de venta. Idioma: francés"),
        ("state", "CA", "Toronto, Canada"),
    ],
)
def test_words_and_longer_names_state_no_code(field: str, value: str, text: str) -> None:
    assert status(field, value, text) == "ungrounded"


@pytest.mark.req("PR-2")
@pytest.mark.parametrize(
    ("field", "value", "text", "other"),
    [
        ("weekday", "Monday", "Mon 12 Jan, 20:00", "Tuesday"),
        ("day", "friday", "Fr – So", "Thursday"),
        ("wochentag", "Dienstag", "Tue, 3 pm", "Mittwoch"),
    ],
)
def test_a_day_that_is_shortened_is_stated(field: str, value: str, text: str, other: str) -> None:
    assert status(field, value, text) == "normalized"
    assert status(field, other, text) == "ungrounded"


@pytest.mark.req("PR-2")
@pytest.mark.parametrize("text", ["So good that we sat down.", "A wed couple."])
def test_words_are_no_days_that_are_shortened(text: str) -> None:
    assert {status("day", name, text) for name in ("Sunday", "Saturday", "Wednesday")} == {"ungrounded"}


@pytest.mark.req("PR-2")
@pytest.mark.parametrize(
    "asked", [{"description": "ISO 8601, such as PT45M"}, {"pattern": "^PT.*"}, {"format": "duration"}]
)
def test_a_duration_that_the_schema_wants_in_iso_8601_is_stated(asked: dict[str, str]) -> None:
    schema = {"type": "string", **asked}
    assert status("cook_time", "PT1H30M", "Cook time: 1 h 30 min", schema) == "normalized"
    assert status("cook_time", "PT30M", "Cook time: 1 h 30 min", schema) == "ungrounded"


@pytest.mark.req("PR-2")
@pytest.mark.parametrize(
    ("field", "text", "is_said"),
    [
        ("comments", "No comments yet", True),
        ("shipping_cost", "Free shipping", True),
        ("admission_fee", "Eintritt frei", True),
        ("price", "Free entry", True),
        ("price", "Free shipping", False),
        ("price", "€12, free entry to the lounge", False),
        ("rooms", "No smoking rooms", False),
    ],
)
def test_words_that_say_there_is_none_of_a_thing_state_its_zero(field: str, text: str, *, is_said: bool) -> None:
    told = prove({field: 0}, f"# A page\n\n{text}", schema={"properties": {field: {"type": "number"}}})[0].status
    assert told == ("normalized" if is_said else "ungrounded")
