"""Records that are equal in all fields: rows of their own in one list, the same thing in two (CM-3)."""

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from gleaner import Gleaner
from gleaner.testing import FunctionModel, ScriptedModel

from tests.support.paged_site import LISTED_SCHEMA, PagedSite, listed_records, listed_truth
from tests.support.schemas import NUMBER, TEXT, list_of, object_of

Make = Callable[..., Gleaner]
Row = tuple[str, int]
REPORT = list_of(object_of(delito=TEXT, casos=NUMBER))
CRIMES = ("Hurto", "Robo", "Estafa", "Daños", "Amenazas", "Fraude", "Injurias")
ROWS: list[Row] = [(CRIMES[at % 7], 3 + at * at % 11) for at in range(60)]
SINGLE: list[Row] = [(f"{crime} {at}", 3 + at) for at, crime in enumerate(CRIMES * 2)]


def table(rows: Sequence[Row]) -> str:
    lines = "".join(f"<tr><td>{name}</td><td>{count}</td></tr>" for name, count in rows)
    return f"<table><tr><th>Delito</th><th>Casos</th></tr>{lines}</table>"


def items(rows: Sequence[Row]) -> str:
    return "<ul>" + "".join(f"<li><b>{name}</b>, {count} casos</li>" for name, count in rows) + "</ul>"


def cards(rows: Sequence[Row], names: str = "grid card") -> str:
    outer, inner = names.split()
    boxes = "".join(
        f"<div class={inner}><h3>{name}</h3><p>{count} casos este mes</p><a href=/{at}>Ver</a></div>"
        for at, (name, count) in enumerate(rows)
    )
    return f"<div class={outer}>{boxes}</div>"


def headed(*parts: str) -> str:
    return "".join(f"<h2>Parte {at} del informe</h2>{part}" for at, part in enumerate(parts, 1))


CASES = [
    pytest.param(table(ROWS), ROWS, ROWS, id="a table"),
    pytest.param(items(ROWS), ROWS, ROWS, id="a list"),
    pytest.param(cards(ROWS), ROWS, ROWS, id="cards"),
    pytest.param(headed(table(ROWS[:31]), table(ROWS[31:])), ROWS, ROWS, id="a table in two parts"),
    pytest.param(headed(cards(SINGLE[2:6], "top slide"), cards(SINGLE)), SINGLE[2:6] + SINGLE, SINGLE, id="a carousel"),
    pytest.param(headed(cards(SINGLE[2:6], "top card"), cards(SINGLE)), SINGLE[2:6] + SINGLE, SINGLE,
                 id="a carousel of the same cards"),
    pytest.param(headed(items(SINGLE), table(SINGLE)), SINGLE * 2, SINGLE, id="a list and a table of it"),
]  # fmt: skip


@pytest.mark.req("CM-3")
@pytest.mark.parametrize(("html", "answer", "expected"), CASES)
def test_a_model_s_equal_records_of_one_list_stay_and_those_of_two_are_one(
    make: Make, html: str, answer: list[Row], expected: list[Row]
) -> None:
    model = FunctionModel(lambda _: json.dumps([{"delito": name, "casos": count} for name, count in answer]))
    result = make(model).extract_html(
        f"<html><body>{html}</body></html>", "https://x.example/i", output_schema=REPORT, query="what was reported here"
    )
    assert result.extraction is not None
    assert sorted((one["delito"], one["casos"]) for one in result.extraction.data) == sorted(expected)
    assert result.status == "complete"
    unique = len({*expected})
    assert (result.extraction.aggregate_summary or "").startswith(f"{unique} unique records from 1 page")
    assert ("the same as one of these" in (result.extraction.aggregate_summary or "")) == (unique < len(expected))


@pytest.mark.req("CM-3", "RC-4")
def test_a_table_s_equal_rows_need_no_model(make: Make) -> None:
    rows = ROWS * 10 + SINGLE[:13]
    extraction = make().extract_html(table(rows), "https://x.example/i", output_schema=REPORT).extraction
    assert extraction is not None
    assert (extraction.tier, extraction.is_partial) == ("structured", False)
    assert [(one["delito"], one["casos"]) for one in extraction.data] == rows


@pytest.mark.req("CM-3", "RC-2")
def test_a_recipe_reads_equal_records_as_often_as_the_page_shows_them(make: Make) -> None:
    learned = [(name, 3 + at) for at, name in enumerate(CRIMES)]
    model = FunctionModel(lambda _: json.dumps([{"delito": name, "casos": count} for name, count in learned]))
    gleaner = make(model)
    gleaner.extract_html(cards(learned), "https://x.example/i/1", output_schema=REPORT)
    extraction = gleaner.extract_html(cards(ROWS), "https://x.example/i/2", output_schema=REPORT).extraction
    assert extraction is not None
    assert (extraction.tier, extraction.usage.calls) == ("recipe", 0)
    assert [(one["delito"], one["casos"]) for one in extraction.data] == ROWS


@pytest.mark.req("CM-3", "FP-1")
@pytest.mark.parametrize(("config", "count"), [({}, 36), ({"dedupe": "exact"}, 35), ({"dedupe": "none"}, 36)])
def test_equal_records_of_a_listing_s_page_stay_and_those_of_two_pages_go_under_exact(
    make: Make, config: dict[str, Any], count: int
) -> None:
    records = listed_records(36)
    records[5], records[30] = records[3], records[8]
    site = PagedSite(records=records)
    try:
        model = ScriptedModel(listed_truth(records))
        asked = {"output_schema": LISTED_SCHEMA, "follow": 9, "enable_javascript": False, "config": config}
        found = make(model, allow_hosts=[site.host]).scrape(f"{site.url}/next", **asked).extraction
    finally:
        site.close()
    assert found is not None
    assert found.data == (records if count == 36 else records[:30] + records[31:])
