"""Read sitemaps (sitemaps.org 0.9), sitemap indexes, text sitemaps, RSS and Atom, in one pass over their tags.

Nothing here fetches. What is damaged gives the records in front of the damage and behind it, and says that it is so;
no text of any kind takes more than linear time, expands an entity, or raises anything but the two errors named below.
"""

import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC
from email.utils import parsedate_to_datetime
from html import unescape
from typing import Literal
from urllib.parse import urlsplit

from gleaner.contracts.errors import DecompressedTooLarge, UnsupportedContent
from gleaner.html.decoding.charsets import codec_of
from gleaner.html.layout import collapse
from gleaner.html.links import absolute_url
from gleaner.sites.addresses import site_of
from gleaner.sites.links import LONGEST_TITLE
from gleaner.sites.site_urls import SiteUrl

Kind = Literal["urls", "index", "feed", "text", "html", "unknown"]
LARGEST = 52_428_800
"""Bytes that a sitemap may unpack to, by the protocol (sitemaps.org, "Sitemap file size")."""

MOST_LISTED = 100_000
"""Addresses that are read of one file: twice what the protocol allows."""

START = 65_536
"""Characters in which a root element is looked for."""

_GZIP_MAGIC, _GZIP, _STEP = b"\x1f\x8b", 16 + zlib.MAX_WBITS, 65_536
_ROOTS: dict[str, Kind] = {"urlset": "urls", "sitemapindex": "index", "rss": "feed", "feed": "feed", "rdf": "feed"}
_RECORDS = {"urls": ("url",), "index": ("sitemap",), "feed": ("item", "entry")}
_PAGES = frozenset({"html", "head", "body"})
_DATES = ("lastmod", "updated", "pubdate", "date", "published", "publication_date")
"""What says when something was changed, the best first."""

_READ = frozenset({"loc", "link", "guid", "title", *_DATES})
_TAG = re.compile(r"<(?:(/?)([\w:.-]++)([^<>]*)>|!\[CDATA\[|!--)")
_ATTRIBUTE = re.compile(r"(?<![\w:])([\w:]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_REFERENCE = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|\w{1,40});")
_ENCODING = re.compile(rb"<\?xml[^<>]{0,100}?encoding\s*=\s*[\"']([\w.:-]{1,40})")
_DOCTYPE = re.compile(r"\s*<!doctype\s+html\b", re.IGNORECASE)
_ISO = re.compile(r"\d{4}(-\d\d(-\d\d([T ]\d\d:\d\d\S{0,40})?)?)?")
_ADDRESS = re.compile(r"https?://\S+", re.IGNORECASE)
_NO_LINK = re.compile(r"ispermalink\s*=\s*[\"']false", re.IGNORECASE)
_PLAIN_ADDRESS = re.compile(r"https?://[a-z0-9.-]+(?::[1-9]\d*)?/(?:(?!/\.)[!-\[\]_-~])*")
"""An address that needs no care: what it is resolved to is the same."""

_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:|[/?#]", re.IGNORECASE)


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
    text = _decoded(_unpacked(body))
    if not text.strip():
        return SitemapContent(fault="it is empty")
    if not text.lstrip().startswith("<"):
        return _read_text(text, url)
    kind, root, start = _root_of(text)
    if kind == "html":
        return SitemapContent(kind, fault="it is an HTML page, not a sitemap")
    if kind == "unknown":
        said = f"its root element is <{root[:40]}>: " if root else ""
        return SitemapContent(fault=f"{said}it is no sitemap and no feed")
    content = SitemapContent(kind)
    if "<!entity" in text[:start].lower():
        content.fault = "it declares entities, which no sitemap needs; they were not expanded"
    _Records(content, url, root).read(text, start)
    return content


def is_sitemap(body: bytes) -> bool:
    """Tell whether a page's body is an XML sitemap or feed, or a gzip file.

    >>> is_sitemap(b"<?xml version='1.0'?><!-- of 2026 --><urlset>"), is_sitemap(b"<!doctype html><html>")
    (True, False)
    """
    return body.startswith(_GZIP_MAGIC) or _root_of(_decoded(body[:START]))[0] in _RECORDS


def iso_date(text: str) -> str | None:
    """Give a date as ISO 8601, as it stands or from the form of e-mails and feeds; None when it is none.

    >>> iso_date("Tue, 03 Feb 2026 10:00:00 GMT"), iso_date("2026-02"), iso_date("yesterday")
    ('2026-02-03T10:00:00+00:00', '2026-02', None)
    """
    text = text.strip()[:100]
    if _ISO.fullmatch(text):
        return text
    try:
        found = parsedate_to_datetime(text)
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).isoformat()
    except (ValueError, TypeError, LookupError, OverflowError):
        return None


# From bytes to text


def _unpacked(body: bytes) -> bytes:
    """Give the body, unpacked where it is a gzip file: all of its members (RFC 1952, 2.2)."""
    if len(body) > LARGEST:
        raise DecompressedTooLarge(f"a sitemap of {len(body)} bytes; the protocol allows {LARGEST}")
    if not body.startswith(_GZIP_MAGIC):
        return body
    pieces, at, size, stream = list[bytes](), 0, 0, zlib.decompressobj(_GZIP)
    while at < len(body) and (not stream.eof or body.startswith(_GZIP_MAGIC, at)):
        stream = zlib.decompressobj(_GZIP) if stream.eof else stream
        packed = body[at : at + _STEP]
        try:
            pieces.append(stream.decompress(packed, LARGEST + 1 - size))
        except zlib.error as error:
            raise UnsupportedContent(f"the gzip file is damaged: {error}") from None
        at += len(packed) - len(stream.unconsumed_tail) - len(stream.unused_data)
        size += len(pieces[-1])
        if size > LARGEST:
            raise DecompressedTooLarge(f"the gzip file unpacks to more than {LARGEST} bytes, what a sitemap may have")
    if not stream.eof:
        raise UnsupportedContent("the gzip file ends early")
    return b"".join(pieces)


def _decoded(body: bytes) -> str:
    """Give the text by its mark, its zero bytes or its declaration; else as UTF-8."""
    if body.startswith((b"\xff\xfe", b"\xfe\xff")):
        return body.decode("utf-16", "replace")
    if b"\0" in body[:4]:
        return body.decode("utf-16-be" if body.startswith(b"\0") else "utf-16-le", "replace")
    declared = _ENCODING.match(body[:200].lstrip())
    codec = (codec_of(declared[1].decode("ascii", "replace")) if declared else None) or "utf-8"
    return body.decode("utf-8-sig" if codec == "utf-8" or "16" in codec else codec, "replace")


def _read_text(text: str, url: str) -> SitemapContent:
    """Read a text sitemap: an address a line."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    listed = [line for line in lines if _ADDRESS.fullmatch(line)]
    if not listed:
        return SitemapContent(fault="it is no sitemap: no line of it is an address")
    targets = [target for line in listed[:MOST_LISTED] if (target := absolute_url(line, url))]
    others = len(lines) - len(targets)
    fault = f"{others} of its {len(lines)} lines are no addresses" if others else ""
    return SitemapContent("text", [SiteUrl(target) for target in targets], fault=fault)


# From text to records


def _tags(text: str, at: int, end: int | None = None) -> Iterator[tuple[int, str, str, bool, str]]:
    """Give the tags of a text, each with where it ends, its local name, its attributes, whether it is an end tag, and
    the text in front of it; comments are left out, CDATA is text."""
    before, stop, names = "", len(text) if end is None else min(end, len(text)), dict[str, str]()
    while found := _TAG.search(text, at, stop):
        if found.start() > at:
            before += _plain(text[at : found.start()])
        slash, written, attributes = found.groups()
        at = found.end()
        if written is not None:
            name = names.get(written)
            if name is None:
                name = names[written] = written.rpartition(":")[2].lower()
            yield at, name, attributes, bool(slash), before
            before = ""
            continue
        is_data = found[0] == "<![CDATA["
        close = text.find("]]>" if is_data else "-->", at, stop)
        close = stop if close < 0 else close  # nothing behind it can be read
        before += text[at:close] if is_data else ""
        at = close + 3


def _plain(text: str) -> str:
    return _REFERENCE.sub(lambda match: unescape(match[0]), text) if "&" in text else text


def _root_of(text: str) -> tuple[Kind, str, int]:
    """Give what a file is by its root element, that element's name and where it ends; a notice may stand before it."""
    first = ""
    for end, name, _, is_end, _ in _tags(text, 0, START):
        if not first and (name in _PAGES or _DOCTYPE.match(text)):
            return "html", name, end
        if name in _ROOTS and not is_end:
            return _ROOTS[name], name, end
        first = first or name
    return "unknown", first, 0


class _Records:
    """Takes the records of a file as their tags come; no tree is made of them."""

    def __init__(self, content: SitemapContent, url: str, root: str) -> None:
        self._content, self._url, self._root = content, url, root
        self._names = _RECORDS[content.kind]
        self._record: dict[str, str] | None = None
        self._open: list[tuple[str, str]] = []
        """The elements inside the record that are open: what each is called, and which field its text is, if any."""
        self._without = 0

    def read(self, text: str, at: int) -> None:
        """Read all records behind the root's start tag, and note what is wrong."""
        is_closed = False
        for end, name, attributes, is_end, before in _tags(text, at):
            if len(self._content.urls) + len(self._content.sitemaps) >= MOST_LISTED:
                self._fault(f"it lists more than {MOST_LISTED} addresses; the rest was not read")
                return
            if not is_end:
                self._start(name, attributes, before)
            elif self._record is not None and not self._end(name, before) and not self._content.fault:
                self._fault(f"it is damaged at line {text.count(chr(10), 0, end) + 1}: </{name}> ends nothing")
            is_closed = is_closed or (is_end and name == self._root)
        if self._record is not None or not is_closed:
            self._fault(f"it is damaged: it breaks off before </{self._root}>")
        if self._without and self._content.kind != "feed":
            entries = "1 of its entries has" if self._without == 1 else f"{self._without} of its entries have"
            self._fault(f"{entries} no address")

    def _fault(self, said: str) -> None:
        self._content.fault = self._content.fault or said

    def _start(self, name: str, attributes: str, before: str) -> None:
        is_empty = attributes.endswith("/")
        if name in self._names and not self._open:
            if self._record is not None:
                self._take()
            self._record = {}
            if is_empty:
                self._take()
        elif self._record is not None:
            self._record.setdefault("", before.strip())
            inside = self._open[0][0] if self._open else ""
            is_read = name in _READ and (not self._open or (len(self._open) == 1 and inside == "news"))
            if name == "link" and "=" in attributes:
                self._take_link(attributes)
                is_read = False
            if not is_empty:
                is_permanent = not _NO_LINK.search(attributes)
                self._open.append((name, name if is_read and is_permanent else ""))

    def _take_link(self, attributes: str) -> None:
        """Take the address of Atom's ``<link rel="alternate" href="…"/>``."""
        given = {found[1].lower(): found[2] or found[3] or "" for found in _ATTRIBUTE.finditer(attributes)}
        if given.get("rel", "alternate") == "alternate" and given.get("href") and self._record is not None:
            self._record.setdefault("link", _plain(given["href"]))

    def _end(self, name: str, before: str) -> bool:
        """Close the element that is open last, whatever the end tag says, or the record; tell whether it fits."""
        record, was_inside = self._record, bool(self._open)
        is_record = name in self._names and all(one != name for one, _ in self._open)
        if record is not None and self._open:
            last, field_name = self._open.pop()
            if field_name and before.strip():
                record.setdefault(field_name, before.strip())
            if not is_record:
                return last == name
        elif record is not None:
            record.setdefault("", before.strip())
        if is_record:
            self._take()
        return is_record and not was_inside

    def _take(self) -> None:
        record, content = self._record or {}, self._content
        self._record, self._open = None, []
        own = ("link", "guid") if content.kind == "feed" else ("loc", "")
        target = self._address(next((record[name] for name in own if record.get(name)), ""))
        if not target:
            self._without += 1
        elif content.kind == "index":
            content.sitemaps.append(target)
        else:
            changed = next((date for one in _DATES if one in record and (date := iso_date(record[one]))), None)
            title = collapse(record["title"])[:LONGEST_TITLE] or None if "title" in record else None
            content.urls.append(SiteUrl(target, title, changed, "feed" if content.kind == "feed" else "sitemap"))

    def _address(self, written: str) -> str:
        """Give the absolute form; "www.shop.example/d" is a host, and no path below the sitemap's."""
        if _PLAIN_ADDRESS.fullmatch(written):
            return written
        host = written.partition("/")[0].lower()
        is_host = host.startswith("www.") or host.removeprefix("www.") == site_of(self._url)
        scheme = f"{urlsplit(self._url).scheme}://" if is_host and not _SCHEME.match(written) else ""
        return absolute_url(scheme + written, self._url) if written else ""
