"""Advertisements in the records' own markup: what tells them is that they say so ("Sponsored")."""

from collections.abc import Iterable, Sequence
from typing import Any, cast

from lxml import etree
from lxml.html import HtmlElement

from gleaner.completeness import calls_itself_an_ad
from gleaner.recipes.boxes import Box, squeeze

_LONGEST_LABEL = 30
_WORDS = (
    "ponsor",
    "dvert",
    "romoted",
    "nzeige",
    "erbung",
    "ublici",
    "eklam",
    "еклам",
    "広告",
    "广告",
    "SPON",
    "ADV",
    "PROM",
)
_ANY: Any = etree.XPath(f"descendant-or-self::*/text()[{' or '.join(f'contains(., {word!r})' for word in _WORDS)}]")
_SAYING: Any = etree.XPath("descendant-or-self::*/text()[contains(., $word)]")


def ad_labels(elements: Iterable[HtmlElement]) -> set[str]:
    """Give the short texts in these elements that say of what they stand in that it is an advertisement."""
    texts = {squeeze(text) for one in elements if _has_a_word(one) for text in cast(list[str], _ANY(one))}
    return {text for text in texts if len(text) <= _LONGEST_LABEL and calls_itself_an_ad(text)}


def labelled(root: HtmlElement, label: str) -> set[HtmlElement]:
    """Give all elements of a page in which a text is just this label.

    >>> from gleaner.recipes.boxes import open_page
    >>> page = open_page("<p>Lamp <b>Sponsored </b></p><p>Sponsored lamp</p>")
    >>> sorted(one.tag for one in labelled(page, "Sponsored"))
    ['b', 'body', 'html', 'p']
    """
    found: set[HtmlElement] = set()
    for text in _SAYING(root, word=label.split(maxsplit=1)[0]):
        if squeeze(text) == label:
            owner = text.getparent()
            found.update(() if text.is_tail else (owner,), owner.iterancestors())
    return found


def ad_labels_of(boxes: Sequence[Box]) -> list[str]:
    """Give the labels of advertisements in containers that are records: of one page, in no order of these."""
    if not boxes or not _has_a_word(boxes[0].elements[0].getroottree().getroot()):
        return []
    return sorted(ad_labels(element for box in boxes for element in box.elements))


def _has_a_word(element: HtmlElement) -> bool:
    """Tell quickly whether an element may hold such a label."""
    text = etree.tostring(element, method="text", encoding="unicode", with_tail=False)
    return any(word in text for word in _WORDS)
