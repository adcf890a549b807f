"""What goes to a model provider (SC-3), and where the records of a schema are."""

import json
from typing import Any

import pytest
from gleaner.schemas import (
    declared_properties,
    declared_types,
    is_valid,
    provider_form,
    record_path,
    relax,
    unenforceable,
)

PRODUCTS: dict[str, Any] = {
    "type": "object",
    "properties": {
        "title": {"type": "string", "description": "The page's heading"},
        "products": {"type": "array", "minItems": 2, "maxItems": 50, "items": {"$ref": "#/$defs/Product"}},
    },
    "required": ["products"],
    "additionalProperties": False,
    "$defs": {
        "Product": {
            "type": "object",
            "properties": {
                "name": {"type": "string", "minLength": 1, "pattern": "^[A-Z]"},
                "minimum": {"type": "integer", "minimum": 3},
                "kind": {"enum": ["new", "used"], "default": "new"},
                "price": {"anyOf": [{"type": "number", "exclusiveMinimum": 0}, {"type": "null"}]},
                "size": {"oneOf": [{"type": "number"}, {"type": "object", "properties": {"w": {"type": "number"}}}]},
            },
            "required": ["name"],
            "additionalProperties": False,
            "if": {"required": ["price"]},
            "then": {"required": ["minimum"]},
        }
    },
}


@pytest.mark.req("SC-3")
def test_limits_go_structure_stays_and_everything_is_nullable() -> None:
    product = {
        "additionalProperties": False,
        "properties": {
            "kind": {"enum": ["new", "used", None], "type": ["string", "null"]},
            "minimum": {"type": ["integer", "null"]},
            "name": {"type": ["string", "null"]},
            "price": {"type": ["number", "null"]},
            "size": {
                "anyOf": [
                    {"type": "number"},
                    {"properties": {"w": {"type": ["number", "null"]}}, "type": "object"},
                    {"type": "null"},
                ]
            },
        },
        "type": ["object", "null"],
    }
    assert relax(PRODUCTS) == {
        "additionalProperties": False,
        "properties": {
            "products": {"items": product, "type": ["array", "null"]},
            "title": {"type": ["string", "null"], "description": "The page's heading"},
        },
        "type": ["object", "null"],
    }


@pytest.mark.req("SC-3")
@pytest.mark.parametrize("levels", [0, 1, 2, 3, 4, 10])
def test_a_recursive_schema_is_written_out_and_open_below(levels: int) -> None:
    tree = {
        "$defs": {"N": {"type": "object", "properties": {"n": {"type": "integer"}, "kids": {"$ref": "#/$defs/L"}}},
                  "L": {"type": "array", "items": {"$ref": "#/$defs/N"}}},
        "$ref": "#/$defs/N",
    }  # fmt: skip
    instance: Any = {"n": 0}
    for level in range(levels):
        instance = {"n": level, "kids": [instance, instance]}
    relaxed = relax(tree)
    assert "$ref" not in json.dumps(relaxed)
    assert is_valid(tree, instance)
    assert is_valid(relaxed, instance)
    assert not is_valid(relaxed, {"n": "1"})
    assert provider_form(relaxed, "bedrock") is None


@pytest.mark.req("SC-3")
def test_references_that_multiply_do_not_make_the_relaxed_schema_explode() -> None:
    names = [f"p{index}" for index in range(10)]
    tree: Any = {"type": "object", "properties": {name: {"$ref": "#"} for name in names}}
    levels = {
        f"d{n}": {"properties": {"a": {"$ref": f"#/$defs/d{n + 1}"}, "b": {"$ref": f"#/$defs/d{n + 1}"}}}
        for n in range(30)
    }
    doubling: Any = {"$defs": {**levels, "d30": {"type": "string"}}, "$ref": "#/$defs/d0"}
    for schema in (tree, doubling):
        assert len(json.dumps(relax(schema))) < 500_000


@pytest.mark.req("SC-3")
def test_openai_gets_every_property_required_and_every_object_closed() -> None:
    form = provider_form(relax(PRODUCTS), "openai")
    assert form is not None
    assert form["type"] == "object"
    assert form["required"] == ["title", "products"]
    item = form["properties"]["products"]["items"]
    assert item["type"] == "object"
    assert item["additionalProperties"] is False
    assert item["required"] == ["name", "minimum", "kind", "price", "size"]
    assert item["properties"]["name"] == {"type": ["string", "null"]}


@pytest.mark.req("SC-3")
def test_bedrock_gets_few_unions_and_few_optional_properties() -> None:
    def wide(count: int) -> Any:
        return {"type": "object", "properties": {f"f{index:02d}": {"type": "string"} for index in range(count)}}

    form = provider_form(relax(wide(40)), "bedrock")
    assert form is not None
    optional = [name for name in form["properties"] if name not in form["required"]]
    unions = [name for name, each in form["properties"].items() if isinstance(each["type"], list)]
    assert (len(optional), len(unions)) == (24, 16)
    assert set(optional).isdisjoint(unions)
    assert provider_form(relax(wide(41)), "bedrock") is None
    assert provider_form(relax(wide(41)), "openai") is not None


@pytest.mark.req("SC-3")
@pytest.mark.parametrize(
    "schema",
    [
        {},
        {"type": "object"},
        {"type": "object", "properties": {"a": {}}},
        {"type": "object", "properties": {"a": {"type": "object"}}},
        {"type": "object", "properties": {"a": {"type": "array"}}},
        {"type": "object", "properties": {"a": {"type": "object", "additionalProperties": {"type": "number"}}}},
        {"type": "array", "items": {"type": "string"}},
    ],
)
def test_what_closed_objects_would_lose_has_no_provider_form(schema: Any) -> None:
    assert provider_form(relax(schema), "openai") is None
    assert provider_form(relax(schema), "bedrock") is None


REVIEW = {"type": "object", "properties": {"author": {"type": "string"}, "text": {"type": "string"}}}
RECORD = {"type": "object", "properties": {"name": {"type": "string"}}}
RECORDS = {"type": "array", "items": RECORD}
REVIEWS = {"type": "array", "items": REVIEW}
TEXTS = {"type": "array", "items": {"type": "string"}}


@pytest.mark.req("SC-1")
@pytest.mark.parametrize(
    ("schema", "pointer"),
    [
        (RECORDS, ""),
        ({"type": ["array", "null"], "items": RECORD}, ""),
        ({"anyOf": [RECORDS, {"type": "null"}]}, ""),
        ({"$ref": "#/$defs/L", "$defs": {"L": {"type": "array", "items": {"type": "number"}}}}, ""),
        ({"type": "object", "properties": {"products": RECORDS}}, "/products"),
        ({"properties": {"a/b": {"anyOf": [RECORDS, {"type": "null"}]}}}, "/a~1b"),
        ({"properties": {"total": {"type": "integer"}, "items": RECORDS}}, "/items"),
        ({"properties": {"names": TEXTS}}, "/names"),
        ({"properties": {"data": {"type": "object", "properties": {"rows": RECORDS}}}}, "/data/rows"),
        ({"properties": {"tags": TEXTS, "rows": RECORDS}}, "/rows"),
        ({"properties": {"few": RECORDS, "many": REVIEWS}}, "/many"),
        ({"allOf": [{"type": "object"}, {"properties": {"rows": RECORDS}}]}, "/rows"),
        (PRODUCTS, "/products"),
    ],
)
def test_the_list_of_records_is_found(schema: Any, pointer: str) -> None:
    found = record_path(schema)
    assert found is not None
    assert found.pointer == pointer


@pytest.mark.req("SC-1")
@pytest.mark.parametrize(
    "schema",
    [
        RECORD,
        {"type": "string"},
        {},
        True,
        {"properties": {"name": {"type": "string"}, "tags": TEXTS}},
        {"properties": {**{n: {"type": "string"} for n in "abcde"}, "reviews": REVIEWS}},
        {"properties": {"name": {"type": "string"}, "children": {"type": "array", "items": {"$ref": "#"}}}},
    ],
)
def test_a_single_object_has_no_list_of_records(schema: Any) -> None:
    assert record_path(schema) is None


@pytest.mark.req("SC-1")
def test_the_schema_of_one_record_stands_on_its_own() -> None:
    schema: Any = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": "https://example.com/list",
        "type": "array",
        "items": {"$ref": "#/definitions/Node"},
        "definitions": {
            "Node": {
                "type": "object",
                "properties": {
                    "$ref": {"type": "string"},
                    "kids": {"type": "array", "items": {"$ref": "#/definitions/Node"}},
                },
                "required": ["$ref"],
                "default": {"$ref": "#/kept"},
            }
        },
    }
    found = record_path(schema)
    assert found is not None
    assert unenforceable(found.item_schema) is None
    assert isinstance(found.item_schema, dict)
    assert list(found.item_schema["properties"]) == ["$ref", "kids"]
    assert found.item_schema["default"] == {"$ref": "#/kept"}
    assert is_valid(found.item_schema, {"$ref": "a", "kids": [{"$ref": "b"}]})
    assert not is_valid(found.item_schema, {"$ref": "a", "kids": [{"kids": []}]})


@pytest.mark.req("SC-1")
def test_declared_properties_and_types_are_found_through_references_and_alternatives() -> None:
    schema: Any = {
        "anyOf": [{"$ref": "#/$defs/A"}, {"type": "null"}],
        "$defs": {
            "A": {"type": "object", "allOf": [RECORD], "properties": {"price": {"$ref": "#/$defs/P"}}},
            "P": {"type": "number"},
        },
    }
    found = declared_properties(schema)
    assert {name: declared_types(each) for name, each in found.items()} == {
        "name": frozenset({"string"}),
        "price": frozenset({"number"}),
    }
    assert declared_types(schema) == {"object", "null"}


@pytest.mark.req("SC-1", "SC-3")
@pytest.mark.parametrize("root", ["https://x.example/shop/root", None])
def test_references_inside_a_part_with_a_relative_id_of_its_own_are_followed(root: str | None) -> None:
    money: Any = {
        "$id": "parts/money",
        "$defs": {"amount": {"type": "number"}},
        "type": "object",
        "properties": {"amount": {"$ref": "#/$defs/amount"}},
    }
    schema: Any = {"$defs": {"money": money}, "type": "object", "properties": {"price": {"$ref": "parts/money"}}}
    if root is not None:
        schema["$id"] = root
    relaxed = relax(schema)
    assert is_valid(schema, {"price": {"amount": 5}})
    assert not is_valid(schema, {"price": {"amount": "five"}})
    assert is_valid(relaxed, {"price": {"amount": 5}})
    assert not is_valid(relaxed, {"price": {"amount": "five"}})


@pytest.mark.req("SC-3")
@pytest.mark.parametrize(
    ("schema", "accepted"),
    [
        ({"type": "array", "prefixItems": [{"type": "string"}], "items": {"type": "integer"}}, ["a", 1]),
        ({"type": "array", "prefixItems": [{"type": "string"}, {"type": "boolean"}]}, ["a", True, None]),
        ({"type": "number", "enum": [1, 2.5]}, 1),
        ({"enum": [1, "a", None]}, 1),
        ({"anyOf": [{"const": f"v{number}"} for number in range(40)]}, "v39"),
        ({"anyOf": [{"type": "string"}, {"type": "integer", "maximum": 5}]}, 4),
    ],
)
def test_what_a_schema_accepts_its_relaxed_copy_accepts(schema: Any, accepted: Any) -> None:
    assert is_valid(schema, accepted)
    assert is_valid(relax(schema), accepted)
    assert is_valid(relax(schema), None)


LEVELS: dict[str, Any] = {"type": "object", "properties": {"a": {"type": "string"}}}
for _ in range(11):
    LEVELS = {"type": "object", "properties": {"a": LEVELS}}


@pytest.mark.req("SC-3")
def test_providers_get_closed_objects_within_their_limits() -> None:
    small = relax({"type": "object", "properties": {"a": {"type": "string"}}})
    for provider in ("openai", "bedrock"):
        form = provider_form(small, provider)  # type: ignore[arg-type]
        assert form is not None
        assert form["additionalProperties"] is False
    wide = {"type": "object", "properties": {f"p{number}": {"type": "string"} for number in range(5_001)}}
    choices = {"type": "string", "enum": [f"v{number}" for number in range(1_001)]}
    for relaxed in (LEVELS, wide, {"type": "object", "properties": {"a": choices}}):
        assert provider_form(relaxed, "openai") is None


@pytest.mark.req("SC-1", "SC-3")
def test_up_to_draft_7_what_stands_beside_a_reference_says_nothing() -> None:
    beside = {"$ref": "#/definitions/n", "type": "string", "pattern": "("}
    schema = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "object",
        "properties": {"a": beside},
        "definitions": {"n": {"type": "number"}},
    }
    assert unenforceable(schema) is None
    assert is_valid(schema, {"a": 1})
    assert relax(schema)["properties"]["a"] == {"type": ["number", "null"]}
    assert unenforceable({**schema, "$schema": "https://json-schema.org/draft/2020-12/schema"}) is not None
