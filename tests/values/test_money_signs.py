"""What tells that a text speaks of money."""

import re

import pytest
from gleaner.values.money_signs import AMOUNT


@pytest.mark.req("CM-1", "MD-1")
@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("from $5", "$5"),
        ("12USD", "2USD"),
        ("now 1.299 Kč", "9 Kč"),
        ("EUR 12", "EUR 1"),
        ("450 ₽ a night", "0 ₽"),
        ("kr199", "kr1"),
        ("3 krokodiler", None),
        ("PLNX 3 EUROPE", None),
        ("2024", None),
    ],
)
def test_an_amount_is_a_number_beside_a_sign_or_a_currency_as_a_word(text: str, amount: str | None) -> None:
    found = re.search(AMOUNT, text)
    assert (found and found[0]) == amount
