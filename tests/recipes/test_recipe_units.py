"""Numbers in another unit, currency or scale than those learned from are not taken for the same (RC-2)."""

from collections.abc import Sequence
from typing import Any

import pytest
from gleaner.contracts.ports import JsonValue
from gleaner.recipes import Recipe, learn, replay

URL = "https://goods.test/"
NAMES = ("Larch jug", "Heron lamp", "Meadow rug", "Quarry bowl")


def schema_of(field: str) -> dict[str, Any]:
    properties = {"name": {"type": "string"}, field: {"type": ["number", "null"]}}
    return {"type": "array", "items": {"type": "object", "properties": properties, "required": [*properties]}}


def page(said: Sequence[str]) -> str:
    rows = (f"<li><h3>{name}</h3><span class=v>{one}</span></li>" for name, one in zip(NAMES, said, strict=False))
    return f"<main><ul>{''.join(rows)}</ul></main>"


def learned(field: str, known: dict[str, float]) -> Recipe:
    records: list[JsonValue] = [{"name": name, field: one} for name, one in zip(NAMES, known.values(), strict=False)]
    recipe = learn(page([*known]), URL, schema_of(field), records)
    assert recipe is not None
    return recipe


@pytest.mark.req("RC-2")
@pytest.mark.parametrize(
    ("field", "known", "other"),
    [
        ("weight", {"1.2 kg": 1.2, "2 kg": 2, "3 kg": 3}, "500 g"),
        ("price", {"€12": 12, "€24": 24, "€6": 6}, "$54"),
        ("rent", {"500 €": 500, "720 €": 720, "12 €": 12}, "54 £"),
        ("distance", {"12 km": 12, "24 km": 24, "6 km": 6}, "54 mi"),
        ("rating", {"4.5/5": 4.5, "3/5": 3, "2.5/5": 2.5}, "3/10"),
        ("count", {"12 reviews": 12, "20 reviews": 20, "850 reviews": 850}, "9 photos"),
        ("age", {"3 years": 3, "12 years": 12, "5 years": 5}, "8 months"),
    ],
)
def test_a_number_in_another_unit_is_a_doubt(field: str, known: dict[str, float], other: str):
    recipe = learned(field, known)
    assert replay(recipe, page([*known]), URL, schema_of(field)).holds
    assert not replay(recipe, page([other, *[*known][1:]]), URL, schema_of(field)).holds


@pytest.mark.req("RC-2")
@pytest.mark.parametrize(
    ("field", "known", "said", "value"),
    [
        ("stay", {"3 nights": 3, "2 nights": 2}, "1 night", 1),
        ("price", {"€12": 12, "24 $": 24}, "$ 1,250", 1250),
        ("dauer", {"3 Tage": 3, "2 Tage": 2}, "1 Tag", 1),
    ],
)
def test_a_unit_may_stand_elsewhere_and_in_the_singular(field: str, known: dict[str, float], said: str, value: float):
    found = replay(learned(field, known), page([*known, said]), URL, schema_of(field))
    assert found.holds
    assert found.records[-1] == {"name": NAMES[2], field: value}


@pytest.mark.req("RC-2")
def test_a_price_in_another_currency_is_not_absent_either():
    """What only its type tells is looked for by it; what reads so otherwise is in doubt, and not passed over."""
    known = {"€12": 12.0, "€24": 24.0, "€6": 6.0}
    bare = page([*known]).replace(" class=v", "")
    schema = schema_of("price")
    records: list[JsonValue] = [{"name": name, "price": one} for name, one in zip(NAMES, known.values(), strict=False)]
    recipe = learn(bare.replace("<span>€6</span>", ""), URL, schema, [*records[:2], {"name": NAMES[2], "price": None}])
    assert recipe is not None
    assert not replay(recipe, bare.replace("€6", "$6"), URL, schema).holds


@pytest.mark.req("RC-1")
@pytest.mark.parametrize(
    ("field", "known", "said", "value"),
    [
        ("price", {"€1.2m": 1_200_000, "€3m": 3_000_000, "€2.5m": 2_500_000}, "€4.1m", 4_100_000),
        ("views", {"850": 850, "3.4K": 3400, "12K": 12_000}, "7.1K", 7100),
        ("weight_kg", {"500 g": 0.5, "2 kg": 2, "1.2 kg": 1.2}, "750 g", 0.75),
        ("change_percent", {"▼ 3 %": -3, "▲ 2 %": 2, "▼ 1.5 %": -1.5}, "▼ 4 %", -4),
        ("stars", {"★★★☆☆": 3, "★☆☆☆☆": 1, "★★★★★": 5}, "★★★★☆", 4),
        ("share", {"15 %": 0.15, "40 %": 0.4, "7 %": 0.07}, "3 %", 0.03),
        ("longitude", {"12.5° W": -12.5, "3.2° E": 3.2, "8.1° W": -8.1}, "4.4° W", -4.4),
    ],
)
def test_a_number_is_read_in_the_notation_in_which_the_proof_took_it(
    field: str, known: dict[str, float], said: str, value: float
):
    found = replay(learned(field, known), page([*known, said]), URL, schema_of(field))
    assert found.holds, found.doubts
    assert found.records[-1] == {"name": NAMES[3], field: value}


@pytest.mark.req("RC-2")
@pytest.mark.parametrize(
    ("field", "known", "said"),
    [
        ("price", {"€1.2m": 1_200_000, "€3m": 3_000_000, "€2.5m": 2_500_000}, "$4.1m"),
        ("views", {"850": 850, "3.4K": 3400, "12K": 12_000}, "12 m"),
        ("weight_kg", {"500 g": 0.5, "2 kg": 2, "1.2 kg": 1.2}, "3 lb"),
        ("change_percent", {"▼ 3 %": -3, "▲ 2 %": 2, "▼ 1.5 %": -1.5}, "▼ $4"),
        ("stars", {"★★★☆☆": 3, "★☆☆☆☆": 1, "★★★★★": 5}, "4/10"),
        ("price", {"€1.2m": 1_200_000, "€3m": 3_000_000, "€2.5m": 2_500_000}, "€1m – 3m"),
    ],
)
def test_another_notation_is_a_doubt(field: str, known: dict[str, float], said: str):
    assert not replay(learned(field, known), page([*known, said]), URL, schema_of(field)).holds


@pytest.mark.req("RC-1", "RC-2")
def test_days_with_short_years_are_read_in_the_one_order_that_fits_all():
    schema = schema_of("day")
    schema["items"]["properties"]["day"] = {"type": ["string", "null"], "format": "date"}

    def records(*days: str) -> list[JsonValue]:
        return [{"name": name, "day": day} for name, day in zip(NAMES, days, strict=False)]

    recipe = learn(page(["03.05.24", "17.01.98"]), URL, schema, records("2024-05-03", "1998-01-17"))
    assert recipe is not None
    assert replay(recipe, page(["09.02.25"]), URL, schema).records == records("2025-02-09")
    assert not replay(recipe, page(["09.02.25", "02.13.25"]), URL, schema).holds
    assert learn(page(["03.03.24", "05.05.98"]), URL, schema, records("2024-03-03", "1998-05-05")) is None
