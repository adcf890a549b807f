"""Words for yes and no, for what is in stock, and for nothing, in the languages of ``data/value_words.json``."""

from collections.abc import Mapping
from functools import cache

from gleaner.values import locales
from gleaner.values.text import fold

_SCHEMA_ORG = {"instock": True, "instoreonly": True, "onlineonly": True, "outofstock": False, "soldout": False}
_PREFIXES = ("http://schema.org/", "https://schema.org/", "schema:")


@cache
def answers() -> Mapping[str, bool]:
    """Give what each word says: yes or no, in stock or not."""
    yes, no = locales.words("yes") | locales.words("in_stock"), locales.words("no") | locales.words("out_of_stock")
    named = {f"{prefix}{word}": is_yes for prefix in _PREFIXES for word, is_yes in _SCHEMA_ORG.items()}
    return dict.fromkeys(no, False) | named | dict.fromkeys(yes, True)


def parse_boolean(text: str) -> bool:
    """Give true or false for a word that says yes, no, in stock or out of stock.

    >>> parse_boolean("In stock"), parse_boolean("ausverkauft"), parse_boolean("✓")
    (True, False, True)
    """
    answer = answers().get(fold(text).strip(" .!"))
    if answer is None:
        raise ValueError(f"neither yes nor no: {text[:80]!r}")
    return answer


def plain_answer(text: str) -> bool | None:
    """Give what a word for yes or no says; None for all others, which may speak of stock.

    >>> plain_answer("Yes"), plain_answer("nein"), plain_answer("In stock")
    (True, False, None)
    """
    word = fold(text).strip(" .!")
    return True if word in locales.words("yes") else False if word in locales.words("no") else None


def is_availability(text: str) -> bool:
    """Tell whether the text speaks of stock, not plainly yes or no."""
    return plain_answer(text) is None


def parse_null(text: str) -> None:
    """Give None for a placeholder that says that there is no value.

    >>> parse_null("N/A")
    """
    if not is_nothing(text):
        raise ValueError(f"says something: {text[:80]!r}")


def is_nothing(text: str) -> bool:
    """Tell whether a text is blank, or a sign for nothing.

    >>> is_nothing(" – "), is_nothing("none"), is_nothing("unknown")
    (True, True, False)
    """
    folded = fold(text)
    return not folded or folded in locales.words("nothing")


@cache
def _hollow() -> frozenset[str]:
    return locales.words("nothing") | locales.words("no_value")


@cache
def _beginnings() -> frozenset[str]:
    return frozenset(word[:2] for word in _hollow())


def says_nothing(text: str) -> bool:
    """Tell whether a text says, by a sign or in words, that there is no value.

    >>> says_nothing("Not available"), says_nothing("None."), says_nothing("None of these")
    (True, True, False)
    """
    is_word = text[:3].isascii() and text[:3].isalnum() and len(text) > 2
    if is_word and text[:2].lower() not in _beginnings():
        return False
    folded = fold(text).strip(" .!()*")
    return not folded or folded in _hollow()
