"""The page of many pages, in a real Chromium over the real API: a site is mapped, its pages read, a page looked at."""

import csv
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from gleaner.contracts.settings import Settings
from gleaner.wiring import WiredServices
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Site
from tests.browser.test_playground import playground
from tests.browser.test_playground_people import violations

pytestmark = pytest.mark.req("UI-1")

BIRDS = {"coast": [("Dunlin", 40), ("Knot", 62)], "moor": [("Curlew", 7)]}
SCHEMA = (
    '{"type": "array", "items": {"type": "object", "properties": {"bird": {"type": "string"}, '
    '"count": {"type": "integer"}}, "required": ["bird"]}}'
)


@pytest.fixture
def address(make_settings: Callable[..., Settings], tmp_path: Path, site: Site) -> Iterator[str]:
    links = "".join(f"<li><a href=/{name}>{name}</a></li>" for name in BIRDS)
    site.page("/birds", f"<!doctype html><title>Birds</title><h1>Birds</h1><ul>{links}<li><a href=/lost>lost</a></ul>")
    for name, rows in BIRDS.items():
        cells = "".join(f"<tr><td>{bird}<td>{count}" for bird, count in rows)
        site.page(f"/{name}", f"<!doctype html><title>{name}</title><table><tr><th>Bird<th>Count{cells}</table>")
    with playground(WiredServices(make_settings(home=tmp_path))) as url:
        yield f"{url}sites.html"


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context(viewport={"width": 390, "height": 800}, color_scheme="dark", accept_downloads=True)
    yield context.new_page()
    context.close()


def test_a_site_is_mapped_and_its_pages_are_read_into_one_file(
    page: Page, address: str, site: Site, tmp_path: Path
) -> None:
    page.goto(address)
    page.get_by_role("button", name="Map the site").click()
    expect(page.locator("#url-error")).to_have_text("Give the address of a site.")
    page.get_by_label("Address of the site").fill(site.url("/birds").removeprefix("http://"))
    page.get_by_label("Pages at most").fill("many")
    page.get_by_role("button", name="Map the site").click()
    expect(page.locator("#most-error")).to_have_text("Give a number, 1 to 50,000.")
    page.get_by_label("Pages at most").fill("20")
    page.get_by_role("button", name="Map the site").click()
    expect(page.locator(".pages tbody tr")).to_have_count(4)

    page.get_by_label("Filter Addresses").fill("o")
    page.get_by_role("button", name="Read these pages").click()
    expect(page.get_by_label("Addresses, one a line")).to_have_value(
        "\n".join(site.url(path) for path in ("/coast", "/moor", "/lost"))
    )
    page.get_by_label("Schema of each page’s answer").fill(SCHEMA)
    page.get_by_label("Run the pages’ JavaScript").uncheck()
    page.get_by_role("button", name="Read the pages").click()
    expect(page.locator("#state")).to_contain_text("3 of 3 pages, 1 failed")
    page.reload()
    expect(page.get_by_role("row").filter(has_text="coast")).to_contain_text("2 records")
    expect(page.get_by_role("row").filter(has_text="lost")).to_contain_text("404")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download records as CSV").click()
    rows = list(csv.reader(download.value.path().read_text("utf-8").splitlines()))
    assert rows[0] == ["page", "bird", "count"]
    assert [row[1:] for row in rows[1:]] == [["Dunlin", "40"], ["Knot", "62"], ["Curlew", "7"]]
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert violations(page, tmp_path / "many.png") == []

    page.locator("#history summary").click()
    expect(page.locator("#jobs li")).to_have_count(2)
    page.keyboard.press("Escape")
    page.get_by_role("link", name="coast").click()
    expect(page.get_by_role("gridcell", name="Dunlin")).to_be_visible()
