"""Amounts that are split over elements, "$", "12" and a raised "99": made one text, as Markdown and readers have it."""

import re
from collections.abc import Iterator

from lxml.html import HtmlElement

from gleaner.html.elements import mark_of_raised

RAISING = ("sup",)
_PARTS = (*RAISING, "small", "span")
_RAISED = re.compile(r"\d\d\S*")
_MARKED = re.compile(r"[.,]\d+\S*")
_INLINE = frozenset(("a", "b", "bdi", "data", "em", "font", "i", "ins", "mark", *_PARTS, "strong", "sub"))
_CENTS = re.compile(rb">(?:[.,][\d\x80-\xff]|&(?:#|per|com))")
_LONGEST = 6
_ENOUGH = 24

Slot = tuple[HtmlElement, str]
"""An element, and which of its texts: "text" or "tail"."""


def may_hold_cents(words: bytes) -> bool:
    """Tell whether a page may have elements whose text begins with a decimal mark; ``words`` are its (`words_of`).

    >>> may_hold_cents(b"<p>$12<b>.99</b>"), may_hold_cents(b"<p>$12.99</p>")
    (True, False)
    """
    return _CENTS.search(words) is not None


def join_amounts(root: HtmlElement) -> None:
    """Move the cents of each split amount into the text that they continue.

    Cents stand in an element of their own and touch a number: with their mark, or raised. Two raised digits after a
    price are cents; other raised digits are set off by "^", as in Markdown, so that nobody reads the number alone.
    """
    for element in root.iter(*_PARTS):
        text = element.text
        if not text or (text[0] not in ".," and element.tag not in RAISING):
            continue
        if len(text) <= _LONGEST and not len(element) and not _goes_on(element):
            is_raised = element.tag in RAISING and _RAISED.fullmatch(text) is not None
            if is_raised or _MARKED.fullmatch(text):
                _join(element, text, is_raised=is_raised)


def _goes_on(element: HtmlElement) -> bool:
    tail = element.tail or ""
    return tail[:1].isdigit() or (tail[:1] in (".", ",") and tail[1:2].isdigit())


def _join(element: HtmlElement, cents: str, *, is_raised: bool) -> None:
    before, last = "", None
    for slot in _back_from(element):
        text = getattr(*slot) or ""
        last = last or (slot if text else None)
        before = text + before
        if len(before) >= _ENOUGH:
            break
    if last is None or not before[-1:].isdigit():
        return
    mark = mark_of_raised(cents, before) if is_raised else ""
    setattr(*last, f"{getattr(*last)}{mark}{cents}")
    element.text = None


def _back_from(element: HtmlElement) -> Iterator[Slot]:
    """Give the places of text before an element, the nearest first, as far as the line goes."""
    current = element
    while True:
        previous, parent = current.getprevious(), current.getparent()
        if previous is not None:
            yield previous, "tail"
            if previous.tag not in _INLINE:
                return
            yield from _within(previous)
            current = previous
        elif parent is not None:
            yield parent, "text"
            if parent.tag not in _INLINE:
                return
            current = parent
        else:
            return


def _within(element: HtmlElement) -> Iterator[Slot]:
    for child in reversed(element):
        yield child, "tail"
        yield from _within(child)
    yield element, "text"
