"""Ways to set out records that mislead a counter of pieces: right answers are complete, and losses are seen."""

import asyncio
import json
from typing import Any

import pytest
from gleaner.extraction import ExtractionConfig, ExtractionResult, ExtractionSubAgent
from gleaner.page.opening import open_page
from gleaner.testing import FunctionModel

from tests.support.schemas import INTEGER, TEXT, list_of, object_of

NAMES = ("Larch", "Alder", "Rowan", "Birch", "Hazel", "Maple")
RECORDS = [{"name": name, "height": 12 + 3 * at, "planted": 1950 + 7 * at} for at, name in enumerate(NAMES)]
SCHEMA = list_of(object_of("name", name=TEXT, height=INTEGER, planted=INTEGER))
INTRO = "<h1>Trees</h1><p>Measured by the town's gardeners, and set down here for everybody to read.</p>"


def labelled(tag: str, record: dict[str, Any]) -> str:
    return "".join(f"<{tag}><b>{name.title()}:</b> {value}</{tag}>" for name, value in record.items())


PAGES = {
    "labelled paragraphs in a row": lambda records: "".join(labelled("p", one) for one in records),
    "labelled lines in lists": lambda records: "".join(
        f"<div class=tree><h3>{one['name']}</h3><ul>{labelled('li', one)}</ul></div>" for one in records
    ),
    "text set in columns under its heads": lambda records: (
        "<pre>"
        + "\n".join(["Baum;Höhe;Jahr", *(f"{one['name']};{one['height']};{one['planted']}" for one in records)])
        + "</pre>"
    ),
    "headings over sentences": lambda records: "".join(
        f"<h3>{one['name']}</h3><p>Its height over the ground is {one['height']} metres today. "
        f"It was planted by the gardeners in the year {one['planted']}.</p>"
        for one in records
    ),
    "columns side by side": lambda records: (
        "<table>"
        + "".join(
            f"<tr><th>{name.title()}</th>" + "".join(f"<td>{one[name]}</td>" for one in records) + "</tr>"
            for name in ("name", "height", "planted")
        )
        + "</table>"
    ),
}


def extract(
    html: str, answer: Any, chunk: int = 100_000, schema: dict[str, Any] | None = None, query: str = "all trees"
) -> ExtractionResult:
    page = open_page(html, "https://site.example/trees")
    agent = ExtractionSubAgent(FunctionModel(answer), sleep=lambda _: None)
    config = ExtractionConfig(max_chunk_chars=chunk)
    return asyncio.run(agent.extract(page.text, query, schema or SCHEMA, units=page.units, config=config))


def shown(prompt: str, records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    page = prompt.rpartition("<<<PAGE")[2].rpartition("<<<END")[0]
    return [one for one in records if one["name"] in page]


@pytest.mark.req("CM-1", "PR-1")
@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("count", [1, 3, 6])
def test_a_right_answer_is_complete_and_kept_whole(page: str, count: int) -> None:
    records = RECORDS[:count]
    result = extract(INTRO + PAGES[page](records), lambda prompt: json.dumps(shown(prompt, records)))
    assert result.data == records
    assert not result.is_partial


@pytest.mark.req("CM-1")
@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("lost", [0, 3, 5])
def test_a_lost_record_is_missed_however_the_page_is_set_out(page: str, lost: int) -> None:
    kept = [one for at, one in enumerate(RECORDS) if at != lost]
    result = extract(INTRO + PAGES[page](RECORDS), lambda prompt: json.dumps(shown(prompt, kept)))
    assert result.is_partial
    assert len(result.completeness.missing) == 1


@pytest.mark.req("PR-2")
@pytest.mark.parametrize("field", ["height", "planted"])
def test_a_column_side_by_side_proves_no_value_of_its_neighbour(field: str) -> None:
    shifted = [{**one, field: RECORDS[at - 1][field]} for at, one in enumerate(RECORDS)]
    result = extract(PAGES["columns side by side"](RECORDS), lambda _: json.dumps(shifted))
    assert [one.get(field) for one in result.data] == [None] * 6


@pytest.mark.req("CH-2")
def test_a_heading_goes_on_with_its_text_when_a_border_is_moved() -> None:
    records = [{"name": f"Tree {chr(65 + at)}", "height": 10 + at, "planted": 1900 + at} for at in range(20)]
    html = INTRO + PAGES["headings over sentences"](records)
    result = extract(html, lambda prompt: json.dumps(shown(prompt, records)), chunk=800)
    assert result.data == records
    assert not result.is_partial


STATED = list_of(
    object_of("name", name=TEXT, height=INTEGER, status={"type": "string", "enum": ["sound", "felled", "ill"]})
)
STANDING = [
    {"name": name, "height": 12 + 3 * at, "status": ("sound", "felled", "ill")[at % 3]} for at, name in enumerate(NAMES)
]


@pytest.mark.req("LB-2")
@pytest.mark.parametrize("wraps", [False, True])
def test_an_envelope_whose_words_are_also_names_of_fields_is_opened(wraps: bool) -> None:
    schema: dict[str, Any] = {"type": "object", "properties": {"trees": STATED}} if wraps else STATED
    rows = "".join(f"<li>{one['name']}, {one['height']} m, {one['status']}</li>" for one in STANDING)
    data = {"trees": STANDING} if wraps else STANDING
    result = extract(f"<ul>{rows}</ul>", lambda _: json.dumps({"status": "ok", "result": data}), schema=schema)
    assert result.data == data


@pytest.mark.req("LB-2")
def test_what_stands_around_a_list_is_no_envelope() -> None:
    schema = {"type": "object", "properties": {"town": {"type": "string"}, "trees": STATED}}
    rows = "".join(f"<li>{one['name']}, {one['height']} m, {one['status']}</li>" for one in STANDING)
    data = {"town": "Ulm", "trees": STANDING}
    assert extract(f"<h1>Ulm</h1><ul>{rows}</ul>", lambda _: json.dumps(data), schema=schema).data == data


@pytest.mark.req("PR-2")
@pytest.mark.parametrize(
    "row", ["<li>{name}, {height} m, {status}</li>", "<li>{name}: {height} m (status: {status})</li>"]
)
def test_a_choice_is_refused_where_the_record_says_another_one(row: str) -> None:
    html = "<ul>" + "".join(row.format(**one) for one in STANDING) + "</ul>"
    wrong = [{**one, "status": STANDING[at - 1]["status"]} for at, one in enumerate(STANDING)]
    result = extract(html, lambda _: json.dumps(wrong), schema=STATED)
    assert [one.get("status") for one in result.data] == [None] * 6
    assert extract(html, lambda _: json.dumps(STANDING), schema=STATED).data == STANDING


@pytest.mark.req("PR-2")
def test_the_day_of_a_date_is_no_count() -> None:
    html = "<ul>" + "".join(f"<li>{one['name']}, 14 March 2026, {one['height']} m</li>" for one in RECORDS) + "</ul>"
    wrong = [{"name": one["name"], "height": 14} for one in RECORDS]
    result = extract(html, lambda _: json.dumps(wrong))
    assert all("height" not in one for one in result.data)
    days = {"type": "array", "items": {"properties": {"name": {"type": "string"}, "day": {"type": "integer"}}}}
    given = [{"name": one["name"], "day": 14} for one in RECORDS]
    assert extract(html, lambda _: json.dumps(given), schema=days).data == given
