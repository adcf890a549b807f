"""The content tools of seed 002: counts and outline of an HTML text, and the likeness of two texts (CT-1, CT-2).

Both give a dict that says ``status`` ``ok`` or ``error``, and never raise. Only what a reader sees counts as text:
titles, scripts, styles, templates, fallbacks of media and hidden elements do not. The work on the tree is done by
libxml2 (XPath, stripping), so that it costs about as much as parsing.
"""

import hashlib
import re
import unicodedata
from collections.abc import Iterator
from typing import cast

from lxml import etree
from lxml.html import HtmlElement

from gleaner.dom import check_size, parse_html
from gleaner.errors import PageTooLarge
from gleaner.ports import JsonObject, JsonValue

NEVER_SEEN = (
    *("audio", "canvas", "datalist", "iframe", "noembed", "noframes", "noscript", "object", "rp"),
    *("script", "style", "template", "title", "video"),
)
"""Elements whose text a reader never sees, or only where the element itself does not work.

``head`` is not among them: where its tags are left out, libxml2 puts ``main``, ``article`` and their like into it.
"""

INLINE = (
    *("a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font", "i", "ins"),
    *("kbd", "label", "mark", "q", "ruby", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "time"),
    *("tt", "u", "var", "wbr"),
)
"""Elements that do not part the words around them."""

COUNTS = {
    "paragraph_count": etree.XPath("count(descendant::p)"),
    "link_count": etree.XPath("count(descendant::a[@href])"),
    "image_count": etree.XPath("count(descendant::img)"),
}
MAY_BE_HIDDEN = etree.XPath(
    "descendant::*/@hidden/..|descendant::*/@style/..|descendant::*/@data-gleaner-hidden/..|descendant::dialog"
)
"""Going by the attributes takes a fifth of the time that a predicate on each element does."""

HIDING_STYLE = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse))", re.I)
TAG = re.compile(b"<[^>]*>")
WIDE_SPACE = re.compile(b"\xc2[\x85\xa0]|\xe2\x80[\x80-\x8a\xa8\xa9\xaf]|\xe2\x81\x9f|\xe3\x80\x80|\xe1\x9a\x80")
"""The white space that UTF-8 writes in more than one byte."""

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
META_KEYS = ("name", "property", "http-equiv")
EDGES = re.compile(r"^\W+|\W+$")
UNSPACED = re.compile("([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff])")


def scrape_extract_content(html: str, base_url: str = "") -> JsonObject:
    """Give title, headings, counts, hash and meta tags of an HTML text, as seed 002 lists them.

    Words are what white space parts in the visible text. Paragraphs, links and images are counted wherever they are in
    the document, templates and ``noscript`` left out. ``content_hash`` is the SHA-256 of the visible text with white
    space collapsed, in NFC. ``base_url`` is checked only, as no link is given out. Never raises.

    >>> scrape_extract_content("<title>Test</title><h1>Hello</h1><p>World")["word_count"]
    2
    """
    for name, value in (("html", html), ("base_url", base_url)):
        if not isinstance(value, str):
            return _error(f"{name} is of type {type(value).__name__}; it must be a string")
    try:
        check_size(html)
        return _describe(parse_html(html))
    except PageTooLarge as error:
        return _error(str(error))
    except (ValueError, etree.LxmlError, RecursionError) as error:
        return _error(f"Failed to parse HTML: {error}")


def scrape_text_similarity(text_a: str, text_b: str) -> JsonObject:
    """Give the Jaccard likeness of the word sets of two texts, in [0, 1]; 0.0 for two texts without words.

    Words are compared without case and without the punctuation around them; in scripts written without spaces each
    character is a word. Never raises.

    >>> scrape_text_similarity("the quick brown fox", "The quick, red fox.")
    {'status': 'ok', 'similarity': 0.6}
    """
    for name, value in (("text_a", text_a), ("text_b", text_b)):
        if not isinstance(value, str):
            return _error(f"{name} is of type {type(value).__name__}; it must be a string")
    words_a, words_b = set(_words(text_a)), set(_words(text_b))
    together = len(words_a | words_b)
    return {"status": "ok", "similarity": len(words_a & words_b) / together if together else 0.0}


def _error(message: str) -> JsonObject:
    return {"status": "error", "error": message}


def _words(text: str) -> Iterator[str]:
    for token in UNSPACED.sub(r" \1 ", unicodedata.normalize("NFC", text.casefold())).split():
        yield EDGES.sub("", token) or token


def _describe(root: HtmlElement) -> JsonObject:
    titles = (title for title in root.iter("title") if next(title.iterancestors("svg"), None) is None)
    title = next((text for text in map(_text, titles) if text), "")
    meta = _meta(root)
    etree.strip_elements(root, *NEVER_SEEN, with_tail=False)
    counts: JsonObject = {name: int(cast(float, count(root))) for name, count in COUNTS.items()}
    drop_hidden(root)
    etree.strip_tags(root, *INLINE)
    headings = _headings(root)
    text = _text(root)
    return {
        "status": "ok",
        "title": title or next((str(heading["text"]) for heading in headings if heading["level"] == 1), ""),
        "headings": list[JsonValue](headings),
        **counts,
        "word_count": text.count(" ") + 1 if text else 0,
        "content_hash": content_hash(text),
        "meta": meta,
    }


def drop_hidden(root: HtmlElement) -> None:
    """Take out of the tree the elements that say themselves that they are hidden."""
    hidden = [element for element in cast(list[HtmlElement], MAY_BE_HIDDEN(root)) if is_hidden(element)]
    for element in hidden:
        element.tag = "gleaner-hidden"
    if hidden:
        etree.strip_elements(root, "gleaner-hidden", with_tail=False)


def is_hidden(element: HtmlElement) -> bool:
    """Tell whether an element itself says so: attribute, inline style, closed dialog, or the renderer's mark.

    >>> is_hidden(parse_html("<p style='color:red; DISPLAY : none'>x").find(".//p"))
    True
    """
    get = element.get
    if get("hidden", "until-found") != "until-found" or get("data-gleaner-hidden") is not None:
        return True
    style = get("style")
    if style and HIDING_STYLE.search(style):
        return True
    return element.tag == "dialog" and get("open") is None


def content_hash(text: str) -> str:
    """Give the SHA-256 of a text in NFC, as hex digits."""
    return hashlib.sha256(unicodedata.normalize("NFC", text).encode("utf-8", "surrogatepass")).hexdigest()


def _text(element: HtmlElement) -> str:
    """Give the text of an element whose inline markup is stripped: what is left of tags parts words."""
    if not len(element):
        return " ".join((element.text or "").split())
    # Writing the tree and taking the tags out again is linear; lxml's own itertext is not, after strip_tags. Bytes
    # of UTF-8 cost half of what wide strings do.
    markup: bytes = etree.tostring(element, encoding="utf-8", with_tail=False)
    text = TAG.sub(b" ", markup)
    if b"&" in text:
        text = text.replace(b"&lt;", b"<").replace(b"&gt;", b">").replace(b"&#13;", b" ").replace(b"&amp;", b"&")
    if not text.isascii():
        text = WIDE_SPACE.sub(b" ", text)
    return b" ".join(text.split()).decode("utf-8")


def _headings(root: HtmlElement) -> list[JsonObject]:
    return [{"level": int(str(heading.tag)[1]), "text": _text(heading)} for heading in root.iter(*HEADINGS)]


def _meta(root: HtmlElement) -> JsonObject:
    """Give name (or property, or http-equiv) and content of the meta tags; of equal names the first counts."""
    found: JsonObject = {}
    for tag in root.iter("meta"):
        key = next((tag.get(name).strip() for name in META_KEYS if (tag.get(name) or "").strip()), "")
        if key and "content" in tag.attrib:
            found.setdefault(key, tag.get("content", "").strip())
    return found
