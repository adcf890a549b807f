"""What stands around a place of a page's text: the element, the labels that lead to it, the signs beside it."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import zip_longest
from operator import itemgetter
from typing import Literal, NamedTuple

from gleaner.judging.origins.regions import line_at
from gleaner.page.blocks import blocks_of
from gleaner.page.model import READ, Page, Span
from gleaner.values.lookups import Remembered
from gleaner.values.money_signs import AMOUNT
from gleaner.values.names import split_name

LabelKind = Literal["column", "row", "term", "colon", "pair", "above", "beside", "name"]
"""column, row: the head of a column or a row of a table · term: of a definition · colon: "Label: value" · pair: the
first of two elements · above: a short line right above · beside: a word before or behind a figure · name: of a class,
an attribute or a property of the element."""

_COLON = re.compile(
    r"(?:^|(?<=[|\n·•;,.)\]*_>?!–—-])|(?<=  ))[ \t>*_#-]{0,12}([^\W\d_][^|:：\n·•;*_=]{0,58}?)[*_ ]{0,4}[:：=][*_]{0,3}"
    r"(?:[ \t\u00a0]|(?=\S))",
    re.MULTILINE,
)
_LINE_END = re.compile(r"[|\n]|[*_]{0,2}[·•;]\s|  +(?=\S)")
_BEFORE = re.compile(r"((?:[^\W\d_]+[ \u00a0]){0,2}[^\W\d_]+)[ \u00a0:*_(]{1,4}\Z")
_BEHIND = re.compile(r"[*_ \u00a0()-]{0,4}((?:[^\W\d_]+)(?:[ \u00a0][^\W\d_]+)?)")
_WORDS = re.compile(r"[^\W\d_]+")
_PLAIN = re.compile(r"[^\W_]+")
_MARKUP = re.compile(r"[\s#*_>`|-]+")
_LONGEST_LABEL = 60
_AMOUNT = re.compile(AMOUNT)
_REACH = 40
_LONGEST_VALUE = 2_000
_UP = 4
"""Elements around a place that may have a label of their own."""

_NAMING = ("itemprop", "property", "name", "id", "data-testid", "data-label", "data-title", "aria-label", "headers")
_OF_ROWS, _LABEL_AND_VALUE = ("table", "thead", "tbody", "tfoot"), 2
_STRUCK = frozenset(("s", "del", "strike"))


@lru_cache(maxsize=4096)
def _as_words(name: str) -> str:
    """Give a name of the markup as words; none of what has too many to be a name."""
    words = split_name(name)
    return " ".join(words) if len(words) <= _UP else ""


def plain_words(text: str) -> str:
    """Give the words of a text in small letters, a blank between them."""
    return " ".join(_PLAIN.findall(text.casefold()))


class Label(NamedTuple):
    """A text that names what stands in a stretch of the page's text."""

    text: str
    kind: LabelKind
    span: Span


@dataclass(frozen=True, slots=True)
class _Cell:
    column: int
    labels: tuple[Label, ...]


class Surroundings:
    """The surroundings of all places of a page; made once for a page."""

    def __init__(self, page: Page) -> None:
        self.text, self._nodes, self._page = page.text, page.nodes, page
        nodes = self._nodes
        placed = (
            (nodes.starts[node], -nodes.stops[node], node)
            for node in range(len(nodes))
            if nodes.starts[node] >= 0 and nodes.layers[node] in READ
        )
        self._placed = sorted(placed)
        self._starts = [start for start, _, _ in self._placed]
        self._labels_of = Remembered[int, tuple[Label, ...]](
            lambda node: (*self._leading_labels(node), *self._names_of(node))
        )
        self._pairs = Remembered(self._pair_in)
        self._terms = Remembered(self._terms_in)
        self._lines_above = Remembered(self._line_above)
        self._homes = Remembered(self._home_of)

    @cached_property
    def headings(self) -> Mapping[str, int]:
        """The page's headings as ``plain_words``, each with its level: 1 to 6, the heaviest where there are several."""
        blocks = blocks_of(self.text)
        found = ((plain_words(blocks.said(one)), one.level) for one in blocks.all if one.kind == "heading")
        return {said: level for said, level in sorted(found, key=itemgetter(1), reverse=True) if said}

    @cached_property
    def has_amounts(self) -> bool:
        """Whether the page has an amount of money with its sign."""
        return _AMOUNT.search(self.text) is not None

    def node_at(self, start: int, end: int) -> int:
        """Give the innermost element that has a stretch of the text; -1 for none."""
        at = bisect_right(self._starts, start) - 1
        node = self._placed[at][2] if at >= 0 else -1
        nodes = self._nodes
        while node >= 0 and not (0 <= nodes.starts[node] <= start and end <= nodes.stops[node]):
            node = nodes.parents[node]
        return node

    def run_at(self, start: int, end: int) -> tuple[str, int, int] | None:
        """Give the text of the innermost element around a stretch, as far as its line goes, and where it stands."""
        node = self.node_at(start, end)
        if node < 0:
            return None
        line = line_at(self.text, start, end)
        first, stop = max(self._nodes.starts[node], line[0]), min(self._nodes.stops[node], line[1])
        return self.text[first:stop].strip(" *_|#>+-")[:200], first, stop

    def home(self, start: int, end: int) -> tuple[object, ...]:
        """Give what tells the element of a stretch from others: tag and class of it and of its parent, its column."""
        return self._homes[self.node_at(start, end)]

    def _home_of(self, node: int) -> tuple[object, ...]:
        nodes = self._nodes
        if node < 0:
            return ()
        parent = nodes.parents[node]
        cell = next((one for one in self._around(node) if one in self._cells), None)
        column = self._cells[cell].column if cell is not None else -1
        above = (nodes.tags[parent], nodes.get(parent, "class")) if parent >= 0 else ()
        return (nodes.tags[node], nodes.get(node, "class"), *above, column)

    def is_struck(self, start: int, end: int) -> bool:
        """Tell whether a place is struck out."""
        node = self.node_at(start, end)
        return any(self._nodes.tags[one] in _STRUCK for one in self._around(node)) or self.text.startswith(
            "~~", start - 2
        )

    def labels_at(self, start: int, end: int, *, is_figure: bool = False) -> tuple[Label, ...]:
        """Give the labels that lead to a place, nearest first; ``is_figure``: also the words beside it."""
        found = self._led_at(start, end)
        for one in self._around(self.node_at(start, end)):
            found += self._labels_of[one]
        if is_figure:
            found += self._beside(start, end)
        return (*found, *self._above(start))

    def labels_in(self, span: Span) -> Sequence[Label]:
        """Give the labels of all that stands in a stretch, by where what they name begins."""
        first, past = (bisect_left(self._all_starts, place) for place in span)
        return self._all[first:past]

    @cached_property
    def _all(self) -> list[Label]:
        """Give the labels of all values that are surely labelled: by colon, table, term or pair."""
        found = [*self._led]
        found += [label for cell in self._cells.values() for label in cell.labels]
        for node in range(len(self._nodes)):
            if self._nodes.starts[node] >= 0 and self._nodes.tags[node] not in ("td", "th"):
                found += self._leading_labels(node)
        return sorted(set(found), key=lambda one: one.span)

    @cached_property
    def _all_starts(self) -> list[int]:
        return [one.span[0] for one in self._all]

    def _around(self, node: int) -> Iterator[int]:
        """Give an element and those around it, as far up as a label may be told."""
        for _ in range(_UP):
            if node < 0:
                return
            yield node
            node = self._nodes.parents[node]

    # Labels of elements

    def _leading_labels(self, node: int) -> Iterator[Label]:
        """Give the labels that a reader sees: of a cell, a term, the first of two."""
        nodes, span = self._nodes, self._nodes.span(node)
        if span is None:
            return
        if node in self._cells:
            yield from self._cells[node].labels
        tag, parent = nodes.tags[node], nodes.parents[node]
        if tag == "dd" and (term := self._terms[parent].get(node)):
            yield Label(term, "term", span)
        elif parent >= 0 and tag not in ("td", "th", "tr", "body"):
            pair = self._pairs[parent]
            if pair is not None and pair[0] == node:
                yield Label(pair[1], "pair", span)

    def _names_of(self, node: int) -> Iterator[Label]:
        """Give the names that the markup has for an element; those of a row or a table with columns are of no cell."""
        attributes, span = self._nodes.attributes[node], self._nodes.span(node)
        if not attributes or span is None or self._has_columns(node):
            return
        names = [attributes[name] for name in _NAMING if attributes.get(name)]
        for name in (*names, *(attributes.get("class") or "").split()):
            if len(name) <= _LONGEST_LABEL and (said := _as_words(name)):
                yield Label(said, "name", span)

    def _has_columns(self, node: int) -> bool:
        """Tell whether an element is a row of more cells than a label and its value, or begins with such a row."""
        nodes, row = self._nodes, node
        while row >= 0 and nodes.tags[row] in _OF_ROWS:
            row = next((one for one in nodes.children(row) if nodes.tags[one] in (*_OF_ROWS, "tr")), -1)
        return row >= 0 and nodes.tags[row] == "tr" and len([*nodes.children(row)]) > _LABEL_AND_VALUE

    def _terms_in(self, parent: int) -> dict[int, str]:
        """Give the term that each definition in an element stands under, where it is short."""
        nodes, found, before = self._nodes, dict[int, str](), ""
        for child in nodes.children(parent) if parent >= 0 else ():
            if nodes.tags[child] == "dt":
                said = nodes.said(child)
                before = said if len(said) <= _LONGEST_LABEL else ""
            found[child] = before
        return found

    def _pair_in(self, parent: int) -> tuple[int, str] | None:
        """Give the second of two elements, or the one behind a text, and what stands before it, where that is short.

        They are all that is shown of their parent.
        """
        nodes = self._nodes
        shown = (child for child in nodes.children(parent) if nodes.layers[child] in READ)
        placed = [(at, child) for at, child in enumerate(shown) if nodes.starts[child] >= 0][:3]
        if not 0 < len(placed) <= 2 or placed[-1][0] > 1 or nodes.tails[placed[-1][1]].strip():
            return None
        at, last = placed[-1]
        before = " ".join(nodes.texts[parent].split())
        if at:
            first = next(child for child in nodes.children(parent) if nodes.layers[child] in READ)
            before = f"{before} {nodes.said(first)} {nodes.tails[first]}"
        label = before.strip().rstrip(":：").strip()
        is_label = bool(label) and len(label) <= _LONGEST_LABEL and not any(map(str.isdigit, label))
        return (last, label) if is_label else None

    @cached_property
    def _cells(self) -> dict[int, _Cell]:
        """The cells of the page's tables: their column, and what heads it and their row."""
        nodes, found = self._nodes, dict[int, _Cell]()
        for table in self._page.tables:
            heads: dict[int, str] = {}
            for row in table.heads:
                for column, cell in enumerate(row.slots):
                    said = nodes.said(cell) if cell >= 0 else ""
                    if said:
                        heads[column] = f"{heads[column]} {said}" if column in heads and heads[column] != said else said
            for row in table.of_kind("row", "total"):
                first = nodes.said(row.slots[0]) if row.slots and row.slots[0] >= 0 else ""
                is_named = len(set(row.slots)) == 2 or (row.slots and nodes.tags[row.slots[0]] == "th")
                for column, cell in enumerate(row.slots):
                    span = nodes.span(cell) if cell >= 0 else None
                    if span is None or cell in found:
                        continue
                    labels = [Label(heads[column], "column", span)] if heads.get(column) else []
                    if column and is_named and 0 < len(first) <= _LONGEST_LABEL:
                        labels.append(Label(first.rstrip(" :："), "row", span))
                    found[cell] = _Cell(column, tuple(labels))
        return found

    # Labels of lines

    @cached_property
    def _led(self) -> list[Label]:
        """Give the "Label: value" of all lines, in order; none reaches into the next."""
        found: list[Label] = []
        matches = list(_COLON.finditer(self.text))
        for match, following in zip_longest(matches, matches[1:]):
            end = _LINE_END.search(self.text, match.end(), match.end() + _LONGEST_VALUE)
            stop = end.start() if end else min(len(self.text), match.end() + _LONGEST_VALUE)
            stop = min(stop, following.start()) if following is not None and following.start() >= match.end() else stop
            found.append(Label(match[1].strip(), "colon", (match.end(), stop)))
        return found

    @cached_property
    def _led_starts(self) -> list[int]:
        return [one.span[0] for one in self._led]

    def _led_at(self, start: int, end: int) -> list[Label]:
        at = bisect_right(self._led_starts, start) - 1
        return [self._led[at]] if at >= 0 and end <= self._led[at].span[1] + 1 else []

    @cached_property
    def _breaks(self) -> list[int]:
        return [match.start() for match in re.finditer("\n", self.text)]

    def _above(self, start: int) -> list[Label]:
        """Give the short line right above that of a place, where it ends no sentence; the same of a label alone."""
        at = bisect_left(self._breaks, start) - 1
        said = self._lines_above[self._breaks[at]] if at >= 0 else ""
        return [Label(said, "above", (start, start))] if said else []

    def _line_above(self, line: int) -> str:
        lines = [one for one in self.text[max(0, line - 4 * _LONGEST_LABEL) : line].split("\n") if one.strip()][-1:]
        said = _MARKUP.sub(" ", lines[0]).strip().rstrip(":：").strip() if lines else ""
        is_label = 0 < len(said) <= _LONGEST_LABEL // 2 and not any(map(str.isdigit, said)) and said[-1] not in ".!?,"
        return said if is_label else ""

    def _beside(self, start: int, end: int) -> list[Label]:
        """Give the words right before and right behind a figure."""
        found: list[Label] = []
        if behind := _BEHIND.match(self.text, end, end + _REACH):
            words = _WORDS.findall(behind[1])
            found += [Label(" ".join(words[:count]), "beside", (start, end)) for count in range(1, len(words) + 1)]
        if before := _BEFORE.search(self.text[max(0, start - _REACH) : start]):
            words = _WORDS.findall(before[1])
            found += [Label(" ".join(words[-count:]), "beside", (start, end)) for count in range(1, len(words) + 1)]
        return found
