"""Rows that sum up others, by their words (``data/listing_words.json``)."""

import re
from functools import partial

from gleaner.contracts.word_lists import any_word

_any = partial(any_word, "listing_words")

_TOTAL_FIRST = re.compile(rf"^\W*{_any('totals_rows_first')}\b", re.IGNORECASE)
"""The first words of a row of totals, or of a record: "Mean Girls"."""

_TOTAL_ALONE = re.compile(
    rf"^[^\w]*(?:{_any('totals_rows_before')}[- ]?)?{_any('totals_rows', 'totals_rows_alone')}"
    rf"(?:[ ]{_any('totals_rows_behind')})?"
    r"[^\w|]*(?:\([^)|]*\)[^\w|]*)?(?:$|[|:：]|\d+[.,]\d|(?<=[ \t]{2})\d)",
    re.IGNORECASE,
)
"""A row of totals whose label says nothing else: in many languages, since names may begin with such a word."""


_CARRIED = re.compile(rf"\W*{_any('totals_rows_carried')}[\W\d]*", re.IGNORECASE)


def is_carried(text: str) -> bool:
    """Tell whether a cell is the name of a balance that an account begins or ends with.

    >>> is_carried("Balance brought forward"), is_carried("Solde précédent :"), is_carried("New balance shoes")
    (True, True, False)
    """
    return _CARRIED.fullmatch(text) is not None


def is_total(text: str, *, is_whole: bool = True) -> bool:
    """Tell whether a row, or its first cell, is one of totals; one that fills all columns only by its whole label.

    >>> is_total("| Sous-total | 12 € |"), is_total("Ara toplam"), is_total("| Mean Girls | 2004 |")
    (True, True, False)
    >>> is_total("Total for May", is_whole=False), is_total("Sum 41")
    (True, False)
    """
    return _TOTAL_ALONE.search(text) is not None or (not is_whole and _TOTAL_FIRST.search(text) is not None)
