"""Tables of where a text states a value, and how, kept as data.

A row of ``stated.jsonl`` is text, value, the places that state it and how the first does; of ``fields.jsonl`` text,
field, value and how the page proves it: verbatim, by the transform that reads it so, or not at all (null).
"""

import json
from pathlib import Path
from typing import Any

import pytest
from gleaner.values.texts.text_index import TextIndex

from tests.support.told import told as prove

TABLES = Path(__file__).with_name("tables")


def rows(name: str) -> list[Any]:
    return [json.loads(line) for line in (TABLES / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.mark.req("PR-1", "PR-2")
@pytest.mark.parametrize(("text", "value", "places", "how"), rows("stated"))
def test_a_text_states_a_value_in_these_places(text: str, value: Any, places: list[str], how: str | None) -> None:
    found = TextIndex(text).find(value)
    assert [text[match.start : match.end] for match in found] == places
    assert [match.transform or match.status for match in found[:1]] == ([how] if how else [])


@pytest.mark.req("PR-1", "PR-2")
@pytest.mark.parametrize(("text", "field", "value", "how"), rows("fields"))
def test_a_text_proves_a_value_of_a_field_so(text: str, field: str, value: Any, how: str | None) -> None:
    (entry,) = prove({field: value}, text)
    assert (entry.transform or entry.status) == (how or "ungrounded")
