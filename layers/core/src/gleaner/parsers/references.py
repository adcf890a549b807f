"""The links, images, videos and sounds of a page, as absolute URLs."""

from collections.abc import Iterator

from lxml.html import HtmlElement

from gleaner.html.links import absolute_url
from gleaner.html.non_text.image_sources import image_source

LAZY_SOURCES = ("src", "data-src")
MEDIA = {"img": "image", "video": "video", "audio": "audio"}


def find_links(root: HtmlElement, base: str) -> list[dict[str, str]]:
    """Give url, text and title of the links, in page order; equal ones once."""
    found: dict[tuple[str, str], dict[str, str]] = {}
    for link in root.iter("a", "area"):
        url = absolute_url(link.get("href") or "", base) if (link.get("href") or "").strip() else ""
        text = _link_text(link)
        if url:
            found.setdefault((url, text), {"url": url, "text": text, "title": (link.get("title") or "").strip()})
    return list(found.values())


def _link_text(link: HtmlElement) -> str:
    """Give what a reader sees of the link, else what stands in for it."""
    text = " ".join(" ".join(link.itertext()).split()) or (link.get("aria-label") or link.get("alt") or "").strip()
    return text or next((image.get("alt", "").strip() for image in link.iter("img") if image.get("alt")), "")


def find_media(root: HtmlElement, base: str) -> list[dict[str, str]]:
    """Give type, url, alt and title of the images, videos and sounds, in page order; equal ones once."""
    found: dict[tuple[str, str], dict[str, str]] = {}
    for element in root.iter(*MEDIA):
        kind = MEDIA[str(element.tag)]
        url = next(filter(None, (absolute_url(source, base) for source in _sources(element))), "")
        if url:
            alt = (element.get("alt") or element.get("aria-label") or "").strip()
            entry = {"type": kind, "url": url, "alt": alt, "title": (element.get("title") or "").strip()}
            found.setdefault((kind, url), entry)
    return list(found.values())


def _sources(element: HtmlElement) -> Iterator[str]:
    """Give the addresses of a media element: the real one of a lazy image, those of ``<source>`` children too."""
    if element.tag == "img":
        yield image_source(element)
        return
    for one in (element, *element.iter("source")):
        yield next((value for name in LAZY_SOURCES if (value := (one.get(name) or "").strip())), "")
