"""Tier 0 inside the real state machine: complete answers without any model, and what it hands on to the next tier."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from gleaner import Gleaner
from gleaner.testing import FunctionModel

from tests.support.schemas import NUMBER, TEXT, records_of

SITE = Path(__file__).parents[1] / "fixtures/site"
URL = "https://shop.example/stations"
STATIONS = records_of(station=TEXT, altitude=NUMBER, temperature=NUMBER, read_on={"type": "string", "format": "date"})
Make = Callable[..., Gleaner]


@pytest.fixture(scope="module")
def stations() -> str:
    return (SITE / "stations.html").read_text("utf-8")


@pytest.mark.req("RC-4", "LB-1")
def test_a_table_with_the_schemas_columns_is_answered_whole_and_proven_without_a_model(
    make: Make, stations: str
) -> None:
    result = make().extract_html(stations, URL, output_schema=STATIONS)
    assert result.status == "complete"
    extraction = result.extraction
    assert extraction is not None
    assert extraction.tier == "structured"
    assert extraction.usage.calls == 0
    assert len(extraction.data) == 200
    assert extraction.data[0] == {
        "station": "Abernaha",
        "altitude": 903,
        "temperature": 9.4,
        "read_on": "2026-03-02",
    }
    assert (extraction.completeness.expected, extraction.completeness.returned) == (200, 200)
    assert extraction.completeness.method == "units"
    assert len(extraction.provenance) == 800
    assert {entry.status for entry in extraction.provenance} <= {"verbatim", "normalized"}
    assert result.markdown is not None
    first = next(entry for entry in extraction.provenance if entry.pointer == "/0/altitude")
    assert "903" in result.markdown[first.start : first.end]


@pytest.mark.req("RC-4", "ST-2")
def test_the_answer_is_added_to_the_aggregate_and_its_strategy_is_kept(make: Make, stations: str) -> None:
    gleaner = make()
    first = gleaner.extract_html(stations, URL, output_schema=STATIONS)
    assert first.extraction is not None
    assert first.extraction.aggregate_summary == "200 unique records from 1 page"
    again = gleaner.extract_html(stations, URL + "?again", extraction_id=first.extraction.extraction_id)
    assert again.extraction is not None
    assert again.extraction.tier == "structured"
    assert again.extraction.data == first.extraction.data


@pytest.mark.req("RC-4")
@pytest.mark.parametrize(
    "fields",
    [
        {"query": "only the stations above 500 m"},
        {"config": {"tiers": ["recipe", "model"]}},
        {"start_from_char": 2_000},
    ],
)
def test_what_is_in_doubt_or_not_wanted_goes_to_the_model(make: Make, stations: str, fields: dict[str, Any]) -> None:
    asked: list[str] = []

    def answer(prompt: str) -> str:
        asked.append(prompt)
        return "[]"

    make(FunctionModel(answer)).extract_html(stations, URL, output_schema=STATIONS, **fields)
    assert asked


@pytest.mark.req("RC-4")
@pytest.mark.parametrize("model", [None, FunctionModel(lambda _: "[]")], ids=["without a model", "with a model"])
def test_the_reason_why_tier_0_declined_stands_in_the_result(make: Make, stations: str, model: Any) -> None:
    result = make(model).extract_html(stations + stations.replace("Abernaha", "Ben"), URL, output_schema=STATIONS)
    assert result.extraction is not None
    assert result.extraction.declined == {"structured": "two tables have these columns"}


@pytest.mark.req("RC-4", "MD-5")
def test_a_selector_narrows_the_data_as_it_does_the_markdown(make: Make, stations: str) -> None:
    page = (
        f"<table id=old><tr><th>Station</th><th>Altitude</th></tr><tr><td>Ben</td><td>9 m</td></tr></table>{stations}"
    )
    result = make().extract_html(page, URL, output_schema=STATIONS, css_selector="main")
    assert result.extraction is not None
    assert result.extraction.tier == "structured"
    assert len(result.extraction.data) == 200
