"""The state of one page's extraction between the steps."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from gleaner.contracts.ports import Services
from gleaner.grounding import TextIndex
from gleaner.jobs.content import JobContent, PageContent
from gleaner.jobs.jobs import Plan
from gleaner.jobs.pages import Page
from gleaner.jobs.places import pages_of
from gleaner.results.assembly import index_page
from gleaner.schemas import RecordPath, record_path, unenforceable
from gleaner.wrappers import OpenPages, Recipe, Replay

Schema = dict[str, Any] | bool | None


@dataclass(frozen=True)
class Work:
    """All that the tiers and the assembly need to know of a page. ``schema`` is None where the answer is free text."""

    plan: Plan
    services: Services
    store: JobContent
    page: Page
    html: str
    markdown: str
    content: PageContent
    schema: Schema
    sampled: list[tuple[Recipe, Replay]] = field(default_factory=list[tuple[Recipe, Replay]])
    """The recipe that answered from a sample of the page, with what it read: it need not be learned again."""
    pages: OpenPages = field(default_factory=OpenPages)
    """This page and earlier ones of its layout, open for learning from them and for reading them by recipes."""

    @cached_property
    def index(self) -> TextIndex:
        """The page's Markdown made ready for looking values up in it."""
        return index_page(self.markdown, self.html, self.page.source_url)

    @property
    def may_ask_model(self) -> bool:
        """Whether a model is there, and the request lets it be asked."""
        return self.services.model is not None and "model" in self.plan.request.config.tiers

    @property
    def records_at(self) -> RecordPath | None:
        """Where the schema keeps its list of records; None without a schema, and for one of a single record."""
        return record_path(self.schema) if self.schema is not None else None


def open_work(plan: Plan, services: Services, markdown: str, content: PageContent) -> Work:
    """Gather the work of a job whose content is given."""
    pages = pages_of(plan, services)
    return Work(
        plan=plan,
        services=services,
        store=JobContent(services.blobs, plan.ref),
        page=pages.read(plan.page_id),
        html=pages.html(plan.page_id),
        markdown=markdown,
        content=content,
        schema=None if unenforceable_reason(plan) else plan.request.output_schema,
    )


def unenforceable_reason(plan: Plan) -> str | None:
    """Say why the request's schema can't be enforced; None when it can, or when there is none (SC-5)."""
    schema = plan.request.output_schema
    return None if schema is None else unenforceable(schema)
