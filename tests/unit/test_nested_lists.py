"""Lists beside and inside the records, counted as siblings on the page (CM-1)."""

from typing import Any

import pytest
from gleaner.completeness.nested_lists import find_short_lists

RECIPE = (
    "<ul class=menu><li>Recipes</li><li>Comments (2)</li><li>About</li></ul><h1>Pesto</h1>"
    "<ul class=i><li>1 cup basil</li><li>2 cloves garlic</li><li>50 g pine nuts</li><li>½ tsp salt</li></ul>"
    "<ol><li><h4>For the sauce</h4></li><li>Crush the garlic.</li><li>Add the basil.</li><li>Stir well.</li></ol>"
    "<ul class=menu><li>Print</li><li>Share</li></ul>"
)
INGREDIENTS = ["1 cup basil", "2 cloves garlic", "50 g pine nuts", "½ tsp salt"]
STEPS = ["Crush the garlic.", "Add the basil.", "Stir well."]
ORDERS = "".join(
    f"<article><h3>Order {at}</h3><table>"
    + "".join(f"<tr><td>{name}</td><td>{count}</td></tr>" for name, count in rows)
    + "</table></article>"
    for at, rows in enumerate(
        ([("Larch jug", 2), ("Alder bowl", 1)], [("Hazel lamp", 3), ("Larch jug", 9), ("Gorse vase", 4)], [("Oak", 5)])
    )
)
TRUTH = [
    {"order": "Order 0", "rows": [{"name": "Larch jug", "count": 2}, {"name": "Alder bowl", "count": 1}]},
    {
        "order": "Order 1",
        "rows": [{"name": name, "count": n} for name, n in (("Hazel lamp", 3), ("Larch jug", 9), ("Gorse vase", 4))],
    },
    {"order": "Order 2", "rows": [{"name": "Oak", "count": 5}]},
]


def lacks(data: Any, html: str, **more: Any) -> dict[str, tuple[str, ...]]:
    return {one.pointer: one.missing for one in find_short_lists(data, html, schema=None, **more)}


@pytest.mark.req("CM-1")
def test_a_recipe_s_menu_comments_and_headings_are_no_ingredients_and_no_steps() -> None:
    assert lacks({"title": "Pesto", "ingredients": INGREDIENTS, "steps": STEPS}, RECIPE) == {}


@pytest.mark.req("CM-1")
@pytest.mark.parametrize("left_out", INGREDIENTS)
def test_an_ingredient_that_is_left_out_is_named(left_out: str) -> None:
    data = {"ingredients": [one for one in INGREDIENTS if one != left_out], "steps": STEPS}
    assert lacks(data, RECIPE) == {"/ingredients": (left_out,)}


@pytest.mark.req("CM-1")
def test_a_value_that_the_proof_took_out_is_not_missing() -> None:
    assert lacks({"ingredients": INGREDIENTS[:3]}, RECIPE, removed=[INGREDIENTS[3]]) == {}


@pytest.mark.req("CM-1")
def test_the_rows_of_orders_are_counted_order_by_order() -> None:
    assert lacks(TRUTH, ORDERS, records=()) == {}
    short = [TRUTH[0], {**TRUTH[1], "rows": TRUTH[1]["rows"][:2]}, TRUTH[2]]
    assert lacks(short, ORDERS, records=()) == {"/1/rows": ("Gorse vase 4",)}


@pytest.mark.req("CM-1")
def test_a_full_list_takes_no_more_and_an_empty_page_has_nothing() -> None:
    schema = {"properties": {"ingredients": {"type": "array", "maxItems": 2, "items": {"type": "string"}}}}
    assert find_short_lists({"ingredients": INGREDIENTS[:2]}, RECIPE, schema=schema) == []
    assert lacks({"ingredients": INGREDIENTS}, "") == {}
