"""Tier 0: what it answers, what it leaves alone, and what it says then (RC-4)."""

from typing import Any

import pytest
from gleaner.contracts.models import ExtractionConfig, ExtractionResult
from gleaner.page.model import PageOptions
from gleaner.page.opening import open_page
from gleaner.structured import Declined, Seen, certify, extract_structured, find_answer

from tests.support.schemas import FLAG, NUMBER, TEXT, list_of, object_of, records_of

URL = "https://shop.example/list"


def one(**properties: Any) -> dict[str, Any]:
    return object_of(*properties, **properties)


def table(*rows: str) -> str:
    head, *body = ([cell.strip() for cell in row.split("|")] for row in rows)
    lines = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in body)
    return f"<table><thead><tr>{''.join(f'<th>{cell}</th>' for cell in head)}</tr></thead>{lines}</table>"


def reason(html: str, schema: Any, query: str | None = None) -> str:
    with pytest.raises(Declined) as declined:
        result(html, schema, query)
    return str(declined.value)


def result(html: str, schema: Any, query: str | None = None) -> ExtractionResult:
    page = open_page(html, URL)
    answer = find_answer(page, schema, query=query)
    return certify(answer, Seen(page, page.units), ExtractionConfig(dedupe="none")).told()


LAMPS = table("Name | Price", "Oslo | €5.50", "Bergen | €3.20", "Voss | €12.00")
LAMP = records_of(name=TEXT, price=NUMBER)


@pytest.mark.req("RC-4")
def test_a_field_for_which_the_table_has_no_column_is_named() -> None:
    schema = list_of(object_of(name=TEXT, price=NUMBER, warranty=TEXT))
    found = result(LAMPS, schema)
    assert found.data[0] == {"name": "Oslo", "price": 5.5}
    assert found.completeness.unread == ["warranty"]
    assert found.warnings == ["Not read: warranty (the table has no column of that name)."]


@pytest.mark.req("RC-4")
def test_a_table_of_prices_is_answered_for_decimals_as_pydantic_describes_them() -> None:
    digits = {"type": "string", "pattern": r"^(?!^[-+.]*$)[+-]?0*\d*\.?\d*$"}
    schema = records_of(
        name=TEXT, price={"anyOf": [NUMBER, digits]}, old_price={"anyOf": [NUMBER, digits, {"type": "null"}]}
    )
    html = table("Name | Price | Old price", "Oslo | €5.50 | €7.00", "Bergen | €3.20 | –")
    assert result(html, schema).data == [
        {"name": "Oslo", "price": 5.5, "old_price": 7.0},
        {"name": "Bergen", "price": 3.2, "old_price": None},
    ]


@pytest.mark.req("RC-4")
def test_a_plain_table_of_300_rows_is_answered_whatever_stands_around_it() -> None:
    rows = [
        f"C-{at:04} | Lamp number {at} | Norvik | €{at}.50 | {'In stock' if at % 3 else 'Sold out'} | {1 + at % 4}.5"
        for at in range(1, 301)
    ]
    prose = "<h1>Lamps</h1><p>Our lamps are made by hand, and we ship them for €9 within 3 days.</p>"
    page = prose + table("Code | Name | Brand | Price | Availability | Rating", *rows) + "<p>Ask us for more.</p>"
    schema = records_of(code=TEXT, name=TEXT, brand=TEXT, price=NUMBER, in_stock=FLAG, rating=NUMBER)
    found = result(page, schema)
    assert len(found.data) == 300
    assert found.data[2] == {
        "code": "C-0003",
        "name": "Lamp number 3",
        "brand": "Norvik",
        "price": 3.5,
        "in_stock": False,
        "rating": 4.5,
    }
    assert (found.tier, found.is_partial, found.completeness.returned) == ("structured", False, 300)


@pytest.mark.req("RC-4")
@pytest.mark.parametrize(
    ("header", "name"),
    [
        ("Unit price", "unitPrice"),
        ("Unit Prices", "unit_price"),
        ("UNIT-PRICE", "unitPrice"),
        ("Größe", "groesse"),
        ("Température", "temperature"),
        ("Qty", "quantity"),
        ("Price (€)", "price"),
        ("Price (EUR)", "price_eur"),
        ("Weight (kg)", "weight_kg"),
        ("Date of birth", "birth_date"),
        ("#", "#"),
    ],
)
def test_headers_match_names_after_one_normalisation(header: str, name: str) -> None:
    page = table(f"Name | {header}", "Ann | 5.5", "Bo | 6.25")
    assert extract_structured(page, URL, records_of(name=TEXT, **{name: NUMBER})) == [
        {"name": "Ann", name: 5.5},
        {"name": "Bo", name: 6.25},
    ]


@pytest.mark.req("RC-4")
@pytest.mark.parametrize(
    "field",
    [
        {"title": "Resistance"},
        {"x-aliases": ["Ω", "resistance"]},
        {"description": "Resistance, as measured"},
    ],
)
def test_a_schemas_own_words_name_its_fields(field: dict[str, Any]) -> None:
    page = table("Name | Resistance", "R1 | 5.5", "R2 | 6.25")
    assert extract_structured(page, URL, records_of(name=TEXT, r={**NUMBER, **field})) is not None


@pytest.mark.req("RC-4")
@pytest.mark.parametrize(
    ("header", "cells", "field", "values"),
    [
        ("Weight", ["500 g", "750 g"], {"weight_kg": NUMBER}, [0.5, 0.75]),
        ("Duration", ["1 h 30 min", "45 min"], {"duration": {**NUMBER, "description": "minutes"}}, [90, 45]),
        ("Price", ["1.299,00 €", "15,50 €"], {"price": NUMBER}, [1299, 15.5]),
        ("Share", ["45 %", "63 %"], {"share": {**NUMBER, "maximum": 1}}, [0.45, 0.63]),
        ("Rating", ["4.5/5", "3/5"], {"rating": NUMBER}, [4.5, 3]),
        ("Weight", ["1.5 kg", "800 g"], {"weight_g": NUMBER}, [1500, 800]),
        ("Downloads", ["1.2k", "3.4k"], {"downloads": {"type": "integer"}}, [1200, 3400]),
        ("Rank", ["3rd", "22nd"], {"rank": {"type": "integer"}}, [3, 22]),
        (
            "Read on",
            ["13/04/2026", "03/04/2026"],
            {"read_on": {**TEXT, "format": "date"}},
            ["2026-04-13", "2026-04-03"],
        ),
    ],
)
def test_cells_are_read_as_their_fields_types_and_units(
    header: str, cells: list[str], field: dict[str, Any], values: list[Any]
) -> None:
    page = table(f"Name | {header}", f"Ann | {cells[0]}", f"Bo | {cells[1]}")
    (name,) = field
    found = extract_structured(page, URL, records_of(name=TEXT, **field))
    assert [record[name] for record in found] == values


@pytest.mark.req("RC-4")
@pytest.mark.parametrize(
    ("html", "schema", "said"),
    [
        (LAMPS + table("Name | Price", "Cup | €4.00", "Jug | €9.00"), LAMP, "two tables have these columns"),
        (table("Name | Price | Price", "Cup | €4 | €5", "Jug | €9 | €8"), LAMP, "two columns may be price"),
        (table("Name | Price", "Cup | €4", "Jug | $9"), LAMP, "several currencies"),
        (table("Name | Price", "Cup | €4", "Jug | ask us"), LAMP, "'ask us' is no price"),
        (table("Name | Price", "Cup | 1.2T", "Jug | 3.4T"), LAMP, "'1.2T' is no price"),
        (table("Name | Weight", "Cup | 4 kg", "Jug | 9 g"), records_of(name=TEXT, weight=NUMBER), "different units"),
        (table("Name | Price", "Cup | 1.299", "Jug | 1.305"), LAMP, "may have thousands or decimals"),
        (table("Name | Price (in thousands)", "Cup | 4", "Jug | 9"), LAMP, "in thousands"),
        (table("Name | Price (ex VAT)", "Cup | 4", "Jug | 9"), LAMP, "says more than price"),
        (table("Name | Price", "Cup | 4", "Jug | 9", "Total | 13"), LAMP, "may be a total"),
        (table("Name | Price", "Cup | 4", "Jug | 9", "Both | 13"), LAMP, "may sum up"),
        (table("Name | Weight (lb)", "Cup | 4", "Jug | 9"), records_of(name=TEXT, weight_kg=NUMBER), "not in the unit"),
        ("<p>Nothing to see.</p>", LAMP, "no table, labels or embedded data have the schema's fields"),
        (LAMPS, {"type": "object", "properties": {"red_lamps": LAMP}}, "the schema may ask for a part"),
        (LAMPS, {"type": "array", "items": {"type": "object", "properties": {"a": {"const": 1}}}}, "not read from the"),
    ],
)
def test_what_is_in_doubt_is_left_alone_with_a_reason_in_plain_words(html: str, schema: Any, said: str) -> None:
    assert said in reason(html, schema)


@pytest.mark.req("RC-4")
@pytest.mark.parametrize(
    "query",
    [
        "List all lamps with name and price", "Extract every row of the table", "", "all opinions on the page",
        "every opinion", "alle Urteile auf der Seite", "tous les avis", "все решения",
    ],
)  # fmt: skip
def test_a_question_for_everything_is_answered(query: str) -> None:
    assert len(result(f"<h1>Recent decisions</h1>{LAMPS}", LAMP, query).data) == 3


@pytest.mark.req("RC-4")
@pytest.mark.parametrize(
    "query",
    [
        "only the cheapest", "lamps under $50", "lamps from Oslo", "the first two", "Lampen ab 5 €", "all red lamps",
        "all lamps under $50", "every lamp from Oslo", "opinions",
    ],
)  # fmt: skip
def test_a_question_that_restricts_is_left_to_the_next_tier(query: str) -> None:
    assert "the query may ask for a part" in reason(f"<h1>Recent decisions</h1>{LAMPS}", LAMP, query)


@pytest.mark.req("RC-4", "CM-1")
@pytest.mark.parametrize("said", ["Showing 1–20 of 200 results", "Showing 20 of 200 results", "4 results"])
def test_a_total_that_shows_rows_missing_leaves_the_table_alone(said: str) -> None:
    assert "3 of" in reason(f"<p>{said}</p>{LAMPS}", LAMP)


@pytest.mark.req("RC-6", "CM-1")
@pytest.mark.parametrize(
    ("said", "total"),
    [
        ("1–3 of 200", 200),
        ("Showing 1–3 of 200 results", 200),
        ("Treffer 4-6 von 40", 40),
        ("Résultats 1 à 3 sur 48", 48),
        ("全240件中 1-3件", 240),
        ("1–3 из 30", 30),
        ("3 results", 3),
        ("Page 1 of 20", None),
    ],
)
@pytest.mark.parametrize("page", ["<p>{}</p>{}", "{1}<p>{0}</p>"], ids=["above", "below"])
def test_a_range_over_a_table_describes_the_listing_and_the_table_answers(
    page: str, said: str, total: int | None
) -> None:
    found = result(page.format(said, LAMPS), LAMP)
    assert (len(found.data), found.is_partial) == (3, False)
    assert (found.completeness.expected, found.completeness.listing_total) == (3, total)


@pytest.mark.req("RC-6", "CM-1")
def test_of_a_listing_that_states_many_more_the_rows_of_this_page_are_given_and_called_partial() -> None:
    found = result(f"<p>240 results</p>{LAMPS}", LAMP)
    assert (len(found.data), found.is_partial) == (3, True)
    assert found.warnings == ["3 of 240 records were extracted."]


@pytest.mark.req("RC-4")
def test_the_title_of_a_schema_names_a_class_and_limits_nothing() -> None:
    schema = {**LAMP, "title": "DLamps", "items": {**LAMP["items"], "title": "DLamp"}}
    assert len(result(f"<h1>Shelf</h1>{LAMPS}", schema).data) == 3


@pytest.mark.req("RC-4")
def test_a_blank_cell_of_a_text_that_must_be_one_is_an_empty_text() -> None:
    page = table("Name | Note", "Ann | late", "Bo | ", "Cy | early")
    assert extract_structured(page, URL, records_of(name=TEXT, note=TEXT))[1] == {"name": "Bo", "note": ""}


NODE = (
    '{"@type": "Product", "name": "Oslo lamp", "sku": "4022664223553", "offers": '
    '{"price": "59.90", "priceCurrency": "EUR", "availability": "https://schema.org/InStock"}}'
)
SHOWN = "<title>Oslo lamp</title><h1>Oslo lamp</h1><p>59,90 €</p>"
PRODUCT = {
    **one(name=TEXT, price=NUMBER, in_stock=FLAG),
    "properties": {"name": TEXT, "price": NUMBER, "in_stock": FLAG, "sku": {"type": ["string", "null"]}},
}
ANSWER = {"name": "Oslo lamp", "price": 59.9, "in_stock": True, "sku": "4022664223553"}


def ld(text: str) -> str:
    return f'<script type="application/ld+json">{text}</script>'


@pytest.mark.req("RC-4")
@pytest.mark.parametrize(
    "html",
    [
        ld(NODE) + SHOWN,
        ld(f"<!-- {NODE} -->") + SHOWN,
        ld(f"\ufeff/* shop */ {NODE[:-1]},}}") + SHOWN,
        ld(f'{{"@graph": [{{"@type": "WebSite", "name": "Shop"}}, {NODE}]}}') + SHOWN,
        ld(NODE) + ld(NODE.replace("Oslo lamp", "Voss lamp").replace("59.90", "12.00")) + SHOWN,
        '<div itemscope itemtype="https://schema.org/Product"><title>Oslo lamp</title><h1 itemprop=name>Oslo lamp</h1>'
        "<meta itemprop=sku content=4022664223553><div itemprop=offers itemscope><span itemprop=price content=59.90>"
        "59,90 €</span><link itemprop=availability href='https://schema.org/InStock'></div></div>",
        f'{SHOWN}<script>window.__STATE__ = {{"page": {{"name": "Oslo lamp", "price": 59.9, "inStock": true, '
        '"sku": "4022664223553"}};</script>',
    ],
    ids=["plain", "in a comment", "BOM, comment and comma", "graph", "related product", "microdata", "state"],
)
def test_data_about_the_pages_thing_is_answered(html: str) -> None:
    assert result(html, PRODUCT).data == ANSWER


@pytest.mark.req("RC-4")
@pytest.mark.parametrize(
    ("html", "said"),
    [
        (ld(NODE) + SHOWN.replace("59,90", "49,90"), "which the page does not show"),
        (ld(NODE) + SHOWN.replace("59,90 €", "Sold out. 59,90 €"), "in_stock"),
        (ld(NODE) + SHOWN.replace("59,90 €", "59,90 €  39,90 €"), "two prices side by side"),
        (ld(NODE) + SHOWN.replace("Oslo", "Bergen"), "the page about something else"),
        (ld(NODE) + SHOWN + "<p>Price: 61.00</p>", "the page"),
        (ld(NODE) + "<meta property='product:price:amount' content='45.00'>" + SHOWN, "two values for price"),
    ],
)
def test_data_that_contradicts_the_page_is_left_alone(html: str, said: str) -> None:
    assert said in reason(html, PRODUCT)


@pytest.mark.req("RC-4")
def test_a_time_in_data_is_given_in_the_fields_unit_and_open_graph_counts_where_nothing_else_does() -> None:
    node = '{"@type": "Recipe", "name": "Soup", "totalTime": "PT1H15M", "recipeIngredient": ["3 leeks", "1 l stock"]}'
    shown = "<h1>Soup</h1><p>Total time: 75 minutes</p><ul><li>3 leeks</li><li>1 l stock</li></ul>"
    schema = one(
        title=TEXT,
        ingredients={"type": "array", "items": TEXT},
        total_time={"type": "integer", "description": "minutes"},
    )
    assert extract_structured(ld(node) + shown, URL, schema) == {
        "title": "Soup",
        "ingredients": ["3 leeks", "1 l stock"],
        "total_time": 75,
    }
    meta = '<meta property="og:title" content="Tide tables"><h1>Tide tables</h1>'
    assert extract_structured(meta, URL, one(title=TEXT)) == {"title": "Tide tables"}


@pytest.mark.req("RC-4")
def test_labels_with_values_answer_for_the_one_thing_of_a_page() -> None:
    page = "<h1>Oslo</h1><h2>Specifications</h2><dl><dt>Weight<dd>1.2 kg<dt>Colour<dd>Red</dl>"
    schema = one(weight_kg=NUMBER, color=TEXT)
    assert extract_structured(page, URL, schema) == {"weight_kg": 1.2, "color": "Red"}
    assert "under the heading 'Seller'" in reason(page.replace("Specifications", "Seller"), schema)


@pytest.mark.req("RC-4")
def test_a_field_of_an_inner_object_goes_by_its_path_and_by_its_own_name_where_no_other_has_it() -> None:
    page = table(
        "Club | City | Contact phone | Phone", "Hawes | Leyburn | 555-01 | 555-09", "Reeth | Kirk | 555-02 | 555-08"
    )
    place = {"type": "object", "properties": {"city": TEXT}, "required": ["city"]}
    contact = {"type": "object", "properties": {"phone": TEXT}, "required": ["phone"]}
    found = extract_structured(page, URL, records_of(club=TEXT, address=place, contact=contact, phone=TEXT))
    assert found[1] == {
        "club": "Reeth",
        "address": {"city": "Kirk"},
        "contact": {"phone": "555-02"},
        "phone": "555-08",
    }


@pytest.mark.req("RC-4", "MD-5")
def test_a_selector_narrows_the_data_as_it_does_the_markdown() -> None:
    page = f"<div id=a>{LAMPS}</div><div id=b>{table('Name | Price', 'Cup | 4', 'Jug | 9')}</div>"
    assert len(find_answer(open_page(page, URL, PageOptions(css_selector="#b")), LAMP).records) == 2
