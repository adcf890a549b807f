"""Fields that an answer added of its own accord: dropped by what the schema declares, wherever they stand (EX-1)."""

from typing import Any

import pytest
from gleaner.schemas import drop_undeclared, named_as_declared

PLAIN: dict[str, Any] = {"properties": {"a": {}}}
CLOSED: dict[str, Any] = {**PLAIN, "type": "object", "additionalProperties": False}


@pytest.mark.req("EX-1")
@pytest.mark.parametrize(
    ("schema", "value", "kept"),
    [
        (PLAIN, {"a": 1, "b": 2}, {"a": 1}),
        (CLOSED, {"a": 1, "b": 2}, {"a": 1}),
        ({**CLOSED, "patternProperties": {"^x": {}}}, {"a": 1, "b": 2, "x1": 3}, {"a": 1, "x1": 3}),
        ({"anyOf": [CLOSED, {"type": "null"}]}, {"a": 1, "b": 2}, {"a": 1}),
        ({"type": "array", "items": CLOSED}, [{"a": 1, "b": 2}], [{"a": 1}]),
        ({"anyOf": [{"type": "array", "items": CLOSED}, {"type": "null"}]}, [{"a": 1, "b": 2}], [{"a": 1}]),
        ({"allOf": [PLAIN, {"properties": {"c": {}}}], "unevaluatedProperties": False}, {"a": 1, "b": 2}, {"a": 1}),
        ({**PLAIN, "additionalProperties": {"type": "number"}}, {"a": 1, "b": 2}, {"a": 1, "b": 2}),
        ({**PLAIN, "patternProperties": {"^x": {}}}, {"a": 1, "b": 2}, {"a": 1, "b": 2}),
        ({"anyOf": [CLOSED, {"type": "object", "properties": {"c": {}}}]}, {"a": 1, "b": 2}, {"a": 1, "b": 2}),
        ({"additionalProperties": False}, {"a": 1}, {"a": 1}),
        (True, {"a": 1}, {"a": 1}),
    ],
)
def test_only_what_the_schema_declares_or_speaks_of_is_kept(schema: Any, value: Any, kept: Any) -> None:
    assert drop_undeclared(schema, value) == kept


@pytest.mark.req("SC-1", "EX-1")
@pytest.mark.parametrize(
    "condition",
    [
        {"if": {"properties": {"sku": {"pattern": "^AB"}}, "required": ["sku"]}, "then": {"properties": {"price": {}}}},
        {"dependentSchemas": {"name": {"properties": {"sku": {}, "price": {}}}}},
    ],
)
def test_what_a_condition_speaks_of_is_kept_where_only_the_unevaluated_is_refused(condition: dict[str, object]) -> None:
    schema = {"properties": {"name": {}}, **condition, "unevaluatedProperties": False}
    record = {"name": "Lamp", "sku": "AB-1", "price": 3}
    assert drop_undeclared(schema, record) == record
    assert drop_undeclared({**schema, "additionalProperties": False}, record) == {"name": "Lamp"}


@pytest.mark.req("LB-2")
@pytest.mark.parametrize(
    ("schema", "value", "named"),
    [
        ({"properties": {"in_stock": {}}}, {"inStock": True}, {"in_stock": True}),
        ({"properties": {"name": {}}}, {"name": "a", "Name": "b"}, {"name": "a", "Name": "b"}),
        ({"properties": {"id": {}, "ID": {}}}, {"Id": 1}, {"Id": 1}),
        ({"properties": {"a": PLAIN}}, {"A": {"A": 1}}, {"a": {"a": 1}}),
        ({"type": "array", "items": PLAIN}, [{"A": 1}], [{"a": 1}]),
        ({**PLAIN, "additionalProperties": {"type": "number"}}, {"A": 1}, {"A": 1}),
        ({"properties": {"specs": {"type": "object"}, "a": {}}}, {"specs": {"A": 1}}, {"specs": {"A": 1}}),
        ({"properties": {"価格": {}, "+": {}}}, {"価格 ": 1, "-": 2}, {"価格": 1, "-": 2}),
    ],
)
def test_a_field_in_another_spelling_is_the_declared_one_where_no_other_may_be_meant(
    schema: Any, value: Any, named: Any
) -> None:
    assert named_as_declared(schema, value) == named
