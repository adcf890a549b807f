"""The blocks of a page's Markdown, and whether the words of a claim stand around a place: in its block, and above it.

A block is a paragraph's line, a list item's line or a table's row. What stands above it belongs to it: the headings,
the items that it is nested in, the table's header, and of running text a little of what comes before.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from gleaner.relevance import IN_UNSPACED, words_of

_HEADING = re.compile(r"(#{1,6})[ \t]")
_ITEM = re.compile(r"([ \t]*)(?:[-*+•]|\d{1,9}[.)])[ \t]")
_RULE = re.compile(r"\|?[ \t:|-]+\|?[ \t]*")
_BEFORE = 300
"""Characters before a paragraph that still speak of the same thing: "He was born in 1971.", below the man's name."""

_COMMON = 0.2
_LEAST_LETTERS = 3
_CUT = re.compile(r"[.!?][\s*_)\"”»]*\s|[,;:()|\n、，。；：！？（）]|\s[-–—]\s")
"""Where a clause may end."""


@dataclass(frozen=True, slots=True)
class Block:
    """A line of the text with the numbers of the blocks above it that it belongs to."""

    start: int
    end: int
    above: int
    in_prose: bool


class Blocks:
    """The blocks of one Markdown text. Building takes time in proportion to the text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.blocks = list(_read_blocks(text))
        self._starts = [block.start for block in self.blocks]
        self._words: dict[int, frozenset[str]] = {}
        self._before: dict[int, frozenset[str]] = {}

    @cached_property
    def spread(self) -> Counter[str]:
        """In how many blocks each word stands."""
        return Counter(word for number in range(len(self.blocks)) for word in self._own(number))

    def telling(self, clause: str) -> frozenset[str]:
        """Give the words of a clause by which its place on the page can be told: those that few blocks have."""
        most = max(1, int(_COMMON * len(self.blocks)))
        return frozenset(
            word
            for word in words_of(clause)
            if 0 < self.spread[word] <= most
            and not word.isdecimal()
            and (len(word) >= _LEAST_LETTERS or (len(word) > 1 and IN_UNSPACED.match(word)))
        )

    def speaks_of(self, place: int, words: frozenset[str]) -> bool:
        """Tell whether the block at an offset, or what stands above it, has one of the words."""
        number = bisect_right(self._starts, place) - 1
        if number < 0:
            return False
        if self.blocks[number].in_prose and words & self._said_before(number):
            return True
        while number >= 0:
            if words & self._own(number):
                return True
            number = self.blocks[number].above
        return False

    def clause_at(self, start: int, end: int) -> str:
        """Give the clause around a place of the text."""
        return clause_around(self.text, start, end)

    def _own(self, number: int) -> frozenset[str]:
        if number not in self._words:
            block = self.blocks[number]
            self._words[number] = frozenset(words_of(self.text[block.start : block.end]))
        return self._words[number]

    def _said_before(self, number: int) -> frozenset[str]:
        if number not in self._before:
            start = self.blocks[number].start
            self._before[number] = frozenset(words_of(self.text[max(0, start - _BEFORE) : start]))
        return self._before[number]


def _read_blocks(text: str) -> Iterator[Block]:
    headings: list[tuple[int, int]] = []
    items: list[tuple[int, int]] = []
    table = -1
    start = number = 0
    for line in text.splitlines(keepends=True):
        end = start + len(line)
        content = line.strip()
        over = headings[-1][1] if headings else -1
        if heading := _HEADING.match(line):
            headings = [one for one in headings if one[0] < len(heading[1])]
            over = headings[-1][1] if headings else -1
            headings.append((len(heading[1]), number))
            items, table = [], -1
            yield Block(start, end, over, in_prose=False)
        elif content.startswith("|") and not _RULE.fullmatch(content):
            yield Block(start, end, over if table < 0 else table, in_prose=False)
            items, table = [], number if table < 0 else table
        elif item := _ITEM.match(line):
            depth = len(item[1].expandtabs(4))
            items = [one for one in items if one[0] < depth]
            yield Block(start, end, items[-1][1] if items else over, in_prose=False)
            items.append((depth, number))
            table = -1
        elif content and not content.startswith("|"):
            is_nested = bool(items) and line[0] in " \t"
            yield Block(start, end, items[-1][1] if is_nested else over, in_prose=True)
            items, table = items if is_nested else [], -1
        else:
            start = end
            continue
        start, number = end, number + 1


def clause_around(text: str, start: int, end: int, reach: int = 300) -> str:
    """Give what stands between the commas, points, brackets and borders of cells around a place."""
    low, high = max(0, start - reach), min(len(text), end + reach)
    ends = [match.end() for match in _CUT.finditer(text, low, start)]
    behind = _CUT.search(text, end, high)
    return text[ends[-1] if ends else low : behind.start() if behind else high]


_SENTENCE = re.compile(r"[.!?](?=[\s*_)\"”»]*\s)|[\n。！？]")


def sentence_around(text: str, start: int, end: int, reach: int = 500) -> tuple[int, int]:
    """Give the place of the sentence around a place."""
    low, high = max(0, start - reach), min(len(text), end + reach)
    ends = [match.end() for match in _SENTENCE.finditer(text, low, start)]
    behind = _SENTENCE.search(text, end, high)
    return ends[-1] if ends else low, behind.start() if behind else high
