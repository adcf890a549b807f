"""The links of a page: absolute http(s) URLs, deduplicated, in page order (BR-2)."""

from urllib.parse import urlsplit

from lxml.html import HtmlElement

from gleaner.contracts.web_addresses import resolve_reference
from gleaner.html.dom import parse_html


def page_links(html: str, url: str) -> list[str]:
    """Give the targets of the page's anchors and areas, with their fragments, as a browser does.

    >>> page_links('<a href="/a#x">A</a><a href="/a">B</a><a href="/a">C</a><a href="tel:1">D</a>', "https://e.example/")
    ['https://e.example/a#x', 'https://e.example/a']
    """
    root = parse_html(html)
    base = base_url_of(root, url)
    given = dict.fromkeys(href for link in root.iter("a", "area") if (href := (link.get("href") or "").strip()))
    return list(dict.fromkeys(filter(None, (absolute_url(href, base) for href in given))))


def base_url_of(root: HtmlElement, url: str) -> str:
    """Give the URL that relative ones are resolved against: the first ``<base href>``, or the page's own."""
    for base in root.iter("base"):
        if (base.get("href") or "").strip():
            return absolute_url(base.get("href", ""), url) or url
    return url


def absolute_url(reference: str, base: str) -> str:
    """Give the reference as an absolute http(s) URL, "" when it is none; without a base it may stay relative.

    >>> absolute_url("../b c?x#y", "https://e.example/a/c"), absolute_url("javascript:alert(1)", "https://e.example/")
    ('https://e.example/b%20c?x#y', '')
    """
    try:
        target = resolve_reference(base, reference).replace(" ", "%20")
        parts = urlsplit(target)
    except ValueError:
        return ""
    if parts.scheme in ("http", "https") and parts.netloc:
        return target
    return target if not base and not parts.scheme else ""
