"""A listing over many pages is followed to its end, whatever goes wrong on the way (FP-1, FP-2)."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from gleaner import Gleaner
from gleaner.contracts.errors import InvalidRequest
from gleaner.contracts.models import ExtractionResult, ScrapeResult
from gleaner.testing import ScriptedModel

from tests.support.asking import Make
from tests.support.paged_site import LISTED_SCHEMA, PagedSite, Trouble, listed_records, listed_truth

pytestmark = pytest.mark.req("FP-1", "FP-2")

WAYS = ("rel", "next", "numbers", "offset", "cursor")
Run = Callable[..., tuple[ScrapeResult, ExtractionResult, int]]


@pytest.fixture
def run(make: Make) -> Iterator[Run]:
    """Follows a listing without a browser; gives the result, its extraction and the number of model calls."""
    sites: list[PagedSite] = []

    def follow(way: str, trouble: Trouble | None = None, pages: int = 40, **request: Any):
        site = PagedSite(records=listed_records(pages * 12), trouble=trouble or Trouble())
        sites.append(site)
        model = ScriptedModel(listed_truth(listed_records(pages * 12)))
        gleaner: Gleaner = make(model, allow_hosts=[site.host])
        start = {"offset": "/offset?offset=0"}.get(way, f"/{way}")
        asked = {"output_schema": LISTED_SCHEMA, "follow": 100, "enable_javascript": False, **request}
        result = gleaner.scrape(site.url + start, **asked)
        return result, result.extraction or ExtractionResult(), len(model.requests)

    yield follow
    for site in sites:
        site.close()


@pytest.mark.parametrize(("way", "pages"), [(way, 12 if way == "next" else 5) for way in WAYS])
def test_every_way_of_paging_gives_all_records_for_one_model_call(run: Run, way: str, pages: int) -> None:
    result, extraction, calls = run(way, pages=pages)
    assert (result.status, extraction.warnings, result.error) == ("complete", [], None)
    count = pages * 12
    assert extraction.data == listed_records(count)
    assert (extraction.completeness.returned, extraction.completeness.expected) == (count, count)
    assert calls == 1
    assert [page.number for page in result.pages or []] == [*range(1, pages + 1)]
    assert extraction.aggregate_summary == f"{count} unique records from {pages} pages"


@pytest.mark.req("FP-3")
def test_a_next_page_that_the_header_alone_names_is_followed(run: Run) -> None:
    result, extraction, _ = run("header", Trouble(states_total=False), pages=3)
    assert (result.status, extraction.data) == ("complete", listed_records(36))


def test_each_value_is_proven_by_the_text_of_its_own_page(run: Run) -> None:
    result, extraction, _ = run("numbers", pages=3)
    assert result.markdown is not None
    assert len(extraction.provenance) == 36 * 3
    for entry in extraction.provenance:
        _, number, name = entry.pointer.split("/")
        assert entry.start is not None
        shown = result.markdown[entry.start : entry.end]
        value = extraction.data[int(number)][name]
        assert shown.strip("£") == (f"{value:.2f}" if name == "price" else value)
        assert entry.page == int(number) // 12 + 1


@pytest.mark.parametrize("way", ["next", "numbers"])
def test_an_item_that_moves_while_one_pages_on_is_neither_lost_nor_doubled(run: Run, way: str) -> None:
    result, extraction, calls = run(way, Trouble(moves_after=3), pages=5)
    assert result.status == "complete"
    assert calls == 1
    assert sorted(map(json.dumps, extraction.data)) == sorted(map(json.dumps, listed_records(60)))


@pytest.mark.parametrize("way", ["next", "numbers"])
def test_a_page_that_fails_once_is_read_again(run: Run, way: str) -> None:
    result, extraction, calls = run(way, Trouble(fails_once=frozenset({1, 4})), pages=5)
    assert (result.status, calls) == ("complete", 1)
    assert extraction.data == listed_records(60)


def test_a_last_page_that_leads_to_itself_ends_the_listing(run: Run) -> None:
    result, extraction, _ = run("next", Trouble(loops="itself"), pages=4)
    assert (result.status, extraction.warnings) == ("complete", [])
    assert extraction.data == listed_records(48)


def test_a_loop_is_told_and_nothing_is_doubled(run: Run) -> None:
    result, extraction, _ = run("next", Trouble(loops="first", states_total=False), pages=4)
    assert result.status == "partial"
    assert extraction.data == listed_records(48)
    assert "repeats page 1" in extraction.warnings[0]


def test_a_session_that_expires_is_told_and_what_was_found_is_kept(run: Run) -> None:
    result, extraction, _ = run("next", Trouble(login_at=5), pages=8)
    assert result.status == "partial"
    assert extraction.data == listed_records(48)
    assert extraction.warnings[0].startswith("48 of 96 records were extracted from 4 pages: page 5: ")
    assert "asks for a login" in extraction.warnings[0]


CAPS = {
    "max_pages": ({"follow": 3}, 36, "max_pages is 3"),
    "max_records": ({"follow": {"max_records": 30}}, 30, "max_records is 30"),
    "robots.txt": ({"follow": True}, 36, "robots.txt forbids"),
}


@pytest.mark.parametrize("cap", CAPS)
@pytest.mark.parametrize("way", ["next", "numbers"])
def test_a_cap_is_told_with_the_records_that_there_are_in_all(run: Run, way: str, cap: str) -> None:
    request, found, said = CAPS[cap]
    trouble = Trouble(forbidden=f"/{way}?sort=name&page=4" if cap == "robots.txt" else "")
    result, extraction, _ = run(way, trouble, pages=6, **request)
    assert result.status == "partial"
    assert extraction.data == listed_records(72)[:found]
    assert extraction.warnings[0].startswith(f"{found} of 72 records were extracted")
    assert said in extraction.warnings[0]


@pytest.mark.parametrize("way", ["next", "numbers"])
def test_a_budget_holds_over_all_pages_and_what_was_found_is_kept(run: Run, way: str) -> None:
    request = {"config": {"tiers": ["model"]}, "budget": {"max_tokens": 2_000}}
    result, extraction, calls = run(way, pages=6, **request)
    assert result.status == "partial"
    assert 0 < calls < 6
    listing = listed_records(72)
    pages = [listing[start : start + 12] for start in range(0, 72, 12)]
    kept = [page for page in pages if page[0] in extraction.data]
    assert extraction.data == [record for page in kept for record in page]
    # Pages whose addresses are known are read two at a time: either one of the two may get what is left of the budget.
    assert way == "numbers" or kept == pages[: len(kept)]
    assert extraction.usage.input_tokens + extraction.usage.output_tokens <= 2_000


def test_a_page_that_is_alone_is_a_listing_of_one_page(run: Run) -> None:
    result, extraction, _ = run("rel", pages=1)
    assert (result.status, len(result.pages or [])) == ("complete", 1)
    assert extraction.data == listed_records(12)


def test_text_alone_is_followed_too(run: Run) -> None:
    result, _, calls = run("next", pages=3, output_schema=None)
    assert result.markdown is not None
    assert all(str(record["name"]) in result.markdown for record in listed_records(36))
    assert (result.status, calls) == ("complete", 0)


def test_a_first_page_that_can_not_be_read_fails_the_job(run: Run) -> None:
    result, _, _ = run("nowhere")
    assert result.status == "failed"
    assert result.error is not None
    assert "404" in result.error.message


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        ({"follow": 0}, "follow"),
        ({"follow": 1001}, "follow.max_pages"),
        ({"follow": {"pages": 3}}, "follow.pages: unknown field"),
        ({"follow": 3, "format": "screenshot"}, "shows one page"),
    ],
)
def test_what_can_not_be_followed_is_refused(make: Make, request_: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidRequest, match=said):
        make().scrape("https://a.example/", **request_)


@pytest.mark.req("AG-1")
def test_records_are_told_apart_by_fields_that_they_have(run: Run) -> None:
    result, _, calls = run("next", pages=2, config={"dedupe": "keys", "dedupe_keys": ["sku"]})
    assert result.error is not None
    assert result.error.message.startswith("dedupe_keys: the records have no field 'sku'; their fields are ")
    assert calls == 0


def test_a_schema_of_one_object_can_not_be_followed(run: Run) -> None:
    result, _, _ = run("next", pages=2, output_schema={"type": "object", "properties": {"name": {"type": "string"}}})
    assert result.error is not None
    assert "describes one object" in result.error.message


def test_a_cancelled_listing_keeps_what_was_found(make: Make) -> None:
    from gleaner.contracts.items import DEFAULT_TENANT
    from gleaner.jobs.jobs import JobRef
    from gleaner.jobs.places import jobs_of
    from gleaner.local.runner import LocalRunner

    with PagedSite(records=listed_records(72)) as site:
        gleaner = make(ScriptedModel(listed_truth(listed_records(72))), allow_hosts=[site.host])
        ref = JobRef("the-listing", DEFAULT_TENANT)

        def cancel_at_page_3(function: str, phase: str, payload: Any) -> None:
            if (function, phase) == ("aggregate_results", "started") and payload["job"]["job_id"].startswith(
                "page-0003"
            ):
                jobs_of(gleaner.services).update(ref, status="cancelled")

        runner = LocalRunner(gleaner.services, cancel_at_page_3)
        request = {"url": f"{site.url}/next", "output_schema": LISTED_SCHEMA, "follow": 10, "enable_javascript": False}
        result = runner.run_scrape(request, ref)
        runner.close()
    assert jobs_of(gleaner.services).status(ref)["status"] == "cancelled"
    assert result.extraction is not None
    assert result.extraction.data == listed_records(36)
    assert "the job was cancelled" in result.extraction.warnings[0]
