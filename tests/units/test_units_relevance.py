"""Which of a page's groups a question is about (EX-6)."""

import pytest
from gleaner.units import relevant_groups

TEAM, PRICES = "Team name role email", "Price list product price stock"


@pytest.mark.req("EX-6")
@pytest.mark.parametrize(
    ("query", "fields", "chosen"),
    [
        ("the prices of all products", (), (1,)),
        (None, ("productName", "unit_price", "stock"), (1,)),
        ("name, role and email of the team", (), (0,)),
        (None, (), (0, 1)),
        ("something else entirely", (), (0, 1)),
    ],
)
def test_words_of_the_question_choose_the_group(
    query: str | None, fields: tuple[str, ...], chosen: tuple[int, ...]
) -> None:
    schema = {"properties": {name: {} for name in fields}}
    assert relevant_groups([TEAM, PRICES], [0.8, 0.75], query, schema) == chosen


def test_a_lower_group_that_speaks_of_every_field_comes_first() -> None:
    schema = {"properties": {"name": {}, "role": {}, "email": {}}}
    assert relevant_groups([PRICES, TEAM], [0.9, 0.3], None, schema) == (1,)


def test_no_group_of_records_stays_none() -> None:
    assert relevant_groups(["Home About", "Terms Privacy"], [0.1, 0.05], "products") == ()
