"""Phrases for yes, no and stock."""

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from functools import cache

from gleaner.contracts.word_lists import listed
from gleaner.values import locales
from gleaner.values.texts.folding import fold
from gleaner.values.texts.phrases import Phrase, read_phrase

PHRASES_OF: Mapping[bool, Sequence[str]] = {
    True: sorted(listed("yes true included ja oui sí sim ✓ ✔ ☑ ✅") | locales.words("in_stock")),
    False: sorted({"not included"} | listed("no false nein non não ✗ ✘ ❌ ☐") | locales.words("out_of_stock")),
}
_LETTER = re.compile(r"(?<![^\W_])[^\W\d_](?![^\W_])")
LETTERS_OF: Mapping[bool, str] = {True: "Yy", False: "Nn"}
_OPENS, _CLOSES = ("", "|", ":", "：", "\n"), ("", "|", "\n")
_NUMBER_SIGN = re.compile(r"no\.?[ \u00a0]?\d", re.IGNORECASE)
_REACH = 8


def letters_alone(text: str) -> dict[str, list[int]]:
    """Give where each letter is all of a cell, a line or what a label leads to.

    >>> letters_alone("| Wifi | Y |"), letters_alone("Wifi: N"), letters_alone("vitamina C y D")
    ({'Y': [9]}, {'N': [6]}, {})
    """
    found: dict[str, list[int]] = {}
    for match in _LETTER.finditer(text):
        before = text[max(0, match.start() - _REACH) : match.start()].rstrip(" \t*_")
        after = text[match.end() : match.end() + _REACH].lstrip(" \t*_")
        if before[-1:] in _OPENS and after[:1] in _CLOSES:
            found.setdefault(match[0], []).append(match.start())
    return found


def counts(text: str, start: int) -> bool:
    """Tell whether a "no" is short for a number: "No. 5", "no 12".

    >>> counts("No. 5", 0), counts("no pets", 0)
    (True, False)
    """
    return _NUMBER_SIGN.match(text, start) is not None


@cache
def read_known(phrase: str) -> Phrase | None:
    """Give a phrase of these, folded once for all texts."""
    return read_phrase(fold(phrase))


def last_two(places: Sequence[tuple[int, int]], start: int) -> Sequence[tuple[int, int]]:
    """Give the last two of these places that begin at or before a start."""
    number = bisect_right(places, (start, 1 << 62))
    return places[max(0, number - 2) : number]
