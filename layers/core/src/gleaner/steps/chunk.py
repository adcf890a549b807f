"""Chunk: clean Markdown and chunks, and the answers that need no model."""

from collections.abc import Sequence
from dataclasses import asdict, replace

from gleaner.chunking import MarkdownChunk, chunk_at
from gleaner.completeness.named_tables import put_first
from gleaner.contracts.errors import TooManyChunks
from gleaner.contracts.models import ScrapeRequest
from gleaner.contracts.ports import JsonObject, Services
from gleaner.extraction import ChunkEnds, chunk_tasks
from gleaner.html.decoding.legibility import illegible
from gleaner.html.decoding.truncation import BREAKS_OFF, cut_off
from gleaner.html.links import absolute_url, declared_base
from gleaner.jobs.content import JobContent, PageContent, StoredUnit
from gleaner.jobs.jobs import Plan
from gleaner.jobs.pages import Page
from gleaner.jobs.places import pages_of, plan_of
from gleaner.markdown.pages import CleanPage, clean_page
from gleaner.schemas import asks_for_links
from gleaner.steps.model_check import chunk_chars
from gleaner.structured.hints import find_hint
from gleaner.tiers.cascade import answer_without_model, wait_for_recipe
from gleaner.tiers.recipe_tier import Tried
from gleaner.tiers.remaining_fields import ask_for_the_rest
from gleaner.tiers.samples import sample_chunks
from gleaner.tiers.work import Work, open_work, unenforceable_reason
from gleaner.units import PlacedUnit

NO_TEXT = "The page has no visible text."
NO_TEXT_WITHOUT_JAVASCRIPT = f"{NO_TEXT} Its JavaScript was not run and may write it: set enable_javascript."


def chunk_page(event: JsonObject, services: Services) -> JsonObject:
    """Take ``{job}``; store content, chunks and any answer; give ``{chunks: [{index}]}``: what a model is to read.

    SelectorNotFound, InvalidSelector, PageTooLarge or TooManyChunks end the job; LayoutBeingRead puts it off.
    """
    plan = plan_of(event, services)
    store = JobContent(services.blobs, plan.ref)
    content = store.read() if store.exists() else _work(plan, services, store)
    tier = content.answer.tier if content.answer is not None else "model" if content.asked else "none"
    annotations: JsonObject = {"job_id": plan.ref.job_id, "tier": tier}
    return {"chunks": [{"index": index} for index in content.asked], "annotations": annotations}


def _work(plan: Plan, services: Services, store: JobContent) -> PageContent:
    request = plan.request
    pages = pages_of(plan, services)
    page = pages.read(plan.page_id)
    html, warnings = pages.html(plan.page_id), list[str]()
    cleaned = _parsed(request, page, html, warnings) or clean_page(
        html,
        page.source_url,
        extract_links=request.extract_links or _asks_for_links(plan),
        css_selector=request.css_selector,
        strip_chrome_tags=services.settings.scrape.strip_chrome_tags,
        remove_base64_images=services.settings.scrape.remove_base64_images,
        place_units=request.wants_extraction,
        tell_behind=request.wants_extraction,
        max_page_size=services.settings.limits.max_page_size,
    )
    if request.wants_extraction:
        cleaned = replace(cleaned, units=put_first(cleaned.units, cleaned.markdown, request.output_schema))
    content = _describe(cleaned)
    content.warnings += warnings
    content.base_url = absolute_url(declared_base(html), page.source_url) or page.source_url
    how = cut_off(html)
    content.cut_short = illegible(html) or (how and f"{BREAKS_OFF}: {how}")
    if content.cut_short:
        content.warnings.append(content.cut_short)
    if not cleaned.markdown.strip():
        content.warnings.append(NO_TEXT if request.enable_javascript else NO_TEXT_WITHOUT_JAVASCRIPT)
    if request.wants_extraction:
        _prepare_extraction(open_work(plan, services, cleaned.markdown, content), cleaned)
    store.write(content, cleaned.markdown)
    return content


def _parsed(request: ScrapeRequest, page: Page, html: str, warnings: list[str]) -> CleanPage | None:
    if request.parser is None:
        return None
    from gleaner.steps.parsed import parse_page  # loads plugins: for those alone that name one

    return parse_page(request, page, html, warnings)


def _asks_for_links(plan: Plan) -> bool:
    """Tell whether the wanted data holds addresses: a model can't give what it is not shown."""
    schema = plan.request.output_schema
    return schema is not None and not unenforceable_reason(plan) and asks_for_links(schema)


def _describe(cleaned: CleanPage) -> PageContent:
    units: list[StoredUnit] = [
        (unit.group, unit.index, unit.start, unit.end, unit.group_score, unit.kind, unit.region)
        for unit in cleaned.units
    ]
    return PageContent(
        title=cleaned.title, content_stats=asdict(cleaned.stats), units=units, continuations=list(cleaned.continuations)
    )


def _prepare_extraction(work: Work, cleaned: CleanPage) -> None:
    request, content = work.plan.request, work.content
    chunks = _chunks(work, cleaned.markdown)
    content.chunk_starts = [chunk.start_char for chunk in chunks]
    tried = Tried()
    content.answer = answer_without_model(work, tried)
    if content.answer is not None or work.services.model is None or "model" not in request.config.tiers:
        return
    if not any(chunk.content.strip() for chunk in chunks):
        return
    content.answer = wait_for_recipe(work, tried)
    if content.answer is not None:
        return
    if len(chunks) > 1:
        chunks = _chunks(work, cleaned.markdown, cleaned.units)
    if ask_for_the_rest(work, chunks, tried):
        return
    chosen, asked = sample_chunks(work, chunks)
    hint = find_hint(work.html, work.page.source_url, work.schema, cleaned.markdown)
    work.store.write_tasks(
        chunk_tasks(
            chosen, cleaned.units, query=request.query, schema=work.schema, base_url=content.base_url, hint=hint
        )
    )
    content.chunk_starts = [chunk.start_char for chunk in chosen]
    content.asked = asked
    content.waiting = [chunk.chunk_index for chunk in chosen if chunk.chunk_index not in content.asked]


def _chunks(work: Work, markdown: str, units: Sequence[PlacedUnit] | None = None) -> list[MarkdownChunk]:
    """Give the chunks of a page; where ``units`` are given, none of them begins within one."""
    config, limits = work.plan.request.config, work.services.settings.limits
    move = None if units is None else ChunkEnds(markdown, units)
    start, chars = work.plan.request.start_from_char, chunk_chars(config.max_chunk_chars, work.services)
    chunks = chunk_at(markdown, (), chars, config.overlap_lines, start, move=move)
    if len(chunks) > limits.max_chunks:
        raise TooManyChunks(
            f"the page makes {len(chunks)} chunks of {chars} characters, over the limit of "
            f"{limits.max_chunks}; raise max_chunk_chars or narrow the page with css_selector"
        )
    return chunks
