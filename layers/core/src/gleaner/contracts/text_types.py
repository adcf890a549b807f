"""Content types of texts, and of those that browsers can't show."""

import re

_DATA = frozenset({
    "application/csv", "application/ics", "application/jsonl", "application/json-seq", "application/ndjson",
    "application/sql", "application/toml", "application/vnd.apple.mpegurl", "application/x-mpegurl",
    "application/x-ndjson", "application/x-subrip", "application/x-yaml", "application/yaml",
    "text/calendar", "text/comma-separated-values", "text/csv", "text/directory", "text/ldif", "text/ofx", "text/qif",
    "text/tab-separated-values", "text/tsv", "text/vcard", "text/x-calendar", "text/x-csv", "text/x-qif",
    "text/x-vcalendar", "text/x-vcard", "text/markdown", "text/x-markdown", "text/vnd.daringfireball.markdown",
    "message/rfc822", "message/global", "multipart/related", "application/x-mimearchive",
})  # fmt: skip
"""What Chromium downloads or plays, and has an empty page for: texts all the same."""

_TEXTS = ("text/", "application/xhtml", "application/xml", "application/json", "application/ld+json")
_SCRIPT = "application/javascript"
_LOOKED_AT = 4_096
_MARKS = (b"\xef\xbb\xbf", b"\xfe\xff", b"\xff\xfe")
_BINARY = frozenset((*range(0x09), 0x0B, *range(0x0E, 0x1B), *range(0x1C, 0x20)))
_HTML_START = re.compile(
    r"[\s\ufeff]*(?:<!--(?:[^-]|-(?!->))*-->\s*|<\?xml[^>]*>\s*)*"
    r"<(?:!doctype html|html|head|body|title|meta|link|script|style|h[1-6]|main|"
    r"article|section|div|table|p|ul|ol|a|b|br|font|iframe|frameset)(?=[\s/>])",
    re.IGNORECASE,
)


def essence_of(content_type: str) -> str:
    """Give the type alone, in small letters.

    >>> essence_of("Text/HTML; charset=utf-8")
    'text/html'
    """
    return content_type.partition(";")[0].strip().lower()


def is_text(content_type: str) -> bool:
    """Tell whether a body of this type is text; one without a type may be.

    >>> [is_text(kind) for kind in ("", "text/csv", "application/feed+json", "application/x-ndjson", "application/zip")]
    [True, True, True, True, False]
    """
    essence = essence_of(content_type)
    is_known = essence in _DATA or essence == _SCRIPT or essence.startswith(_TEXTS)
    return not essence or is_known or essence.endswith(("+xml", "+json"))


def is_shown_by_no_browser(content_type: str) -> bool:
    """Tell whether it is the type of a text that a browser downloads or plays.

    >>> is_shown_by_no_browser("application/x-mpegURL"), is_shown_by_no_browser("text/plain")
    (True, False)
    """
    return essence_of(content_type) in _DATA


def looks_like_text(body: bytes) -> bool:
    """Tell whether bytes are those of a text, whatever their declared type (WHATWG MIME sniffing, "binary data byte").

    >>> looks_like_text(b"<!doctype html><p>a"), looks_like_text(b"PK\\x03\\x04")
    (True, False)
    """
    head = body[:_LOOKED_AT]
    if head.startswith(_MARKS):
        return True
    return bool(head.strip()) and not any(byte in _BINARY for byte in head)


def looks_like_html(text: str) -> bool:
    """Tell whether a text of no telling type begins as a page does."""
    return _HTML_START.match(text[:_LOOKED_AT]) is not None
