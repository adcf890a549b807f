"""The content tools of seed 002: counts and outline of HTML, similarity of two texts (CT-1, CT-2).

Both give a dict that says ``status`` ``ok`` or ``error``, and never raise. Only what a reader sees counts as text:
titles, scripts, styles, templates, fallbacks of media and hidden elements do not. The work on the tree is done by
libxml2 (XPath, stripping), so that it costs about as much as parsing.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator

from lxml import etree
from lxml.html import HtmlElement

from gleaner.contracts.digests import digest_of
from gleaner.contracts.errors import PageTooLarge
from gleaner.contracts.ports import JsonObject, JsonValue
from gleaner.html.dom import check_size, parse_html, words_of
from gleaner.html.elements import HEADINGS
from gleaner.html.visibility import is_hidden, possibly_hidden_elements

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

STRIPPED = tuple(name for name in INLINE if name != "a")
"""Links are left in the tree: they are counted in the markup that the text is made from, which needs no walk."""

COUNTED = ("p", "a", "img")
HIDDEN = "gleaner-hidden"

TAGS = re.compile(rb"<[^>]*>(?:\s*<[^>]*>)*")
LINK = re.compile(rb'<a(?: [^ =>]+="[^"]*")*? href="')
ANCHOR = re.compile(rb"<a(?: [^>]*|/)?>|</a>")
FORM_FEED = b"&#xFFFD;"
"""How libxml2 writes the one character of a tree that XML has not; a real U+FFFD it writes as it is."""

SPACES = re.compile(b"  +")
ONE_SPACE = bytes.maketrans(b"\t\n\v\f\r", b"     ")
WIDE_SPACE = re.compile(b"\xc2[\x85\xa0]|\xe2\x80[\x80-\x8a\xa8\xa9\xaf]|\xe2\x81\x9f|\xe3\x80\x80|\xe1\x9a\x80")
"""The white space that UTF-8 writes in more than one byte."""

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
    if wrong := _no_text(html=html, base_url=base_url):
        return wrong
    try:
        check_size(html)
        return _describe(html)
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
    if wrong := _no_text(text_a=text_a, text_b=text_b):
        return wrong
    words_a, words_b = set(_words(text_a)), set(_words(text_b))
    together = len(words_a | words_b)
    return {"status": "ok", "similarity": len(words_a & words_b) / together if together else 0.0}


def _no_text(**given: object) -> JsonObject | None:
    wrong = [f"{name} is of type {type(value).__name__}" for name, value in given.items() if not isinstance(value, str)]
    return _error(f"{wrong[0]}; it must be a string") if wrong else None


def _error(message: str) -> JsonObject:
    return {"status": "error", "error": message}


def _words(text: str) -> Iterator[str]:
    for token in UNSPACED.sub(r" \1 ", unicodedata.normalize("NFC", text.casefold())).split():
        yield EDGES.sub("", token) or token


def _describe(html: str) -> JsonObject:
    root = parse_html(html)
    title, meta = _head(root)
    etree.strip_elements(root, *NEVER_SEEN, with_tail=False)
    counts = _drop_hidden(root, html)
    etree.strip_tags(root, *STRIPPED)
    headings = _headings(root)
    markup: bytes = etree.tostring(root, encoding="utf-8", with_tail=False)
    text = _text_of(markup)
    return {
        "status": "ok",
        "title": title or next((str(heading["text"]) for heading in headings if heading["level"] == 1), ""),
        "headings": list[JsonValue](headings),
        "paragraph_count": counts["p"] + sum(map(markup.count, (b"<p>", b"<p ", b"<p/>"))),
        "link_count": counts["a"] + len(LINK.findall(markup)),
        "image_count": counts["img"] + sum(map(markup.count, (b"<img ", b"<img/>"))),
        "word_count": text.count(" ") + 1 if text else 0,
        "content_hash": content_hash(text),
        "meta": meta,
    }


def _drop_hidden(root: HtmlElement, html: str) -> Counter[str]:
    """Take out of the tree of an HTML text the elements that say themselves that they are hidden.

    Gives how many paragraphs, links (as ``a``) and images went with them.
    """
    hidden = list(filter(is_hidden, possibly_hidden_elements(root, words_of(html, root))))
    counts = Counter(map(_counted, hidden))
    for element in hidden:
        element.tag = HIDDEN
    for element in hidden:
        if next(element.iterancestors(HIDDEN), None) is None:
            counts.update(map(_counted, element.iter(*COUNTED)))
    if hidden:
        etree.strip_elements(root, HIDDEN, with_tail=False)
    return counts


def _counted(element: HtmlElement) -> str:
    """Give the name that an element is counted under: its tag, but for an ``a`` that links to nothing."""
    return "" if element.tag == "a" and element.get("href") is None else str(element.tag)


def content_hash(text: str) -> str:
    """Give the SHA-256 of a text in NFC, as hex digits."""
    return digest_of(unicodedata.normalize("NFC", text))


def _text(element: HtmlElement) -> str:
    """Give the text of an element whose inline markup is stripped: what is left of tags parts words."""
    if not len(element):
        return " ".join((element.text or "").split())
    return _text_of(etree.tostring(element, encoding="utf-8", with_tail=False))


def _text_of(markup: bytes) -> str:
    # Taking the tags out of written markup is linear; lxml's own itertext is not, after strip_tags. Bytes of UTF-8
    # cost half of what wide strings do, and splitting and joining words twice what looking for two spaces does.
    text = TAGS.sub(b" ", ANCHOR.sub(b"", markup))
    if b"&" in text:
        text = text.replace(b"&lt;", b"<").replace(b"&gt;", b">").replace(b"&#13;", b" ")
        text = text.replace(FORM_FEED, b" ").replace(b"&amp;", b"&")
    if not text.isascii():
        text = WIDE_SPACE.sub(b" ", text)
    return SPACES.sub(b" ", text.translate(ONE_SPACE)).strip(b" ").decode("utf-8")


def _headings(root: HtmlElement) -> list[JsonObject]:
    return [{"level": int(str(heading.tag)[1]), "text": _text(heading)} for heading in root.iter(*HEADINGS)]


def _head(root: HtmlElement) -> tuple[str, JsonObject]:
    """Give the title, and name (or property, or http-equiv) and content of the meta tags; the first counts."""
    title = ""
    meta: JsonObject = {}
    for part in root.iter("title", "meta"):
        if part.tag == "title":
            title = title or ("" if next(part.iterancestors("svg"), None) is not None else _text(part))
        elif "content" in part.attrib:
            key = next((name for kind in META_KEYS if (name := part.get(kind, "").strip())), "")
            if key:
                meta.setdefault(key, part.get("content", "").strip())
    return title, meta
