"""What must hold for every schema: relaxed copies, Pydantic models, coercion, on random schemas and instances."""

import json
from typing import Any

import pytest
from gleaner.coercion import coerce
from gleaner.schemas import (
    is_valid,
    provider_form,
    record_path,
    relax,
    schema_dict_to_pydantic_model,
    unenforceable,
    violations,
)
from hypothesis import assume, example, given
from hypothesis import strategies as st
from pydantic import ValidationError

NAMES = ["a", "b", "minimum", "pattern", "$ref", "type", "x-y", "model_dump", "properties"]
TEXTS = ["", "a", "ab", "abc", "1", "2026-03-12", "12 Mar 2026", "$1,299.00", " a ", "in stock", "n/a"]
NUMBERS = [-1, 0, 1, 2, 2.5, 1.0, 10**20]

scalars = st.one_of(
    st.none(), st.booleans(), st.sampled_from(NUMBERS), st.sampled_from(TEXTS), st.integers(-5, 5), st.text(max_size=3)
)
instances = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.sampled_from(NAMES), inner, max_size=5)),
    max_leaves=12,
)

some_texts = st.sampled_from(
    [
        {"type": "string"},
        {"type": "string", "minLength": 1, "maxLength": 2},
        {"type": "string", "pattern": "^a"},
        {"type": "string", "format": "date"},
        {"type": ["string", "null"]},
        {"type": "string", "nullable": True},
        {"enum": ["a", "ab", None]},
        {"enum": ["a", 1, True, None, 2.5]},
        {"enum": [{"a": 1}, [1], "a"]},
        {"const": "a"},
        {"const": 1},
        {"const": None},
    ]
)
some_others = st.sampled_from(
    [
        {"type": "integer"},
        {"type": "integer", "minimum": 0, "maximum": 2},
        {"type": "number", "multipleOf": 0.5},
        {"type": "number", "exclusiveMinimum": 0},
        {"type": "boolean"},
        {"type": "null"},
        {"type": ["integer", "string", "null"]},
        {"type": ["object", "array"]},
        {"minimum": 1},
        {"$ref": "#/$defs/first"},
        {"$ref": "#/$defs/second"},
        {},
        True,
        False,
    ]
)


def composed(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Schemas that hold schemas."""
    some = st.lists(inner, min_size=1, max_size=3)
    named = st.dictionaries(st.sampled_from(NAMES), inner, max_size=4)
    return st.one_of(
        st.fixed_dictionaries(
            {"type": st.just("object"), "properties": named},
            optional={
                "required": st.lists(st.sampled_from(NAMES), max_size=2, unique=True),
                "additionalProperties": st.one_of(st.just(False), inner),
                "patternProperties": st.dictionaries(st.sampled_from(["^a", "p"]), inner, max_size=1),
                "minProperties": st.integers(0, 2),
                "dependentRequired": st.just({"a": ["b"]}),
                "anyOf": some,
                "description": st.just("What it is."),
            },
        ),
        st.fixed_dictionaries({"properties": named}),
        st.fixed_dictionaries(
            {"type": st.just("array")},
            optional={
                "items": inner,
                "prefixItems": some,
                "minItems": st.integers(0, 2),
                "maxItems": st.integers(1, 3),
                "uniqueItems": st.booleans(),
                "contains": inner,
            },
        ),
        st.fixed_dictionaries({"anyOf": some}),
        st.fixed_dictionaries({"oneOf": some}),
        st.fixed_dictionaries({"allOf": some}),
        st.fixed_dictionaries({"not": inner}),
        st.fixed_dictionaries({"if": inner, "then": inner, "else": inner}),
        st.fixed_dictionaries({"type": st.just("object"), "additionalProperties": inner}),
    )


parts = st.recursive(st.one_of(some_texts, some_others), composed, max_leaves=8)
MAPPING_PARTS = parts.filter(lambda part: isinstance(part, dict))


@st.composite
def enforceable_schemas(draw: st.DrawFn) -> Any:
    root = {**draw(MAPPING_PARTS), "$defs": {"first": draw(parts), "second": draw(parts)}}
    assume(unenforceable(root) is None)
    return root


@st.composite
def schemas_with_instances(draw: st.DrawFn) -> tuple[Any, Any]:
    """A schema, and an instance that is more often valid than chance makes it."""
    schema = draw(enforceable_schemas())
    return schema, draw(st.one_of(instances, fitting(schema, schema, 4)))


def fitting(schema: Any, root: Any, depth: int) -> st.SearchStrategy[Any]:
    """Instances that follow the structure of the schema, if not all of its conditions."""
    if not isinstance(schema, dict) or depth == 0:
        return scalars
    if "$ref" in schema:
        return fitting(root["$defs"][schema["$ref"].rpartition("/")[2]], root, depth - 1)
    for keyword in ("allOf", "anyOf", "oneOf"):
        if keyword in schema and "type" not in schema:
            return st.sampled_from(schema[keyword]).flatmap(lambda branch: fitting(branch, root, depth - 1))
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    if "properties" in schema:
        declared = {name: fitting(part, root, depth - 1) for name, part in schema["properties"].items()}
        return st.fixed_dictionaries({}, optional={**dict.fromkeys(schema.get("required", []), scalars), **declared})
    if schema.get("type") == "array":
        return st.lists(fitting(schema.get("items", True), root, depth - 1), max_size=3)
    return scalars


@pytest.mark.req("SC-3")
@given(schemas_with_instances())
def test_the_relaxed_schema_accepts_all_that_the_strict_one_accepts(pair: tuple[Any, Any]) -> None:
    schema, instance = pair
    if is_valid(schema, instance):
        relaxed = relax(schema)
        assert is_valid(relaxed, instance), (relaxed, violations(relaxed, instance))


@pytest.mark.req("SC-3")
@given(enforceable_schemas(), st.randoms(use_true_random=False))
def test_the_same_text_of_a_schema_gives_the_same_relaxed_bytes_and_any_order_the_same_meaning(
    schema: Any, random: Any
) -> None:
    def shuffled(value: Any) -> Any:
        if isinstance(value, list):
            return [shuffled(item) for item in value]
        if not isinstance(value, dict):
            return value
        keys = list(value)
        random.shuffle(keys)
        return {key: shuffled(value[key]) for key in keys}

    assert json.dumps(relax(json.loads(json.dumps(schema)))) == json.dumps(relax(schema))
    assert relax(shuffled(schema)) == relax(schema)


ALLOWED_OF_PROVIDERS = {"type", "properties", "items", "enum", "anyOf", "description", "additionalProperties"}


def forms(form: Any) -> list[Any]:
    inner = [*form.get("anyOf", []), *form.get("properties", {}).values(), form.get("items")]
    return [form, *(found for each in inner if isinstance(each, dict) for found in forms(each))]


@pytest.mark.req("SC-3")
@given(enforceable_schemas())
def test_relaxed_schemas_and_provider_forms_stay_in_the_providers_subsets(schema: Any) -> None:
    relaxed = relax(schema)
    assert all(form.keys() <= ALLOWED_OF_PROVIDERS for form in forms(relaxed))
    for provider in ("openai", "bedrock"):
        wire = provider_form(relaxed, provider)
        for form in forms(wire) if wire else []:
            assert form.keys() <= ALLOWED_OF_PROVIDERS | {"required"}
            assert "type" in form or "anyOf" in form
            if form.get("type") == "object" or "object" in form.get("type", []):
                assert form["additionalProperties"] is False
                assert provider == "bedrock" or set(form["required"]) == form["properties"].keys()


@pytest.mark.req("SC-2")
@given(schemas_with_instances())
def test_a_model_accepts_exactly_what_its_schema_accepts_and_dumps_it_unchanged(pair: tuple[Any, Any]) -> None:
    schema, instance = pair
    try:
        model = schema_dict_to_pydantic_model(schema)
    except ValueError:
        assume(False)
        return
    try:
        carried = model.model_validate(instance)
    except ValidationError:
        assert not is_valid(schema, instance) or ("type" not in schema and not isinstance(instance, dict))
        return
    assert is_valid(schema, instance)
    assert carried.model_dump() == instance
    assert json.loads(carried.model_dump_json()) == instance


@pytest.mark.req("SC-4")
@given(schemas_with_instances())
@example(({"anyOf": [{"properties": {"a": {"type": "string"}}}, {"not": {"type": "string"}}]}, {"a": None}))
def test_coercion_leaves_what_is_valid_alone_and_never_fails(pair: tuple[Any, Any]) -> None:
    schema, instance = pair
    before = json.dumps(instance)
    coerced = coerce(schema, instance)
    assert json.dumps(instance) == before
    if is_valid(schema, instance):
        assert coerced.transforms == {}
        assert coerced.value == instance
    again = coerce(schema, coerced.value)
    assert again.value == coerced.value


@pytest.mark.req("SC-1")
@given(enforceable_schemas())
def test_a_records_schema_stands_on_its_own(schema: Any) -> None:
    found = record_path(schema)
    if found is not None:
        assert unenforceable(found.item_schema) is None


@pytest.mark.req("SC-1")
@given(schemas_with_instances())
def test_an_instance_is_valid_when_and_only_when_it_has_no_violations(pair: tuple[Any, Any]) -> None:
    schema, instance = pair
    assert is_valid(schema, instance) == (violations(schema, instance) == [])
