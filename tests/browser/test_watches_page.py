"""The page of watches in a real Chromium, over an API that answers from memory: what changed, and what proves it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from gleaner.api.playground import file_headers, web_file
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.test_playground_people import violations

pytestmark = pytest.mark.req("WA-1", "UI-1")

HOME = "http://playground.example/watches.html"
SHOP = "https://lamps.example/all"
LAMPS = {"watch_id": "lamps", "every_s": 86_400, "request": {"url": SHOP}}
TRAMS = {"watch_id": "trams & boats", "every_s": 3_600, "request": {"url": "https://trams.example/"}}
CHANGES = {
    "new": [{"key": {"name": "Ash"}, "record": {"name": "Ash", "price": 12.5}}],
    "changed": [
        {
            "key": {"name": "Elm"},
            "record": {"name": "Elm", "price": 9},
            "fields": [
                {
                    "field": "/price", "old": 7, "new": 9,
                    "old_proof": {"url": SHOP, "text": "£7.00"}, "new_proof": {"url": SHOP, "text": "£9.00"},
                }
            ],
        }
    ],
    "removed": [{"key": {"name": "<b>Oak</b>"}, "record": {"name": "<b>Oak</b>", "price": 30}}],
}  # fmt: skip


class Api:
    """Answers for two watches."""

    def __init__(self) -> None:
        self.watches: list[Any] = [LAMPS, TRAMS]
        self.runs: list[Any] = [
            {"run_id": "1", "at": 1_790_000_000, "status": "first", "counts": {}},
            {"run_id": "2", "at": 1_790_086_400, "status": "partial", "counts": {}, "said": "36 of 48 records"},
            {"run_id": "3", "at": 1_790_172_800, "status": "changed", "counts": {"new": 1, "changed": 1, "removed": 1}},
        ]
        self.asked: list[str] = []
        self.done: list[str] = []
        self.is_down = False

    def __call__(self, route: Route) -> None:
        url = urlsplit(route.request.url)
        if not url.path.startswith("/v1/"):
            file = web_file(url.path)
            if file:
                route.fulfill(body=file.read_bytes(), headers=file_headers(file))
            else:
                route.fulfill(status=404)
            return
        self.asked.append(url.path)
        if self.is_down:
            route.fulfill(status=503, json={"error_type": "store_throttled", "detail": "Try again later."})
        elif url.path == "/v1/watches":
            route.fulfill(json={"watches": self.watches, "next": None})
        elif route.request.method != "GET":
            self.done.append(f"{route.request.method} {url.path}")
            self.watches = (
                [{**LAMPS, "paused": url.path.endswith("/pause")}] if "runs" not in url.path else self.watches
            )
            route.fulfill(json=LAMPS)
        elif url.path.endswith("/runs"):
            after = int(parse_qs(url.query).get("after", ["0"])[0])
            following = str(after + 2) if after + 2 < len(self.runs) else None
            route.fulfill(json={"runs": self.runs[after : after + 2], "next": following})
        else:
            route.fulfill(json={"changes": CHANGES})


@pytest.fixture
def api() -> Api:
    return Api()


@pytest.fixture
def page(chromium: Browser, api: Api) -> Iterator[Page]:
    opened = chromium.new_page()
    errors: list[str] = []
    opened.on("pageerror", lambda error: errors.append(str(error)))
    opened.route("**/*", api)
    yield opened
    opened.close()
    assert errors == []


def test_the_first_watch_is_open_with_its_newest_run_above(page: Page) -> None:
    page.goto(HOME)
    expect(page.get_by_role("button", name="lamps")).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_role("button", name="lamps")).to_contain_text(f"{SHOP} · every 1 d")
    expect(page.get_by_role("button", name="trams")).to_contain_text("every 1 h")
    runs = page.locator("#runs .watch-run")
    expect(runs).to_have_count(3)
    expect(runs.nth(0)).to_contain_text("1 new")
    expect(runs.nth(1)).to_contain_text("36 of 48 records")


def test_a_run_shows_each_field_that_changed_with_the_proof_of_both_values(page: Page) -> None:
    page.goto(HOME)
    page.locator("#runs .watch-run").first.click()
    changed = page.locator(".watch-change.changed")
    expect(changed.locator("strong")).to_have_text("Elm")
    expect(changed.locator("del")).to_have_text("7")
    expect(changed.locator("ins")).to_have_text("9")
    expect(changed).to_contain_text("before: “£7.00”")
    expect(changed).to_contain_text("now: “£9.00”")
    expect(changed.get_by_role("link").first).to_have_attribute("href", SHOP)
    expect(page.locator(".watch-change.new ins")).to_have_text("name: Ash · price: 12.5")
    expect(page.locator(".watch-change.removed del")).to_have_text("name: <b>Oak</b> · price: 30")


def test_axe_finds_no_violation_on_the_page_of_watches(page: Page, tmp_path: Path) -> None:
    page.goto(HOME)
    page.locator("#runs .watch-run").first.click()
    expect(page.locator(".watch-change.changed")).to_be_visible()
    assert violations(page, tmp_path / "watches.png") == []


def test_a_run_is_read_once_however_often_it_is_opened(page: Page, api: Api) -> None:
    page.goto(HOME)
    for _ in range(3):
        page.locator("#runs .watch-run").first.click()
    expect(page.locator(".watch-change.changed")).to_have_count(1)
    assert api.asked.count("/v1/watches/lamps/runs/3") == 1


def test_another_watch_shows_its_own_runs(page: Page, api: Api) -> None:
    page.goto(HOME)
    expect(page.locator("#runs .watch-run")).to_have_count(3)
    api.runs = api.runs[:1]
    page.get_by_role("button", name="trams").click()
    expect(page.locator("#runs .watch-run")).to_have_count(1)
    expect(page.get_by_role("button", name="lamps")).to_have_attribute("aria-pressed", "false")
    assert "/v1/watches/trams%20%26%20boats/runs" in api.asked


def test_without_watches_the_page_says_how_to_start_one(page: Page, api: Api) -> None:
    api.watches = []
    page.goto(HOME)
    expect(page.get_by_text("No watches yet.")).to_be_visible()


def test_an_api_that_does_not_answer_is_said(page: Page, api: Api) -> None:
    api.is_down = True
    page.goto(HOME)
    expect(page.get_by_role("alert")).to_contain_text("Try again later.")


def test_a_watch_is_run_paused_saved_and_deleted_and_called_by_its_page(page: Page, api: Api) -> None:
    api.watches = [{**LAMPS, "watch_id": "w0123456789abcdef"}]
    page.goto(HOME)
    expect(page.locator("#history-title")).to_have_text("lamps.example/all")
    page.get_by_role("button", name="Run now").click()
    expect(page.locator("#history-title")).to_contain_text("a run has begun")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download CSV").click()
    lines = download.value.path().read_text("utf-8").splitlines()
    assert lines[0] == "at,change,record,field,old,new"
    assert [line.split(",")[1] for line in lines[1:]] == ["changed", "new", "removed"]
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Resume")).to_be_visible()
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("button", name="Delete it").click()
    expect(page.get_by_role("button", name="Delete it")).to_have_count(0)
    place = "/v1/watches/w0123456789abcdef"
    assert api.done == [f"POST {place}/runs", f"POST {place}/pause", "DELETE /v1/watches/lamps"]
