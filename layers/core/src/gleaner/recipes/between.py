"""A value inside a text, between words that need not begin or end it: "J Med. 2021 Mar;12. doi: 10.1/x."."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from gleaner.contracts.ports import JsonValue
from gleaner.recipes.cuts import Cut, Reads

_WIDEST = 24
_LONGEST = 600
_LEAST_TEXTS = 3
_SAID = re.compile(r"[^\W\d_]|[^\w\s]|\n")
_NUMERAL = r"\d{1,3}(?: \d{3})+(?!\d)|\d+"
"""A run of digits, or groups of three with blanks between them."""

_DIGITS = re.compile(_NUMERAL)
_WHOLE = r"(?!(?<=\d) \d{3}(?!\d))"
"""Where a value may end: not between the groups of a numeral."""

_LAST_WORD = re.compile(r"(?<!\w)[^\W\d_]+(?!\w)(?!.*(?<!\w)[^\W\d_]+(?!\w))", re.DOTALL)
_WORD = re.compile(r"(?<!\w)(?:\d{1,3}(?: \d{3})+(?!\w)|\d+(?=[–—]\d)|\w(?:\S*\w)?)|(?<=\d[–—])\d+(?!\w)")
"""A word, a numeral, or one end of a range."""


def between_cuts(known: Sequence[tuple[str, JsonValue]], reads: Reads) -> Iterator[Cut]:
    """Give what all texts have right before and right after the value.

    A line break stands for a text's end, a tab for any digits.

    >>> texts = [("J. Med 2021 (3)", 2021), ("Optics 1999 (3)", 1999), ("Q. Sci 2004 (3)", 2004)]
    >>> list(between_cuts(texts, lambda text, value: text == str(value)))
    [{'prefix': ' ', 'suffix': ' (\\t)\\n', 'between': True}]
    """
    texts = {text for text, _ in known}
    if len(texts) < _LEAST_TEXTS or max(map(len, texts)) > _LONGEST or any(isinstance(one, bool) for _, one in known):
        return
    places = [list(_places(text, value, reads)) for text, value in known]
    offered = [_around(known, [found[nth] for found in places]) for nth in (0, -1)] if all(places) else []
    for before, after in dict.fromkeys(offered):
        if before and after and (_SAID.search(before) or _SAID.search(after)):
            yield {"prefix": before, "suffix": after, "between": True}


def _around(known: Sequence[tuple[str, JsonValue]], places: Sequence[tuple[int, int]]) -> tuple[str, str]:
    """Give what all texts have right before and right after a place in each."""
    pairs = [(text, *place) for (text, _), place in zip(known, places, strict=True)]
    befores = [_DIGITS.sub("\t", f"\n{text[:start]}")[: -_WIDEST - 1 : -1] for text, start, _ in pairs]
    afters = [_DIGITS.sub("\t", f"{text[end:]}\n")[:_WIDEST] for text, _, end in pairs]
    return _beginning(befores)[::-1], _beginning(afters)


def _beginning(texts: Sequence[str]) -> str:
    """Give what all texts begin with."""
    first, last = min(texts), max(texts)
    return next((first[:at] for at, sign in enumerate(first) if last[at : at + 1] != sign), first)


def _places(text: str, value: JsonValue, reads: Reads) -> Iterator[tuple[int, int]]:
    if isinstance(value, str) and value in text:
        yield from (match.span() for match in re.finditer(rf"(?<!\w){re.escape(value)}(?!\w)", text))
        return
    yield from (match.span() for match in _WORD.finditer(text) if reads(match[0], value))


def parts_between(text: str, before: str, after: str) -> list[str]:
    """Give what stands between the words, wherever they are; nothing where the first ones are not.

    >>> parts_between("Optics. 1999. doi: 10.1/x.", " doi: ", ".\\n")
    ['10.1/x']
    """
    return [match[1].strip() for match in _pattern(before, after).finditer(f"\n{text}\n")]


def is_stated(words: str, text: str) -> bool:
    """Tell whether a text has the last of the words that stand before a value, or all of them, if none is a word.

    >>> is_stated("from \t to ", "to 1,200 a month"), is_stated("from \t to ", "from 800 a month")
    (True, False)
    """
    last = _LAST_WORD.search(words)
    if last is not None:
        return re.search(rf"(?<!\w){re.escape(last[0])}(?!\w)", text) is not None
    return re.search(_digits_for_tabs(words), f"\n{text}\n") is not None


@lru_cache(maxsize=256)
def _pattern(before: str, after: str) -> re.Pattern[str]:
    return re.compile(f"(?={_digits_for_tabs(before)}(.+?){_WHOLE}{_digits_for_tabs(after)})")


def _digits_for_tabs(words: str) -> str:
    return f"(?:{_NUMERAL})".join(map(re.escape, words.split("\t")))
