"""Tables of readings, kept as data: what a text is for a field, how like a label is, and what a schema says (SC-4).

A row of ``readings.jsonl`` is language, text, field and value, null for a text that has to be left alone. A row of
``likeness.jsonl`` is field, label and likeness; of ``fields.jsonl`` a property and what is read of it.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from gleaner.schemas.fields import read_schema
from gleaner.values.conventions import Conventions
from gleaner.values.fields import Field
from gleaner.values.readers import parse

TABLES = Path(__file__).with_name("tables")


def rows(name: str) -> list[Any]:
    return [json.loads(line) for line in (TABLES / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


def field_of(said: dict[str, Any]) -> Field:
    return Field(
        said.get("name", ""),
        frozenset([said["type"]]) if "type" in said else frozenset(),
        (said["format"],) if "format" in said else (),
        said.get("description", ""),
        said.get("maximum"),
        also=(*([said["title"]] if "title" in said else []), *said.get("aliases", ())),
    )


@pytest.mark.req("SC-4")
@pytest.mark.parametrize(("language", "text", "field", "expected"), rows("readings"))
def test_a_text_is_the_value_of_a_field_or_none(language: str, text: str, field: dict[str, Any], expected: Any) -> None:
    page = Conventions(language=language)
    if expected is None:
        with pytest.raises(ValueError):
            parse(text, field_of(field), page)
    else:
        assert parse(text, field_of(field), page) == expected


@pytest.mark.parametrize(("field", "label", "likeness"), rows("likeness"))
def test_a_label_is_so_like_a_field(field: dict[str, Any], label: str, likeness: int) -> None:
    assert field_of(field).likeness(label) == likeness


@pytest.mark.parametrize(("properties", "expected"), rows("fields"))
def test_a_schema_says_this_of_its_fields(properties: dict[str, Any], expected: dict[str, Any]) -> None:
    first = read_schema({"type": "object", "properties": properties}).fields[0]
    read = {name: getattr(first, name) for name in expected}
    assert {name: [*each] if isinstance(each, tuple) else each for name, each in read.items()} == {
        name: frozenset(each) if name in ("roles", "currencies") else each for name, each in expected.items()
    }
