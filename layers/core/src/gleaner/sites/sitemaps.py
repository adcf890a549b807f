"""Read sitemaps (sitemaps.org 0.9), sitemap indexes, text sitemaps, RSS and Atom, piece by piece.

Nothing here fetches, and nothing is ever held as a tree: a record is read when its element ends, and then forgotten.
A file that is damaged gives the records in front of the damage and behind it, and says that it is damaged.
"""

import re
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC
from email.utils import parsedate_to_datetime
from html.entities import html5
from itertools import chain
from typing import Any, Literal

from lxml import etree

from gleaner.contracts.errors import DecompressedTooLarge, UnsupportedContent
from gleaner.html.layout import collapse
from gleaner.html.links import absolute_url
from gleaner.sites.links import LONGEST_TITLE
from gleaner.sites.site_urls import SiteUrl

Kind = Literal["urls", "index", "feed", "text", "html", "unknown"]
LARGEST = 52_428_800
"""Bytes that a sitemap may unpack to, by the protocol (sitemaps.org, "Sitemap file size")."""

MOST_LISTED = 100_000
"""Addresses that are read of one file: twice what the protocol allows."""

STEP = 65_536
_GZIP = 16 + zlib.MAX_WBITS
_PROLOG = re.compile(
    rb"(?:\s|<\?(?:[^?]|\?(?!>))*\?>|<!--(?:[^-]|-(?!->))*-->|<!doctype\s+(?P<doctype>\w+)[^>\[]*>)*<(?:[\w.-]+:)?(?P<root>[\w.-]+)",
    re.IGNORECASE,
)
_ROOTS: dict[str, Kind] = {"urlset": "urls", "sitemapindex": "index", "rss": "feed", "feed": "feed", "rdf": "feed",
                           "html": "html"}  # fmt: skip
_RECORDS = frozenset({"url", "sitemap", "item", "entry"})
_DATES = ("lastmod", "updated", "pubdate", "date", "published", "publication_date")
"""What says when something was changed, the best first."""
_READ = frozenset({"loc", "link", "guid", "title", *_DATES})
_ISO = re.compile(r"\d{4}(-\d\d(-\d\d([T ]\d\d:\d\d\S*)?)?)?")
_ADDRESS = re.compile(r"https?://\S+", re.IGNORECASE)
_PLAIN_ADDRESS = re.compile(r"https?://[a-z0-9.-]+(?::[1-9]\d*)?/(?:(?!/\.)[!-\[\]_-~])*")
"""An address that needs no care: what it is resolved to is the same."""
_ENTITY_DECLARATION = re.compile(rb"<!ENTITY", re.IGNORECASE)
_AMPERSAND = re.compile(rb"<!\[CDATA\[.*?\]\]>|&(?:(\w{1,40});|(?!#\d{1,7};|#x[0-9a-fA-F]{1,6};))", re.DOTALL)
_LONGEST_REFERENCE = 42
_LONGEST_CDATA = 1_000_000


@dataclass(slots=True)
class SitemapContent:
    """What a file holds: ``urls`` of pages or, of an index, ``sitemaps``; ``fault`` says what is wrong with it."""

    kind: Kind = "unknown"
    urls: list[SiteUrl] = field(default_factory=list[SiteUrl])
    sitemaps: list[str] = field(default_factory=list[str])
    fault: str = ""


def read_sitemap(body: bytes, url: str) -> SitemapContent:
    """Read a file as it came from ``url``, packed by gzip or not.

    DecompressedTooLarge when it unpacks to more than a sitemap may have, UnsupportedContent when it can't be unpacked.

    >>> found = read_sitemap(b"<urlset><url><loc>/a</loc><lastmod>2026-01-02</lastmod></url></urlset>", "https://a.example/s")
    >>> found.urls[0].url, found.urls[0].last_modified
    ('https://a.example/a', '2026-01-02')
    """
    pieces = _unpacked(body)
    first = next(pieces, b"")
    start = first.replace(b"\0", b"").lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n")
    if not start:
        return SitemapContent(fault="it is empty")
    if not start.startswith(b"<"):
        return _read_text(b"".join((first, *pieces)), url)
    found = _PROLOG.match(start)
    if found is None and _ENTITY_DECLARATION.search(start):
        return SitemapContent(fault="it declares entities, which no sitemap needs; it was not read")
    root = found["root"].decode("ascii", "replace") if found else ""
    is_page = found is not None and (found["doctype"] or b"").lower() == b"html"
    kind = "html" if is_page else _ROOTS.get(root.lower(), "unknown")
    if kind == "html":
        return SitemapContent(kind, fault="it is an HTML page, not a sitemap")
    if kind == "unknown":
        said = f"its root element is <{root[:40]}>: " if root else ""
        return SitemapContent(fault=f"{said}it is no sitemap and no feed")
    is_wide = b"\0" in first
    return _read_xml(kind, chain((first if is_wide else start,), pieces), url, is_wide=is_wide)


def is_sitemap(body: bytes) -> bool:
    """Tell whether a page's body is an XML sitemap or feed, or a gzip file.

    >>> is_sitemap(b"<?xml version='1.0'?><!-- of 2026 --><urlset>"), is_sitemap(b"<!doctype html><html>")
    (True, False)
    """
    found = _PROLOG.match(body[:STEP].replace(b"\0", b"").lstrip(b"\xef\xbb\xbf\xff\xfe"))
    root = found["root"].decode("ascii", "replace").lower() if found else ""
    return body.startswith(b"\x1f\x8b") or _ROOTS.get(root, "html") != "html"


def iso_date(text: str) -> str | None:
    """Give a date as ISO 8601, as it stands or from the form of e-mails and feeds; None when it is none.

    >>> iso_date("Tue, 03 Feb 2026 10:00:00 GMT"), iso_date("2026-02"), iso_date("yesterday")
    ('2026-02-03T10:00:00+00:00', '2026-02', None)
    """
    text = text.strip()
    if _ISO.fullmatch(text):
        return text
    try:
        found = parsedate_to_datetime(text)
    except (ValueError, TypeError):
        return None
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).isoformat()


def _read_xml(kind: Kind, pieces: Iterator[bytes], url: str, *, is_wide: bool) -> SitemapContent:
    """Read an XML file; ``is_wide`` tells that its characters have two bytes (UTF-16)."""
    content = SitemapContent(kind)
    records: Any = _Records(content, url)
    parser = etree.XMLParser(target=records, recover=True, resolve_entities=False, no_network=True, load_dtd=False)
    try:
        for piece in pieces if is_wide else _with_references(pieces):
            parser.feed(piece)
            if len(content.urls) > MOST_LISTED:
                del content.urls[MOST_LISTED:]
                content.fault = f"it lists more than {MOST_LISTED} addresses; the rest was not read"
                return content
        faults, whole = _faults(parser), (len(content.urls), len(content.sitemaps))
        parser.close()
    except etree.XMLSyntaxError as error:
        content.fault = f"it is damaged: {error.msg}"
        return content
    if len(_faults(parser)) > len(faults):  # it breaks off: what the end has closed is not whole
        del content.urls[whole[0] :], content.sitemaps[whole[1] :]
    content.fault = next((f"it is damaged at line {one.line}: {one.message}" for one in _faults(parser)), "")
    return content


def _faults(parser: Any) -> list[Any]:
    return [one for one in parser.feed_error_log if one.level >= etree.ErrorLevels.ERROR]


def _with_references(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Give the file with each "&" of an address as XML writes it, and characters that have names in HTML only."""
    left = b""
    for piece in pieces:
        text = left + piece
        cut = _border(text)
        left = text[cut:]
        yield _AMPERSAND.sub(_reference, text[:cut])
    yield _AMPERSAND.sub(_reference, left)


def _border(text: bytes) -> int:
    """Give where a piece can be cut: in front of a reference or a CDATA section that may go on in the next one."""
    section = text.rfind(b"<![CDATA[")
    end = text.find(b"]]>", section) if section >= 0 else 0
    if end < 0 and len(text) - section < _LONGEST_CDATA:
        return section
    last = max(text.rfind(b"&", max(end, len(text) - _LONGEST_REFERENCE)), text.rfind(b"<", max(end, len(text) - 9)))
    return last if last >= 0 else len(text)


def _reference(match: re.Match[bytes]) -> bytes:
    name = match[1]
    if match[0].startswith(b"<"):
        return match[0]
    if name is None:
        return b"&amp;"
    if name in (b"amp", b"lt", b"gt", b"quot", b"apos"):
        return match[0]
    meant = html5.get(f"{name.decode('ascii', 'replace')};", "")
    return "".join(f"&#{ord(character)};" for character in meant).encode() or b"&amp;" + match[0][1:]


class _Records:
    """Takes the elements of a file as they come; no tree is made of them."""

    def __init__(self, content: SitemapContent, url: str) -> None:
        self._content, self._url = content, url
        self._names: dict[str, str] = {}
        self._depth = self._record_depth = 0
        self._inside = ""
        self._record: dict[str, str] = {}
        self._text: list[str] | None = None

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        name = self._names.get(tag)
        if name is None:
            name = self._names[tag] = tag.rpartition("}")[2].rpartition(":")[2].lower()
        self._depth += 1
        if not self._record_depth:
            if name in _RECORDS:
                self._record_depth, self._record = self._depth, {}
            return
        level = self._depth - self._record_depth
        if level == 1:
            self._inside = name
        is_read = name in _READ and (level == 1 or (level == 2 and self._inside == "news"))
        self._text = [] if is_read and name not in self._record else None
        if name == "link" and level == 1 and is_read:
            if attributes.get("rel", "alternate") != "alternate":
                self._text = None
            elif attributes.get("href"):
                self._record.setdefault("link", attributes["href"])
                self._text = None
        elif name == "guid" and attributes.get("isPermaLink", "true") == "false":
            self._text = None

    def data(self, text: str) -> None:
        if self._text is not None:
            self._text.append(text)

    def end(self, tag: str) -> None:
        name = self._names.get(tag, "")
        if self._record_depth and self._depth == self._record_depth:
            self._take(name)
            self._record_depth = 0
        elif self._text is not None and (text := "".join(self._text).strip()):
            self._record.setdefault(name, text)
        self._text = None
        self._depth -= 1

    def close(self) -> None:
        """Do nothing: what came was taken as it came."""

    def _take(self, name: str) -> None:
        record, content = self._record, self._content
        written = record.get("loc" if name in ("url", "sitemap") else "link", "") or record.get("guid", "")
        target = written if _PLAIN_ADDRESS.fullmatch(written) else absolute_url(written, self._url) if written else ""
        if not target:
            return
        if name == "sitemap":
            content.sitemaps.append(target)
            return
        changed = next((date for one in _DATES if one in record and (date := iso_date(record[one]))), None)
        title = collapse(record["title"])[:LONGEST_TITLE] if "title" in record else None
        content.urls.append(SiteUrl(target, title or None, changed, "feed" if content.kind == "feed" else "sitemap"))


def _read_text(body: bytes, url: str) -> SitemapContent:
    """Read a text sitemap: an address a line."""
    lines = [line.strip() for line in body.decode("utf-8-sig", "replace").splitlines() if line.strip()]
    listed = [line for line in lines if _ADDRESS.fullmatch(line)]
    if not listed:
        return SitemapContent(fault="it is no sitemap: no line of it is an address")
    targets = [target for line in listed[:MOST_LISTED] if (target := absolute_url(line, url))]
    others = len(lines) - len(targets)
    fault = f"{others} of its {len(lines)} lines are no addresses" if others else ""
    return SitemapContent("text", [SiteUrl(target) for target in targets], fault=fault)


def _unpacked(body: bytes) -> Iterator[bytes]:
    """Give the body in pieces, unpacked where it is a gzip file."""
    if not body.startswith(b"\x1f\x8b"):
        if len(body) > LARGEST:
            raise DecompressedTooLarge(f"a sitemap of {len(body)} bytes; the protocol allows {LARGEST}")
        yield from (body[at : at + STEP] for at in range(0, len(body), STEP))
        return
    stream, left, size = zlib.decompressobj(_GZIP), body, 0
    while left and not stream.eof:
        try:
            piece = stream.decompress(left, STEP)
        except zlib.error as error:
            raise UnsupportedContent(f"the gzip file is damaged: {error}") from None
        left = stream.unconsumed_tail
        size += len(piece)
        if size > LARGEST:
            raise DecompressedTooLarge(f"the gzip file unpacks to more than {LARGEST} bytes, what a sitemap may have")
        if piece:
            yield piece
    if not stream.eof:
        raise UnsupportedContent("the gzip file ends early")
