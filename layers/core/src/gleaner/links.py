"""The links of a page: absolute http(s) URLs, deduplicated, in page order (BR-2)."""

from collections.abc import Iterator
from urllib.parse import urldefrag, urljoin, urlsplit

from gleaner.dom import parse_html


def page_links(html: str, url: str) -> list[str]:
    """Give the targets of the page's anchors and areas, resolved against ``<base>`` and the URL, without fragments.

    >>> page_links('<a href="/a#x">A</a><a href="a">B</a><a href="javascript:1">C</a>', "https://e.example/")
    ['https://e.example/a']
    """
    return list(dict.fromkeys(_targets(html, url)))


def _targets(html: str, url: str) -> Iterator[str]:
    root = parse_html(html)
    base = url
    for element in root.iter("base", "a", "area"):
        href = (element.get("href") or "").strip()
        target = _absolute(base, href)
        if element.tag == "base":
            base = target or base
        elif target is not None:
            yield target


def _absolute(base: str, href: str) -> str | None:
    if not href:
        return None
    try:
        target = urldefrag(urljoin(base, href)).url
        parts = urlsplit(target)
    except ValueError:
        return None
    return target if parts.scheme in ("http", "https") and parts.netloc else None
