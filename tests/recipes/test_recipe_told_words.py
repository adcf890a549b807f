"""What texts stand for, where all records of a page have the same: the currency of a sign, a code spelled otherwise."""

from typing import Any

import pytest
from gleaner.recipes import Recipe, learn, replay

pytestmark = pytest.mark.req("RC-1", "RC-2")

NAMES = ["Alba", "Brio", "Cira", "Dune", "Etna", "Faro", "Gala", "Hebe"]
SCHEMA: dict[str, Any] = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "price": {"type": ["number", "null"]},
            "currency": {"type": ["string", "null"]},
        },
        "required": ["name", "price", "currency"],
    },
}


def page(*prices: str) -> str:
    cards = zip(NAMES, prices, strict=False)
    return "<h1>Lamps</h1>" + "".join(
        f"<div class=c><h3>{name}</h3><p class=p>{said}</p></div>" for name, said in cards
    )


def learned(said: str, code: str) -> Recipe | None:
    prices = [12, 7, 940, 38, 65]
    records: list[Any] = [
        {"name": name, "price": price, "currency": code} for name, price in zip(NAMES, prices, strict=False)
    ]
    return learn(page(*(said.format(price) for price in prices)), "https://x.example/", SCHEMA, records)


WRITTEN = [
    ("£{}", "GBP"),
    ("{} €", "EUR"),
    ("${}.00", "USD"),
    ("CHF {}.00", "CHF"),
    ("from ₹ {} a night", "INR"),
    ("{} kr", "SEK"),
]


@pytest.mark.parametrize(("said", "code"), WRITTEN)
def test_one_currency_for_all_is_learned_by_its_sign(said: str, code: str) -> None:
    recipe = learned(said, code)
    assert recipe is not None
    found = replay(
        recipe, page(said.format(55), said.format("1,204") if ".00" in said else said.format(81)), "", SCHEMA
    )
    assert found.holds
    assert [(one["price"], one["currency"]) for one in found.records if isinstance(one, dict)] == [
        (55, code),
        (1204 if ".00" in said else 81, code),
    ]


@pytest.mark.parametrize("other", ["$55", "55 USD", "€55", "55", "£55 / €60"])
def test_another_sign_is_another_currency(other: str) -> None:
    recipe = learned("£{}", "GBP")
    assert recipe is not None
    assert not replay(recipe, page("£12", other), "", SCHEMA).holds


@pytest.mark.parametrize(("said", "code"), [("£{}", "EUR"), ("{} points", "EUR"), ("{}", "EUR")])
def test_a_code_that_no_sign_says_is_not_learned(said: str, code: str) -> None:
    assert learned(said, code) is None


def listing(**fields: str) -> dict[str, Any]:
    properties = {"name": {"type": "string"}, **{name: {"type": kind} for name, kind in fields.items()}}
    return {"type": "array", "items": {"type": "object", "properties": properties, "required": [*properties]}}


def test_one_code_for_all_is_learned_where_the_text_spells_it() -> None:
    schema = listing(kind="string")
    known: list[Any] = [{"name": name, "kind": "FULL_TIME"} for name in NAMES]
    recipe = learn(page(*["Full-time"] * 8), "https://x.example/", schema, known)
    assert recipe is not None
    assert replay(recipe, page(*["Full-time"] * 5), "", schema).holds
    assert not replay(recipe, page("Full-time", "Part-time"), "", schema).holds
    assert learn(page(*["Permanent"] * 8), "https://x.example/", schema, known) is None


def test_days_in_words_are_learned_where_the_schema_has_no_format() -> None:
    schema = listing(day="string")
    said = {f"March {day}, 2026": f"2026-03-{day:02}" for day in range(3, 11)}
    known: list[Any] = [{"name": name, "day": day} for name, day in zip(NAMES, said.values(), strict=True)]
    recipe = learn(page(*said), "https://x.example/", schema, known)
    assert recipe is not None
    found = replay(recipe, page("April 17, 2025"), "", schema)
    assert (found.holds, found.records) == (True, [{"name": "Alba", "day": "2025-04-17"}])
    assert not replay(recipe, page("March 3, 2026", "soon"), "", schema).holds


FIRMS: dict[str, Any] = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {"name": {"type": "string"}, "country": {"type": ["string", "null"]}},
        "required": ["name", "country"],
    },
}


def firms(*countries: str) -> str:
    return "<h1>Firms</h1>" + "".join(
        f"<li><b>{name}</b> <i class=land>{said}</i></li>" for name, said in zip(NAMES, countries, strict=False)
    )


def test_a_country_that_was_not_learned_is_read_by_its_name() -> None:
    known = {"Germany": "DE", "France": "FR", "Japan": "JP"}
    records: list[Any] = [{"name": name, "country": code} for name, code in zip(NAMES, known.values(), strict=False)]
    recipe = learn(firms(*known), "https://x.example/", FIRMS, records)
    assert recipe is not None
    found = replay(recipe, firms("Poland", "Schweden", "日本", "Germany"), "https://x.example/2", FIRMS)
    assert found.holds
    assert [one["country"] for one in found.records if isinstance(one, dict)] == ["PL", "SE", "JP", "DE"]
    assert not replay(recipe, firms("Poland", "Atlantis", "Japan"), "https://x.example/3", FIRMS).holds


def test_names_with_the_last_name_first_are_read_right_way_round() -> None:
    people = [("Roe, Anna", "Anna Roe"), ("Li, Wei", "Wei Li"), ("van Dam, Piet", "Piet van Dam")]
    records: list[Any] = [{"name": name, "country": said} for name, (_, said) in zip(NAMES, people, strict=False)]
    recipe = learn(firms(*(shown for shown, _ in people)), "https://x.example/", FIRMS, records)
    assert recipe is not None
    found = replay(recipe, firms("Sato, Ines", "Lind, Tom"), "https://x.example/2", FIRMS)
    assert found.holds
    assert [one["country"] for one in found.records if isinstance(one, dict)] == ["Ines Sato", "Tom Lind"]
    assert not replay(recipe, firms("Sato, Ines", "Tom Lind"), "https://x.example/3", FIRMS).holds
