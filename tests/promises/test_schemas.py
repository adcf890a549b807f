"""Any JSON Schema, truly enforced: what is called complete satisfies it, by another validator's judgement too."""

import json
from typing import Any

import pytest
from gleaner.testing import FunctionModel
from jsonschema import Draft202012Validator

from tests.promises.lamps import FORTY, LAMP, LAMPS, giving, page_of, read
from tests.support.asking import Make
from tests.support.schemas import TEXT, list_of, object_of


def listing(more: dict[str, Any], **rules: Any) -> dict[str, Any]:
    """Give the schema of a list of lamps of which the page says one thing more."""
    return {**list_of(object_of("name", name=TEXT, more=more)), **rules}


CLOSED = {"type": "array", "items": {"type": "object", "properties": {"name": TEXT}, "additionalProperties": False}}
GREEN = {"properties": {"more": {"const": "green"}}, "required": ["more"]}
DAY = {"type": ["string", "null"], "format": "date"}
DAYS = ("03/04/2026", "05/06/2026")
ONE_OF_TWO = {
    "anyOf": [
        {"type": "object", "properties": {name: TEXT}, "required": [name], "additionalProperties": False}
        for name in ("colour", "finish")
    ]
}
BOTH, ONE = {"colour": "red", "finish": "matt"}, {"colour": "blue"}
Case = tuple[dict[str, Any], tuple[str, str], list[Any], list[Any]]
REFUSED: dict[str, Case] = {
    # the schema, what the page says of two lamps, what the model says of them, what of it may be served
    "a value twice": (
        listing({"type": "array", "uniqueItems": True}),
        ("red, red", "blue"), [["red", "red"], ["blue"]], [["red"], ["blue"]],
    ),
    "true for 1": (listing({"enum": [1, 2]}), ("level 1", "level 2"), [True, 2], [None, 2]),
    "an unknown choice": (listing({"enum": ["red", "blue"]}), ("mauve", "blue"), ["mauve", "blue"], [None, "blue"]),
    "another pattern": (listing({"pattern": "^[a-z]+$"}), ("RED", "blue"), ["RED", "blue"], [None, "blue"]),
    "too little": (listing({"type": "number", "minimum": 5}), ("3", "7"), [3, 7], [None, 7]),
    "no number": (listing({"type": "number"}), ("red", "7"), ["red", 7], [None, 7]),
    "a field of its own": (CLOSED, ("red", "blue"), ["red", "blue"], [None, None]),
    "two alternatives": (listing(ONE_OF_TWO), ("red, matt", "blue"), [BOTH, ONE], [None, ONE]),
    "a day that may be two": (listing(DAY), DAYS, [*DAYS], [None, None]),
    "a number or a day": (listing({"anyOf": [{"type": "number"}, DAY]}), ("20260312", "7"), ["20260312", 7], [None, 7]),
}  # fmt: skip


def two_lamps(says: tuple[str, str]) -> str:
    rows = "".join(f"<tr><td>Lamp {number:02}</td><td>{text}</td></tr>" for number, text in enumerate(says))
    return f"<h1>Lamps</h1><table><tr><th>What</th><th>Besides</th></tr>{rows}</table>"


@pytest.mark.req("SC-1", "SC-4", "EX-4")
@pytest.mark.parametrize("case", REFUSED)
def test_a_value_that_the_schema_refuses_is_not_served(make: Make, case: str) -> None:
    schema, says, told, served = REFUSED[case]
    answer = json.dumps([{"name": f"Lamp {number:02}", "more": value} for number, value in enumerate(told)])
    _, extraction = read(make(FunctionModel(lambda _: answer)), two_lamps(says), output_schema=schema)
    assert [one.get("more") for one in extraction.data] == served
    Draft202012Validator(schema, format_checker=Draft202012Validator.FORMAT_CHECKER).validate(extraction.data)


@pytest.mark.req("SC-1")
@pytest.mark.parametrize("rules", [{"minItems": 3}, {"contains": GREEN}], ids=str)
def test_data_that_breaks_the_schema_as_a_whole_is_kept_and_not_called_complete(
    make: Make, rules: dict[str, Any]
) -> None:
    answer = json.dumps([{"name": "Lamp 00", "more": "red"}, {"name": "Lamp 01", "more": "blue"}])
    schema = listing(TEXT, **rules)
    status, extraction = read(make(FunctionModel(lambda _: answer)), two_lamps(("red", "blue")), output_schema=schema)
    assert (status, len(extraction.data)) == ("partial", 2)
    assert [error.error_type for error in extraction.errors] == ["validation_error"]


@pytest.mark.req("EX-4")
def test_an_answer_that_breaks_the_schema_is_asked_for_again_with_what_is_wrong_with_it(make: Make) -> None:
    wrong, truth = json.dumps([{**one, "price": "cheap"} for one in FORTY]), giving(FORTY)
    model = FunctionModel(lambda prompt: truth.fn(prompt) if len(model.prompts) > 1 else wrong)
    status, extraction = read(make(model), page_of(FORTY))
    assert (status, extraction.data) == ("complete", FORTY)
    assert "cheap" in model.prompts[1]


@pytest.mark.req("EX-4")
@pytest.mark.parametrize("retries", [0, 2])
def test_a_wrong_answer_is_asked_for_again_as_often_as_the_request_allows(make: Make, retries: int) -> None:
    model = FunctionModel(lambda _: json.dumps([{"name": len(model.prompts), "price": "cheap"}]))
    schema = {**LAMPS, "items": {**LAMP, "required": ["name", "price"]}}
    config = {"tiers": ["model"], "max_retries_per_chunk": retries}
    status, extraction = read(make(model), page_of(FORTY), output_schema=schema, config=config)
    assert (status, extraction.data or []) == ("partial", [])
    assert len(model.prompts) == 1 + retries
    assert extraction.errors[0].retries_exhausted
