"""Numbers in another unit, currency or scale than those learned from are not taken for the same (RC-2)."""

from collections.abc import Sequence
from typing import Any

import pytest
from gleaner.ports import JsonValue
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
