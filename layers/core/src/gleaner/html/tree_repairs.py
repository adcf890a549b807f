"""Correct the tree where libxml2 parses HTML5 differently from browsers."""

from lxml.html import HtmlElement

_OF_HEAD = frozenset(["base", "link", "meta", "noscript", "script", "style", "template", "title"])
_LISTS = ("ul", "ol", "menu", "dir")
_UNKNOWN = ("embed", "source", "track", "wbr", "bgsound", "keygen")
_PLUG_INS = ("flash", "java", "silverlight", "x-director", "quicktime", "x-ms-wmp", "x-mplayer2", "realaudio")
"""Parts of the types that only plug-ins could show; browsers have had none for years."""


def move_content_out_of_void_elements(root: HtmlElement) -> None:
    """Put what stands in an element that can hold nothing, and that libxml2 does not know as such, behind it.

    So the image of a ``<picture>`` stood in its last ``<source>``, and went with it.
    """
    for element in list(root.iter(*_UNKNOWN)):
        if element.text is None and not len(element):
            continue
        inner, tail = list(element), element.tail
        element.tail, element.text = element.text, None
        for child in reversed(inner):
            element.addnext(child)
        last = inner[-1] if inner else element
        last.tail = (last.tail or "") + (tail or "") or None


def open_body(root: HtmlElement) -> None:
    """Begin the body at the first thing that a head can't hold, as browsers do.

    Where markup leaves ``<body>`` out, libxml2 keeps elements in the head that it does not know: all of HTML5's.
    """
    head = root.find("head")
    if head is None:
        return
    first = next((child for child in head if isinstance(child.tag, str) and child.tag not in _OF_HEAD), None)
    if first is None:
        return
    moved = [first, *first.itersiblings()]
    body = root.find("body")
    if body is None:
        body = root.makeelement("body")
        head.addnext(body)
    text, body.text = body.text, None
    for element in reversed(moved):
        body.insert(0, element)
    moved[-1].tail = (moved[-1].tail or "") + (text or "") or None


def part_definitions(root: HtmlElement) -> None:
    """Put ``dt`` and ``dd`` without closing tags beside one another; libxml2 nests them."""
    for element in list(root.iter("dd", "dt")):
        parent = element.getparent()
        if parent is not None and parent.tag in ("dd", "dt"):
            parent.addnext(element)


def show_shadow_roots(root: HtmlElement) -> None:
    """Make the declarative shadow trees plain boxes: browsers show them in the place of the element around."""
    for shadow in list(root.iter("template")):
        if shadow.get("shadowrootmode") in ("open", "closed"):
            shadow.tag = "div"


def show_object_fallbacks(root: HtmlElement) -> None:
    """Make an object that no browser can load a plain element: what stands inside is shown in its place.

    That is one without ``data``, one for a plug-in by its ``classid``, type or file (HTML, 4.8.7). Whether another one
    loads is known in the browser alone.

    >>> from lxml.html import fromstring, tostring
    >>> root = fromstring('<p><object data="a.swf"><b>Call 555-0100</b></object></p>')
    >>> show_object_fallbacks(root), tostring(root)
    (None, b'<p><span data="a.swf"><b>Call 555-0100</b></span></p>')
    """
    for element in list(root.iter("object")):
        kind, data = (element.get("type") or "").lower(), (element.get("data") or "").strip()
        is_plug_in = any(part in kind for part in _PLUG_INS) or data.partition("?")[0].lower().endswith(".swf")
        if not data or is_plug_in or element.get("classid"):
            element.tag = "span"


def nest_lists(root: HtmlElement) -> list[HtmlElement]:
    """Put a list that stands between the items of another one into the item before it, where it is shown.

    Gives the lists that were moved.
    """
    moved: list[HtmlElement] = []
    for element in [one for one in root.iter(*_LISTS) if one.getparent() is not None]:
        before, parent = element.getprevious(), element.getparent()
        if parent is None or parent.tag not in _LISTS:
            continue
        if before is None or before.tag != "li":
            before = element.makeelement("li")
            element.addprevious(before)
        tail, element.tail = element.tail, None
        before.append(element)
        before.tail = (before.tail or "") + (tail or "") or None
        moved.append(element)
    return moved
