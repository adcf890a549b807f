"""The currency that a sign beside a price says: a field of most shops, and the same in all records of most pages."""

import pytest
from gleaner.recipes import learn, replay

pytestmark = pytest.mark.req("RC-1", "RC-2")

NAMES = ["Alba", "Brio", "Cira", "Dune", "Etna", "Faro", "Gala", "Hebe"]
SCHEMA = {
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


def learned(said: str, code: str):
    prices = [12, 7, 940, 38, 65]
    records = [{"name": name, "price": price, "currency": code} for name, price in zip(NAMES, prices, strict=False)]
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
