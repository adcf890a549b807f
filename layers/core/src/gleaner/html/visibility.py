"""Remove what a person can't see, as far as the HTML says so; the renderer marks the rest (MD-4)."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any

from lxml.html import HtmlElement

from gleaner.html.dom import Words, find_attributes, is_dropped, mark_dropped, raw_text, remove_dropped
from gleaner.html.layout import collapse
from gleaner.html.unfolding import Unfolding

HIDDEN_MARK = "data-gleaner-hidden"
"""The attribute that the renderer puts on elements that its computed style hides."""

_NOTHING_SHOWN = re.compile(
    r"(?:^|;)\s*(?:display\s*:\s*none|content-visibility\s*:\s*hidden|"
    r"(?:left|right|top|bottom|margin-left|margin-top)\s*:\s*-\s*\d{4,}(?:\.\d+)?(?:px|em|rem|pt)|"
    r"clip\s*:\s*rect\(\s*[01](?:px)?[\s,]+[01](?:px)?[\s,]+[01](?:px)?[\s,]+[01](?:px)?\s*\)|"
    r"clip-path\s*:\s*inset\(\s*(?:50|100)%\s*\))",
    re.I,
)
_INHERITED = {
    "visibility": re.compile(r"(?:^|;)\s*visibility\s*:\s*(?:hidden|collapse)", re.I),
    "font-size": re.compile(
        r"(?:^|;)\s*font-size\s*:\s*"
        r"(?:(?:0|0?\.0+)(?:px|em|rem|%|pt)?|(?:0?\.\d+|1(?:\.[0-4]\d*)?)px)\s*(?:!important\s*)?(?:;|$)",
        re.I,
    ),
    "text-indent": re.compile(r"(?:^|;)\s*text-indent\s*:\s*-\s*\d{4,}(?:\.\d+)?(?:px|em|rem|pt)", re.I),
}
"""What hides the texts of an element, and of those in it that do not say otherwise of themselves."""
_SAID_OTHERWISE = {
    "visibility": re.compile(r"(?:^|;)\s*visibility\s*:\s*(?:visible|initial)", re.I),
    "font-size": re.compile(
        r"(?:^|;)\s*font(?:-size)?\s*:[^;]*?(?:(?<![\d./])(?:(?:[2-9]|1(?:\d|\.[5-9]))[\d.]*px|"
        r"(?:0?\.[1-9]|[1-9])[\d.]*(?:pt|pc|rem|cm|mm|in|v[hw]))|small|medium|large)",
        re.I,
    ),
    "text-indent": re.compile(r"(?:^|;)\s*text-indent\s*:\s*[^-;\s]", re.I),
}
"""What shows the texts of an element in one that hides its own; sizes in ``em`` and ``%`` are parts of nothing."""
LOOKED_INTO = 100
"""Elements in one that hides its text of which one may show its own: mails and menus set sizes within ten."""
_TRANSPARENT = re.compile(r"(?:^|;)\s*opacity\s*:\s*(?:0|0?\.0\d*)%?\s*(?:!important\s*)?(?:;|$)", re.I)
_ANIMATED = re.compile(r"transform|transition|animation|translate|will-change", re.I)
_SHRUNK = re.compile(r"(?:^|;)\s*transform\s*:[^;]*\bscale(?:[xy]|3d)?\(\s*(?:0|0?\.0+)\s*[,)]", re.I)
_MOVING = re.compile(r"transition|animation|will-change", re.I)
_COLOURS = re.compile(r"(?:^|;)\s*(color|background(?:-color)?)\s*:\s*([^;!]+)", re.I)
_SHORT_HEX = re.compile(r"#([0-9a-f])([0-9a-f])([0-9a-f])$")
_RGB = re.compile(r"rgba?\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})\s*(?:[,/]\s*(?:1(?:\.0+)?|100%)\s*)?\)$")
_NAMED = {"white": "#ffffff", "black": "#000000", "red": "#ff0000", "gray": "#808080", "grey": "#808080"}
_NO_SIZE = re.compile(
    r"(?:^|;)\s*(?:max-)?(?:width|height)\s*:\s*(?:0(?:\.0+)?[a-z%]*|1px)\s*(?:!important\s*)?(?:;|$)", re.I
)
_CUT_OFF = re.compile(r"(?:^|;)\s*overflow(?:-[xy])?\s*:\s*(?:hidden|clip)", re.I)

_LONGEST_KNOWN = 200
"""Characters of a style up to which it is read once for all that have it: most stand at many elements."""

_TELLING_TAGS = ("dialog", "template", "input")
_TELLING_ATTRIBUTES = [find_attributes(name) for name in ("hidden", "style", "popover", HIDDEN_MARK)]


@dataclass(frozen=True, slots=True)
class HiddenText:
    """Characters of text that a person can't see: what was dropped, and what was kept, as one click shows it.

    ``elements`` are those that were dropped, ``shown`` those that a click shows.
    """

    dropped: int = 0
    unfolded: int = 0
    elements: Sequence[HtmlElement] = ()
    shown: Sequence[HtmlElement] = ()


def json_ld_texts(root: HtmlElement) -> tuple[str, ...]:
    """Give the JSON-LD texts of a page, for `drop_hidden`; call it before scripts are taken out."""
    scripts = root.iter("script")
    return tuple(script.text or "" for script in scripts if "ld+json" in (script.get("type") or "").lower())


def drop_hidden(root: HtmlElement, words: Words | None = None, data: Sequence[str] = ()) -> HiddenText:
    """Take out what is surely hidden, but for what one click shows.

    ``words`` are as in `possibly_hidden_elements`, ``data`` the JSON-LD texts of the page.

    ``aria-hidden`` hides from screen readers, not from sight, so it stays; so does the inside of ``<details>``.
    """
    found: list[HtmlElement] = []
    for element in possibly_hidden_elements(root, words):
        if element.tag == "body":
            continue
        if is_hidden(element):
            found.append(element)
        elif (style := element.get("style")) and hides(style):
            found += _unshown(element, _hiding_names(style))
    if not found:
        return HiddenText()
    hidden = {*found}
    unfolding = Unfolding(root, hidden, data, words)
    unfolded = 0
    dropped: list[HtmlElement] = []
    shown: list[HtmlElement] = []
    for element in sorted(found, key=lambda one: sum(1 for _ in one.iterancestors())):
        if not hidden.isdisjoint(element.iterancestors()):
            continue
        if unfolding.shows(element):
            hidden.discard(element)
            shown.append(element)
            unfolded += len(collapse(raw_text(element)))
        elif not is_dropped(element):
            dropped.append(element)
    size = sum(len(collapse(raw_text(element))) for element in dropped)
    for element in dropped:
        mark_dropped(element)
    if dropped:
        remove_dropped(root)
    return HiddenText(size, unfolded, dropped, shown)


def possibly_hidden_elements(root: HtmlElement, words: Words | None = None) -> list[HtmlElement]:
    """Give the elements that have a tag or an attribute that can hide, each once: by attribute, then in page order.

    Not all in page order, since sorting them can be quadratic; but always in the same one, since what one click shows
    may hold what opens the next. ``words`` are the page's (`words_of`): what they do not name is not looked for, which
    is a walk each.
    """
    named = dict.fromkeys(element for find in _TELLING_ATTRIBUTES for element, _ in find(root, words))
    return [*dict.fromkeys((*named, *root.iter(*_TELLING_TAGS)))]


def is_hidden(element: HtmlElement) -> bool:
    """Tell whether an element says of itself that it is not seen."""
    if element.get(HIDDEN_MARK) is not None or element.get("hidden", "until-found") != "until-found":
        return True
    if element.get("popover") is not None:
        return True
    style = element.get("style")
    if style and hides(style) and (hides_for_good(style) or not shows_inside(element, style)):
        return True
    tag = element.tag
    if tag == "dialog":
        return element.get("open") is None
    return tag == "template" or (tag == "input" and element.get("type", "").lower() == "hidden")


def shows_inside(element: HtmlElement, style: str) -> bool:
    """Tell whether something in an element that hides its texts, by a style that is inherited, shows its own."""
    names = _hiding_names(style)
    return any(_is_shown(one, names) for one in islice(element.iterdescendants(), LOOKED_INTO))


def _hiding_names(style: str) -> Sequence[str]:
    return [name for name, hiding in _INHERITED.items() if hiding.search(style)]


def _is_shown(element: HtmlElement, names: Sequence[str]) -> bool:
    return all(says_otherwise(name, element.get("style") or "", element.tag) for name in names)


def _unshown(element: HtmlElement, names: Sequence[str]) -> Iterator[HtmlElement]:
    """Take the own text out of an element that shows some parts alone, and give the parts with text that it hides."""
    element.text = None
    for child in element:
        child.tail = None
        if not isinstance(child.tag, str) or _is_shown(child, names):
            continue
        if any(_is_shown(one, names) for one in islice(child.iterdescendants(), LOOKED_INTO)):
            yield from _unshown(child, names)
        elif collapse(raw_text(child)) and next(child.iter("img", "svg", "input"), None) is None:
            yield child


def says_otherwise(name: str, style: str, tag: Any = "") -> bool:
    """Tell whether an element shows its texts where the property of this name hides those around it.

    >>> says_otherwise("font-size", "font: bold 12px/1.4 Arial"), says_otherwise("font-size", "font-size: 1em")
    (True, False)
    """
    return bool(style and _SAID_OTHERWISE[name].search(style)) or (name == "font-size" and tag == "font")


def hides(style: str) -> bool:
    """Tell whether declarations by themselves take text out of sight."""
    return _hides(style) if len(style) <= _LONGEST_KNOWN else _hides.__wrapped__(style)


@lru_cache(2048)
def _hides(style: str) -> bool:
    return any(hiding.search(style) for hiding in _INHERITED.values()) or hides_for_good(style)


def hides_for_good(style: str) -> bool:
    """Tell whether declarations take an element out of sight, and all that is in it."""
    if _NOTHING_SHOWN.search(style):
        return True
    if _TRANSPARENT.search(style):
        # Elements that fade in start transparent in the HTML; their text is meant to be read.
        return not _ANIMATED.search(style)
    if _SHRUNK.search(style):
        return not _MOVING.search(style)
    if _NO_SIZE.search(style) and _CUT_OFF.search(style):
        return "padding" not in style.lower()  # padding keeps a place for what is laid over it, as of videos
    if "color" not in style.lower():
        return False
    colours = {name.lower()[:5]: colour_of(value) for name, value in _COLOURS.findall(style)}
    if colours.get("color") == "transparent":
        return "text" not in style.lower()  # the ground may be cut out in the text's shape, or a shadow shown
    return "backg" in colours and colours.get("color") == colours["backg"]


def colour_of(text: str) -> str:
    """Give a colour's one spelling, where it is written in a usual way.

    >>> colour_of("WHITE"), colour_of("#fff"), colour_of("rgb(255, 255, 255)")
    ('#ffffff', '#ffffff', '#ffffff')
    """
    name = " ".join(text.lower().split())
    if short := _SHORT_HEX.match(name):
        return "#" + "".join(digit * 2 for digit in short.groups())
    if parts := _RGB.match(name):
        return "#" + "".join(f"{int(part):02x}" for part in parts.groups())
    return _NAMED.get(name, name)
