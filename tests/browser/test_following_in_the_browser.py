"""Listings that have no address for their next page: "load more" is pressed, boxes are scrolled to their end (FP-1)."""

from pathlib import Path

import pytest
from gleaner import Gleaner
from gleaner.testing import ScriptedModel

from tests.support.paged_site import LISTED_SCHEMA, PagedSite, listed_records, listed_truth

pytestmark = pytest.mark.req("FP-1", "BR-3")

WAYS = {"header": 24, "more": 96, "inner": 96, "scroll": 60, "polling": 36}


@pytest.mark.parametrize("way", WAYS)
def test_a_listing_that_grows_in_the_page_is_read_to_its_end(tmp_path: Path, way: str) -> None:
    records = listed_records(WAYS[way])
    model = ScriptedModel(listed_truth(records))
    with PagedSite(records=records) as site, Gleaner(model, tmp_path, allow_hosts=[site.host]) as gleaner:
        result = gleaner.scrape(f"{site.url}/{way}", output_schema=LISTED_SCHEMA, follow=50)
    assert result.extraction is not None
    assert (result.status, result.extraction.warnings) == ("complete", [])
    assert result.extraction.data == records
    assert len(model.requests) == 1


def test_load_more_is_pressed_as_often_as_the_caller_allows(tmp_path: Path) -> None:
    records = listed_records(60)
    model = ScriptedModel(listed_truth(records))
    with PagedSite(records=records) as site, Gleaner(model, tmp_path, allow_hosts=[site.host]) as gleaner:
        result = gleaner.scrape(f"{site.url}/more", output_schema=LISTED_SCHEMA, follow=3)
        alone = gleaner.scrape(f"{site.url}/more", output_schema=LISTED_SCHEMA)
    assert result.extraction is not None
    assert alone.extraction is not None
    assert (result.status, result.extraction.data) == ("partial", records[:36])
    assert result.extraction.warnings[0].startswith("36 of 60 records")
    assert alone.extraction.data == records[:12], "without follow nothing is pressed"
