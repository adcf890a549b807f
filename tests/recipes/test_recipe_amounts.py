"""A price that a page splits over elements is one number to a recipe."""

from typing import Any

import pytest
from gleaner.recipes import learn, replay
from gleaner.recipes.page.boxes import open_page, text_of

URL = "https://shop.example/list"
SCHEMA: dict[str, Any] = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {"name": {"type": "string"}, "price": {"type": "number"}},
        "required": ["name", "price"],
    },
}
FIRST = [("Larch jug", 12.99), ("Gorse jug", 7.05), ("Fir jug", 120.5), ("Oak jug", 9.0), ("Elm jug", 15.25)]
SECOND = [("Ash jug", 3.99), ("Yew jug", 17.05), ("Box jug", 1299.5), ("Bay jug", 29.0), ("Hop jug", 5.25)]
SPLITS = {
    "in the record itself": "<span>$</span><span>{}</span><sup>{}</sup>",
    "in an element of its own": '<div class="price"><span>$</span><span class="whole">{}</span><sup>{}</sup></div>',
    "with a raised part": "<b>${}<sup>{}</sup></b>",
    "with its mark in a small part": "{}<small>.{}</small>",
    "with a mark of its own": '<p class="price">$<span>{}<i>.</i></span><span class="cents">{}</span></p>',
}


def page(split: str, wares: list[tuple[str, float]]) -> str:
    items = [
        f"<li><h3>{name}</h3>{split.format(f'{int(price):,}', f'{round(price * 100) % 100:02d}')}</li>"
        for name, price in wares
    ]
    return f"<h1>Jugs</h1><ul>{''.join(items)}</ul>"


def records(wares: list[tuple[str, float]]) -> list[Any]:
    return [{"name": name, "price": price} for name, price in wares]


@pytest.mark.req("RC-1", "RC-2")
@pytest.mark.parametrize("split", sorted(SPLITS))
def test_a_split_price_is_learned_and_read_on_the_next_page(split: str) -> None:
    recipe = learn(page(SPLITS[split], FIRST), URL, SCHEMA, records(FIRST))
    assert recipe is not None
    after = replay(recipe, page(SPLITS[split], SECOND), URL, SCHEMA)
    assert (after.records, after.doubts) == (records(SECOND), ())


@pytest.mark.req("RC-2")
@pytest.mark.parametrize("other", ["<span>{}</span><sup>{}</sup> kr", "<span>$</span><span>{}</span><sup>{}5</sup>"])
def test_cents_that_are_written_otherwise_are_never_left_off_in_silence(other: str) -> None:
    recipe = learn(page(SPLITS["in the record itself"], FIRST), URL, SCHEMA, records(FIRST))
    assert recipe is not None
    assert replay(recipe, page(other, SECOND), URL, SCHEMA).doubts


@pytest.mark.req("RC-1")
@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("$12<sup>99</sup>", "$12.99"),
        ("<b>$</b><b>12</b><sup>99</sup>", "$12.99"),
        ("12<small>,99</small> €", "12,99 €"),
        ("Area 20 m<sup>2</sup>", "Area 20 m2"),
        ("10<sup>12</sup>", "10^12"),
        ("$12<sup>1</sup>", "$121"),
        ("$12 <sup>99</sup>", "$12 99"),
        ("$12<br><sup>99</sup>", "$12 99"),
        ("<div>$12</div><sup>99</sup>", "$1299"),
        ("1<span>.2</span>.3", "1.2.3"),
        ("$<span>12</span><span>99</span>", "$1299"),
    ],
)
def test_only_what_continues_a_number_is_joined_to_it(markup: str, text: str) -> None:
    root = open_page(f"<p>Before</p><div>{markup}</div>")
    assert text_of(root.find(".//div")) == text
