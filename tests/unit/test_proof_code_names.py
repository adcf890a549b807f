"""Codes of countries and languages, which pages write as names."""

from typing import Any

import pytest
from gleaner.proof import prove

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
def test_a_choice_of_countries_is_told_by_their_names() -> None:
    assert status("made_in", "DE", "Made in: Allemagne", ENUM) == "normalized"
    assert status("made_in", "FR", "Made in: Allemagne", ENUM) == "ungrounded"
    assert status("made_in", "FR", "Made in: Alsace", ENUM) == "inferred"
