"""Groups of elements by their meaning, and questions about inline elements and their neighbours."""

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Final

from lxml.html import HtmlElement

from gleaner.contracts.word_lists import listed
from gleaner.html.layout import GROUP_AT_END, GROUPS_AT_START, Frame
from gleaner.values.money_signs import SIGNS

MARKS: Final[Mapping[str, str]] = {
    "b": "**", "strong": "**", "em": "*", "i": "*", "del": "~~", "s": "~~", "strike": "~~",
}  # fmt: skip
"""Emphasis, and the marker that it is written with."""

MARKERS: Final[Mapping[str, str]] = {"**": "b", "*": "em", "~~": "del"}
CODE: Final = ("code", "kbd", "samp", "tt")
HEADINGS: Final = ("h1", "h2", "h3", "h4", "h5", "h6")
LISTS: Final = ("ul", "ol", "menu", "dir")
_PAIR, _LEAST_PAIRS = 2, 3
PREFORMATTED: Final = ("pre", "listing", "xmp", "plaintext")
_PARAGRAPHS = listed(
    "p div section article main header footer aside address figure figcaption fieldset form details summary body "
    "center dl hgroup nav search caption table legend html blockquote hr optgroup dialog textarea select marquee"
)

BREAKS: Final[Mapping[str, int]] = {
    **dict.fromkeys((*_PARAGRAPHS, *HEADINGS, *PREFORMATTED), 2),
    **dict.fromkeys(("li", "dd", "tr", "g"), 1),
}
"""Elements that stand on their own: 1 on a new line, 2 with a blank line around."""

UNSEEN: Final = listed(
    "script style template head title iframe object embed canvas audio video map area source track param link meta "
    "base noframes datalist col colgroup"
)
"""Elements whose inside is not shown."""

VOID: Final = listed("area base br col embed hr img input link meta param source track wbr")
"""Elements that hold nothing, and have no end tag."""

_CONTROLS = frozenset({"a", "button", "label"})
_FILLED_FIELDS: Final = listed("text number date time datetime-local month week email tel url")
_CELLS = frozenset({"cell", "gridcell", "rowheader", "columnheader"})
SPACED: Final = _CONTROLS | {*CODE} | listed("span time small strong b em i u mark output data del ins s cite abbr")
"""Inline elements that style often sets apart without any whitespace in the markup."""

_PRICE_AT_END = re.compile(rf"[{SIGNS}]\s?\d[\d., ]{{0,12}}$")
_FOR_LISTENERS = re.compile(r"(?:^|\s)(?:visually-?hidden|sr-only|screen-?reader(?:-text)?|u-hiddenVisually)(?:$|\s)")
_LEAST_CELLS, _MOST_CELLS = 3, 60
_PAID_BEHIND = re.compile(rf"\s*[{SIGNS}]")
_LEAST_WORD = _NEIGHBOURS = 3
_LETTER = "[^\\W\\d_\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff]"
_WORD_AT_END = re.compile(rf"{_LETTER}{{3}}$")
_WORD_AT_START = re.compile(rf"{_LETTER}{{3}}")
_GLUE_BEFORE = re.compile(rf"[A-Za-z0-9{SIGNS}]")
_GLUE_AFTER = re.compile(r"[A-Za-z0-9]|[.,]\d")


def mark_of_raised(digits: str, before: str, behind: str = "") -> str:
    """Give what sets raised digits apart from the number that they touch: they are the cents of a price, or a power.

    >>> mark_of_raised("99", "only $19"), mark_of_raised("99", "4", " €"), mark_of_raised("2", "10")
    ('.', '.', '^')
    """
    is_paid = _PRICE_AT_END.search(before) or _PAID_BEHIND.match(behind)
    return "." if len(digits) == 2 and is_paid else "^"


def text_behind(element: HtmlElement) -> str:
    """Give the text that follows an element, in its parent or at the start of the next element."""
    following = element.getnext()
    return (element.tail or "") + ((_first_text(following) or "") if following is not None else "")


def is_spaced(tag: object) -> bool:
    """Tell whether style may set an element of this tag apart: an inline one, or one of the page's own ("x-price")."""
    return tag in SPACED or (isinstance(tag, str) and "-" in tag)


def count_texts(element: HtmlElement) -> int:
    """Give how many texts an element says: its own, and those of and between the elements inside.

    >>> from lxml.html import fromstring
    >>> count_texts(fromstring("<p> <b>$5</b> </p>")), count_texts(fromstring("<p><b>$5</b> or <s>$9</s></p>"))
    (1, 3)
    """
    return sum(not text.isspace() for text in element.itertext())


def touches_neighbour(element: HtmlElement) -> bool:
    """Tell whether an element stands against what is before it, and the two are set apart by style alone."""
    if _is_for_listeners(element):
        return (_first_text(element) or "")[:1].isalpha()
    before = element.getprevious()
    while before is not None and not before.tail and _shows_no_text(before):
        before = before.getprevious()
    if before is None or before.tail:
        return _touches_text(element, before)
    if not is_spaced(before.tag):
        return False
    if "-" in str(element.tag) and "-" in str(before.tag):
        return True  # elements of a page's own are boxes more often than not
    if (_is_control(element) and _is_control(before)) or element.get("role") in _CELLS:
        return True
    start = _first_text(element) or "aa"
    end = _last_text(before) or "aa"
    if not end[-1].isalnum() or not (start[0].isalnum() or start[0] in SIGNS):
        return False
    if _are_word_and_number(end, start) or (len(end) == 1 and _is_amount(start)) or _is_of_pairs(element, before):
        return True
    names, others = element.get("class"), before.get("class")
    if names != others or element.tag != before.tag:
        return bool(names or others) or (len(start) > 1 and len(end) > 1)
    if (len(start) == 1 or len(end) == 1) and _are_figures(element.getparent()):
        return True
    if len(start) == 1:  # letters of one word, or a mark of its own ("R") behind several words
        return start.isupper() and len(end.split()) > 1
    return len(end) > 1 and not (start[0].islower() and end[-1].isalpha())


def _touches_text(element: HtmlElement, before: HtmlElement | None) -> bool:
    """Tell whether an element stands against text of its parent, and is the value behind a label or its number."""
    parent = element.getparent()
    if parent is None:
        return False
    end = (parent.text if before is None else before.tail) or ""
    if not end:
        return False
    start = _first_text(element) or ""
    if _are_word_and_number(end, start):
        return True
    is_value = before is None and start[:1].isalnum() and end[-1:].isalnum() and _is_label_and_value(parent)
    return is_value and any(
        other.tag == parent.tag and _is_label_and_value(other) and not _begin_alike(other, parent)
        for other in _siblings_near(parent)
    )


def parts_tail(element: HtmlElement) -> bool:
    """Tell whether the text behind an element is another one than the number that the element ends with."""
    tail = element.tail or ""
    return tail[:1].isupper() and _are_word_and_number(_last_text(element) or "", tail)


def parts_numbers(element: HtmlElement) -> bool:
    """Tell whether a blank between an element's number and that of the one before it would make one number of both.

    So would that of ``<i>2.2 out of 5</i> <b>632,99 €</b>``, which is no 5632.99.
    """
    before = element.getprevious()
    if before is None or (before.tail or "").strip():
        return False
    if not GROUPS_AT_START.match((_first_text(element) or "").lstrip()):
        return False
    end = (_last_text(before) or "").rstrip()
    are_whole = any(map(str.isalpha, end)) or _is_amount((_first_text(element) or "").lstrip())
    return are_whole and GROUP_AT_END.search(end) is not None


def _is_amount(text: str) -> bool:
    """Tell whether a text begins with a number and says more than its digits."""
    return text[:1].isdigit() and any(not (sign.isdigit() or sign.isspace()) for sign in text)


def _are_word_and_number(end: str, start: str) -> bool:
    """Tell whether two texts meet in a word of three letters at least and a number: "Bedrooms", "4"."""
    if start[:1].isdigit():
        return _WORD_AT_END.search(end[-_LEAST_WORD - 1 :]) is not None
    return end[-1:].isdigit() and _WORD_AT_START.match(start) is not None


def _is_of_pairs(element: HtmlElement, before: HtmlElement) -> bool:
    """Tell whether two elements are all of their parent, and its neighbour is built so with another first one."""
    parent = element.getparent()
    if parent is None or before.getprevious() is not None or not _is_pair(parent):
        return False
    return any(
        other.tag == parent.tag and _is_pair(other) and not _begin_alike(other[0], before)
        for other in _siblings_near(parent)
    )


def _siblings_near(element: HtmlElement) -> Iterator[HtmlElement]:
    yield from islice(element.itersiblings(), _NEIGHBOURS)
    yield from islice(element.itersiblings(preceding=True), _NEIGHBOURS)


def _is_pair(element: HtmlElement) -> bool:
    pieces = list(islice(element, 3))  # counting all of many would take as long for each of them
    return len(pieces) == 2 and not (element.text or "").strip() and not (pieces[1].tail or "").strip()


def _is_label_and_value(element: HtmlElement) -> bool:
    pieces = list(islice(element, 2))
    return len(pieces) == 1 and bool((element.text or "").strip()) and not (pieces[0].tail or "").strip()


def _begin_alike(one: HtmlElement, other: HtmlElement) -> bool:
    """Tell whether two elements begin with the same letters, as what completes one search does."""
    return (_first_text(one) or "").strip()[:_LEAST_WORD] == (_first_text(other) or "").strip()[:_LEAST_WORD]


def _is_control(element: HtmlElement) -> bool:
    """Tell whether an element is a control or nothing but what holds one, as the link of a tag in a cloud of tags."""
    while element.tag not in _CONTROLS and len(element) == 1 and not element.text and not element[0].tail:
        element = element[0]
    return element.tag in _CONTROLS


def _is_for_listeners(element: HtmlElement) -> bool:
    """Tell whether an element is there for screen readers alone: no part of the word that it stands against."""
    classes: str | None = element.get("class")
    return classes is not None and _FOR_LISTENERS.search(classes) is not None


def _shows_no_text(element: HtmlElement) -> bool:
    if element.tag == "img":
        return not element.get("alt")
    return element.tag == "input" and element.get("type", "").lower() in ("radio", "checkbox", "hidden")


def _are_figures(parent: HtmlElement | None) -> bool:
    """Tell whether all that an element holds are pieces of one tag and class, whole words and figures among them.

    So "Ajax", "9" and "6" are cells, "Team", "P" and "W" too, and "0", "4" and "2" the digits of a counter.
    """
    if parent is None or not _LEAST_CELLS <= len(parent) <= _MOST_CELLS or (parent.text or "").strip():
        return False
    pieces = list(parent)
    texts = [(piece.text or "").strip() for piece in pieces]
    return (
        len({(piece.tag, piece.get("class")) for piece in pieces}) == 1
        and not any(len(piece) or (piece.tail or "").strip() for piece in pieces)
        and any(len(text) > 1 for text in texts)
        and all(text.isdigit() or text.isupper() if len(text) == 1 else text[:1].isalnum() for text in texts if text)
    )


def _first_text(element: HtmlElement) -> str | None:
    """Give the text that an element begins with: its own, or that of its first child."""
    while not element.text and len(element):
        element = element[0]
    return element.text


def _last_text(element: HtmlElement) -> str | None:
    """Give the text that an element ends with: after its last child, or within it."""
    while len(element) and not element[-1].tail:
        element = element[-1]
    return element[-1].tail if len(element) else element.text


def cuts_a_word(frame: Frame, before: str, tail: str) -> bool:
    """Tell whether emphasis would cut a word or a number in two, as in ``$<b>19</b>.99``.

    ``frame`` is the emphasised text, ``before`` the character that it touches, ``tail`` the text after it.
    """
    if not (frame.start_space or frame.start_gap) and _GLUE_BEFORE.match(before):
        return True
    return not (frame.space or frame.gap) and bool(_GLUE_AFTER.match(tail))


class Node:
    """What markdownify's convert functions need to see of an element."""

    __slots__ = ("attrs", "name", "parent")

    def __init__(self, name: str, attributes: Mapping[str, str] | None = None) -> None:
        self.name = name
        self.attrs = dict(attributes or {})
        self.parent = None

    def get(self, name: str, default: str | None = None) -> str | None:
        """Give an attribute."""
        return self.attrs.get(name, default)


def field_value(field: HtmlElement) -> str:
    """Give what a field is filled with, as a person sees it: an order's total often stands in a read-only one."""
    return field.get("value", "") if field.get("type", "text").lower() in _FILLED_FIELDS else ""


def is_one_of_pairs(node: HtmlElement) -> bool:
    """Tell whether an element is the first of two in its parent, or alone before a text, as in siblings of that."""
    above = node.getparent()
    around = above.getparent() if above is not None else None
    if above is None or around is None or above[0] is not node:
        return False
    look = _look_of_pair(above)
    return bool(look) and sum(1 for one in around if _look_of_pair(one) == look) >= _LEAST_PAIRS


def _look_of_pair(node: HtmlElement) -> list[tuple[object, str | None]]:
    is_pair = len(node) == _PAIR or (len(node) == 1 and bool((node[0].tail or "").strip()))
    return [(one.tag, one.get("class")) for one in (node, *node)] if is_pair else []
