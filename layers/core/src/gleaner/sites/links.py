"""The links of a page, each with what it is called; those of its feeds and sitemaps."""

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urldefrag

from gleaner.html.layout import collapse
from gleaner.html.links import absolute_url
from gleaner.page.model import LAYERS, Nodes, Page

FEED_TYPES = frozenset({"application/rss+xml", "application/atom+xml", "application/rdf+xml"})
LONGEST_TITLE = 200


@dataclass(frozen=True, slots=True)
class SiteLink:
    """Where a link leads, without a fragment, and what it is called; "" when it has no name."""

    url: str
    title: str


def link_label(nodes: Nodes, link: int) -> str:
    """Give what a link is called: its text, else its label, its title, or the text that stands for its picture."""
    text = collapse(nodes.text(link, LAYERS))
    return text or collapse(nodes.get(link, "aria-label") or nodes.get(link, "title") or "")


def link_target(page: Page, link: int) -> str:
    """Give where a link leads, without a fragment; "" for one that leads nowhere else."""
    href = (page.unplaced.get(link, "href") or "").strip()
    return urldefrag(absolute_url(href, page.base))[0] if href and not href.startswith("#") else ""


def links_of(page: Page) -> Iterator[SiteLink]:
    """Give the links of a page to pages, in page order; the same target may come again."""
    nodes = page.unplaced
    for link in nodes.tagged("a", "area"):
        if target := link_target(page, link):
            inside = range(link, nodes.ends[link])
            picture = next((nodes.get(one, "alt") or "" for one in inside if nodes.tags[one] == "img"), "")
            yield SiteLink(target, (link_label(nodes, link) or collapse(picture))[:LONGEST_TITLE])


def feeds_of(page: Page) -> Iterator[tuple[str, bool]]:
    """Give the feeds and sitemaps that a page names, each with whether it is a sitemap."""
    nodes = page.unplaced
    for link in nodes.tagged("link"):
        relations = (nodes.get(link, "rel") or "").lower().split()
        is_feed = "alternate" in relations and (nodes.get(link, "type") or "").strip().lower() in FEED_TYPES
        href = (nodes.get(link, "href") or "").strip()
        target = absolute_url(href, page.base) if href else ""
        if target and (is_feed or "sitemap" in relations):
            yield target, "sitemap" in relations


def asks_for_login(page: Page) -> bool:
    """Tell whether a page has a field for a password."""
    nodes = page.unplaced
    return any(nodes.get(one, "type") == "password" for one in nodes.tagged("input"))
