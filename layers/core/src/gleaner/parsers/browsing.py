"""The ``browse_url`` tool of seed 003: one page in, its parsed content as JSON out, failures included (PA-3).

Fetching is passed in, so that this stays pure: the rest of the seed's constructor (``enable_javascript``, ``timeout``,
``max_page_size``, ``user_agent``) are settings of what is passed in.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from gleaner.contracts.errors import GleanerError, InvalidRequest, UnsupportedContent, raise_for_status
from gleaner.contracts.models import is_web_address
from gleaner.contracts.ports import FetchedPage, JsonObject, RenderedPage
from gleaner.html.decoding.legibility import illegible
from gleaner.html.decoding.truncation import BREAKS_OFF, cut_off
from gleaner.parsers.contract import ParsedContent
from gleaner.parsers.registry import ParserRegistry

FIELDS = ("url", "parser", "query")
MAX_URL = 2_000
"""Characters of a URL that an answer repeats though it names no page."""

NO_PAGE = ("image/", "video/", "audio/", "font/", "application/pdf", "application/zip", "application/octet-stream")


FetchHtml = Callable[[str], FetchedPage | RenderedPage]
"""Gets a page, fetched or rendered; raises GleanerError or OSError."""


@dataclass(frozen=True, slots=True)
class BrowseRequest:
    """What to browse: a page, by which parser (None: the one that claims it), and for which query."""

    url: str
    parser: str | None = None
    query: str | None = None


def browse_page(
    request: str | Mapping[str, Any],
    fetch_html: FetchHtml,
    registry: ParserRegistry | None = None,
) -> JsonObject:
    """Give the content of a page as seed 003's JSON; on any failure the same with ``error`` set. Never raises.

    ``request`` is a URL, or ``{"url", "parser", "query"}`` as a dict or as JSON text.
    """
    parsers = registry or ParserRegistry()
    try:
        order = read_request(request)
        return _browse(order, fetch_html, parsers).to_dict()
    except Exception as error:  # noqa: BLE001 - the contract: every failure is an answer, whatever is passed in
        return ParsedContent("Error", source_url=_url_of(request), error=_explain(error)).to_dict()


def read_request(request: str | Mapping[str, Any]) -> BrowseRequest:
    """Read a request; InvalidRequest names what is wrong with it.

    >>> read_request('{"url": "https://e.example/", "query": "tea"}').query
    'tea'
    """
    fields = _fields(request)
    unknown = [str(name) for name in fields if name not in FIELDS]
    if unknown:
        raise InvalidRequest(f"unknown field {unknown[0]!r}; the fields are {', '.join(FIELDS)}")
    for name in FIELDS:
        if not isinstance(fields.get(name), str | None):
            raise InvalidRequest(f"{name} is of type {type(fields[name]).__name__}; it must be a string")
    url = (fields.get("url") or "").strip()
    if not is_web_address(url):
        raise InvalidRequest(f"url is {url[:200]!r}; it must be an http or https URL with a host")
    return BrowseRequest(url, fields.get("parser") or None, fields.get("query") or None)


def _fields(request: object) -> Mapping[str, Any]:
    if isinstance(request, Mapping):
        return request
    if not isinstance(request, str):
        raise InvalidRequest(f"the request is of type {type(request).__name__}; give a URL or a JSON object")
    if not request.lstrip().startswith(("{", "[", '"')):
        return {"url": request}
    try:
        loaded: object = json.loads(request)
    except (ValueError, RecursionError) as error:
        raise InvalidRequest(f"the request is not valid JSON: {error}") from None
    if isinstance(loaded, str):
        return {"url": loaded}
    if not isinstance(loaded, dict):
        raise InvalidRequest(f"the request is a JSON {type(loaded).__name__}; it must be an object with a url")
    return loaded


def _browse(order: BrowseRequest, fetch_html: FetchHtml, parsers: ParserRegistry) -> ParsedContent:
    if order.parser:
        parsers.get(order.parser)
    page = fetch_html(order.url)
    raise_for_status(page.url, page.status)
    html = page.html if isinstance(page, RenderedPage) else page.text
    mime_type = "text/html" if isinstance(page, RenderedPage) else _mime_type(page)
    if mime_type and mime_type.startswith(NO_PAGE):
        raise UnsupportedContent(f"{page.url} is {mime_type}, not a page")
    title = page.title if isinstance(page, RenderedPage) else ""
    parsed = parsers.parse(page.url, html, title, order.query, parser=order.parser, mime_type=mime_type)
    how = cut_off(html)
    if doubt := illegible(html) or (how and f"{BREAKS_OFF}: {how}"):
        parsed.metadata["warnings"] = [doubt]
    return parsed


def _mime_type(page: FetchedPage) -> str | None:
    return page.headers.get("content-type", "").partition(";")[0].strip().lower() or None


def _url_of(request: object) -> str:
    """Give the URL of a request that may be broken, for the answer to name."""
    try:
        url = _fields(request).get("url")
    except InvalidRequest:
        return ""
    return url[:MAX_URL] if isinstance(url, str) else ""


def _explain(error: Exception) -> str:
    if isinstance(error, InvalidRequest):
        return error.message
    if isinstance(error, GleanerError):
        return f"Failed to fetch URL: {error.message or type(error).__name__}"
    if isinstance(error, OSError):
        return f"Failed to fetch URL: {error or type(error).__name__}"
    return f"Failed to browse URL: {type(error).__name__}: {error}"
