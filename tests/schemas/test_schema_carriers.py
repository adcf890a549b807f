"""Models made from schemas whose conditions no class can show decide as the schema does (SC-6)."""

import json
from typing import Any

import pytest
from gleaner.schemas import is_valid, schema_dict_to_pydantic_model
from pydantic import ValidationError

DRAFT_7 = "http://json-schema.org/draft-07/schema#"
FOLDER = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "inside": {"type": "array", "items": {"$ref": "#"}}},
    "required": ["name"],
    "additionalProperties": False,
}
CHAIN = {
    "$defs": {
        "link": {"anyOf": [{"type": "null"}, {"type": "object", "properties": {"next": {"$ref": "#/$defs/link"}}}]}
    }
}
KIT: dict[str, tuple[Any, list[Any], list[Any]]] = {
    "a tree": (
        FOLDER,
        [
            {"name": "a"},
            {"name": "a", "inside": []},
            {"name": "a", "inside": [{"name": "b", "inside": [{"name": "c"}]}]},
        ],
        [{}, {"name": 1}, {"name": "a", "inside": [{"name": "b", "inside": [{"size": 1}]}]}, [], None],
    ),
    "a chain": (
        {**CHAIN, "type": "object", "properties": {"first": {"$ref": "#/$defs/link"}}, "required": ["first"]},
        [{"first": None}, {"first": {}}, {"first": {"next": {"next": None}}}, {"first": {"more": 1}}],
        [{}, {"first": 1}, {"first": {"next": {"next": 2}}}, {"first": []}],
    ),
    "two kinds that hold each other": (
        {
            "$defs": {
                "room": {
                    "type": "object",
                    "properties": {"doors": {"type": "array", "items": {"$ref": "#/$defs/door"}}},
                },
                "door": {"type": "object", "properties": {"to": {"$ref": "#/$defs/room"}}, "required": ["to"]},
            },
            "$ref": "#/$defs/room",
        },
        [{}, {"doors": []}, {"doors": [{"to": {"doors": [{"to": {}}]}}]}],
        [{"doors": {}}, {"doors": [{}]}, {"doors": [{"to": {"doors": [{"to": 1}]}}]}],
    ),
    "lists in lists": (
        {"$defs": {"n": {"type": ["array", "integer"], "items": {"$ref": "#/$defs/n"}}}, "$ref": "#/$defs/n"},
        [1, [], [1, [2, [[3]]]]],
        ["a", [1, ["b"]], {}, [None]],
    ),
    "places of an array": (
        {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}], "items": False},
        [[], ["a"], ["a", 1]],
        [[1], ["a", "b"], ["a", 1, 2], {}],
    ),
    "places of an array in an old draft": (
        {"$schema": DRAFT_7, "items": [{"type": "string"}], "additionalItems": {"type": "integer"}},
        [[], ["a"], ["a", 1, 2], "anything else"],
        [[1], ["a", "b"]],
    ),
    "names by pattern": (
        {
            "type": "object",
            "patternProperties": {"^x_": {"type": "integer"}},
            "additionalProperties": {"type": "string"},
        },
        [{}, {"x_a": 1}, {"a": "b", "x_b": 2}],
        [{"x_a": "b"}, {"a": 1}, []],
    ),
    "names by pattern beside declared ones": (
        {"properties": {"x_size": {"minimum": 3}}, "patternProperties": {"^x_": {"type": "integer"}}},
        [{"x_size": 3}, {"x_b": 1, "c": []}, 5, "text"],
        [{"x_size": 2}, {"x_size": "4"}, {"x_b": 1.5}],
    ),
    "some items": (
        {"type": "array", "contains": {"type": "integer", "minimum": 10}, "minContains": 2, "maxContains": 3},
        [[10, 11], [1, "a", 10, 11, 12]],
        [[], [10], [10, 11, 12, 13], ["10", "11"]],
    ),
    "a condition": (
        {
            "type": "object",
            "properties": {"kind": {"enum": ["box", "ball"]}, "edge": {"type": "number"}},
            "required": ["kind"],
            "if": {"properties": {"kind": {"const": "box"}}},
            "then": {"required": ["edge"]},
            "else": {"not": {"required": ["edge"]}},
        },
        [{"kind": "box", "edge": 1}, {"kind": "ball"}],
        [{"kind": "box"}, {"kind": "ball", "edge": 1}, {"kind": "cone"}, {}],
    ),
    "what must not be": (
        {
            "type": "object",
            "properties": {"code": {"type": "string", "not": {"pattern": "^0"}}},
            "not": {"required": ["old"]},
        },
        [{}, {"code": "10"}],
        [{"code": "01"}, {"old": 1}, {"code": 1}],
    ),
    "names and what depends on them": (
        {
            "propertyNames": {"maxLength": 3},
            "dependentSchemas": {"a": {"required": ["b"]}},
            "dependentRequired": {"c": ["a"]},
            "minProperties": 1,
        },
        [{"b": 1}, {"a": 1, "b": 2}, {"a": 1, "b": 2, "c": 3}, []],
        [{"long": 1}, {"a": 1}, {"b": 1, "c": 1}, {}],
    ),
    "what nothing has looked at": (
        {
            "type": "object",
            "allOf": [{"properties": {"a": {"type": "integer"}}}],
            "anyOf": [{"properties": {"b": {"const": 1}}, "required": ["b"]}, True],
            "unevaluatedProperties": False,
        },
        [{}, {"a": 1}, {"a": 1, "b": 1}],
        [{"b": 2}, {"c": 1}, {"a": "1"}],
    ),
    "a reference that depends on who asks": (
        {
            "$id": "https://tree.example/strict",
            "$dynamicAnchor": "node",
            "$ref": "tree",
            "unevaluatedProperties": False,
            "$defs": {
                "tree": {
                    "$id": "https://tree.example/tree",
                    "$dynamicAnchor": "node",
                    "type": "object",
                    "properties": {"of": {"type": "array", "items": {"$dynamicRef": "#node"}}},
                }
            },
        },
        [{}, {"of": []}, {"of": [{"of": [{}]}]}],
        [{"off": []}, {"of": [{"of": [{"off": 1}]}]}, {"of": 1}],
    ),
}
CASES = [
    pytest.param(schema, instance, is_right, id=f"{name}: {json.dumps(instance)}")
    for name, (schema, valid, invalid) in KIT.items()
    for is_right, instances in ((True, valid), (False, invalid))
    for instance in instances
]


@pytest.mark.req("SC-6")
@pytest.mark.parametrize(("schema", "instance", "is_right"), CASES)
def test_a_model_accepts_what_the_schema_accepts_and_nothing_else(schema: Any, instance: Any, is_right: bool) -> None:
    model = schema_dict_to_pydantic_model(schema)
    assert is_valid(schema, instance) is is_right
    if is_right:
        made = model.model_validate(instance)
        assert (made.model_dump(), json.loads(made.model_dump_json())) == (instance, instance)
        assert json.loads(model.model_validate_json(json.dumps(instance)).model_dump_json()) == instance
    else:
        with pytest.raises(ValidationError):
            model.model_validate(instance)


@pytest.mark.req("SC-6")
def test_the_children_of_a_tree_are_of_one_class_with_their_parents_fields() -> None:
    root: Any = schema_dict_to_pydantic_model(FOLDER).model_validate(
        {"name": "a", "inside": [{"name": "b", "inside": []}]}
    )
    assert (root.inside[0].name, root.inside[0].inside, root.inside[0].model_dump()) == (
        "b",
        [],
        {"name": "b", "inside": []},
    )


@pytest.mark.req("SC-6")
def test_the_models_own_schema_is_the_callers() -> None:
    assert schema_dict_to_pydantic_model(FOLDER).model_json_schema() == FOLDER


@pytest.mark.req("SC-6")
@pytest.mark.parametrize("schema", [{"type": "text"}, {"$ref": "#/$defs/none"}, {"items": 3}, {"pattern": "("}, 5])
def test_what_is_no_schema_is_refused(schema: Any) -> None:
    with pytest.raises(ValueError, match=r"."):
        schema_dict_to_pydantic_model(schema)
