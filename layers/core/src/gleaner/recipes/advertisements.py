"""Advertisements in the records' own markup: what tells them is that they say so ("Sponsored", "Sponsored: Jug")."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

from lxml import etree
from lxml.html import HtmlElement

from gleaner.completeness.certificate import calls_itself_an_ad
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
_BEFORE_COLON = re.compile(r"[^:：]*[:：]")
_SAYING: Any = etree.XPath("descendant::text()[contains(., $word)]")

Said = tuple[Sequence[Box], Sequence[Sequence[str]]]
"""Containers that are built alike, and what stands between their tags, place by place."""


def ad_labels(elements: Iterable[HtmlElement]) -> set[str]:
    """Give the short texts in these elements that say of what they stand in that it is an advertisement."""
    return {_label_of(text) for one in elements for text in _texts_in(one)}


def _label_of(text: str) -> str:
    """Give a text as far as it is the label: up to its colon, so that it is known again before other titles."""
    squeezed = squeeze(text)
    begun = _BEFORE_COLON.match(squeezed)
    return begun[0] if begun else squeezed


def _texts_in(element: HtmlElement) -> list[Any]:
    """Give such texts as they stand, each with where it stands; only for the words that are there is there a walk."""
    said = etree.tostring(element, method="text", encoding="unicode", with_tail=False)
    return [text for word in _WORDS if word in said for text in _SAYING(element, word=word) if _is_of_an_ad(text)]


def _is_of_an_ad(text: str) -> bool:
    return len(label := _label_of(text)) <= _LONGEST_LABEL and calls_itself_an_ad(label)


def labelled(root: HtmlElement, label: str) -> set[HtmlElement]:
    """Give all elements of a page in which a text is just this label, or begins with it if that ends with a colon.

    >>> from gleaner.recipes.boxes import open_page
    >>> page = open_page("<p>Lamp <b>Sponsored </b></p><p>Sponsored lamp</p>")
    >>> sorted(one.tag for one in labelled(page, "Sponsored"))
    ['b', 'body', 'html', 'p']
    """
    found: set[HtmlElement] = set()
    for text in _SAYING(root, word=label.split(maxsplit=1)[0]):
        if _label_of(text) == label:
            found.update(_around(text))
    return found


def ad_labels_of(boxes: Sequence[Box], said: Iterable[Said] | None = None) -> list[str]:
    """Give the labels of advertisements in containers that are records: of one page, in no order of these.

    ``said`` is what these say, and others with them, if that is known.
    """
    if said is None:
        root = boxes[0].elements[0].getroottree().getroot() if boxes else None
        texts = [] if root is None else _texts_in(root)
        records = {element for box in boxes for element in box.elements} if texts else set[HtmlElement]()
        found = (text for text in texts if not records.isdisjoint(_around(text)))
    else:
        saying = [(box, text) for box, text in _saying(said) if _is_of_an_ad(text)]
        among = set(boxes) if saying else set[Box]()
        found = (text for box, text in saying if box in among)
    return sorted({_label_of(text) for text in found})


def _saying(said: Iterable[Said]) -> Iterator[tuple[Box, str]]:
    """Give the texts that may say of what they stand in that it is an advertisement."""
    for boxes, columns in said:
        whole = "\n".join(chain.from_iterable(columns))
        words = [word for word in _WORDS if word in whole]
        for texts in columns if words else ():
            for box, text in zip(boxes, texts, strict=True):
                if any(word in text for word in words):
                    yield box, text


def _around(text: Any) -> Iterator[HtmlElement]:
    """Give the elements that a text stands in, from the inside out."""
    owner = text.getparent()
    return chain(() if text.is_tail else (owner,), owner.iterancestors())
