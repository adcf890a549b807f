"""Pydantic models made from schemas (SC-2)."""

import enum
import json
from datetime import date
from typing import Any, Literal

import pytest
from gleaner.schemas import is_valid, schema_dict_to_pydantic_model
from pydantic import BaseModel, Field, ValidationError

PRODUCT: dict[str, Any] = {
    "type": "object",
    "title": "Product",
    "properties": {
        "name": {"type": "string", "minLength": 1, "maxLength": 10},
        "price": {"type": ["number", "null"], "minimum": 0},
        "stock": {"type": "integer"},
        "featured": {"type": "boolean"},
        "kind": {"enum": ["new", "used"]},
        "version": {"const": 1},
        "code": {"type": "string", "pattern": "^[A-Z]+$"},
        "tags": {"type": "array", "items": {"type": "string"}, "uniqueItems": True, "maxItems": 2},
        "maker": {"$ref": "#/$defs/Maker"},
        "rating": {"anyOf": [{"type": "number"}, {"type": "string"}]},
        "when": {"type": "string", "format": "date"},
        "note": {"type": "string", "nullable": True},
        "gone": False,
    },
    "required": ["name"],
    "dependentRequired": {"price": ["stock"]},
    "additionalProperties": False,
    "$defs": {"Maker": {"type": "object", "properties": {"country": {"type": "string"}}, "required": ["country"]}},
}
FULL: dict[str, Any] = {
    "name": "Lamp", "price": 5, "stock": 3, "featured": True, "kind": "new", "version": 1, "code": "AB", "tags": ["a"],
    "maker": {"country": "SE", "town": "Umeå"}, "rating": 4.5, "when": "2026-03-12", "note": None,
}  # fmt: skip


@pytest.mark.req("SC-2")
def test_a_record_keeps_its_values_types_and_nesting() -> None:
    product = schema_dict_to_pydantic_model(PRODUCT)
    carried: Any = product.model_validate(FULL)
    assert product.__name__ == "Product"
    assert (carried.name, carried.price, carried.maker.country, carried.tags) == ("Lamp", 5, "SE", ["a"])
    assert carried.model_dump() == FULL
    assert product.model_validate_json(carried.model_dump_json()).model_dump() == FULL
    assert product(**FULL).model_dump() == FULL


@pytest.mark.req("SC-2")
@pytest.mark.parametrize(
    "change",
    [
        {"name": ""}, {"name": "far too long a name"}, {"name": None}, {"name": 1}, {"price": -1}, {"price": "5"},
        {"price": True}, {"stock": "3"}, {"stock": 3.5}, {"stock": None}, {"stock": True}, {"featured": 1},
        {"featured": "yes"},
        {"kind": "New"}, {"kind": None}, {"version": True}, {"version": 2}, {"version": "1"}, {"code": "ab"},
        {"tags": ["a", "a"]}, {"tags": ["a", "b", "c"]}, {"tags": "a"}, {"tags": None}, {"tags": [1]}, {"maker": {}},
        {"maker": None}, {"maker": {"country": 1}}, {"rating": None}, {"rating": True}, {"when": "12 Mar 2026"},
        {"note": 1}, {"gone": None}, {"gone": 1}, {"other": 1},
    ],
)  # fmt: skip
def test_a_model_never_accepts_what_the_schema_rejects(change: dict[str, Any]) -> None:
    product = schema_dict_to_pydantic_model(PRODUCT)
    assert not is_valid(PRODUCT, FULL | change)
    with pytest.raises(ValidationError):
        product.model_validate(FULL | change)
    with pytest.raises(ValidationError):
        product.model_validate_json(json.dumps(FULL | change))
    with pytest.raises(ValidationError):
        product(**FULL | change)


@pytest.mark.req("SC-2")
def test_absent_values_stay_absent_even_with_defaults() -> None:
    schema = {
        "type": "object",
        "properties": {
            "price": {"type": "number", "default": 0},
            "sold": {"type": "boolean", "default": False},
            "inner": {"type": "object", "properties": {"note": {"type": "string", "default": ""}}},
        },
    }
    carried: Any = schema_dict_to_pydantic_model(schema).model_validate({"inner": {}})
    assert carried.model_dump() == {"inner": {}}
    assert carried.model_dump(exclude_unset=True) == {"inner": {}}
    assert carried.model_dump_json() == '{"inner":{}}'
    assert (carried.price, carried.sold, carried.inner.note) == (None, None, None)


AWKWARD = [
    "schema", "copy", "json", "dict", "model_config", "model_fields", "model_dump", "_private", "__dunder__", "class",
    "None", "a-b", "a b", "1st", "", "ü", "ﬁ", "self", "cls", "validate", "field_", "class_", "$ref", "type", "Config",
]  # fmt: skip


@pytest.mark.req("SC-2")
def test_names_that_python_or_pydantic_can_not_take_round_trip() -> None:
    schema = {"type": "object", "properties": {name: {"type": "integer"} for name in AWKWARD}}
    model = schema_dict_to_pydantic_model(schema)
    instance = {name: number for number, name in enumerate(AWKWARD)}
    assert model.model_validate(instance).model_dump() == instance
    assert model.model_validate({"class": 1}).model_dump() == {"class": 1}
    assert model.model_validate({"schema": 1}).model_dump(by_alias=True) == {"schema": 1}


@pytest.mark.req("SC-2")
def test_undeclared_properties_are_kept_where_the_schema_lets_them_in() -> None:
    model = schema_dict_to_pydantic_model({"type": "object", "properties": {"class": {"type": "string"}}})
    instance = {"class_": 1, "other": {"a": [1]}}
    assert model.model_validate(instance).model_dump() == instance


@pytest.mark.req("SC-2", "SC-6")
@pytest.mark.parametrize(
    ("schema", "keyword", "path"),
    [
        ({"properties": {"a": {"$ref": "https://example.com/a"}}}, "$ref", "/properties/a/$ref"),
        ({"properties": {"a": {"type": "text"}}}, "type", "/properties/a/type"),
    ],
)
def test_what_is_no_schema_is_named_with_its_path(schema: Any, keyword: str, path: str) -> None:
    with pytest.raises(ValueError, match=r".") as refusal:
        schema_dict_to_pydantic_model(schema)
    assert f"{keyword} at {path}" in str(refusal.value)


class Colour(enum.Enum):
    red = "red"
    blue = "blue"


class Part(BaseModel):
    count: int = Field(3, ge=0)
    made: date | None = None


class Ordinary(BaseModel):
    colour: Colour
    kind: Literal["a", "b"] = "a"
    part: Part
    parts: list[Part] = Field(default_factory=list[Part])
    prices: dict[str, float] = Field(default_factory=dict[str, float])
    mixed: int | str | None = None
    code: str = Field("x", pattern="^x", max_length=3)


@pytest.mark.req("SC-2")
def test_the_schema_of_an_ordinary_pydantic_model_works() -> None:
    model = schema_dict_to_pydantic_model(Ordinary.model_json_schema())
    instance = {
        "colour": "red",
        "part": {"count": 1, "made": "2026-03-12"},
        "parts": [{"made": None}],
        "prices": {"a": 1.5},
    }
    assert model.model_validate(instance).model_dump() == instance
    assert model.model_json_schema() == Ordinary.model_json_schema()
    for change in ({"colour": "green"}, {"part": {"count": "1"}}, {"parts": [{"count": -1}]}, {"prices": {"a": "1"}}):
        with pytest.raises(ValidationError):
            model.model_validate(instance | change)


@pytest.mark.req("SC-2")
def test_a_refusal_names_the_place_and_the_reason() -> None:
    with pytest.raises(ValidationError, match=r"/maker: 'country' is a required property"):
        schema_dict_to_pydantic_model(PRODUCT).model_validate({"name": "Lamp", "maker": {}})


def doubling(levels: int) -> dict[str, Any]:
    definitions: dict[str, Any] = {
        f"d{level}": {"type": "object", "properties": {n: {"$ref": f"#/$defs/d{level + 1}"} for n in "ab"}}
        for level in range(levels)
    }
    return {"$defs": {**definitions, f"d{levels}": {"type": "string"}}, "$ref": "#/$defs/d0"}


@pytest.mark.req("SC-2")
def test_definitions_used_twice_are_one_class_and_those_that_double_at_each_level_end_in_any_value() -> None:
    model = schema_dict_to_pydantic_model(doubling(5))
    assert model.model_validate({"a": {"b": {}}}).model_dump() == {"a": {"b": {}}}
    large = schema_dict_to_pydantic_model(doubling(40))
    assert large.model_validate({"a": {"b": {}}}).model_dump() == {"a": {"b": {}}}
    with pytest.raises(ValidationError, match="is not of type 'object'"):
        large.model_validate({"a": {"b": 1}})


@pytest.mark.req("SC-2")
def test_a_whole_number_may_be_written_with_a_point() -> None:
    model = schema_dict_to_pydantic_model({"type": "object", "properties": {"n": {"type": "integer"}}})
    assert repr(model.model_validate({"n": 5.0}).model_dump()) == "{'n': 5}"


@pytest.mark.req("SC-2")
def test_a_model_says_which_fields_are_required_and_tells_names_apart_that_python_writes_alike() -> None:
    schema = {"type": "object", "properties": {"a b": {}, "a-b": {}, "a_b_": {}, "c": {}}, "required": ["c"]}
    model = schema_dict_to_pydantic_model(schema)
    assert [name for name, field in model.model_fields.items() if field.is_required()] == ["c"]
    assert len(model.model_fields) == 4
    data = {"a b": 1, "a-b": 2, "a_b_": 3, "c": 4}
    assert model.model_validate(data).model_dump() == data
    model.model_json_schema()["properties"].clear()
    assert model.model_json_schema() == schema
    assert model.model_validate(data).model_dump() == data
