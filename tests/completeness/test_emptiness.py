"""A list without a record is complete only where nothing speaks against it."""

import asyncio
import json
from pathlib import Path

import pytest
from gleaner import Gleaner
from gleaner.completeness.emptiness import may_hold_records, says_it_is_empty, why_not_empty
from gleaner.extraction import ExtractionResult, ExtractionSubAgent
from gleaner.page.opening import open_page
from gleaner.testing import FunctionModel

ITEM = {"type": "object", "properties": {"name": {"type": "string"}, "price": {"type": "number"}}}
SCHEMA = {"type": "array", "items": ITEM}
TIPS = "<ul><li>Check the spelling</li><li>Use fewer words</li><li>Ask us</li></ul>"


def _extract(html: str, answer: object = ()) -> ExtractionResult:
    page = open_page(html)
    agent = ExtractionSubAgent(FunctionModel(lambda _: json.dumps(answer)), sleep=lambda _: None)
    return asyncio.run(agent.extract(page.text, "all lamps", SCHEMA, units=page.units))


@pytest.mark.req("CM-1")
@pytest.mark.parametrize(
    "text",
    [
        "No results found.",
        "0 results",
        "Nothing here yet",
        "There are no open positions",
        "Keine passenden Treffer",
        "Aucun résultat",
        "No se encontraron productos",
        "没有找到相关商品",
    ],
)
def test_pages_that_list_nothing_are_known_by_what_they_say(text: str) -> None:
    assert says_it_is_empty(f"# Lamps\n\n{text}\n")


@pytest.mark.req("CM-1")
@pytest.mark.parametrize("text", ["20 results", "No. 5 lamp", "Page 10 of 20", "Show all products", "| No items |"])
def test_other_pages_say_nothing_of_the_kind(text: str) -> None:
    assert not says_it_is_empty(text)


@pytest.mark.req("CM-1")
@pytest.mark.parametrize("answer", [[], {}, None, "nothing", [{"name": None, "price": None}]])
def test_an_empty_list_of_a_page_that_states_prices_is_not_complete(answer: object) -> None:
    result = _extract("<h1>Our lamp</h1><p>The larch lamp is made by hand and costs $35.00 in all.</p>", answer)
    assert (result.data, result.is_partial) == ([], True)
    assert result.errors


@pytest.mark.req("CM-1")
@pytest.mark.parametrize(
    "html",
    [
        "<h1>Lamps</h1><p>No results found for your search.</p>",
        f"<h1>Lamps</h1><p>No results found.</p>{TIPS}",
        "<h1>About us</h1><p>We have made lamps by hand since 1950, and like it.</p>",
        "<h1>Lamps</h1><p>0 products</p><p>Free delivery from $50.</p>",
    ],
)
def test_an_empty_list_of_a_page_that_shows_none_is_complete(html: str) -> None:
    result = _extract(html)
    assert (result.data, result.is_partial, result.errors) == ([], False, [])


@pytest.mark.req("CM-1", "EX-6")
def test_what_a_page_says_of_itself_does_not_speak_against_its_rows() -> None:
    rows = "".join(f"<tr><td>Lamp {name}</td><td>${at}.00</td></tr>" for at, name in enumerate("ABCDEF", 10))
    result = _extract(f"<h1>Lamps</h1><p>No results found.</p><table>{rows}</table>")
    assert (result.is_partial, len(result.completeness.missing)) == (True, 6)


@pytest.mark.req("CM-1")
def test_numbers_count_only_where_several_stand_together() -> None:
    schema = {"properties": {"seats": {"type": "integer"}, "year": {"type": "integer"}}}
    assert may_hold_records("A hall with 300 seats, built in 1950.", schema)
    assert not may_hold_records("A hall, built in 1950.", schema)
    assert not may_hold_records("A hall with 300 seats, built in 1950.", {"properties": {"name": {}, "city": {}}})


@pytest.mark.req("CM-1")
@pytest.mark.parametrize(
    ("title", "is_door"),
    [
        ("404", True),
        ("Error 503.", True),
        ("4.423 houses", False),
        ("3,773,535 members", False),
        ("Faster with AVX-512", False),
    ],
)
def test_a_number_in_another_one_is_no_error(title: str, is_door: bool) -> None:
    assert (why_not_empty(f"# {title}") is not None) == is_door


@pytest.mark.req("CM-1")
@pytest.mark.parametrize(("count", "is_partial"), [(6, False), (0, True)])
def test_a_login_form_beside_a_listing_that_was_read_and_passed_over_says_nothing(
    tmp_path: Path, count: int, is_partial: bool
) -> None:
    rows = "".join(f"<tr><td>Lamp {name}</td><td>steel, {at} cm</td></tr>" for at, name in enumerate("ABCDEF"[:count]))
    html = f"<form><input type=password></form><h1>Lamps</h1><p>All that we have.</p><table>{rows}</table>"
    schema = {"type": "array", "items": {"type": "object", "properties": {"title": {"type": "string"}}}}
    answer = json.dumps({"data": [], "skipped": [*range(count)]})
    with Gleaner(model=FunctionModel(lambda _: answer), home=tmp_path) as gleaner:
        result = gleaner.extract_html(html, "https://lamps.example/", query="job openings", output_schema=schema)
    assert (result.status == "partial") == is_partial
