"""What a page of a site says of others and of itself: its links, feeds and sitemaps, and how robots are to take it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from sys import maxsize
from urllib.parse import urldefrag

from lxml import etree
from lxml.html import HtmlElement

from gleaner.html.dom import raw_text
from gleaner.html.layout import collapse
from gleaner.html.links import absolute_url, base_url_of
from gleaner.html.visibility import is_hidden
from gleaner.page.model import PageOptions
from gleaner.page.opening import parse_part

FEED_TYPES = frozenset({"application/rss+xml", "application/atom+xml", "application/rdf+xml"})
LONGEST_TITLE = 200
_CHANGING = frozenset({"post", "put", "patch", "delete"})


@dataclass(frozen=True, slots=True)
class SiteLink:
    """Where a link leads, without a fragment, and what it is called; "" when it has no name.

    ``left_out`` says why it is not to be followed: "nofollow", "hidden", "actions"; "" for one that may be.
    """

    url: str
    title: str
    left_out: str = ""


@dataclass(frozen=True, slots=True)
class SitePage:
    """A page as a map sees it. ``canonical`` is the address that it gives itself, "" if none.

    ``feeds`` are the feeds and sitemaps that it names, each with whether it is a sitemap.
    """

    url: str
    title: str = ""
    canonical: str = ""
    is_indexed: bool = True
    asks_for_login: bool = False
    feeds: tuple[tuple[str, bool], ...] = ()
    links: tuple[SiteLink, ...] = field(default=(), repr=False)


def read_page(html: str, url: str, headers: Mapping[str, str]) -> SitePage:
    """Read a page that came from ``url``. Robots' rules count, of a ``<meta>`` or of the header X-Robots-Tag."""
    root = parse_part(html, url, PageOptions(max_size=maxsize)).root
    base = base_url_of(root, url)
    metas = (one.get("content") or "" for one in root.iter("meta") if (one.get("name") or "").lower() == "robots")
    rules = {word.strip().lower() for text in (*metas, headers.get("x-robots-tag") or "") for word in text.split(",")}
    canonical = next((one for one in root.iter("link") if "canonical" in _relations(one)), None)
    return SitePage(
        url,
        _title_of(root),
        urldefrag(absolute_url((canonical.get("href") or "").strip(), base))[0] if canonical is not None else "",
        rules.isdisjoint({"noindex", "none"}),
        asks_for_login(root),
        tuple(_feeds_of(root, base)),
        tuple(_links_of(root, base, "" if rules.isdisjoint({"nofollow", "none"}) else "nofollow")),
    )


def asks_for_login(root: HtmlElement) -> bool:
    """Tell whether a page has a field for a password."""
    return bool(root.xpath("boolean(//input[@type='password'])"))


def link_label(element: HtmlElement) -> str:
    """Give what a link is called: its text, else its label, its title, or the text that stands for its picture."""
    text = collapse(raw_text(element)) or collapse(element.get("aria-label") or element.get("title") or "")
    return text or collapse(next((one.get("alt") or "" for one in element.iter("img")), ""))


def _links_of(root: HtmlElement, base: str, of_all: str) -> Iterator[SiteLink]:
    """Give the links to pages, in page order; the same target may come again. ``of_all`` is why none is followed."""
    hidden: HtmlElement | None = None
    for event, element in etree.iterwalk(root, events=("start", "end")):
        if event == "end":
            hidden = None if element is hidden else hidden
            continue
        hidden = element if hidden is None and is_hidden(element) else hidden
        href = (element.get("href") or "").strip() if element.tag in ("a", "area") else ""
        target = urldefrag(absolute_url(href, base))[0] if href and not href.startswith("#") else ""
        if not target:
            continue
        method = element.get("data-method") or element.get("data-turbo-method") or element.get("formmethod") or ""
        why = "actions" if method.lower() in _CHANGING else "nofollow" if "nofollow" in _relations(element) else of_all
        yield SiteLink(target, link_label(element)[:LONGEST_TITLE], why or ("hidden" if hidden is not None else ""))


def _feeds_of(root: HtmlElement, base: str) -> Iterator[tuple[str, bool]]:
    for element in root.iter("link"):
        relations = _relations(element)
        is_feed = "alternate" in relations and (element.get("type") or "").strip().lower() in FEED_TYPES
        target = absolute_url((element.get("href") or "").strip(), base) if element.get("href") else ""
        if target and (is_feed or "sitemap" in relations):
            yield target, "sitemap" in relations


def _title_of(root: HtmlElement) -> str:
    found = next(root.iter("title"), None)
    return collapse(raw_text(found))[:LONGEST_TITLE] if found is not None else ""


def _relations(element: HtmlElement) -> Sequence[str]:
    return (element.get("rel") or "").lower().split()
