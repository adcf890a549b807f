"""Tier 0 over embedded data: JSON-LD, microdata, RDFa, meta tags, state; and the page that must agree (RC-4)."""

import json
from typing import Any

import pytest
from gleaner.contracts.models import ProvenanceEntry
from gleaner.structured import extract_structured
from gleaner.structured.fields import read_wanted
from gleaner.structured.graphs import read_json
from gleaner.structured.shown import page_agrees

URL = "https://shop.example/p/lamp"
TEXT, NUMBER, WHOLE, YES_NO = {"type": "string"}, {"type": "number"}, {"type": "integer"}, {"type": "boolean"}
PRODUCT: dict[str, Any] = {
    "type": "object",
    "properties": {"name": TEXT, "price": NUMBER, "currency": TEXT, "brand": TEXT, "in_stock": YES_NO, "sku": TEXT},
    "required": ["name", "price"],
}
DATA: dict[str, Any] = {
    "@context": "https://schema.org",
    "@type": "Product",
    "name": "Arctic Lamp",
    "sku": "AL-7",
    "brand": {"@type": "Brand", "name": "Norvik"},
    "offers": {
        "@type": "Offer",
        "price": "19.99",
        "priceCurrency": "EUR",
        "availability": "https://schema.org/InStock",
    },
}
ANSWER = {
    "name": "Arctic Lamp",
    "price": 19.99,
    "currency": "EUR",
    "brand": "Norvik",
    "in_stock": True,
    "sku": "AL-7",
}
BODY = "<h1>Arctic Lamp</h1><p>by Norvik</p><p>€19.99</p><p>In stock</p><p>A lamp for long nights.</p>"


def page(data: Any, body: str = BODY, kind: str = "application/ld+json") -> str:
    text = data if isinstance(data, str) else json.dumps(data)
    return f'<html><head><title>Shop</title><script type="{kind}">{text}</script></head><body>{body}</body></html>'


CRUMBS = {"@type": "BreadcrumbList", "itemListElement": [{"@type": "ListItem", "name": "Home"}, {"@type": "ListItem"}]}
SHOP = {"@type": "Organization", "name": "Arctic Shop", "url": "https://shop.example/"}


@pytest.mark.req("RC-4", "LB-3")
@pytest.mark.parametrize(
    "data",
    [
        DATA,
        [SHOP, DATA],
        {"@context": "https://schema.org", "@graph": [CRUMBS, SHOP, DATA]},
        {**DATA, "@type": ["Product", "Thing"]},
        {**DATA, "brand": "Norvik", "offers": [DATA["offers"]]},
        {"@graph": [{**DATA, "brand": {"@id": "#b"}}, {"@id": "#b", "@type": "Brand", "name": "Norvik"}]},
        f"<!-- {json.dumps(DATA)} -->",
        f"//<![CDATA[\n{json.dumps(DATA)}\n//]]>",
        json.dumps(DATA)[:-1] + ",}",
    ],
)
def test_json_ld_about_the_page_answers_for_one_object(data: Any) -> None:
    assert extract_structured(page(data), URL, PRODUCT) == ANSWER


def changed(**fields: Any) -> dict[str, Any]:
    return {**DATA, **fields}


def offered(**fields: Any) -> dict[str, Any]:
    return {**DATA, "offers": {**DATA["offers"], **fields}}


DOUBTS: dict[str, tuple[str, Any]] = {
    "another product": (page(changed(name="Desk Lamp")), PRODUCT),
    "a stale price": (page(offered(price="24.99")), PRODUCT),
    "a stale price that another product has": (
        page(offered(price="24.99"), BODY + "<h2>Related products</h2><p>Desk Lamp €24.99</p>"),
        PRODUCT,
    ),
    "an old price first": (page(DATA, BODY.replace("€19.99", "<del>€29.99</del> €19.99")), PRODUCT),
    "a price that is one of many instalments": (
        page(DATA, BODY.replace("€19.99", "€19.99/month for 24 months")),
        PRODUCT,
    ),
    "stock that the page denies": (page(DATA, BODY.replace("In stock", "Sold out")), PRODUCT),
    "no stock where the page says there is": (page(offered(availability="https://schema.org/OutOfStock")), PRODUCT),
    "a brand that the page does not name": (page(changed(brand="Helix")), PRODUCT),
    "two products": (page([DATA, changed(sku="AL-8")]), PRODUCT),
    "two prices": (page(changed(offers=[DATA["offers"], {**DATA["offers"], "price": "25"}])), PRODUCT),
    "a field that is missing": (page(changed(sku=None)), PRODUCT),
    "another currency than asked": (
        page(DATA),
        {"type": "object", "properties": {"name": TEXT, "price": {**NUMBER, "description": "in USD"}}},
    ),
    "a person's name where the maker's is asked": (
        page(DATA),
        {"type": "object", "properties": {"name": {**TEXT, "description": "manufacturer's name"}, "price": NUMBER}},
    ),
    "another type than asked": (page(changed(**{"@type": "Event"})), {**PRODUCT, "title": "Product"}),
    "broken JSON": (page(json.dumps(DATA)[:-9]), PRODUCT),
    "a list where one product is shown": (page(DATA), {"type": "array", "items": PRODUCT}),
}


@pytest.mark.req("RC-4")
@pytest.mark.parametrize("doubt", DOUBTS)
def test_embedded_data_that_the_page_does_not_bear_out_is_no_answer(doubt: str) -> None:
    html, schema = DOUBTS[doubt]
    assert extract_structured(html, URL, schema) is None


@pytest.mark.req("RC-4")
@pytest.mark.parametrize(
    ("shown", "is_answered"),
    [
        ("Rated 4.5 out of 5, 12 reviews", True),
        ("Rated 4.7 out of 5, 12 reviews", False),
        ("4.5 / 5 · 12 days", False),
    ],
)
def test_a_rating_must_stand_beside_its_name(shown: str, is_answered: bool) -> None:
    schema = {"type": "object", "properties": {"name": TEXT, "rating": NUMBER, "review_count": WHOLE}}
    data = changed(aggregateRating={"@type": "AggregateRating", "ratingValue": "4.5", "reviewCount": 12})
    found = extract_structured(page(data, BODY + f"<p>{shown}</p>"), URL, schema)
    assert (found == {"name": "Arctic Lamp", "rating": 4.5, "review_count": 12}) is is_answered
    assert is_answered or found is None


@pytest.mark.req("RC-4")
def test_the_stars_of_a_scale_are_its_rating_s_though_another_number_follows() -> None:
    schema = {"type": "object", "properties": {"name": TEXT, "rating": NUMBER}}
    data = changed(aggregateRating={"@type": "AggregateRating", "ratingValue": "4.5", "reviewCount": 12})
    found = extract_structured(page(data, BODY + "<p>4.5 out of 5 stars (12 reviews)</p>"), URL, schema)
    assert found == {"name": "Arctic Lamp", "rating": 4.5}


@pytest.mark.req("RC-4")
def test_an_article_answers_with_author_and_date() -> None:
    data = {
        "@type": "NewsArticle",
        "headline": "Rain in Oslo",
        "author": [{"@type": "Person", "name": "Maria Rao"}],
        "datePublished": "2026-03-12T09:30:00+01:00",
        "publisher": SHOP,
    }
    schema = {
        "type": "object",
        "properties": {"title": TEXT, "author": TEXT, "published": {"type": "string", "format": "date"}},
    }
    body = "<h1>Rain in Oslo</h1><p>By Maria Rao, 12 March 2026</p><p>It rained. It will rain again.</p>"
    truth = {"title": "Rain in Oslo", "author": "Maria Rao", "published": "2026-03-12"}
    assert extract_structured(page(data, body), URL, schema) == truth
    assert extract_structured(page(data, body.replace("12 March", "14 March")), URL, schema) is None
    assert extract_structured(page({**data, "author": ["Maria Rao", "Bo Li"]}, body), URL, schema) is None


ARTICLE: dict[str, Any] = {
    "type": "object",
    "properties": {"title": TEXT, "author": TEXT, "published": {"type": "string", "format": "date"}},
}
SENTENCES = (
    "<p>" + "It rained on the town and on the hills around it, and it will rain again on 14 March 2026. " * 3 + "</p>"
)


def article(top: str, heading: str = "Rain in Oslo", end: str = "") -> str:
    data = {"@type": "NewsArticle", "headline": "Rain in Oslo", "author": "Maria Rao", "datePublished": "2026-03-12"}
    return page(data, f"<h1>{heading}</h1>{top}{SENTENCES}{end}")


@pytest.mark.req("RC-4")
@pytest.mark.parametrize(
    ("top", "is_answered"),
    [
        ("<p>By: Maria Rao</p><p>News 12 March 2026, 09:30</p>", True),
        ("<p>By: Maria Rao</p><p>News 12 March 2026</p><p>See also: Snow, 3 March 2026</p>", False),
        ("<p>By: Maria Rao</p><p>Updated 12 March 2026</p>", False),
        ("<p>By: Maria Rao</p><p>By Bo Li</p><p>12 March 2026</p>", False),
    ],
)
def test_the_day_and_the_person_above_an_article_are_its_own(top: str, is_answered: bool) -> None:
    truth = {"title": "Rain in Oslo", "author": "Maria Rao", "published": "2026-03-12"}
    end = "<h2>Read on</h2><p>9 March 2026</p>"
    assert extract_structured(article(top, end=end), URL, ARTICLE) == (truth if is_answered else None)
    assert extract_structured(article(top, "Rain in\xa0Oslo", end), URL, ARTICLE) == (truth if is_answered else None)


@pytest.mark.req("RC-4")
@pytest.mark.parametrize(
    ("said", "name"),
    [("By: Ann Lo", "Ann Lo"), ("by Ann Lo", "Ann Lo"), ("Von: Ann Lo", "Ann Lo"), ("Di Maio", "Di Maio")],
)
def test_a_person_is_read_without_the_word_that_leads_to_the_name(said: str, name: str) -> None:
    item = "<div itemscope itemtype='https://schema.org/Article'><h1 itemprop=headline>Rain</h1>"
    item += f"<p itemprop=author>{said}</p>"
    schema = {"type": "object", "properties": {"title": TEXT, "author": TEXT}, "required": ["title", "author"]}
    assert extract_structured(f"<body>{item}<p>It rained again.</p></div>", URL, schema) == {
        "title": "Rain",
        "author": name,
    }


@pytest.mark.req("RC-4")
def test_a_heading_alone_is_no_product() -> None:
    body = "<meta property='og:title' content='My account'><body><h1>My account</h1><p>Please sign in.</p>"
    nullable = {"type": "object", "properties": {"name": TEXT, "price": {"type": ["number", "null"]}}}
    assert extract_structured(body, URL, nullable) is None
    assert extract_structured(page(changed(offers=None), "<h1>Arctic Lamp</h1><p>For long nights.</p>"), URL, nullable)


@pytest.mark.req("RC-4", "SS-2")
@pytest.mark.parametrize(
    "sheet", [".a b c " * 60_000, "@media x " * 40_000, "/* x " * 60_000, "{" * 300_000, ".a{b}" * 60_000]
)
def test_a_large_style_sheet_takes_no_longer_than_it_is(sheet: str) -> None:
    assert extract_structured(f"<style>{sheet}</style><p>text</p>", URL, PRODUCT) is None


ITEMS = [("Lamp", "5.50", "/lamp"), ("Mug", "3.20", "/mug"), ("Rug", "120.00", "/rug"), ("Desk", "85.00", "/desk")]
LISTING = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {"name": TEXT, "price": NUMBER, "url": {"type": "string", "format": "uri"}},
        "required": ["name", "price", "url"],
    },
}
RECORDS = [{"name": n, "price": float(p), "url": f"https://shop.example{u}"} for n, p, u in ITEMS]


def cards(items: list[tuple[str, str, str]]) -> str:
    each = "".join(
        f"<div class=card><a href='{u}'><h3>{n}</h3></a><p class=price>${p}</p><p>A fine thing</p></div>"
        for n, p, u in items
    )
    return f"<h1>Products</h1><div class=grid>{each}</div>"


def nodes(items: list[tuple[str, str, str]]) -> list[dict[str, Any]]:
    return [
        {"@type": "Product", "name": n, "url": u, "offers": {"@type": "Offer", "price": p, "priceCurrency": "USD"}}
        for n, p, u in items
    ]


def item_list(items: list[tuple[str, str, str]]) -> dict[str, Any]:
    listed = [{"@type": "ListItem", "position": at, "item": node} for at, node in enumerate(nodes(items))]
    return {"@type": "ItemList", "itemListElement": listed}


@pytest.mark.req("RC-4")
@pytest.mark.parametrize("data", [item_list(ITEMS), nodes(ITEMS), {"@graph": [SHOP, CRUMBS, *nodes(ITEMS)]}])
def test_json_ld_of_all_the_cards_answers_for_the_list(data: Any) -> None:
    assert extract_structured(page(data, cards(ITEMS)), URL, LISTING) == RECORDS


STALE = [("Lamp", "6.50", "/lamp"), *ITEMS[1:]]


@pytest.mark.req("RC-4")
@pytest.mark.parametrize(
    "data",
    [
        item_list(ITEMS[:3]),
        item_list([*ITEMS, ("Bed", "700", "/bed")]),
        item_list(STALE),
        item_list([(n, p, u) for (n, _, u), (_, p, _) in zip(ITEMS, [*ITEMS[1:], ITEMS[0]], strict=True)]),
        [item_list(ITEMS), item_list([("Sofa", "1", "/a"), ("Bed", "2", "/b")])["itemListElement"][0]["item"]],
        {"@type": "BreadcrumbList", "itemListElement": item_list(ITEMS)["itemListElement"]},
    ],
    ids=["fewer", "more", "stale", "shifted", "more beside", "breadcrumbs"],
)
def test_a_list_that_is_not_the_one_shown_is_no_answer(data: Any) -> None:
    found = extract_structured(page(data, cards(ITEMS)), URL, LISTING)
    assert found in (None, RECORDS) if isinstance(data, list) else found is None


@pytest.mark.req("RC-4")
def test_state_of_the_pages_own_code_answers_by_its_exact_names() -> None:
    state = {"props": {"page": {"products": [{"id": 1, "name": n, "price": float(p), "url": u} for n, p, u in ITEMS]}}}
    html = page(state, cards(ITEMS), "application/json")
    assert extract_structured(html, URL, LISTING) == RECORDS
    script = f"<script>window.__INITIAL_STATE__ = {json.dumps(state)}; run();</script>"
    assert extract_structured(cards(ITEMS) + script, URL, LISTING) == RECORDS
    in_cents = json.dumps(state).replace("5.5,", "550,")
    assert extract_structured(page(in_cents, cards(ITEMS), "application/json"), URL, LISTING) is None
    hidden_more = {"all": [*state["props"]["page"]["products"], {"name": "Bed", "price": 7, "url": "/bed"}]}
    assert extract_structured(page(hidden_more, cards(ITEMS), "application/json"), URL, LISTING) is None


@pytest.mark.req("RC-4")
@pytest.mark.parametrize("kind", ["microdata", "rdfa"])
def test_microdata_and_rdfa_of_all_the_items_answer(kind: str) -> None:
    scope, prop = ("itemscope itemtype=https://schema.org/", "itemprop")
    if kind == "rdfa":
        scope, prop = ("vocab=https://schema.org/ typeof=", "property")
    marked = "".join(
        f"<li {scope}Product><a {prop}=url href='{u}'><b {prop}=name>{n}</b></a> "
        f"<span {prop}=offers {scope}Offer><span {prop}=price content={p}>${p}</span></span></li>"
        for n, p, u in ITEMS
    )
    html = f"<h1>Products</h1><ul>{marked}</ul>"
    assert extract_structured(html, URL, LISTING) == RECORDS
    assert extract_structured(html.replace("content=3.20", "content=3.99"), URL, LISTING) is None


@pytest.mark.req("RC-4")
def test_meta_tags_answer_for_the_page_that_bears_their_title() -> None:
    head = (
        "<meta property='og:title' content='Arctic Lamp'><meta property='og:image' content='https://shop.example/lamp.jpg'>"
        "<meta property='og:description' content='A lamp for long nights.'>"
    )
    schema = {
        "type": "object",
        "properties": {"title": TEXT, "description": TEXT, "image": {"type": "string", "format": "uri"}},
    }
    found = extract_structured(f"<head>{head}</head>{BODY}", URL, schema)
    assert found == {
        "title": "Arctic Lamp",
        "description": "A lamp for long nights.",
        "image": "https://shop.example/lamp.jpg",
    }
    assert extract_structured(f"<head>{head.replace('Arctic', 'Desk')}</head>{BODY}", URL, schema) is None


@pytest.mark.req("RC-4")
@pytest.mark.parametrize(
    "specs",
    [
        "<dl><dt>Weight</dt><dd>1.2 kg</dd><dt>Colour</dt><dd>Graphite</dd></dl>",
        "<table><tr><th>Weight</th><td>1.2 kg</td></tr><tr><th>Colour:</th><td>Graphite</td></tr></table>",
        "<table><tr><td>Weight (kg)</td><td>1.2</td></tr><tr><td>Colour</td><td>Graphite</td></tr></table>",
        "<ul><li><b>Weight:</b> 1.2 kg</li><li><b>Colour:</b> Graphite</li></ul>",
    ],
)
def test_labels_with_values_answer_for_one_object(specs: str) -> None:
    schema = {"type": "object", "properties": {"weight": {**NUMBER, "description": "in kg"}, "colour": TEXT}}
    html = f"<h1>Arctic Lamp</h1><p>Text</p>{specs}<p>More text</p>"
    assert extract_structured(html, URL, schema) == {"weight": 1.2, "colour": "Graphite"}
    assert extract_structured(html.replace("kg", "lb"), URL, schema) is None
    assert extract_structured(html + "<dl><dt>Colour</dt><dd>Red</dd></dl>", URL, schema) is None
    assert extract_structured(html.replace("Weight", "Shipping weight"), URL, schema) is None


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ('{"a": "x, ]"}', {"a": "x, ]"}),
        ('{"a": [1,2,],}', {"a": [1, 2]}),
        ("<!--{}-->", {}),
        ("{&quot;a&quot;: 1}", {"a": 1}),
        ('{"a": 1};', {"a": 1}),
        ('{"a": "line\nbreak"}', {"a": "line\nbreak"}),
        ("", None),
        ("[" * 200_000, None),
        ("{'a': 1}", None),
    ],
)
def test_json_is_read_as_pages_have_it(text: str, data: Any) -> None:
    assert read_json(text) == data


HOSTILE = {
    "items that refer in circles": "<div itemscope id=a itemref='b c'><b itemprop=x itemscope id=b itemref='c b'></b>"
    "<b itemprop=x itemscope id=c itemref='b c'></b></div>",
    "objects in objects": "<div typeof=A>" + "<div property=a typeof=A>" * 3_000,
    "lists in lists": page('{"name":' + "[" * 900 + "1" + "]" * 900 + "}"),
    "spaces after a comment's end": page("--> " + " " * 300_000 + "x"),
    "many broken states": "<script>" + "window.a={" * 20_000 + "</script>",
    "many arrays": page("[" + '[{"name":"a"},{"name":"b"}],' * 5_000 + "[]]", kind="application/json"),
    "digits": "<h1>1</h1><p>" + "1" * 300_000 + "</p>" + page(DATA),
    "a table of one long cell": f"<table><tr><th>name<th>price<tr><td>a<td>{'1 ' * 50_000}x</table>",
    "spans without end": "<table><tr><th>name<th>price"
    + "<tr><td rowspan=99999 colspan=99999>a<td>1" * 200
    + "</table>",
    "references to themselves": page({"@graph": [{"@id": "#a", "name": {"@id": "#a"}}]}),
}


@pytest.mark.req("RC-4")
@pytest.mark.parametrize("attack", HOSTILE)
@pytest.mark.timeout(30)
def test_hostile_pages_end_soon_and_without_an_error(attack: str) -> None:
    extract_structured(HOSTILE[attack], URL, PRODUCT)
    extract_structured(HOSTILE[attack], URL, LISTING)


@pytest.mark.req("RC-4")
def test_a_list_of_related_things_is_not_the_pages_list() -> None:
    related = [("Sofa", "500", "/sofa"), ("Bed", "700", "/bed"), ("Chair", "80", "/chair")]
    html = cards(ITEMS) + cards(related).replace("<h1>Products</h1>", "<h2>You may also like</h2>")
    assert extract_structured(page(item_list(related), html), URL, LISTING) is None


@pytest.mark.req("RC-4", "PR-1")
@pytest.mark.parametrize("start", [11, 39])
def test_a_value_counts_only_in_its_own_records_unit(start: int) -> None:
    page = "Olga likes 26\n\nLin likes 5\n\nOlga likes 26"
    wanted = read_wanted({"type": "array", "items": {"type": "object", "properties": {"likes": {"type": "integer"}}}})
    assert wanted is not None
    entry = ProvenanceEntry(pointer="/0/likes", status="verbatim", start=start, end=start + 2)
    is_own = start < 14
    assert page_agrees(wanted, [{"likes": 26}, {"likes": 5}], [(0, 13), (15, 26)], page, [entry]) is is_own


@pytest.mark.req("RC-4")
@pytest.mark.parametrize(("before", "is_answered"), [("Call 555 or write to ", True), ("Webmaster: ", False)])
def test_a_pages_only_address_may_be_written_to_but_be_of_no_other_role(before: str, is_answered: bool) -> None:
    data = json.dumps({"@type": "Person", "name": "Ann Lo", "email": "ann@x.example"})
    html = (
        f"<title>Ann Lo</title><h1>Ann Lo</h1><p>{before}ann@x.example</p>"
        f"<script type='application/ld+json'>{data}</script>"
    )
    found = extract_structured(html, URL, {"type": "object", "properties": {"name": TEXT, "email": TEXT}})
    assert found == ({"name": "Ann Lo", "email": "ann@x.example"} if is_answered else None)
