"""The links of a page, each with what it is called; those of its feeds and sitemaps."""

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urldefrag

from lxml.html import HtmlElement

from gleaner.html.dom import raw_text
from gleaner.html.layout import collapse
from gleaner.html.links import absolute_url, base_url_of

FEED_TYPES = frozenset({"application/rss+xml", "application/atom+xml", "application/rdf+xml"})
LONGEST_TITLE = 200


@dataclass(frozen=True, slots=True)
class SiteLink:
    """Where a link leads, without a fragment, and what it is called; "" when it has no name."""

    url: str
    title: str


def link_label(element: HtmlElement) -> str:
    """Give what a link is called: its text, else its label, its title, or the text that stands for its picture."""
    text = collapse(raw_text(element))
    return text or collapse(element.get("aria-label") or element.get("title") or "")


def links_of(root: HtmlElement, url: str) -> Iterator[SiteLink]:
    """Give the links of a page at ``url`` to pages, in page order; the same target may come again."""
    base = base_url_of(root, url)
    for element in root.iter("a", "area"):
        href = (element.get("href") or "").strip()
        target = urldefrag(absolute_url(href, base))[0] if href and not href.startswith("#") else ""
        if target:
            picture = next((one.get("alt") or "" for one in element.iter("img")), "")
            yield SiteLink(target, (link_label(element) or collapse(picture))[:LONGEST_TITLE])


def feeds_of(root: HtmlElement, url: str) -> Iterator[tuple[str, bool]]:
    """Give the feeds and sitemaps that a page names, each with whether it is a sitemap."""
    base = base_url_of(root, url)
    for element in root.iter("link"):
        relations = (element.get("rel") or "").lower().split()
        is_feed = "alternate" in relations and (element.get("type") or "").strip().lower() in FEED_TYPES
        target = absolute_url((element.get("href") or "").strip(), base) if element.get("href") else ""
        if target and (is_feed or "sitemap" in relations):
            yield target, "sitemap" in relations


def page_title(root: HtmlElement) -> str:
    """Give the title of a page; "" when it has none."""
    found = next(root.iter("title"), None)
    return collapse(raw_text(found))[:LONGEST_TITLE] if found is not None else ""


def asks_for_login(root: HtmlElement) -> bool:
    """Tell whether a page has a field for a password."""
    return bool(root.xpath("boolean(//input[@type='password'])"))
