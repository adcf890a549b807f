"""What a model has given before it goes down, or before a cap, is kept, and gone on with when there is more room."""

import json
from collections.abc import Callable
from typing import Any, Literal

import pytest
from gleaner import Gleaner
from gleaner.budget.guard import TableLedger
from gleaner.contracts.errors import InvalidRequest, ModelUnavailable, RateLimited
from gleaner.contracts.models import ScrapeResult
from gleaner.contracts.ports import ModelAnswer, ModelRequest
from gleaner.jobs.jobs import JobRef
from gleaner.jobs.pages import Pages, StoredPage
from gleaner.steps.plan import plan_scrape
from gleaner.testing import FunctionModel

from tests.workflow.test_paid_answers import PAGE, REQUEST, read, rows_in

Make = Callable[..., Gleaner]
REF = JobRef("the-job")
PAGE_ID = "the-page"


def run(gleaner: Gleaner, **more: Any) -> ScrapeResult:
    """Run one and the same job."""
    Pages(gleaner.services.blobs, REF).store(StoredPage(PAGE_ID, "https://shop.example/items", "", 200), PAGE)
    return gleaner._runner.run_scrape({"page_id": PAGE_ID, **REQUEST, **more}, REF)


@pytest.mark.req("EX-5", "EX-4")
@pytest.mark.parametrize("error", [RateLimited("slow down"), ModelUnavailable("down"), ValueError("a fault")])
def test_a_model_that_goes_down_for_good_does_not_take_what_it_gave_before(make: Make, error: Exception) -> None:
    asked: list[int] = []

    def answer(prompt: str) -> str:
        asked.append(1)
        if len(asked) > 1:
            raise error
        return json.dumps(rows_in(prompt)[:20])

    result = read(make(FunctionModel(answer)))
    assert result.extraction is not None
    assert result.status == "partial"
    assert len(result.extraction.data) == 20
    assert result.extraction.completeness.missing[0].text.startswith("| Item 020")
    assert result.extraction.usage.calls == 1
    kinds = [one.error_type for one in result.extraction.errors]
    assert kinds[0] in ("rate_limited", "model_unavailable")
    assert "internal_error" not in kinds


@pytest.mark.req("EX-9", "EX-5")
def test_a_job_that_is_run_again_with_more_room_goes_on_and_asks_nothing_twice(make: Make) -> None:
    model = FunctionModel(lambda prompt: json.dumps(rows_in(prompt)))
    config = {"tiers": ["model"], "max_chunk_chars": 300, "max_concurrent_chunks": 1}
    first = run(make(model), config=config, budget={"max_tokens": 1_200})
    assert first.extraction is not None
    assert first.status == "partial"
    found = len(first.extraction.data)
    assert 0 < found < 30
    asked = len(model.prompts)
    same = run(make(model), config=config, budget={"max_tokens": 1_200})
    assert same.extraction is not None
    assert (len(same.extraction.data), len(model.prompts)) == (found, asked)
    more = run(make(model), config={**config, "max_concurrent_chunks": 3}, budget={"max_tokens": 100_000})
    assert more.extraction is not None
    assert (more.status, len(more.extraction.data)) == ("complete", 30)
    assert len(model.prompts) == len(set(model.prompts)) == more.extraction.usage.calls


@pytest.mark.req("EX-9")
def test_what_killed_calls_held_is_spent_and_not_waited_for_by_the_next_run(make: Make) -> None:
    gleaner = make(FunctionModel(lambda prompt: json.dumps(rows_in(prompt))))
    capped = {"budget": {"max_tokens": 3_000}, "config": {"tiers": ["model"], "max_chunk_chars": 300}}
    run(gleaner, **capped)
    ledger = TableLedger(gleaner.services.table, f"{REF.tenant}#{REF.job_id}")
    ledger.add({"tokens": 2_500, "held_tokens": 2_500})
    plan_scrape(
        {"input": {"job": REF.to_json(), "request": {"page_id": PAGE_ID, **REQUEST, **capped}}}, gleaner.services
    )
    totals = ledger.add({"tokens": 0}) or {}
    assert totals["held_tokens"] == 0
    assert totals["tokens"] > 2_500


class CutShort:
    """Answers in words that end where the limit is."""

    def __init__(self, *stops: Literal["length", "end"]) -> None:
        self.stops = list(stops)

    def answer(self, request: ModelRequest) -> ModelAnswer:
        return ModelAnswer("The items cost", 10, 10, self.stops.pop(0))


@pytest.mark.req("EX-1", "EX-4", "EX-8")
def test_words_that_were_cut_are_kept_and_neither_complete_nor_cached(make: Make) -> None:
    model = CutShort("length", "end")
    asked = {"output_schema": None, "query": "What do they cost?"}
    gleaner = make(model)
    cut, whole = (gleaner.extract_html(PAGE, "https://shop.example/items", **asked) for _ in range(2))
    assert cut.extraction is not None
    assert (cut.status, cut.extraction.data) == ("partial", "The items cost")
    assert [error.error_type for error in cut.extraction.errors] == ["output_cut"]
    assert (whole.status, model.stops) == ("complete", [])


@pytest.mark.req("WF-1")
def test_a_job_that_has_begun_is_not_run_for_another_request(make: Make) -> None:
    gleaner = make(FunctionModel(lambda prompt: json.dumps(rows_in(prompt))))
    assert run(gleaner).status == "complete"
    other = {"page_id": PAGE_ID, "query": "something else", "css_selector": "h1"}
    with pytest.raises(InvalidRequest, match=r"css_selector.* differ; start a new job"):
        plan_scrape({"input": {"job": REF.to_json(), "request": other}}, gleaner.services)
