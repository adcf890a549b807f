"""Tier 0 over tables: what it answers, and the doubts in which it must not answer (RC-4)."""

from typing import Any

import pytest
from gleaner.structured import answer_from_structure, extract_structured

URL = "https://shop.example/items"
TEXT, NUMBER, WHOLE, DATE = (
    {"type": "string"},
    {"type": "number"},
    {"type": "integer"},
    {"type": "string", "format": "date"},
)
YES_NO = {"type": "boolean"}


def listing(required: bool = True, **fields: Any) -> dict[str, Any]:
    item: dict[str, Any] = {"type": "object", "properties": fields}
    if required:
        item["required"] = list(fields)
    return {"type": "array", "items": item}


def table(headers: str, *rows: str, before: str = "<h1>Products</h1>", after: str = "") -> str:
    head = "".join(f"<th>{each.strip()}</th>" for each in headers.split("|"))
    body = "".join("<tr>" + "".join(f"<td>{each.strip()}</td>" for each in row.split("|")) + "</tr>" for row in rows)
    return f"{before}<table><tr>{head}</tr>{body}</table>{after}"


NAME_PRICE = listing(name=TEXT, price=NUMBER)
LAMPS = ("Lamp | $5.50", "Mug | $3.20", "Rug | $120.00")
LAMP_RECORDS = [{"name": "Lamp", "price": 5.5}, {"name": "Mug", "price": 3.2}, {"name": "Rug", "price": 120}]


def described(kind: dict[str, Any], text: str) -> dict[str, Any]:
    return {**kind, "description": text}


@pytest.mark.req("RC-4", "LB-3")
@pytest.mark.parametrize(
    ("headers", "schema"),
    [
        ("Name | Price", NAME_PRICE),
        ("NAME: | price ($)", NAME_PRICE),
        ("Names | Prices [USD]", NAME_PRICE),
        ("Product | Price", NAME_PRICE),
        ("Product name | Price in $", NAME_PRICE),
        ("Name | Price", {"type": "object", "properties": {"products": NAME_PRICE}, "required": ["products"]}),
        ("Name | Price", listing(name=TEXT, price=described(NUMBER, "The price in US$, as a number"))),
        ("Name | Price", listing(name=described(TEXT, "Full name of the item"), price=NUMBER)),
        ("Artikel | Preis", listing(name={**TEXT, "x-aliases": ["Artikel"]}, price={**NUMBER, "title": "Preis"})),
    ],
)
def test_columns_that_have_the_fields_names_answer(headers: str, schema: dict[str, Any]) -> None:
    found = extract_structured(table(headers, *LAMPS), URL, schema)
    records = found["products"] if isinstance(found, dict) else found
    assert records == LAMP_RECORDS


@pytest.mark.req("RC-4")
@pytest.mark.parametrize(
    ("field", "header", "cells", "values"),
    [
        (NUMBER, "Value", ["12,5", "1.250"], [12.5, 1250]),
        (NUMBER, "Value", ["1,250.5", "1,250"], [1250.5, 1250]),
        (WHOLE, "Value", ["1.250", "7"], [1250, 7]),
        (NUMBER, "Value", ["12 kg", "9 kg"], [12, 9]),
        (NUMBER, "Value [kg]", ["12", "9"], [12, 9]),
        (NUMBER, "Value", ["12 kr", "9 kr"], [12, 9]),
        (NUMBER, "Value", ["-12 °C", "9 °C"], [-12, 9]),
        (NUMBER, "Value", ["12 %", "9.5 %"], [12, 9.5]),
        ({"type": ["boolean", "null"]}, "Value", ["yes", "no", "–"], [True, False, None]),
        (described(NUMBER, "in kg"), "Value", ["12 kg", "9 kg"], [12, 9]),
        (described(NUMBER, "in kilograms"), "Value (kg)", ["12", "9"], [12, 9]),
        (DATE, "Value", ["31/12/2025", "01/02/2026"], ["2025-12-31", "2026-02-01"]),
        (DATE, "Value", ["12/31/2025", "01/02/2026"], ["2025-12-31", "2026-01-02"]),
        (DATE, "Value", ["3 May 2026", "2026-05-04"], ["2026-05-03", "2026-05-04"]),
        (YES_NO, "Value", ["yes", "no"], [True, False]),
        ({"type": ["number", "null"]}, "Value", ["5", "–"], [5, None]),
        ({"enum": ["New", "Used"], "type": "string"}, "Value", ["new", "used"], ["New", "Used"]),
        (TEXT, "Value", ["<a href='/x'><b>H<sub>2</sub>O</b></a>", "Fe"], ["H2O", "Fe"]),
    ],
)
def test_cells_are_read_in_the_fields_type(field: Any, header: str, cells: list[str], values: list[Any]) -> None:
    page = table(f"Name | {header}", *(f"Thing {at} of it | {cell}" for at, cell in enumerate(cells)))
    found = extract_structured(page, URL, listing(name=TEXT, value=field))
    assert found is not None
    assert [record["value"] for record in found] == values


CARDS = "".join(f"<div class=card><h3>Bed {at}</h3><p class=cost>$7{at}0</p><p>Sleep well</p></div>" for at in range(8))

DOUBTS: dict[str, tuple[str, dict[str, Any]]] = {
    "a few deals beside the real list": (
        table("Name | Price", *LAMPS, after=f"<h2>All products</h2><div class=grid>{CARDS}</div>"),
        NAME_PRICE,
    ),
    "the first of many": (
        table("Name | Price", *LAMPS, after="<p>Showing the first 3 of 200 entries</p>"),
        NAME_PRICE,
    ),
    "a preview": (table("Name | Price", *LAMPS, after="<p>Preview: 3 of 200</p>"), NAME_PRICE),
    "a unit above and another beside": (table("Name | Price (CAD)", "Lamp | €5", "Mug | €3"), NAME_PRICE),
    "two tables of different widths": (
        table("Name | Price", *LAMPS)
        + table("Name | Price | Stock", "Sofa | $500 | 1", "Bed | $700 | 2", "Desk | $9 | 3"),
        NAME_PRICE,
    ),
    "a count of many": (table("Name | Price", *LAMPS, before="<h1>200 products</h1>"), NAME_PRICE),
    "a button for more": (table("Name | Price", *LAMPS, after="<button>Load more</button>"), NAME_PRICE),
    "records as columns": (
        table("Name | Lamp | Mug | Rug", "Price | $5 | $3 | $9", "Weight | 5 kg | 1 kg | 3 kg", "Stock | 5 | 4 | 3"),
        listing(name=TEXT),
    ),
    "thousands of views": (table("Name | Views", "Lamp | 5k", "Mug | 3k"), listing(name=TEXT, views=NUMBER)),
    "millions of people": (
        table("City | Population", "Oslo | 1.1 m", "Rome | 2.8 m"),
        listing(city=TEXT, population=NUMBER),
    ),
    "millions in capitals": (table("Name | Height", "Lamp | 5M", "Mug | 3M"), listing(name=TEXT, height=NUMBER)),
    "a price for a month": (table("Name | Price", "Lamp | $5 / month", "Mug | $3 / month"), NAME_PRICE),
    "ranges": (table("Name | Price", "Lamp | 5–9", "Mug | 3–4"), NAME_PRICE),
    "about a number": (table("Name | Price", "Lamp | ~5", "Mug | 3"), NAME_PRICE),
    "at least a number": (table("Name | Price", "Lamp | 5+", "Mug | 3+"), NAME_PRICE),
    "the maker's address": (
        table(
            "Name | Price | Maker",
            "Lamp | $5 | <a href=/m/1>Ann</a>",
            "Mug | $3 | <a href=/m/2>Bob</a>",
            "Rug | $9 | <a href=/m/3>Cy</a>",
        ),
        listing(name=TEXT, price=NUMBER, url={"type": "string", "format": "uri"}),
    ),
    "two prices": (table("Name | Old price | New price", "Lamp | $7 | $5", "Mug | $4 | $3"), NAME_PRICE),
    "a price and one with tax": (table("Name | Price | Price incl. VAT", "Lamp | 5 | 6", "Mug | 3 | 4"), NAME_PRICE),
    "a price without tax": (table("Name | Price (excl. VAT)", "Lamp | 5", "Mug | 3"), NAME_PRICE),
    "a price for something": (table("Name | Price per unit", "Lamp | 5", "Mug | 3"), NAME_PRICE),
    "a price by weight": (table("Name | Price/kg", "Lamp | 5", "Mug | 3"), NAME_PRICE),
    "two columns of one name": (table("Name | Price | Price", "Lamp | 5 | 6", "Mug | 3 | 4"), NAME_PRICE),
    "thousands above": (table("Name | Price (thousands)", "Lamp | 5", "Mug | 3"), NAME_PRICE),
    "millions in the cells": (table("Name | Price", "Lamp | $5 m", "Mug | $3 m"), NAME_PRICE),
    "two currencies": (table("Name | Price", "Lamp | $5", "Mug | €3"), NAME_PRICE),
    "another currency than asked": (
        table("Name | Price", "Lamp | $5", "Mug | $3"),
        listing(name=TEXT, price=described(NUMBER, "in EUR")),
    ),
    "another unit above than asked": (
        table("Name | Weight (lb)", "Lamp | 5", "Mug | 3"),
        listing(name=TEXT, weight=described(NUMBER, "in kg")),
    ),
    "another unit in the cells than asked": (
        table("Name | Weight", "Lamp | 500 g", "Mug | 300 g"),
        listing(name=TEXT, weight_kg=NUMBER),
    ),
    "no unit where one is asked": (
        table("Name | Weight", "Lamp | 5", "Mug | 3"),
        listing(name=TEXT, weight=described(NUMBER, "Weight in kg")),
    ),
    "mixed units": (table("Name | Weight", "Lamp | 5 kg", "Mug | 300 g"), listing(name=TEXT, weight=NUMBER)),
    "somebody else's name": (
        table("Product | Name | Price", "Lamp | Ann | 5", "Mug | Bob | 3"),
        listing(name=described(TEXT, "the manufacturer's name"), price=NUMBER),
    ),
    "a name of another thing": (
        table("Name | Price", "Ann | 5", "Bob | 3"),
        listing(manufacturer_name=TEXT, price=NUMBER),
    ),
    "a longer header": (
        table("Name | Date updated", "Lamp | 2026-01-02", "Mug | 2026-01-03"),
        listing(name=TEXT, release_date=DATE),
    ),
    "days and months that can't be told apart": (
        table("Name | Date", "Lamp | 03/04/2026", "Mug | 05/06/2026"),
        listing(name=TEXT, date=DATE),
    ),
    "thousands or decimals": (table("Name | Price", "Lamp | 1.299", "Mug | 2.499"), NAME_PRICE),
    "thousands or decimals of euros in an English template": (
        "<html lang=en>" + table("Name | Price", "Lamp | 1.299 €", "Mug | 2.499 €"),
        NAME_PRICE,
    ),
    "gaps where others say yes": (
        table("Name | Active", "Lamp | yes", "Mug | ", "Rug | yes"),
        listing(False, name=TEXT, active={"type": ["boolean", "null"]}),
    ),
    "more than are shown": (table("Name | Price", *LAMPS, after="<p>and 12 others</p>"), NAME_PRICE),
    "a required field without a column": (table("Name | Price", *LAMPS), listing(name=TEXT, price=NUMBER, sku=TEXT)),
    "an optional field that another column may hold": (
        table("Name | Price | Code", "Lamp | 5 | A1", "Mug | 3 | B2"),
        listing(False, name=TEXT, price=NUMBER, sku=TEXT),
    ),
    "an optional text that may stand around": (table("Name | Price", *LAMPS), listing(False, name=TEXT, category=TEXT)),
    "two tables": (
        table("Name | Price", *LAMPS) + table("Name | Price", "Sofa | $500", "Bed | $700", "Desk | $90"),
        NAME_PRICE,
    ),
    "a part of what there is": (table("Name | Price", *LAMPS, after="<p>Showing 3 of 200 products</p>"), NAME_PRICE),
    "a range of what there is": (table("Name | Price", *LAMPS, after="<p>1–3 of 200 results</p>"), NAME_PRICE),
    "a row that says there is more": (
        table("Name | Price", *LAMPS, "<td colspan=2>Show 20 more</td>")
        .replace("<td><td", "<td")
        .replace("</td></td>", "</td>"),
        NAME_PRICE,
    ),
    "a total in a full row": (table("Name | Price", *LAMPS, "Total | $128.70"), NAME_PRICE),
    "a total in another language": (table("Name | Price", *LAMPS, "Yhteensä | $128.70"), NAME_PRICE),
    "a badge beside the name": (table("Name | Price", "<a>Lamp</a> <span>Sale</span> | 5", "Mug | 3"), NAME_PRICE),
    "a struck price": (table("Name | Price", "Lamp | <del>$7</del>", "Mug | $3"), NAME_PRICE),
    "an old and a new price in one cell": (table("Name | Price", "Lamp | <s>$7</s> $5", "Mug | $3"), NAME_PRICE),
    "cents raised": (table("Name | Price", "Lamp | $5<sup>99</sup>", "Mug | $3<sup>50</sup>"), NAME_PRICE),
    "cents in a box of their own": (
        table("Name | Price", "Lamp | $5<span>99</span>", "Mug | $3<span>50</span>"),
        NAME_PRICE,
    ),
    "from a price on": (table("Name | Price", "Lamp | from $5", "Mug | $3"), NAME_PRICE),
    "a footnote": (table("Name | Price", "Lamp<sup>1</sup> | $5", "Mug | $3"), NAME_PRICE),
    "a row that is short": (table("Name | Price | Stock", "Lamp | $5 | 7", "Mug | $3"), NAME_PRICE),
    "an answer in pictures": (
        table("Name | Available", "Lamp | <img src=/a1.png>", "Mug | <img src=/a0.png>"),
        listing(name=TEXT, available={"type": ["boolean", "null"]}),
    ),
    "marks and gaps": (
        table("Name | Vegan", "Tofu | ✓", "Ham | "),
        listing(name=TEXT, vegan={"type": ["boolean", "null"]}),
    ),
    "a row struck out": (
        table("Name | Price", *LAMPS).replace("<tr><td>M", "<tr style='text-decoration:line-through'><td>M"),
        NAME_PRICE,
    ),
    "a row that the page's own style sheet hides": (
        "<style>/* old */ .gone, .x > i { display: none }</style>"
        + table("Name | Price", *LAMPS).replace("<tr><td>M", "<tr class=gone><td>M"),
        NAME_PRICE,
    ),
    "a first row that adds up the others": (
        table("Region | Sales", "All regions | 100", "North | 60", "South | 40"),
        listing(region=TEXT, sales=NUMBER),
    ),
    "a value still to come": (
        table("Name | City", "Otter | Oban", "Linnet | TBA", "Heron | Ely"),
        listing(name=TEXT, city=TEXT),
    ),
    "a question mark for a value": (
        table("Name | City", "Otter | Oban", "Linnet | ?", "Heron | Ely"),
        listing(name=TEXT, city={"type": ["string", "null"]}),
    ),
    "thousands in one letter": (
        table("Name | Quantity (k)", "Lamp | 5", "Mug | 7"),
        listing(name=TEXT, quantity=NUMBER),
    ),
    "millions in one letter": (
        table("Name | Users (m)", "Lamp | 5", "Mug | 7"),
        listing(name=TEXT, users=NUMBER),
    ),
    "a mean that is rounded to a whole": (
        table("Name | Visits", "Oban | 3,320", "Ely | 4,453", "Wick | 4,723", "Hove | 3,087", "Typical | 3,895"),
        listing(name=TEXT, visits=NUMBER),
    ),
    "a header that is empty": (table("Name | ", *LAMPS), NAME_PRICE),
    "a table within a table": (
        f"<table><tr><td>{table('Name | Price', *LAMPS)}</td></tr></table><p>Lamp</p>",
        listing(x=TEXT),
    ),
    "records narrowed down by the schema": (
        table("Name | Price", *LAMPS),
        {**NAME_PRICE, "description": "Only the products under $10"},
    ),
    "a few of the records by what the schema calls them": (
        table("Name | Price", *LAMPS),
        {"type": "object", "properties": {"finalists": NAME_PRICE}},
    ),
    "data beside the list": (
        table("Name | Price", *LAMPS),
        {"type": "object", "properties": {"products": NAME_PRICE, "total": NUMBER}},
    ),
    "two types": (table("Name | Price", *LAMPS), listing(name=TEXT, price={"type": ["number", "string"]})),
    "one object of many rows": (table("Name | Price", *LAMPS), NAME_PRICE["items"]),
    "thousands in a template of another language": (
        "<html lang=en>" + table("Name | Price | Rating", "Lamp | Rp 12.000 | 4.5", "Mug | Rp 15.500 | 3.9"),
        NAME_PRICE,
    ),
    "thousands without a currency": (
        "<html lang=en>" + table("Name | Price", "Lamp | 12.000", "Mug | 15.500"),
        NAME_PRICE,
    ),
    "cents by their sign": (table("Name | Price (¢)", "Lamp | 1200", "Mug | 1550"), NAME_PRICE),
    "a column of hidden prices": (table("Name | Price", *(r.replace("| ", "| <b hidden>") for r in LAMPS)), NAME_PRICE),
}


@pytest.mark.req("RC-4")
def test_a_total_that_does_not_add_up_is_no_record_either() -> None:
    page = table("Name | Price | Stock", "Lamp | $5.50 | 4", "Mug | $3.20 | 6", "Total | $99.00 | ")
    schema = listing(False, name=TEXT, price=NUMBER, stock={"type": ["integer", "null"]})
    assert extract_structured(page, URL, schema) == [
        {"name": "Lamp", "price": 5.5, "stock": 4},
        {"name": "Mug", "price": 3.2, "stock": 6},
    ]


@pytest.mark.req("RC-4")
@pytest.mark.parametrize(
    ("cells", "prices"),
    [
        ("Lamp | 12.000 KWD / Mug | 15.500 KWD", [12.0, 15.5]),
        ("Lamp | 12.500 kg / Mug | 15.250 kg", [12.5, 15.25]),
    ],
)
def test_three_decimals_are_read_where_they_can_be_nothing_else(cells: str, prices: list[float]) -> None:
    field, head = ("weight_kg", "Weight") if "kg" in cells else ("price", "Price")
    page = "<html lang=en>" + table(f"Name | {head}", *cells.split(" / "))
    found = extract_structured(page, URL, listing(name=TEXT, **{field: NUMBER}))
    assert found is not None
    assert [record[field] for record in found] == prices


@pytest.mark.req("RC-4")
@pytest.mark.parametrize("doubt", DOUBTS)
def test_in_doubt_there_is_no_answer(doubt: str) -> None:
    page, schema = DOUBTS[doubt]
    assert extract_structured(page, URL, schema) is None


@pytest.mark.req("RC-4")
@pytest.mark.parametrize(
    ("query", "is_plain"),
    [
        (None, True),
        ("", True),
        ("all products", True),
        ("Extract all products with name and price.", True),
        ("products", True),
        ("Get every product from this page", True),
        ("List the name and price of each product", True),
        ("only red ones", False),
        ("the cheapest three", False),
        ("products in stock", False),
        ("products under $10", False),
        ("red products", False),
        ("all products and their colours", False),
        ("products that cost more than the lamp", False),
        ("products with price below 5", False),
        ("alle Produkte unter 10 Euro", False),
        ("products without a price", False),
        ("products with a price", False),
        ("all products and the colour", False),
    ],
)
def test_a_question_that_asks_for_more_than_everything_is_doubt(query: str | None, is_plain: bool) -> None:
    found = answer_from_structure(table("Name | Price", *LAMPS), URL, NAME_PRICE, query=query)
    assert (found is not None) is is_plain


@pytest.mark.req("RC-4")
def test_rules_for_paper_and_small_screens_hide_no_rows() -> None:
    style = "<style>@media print { .old { display: none } } .menu { display: none } .old { color: red }</style>"
    page = style + table("Name | Price", *LAMPS).replace("<tr><td>M", "<tr class=old><td>M")
    assert extract_structured(page, URL, NAME_PRICE) == LAMP_RECORDS


@pytest.mark.req("RC-4")
@pytest.mark.parametrize("query", ["products with in stock", "products with rating", "in stock", "available products"])
def test_a_field_that_only_some_records_have_may_be_a_filter(query: str) -> None:
    schema = listing(name=TEXT, rating={"type": ["number", "null"]}, in_stock=YES_NO)
    page = table("Name | Rating | In stock", "Lamp | 4.5 | yes", "Mug | – | no")
    assert answer_from_structure(page, URL, schema) is not None
    assert answer_from_structure(page, URL, schema, query=query) is None


@pytest.mark.req("RC-4")
def test_total_rows_spacers_and_repeated_headers_are_no_records() -> None:
    page = (
        "<h1>Products</h1><table><thead><tr><th>Name</th><th>Price</th></tr></thead><tbody>"
        "<tr><td>Lamp</td><td>$5.50</td></tr><tr><td colspan=2>&nbsp;</td></tr><tr><td>Mug</td><td>$3.20</td></tr>"
        "<tr><th>Name</th><th>Price</th></tr><tr><td>Rug</td><td>$120.00</td></tr></tbody>"
        "<tfoot><tr><td>Total</td><td>$128.70</td></tr></tfoot></table>"
    )
    assert extract_structured(page, URL, NAME_PRICE) == LAMP_RECORDS


@pytest.mark.req("RC-4")
def test_spans_are_filled_and_grouped_headers_joined() -> None:
    page = (
        "<h1>Sales</h1><table><thead><tr><th rowspan=2>Region</th><th rowspan=2>City</th><th colspan=2>Sales</th></tr>"
        "<tr><th>2024</th><th>2025</th></tr></thead><tr><td rowspan=2>North</td><td>Oslo</td><td>5</td><td>6</td></tr>"
        "<tr><td>Bergen</td><td>3</td><td>4</td></tr><tr><td>South</td><td>Rome</td><td>8</td><td>9</td></tr></table>"
    )
    found = extract_structured(page, URL, listing(region=TEXT, city=TEXT, sales_2025=NUMBER))
    assert found == [
        {"region": "North", "city": "Oslo", "sales_2025": 6},
        {"region": "North", "city": "Bergen", "sales_2025": 4},
        {"region": "South", "city": "Rome", "sales_2025": 9},
    ]


@pytest.mark.req("RC-4")
def test_an_address_is_the_one_that_the_row_has() -> None:
    schema = listing(name=TEXT, price=NUMBER, url={"type": "string", "format": "uri"})
    rows = [f"<a href='/{name}'>{name}</a> | ${price}" for name, price in (("Lamp", 5), ("Mug", 3))]
    found = extract_structured(table("Name | Price", *rows), URL, schema)
    assert found is not None
    assert [record["url"] for record in found] == ["https://shop.example/Lamp", "https://shop.example/Mug"]
    rows = [row + f" <a href='/buy/{at}'>buy</a>" for at, row in enumerate(rows)]
    assert extract_structured(table("Name | Price", *rows), URL, schema) is None


@pytest.mark.req("RC-4")
def test_a_selector_chooses_among_tables() -> None:
    other = table("Name | Price", "Sofa | $500", "Bed | $70")
    page = f"<div id=a>{table('Name | Price', *LAMPS)}</div><div id=b>{other}</div>"
    found = answer_from_structure(page, URL, NAME_PRICE, css_selector="#b")
    assert found is not None
    assert found.data == [{"name": "Sofa", "price": 500}, {"name": "Bed", "price": 70}]


@pytest.mark.req("RC-4")
@pytest.mark.parametrize(
    "schema", [None, True, {}, {"type": "string"}, {"type": "nonsense"}, {"$ref": "#"}, NAME_PRICE]
)
@pytest.mark.parametrize("html", ["", "<", "<base href='http://[x'><table><tr><th>name", "\x00\ud800<table></table>"])
def test_any_page_and_any_schema_end_without_an_error(html: str, schema: Any) -> None:
    assert extract_structured(html, URL, schema) is None
