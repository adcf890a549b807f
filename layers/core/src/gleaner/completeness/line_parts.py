"""The parts of a line that a mark joins: "Oak, elm and ash" has three."""

import re
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from gleaner.completeness.likeness import kinds_stated
from gleaner.contracts.word_lists import any_word
from gleaner.page.model import Span
from gleaner.values import locales

TIMES_AS_LONG = 3
"""An element is at most so many times as long as the longest that is known."""

_MARK = re.compile(r"(?<!\s)\s*([,;•·、，؛،|/])\s*")
_BORDER = re.compile(
    r"[:：]\s|(?<=[^\W\d]{2})(?<!\b[A-Z][a-z])[.。]\s(?!\d)|\||\n"  # not "Dr. Ott", "no. 210"
)
_MARKDOWN = re.compile(r"\]\([^()\s]*\)|[\[\]*_`\\]")
_OPENING, _CLOSING = "(（", ")）"
_FIGURE = re.compile(r"(?<!\S)\S*\d\S*")
_WORD = re.compile(r"[^\W_]+")


class Lines:
    """The lines of a text, and what marks part in them."""

    def __init__(self, text: str) -> None:
        self.text = text

    @staticmethod
    def mark_in(gap: str) -> str | None:
        """Give the last mark in what stands between two elements; "" where nothing does, None where no mark joins."""
        plain = _MARKDOWN.sub("", gap)
        if "\n" in plain:
            return None if "\n\n" in plain else "\n"
        found = [one[1] for one in _MARK.finditer(plain)]
        return found[-1] if found else "" if not plain.strip() else None

    def mark_beside(self, place: Span) -> str | None:
        """Give the mark right before or behind an element; "," where its line joins by "and" alone."""
        behind = _MARK.match(_MARKDOWN.sub("", self.text[place[1] : place[1] + 200]))
        before = re.search(r"([,;•·、，؛،/])\s*\Z", _MARKDOWN.sub("", self.text[max(0, place[0] - 20) : place[0]]))
        found = before or (behind if behind and behind[1] != "|" else None)
        line = self.text[slice(*self.line_around(place, None))]
        return found[1] if found else "," if re.search(_joining(), line) else None

    def line_around(self, place: Span, mark: str | None) -> Span:
        """Give the run of the text around a place that no label, sentence, bracket or cell ends."""
        end = "\n\n" if mark == "\n" else "\n"
        low = self.text.rfind(end, 0, place[0])
        low = 0 if low < 0 else low + len(end)
        high = self.text.find(end, place[1])
        high = len(self.text) if high < 0 else high
        if mark == "\n":
            return low, high
        for border in _BORDER.finditer(self.text, low, high):
            if border[0].strip() == mark and mark:
                continue
            if border.end() <= place[0]:
                low = border.end()
            elif border.start() >= place[1]:
                high = border.start()
                break
        before = _without_targets(self.text[low : place[0]])
        behind = _without_targets(self.text[place[1] : high])
        opened = max(map(before.rfind, _OPENING))
        closed = min((at for sign in _CLOSING if (at := behind.find(sign)) >= 0), default=-1)
        is_in_brackets = opened > max(map(before.rfind, _CLOSING)) and closed >= 0
        return (low + opened + 1, place[1] + closed) if is_in_brackets else (low, high)

    def parts(self, line: Span, mark: str | None, places: Sequence[Span]) -> list[Span]:
        """Give the parts of a line by its mark, and by "and" right beside an element; a target of a link has none."""
        if mark is None:
            return []
        text = self.text[slice(*line)]
        if not mark:
            return [(line[0] + one.start(), line[0] + one.end()) for one in _FIGURE.finditer(text)]
        hidden = _without_targets(text)
        sign = r"\n" if mark == "\n" else rf"\s*(?:(?<!\d){re.escape(mark)}|{re.escape(mark)}(?!\d))\s*"
        cuts = [one.span() for one in re.finditer(sign, hidden)]
        sides = {side - line[0] for place in places for side in place}
        cuts += [one.span() for one in re.finditer(_joining(), hidden) if sides & {*one.span()}]
        cuts.sort()
        borders = [(0, 0), *cuts, (len(text), len(text))]
        found = [(first[1], second[0]) for first, second in pairwise(borders) if text[first[1] : second[0]].strip()]
        return [(line[0] + start, line[0] + end) for start, end in found]

    def plain(self, span: Span) -> str:
        """Give a run of the text without the signs of Markdown."""
        return plain(self.text[slice(*span)])


def _without_targets(text: str) -> str:
    """Give a text of the same length without the signs in the targets of its links."""
    return re.sub(r"\]\([^()\s]*\)", lambda found: "]" + "\0" * (len(found[0]) - 1), text)


def plain(text: str) -> str:
    """Give a text of one line without the signs of Markdown."""
    return " ".join(_MARKDOWN.sub("", text).split())


class Likeness(NamedTuple):
    """What the elements of a field state, by kind, how long they are, and whether each begins with a capital."""

    by_most: frozenset[str] = frozenset()
    by_any: frozenset[str] = frozenset()
    shortest: int = 0
    longest: int = 0
    are_cased: bool = False

    @classmethod
    def of(cls, texts: Sequence[str]) -> "Likeness":
        """Give what these have in common."""
        sizes = [*map(len, texts)] or [0]
        are_cased = all(text[:1].isupper() for text in texts)
        return cls(*kinds_stated(texts), min(sizes), max(sizes), are_cased)

    def with_more(self, texts: Sequence[str]) -> "Likeness":
        """Give the likeness of these elements, too, which are among the others, or hold them."""
        more = Likeness.of(texts)
        shortest, longest = min(self.shortest, more.shortest), max(self.longest, more.longest)
        return Likeness(self.by_most, self.by_any | more.by_any, shortest, longest, more.are_cased)

    def fits(self, text: str, *, is_between: bool = False) -> bool:
        """Tell whether a text is like these; what stands between two of them may state more."""
        is_as_long = self.shortest / 2 <= len(text) <= TIMES_AS_LONG * self.longest
        return is_as_long and self.is_of_kind(text) and (is_between or kinds_stated([text])[0] <= self.by_any)

    def is_of_kind(self, text: str) -> bool:
        """Tell whether a text states what these do, and begins as they do; it may say more, or several of them."""
        return (text[:1].isupper() or not self.are_cased) and self.by_most <= kinds_stated([text])[0]


@cache
def _joining() -> str:
    return rf"(?<=\w)\s+{any_word('query_words', 'joins', 'chooses')}\s+(?=[^\W\d_])"


@cache
def and_so_on() -> re.Pattern[str]:
    """Give the pattern of what says that a list goes on."""
    words = "|".join(sorted(locales.words("and_so_on")))
    return re.compile(rf"\b(?:{words})\b|…|\.\.\.", re.IGNORECASE)


def words_of(text: str) -> str:
    """Give the words of a text in lower case, parted by blanks."""
    return " ".join(_WORD.findall(text.casefold()))
