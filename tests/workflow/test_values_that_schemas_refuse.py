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
