"""Values that stand on the page and are none of what the field asks for (PR-1, PR-2)."""

from typing import Any

import pytest
from gleaner.grounding import prove

PLACE = "# Da Rosa\n\nVia delle Rose 17, 37121 Verona\n\nTel. 045 800 1234\n"
PHONE = "# Orbit S20 Pro\n\nRAM: 12 GB\n\nCase: IP68\n"
FIRM = "# Tern Ltd\n\nFounded in 1998. In 2019 the firm moved to Oslo.\n"
POST = "# Pumps\n\nBei uns nicht. The radiators were too small.\n"
SOUP = "# Щи\n\nВарка: 1 ч 30 мин, 148 ккал на 100 г\n"
WINE = "# Médoc\n\nScore: 91/100\n"
OTHERS: list[tuple[str, dict[str, Any]]] = [
    (PLACE, {"city": "37121"}),
    (PLACE, {"postcode": "Verona"}),
    (PHONE, {"ram_gb": 20}),
    (PHONE, {"weight_g": 68}),
    (FIRM, {"founded": 2019}),
    (POST, {"text": "Bei uns. The radiators were too small."}),
    (SOUP, {"calories": 100}),
    (SOUP, {"servings": 148}),
    (WINE, {"score": 100}),
]
OWN: list[tuple[str, dict[str, Any]]] = [
    (PLACE, {"city": "Verona", "postcode": "37121", "phone": "045 800 1234"}),
    (PHONE, {"ram_gb": 12, "name": "Orbit S20 Pro"}),
    (FIRM, {"founded": 1998}),
    (FIRM, {"moved": 2019}),
    (POST, {"text": "Bei uns nicht. The radiators were too small."}),
    (POST, {"text": "The radiators were too small…"}),
    (SOUP, {"calories": 148, "cook_minutes": 90}),
    (WINE, {"score": 91}),
    ("# Jug\n\nEUR20, in stock\n", {"price": 20}),
    ("# Flat\n\nPrice per m²: 3,200 €\n\nFor sale at 480,000 €\n", {"price": 480000}),
]


@pytest.mark.req("PR-1", "PR-2")
@pytest.mark.parametrize(("text", "data"), OTHERS)
def test_what_is_none_of_what_the_field_asks_for_is_no_proof(text: str, data: dict[str, Any]) -> None:
    assert [entry.status for entry in prove(data, text)] == ["ungrounded"]


@pytest.mark.req("PR-2")
def test_a_phone_is_a_number_or_the_name_of_one() -> None:
    contact = prove({"name": "Da Rosa", "phone": "Da Rosa"}, PLACE)
    assert {entry.pointer: entry.status for entry in contact} == {"/name": "verbatim", "/phone": "ungrounded"}
    assert [entry.status for entry in prove({"phone": "Orbit S20 Pro", "ram_gb": 12}, PHONE)] == ["verbatim"] * 2


@pytest.mark.req("PR-1")
@pytest.mark.parametrize(("text", "data"), OWN)
def test_what_the_field_asks_for_is_proven(text: str, data: dict[str, Any]) -> None:
    assert "ungrounded" not in [entry.status for entry in prove(data, text)]


PLANS = """### Solo

- ✗ API access
- ✓ SSO

### Team

- ✓ API access
- ✗ SSO
"""


HOUSES = "".join(f"### {name}\n\n{street}\n\n{more}\n\n" for name, street, more in (
    ("Oak House", "Lindenallee 24", "3 beds"), ("Elm House", "7 Mill Road", "7 beds"), ("Ash House", "Kai 5", "4 beds"),
))  # fmt: skip


@pytest.mark.req("PR-1", "PR-2")
def test_a_number_that_only_an_address_says_counts_pays_and_measures_nothing() -> None:
    rows = [("Oak House", "Lindenallee 24", 3), ("Elm House", "7 Mill Road", 7), ("Ash House", "Kai 5", 4)]
    true = [{"name": name, "street": street, "beds": beds} for name, street, beds in rows]
    assert {entry.status for entry in prove(true, HOUSES)} == {"verbatim"}
    for field, value in (("beds", 24), ("price", 24), ("review_count", 24), ("width_m", 24)):
        first = {"name": "Oak House", "street": "Lindenallee 24", field: value}
        assert [one.status for one in prove([first, *true[1:]], HOUSES)][2] == "ungrounded", field
        assert [one.status for one in prove(first, HOUSES)][2] == "ungrounded", field
    assert [one.status for one in prove({"street": "Lindenallee 24", "house_number": 24}, HOUSES)] == ["verbatim"] * 2
    assert [one.status for one in prove({"name": "Lindenallee 24", "beds": 24}, HOUSES)] == ["verbatim"] * 2
    assert [one.status for one in prove({"address": {"street": "Kai 5"}, "beds": 5}, HOUSES)][1] == "ungrounded"
