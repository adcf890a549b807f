"""``deadline_s`` bounds the whole job: what was found by then is kept, the reason is told, and nobody waits longer."""

import json
import threading
import time
from collections.abc import Iterator

import pytest
from gleaner import Gleaner
from gleaner.contracts.errors import FetchTimeout, GleanerError, QueueTimeout, RateLimited, UnreachableHost
from gleaner.contracts.media import MediaProbe, classify
from gleaner.contracts.models import ScrapeResult
from gleaner.contracts.ports import ModelAnswer, ModelRequest, RenderedPage, RenderOrder
from gleaner.testing import FunctionModel
from gleaner.wiring import WiredServices

from tests.support.asking import Make
from tests.workflow.test_paid_answers import PAGE, REQUEST, read, rows_in

URL = "https://shop.example/items"


class Browser:
    """Stands in for the browser and for plain HTTP: each order is noted, then answered or refused."""

    def __init__(self, answer: RenderedPage | GleanerError) -> None:
        self.answer = answer
        self.orders: list[RenderOrder] = []

    def probe(self, url: str, *, ends_at: float | None = None, known: object = None) -> MediaProbe:
        self.probed_until = ends_at
        return MediaProbe(url, 200, {}, classify(url, 200, {"content-type": "text/html"}), b"", None)

    def render(self, order: RenderOrder) -> RenderedPage:
        self.orders.append(order)
        if isinstance(self.answer, GleanerError):
            raise self.answer
        return self.answer


def scrape(gleaner: Gleaner, browser: Browser, monkeypatch: pytest.MonkeyPatch, **request: object) -> ScrapeResult:
    for port in ("renderer", "fetcher"):
        monkeypatch.setattr(WiredServices, port, property(lambda _: browser))
    return gleaner.scrape(URL, **request)


@pytest.mark.req("EX-9", "CM-1")
@pytest.mark.parametrize("request_fields", [{}, REQUEST], ids=["markdown", "records"])
def test_a_page_that_was_still_loading_at_the_deadline_is_used_and_the_result_is_partial(
    make: Make, monkeypatch: pytest.MonkeyPatch, request_fields: dict[str, object]
) -> None:
    cut = ("budget_exceeded", "the page was still loading when its time was over (deadline_s)")
    browser = Browser(RenderedPage(URL, 200, "Items", PAGE, warnings=(cut[1],), cut_short=cut))
    model = FunctionModel(lambda prompt: json.dumps(rows_in(prompt)))
    result = scrape(make(model), browser, monkeypatch, budget={"deadline_s": 60}, **request_fields)
    assert result.status == "partial"
    assert result.warnings == [cut[1]]
    assert result.markdown
    if result.extraction:
        assert (len(result.extraction.data), result.extraction.is_partial) == (30, True)
        assert [(error.error_type, error.message) for error in result.extraction.errors] == [cut]
    [order] = browser.orders
    assert order.ends_at == browser.probed_until == pytest.approx(time.time() + 60, abs=20)


@pytest.mark.req("EX-9")
@pytest.mark.parametrize("error", [FetchTimeout("30 s"), QueueTimeout("all are busy")])
def test_what_has_no_time_left_is_not_tried_again_and_says_which_cap_it_was(
    make: Make, monkeypatch: pytest.MonkeyPatch, error: GleanerError
) -> None:
    browser = Browser(error)
    result = scrape(make(), browser, monkeypatch, budget={"deadline_s": 1})
    assert result.error is not None
    assert (result.status, result.error.error_type) == ("failed", "budget_exceeded")
    assert "deadline_s, 1 s," in result.error.message
    assert len(browser.orders) == 1


@pytest.mark.req("AC-6")
def test_a_host_that_is_busy_until_the_deadline_is_told_as_busy(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    class Busy(Browser):
        def probe(self, url: str, *, ends_at: float | None = None, known: object = None) -> MediaProbe:
            verdict = classify(url, 429, {"content-type": "text/html"})
            return MediaProbe(url, 429, {"retry-after": "90"}, verdict, b"", None)

    browser = Busy(UnreachableHost("the host is silent"))
    result = scrape(make(), browser, monkeypatch, budget={"deadline_s": 60})
    assert result.error is not None
    assert result.error.message == f"{URL} answered 429 Too Many Requests; it asks to be left alone for 90 s"
    assert browser.orders == []


@pytest.mark.req("EX-9")
def test_a_job_that_begins_after_its_deadline_asks_for_no_page(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    browser = Browser(FetchTimeout(""))
    result = scrape(make(), browser, monkeypatch, budget={"deadline_s": 0.0001})
    assert result.error is not None
    assert "before the page was requested" in result.error.message
    assert browser.orders == []


class Endless:
    """Answers about the first chunk; about any other it thinks until it is let go."""

    name = "function:endless"

    def __init__(self) -> None:
        self.let_go = threading.Event()
        self.has_ended = False

    def answer(self, request: ModelRequest) -> ModelAnswer:
        rows = rows_in(request.prompt)
        if not any(row["label"] == "Item 000" for row in rows):
            self.let_go.wait(60)
            self.has_ended = True
        return ModelAnswer(json.dumps(rows), 10, 10)


@pytest.fixture
def endless() -> Iterator[Endless]:
    model = Endless()
    yield model
    model.let_go.set()


@pytest.mark.req("EX-9", "EX-5")
def test_a_model_that_never_ends_costs_no_more_than_the_time_there_is(make: Make, endless: Endless) -> None:
    config = {**REQUEST["config"], "max_chunk_chars": 400}  # type: ignore[dict-item]
    result = read(make(endless), config=config, budget={"deadline_s": 5})
    assert not endless.has_ended
    assert result.status == "partial"
    assert result.extraction is not None
    assert result.extraction.data
    assert {error.error_type for error in result.extraction.errors} >= {"budget_exceeded"}


@pytest.mark.req("EX-9", "EX-4")
def test_near_the_deadline_a_rate_limit_is_waited_out_no_longer_than_it_lasts(make: Make) -> None:
    calls: list[float] = []

    def refuse(_: str) -> str:
        calls.append(time.monotonic())
        raise RateLimited("slow down", retry_after=30)

    result = read(make(FunctionModel(refuse)), budget={"deadline_s": 20})
    assert result.status == "partial"
    assert calls[-1] - calls[0] < 10
    assert result.extraction is not None
    assert [error.error_type for error in result.extraction.errors][:1] == ["rate_limited"]
