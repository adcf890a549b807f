"""Listings of several pages, watches and batches: all of it, in order and once, or a word about what is not there."""

from collections.abc import Iterator
from typing import Any

import pytest
from gleaner import Gleaner

from tests.promises.lamps import FORTY, LAMPS, page_of
from tests.promises.servers import Answer, Pages, sent_to
from tests.support.asking import Make

PAGES = [FORTY[start : start + 10] for start in range(0, 40, 10)]


@pytest.fixture
def site() -> Iterator[Pages]:
    with Pages() as server:
        yield server


def list_on(site: Pages, *pages: list[dict[str, Any]], numbered: bool = True, last_leads_to: int | None = None) -> str:
    """Serve a listing whose columns are named as the fields are, so that no model is needed; give its first page.

    Its pages are numbered, or each leads to the next one alone.
    """
    for number, lamps in enumerate(pages or PAGES, 1):
        following = number + 1 if number < len(pages or PAGES) else last_leads_to
        links = range(1, len(pages or PAGES) + 1) if numbered else [following] if following else []
        text = "{}" if numbered else "Next page"
        pager = "".join(f'<a href="/list?page={one}">{text.format(one)}</a> ' for one in links)
        site.page(f"/list?page={number}", f"{named(page_of(lamps))}<nav>{pager}</nav>")
    return f"{site.url}/list?page=1"


def named(html: str) -> str:
    return html.replace("What", "Name").replace("By whom", "Maker").replace("How much", "Price")


def followed(gleaner: Gleaner, url: str, **request: Any) -> tuple[str, Any]:
    asked = {"output_schema": LAMPS, "follow": 10, "enable_javascript": False, **request}
    result = gleaner.scrape(url, **asked)
    assert result.extraction is not None, result.error
    return result.status, result.extraction


@pytest.mark.req("FP-1")
@pytest.mark.parametrize("numbered", [True, False])
def test_a_listing_is_read_to_its_end_and_in_its_order(make: Make, site: Pages, numbered: bool) -> None:
    status, extraction = followed(make(allow_hosts=[site.host]), list_on(site, numbered=numbered))
    assert (status, extraction.data, extraction.errors) == ("complete", FORTY, [])


@pytest.mark.req("FP-1", "FP-2")
def test_a_page_that_is_lost_is_an_error_of_the_result_and_all_others_are_kept(make: Make, site: Pages) -> None:
    url = list_on(site)
    site.answers["/list?page=3"] = Answer(b"<h1>Sorry</h1>", status=500)
    status, extraction = followed(make(allow_hosts=[site.host]), url)
    assert (status, extraction.is_partial) == ("partial", True)
    assert extraction.data == PAGES[0] + PAGES[1] + PAGES[3]
    [error] = extraction.errors
    assert "page 3" in error.message
    assert "500" in error.message


@pytest.mark.req("FP-2")
@pytest.mark.parametrize("leads_to", ["its first page", "the same pages under other addresses"])
def test_a_listing_that_goes_round_in_a_circle_is_read_once_and_that_is_told(
    make: Make, site: Pages, leads_to: str
) -> None:
    url = list_on(site, numbered=False, last_leads_to=1 if leads_to == "its first page" else 5)
    if leads_to != "its first page":
        for number in range(5, 9):
            again = site.answers[f"/list?page={number - 4}"].body.decode()
            site.page(f"/list?page={number}", again.replace(f"page={number - 3}", f"page={number + 1}"))
    status, extraction = followed(make(allow_hosts=[site.host]), url)
    assert (status, extraction.data) == ("partial", FORTY)
    assert "page 1" in extraction.warnings[0]
    assert "/list?page=6" not in site.paths


@pytest.mark.req("FP-1")
@pytest.mark.parametrize("is_ignored", [False, True])
def test_a_page_that_robots_forbid_is_not_asked_for_and_that_is_told(make: Make, site: Pages, is_ignored: bool) -> None:
    site.answers["/robots.txt"] = Answer(b"User-agent: *\nDisallow: /list?page=3\n", "text/plain")
    follow = {"max_pages": 10, "ignore_robots": is_ignored}
    status, extraction = followed(make(allow_hosts=[site.host]), list_on(site, numbered=False), follow=follow)
    assert status == ("complete" if is_ignored else "partial")
    assert extraction.data == (FORTY if is_ignored else FORTY[:20])
    assert ("/list?page=3" in site.paths) == is_ignored


@pytest.fixture
def watching(make: Make, site: Pages) -> Gleaner:
    """A watch of the listing that has run once."""
    gleaner = make(allow_hosts=[site.host])
    request = {"url": list_on(site), "output_schema": LAMPS, "follow": 10, "enable_javascript": False}
    gleaner.gateway.create_watch({"request": request, "name": "lamps", "keys": ["name"]})
    assert gleaner.run_watch("lamps").status == "baseline"
    return gleaner


@pytest.mark.req("WA-1")
def test_what_a_run_did_not_see_because_a_page_was_lost_is_not_removed(watching: Gleaner, site: Pages) -> None:
    site.answers["/list?page=4"] = sent_to("/login", 302)
    run = watching.run_watch("lamps")
    assert (run.job_status, run.counts["removed"]) == ("partial", 0)
    assert watching.watch_changes("lamps", run.run_id).removed == []


@pytest.mark.req("WA-1")
def test_the_run_after_one_that_saw_too_little_is_compared_with_the_last_whole_one(
    watching: Gleaner, site: Pages
) -> None:
    """Else the lamps of the page that was lost would be new, and one that is gone since would not be told."""
    site.answers["/list?page=4"] = sent_to("/login", 302)
    watching.run_watch("lamps")
    list_on(site, *PAGES[:3], PAGES[3][:9])
    run = watching.run_watch("lamps")
    assert (run.job_status, run.counts) == ("complete", {"new": 0, "changed": 0, "removed": 1})
    assert [one.record for one in watching.watch_changes("lamps", run.run_id).removed] == [FORTY[39]]


@pytest.mark.req("WF-2", "MP-2")
def test_a_batch_asks_for_no_page_that_robots_forbid(make: Make, site: Pages) -> None:
    site.answers["/robots.txt"] = Answer(b"User-agent: *\nDisallow: /b\n", "text/plain")
    urls = [site.page(path, f"<h1>{path}</h1>") for path in ("/a", "/b", "/c")]
    results = make(allow_hosts=[site.host]).batch(urls, enable_javascript=False)
    assert [result.status for result in results] == ["complete", "failed", "complete"]
    assert "robots.txt" in str(results[1].error)
    assert "/b" not in site.paths


@pytest.mark.req("WF-2", "MP-2")
def test_a_batch_asks_for_no_page_of_a_host_that_can_not_say_what_its_robots_may_do(make: Make, site: Pages) -> None:
    site.answers["/robots.txt"] = Answer(status=503)
    urls = [site.page(path, f"<h1>{path}</h1>") for path in ("/a", "/b")]
    results = make(allow_hosts=[site.host]).batch(urls, enable_javascript=False)
    assert [result.status for result in results] == ["failed", "failed"]
    assert {*site.paths} == {"/robots.txt"}


@pytest.fixture
def mapped(site: Pages) -> Pages:
    """A site whose map lists four pages, one of which can't be had."""
    urls = [site.page(f"/{name}", f"<h1>Lamp {name}</h1>") for name in "abcd"]
    site.answers["/c"] = Answer(b"<h1>Sorry</h1>", status=500)
    listed = "".join(f"<url><loc>{url}</loc></url>" for url in urls)
    site.answers["/sitemap.xml"] = Answer(f"<urlset>{listed}</urlset>".encode(), "application/xml")
    return site


@pytest.mark.req("WF-2", "MP-2")
def test_a_crawl_with_a_page_that_failed_is_partial(make: Make, mapped: Pages) -> None:
    crawl = make(allow_hosts=[mapped.host]).crawl(f"{mapped.url}/a", depth=0, enable_javascript=False)
    assert crawl.site_map.status == "complete"
    assert sorted(result.status for result in crawl.results) == ["complete"] * 3 + ["failed"]
    assert crawl.status == "partial"
