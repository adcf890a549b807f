"""Values that stand on the page and are none of what the field asks for (PR-1, PR-2)."""

from typing import Any

import pytest
from gleaner.judging.judge import judge as prove

PLACE = "# Da Rosa\n\nVia delle Rose 17, 37121 Verona\n\nTel. 045 800 1234\n"
PHONE = "# Orbit S20 Pro\n\nRAM: 12 GB\n\nCase: IP68\n"
FIRM = "# Tern Ltd\n\nFounded in 1998. In 2019 the firm moved to Oslo.\n"
POST = "# Pumps\n\nBei uns nicht. The radiators were too small.\n"
SOUP = "# Щи\n\nВарка: 1 ч 30 мин, 148 ккал на 100 г\n"
WINE = "# Médoc\n\nScore: 91/100\n"
OTHERS: list[tuple[str, dict[str, Any]]] = [
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


@pytest.mark.req("PR-1")
@pytest.mark.parametrize(("text", "data"), OWN)
def test_what_the_field_asks_for_is_proven(text: str, data: dict[str, Any]) -> None:
    assert "ungrounded" not in [entry.status for entry in prove(data, text)]
