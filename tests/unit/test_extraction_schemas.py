"""Schemas as people write them, over one page: each is enforced as it stands, and the page's records come back."""

import asyncio
import json
from typing import Any

import jsonschema
import pytest
from gleaner.extraction import ExtractionResult, ExtractionSubAgent
from gleaner.markdown import clean_page
from gleaner.schemas import drop_unnamed, is_valid, record_path
from gleaner.testing import FunctionModel

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
    page = clean_page(HTML)
    agent = ExtractionSubAgent(FunctionModel(lambda _: json.dumps(answer)), sleep=lambda _: None)
    return asyncio.run(agent.extract(page.markdown, "all things", schema, units=page.units))


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
