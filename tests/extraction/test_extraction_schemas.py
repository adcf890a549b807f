"""Schemas as people write them, over one page: each is enforced as it stands, and the page's records come back."""

import asyncio
import json
from typing import Any

import jsonschema
import pytest
from gleaner.extraction import ExtractionResult, ExtractionSubAgent
from gleaner.page.opening import open_page
from gleaner.schemas import drop_unnamed, is_valid, record_path
from gleaner.testing import FunctionModel

from tests.support.schemas import TEXT, list_of, object_of

DRAFT = "https://json-schema.org/draft/2020-12/schema"
FIELDS: dict[str, Any] = {"name": {"type": "string"}, "price": {"type": "number"}, "year": {"type": "integer"}}
RECORDS: list[dict[str, Any]] = [
    {"name": "Larch jug", "price": 12.5, "year": 1999},
    {"name": "Alder bowl", "price": 1299.0, "year": 2003},
    {"name": "Gorse vase", "price": 7.25, "year": 2011},
]
ROWS = "".join(f"<tr><td>{r['name']}</td><td>${r['price']:,.2f}</td><td>{r['year']}</td></tr>" for r in RECORDS)
HTML = f"<h1>Things</h1><table><tr><th>Name</th><th>Price</th><th>Tags</th></tr>{ROWS}</table>"


def extract(schema: Any, answer: object) -> ExtractionResult:
    page = open_page(HTML)
    agent = ExtractionSubAgent(FunctionModel(lambda _: json.dumps(answer)), sleep=lambda _: None)
    return asyncio.run(agent.extract(page.text, "all things", schema, units=page.units))


def objects(**more: Any) -> dict[str, Any]:
    return {"type": "object", "properties": FIELDS, **more}


SPLIT = {"allOf": [{"type": "object", "properties": {"name": FIELDS["name"]}}], "properties": FIELDS}
ITEMS = {
    "unevaluated": {"$schema": DRAFT, **SPLIT, "unevaluatedProperties": False},
    "referenced and unevaluated": {
        "$ref": "#/$defs/named",
        "properties": {"price": FIELDS["price"], "year": FIELDS["year"]},
        "unevaluatedProperties": False,
    },
    "by pattern": {"type": "object", "patternProperties": {"^(name|price|year)$": True}, "additionalProperties": False},
    "lower case names": objects(propertyNames={"pattern": "^[a-z]+$"}),
    "one of two": {
        "oneOf": [
            objects(required=["kind"]),
            objects(additionalProperties=False, required=["name"]),
        ]
    },
    "a condition": objects(**{"if": {"required": ["price"]}, "then": {"required": ["name"]}}),
}


@pytest.mark.req("SC-1", "EX-1")
@pytest.mark.parametrize("kind", ITEMS)
@pytest.mark.parametrize("extra", [{}, {"Zz_note": "a remark of the model"}])
def test_records_of_any_schema_come_back_without_what_it_has_no_name_for(kind: str, extra: dict[str, Any]) -> None:
    schema = {
        "$schema": DRAFT,
        "$defs": {"named": {"type": "object", "properties": {"name": FIELDS["name"]}}},
        "type": "array",
        "items": ITEMS[kind],
    }
    result = extract(schema, [{**record, **extra} for record in RECORDS])
    jsonschema.Draft202012Validator(schema).validate(result.data)
    assert (result.data, result.is_partial) == (RECORDS, False)


@pytest.mark.req("SC-1", "SC-4")
@pytest.mark.parametrize("price", [12.5, "$12.50"])
@pytest.mark.parametrize(
    "item",
    [
        {"type": "array", "prefixItems": [{"type": "string"}, {"type": "number"}], "items": False, "minItems": 2},
        {"type": "array", "items": [{"type": "string"}, {"type": "number"}], "additionalItems": False},
    ],
)
def test_rows_as_tuples_stay_whole_and_their_other_cells_are_nothing_that_is_missing(item: Any, price: object) -> None:
    draft = DRAFT if "prefixItems" in item else "http://json-schema.org/draft-07/schema#"
    rows = [[record["name"], record["price"]] for record in RECORDS]
    result = extract({"$schema": draft, "type": "array", "items": item}, [["Larch jug", price], *rows[1:]])
    assert (result.data, result.is_partial) == (rows, False)


@pytest.mark.req("PR-2")
def test_a_table_with_a_column_of_tags_proves_an_object_and_a_map() -> None:
    assert extract(objects(), RECORDS[0]).data == RECORDS[0]
    prices = {record["name"]: record["price"] for record in RECORDS}
    result = extract({"type": "object", "additionalProperties": {"type": "number"}}, prices)
    assert (result.data, result.is_partial) == (prices, False)


@pytest.mark.req("EX-4", "EX-5")
def test_an_object_without_a_required_field_is_kept_as_partial_and_the_field_named() -> None:
    schema = objects(required=["name", "sku"])
    schema["properties"] = {**FIELDS, "sku": {"type": "string"}}
    result = extract(schema, RECORDS[0])
    assert (result.data, result.is_partial) == (RECORDS[0], True)
    assert any("'sku'" in error.message for error in result.errors)


@pytest.mark.req("SC-1")
def test_what_records_are_checked_by_alone_accepts_what_the_whole_schema_accepts() -> None:
    for item in ITEMS.values():
        schema = {
            "$defs": {"named": {"type": "object", "properties": {"name": FIELDS["name"]}}},
            "type": "array",
            "items": item,
        }
        path = record_path(schema)
        assert path is not None
        assert is_valid(schema, RECORDS)
        assert all(is_valid(path.item_schema, record) for record in RECORDS)


@pytest.mark.req("EX-1")
def test_unnamed_fields_go_at_every_depth_and_patterns_keep_theirs() -> None:
    schema = {"items": {"properties": {"name": {}}, "patternProperties": {"^x-": {}}, "additionalProperties": True}}
    assert drop_unnamed(schema, [{"name": "Lamp", "x-a": 1, "note": 2}]) == [{"name": "Lamp", "x-a": 1}]


@pytest.mark.req("EX-4")
@pytest.mark.parametrize("first", [{}, {"shop": None}, {"shop": {"no": 1}}])
def test_what_is_wrong_around_the_records_is_asked_about_once_more(first: dict[str, object]) -> None:
    schema = object_of("shop", "tools", shop=TEXT, tools=list_of(object_of(name=FIELDS["name"])))
    tools = [{"name": "Saw"}, {"name": "File"}]
    answers = iter([{**first, "tools": tools}, {"shop": "Anvil", "tools": tools}, {}])
    model = FunctionModel(lambda _: json.dumps(next(answers)))
    result = asyncio.run(ExtractionSubAgent(model).extract("# Anvil\n\n- Saw\n- File\n", "all tools", schema))
    assert (result.data, result.is_partial, result.usage.calls) == ({"shop": "Anvil", "tools": tools}, False, 2)


PLACES = {"prefixItems": [{"type": "string"}, {"type": "integer"}], "minItems": 2, "maxItems": 2}
FULL = {"items": {"type": "string"}, "maxItems": 2}


@pytest.mark.req("SC-1", "CM-1")
@pytest.mark.parametrize(("pair", "value"), [(PLACES, ["Ann Lind", 709037]), (FULL, ["Oak", "Elm"])])
def test_an_array_whose_places_have_meanings_or_that_is_full_lacks_nothing(pair: Any, value: list[Any]) -> None:
    fields = {"pair": {"type": "array", **pair}, "area": {"type": "integer"}}
    content = (
        "Mayor: Ann Lind.\n\n- Population: 709037\n- Founded: 1048\n\n# Trees\n\n- Oak\n- Elm\n- Ash\n\nArea: 454\n"
    )
    schema, answer = {"type": "object", "properties": fields}, {"pair": value, "area": 454}
    result = asyncio.run(ExtractionSubAgent(FunctionModel(lambda _: json.dumps(answer))).extract(content, None, schema))
    assert (result.data, result.is_partial, result.usage.calls) == (answer, False, 1)


@pytest.mark.req("SC-1")
def test_an_array_whose_places_have_meanings_is_no_list_of_records() -> None:
    assert record_path({"type": "array", **PLACES}) is None
    assert (
        record_path({"type": "array", "items": [{"type": "string"}], "$schema": DRAFT.replace("2020-12", "2019-09")})
        is None
    )
    assert record_path({"type": "array", "items": {"type": "array", **PLACES}}) is not None


@pytest.mark.req("LB-2")
@pytest.mark.parametrize(("kind", "said", "read"), [("integer", "709,037", 709037), ("boolean", "Yes", True)])
def test_a_plain_word_or_number_is_an_answer_where_the_schema_asks_for_one(kind: str, said: str, read: object) -> None:
    agent = ExtractionSubAgent(FunctionModel(lambda _: said))
    result = asyncio.run(agent.extract("Population: 709,037. A city: yes.", "population", {"type": kind}))
    assert (result.data, result.usage.calls) == (read, 1)


@pytest.mark.req("SC-1", "CM-1")
@pytest.mark.parametrize("is_obeyed", [True, False])
def test_no_more_records_are_asked_for_or_served_than_the_schema_takes(is_obeyed: bool) -> None:
    answer = RECORDS[:2] if is_obeyed else RECORDS
    result = extract({"type": "array", "items": objects(), "maxItems": 2}, answer)
    assert result.data == RECORDS[:2]
    assert (result.is_partial, result.usage.calls) == (True, 1)
    assert result.completeness.expected == 3
