"""Images in Markdown: which alternative texts add something, and inline images."""

import re

from lxml.html import HtmlElement

from gleaner.html.layout import collapse
from gleaner.html.stylesheets import read_declarations

_DATA_IMAGE = re.compile(r"data:image/[a-z.+-]{1,20};base64,[A-Za-z0-9+/=]+")
_CLOSED = frozenset({"li", "tr", "td", "th", "article", "section", "main", "body", "ul", "ol", "table", "dd"})
_MOST_STEPS = 12
_DOT = re.compile(r"0*[01](?:\.0*)?(?:px)?")
_STRIP = re.compile(r"0*(?:[12]?\d|3[0-2])(?:\.\d*)?(?:px)?")
"""A side of at most 32 pixels: with another of one, that of the pictures that old pages keep lines apart with."""
_FILE_NAME = re.compile(r"[\w%-]+\.(?:jpe?g|png|gif|webp|svg|avif)", re.I)


def data_image(element: HtmlElement) -> str:
    """Give an image that is written into the page as a data URI; "" when it is none, or not surely one."""
    value = (element.get("src") or "").strip()
    return value if _DATA_IMAGE.fullmatch(value) else ""


def telling_alt(element: HtmlElement) -> str:
    """Give the alternative text of an image, unless it is a file name or the text that comes next anyway."""
    text = collapse(element.get("alt") or "")
    if not text or _FILE_NAME.fullmatch(text) or text.casefold() == _next_text(element).casefold():
        return ""
    return text


def is_a_dot(element: HtmlElement) -> bool:
    """Tell whether an image is drawn as a dot or a short stroke, by its attributes or its own style.

    It is there for counting or for spacing: whoever looks at the page sees neither it nor its text.
    """
    style = element.get("style")
    declared, _ = read_declarations(style) if style else ({}, None)
    sides = [(declared.get(name) or element.get(name) or "").strip() for name in ("width", "height")]
    return any(map(_DOT.fullmatch, sides)) and all(map(_STRIP.fullmatch, sides))


def follows_image(element: HtmlElement) -> bool:
    """Tell whether an image stands right behind another one, each maybe alone in a link: pictures of a gallery."""
    node, before = element, element.getprevious()
    while before is None:
        parent = node.getparent()
        if parent is None or parent.tag in _CLOSED or collapse(parent.text or ""):
            return False
        node, before = parent, parent.getprevious()
    return before.tag == "img" or (not collapse(before.tail or "") and _is_image_alone(before))


def _is_image_alone(element: HtmlElement) -> bool:
    """Tell whether an element holds an image and no text."""
    while element.tag != "img":
        if not len(element) or any(map(collapse, (element.text or "", *(inner.tail or "" for inner in element)))):
            return False
        element = element[-1]
    return True


def _next_text(element: HtmlElement) -> str:
    """Give the text that follows the image within its card, looking a few steps ahead."""
    node = element
    for _ in range(_MOST_STEPS):
        tail = collapse(node.tail or "")
        if tail:
            return tail
        following = node.getnext()
        if following is None:
            parent = node.getparent()
            if parent is None or parent.tag in _CLOSED:
                return ""
            node = parent
            continue
        text = _first_text(following)
        if text:
            return text
        node = following
    return ""


def _first_text(element: HtmlElement) -> str:
    node = element
    for _ in range(_MOST_STEPS):
        text = collapse(node.text or "")
        if text or not len(node):
            return text
        node = node[0]
    return ""
