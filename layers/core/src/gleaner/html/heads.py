"""What a page says of itself as a whole: its title, its language, and the base of its addresses."""

from dataclasses import dataclass

from lxml.html import HtmlElement
from selectolax.lexbor import LexborHTMLParser, LexborNode

from gleaner.html.dom import raw_text
from gleaner.html.layout import collapse
from gleaner.html.links import absolute_url, base_url_of


@dataclass(frozen=True, slots=True)
class Head:
    """Title and language of a page, "" for none, and the URL that relative ones are resolved against."""

    title: str
    language: str
    base: str


def head_of(root: HtmlElement, url: str) -> Head:
    """Give what the tree of a whole page says of it.

    >>> from gleaner.html.dom import parse_html
    >>> head_of(parse_html("<html lang=de><base href=/a/><title> Tee </title>"), "https://a.example/")
    Head(title='Tee', language='de', base='https://a.example/a/')
    """
    return Head(page_title(root), (root.get("lang") or "").strip(), base_url_of(root, url))


def page_title(root: HtmlElement) -> str:
    """Give the title of a page: ``<title>``, else ``og:title``, else the first ``<h1>``; "" when it has none."""
    for title in root.iter("title"):
        if next(title.iterancestors("svg"), None) is None and (text := collapse(title.text or "")):
            return text
    for meta in root.iter("meta"):
        if (meta.get("property") or meta.get("name")) == "og:title" and (text := collapse(meta.get("content") or "")):
            return text
    heading = next(root.iter("h1"), None)
    return collapse(raw_text(heading)) if heading is not None else ""


def head_of_selected(tree: LexborHTMLParser, url: str) -> Head:
    """Give the same of a page of which a part is chosen: of the tree that found the part."""
    root = tree.root
    language = (root.attributes.get("lang") or "").strip() if root is not None else ""
    bases = (collapse(one.attributes.get("href") or "") for one in tree.css("base[href]"))
    base = next(filter(None, bases), "")
    return Head(_title_in(tree), language, (absolute_url(base, url) or url) if base else url)


def _title_in(tree: LexborHTMLParser) -> str:
    for title in tree.css("title"):
        if not _is_drawn(title) and (text := collapse(title.text(deep=True))):
            return text
    for meta in tree.css("meta[content]"):
        named = meta.attributes.get("property") or meta.attributes.get("name")
        if named == "og:title" and (text := collapse(meta.attributes.get("content") or "")):
            return text
    heading = tree.css_first("h1")
    return collapse(heading.text(deep=True)) if heading is not None else ""


def _is_drawn(node: LexborNode) -> bool:
    one = node.parent
    while one is not None and one.tag != "svg":
        one = one.parent
    return one is not None
