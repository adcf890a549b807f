"""What a Catch gives becomes an error that programs and people can read."""

import json
from typing import Any

import pytest
from gleaner.contracts.errors import error_classes, error_type_of
from gleaner.steps.failure import STATES_ERRORS, read_failure


@pytest.mark.req("WF-1")
@pytest.mark.parametrize(
    ("failure", "error_type", "message"),
    [
        ({"Error": "States.Timeout", "Cause": ""}, "task_timeout", "a step exceeded its time limit"),
        ({"Error": "Sandbox.Timedout", "Cause": "x"}, "task_timeout", "a function exceeded its time limit"),
        ({"Error": "Runtime.ExitError"}, "function_killed", STATES_ERRORS["Runtime.ExitError"][1]),
        ({"Error": "PageTooLarge", "Cause": json.dumps({"errorMessage": "11 MB"})}, "page_too_large", "11 MB"),
        ({"Error": "PageTooLarge", "Cause": "no JSON"}, "page_too_large", "no JSON"),
        ({"Error": "PageTooLarge", "Cause": "[1]"}, "page_too_large", "[1]"),
        ({"Error": "KeyError", "Cause": json.dumps({"errorMessage": "'a'"})}, "internal_error", "KeyError: 'a'"),
        ({}, "internal_error", ""),
        (None, "internal_error", ""),
    ],
)
def test_a_failure_is_named_and_told(failure: Any, error_type: str, message: str) -> None:
    read = read_failure(failure)
    assert (read.error_type, read.message) == (error_type, message)


@pytest.mark.req("WF-1")
@pytest.mark.parametrize("cause", ["x" * 5_000, json.dumps(["x" * 5_000]), json.dumps({"errorMessage": "x" * 5_000})])
def test_no_cause_makes_a_message_that_nobody_reads(cause: str) -> None:
    assert len(read_failure({"Error": "PageTooLarge", "Cause": cause}).message) == 2_000


@pytest.mark.req("WF-1")
@pytest.mark.parametrize("name", sorted(error_classes()))
def test_each_error_of_the_tree_comes_through_a_catch_by_its_own_type(name: str) -> None:
    assert read_failure({"Error": name}).error_type is error_type_of(name)
