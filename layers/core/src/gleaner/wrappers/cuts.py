"""What stands around a value in a text: fixed words before and behind it, or the marks between several values."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from gleaner.contracts.ports import JsonValue
from gleaner.wrappers.readings import UNREAD, Readers, same, spans_of

_LONGEST_MARK = 24
_MOST_BOUNDARIES = 6
_ENOUGH_FOR_BLANKS = 4
"""Marks of nothing but letters or blanks count only if so many different texts show them."""

_BOUNDARY = re.compile(r"(?<=\W)|(?=\W)")


def shared_start(texts: Sequence[str]) -> str:
    """Give what all texts begin with.

    >>> shared_start(["$ 12", "$ 7"])
    '$ '
    """
    first, last = min(texts, default=""), max(texts, default="")
    count = next((at for at, (one, other) in enumerate(zip(first, last, strict=False)) if one != other), None)
    return first[: min(len(first), len(last))] if count is None else first[:count]


class Cut(NamedTuple):
    """The text between two marks: ``nth`` says which ``before`` is meant, or without it which ``after``.

    >>> Cut(" of ", "").of("3 of 12"), Cut("(", ")", 1).of("(a) (b)"), Cut("", " beds").of("3 rooms")
    ('12', 'b', None)
    """

    before: str = ""
    after: str = ""
    nth: int = 0

    def of(self, text: str) -> str | None:
        """Give the part of a text; None where the marks are not there."""
        if self.before:
            at = nth_of(self.before, text, self.nth)
            if at is None:
                return None
            start = at + len(self.before)
            end = text.find(self.after, start) if self.after else len(text)
        else:
            start = 0
            found = nth_of(self.after, text, self.nth) if self.after else len(text)
            end = -1 if found is None else found
        return None if end < start else text[start:end].strip()


def nth_of(mark: str, text: str, nth: int) -> int | None:
    """Give where the nth mark begins, from the end when negative; None where there are fewer."""
    places: list[int] = []
    at = text.find(mark)
    while at >= 0:
        places.append(at)
        at = text.find(mark, at + len(mark))
    return places[nth] if -len(places) <= nth < len(places) else None


class Way(NamedTuple):
    """How a text becomes a value: cut, then read."""

    cut: Cut | None
    reading: str


def fit(
    pairs: Sequence[tuple[str, JsonValue]], readings: Sequence[str], readers: Readers, *, plain: bool = False
) -> Way | None:
    """Give a way by which each text has its value; None when there is none. With ``plain`` no text is cut."""
    for reading in readings:
        if _fits(pairs, None, reading, readers):
            return Way(None, reading)
    if plain or not pairs:
        return None
    for cut in _cuts(pairs, readings, readers):
        for reading in readings:
            if _fits(pairs, cut, reading, readers):
                return Way(cut, reading)
    return None


def _fits(pairs: Sequence[tuple[str, JsonValue]], cut: Cut | None, reading: str, readers: Readers) -> bool:
    reader = readers.of(reading)
    for text, value in pairs:
        said = text if cut is None else cut.of(text)
        if said is None:
            return False
        read = reader[said]
        if read is UNREAD or not same(read, value):
            return False
    return True


def _cuts(pairs: Sequence[tuple[str, JsonValue]], readings: Sequence[str], readers: Readers) -> Iterator[Cut]:
    distinct = dict.fromkeys(text for text, _ in pairs)
    if len(distinct) > 1:
        yield from _fixed_ends([*distinct])
    yield from _between_marks(pairs, readings, readers)


def _fixed_ends(texts: Sequence[str]) -> Iterator[Cut]:
    """Give the words that all texts begin and end with, shorter ones after longer ones."""
    start = shared_start([*texts])
    end = shared_start([text[len(start) :][::-1] for text in texts])[::-1]
    starts = [*[start[: one.start()] for one in _BOUNDARY.finditer(start)][::-1], ""]
    ends = [*[end[one.start() :] for one in _BOUNDARY.finditer(end)], ""]
    for before in dict.fromkeys([start, *starts[:_MOST_BOUNDARIES], ""]):
        for after in dict.fromkeys([end, *ends[:_MOST_BOUNDARIES], ""]):
            if before or after:
                yield Cut(before, after, 0 if before else -1)


def _between_marks(pairs: Sequence[tuple[str, JsonValue]], readings: Sequence[str], readers: Readers) -> Iterator[Cut]:
    """Give the marks that stand right before and behind the value in all texts (the left and right delimiters)."""
    found = [[*spans_of(value, text, readings, readers)] for text, value in pairs]
    if not all(found):
        return
    are_few = len({text for text, _ in pairs}) < _ENOUGH_FOR_BLANKS
    for choose in dict.fromkeys((0, -1)):
        spans = [one[choose] for one in found]
        lefts = [text[:start] for (text, _), (start, _) in zip(pairs, spans, strict=True)]
        rights = [text[end:] for (text, _), (_, end) in zip(pairs, spans, strict=True)]
        befores = [""] if not any(lefts) else [*_marks(shared_start([one[::-1] for one in lefts])[::-1], at_end=True)]
        afters = [""] if not any(rights) else [*_marks(shared_start(rights), at_end=False)]
        for before in befores:
            for after in afters:
                if (not before and not after) or (are_few and not _tells(before) and not _tells(after)):
                    continue
                text, left = pairs[0][0], lefts[0]
                if before:
                    yield Cut(before, after, left.count(before) - 1)
                    yield Cut(before, after, left.count(before) - 1 - text.count(before))
                else:
                    count = text[: spans[0][1]].count(after)
                    yield Cut(before, after, count)
                    yield Cut(before, after, count - text.count(after))


def _marks(shared: str, *, at_end: bool) -> Iterator[str]:
    """Give the shared text right beside a value, and shorter ones."""
    shared = shared[-_LONGEST_MARK:] if at_end else shared[:_LONGEST_MARK]
    if not shared:
        return
    yield shared
    places = sorted({one.start() for one in _BOUNDARY.finditer(shared)} - {0, len(shared)}, reverse=not at_end)
    for at in places[:_MOST_BOUNDARIES]:
        yield shared[at:] if at_end else shared[:at]


def _tells(mark: str) -> bool:
    return bool(mark.strip())
