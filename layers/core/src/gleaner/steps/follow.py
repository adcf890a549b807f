"""Follow: a listing's pages one after another, or all that are known at once, until its end (FP-1, FP-2).

The state FollowListing is entered before the first page and after each round of pages. Each page is a job of its own,
run by the same state machine. What is known of the walk is stored with the job, so that a run that was killed goes on
where it was; a page that has its result is not read twice, but to see whether the listing has changed meanwhile.
"""

import time
from dataclasses import replace

from lxml.html import HtmlElement

from gleaner.completeness.emptiness import says_it_is_empty
from gleaner.contracts.digests import digest_of
from gleaner.contracts.error_types import ErrorType
from gleaner.contracts.errors import NotFound
from gleaner.contracts.json_pointers import read_pointer
from gleaner.contracts.json_text import canonical
from gleaner.contracts.models import ExtractionResult, JobError, ScrapeResult
from gleaner.contracts.ports import JsonObject, JsonValue, Services
from gleaner.html.dom import parse_html
from gleaner.html.tree_repairs import show_shadow_roots
from gleaner.jobs.aggregates import records_of
from gleaner.jobs.content import JobContent
from gleaner.jobs.jobs import JobRef, Plan
from gleaner.jobs.places import jobs_of, pages_of, plan_of
from gleaner.jobs.record_changes import leaves
from gleaner.page.paging_words import says_all
from gleaner.schemas import record_path
from gleaner.sites.addresses import path_of, same_page
from gleaner.sites.letter_index import find_letter_index
from gleaner.sites.overlaps import Shown
from gleaner.sites.pagination import Pager, find_pager
from gleaner.steps.batch import MAX_CRAWL_DELAY_S, origin_of, rules_of
from gleaner.steps.closing import close_job, result_that_is_there
from gleaner.steps.listing.changes import read_again, replaces
from gleaner.steps.listing.result import count_records, join_pages
from gleaner.steps.listing.walk import NATURAL_ENDS, End, Walk, WalkedPage, WalkStore, follow_of, page_input, page_ref
from gleaner.units import PlacedUnit
from gleaner.units.totals import possible_totals, stated_page, stated_total

AT_A_TIME = 2
"""Pages that are read at a time where several are known: what a batch lets one host see, too."""

MOST_AT_ONCE = 200
"""Pages that one round sends: their names have to fit into a state's 256 KB many times."""

MOST_TURNS = 50
"""Clicks that turn to a page: that many pages of a listing without addresses take 1,225 in all."""

MOST_ATTEMPTS = 3
MOST_SENDS = 2
"""How often a page's job is sent before it is taken for lost: its execution may have been killed."""

WORTH_ANOTHER_TRY = frozenset({
    ErrorType.HTTP_STATUS_ERROR, ErrorType.UNREACHABLE_HOST, ErrorType.FETCH_TIMEOUT, ErrorType.BROWSER_CRASHED,
    ErrorType.QUEUE_TIMEOUT, ErrorType.TASK_TIMEOUT, ErrorType.FUNCTION_KILLED, ErrorType.INTERNAL_ERROR,
    ErrorType.THROTTLED, ErrorType.STORE_THROTTLED, ErrorType.EXECUTION_TIMED_OUT, ErrorType.EXECUTION_ABORTED,
})  # fmt: skip
"""What may be over the next time. A page of a listing that answers 404 was a page a moment ago, too."""


def follow_listing(event: JsonObject, services: Services) -> JsonObject:
    """Take ``{job}``; give ``{pages, at_a_time, wait_s}``, the pages to read next, or ``{status, …}`` at the end.

    With ``final`` true nothing more is read, because of ``failure``: what is there is the result, and says what is
    missing.
    """
    plan = plan_of(event, services)
    kept = result_that_is_there(plan.ref, services)
    if kept is not None and kept.status == "complete":
        return {**close_job(plan.ref, kept, services), "pages": []}
    following = Following(plan, services)
    stopped = str(event.get("failure") or "the job was stopped") if event.get("final") is True else ""
    pending = following.take_up(stopped)
    if not pending:
        return {**close_job(plan.ref, join_pages(following.walk, plan, services), services), "pages": []}
    wait_s = following.crawl_delay_of(pending[0].url)
    inputs: list[JsonValue] = [page_input(plan.ref, page) for page in (pending[:1] if wait_s else pending)]
    return {"pages": inputs, "at_a_time": AT_A_TIME, "wait_s": wait_s, "status": "running"}


def follows(ref: JobRef, services: Services) -> bool:
    """Tell whether a job that has a plan follows a listing."""
    try:
        return jobs_of(services).plan(ref).request.follow is not None
    except NotFound:
        return False


class Following:
    """The walk of one job, gone on with."""

    def __init__(self, plan: Plan, services: Services) -> None:
        self.plan, self.services = plan, services
        self._store = WalkStore(services.blobs, plan.ref)
        self.walk = self._store.read() or Walk(pages=[WalkedPage(number=1, url=plan.request.url or "")])
        self._wants_records = plan.request.output_schema is not None

    def take_up(self, stopped: str) -> list[WalkedPage]:
        """Take note of what became of the pages that were sent; give those to send now, none at the end.

        ``stopped`` says why nothing more is to be read.
        """
        walk = self.walk
        if not stopped:
            walk.reopen()
        for page in walk.of("pending"):
            if page in walk.pages:  # not dropped meanwhile
                self._settle(page, is_final=bool(stopped))
        if stopped:
            walk.finish("cancelled", stopped)
        self._check_caps()
        if not walk.of("pending") and walk.end is None:
            self._add_next()
        while not walk.of("pending") and walk.end in NATURAL_ENDS and self._wants_records and walk.stage != "done":
            read_again(walk, self.plan, self.services)
            if walk.stage == "extending":  # its last page has moved: it may lead on now
                self._add_next()
        pending = walk.of("pending")[:MOST_AT_ONCE]
        for page in pending:
            page.sends += 1
        self._store.write(walk)
        return pending

    # What became of a page

    def _settle(self, page: WalkedPage, *, is_final: bool) -> None:
        """Take note of what became of a page that was sent; one without a result stays pending, or is tried anew."""
        result = jobs_of(self.services).find_result(page_ref(self.plan.ref, page))
        if result is None:
            if page.sends >= MOST_SENDS:
                self._try_again(page, JobError(error_type=ErrorType.INTERNAL_ERROR, message="it left no result"))
            return
        if result.status == "failed":
            error = result.error or JobError(error_type=ErrorType.INTERNAL_ERROR, message="it failed")
            may_pass = error.error_type in WORTH_ANOTHER_TRY and not is_final
            self._try_again(page, error, may_pass=may_pass)
            return
        if page.kept is not None and not replaces(page, result, self.walk, self.plan, self.services):
            page.fall_back()
            return
        self._read(page, result)
        page.kept, page.state = None, "read"
        if page.number == 1 and result.extraction is not None:
            self.walk.extraction_id = result.extraction.extraction_id or self.walk.extraction_id
        if not is_final and page.check != "moved":
            self._judge(page, result)

    def _try_again(self, page: WalkedPage, error: JobError, *, may_pass: bool = True) -> None:
        if page.kept is not None:
            page.fall_back()
            page.check = "unread"
        elif may_pass and page.tries + 1 < MOST_ATTEMPTS:
            page.attempt, page.tries, page.sends = page.attempt + 1, page.tries + 1, 0
        else:
            page.state, page.error = "failed", error
            self._doubt_made_up(page)

    def _read(self, page: WalkedPage, result: ScrapeResult) -> None:
        """Note what a page's result says: its records, and its place in the listing."""
        page.source_url, page.page_id = result.source_url or page.url, result.page_id or ""
        content = JobContent(self.services.blobs, page_ref(self.plan.ref, page))
        if not content.exists():
            page.digest = digest_of(canonical([*(result.links or ())]))
            return
        stored, markdown = content.read(), content.markdown()
        if result.extraction is not None and self._wants_records:
            records = records_of(result.extraction)[0]
            page.records, page.digest = len(records), digest_of(canonical(records))
        else:
            page.digest = digest_of(markdown)
        counted = [sign.total for sign in stored.continuations if sign.kind == "counted" and sign.total > page.records]
        units = _places(result.extraction, self.plan)[:-1]
        stated = stated_total(markdown, units)
        number, pages = stated_page(markdown) or (0, 0)
        page.shown = Shown(total=max(counted, default=0), page=number, pages=pages)
        if stated is not None and stated.strength != "loose":
            page.shown = Shown(stated.first or 0, stated.last or 0, stated.total, number, pages)
        elif not page.shown.total and page.records and page.number == 1:
            last = self._pager_of(page).last
            fitting = [
                n for n in possible_totals(markdown, units) if (last - 1) * page.records < n <= last * page.records
            ]
            page.shown = replace(page.shown, total=fitting[0] if len(fitting) == 1 and last > 1 else 0)
        self.walk.total = page.shown.total or self.walk.total

    def _root_of(self, page: WalkedPage) -> HtmlElement:
        root = parse_html(pages_of(self.plan, self.services).html(page.page_id))  # with its tags, as in a browser
        show_shadow_roots(root)
        return root

    def _other_parts(self, page: WalkedPage) -> tuple[str, ...]:
        """Give the letters of an index that lead to the parts of the list which a page does not show."""
        index = find_letter_index(self._root_of(page), page.source_url)
        if index is None or not page.records:
            return ()
        extraction = jobs_of(self.services).result(page_ref(self.plan.ref, page)).extraction
        records = records_of(extraction)[0] if extraction is not None else ()
        texts = (next((text for _, text in leaves(one) if isinstance(text, str) and text), "") for one in records)
        return index.other_parts("".join(text[:1] for text in texts))

    def _pager_of(self, page: WalkedPage) -> Pager:
        root = self._root_of(page)
        return find_pager(root, page.source_url, page.shown, descends=self.walk.descends)

    def _judge(self, page: WalkedPage, result: ScrapeResult) -> None:
        """See whether a page is one of the listing: not one that was there before, and not without records."""
        walk, extraction = self.walk, result.extraction
        others = [one for one in walk.of("read") if one.number < page.number]
        if extraction is not None and any(one.error_type == ErrorType.BUDGET_EXCEEDED for one in extraction.errors):
            walk.finish("budget", "the request's budget is spent")
        twin = next((one for one in others if self._are_alike(one, page)), None)
        if twin is not None and page.turns:
            page.state = "repeat"
            walk.finish(
                "unfollowed", f"a click on page {page.number - 1} to the next one shows page {twin.number} again"
            )
        elif twin is not None:
            page.state = "repeat"
            end = "repeat" if twin.number == others[-1].number else "loop"
            if not self._doubt_made_up(page):
                walk.finish(end, f"page {page.number} ({page.url}) repeats page {twin.number}")
        elif self._wants_records and not page.records:
            page.error = self._why_empty(
                page, result, JobContent(self.services.blobs, page_ref(self.plan.ref, page)).markdown()
            )
            page.state = "read" if page.number == 1 else "empty" if page.error is None else "failed"
            if not self._doubt_made_up(page):
                walk.finish("empty" if page.error is None else "failed", _said_of(page))

    def _are_alike(self, one: WalkedPage, other: WalkedPage) -> bool:
        """Tell whether two pages are one: of the same address after redirects, or with the same content."""
        if one.digest == other.digest and (one.records or not self._wants_records):
            return True
        has_address = bool(other.source_url) and not one.turns and not other.turns
        return has_address and same_page(one.source_url) == same_page(other.source_url)

    def _why_empty(self, page: WalkedPage, result: ScrapeResult, markdown: str) -> JobError | None:
        """Say why a page has no records; None where it says itself that there are none."""
        if says_it_is_empty(markdown) and result.status == "complete":
            return None
        error = next(iter(result.extraction.errors if result.extraction is not None else ()), None)
        if error is not None and (page.number == 1 or error.error_type is not ErrorType.NO_MODEL):
            return JobError(error_type=error.error_type, message=error.message)
        is_elsewhere = page.source_url.partition("?")[0] != page.url.partition("?")[0]
        led = f"{page.url} led to {page.source_url}, which" if is_elsewhere else "it"
        message = f"{led} shows no records, and does not say that there are none"
        return JobError(error_type=ErrorType.MISSING_UNITS, message=message)

    def _doubt_made_up(self, page: WalkedPage) -> bool:
        """Leave out a page that nothing links to and that is none; the page before says where it really goes on."""
        if page.made_up:
            self.walk.drop(page)
        return page.made_up

    # Where to go on

    def _check_caps(self) -> None:
        """End the walk where the caller or a cap has ended it."""
        plan, walk, follow = self.plan, self.walk, follow_of(self.plan)
        if jobs_of(self.services).is_cancelled(plan.ref):
            walk.finish("cancelled", "the job was cancelled")
        elif plan.deadline_at is not None and time.time() >= plan.deadline_at:
            walk.finish("deadline", f"deadline_s, {plan.request.budget.deadline_s:g}, has passed")
        elif follow.max_records is not None and walk.records >= follow.max_records:
            walk.finish("max_records", f"max_records is {follow.max_records}")

    def _add_next(self) -> None:
        """Add the pages to read next, or end the walk."""
        walk, last = self.walk, self.walk.pages[-1]
        if last.state == "failed":
            walk.finish("failed", _said_of(last))
        elif walk.total and walk.records >= walk.total and count_records(walk, self.plan, self.services) >= walk.total:
            walk.finish("whole")
        if walk.end is not None:
            return
        pager = self._pager_of(last)
        if pager.how == "numbers" and walk.descends is None:
            walk.descends = pager.descends
        if pager.stated_behind is not None:
            walk.stated_pages = last.number + pager.stated_behind
        known = {same_page(address): page.number for page in walk.pages for address in (page.url, page.source_url)}
        fresh = [url for url in pager.urls if same_page(url) not in known]
        if walk.dropped:  # pages at addresses made up from numbers were none
            fresh = [url for url in fresh if url not in pager.made_up]
        if fresh:
            self._add(fresh, pager.made_up)
        elif pager.urls and same_page(pager.urls[0]) in known:
            number = known[same_page(pager.urls[0])]
            walk.finish("loop", f"page {last.number} leads back to page {number}, {pager.urls[0]}")
        elif pager.turned_by and self._may_turn(last):
            self._turn(pager.turned_by)
        else:
            walk.finish(*self._end_at(last, pager))

    def _end_at(self, last: WalkedPage, pager: Pager) -> tuple[End, str]:
        """Give how a listing ends behind whose last page no other is known, and what speaks against an end."""
        walk = self.walk
        if said := pager.unfollowed or self._more_of(last):
            return "unfollowed", f'page {last.number} leads on by "{said}", which could not be followed'
        if last.number + 1 in walk.dropped:
            return "unfollowed", f"page {last.number + 1}, which no page links to, shows no records"
        if last.number < walk.stated_pages:
            return "unfollowed", f"page {last.number} of {walk.stated_pages} shows no way on"
        if parts := self._other_parts(last):
            named = f"{parts[0]} to {parts[-1]}"
            return "unfollowed", f"an index of letters leads to {len(parts)} other parts, {named}, not followed"
        return "last", ""

    def _may_turn(self, last: WalkedPage) -> bool:
        """Tell whether a browser has shown a page, and may turn from it to the one without an address behind it."""
        request = self.plan.request
        is_shown = (
            request.page_id is None and "navigate" in pages_of(self.plan, self.services).read(last.page_id).timings_ms
        )
        return is_shown and len(last.turns) < MOST_TURNS

    def _turn(self, target: str) -> None:
        if len(self.walk.pages) >= (most := follow_of(self.plan).max_pages):
            self.walk.finish("max_pages", f"max_pages is {most}")
        else:
            self.walk.turn(target)

    def _add(self, urls: list[str], made_up: frozenset[str]) -> None:
        walk, follow, last = self.walk, follow_of(self.plan), self.walk.pages[-1]
        room = follow.max_pages - len(walk.pages)
        if follow.max_records is not None and last.records:
            room = min(room, -(-(follow.max_records - walk.records) // last.records))
        if room <= 0:
            walk.finish("max_pages", f"max_pages is {follow.max_pages}")
        for url in urls[: max(0, room)]:
            if not self._may_be_read(url):
                if not walk.of("pending"):
                    walk.finish("robots", f"robots.txt forbids {url}; follow.ignore_robots overrides")
                break
            walk.add(url, made_up=url in made_up)

    def _more_of(self, page: WalkedPage) -> str:
        """Give what a page says that loads more of its records, and was not pressed.

        "Show all" asks for the pages that were read, where there were several.
        """
        content = JobContent(self.services.blobs, page_ref(self.plan.ref, page))
        signs = content.read().continuations if content.exists() else []
        more = (sign.text for sign in signs if sign.kind == "more" and any(map(str.isalpha, sign.text)))
        return next((text for text in more if page.number == 1 or not says_all(text)), "")

    def _may_be_read(self, url: str) -> bool:
        origin = origin_of(url)
        if origin is None or follow_of(self.plan).ignore_robots:
            return True
        return rules_of(origin, self.services).allows(path_of(url))

    def crawl_delay_of(self, url: str) -> int:
        """Give the whole seconds that the host asks for between two pages; 0 before the first, which is asked for."""
        origin = origin_of(url)
        if url == self.plan.request.url or origin is None or follow_of(self.plan).ignore_robots:
            return 0
        return int(-(-min(rules_of(origin, self.services).crawl_delay_s, MAX_CRAWL_DELAY_S) // 1))


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


def _said_of(page: WalkedPage) -> str:
    return f"page {page.number}: {page.error.message}" if page.error else f"page {page.number} shows no records"
