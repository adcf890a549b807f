"""Listings of real programs' shapes come whole, or say what they lack: pagers, changes, empty pages (FP-1 to FP-3)."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from gleaner.contracts.models import ExtractionResult, ScrapeResult

from tests.support.asking import Make
from tests.workflow.lamp_listing import BACKWARDS, LAMPS, PAGERS, UNFOLLOWED, LampListing, lamps

pytestmark = pytest.mark.req("FP-1", "FP-2", "FP-3")

Rows = list[tuple[str, str]]


def follow(make: Make, site: LampListing, way: str, **request: Any) -> tuple[ScrapeResult, ExtractionResult, list[str]]:
    asked: Any = {"output_schema": LAMPS, "follow": 30, "enable_javascript": False, **request}
    result = make(allow_hosts=[site.host]).scrape(f"{site.url}/{way}", **asked)
    extraction = result.extraction or ExtractionResult()
    return result, extraction, [record["name"] for record in extraction.data or []]


@pytest.mark.parametrize("way", PAGERS)
def test_a_listing_comes_whole_by(make: Make, way: str) -> None:
    with LampListing() as site:
        result, extraction, names = follow(make, site, way)
        asked = {path for path in site.asked if path != "/robots.txt"}
    assert (result.status, extraction.warnings) == ("complete", [])
    assert names == [name for name, _ in site.rows]
    assert asked == {f"/{way}", *(f"/{way}?page={number}" for number in range(2, 6))}


@pytest.mark.parametrize("way", BACKWARDS)
def test_a_listing_whose_newest_page_has_the_highest_number_comes_whole_by(make: Make, way: str) -> None:
    with LampListing() as site:
        result, extraction, names = follow(make, site, way)
    assert (result.status, extraction.warnings) == ("complete", [])
    assert names == [name for name, _ in site.rows]


@pytest.mark.parametrize("way", UNFOLLOWED)
def test_what_pages_and_was_not_followed_is_named(make: Make, way: str) -> None:
    with LampListing() as site:
        result, extraction, names = follow(make, site, way)
    assert (result.status, len(names)) == ("partial", 5)
    assert UNFOLLOWED[way][1] in extraction.warnings[0]


def test_a_page_without_a_pager_is_no_end_where_an_earlier_one_stated_more_pages(make: Make) -> None:
    with LampListing() as site:
        result, extraction, names = follow(make, site, "counted-on-the-first-page")
    assert (result.status, len(names)) == ("partial", 10)
    assert "page 2 of 5 shows no way on" in extraction.warnings[0]


def insert(rows: Rows) -> None:
    rows.insert(0, ("Yew lamp", "99.50"))


def exchange(rows: Rows) -> None:
    rows[9], rows[10] = rows[10], rows[9]


CHANGES: dict[str, Callable[[Rows], object]] = {
    "a record is removed": lambda rows: rows.pop(1),
    "a record is added": insert,
    "two records change places over a border of pages": exchange,
    "several records are removed": lambda rows: rows.__delitem__(slice(0, 4)),
    "the last page goes": lambda rows: rows.pop(0),
}


@pytest.mark.parametrize("states", ["", "{total} lamps"])
@pytest.mark.parametrize("what", CHANGES)
def test_nothing_is_lost_or_doubled_where_while_it_is_read(make: Make, what: str, states: str) -> None:
    with LampListing(change=CHANGES[what], states=states) as site:
        result, extraction, names = follow(make, site, "numbers")
    assert names == [name for name, _ in site.rows]
    assert (result.status, extraction.warnings) == ("complete", [])


def test_a_listing_that_grows_at_its_end_is_read_to_its_new_end(make: Make) -> None:
    def grow(rows: Rows) -> None:
        if len(rows) == 20:
            insert(rows)

    with LampListing(rows=lamps(20), later=grow) as site:
        result, _, names = follow(make, site, "numbers")
    assert (result.status, names) == ("complete", [name for name, _ in site.rows])


def test_a_last_page_that_is_empty_when_it_is_read_again_has_gone(make: Make) -> None:
    def remove_once(rows: Rows) -> None:
        del rows[: len(rows) - 17]

    with LampListing(later=remove_once) as site:
        result, extraction, names = follow(make, site, "numbers")
        assert (result.status, extraction.warnings) == ("complete", [])
        assert names == [name for name, _ in site.rows]


def test_a_listing_that_changes_all_the_time_is_not_complete(make: Make) -> None:
    with LampListing(later=lambda rows: rows.insert(0, (f"New lamp {len(rows)}", "5.50"))) as site:
        result, extraction, _ = follow(make, site, "numbers")
    assert result.status == "partial"
    assert "changed while it was read" in extraction.warnings[0]


def test_prices_that_change_are_no_moves(make: Make) -> None:
    def reprice(rows: Rows) -> None:
        rows[:] = [(name, f"{float(price) + 1:.2f}") for name, price in rows]

    with LampListing(later=reprice) as site:
        result, extraction, _ = follow(make, site, "numbers")
        assert sum(count for path, count in site.asked.items() if "numbers" in path) == 6  # page 1 alone a second time
    assert (result.status, extraction.warnings) == ("complete", [])


@pytest.mark.parametrize("says", ["{total} lamps", "Lamps ({total})"])
def test_a_count_beside_a_pager_is_the_total_if_it_fits_the_pages(make: Make, says: str) -> None:
    with LampListing(states=says) as site:
        result, extraction, names = follow(make, site, "numbers", follow=3)
    assert (result.status, len(names)) == ("partial", 15)
    assert extraction.warnings[0].startswith("15 of 21 records")
    assert (extraction.completeness.expected, extraction.completeness.method) == (21, "stated_total")


def test_a_record_on_two_pages_is_told_whatever_the_total_says(make: Make) -> None:
    rows = lamps()
    rows[12] = rows[3]
    with LampListing(rows=rows, states="{total} lamps") as site:
        result, extraction, names = follow(make, site, "numbers")
    assert (result.status, len(names)) == ("complete", 21)
    assert extraction.warnings[0].startswith("1 record stands on two pages, and is kept twice: on pages 1 and 3")


DOORS = {
    "a login": '<h2>Members</h2><form><input name="user"><input type="password"></form>',
    "maintenance": "<p>We will be back soon.</p>",
    "an error": "<h2>Error 503</h2><p>Please wait a little.</p>",
    "a check": "<p>Checking your browser before you go on.</p>",
    "nothing at all": "<p>Our lamps are made by hand.</p>",
}


@pytest.mark.parametrize("door", DOORS)
def test_a_page_without_records_that_does_not_say_so_is_no_end(make: Make, door: str) -> None:
    with LampListing(bodies={4: DOORS[door]}) as site:
        result, extraction, names = follow(make, site, "next")
    assert (result.status, len(names)) == ("partial", 15)
    assert "page 4" in extraction.warnings[0]


def test_a_page_that_says_it_lists_nothing_ends_the_listing(make: Make) -> None:
    with LampListing(bodies={4: "<p>No results.</p>"}) as site:
        result, extraction, names = follow(make, site, "next")
    assert (result.status, extraction.warnings, len(names)) == ("complete", [], 15)


@pytest.mark.parametrize("way_in", [{}, {"follow": None}])
def test_a_listing_that_says_it_is_empty_is_complete_without_a_record(make: Make, way_in: dict[str, Any]) -> None:
    with LampListing(rows=[]) as site:
        result, extraction, names = follow(make, site, "numbers", **way_in)
    assert (result.status, extraction.errors, extraction.data, names) == ("complete", [], [], [])


@pytest.mark.parametrize("door", [door for door in DOORS if door != "nothing at all"])
def test_a_door_in_place_of_the_list_is_named(make: Make, door: str) -> None:
    with LampListing(bodies={1: DOORS[door]}) as site:
        result, extraction, _ = follow(make, site, "next", follow=None)
    assert result.status == "partial"
    assert "login" in extraction.errors[0].message or "the page says" in extraction.errors[0].message


def test_an_address_that_was_made_up_ends_no_listing(make: Make) -> None:
    """The first page leaves out pages 3 and 4, where nothing is; the second links to the third."""
    with LampListing() as site:
        result, extraction, names = follow(make, site, "renamed")
    assert (result.status, extraction.warnings) == ("complete", [])
    assert names == [name for name, _ in site.rows]


def test_a_page_that_nothing_links_to_and_that_is_empty_is_no_end(make: Make) -> None:
    with LampListing(bodies={3: "<p>0 results</p>"}) as site:
        result, extraction, names = follow(make, site, "first-page-only")
    assert (result.status, len(names)) == ("partial", 10)
    assert "page 3, which no page links to, shows no records" in extraction.warnings[0]


def test_a_page_that_is_linked_and_says_that_it_is_empty_is_the_end(make: Make) -> None:
    with LampListing(rows=lamps(10), linked_pages=9) as site:
        result, extraction, names = follow(make, site, "shortened")
    assert (result.status, extraction.warnings, len(names)) == ("complete", [], 10)


def test_a_record_that_a_later_recipe_passes_over_is_kept_where_it_still_stands(make: Make) -> None:
    """The first record stands in other markup; when the first page is read again, a recipe of the others reads it."""
    rows = [(f"{name} {number}", price) for number in range(3) for name, price in lamps()]
    entries = [f"<article><h2>{name}</h2><p>It costs £{price}.</p></article>" for name, price in rows]
    first = f"<aside>Lamp of the day<h3>{rows[0][0]}</h3><div>£{rows[0][1]}, in all shops</div></aside>"
    pages = {at // 5 + 1: "".join(entries[at : at + 5]) for at in range(0, len(rows), 5)}
    asked: list[str] = []

    def answer(prompt: str) -> str:
        asked.append(prompt)
        names = re.findall(r"[A-Z]\w+ lamp \d", prompt)
        return json.dumps([{"name": name, "price": float(price)} for name, price in rows if name in names])

    with LampListing(rows, bodies=pages | {1: pages[1].replace(entries[0], first)}) as site:
        library = make(answer, allow_hosts=[site.host])
        result = library.scrape(f"{site.url}/next", output_schema=LAMPS, follow=30, enable_javascript=False)
    assert result.status == "complete"
    assert [record["name"] for record in result.data] == [name for name, _ in rows]
    assert len(asked) < len(pages)  # a recipe read the others
