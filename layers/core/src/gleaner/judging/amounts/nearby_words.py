"""The words that belong to a number in a sentence: "RAM 16 GB, SSD 512 GB"."""

import re
from collections.abc import Mapping
from functools import cache

from gleaner.contracts.json_text import packaged
from gleaner.judging.origins.regions import Span
from gleaner.values.lookups import grouped
from gleaner.values.texts.spellings import Label, label_words

_AND = "and|und|et|y|e|ed|og|och|en|i|и|or|oder|ou|o|with|mit|avec|con|com"
_BORDER = re.compile(rf"[,;!?|()\[\]•·★\n]|\.(?=\s|$)|\s[-–—/×x+]\s|(?<![^\W_])(?:{_AND})(?![^\W_])", re.IGNORECASE)
_FIGURE = re.compile(r"\d[\d.,:'’]*")
_LEADS = re.compile(r"[:：][*_ ]*\Z")
_HYPHENED = re.compile(r"(?<![^\W\d_])[^\W\d_]+-[^\W\d_]+")
_REACH = 60
_NEAR = 5


def words_beside(text: str, span: Span) -> tuple[Label, Label]:
    """Give the words before a figure and behind it, up to a comma, an "and" and the like.

    Words between two figures are those of the one that they lead to with a colon, else of the one whose clause begins
    with a figure and ends with words; elsewhere they may be of either, and are of none: "3 May, updated 9 June".

    >>> text = "Adult 148 kr, child 74 kr and 2 dogs"
    >>> words_beside(text, (6, 9)), words_beside(text, (20, 22)), words_beside(text, (30, 31))
    ((('adult',), ('kr',)), (('child',), ('kr',)), ((), ('dog',)))
    """
    start, end = span
    before, after = text[max(0, start - _REACH) : start], text[end : end + _REACH]
    before = before[max((one.end() for one in _BORDER.finditer(before)), default=0) :]
    behind = _BORDER.search(after)
    after = after[: behind.start()] if behind else after
    figures, next_figure = list(_FIGURE.finditer(before)), _FIGURE.search(after)
    first = label_words(before[: figures[0].start()]) if figures else ()
    before = before[figures[-1].end() :] if figures else before
    is_last = next_figure is None
    begins = not (first or (not figures and label_words(before))) and bool(
        next_figure and label_words(after[next_figure.end() :])
    )
    after = after[: next_figure.start()] if next_figure else after
    is_led_to, leads_on = _LEADS.search(before) is not None, _LEADS.search(after) is not None
    has_own_behind = not leads_on and (is_last or begins)
    has_own_before = is_led_to or not figures
    return (
        _words(before)[-_NEAR:] if has_own_before else (),
        _words(after)[:_NEAR] if has_own_behind else (),
    )


def _words(text: str) -> Label:
    """Give the words of a text, those with a hyphen as one, too: "check-in" is ``checkin``."""
    return (*label_words(text), *(one[0].replace("-", "").casefold() for one in _HYPHENED.finditer(text)))


@cache
def _english() -> Mapping[str, frozenset[str]]:
    """Give the words of labels in other languages, as they are compared, with what they mean in English.

    ``data/label_words.json`` has them by language, and under "mul" those of languages that few schemas are written in.
    Words that mean several things ("Ort", "Land", "Longitud") are left out of it: they tell nothing for sure.
    """
    meanings = (pair for table in packaged("label_words").values() for pair in table.items())
    found = grouped(
        ("".join(label_words(word)), meant) for said, words in meanings for word in words for meant in label_words(said)
    )
    return {word: frozenset(english) for word, english in found.items()}


def with_english(words: Label) -> Label:
    """Give words and what those of other languages mean in English.

    >>> with_english(("baujahr", "1972"))
    ('baujahr', '1972', 'construction', 'year')
    """
    return (*words, *(one for word in words for one in sorted(_english().get(word, ()))))
