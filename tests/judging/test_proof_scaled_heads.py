"""A scale that the head of a column or a row says, and other ways in which pages say what a field asks for."""

from typing import Any

import pytest

from tests.support.told import told as prove

LANDS = """
| Land | Population (millions) | GDP (US$ bn) | Area | 人口(万人) |
| --- | --- | --- | --- | --- |
| Ardania | 18.4 | 402 | 211,300 | 12 |
| Mirra | 5.12 | 88.5 | 48,900 | 7 |
"""


def refused(data: Any, text: str) -> set[str]:
    return {entry.pointer for entry in prove(data, text) if entry.status == "ungrounded"}


@pytest.mark.req("PR-1")
def test_a_number_is_proven_by_the_figure_that_its_column_multiplies() -> None:
    one = {"land": "Ardania", "population": 18_400_000, "gdp_usd": 402_000_000_000, "people": 120_000}
    two = {"land": "Mirra", "population": 5_120_000, "gdp_usd": 88_500_000_000, "people": 70_000}
    assert refused([one, two], LANDS) == set()
    assert refused([one | {"population": 18_400}, two | {"gdp_usd": 88_500_000}], LANDS) == {
        "/0/population",
        "/1/gdp_usd",
    }
    assert refused([one | {"people": 211_300_000}, two], LANDS) == {"/0/people"}


@pytest.mark.req("PR-1")
def test_a_number_is_proven_by_the_figure_that_the_head_of_its_row_multiplies() -> None:
    text = "# Brack\n\n| Revenue (million) | 86.5 |\n| --- | --- |\n| Staff | 12 |"
    assert refused({"revenue": 86_500_000, "staff": 12}, text) == set()
    assert refused({"revenue": 86_500, "staff": 12_000_000}, text) == {"/revenue", "/staff"}


@pytest.mark.req("PR-1")
def test_free_delivery_is_a_price_of_nothing() -> None:
    text = "- Aquila\n  379 €\n  Versandkostenfrei\n- Tromla\n  529 €\n  zzgl. 29,90 € Versand"
    data = [{"name": "Aquila", "versand": 0}, {"name": "Tromla", "versand": 29.9}]
    assert refused(data, text) == set()
