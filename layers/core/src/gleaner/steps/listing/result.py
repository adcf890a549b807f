"""The result of a listing that was followed: its pages' results as one, with the proof of each record (FP-1)."""

import copy
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from gleaner.contracts.error_types import ErrorType
from gleaner.contracts.json_pointers import pointer_of, read_pointer
from gleaner.contracts.json_text import canonical
from gleaner.contracts.models import (
    Completeness,
    ExtractionError,
    ExtractionResult,
    JobError,
    ListedPage,
    ScrapeResult,
    Tier,
    Usage,
)
from gleaner.contracts.ports import JsonValue, Services
from gleaner.jobs.aggregates import ExtractionAggregator, records_of
from gleaner.jobs.blob_texts import write_text
from gleaner.jobs.content import JobContent
from gleaner.jobs.jobs import Plan
from gleaner.jobs.places import jobs_of
from gleaner.page.continuations import is_about_other_pages
from gleaner.results.records import Sameness
from gleaner.schemas import record_path, unenforceable
from gleaner.sites.overlaps import overlaps
from gleaner.steps.listing.walk import NATURAL_ENDS, Walk, WalkedPage, follow_of, page_ref

BETWEEN = "\n\n---\n\n"
TIERS: tuple[Tier, ...] = ("none", "structured", "recipe", "model")


@dataclass(frozen=True, slots=True)
class ReadPage:
    """A page that was read: its result, its Markdown, where that begins in the listing's, and the chunks before it."""

    walked: WalkedPage
    result: ScrapeResult
    markdown: str = ""
    chunks: int = 0
    records: list[JsonValue] = field(default_factory=list[JsonValue])

    @property
    def extraction(self) -> ExtractionResult:
        """The page's extraction; an empty one when there is none."""
        return self.result.extraction or ExtractionResult()


def join_pages(walk: Walk, plan: Plan, services: Services) -> ScrapeResult:
    """Give the listing's result, a failed one when its first page failed; store the joined Markdown with the job."""
    pages = read_pages(walk, plan, services)
    if not pages:
        return _failed(walk, plan)
    markdown = BETWEEN.join(page.markdown for page in pages)
    write_text(services.blobs, plan.ref.key("content.md"), markdown, "text/markdown")
    first = pages[0].result
    result = ScrapeResult(
        status="complete",
        job_id=plan.ref.job_id,
        url=plan.request.url or first.url,
        source_url=first.source_url,
        title=first.title,
        page_id=first.page_id,
        format=first.format,
        markdown=markdown if "markdown" in plan.request.wanted else None,
        links=_links(pages) if "links" in plan.request.wanted else None,
        media=first.media,
        actions=first.actions,
        consent=first.consent,
        content_stats=_sums([page.result.content_stats or {} for page in pages]),
        warnings=_warnings(pages),
        timings_ms={"total": round((time.time() - plan.started_at) * 1000, 1)},
    )
    kept = [list(range(len(page.records))) for page in pages]
    if plan.request.wants_extraction and first.extraction is not None:
        kept = _kept_records(pages, walk, plan)
        result.extraction = _extraction(pages, kept, walk, plan, services)
        result.status = "partial" if result.extraction.is_partial else "complete"
    elif walk.end not in NATURAL_ENDS or any(page.result.status != "complete" for page in pages):
        result.status = "partial"
        result.warnings.append(f"The listing may have more pages: {walk.said or 'a page is not complete'}.")
    result.pages = _listed(walk, plan, {page.walked.number: len(own) for page, own in zip(pages, kept, strict=True)},
                           services)  # fmt: skip
    return result


def read_pages(walk: Walk, plan: Plan, services: Services) -> list[ReadPage]:
    """Give the pages that were read, in order."""
    found: list[ReadPage] = []
    chunks = 0
    for walked in walk.of("read"):
        ref = page_ref(plan.ref, walked)
        content = JobContent(services.blobs, ref)
        result = jobs_of(services).result(ref)
        there = content.exists()
        records = list(records_of(result.extraction)[0]) if result.extraction is not None else []
        found.append(ReadPage(walked, result, content.markdown() if there else "", chunks, records))
        chunks += len(content.read().chunk_starts) if there else 0
    return found


def count_records(walk: Walk, plan: Plan, services: Services) -> int:
    """Give how many records the pages that were read make, those of overlaps once."""
    return sum(map(len, _kept_records(read_pages(walk, plan, services), walk, plan)))


def _kept_records(pages: Sequence[ReadPage], walk: Walk, plan: Plan) -> list[list[int]]:
    """Give for each page which of its records the listing keeps: by index."""
    texts = [[canonical(record) for record in page.records] for page in pages]
    shared = overlaps(texts, [page.walked.shown for page in pages], walk.total)
    kept = [list(range(before, len(page.records))) for before, page in zip(shared, pages, strict=True)]
    config = plan.request.config
    if "dedupe" in config.model_fields_set and config.dedupe != "none":
        _keep_unseen(pages, kept, Sameness(config.dedupe, tuple(config.dedupe_keys)))
    most = follow_of(plan).max_records
    for own in kept if most is not None else ():
        del own[max(0, most or 0) :]
        most = (most or 0) - len(own)
    return kept


def _keep_unseen(pages: Sequence[ReadPage], kept: list[list[int]], rule: Sameness) -> None:
    """Leave out the records that an earlier page has shown; those that are equal on one page are its own to judge."""
    seen = Counter[str]()
    for page, own in zip(pages, kept, strict=True):
        names = {at: rule.identity(page.records[at], page.walked.url, at) for at in own}
        new, here = list[int](), Counter[str]()
        for at in own:
            here[names[at]] += 1
            if here[names[at]] > seen[names[at]]:
                new.append(at)
        seen |= here
        own[:] = new


def _extraction(
    pages: Sequence[ReadPage], kept: list[list[int]], walk: Walk, plan: Plan, services: Services
) -> ExtractionResult:
    first = pages[0].extraction
    is_text = plan.request.output_schema is None or unenforceable(plan.request.output_schema) is not None
    joined = first.model_copy(deep=True, update={
        "tier": max((page.extraction.tier for page in pages), key=TIERS.index),
        "usage": _usage(walk, plan, services),
        "content_stats": _sums([page.extraction.content_stats or {} for page in pages]),
        "conflicts": [f"Page {page.walked.number}: {one}" for page in pages for one in page.extraction.conflicts],
        "errors": [error for page in pages for error in _errors(page)],
        "warnings": _extraction_warnings(pages),
        "passages": [], "claims": [], "provenance": [], "withheld": [],
    })  # fmt: skip
    if is_text:
        _join_texts(joined, pages)
        joined.is_partial = walk.end not in NATURAL_ENDS or any(page.extraction.is_partial for page in pages)
        if walk.end not in NATURAL_ENDS:
            joined.warnings.insert(0, f"The listing may have more pages: {walk.said}.")
    else:
        _join_records(joined, pages, kept, plan)
        _certify(joined, pages, kept, walk)
    if joined.extraction_id and not is_text:
        aggregate = ExtractionAggregator(services.table, joined.extraction_id, plan.ref.tenant)
        joined.aggregate_summary = aggregate.summary
    return joined


def _join_records(joined: ExtractionResult, pages: Sequence[ReadPage], kept: list[list[int]], plan: Plan) -> None:
    """Put the kept records into the first page's data, and their provenance under their new numbers."""
    path = record_path(plan.request.output_schema) if plan.request.output_schema is not None else None
    steps = read_pointer(path.pointer) if path is not None else []
    records = [page.records[at] for page, own in zip(pages, kept, strict=True) for at in own]
    joined.data = _placed(copy.deepcopy(joined.data), steps, records)
    number = begin = 0
    for page, own in zip(pages, kept, strict=True):
        places = {at: number + new for new, at in enumerate(own)}
        number += len(own)
        for one in page.extraction.withheld:
            pointer = _renumbered(one.pointer, steps, places)
            if pointer is not None:
                joined.withheld.append(one.model_copy(update={"pointer": pointer, "page": page.walked.number}))
        for entry in page.extraction.provenance:
            if not _is_of_record(entry.pointer, steps):
                if page is pages[0]:
                    joined.provenance.append(entry)
                continue
            pointer = _renumbered(entry.pointer, steps, places)
            if pointer is None:
                continue
            moved = entry.model_copy(
                update={
                    "pointer": pointer,
                    "chunk": None if entry.chunk is None else entry.chunk + page.chunks,
                    "page": page.walked.number,
                }
            )
            if entry.source == "markdown" and entry.start is not None and entry.end is not None:
                moved.start, moved.end = entry.start + begin, entry.end + begin
            joined.provenance.append(moved)
        begin += len(page.markdown) + len(BETWEEN)


def _is_of_record(pointer: str, steps: Sequence[str]) -> bool:
    """Tell whether a pointer leads into a record, ``-`` for one that is withheld."""
    inner = read_pointer(pointer)[len(steps) :][:1]
    return read_pointer(pointer)[: len(steps)] == [*steps] and bool(inner) and (inner[0].isdigit() or inner[0] == "-")


def _renumbered(pointer: str, steps: Sequence[str], places: Mapping[int, int]) -> str | None:
    """Give a pointer into a record under its new number; None where the record is left out."""
    if not _is_of_record(pointer, steps):
        return pointer
    number, *inner = read_pointer(pointer)[len(steps) :]
    if number == "-":
        return pointer
    return pointer_of([*steps, str(places[int(number)]), *inner]) if int(number) in places else None


def _placed(data: Any, steps: Sequence[str], records: list[JsonValue]) -> Any:
    if not steps:
        return records
    outer = data if isinstance(data, dict) else {}
    return {**outer, steps[0]: _placed(outer.get(steps[0]), steps[1:], records)}


def _join_texts(joined: ExtractionResult, pages: Sequence[ReadPage]) -> None:
    """Join the answers in words of all pages, with what they rest on."""
    texts, begin, length = list[str](), 0, 0
    for page in pages:
        own = page.extraction
        if isinstance(own.data, str) and own.data.strip():
            at, known = length + len(BETWEEN) * bool(texts), len(joined.passages)
            joined.passages += [
                one.model_copy(update={"start": one.start + begin, "end": one.end + begin}) for one in own.passages
            ]
            joined.claims += [
                one.model_copy(
                    update={
                        "start": one.start + at,
                        "end": one.end + at,
                        "passage": None if one.passage is None else one.passage + known,
                    }
                )
                for one in own.claims
            ]
            texts.append(own.data)
            length = at + len(own.data)
        begin += len(page.markdown) + len(BETWEEN)
    joined.data = BETWEEN.join(texts) or None


def _certify(joined: ExtractionResult, pages: Sequence[ReadPage], kept: list[list[int]], walk: Walk) -> None:
    """Count the records against the listing's own total, or else against what its pages show (CM-1)."""
    returned, total = sum(map(len, kept)), walk.total
    missing = [
        unit.model_copy(update={"page": page.walked.number})
        for page in pages
        for unit in page.extraction.completeness.missing
    ]
    by_pages = sum(_expected(page, len(own)) for page, own in zip(pages, kept, strict=True))
    expected = total or (by_pages if walk.end in NATURAL_ENDS else None)
    lost = [page for page in walk.of("failed") if page.error is not None]
    is_short = bool(missing) or returned < (expected or 0) or (not total and walk.end not in NATURAL_ENDS)
    joined.completeness = Completeness(
        expected=expected,
        returned=returned,
        missing=missing,
        skipped=sum(page.extraction.completeness.skipped for page in pages),
        method="stated_total" if total else "units" if expected is not None else "unknown",
        unread=list(dict.fromkeys(name for page in pages for name in page.extraction.completeness.unread)),
        listing_total=total,
    )
    for page in lost:
        assert page.error is not None
        message = f"page {page.number} ({page.url}): {page.error.message}"
        joined.errors.append(ExtractionError(error_type=page.error.error_type, message=message, retries_exhausted=True))
    joined.is_partial = is_short or walk.has_changed or any(map(_is_lacking, pages)) or bool(lost and not total)
    shared = _shared(pages, kept)
    joined.warnings = [*_remarks(returned, expected, walk, is_short=is_short), *shared, *joined.warnings]


def _expected(page: ReadPage, kept: int) -> int:
    """Give how many records a page of a listing without a total should give."""
    own = page.extraction.completeness
    lacking = max(0, (own.expected or 0) - own.returned) if own.method == "units" else 0
    return kept + max(lacking, len(own.missing))


def _is_lacking(page: ReadPage) -> bool:
    """Tell whether a page's own result is not whole; that the listing has more records than it shows is no fault."""
    own, shown = page.extraction, page.walked.shown
    if not own.is_partial and page.result.status == "complete":
        return False
    is_about_total = own.completeness.method == "stated_total" and not own.errors and not own.completeness.missing
    return not is_about_total or (bool(shown.size) and len(page.records) < shown.size)


def _remarks(returned: int, expected: int | None, walk: Walk, *, is_short: bool) -> Iterator[str]:
    count = len(walk.of("read"))
    if is_short:
        why = walk.said or (
            "no next page was found" if walk.end == "last" else "pages show fewer records than there are"
        )
        of = f" of {expected}" if expected is not None else ""
        yield f"{returned}{of} records were extracted from {count} page{'' if count == 1 else 's'}: {why}."
    elif walk.end in ("loop", "repeat", "failed") and walk.said:
        yield f"No page after page {walk.of('read')[-1].number} was found: {walk.said}."
    elif expected is not None and returned > expected:
        yield f"{returned} records were extracted; the listing states {expected}."
    if walk.has_changed:
        yield "The listing changed while it was read, and again while its first pages were read anew: run it again."
    totals = list(dict.fromkeys(page.shown.total for page in walk.of("read") if page.shown.total))
    if len(totals) > 1:
        yield f"The listing's total changed while it was read: {', '.join(map(str, totals))}; the last one counts."


def _shared(pages: Sequence[ReadPage], kept: list[list[int]]) -> Iterator[str]:
    """Tell of records that two pages show: they are twins, or one has moved while the pages were read."""
    first: dict[str, int] = {}
    twice: dict[str, tuple[int, int]] = {}
    for page, own in zip(pages, kept, strict=True):
        for text in {canonical(page.records[at]) for at in own}:
            before = first.setdefault(text, page.walked.number)
            if before != page.walked.number:
                twice.setdefault(text, (before, page.walked.number))
    if twice:
        text, (one, other) = next(iter(twice.items()))
        count = "1 record stands" if len(twice) == 1 else f"{len(twice)} records stand"
        yield f"{count} on two pages, and is kept twice: on pages {one} and {other}, {text[:100]}."


def _errors(page: ReadPage) -> Iterator[ExtractionError]:
    for error in page.extraction.errors:
        index = None if error.chunk_index is None else error.chunk_index + page.chunks
        yield error.model_copy(update={"message": f"Page {page.walked.number}: {error.message}", "chunk_index": index})


def _usage(walk: Walk, plan: Plan, services: Services) -> Usage:
    """Give what all readings cost, those too whose result does not count."""
    usage, last = Usage(), {page.number: max(page.attempt, page.kept or 0) + 1 for page in walk.pages}
    for number, most in {**walk.dropped, **last}.items():
        for attempt in range(most + 1):
            result = jobs_of(services).find_result(page_ref(plan.ref, WalkedPage(number=number, url=""), attempt))
            if result is not None and result.extraction is not None:
                usage += result.extraction.usage
    return usage


def _extraction_warnings(pages: Sequence[ReadPage]) -> list[str]:
    return _told_once(
        (page.walked.number, warning)
        for page in pages
        for warning in page.extraction.warnings
        if not is_about_other_pages(warning)
    )


def _warnings(pages: Sequence[ReadPage]) -> list[str]:
    return _told_once((page.walked.number, warning) for page in pages for warning in page.result.warnings)


def _told_once(warnings: Iterator[tuple[int, str]]) -> list[str]:
    """Give each warning once, with the pages that it is of."""
    numbers: defaultdict[str, list[int]] = defaultdict(list)
    for number, warning in warnings:
        numbers[warning].append(number)
    return [
        f"Page {of[0]}: {warning}" if len(of) == 1 else f"On {len(of)} pages, from page {of[0]} on: {warning}"
        for warning, of in numbers.items()
    ]


def _links(pages: Sequence[ReadPage]) -> list[str]:
    return list(dict.fromkeys(link for page in pages for link in page.result.links or ()))


def _sums(stats: Sequence[dict[str, Any]]) -> dict[str, Any] | None:
    """Add up what is counted; of all else the first page's."""
    sums = dict(stats[0]) if stats else {}
    for name, value in sums.items():
        if isinstance(value, int) and not isinstance(value, bool):
            sums[name] = sum(one.get(name, 0) for one in stats)
    return sums or None


def _listed(walk: Walk, plan: Plan, kept: dict[int, int], services: Services) -> list[ListedPage]:
    listed: list[ListedPage] = []
    for page in walk.of("read", "failed"):
        ref = page_ref(plan.ref, page)
        result = None if page.state == "failed" else jobs_of(services).result(ref)
        extraction = result.extraction if result is not None else None
        listed.append(
            ListedPage(
                number=page.number,
                url=page.url or (result.url if result is not None else "") or "",
                status="failed" if result is None else result.status,
                job_id=ref.job_id,
                page_id=page.page_id or None,
                records=kept.get(page.number, 0),
                tier=extraction.tier if extraction is not None else "none",
                error=page.error,
            )
        )
    return listed


def _failed(walk: Walk, plan: Plan) -> ScrapeResult:
    """Give the result of a listing of which no page could be read."""
    error = next((page.error for page in walk.pages if page.error is not None), None)
    error = error or JobError(error_type=ErrorType.CANCELLED, message=walk.said or "no page was read")
    return ScrapeResult(status="failed", job_id=plan.ref.job_id, url=plan.request.url, error=error)
