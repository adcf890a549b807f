"""A model that may not be asked, and a day whose money is spent."""

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from tests.cloud.stack import Cloud, client

ASKS_A_MODEL: dict[str, Any] = {
    "url": "http://shop.example/words",
    "enable_javascript": False,
    "output_schema": {"type": "object", "properties": {"what_it_says": {"type": "string"}}},
    "config": {"tiers": ["model"]},
}


def a_model_that_refuses_is_named(cloud: Cloud) -> str:
    """Let the model's service refuse the stack: the job says so, and what to do."""
    cloud.far.model.denies = True
    try:
        error = cloud.scrape(**ASKS_A_MODEL)["error"]
    finally:
        cloud.far.model.denies = False
    assert error["error_type"] == "model_misconfigured", error
    assert "AccessDeniedException" in error["message"], error
    return error["error_type"]


def the_daily_cap_ends_a_job_before_it_asks(cloud: Cloud) -> str:
    """Deploy a cap of nothing to the functions that ask models: no call is made, and the job names the cap."""
    asked = len(cloud.far.model.bodies)
    with with_variables(cloud, "plan_scrape", GLEANER_DAILY_USD_CAP="0"), \
            with_variables(cloud, "extract_chunk", GLEANER_DAILY_USD_CAP="0"):  # fmt: skip
        result = cloud.scrape(**ASKS_A_MODEL)
    assert result["status"] == "partial", result
    (error,) = result["extraction"]["errors"]
    assert error["error_type"] == "budget_exceeded", error
    assert "daily cap" in error["message"], error
    assert len(cloud.far.model.bodies) == asked
    return error["message"]


@contextmanager
def with_variables(cloud: Cloud, function: str, **variables: str) -> Generator[None]:
    """Set variables of a function until the end of the context."""
    name = cloud.functions[function]
    before = client("lambda").get_function_configuration(FunctionName=name)["Environment"]["Variables"]

    def put(found: dict[str, str]) -> None:
        client("lambda").update_function_configuration(FunctionName=name, Environment={"Variables": found})

    put({**before, **variables})
    try:
        yield
    finally:
        put(before)
