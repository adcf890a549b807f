"""The part of a text that is the value: between fixed words, or before or after a mark, as in "By Ada Roe, 3 May"."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from gleaner.contracts.ports import JsonValue
from gleaner.recipes.plurals import end_of

Cut = dict[str, Any]
"""Fields of a selector: ``prefix`` and ``suffix``, or ``mark`` with ``side`` and ``beyond``, or with ``part``."""

Reads = Callable[[str, JsonValue], bool]
"""Tells whether a text reads as a value."""

Cuts = Callable[[Sequence[tuple[str, JsonValue]], Reads], Iterator[Cut]]

_BEYOND = (("date",), ("date_time",), ("integer",), ("number",), ("money",))
_MOST_WORDS = 14
_LONGEST = 160
_PARTING = (", ", " · ", " | ", " • ", " – ", " — ", " - ", " / ", "; ", " › ", " > ")
_LONGEST_CUT = 40
_DIGIT = re.compile(r"\d")
_FIGURE = re.compile(r"(?:(?<!\S)[^\w\s])?\d")
_AFTER = re.compile(r"\s*[^\w\s]\W*|\s+[^\W\d]{1,9}\s+|\s+")
_BEFORE = re.compile(r"(?:[^\w\s]+\s*|\s[^\W\d]{1,9}\s+|\s+)$")
_WORDS_AFTER = re.compile(r"(?<=\d)\s[^\d]*[^\W\d][^\d]*$")
_END = re.compile(r"[^\w\s]+$")
_WORD = re.compile(r"(?<!\w)\w")


def no_cuts(_known: Sequence[tuple[str, JsonValue]], _reads: Reads) -> Iterator[Cut]:
    """Give no cut: for selectors that bring their own."""
    yield {}


def fixed_cuts(known: Sequence[tuple[str, JsonValue]], _reads: Reads) -> Iterator[Cut]:
    """Give no cut, and the words that stand before and after the value in all texts."""
    yield {}
    text, value = next((one for one in known if one[1] != 1), known[0])
    needle = value if isinstance(value, str) and value in text else None
    if needle is None and not isinstance(value, str | bool):
        digits = [at for at, character in enumerate(text) if character.isdigit()]
        needle = text[digits[0] : digits[-1] + 1] if digits else None
    if needle is None or needle == text or len({text for text, _ in known}) < 2:
        return
    start = text.index(needle)
    prefix, suffix = text[:start], text[start + len(needle) :]
    if all(text.startswith(prefix) and end_of(text, suffix) is not None for text, _ in known):
        yield {"prefix": prefix, "suffix": suffix}


def worded_cuts(known: Sequence[tuple[str, JsonValue]], reads: Reads) -> Iterator[Cut]:
    """Give what all texts begin with, before a value that is written otherwise: "Commits on 3 May", "@3 May"."""
    text, value = known[0]
    starts = [start for match in _WORD.finditer(text) if (start := match.start())][:_MOST_WORDS][::-1]
    for prefix in (text[:start] for start in starts):
        is_shared = not _DIGIT.search(prefix) and all(other.startswith(prefix) for other, _ in known)
        if is_shared and reads(text[len(prefix) :], value):
            yield {"prefix": prefix}


def only_cuts(known: Sequence[tuple[str, JsonValue]], reads: Reads) -> Iterator[Cut]:
    """Give what stands around a value in the only text there is: words without digits."""
    text, value = known[0]
    for start, end in _places_in(text, value, reads) if len(known) == 1 and len(text) <= _LONGEST else ():
        prefix, suffix = text[:start], text[end:]
        if (prefix or suffix) and not _DIGIT.search(prefix + suffix) and max(len(prefix), len(suffix)) <= _LONGEST_CUT:
            yield {"prefix": prefix, "suffix": suffix}


def _places_in(text: str, value: JsonValue, reads: Reads) -> Iterator[tuple[int, int]]:
    if isinstance(value, str) and text.count(value) == 1:
        yield text.index(value), text.index(value) + len(value)
        return
    starts = [match.start() for match in re.finditer(r"(?<!\w)\w", text)][:_MOST_WORDS]
    ends = [match.start() for match in re.finditer(r"(?<=\w)(?!\w)", text)][:-_MOST_WORDS:-1]
    yield from ((start, end) for start in starts for end in ends if start < end and reads(text[start:end], value))


def marked_cuts(known: Sequence[tuple[str, JsonValue]], reads: Reads) -> Iterator[Cut]:
    """Give cuts at a mark between the value and another one, for texts that differ on both sides of it.

    ``reads`` tells whether a part of a text reads as the value.
    """
    texts = [text for text, _ in known]
    if len(set(texts)) < 2 or len({str(value) for _, value in known}) < 2 or max(map(len, texts)) > _LONGEST:
        return
    suffix = _shared_end(texts)
    bare = [text.removesuffix(suffix) for text in texts]
    for prefix, mark in _heads(bare[0], known[0][1], reads):
        if all(text.startswith(prefix) and mark in text[len(prefix) :] for text in bare):
            for beyond in (*_BEYOND, ()):
                yield {"prefix": prefix, "suffix": suffix, "mark": mark, "side": "before", "beyond": beyond}
    for mark in _tails(bare[0], known[0][1], reads):
        if all(mark in text for text in bare):
            yield {"suffix": suffix, "mark": mark, "side": "after"}


def part_cuts(known: Sequence[tuple[str, JsonValue]], reads: Reads) -> Iterator[Cut]:
    """Give cuts to one of three parts or more into which marks part all texts: "2 Elm Road, Oslo, 0150"."""
    texts = [text for text, _ in known]
    if len(set(texts)) < 2 or max(map(len, texts)) > _LONGEST:
        return
    for mark in _PARTING:
        parts = [[part.strip() for part in text.split(mark)] for text in texts]
        count = len(parts[0])
        if count > 2 and all(len(each) == count and all(each) for each in parts):
            for at in range(count):
                if all(reads(each[at], value) for each, (_, value) in zip(parts, known, strict=True)):
                    yield {"mark": mark, "part": (at, count)}


def _shared_end(texts: Sequence[str]) -> str:
    """Give the signs, or the words after a number, that all texts end with."""
    for end in (_WORDS_AFTER.search(texts[0]), _END.search(texts[0])):
        if end and all(text.endswith(end[0]) for text in texts):
            return end[0]
    return ""


def _heads(text: str, value: JsonValue, reads: Reads) -> Iterator[tuple[str, str]]:
    """Give what stands before and after a value at the beginning of a text, or after the words that it begins with."""
    if isinstance(value, str) and value in text:
        start = text.index(value)
        found = [(start, start + len(value))]
    else:
        figure = _FIGURE.search(text)
        starts = dict.fromkeys((0, figure.start() if figure else 0))
        ends = [match.start() for match in re.finditer(r"(?<=\w)(?!\w)", text)][:_MOST_WORDS]
        found = [(start, end) for start in starts for end in ends if start < end]
    for start, end in found:
        after = _AFTER.match(text, end)
        if after and reads(text[start:end], value):
            yield text[:start], after[0]


def _tails(text: str, value: JsonValue, reads: Reads) -> Iterator[str]:
    """Give the marks after which the rest of a text is the value."""
    for match in list(_WORD.finditer(text))[1:][-_MOST_WORDS:]:
        before = _BEFORE.search(text, 0, match.start())
        if before and reads(text[match.start() :], value):
            yield before[0]


def parts_at(text: str, mark: str) -> Iterator[tuple[str, str]]:
    """Give what stands before and after each place of a mark.

    >>> list(parts_at("Roe, Jr., 3 May", ", "))
    [('Roe', 'Jr., 3 May'), ('Roe, Jr.', '3 May')]
    """
    start = text.find(mark)
    while start >= 0:
        yield text[:start].strip(), text[start + len(mark) :].strip()
        start = text.find(mark, start + 1)
