"""Plan: validate the request, resolve its strategy, open the job."""

import time
from collections.abc import Sequence
from typing import Any

from pydantic.main import IncEx

from gleaner.budget.guard import TableLedger
from gleaner.contracts.actions import Action
from gleaner.contracts.errors import BlockedAddress, InvalidRequest, NotFound
from gleaner.contracts.models import ScrapeRequest, parse_request
from gleaner.contracts.ports import JsonObject, Services
from gleaner.jobs.blob_texts import read_json
from gleaner.jobs.jobs import JobRef, Plan, actions_of, job_id_of
from gleaner.jobs.pages import Pages, page_id_of
from gleaner.jobs.places import jobs_of
from gleaner.jobs.sessions import SessionList
from gleaner.jobs.strategies import ExtractionCache, ExtractionStrategy
from gleaner.jobs.watches import check_fields
from gleaner.steps.listing.walk import WalkedPage, follow_of, listing_of, page_request
from gleaner.steps.model_check import check_model


def plan_scrape(event: JsonObject, services: Services) -> JsonObject:
    """Take an execution's input and name; give the job and what it needs.

    The input is a ScrapeRequest, or ``{job: {job_id, tenant}, request}`` from a way in that made the job, or ``{job,
    listing}`` for a page of a listing that another job follows. Raises InvalidRequest, UnsupportedFormat or NotFound;
    ModelMisconfigured or ModelUnavailable when the model that the page needs can't be asked.
    """
    ref, raw = read_start(event)
    jobs = jobs_of(services)
    listing = listing_of(event.get("input"))
    if listing is None:
        request, more = _as_part(parse_request(raw), event.get("input"))
        pages = Pages(services.blobs, ref)
        is_kept = request.page_id is not None and pages.exists(request.page_id)
        jobs.open(ref, pages.read(request.page_id).url if request.page_id is not None and is_kept else request.url)
    else:
        owner = jobs.plan(JobRef(listing[0], ref.tenant))
        request, page = page_request(owner, listing[1], services.blobs)
        jobs.open(ref, request.url, listing=owner.ref.job_id)
        request, more = _as_page(request, owner, page)
    effective = _planned_before(request, ref, services) or _plan(request, ref, services, more)
    if listing is None:
        check_model(effective, ref, services)
    return {
        "job": ref.to_json(),
        "follows": effective.follow is not None,
        "has_snapshot": effective.page_id is not None,
        "needs_content": effective.needs_content,
        "max_concurrent_chunks": effective.config.max_concurrent_chunks,
    }


def _as_part(request: ScrapeRequest, payload: Any) -> tuple[ScrapeRequest, JsonObject]:
    """Give the request of a job with what its plan says besides: a page of a crawl spends what the crawl has left."""
    job = payload.get("job") if isinstance(payload, dict) and "request" in payload else None
    owner = job.get("owner") if isinstance(job, dict) else None
    if not isinstance(owner, dict):
        return request, {}
    return _within(request, owner.get("deadline_at")), {"spends_from": owner["job_id"], "revisits": True}


def _within(request: ScrapeRequest, deadline_at: float | None) -> ScrapeRequest:
    """Give a request with the time that is left until then."""
    if deadline_at is None:
        return request
    left = max(0.001, round(deadline_at - time.time(), 3))
    return request.model_copy(update={"budget": request.budget.model_copy(update={"deadline_s": left})})


def _as_page(request: ScrapeRequest, owner: Plan, page: WalkedPage) -> tuple[ScrapeRequest, JsonObject]:
    """Give the request of a page of a listing with what its plan says besides; its time is what the owner has left."""
    presses = follow_of(owner).max_pages - 1 if page.number == 1 else 0
    more: JsonObject = {"listing": owner.ref.job_id, "presses": presses, "acts": page.number == 1 or page.acts}
    more |= {"revisits": owner.revisits, "turns": [*page.turns]}
    return _within(request, owner.deadline_at), more


def _planned_before(request: ScrapeRequest, ref: JobRef, services: Services) -> ScrapeRequest | None:
    """Give the plan's request when this job was planned before for the same one: run again, it does the same again.

    Caps and patience may be others, and then it is planned anew; InvalidRequest when something else is asked, of which
    the pieces that are there would be no answer.
    """
    if not services.blobs.exists(ref.key("plan.json")):
        return None
    TableLedger(services.table, f"{ref.tenant}#{ref.job_id}", services.settings.job_ttl_days).forget_held()
    asked = read_json(services.blobs, ref.key("plan.json")).get("asked")
    if asked == _as_asked(request):
        return jobs_of(services).plan(ref).request
    before, now = _what(ScrapeRequest.model_validate(asked)), _what(request)
    others = [name for name in now if before[name] != now[name]]
    if others and any(services.blobs.exists(ref.key(name)) for name in ("content.json", "media.json", "walk.json")):
        raise InvalidRequest(
            f"job {ref.job_id} belongs to another request: {', '.join(others)} differ; start a new job"
        )
    return None


HOW: IncEx = {"budget": True, "config": {"max_concurrent_chunks", "max_retries_per_chunk", "retry"}}
"""The fields that say how a job is done, and not what it gives."""


def _what(request: ScrapeRequest) -> JsonObject:
    return request.model_dump(mode="json", exclude=HOW)


def _as_asked(request: ScrapeRequest) -> Any:
    return request.model_dump(mode="json", exclude_unset=True)


def _plan(request: ScrapeRequest, ref: JobRef, services: Services, more: JsonObject) -> ScrapeRequest:
    strategy = _strategy(request, ref, services)
    effective = apply_strategy(request, strategy)
    _check(effective)
    if effective.proxy is not None:
        services.settings.proxy_named(effective.proxy)
    _check_profile(effective, ref, services)
    if effective.session is not None:
        SessionList(services.table, ref.tenant, services.settings.session_ttl_days).note(effective.session)
    jobs = jobs_of(services)
    record = jobs.status(ref)
    jobs.write_plan(
        ref,
        effective,
        asked=_as_asked(request),
        page_id=_page_id(effective, actions_of(effective, more), ref, services),
        strategy_id=strategy.id if strategy and asks_the_same(strategy, effective) else None,
        started_at=record.get("created_at") or time.time(),
        **({"revisits": True} if "watch" in record else {}),
        **more,
    )
    return effective


def read_start(event: JsonObject) -> tuple[JobRef, Any]:
    """Give the job that an execution is for, and its request as it came. InvalidRequest when it names no job."""
    payload = event.get("input")
    if isinstance(payload, dict) and set(payload) in ({"job", "request"}, {"job", "listing"}):
        return JobRef.read(payload["job"]), payload.get("request")
    return JobRef(named_by_execution(event)), payload


def named_by_execution(event: JsonObject) -> str:
    """Give the id that an execution's name makes; InvalidRequest when there is none."""
    name = event.get("execution")
    if not isinstance(name, str) or not name:
        raise InvalidRequest(f"an execution has a name, not {name!r}")
    return job_id_of(name)


def apply_strategy(request: ScrapeRequest, strategy: ExtractionStrategy | None) -> ScrapeRequest:
    """Fill the fields that the request leaves open from the strategy (ST-2)."""
    if strategy is None:
        return request
    fills = {
        "css_selector": strategy.css_selector,
        "output_schema": strategy.output_schema,
        "query": strategy.query_template,
        "actions": strategy.actions or None,
    }
    open_fields = {
        name: value for name, value in fills.items() if getattr(request, name) in (None, ()) and value is not None
    }
    return request.model_copy(update=open_fields)


def asks_the_same(strategy: ExtractionStrategy, request: ScrapeRequest) -> bool:
    """Tell whether a request asks what the strategy asks, with no field of its own that says otherwise."""
    return strategy.asks(request)


def _strategy(request: ScrapeRequest, ref: JobRef, services: Services) -> ExtractionStrategy | None:
    if request.extraction_id is None:
        return None
    found = ExtractionCache(services.table, ref.tenant).get(request.extraction_id)
    if found is None and request.query is None and request.output_schema is None:
        raise NotFound(
            f"there is no extraction {request.extraction_id!r}; give an output_schema or a query to start it"
        )
    return found


def _check(request: ScrapeRequest) -> None:
    needs = f"format {request.pictures[0]}" if request.pictures else f"profile {request.profile}"
    if request.follow is not None and request.output_schema is not None:
        from gleaner.schemas import record_path, unenforceable  # loads jsonschema: for listings alone

        is_enforced = unenforceable(request.output_schema) is None
        if is_enforced and record_path(request.output_schema) is None:
            raise InvalidRequest(
                "follow: the output_schema describes one object; to follow a listing, give an array of objects, or an "
                "object with one array"
            )
    if request.config.dedupe == "keys" and request.output_schema is not None:
        check_fields("dedupe_keys", request.config.dedupe_keys, request.output_schema)
    needs = "a request with actions" if request.actions else "a session" if request.session else needs
    is_shown = bool(request.actions or request.session or request.pictures) or request.profile == "master"
    if request.consent in ("reject", "accept") and not is_shown:
        needs, is_shown = f"consent: {request.consent}", True
    if not request.enable_javascript and is_shown:
        raise InvalidRequest(f"{needs} needs the browser: leave enable_javascript true")
    if request.parser is not None:
        from gleaner.parsers import ParserRegistry  # loads plugins: for those alone that name one

        ParserRegistry().get(request.parser)


def _check_profile(request: ScrapeRequest, ref: JobRef, services: Services) -> None:
    """Refuse the master profile to tenants that it is not for: it shows whatever its login may see."""
    allowed = services.settings.browser.master_profile_tenants
    if request.profile == "master" and not {"*", ref.tenant} & set(allowed):
        raise BlockedAddress(
            f"the master profile is not for tenant {ref.tenant}: browser_master_profile_tenants names whose it is"
        )


def _page_id(request: ScrapeRequest, actions: Sequence[Action], ref: JobRef, services: Services) -> str:
    if request.page_id is None:
        return page_id_of(ref, str(request.url), actions)
    pages = Pages(services.blobs, ref)
    if not pages.exists(request.page_id):
        raise NotFound(f"there is no page {request.page_id}; give the url to fetch it")
    page = pages.read(request.page_id)
    if lacking := [picture for picture in request.pictures if picture not in page.screenshots]:
        raise InvalidRequest(f"page {page.page_id} was stored without a {lacking[0]}; give its url, {page.url}")
    return request.page_id
