"""What leads to a text inside its block, whatever it is marked as: "<b>Budget</b> $5", "<b>75</b> <i>likes</i>".

Facts of one make stand in places of one sign, whose texts change all the time. What leads to each tells them apart.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from typing import NamedTuple

from lxml.html import HtmlElement

from gleaner.html.elements import count_texts
from gleaner.recipes.boxes import squeeze, text_of

_LONGEST_LEAD = 40
_LONGEST_TEXT = 80
_MOST_ELEMENTS = 60
_DIGIT = re.compile(r"\d")


class Lead(NamedTuple):
    """A text with the words that lead to it, and the element that says these."""

    words: str
    element: HtmlElement
    text: str


def leads_in(elements: Sequence[HtmlElement]) -> Iterator[Lead]:
    """Give each text that follows on a few words in the same element, or is a figure before them.

    >>> from gleaner.recipes.boxes import open_page
    >>> page = open_page("<p><b>Budget</b> $5 <b>Paid</b> <i>in 2 days</i></p><div><b>75</b><i>Likes</i></div>")
    >>> [(one.words, one.text) for one in leads_in([page, *page.iter("p", "div")])]
    [('Budget', '$5'), ('Paid', 'in 2 days'), ('Likes', '75')]
    """
    for parent in elements:
        if len(parent) == 0 or next(islice(parent.iter(), _MOST_ELEMENTS, None), None) is not None:
            continue
        said = [*_sayings(parent)]
        used = False
        for (before, element), (after, other) in pairwise(said):
            is_led = not used and _may_lead(before) and 0 < len(after) <= _LONGEST_TEXT
            if is_led:
                yield Lead(before.rstrip(": "), element, after)
            elif _may_lead(after) and _DIGIT.search(before) and len(before) <= _LONGEST_TEXT and not used:
                yield Lead(after, other, before)
                is_led = True
            used = is_led


def _may_lead(text: str) -> bool:
    return 0 < len(text) <= _LONGEST_LEAD and text[0].isalpha() and not _DIGIT.search(text)


def _sayings(parent: HtmlElement) -> Iterator[tuple[str, HtmlElement]]:
    """Give the texts of an element and of its children, in order, each with the innermost element that says it.

    "" stands for a child with several texts.
    """
    if text := squeeze(parent.text or ""):
        yield text, parent
    for child in parent:
        if text := text_of(child):
            yield (text, _innermost(child, text)) if count_texts(child) == 1 else ("", child)
        if text := squeeze(child.tail or ""):
            yield text, parent


def _innermost(element: HtmlElement, text: str) -> HtmlElement:
    inner = next((child for child in element if text_of(child) == text), None)
    return element if inner is None else _innermost(inner, text)
