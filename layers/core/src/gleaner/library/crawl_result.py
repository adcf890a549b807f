"""What ``Gleaner.crawl`` gives: the results of the pages, and the map that they are from."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from gleaner.contracts.errors import error_of
from gleaner.contracts.models import ScrapeResult
from gleaner.jobs.site_maps import SiteMap

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class CrawlResult(Generic[T]):
    """A crawl: complete when each page of a complete map is, else partial, failed or cancelled.

    ``results`` are in the order of the map; ``not_run`` counts pages that were not scraped, ``warnings`` say why the
    map is not whole.
    """

    crawl_id: str
    status: str
    results: list[ScrapeResult[T]]
    site_map: SiteMap
    not_run: int = 0

    @property
    def warnings(self) -> list[str]:
        """What the map says of what is missing."""
        return self.site_map.warnings

    @property
    def records(self) -> list[Any]:
        """The records of all pages as JSON."""
        return [record for result in self.results for record in result.records]

    def __iter__(self) -> Iterator[ScrapeResult[T]]:
        return iter(self.results)

    def __len__(self) -> int:
        return len(self.results)

    def raise_for_status(self) -> "CrawlResult[T]":
        """Give the crawl itself; raise the error that its map failed with, if it did."""
        error = self.site_map.error
        if error is not None:
            raise error_of(error.error_type, error.message)
        return self
