"""A text as words, each with its place: numbers, words, and the signs of scripts that have no blanks."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

# Scripts written without spaces: each character is a word of its own, so that a name is found inside a sentence.
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"  # noqa: E501
_SIGNS_WITHIN = "".join(
    f"{chr(first)}-{chr(first + 0x03)}{chr(first + 0x3A)}-{chr(first + 0x4F)}{chr(first + 0x62)}{chr(first + 0x63)}"
    for first in range(0x900, 0xD80, 0x80)
)
"""Vowels and other signs within the words of India's scripts, whose blocks of Unicode are laid out alike."""

WORD = re.compile(rf"\d+|[{_UNSPACED}]|(?:[^\W\d_{_UNSPACED}]|[{_SIGNS_WITHIN}])+")


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a folded text, in order: each one's form, start and end; and the text."""

    forms: Sequence[str]
    starts: Sequence[int]
    ends: Sequence[int]
    text: str


def tokenize(text: str) -> Words:
    """Give the words of a folded text."""
    forms: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for match in WORD.finditer(text):
        forms.append(match[0])
        starts.append(match.start())
        ends.append(match.end())
    return Words(forms, starts, ends, text)


def place_words(words: Words) -> dict[str, list[int]]:
    """Give, for each word, the numbers of its places in rising order."""
    places: dict[str, list[int]] = {}
    for number, form in enumerate(words.forms):
        places.setdefault(form, []).append(number)
    return places
