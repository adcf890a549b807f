"""Fields that tier 0 or a recipe did not read: asked for alone, remembered as not stated, or told (RC-6)."""

import json
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from gleaner import Gleaner
from gleaner.contracts.models import ExtractionResult
from gleaner.testing import FunctionModel

from tests.support.schemas import MAYBE_NUMBER, MAYBE_TEXT, TEXT, list_of, object_of

Make = Callable[..., Gleaner]
URL = "https://shop.example/lamps/1"
ASKED = re.compile(r"JSON Schema of the data:\n(.*)")


def ld(**node: Any) -> str:
    text = json.dumps({"@context": "https://schema.org", **node}, ensure_ascii=False)
    return f'<script type="application/ld+json">{text}</script>'


def table(*rows: str) -> str:
    lines = "".join("<tr>" + "".join(f"<td>{cell.strip()}</td>" for cell in row.split("|")) + "</tr>" for row in rows)
    return f"<table>{lines}</table>"


class Reader:
    """A model that knows what a page says, and gives of it what the schema asks for; ``asked`` are the fields."""

    def __init__(self, truth: Any) -> None:
        self.truth = truth
        self.asked: list[list[str]] = []

    def __call__(self, prompt: str) -> str:
        found = ASKED.search(prompt)
        assert found is not None
        schema = json.loads(found[1])
        self.asked.append([*schema.get("items", schema)["properties"]])
        return json.dumps(self._cut(self.truth, schema), ensure_ascii=False)

    def _cut(self, value: Any, schema: dict[str, Any]) -> Any:
        if isinstance(value, list):
            return [self._cut(one, schema.get("items", {})) for one in value]
        if isinstance(value, dict):
            known = schema.get("properties", {})
            return {name: self._cut(inner, known[name]) for name, inner in value.items() if name in known}
        return value


def extraction(gleaner: Gleaner, html: str, schema: Any, url: str = URL, **fields: Any) -> ExtractionResult:
    found = gleaner.extract_html(f"<html><body>{html}</body></html>", url, output_schema=schema, **fields).extraction
    assert found is not None
    return found


WOODS = [("Esche", 5.5), ("Ulme", 6.5), ("Tanne", 7.5)]
ITEMS = [{"@type": "ListItem", "position": at, "item": {"@type": "Product", "name": name}}
         for at, (name, _) in enumerate(WOODS)]  # fmt: skip
CARDS = "".join(f"<li><a href=/{name}>{name}</a><span>{price:.2f} €</span></li>" for name, price in WOODS)

PAGES = [
    pytest.param(
        ld(**{"@type": "Product", "name": "Lärchenlampe", "sku": "L-12"})
        + "<h1>Lärchenlampe</h1><p>Jetzt nur 15,00 €.</p>",
        object_of(name=MAYBE_TEXT, preis=MAYBE_NUMBER),
        {"name": "Lärchenlampe", "preis": 15},
        ["preis"],
        id="JSON-LD, the price in the text",
    ),
    pytest.param(
        "<div itemscope itemtype='https://schema.org/Product'><h1 itemprop=name>Silla</h1><p>Hecha de roble.</p></div>",
        object_of(name=TEXT, material=MAYBE_TEXT),
        {"name": "Silla", "material": "roble"},
        ["material"],
        id="microdata",
    ),
    pytest.param(
        "<script id=__NEXT_DATA__ type='application/json'>"
        '{"props": {"product": {"name": "Oak chair", "price": 40}}}</script>'
        "<h1>Oak chair</h1><p>£40.00</p><p>It is 45 cm high.</p>",
        object_of(name=TEXT, price=MAYBE_NUMBER, height=MAYBE_TEXT),
        {"name": "Oak chair", "price": 40, "height": "45 cm"},
        ["height"],
        id="state of a script",
    ),
    pytest.param(
        ld(**{"@type": "ItemList", "itemListElement": ITEMS}) + f"<h1>Lampen</h1><ul>{CARDS}</ul>",
        list_of(object_of(name=TEXT, preis=MAYBE_NUMBER)),
        [{"name": name, "preis": price} for name, price in WOODS],
        ["preis"],
        id="JSON-LD list, prices on the cards",
    ),
    pytest.param(
        table("# | Name | Points", "1. | Köln | 50", "2. | Ulm | 40", "3. | Bonn | 30"),
        list_of(object_of(rank=MAYBE_NUMBER, name=TEXT, points=MAYBE_NUMBER)),
        [{"rank": at, "name": n, "points": p}
         for at, (n, p) in enumerate((("Köln", 50), ("Ulm", 40), ("Bonn", 30)), 1)],
        ["rank"],
        id="table, a column under another head",
    ),
    pytest.param(
        ld(**{"@type": "Product", "name": "Oak chair"}) + "<h1>Oak chair</h1><p>Of oak.</p>",
        object_of(product=object_of(name=TEXT, material=MAYBE_TEXT)),
        {"product": {"name": "Oak chair", "material": "oak"}},
        ["product"],
        id="an object within an object",
    ),
    pytest.param(
        ld(**{"@type": "Product", "name": "Oak chair", "offers": {"price": "40", "priceCurrency": "GBP"}})
        + "<h1>Oak chair</h1><p>£40 a piece</p>",
        object_of(name=TEXT, offer=object_of(price=MAYBE_NUMBER, unit=MAYBE_TEXT)),
        {"name": "Oak chair", "offer": {"price": 40, "unit": "piece"}},
        ["offer"],
        id="a field of an inner object",
    ),
    pytest.param(
        ld(**{"@type": "Product", "name": "Oak chair"}) + "<h1>Oak chair</h1><ul><li>red</li><li>blue</li></ul>",
        {"name": "string", "colours": ["string"]},
        {"name": "Oak chair", "colours": ["red", "blue"]},
        ["colours"],
        id="a list of texts, by example",
    ),
]  # fmt: skip


@pytest.mark.req("RC-6")
@pytest.mark.parametrize(("html", "schema", "truth", "unread"), PAGES)
def test_what_tier_0_did_not_read_is_asked_for_alone(
    make: Make, html: str, schema: Any, truth: Any, unread: list[str]
) -> None:
    model = Reader(truth)
    found = extraction(make(FunctionModel(model)), html, schema)
    assert (found.data, found.is_partial) == (truth, False)
    assert [{*asked} >= {*unread} for asked in model.asked] == [True]
    assert len(model.asked[0]) <= len(unread) + 1  # and a field that tells the records apart
    assert found.completeness.unread == []
    assert "structured" in found.field_tiers.values()


@pytest.mark.req("RC-6")
@pytest.mark.parametrize(("html", "schema", "truth", "unread"), PAGES)
def test_without_a_model_what_was_not_read_is_told(
    make: Make, html: str, schema: Any, truth: Any, unread: list[str]
) -> None:
    found = extraction(make(), html, schema)
    assert found.tier == "structured"
    assert [name.partition(".")[0] for name in found.completeness.unread] == unread
    assert any(warning.startswith("Not read: ") for warning in found.warnings)


CHAIR = ld(**{"@type": "Product", "name": "Oak chair"}) + "<h1>Oak chair</h1>"


@pytest.mark.req("RC-6")
@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("<p>Ships soon. Guarantee: about two years.</p>", "guarantee"),
        ("<dl><dt>Pages</dt><dd>some 212</dd><dt>Pages</dt><dd>240 with notes</dd></dl>", "page_count"),
        ("<p><b>Farben</b></p><ul><li>rot</li><li>blau</li></ul>", "farben"),
        ("<p>Reading time 4 min</p><p>Reading time 5 min</p>", "reading_time"),
        ("<p>発行日：昨日</p>", "発行日"),
        ("<table><tr><td>x</td><th>Largeur</th><td>grande</td></tr></table>", "largeur"),
    ],
)
def test_without_a_model_a_label_on_the_page_makes_it_partial(make: Make, text: str, field: str) -> None:
    schema = object_of(name=TEXT, **{field: {"type": "array", "items": TEXT}})
    found = extraction(make(), CHAIR + text, schema)
    assert (found.data, found.is_partial, found.completeness.unread) == ({"name": "Oak chair"}, True, [field])
    assert [error.error_type for error in found.errors] == ["no_model"]
    whole = extraction(make(), f"{CHAIR}<p>Nothing about it.</p>", schema)
    assert (whole.data, whole.is_partial, whole.completeness.unread) == ({"name": "Oak chair"}, False, [field])


@pytest.mark.req("RC-6")
def test_an_optional_field_of_data_that_the_page_does_not_show_is_asked_for_and_the_rest_is_served(make: Make) -> None:
    data = ld(**{"@type": "Product", "name": "Oak chair", "material": "Elm"}) + "<h1>Oak chair</h1><p>Made of oak.</p>"
    found = extraction(make(), data, object_of(name=TEXT, material=TEXT))
    assert (found.data, found.is_partial, found.completeness.unread) == ({"name": "Oak chair"}, True, ["material"])
    required = {**object_of(name=TEXT, material=TEXT), "required": ["name", "material"]}
    assert extraction(make(), data, required).data is None


@pytest.mark.req("RC-6")
def test_without_a_model_a_required_field_that_was_not_read_is_partial(make: Make) -> None:
    found = extraction(make(), CHAIR, {**object_of(name=TEXT, price={"type": "number"}), "required": ["name", "price"]})
    assert found.is_partial


@pytest.mark.req("RC-6")
def test_the_label_of_another_field_is_none_of_this_one(make: Make) -> None:
    data = ld(**{"@type": "Product", "name": "Oak chair", "offers": {"price": "40", "priceCurrency": "GBP"}})
    page = f"{data}<h1>Oak chair</h1><p>Price: £40</p>"
    found = extraction(make(), page, object_of(name=TEXT, price=MAYBE_NUMBER, price_per_metre=MAYBE_NUMBER))
    assert (found.data, found.is_partial) == ({"name": "Oak chair", "price": 40, "price_per_metre": None}, False)


def product(at: int, *, has_data: bool, gtin: str = "") -> str:
    name = f"Lamp {chr(65 + at % 26)}{at}"
    data = {"@type": "Product", "name": name, "offers": {"price": f"{10 + at}.50", "priceCurrency": "GBP"}}
    said = f"<p>GTIN: <i>{gtin}</i></p>" if gtin else ""
    return f"{ld(**data) if has_data else ''}<h1>{name}</h1><p class=price>£{10 + at}.50</p><p>Oiled {at}.</p>{said}"


LAMP = {**object_of(name=TEXT, price={"type": "number"}, gtin=MAYBE_TEXT), "required": ["name", "price"]}


def reads_products(prompt: str) -> str:
    found, name, gtin = (
        ASKED.search(prompt),
        re.search(r"# (Lamp \w(\d+))", prompt),
        re.search(r"GTIN: \W*(\d+)", prompt),
    )
    assert found is not None and name is not None
    said = {"name": name[1], "price": 10.5 + int(name[2]), "gtin": gtin and gtin[1]}
    return json.dumps({field: said[field] for field in json.loads(found[1])["properties"]})


@pytest.mark.req("RC-6")
@pytest.mark.parametrize("has_data", [True, False], ids=["with data", "by a recipe"])
@pytest.mark.parametrize("url", ["https://shop.example/lamps/{}", "https://shop.example/lamp-{}-of-oak"])
def test_a_fact_that_a_layout_never_states_costs_two_calls_and_a_label_one_more(
    make: Make, has_data: bool, url: str
) -> None:
    calls: list[str] = []
    gleaner = make(FunctionModel(lambda prompt: calls.append(prompt) or reads_products(prompt)))
    found = [extraction(gleaner, product(at, has_data=has_data), LAMP, url.format(at)) for at in range(12)]
    assert len(calls) <= 3
    assert all(not each.is_partial and each.data["gtin"] is None for each in found)
    assert all(each.completeness.unread == ([] if each.usage.calls else ["gtin"]) for each in found)
    stated = extraction(gleaner, product(12, has_data=has_data, gtin="4006381333931"), LAMP, url.format(12))
    assert stated.data["gtin"] == "4006381333931"
    spent = len(calls)
    after = extraction(gleaner, product(13, has_data=has_data), LAMP, url.format(13))
    assert (len(calls), after.data["gtin"]) == (spent, None)


@pytest.mark.req("RC-6")
def test_pages_of_a_layout_that_are_read_at_once_cost_no_more(make: Make) -> None:
    calls: list[str] = []
    gleaner = make(FunctionModel(lambda prompt: calls.append(prompt) or reads_products(prompt)))
    pages = [(product(at, has_data=True), f"https://shop.example/lamps/{at}") for at in range(10)]
    with ThreadPoolExecutor(5) as pool:
        found = [*pool.map(lambda page: extraction(gleaner, page[0], LAMP, page[1]), pages)]
    assert len(calls) <= 3
    assert all(not one.is_partial for one in found)


@pytest.mark.req("RC-6")
@pytest.mark.parametrize("tiers", [["structured", "model"], ["structured", "recipe", "model"]])
def test_two_pages_without_a_value_are_enough_and_one_with_a_label_changes_nothing(
    make: Make, tiers: list[str]
) -> None:
    calls: list[str] = []
    gleaner = make(FunctionModel(lambda prompt: calls.append(prompt) or reads_products(prompt)))

    def read(at: int, gtin: str = "") -> ExtractionResult:
        news = "".join(f"<section class=n{at}{word}><p>{word} {at}: {at}</p></section>" for word in ("Age", "Rings"))
        page = product(at, has_data=True, gtin=gtin) + news
        return extraction(gleaner, page, LAMP, f"{URL}/{at}", config={"tiers": tiers})

    assert [read(at).data["gtin"] for at in range(4)] == [None] * 4
    assert len(calls) <= 2
    assert read(4, "4006381333931").data["gtin"] == "4006381333931"
    assert [read(at).data["gtin"] for at in range(5, 9)] == [None] * 4
    assert len(calls) <= 3


@pytest.mark.req("RC-6")
def test_a_field_that_a_page_states_without_a_label_is_asked_for_on_each_page(make: Make) -> None:
    said = {"name": "Oak chair", "wood": "oak"}
    model = FunctionModel(lambda prompt: json.dumps(said if "Of oak" in prompt else {**said, "wood": None}))
    gleaner, schema = make(model), object_of(name=TEXT, wood=MAYBE_TEXT)
    pages = ["<p>Of oak.</p>", "<p>Soft.</p>", "<p>Hard.</p>", "<p>Of oak, too.</p>"]
    found = [
        extraction(gleaner, CHAIR + text, schema, f"{URL}/{at}", config={"tiers": ["structured", "model"]})
        for at, text in enumerate(pages)
    ]
    assert [each.data["wood"] for each in found] == ["oak", None, None, "oak"]


@pytest.mark.req("RC-6", "EX-9")
def test_what_was_read_is_kept_where_the_budget_does_not_reach_to_the_rest(make: Make) -> None:
    gleaner = make(FunctionModel(reads_products))
    found = extraction(gleaner, product(1, has_data=True), LAMP, budget={"max_tokens": 1})
    assert (found.data, found.is_partial) == ({"name": "Lamp B1", "price": 11.5, "gtin": None}, True)
    assert found.completeness.unread == ["gtin"]
    assert [error.error_type for error in found.errors] == ["budget_exceeded"]


@pytest.mark.req("RC-6", "RC-5")
def test_where_the_models_records_are_not_those_of_the_table_the_whole_page_is_asked(make: Make) -> None:
    rows = ["1. | Köln | 50", "2. | Ulm | 40", "3. | Bonn | 30"]
    truth = [{"rank": at, "name": name, "points": points}
             for at, (name, points) in enumerate((("Köln", 50), ("Ulm", 40), ("Bonn", 30)), 1)]  # fmt: skip
    whole = Reader(truth)

    def answer(prompt: str) -> str:
        said = json.loads(whole(prompt))
        return json.dumps(said if len(whole.asked[-1]) == 3 else said[:1])

    found = extraction(
        make(FunctionModel(answer)),
        table("# | Name | Points", *rows),
        list_of(object_of(rank=MAYBE_NUMBER, name=TEXT, points=MAYBE_NUMBER)),
    )
    assert (found.data, found.is_partial) == (truth, False)


@pytest.mark.req("PR-3")
def test_a_warning_names_a_field_once_for_all_records(make: Make) -> None:
    rows = [f"Lamp {at}" for at in range(50)]
    schema = list_of(object_of(name=TEXT, price=MAYBE_NUMBER))
    answer = [{"name": name, "price": 9000 + at} for at, name in enumerate(rows)]
    html = "<ul>" + "".join(f"<li><b>{name}</b> made of larch</li>" for name in rows) + "</ul>"
    gleaner = make(model=FunctionModel(lambda _: json.dumps(answer)))
    found = extraction(gleaner, html, schema, config={"tiers": ["model"]})
    (said,) = [one for one in found.warnings if "price" in one]
    assert said.count("price") == 1
    assert "/*/price 50 times (0: 9000, 1: 9001" in said
    assert "49: 9049" in said


@pytest.mark.req("RC-6")
def test_a_fact_that_a_layout_with_a_list_inside_never_states_costs_two_calls(make: Make) -> None:
    people = {"type": "array", "items": object_of(name=TEXT, role=TEXT)}
    facts = {
        "seat": "Oslo",
        "form": "limited",
        "phone": "22 333 444",
        "purpose": "trade in rope",
        "auditor": "Reed and Sons",
    }
    schema = object_of(company=TEXT, closed_on=MAYBE_TEXT, people=people, **dict.fromkeys(facts, TEXT))
    model = Reader({})
    gleaner = make(FunctionModel(model))
    for at, company in enumerate(("Larch", "Oak", "Elm", "Ash")):
        roles = ["chair", "clerk", "bookkeeper", "driver", "head of sales", "partner"][at:]
        staff = [
            {"name": f"{name} {company}son", "role": role}
            for name, role in zip(("Ada", "Bo", "Cy"), roles, strict=False)
        ]
        model.truth = {"company": f"{company} Ltd", "closed_on": None, "people": staff, **facts}
        items = "".join(
            f"<li class='person'><b class='name'>{one['name']}</b> <i class='role'>{one['role']}</i></li>"
            for one in staff
        )
        rows = "".join(f"<dt>{name.capitalize()}</dt><dd>{said}</dd>" for name, said in facts.items())
        page = f"<h1>{company} Ltd</h1><dl>{rows}</dl><ul class='people'>{items}</ul>"
        found = extraction(gleaner, page, schema, f"https://registry.example/{at}")
        assert (found.data, found.is_partial) == (model.truth, False)
    assert len(model.asked) == 2
