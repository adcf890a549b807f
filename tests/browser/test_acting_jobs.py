"""Actions from each way in to the result: command, library, strategies, listings, watches and batches."""

import json
from pathlib import Path

import pytest
from gleaner import Gleaner
from gleaner.cli import run
from gleaner.contracts.errors import InvalidRequest
from gleaner.jobs.jobs import JobRef
from gleaner.jobs.strategies import ExtractionCache

from tests.support.acting_site import LAMPS, acting_pages, found_lamps
from tests.support.schemas import INTEGER, TEXT, list_of, object_of

pytestmark = pytest.mark.req("AC-1")

SCHEMA = list_of(object_of(name=TEXT, price=INTEGER))
SEARCH = ["fill: text=Find => floor", "click: role=button[name=Search]"]


@pytest.fixture(scope="module")
def gleaner(site, tmp_path_factory):
    acting_pages(site)
    home = tmp_path_factory.mktemp("home")
    with Gleaner("none", home, allow_hosts=[f"127.0.0.1:{site.port}"]) as made:
        yield made


def test_a_search_form_gives_records_at_the_command_line(site, tmp_path, capsys):
    acting_pages(site)
    steps = tmp_path / "steps.txt"
    steps.write_text("# find floor lamps\nfill: text=Find => floor\n")
    code = run([
        "scrape", site.url("/lamps"), "--schema", json.dumps(SCHEMA), "--action", f"@{steps}", "--action", SEARCH[1],
        "--allow-host", f"127.0.0.1:{site.port}", "--home", str(tmp_path / "home"), "--model", "none",
    ])  # fmt: skip
    shown = capsys.readouterr()
    assert code == 0
    assert "Amber floor lamp" in shown.out
    assert '✓ step 2    click: role=button[name=Search] (button "Search", now' in shown.err


def test_the_result_says_what_each_action_met_and_changed(site, gleaner):
    result = gleaner.scrape(site.url("/lamps"), output_schema=SCHEMA, actions=SEARCH)
    assert (result.status, result.data) == ("complete", found_lamps("floor"))
    assert result.source_url == site.url("/found?q=floor")
    assert [one["met"] for one in result.to_json()["actions"]] == ['textbox "Find"', 'button "Search"']


def test_a_failed_action_ends_the_job_with_its_step_and_a_picture(site, gleaner):
    result = gleaner.scrape(site.url("/lamps"), actions=[SEARCH[0], "click: text=Buy", "scroll"])
    assert result.status == "failed"
    assert result.error.error_type == "action_failed"
    assert result.error.message == "step 2, click: text=Buy: text=Buy is not on the page"
    done, failed = result.actions
    assert (done.error, failed.error) == (None, "text=Buy is not on the page")
    assert Path(failed.screenshot.removeprefix("file://")).read_bytes().startswith(b"\x89PNG")


def test_a_strategy_replays_its_actions_on_a_later_page(site, gleaner):
    first = gleaner.scrape(site.url("/lamps"), output_schema=SCHEMA, actions=SEARCH)
    again = gleaner.scrape(site.url("/lamps"), extraction_id=first.extraction.extraction_id)
    assert again.data == found_lamps("floor")
    kept = ExtractionCache(gleaner.services.table).get(first.extraction.extraction_id)
    assert list(map(str, kept.actions)) == SEARCH


def test_only_the_first_page_of_a_listing_is_acted_on(site, gleaner):
    def part(lamps, link):
        rows = "".join(f"<tr><td>{lamp['name']}</td><td>{lamp['price']}</td></tr>" for lamp in lamps)
        return f"<h1>12 lamps</h1><table><tr><th>name</th><th>price</th></tr>{rows}</table>{link}"

    site.page("/part1", part(LAMPS[:6], "<a rel=next href=/part2>Next</a>"))
    site.page("/part2", part(LAMPS[6:], "<a rel=prev href=/part1>Previous</a>"))
    start = site.page("/start", "<a href=/part1>All lamps</a>")
    result = gleaner.scrape(start, output_schema=SCHEMA, actions=["click: text=All lamps"], follow=5)
    assert (result.status, result.data) == ("complete", LAMPS)
    assert [one.step for one in result.actions] == [1]
    assert len(result.pages) == 2


def test_a_watch_and_a_batch_act_on_each_of_their_runs_and_pages(site, gleaner, tmp_path):
    order = {"request": {"url": site.url("/lamps"), "output_schema": SCHEMA, "actions": SEARCH}, "name": "floor"}
    gleaner.gateway.create_watch(order)
    assert [gleaner.run_watch("floor").status for _ in range(2)] == ["baseline", "unchanged"]
    lines = [
        {"url": site.url("/lamps"), "actions": [f"fill: css=#q => {word}", SEARCH[1]]} for word in ("wall", "desk")
    ]
    results = gleaner.batch(lines, output_schema=SCHEMA)
    assert [result.data for result in results] == [found_lamps("wall"), found_lamps("desk")]


def test_a_job_that_failed_at_an_action_can_be_run_with_better_ones(site, gleaner):
    url = site.url("/lamps")
    failed = gleaner._run({"url": url, "actions": [SEARCH[0], "click: text=Find it"]}, JobRef("named"))
    mended = gleaner._run({"url": url, "actions": SEARCH}, JobRef("named"))
    assert (failed.status, mended.status, mended.source_url) == ("failed", "complete", site.url("/found?q=floor"))


def test_what_no_action_can_be_done_on_is_told(site, gleaner):
    site.page("/sheet.pdf", "%PDF-1.4", "application/pdf")
    assert gleaner.scrape(site.url("/sheet.pdf"), actions=["scroll"]).error.message.endswith("is a file, not a page")
    plain = gleaner.scrape(site.url("/lamps"), actions=["scroll"], enable_javascript=False)
    assert plain.error.message == "a request with actions needs the browser: leave enable_javascript true"
    with pytest.raises(InvalidRequest, match="step 1: 'jump' is not an action"):
        gleaner.scrape(site.url("/lamps"), actions=["jump"])


@pytest.mark.req("FP-1", "FP-3")
@pytest.mark.parametrize("path", ["/paged", "/grid"])
def test_a_list_that_a_script_pages_comes_whole_by_clicks(site, gleaner, path):
    result = gleaner.scrape(site.url(path), output_schema=SCHEMA, follow=5)
    assert (result.status, result.data) == ("complete", LAMPS)
    assert [page.url for page in result.pages] == [site.url(path)] * 3


@pytest.mark.req("FP-3")
@pytest.mark.parametrize(
    ("path", "pages", "count", "said"),
    [("/stuck", 5, 4, "a click on page 1 to the next one shows page 1 again"), ("/paged", 2, 8, "max_pages is 2")],
)
def test_a_list_that_clicks_do_not_bring_to_its_end_is_partial(site, gleaner, path, pages, count, said):
    result = gleaner.scrape(site.url(path), output_schema=SCHEMA, follow=pages)
    assert (result.status, len(result.data)) == ("partial", count)
    assert said in result.extraction.warnings[0]
