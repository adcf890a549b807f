"""A name and a day in one text of a page, after words that lead to them: "By Ada Roe, 3 May 2024"."""

import re
from collections.abc import Iterator, Sequence

from lxml.html import HtmlElement

from gleaner.recipes.model import FieldSelector
from gleaner.recipes.page.boxes import Box, text_of
from gleaner.recipes.selectors.columns import Wanted, gives
from gleaner.recipes.selectors.readers import Reader
from gleaner.values.dates import is_day

_LONGEST = 80
_LETTERS = re.compile(r"[^\W\d_]{2}")
_DIGIT = re.compile(r"\d")
_MARK = re.compile(r"\s*[,|·•–—-]\s+|\s+on\s+")


def byline_selectors(one: Wanted, fields: Sequence[Wanted], box: Box, base_url: str) -> Iterator[FieldSelector]:
    """Give the selectors that read a field of a page's only such text: the words before it and the mark are fixed.

    Each half is read only where the other one is what it was, so that one page is enough.
    """
    names = [value for each in fields if isinstance(value := each.values[0], str) and value]
    for tag, prefix, mark in dict.fromkeys(_bylines(box, names)):
        worded = FieldSelector(kind="worded", tag=tag, prefix=prefix, mark=mark)
        before = worded.model_copy(update={"side": "before", "beyond": ("date",)})
        after = worded.model_copy(update={"side": "after", "transforms": one.transforms})
        yield from (each for each in (before, after) if gives(Reader(each, base_url), [box], one.values))


def _bylines(box: Box, names: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """Give the tag, the first words and the mark of each text that is a name and a day."""
    for node, text in _short_texts(box):
        for name in names:
            prefix, found, rest = text.partition(name)
            mark = _MARK.match(rest) if found and _LETTERS.search(prefix) and not _DIGIT.search(prefix) else None
            if mark and is_day(rest[mark.end() :]):
                yield str(node.tag), prefix, mark[0]


def _short_texts(box: Box) -> Iterator[tuple[HtmlElement, str]]:
    for node in box.inside:
        text = text_of(node)
        if 0 < len(text) <= _LONGEST and not any(text_of(child) == text for child in node):
            yield node, text
