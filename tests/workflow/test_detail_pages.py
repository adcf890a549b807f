"""Pages about one thing whose facts come and go: what a layout costs, and that what is served is right."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from gleaner import Gleaner
from gleaner.local.engine import scaled_retry_waits
from gleaner.page.opening import open_page
from gleaner.testing import ScriptedModel, TrueRecord
from gleaner.wrappers import Example, learn_from, replay

from tests.support.schemas import MAYBE_INTEGER, MAYBE_NUMBER, NUMBER, TEXT, object_of

House = dict[str, Any]


SCHEMA: House = object_of(
    "reference",
    "price",
    reference=TEXT,
    price=NUMBER,
    area_m2=MAYBE_NUMBER,
    land_m2=MAYBE_NUMBER,
    floor=MAYBE_INTEGER,
    monthly_charges=MAYBE_NUMBER,
)
URL = "https://immo.example/a/{}"
NBSP = "\u202f"
KINDS, TOWNS = ("Maison", "Loft", "Studio", "Villa"), ("Brest", "Vannes", "Rennes", "Lorient", "Quimper")
GROUND = "RDC"


def house(at: int, *, land: int | None = None, floor: int | str | None = None, charges: int | None = None) -> House:
    return {
        "reference": f"K{70911 + 37 * at}",
        "price": 183_000 + 17_000 * at,
        "area_m2": 41 + 13 * at,
        "land_m2": land,
        "floor": floor,
        "monthly_charges": charges,
    }


def euros(amount: int) -> str:
    return f"{amount:,} €".replace(",", NBSP)


def page(at: int, one: House) -> str:
    land = f"{one['land_m2']:,} m²".replace(",", NBSP) if one["land_m2"] else None
    facts = {
        "Surface": f"{one['area_m2']} m²",
        "Terrain": land,
        "Étage": one["floor"],
        "Charges": one["monthly_charges"] and f"{one['monthly_charges']} €/mois",
        "Chauffage": ("gaz", "bois", "fioul")[at % 3],
    }
    rows = "".join(f"<div><span>{name}</span><strong>{said}</strong></div>" for name, said in facts.items() if said)
    similar = ((f"{KINDS[n % 4]} {TOWNS[n % 5]}", 97_000 + 13_000 * n + at) for n in range(3 * at, 3 * at + 3))
    others = "".join(f"<a class=sim href='/a/9'><b>{name}</b><i>{euros(price)}</i></a>" for name, price in similar)
    return (
        f"<html lang=fr><body><main><h1>Annonce</h1><div class=px>{euros(one['price'])}</div>"
        f"<p class=rf>Réf. {one['reference']}</p><section>{rows}</section></main>"
        f"<section><h2>Annonces similaires</h2>{others}</section></body></html>"
    )


def truth(one: House) -> House:
    return {**one, "floor": None if one["floor"] == GROUND else one["floor"]}


HOUSES = [
    house(0, land=640, floor=12, charges=35),
    house(1, floor=GROUND, charges=90),
    house(2, land=2837),
    house(3, floor=14, charges=48),
    house(4, land=1750, floor=GROUND),
    house(5, land=410),
    house(6, floor=11, charges=52),
    house(7),
    house(8, land=1212, charges=77),
    house(9, floor=GROUND),
]


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    with scaled_retry_waits(0.02):
        yield tmp_path / "home"


@pytest.mark.req("RC-2", "RC-1")
def test_pages_whose_facts_come_and_go_cost_a_few_calls_in_all(home: Path) -> None:
    model = ScriptedModel([TrueRecord(truth(one), (one["reference"],)) for one in HOUSES])
    tiers: list[str] = []
    with Gleaner(model, home) as gleaner:
        for at, one in enumerate(HOUSES):
            found = gleaner.extract_html(page(at, one), URL.format(at), output_schema=SCHEMA).extraction
            assert found is not None
            assert found.data == truth(one)
            tiers.append(found.tier)
    assert len(model.requests) <= 3
    assert tiers[3:] == ["recipe"] * 7


def learned(*known: int) -> Any:
    *earlier, last = (Example(open_page(page(at, HOUSES[at]), URL.format(at)), truth(HOUSES[at])) for at in known)
    recipe = learn_from([*earlier, last], SCHEMA).recipe
    assert recipe is not None
    return recipe


@pytest.mark.req("RC-2")
def test_the_price_of_another_thing_is_no_news_when_its_name_stood_on_a_page_before() -> None:
    html = page(7, HOUSES[7]).replace("Loft Vannes", "Studio Vannes")
    assert "Studio Vannes" in html
    assert "Studio Vannes" in page(2, HOUSES[2])
    read = replay(learned(2, 4, 5), open_page(html, URL.format(7)), SCHEMA)
    assert (read.data, read.doubts) == (truth(HOUSES[7]), ())


@pytest.mark.req("RC-2")
def test_an_amount_behind_a_new_label_among_the_facts_is_news() -> None:
    html = page(5, HOUSES[5]).replace(
        "</section></main>", "<div><span>Frais</span><strong>61 €/mois</strong></div></section></main>"
    )
    read = replay(learned(0, 1, 2), open_page(html, URL.format(5)), SCHEMA)
    assert {name for name, why in read.unread.items() if "is new" in why} == {"/floor", "/monthly_charges"}


@pytest.mark.req("RC-1", "RC-2")
def test_a_word_that_stood_once_where_a_number_is_named_says_that_there_is_none() -> None:
    recipe = learned(0, 1, 3)
    read = replay(recipe, open_page(page(9, HOUSES[9]), URL.format(9)), SCHEMA)
    assert (read.data, read.doubts) == (truth(HOUSES[9]), ())
    other = page(9, HOUSES[9]).replace(GROUND, "Combles")
    assert [*replay(recipe, open_page(other, URL.format(9)), SCHEMA).unread] == ["/floor"]
