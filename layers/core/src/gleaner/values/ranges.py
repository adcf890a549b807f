"""The ends of ranges of days, where one leaves out what the other one says: "12.–14. Mai 2026"."""

import re
from collections.abc import Callable, Iterator
from typing import Literal

Which = Literal["first", "last", "second"]
"""The first end, or the only one; the last, or the only one; the last one of a range, none where there is one alone."""

_LONGEST = 80
_MOST = 12
TO = re.compile(r"\s*[–—−~〜-]\s*|\s+(?:to|until|till|bis|through|au|à|al|a|do|до|tot|t/m|til)\s+", re.IGNORECASE)
"""What stands between the two ends of a range."""

_WORDS_OF_FROM = "from|vom|von|du|del|dal|van|od|с|fra|от|ab|desde|dès|à partir de|a partir de"
_FROM = re.compile(rf"(?:^(?=\D)|(?<=\s)(?=\w+\s+\d))(?:{_WORDS_OF_FROM})\s+(?=\S)", re.IGNORECASE)
FROM = re.compile(rf"\s*(?:{_WORDS_OF_FROM})\s*", re.IGNORECASE)
UP_TO = re.compile(r"\s*(?:(?:up )?to|до|bis(?: zu)?|jusqu['’]à|hasta|até|fino a|tot|til)\s*", re.IGNORECASE)
"""What stands before the one end that a range has, where that is its first, and where it is its last."""
_PART = re.compile(r"(?<=\d)(?=[^\W\d])|(?<=[\s.,/-])(?=\S)|(?<=\w)(?=\s|,\s)")


def end_of_range(text: str, which: Which, parse: Callable[[str], str]) -> str | None:
    """Give an end of a range of days or times that ``parse`` reads; ValueError for a text that is not surely one.

    >>> from gleaner.values.dates import parse_date
    >>> [end_of_range("12.–14. Mai 2026", which, parse_date) for which in ("first", "last")]
    ['2026-05-12', '2026-05-14']
    >>> end_of_range("3 June 2026", "second", parse_date)
    """
    said = text.strip()
    if len(said) > _LONGEST:
        raise ValueError(f"too long for a range: {text[:80]!r}")
    alone = _read(said, parse)
    if alone is not None:
        return None if which == "second" else alone
    found = {*_ranges(_FROM.sub("", said), parse)}
    if len(found) != 1:
        raise ValueError(f"not surely a range: {text[:80]!r}")
    first, last = found.pop()
    return first if which == "first" else last


def _ranges(said: str, parse: Callable[[str], str]) -> Iterator[tuple[str, str]]:
    for match in [*TO.finditer(said)][:_MOST]:
        left, right = said[: match.start()], said[match.end() :]
        last = _read(right, parse) or _only((f"{left[: one.start()]} {right}" for one in _parts(left)), parse)
        tails = [right[one.start() :] for one in _parts(right)]
        glued = (tail for tail in tails if not (left[-1:].isdigit() and tail[:1].isdigit()))
        joined = (*(f"{left}{tail}" for tail in glued), *(f"{left} {tail}" for tail in tails))
        first = _read(left, parse) or _only(iter(joined), parse)
        if first is not None and last is not None and first <= last:
            yield first, last


def _parts(text: str) -> list[re.Match[str]]:
    return [*_PART.finditer(text)][:_MOST]


def _only(offered: Iterator[str], parse: Callable[[str], str]) -> str | None:
    """Give the one value that the texts have of which any can be read; None where they have several, or none."""
    found = {value for text in offered if (value := _read(text, parse)) is not None}
    return found.pop() if len(found) == 1 else None


def _read(text: str, parse: Callable[[str], str]) -> str | None:
    try:
        return parse(text)
    except ValueError:
        return None
