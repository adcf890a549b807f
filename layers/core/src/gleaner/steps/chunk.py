"""Chunk: clean Markdown and chunks, and the answers that need no model."""

from collections.abc import Sequence
from dataclasses import asdict

from gleaner.chunking import MarkdownChunk, chunk_at
from gleaner.contracts.errors import TooManyChunks
from gleaner.contracts.models import ScrapeRequest
from gleaner.contracts.ports import JsonObject, Services
from gleaner.extraction import ChunkEnds, chunk_tasks
from gleaner.html.decoding.legibility import illegible
from gleaner.html.decoding.truncation import BREAKS_OFF, cut_off
from gleaner.jobs.content import JobContent, PageContent
from gleaner.jobs.jobs import Plan
from gleaner.jobs.places import pages_of, plan_of
from gleaner.page.model import Page, PlacedUnit
from gleaner.schemas.fields import read_schema
from gleaner.steps.model_check import chunk_chars
from gleaner.structured.hints import find_hint
from gleaner.tiers.cascade import answer_without_model, wait_for_recipe
from gleaner.tiers.recipe_tier import Tried
from gleaner.tiers.remaining_fields import ask_for_the_rest
from gleaner.tiers.samples import sample_chunks
from gleaner.tiers.work import Work, open_stored, open_work

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
    request, warnings = plan.request, list[str]()
    stored = pages_of(plan, services).read(plan.page_id)
    page = open_stored(plan, services, stored)
    if request.parser is not None:
        from gleaner.steps.parsed import parse_page  # loads plugins: for those alone that name one

        page = parse_page(request, page, stored.title, warnings)
    content = _describe(page, request)
    content.warnings += warnings
    how = cut_off(page.html)
    content.cut_short = illegible(page.html) or (how and f"{BREAKS_OFF}: {how}")
    if content.cut_short:
        content.warnings.append(content.cut_short)
    if not page.text.strip():
        is_unrun = not request.enable_javascript and "<script" in page.html.lower()
        content.warnings.append(NO_TEXT_WITHOUT_JAVASCRIPT if is_unrun else NO_TEXT)
    if request.wants_extraction:
        _prepare_extraction(open_work(plan, services, page.text, content, page))
    store.write(content, page.text)
    return content


def _describe(page: Page, request: ScrapeRequest) -> PageContent:
    content = PageContent(title=page.title, content_stats=asdict(page.stats), base_url=page.base)
    if request.wants_extraction:
        content.place(page.repeated if _asks_for_one(request) else page.units)
        content.continuations = list(page.continuations) if page.is_written else []
    return content


def _asks_for_one(request: ScrapeRequest) -> bool:
    """Tell whether one thing is asked for, without a list: lines that could be records are for a model alone then."""
    wanted = read_schema(request.output_schema)
    return not (wanted.problem or wanted.is_list or any(field.is_list for field in wanted.fields))


def _prepare_extraction(work: Work) -> None:
    request, content = work.plan.request, work.content
    chunks = _chunks(work)
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
    content.place(work.page.units)
    if len(chunks) > 1:
        chunks = _chunks(work, content.placed_units)
    if ask_for_the_rest(work, chunks, tried):
        return
    chosen, asked = sample_chunks(work, chunks)
    hint = find_hint(work.page, work.schema)
    work.store.write_tasks(
        chunk_tasks(
            chosen,
            content.placed_units,
            query=request.query,
            schema=work.schema,
            base_url=content.base_url,
            hint=hint,
        )
    )
    content.chunk_starts = [chunk.start_char for chunk in chosen]
    content.asked = asked
    content.waiting = [chunk.chunk_index for chunk in chosen if chunk.chunk_index not in content.asked]


def _chunks(work: Work, units: Sequence[PlacedUnit] | None = None) -> list[MarkdownChunk]:
    """Give the chunks of a page; where ``units`` are given, none of them begins within one."""
    markdown, config, limits = work.markdown, work.plan.request.config, work.services.settings.limits
    move = None if units is None else ChunkEnds(markdown, units)
    start, chars = work.plan.request.start_from_char, chunk_chars(config.max_chunk_chars, work.services)
    chunks = chunk_at(markdown, (), chars, config.overlap_lines, start, move=move)
    if len(chunks) > limits.max_chunks:
        raise TooManyChunks(
            f"the page makes {len(chunks)} chunks of {chars} characters, over the limit of "
            f"{limits.max_chunks}; raise max_chunk_chars or narrow the page with css_selector"
        )
    return chunks
