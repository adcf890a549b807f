"""Crawl: the pages that a map has found become a batch, and a crawl that is stopped is closed (MP-2)."""

import json
import time
from typing import Any

from gleaner.contracts.models import parse_request
from gleaner.contracts.ports import JsonObject, Services
from gleaner.jobs.batches import ParsedList, Politeness
from gleaner.jobs.jobs import JobRef
from gleaner.jobs.site_maps import CrawlOrder, SiteMaps, SiteOrder
from gleaner.steps.batch import batches_of, summarize_batch, tell_of_batch
from gleaner.steps.probe import is_page, store_page
from gleaner.steps.site.walk import Keep


def begin_pages(ref: JobRef, record: JsonObject, maps: SiteMaps, services: Services) -> JsonObject:
    """Take the record of a crawl's map that has ended; give ``{status: "mapped", batch}`` with the batch's input.

    Another status when no page is to be scraped: the map failed, or the crawl was cancelled. Begun again, the same
    pages have the same jobs.
    """
    batches, status = batches_of(services, ref.tenant), str(record["status"])
    if status in ("failed", "cancelled"):
        if "finished_at" not in batches.record(ref.job_id):
            close_without_pages(ref, record, services)
        return {"status": status}
    order = CrawlOrder.read(record["order"])
    politeness = Politeness.read(order.politeness).at_most(services.settings.batch_concurrency)
    lines = enumerate(maps.urls(ref.job_id), start=1)
    requests = tuple((number, _request_for(line, order)) for number, line in lines)
    payload = batches.prepare(
        ref.job_id,
        ParsedList(requests, ()),
        politeness,
        owner=_owner(ref, order, record),
        url=order.url,
        map_status=status,
        warnings=record.get("warnings") or [],
        deadline_at=deadline_of(order, record),
    )
    return {"status": "mapped", "batch": payload}


def keeper_of(ref: JobRef, order: SiteOrder, services: Services) -> Keep | None:
    """Give what keeps the pages that a crawl's map fetches, so that they are asked for once; None if it may not.

    A page that the browser has to show is asked for again: a map uses none.
    """
    request = parse_request({**order.request, "url": order.url}) if isinstance(order, CrawlOrder) else None
    if request is None or request.enable_javascript or request.parser is not None:
        return None
    return lambda fetched: store_page(ref, fetched.url, fetched, services) if is_page(fetched) else None


def _request_for(line: str, order: CrawlOrder) -> JsonObject:
    """Give the request for a page of a map: one that was kept is worked on as it is."""
    listed = json.loads(line)
    page_id = listed.get("page_id")
    return {**order.request, **({"page_id": page_id} if page_id else {"url": listed["url"]})}


def close_without_pages(ref: JobRef, record: JsonObject, services: Services) -> None:
    """End a crawl of which no page was scraped, for the reason that its map ended so."""
    status = str(record["status"])
    counts: JsonObject = {"done": 0, "not_run": record.get("url_count") or 0}
    batches_of(services, ref.tenant).update(
        ref.job_id, status=status, error=record.get("error"), warnings=record.get("warnings") or [],
        finished_at=time.time(), counts=counts, map_status=status,
    )  # fmt: skip
    tell_of_batch(ref, status, counts, services)


def close_stopped_crawl(ref: JobRef, record: JsonObject, services: Services) -> JsonObject:
    """Close the batch of a crawl whose execution was stopped: sum up its pages, or say that there are none yet."""
    batches = batches_of(services, ref.tenant)
    status = batches.record(ref.job_id)["status"]
    if status == "running":
        return summarize_batch({"batch": ref.to_json()}, services)
    if status == "mapping":
        close_without_pages(ref, record, services)
    return {"status": batches.record(ref.job_id)["status"]}


def deadline_of(order: CrawlOrder, record: JsonObject) -> float | None:
    """Give the epoch second after which a crawl begins no page."""
    limit_s = order.time_limit_s
    return None if limit_s is None else float(str(record["created_at"])) + limit_s


def _owner(ref: JobRef, order: CrawlOrder, record: JsonObject) -> JsonObject | None:
    """Give whose caps the pages spend from; None where the crawl has none."""
    budget: Any = order.request.get("budget")
    return {"job_id": ref.job_id, "deadline_at": deadline_of(order, record)} if budget else None
