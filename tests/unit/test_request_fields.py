"""What a ScrapeRequest takes, and what it says of what it does not take."""

from typing import Any

import pytest
from gleaner.contracts.errors import InvalidRequest
from gleaner.contracts.models import ScrapeRequest, parse_request

URL = "https://example.com/"


def _nested(levels: int) -> dict[str, Any]:
    schema: dict[str, Any] = {}
    for _ in range(levels):
        schema = {"not": schema}
    return schema


def _refusal(**fields: Any) -> str:
    with pytest.raises(InvalidRequest) as refused:
        parse_request({"url": URL, **fields})
    return str(refused.value)


@pytest.mark.req("SC-1")
@pytest.mark.parametrize("schema", [_nested(201), _nested(5_000), "[" * 100_000, '{"not":' * 5_000])
def test_a_schema_of_more_levels_than_can_be_written_again_is_refused(schema: Any) -> None:
    assert _refusal(output_schema=schema).startswith("output_schema: a JSON Schema may nest 200 levels")


@pytest.mark.req("SC-1")
def test_a_schema_of_as_many_levels_as_are_allowed_can_be_written_again() -> None:
    request = parse_request({"url": URL, "output_schema": _nested(199)})

    assert ScrapeRequest.model_validate_json(request.model_dump_json()) == request


@pytest.mark.req("SC-1")
@pytest.mark.parametrize(("schema", "given"), [(5, "int"), ("5", "int"), (2.5, "float"), ("null", "NoneType")])
def test_what_is_no_schema_is_told_in_one_sentence(schema: Any, given: str) -> None:
    assert _refusal(output_schema=schema) == f"output_schema: a JSON Schema is an object, not {given}"


@pytest.mark.req("SC-1")
def test_a_schema_as_text_holds_no_number_that_json_has_not() -> None:
    assert "NaN is not a number in JSON" in _refusal(output_schema='{"minimum": NaN}')


@pytest.mark.req("EX-9")
@pytest.mark.parametrize("field", ["max_usd", "deadline_s"])
@pytest.mark.parametrize("number", ["inf", "nan"])
def test_a_cap_is_a_number_that_can_be_reached(field: str, number: str) -> None:
    assert f"budget.{field}: Input should be a finite number, not {number}" in _refusal(budget={field: float(number)})


@pytest.mark.req("BR-3")
def test_a_wait_given_under_both_its_names_is_told_by_both() -> None:
    assert "wait_for and waitFor are the same field" in _refusal(wait_for=5, waitFor=5)


@pytest.mark.req("AP-1")
def test_an_url_that_is_none_is_told_under_its_field() -> None:
    with pytest.raises(InvalidRequest, match=r"^url: must be an http or https URL with a host, not 'ftp://x/'$"):
        parse_request({"url": "ftp://x/"})


@pytest.mark.req("EX-1")
@pytest.mark.parametrize("blank", ["", "  ", "\n"])
def test_a_blank_query_asks_nothing(blank: str) -> None:
    request = parse_request({"url": URL, "query": blank})

    assert request.query is None
    assert not request.wants_extraction


@pytest.mark.req("SS-2")
@pytest.mark.parametrize(
    "fields",
    [{"format": "x" * 100_000}, {"x" * 100_000: 1}, {f"field{number}": 1 for number in range(10_000)}],
    ids=["value", "name", "many"],
)
def test_an_error_repeats_a_bounded_part_of_what_was_given(fields: dict[str, Any]) -> None:
    assert len(_refusal(**fields)) < 1_000


@pytest.mark.req("SC-1")
@pytest.mark.parametrize(
    "schema", [{"properties": {"\ud800": {}}}, {"const": float("nan")}, {"enum": [object()]}, {"enum": [{1, 2}]}]
)
def test_a_schema_that_no_json_can_say_is_told(schema: Any) -> None:
    assert "output_schema: a JSON Schema must be valid JSON: " in _refusal(output_schema=schema)


@pytest.mark.req("WF-1")
def test_a_request_that_no_state_can_pass_on_is_told_before_it_starts() -> None:
    assert "the limit is 250000: shorten the output_schema" in _refusal(output_schema={"enum": [*range(50_000)]})


@pytest.mark.req("AP-1")
@pytest.mark.parametrize(
    "fields",
    [{"budget": {"max_tokens": True}}, {"budget": {"max_usd": True}}, {"wait_for": True}, {"start_from_char": False},
     {"config": {"overlap_lines": True}}],
)  # fmt: skip
def test_true_and_false_are_no_numbers(fields: dict[str, Any]) -> None:
    assert "Input should be a number, not " in _refusal(**fields)
