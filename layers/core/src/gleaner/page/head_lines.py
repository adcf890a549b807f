"""The head line over each run of a group's units: a day over its events, a maker over its lamps.

A head line is the text outside of the group's units that stands in the same place before several runs of them, whatever
its tag: a heading, a paragraph, a caption, a spanning row, a summary, an item of the same list. What tells places apart
is where the text stands beside the units, and its tag and class there.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from gleaner.page.model import READ, NodeRange, Nodes, Page, PlacedUnit, Span

_LONGEST = 200
"""Characters of a head line: what is longer says something of its own."""


@dataclass(frozen=True, slots=True)
class HeadLine:
    """A line over a run of units: its node, the number of the units' group, and the nodes that it heads."""

    node: int
    group: int
    scope: NodeRange


def find_head_lines(nodes: Nodes, units: Sequence[PlacedUnit]) -> tuple[HeadLine, ...]:
    """Give the lines over the runs of each group of units."""
    groups: dict[int, list[NodeRange]] = {}
    for unit in units:
        if unit.region is not None:
            groups.setdefault(unit.group, []).append(unit.region)
    return tuple(head for group, regions in groups.items() for head in _heads_of(nodes, group, _outermost(regions)))


def head_spans(page: Page) -> list[tuple[int, int, int]]:
    """Give where each head line stands in the text, and where the last unit that it heads ends."""
    return [(*span, reach) for _, span, reach in placed_heads(page)]


def placed_heads(page: Page) -> Iterator[tuple[HeadLine, Span, int]]:
    """Give each head line with where it stands in the text, and where the last unit that it heads ends."""
    ends: dict[int, tuple[list[int], list[int]]] = {}
    for unit in sorted((one for one in page.repeated if one.region), key=lambda one: one.region or (0, 0)):
        firsts, stops = ends.setdefault(unit.group, ([], []))
        firsts.append(unit.region[0] if unit.region else 0)
        stops.append(max(unit.end, stops[-1] if stops else 0))
    for head in page.head_lines:
        firsts, stops = ends[head.group]
        last = bisect_left(firsts, head.scope[1]) - 1
        span = page.nodes.span(head.node)
        if span is not None and last >= 0 and firsts[last] >= head.scope[0]:
            yield head, span, stops[last]


def _outermost(regions: Iterable[NodeRange]) -> list[NodeRange]:
    kept: list[NodeRange] = []
    for region in sorted(regions, key=lambda one: (one[0], -one[1])):
        if not kept or region[0] >= kept[-1][1]:
            kept.append(region)
    return kept


def _heads_of(nodes: Nodes, group: int, regions: Sequence[NodeRange]) -> Iterator[HeadLine]:
    """Give the lines that stand in one place before the first unit and before others.

    What stands behind units, such as a note or a total, has no place before the first one.
    """
    places: dict[object, list[int]] = {}
    for at, (first, _) in enumerate(regions):
        for place, line in _lines_before(nodes, regions[at - 1][1] if at else 0, first).items():
            if not at or place in places:
                places.setdefault(place, []).append(line)
    for lines in places.values():
        if len(lines) > 1 and _is_short(nodes, lines[0]):
            for line, following in zip(lines, [*lines[1:], len(nodes)], strict=True):
                if _is_short(nodes, line):
                    yield HeadLine(line, group, (nodes.ends[line], min(nodes.ends[nodes.parents[line]], following)))


def _is_short(nodes: Nodes, line: int) -> bool:
    span = nodes.span(line)
    return span is not None and 0 < span[1] - span[0] <= _LONGEST


def _lines_before(nodes: Nodes, start: int, unit: int) -> dict[object, int]:
    """Give what stands between two units beside the second one or what holds that one, by its place: the outermost
    elements, told apart by how far up they stand, tag, class, how many elements those hold that look like a unit, and
    how many of them are nearer.
    """
    found: list[tuple[object, int]] = []
    at = start
    while at < unit:
        if nodes.ends[at] > unit:
            at += 1
            continue
        if nodes.layers[at] in READ and nodes.ends[nodes.parents[at]] > unit:
            look = nodes.tags[at], nodes.get(at, "class")
            is_like_unit = look == (nodes.tags[unit], nodes.get(unit, "class"))
            inside = sum(1 for _ in nodes.children(at)) if is_like_unit else 0
            found.append(((nodes.tags[nodes.parents[at]], *look, inside), at))
        at = nodes.ends[at]
    nearer: Counter[object] = Counter()
    places: dict[object, int] = {}
    for place, line in reversed(found):
        places[place, nearer[place]] = line
        nearer[place] += 1
    return places
