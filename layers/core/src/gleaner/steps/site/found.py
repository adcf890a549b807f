"""The URLs that a map has found, each page once, and those that it leaves out."""

from typing import Any
from urllib.parse import urldefrag, urlsplit

from gleaner.contracts.ports import Services
from gleaner.jobs.robots import FORBIDS_ALL, RobotRules
from gleaner.jobs.site_maps import SiteOrder
from gleaner.sites.addresses import path_of, same_page, site_of
from gleaner.sites.site_urls import SiteUrl
from gleaner.sites.visiting import changes_something, without_views
from gleaner.steps.batch import origin_of, rules_of

MOST_REMEMBERED = 500_000
"""URLs left out that are known again; beyond them, one that comes again is counted again."""


class FoundUrls:
    """Takes URLs in, by the order's globs, the hosts of the site, robots.txt and what they do.

    ``left_out`` counts those that are not, by reason; ``is_full`` tells that there was one more than the order allows.
    """

    def __init__(self, order: SiteOrder, services: Services) -> None:
        self.sites: set[str] = {site_of(order.url)}
        self.left_out: dict[str, int] = {}
        self.is_full = False
        self._order, self._services = order, services
        self._urls: dict[str, SiteUrl] = {}
        self._refused: dict[str, str] = {}
        self._rules: dict[str, RobotRules] = {}

    def __len__(self) -> int:
        return len(self._urls)

    def all(self) -> list[SiteUrl]:
        """Give the URLs in the order in which they were found."""
        return list(self._urls.values())

    def get(self, url: str) -> SiteUrl | None:
        """Give what is known of a page; None when it is not in the map."""
        return self._urls.get(same_page(url))

    def add(self, entry: SiteUrl) -> str:
        """Take a URL into the map, or count why not; of one that is there fill in what was not known.

        Gives the address under which the page is known: without what only sorts or tracks.
        """
        if _names_user(entry.url):  # nobody's password belongs into a list, and no such address is asked for
            self._refuse(f"credentials {same_page(entry.url)}", "credentials")
            return entry.url
        url = urldefrag(without_views(entry.url))[0]
        if url != urldefrag(entry.url)[0]:
            self._refuse(f"view {entry.url}", "views")
        key = same_page(url)
        known = self._urls.get(key)
        if known is not None:
            if known.url != url:
                self._refuse(url, "duplicates")
            known.title = known.title or entry.title
            known.last_modified = known.last_modified or entry.last_modified
        elif key in self._refused:
            pass
        elif why := self._reason(url, entry):
            self._refuse(key, why)
        elif len(self._urls) >= self._order.most_urls:
            self.is_full = True
        else:
            entry.url = url
            self._urls[key] = entry
        return url

    def _reason(self, url: str, entry: SiteUrl) -> str:
        """Say why a URL is left out; "" for one that is listed."""
        if not self.is_of_site(url):
            return "" if self._order.other_hosts else "other_hosts"
        if entry.source != "start" and changes_something(url):
            return "actions"
        if not self._order.wants(url):
            return "filtered"
        return "" if self.allows(url) else "robots"

    def drop(self, url: str, why: str) -> None:
        """Take a URL out again."""
        key = same_page(url)
        if self._urls.pop(key, None) is not None:
            self._refuse(key, why)

    def move(self, before: str, url: str) -> None:
        """Put a page under the address that it was redirected to, or that it calls its own."""
        entry = self._urls.pop(same_page(before), None)
        if entry is not None:
            self._refused[same_page(before)] = "moved"
            entry.url = url
            self.add(entry)

    def refuse(self, url: str, why: str) -> None:
        """Leave a URL out, and count that once; one that is listed stays."""
        if same_page(url) not in self._urls:
            self._refuse(same_page(url), why)

    def may_be_walked(self, url: str) -> bool:
        """Tell whether a page may be read for its links: globs of ``include`` are about what is listed alone."""
        is_kept_out = self._refused.get(same_page(url), "filtered") != "filtered" or self._order.is_excluded(url)
        return self.is_of_site(url) and not is_kept_out and not _names_user(url) and self.allows(url)

    def is_of_site(self, url: str) -> bool:
        """Tell whether a URL is of the site's hosts."""
        return site_of(url) in self.sites

    def _refuse(self, key: str, why: str) -> None:
        if key not in self._refused:
            if len(self._refused) < MOST_REMEMBERED:
                self._refused[key] = why
            self.left_out[why] = self.left_out.get(why, 0) + 1

    # robots.txt

    def rules_of(self, url: str) -> RobotRules:
        """Give the rules of a URL's host."""
        parts = urlsplit(url)
        place = f"{parts.scheme}://{parts.netloc}"
        if place not in self._rules:
            origin = origin_of(url)
            self._rules[place] = rules_of(origin, self._services) if origin is not None else RobotRules()
        return self._rules[place]

    def allows(self, url: str) -> bool:
        """Tell whether robots.txt allows a page of the site; other hosts are not asked."""
        if self._order.ignore_robots or not self.is_of_site(url):
            return True
        return self.rules_of(url).allows(path_of(url))

    @property
    def is_all_forbidden(self) -> bool:
        """Whether a host's robots.txt answers with a server error, which forbids all."""
        return any(rules.text == FORBIDS_ALL for rules in self._rules.values())

    # To be gone on with

    def to_json(self) -> dict[str, Any]:
        """Give all that there is to know."""
        return {
            "urls": [one.to_json() for one in self._urls.values()], "refused": self._refused,
            "sites": sorted(self.sites), "left_out": self.left_out, "is_full": self.is_full,
        }  # fmt: skip

    def take_up(self, state: Any) -> None:
        """Take what ``to_json`` gave."""
        self._urls = {same_page(one["url"]): SiteUrl(**one) for one in state["urls"]}
        self._refused, self.sites = dict(state["refused"]), set(state["sites"])
        self.left_out, self.is_full = dict(state["left_out"]), state["is_full"]


def _names_user(url: str) -> bool:
    return "@" in urlsplit(url).netloc
