"""Listings that have no address for their next page: "load more" is pressed, boxes are scrolled to their end (FP-1)."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from gleaner import Gleaner, wiring
from gleaner.adapters.browser.renderer import PlaywrightRenderer
from gleaner.contracts.models import ExtractionResult, ScrapeResult
from gleaner.contracts.settings import Settings
from gleaner.testing import ScriptedModel

from tests.support.kept_browser import KeptBrowser
from tests.support.paged_site import LISTED_SCHEMA, PagedSite, listed_records, listed_truth

pytestmark = pytest.mark.req("FP-1", "BR-3")

WAYS = {"header": 24, "more": 96, "inner": 96, "scroll": 60, "polling": 36}
Read = Callable[..., tuple[ScrapeResult, ExtractionResult, int]]


@pytest.fixture(scope="module")
def sites() -> Iterator[dict[int, PagedSite]]:
    with ExitStack() as stack:
        yield {count: stack.enter_context(PagedSite(records=listed_records(count))) for count in {*WAYS.values()}}


@pytest.fixture(scope="module")
def kept(sites: dict[int, PagedSite], make_settings: Callable[..., Settings]) -> Iterator[KeptBrowser]:
    renderer = PlaywrightRenderer(make_settings(allow_hosts=[site.host for site in sites.values()]))
    yield KeptBrowser(renderer)
    renderer.close()


@pytest.fixture
def read(sites: dict[int, PagedSite], kept: KeptBrowser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Read:
    """Reads a listing of its way; gives the result, its extraction and the number of model calls."""
    monkeypatch.setattr(wiring, "_make_renderer", lambda *_: kept)

    def scrape(way: str, **request: object) -> tuple[ScrapeResult, ExtractionResult, int]:
        site, model = sites[WAYS[way]], ScriptedModel(listed_truth(listed_records(96)))
        with Gleaner(model, tmp_path, allow_hosts=[site.host]) as gleaner:
            result = gleaner.scrape(f"{site.url}/{way}", output_schema=LISTED_SCHEMA, **request)
        assert result.extraction is not None
        return result, result.extraction, len(model.requests)

    return scrape


@pytest.mark.parametrize("way", WAYS)
def test_a_listing_that_grows_in_the_page_is_read_to_its_end(read: Read, way: str) -> None:
    result, extraction, calls = read(way, follow=50)
    assert (result.status, extraction.warnings, calls) == ("complete", [], 1)
    assert extraction.data == listed_records(WAYS[way])


def test_load_more_is_pressed_as_often_as_the_caller_allows(read: Read) -> None:
    result, extraction, _ = read("more", follow=3)
    assert (result.status, extraction.data) == ("partial", listed_records(36))
    assert extraction.warnings[0].startswith("36 of 96 records")
    _, alone, _ = read("more")
    assert alone.data == listed_records(12), "without follow nothing is pressed"
