"""What multiplies the number before it: "2.3k", "1,2 Mio.", "320万", "99¢", "15 %"."""

import re
from dataclasses import dataclass
from functools import cache

from gleaner.values import locales
from gleaner.values.text import fold

_BEHIND = re.compile(r"\s?(?:(?P<sign>[%٪‰¢])|(?P<word>[\u0900-\uffff]|[^\W\d_]++(?!\d)))")
_MORE_WORDS = re.compile(r"(?:[ \u00a0][^\W\d_]+){1,2}")
_FIRST_WITHOUT_BLANKS = "\u0900"
"""From here on, scripts have signs within words that are no letters, and most have no blanks between words."""
_PERCENT, _PERMILLE = -2, -3


@dataclass(frozen=True, slots=True)
class Suffix:
    """What stands behind a number and multiplies it, and where it ends: ``power`` is the power of ten."""

    end: int
    power: int
    word: str
    is_share: bool = False


def suffix_behind(text: str, at: int, language: str = "") -> Suffix | None:
    """Give the scale, percent or permille sign behind a number that ends at a place; None for none.

    >>> [suffix_behind(text, 1).power for text in ("3 Mio.", "3k", "3万人", "3 per cent", "3‰", "3 mil millones")]
    [6, 3, 4, -2, -3, 9]
    >>> suffix_behind("3 metres", 1)
    """
    found = _BEHIND.match(text, at)
    if found is None:
        return None
    if sign := found["sign"]:
        power = _PERMILLE if sign == "‰" else _PERCENT
        return Suffix(found.end(), power, sign, is_share=sign != "¢")
    start = found.start("word")
    if text[start] >= _FIRST_WITHOUT_BLANKS:
        return _begun_by_a_scale(text, start, language)
    word = found["word"].casefold()
    for name, end in (*_longer(text, word, found.end()), (word, found.end())):
        if name in locales.words("percent"):
            return Suffix(end, _PERCENT, name, is_share=True)
        power = locales.scales(language).get(name)
        if power and (len(name) == 1 or name not in locales.english_units()):  # "km" is 10^9 in Catalan
            return Suffix(end, power, name)
    return None


def _longer(text: str, word: str, end: int) -> list[tuple[str, int]]:
    """Give the names of several words that may begin with a word, "mil millones" and "per cent", longest first."""
    more = _MORE_WORDS.match(text, end) if word in _first_words() else None
    words = more[0].casefold().split() if more else []
    names = [" ".join([word, *words[:count]]) for count in range(len(words), 0, -1)]
    return [(name, end + len(name) - len(word)) for name in names]


@cache
def _first_words() -> frozenset[str]:
    names = (*locales.scales(), *locales.words("percent"))
    return frozenset(name.partition(" ")[0] for name in names if " " in name)


def _begun_by_a_scale(text: str, start: int, language: str) -> Suffix | None:
    known, longest = locales.scales(language), _longest()
    for end in range(min(len(text), start + longest), start, -1):
        if power := known.get(text[start:end]):
            return Suffix(end, power, text[start:end])
    return None


@cache
def _longest() -> int:
    return max(len(name) for name in locales.scales() if name[0] >= _FIRST_WITHOUT_BLANKS)


@cache
def doubtful() -> frozenset[str]:
    """Give the scales that mean other things, too: units, as "m" and "t" are, and the words of our list."""
    names = locales.scales()
    letters = (name for name in names if len(name) == 1 and name < _FIRST_WITHOUT_BLANKS and name != "¢")
    return locales.words("doubtful_scales") | frozenset(letters) | (names.keys() & locales.units().keys())


def is_sure(word: str) -> bool:
    """Tell whether a word behind a number can be nothing but a scale; "k" is one, whatever kelvins are."""
    return word == "k" or word not in doubtful()


_IN_BRACKETS = re.compile(
    r"[(\[]\s*+(?:in )?[^\w\s]?\s*+([kmbt]|000s?)\s*+[^\w\s]?\s*+[)\]]|['’‘]000\b|\b000s\b", re.IGNORECASE
)
_SHORTEST_SCALE = 3


def scale_stated(label: str) -> bool:
    """Tell whether a label says, or may say, that its numbers are thousands or more: "Height (m)" may, too.

    >>> [scale_stated(text) for text in ("Sales (in thousands)", "Users (m)", "NPW ($’000)", "Price (€)", "Name")]
    [True, True, True, False, False]
    """
    words = (fold(word) for word in re.findall(r"[^\W\d_]+", label))
    named = any(
        len(word) >= _SHORTEST_SCALE and {word, word.removesuffix("s")} & locales.scales().keys() for word in words
    )
    return named or _IN_BRACKETS.search(label) is not None


def power_of_column(word: str) -> int:
    """Give the power of ten that a word in a column's head surely says of the numbers below; 0 for none.

    >>> [power_of_column(word) for word in ("millions", "mn", "万人", "m", "name")]
    [6, 6, 4, 0, 0]
    """
    if word[:1] >= _FIRST_WITHOUT_BLANKS:
        begun = _begun_by_a_scale(word, 0, "")
        return begun.power if begun else 0
    known = {**locales.scales(), **locales.meanings("scales_of_columns")}
    sure = {word, f"{word}s"} - (doubtful() - locales.meanings("scales_of_columns").keys())
    return max((known.get(name, 0) for name in sure), default=0)
