"""What a schema has no room for, though the page states it: as much as fits is kept, and the rest is told."""

import json
from pathlib import Path
from typing import Any

import pytest
from gleaner import Gleaner
from gleaner.contracts.models import ExtractionResult
from gleaner.testing import FunctionModel

ROWS = {"Birch mug": "red, blue", "Fern bowl": "red, red, blue", "Moss tray": "green"}
PAGE = "".join(f"<li><h3>{name}</h3><p>Tags: {tags}</p></li>" for name, tags in ROWS.items())


def extracted(home: Path, schema: Any, answer: Any) -> ExtractionResult:
    with Gleaner(model=FunctionModel(lambda _: json.dumps(answer)), home=home) as gleaner:
        page = f"<h1>Stock</h1><ul>{PAGE}</ul>"
        config = {"tiers": ["model"]}
        result = gleaner.extract_html(page, "https://shop.example/", output_schema=schema, config=config)
    assert result.extraction is not None
    return result.extraction


@pytest.mark.req("SC-1", "SC-4")
def test_items_given_twice_are_given_once_where_the_schema_wants_that(tmp_path: Path) -> None:
    tags = {"type": "array", "items": {"type": "string"}, "uniqueItems": True}
    item = {"type": "object", "properties": {"name": {"type": "string"}, "tags": tags}}
    answer = [{"name": name, "tags": said.split(", ")} for name, said in ROWS.items()]
    found = extracted(tmp_path, {"type": "array", "items": item}, answer)
    assert not found.is_partial
    assert [one["tags"] for one in found.data or []] == [["red", "blue"], ["red", "blue"], ["green"]]
    assert found.warnings == []


@pytest.mark.req("PR-2")
def test_a_value_that_is_all_of_the_data_is_named_where_the_page_does_not_state_it(tmp_path: Path) -> None:
    found = extracted(tmp_path, {"type": "number"}, 4242)
    assert found.is_partial
    assert found.warnings == ["Kept without proof: / (4242): not found on the page"]


@pytest.mark.req("PR-4", "SC-4")
@pytest.mark.parametrize("is_required", [False, True])
def test_a_time_without_an_offset_costs_neither_its_record_nor_a_second_question(
    tmp_path: Path, is_required: bool
) -> None:
    at = {"type": "string" if is_required else ["string", "null"], "format": "time"}
    item = {
        "type": "object",
        "properties": {"name": {"type": "string"}, "at": at},
        "required": ["name", *(["at"] if is_required else [])],
    }
    page = "<ul><li><b>Choir night</b> 19:30</li><li><b>Book fair</b> 10:00</li></ul>"
    answer = json.dumps([{"name": "Choir night", "at": "19:30"}, {"name": "Book fair", "at": "10:00:00"}])
    with Gleaner(model=FunctionModel(lambda _: answer), home=tmp_path) as gleaner:
        result = gleaner.extract_html(
            page,
            "https://town.example/",
            output_schema={"type": "array", "items": item},
            config={"tiers": ["model"]},
        )
    found = result.extraction
    assert found is not None
    assert [one["name"] for one in found.data or []] == ["Choir night", "Book fair"]
    assert found.usage.calls == 1
    told = " ".join([*found.warnings, *(one.message for one in found.errors)])
    assert "/0/at" in told or "/*/at" in told
    assert found.is_partial == is_required


@pytest.mark.req("EX-6")
def test_a_measure_in_another_unit_is_not_asked_for_again(tmp_path: Path) -> None:
    number = {"type": ["number", "null"]}
    schema = {"type": "object", "properties": {"name": {"type": "string"}, "weight_g": number, "length_mm": number}}
    answer = json.dumps({"name": "Jug", "weight_g": 1200, "length_mm": 250})
    with Gleaner(model=FunctionModel(lambda _: answer), home=tmp_path) as gleaner:
        found = gleaner.extract_html(
            "<h1>Jug</h1><p>Weight: 1.2 kg</p><p>Length: 25 cm</p>",
            "https://shop.example/",
            output_schema=schema,
            config={"tiers": ["model"]},
        ).extraction
    assert found is not None
    assert (found.usage.calls, found.data) == (1, json.loads(answer))
