"""What a schema has no room for, though the page states it: as much as fits is kept, and the rest is told."""

from pathlib import Path
from typing import Any

import pytest
from gleaner.contracts.models import ExtractionResult

from tests.support.asking import answered, bullets
from tests.support.schemas import MAYBE_NUMBER, TEXT, list_of, object_of

ROWS = {"Birch mug": "red, blue", "Fern bowl": "red, red, blue", "Moss tray": "green"}
PAGE = f"<h1>Stock</h1>{bullets(*(f'<h3>{name}</h3><p>Tags: {tags}</p>' for name, tags in ROWS.items()))}"


def extracted(home: Path, schema: Any, answer: Any, page: str = PAGE) -> ExtractionResult:
    result, _ = answered(home, page, schema, answer, config={"tiers": ["model"]})
    assert result.extraction is not None
    return result.extraction


@pytest.mark.req("SC-1", "SC-4")
def test_items_given_twice_are_given_once_where_the_schema_wants_that(tmp_path: Path) -> None:
    item = object_of(name=TEXT, tags={**list_of(TEXT), "uniqueItems": True})
    answer = [{"name": name, "tags": said.split(", ")} for name, said in ROWS.items()]
    found = extracted(tmp_path, list_of(item), answer)
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
    item = object_of("name", *(["at"] if is_required else []), name=TEXT, at=at)
    page = bullets("<b>Choir night</b> 19:30", "<b>Book fair</b> 10:00")
    answer = [{"name": "Choir night", "at": "19:30"}, {"name": "Book fair", "at": "10:00:00"}]
    found = extracted(tmp_path, list_of(item), answer, page)
    assert [one["name"] for one in found.data or []] == ["Choir night", "Book fair"]
    assert found.usage.calls == 1
    told = " ".join([*found.warnings, *(one.message for one in found.errors)])
    assert "/0/at" in told or "/*/at" in told
    assert found.is_partial == is_required


@pytest.mark.req("EX-6")
def test_a_measure_in_another_unit_is_not_asked_for_again(tmp_path: Path) -> None:
    schema = object_of(name=TEXT, weight_g=MAYBE_NUMBER, length_mm=MAYBE_NUMBER)
    answer = {"name": "Jug", "weight_g": 1200, "length_mm": 250}
    found = extracted(tmp_path, schema, answer, "<h1>Jug</h1><p>Weight: 1.2 kg</p><p>Length: 25 cm</p>")
    assert (found.usage.calls, found.data) == (1, answer)
