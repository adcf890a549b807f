"""The library runs the real state machine over pages: what comes back, and what a failure looks like."""

import json
import re
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from gleaner import Gleaner
from gleaner.contracts.errors import BlockedAddress, InvalidRequest, InvalidSettings, UnsupportedFormat
from gleaner.contracts.ports import JsonObject
from gleaner.jobs.jobs import JobRef, Jobs
from gleaner.steps.plan import plan_scrape
from gleaner.testing import FunctionModel, ScriptedModel, TrueRecord
from pydantic import BaseModel

from tests.support.schemas import NUMBER, TEXT, records_of

SCHEMA = records_of(label=TEXT, cost=NUMBER)
ROWS = [(f"Item {number:03}", f"{number * 7 % 900 + 3}.40") for number in range(60)]
Make = Callable[..., Gleaner]
URL = "https://shop.example/items"


def table_page(rows: list[tuple[str, str]]) -> str:
    body = "".join(f"<tr><td>{name}</td><td>${price}</td></tr>" for name, price in rows)
    return f"<title>Items</title><h1>Items</h1><table><tr><th>What</th><th>How much</th></tr>{body}</table>"


def truth(rows: list[tuple[str, str]]) -> list[TrueRecord]:
    return [TrueRecord({"label": name, "cost": float(price)}, (name,)) for name, price in rows]


@pytest.mark.req("LB-1", "EX-1", "EX-3", "SC-1", "WF-1")
def test_records_come_back_whole_proven_and_counted(make: Make) -> None:
    result = make(ScriptedModel(truth(ROWS))).extract_html(table_page(ROWS), URL, output_schema=SCHEMA)
    assert result.status == "complete"
    extraction = result.extraction
    assert extraction is not None
    assert extraction.data == [{"label": name, "cost": float(price)} for name, price in ROWS]
    assert (extraction.completeness.expected, extraction.completeness.returned) == (60, 60)
    assert extraction.tier == "model"
    assert len(extraction.provenance) == 120


@pytest.mark.req("WF-1")
def test_steps_are_handed_names_of_what_is_stored_and_never_its_text(make: Make) -> None:
    handed: list[str] = []

    def listen(_function: str, _phase: str, payload: JsonObject) -> None:
        handed.append(json.dumps(payload))

    gleaner = make(ScriptedModel(truth(ROWS)), on_step=listen)
    config = {"max_chunk_chars": 900}
    assert gleaner.extract_html(table_page(ROWS), URL, output_schema=SCHEMA, config=config).status == "complete"
    assert len(handed) >= 8
    assert not [payload for payload in handed if "Item 0" in payload or len(payload) > 2_000]


@pytest.mark.req("LB-1", "BR-2")
def test_the_links_of_html_that_is_at_hand_are_given(make: Make) -> None:
    result = make().extract_html("<a href=b>B</a><a href='/c'>C</a><a href=b>B</a>", f"{URL}/", format="links")
    assert (result.status, result.links) == ("complete", [f"{URL}/b", "https://shop.example/c"])


def answer_rows(prompt: str, rows: list[tuple[str, str]]) -> str:
    return json.dumps([{"label": name, "cost": float(price)} for name, price in rows if f"| {name} |" in prompt])


@pytest.mark.req("EX-5")
def test_one_chunk_fails_for_good_and_the_others_are_kept(make: Make) -> None:
    def answer(prompt: str) -> str:
        if "| Item 010 |" in prompt:
            raise RuntimeError("the model's own fault")
        return answer_rows(prompt, ROWS)

    config = {"max_chunk_chars": 600}
    result = make(FunctionModel(answer)).extract_html(table_page(ROWS), URL, output_schema=SCHEMA, config=config)
    assert result.status == "partial"
    assert result.extraction is not None
    assert result.extraction.is_partial
    assert 30 < len(result.extraction.data) < 60
    assert any("the model's own fault" in error.message for error in result.extraction.errors)


@pytest.mark.req("EX-9")
def test_a_cap_of_no_tokens_makes_no_call_and_says_so(make: Make) -> None:
    model = ScriptedModel(truth(ROWS))
    result = make(model).extract_html(table_page(ROWS), URL, output_schema=SCHEMA, budget={"max_tokens": 0})
    assert result.status == "partial"
    assert model.requests == []
    assert result.extraction is not None
    assert result.extraction.errors[0].error_type == "budget_exceeded"


@pytest.mark.req("ST-2")
def test_an_extraction_id_carries_selector_schema_and_query_to_the_next_page(make: Make) -> None:
    gleaner = make(ScriptedModel(truth(ROWS)))
    first_page = f"<div id='a'>{table_page(ROWS[:30])}</div><p>Item 059 is not for sale</p>"
    first = gleaner.extract_html(first_page, URL, output_schema=SCHEMA, query="items", css_selector="#a")
    assert first.extraction is not None
    name = first.extraction.extraction_id
    assert name
    second_page = f"<div id='a'>{table_page(ROWS[30:])}</div>"
    second = gleaner.extract_html(second_page, URL + "?page=2", extraction_id=name)
    assert second.extraction is not None
    assert second.extraction.schema_used == SCHEMA
    assert len(second.extraction.data) == 30
    assert second.extraction.aggregate_summary == "60 unique records from 2 pages"


@pytest.mark.req("ST-2")
def test_an_unknown_extraction_id_without_a_schema_is_not_found(make: Make) -> None:
    result = make().extract_html(table_page(ROWS), URL, extraction_id="ex_nobody")
    assert result.status == "failed"
    assert result.error is not None
    assert result.error.error_type == "not_found"
    assert "ex_nobody" in result.error.message


@pytest.mark.req("EX-2")
def test_without_a_model_the_result_says_that_one_is_needed_and_how_to_set_it(make: Make) -> None:
    schema = {"type": "array", "items": {"type": "object", "properties": {"mood": {"type": "string"}}}}
    result = make().extract_html("<p>Some words about the sea.</p>", URL, output_schema=schema)
    assert result.status == "partial"
    assert result.extraction is not None
    assert result.extraction.data is None
    assert "GLEANER_MODEL" in result.extraction.errors[0].message


@pytest.mark.req("SC-5")
def test_a_schema_that_cannot_be_enforced_gives_text_and_says_why(make: Make) -> None:
    model = FunctionModel(lambda _: "Some items.")
    result = make(model).extract_html(table_page(ROWS), URL, output_schema={"type": "nonsense"}, query="how many?")
    assert result.extraction is not None
    assert result.extraction.data == "Some items."
    assert (result.status, [error.error_type for error in result.extraction.errors]) == ("partial", ["invalid_schema"])
    assert any("can't be enforced" in warning for warning in result.extraction.warnings)


def test_a_schema_may_come_as_a_json_string(make: Make) -> None:
    result = make(ScriptedModel(truth(ROWS))).extract_html(table_page(ROWS), URL, output_schema=json.dumps(SCHEMA))
    assert result.status == "complete"


@pytest.mark.req("LB-1")
@pytest.mark.parametrize(
    ("request_fields", "error", "said"),
    [
        ({"format": "html"}, UnsupportedFormat, "markdown, links, screenshot, fullscreenshot"),
        ({"formats": ["links", "html"]}, UnsupportedFormat, "'html' is not supported; supported: markdown"),
        ({"formats": ["links", "links"]}, InvalidRequest, "formats: a format is there twice: links, links"),
        ({"formats": []}, InvalidRequest, "formats"),
        ({"format": "links", "formats": ["markdown"]}, InvalidRequest, "format for one or formats for several"),
        ({"formats": ["markdown", "screenshot"], "follow": 3}, InvalidRequest, "screenshot shows one page"),
        ({"colour": "red"}, InvalidRequest, "colour"),
        ({"output_schema": "{"}, InvalidRequest, "output_schema"),
        ({"start_from_char": -1}, InvalidRequest, "start_from_char"),
        ({"config": {"dedupe": "keys"}}, InvalidRequest, "dedupe_keys"),
    ],
)
def test_a_request_that_is_wrong_in_itself_is_refused_by_name(
    make: Make, request_fields: dict[str, Any], error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said):
        make().scrape("https://shop.example", **request_fields)


def test_a_setting_that_nobody_knows_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(InvalidSettings, match="colour"):
        Gleaner(home=tmp_path, colour="red")


@pytest.mark.req("MD-5")
@pytest.mark.parametrize(("selector", "error_type"), [("#nowhere", "selector_not_found"), ("a[", "invalid_selector")])
def test_a_selector_that_finds_nothing_fails_the_job_by_name(make: Make, selector: str, error_type: str) -> None:
    result = make().extract_html(table_page(ROWS), URL, css_selector=selector)
    assert result.status == "failed"
    assert result.error is not None
    assert result.error.error_type == error_type
    assert selector in result.error.message


@pytest.mark.req("WF-1")
def test_a_failed_job_is_stored_and_can_be_read(make: Make) -> None:
    gleaner = make()
    result = gleaner.extract_html(table_page(ROWS), URL, css_selector="#nowhere")
    jobs = Jobs(gleaner.services.table, gleaner.services.blobs)
    ref = JobRef(result.job_id)
    assert jobs.status(ref)["status"] == "failed"
    assert jobs.result(ref) == result


@pytest.mark.req("SS-1")
@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:9/", "http://169.254.169.254/latest", "http://[::1]/", "http://2130706433/"]
)
def test_an_internal_address_is_refused_before_anything_is_sent(make: Make, url: str) -> None:
    result = make().scrape(url)
    assert result.status == "failed"
    assert result.error is not None
    assert result.error.error_type == "blocked_address"


@pytest.mark.req("WF-1")
def test_a_page_id_works_on_the_same_snapshot_again(make: Make) -> None:
    gleaner = make(ScriptedModel(truth(ROWS)))
    first = gleaner.extract_html(table_page(ROWS), URL)
    again = gleaner.scrape(page_id=first.page_id, output_schema=SCHEMA)
    assert again.status == "complete"
    assert again.source_url == URL


@pytest.mark.req("BR-4", "AU-1")
@pytest.mark.parametrize(
    ("tenant", "settings", "may"),
    [("default", {}, True), ("acme", {}, False), ("acme", {"master_profile_tenants": ["*"]}, True)],
)
def test_the_logged_in_profile_is_for_the_tenants_that_the_settings_name(
    make: Make, tenant: str, settings: dict[str, list[str]], may: bool
) -> None:
    services = make(browser=settings).services
    job = {"job_id": "one", "tenant": tenant}
    event = {"input": {"job": job, "request": {"url": URL, "profile": "master"}}, "execution": "one"}
    with nullcontext() if may else pytest.raises(BlockedAddress, match=f"not for tenant {tenant}"):
        assert plan_scrape(event, services)["job"] == job


@pytest.mark.req("AU-1")
def test_the_page_of_another_tenant_is_not_found(make: Make) -> None:
    first = make(tenant="one").extract_html(table_page(ROWS), URL)
    other = make(tenant="two").scrape(page_id=first.page_id)
    assert other.error is not None
    assert other.error.error_type == "not_found"


@pytest.mark.req("LB-1")
def test_what_is_of_another_type_is_refused_by_name(make: Make) -> None:
    with pytest.raises(InvalidRequest, match=r"^url is a str, the address that the page is from, not NoneType"):
        make().extract_html("<p>Page.</p>", None)  # type: ignore[arg-type]
    with pytest.raises(InvalidRequest, match=r"^None is not a valid name"):
        make(tenant=None)
    with pytest.raises(InvalidSettings, match=r"^daily_usd_cap: Input should be a finite number"):
        make(daily_usd_cap=float("inf"))
    with pytest.raises(InvalidSettings, match="is not a valid folder name"):
        Gleaner(home="a\0b").extract_html("<p>Page.</p>", URL)


@pytest.mark.req("LB-1")
@pytest.mark.parametrize(
    ("text", "kind"), [("\n\n%PDF-1.7 1 0 obj", "PDF"), ("PK\x03\x04\x14", "ZIP"), ("\ufeff\n%PDF-1.4", "PDF")]
)
def test_a_file_that_is_handed_in_as_html_is_refused(make: Make, text: str, kind: str) -> None:
    with pytest.raises(InvalidRequest, match=f"^html begins as a file of the kind {kind}; extract_document reads"):
        make().extract_html(text, URL)


@pytest.mark.req("CH-5")
def test_reading_on_starts_where_it_is_told(make: Make) -> None:
    gleaner = make()
    whole = gleaner.extract_html(table_page(ROWS), URL).markdown
    rest = gleaner.extract_html(table_page(ROWS), URL, start_from_char=500).markdown
    assert whole is not None
    assert rest == whole[500:]


@pytest.mark.req("CH-5")
def test_a_start_past_the_end_gives_nothing_and_says_so(make: Make) -> None:
    result = make().extract_html("<p>Short.</p>", URL, start_from_char=99)
    assert result.markdown == ""
    assert result.warnings == ["start_from_char 99 is past the page's Markdown, which has 6 characters"]


@pytest.mark.req("CM-1", "EX-6")
def test_a_model_that_gives_the_deals_and_not_the_listing_below_them_is_not_complete(make: Make) -> None:
    deals = "".join(
        f"<div class='deal'><h3>Item {n:03}</h3><p>${n}.99</p><a href='/p'>View</a></div>" for n in range(4)
    )
    listing = "".join(
        f"<article><img src='/x.png' alt=''><h4>Item {n:03}</h4><span>${n}.50</span></article>" for n in range(10, 30)
    )
    page = f"<h1>Shop</h1><section><h2>Deals</h2>{deals}</section><section><h2>Products</h2>{listing}</section>"

    def only_deals(prompt: str) -> str:
        return json.dumps([{"label": f"Item {n:03}", "cost": n + 0.99} for n in range(4) if f"Item {n:03}" in prompt])

    result = make(FunctionModel(only_deals)).extract_html(page, URL, output_schema=SCHEMA)
    assert result.status == "partial"
    assert result.extraction is not None
    assert len(result.extraction.data) == 4
    assert len(result.extraction.completeness.missing) == 20


class Item(BaseModel):
    label: str
    cost: float


class Items(BaseModel):
    items: list[Item]


@pytest.mark.req("LB-1", "SC-2")
def test_a_pydantic_model_is_taken_for_its_schema(make: Make) -> None:
    model = ScriptedModel(truth(ROWS), wrap=lambda records: {"items": records})
    result = make(model).extract_html(table_page(ROWS), URL, output_schema=Items)
    assert result.status == "complete"
    assert result.extraction is not None
    assert Items.model_validate(result.extraction.data).items[0] == Item(label="Item 000", cost=3.4)
    assert result.extraction.schema_used == Items.model_json_schema()


@pytest.mark.req("LB-1", "LB-2")
def test_what_is_no_model_is_refused_at_once(make: Make) -> None:
    with pytest.raises(InvalidSettings, match=r"answer\(request\)"):
        make(object())


@pytest.mark.req("LB-1")
def test_a_closed_gleaner_says_that_it_is_closed(make: Make) -> None:
    gleaner = make()
    gleaner.close()
    with pytest.raises(RuntimeError, match="closed"):
        gleaner.extract_html("<p>Late.</p>", URL)


@pytest.mark.req("BR-2", "WF-1")
@pytest.mark.parametrize("format", ["screenshot", "fullscreenshot"])
def test_a_screenshot_of_a_page_that_was_stored_without_one_is_refused(make: Make, format: str) -> None:
    gleaner = make()
    page_id = gleaner.extract_html("<p>No picture was taken of it.</p>", URL).page_id
    result = gleaner.scrape(page_id=page_id, format=format)
    assert result.status == "failed"
    assert result.error is not None
    assert result.error.error_type == "invalid_request"
    assert re.search(f"without a {format}; give its url, {URL}", result.error.message)


@pytest.mark.req("MD-1", "EX-1")
@pytest.mark.parametrize(("fields", "told"), [({}, "no visible text."), ({"enable_javascript": False}, "JavaScript")])
def test_a_page_without_text_is_said_to_have_none(make: Make, fields: dict[str, Any], told: str) -> None:
    result = make().extract_html("<title>App</title><div id=app></div><script>draw()</script>", URL, **fields)
    assert result.status == "complete"
    assert [warning for warning in result.warnings if told in warning] == result.warnings != []


@pytest.mark.req("SS-2", "MD-6")
@pytest.mark.parametrize(
    ("settings", "error_type", "told"),
    [
        ({"max_chunks": 3}, "too_many_chunks", "raise max_chunk_chars"),
        ({"max_page_size": 1_000}, "page_too_large", "max_page_size"),
    ],
)
def test_a_page_over_a_limit_ends_in_an_error_of_its_own(
    make: Make, settings: dict[str, int], error_type: str, told: str
) -> None:
    page, config = table_page(ROWS), {"max_chunk_chars": 200}
    result = make(**settings).extract_html(page, URL, output_schema=SCHEMA, config=config)
    assert result.status == "failed"
    assert result.error is not None
    assert result.error.error_type == error_type
    assert told in result.error.message


@pytest.mark.req("BR-6", "MD-1", "MD-4")
def test_the_settings_of_the_markdown_reach_it(make: Make) -> None:
    page = "<nav>Home</nav><p>text <img alt=dot src='data:image/png;base64,iVBORw0KGgo='></p>"
    plain = make().extract_html(page, URL, extract_links=True).markdown or ""
    whole = make(strip_chrome_tags=False, remove_base64_images=False)
    full = whole.extract_html(page, URL, extract_links=True).markdown or ""
    assert ("Home" in plain, "data:image" in plain) == (False, False)
    assert ("Home" in full, "data:image" in full) == (True, True)


@pytest.mark.req("LB-1")
def test_a_home_that_can_hold_nothing_is_an_error_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(InvalidSettings, match=r"home: .*file can't be the data folder: it is a file"):
        make_a_page(tmp_path / "file")


def make_a_page(home: Path) -> None:
    with Gleaner(model="none", home=home) as gleaner:
        gleaner.extract_html("<p>x", URL)
