"""A site of 300 pages is crawled: mapped, then each page scraped once; what was found is kept (MP-2)."""

import asyncio
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from gleaner import AsyncGleaner, Gleaner
from gleaner.contracts.errors import HttpStatusError, InvalidRequest
from gleaner.contracts.settings import load_settings
from gleaner.jobs.site_maps import CrawlOrder
from gleaner.local.runner import LocalContext, LocalRunner, load_handler
from gleaner.service.gateway import Gateway
from gleaner.testing import ScriptedModel, TrueRecord
from gleaner.wiring import WiredServices

from tests.support.mapped_site import ITEM_SCHEMA, MappedSite, item_records, page_path
from tests.workflow.faulty import Fault, FaultyRunner, Killed

pytestmark = pytest.mark.req("MP-2")
TEN = ["/parts/5?"]
"""Pages 50 to 59."""
NUMBERS = list(range(50, 60))
PLAIN: dict[str, Any] = {"output_schema": ITEM_SCHEMA, "enable_javascript": False}
Make = Callable[..., Gleaner]


@pytest.fixture
def site() -> Iterator[MappedSite]:
    with MappedSite() as made:
        yield made


def order_of(site: MappedSite, **more: Any) -> dict[str, Any]:
    return {"url": site.url, "include": TEN, "depth": 0, "request": PLAIN, **more}


def asked_for_pages(site: MappedSite) -> set[str]:
    return {path for path in site.asked if path.startswith("/parts/")}


def test_each_page_that_the_map_lists_is_scraped_once(make: Make, site: MappedSite) -> None:
    gleaner, heard = make(model="none", allow_hosts=[site.host]), list[str]()
    crawl = gleaner.crawl(site.url, include=TEN, depth=0, on_result=lambda one: heard.append(one.job_id), **PLAIN)
    assert (crawl.status, crawl.not_run, len(crawl)) == ("complete", 0, 10)
    assert (
        [one.url for one in crawl] == [site.url + page_path(n) for n in NUMBERS] == [one.url for one in crawl.site_map]
    )
    assert crawl.records == [record for n in NUMBERS for record in item_records(n)]
    assert sorted(heard) == sorted(one.job_id for one in crawl)
    assert asked_for_pages(site) == {page_path(n) for n in NUMBERS}, "one spelling of each page, and no other page"


def test_each_page_is_asked_for_once_though_the_map_reads_it_too(make: Make, site: MappedSite) -> None:
    gleaner = make(model="none", allow_hosts=[site.host])
    crawl = gleaner.crawl(site.url, include=["/parts/2[0-2]1*"], **PLAIN)
    assert [one.url for one in crawl] == [site.url + page_path(n) for n in (201, 211, 221)], "they stand behind links"
    assert (crawl.status, [len(one.extraction.data) for one in crawl if one.extraction]) == ("complete", [3, 3, 3])
    assert {site.asked[page_path(n)] for n in (201, 211, 221)} == {1}
    assert [one["url"] for one in gleaner.gateway.batches.jobs(crawl.crawl_id)] == [one.url for one in crawl]


def test_a_crawl_is_bounded_by_pages_and_says_so(make: Make, site: MappedSite) -> None:
    gleaner = make(model="none", allow_hosts=[site.host])
    crawl = gleaner.crawl(site.url, include=TEN, depth=0, max_pages=4, **PLAIN)
    assert (crawl.status, len(crawl)) == ("partial", 4)
    assert "the cap of 4 URLs is reached: the site has more" in crawl.warnings


def test_a_crawl_whose_map_is_not_whole_is_partial(make: Make, site: MappedSite) -> None:
    site.trouble.files["/sitemap-1.xml"] = (503, "text/html", b"no")
    gleaner = make(model="none", allow_hosts=[site.host])
    crawl = gleaner.crawl(site.url, include=["/parts/15?"], depth=0, **PLAIN)
    assert (crawl.status, len(crawl), {one.status for one in crawl}) == ("partial", 10, {"complete"})
    assert crawl.warnings[0] == "5 of 6 sitemaps were read"


def test_a_crawl_without_pages_fails_with_the_reason_of_its_map(make: Make, site: MappedSite) -> None:
    site.trouble.names_sitemap = False
    gleaner = make(model="none", allow_hosts=[site.host])
    crawl = gleaner.crawl(f"{site.url}/nowhere", **PLAIN)
    assert (crawl.status, len(crawl)) == ("failed", 0)
    with pytest.raises(HttpStatusError, match="answered 404 Not Found"):
        crawl.raise_for_status()


def test_tokens_are_capped_for_the_crawl_as_a_whole(make: Make, site: MappedSite) -> None:
    truth = [TrueRecord(record, (str(record["name"]),)) for n in NUMBERS for record in item_records(n)]
    model = ScriptedModel(truth)
    gleaner = make(model=model, allow_hosts=[site.host])
    question = {**PLAIN, "config": {"tiers": ["model"]}}
    one = gleaner.crawl(site.url, include=["/parts/50"], depth=0, **question)
    spent = one.results[0].extraction.usage if one.results[0].extraction else None
    assert spent is not None
    before = len(model.requests)
    cap = 4 * (spent.input_tokens + spent.output_tokens)
    crawl = gleaner.crawl(site.url, include=["/parts/5[1-9]"], depth=0, budget={"max_tokens": cap}, **question)
    errors = [error.error_type for result in crawl if result.extraction for error in result.extraction.errors]
    assert crawl.status == "partial"
    assert "budget_exceeded" in errors
    used = [result.extraction.usage for result in crawl if result.extraction]
    assert sum(usage.input_tokens + usage.output_tokens for usage in used) <= cap
    assert 0 < len(model.requests) - before < 9
    assert crawl.records, "what was found before the cap is kept"


def test_no_page_begins_after_the_deadline_and_those_left_are_counted(make: Make, site: MappedSite) -> None:
    gleaner = make(model="none", allow_hosts=[site.host])
    order = CrawlOrder.read(order_of(site, request={**PLAIN, "budget": {"deadline_s": 3600}}))
    sites = gleaner.gateway.sites
    started = sites.start_crawl(order.model_dump(mode="json", exclude_unset=True), idempotency_key="late")
    crawl_id = str(started["batch_id"])
    gleaner.gateway.wait_until(lambda: batch(gleaner, crawl_id)["status"] == "complete", ref_of(crawl_id), 25)
    assert batch(gleaner, crawl_id)["deadline_at"] > batch(gleaner, crawl_id)["created_at"] + 3500
    gleaner.gateway.batches.update(crawl_id, deadline_at=1.0)
    payload: Any = {
        "batch": {"job_id": crawl_id, "tenant": "default"},
        "item": {"job": {"job_id": "other", "tenant": "default"}, "request": {"url": site.url}},
    }
    context = LocalContext("admit_page", gleaner.services)
    assert load_handler("admit_page")(payload, context) == {"admitted": False}


def batch(gleaner: Gleaner, crawl_id: str) -> Any:
    return gleaner.gateway.batches.record(crawl_id)


def ref_of(crawl_id: str) -> Any:
    from gleaner.jobs.jobs import JobRef

    return JobRef(crawl_id, "default")


BAD: list[tuple[dict[str, Any], str]] = [
    ({"request": {"url": "https://a.example/"}}, "leave out url"),
    ({"request": {"follow": 3}}, "leave out follow"),
    ({"request": {"format": "html"}}, "format 'html' is not supported"),
    ({"max_pages": 60_000}, "max_pages"),
    ({"max_urls": 5}, "max_urls: unknown field"),
    ({"include": ["parts"]}, "a glob begins with"),
]  # fmt: skip


@pytest.mark.parametrize(("fields", "said"), BAD)
def test_an_order_that_is_wrong_names_its_field(fields: dict[str, Any], said: str) -> None:
    with pytest.raises(Exception, match=said) as caught:
        CrawlOrder.read({"url": "https://a.example", **fields})
    assert type(caught.value).__name__ in ("InvalidRequest", "UnsupportedFormat")


def test_a_crawl_runs_in_a_loop_page_by_page_or_as_a_whole(site: MappedSite, tmp_path: Path) -> None:
    async def crawl() -> tuple[int, str, int]:
        async with AsyncGleaner(model="none", home=tmp_path / "home", allow_hosts=[site.host]) as gleaner:
            seen = [one async for one in gleaner.crawl(site.url, include=TEN, depth=0, max_pages=3, **PLAIN)]
            whole = await gleaner.crawl(site.url, include=TEN, depth=0, **PLAIN)
            return len(seen), whole.status, len(whole.records)

    assert asyncio.run(crawl()) == (3, "complete", 30)


# Kill, stop, cancel


class Crawl:
    """A crawl of ten pages whose functions go wrong, and all that is told of it."""

    def __init__(self, home: Path, site: MappedSite) -> None:
        self.told: list[tuple[str, Any]] = []
        settings = load_settings({}, home=home, allow_hosts=[site.host], model="none")
        self.services = WiredServices(settings, on_event=lambda name, detail: self.told.append((name, detail)))
        self.site = site
        waiting = Gateway(self.services, NeverStarts())
        self.id = str(waiting.sites.start_crawl(order_of(site, concurrency=1), idempotency_key="ten")["batch_id"])
        self.gateway = waiting
        self.payload: Any = {"site": {"job_id": self.id, "tenant": "default"}}

    def run(self, name: str, *faults: Fault) -> Any:
        runner = FaultyRunner(self.services)
        runner.faults = faults
        runner.run_machine("crawl_site", self.payload, name)
        runner.close()
        return self.record()

    def record(self) -> Any:
        return self.gateway.batches.view(self.id)

    def tell_of_the_stop(self) -> None:
        """Deliver the event of the execution's end, twice, as it may come."""
        detail: Any = {"status": "ABORTED", "name": self.id, "input": json.dumps(self.payload)}
        for _ in range(2):
            load_handler("close_stopped")({"detail": detail}, LocalContext("close_stopped", self.services))

    def jobs(self) -> list[str]:
        """Give the states of the jobs of the ten pages; "" for one that has not begun."""
        known = {str(job["job_id"]): str(job["status"]) for job in self.gateway.batches.jobs(self.id)}
        return [known.get(f"{self.id}-{number:06}", "") for number in range(1, len(NUMBERS) + 1)]

    def scraped(self) -> int:
        """How many pages were told of as complete, each time that one was."""
        return sum(name == "ScrapeCompleted" for name, _ in self.told)


class NeverStarts:
    """Starts nothing: the test runs the machine itself."""

    def start(self, machine: str, payload: Any, name: str) -> None:
        pass

    def steps(self, name: str) -> list[Any]:
        return []


@pytest.fixture
def crawl(tmp_path: Path, site: MappedSite) -> Iterator[Crawl]:
    made = Crawl(tmp_path / "home", site)
    yield made
    made.services.close()


def test_a_crawl_is_one_record_from_its_map_to_its_end(crawl: Crawl) -> None:
    assert (crawl.record()["status"], crawl.record()["total"]) == ("mapping", 0)
    record = crawl.run("one")
    assert (record["status"], record["total"], record["counts"]["complete"]) == ("complete", 10, 10)
    assert "request_digest" not in record
    ended = [detail for name, detail in crawl.told if name == "BatchCompleted"]
    assert [one["status"] for one in ended] == ["complete"]


@pytest.mark.parametrize("function", ["map_site", "admit_page", "probe_media", "aggregate_results", "summarize_batch"])
def test_a_process_that_is_killed_is_gone_on_with_and_no_page_is_lost_or_scraped_twice(
    crawl: Crawl, function: str
) -> None:
    fault = Fault(function, Killed, after=True, stops=True)
    fault.seen = 0 if function in ("map_site", "summarize_batch") else -3
    crawl.run("one", fault)
    assert crawl.record()["status"] in ("mapping", "running", "complete")
    record = crawl.run("two")
    assert (record["status"], record["counts"]["complete"], record["counts"]["not_run"]) == ("complete", 10, 0)
    assert crawl.scraped() == 10
    done = [crawl.gateway.result(f"{crawl.id}-{number:06}") for number in range(1, 11)]
    assert [one.url for one in done] == [crawl.site.url + page_path(n) for n in NUMBERS]


@pytest.mark.parametrize("function", ["map_site", "aggregate_results"])
def test_a_crawl_that_is_stopped_is_closed_and_gone_on_with(crawl: Crawl, function: str) -> None:
    fault = Fault(function, Killed, stops=True)
    fault.seen = 0 if function == "map_site" else -3
    crawl.run("one", fault)
    crawl.tell_of_the_stop()
    record = crawl.record()
    assert record["status"] == "partial"
    assert record["counts"]["done"] == (0 if function == "map_site" else 3)
    again = crawl.run("two")
    assert (again["status"], again["counts"]["complete"], crawl.scraped()) == ("complete", 10, 10)


def test_cancelling_while_the_site_is_mapped_keeps_the_map(crawl: Crawl) -> None:
    crawl.gateway.cancel_batch(crawl.id)
    record = crawl.run("one")
    assert (record["status"], record["total"]) == ("cancelled", 0)
    assert "finished_at" in record
    assert crawl.gateway.sites.view(crawl.id)["status"] == "cancelled"
    assert asked_for_pages(crawl.site) == set()


def test_cancelling_while_pages_are_scraped_keeps_what_was_found(crawl: Crawl) -> None:
    runner = FaultyRunner(crawl.services)
    ended = 0

    def count(function: str, phase: str, _: Any) -> None:
        nonlocal ended
        ended += function == "aggregate_results" and phase == "succeeded"
        if ended == 3:
            crawl.gateway.cancel_batch(crawl.id)

    runner.listeners.append(count)
    runner.run_machine("crawl_site", crawl.payload, "one")
    runner.close()
    record = crawl.record()
    assert record["status"] == "cancelled"
    assert 3 <= record["counts"]["complete"] < 10
    assert record["counts"]["not_run"] == 10 - record["counts"]["complete"]
    assert len(crawl.gateway.batch_results(crawl.id)[0]) == record["counts"]["complete"]


def test_the_same_key_gives_the_same_crawl_and_another_order_is_refused(crawl: Crawl) -> None:
    again = crawl.gateway.sites.start_crawl(order_of(crawl.site, concurrency=1), idempotency_key="ten")
    assert again["batch_id"] == crawl.id
    with pytest.raises(InvalidRequest, match="used for another order"):
        crawl.gateway.sites.start_crawl(order_of(crawl.site, depth=1), idempotency_key="ten")


def test_a_process_that_serves_goes_on_with_crawls_of_one_that_is_gone(crawl: Crawl) -> None:
    gone = LocalRunner(crawl.services)
    gone.halt()
    gone.start("crawl_site", crawl.payload, crawl.id)
    gone.close()
    assert crawl.record()["status"] == "mapping"
    runner = LocalRunner(crawl.services)
    assert runner.resume() == 1
    runner.close()
    assert (crawl.record()["status"], crawl.scraped()) == ("complete", 10)
