"""The heads of the tables in a text."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from gleaner.page.blocks import CELL, Blocks, blocks_of
from gleaner.values.texts.spellings import Label, label_words

ASIDE = "("
"""The sign before the words of a label that stand in brackets at its end."""

_LAST_BRACKETS = re.compile(r"[(\[]([^()\[\]\d]*)[)\]]\W*$")
_LAST_UNIT = re.compile(r",\s([^\s\d,]{1,4})\s*\Z")
"""A unit behind a comma at a label's end: "Weight, kg"."""

_LABELLED = re.compile(r"^[ \t]*+(?:[-*+][ \t]++)?\**+([^|:：\n*]{2,40}?)\**+[ \t]*+[:：]", re.MULTILINE)


def full_words(text: str) -> Label:
    """Give the words of a label and, with a sign before each, those in brackets at its end: "Price (incl. VAT)"."""
    text = _LAST_UNIT.sub(r" (\1)", text) if "," in text else text
    inside = _LAST_BRACKETS.search(text)
    return (*label_words(text), *(f"{ASIDE}{word}" for word in (label_words(inside[1]) if inside else ())))


@dataclass(frozen=True, slots=True)
class Head:
    """The head of a table: where it stands, where the table ends, and the labels between its borders."""

    start: int
    stop: int
    labels: tuple[Label, ...]


class TableHeads:
    """The heads of the tables of a text, in order."""

    def __init__(self, text: str) -> None:
        self.heads = [*table_heads(blocks_of(text))]
        self._starts = [head.start for head in self.heads]

    def over(self, place: int) -> Head | None:
        """Give the head of the table that a place stands in; None outside of tables with heads."""
        at = bisect_right(self._starts, place) - 1
        return self.heads[at] if at >= 0 and place < self.heads[at].stop else None


def table_heads(blocks: Blocks) -> Iterator[Head]:
    """Give the heads of the tables of a text, in order."""
    for table in blocks.tables:
        if table.is_headed:
            labels = CELL.split(blocks.text[slice(*blocks.span_of(table.rows[0]))].strip())
            yield Head(*blocks.span(table), tuple(map(full_words, labels)))


def named_field(label: Label, names: Iterable[str]) -> str | None:
    """Give the one name, of several, that a label is; None when it is none of them.

    >>> named_field(label_words("Passed on"), ["title", "passed_on"])
    'passed_on'
    """
    found = [name for name in names if label and "".join(label_words(name)) == "".join(label)]
    return found[0] if len(found) == 1 else None


def labels_in(text: str) -> list[Label]:
    """Give the labels of a piece of text: a table's heads, else what stands before a colon at the start of a line."""
    heads = text.split("\n", 1)[0].strip().strip("|").split("|") if text.startswith("|") else []
    return [label_words(found) for found in heads or (match[1] for match in _LABELLED.finditer(text))]
