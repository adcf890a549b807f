"""Follow: a listing's pages one after another, or all that are known at once, until its end (FP-1, FP-2).

The state FollowListing is entered before the first page and after each round of pages. Each page is a job of its own,
run by the same state machine. What is known of the walk is stored with the job, so that a run that was killed goes on
where it was; a page that has its result is never read twice.
"""

import time
from collections import Counter

from gleaner.contracts.digests import digest_of
from gleaner.contracts.error_types import ErrorType
from gleaner.contracts.errors import NotFound
from gleaner.contracts.json_pointers import read_pointer
from gleaner.contracts.json_text import canonical
from gleaner.contracts.models import ExtractionResult, JobError, ScrapeResult
from gleaner.contracts.ports import JsonObject, JsonValue, Services
from gleaner.jobs.aggregates import records_of
from gleaner.jobs.content import JobContent
from gleaner.jobs.jobs import JobRef, Plan
from gleaner.jobs.places import jobs_of, pages_of, plan_of
from gleaner.page.model import Page, PageOptions
from gleaner.page.opening import open_page
from gleaner.schemas import record_path
from gleaner.sites.addresses import path_of, same_page
from gleaner.sites.links import asks_for_login
from gleaner.sites.pagination import find_next
from gleaner.steps.batch import MAX_CRAWL_DELAY_S, origin_of, rules_of
from gleaner.steps.closing import close_job, result_that_is_there
from gleaner.steps.listing.result import count_records, join_pages
from gleaner.steps.listing.walk import Walk, WalkedPage, WalkStore, follow_of, page_input, page_ref
from gleaner.units import PlacedUnit
from gleaner.units.totals import stated_total

AT_A_TIME = 2
"""Pages that are read at a time where several are known: what a batch lets one host see, too."""

MOST_AT_ONCE = 200
"""Pages that one round sends: their names have to fit into a state's 256 KB many times."""

MOST_ATTEMPTS = 3
MOST_SENDS = 2
"""How often a page's job is sent before it is taken for lost: its execution may have been killed."""

WORTH_ANOTHER_TRY = frozenset({
    ErrorType.HTTP_STATUS_ERROR, ErrorType.UNREACHABLE_HOST, ErrorType.FETCH_TIMEOUT, ErrorType.BROWSER_CRASHED,
    ErrorType.QUEUE_TIMEOUT, ErrorType.TASK_TIMEOUT, ErrorType.FUNCTION_KILLED, ErrorType.INTERNAL_ERROR,
    ErrorType.THROTTLED, ErrorType.STORE_THROTTLED, ErrorType.EXECUTION_TIMED_OUT, ErrorType.EXECUTION_ABORTED,
})  # fmt: skip
"""What may be over the next time. A page of a listing that answers 404 was a page a moment ago, too."""

NO_MORE_MONEY = frozenset({ErrorType.BUDGET_EXCEEDED})
MOST_CHECKED = 10
"""Of so many pages one is read again, and two of any number, to see whether an item has moved between two readings."""


def follow_listing(event: JsonObject, services: Services) -> JsonObject:
    """Take ``{job}``; give ``{pages, at_a_time, wait_s}``, the pages to read next, or ``{status, …}`` at the end.

    With ``final`` true nothing more is read, because of ``failure``: what is there is the result, and says what is
    missing.
    """
    plan = plan_of(event, services)
    kept = result_that_is_there(plan.ref, services)
    if kept is not None and kept.status == "complete":
        return {**close_job(plan.ref, kept, services), "pages": []}
    store = WalkStore(services.blobs, plan.ref)
    walk = store.read() or Walk(pages=[WalkedPage(number=1, url=plan.request.url or "")])
    is_final = event.get("final") is True
    if not is_final:
        walk.reopen()
    for page in walk.of("pending"):
        _settle(page, walk, plan, services, is_final=is_final)
    if is_final:
        walk.finish("cancelled", str(event.get("failure") or "the job was stopped"))
    _check_caps(walk, plan, services)
    if not walk.of("pending"):
        _go_on(walk, plan, services)
    pending = walk.of("pending")[:MOST_AT_ONCE]
    for page in pending:
        page.sends += 1
    store.write(walk)
    if pending:
        wait_s = _crawl_delay(pending[0].url, plan, services)
        sent = pending[:1] if wait_s else pending
        inputs: list[JsonValue] = [page_input(plan.ref, page) for page in sent]
        return {"pages": inputs, "at_a_time": AT_A_TIME, "wait_s": wait_s, "status": "running"}
    return {**close_job(plan.ref, join_pages(walk, plan, services), services), "pages": []}


def follows(ref: JobRef, services: Services) -> bool:
    """Tell whether a job that has a plan follows a listing."""
    try:
        return jobs_of(services).plan(ref).request.follow is not None
    except NotFound:
        return False


# What became of a page


def _settle(page: WalkedPage, walk: Walk, plan: Plan, services: Services, *, is_final: bool) -> None:
    """Take note of what became of a page that was sent; one without a result stays pending, or is tried anew."""
    ref = page_ref(plan.ref, page)
    try:
        result = jobs_of(services).result(ref)
    except NotFound:
        if page.sends >= MOST_SENDS:
            _try_again(page, JobError(error_type=ErrorType.INTERNAL_ERROR, message="its execution left no result"))
        return
    if result.status == "failed":
        error = result.error or JobError(error_type=ErrorType.INTERNAL_ERROR, message="it failed")
        may_pass = error.error_type in WORTH_ANOTHER_TRY and not is_final
        _try_again(page, error, may_pass=may_pass)
        return
    read = page.model_copy()
    _read(read, result, plan, services)
    if page.kept is not None and read.records < page.records:  # a reading for comparison that gave less
        _fall_back(page)
        return
    for name in type(page).model_fields:
        setattr(page, name, getattr(read, name))
    page.kept, page.state = None, "read"
    if page.number == 1 and result.extraction is not None:
        walk.extraction_id = result.extraction.extraction_id or walk.extraction_id
    if not is_final:
        _judge(page, result, walk, plan, services)


def _try_again(page: WalkedPage, error: JobError, *, may_pass: bool = True) -> None:
    if page.kept is not None:
        _fall_back(page)
    elif may_pass and page.tries + 1 < MOST_ATTEMPTS:
        page.attempt, page.tries, page.sends = page.attempt + 1, page.tries + 1, 0
    else:
        page.state, page.error = "failed", error


def _fall_back(page: WalkedPage) -> None:
    """Let the reading before count."""
    page.attempt, page.kept, page.state = page.kept or 0, None, "read"


def _read(page: WalkedPage, result: ScrapeResult, plan: Plan, services: Services) -> None:
    """Note what a page's result says: its records, and its place in the listing."""
    page.source_url, page.page_id = result.source_url or page.url, result.page_id or ""
    content = JobContent(services.blobs, page_ref(plan.ref, page))
    if not content.exists():
        page.digest = digest_of(canonical([*(result.links or ())]))
        return
    stored, markdown = content.read(), content.markdown()
    if result.extraction is not None and plan.request.output_schema is not None:
        records = records_of(result.extraction)[0]
        page.records, page.digest = len(records), digest_of(canonical(records))
    else:
        page.digest = digest_of(markdown)
    stated = stated_total(markdown, _places(result.extraction, plan)[:-1])
    if stated is not None and stated.strength != "loose":
        page.total, page.first, page.last = stated.total, stated.first or 0, stated.last or 0
    counted = [sign.total for sign in stored.continuations if sign.kind == "counted" and sign.total > page.records]
    page.total = page.total or max(counted, default=0)


def _places(extraction: ExtractionResult | None, plan: Plan) -> list[PlacedUnit]:
    """Give where in the Markdown the records stand: from the first to the last of what proves each."""
    path = record_path(plan.request.output_schema) if plan.request.output_schema is not None else None
    if extraction is None or path is None:
        return []
    depth, spans = len(read_pointer(path.pointer)), dict[str, tuple[int, int]]()
    for entry in extraction.provenance:
        parts = read_pointer(entry.pointer)
        if entry.source == "markdown" and entry.start is not None and entry.end is not None and len(parts) > depth:
            start, end = spans.get(parts[depth], (entry.start, entry.end))
            spans[parts[depth]] = min(start, entry.start), max(end, entry.end)
    return [PlacedUnit(0, at, start, end, 1.0, "entry") for at, (start, end) in enumerate(sorted(spans.values()))]


def _judge(page: WalkedPage, result: ScrapeResult, walk: Walk, plan: Plan, services: Services) -> None:
    """See whether a page is one of the listing: not one that was there before, not empty, not the door of a login."""
    extraction, others = result.extraction, [one for one in walk.of("read") if one.number < page.number]
    if extraction is not None and any(error.error_type in NO_MORE_MONEY for error in extraction.errors):
        walk.finish("budget", "the request's budget is spent")
    wants_records = plan.request.output_schema is not None
    if page.number == 1:
        if wants_records and not page.records:
            walk.finish("failed", "its first page gave no records")
        return
    twin = next((one for one in others if _are_alike(one, page, by_records=wants_records)), None)
    if twin is not None:
        page.state = "repeat"
        end = "repeat" if twin.number == max(one.number for one in others) else "loop"
        walk.finish(end, f"page {page.number} ({page.url}) repeats page {twin.number}")
    elif wants_records and not page.records:
        page.state = "failed" if _is_unanswered(extraction) else "empty"
        page.error = _why_empty(page, extraction, plan, services)
        walk.finish("empty" if page.state == "empty" and page.error is None else "failed", _said_of(page))


def _are_alike(one: WalkedPage, other: WalkedPage, *, by_records: bool) -> bool:
    """Tell whether two pages are one: of the same address after redirects, or with the same content."""
    if one.digest == other.digest and (one.records or not by_records):
        return True
    return bool(other.source_url) and same_page(one.source_url) == same_page(other.source_url)


def _is_unanswered(extraction: ExtractionResult | None) -> bool:
    ends = {ErrorType.EMPTY_ANSWER, ErrorType.MISSING_UNITS}
    return extraction is not None and any(error.error_type not in ends for error in extraction.errors)


def _why_empty(
    page: WalkedPage, extraction: ExtractionResult | None, plan: Plan, services: Services
) -> JobError | None:
    """Say why a page has no records; None where the listing has come to its end."""
    if asks_for_login(_opened(page, plan, services)):
        message = f'{page.source_url} asks for a login: the session may have expired; profile "master" keeps one'
        return JobError(error_type=ErrorType.UNAUTHORIZED, message=message)
    if extraction is not None and _is_unanswered(extraction):
        return JobError(error_type=extraction.errors[0].error_type, message=extraction.errors[0].message)
    if page.source_url.partition("?")[0] != page.url.partition("?")[0]:
        message = f"{page.url} led to {page.source_url}, which shows no records"
        return JobError(error_type=ErrorType.MISSING_UNITS, message=message)
    return None


def _opened(page: WalkedPage, plan: Plan, services: Services) -> Page:
    """Open the page that a walk has read, for its links."""
    options = PageOptions(max_size=services.settings.limits.max_page_size)
    return open_page(pages_of(plan, services).html(page.page_id), page.source_url, options)


def _said_of(page: WalkedPage) -> str:
    return f"page {page.number}: {page.error.message}" if page.error else f"page {page.number} shows no records"


# Where to go on


def _check_caps(walk: Walk, plan: Plan, services: Services) -> None:
    """End the walk where the caller or a cap has ended it."""
    follow = follow_of(plan)
    if jobs_of(services).is_cancelled(plan.ref):
        walk.finish("cancelled", "the job was cancelled")
    elif plan.deadline_at is not None and time.time() >= plan.deadline_at:
        walk.finish("deadline", f"deadline_s, {plan.request.budget.deadline_s:g}, has passed")
    elif follow.max_records is not None and walk.records >= follow.max_records:
        walk.finish("max_records", f"max_records is {follow.max_records}")


def _go_on(walk: Walk, plan: Plan, services: Services) -> None:
    """Add the pages to read next, or end the walk."""
    if walk.end is None:
        _add_next(walk, plan, services)
    if walk.end in ("whole", "last", "repeat", "empty") and not walk.was_checked:
        walk.was_checked = True
        for page in _doubtful(walk, plan, services):
            page.state, page.kept = "pending", page.attempt
            page.attempt, page.sends = page.attempt + 1, 0


def _add_next(walk: Walk, plan: Plan, services: Services) -> None:
    last = walk.pages[-1]
    if last.state == "failed":
        walk.finish("failed", _said_of(last))
    elif walk.total and walk.records >= walk.total and count_records(walk, plan, services) >= walk.total:
        walk.finish("whole")
    if walk.end is not None:
        return
    following = find_next(_opened(last, plan, services), last.shown)
    if following is None:
        walk.finish("last")
        return
    known = {same_page(address): page.number for page in walk.pages for address in (page.url, page.source_url)}
    fresh = [url for url in following.urls if same_page(url) not in known]
    if not fresh:
        to = known[same_page(following.urls[0])]
        walk.finish("loop", f"page {last.number} leads back to page {to}, {following.urls[0]}")
        return
    follow = follow_of(plan)
    room = follow.max_pages - len(walk.pages)
    if follow.max_records is not None and last.records:
        room = min(room, -(-(follow.max_records - walk.records) // last.records))
    if room <= 0:
        walk.finish("max_pages", f"max_pages is {follow.max_pages}")
    for url in fresh[: max(0, room)]:
        if not _may_be_read(url, plan, services):
            if not walk.of("pending"):
                walk.finish("robots", f"robots.txt forbids {url}; follow.ignore_robots overrides")
            break
        walk.pages.append(WalkedPage(number=len(walk.pages) + 1, url=url))


def _may_be_read(url: str, plan: Plan, services: Services) -> bool:
    origin = origin_of(url)
    if origin is None or follow_of(plan).ignore_robots:
        return True
    return rules_of(origin, services).allows(path_of(url))


def _crawl_delay(url: str, plan: Plan, services: Services) -> int:
    """Give the whole seconds that the host asks for between two pages; 0 before the first page, which is asked for."""
    origin = origin_of(url)
    if url == plan.request.url or origin is None or follow_of(plan).ignore_robots:
        return 0
    delay_s = min(rules_of(origin, services).crawl_delay_s, MAX_CRAWL_DELAY_S)
    return int(-(-delay_s // 1))


def _doubtful(walk: Walk, plan: Plan, services: Services) -> list[WalkedPage]:
    """Give the pages to be read again: those with a record that a later page shows too.

    It may be there twice, or have moved while the pages were read; then another has moved in its place, unseen. Where
    many pages are like that, equal records are nothing special.
    """
    if plan.request.output_schema is None or len(walk.of("read")) < 2:
        return []
    seen: Counter[str] = Counter()
    doubtful: list[WalkedPage] = []
    for page in reversed(walk.of("read")):
        extraction = jobs_of(services).result(page_ref(plan.ref, page)).extraction
        own = set(map(canonical, records_of(extraction)[0] if extraction is not None else ()))
        if any(record in seen for record in own):
            doubtful.insert(0, page)
        seen.update(own)
    return doubtful if len(doubtful) <= max(2, len(walk.pages) // MOST_CHECKED) else []
