"""The blocks of a page's Markdown, and whether the words of a claim stand around a place: in its block, and above it.

A block is a paragraph's line, a list item's line or a table's row. What stands above it belongs to it: the headings,
the items that it is nested in, the table's header, and of running text a little of what comes before.
"""

import re
from collections import Counter
from functools import cached_property

from gleaner.chunking.relevance import IN_UNSPACED, words_of
from gleaner.page.blocks import Block, blocks_of
from gleaner.page.model import Span
from gleaner.values.lookups import Remembered, grouped

_TEXTS = ("heading", "text", "code")
_NEAR = 300
"""Characters around a paragraph or heading that may speak of the same thing: "He was born in 1971." below the man's
name, "$20" above what it is the price of."""

_FEW_WORDS = 3
"""What a bare figure has at most: "###### $20", "1,250 people"."""

_MOST_HOLDING = 50

_COMMON = 0.2
_LEAST_LETTERS = 3
_CUT = re.compile(r"[.!?][\s*_)\"”»]*\s|[,;:()|\n、，。；：！？（）]|\s[-–—]\s")
"""Where a clause may end."""


class BlockWords:
    """The words of the blocks of one text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.known = blocks_of(text)
        self.blocks = self.known.all
        self._own = Remembered(self._words_of)
        self._beside = Remembered(self._words_beside)
        self.clause_words = Remembered[Span, frozenset[str]](self._words_of_clause)

    def telling(self, clause: str) -> frozenset[str]:
        """Give the words of a clause by which its place on the page can be told: those that few blocks have."""
        most = max(1, int(_COMMON * len(self.blocks)))
        return frozenset(
            word
            for word in set(words_of(clause))
            if 0 < len(self._holding.get(word, ())) <= most
            and not word.isdecimal()
            and (len(word) >= _LEAST_LETTERS or (len(word) > 1 and IN_UNSPACED.match(word)))
        )

    def said_around(self, place: int, words: frozenset[str], *, closely: bool = False) -> frozenset[str]:
        """Give those of the words that the block at an offset has, or what belongs to it.

        ``closely`` leaves out the text beside a block that has words of its own.
        """
        number = self.known.at(place)
        if number < 0:
            return frozenset()
        looks_beside = self.blocks[number].kind in _TEXTS and not (closely and len(self._own[number]) > _FEW_WORDS)
        said = words & self._beside[number] if looks_beside else frozenset[str]()
        while number >= 0 and len(said) < len(words):
            said |= words & self._own[number]
            number = self.blocks[number].over
        return said

    def most_said(self, words: frozenset[str]) -> tuple[int, Block | None]:
        """Give the block that has most of the words, and how many; the first of several."""
        counts = Counter(number for word in words for number in self._holding.get(word, ())[:_MOST_HOLDING])
        if not counts:
            return 0, None
        most = max(counts.values())
        return most, self.blocks[min(number for number, count in counts.items() if count == most)]

    @cached_property
    def _holding(self) -> dict[str, list[int]]:
        return grouped((word, number) for number in range(len(self.blocks)) for word in self._own[number])

    def _words_of_clause(self, place: Span) -> frozenset[str]:
        """Give the words of the clause around a place of the text."""
        return frozenset(words_of(clause_around(self.text, *place)))

    def _words_of(self, number: int) -> frozenset[str]:
        block = self.blocks[number]
        return frozenset(words_of(self.text[block.start : block.end]))

    def _words_beside(self, number: int) -> frozenset[str]:
        """Give the words shortly before and behind a block of text: of a label, a caption, the sentence before."""
        block = self.blocks[number]
        start, end = max(0, block.start - _NEAR), block.end + _NEAR
        return frozenset(words_of(f"{self.text[start : block.start]}\n{self.text[block.end : end]}"))


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
