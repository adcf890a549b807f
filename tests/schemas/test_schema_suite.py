"""The official JSON-Schema-Test-Suite, through is_valid."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from gleaner.schemas import is_valid, relax, schema_dict_to_pydantic_model
from pydantic import ValidationError

SUITE = Path(__file__).parent.parent / "fixtures" / "json_schema_test_suite"
DRAFTS = {
    "draft4": "http://json-schema.org/draft-04/schema#",
    "draft6": "http://json-schema.org/draft-06/schema#",
    "draft7": "http://json-schema.org/draft-07/schema#",
    "draft2019-09": "https://json-schema.org/draft/2019-09/schema",
    "draft2020-12": "https://json-schema.org/draft/2020-12/schema",
}
NEXT = {"draft6": "draft7", "draft2019-09": "draft2020-12"}
"""Drafts whose cases are nearly all those of the next one, too."""

LEAST_REQUIRED = {"draft4": 590, "draft6": 800, "draft7": 880, "draft2019-09": 1180, "draft2020-12": 1190}


def cases(draft: str, *, optional: bool) -> Iterator[tuple[str, Any, Any, bool]]:
    for name, groups in json.loads((SUITE / f"{draft}.json").read_text("utf-8")).items():
        if name.startswith("optional/") == optional:
            for group in groups:
                schema = group["schema"]
                dated = {"$schema": DRAFTS[draft], **schema} if isinstance(schema, dict) else schema
                for test in group["tests"]:
                    yield f"{name}: {group['description']}: {test['description']}", dated, test["data"], test["valid"]


def made_once(make: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Give what a function makes of a schema, made once for the tests of a group, which share it."""
    last: list[Any] = []

    def made(schema: Any) -> Any:
        if not last or last[0] is not schema:
            last[:] = schema, make(schema)
        return last[1]

    return made


@pytest.mark.req("SC-1")
@pytest.mark.parametrize("draft", DRAFTS)
def test_every_required_test_of_the_official_suite_passes(draft: str) -> None:
    run = list(cases(draft, optional=False))
    # format.json of the required tests is about format as a mere annotation.
    wrong = [
        name for name, schema, data, valid in run
        if is_valid(schema, data, formats=not name.startswith("format.json")) != valid
    ]  # fmt: skip
    assert wrong == []
    assert len(run) >= LEAST_REQUIRED[draft]


@pytest.mark.req("SC-1")
@pytest.mark.parametrize("draft", DRAFTS)
def test_the_suites_optional_tests_of_formats_patterns_and_large_numbers_pass(draft: str) -> None:
    run = list(cases(draft, optional=True))
    assert [name for name, schema, data, valid in run if is_valid(schema, data) != valid] == []
    assert len(run) >= 200


@pytest.mark.req("SC-2", "SC-6")
@pytest.mark.parametrize("draft", DRAFTS)
def test_a_model_made_from_any_schema_of_the_suite_decides_as_the_suite_does_and_keeps_the_data(draft: str) -> None:
    decided = 0
    wrong: list[str] = []
    model_of = made_once(schema_dict_to_pydantic_model)
    for name, schema, data, valid in cases(draft, optional=False):
        if name.startswith("format.json"):  # about format as a mere annotation
            continue
        decided += 1
        try:
            kept = json.loads(model_of(schema).model_validate(data).model_dump_json()) == data
        except ValidationError:
            kept = not valid
        else:
            kept = kept and valid
        if not kept:
            wrong.append(name)
    assert wrong == []
    assert decided >= LEAST_REQUIRED[draft] - 120


@pytest.mark.req("SC-3")
@pytest.mark.parametrize("draft", DRAFTS)
def test_relaxed_schemas_of_the_suite_accept_what_the_suite_calls_valid(draft: str) -> None:
    relaxed = made_once(relax)
    also = {said(*case) for case in cases(NEXT[draft], optional=False)} if draft in NEXT else set()
    assert [
        name
        for name, schema, data, valid in cases(draft, optional=False)
        if valid and said(name, schema, data, valid) not in also and not is_valid(relaxed(schema), data)
    ] == []


def said(_name: str, schema: Any, data: Any, valid: bool) -> str:
    """Give what a case says whatever its draft."""
    undated = {key: part for key, part in schema.items() if key != "$schema"} if isinstance(schema, dict) else schema
    return json.dumps([undated, data, valid])
