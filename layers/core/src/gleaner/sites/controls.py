"""The controls of a page that may lead on in a listing: links, buttons, options and forms, each with its address.

One pass over the tree. Numbers between controls come with them, since the page that is open is often no link.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice
from urllib.parse import urldefrag, urlencode, urlsplit

from lxml import etree
from lxml.html import HtmlElement

from gleaner.contracts.word_lists import any_word, listed, words_in
from gleaner.html.dom import raw_text
from gleaner.html.layout import collapse
from gleaner.html.links import absolute_url, base_url_of
from gleaner.html.visibility import is_hidden
from gleaner.sites.addresses import site_of

LONGEST_LABEL = 40
_LONGEST_TEXT = 20 * LONGEST_LABEL
_UNREAD = listed("script style template head title textarea datalist")
_LABELS = ("aria-label", "title", "alt", "value")
_CURRENT = listed("page true step location")
_OPEN = listed("active current selected on")
_OFF = listed("disabled off")
_MOST_FIELDS = 30
_ADDRESSES = ("href", "data-href", "data-url", "formaction")
_SET_LOCATION = re.compile(r"\blocation(?:\.href)?\s{0,3}=\s{0,3}(['\"])([^'\"]{1,2000})\1")
_WORDS = re.compile(r"\d+|[^\W\d_]+")
_SLIDES = listed("carousel slider slide slides swiper slick splide glide gallery lightbox testimonials calendar")
LEVELS = 4
"""How many elements around a control are looked at for what it is part of."""

_PARTS = re.compile(r"[_-]+|(?<=[a-z])(?=[A-Z])")
_ICON = re.compile(r"([\w-]{1,60})(?:\.\w{2,4})?$")


@dataclass(frozen=True, slots=True)
class Control:
    """What can be pressed, or a number that only stands there (``is_text``).

    ``names`` are what it is called: its text first, then its labels. ``url`` is where it leads, without the fragment;
    "" where only a script knows.
    """

    element: HtmlElement
    names: tuple[str, ...]
    url: str = ""
    is_text: bool = False

    @property
    def is_marked(self) -> bool:
        """Whether the page marks it as what is open."""
        shown = self.element.get("aria-current") in _CURRENT or self.element.get("selected") is not None
        return shown or not _OPEN.isdisjoint(self.classes)

    @property
    def is_off(self) -> bool:
        """Whether it can't be used."""
        element = self.element
        is_said = element.get("aria-disabled") == "true" or element.get("disabled") is not None
        return is_said or not _OFF.isdisjoint(self.classes)

    @property
    def classes(self) -> frozenset[str]:
        """The words of its classes and id, and of the elements that hold nothing else."""
        return frozenset(word for one in _wrappers(self.element) for word in code_words(one))

    @property
    def icons(self) -> frozenset[str]:
        """The words of its own classes and of what is drawn in it: ``fa-chevron-right``, ``next.svg``."""
        inner = (word for one in self.element.iterdescendants() for word in code_words(one))
        return frozenset((*self.classes, *inner))


def controls_of(root: HtmlElement, url: str) -> Iterator[Control | None]:
    """Give the visible controls of a page at ``url`` and the numbers between them, in page order.

    None stands for text between them that is neither a number nor the word "page", and for the begin of a table's row.
    """
    base, fields_of = base_url_of(root, url), cache(_fields_of)
    walk = etree.iterwalk(root, events=("start", "end"))
    for event, element in walk:
        tag = element.tag
        if event == "end":
            if tag == "select":
                yield None
            yield from _numbers(element.getparent(), element.tail)
            continue
        if tag in _UNREAD or not isinstance(tag, str) or is_hidden(element):
            walk.skip_subtree()
            continue
        if _is_control(element):
            walk.skip_subtree()
            names = _names(element)
            form = next(element.iterancestors("form"), None) if element.tag not in ("a", "area") else None
            fields = fields_of(form) if form is not None else None
            yield Control(element, names, _address(element, url, base, fields)) if names is not None else None
            continue
        if tag == "select" or is_row(element):
            yield None
        yield from _numbers(element, element.text)
    yield None


def _is_control(element: HtmlElement) -> bool:
    if element.tag == "input":
        return (element.get("type") or "").lower() in ("submit", "button", "image")
    return element.tag in ("a", "area", "button", "option") or element.get("role") in ("button", "link")


def _names(element: HtmlElement) -> tuple[str, ...] | None:
    """Give what a control is called; None for one with much text, as a card that is a link has."""
    text = raw_text(element)
    if len(text) > _LONGEST_TEXT:
        return None
    pictures = (one.get(label) for one in element.iter("img", "svg") for label in _LABELS[:3])
    said = [collapse(one or "") for one in (text, *map(element.get, _LABELS), *pictures)]
    return tuple(dict.fromkeys(one for one in said if 0 < len(one) <= LONGEST_LABEL))


def _numbers(element: HtmlElement | None, text: str | None) -> Iterator[Control | None]:
    """Give the numbers of a text between controls; None for one that holds more."""
    if element is None or not text or text.isspace():
        return
    words = _WORDS.findall(text) if len(text) <= LONGEST_LABEL else [text]
    for word in words:
        if word.isdecimal():
            yield Control(element, (word,), is_text=True)
        elif word.lower() not in words_in("listing_words", "pages"):
            yield None


# Addresses

Fields = tuple[str, list[tuple[str, str]]]
"""Where a GET form leads, and what it sends besides."""


def _fields_of(form: HtmlElement) -> Fields | None:
    if (form.get("method") or "get").lower() != "get":
        return None
    inputs = ((one, (one.get("type") or "text").lower()) for one in form.iter("input") if one.get("name"))
    sent = (one for one, kind in inputs if kind in ("hidden", "text", "search"))
    return form.get("action") or "", [(one.get("name", ""), one.get("value", "")) for one in islice(sent, _MOST_FIELDS)]


def _address(element: HtmlElement, url: str, base: str, fields: Fields | None) -> str:
    """Give where a control leads on the same site; "" where a script decides or it leads elsewhere."""
    for written in (*_written(element), _sent(element, fields)):
        target = urldefrag(absolute_url(written.strip(), base))[0] if written and written[:1] != "#" else ""
        if target and site_of(target) == site_of(url):
            return target
    return ""


def _written(element: HtmlElement) -> Iterator[str]:
    yield from (element.get(name) or "" for name in _ADDRESSES)
    if found := _SET_LOCATION.search((element.get("onclick") or "")[:_LONGEST_TEXT]):
        yield found[2]
    value = element.get("value") or ""
    if element.tag == "option" and ("?" in value or "/" in value):
        yield value


def _sent(element: HtmlElement, fields: Fields | None) -> str:
    """Give the address that a GET form asks for by a button or an option; "" for any other."""
    if fields is None or element.get("type") in ("button", "reset"):
        return ""
    owner = element if element.tag != "option" else next(element.iterancestors("select"), element)
    own = [(owner.get("name", ""), element.get("value") or raw_text(element).strip())] if owner.get("name") else []
    action, others = fields
    return f"{action.partition('?')[0]}?{urlencode([*others, *own])}" if others or own else ""


# What numbers, classes and addresses are called


def code_words(element: HtmlElement) -> list[str]:
    """Give the words of an element's classes, id and picture: "fa-chevron-right" has three."""
    places = (element.get("src"), element.get("href") if element.tag == "use" else "", element.get("data-icon"))
    icons = [found[1] for place in places if place and (found := _ICON.search(place))]
    written = " ".join((element.get("class") or "", element.get("id") or "", *icons))[:_LONGEST_TEXT].split()
    # "active:bg-red" is how an element looks while it is pressed.
    return [word.lower() for one in written if ":" not in one for word in _PARTS.split(one) if word]


@cache
def _page_label() -> re.Pattern[str]:
    pages, out_of = any_word("listing_words", "pages"), any_word("listing_words", "out_of")
    return re.compile(rf"\D{{0,3}}(?:[^\d]{{0,24}}\b{pages}\s?)?(\d{{1,5}})(?:\s?{out_of}\s?\d{{1,5}})?\W{{0,3}}", re.I)


def page_number(control: Control) -> int | None:
    """Give the page that a control is labelled with: "7", "[7]", "Page 7 of 9", "Go to page 7"; None for none.

    What is shown counts before labels, which may say more than the page: a control that shows other words has none.
    """
    label = _page_label()
    for name in control.names[:1] if any(map(str.isalpha, "".join(control.names[:1]))) else control.names:
        if found := label.fullmatch(name):
            return int(found[1])
    return None


def is_row(element: HtmlElement) -> bool:
    """Tell whether an element is the row of a table, by its tag or its role."""
    return element.tag == "tr" or element.get("role") == "row"


def is_of_slides(element: HtmlElement) -> bool:
    """Tell whether a control turns the slides of a gallery or the months of a calendar."""
    around = (element, *islice(element.iterancestors(), 2 * LEVELS))
    return any(not _SLIDES.isdisjoint(code_words(one)) or one.get("aria-roledescription") for one in around)


def _wrappers(element: HtmlElement) -> Iterator[HtmlElement]:
    """Give an element and those around it that hold nothing else: ``<li class="active"><a>1</a></li>``."""
    yield element
    for _ in range(2):
        parent = element.getparent()
        is_alone = element.getprevious() is None and element.getnext() is None and not (element.tail or "").strip()
        if parent is None or not is_alone or parent.tag == "body" or (parent.text or "").strip():
            return
        element = parent
        yield element


def like_address(target: str, url: str) -> float:
    """Give how much of an address's path another one begins with, from 0 to 1."""
    parts, own = (urlsplit(one).path.strip("/").split("/") for one in (target, url))
    same = next((at for at, (a, b) in enumerate(zip(parts, own, strict=False)) if a != b), min(len(parts), len(own)))
    return same / max(1, len(parts), len(own))
