"""The walk that maps a site: its first page, the sitemaps and feeds that it names, then links to a depth (MP-1).

Two requests run at a time, as a batch lets one host see, too; one, with a pause, where robots.txt asks for a pause. All
of them go through the fetcher that checks each address. A walk can be left, stored and gone on with. Whatever is wrong
with one source is a problem of that source (MP-3).
"""

import re
import time
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal
from urllib.parse import urljoin, urlsplit

from gleaner.contracts.digests import digest_of
from gleaner.contracts.error_types import ErrorType
from gleaner.contracts.errors import (
    FetchTimeout,
    GleanerError,
    HttpStatusError,
    InternalError,
    PageTooLarge,
    TransientError,
    UnreachableHost,
    raise_for_status,
)
from gleaner.contracts.media import MIME_BY_EXTENSION
from gleaner.contracts.models import JobError
from gleaner.contracts.ports import FetchedPage, Services
from gleaner.contracts.settings import without_credentials
from gleaner.html.links import absolute_url
from gleaner.jobs.site_maps import PARTS, Part, SiteMap, SiteOrder, SourceProblem
from gleaner.sites.addresses import index_folder, same_page, site_of
from gleaner.sites.links import SiteLink, SitePage, read_page
from gleaner.sites.site_urls import SiteUrl
from gleaner.sites.sitemaps import SitemapContent, is_sitemap, iso_date, read_sitemap
from gleaner.steps.batch import MAX_CRAWL_DELAY_S, origin_of
from gleaner.steps.site.found import FoundUrls

AT_A_TIME = 2
USUAL_SITEMAPS = ("/sitemap.xml", "/sitemap_index.xml")
"""Where a sitemap is looked for when robots.txt names none."""
MOST_TRIES, RETRY_S = 3, 1.0
"""How often a source is read that answers as one that may be well the next time, and how long is waited before."""

PROBLEMS_SAID = 3
_PASSWORD = re.compile(rb"type\s*=\s*[\"']?password", re.IGNORECASE)
_GONE = re.compile(r" answered (?:404|410)\b")
_PASSING = re.compile(r" answered (?:429|5\d\d)\b")
Ends = Literal["max_urls", "max_sitemaps", "deadline_s", "cancelled", "stopped", "interrupted"]
SAID_OF_ENDS: dict[Ends, str] = {
    "max_urls": "the cap of {0.most_urls} URLs is reached: the site has more",
    "max_sitemaps": "max_sitemaps is {0.max_sitemaps}: the site has more sitemaps",
    "deadline_s": "deadline_s, {0.time_limit_s:g}, has passed: not everything was read",
    "cancelled": "the map was cancelled: these URLs were found by then",
    "stopped": "the map was stopped: these URLs were found by then",
    "interrupted": "interrupted: these URLs were found by then; the same command goes on there",
}


@dataclass(frozen=True, slots=True)
class Source:
    """What is to be read next. A sitemap that is only looked for, since many sites have one there, ``is_guess``."""

    url: str
    part: Part
    depth: int = 0
    is_guess: bool = False
    tries: int = 0

    @property
    def is_start(self) -> bool:
        """Whether it is what the caller named."""
        return self.part == "pages" and not self.depth


@dataclass(frozen=True, slots=True)
class ReadPage:
    """A page that was read, None for what is no HTML; when it was changed last, and under which id it was kept.

    ``digest`` is that of the HTML of a folder or its index file, "" for all else.
    """

    url: str
    page: SitePage | None
    last_modified: str | None
    page_id: str | None
    digest: str = ""


Outcome = ReadPage | SitemapContent | GleanerError
Keep = Callable[[FetchedPage], str | None]
"""Stores a page that was fetched, for whoever would fetch it again; gives its id, None if it keeps none."""

ASKED_NOT_TO = frozenset(("robots", "noindex", "nofollow"))
"""Why URLs are left out because their site asks for it."""


class SiteWalk:
    """The map of one site, as far as it has come. ``keep`` stores the pages that are fetched."""

    def __init__(
        self,
        order: SiteOrder,
        services: Services,
        *,
        sleep: Callable[[float], None] = time.sleep,
        keep: Keep | None = None,
    ) -> None:
        self.order = order
        self.site_map = SiteMap(order.url)
        self.urls = FoundUrls(order, services)
        self._services, self._sleep, self._keep = services, sleep, keep
        self._queued: set[str] = {same_page(order.url)}
        self._queues: dict[Part, deque[Source]] = {part: deque() for part in PARTS}
        self._queues["pages"].append(Source(order.url, "pages"))
        self._reading: list[Source] = []
        self._links: list[SiteLink] = []
        self._indexes: dict[str, str] = {}
        self._ends: list[Ends] = []
        self._started_at = time.time()
        self._was_asked = False
        self.site_map.found["pages"] = 1

    def run(self, until: float | None = None, heed: Callable[["SiteWalk"], bool] = lambda _: True) -> bool:
        """Walk on until the end, or until a time in epoch seconds, but by one step at least; give whether it is over.

        ``heed`` is called between requests; false from it ends the walk as one that was cancelled.
        """
        limit_s = self.order.time_limit_s
        ends_at = None if limit_s is None else self._started_at + limit_s
        pool = ThreadPoolExecutor(AT_A_TIME, thread_name_prefix="gleaner-map")
        try:
            while self.is_open:
                if not heed(self):
                    self.end("cancelled")
                elif ends_at is not None and time.time() >= ends_at:
                    self.end("deadline_s")
                elif self._links and not self._queues["sitemaps"] and not self._queues["feeds"]:
                    self._take_links()
                else:
                    self._reading = self._wave()
                    outcomes = [pool.submit(self._read, source, ends_at) for source in self._reading]
                    for source, outcome in zip(list(self._reading), outcomes, strict=True):
                        self._take(source, outcome.result())
                        self._reading.remove(source)
                if self.urls.is_full:
                    self.end("max_urls")
                if until is not None and time.time() >= until:
                    break
        finally:  # whoever interrupts it does not wait for what is being read
            pool.shutdown(wait=not self._reading, cancel_futures=True)
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
        found.urls, found.left_out = self.urls.all(), self.urls.left_out
        linked = (one for one in found.urls if one.source == "link" and _may_have_links(one.url))
        found.unopened = sum(same_page(one.url) not in self._queued for one in linked)
        found.warnings = self._warnings()
        found.status = "partial" if found.problems or self._ends else "complete"
        found.was_interrupted = "interrupted" in self._ends
        if not found.urls and (found.problems or ASKED_NOT_TO.intersection(found.left_out)):
            found.status, found.error = "failed", self._error()
        return found

    # Reading

    def _wave(self) -> list[Source]:
        """Take the sources to be read next: sitemaps, which know most of a page, then feeds, then pages."""
        queue = next(queue for queue in self._queues.values() if queue)
        delay_s = min(self.urls.rules_of(queue[0].url).crawl_delay_s, MAX_CRAWL_DELAY_S)
        delay_s = 0.0 if self.order.ignore_robots else delay_s
        wave = [queue.popleft() for _ in range(1 if delay_s else min(AT_A_TIME, len(queue)))]
        pause_s = max(delay_s if self._was_asked else 0.0, *(RETRY_S * source.tries for source in wave))
        self._was_asked = True
        if pause_s:
            self._sleep(pause_s)
        return wave

    def _read(self, source: Source, ends_at: float | None) -> Outcome:
        """Fetch and read one source; runs in a thread, and changes nothing."""
        try:
            if source.part == "pages":
                return self._read_page(source, ends_at)
            return self._read_sitemap(source.url, ends_at)
        except GleanerError as error:
            return error
        except Exception as error:  # noqa: BLE001 - no fault of one source, known or not, ends a map (MP-3)
            return InternalError(f"{source.url} could not be read: {type(error).__name__}: {str(error)[:200]}")

    def _read_page(self, source: Source, ends_at: float | None) -> Outcome:
        """Fetch a page; what the caller named may be a sitemap, too."""
        if source.is_start and not self.urls.allows(source.url):
            return SitemapContent(fault="robots.txt")
        try:
            fetched = self._services.fetcher.fetch(source.url, ends_at=ends_at)
        except PageTooLarge:
            if not source.is_start:
                raise
            return self._read_sitemap(source.url, ends_at)
        raise_for_status(fetched.url, fetched.status)
        kind = (fetched.headers.get("content-type") or "").lower()
        if source.is_start and (kind.startswith("text/plain") or is_sitemap(fetched.body)):
            return read_sitemap(fetched.body, fetched.url)
        page_id = self._keep(fetched) if self._keep is not None else None
        is_html = bool(fetched.text) and ("html" in kind or not kind)
        page = read_page(fetched.text, fetched.url, fetched.headers) if is_html else None
        last_modified = iso_date(fetched.headers.get("last-modified") or "")
        digest = digest_of(fetched.text) if is_html and index_folder(fetched.url) else ""
        return ReadPage(fetched.url, page, last_modified, page_id, digest)

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
            if self._is_tried_again(source, outcome):
                return
            self._take_failure(source, outcome)
        elif isinstance(outcome, ReadPage):
            self._take_page(source, outcome)
        elif outcome.fault == "robots.txt":
            self.urls.refuse(source.url, "robots")
        elif source.is_guess and outcome.kind in ("html", "unknown"):
            found[source.part] -= 1
        else:
            part: Part = "feeds" if outcome.kind == "feed" else "sitemaps" if source.is_start else source.part
            found[source.part] -= 1
            found[part] += 1
            self._take_sitemap(replace(source, part=part), outcome)
            return
        if source.is_start:
            self._queue_named_sitemaps(outcome.url if isinstance(outcome, ReadPage) else source.url)

    def _is_tried_again(self, source: Source, error: GleanerError) -> bool:
        """Queue a source anew that may answer the next time."""
        is_passing = isinstance(error, TransientError | FetchTimeout | UnreachableHost) or (
            isinstance(error, HttpStatusError) and _PASSING.search(error.message) is not None
        )
        if source.is_guess or not is_passing or source.tries + 1 >= MOST_TRIES:
            return False
        self._queues[source.part].append(replace(source, tries=source.tries + 1))
        return True

    def _take_failure(self, source: Source, error: GleanerError) -> None:
        if source.is_guess:
            self.site_map.found[source.part] -= 1
        elif source.depth and isinstance(error, HttpStatusError) and _GONE.search(error.message):
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
            folder = urljoin(source.url, ".")
            guesses = [one for one in self._queues["sitemaps"] if one.is_guess and urljoin(one.url, ".") == folder]
            self.site_map.found["sitemaps"] -= len(guesses)
            for guess in guesses:
                self._queues["sitemaps"].remove(guess)
        for url in content.sitemaps:
            self._queue_sitemap(url, "sitemaps")
        for entry in content.urls:
            self.urls.add(entry)

    def _take_page(self, source: Source, read: ReadPage) -> None:
        page, urls = read.page or SitePage(read.url), self.urls
        is_moved = same_page(read.url) != same_page(source.url)
        if is_moved and page.asks_for_login:
            message = f"{source.url} leads to {read.url}, which asks for a login"
            self._note(source.url, ErrorType.UNAUTHORIZED, message)
            return
        self.site_map.read["pages"] += 1
        if source.is_start:
            urls.sites.add(site_of(read.url))
            urls.add(SiteUrl(read.url, source="start"))
        elif is_moved:
            urls.move(source.url, read.url)
        self._queued.add(same_page(read.url))
        entry = urls.get(read.url)
        if entry is not None:
            entry.title, entry.last_modified = page.title or entry.title, entry.last_modified or read.last_modified
            entry.page_id = read.page_id
        if not page.is_indexed:
            urls.drop(read.url, "noindex")
        elif self._is_known_index(read):
            urls.drop(read.url, "duplicates")
        elif _is_another(page.canonical, read.url) and urls.is_of_site(page.canonical):
            urls.move(read.url, page.canonical)
        if not urls.is_of_site(read.url):
            return
        if source.is_start:
            for url, is_of_sitemap in page.feeds:
                self._queue_sitemap(url, "sitemaps" if is_of_sitemap else "feeds")
            # The links wait for the sitemaps and feeds.
            self._links = list(page.links) if self.order.depth else []
            self.site_map.links = len(page.links)
        else:
            self._take_links_of(page.links, source.depth)

    def _is_known_index(self, read: ReadPage) -> bool:
        """Tell whether a page is a folder and its index file at once, and was read before under the other address."""
        if not read.digest:
            return False
        key = f"{read.digest} {same_page(index_folder(read.url))}"
        return same_page(self._indexes.setdefault(key, read.url)) != same_page(read.url)

    def _take_links(self) -> None:
        """Take the links of the first page, now that the sitemaps have been read."""
        links, self._links = self._links, []
        self._take_links_of(links, 0)

    def _take_links_of(self, links: Iterable[SiteLink], depth: int) -> None:
        for link in links:
            if not link.left_out:
                self._queue_page(self.urls.add(SiteUrl(link.url, link.title or None, source="link")), depth + 1)
        for link in links:  # one that may be followed elsewhere on the page is
            if link.left_out and self.urls.is_of_site(link.url):
                self.urls.refuse(link.url, link.left_out)

    def _note(self, url: str, error_type: ErrorType, message: str) -> None:
        self.site_map.problems.append(SourceProblem(without_credentials(url), error_type, message))

    # Queues

    def _queue_named_sitemaps(self, url: str) -> None:
        """Queue the sitemaps that robots.txt names, or those in the usual places; and one beside the first page."""
        named = self.urls.rules_of(url).sitemaps
        for one in named:
            if target := absolute_url(one, url):
                self._queue_sitemap(target, "sitemaps")
        origin = origin_of(url)
        if origin is not None:
            for path in () if named else USUAL_SITEMAPS:
                self._queue_sitemap(origin + path, "sitemaps", is_guess=True)
            if urlsplit(folder := urljoin(url, ".")).path != "/":
                self._queue_sitemap(urljoin(folder, "sitemap.xml"), "sitemaps", is_guess=True)

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
        """Queue a page whose links are wanted, too."""
        if depth >= self.order.depth or (key := same_page(url)) in self._queued:
            return
        if _may_have_links(url) and self.urls.may_be_walked(url):
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
        if not found.found["sitemaps"] + found.found["feeds"] and not found.problems and not self._ends:
            if found.unopened:
                pages = "1 page was" if found.unopened == 1 else f"{found.unopened} pages were"
                said = f"{pages} not opened for links (depth is {self.order.depth})"
                warnings.append(f"the site names no sitemap and no feed, and {said}: a larger depth may find more")
            elif found.links == 0 and found.read["pages"] == 1 and self.order.depth:
                warnings.append("the first page has no link in its HTML: if scripts make them, give a page that has")
        return warnings

    def _error(self) -> JobError:
        """Give why there is not one URL."""
        if self.site_map.problems:
            first = self.site_map.problems[0]
            return JobError(error_type=first.error_type, message=first.message)
        counts = self.urls.left_out
        if counts.get("robots"):
            message = f"robots.txt of {site_of(self.order.url)} disallows all that was found; ignore_robots overrides"
        else:
            asked = ", ".join(f"{counts[name]} by {name}" for name in ("noindex", "nofollow") if counts.get(name))
            message = f"the pages of {site_of(self.order.url)} ask robots to pass over all that was found ({asked})"
        return JobError(error_type=ErrorType.DISALLOWED_BY_ROBOTS, message=message)

    # To be gone on with

    def to_json(self) -> dict[str, Any]:
        """Give what a walk that goes on has to know, the URLs too."""
        found = self.site_map
        queues = {part: [asdict(one) for one in queue] for part, queue in self._queues.items()}
        for source in reversed(self._reading):
            queues[source.part].insert(0, asdict(source))
        return {
            "urls": self.urls.to_json(),
            "queued": sorted(self._queued),
            "queues": queues,
            "links": [asdict(one) for one in self._links],
            "indexes": self._indexes,
            "ends": self._ends,
            "started_at": self._started_at,
            "found": found.found,
            "read": found.read,
            "first_links": found.links,
            "problems": [one.to_json() for one in found.problems],
        }

    def take_up(self, state: Any) -> None:
        """Go on where a walk was left that ``to_json`` has told of."""
        found = self.site_map
        self.urls.take_up(state["urls"])
        self._queued = set(state["queued"])
        self._queues = {part: deque(Source(**one) for one in state["queues"][part]) for part in PARTS}
        self._links = [SiteLink(**one) for one in state["links"]]
        self._indexes = dict(state.get("indexes", {}))
        self._ends, self._started_at = list(state["ends"]), state["started_at"]
        found.found, found.read, found.links = dict(state["found"]), dict(state["read"]), state["first_links"]
        found.problems = [SourceProblem(**one) for one in state["problems"]]


def _is_another(canonical: str, url: str) -> bool:
    """Tell whether a page calls another address its own; one whose every page names the site's first is mistaken."""
    is_root = urlsplit(canonical).path.strip("/") == "" and urlsplit(url).path.strip("/") != ""
    return bool(canonical) and not is_root and same_page(canonical) != same_page(url)


def _may_have_links(url: str) -> bool:
    """Tell whether a page may have links; one that is a file by its name has none."""
    return urlsplit(url).path.rpartition(".")[2].lower() not in MIME_BY_EXTENSION
