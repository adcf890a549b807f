"""Schemas that are proposed without a model: what they are made of, and that they fit (GT-3)."""

from typing import Any

import pytest
from gleaner.page.opening import open_page
from gleaner.schemas import is_valid
from gleaner.structured import extract_structured
from gleaner.structured.suggesting import Suggestion, suggest_schemas

from tests.support.schemas import NUMBER, TEXT

pytestmark = pytest.mark.req("GT-3")

DATE, LINK = {"type": "string", "format": "date"}, {"type": "string", "format": "uri"}

TABLE = """<h1>Lamps</h1><table><tr><th>Name<th>Price (€)<th>Made in<th>Code<th>Seen
<tr><td>Larch<td>5.50<td>2019<td>00412<td>3 May 2024<tr><td>Gorse<td>12.00<td>2021<td>00388<td>14 May 2024
<tr><td>Heath<td>7.25<td>2020<td>00541<td><td></table>"""
CARD = """<li class="lamp"><a href="/{at}"><h3>{name}</h3></a><img src="/{at}.png">
<span class="lamp-maker">{maker}</span>
<p><b>Weight:</b> {at} kg</p><p>{price}</p><ul>{tags}</ul><button>Add to cart</button></li>"""
CARDS = "".join(
    CARD.format(at=at, name=name, maker=maker, price=price, tags="<li>new</li>" * at)
    for at, name, maker, price in [
        (1, "Larch lamp", "Holm", "€ 5.50"), (2, "Gorse lamp", "Ash", "€ 12.00"),
        (3, "Heath lamp", "Holm", "€ 7.25"), (4, "Fern lamp", "Birch", "€ 8.00"),
    ]
)  # fmt: skip
DATA = """<script type="application/ld+json">{"@type": "Product", "name": "Larch", "sku": "L-1",
"offers": {"@type": "Offer", "price": "5.50", "priceCurrency": "EUR"},
"brand": {"@type": "Brand", "name": "Holm"}}</script>
<h1>Larch</h1><p>5.50 EUR</p>"""
FACTS = "<h1>Bowl</h1><dl><dt>Medium</dt><dd>Clay</dd><dt>Height</dt><dd>12 cm</dd><dt>Made</dt><dd>1920</dd></dl>"


def first(html: str) -> Suggestion:
    return suggest_schemas(open_page(html, "https://shop.example/list"))[0]


def fields(found: Suggestion) -> dict[str, Any]:
    record: Any = found.schema.get("items", found.schema)
    return dict(record["properties"])


def maybe(schema: dict[str, Any]) -> dict[str, Any]:
    return {**schema, "type": [schema["type"], "null"]}


def test_the_columns_of_a_table_are_the_fields() -> None:
    found = first(TABLE)
    assert (found.source, found.records) == ("table", 3)
    assert fields(found) == {
        "name": TEXT, "price": NUMBER, "made_in": NUMBER, "code": TEXT, "seen": maybe(DATE),
    }  # fmt: skip
    example = {"name": "Larch", "price": "5.50", "made_in": "2019", "code": "00412", "seen": "3 May 2024"}
    assert found.examples[0] == example


def test_what_repeats_is_named_by_its_labels_its_markup_and_its_kind() -> None:
    found = first(f"<h1>Lamps</h1><ul>{CARDS}</ul>")
    assert (found.source, found.records) == ("list", 4)
    assert fields(found) == {
        "weight": NUMBER, "title": TEXT, "lamp_maker": TEXT, "price": NUMBER,
        "texts": {"type": "array", "items": TEXT}, "url": LINK, "image": LINK,
    }  # fmt: skip
    assert found.examples[0]["weight"] == "1 kg"


def test_what_the_page_says_of_its_one_thing_is_the_record() -> None:
    told = {"name": TEXT, "sku": maybe(TEXT), "price": maybe(NUMBER), "price_currency": maybe(TEXT)}
    assert fields(first(DATA)) == {**told, "brand": maybe(TEXT)}
    assert fields(first(FACTS)) == {"medium": TEXT, "height": maybe(NUMBER), "made": maybe(NUMBER)}


def test_a_page_that_says_nothing_twice_has_no_suggestion() -> None:
    assert suggest_schemas(open_page("<p>Nothing to see</p>", "https://a.example/")) == []


PLAIN = """<li><a href="/{at}"><b>{name}</b></a><span>{at}{at}:30</span><i>4.{at} / 5</i><p>{at}0 %</p><em>Ash</em>
<div>Number {at} is a long lamp that lights a whole room for a night and more.</div></li>"""


def test_what_nothing_names_goes_by_how_it_looks_and_needs_a_model() -> None:
    cards = "".join(PLAIN.format(at=at, name=f"Lamp {at} of ash") for at in (1, 2))
    found = first(f"<ul>{cards}</ul>")
    assert [*fields(found)] == ["title", "time", "rating", "percent", "description", "url"]
    assert found.needs_model


def test_a_suggested_schema_reads_its_own_table() -> None:
    assert not first(TABLE).needs_model
    schema = first(TABLE).schema
    records = extract_structured(TABLE, "https://shop.example/list", schema)
    assert is_valid(schema, records)
    assert len(records) == 3
