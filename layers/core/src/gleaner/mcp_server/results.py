"""What the tools give: lines about the page, then the body; images and files as seed 004, section 3.3 maps them."""

from collections.abc import Iterator, Mapping
from typing import Any

from mcp.types import CallToolResult, ContentBlock, EmbeddedResource, ImageContent, TextContent
from mcp_types import BlobResourceContents

from gleaner.aggregates import records_of
from gleaner.errors import GleanerError, NotFound
from gleaner.gateway import Gateway
from gleaner.mcp_server.ranges import as_json, cut_text, fitting
from gleaner.models import ExtractionResult, MediaPayload, ScrapeResult

MAX_NOTES = 10
MAX_NOTE_CHARS = 300
TIERS = {
    "structured": "the page's own data",
    "recipe": "a learned recipe",
    "model": "a model",
    "none": "nothing: there is no answer",
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
        return failure(result.error.error_type, result.error.message, job_id=result.job_id, url=result.url)
    if result.extraction is not None:
        return _show_extraction(result, result.extraction, start_from_char, start_from_record)
    if result.media is not None:
        return _show_media(result, result.media)
    text, first = _text_of(gateway, result)
    return _show_text(result, text, first if start_from_char is None else start_from_char)


def show_part(gateway: Gateway, result: ScrapeResult, part: str, start: int) -> CallToolResult:
    """Give the page's Markdown, or the proof of the extracted values, from a character on."""
    if part == "markdown":
        return _show_text(result, gateway.markdown(result.job_id), start, part)
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
    call = {"job_id": result.job_id, "start_from_char": piece.following}
    if part != "result":
        call["part"] = part
    more = f"get_result with {as_json(call)}" if piece.following is not None else None
    lines = {
        **_about(result),
        "links": len(result.links) if result.links is not None else None,
        "characters": f"{piece.start}-{piece.end} of {piece.total}",
        "read_on": more,
    }
    body = piece.text + (f"\n\n[Cut here. To read on: {more}]" if more else "")
    return _answer(lines, result, body)


def _show_media(result: ScrapeResult, media: MediaPayload) -> CallToolResult:
    lines = {
        **_about(result),
        "media_type": media.screenshot_mime,
        "bytes": media.size,
        "filename": media.filename,
        "stored": media.url,
    }
    answer = _answer(lines, result, "" if media.screenshot_base64 else "It is too large to be given here.")
    if media.screenshot_base64 is not None:
        answer.content.append(_media_block(media, media.screenshot_base64.partition(",")[2], result))
    return answer


def _media_block(media: MediaPayload, data: str, result: ScrapeResult) -> ContentBlock:
    if media.screenshot_mime.startswith("image/"):
        return ImageContent(data=data, mime_type=media.screenshot_mime)
    uri = result.source_url or result.url or media.url
    return EmbeddedResource(resource=BlobResourceContents(uri=uri, mime_type=media.screenshot_mime, blob=data))


def _show_extraction(
    result: ScrapeResult, extraction: ExtractionResult, start_from_char: int | None, start_from_record: int
) -> CallToolResult:
    data = extraction.data
    lines = {**_about(result), **_about_extraction(extraction)}
    if isinstance(data, str) or data is None:
        return _add_screenshot(_show_answer(result, lines, data or "", start_from_char or 0), result)
    records, name = records_of(extraction)
    count = fitting(records, start_from_record) if _is_list(data, name) and records else 0
    if count and start_from_char is None:
        shown = records[start_from_record : start_from_record + count]
        data = shown if isinstance(data, list) else {**data, name: shown}
        end = start_from_record + count
        lines["records"] = f"{start_from_record}-{end} of {len(records)}"
        call = {"job_id": result.job_id, "start_from_record": end}
        lines["read_on"] = f"get_result with {as_json(call)}" if end < len(records) else None
        return _add_screenshot(_show_data(result, extraction, lines, data, end if lines["read_on"] else None), result)
    text = as_json(data)
    piece = cut_text(text, start_from_char or 0)
    if piece.start == 0 and piece.following is None:
        return _add_screenshot(_show_data(result, extraction, lines, data, None), result)
    return _add_screenshot(_show_answer(result, lines, text, piece.start), result)


def _show_answer(result: ScrapeResult, lines: dict[str, Any], text: str, start: int) -> CallToolResult:
    piece = cut_text(text, start)
    if piece.following is not None:
        call = {"job_id": result.job_id, "start_from_char": piece.following}
        lines["read_on"] = f"get_result with {as_json(call)}"
    return _answer(lines, result, piece.text)


def _show_data(
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


def _add_screenshot(answer: CallToolResult, result: ScrapeResult) -> CallToolResult:
    if result.media is not None and result.media.screenshot_base64 is not None:
        answer.content.append(_media_block(result.media, result.media.screenshot_base64.partition(",")[2], result))
    return answer


def _is_list(data: Any, name: str) -> bool:
    return isinstance(data, list) or (isinstance(data, dict) and isinstance(data.get(name), list))


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
        "extraction_id": f"{reuse} (give it with the next page of this kind)" if reuse else None,
        "answered_by": TIERS[extraction.tier],
        "completeness": _completeness(extraction),
        "cost": _cost(extraction),
        "aggregate": extraction.aggregate_summary,
    }


def _completeness(extraction: ExtractionResult) -> str:
    done = extraction.completeness
    if done.expected is None:
        return "not known: the page's records could not be counted"
    if not done.missing:
        return f"{done.returned} of {done.expected}"
    return f"{done.returned} of {done.expected}: {len(done.missing)} MISSING"


def _cost(extraction: ExtractionResult) -> str:
    usage = extraction.usage
    usd = "unknown price" if usage.usd is None else f"${usage.usd:.4f}"
    return f"{usage.calls} model calls, {usage.input_tokens + usage.output_tokens} tokens, {usd}"


def _answer(lines: Mapping[str, Any], result: ScrapeResult, body: str) -> CallToolResult:
    notes = _header_lines([("note", note) for note in _notes(result)])
    head = "\n".join([_header(lines), *notes])
    return CallToolResult(content=[TextContent(text=f"{head}\n\n{body}" if body else head)])


def _notes(result: ScrapeResult) -> Iterator[str]:
    """Give what a reader must know besides: what is missing, what was rejected, errors and warnings."""
    extraction = result.extraction
    if extraction is not None:
        yield from _some([f"missing on the page: {unit.text}" for unit in extraction.completeness.missing])
        rejected = [entry.pointer for entry in extraction.provenance if entry.status == "ungrounded"]
        yield from _some([f"not proven by the page: {pointer}" for pointer in rejected])
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
