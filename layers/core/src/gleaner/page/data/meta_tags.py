"""OpenGraph and the like: meta tags of the page's head."""

from typing import Any

from lxml.html import HtmlElement

from gleaner.page.data.properties import Node, add_value

_META = {
    "og:title": "title",
    "og:description": "description",
    "og:image": "image",
    "og:url": "url",
    "article:published_time": "datePublished",
    "article:modified_time": "dateModified",
    "product:price:amount": "price",
    "og:price:amount": "price",
    "product:price:currency": "priceCurrency",
    "og:price:currency": "priceCurrency",
    "product:brand": "brand",
    "product:availability": "availability",
    "book:isbn": "isbn",
    "book:author": "author",
}


def read_meta(root: HtmlElement) -> list[Node]:
    """Give what OpenGraph and meta tags say of the page, under schema.org's names: at most one object."""
    node: dict[str, Any] = {}
    for meta in root.iter("meta"):
        name = _META.get((meta.get("property") or meta.get("name") or "").strip().lower())
        content = (meta.get("content") or "").strip()
        if name and content and node.get(name) != content:
            add_value(node, name, content)
    return [node] if node else []
