"""Aggregate: merge, prove, certify, learn a recipe, add to the aggregate, close the job."""

import shlex
import time
from collections.abc import Sequence

from gleaner.chunking.relevance import passages
from gleaner.completeness.emptiness import says_it_is_empty, why_not_empty
from gleaner.contracts.error_types import OF_AN_UNUSABLE_MODEL, ErrorType
from gleaner.contracts.items import DAY_S
from gleaner.contracts.models import (
    Completeness,
    ExtractionError,
    ExtractionResult,
    JobError,
    MediaPayload,
    Passage,
    Picture,
    ScrapeResult,
)
from gleaner.contracts.ports import Item, JsonObject, Services
from gleaner.documents.page_numbers import PageNumbers
from gleaner.extraction import ChunkExtractionResult, assemble
from gleaner.jobs.aggregates import ExtractionAggregator, records_of
from gleaner.jobs.blob_texts import read_json
from gleaner.jobs.content import JobContent
from gleaner.jobs.jobs import Plan
from gleaner.jobs.pages import StoredPage
from gleaner.jobs.places import has_ended, pages_of, plan_of
from gleaner.jobs.strategies import ExtractionCache, ExtractionStrategy, url_pattern_of
from gleaner.markdown.site_parts import left_out
from gleaner.page.continuations import warn_of_more_pages
from gleaner.results.record_lists import rebuild
from gleaner.results.settling import warn_of_unenforced_schema
from gleaner.schemas import is_valid
from gleaner.steps.closing import close_job, result_that_is_there
from gleaner.steps.media_payload import data_uri
from gleaner.steps.plan import asks_the_same
from gleaner.structured.suggesting import told_of
from gleaner.tiers.cascade import finish_with_recipe, release_turn
from gleaner.tiers.outcomes import read_outcome
from gleaner.tiers.recipe_tier import keep_recipe
from gleaner.tiers.unstated import note_unstated
from gleaner.tiers.work import Work, open_work, unenforceable_reason
from gleaner.units import primary_units

PASSAGES = 5
ROUNDS = 2
"""How often chunks that left neither an outcome nor a failure are sent to the Map again."""


def aggregate_results(event: JsonObject, services: Services) -> JsonObject:
    """Take ``{job}``; store the result and give ``{status, result_key, chunks}``.

    ``chunks`` is not empty when a long page's recipe did not answer all of it, or chunks were lost on the way: those
    go through the Map, and this state is entered again. A complete result that is there already is given again.
    With ``final`` true nothing more is asked: what is there is the result, and it names what is missing.
    """
    plan = plan_of(event, services)
    kept = result_that_is_there(plan.ref, services)
    is_told = plan.listing is None
    if kept is not None and kept.status == "complete":
        return close_job(plan.ref, kept, services, is_told=is_told)
    result = _result(plan, services, is_final=event.get("final") is True)
    if result is None:
        content = JobContent(services.blobs, plan.ref).read()
        return {"status": "running", "chunks": [{"index": index} for index in content.asked]}
    return close_job(plan.ref, result, services, is_told=is_told)


def _result(plan: Plan, services: Services, *, is_final: bool) -> ScrapeResult | None:
    media = plan.ref.key("media.json")
    if services.blobs.exists(media):
        return _media_result(plan, services, media)
    page = pages_of(plan, services).read(plan.page_id)
    request = plan.request
    result = ScrapeResult(
        status="partial" if page.cut_short else "complete",
        job_id=plan.ref.job_id,
        url=page.url,
        source_url=page.source_url,
        title=page.title or None,
        page_id=page.page_id,
        format=request.wanted[0],
        links=list(page.links) if "links" in request.wanted else None,
        warnings=list(page.warnings),
        actions=list(page.actions) or None,
        consent=page.consent,
        timings_ms={**page.timings_ms, "total": round((time.time() - plan.started_at) * 1000, 1)},
    )
    for picture in request.pictures:
        setattr(result, picture if request.formats else "media", _screenshot(picture, page, services))
    return _add_content(plan, services, result, is_final=is_final) if request.needs_content else result


def _media_result(plan: Plan, services: Services, key: str) -> ScrapeResult:
    stored = read_json(services.blobs, key)
    payload = MediaPayload.model_validate(stored["payload"])
    unread = _unread_media(plan, payload, stored["source_url"]) if plan.request.wants_extraction else None
    return ScrapeResult(
        status="partial" if unread else "complete",
        job_id=plan.ref.job_id,
        url=plan.request.url,
        source_url=stored["source_url"],
        page_id=plan.page_id,
        format="media",
        media=payload.model_copy(update={"url": services.blobs.url(payload.key)}),
        extraction=unread,
    )


def _unread_media(plan: Plan, payload: MediaPayload, source_url: str) -> ExtractionResult:
    """Say that what was to be extracted is not there: the URL gives a file."""
    message = f"{source_url} is a file of type {payload.screenshot_mime}, not a page: nothing was extracted"
    error = ExtractionError(error_type=ErrorType.UNSUPPORTED_CONTENT, message=message, retries_exhausted=True)
    schema = plan.request.output_schema
    return ExtractionResult(schema_used=schema, is_partial=True, source_url=source_url, errors=[error])


def _screenshot(picture: Picture, page: StoredPage, services: Services) -> MediaPayload | None:
    key = page.screenshots.get(picture)
    if key is None:
        return None
    body = services.blobs.read(key)
    return MediaPayload(
        format=picture,
        screenshot_mime="image/png",
        screenshot_base64=data_uri(body, "image/png", services.settings.limits.max_inline_media),
        key=key,
        url=services.blobs.url(key),
        size=len(body),
    )


def _add_content(plan: Plan, services: Services, result: ScrapeResult, *, is_final: bool) -> ScrapeResult | None:
    store = JobContent(services.blobs, plan.ref)
    content = store.read()
    markdown = store.markdown()
    result.title = result.title or content.title or None
    result.content_stats = content.content_stats
    result.status = "partial" if content.cut_short else result.status
    if "markdown" in plan.request.wanted:
        result.markdown = markdown[plan.request.start_from_char :]
    if not plan.request.wants_extraction:
        past = _past_the_end(plan.request.start_from_char, len(markdown))
        result.warnings += [*content.warnings, *([past] if past else [])]
    else:
        extraction = _extraction(open_work(plan, services, markdown, content), is_final=is_final)
        if extraction is None:
            return None
        result.extraction = extraction
        result.status = "partial" if extraction.is_partial else result.status
        result.error = reason_for_no_records(extraction, plan)
        result.status = "failed" if result.error else result.status
    return result


def reason_for_no_records(extraction: ExtractionResult, plan: Plan) -> JobError | None:
    """Give the error of a job that has nothing since its model may not be used, None for any other.

    That is no partial result: whoever runs the installation has to mend it, and has to hear of it. A request with a
    deadline has said itself how long a busy model is waited for.
    """
    blamed = OF_AN_UNUSABLE_MODEL if plan.deadline_at is None else {ErrorType.MODEL_MISCONFIGURED}
    found = records_of(extraction)[0] if not isinstance(extraction.data, str) else extraction.data
    of_chunks = (error for error in extraction.errors if error.chunk_index is not None)
    errors = [error for error in of_chunks if error.error_type is not ErrorType.MISSING_UNITS]
    if found or not errors or any(error.error_type not in blamed for error in errors):
        return None
    return JobError(error_type=errors[0].error_type, message=errors[0].message)


def _extraction(work: Work, *, is_final: bool) -> ExtractionResult | None:
    """Give the extraction; None when chunks are left that must be asked about, unless it is final."""
    content = work.content
    if content.answer is not None:
        extraction = content.answer
    elif not content.asked:
        extraction = _without_a_model(work)
    elif not is_final and _are_sent_again(work):
        return None
    else:
        finished = finish_with_recipe(work, _from_outcomes)
        if finished is None and not is_final:
            return None
        extraction = finished or _from_outcomes(work, content.asked)
        extraction.usage = sum(
            (read_outcome(work.plan, index, work.services).usage for index in content.spent), extraction.usage
        )
    extraction.warnings = [*content.warnings, *extraction.warnings]
    extraction.source_url = work.stored.source_url
    extraction.declined = {tier: why for tier, why in content.declined.items() if tier != extraction.tier}
    extraction.content_stats = content.content_stats
    cut_short = work.stored.cut_short or (content.cut_short and (ErrorType.UNSUPPORTED_CONTENT, content.cut_short))
    if cut_short:
        error_type, message = cut_short
        extraction.errors.append(ExtractionError(error_type=error_type, message=message, retries_exhausted=True))
        extraction.is_partial = True
    if reason := unenforceable_reason(work.plan):
        warn_of_unenforced_schema(extraction, reason)
    _doubt_what_is_left_out(work, extraction)
    _number_pages(work, extraction)
    strategy_id = _remember(work, extraction)
    release_turn(work, strategy_id)
    if (
        work.records_at is not None and work.plan.listing is None
    ):  # what other pages hold is no fault of the answer: it may be learned from
        warn_of_more_pages(extraction, content.continuations, work.markdown)
    return extraction


def _number_pages(work: Work, extraction: ExtractionResult) -> None:
    """Say of each proof, and of each unit without a record, on which page of a document it is."""
    if not work.stored.document_pages:
        return
    numbers = PageNumbers(work.markdown, work.page.html, work.stored.document_pages)
    for entry in (*extraction.provenance, *extraction.completeness.missing):
        if entry.start is not None and getattr(entry, "source", "markdown") == "markdown":
            entry.page = numbers.at(entry.start)


def _doubt_what_is_left_out(work: Work, extraction: ExtractionResult) -> None:
    """Make an answer partial that was asked of a part of the page which its text leaves out; warn where it may be."""
    said, is_sure = left_out(work.plan.request.query, work.content.content_stats.get("removed", {}))
    if said and is_sure:
        extraction.errors.append(ExtractionError(error_type=ErrorType.MISSING_UNITS, message=said))
        extraction.is_partial = True
    elif said:
        extraction.warnings.append(said)


def _are_sent_again(work: Work) -> bool:
    """Tell whether chunks left nothing, as when this step was killed before it sent them, and are to be sent again."""
    content = work.content
    lost = [index for index in content.asked if not has_ended(work.plan.ref, index, work.services.blobs)]
    if not lost or content.rounds >= ROUNDS:
        return False
    content.rounds += 1
    work.store.write(content)
    return True


def _from_outcomes(work: Work, chunks: Sequence[int]) -> ExtractionResult:
    services, content = work.services, work.content
    outcomes: list[ChunkExtractionResult] = [read_outcome(work.plan, index, services) for index in chunks]
    return assemble(
        outcomes,
        page=work.page,
        units=content.placed_units,
        schema=work.schema,
        query=work.plan.request.query,
        config=work.plan.request.config,
        chunk_starts=content.chunk_starts,
    )


def _past_the_end(start: int, length: int) -> str | None:
    if start >= length > 0:
        return f"start_from_char {start} is past the page's Markdown, which has {length} characters"
    return None


def _why_unasked(work: Work) -> tuple[ErrorType, str]:
    """Say why no chunk went to a model: an ``error_type`` and what to do about it."""
    request = work.plan.request
    if past := _past_the_end(request.start_from_char, len(work.markdown)):
        return ErrorType.INVALID_REQUEST, past
    if not work.markdown[request.start_from_char :].strip():
        return ErrorType.EMPTY_ANSWER, "the page has no text to answer from: no model was asked"
    if "model" not in request.config.tiers:
        tiers = ", ".join(request.config.tiers)
        return ErrorType.NO_MODEL, f'no tier of config.tiers, [{tiers}], answers this; add "model"'
    why = why_not_empty(work.markdown, work.page.unplaced, work.content.title) if work.records_at is not None else None
    return why or (ErrorType.NO_MODEL, _needs_a_model(work))


def _needs_a_model(work: Work) -> str:
    """Say what stands on the page, what its own data lacks, and the command that would read it (GT-4)."""
    request, listed = work.plan.request, len(primary_units(work.content.placed_units))
    shows = f"the page lists {listed} records; " if work.records_at is not None and listed > 1 else ""
    declined = work.content.declined.get("structured")
    lacks = declined and (told_of(work.page, work.schema) or declined)
    own = f"the page's own data does not answer this{f' ({lacks})' if lacks else ''}"
    asked = [
        *(["--query", shlex.quote(request.query)] if request.query else []),
        *(["--schema", "FILE"] if request.output_schema is not None else []),
    ]
    command = " ".join(["gleaner scrape", shlex.quote(work.stored.source_url), *asked, "--model", "bedrock:MODEL_ID"])
    return (
        f"{shows}{own}, and no model is configured. This would read it: {command} (or openai:MODEL, ollama:MODEL; "
        "GLEANER_MODEL and Gleaner(model=…) take the same). A schema of what the page itself has: "
        f"gleaner suggest {shlex.quote(work.stored.source_url)}"
    )


def _empty_list(work: Work) -> ExtractionResult | None:
    """Give the empty list of a page that says that it has no records, and lists nothing; None for any other.

    "No results" may be said of a filter, or stand in a part of the page that is there for another case.
    """
    path, schema = work.records_at, work.schema
    if len(primary_units(work.content.placed_units)) > 1:
        return None
    if schema is None or path is None or not says_it_is_empty(work.markdown[work.plan.request.start_from_char :]):
        return None
    data = rebuild(path, {}, [])
    counted = Completeness(expected=0, returned=0, method="stated_total")
    return ExtractionResult(data=data, schema_used=schema, completeness=counted) if is_valid(schema, data) else None


def _without_a_model(work: Work) -> ExtractionResult:
    """Give the best passages for a question; for records, say why no model was asked and what to do about it.

    A page that says that its list is empty needs no model.
    """
    request = work.plan.request
    if (empty := _empty_list(work)) is not None:
        return empty
    ranked = passages(request.query, work.markdown, PASSAGES) if request.query else []
    found = [
        Passage(text=work.markdown[one.start : one.end], start=one.start, end=one.end, score=one.score)
        for one in ranked
    ]
    text = "\n\n---\n\n".join(passage.text for passage in found)
    answers = bool(text) and request.output_schema is None
    error_type, reason = _why_unasked(work)
    error = ExtractionError(error_type=error_type, message=reason, retries_exhausted=True)
    return ExtractionResult(
        data=text if answers else None,
        schema_used=request.output_schema,
        is_partial=True,
        passages=found,
        errors=[] if answers else [error],
        warnings=[f"these are the page's most relevant passages; {reason}"] if answers else [],
    )


def _remember(work: Work, extraction: ExtractionResult) -> str | None:
    """Register the strategy, count its use, learn, and add the records to the aggregate (ST-2, AG-1); give its id.

    What is learned belongs to the strategy that asks the same; the records to the extraction that the request names.
    """
    plan = work.plan
    used = plan.request.extraction_id
    strategies = ExtractionCache(work.services.table, plan.ref.tenant)
    if plan.strategy_id is not None and extraction.tier != "none":
        _count_use(work, plan.strategy_id, success=not extraction.is_partial)
    found_nothing = extraction.is_partial and not records_of(extraction)[0]
    if extraction.tier == "none" or found_nothing or (work.schema is None and used is None):
        extraction.extraction_id = used
        return plan.strategy_id
    strategy_id = plan.strategy_id or _register(work, strategies, extraction)
    extraction.extraction_id = strategy_id
    if work.schema is not None:
        keep_recipe(work, extraction)
        note_unstated(work, extraction, strategy_id)
    extraction.extraction_id = used or extraction.extraction_id
    if work.schema is not None:
        extraction.aggregate_summary = _aggregator(work, extraction.extraction_id).add(extraction)
    return strategy_id


def _aggregator(work: Work, extraction_id: str) -> ExtractionAggregator:
    config = work.plan.request.config
    return ExtractionAggregator(
        work.services.table,
        extraction_id,
        work.plan.ref.tenant,
        dedupe=config.dedupe if "dedupe" in config.model_fields_set else None,
        dedupe_keys=config.dedupe_keys,
    )


def _count_use(work: Work, strategy_id: str, *, success: bool) -> None:
    """Count the job for the strategy once, however often this step is run."""
    ref, services = work.plan.ref, work.services
    ttl = int(time.time()) + services.settings.job_ttl_days * DAY_S
    mark = Item(f"USED#{ref.tenant}", f"{ref.job_id}#{strategy_id}", {"success": success}, ttl=ttl)
    if services.table.put(mark, if_version=0):
        ExtractionCache(services.table, ref.tenant).record(strategy_id, success=success)


def _register(work: Work, strategies: ExtractionCache, extraction: ExtractionResult) -> str:
    """Give the strategy that asks the same, made if there is none: under the request's name, if that is free."""
    request = work.plan.request
    named = strategies.get(request.extraction_id) if request.extraction_id else None
    strategy = ExtractionStrategy(
        id="" if named else request.extraction_id or "",
        url_pattern=url_pattern_of(work.stored.url),
        css_selector=request.css_selector,
        output_schema=request.output_schema,
        query_template=request.query,
        actions=request.actions,
    )
    made = named.id if named and asks_the_same(named, request) else strategies.register(strategy)
    _count_use(work, made, success=not extraction.is_partial)
    return made
