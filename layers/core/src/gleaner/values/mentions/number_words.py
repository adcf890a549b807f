"""Numbers written as words, in the languages of ``data/value_words.json``, or in Roman numerals."""

import re
from collections.abc import Mapping
from functools import cache, lru_cache

from gleaner.values import locales
from gleaner.values.lookups import grouped
from gleaner.values.mentions.words import Words

_WORD = re.compile(r"[^\W\d_]+")
_SHORT, _LAST_WORD = 2, 99
_ROMAN = ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX")
_TIMES_TEN, _TIMES_HUNDRED = str.maketrans("IVX", "XLC"), str.maketrans("IVX", "CDM")
_LARGEST_ROMAN = 39
_ROMAN_YEARS = range(1400, 2100)


@cache
def _words(name: str) -> Mapping[float, tuple[str, ...]]:
    found = grouped((number, word) for word, number in locales.meanings(name).items())
    return {number: tuple(words) for number, words in found.items()}


def words_of_number(value: float) -> tuple[str, ...]:
    """Give the words that state a number and nothing else in any language.

    >>> words_of_number(3)[:3]
    ('three', 'drei', 'trois')
    """
    return _words("number_words").get(value, ())


@cache
def phrases_of_zero() -> tuple[str, ...]:
    """Give the phrases that state a price of 0."""
    return tuple(sorted(locales.words("free_of_charge")))


@cache
def _values() -> Mapping[str, int]:
    return {**locales.meanings("counting_words"), **locales.meanings("number_words")}


def value_of_word(word: str) -> int:
    """Give the number that a word says, 0 for any other word.

    >>> value_of_word("three"), value_of_word("Drei"), value_of_word("jug")
    (3, 3, 0)
    """
    return _values().get(word.casefold(), 0)


def has_number_word(text: str) -> bool:
    """Tell whether a text says a number in a word of three letters or more, such as that something costs nothing.

    >>> has_number_word("Free of charge"), has_number_word("two months' rent"), has_number_word("on request")
    (True, True, False)
    """
    said = text.casefold()
    words = (word for word in _WORD.findall(said) if len(word) > _SHORT)  # "on" is ten in Turkish
    return any(word in _values() for word in words) or any(one in said for one in phrases_of_zero())


def words_that_count(value: float) -> tuple[str, ...]:
    """Give the words that say a number before what they count: those of ``words_of_number``, and more.

    >>> words_that_count(3)[:3], words_that_count(2.5)
    (('three', 'drei', 'trois'), ())
    """
    more = _words("counting_words").get(value, ())
    return tuple(dict.fromkeys([*words_of_number(value), *more])) if value else ()


@lru_cache(maxsize=1024)
def compound_of(value: float) -> str:
    """Give the two English words of a number from 21 to 99; "" for any other.

    >>> compound_of(21), compound_of(30)
    ('twenty-one', '')
    """
    if not isinstance(value, int) or not 20 < value <= _LAST_WORD or value % 10 == 0:
        return ""
    return f"{words_of_number(value - value % 10)[0]}-{words_of_number(value % 10)[0]}"


def roman(value: float) -> str:
    """Give a small number or a year in Roman numerals, of two letters at least: "I" and "V" are words; else "".

    >>> roman(14), roman(5), roman(1987)
    ('XIV', '', 'MCMLXXXVII')
    """
    if not isinstance(value, int) or not (1 < value <= _LARGEST_ROMAN or value in _ROMAN_YEARS):
        return ""
    tens, hundreds = _ROMAN[value // 10 % 10].translate(_TIMES_TEN), _ROMAN[value // 100 % 10].translate(_TIMES_HUNDRED)
    numeral = "M" * (value // 1000) + hundreds + tens + _ROMAN[value % 10]
    return numeral if len(numeral) > 1 else ""


@cache
def _english() -> tuple[frozenset[str], frozenset[str]]:
    """Give the English words for twenty, thirty and so on, and for up to twelve."""
    known = locales.meanings("number_words")
    tens = (words_of_number(10 * ten)[0] for ten in range(2, 10))
    return frozenset(tens), frozenset(word for word, value in known.items() if value <= 12 and word.isascii())


def is_a_part(words: Words, place: int) -> bool:
    """Tell whether a number's word is a part of a larger number: the "one" of "twenty-one" and of "one million"."""
    tens, ones = _english()
    last = len(words.forms) - 1
    if place < last and words.starts[place + 1] - words.ends[place] == 1:
        form, following = words.forms[place], words.forms[place + 1]
        is_scale = len(following) > 1 and (following in locales.scales() or following in locales.words("hundreds"))
        if is_scale or (form in tens and following in ones):
            return True
    return place > 0 and words.forms[place - 1] in tens and words.starts[place] - words.ends[place - 1] == 1
