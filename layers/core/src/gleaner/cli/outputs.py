"""Files that the command writes: a result in the form that the file's ending names."""

import base64
import json
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

from gleaner.cli.doctor import install_command
from gleaner.cli.options import write_bytes, write_output
from gleaner.contracts.errors import InvalidRequest
from gleaner.contracts.models import PICTURES, ExtractionResult, ScrapeResult
from gleaner.reports.document import report_html
from gleaner.reports.workbook import workbook_of
from gleaner.results.exports import to_csv, to_ndjson
from gleaner.results.records import columns_of, marked_records

ENDINGS = {
    ".json": "the whole result",
    ".csv": "the records",
    ".ndjson": "the records",
    ".jsonl": "the records",
    ".md": "the page's Markdown",
    ".png": "the screenshot",
    ".html": "a report: the records, what is missing, and the page's text with each proof",
    ".xlsx": "a workbook: the records, and a sheet of their proofs",
}
"""What is written into a file, by its ending; a file without one gets the whole result as JSON."""
OF_RECORDS = (".csv", ".ndjson", ".jsonl", ".xlsx")
WITH_PROOFS = (".html", ".xlsx")


def ending_of(path: Path | None) -> str:
    """Give what a file's ending stands for; InvalidRequest names the endings for another one.

    >>> ending_of(Path("Books.CSV")), ending_of(Path("/dev/stdout")), ending_of(None)
    ('.csv', '.json', '')
    """
    if path is None:
        return ""
    ending = path.suffix.lower() or ".json"
    if ending not in ENDINGS:
        raise InvalidRequest(f"{path}: nothing is written as {ending}; use {', '.join(ENDINGS)}")
    return ending


def check_fits(path: Path | None, request: dict[str, Any]) -> dict[str, Any]:
    """Give the request with what the file's ending asks for; InvalidRequest when the request can't give it."""
    ending = ending_of(path)
    if ending in OF_RECORDS and not {"output_schema", "extraction_id"} & request.keys():
        raise InvalidRequest(f'{path} is for records: say which with --schema, as \'{{"title": "string"}}\'')
    if ending == ".xlsx" and find_spec("xlsxwriter") is None:
        raise InvalidRequest(f"{path} needs xlsxwriter: {install_command('gleaner-extract[spreadsheets]')}")
    formats: list[str] = request.get("formats") or [request.get("format", "markdown")]
    if ending == ".png" and not set(PICTURES) & set(formats):
        asked = ["fullscreenshot"] if formats == ["markdown"] else [*formats, "fullscreenshot"]
        others = {name: value for name, value in request.items() if name not in ("format", "formats")}
        return {**others, **({"format": asked[0]} if len(asked) == 1 else {"formats": asked})}
    if ending == ".md" and "markdown" not in formats:
        raise InvalidRequest(f"{path} is for Markdown: leave out --format {formats[0]}")
    return request


def write_result(path: Path, result: ScrapeResult, text: str = "") -> str | None:
    """Write a result as the file's ending says; give why nothing was written, None when it was.

    ``text`` is what its provenance points into: proofs are shown in it.
    """
    ending = ending_of(path)
    if ending == ".html":
        write_output(path, [report_html(result, text)])
        return None
    if ending == ".json":
        write_output(path, [json.dumps(result.to_json(), ensure_ascii=False, indent=2), "\n"])
        return None
    if result.status == "failed":
        return "nothing to write: the page could not be read"
    if ending == ".md":
        write_output(path, [(result.markdown or "").rstrip("\n"), "\n"])
    elif ending == ".xlsx":
        write_bytes(path, workbook_of(result, text))
    elif ending == ".png":
        body = _picture(result)
        if body is None:
            return "there is no screenshot to write"
        write_bytes(path, body)
    else:
        write_output(path, record_lines(path, result.extraction))
    return None


def _picture(result: ScrapeResult) -> bytes | None:
    """Give a result's screenshot: what stands in it, or the file that it is stored in."""
    media = next((one for one in result.pictures if one.screenshot_mime == "image/png"), None)
    if media is None:
        return None
    if media.screenshot_base64:
        return base64.b64decode(media.screenshot_base64.partition(",")[2])
    stored = urlsplit(media.url)
    return Path(url2pathname(stored.path)).read_bytes() if stored.scheme == "file" else None


def record_lines(path: Path, extraction: ExtractionResult | None) -> Iterator[str]:
    """Give the lines of a file of records."""
    records = marked_records(extraction) if extraction else []
    if ending_of(path) == ".csv":
        return to_csv(records, columns_of(extraction) if extraction else None)
    return to_ndjson(records)
