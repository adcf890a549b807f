"""The walk that maps a site: its first page, the sitemaps and feeds that it names, then links to a depth (MP-1).

Two requests run at a time, as a batch lets one host see, too; one, with a pause, where robots.txt asks for a pause. All
of them go through the fetcher that checks each address. A walk can be left, stored and gone on with.
"""

import re
import time
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from sys import maxsize
from typing import Any, Literal
from urllib.parse import urlsplit

from gleaner.contracts.error_types import ErrorType
from gleaner.contracts.errors import GleanerError, HttpStatusError, PageTooLarge, raise_for_status
from gleaner.contracts.media import MIME_BY_EXTENSION
from gleaner.contracts.models import JobError
from gleaner.contracts.ports import FetchedPage, Services
from gleaner.html.links import absolute_url
from gleaner.jobs.site_maps import PARTS, Part, SiteMap, SiteOrder, SourceProblem
from gleaner.page.model import PageOptions
from gleaner.page.opening import open_page
from gleaner.sites.addresses import same_page, site_of
from gleaner.sites.links import LONGEST_TITLE, SiteLink, asks_for_login, feeds_of, links_of
from gleaner.sites.site_urls import SiteUrl
from gleaner.sites.sitemaps import SitemapContent, is_sitemap, iso_date, read_sitemap
from gleaner.steps.batch import MAX_CRAWL_DELAY_S, origin_of
from gleaner.steps.site.found import FoundUrls

AT_A_TIME = 2
USUAL_SITEMAPS = ("/sitemap.xml", "/sitemap_index.xml")
"""Where a sitemap is looked for when robots.txt names none."""
PROBLEMS_SAID = 3
_PASSWORD = re.compile(rb"type\s*=\s*[\"']?password", re.IGNORECASE)
_GONE = ("answered 404", "answered 410")
Ends = Literal["max_urls", "max_sitemaps", "deadline_s", "cancelled", "stopped"]
SAID_OF_ENDS: dict[Ends, str] = {
    "max_urls": "the cap of {0.most_urls} URLs is reached: the site has more",
    "max_sitemaps": "max_sitemaps is {0.max_sitemaps}: the site has more sitemaps",
    "deadline_s": "deadline_s, {0.time_limit_s:g}, has passed: not everything was read",
    "cancelled": "the map was cancelled: these URLs were found by then",
    "stopped": "the map was stopped: these URLs were found by then",
}


@dataclass(frozen=True, slots=True)
class Source:
    """What is to be read next. A sitemap that is only looked for, since many sites have one there, ``is_guess``."""

    url: str
    part: Part
    depth: int = 0
    is_guess: bool = False

    @property
    def is_start(self) -> bool:
        """Whether it is what the caller named."""
        return self.part == "pages" and not self.depth


Outcome = FetchedPage | SitemapContent | GleanerError


class SiteWalk:
    """The map of one site, as far as it has come."""

    def __init__(
        self,
        order: SiteOrder,
        services: Services,
        *,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.order = order
        self.site_map = SiteMap(order.url)
        self.urls = FoundUrls(order, services)
        self._services, self._sleep, self._clock = services, sleep, clock
        self._queued: set[str] = {same_page(order.url)}
        self._queues: dict[Part, deque[Source]] = {part: deque() for part in PARTS}
        self._queues["pages"].append(Source(order.url, "pages"))
        self._links: list[SiteLink] = []
        self._ends: list[Ends] = []
        self._started_at = clock()
        self._was_asked = False
        self.site_map.found["pages"] = 1

    def run(self, until: float | None = None, heed: Callable[["SiteWalk"], bool] = lambda _: True) -> bool:
        """Walk on until the end, or until a time in epoch seconds, but by one step at least; give whether it is over.

        ``heed`` is called between requests; false from it ends the walk as one that was cancelled.
        """
        limit_s = self.order.time_limit_s
        ends_at = None if limit_s is None else self._started_at + limit_s
        with ThreadPoolExecutor(AT_A_TIME, thread_name_prefix="gleaner-map") as pool:
            while self.is_open:
                if not heed(self):
                    self.end("cancelled")
                elif ends_at is not None and self._clock() >= ends_at:
                    self.end("deadline_s")
                elif self._links and not self._queues["sitemaps"] and not self._queues["feeds"]:
                    self._take_links()
                else:
                    reading = [(source, pool.submit(self._read, source, ends_at)) for source in self._wave()]
                    for source, outcome in reading:
                        self._take(source, outcome.result())
                if self.urls.is_full:
                    self.end("max_urls")
                if until is not None and self._clock() >= until:
                    break
        return not self.is_open

    @property
    def is_open(self) -> bool:
        """Whether there is more to read."""
        return bool(self._links) or any(self._queues.values())

    def end(self, why: Ends) -> None:
        """Read nothing more."""
        self._ends.append(why)
        self._links.clear()
        for queue in self._queues.values():
            queue.clear()

    def result(self) -> SiteMap:
        """Give what was found, with what is missing in words."""
        found = self.site_map
        found.urls, found.left_out, found.warnings = self.urls.all(), self.urls.left_out, self._warnings()
        found.status = "partial" if found.problems or self._ends else "complete"
        if not found.urls and (found.problems or found.left_out.get("robots")):
            found.status, found.error = "failed", self._error()
        return found

    # Reading

    def _wave(self) -> list[Source]:
        """Take the sources to be read next: sitemaps, which know most of a page, then feeds, then pages."""
        queue = next(queue for queue in self._queues.values() if queue)
        delay_s = min(self.urls.rules_of(queue[0].url).crawl_delay_s, MAX_CRAWL_DELAY_S)
        is_first, self._was_asked = not self._was_asked, True
        if not delay_s or self.order.ignore_robots:
            return [queue.popleft() for _ in range(min(AT_A_TIME, len(queue)))]
        if not is_first:
            self._sleep(delay_s)
        return [queue.popleft()]

    def _read(self, source: Source, ends_at: float | None) -> Outcome:
        """Fetch one source; runs in a thread, and changes nothing."""
        try:
            if source.part != "pages":
                return self._read_sitemap(source.url, ends_at)
            return self._read_page(source, ends_at)
        except GleanerError as error:
            return error

    def _read_page(self, source: Source, ends_at: float | None) -> Outcome:
        """Fetch a page; what the caller named may be a sitemap, too."""
        if source.is_start and not self.urls.allows(source.url):
            return SitemapContent(fault="robots.txt")
        try:
            page = self._services.fetcher.fetch(source.url, ends_at=ends_at)
        except PageTooLarge:
            if not source.is_start:
                raise
            return self._read_sitemap(source.url, ends_at)
        raise_for_status(page.url, page.status)
        is_text = (page.headers.get("content-type") or "").startswith("text/plain")
        is_listing = source.is_start and (is_text or is_sitemap(page.body))
        return read_sitemap(page.body, page.url) if is_listing else page

    def _read_sitemap(self, url: str, ends_at: float | None) -> SitemapContent:
        media = self._services.fetcher.download(url, ends_at=ends_at)
        content = read_sitemap(media.body, media.url)
        if content.kind == "html" and _PASSWORD.search(media.body):
            content.fault = "it asks for a login"
        return content

    # What a source gave

    def _take(self, source: Source, outcome: Outcome) -> None:
        found = self.site_map.found
        if isinstance(outcome, GleanerError):
            self._take_failure(source, outcome)
        elif isinstance(outcome, FetchedPage):
            self._take_page(source, outcome)
        elif outcome.fault == "robots.txt":
            self.urls.refuse(source.url, "robots")
        elif source.is_guess and outcome.kind in ("html", "unknown"):
            found[source.part] -= 1
        else:
            part: Part = "feeds" if outcome.kind == "feed" else "sitemaps" if source.is_start else source.part
            found[source.part] -= 1
            found[part] += 1
            self._take_sitemap(Source(source.url, part, is_guess=source.is_guess), outcome)
            return
        if source.is_start:
            self._queue_named_sitemaps(outcome.url if isinstance(outcome, FetchedPage) else source.url)

    def _take_failure(self, source: Source, error: GleanerError) -> None:
        is_gone = isinstance(error, HttpStatusError) and any(code in error.message for code in _GONE)
        if source.is_guess:
            self.site_map.found[source.part] -= 1
        elif is_gone and source.depth:
            self.site_map.found["pages"] -= 1
            self.urls.drop(source.url, "broken")
        else:
            self._note(source.url, error.error_type, error.message)

    def _take_sitemap(self, source: Source, content: SitemapContent) -> None:
        if content.fault:
            self._note(source.url, ErrorType.UNSUPPORTED_CONTENT, f"{source.url}: {content.fault}")
        else:
            self.site_map.read[source.part] += 1
        if source.is_guess:  # one of the usual places is enough
            guesses = [one for one in self._queues["sitemaps"] if one.is_guess]
            self.site_map.found["sitemaps"] -= len(guesses)
            for guess in guesses:
                self._queues["sitemaps"].remove(guess)
        for url in content.sitemaps:
            self._queue_sitemap(url, "sitemaps")
        for entry in content.urls:
            self.urls.add(entry)

    def _take_page(self, source: Source, page: FetchedPage) -> None:
        opened = open_page(page.text, page.url, PageOptions(max_size=maxsize)) if _is_html(page) else None
        is_moved = same_page(page.url) != same_page(source.url)
        if opened is not None and is_moved and asks_for_login(opened):
            message = f"{source.url} leads to {page.url}, which asks for a login"
            self._note(source.url, ErrorType.UNAUTHORIZED, message)
            return
        self.site_map.read["pages"] += 1
        if source.is_start:
            self.urls.sites.add(site_of(page.url))
            self.urls.add(SiteUrl(page.url, source="start"))
        elif is_moved:
            self.urls.move(source.url, page.url)
        self._queued.add(same_page(page.url))
        entry = self.urls.get(page.url)
        if entry is not None:
            entry.title = (opened.title[:LONGEST_TITLE] if opened is not None else "") or entry.title
            entry.last_modified = entry.last_modified or iso_date(page.headers.get("last-modified") or "")
        if opened is None or not self.urls.is_of_site(page.url):
            return
        if source.is_start:
            for url, is_of_sitemap in feeds_of(opened):
                self._queue_sitemap(url, "sitemaps" if is_of_sitemap else "feeds")
            # The links wait for the sitemaps and feeds.
            self._links = list(links_of(opened)) if self.order.depth else []
        else:
            self._take_links_of(links_of(opened), source.depth)

    def _take_links(self) -> None:
        """Take the links of the first page, now that the sitemaps have been read."""
        links, self._links = self._links, []
        self._take_links_of(links, 0)

    def _take_links_of(self, links: Iterable[SiteLink], depth: int) -> None:
        for link in links:
            self.urls.add(SiteUrl(link.url, link.title or None, source="link"))
            self._queue_page(link.url, depth + 1)

    def _note(self, url: str, error_type: ErrorType, message: str) -> None:
        self.site_map.problems.append(SourceProblem(url, error_type, message))

    # Queues

    def _queue_named_sitemaps(self, url: str) -> None:
        """Queue the sitemaps that robots.txt names, or those in the usual places."""
        named = self.urls.rules_of(url).sitemaps
        for one in named:
            if target := absolute_url(one, url):
                self._queue_sitemap(target, "sitemaps")
        if not named and (origin := origin_of(url)):
            for path in USUAL_SITEMAPS:
                self._queue_sitemap(origin + path, "sitemaps", is_guess=True)

    def _queue_sitemap(self, url: str, part: Part, *, is_guess: bool = False) -> None:
        """Queue a sitemap or feed, unless it was queued before: one may lead to itself, and back."""
        key, found = same_page(url), self.site_map.found
        if key in self._queued:
            return
        if found["sitemaps"] + found["feeds"] >= self.order.max_sitemaps:
            if not is_guess and "max_sitemaps" not in self._ends and self.order.max_sitemaps:
                self._ends.append("max_sitemaps")
            return
        self._queued.add(key)
        found[part] += 1
        self._queues[part].append(Source(url, part, is_guess=is_guess))

    def _queue_page(self, url: str, depth: int) -> None:
        """Queue a page whose links are wanted, too; one that is a file by its name has none."""
        if depth >= self.order.depth or (key := same_page(url)) in self._queued:
            return
        ending = urlsplit(url).path.rpartition(".")[2].lower()
        if ending not in MIME_BY_EXTENSION and self.urls.may_be_walked(url):
            self._queued.add(key)
            self.site_map.found["pages"] += 1
            self._queues["pages"].append(Source(url, "pages", depth))

    # Words

    def _warnings(self) -> list[str]:
        found, warnings = self.site_map, list[str]()
        for part in PARTS:
            if found.read[part] < found.found[part]:
                count = f"{found.read[part]} of {found.found[part]} {part}"
                warnings.append(f"{count} were read" if found.found[part] > 1 else f"{count[:-1]} was read")
        warnings += [one.message for one in found.problems[:PROBLEMS_SAID]]
        if (more := len(found.problems) - PROBLEMS_SAID) > 0:
            warnings.append(f"and {more} more, which problems lists")
        warnings += [SAID_OF_ENDS[end].format(self.order) for end in self._ends]
        if count := self.urls.left_out.get("robots"):
            answers = "robots.txt answers with a server error, which disallows"
            why = answers if self.urls.is_all_forbidden else "robots.txt disallows"
            warnings.append(f"{why} {count} URL{'s' if count > 1 else ''}; ignore_robots lists them")
        if not found.found["sitemaps"] + found.found["feeds"] and not found.problems and self.order.depth < 2:
            warnings.append("the site names no sitemap and no feed; a larger depth finds more pages by their links")
        return warnings

    def _error(self) -> JobError:
        """Give why there is not one URL."""
        if self.site_map.problems:
            first = self.site_map.problems[0]
            return JobError(error_type=first.error_type, message=first.message)
        message = f"robots.txt of {site_of(self.order.url)} disallows all that was found; ignore_robots overrides"
        return JobError(error_type=ErrorType.DISALLOWED_BY_ROBOTS, message=message)

    # To be gone on with

    def to_json(self) -> dict[str, Any]:
        """Give what a walk that goes on has to know, the URLs too."""
        found = self.site_map
        return {
            "urls": self.urls.to_json(),
            "queued": sorted(self._queued),
            "queues": {part: [asdict(one) for one in queue] for part, queue in self._queues.items()},
            "links": [asdict(one) for one in self._links],
            "ends": self._ends,
            "started_at": self._started_at,
            "found": found.found,
            "read": found.read,
            "problems": [one.to_json() for one in found.problems],
        }

    def take_up(self, state: Any) -> None:
        """Go on where a walk was left that ``to_json`` has told of."""
        found = self.site_map
        self.urls.take_up(state["urls"])
        self._queued = set(state["queued"])
        self._queues = {part: deque(Source(**one) for one in state["queues"][part]) for part in PARTS}
        self._links = [SiteLink(**one) for one in state["links"]]
        self._ends, self._started_at = list(state["ends"]), state["started_at"]
        found.found, found.read = dict(state["found"]), dict(state["read"])
        found.problems = [SourceProblem(**one) for one in state["problems"]]


def _is_html(page: FetchedPage) -> bool:
    kind = (page.headers.get("content-type") or "").lower()
    return bool(page.text) and ("html" in kind or not kind)
