"""No value of an answer is lost in silence: it is served, or told with the place where it stood (PR-1, PR-2)."""

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest
from gleaner.contracts.models import ExtractionResult
from gleaner.extraction import ExtractionSubAgent
from gleaner.testing import FunctionModel
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.schemas import TEXT, list_of, object_of

NAMES = ("name", "start", "seats")
WORDS = ("amber", "birch", "cedar", "dune", "7", "42", "200", "tonight", "8 May 2026, 19:30")
PAGE = "# Evenings\n\n" + "\n".join(f"- amber {n} · birch · cedar · dune · 7 · 42 · tonight" for n in range(3))

LEAVES = st.sampled_from(
    [
        {"type": "string"},
        {"type": ["string", "null"], "format": "date-time"},
        {"type": "string", "maxLength": 4},
        {"type": ["number", "null"], "minimum": 50},
        {"type": "integer"},
        {"enum": ["amber", "birch", None]},
        {"type": "array", "items": {"type": "integer"}},
        {"type": "object", "properties": {"name": {"type": "string", "pattern": "^[a-c]"}}},
    ]
)
SCALARS = st.sampled_from([*WORDS, 7, 42, 200, True])
VALUES = st.one_of(SCALARS, st.lists(SCALARS, max_size=3), st.fixed_dictionaries({"name": SCALARS}))


def extract(answer: Any, schema: dict[str, Any], page: str = PAGE) -> ExtractionResult:
    model = FunctionModel(lambda prompt: json.dumps(answer))
    agent = ExtractionSubAgent(model, max_retries_per_chunk=1)
    return asyncio.run(agent.extract(page, "all evenings", schema))


def scalars(value: Any) -> Iterator[str]:
    if isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from scalars(inner)
    elif value is not None:
        yield str(value)


def unheard(answer: Any, result: ExtractionResult) -> list[str]:
    """Give the scalars of an answer that the result neither serves nor tells."""
    heard = {*scalars(result.data), *(one for entry in result.provenance for one in scalars(entry.value))}
    told = " ".join([*result.warnings, *(error.message for error in result.errors)])
    return [one for one in scalars(answer) if one not in heard and one not in told]


@pytest.mark.req("PR-1", "PR-2")
@settings(max_examples=60)
@given(st.fixed_dictionaries(dict.fromkeys(NAMES, LEAVES)), st.fixed_dictionaries(dict.fromkeys(NAMES, VALUES)))
def test_each_value_of_an_answer_is_served_or_told(properties: Any, answer: Any) -> None:
    result = extract(answer, {"type": "object", "properties": properties})
    assert unheard(answer, result) == [] or "validation_error" in [error.error_type for error in result.errors]
    entries = {entry.pointer for entry in result.provenance}
    assert all(f"/{name}" in "".join(entries) for name, value in (result.data or {}).items() if [*scalars(value)])


EVENINGS = list_of(object_of(name=TEXT, start={"type": ["string", "null"], "format": "date-time"}))
LISTED = "# Evenings\n\n- Amber, 8 May 2026, 19:30\n- Birch, 9 May 2026, 20:00\n- Cedar, 10 May 2026, 21:00\n"


@pytest.mark.req("PR-2", "SC-1")
def test_a_value_that_the_schema_refuses_stays_in_the_entry_of_its_place() -> None:
    answer = [
        {"name": "Amber", "start": "2026-05-08T19:30:00Z"},
        {"name": "Birch", "start": "2026-05-09T20:00"},
        {"name": "Cedar", "start": None},
    ]
    result = extract(answer, EVENINGS, LISTED)
    assert [record["start"] for record in result.data] == [None, None, None]
    [entry] = [entry for entry in result.provenance if entry.transform == "refused"]
    assert (entry.pointer, entry.status, entry.value) == ("/1/start", "ungrounded", "2026-05-09T20:00")
    assert any("2026-05-09T20:00" in warning for warning in result.warnings)


@pytest.mark.req("PR-2")
def test_the_entry_follows_its_record_when_an_invented_one_before_it_goes() -> None:
    answer = [{"name": "Zorro", "start": None}, {"name": "Birch", "start": "2026-05-09T20:00"}]
    result = extract(answer, EVENINGS, "# Evenings\n\nBirch plays on 9 May 2026, 20:00.\n")
    assert [record["name"] for record in result.data] == ["Birch"]
    assert [entry.pointer for entry in result.provenance if entry.transform == "refused"] == ["/0/start"]


@pytest.mark.req("PR-2")
def test_an_item_that_the_schema_refuses_points_past_the_end_of_its_list() -> None:
    numbers = {"type": "array", "items": {"type": "integer"}}
    result = extract({"seats": ["tonight", 7], "rows": [42]}, {"properties": {"seats": numbers, "rows": numbers}})
    assert result.data == {"seats": [7], "rows": [42]}
    assert [(entry.pointer, entry.value) for entry in result.provenance if entry.value] == [("/seats/-", "tonight")]
