"""Schemas are enforced as they are, and what can't be enforced is named (SC-1, SC-5)."""

import socket
import sys
from typing import Any

import pytest
from gleaner.contracts.errors import InvalidSchema
from gleaner.schemas import Violation, check_schema, checks, effort, is_valid, patterns, unenforceable, violations
from gleaner.schemas.keywords import check_unique_items
from gleaner.schemas.plain import plain_check
from gleaner.schemas.validation import MAX_VIOLATIONS

TREE = {"type": "object", "properties": {"child": {"$ref": "#"}}, "additionalProperties": False}


@pytest.mark.req("SC-1")
@pytest.mark.parametrize(
    ("schema", "accepted", "refused"),
    [
        ({"type": "number"}, 1, float("nan")),
        ({"type": "number"}, 1e308, float("inf")),
        ({"type": "string", "nullable": True}, None, 1),
        ({"format": "email"}, "a.b+c@example.co.uk", "a b@example.com"),
        ({"format": "uri"}, "https://example.com/a?b=c#d", "/relative"),
        ({"format": "uri"}, "mailto:a@b.c", "https://exa mple.com"),
        ({"format": "uri-reference"}, "../a", "a b"),
        ({"format": "made-up", "type": "string"}, "x", 1),
        ({"pattern": r"^\p{L}+$"}, "äß", "a1"),
        ({"pattern": r"^(?<year>\d{4})-\k<year>$"}, "2026-2026", "2026-2025"),
        ({"pattern": r"^\u{1F600}$"}, "😀", "x"),
        ({"pattern": "^a{,2}$"}, "a{,2}", "aa"),
        ({"properties": {"pattern": {"type": "integer"}}}, {"pattern": 1}, {"pattern": "a"}),
    ],
)  # fmt: skip
def test_a_schema_accepts_and_refuses_what_the_official_suite_does_not_try(
    schema: Any, accepted: Any, refused: Any
) -> None:
    assert is_valid(schema, accepted)
    assert not is_valid(schema, refused)


@pytest.mark.req("SC-1")
def test_violations_name_the_place_the_keyword_and_the_reason() -> None:
    schema = {"type": "array", "items": {"properties": {"a/b": {"type": "number"}}, "required": ["name"]}}
    assert violations(schema, [{"a/b": "cheap"}]) == [
        Violation("/0/a~1b", "type", "'cheap' is not of type 'number'"),
        Violation("/0", "required", "'name' is a required property"),
    ]


@pytest.mark.req("SC-1")
def test_a_violation_of_alternatives_says_what_was_closest() -> None:
    schema = {"anyOf": [{"type": "null"}, {"properties": {"price": {"minimum": 0}}, "required": ["price"]}]}
    [violation] = violations(schema, {"price": -1})
    assert violation.keyword == "anyOf"
    assert "closest: /price: -1 is less than the minimum of 0" in violation.message


@pytest.mark.req("SC-1")
def test_a_message_about_a_large_value_stays_short() -> None:
    [violation] = violations({"type": "string"}, ["x" * 1_000_000])
    assert len(violation.message) < 1_000


@pytest.mark.req("SC-1")
@pytest.mark.parametrize(
    ("schema", "keyword", "path"),
    [
        ({"properties": {"price": {"type": "nummer"}}}, "type", "/properties/price/type"),
        ({"properties": {"price": {"minimum": "0"}}}, "minimum", "/properties/price/minimum"),
        ({"required": "name"}, "required", "/required"),
        ({"items": {"pattern": "("}}, "pattern", "/items/pattern"),
        ({"patternProperties": {"[": {}}}, "patternProperties", "/patternProperties"),
        ({"$ref": "https://example.com/a.json"}, "$ref", "/$ref"),
        ({"properties": {"a": {"$ref": "#/$defs/missing"}}}, "$ref", "/properties/a/$ref"),
        ({"$ref": "#/title", "title": "no schema"}, "$ref", "/$ref"),
        ({"$ref": "#/components/a", "components": {"a": {"type": 5}}}, "type", "/$ref/type"),
        ({"$ref": "#"}, "$ref", "/"),
        ({"anyOf": [{"type": "string"}, {"$ref": "#"}]}, "$ref", "/"),
        ({"$defs": {"a": {"not": {"$ref": "#/$defs/a"}}}, "$ref": "#/$defs/a"}, "$ref", "/$defs/a"),
        ({"$schema": "http://json-schema.org/draft-03/schema#"}, "$schema", "/$schema"),
        ({"items": [{"type": "string"}]}, "items", "/items"),
    ],
)
def test_an_invalid_schema_is_refused_with_the_keyword_and_its_path(schema: Any, keyword: str, path: str) -> None:
    with pytest.raises(InvalidSchema) as refusal:
        check_schema(schema)
    assert f"{keyword} at {path}" in str(refusal.value)


@pytest.mark.req("SC-5")
@pytest.mark.parametrize("schema", [None, 1, "x", [], {"a": {1, 2}}, {"enum": [float("nan")]}, {"type": 1}])
def test_what_is_no_schema_is_unenforceable_with_a_reason(schema: Any) -> None:
    reason = unenforceable(schema)
    assert reason
    assert "\n" not in reason


@pytest.mark.req("SC-5")
@pytest.mark.parametrize(
    "schema",
    [
        {},
        True,
        False,
        {"nullable": True},
        TREE,
        {"unknown": 1},
        {"const": {"$ref": "https://example.com"}},
        {"enum": []},
    ],
)
def test_what_can_be_enforced_is_not_called_unenforceable(schema: Any) -> None:
    assert unenforceable(schema) is None


@pytest.mark.req("SC-1")
def test_nothing_is_fetched_for_a_remote_reference(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("a connection was tried")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)
    for reference in ("http://127.0.0.1:9/a.json", "https://example.com/a#/b", "file:///etc/passwd", "other.json"):
        with pytest.raises(InvalidSchema, match="nothing is fetched"):
            is_valid({"properties": {"a": {"$ref": reference}}}, {})


def nested(levels: int) -> Any:
    value: Any = {}
    for _ in range(levels):
        value = {"child": value}
    return value


@pytest.mark.req("SC-1")
def test_a_deep_instance_is_checked_or_named_as_too_deep_never_a_traceback() -> None:
    assert is_valid(TREE, nested(50))
    deep = nested(sys.getrecursionlimit() * 3)
    assert not is_valid(TREE, deep)
    assert [violation.keyword for violation in violations(TREE, deep)] == ["depth"]
    assert is_valid({"type": "object"}, deep)


@pytest.mark.req("SC-1")
def test_a_schema_nested_without_end_is_refused() -> None:
    deep: Any = {}
    for _ in range(sys.getrecursionlimit() * 3):
        deep = {"properties": {"a": deep}}
    circular: dict[str, Any] = {}
    circular["properties"] = {"a": circular}
    assert "too deeply" in str(unenforceable(deep))
    assert "Circular" in str(unenforceable(circular))


@pytest.mark.req("SC-1")
def test_a_pattern_that_would_run_for_hours_is_cut_off_and_not_accepted() -> None:
    schema = {"pattern": "^(a|aa)+$"}
    text = "a" * 100 + "!"
    assert violations(schema, text) == [
        Violation("", "pattern", "a pattern of the schema takes too long on this value")
    ]
    assert not is_valid(schema, text)
    assert not is_valid({"not": schema}, text)


@pytest.mark.req("SC-1")
@pytest.mark.parametrize(
    ("factor", "number", "is_one"),
    [(0.01, 19.99, True), (0.01, 19.999, False), (0.1, 0.3, True), (0.5, 10**400, True), (0.3, 1e308, False)],
    ids=["cents", "less than a cent", "tenths", "a large number", "a large one of another factor"],
)
def test_multiples_are_of_the_numbers_as_they_are_written(factor: float, number: float, is_one: bool) -> None:
    assert is_valid({"multipleOf": factor}, number) is is_one


@pytest.mark.req("SC-1")
def test_unique_records_are_found_by_identity_not_by_comparing_pairs() -> None:
    class Counting(dict[str, int]):
        compared = 0

        def __eq__(self, other: object) -> bool:
            Counting.compared += 1
            return super().__eq__(other)

        __hash__ = None  # type: ignore[assignment]

    class AnyType:
        @staticmethod
        def is_type(_value: Any, _name: str) -> bool:
            return True

    assert list(check_unique_items(AnyType(), True, [Counting(a=index) for index in range(3_000)], {})) == []
    assert Counting.compared == 0


@pytest.mark.req("SC-1")
def test_the_callers_schema_is_not_changed_and_later_changes_of_it_count() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string"}}}
    assert is_valid(schema, {"a": "x"})
    schema["properties"]["a"]["type"] = "integer"  # type: ignore[index]
    assert not is_valid(schema, {"a": "x"})


@pytest.mark.req("SC-1", "SS-2")
def test_countless_faults_and_countless_parts_end_somewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(violations({"items": {"type": "string"}}, [1] * 5_000)) == MAX_VIOLATIONS
    monkeypatch.setattr(checks, "MAX_SUBSCHEMAS", 100)
    wide = {"properties": {f"field{number}": {"type": "string"} for number in range(101)}}
    assert unenforceable(wide) == "the schema has more than 100 subschemas"


@pytest.mark.req("SC-1")
def test_a_schema_that_names_its_draft_is_enforced_alike_where_a_reference_leads_back_to_it() -> None:
    note = {"type": "string", "nullable": True}
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "properties": {"child": {"$ref": "#"}, "note": note},
    }
    assert is_valid(schema, {"child": {"note": None}})
    inner = {
        "$id": "https://e.example/a",
        "$schema": "http://json-schema.org/draft-07/schema#",
        "dependencies": {"a": ["b"]},
    }
    assert not is_valid({"properties": {"x": inner}}, {"x": {"a": 1}})


@pytest.mark.req("SC-5")
@pytest.mark.parametrize("depth", [12, 30])
def test_references_that_multiply_for_one_value_are_refused(depth: int) -> None:
    twice = {f"d{n}": {"allOf": [{"$ref": f"#/$defs/d{n - 1}"}] * 2} for n in range(1, depth)}
    value = {"$ref": f"#/$defs/d{depth - 1}"}
    reason = unenforceable({"$defs": {"d0": {"type": "string"}, **twice}, "properties": {"a": value}})
    assert reason is not None
    assert "multiply" in reason


@pytest.mark.req("SC-5")
def test_a_chain_of_references_that_one_value_is_checked_along_ends_somewhere() -> None:
    chain = {f"d{n}": {"$ref": f"#/$defs/d{n - 1}"} for n in range(1, 5_000)}
    schema = {"$defs": {"d0": {"type": "string"}, **chain}, "properties": {"a": {"$ref": "#/$defs/d4999"}}}
    assert "multiply" in str(unenforceable(schema))


@pytest.mark.req("SC-1")
def test_work_that_multiplies_with_the_depth_of_a_value_ends_without_accepting_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(effort, "FREE_STEPS", 100)
    monkeypatch.setattr(effort, "STEPS_FOR_EACH_PART", 5)
    below = {"properties": {"a": {"$ref": "#/$defs/n"}}}
    schema = {"$defs": {"n": {"allOf": [below, below]}}, "$ref": "#/$defs/n"}
    shallow = {"a": {"a": 1}}
    deep = {"a": {"a": {"a": {"a": {"a": {"a": {"a": 1}}}}}}}
    assert is_valid(schema, shallow)
    assert not is_valid(schema, deep)
    assert ["takes more than" in violation.message for violation in violations(schema, deep)] == [True]
    assert is_valid({"items": {"type": "integer"}}, [1] * 1_000)


@pytest.mark.req("SC-1")
def test_a_pattern_that_runs_out_of_time_gets_less_of_it_the_next_time(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[float] = []

    class Slow:
        def search(self, _text: str, timeout: float) -> None:
            given.append(timeout)
            raise TimeoutError

    def compiled(_pattern: str) -> Slow:
        return Slow()

    monkeypatch.setattr(patterns, "compile_pattern", compiled)
    monkeypatch.setattr(patterns, "_timeouts", {})
    assert not any(is_valid({"pattern": "slow"}, f"text {number}") for number in range(20))
    assert given[:2] == [0.5, 0.25]
    assert sum(given) < 1.1


@pytest.mark.req("SC-1")
def test_a_long_enumeration_is_searched_and_named_in_part() -> None:
    [fault] = violations({"enum": [f"AB-{number}" for number in range(5_000)]}, "AB-5000")
    assert "5000 in all" in fault.message


@pytest.mark.req("SC-1")
@pytest.mark.parametrize(
    ("schema", "accepted", "refused"),
    [
        ({"type": ["string", "null"]}, None, 1),
        ({"type": "integer", "nullable": True}, None, True),
        ({"type": "number"}, 2.5, float("inf")),
        ({"enum": ["a", None]}, None, "b"),
        ({"type": "string", "format": "date"}, "2028-02-29", "2026-02-29"),
        ({"items": {"properties": {"n": {"type": "integer"}}, "required": ["n"]}}, [{"n": 1}], [{"n": 1}, {}]),
        ({"properties": {"n": {}}, "additionalProperties": False}, {"n": [1]}, {"m": 1}),
        ({"const": {"town": "Bern"}}, {"town": "Bern"}, {"town": "Basel"}),
        ({"enum": [1, []]}, 1.0, True),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, None, 1),
        ({"oneOf": [{"const": "a", "title": "A"}, {"enum": ["b", None]}]}, None, "c"),
        ({"oneOf": [{"enum": ["a", "b"]}, {"const": "b"}, {"enum": []}]}, "a", "b"),
    ],
)
def test_what_is_surely_valid_is_told_without_the_validator(schema: Any, accepted: Any, refused: Any) -> None:
    check = plain_check(schema)
    assert check is not None
    assert (check(accepted), check(refused)) == (True, False)
    assert (is_valid(schema, accepted), is_valid(schema, refused)) == (True, False)


@pytest.mark.req("SC-1")
@pytest.mark.parametrize(
    "schema",
    [
        {"minimum": 1},
        {"properties": {"a": {"$ref": "#"}}},
        {"items": [{"type": "string"}]},
        {"additionalProperties": {"type": "string"}},
        {"items": {"not": {}}},
        {"oneOf": [{"type": "string"}, {"type": "null"}]},
        {"$schema": "http://json-schema.org/draft-04/schema#", "const": 1},
        False,
    ],
)
def test_a_schema_that_says_more_is_for_the_validator_alone(schema: Any) -> None:
    assert plain_check(schema) is None


@pytest.mark.req("SC-1")
@pytest.mark.parametrize("keyword", ["anyOf", "oneOf"])
def test_a_value_that_no_branch_of_hundreds_lists_is_told_as_one_of_few_is(keyword: str) -> None:
    few, many = ({keyword: [{"const": f"town {number}"} for number in range(count)]} for count in (2, 300))
    for value in ("Bern", "town 1", {"town": 1}):
        assert violations(many, value) == violations(few, value)
    assert violations({keyword: [*many[keyword], {"const": "town 1"}]}, "town 2") == []
    assert is_valid({keyword: [*many[keyword], {"const": "town 1"}]}, "town 1") is (keyword == "anyOf")


@pytest.mark.req("SC-5")
def test_a_type_that_is_none_is_told_with_those_that_there_are() -> None:
    for schema, place in (({"type": "float"}, "/type"), ({"items": {"type": ["str"]}}, "/items/type/0")):
        said = unenforceable(schema)
        assert said is not None and said.startswith(f"type at {place}: '")
        assert "is not one of ['array', 'boolean'" in said
