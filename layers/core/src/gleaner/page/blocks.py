"""The blocks of a text: what each line of Markdown is, what stands over it, and the tables among them.

Of a page's text, and of a part of it that a model is given, which has no nodes. Who asks what is a heading, an item or
a row of a text asks here, and reads no signs of Markdown.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Literal, NamedTuple, TypeAlias

from gleaner.page.model import Span
from gleaner.page.tables import is_rule

BlockKind: TypeAlias = Literal["heading", "item", "row", "rule", "text", "code"]
"""rule: what parts a table's head from its rows, or parts nothing but looks."""

_SIGNS = re.compile(r"((?:[ \t]|>[ \t]?)*+)(?:(?:[-*+•]|\d{1,9}[.)])[ \t]+(?=\S))?")
_HEADING = re.compile(r"(?:#{1,6}(?=[ \t]+\S))[ \t#]*+")
_BOLD_LINE = re.compile(r"\*\*[^*\n]{1,200}\*\*[ \t]*")
_FENCE = re.compile(r"[ \t>]*(```+|~~~+)")
_RULE = re.compile(r"[ \t:|-]+|[ \t]*(?:[*_-][ \t]*){3,}")
CELL = re.compile(r"(?<!\\)\|")
_LINE = re.compile(r"[^\n]+")
_DEEPEST, _BOLD, TABLE_HEAD = 6, 7, 8


class Block(NamedTuple):
    """A line: what it is, where it begins and ends, where its text begins behind its signs.

    A heading within an item or a quotation is a text of that. ``level`` is that of a heading, 1 to 6, and 7 for a line
    of text that is bold as a whole; of an item how far it is indented. ``over`` is the number of the block that it
    stands under, -1 for none: a heading of more weight, the item that holds it, the first row of its table.
    """

    kind: BlockKind
    start: int
    end: int
    said: int
    level: int
    over: int


class TextTable(NamedTuple):
    """The rows of a table by the numbers of their blocks, rules left out; the first names columns if ``is_headed``."""

    rows: tuple[int, ...]
    is_headed: bool


class Section(NamedTuple):
    """A head, where what it heads ends, and its level: that of its block, ``TABLE_HEAD`` for the names of columns."""

    start: int
    end: int
    stop: int
    level: int

    @property
    def is_heading(self) -> bool:
        """Whether it is a heading by its sign, and not by its looks."""
        return self.level <= _DEEPEST


@dataclass(frozen=True, eq=False)
class Blocks:
    """The blocks of one text, in its order."""

    text: str
    all: tuple[Block, ...]

    @cached_property
    def starts(self) -> list[int]:
        """Where the blocks begin."""
        return [block.start for block in self.all]

    def at(self, place: int) -> int:
        """Give the number of the block that a place is in, or behind; -1 before the first one."""
        return bisect_right(self.starts, place) - 1

    def numbers(self, start: int, end: int) -> range:
        """Give the numbers of the blocks that begin in a stretch of the text."""
        return range(bisect_left(self.starts, start), bisect_left(self.starts, end))

    def between(self, start: int, end: int) -> tuple[Block, ...]:
        """Give the blocks that begin in a stretch of the text."""
        found = self.numbers(start, end)
        return self.all[found.start : found.stop]

    def said(self, block: Block) -> str:
        """Give the text of a block without the signs before it."""
        return self.text[block.said : block.end]

    @cached_property
    def headings(self) -> tuple[Block, ...]:
        """The headings, and the lines that are bold as a whole."""
        return tuple(block for block in self.all if block.kind != "item" and block.level)

    @cached_property
    def titles(self) -> tuple[str, ...]:
        """What the headings and bold lines are, with their signs."""
        return tuple(self.text[block.start : block.end] for block in self.headings)

    @cached_property
    def tables(self) -> tuple[TextTable, ...]:
        """The tables: rows that follow one another."""
        return tuple(self._tables())

    def _tables(self) -> Iterator[TextTable]:
        rows: list[int] = []
        is_headed = False
        for number, block in enumerate(self.all):
            is_row = block.kind == "row"
            if rows and (block.over != rows[0] or block.kind not in ("row", "rule")):
                yield TextTable(tuple(rows), is_headed)
                rows, is_headed = [], False
            if is_row:
                rows.append(number)
            elif block.kind == "rule" and len(rows) == 1:
                is_headed = True
        if rows:
            yield TextTable(tuple(rows), is_headed)

    def span_of(self, number: int) -> Span:
        """Give where the line of a block stands."""
        return self.all[number].start, self.all[number].end

    @cached_property
    def names_of_columns(self) -> frozenset[int]:
        """The rows that name the columns of their tables."""
        return frozenset(table.rows[0] for table in self.tables if table.is_headed)

    @cached_property
    def lists(self) -> tuple[tuple[int, ...], ...]:
        """The outermost items that follow one another."""
        return tuple(self._lists())

    def _lists(self) -> Iterator[tuple[int, ...]]:
        items: list[int] = []
        for number, block in enumerate(self.all):
            is_inside = block.over >= 0 and self.all[block.over].kind == "item"
            if block.kind == "item" and not is_inside:
                items.append(number)
            elif not is_inside and items:
                yield tuple(items)
                items = []
        if items:
            yield tuple(items)

    @cached_property
    def stops(self) -> list[int]:
        """Where each block ends with those that stand under it, an item with all that it holds."""
        stops = [block.end for block in self.all]
        for number in range(len(stops) - 1, -1, -1):
            if (over := self.all[number].over) >= 0:
                stops[over] = max(stops[over], stops[number])
        return stops

    def cells(self, row: int) -> dict[int, Span]:
        """Give the filled cells of a row, by their columns from 1."""
        return cells_between(self.text, *self.span_of(row))

    def span(self, table: TextTable) -> Span:
        """Give where a table stands."""
        return self.all[table.rows[0]].start, self.all[table.rows[-1]].end

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        """What heads something: headings, bold lines, and the names of the columns of tables."""
        heads = [(block.start, block.end, block.level) for block in self.headings]
        heads += [(*self.span_of(one.rows[0]), TABLE_HEAD) for one in self.tables if one.is_headed]
        found: list[Section] = []
        opened: list[tuple[int, int, int]] = []
        for head in sorted(heads):
            while opened and opened[-1][2] >= head[2]:
                found.append(_closed(opened.pop(), head[0]))
            opened.append(head)
        found += [_closed(one, len(self.text)) for one in opened]
        return tuple(sorted(found))


def _closed(head: tuple[int, int, int], stop: int) -> Section:
    return Section(head[0], head[1], stop, head[2])


@lru_cache(maxsize=4)
def blocks_of(text: str) -> Blocks:
    """Give the blocks of a text; several rooms ask for those of one page.

    >>> [(one.kind, one.level, one.over) for one in blocks_of("# Tea\\n\\n- Green\\n  cold\\n\\n|A|\\n|-|\\n|1|").all]
    [('heading', 1, -1), ('item', 0, 0), ('text', 0, 1), ('row', 0, 0), ('rule', 0, 3), ('row', 0, 3)]
    """
    return Blocks(text, tuple(_read(text)))


def is_title(line: str) -> bool:
    """Tell whether a line is a heading, or bold as a whole."""
    return _HEADING.match(line) is not None or _BOLD_LINE.fullmatch(line) is not None


def cells_between(text: str, start: int, end: int) -> dict[int, Span]:
    """Give the filled cells of a line that is a row, by their columns: the first border is before column 1.

    >>> cells_between("|  | d |", 0, 8)
    {2: (5, 6)}
    """
    found: dict[int, Span] = {}
    edges = [start - 1, *(border.start() for border in CELL.finditer(text, start, end)), end]
    for column, (first, last) in enumerate(pairwise(edges)):
        cell = text[first + 1 : last]
        if bare := cell.strip():
            begin = first + 1 + len(cell) - len(cell.lstrip())
            found[column] = (begin, begin + len(bare))
    return found


def _read(text: str) -> Iterator[Block]:
    headings: list[tuple[int, int]] = []
    items: list[tuple[int, int]] = []
    table, fence, number = -1, "", 0
    for line in _LINE.finditer(text):
        start, end = line.span()
        whole = line[0]
        over = headings[-1][1] if headings else -1
        if not whole.strip() or text[start - 2 : start - 1] == "\n":
            table = -1
        if not whole.strip():
            continue
        before, said = _signs_of(whole)
        around = items[-1][1] if items and before else over
        mark, heading = _FENCE.match(whole), _HEADING.match(whole, said)
        begin = start + (heading.end() if heading else said)
        if fence or mark:
            fence = "" if fence and mark and mark[1].startswith(fence) else fence or (mark[1] if mark else "")
            yield Block("code", start, end, start, 0, around)
        elif _is_row(text, whole, end, table):
            kind: BlockKind = "rule" if is_rule(whole) else "row"
            yield Block(kind, start, end, start, 0, over if table < 0 else table)
            items, table = [], number if table < 0 and kind == "row" else table
        elif said > len(before):
            indent = len(before.expandtabs(4))
            items, table = [one for one in items if one[0] < indent], -1
            yield Block("item", start, end, begin, indent, items[-1][1] if items else over)
            items.append((indent, number))
        elif heading and not before:
            level = heading[0].count("#", 0, _DEEPEST)
            headings = [one for one in headings if one[0] < level]
            yield Block("heading", start, end, begin, level, headings[-1][1] if headings else -1)
            headings.append((level, number))
            items, table = [], -1
        elif _RULE.fullmatch(whole):
            items, table = [], -1
            yield Block("rule", start, end, start, 0, over)
        else:
            yield Block("text", start, end, begin, _BOLD if _BOLD_LINE.fullmatch(whole) else 0, around)
            items, table = items if before else [], -1
        number += 1


def _signs_of(line: str) -> tuple[str, int]:
    """Give the blanks and the signs of quotations that a line begins with, and where the text behind all signs is."""
    signs = _SIGNS.match(line)
    return (signs[1], signs.end()) if signs else ("", 0)


def _is_row(text: str, line: str, end: int, table: int) -> bool:
    """Tell whether a line is one of a table: it begins with a border, goes on a table, or has a rule below."""
    if "|" not in line:
        return False
    if table >= 0 or line.lstrip(" \t>").startswith("|"):
        return True
    below = text.find("\n", end + 1)
    return is_rule(text[end + 1 : below if below >= 0 else len(text)])
