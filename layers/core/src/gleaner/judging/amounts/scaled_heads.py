"""Scales that the head of a column or row says for its figures: 18.4 below "Population (millions)" is 18,400,000."""

from collections.abc import Iterator
from dataclasses import replace

from gleaner.judging.table_heads import ASIDE, TableHeads, full_words
from gleaner.page.blocks import CELL
from gleaner.values.numbers import as_number
from gleaner.values.scales import power_of_column
from gleaner.values.texts.spellings import Label
from gleaner.values.texts.text_index import Match, TextIndex

_MOST_HEADS = 200


class ScaledHeads:
    """The tables of a text whose heads say scales, and where these state a number."""

    def __init__(self, heads: TableHeads, index: TextIndex) -> None:
        self._heads, self._index = heads, index
        tables = heads.heads[:_MOST_HEADS]
        found = (scale_of(label) for head in tables for label in head.labels)
        rows = (scale_of(full_words(row)) for head in tables for row in self._first_cells(head.start, head.stop))
        self._scales = sorted({scale for scale in (*found, *rows) if scale})

    def find(self, value: int | float) -> list[Match]:
        """Give where a number stands in figures that the head of their column, or of their row, multiplies."""
        found = ((scale, self._index.find(as_number(round(value / scale, 9)))) for scale in self._scales)
        places = (match for scale, matches in found for match in matches if self._scale_over(match.start) == scale)
        return [replace(one, status="normalized", transform="scaled_head") for one in places if not one.weak]

    def _scale_over(self, place: int) -> int:
        text, head = self._index.text, self._heads.over(place)
        if head is None:
            return 0
        line = text.rfind("\n", 0, place) + 1
        column = len(CELL.findall(text, line, place))
        over = scale_of(head.labels[column]) if column < len(head.labels) else 0
        return over or scale_of(full_words("".join(CELL.split(text[line:place])[1:2])))

    def _first_cells(self, start: int, stop: int) -> Iterator[str]:
        for row in self._index.text[start:stop].split("\n"):
            yield "".join(CELL.split(row)[1:2])


def scale_of(label: Label) -> int:
    """Give what a label says that its figures are multiplied by; 0 for nothing, or for several things.

    >>> scale_of(full_words("GDP (US$ bn)")), scale_of(full_words("人口(万人)")), scale_of(full_words("Million"))
    (1000000000, 10000, 0)
    """
    scales = {scale for word in label if (scale := _scale(word))} if len(label) > 1 else set[int]()
    return scales.pop() if len(scales) == 1 else 0


def _scale(word: str) -> int:
    bare = word.removeprefix(ASIDE)
    if bare == word and bare[:1] >= "\u0900":
        return 0  # a word of a script without blanks is a scale only in brackets
    power = power_of_column(bare)
    return 10**power if power else 0
