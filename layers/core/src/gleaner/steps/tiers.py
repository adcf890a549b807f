"""The answers that need no model: the page's own data, and a recipe learned from pages like it (RC-1 to RC-4)."""

from collections.abc import Sequence
from typing import Any

from gleaner.chunking import MarkdownChunk
from gleaner.jobs import Plan
from gleaner.models import ExtractionResult
from gleaner.pages import Page
from gleaner.ports import Services
from gleaner.steps.content import JobContent, PageContent

Schema = dict[str, Any] | bool | None


def answer_without_model(
    plan: Plan, services: Services, content: PageContent, markdown: str, html: str, schema: Schema
) -> ExtractionResult | None:
    """Give the answer of the first tier whose answer passes schema, proof and completeness; None when none does."""
    del plan, services, content, markdown, html, schema
    return None


def sample_of(
    plan: Plan, content: PageContent, chunks: Sequence[MarkdownChunk], markdown: str
) -> Sequence[MarkdownChunk]:
    """Give the chunks; on a long page the first is a sample, from which the rest may be learned (RC-3)."""
    del plan, content, markdown
    return chunks


def finish_with_recipe(
    plan: Plan,
    services: Services,
    store: JobContent,
    content: PageContent,
    markdown: str,
    found: ExtractionResult,
) -> ExtractionResult | None:
    """Give the whole page's answer from its sample; None when the chunks that wait must be asked about."""
    del plan, services, markdown, found
    content.asked = [*content.asked, *content.waiting]
    content.waiting = []
    store.write(content)
    return None


def keep_what_was_learned(plan: Plan, services: Services, extraction: ExtractionResult, page: Page) -> None:
    """Learn a recipe from a proven result."""
    del plan, services, extraction, page
