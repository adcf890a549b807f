"""The state of one page's extraction between the steps, and the strategies whose experience counts for it."""

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final, ParamSpec, TypeVar

from gleaner.contracts.ports import Services
from gleaner.jobs.content import JobContent, PageContent
from gleaner.jobs.jobs import Plan
from gleaner.jobs.pages import StoredPage
from gleaner.jobs.places import pages_of
from gleaner.jobs.strategies import ExtractionCache, matches
from gleaner.page.model import Page, PageOptions
from gleaner.page.opening import open_page
from gleaner.schemas import RecordPath, asks_for_links, record_path, unenforceable
from gleaner.wrappers import Recipe, Replay

Schema = dict[str, Any] | bool | None


@dataclass(frozen=True)
class Work:
    """All that the tiers and the assembly need to know of a page. ``schema`` is None where the answer is free text.

    ``stored`` is what is known of the page besides its HTML, ``markdown`` its text; ``opened`` the page itself, for who
    has opened it.
    """

    plan: Plan
    services: Services
    store: JobContent
    stored: StoredPage
    markdown: str
    content: PageContent
    schema: Schema
    opened: Page | None = None
    sampled: list[tuple[Recipe, Replay]] = field(default_factory=list[tuple[Recipe, Replay]])
    """The recipe that answered from a sample of the page, with what it read: it need not be learned again."""

    @cached_property
    def page(self) -> Page:
        """The page, with the text that was stored of it; opened when it is first asked for, and no more than once."""
        return self.opened or replace(open_stored(self.plan, self.services, self.stored), known=self.markdown)

    @property
    def may_ask_model(self) -> bool:
        """Whether a model is there, and the request lets it be asked."""
        return self.services.model is not None and "model" in self.plan.request.config.tiers

    @property
    def records_at(self) -> RecordPath | None:
        """Where the schema keeps its list of records; None without a schema, and for one of a single record."""
        return record_path(self.schema) if self.schema is not None else None


def open_work(plan: Plan, services: Services, markdown: str, content: PageContent, opened: Page | None = None) -> Work:
    """Gather the work of a job whose content is given."""
    return Work(
        plan=plan,
        services=services,
        store=JobContent(services.blobs, plan.ref),
        stored=pages_of(plan, services).read(plan.page_id),
        markdown=markdown,
        content=content,
        schema=None if unenforceable_reason(plan) else plan.request.output_schema,
        opened=opened,
    )


def open_stored(plan: Plan, services: Services, stored: StoredPage) -> Page:
    """Open the snapshot of a page as the request wants it read: the job's own, or an earlier one of its layout.

    SelectorNotFound, InvalidSelector or PageTooLarge.
    """
    html = pages_of(plan, services).html(stored.page_id)
    return open_page(html, stored.source_url, options_of(plan, services))


def options_of(plan: Plan, services: Services) -> PageOptions:
    """Give how a request wants pages read; addresses are shown where the wanted data holds some, too."""
    request, scrape = plan.request, services.settings.scrape
    schema = request.output_schema
    wants_links = schema is not None and not unenforceable_reason(plan) and asks_for_links(schema)
    return PageOptions(
        css_selector=request.css_selector,
        extract_links=request.extract_links or wants_links,
        keeps_chrome=not scrape.strip_chrome_tags,
        keeps_data_images=not scrape.remove_base64_images,
        shows_attributes=request.wants_extraction,
        max_size=services.settings.limits.max_page_size,
    )


def unenforceable_reason(plan: Plan) -> str | None:
    """Say why the request's schema can't be enforced; None when it can, or when there is none (SC-5)."""
    schema = plan.request.output_schema
    return None if schema is None else unenforceable(schema)


T = TypeVar("T")
P = ParamSpec("P")

log = logging.getLogger("gleaner.wrappers")


def unless_it_fails(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T | None:
    """Give what a function without side effects gives; None, with the fault in the log, where it raises.

    A page without a recipe is read by a model; a job that fails after its answer was paid for has lost it.
    """
    try:
        return work(*args, **kwargs)
    except Exception as error:  # noqa: BLE001 - whatever a page makes of it
        log.warning("%s failed: %s: %s", work.__name__, type(error).__name__, error)
        return None


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
