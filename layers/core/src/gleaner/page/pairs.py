"""The labels of a page with their values: lists of definitions, rows of two cells, and lines such as "Weight: 5 kg"."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from gleaner.html.elements import HEADINGS
from gleaner.page.content import Content, read_content
from gleaner.page.model import READ, NodeRange, Nodes

_LONGEST_LABEL = 60
_LINE = re.compile(r"([^\W\d_][^:：|]{0,58}[^\s:：|])\s*[:：]\s*(\S.*)")
_INLINE = frozenset(["a", "abbr", "b", "bdi", "cite", "em", "i", "mark", "small", "span", "strong", "time", "u", "br"])
_MARKED = frozenset(["b", "strong", "span", "em", "label"])
_HOLDERS = frozenset(["dl", "tr", "li", "p", "div", *HEADINGS])
_PAIR, _LEAST_PAIRS = 2, 3


@dataclass(frozen=True, slots=True)
class Pair:
    """A label, the value beside it, and the heading over both. ``node`` says or holds the value."""

    label: str
    cell: Content
    heading: str = ""
    node: int = field(default=-1, compare=False)


def find_pairs(nodes: Nodes, base: str, within: NodeRange | None = None) -> tuple[Pair, ...]:
    """Give the labels of a page, or ``within`` some nodes, with their values: each different pair once.

    A label with several values gives each.
    """
    return tuple(_Pairs(nodes, base).all(within or (0, len(nodes))))


@dataclass(frozen=True, slots=True)
class _Inside:
    """What is right inside a node: the text before its first child, and each child with the text behind it."""

    lead: str
    children: tuple[tuple[int, str], ...]

    @property
    def is_led(self) -> bool:
        """Whether a text stands before the first child."""
        return bool(self.lead.strip())


class _Pairs:
    """The pairs of a page, with what was asked of its nodes."""

    def __init__(self, nodes: Nodes, base: str) -> None:
        self.nodes = nodes
        self.base = base
        self._turns: dict[int, dict[object, int]] = {}
        """How many children of each look a node has."""

    def all(self, within: NodeRange) -> Iterator[Pair]:
        """Give the pairs in a run of nodes in their order."""
        nodes, found, heading = self.nodes, set[Pair](), ""
        for node in range(*within):
            if nodes.tags[node] not in _HOLDERS or nodes.layers[node] not in READ:
                continue
            if nodes.tags[node] in HEADINGS:
                heading = nodes.said(node)
                continue
            for pair in self.pairs_in(node):
                headed = replace(pair, heading=heading)
                if pair.cell.text and headed not in found:
                    found.add(headed)
                    yield headed

    def pairs_in(self, node: int) -> Iterator[Pair]:
        """Give the pairs of one element, those of elements inside left out."""
        nodes, tag = self.nodes, self.nodes.tags[node]
        if tag == "dl":
            yield from self.definitions(node)
            return
        inside = self.inside(node)
        children = [child for child, _ in inside.children]
        if tag == "tr":
            cells = [child for child in children if nodes.tags[child] in ("th", "td")]
            if len(cells) == _PAIR and nodes.tags[cells[1]] == "td":
                yield from self.pair(nodes.said(cells[0]), cells[1])
        elif all(nodes.tags[child] in _INLINE for child in children):
            yield from self.lines(node, inside)
        elif len(children) == _PAIR and not inside.is_led:
            label, value = children
            said = nodes.said(label)
            is_label = said.endswith((":", "：")) or self.is_one_of_many(node, inside)
            if nodes.tags[label] in (*_MARKED, "div", "p") and is_label:
                yield from self.pair(said, value)

    def inside(self, node: int) -> _Inside:
        """Give what is right inside a node; what nobody reads there leaves the text behind it."""
        nodes, lead = self.nodes, self.nodes.texts[node]
        children: list[tuple[int, str]] = []
        for child in nodes.children(node):
            if nodes.layers[child] in READ:
                children.append((child, nodes.tails[child]))
            elif children:
                children[-1] = children[-1][0], children[-1][1] + nodes.tails[child]
            else:
                lead += nodes.tails[child]
        return _Inside(lead, tuple(children))

    def definitions(self, listing: int) -> Iterator[Pair]:
        """Give each description of a list with its term."""
        nodes, label = self.nodes, ""
        for node in range(listing + 1, nodes.ends[listing]):
            if nodes.tags[node] == "dt" and nodes.layers[node] in READ:
                label = nodes.said(node)
            elif nodes.tags[node] == "dd" and nodes.layers[node] in READ:
                yield from self.pair(label, node)

    def lines(self, node: int, inside: _Inside) -> Iterator[Pair]:
        """Read the lines of an element, those that begin with a short label and a colon, or that mark their label."""
        nodes, lines = self.nodes, [inside.lead]
        for child, tail in inside.children:
            if nodes.tags[child] == "br":
                lines.append(tail)
            else:
                said = nodes.texts[child] if nodes.ends[child] == child + 1 else f" {nodes.said(child)} "
                lines[-1] += f"{said}{tail}"
        for line in lines:
            if (match := _LINE.fullmatch(" ".join(line.split()))) is not None:
                yield Pair(match[1], Content(match[2]), node=node)
        if inside.is_led or len(lines) > 1 or not inside.children or nodes.tags[inside.children[0][0]] not in _MARKED:
            return
        label, tail = inside.children[0]
        if len(inside.children) == 1 and tail.strip() and self.is_one_of_many(node, inside):
            yield Pair(nodes.said(label).rstrip(" :："), Content(" ".join(tail.split())), node=node)
        elif len(inside.children) == _PAIR and not tail.strip() and not inside.children[1][1].strip():
            yield from self.pair(nodes.said(label), inside.children[1][0])

    def is_one_of_many(self, node: int, inside: _Inside) -> bool:
        """Tell whether an element holds two others, or one before a text, as several of its siblings do."""
        nodes, parent = self.nodes, self.nodes.parents[node]
        if parent < 0:
            return False
        if parent not in self._turns:
            turns = self._turns[parent] = {}
            for child in nodes.children(parent):
                if look := self.look_of_pair(child, self.inside(child)):
                    turns[look] = turns.get(look, 0) + 1
        look = self.look_of_pair(node, inside)
        return bool(look) and self._turns[parent].get(look, 0) >= _LEAST_PAIRS

    def look_of_pair(self, node: int, inside: _Inside) -> tuple[object, ...]:
        """Give tag and class of an element and of the two, or the one before a text, that it holds; () for others."""
        children = inside.children
        is_pair = len(children) == _PAIR or (len(children) == 1 and bool(children[0][1].strip()))
        around = (node, *(child for child, _ in children)) if is_pair else ()
        return tuple((self.nodes.tags[one], self.nodes.get(one, "class")) for one in around)

    def pair(self, label: str, value: int) -> Iterator[Pair]:
        """Give a label with a node as its value, where the label is one."""
        bare = label.rstrip(" :：")
        if 0 < len(bare) < _LONGEST_LABEL:
            yield Pair(bare, read_content(self.nodes, value, self.base), node=value)
