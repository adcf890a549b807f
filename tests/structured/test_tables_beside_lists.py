"""A table that sums up a longer list on its page is not all that was asked for (CM-1, RC-4)."""

import pytest
from gleaner.structured import extract_structured

from tests.support.schemas import NUMBER, TEXT, list_of, object_of

SCHEMA = list_of(object_of(name=TEXT, price=NUMBER, rating=NUMBER))
KINDS = [(f"{wood} {what}", 20 + at * 7.5, 2 + at % 30 / 10) for at, (wood, what) in enumerate(
    (wood, what) for wood in ("Oak", "Elm", "Ash") for what in ("chair", "table", "shelf", "stool")
)]  # fmt: skip
TOP = KINDS[3:6]
PROSE = "It was made by hand, and we have had it in daily use for years. Nothing came loose in all that time. " * 4


def table(kinds: list[tuple[str, float, float]]) -> str:
    rows = "".join(f"<tr><td>{name}<td>€{price:.2f}<td>{rating}</tr>" for name, price, rating in kinds)
    return f"<table><tr><th>Name<th>Price<th>Rating</tr>{rows}</table>"


def cards(kinds: list[tuple[str, float, float]], more: str = "") -> str:
    return "".join(
        f"<div class=card><h3>{name}</h3><b>€{price:.2f}</b><i>{rating} stars</i><p>{more}</div>"
        for name, price, rating in kinds
    )


@pytest.mark.req("RC-4", "CM-1")
@pytest.mark.parametrize(
    "below",
    [cards(KINDS), cards([one for one in KINDS if one not in TOP]), cards(KINDS, PROSE)],
    ids=["all of them", "all others", "all of them, at length"],
)
def test_a_table_above_a_longer_list_of_such_things_is_declined(below: str) -> None:
    html = f"<h1>Furniture</h1><h2>Top 3</h2>{table(TOP)}<h2>All products</h2><div>{below}</div>"
    assert extract_structured(html, "https://shop.example/", SCHEMA) is None


@pytest.mark.req("CM-4")
def test_a_table_that_goes_on_in_one_without_a_head_is_declined() -> None:
    own, head = KINDS[:4], "<tr><th>Name<th>Price<th>Rating</tr>"
    bare, last = (table(more).replace(head, "") for more in (KINDS[4:8], KINDS[4:5]))
    notes = "<table><tr><td>Delivery<td>free<td>of charge</tr><tr><td>Returns<td>thirty<td>days</tr></table>"
    assert extract_structured(f"<h1>Furniture</h1>{table(own)}{bare}", "https://shop.example/", SCHEMA) is None
    assert extract_structured(f"<h1>Furniture</h1>{table(own)}{last}", "https://shop.example/", SCHEMA) is None
    assert extract_structured(f"<h1>Furniture</h1>{table(own)}{notes}", "https://shop.example/", SCHEMA) is not None


@pytest.mark.req("RC-4")
@pytest.mark.parametrize(
    "beside",
    [
        cards(TOP[:2]),
        f"<section><h2>You may also like</h2>{cards(KINDS)}</section>",
        "".join(f"<section><h2>Test {at}</h2><p>In 20{at} we paid €{at}0. {PROSE}</section>" for at in range(11, 16)),
        "<ul>" + "".join(f"<li><a href=/{wood}>{wood}</a>" for wood in ("oak", "elm", "ash", "fir", "yew")) + "</ul>",
    ],
    ids=["some of its rows", "related things", "prose", "links"],
)
def test_a_table_beside_other_things_is_answered(beside: str) -> None:
    found = extract_structured(f"<h1>Furniture</h1>{table(TOP)}{beside}", "https://shop.example/", SCHEMA)
    assert found == [dict(zip(("name", "price", "rating"), one, strict=True)) for one in TOP]
