"""The strategies whose experience counts for a page."""

from collections.abc import Iterator
from typing import Final

from gleaner.jobs.strategies import ExtractionCache, matches
from gleaner.tiers.work import Work

MOST_NEIGHBOURS: Final = 6


def strategies_of(work: Work) -> Iterator[str]:
    """Give the strategies that ask the same as this request: the one that it names, or those of its host.

    A layout may have many URL patterns, and a recipe's checks tell whether a page is of its layout: so a few strategies
    for other URLs of the host come after those for such URLs.
    """
    if work.plan.strategy_id is not None:
        yield work.plan.strategy_id
        return
    request, url = work.plan.request, work.stored.url
    cache = ExtractionCache(work.services.table, work.plan.ref.tenant)
    found = cache.find_asking(url, request)
    yield from (one.id for at, one in enumerate(found) if at < MOST_NEIGHBOURS or matches(one.url_pattern, url))
