"""Format tool results: facts about the page, then the body; images and files as in seed 004, section 3.3."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from mcp.types import CallToolResult, ContentBlock, EmbeddedResource, ImageContent, ResourceLink, TextContent
from mcp_types import BlobResourceContents

from gleaner.budget.prices import dollars
from gleaner.contracts.errors import GleanerError, NotFound
from gleaner.contracts.models import ExtractionResult, MediaPayload, ScrapeResult
from gleaner.jobs.aggregates import records_of
from gleaner.mcp.ranges import MAX_CHARS, as_json, cut_text, fitting
from gleaner.service.gateway import Gateway

MAX_INLINE = 5_500_000
"""Characters of a picture or file in an answer: a Lambda function's answer may have 6 MB with all that is around it."""
MAX_NOTES = 10
MAX_NOTE_CHARS = 300
TIERS = {
    "structured": "the page's own data",
    "recipe": "a learned recipe",
    "model": "a model",
    "none": "nothing",
}


def failure(error_type: str, message: str, **more: Any) -> CallToolResult:
    """Give a tool error: ``error_type`` is for programs, the message says what would be right."""
    structured = {"error_type": error_type, "message": message, **more}
    return CallToolResult(
        content=[TextContent(text=f"error_type: {error_type}\nmessage: {message}")],
        structured_content=structured,
        is_error=True,
    )


def failure_of(error: GleanerError) -> CallToolResult:
    """Give the tool error for one of our own errors."""
    return failure(error.error_type, error.message)


def still_running(job_id: str, record: Mapping[str, Any]) -> CallToolResult:
    """Give the handle of a job that is not done."""
    status = str(record.get("status"))
    steps = [step["name"] for step in record.get("steps", []) if step.get("status") == "running"]
    lines = {"status": status, "job_id": job_id, "url": record.get("url"), "step": ", ".join(steps)}
    text = f'{_header(lines)}\n\nThe page is not done. Call get_result with {{"job_id": "{job_id}"}} to wait for it.'
    return CallToolResult(content=[TextContent(text=text)], structured_content={"status": status, "job_id": job_id})


def show_result(
    gateway: Gateway, result: ScrapeResult, *, start_from_char: int | None = None, start_from_record: int = 0
) -> CallToolResult:
    """Give a job's result: its media, its records or its text, within the limit of one answer."""
    if result.error is not None:
        url = result.url and result.url[:MAX_CHARS]
        return failure(result.error.error_type, result.error.message, job_id=result.job_id, url=url)
    if result.extraction is not None:
        return _show_extraction(result, result.extraction, start_from_char, start_from_record)
    if result.markdown is None and result.links is None and result.pictures:
        return _show_media(result, result.pictures)
    text, first = _text_of(gateway, result)
    answer = _show_text(result, text, first if start_from_char is None else start_from_char)
    return answer if start_from_char else _with_other_formats(result, answer)


def show_part(gateway: Gateway, result: ScrapeResult, part: str, start: int) -> CallToolResult:
    """Give the page's Markdown, or the proof of the extracted values, from a character on."""
    if part == "markdown":
        return _show_text(result, gateway.markdown(result.job_id), start, part)
    if part == "links":
        return _show_text(result, "\n".join(result.links or []), start, part)
    if result.extraction is None:
        raise NotFound(f"job {result.job_id} extracted nothing: it has no provenance")
    entries = (entry.model_dump(mode="json", exclude_none=True) for entry in result.extraction.provenance)
    return _show_text(result, "".join(f"{as_json(entry)}\n" for entry in entries), start, part)


def _text_of(gateway: Gateway, result: ScrapeResult) -> tuple[str, int]:
    """Give the text that can be read on, and where this job's own part of it begins."""
    if result.markdown is None:
        return "\n".join(result.links or []), 0
    whole = gateway.markdown(result.job_id)
    return whole, len(whole) - len(result.markdown)


def _show_text(result: ScrapeResult, text: str, start: int, part: str = "result") -> CallToolResult:
    piece = cut_text(text, start)
    named = {"part": part} if part != "result" else {}
    more = _call(result, **named, start_from_char=piece.following) if piece.following is not None else None
    lines = {
        **_about(result),
        "links": len(result.links) if result.links is not None else None,
        "characters": f"{piece.start}-{piece.end} of {piece.total}",
        "read_on": more,
    }
    body = piece.text + (f"\n\n[Cut here. To continue: {more}]" if more else "")
    return _answer(lines, result, body)


def _with_other_formats(result: ScrapeResult, answer: CallToolResult) -> CallToolResult:
    """Add what was asked for besides the first text: links, as far as they fit, and pictures."""
    if result.links is not None and result.markdown is not None:
        piece = cut_text("\n".join(result.links), 0)
        more = f"\n[Cut here. To continue: {_call(result, part='links', start_from_char=piece.following)}]"
        answer.content.append(TextContent(text=f"links:\n{piece.text}{more if piece.following is not None else ''}"))
    answer.content += [_media_block(picture, result) for picture in result.pictures]
    return answer


def _show_media(result: ScrapeResult, pictures: list[MediaPayload]) -> CallToolResult:
    media, *others = pictures
    lines = {
        **_about(result),
        "media_type": media.screenshot_mime,
        "bytes": media.size,
        "filename": media.filename,
        "stored": media.url if len(media.url) <= MAX_NOTE_CHARS else None,
    }
    block = _media_block(media, result)
    is_link = isinstance(block, ResourceLink)
    answer = _answer(lines, result, f"It is too large to include here. Read it at {media.url}" if is_link else "")
    answer.content += [block, *(_media_block(other, result) for other in others)]
    return answer


def _media_block(media: MediaPayload, result: ScrapeResult) -> ContentBlock:
    """Give the picture or file itself, or a link to it when it is too large for an answer."""
    data = (media.screenshot_base64 or "").partition(",")[2]
    if not 0 < len(data) <= MAX_INLINE:
        name = media.filename or media.format
        return ResourceLink(name=name, uri=media.url, mime_type=media.screenshot_mime, size=media.size)
    if media.screenshot_mime.startswith("image/"):
        return ImageContent(data=data, mime_type=media.screenshot_mime)
    uri = result.source_url or result.url or media.url
    return EmbeddedResource(resource=BlobResourceContents(uri=uri, mime_type=media.screenshot_mime, blob=data))


def _show_extraction(
    result: ScrapeResult, extraction: ExtractionResult, start_from_char: int | None, start_from_record: int
) -> CallToolResult:
    lines = {**_about(result), **_about_extraction(extraction)}
    if isinstance(extraction.data, str) or extraction.data is None:
        answer = _show_answer(result, lines, extraction.data or "", start_from_char or 0)
    else:
        answer = _show_data(result, extraction, lines, start_from_char, start_from_record)
    is_first = not start_from_char and not start_from_record
    return _with_other_formats(result, answer) if is_first else answer


def _show_data(
    result: ScrapeResult,
    extraction: ExtractionResult,
    lines: dict[str, Any],
    start_from_char: int | None,
    start_from_record: int,
) -> CallToolResult:
    """Give whole records as far as they fit; JSON text by characters when one is too long for that, or on demand."""
    text = as_json(extraction.data)
    if start_from_char is not None:
        return _show_answer(result, lines, text, start_from_char)
    records, shaped = _records(extraction)
    if shaped is None and len(text) <= MAX_CHARS and start_from_record == 0:
        return _structured(result, extraction, lines, extraction.data, None)
    if shaped is None:
        return _show_answer(result, lines, text, 0)
    count = fitting(records, start_from_record)
    if not count and records:
        start = text.find(as_json(records[start_from_record])) if start_from_record else 0
        return _show_answer(result, lines, text, start)
    end = start_from_record + count
    following = end if end < len(records) else None
    lines["records"] = f"{start_from_record}-{end} of {len(records)}"
    if following is not None:
        lines["read_on"] = _call(result, start_from_record=following)
    return _structured(result, extraction, lines, shaped(records[start_from_record:end]), following)


def _records(extraction: ExtractionResult) -> tuple[list[Any], Callable[[list[Any]], Any] | None]:
    """Give the records, and what puts some of them in the shape of the data; None when the data is no list of them."""
    data = extraction.data
    records, name = records_of(extraction)
    if isinstance(data, list):
        return records, lambda shown: shown
    if not isinstance(data, dict) or not isinstance(data.get(name), list):
        return records, None
    rest: dict[str, Any] = {key: value for key, value in data.items() if key != name}
    if len(as_json(rest)) > MAX_CHARS // 4:
        return records, None

    def shaped(shown: list[Any]) -> dict[str, Any]:
        return {key: shown if key == name else value for key, value in data.items()}

    return records, shaped


def _show_answer(result: ScrapeResult, lines: dict[str, Any], text: str, start: int) -> CallToolResult:
    piece = cut_text(text, start)
    if len(piece.text) < piece.total:
        lines["characters"] = f"{piece.start}-{piece.end} of {piece.total}"
    if piece.following is not None:
        lines["read_on"] = _call(result, start_from_char=piece.following)
    return _answer(lines, result, piece.text)


def _structured(
    result: ScrapeResult, extraction: ExtractionResult, lines: dict[str, Any], data: Any, following: int | None
) -> CallToolResult:
    answer = _answer(lines, result, as_json(data))
    done = extraction.completeness
    answer.structured_content = {
        "status": result.status,
        "job_id": result.job_id,
        "page_id": result.page_id,
        "extraction_id": extraction.extraction_id,
        "data": data,
        "next_record": following,
        "completeness": {"expected": done.expected, "returned": done.returned, "missing": len(done.missing)},
    }
    return answer


def _call(result: ScrapeResult, **arguments: Any) -> str:
    """Write the call that reads on."""
    return f"get_result with {as_json({'job_id': result.job_id, **arguments})}"


def _about(result: ScrapeResult) -> dict[str, Any]:
    return {
        "url": result.source_url or result.url,
        "title": result.title,
        "format": result.format,
        "status": result.status,
        "job_id": result.job_id,
        "page_id": result.page_id,
    }


def _about_extraction(extraction: ExtractionResult) -> dict[str, Any]:
    reuse = extraction.extraction_id
    return {
        "extraction_id": f"{reuse} (pass it with the next page of this kind)" if reuse else None,
        "answered_by": TIERS[extraction.tier],
        **{f"declined_by_{tier}": why[:MAX_NOTE_CHARS] for tier, why in extraction.declined.items()},
        "completeness": _completeness(extraction),
        "cost": _cost(extraction),
        "aggregate": extraction.aggregate_summary,
    }


def _completeness(extraction: ExtractionResult) -> str:
    done = extraction.completeness
    if done.expected is None:
        return "unknown: the page's records could not be counted"
    if not done.missing:
        return f"{done.returned} of {done.expected}"
    return f"{done.returned} of {done.expected}: {len(done.missing)} MISSING"


def _cost(extraction: ExtractionResult) -> str:
    usage = extraction.usage
    return f"{usage.calls} model calls, {usage.input_tokens + usage.output_tokens} tokens, {dollars(usage.usd)}"


def _answer(lines: Mapping[str, Any], result: ScrapeResult, body: str) -> CallToolResult:
    notes = _header_lines([("note", note) for note in _notes(result)])
    head = "\n".join([_header(lines), *notes])
    return CallToolResult(content=[TextContent(text=f"{head}\n\n{body}" if body else head)])


def _notes(result: ScrapeResult) -> Iterator[str]:
    """Give what a reader must know besides: what is missing, what was rejected, errors and warnings."""
    extraction = result.extraction
    if extraction is not None:
        yield from _some([f"not extracted: {unit.text}" for unit in extraction.completeness.missing])
        rejected = [entry.pointer for entry in extraction.provenance if entry.status == "ungrounded"]
        yield from _some([f"not proven by the page: {pointer}" for pointer in rejected])
        yield from _some([f"withheld: {one.pointer}: {one.reason}: {as_json(one.item)}" for one in extraction.withheld])
        yield from _some([f"{error.error_type}: {error.message}" for error in extraction.errors])
    own = extraction.warnings if extraction is not None else []
    yield from _some(list(dict.fromkeys([*result.warnings, *own])))


def _some(notes: list[str]) -> list[str]:
    left = len(notes) - MAX_NOTES
    return notes if left <= 0 else [*notes[:MAX_NOTES], f"{left} more of this kind"]


def _header(lines: Mapping[str, Any]) -> str:
    return "\n".join(_header_lines([(name, value) for name, value in lines.items() if value not in (None, "")]))


def _header_lines(lines: list[tuple[str, Any]]) -> list[str]:
    """Write each on one line, so that no page's text can pass for a line of ours."""
    return [f"{name}: {_shorten(' '.join(str(value).split()))}" for name, value in lines]


def _shorten(text: str) -> str:
    return text if len(text) <= MAX_NOTE_CHARS else text[: MAX_NOTE_CHARS - 1] + "…"
