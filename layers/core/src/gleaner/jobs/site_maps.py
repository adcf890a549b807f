"""Maps of sites: what to map, how far a map has come, and what it found (MP-1).

A map is ``SITEMAP#tenant / id`` in the table; its URLs stand as JSON lines under ``jobs/tenant/id/``, with what a map
that goes on has to know.
"""

import json
import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, Field

from gleaner.contracts.error_types import ErrorType
from gleaner.contracts.errors import InvalidRequest, error_of
from gleaner.contracts.items import DAY_S
from gleaner.contracts.models import Closed, JobError, checked_address, parse_request
from gleaner.contracts.ports import Item, JsonObject
from gleaner.contracts.web_addresses import with_scheme
from gleaner.jobs.batches import MAX_REQUESTS, Politeness, check_count
from gleaner.jobs.blob_texts import find_text, write_text
from gleaner.jobs.jobs import JobRef
from gleaner.jobs.tenant_records import TenantRecords
from gleaner.jobs.url_globs import matches, path_matches
from gleaner.sites.addresses import path_of
from gleaner.sites.site_urls import SiteUrl

MOST_URLS = 200_000
MOST_SITEMAPS = 50_000
DEEPEST = 20


def _glob(glob: str) -> str:
    if not glob.startswith(("/", "*")) and "://" not in glob:
        raise ValueError(f"a glob begins with /, * or http, as /blog/* does, not {glob[:100]!r}")
    return glob


Globs = list[Annotated[str, AfterValidator(_glob)]]
Address = Annotated[str, AfterValidator(with_scheme), AfterValidator(checked_address)]


class SiteOrder(Closed, ABC):
    """Which site, which of its URLs, and how many links away from its first page."""

    url: Address = Field(description="A page of the site, or a sitemap or feed of it")
    include: Globs = Field(default_factory=list[str], description="Only URLs that match one of these globs: /blog/*")
    exclude: Globs = Field(default_factory=list[str], description="No URLs that match one of these globs")
    depth: int = Field(default=1, ge=0, le=DEEPEST, description="Links to follow from the first page; 0: none")
    max_sitemaps: int = Field(default=1_000, ge=0, le=MOST_SITEMAPS, description="Maximum number of sitemaps and feeds")
    other_hosts: bool = Field(default=False, description="Also list URLs of other hosts; their pages are not read")
    ignore_robots: bool = Field(default=False, description="Also list and read what robots.txt disallows")

    @property
    @abstractmethod
    def most_urls(self) -> int:
        """How many URLs the map may have."""

    @property
    def time_limit_s(self) -> float | None:
        """The seconds after which no more is read; None without a limit."""
        return None

    def wants(self, url: str) -> bool:
        """Tell whether the globs let a URL in.

        >>> order = MapOrder(url="https://a.example", include=["/blog/*"], exclude=["*draft*"])
        >>> order.wants("https://a.example/blog/1"), order.wants("https://a.example/blog/draft-2")
        (True, False)
        """
        return (not self.include or _matches_any(self.include, url)) and not self.is_excluded(url)

    def is_excluded(self, url: str) -> bool:
        """Tell whether a glob keeps a URL out: its page is not read for links either."""
        return bool(self.exclude) and _matches_any(self.exclude, url)


class MapOrder(SiteOrder):
    """What to map."""

    max_urls: int = Field(default=50_000, ge=1, le=MOST_URLS, description="Maximum number of URLs")
    deadline_s: float | None = Field(default=None, gt=0, description="Seconds after which the map ends as it is")

    @property
    def most_urls(self) -> int:
        """How many URLs the map may have."""
        return self.max_urls

    @property
    def time_limit_s(self) -> float | None:
        """The seconds after which no more is read; None without a limit."""
        return self.deadline_s


class CrawlOrder(SiteOrder, Politeness):
    """What to crawl: a site is mapped, and each page scraped. ``request.budget`` holds for all pages together."""

    depth: int = Field(default=3, ge=0, le=DEEPEST, description="Links to follow from the first page; 0: none")
    max_pages: int = Field(default=1_000, ge=1, le=MAX_REQUESTS, description="Maximum number of pages")
    request: dict[str, Any] = Field(
        default_factory=dict[str, Any],
        description="Fields of a ScrapeRequest for each page; its budget holds for the whole crawl",
    )

    @property
    def most_urls(self) -> int:
        """How many URLs the map may have."""
        return self.max_pages

    @property
    def time_limit_s(self) -> float | None:
        """The seconds after which no more is read; None without a limit."""
        return (self.request.get("budget") or {}).get("deadline_s")

    @property
    def politeness(self) -> dict[str, Any]:
        """The fields of a batch's politeness."""
        return {name: getattr(self, name) for name in Politeness.model_fields}

    @classmethod
    def read(cls, fields: Any) -> Self:
        """Read it from any way in; InvalidRequest names the field."""
        order = super().read(fields)
        named = sorted(order.request.keys() & {"url", "page_id", "follow"})
        if named:
            raise InvalidRequest(f"request: a crawl reads each page once, at its own URL: leave out {named[0]}")
        parse_request({**order.request, "url": order.url})
        check_count(order.max_pages, len(json.dumps(order.request)))
        return order


def order_of(record: JsonObject) -> SiteOrder:
    """Give the order of a map's record."""
    return (CrawlOrder if record.get("is_crawl") else MapOrder).read(record["order"])


def _matches_any(globs: Iterable[str], url: str) -> bool:
    return any(_matches(glob, url) for glob in globs)


def _matches(glob: str, url: str) -> bool:
    """Tell whether a glob matches a URL: one that begins with a slash its path, with or without the query."""
    return path_matches(glob, path_of(url)) if glob.startswith("/") else matches(glob, url)


Part = Literal["sitemaps", "feeds", "pages"]
PARTS: tuple[Part, ...] = ("sitemaps", "feeds", "pages")


@dataclass(slots=True)
class SourceProblem:
    """A sitemap, feed or page that was not read, or not whole, and why."""

    url: str
    error_type: ErrorType
    message: str

    def to_json(self) -> JsonObject:
        """Give the JSON form."""
        return {"url": self.url, "error_type": self.error_type, "message": self.message}


@dataclass(slots=True)
class SiteMap:
    """The URLs of a site. ``found`` and ``read`` count sitemaps, feeds and pages; ``left_out`` counts URLs by reason.

    ``unopened`` counts the pages that are listed and were not read for links, for want of depth; ``links`` those of the
    first page. ``status`` is partial when something was not read or a cap was reached; ``warnings`` say what.
    """

    url: str
    status: Literal["complete", "partial", "failed"] = "complete"
    error: JobError | None = None
    urls: list[SiteUrl] = field(default_factory=list[SiteUrl])
    found: dict[Part, int] = field(default_factory=lambda: dict.fromkeys(PARTS, 0))
    read: dict[Part, int] = field(default_factory=lambda: dict.fromkeys(PARTS, 0))
    left_out: dict[str, int] = field(default_factory=dict[str, int])
    problems: list[SourceProblem] = field(default_factory=list[SourceProblem])
    warnings: list[str] = field(default_factory=list[str])
    unopened: int = 0
    links: int = 0
    was_interrupted: bool = False

    def __iter__(self) -> Iterator[SiteUrl]:
        return iter(self.urls)

    def __len__(self) -> int:
        return len(self.urls)

    def raise_for_status(self) -> "SiteMap":
        """Give the map itself; raise the error that it failed with, if it did."""
        if self.error is not None:
            raise error_of(self.error.error_type, self.error.message)
        return self

    def summary(self) -> JsonObject:
        """Give all but the URLs as JSON."""
        return {
            "url": self.url,
            "status": self.status,
            "url_count": len(self.urls),
            "found": {**self.found},
            "read": {**self.read},
            "left_out": {**self.left_out},
            "unopened": self.unopened,
            "problems": [one.to_json() for one in self.problems[:PROBLEMS_KEPT]],
            "warnings": list(self.warnings),
        }

    def to_ndjson(self) -> Iterator[str]:
        """Give a line of JSON for each URL: url, title, last_modified, source."""
        return (json.dumps(one.to_json(), ensure_ascii=False) + "\n" for one in self.urls)


def site_map_of(record: JsonObject, lines: Iterable[str]) -> SiteMap:
    """Give a map as it is stored: its record, and its URLs as lines of JSON."""
    stored: Any = record
    status = stored["status"] if stored["status"] in ("complete", "partial", "failed") else "partial"
    return SiteMap(
        stored["url"], status, JobError.model_validate(stored["error"]) if stored.get("error") else None,
        [SiteUrl(**json.loads(line)) for line in lines], stored.get("found") or {}, stored.get("read") or {},
        stored.get("left_out") or {}, [SourceProblem(**one) for one in stored.get("problems") or []],
        stored.get("warnings") or [], stored.get("unopened") or 0,
    )  # fmt: skip


PROBLEMS_KEPT = 100
"""Problems that a record names; all of them are counted."""


class SiteMaps(TenantRecords):
    """The maps of one tenant."""

    kind, noun = "SITEMAP", "map"

    def open(self, map_id: str, order: SiteOrder, **more: Any) -> JsonObject:
        """Keep a map that is to be made and give its record; one of this id that is there stays as it is."""
        ref = JobRef(map_id, self._tenant)
        data: JsonObject = {
            "map_id": map_id, "status": "running", "url": order.url, "created_at": time.time(),
            "order": order.model_dump(mode="json", exclude_unset=True), **more,
        }  # fmt: skip
        ttl = int(time.time()) + self._ttl_days * DAY_S
        self._table.put(Item(*self._key(ref.job_id), data, ttl=ttl), if_version=0)
        return self.record(map_id)

    def update(self, record_id: str, **changes: Any) -> None:
        """Change fields of a record; one that was cancelled stays so."""

        def changed(item: Item) -> Item:
            if item.data.get("status") == "cancelled":
                changes.pop("status", None)
            return replace(item, data={**item.data, **changes})

        self._change(record_id, changed)

    def write(self, map_id: str, site_map: SiteMap) -> None:
        """Keep what a map has found."""
        write_text(self._blobs, self._urls_key(map_id), "".join(site_map.to_ndjson()), "application/x-ndjson")

    def urls(self, map_id: str) -> list[str]:
        """Give the lines of JSON of the URLs that a map has found so far."""
        self.record(map_id)
        return find_text(self._blobs, self._urls_key(map_id)).split("\n")[:-1]

    def _urls_key(self, map_id: str) -> str:
        return JobRef(map_id, self._tenant).key("urls.ndjson")
