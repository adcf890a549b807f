"""Content types of texts, and of those that a browser has no page for."""

_DATA = frozenset({
    "application/csv", "application/ics", "application/jsonl", "application/json-seq", "application/ndjson",
    "application/sql", "application/toml", "application/vnd.apple.mpegurl", "application/x-mpegurl",
    "application/x-ndjson", "application/x-subrip", "application/x-yaml", "application/yaml",
    "text/calendar", "text/comma-separated-values", "text/csv", "text/directory", "text/ldif", "text/ofx", "text/qif",
    "text/tab-separated-values", "text/tsv", "text/vcard", "text/x-calendar", "text/x-csv", "text/x-qif",
    "text/x-vcalendar", "text/x-vcard",
})  # fmt: skip
"""What Chromium downloads or plays, and has an empty page for: texts all the same."""

_TEXTS = ("text/", "application/xhtml", "application/xml", "application/json", "application/ld+json")
_SCRIPT = "application/javascript"


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
