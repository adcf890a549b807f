"""Strategies: what to extract on pages like this one, and how well it works (seed 001, PR 4)."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from pydantic import BaseModel, Field

from gleaner.contracts.actions import Actions
from gleaner.contracts.digests import digest_of
from gleaner.contracts.errors import InvalidRequest
from gleaner.contracts.in_memory_table import MemoryTable
from gleaner.contracts.items import DEFAULT_TENANT, count_of, every_item, partition, rewrite
from gleaner.contracts.models import ScrapeRequest
from gleaner.contracts.ports import Item, ItemPage, TableStore
from gleaner.jobs.url_globs import ANY_HOST, host_of, host_of_pattern, matches, url_pattern_of

__all__ = ["ExtractionCache", "ExtractionStrategy", "matches", "strategy_id", "url_pattern_of"]

ITEMS_AT_ONCE = 500
PLACE = re.compile(r"(\d{1,15})-(\d{1,15})-(.+)", re.DOTALL)
"""Where a strategy stands among those of a page: its successes, its failures, its id."""


class ExtractionStrategy(BaseModel):
    """A reusable extraction: a URL glob, and the selector, schema, query and actions for pages that match it."""

    id: str = Field(default="", description="Empty: derived from the other fields when the strategy is stored")
    url_pattern: str
    css_selector: str | None = None
    output_schema: dict[str, Any] | bool | None = None
    query_template: str | None = None
    actions: Actions = ()
    success_count: int = 0
    failure_count: int = 0

    @property
    def success_rate(self) -> float:
        """Successes of tries; one half for a strategy that was never tried."""
        tries = self.success_count + self.failure_count
        return self.success_count / tries if tries else 0.5

    def asks(self, request: ScrapeRequest) -> bool:
        """Tell whether it asks just this: what was learned from its answers is for no other question."""
        asked = (request.output_schema, request.css_selector, request.query, request.actions)
        return (self.output_schema, self.css_selector, self.query_template, self.actions) == asked


class ExtractionCache:
    """The strategies of one tenant."""

    def __init__(self, table: TableStore | None = None, tenant: str = DEFAULT_TENANT) -> None:
        self._table = table if table is not None else MemoryTable()
        self._tenant = tenant

    def register(self, strategy: ExtractionStrategy) -> str:
        """Keep the strategy and give its id; one that is known keeps its counts."""
        named = strategy if strategy.id else strategy.model_copy(update={"id": strategy_id(strategy)})
        host = f"{self._tenant}#{host_of_pattern(named.url_pattern)}"

        def with_its_counts(stored: Item) -> Item:
            counts = ("success_count", "failure_count")
            kept = {name: stored.data.get(name, 0) for name in counts} if stored.version else {}
            return Item(self._pk, named.id, {**named.model_dump(mode="json"), **kept}, host=host)

        rewrite(self._table, self._pk, named.id, with_its_counts)
        return named.id

    def get(self, strategy_id: str) -> ExtractionStrategy | None:
        """Give the strategy, or None."""
        item = self._table.get(self._pk, strategy_id)
        return ExtractionStrategy.model_validate(item.data) if item else None

    def find_matching(self, url: str) -> list[ExtractionStrategy]:
        """Give the strategies whose glob matches the URL, best success rate first."""
        found = [item for item in self._of_url(url) if matches(str(item.data.get("url_pattern")), url)]
        return sorted(map(_read, found), key=_rank)

    def list_matching(self, url: str, *, limit: int = 100, after: str | None = None) -> ItemPage:
        """Give the same page by page; each item's ``sk`` is its place in the order, which is kept if it is deleted."""
        last = _rank_at(after) if after is not None else None
        found = [one for one in self.find_matching(url) if last is None or _rank(one) > last]
        items = [Item(self._pk, _place(one), one.model_dump(mode="json")) for one in found[:limit]]
        return ItemPage(tuple(items), items[-1].sk if len(found) > limit else None)

    def find_asking(self, url: str, request: ScrapeRequest) -> list[ExtractionStrategy]:
        """Give the strategies of the URL's host that ask just this: those whose glob matches, then the others."""
        asked = {
            "output_schema": request.output_schema,
            "css_selector": request.css_selector,
            "query_template": request.query,
        }
        found = [_read(item) for item in self._of_url(url) if asked.items() <= item.data.items()]
        return sorted(
            (one for one in found if one.actions == request.actions),
            key=lambda one: (not matches(one.url_pattern, url), *_rank(one)),
        )

    def record(self, strategy_id: str, *, success: bool) -> None:
        """Count one use of the strategy; one that was deleted meanwhile stays deleted."""
        name = "success_count" if success else "failure_count"

        def counted(stored: Item) -> Item | None:
            data = {**stored.data, name: count_of(stored.data, name) + 1}
            return replace(stored, data=data) if stored.version else None

        rewrite(self._table, self._pk, strategy_id, counted)

    def of_host(self, host: str) -> Iterator[ExtractionStrategy]:
        """Give the strategies that are for pages of a host alone."""
        return map(_read, self._of_host(host))

    def list(self, *, limit: int = 100, after: str | None = None) -> ItemPage:
        """Give the tenant's strategies page by page."""
        return self._table.query(self._pk, limit=limit, after=after)

    def delete(self, strategy_id: str) -> bool:
        """Forget the strategy and its recipes; False when there was neither."""
        from gleaner.wrappers.book import RecipeBook  # reads pages, which few who know strategies do

        forgotten = RecipeBook(self._table, self._tenant).delete(strategy_id)
        return self._table.delete(self._pk, strategy_id) or forgotten

    @property
    def _pk(self) -> str:
        return partition("STRATEGY", self._tenant)

    def _of_url(self, url: str) -> Iterator[Item]:
        """Give the strategies that may be for pages of the URL's host."""
        for host in {host_of(url), ANY_HOST}:
            yield from self._of_host(host)

    def _of_host(self, host: str) -> Iterator[Item]:
        name = f"{self._tenant}#{host}"
        items = every_item(lambda after: self._table.query_host(name, limit=ITEMS_AT_ONCE, after=after))
        return (item for item in items if item.pk == self._pk)


def _read(item: Item) -> ExtractionStrategy:
    return ExtractionStrategy.model_validate(item.data)


def _rank(strategy: ExtractionStrategy) -> tuple[float, int, str]:
    return -strategy.success_rate, -strategy.success_count, strategy.id


def _place(strategy: ExtractionStrategy) -> str:
    return f"{strategy.success_count}-{strategy.failure_count}-{strategy.id}"


def _rank_at(place: str) -> tuple[float, int, str]:
    match = PLACE.fullmatch(place)
    if match is None:
        raise InvalidRequest(f"after is {place[:100]!r}; it must be the `next` of the previous page, with the same url")
    return _rank(
        ExtractionStrategy(id=match[3], url_pattern="", success_count=int(match[1]), failure_count=int(match[2]))
    )


def strategy_id(strategy: ExtractionStrategy) -> str:
    """Make an id from what the strategy says, so that the same one is registered once."""
    named = {"url_pattern", "css_selector", "output_schema", "query_template"} | (
        {"actions"} if strategy.actions else set()
    )
    said = strategy.model_dump(mode="json", include=named)
    return "ex_" + digest_of(json.dumps(said, sort_keys=True))[:20]
