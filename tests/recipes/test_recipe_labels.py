"""Labels that say a field only together with a heading, without the thing's name, or for a link inside their value."""

from typing import Any

import pytest
from gleaner.recipes import Example, Recipe, learn, replay
from gleaner.recipes.learning import same_data, widened

URL = "https://atlas.example/towns/{}"
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "area": {"type": "integer"},
        "people": {"type": "integer"},
        "website": {"type": ["string", "null"], "format": "uri"},
        "storage": {"type": "string"},
    },
}
NAMES = ["Larch Bay", "Oak Hill", "Fir Major"]
Town = dict[str, Any]


def town(at: int, *, site: bool = True) -> Town:
    website = f"https://{NAMES[at].split()[0].lower()}.example/" if site else None
    return {
        "name": NAMES[at],
        "area": 410 + at,
        "people": 9300 + at,
        "website": website,
        "storage": "Below 30 degrees.",
    }


def page(one: Town, *, order: str = "area people", extra: str = "") -> str:
    heads = {"area": "Area (km)", "people": "Population<small>(2021)</small>"}
    rows = "".join(
        f"<tr><th colspan=2>{heads[name]}</th></tr><tr><th>Total</th><td>{one[name]}</td></tr>"
        for name in order.split()
    )
    address = one["website"]
    site = (
        f"<div class=cell><b>Website</b><span><a href='{address}'>{one['name'][:3]}</a></span></div>" if address else ""
    )
    return (
        f"<html><body><main><h1>{one['name']}</h1><table>{rows}</table>{site}{extra}"
        f"<h2>5. How to keep {one['name']}</h2><p>{one['storage']}</p></main></body></html>"
    )


def learned(*towns: Town, extra: str = "") -> Recipe:
    *earlier, last = [Example(page(one), URL.format(one["area"]), one) for one in towns]
    recipe = learn(last.html.replace("<h2>", extra + "<h2>"), last.url, SCHEMA, last.data, earlier=earlier)
    assert recipe is not None
    return recipe


@pytest.mark.req("RC-1", "RC-2")
@pytest.mark.parametrize("order", ["area people", "people area"])
def test_a_label_that_stands_twice_is_told_by_the_heading_above_it(order: str) -> None:
    read = replay(learned(town(0)), page(town(1), order=order), URL.format(1), SCHEMA)
    assert same_data(read.data, town(1))
    assert not read.doubts


@pytest.mark.req("RC-2")
def test_a_label_under_another_heading_is_not_the_same() -> None:
    html = page(town(1)).replace("Population", "Households")
    assert replay(learned(town(0)), html, URL.format(1), SCHEMA).doubts


@pytest.mark.req("RC-2")
def test_a_value_is_not_absent_where_its_label_stands_without_the_link_that_was_read() -> None:
    first, second = Example(page(town(0)), URL.format(0), town(0)), town(1, site=False)
    recipe = learn(page(second), URL.format(1), SCHEMA, second, earlier=[first])
    assert recipe is not None
    bare = page(second, extra="<div class=cell><b>Website</b><span>www.fir.example</span></div>")
    assert replay(recipe, bare, URL.format(2), SCHEMA).doubts
    none = page(second, extra="<div class=cell><b>Website</b><span>-</span></div>")
    assert not replay(recipe, none, URL.format(2), SCHEMA).doubts


@pytest.mark.req("RC-1", "RC-2")
def test_a_page_that_lacks_a_value_is_answered_where_headings_differ_in_the_name_of_the_thing_alone() -> None:
    read = replay(learned(town(0)), page(town(1, site=False)), URL.format(1), SCHEMA)
    assert same_data(read.data, town(1, site=False))
    assert not read.doubts


@pytest.mark.req("RC-1")
def test_a_recipe_knows_what_stands_on_pages_that_it_reads_and_was_not_learned_from() -> None:
    recipe = learned(town(0))
    noticed = page(town(1, site=False), extra="<div class=notice>Twinned</div>")
    assert replay(recipe, noticed, URL.format(1), SCHEMA).doubts
    wider = widened(recipe, [Example(noticed, URL.format(1), town(1, site=False))])
    assert not replay(
        wider, page(town(2, site=False), extra="<div class=notice>Twinned</div>"), URL.format(2), SCHEMA
    ).doubts
    assert widened(recipe, [Example(noticed, URL.format(1), town(2))]) == recipe
