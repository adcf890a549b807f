"""The units of a page: what repeats in its nodes, then what only the lines of its text set apart."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace

from gleaner.page.model import READ, Nodes, Page, PlacedUnit
from gleaner.units.detection import find_unit_groups
from gleaner.units.groups import SPARE_SCORE, UnitGroup
from gleaner.units.lines import line_units
from gleaner.units.markdown_units import place_markdown_units

_MANY_UNITS = 100_000
"""Where the tree shows so many pieces, lines that could be records too are not looked for."""


def find_units(page: Page) -> tuple[PlacedUnit, ...]:
    """Give the units of a page that have a text, by group; PageTooLarge for more than can be accounted for."""
    units = page.repeated
    if not page.is_written or len(units) >= _MANY_UNITS:
        return units
    lines = line_units(page.text, units[-1].group + 1 if units else 0, units)
    lines = tuple(one for one in lines if not page.is_copy((one.start, one.end)) and _says_something(page.text, one))
    straying = _straying_groups(page, units, lines)
    return (*units, *(one for one in lines if one.group not in straying))


def _says_something(text: str, unit: PlacedUnit) -> bool:
    """Tell whether a piece has a letter or a figure: a cell with a dash is no record."""
    return any(map(str.isalnum, text[unit.start : unit.end]))


def _straying_groups(page: Page, units: Sequence[PlacedUnit], lines: Sequence[PlacedUnit]) -> set[int]:
    """Give the groups of lines with a piece in each of some like elements, and others outside of the box of these.

    Sections under headings go on below the box of the sections, with "Newsletter" and "Contact".
    """
    of_lines: dict[int, list[int]] = {}
    for one in lines:
        of_lines.setdefault(one.group, []).append(one.start)
    of_elements: dict[int, list[PlacedUnit]] = {}
    for one in units:
        if one.group_score > SPARE_SCORE and one.region is not None:
            of_elements.setdefault(one.group, []).append(one)
    found: set[int] = set()
    for group in of_elements.values():
        boxes = {page.nodes.parents[one.region[0]] for one in group if one.region is not None}
        box = page.nodes.span(boxes.pop()) if len(boxes) == 1 else None
        for number, starts in of_lines.items() if box is not None else ():
            inside = sum(box[0] <= start < box[1] for start in starts) if box is not None else 0
            if inside == len(group) < len(starts) and all(_has_one(one, starts) for one in group):
                found.add(number)
    return found


def _has_one(unit: PlacedUnit, starts: Sequence[int]) -> bool:
    return bisect_left(starts, unit.end) - bisect_left(starts, unit.start) == 1


def find_repeated(page: Page) -> tuple[PlacedUnit, ...]:
    """Give the units that elements of a page are; all units of one whose text is a parser's, or all that is known."""
    if not page.is_written:
        return place_markdown_units(page.text)
    nodes, text, written = page.nodes, page.text, page.written
    groups = (*find_unit_groups(nodes, page.tables, written.code, written.bars), *container_groups(nodes))
    placed: list[PlacedUnit] = []
    for number, group in enumerate(groups):
        for index, run in enumerate(group.runs):
            spans = [span for node in run if (span := nodes.span(node)) is not None]
            if spans:
                start, end = min(start for start, _ in spans), max(end for _, end in spans)
                region = run[0], nodes.ends[run[-1]]
                placed.append(PlacedUnit(number, index, start, end, group.score, group.kind, region))
    return tuple(_to_line_ends(placed, text))


def _to_line_ends(units: list[PlacedUnit], text: str) -> Iterator[PlacedUnit]:
    """Give runs of inline elements the text that follows them on their last line, up to the next unit there."""
    starts = sorted({unit.start for unit in units})
    for unit in units:
        if unit.kind != "entry" or text.startswith("|", unit.start):
            yield unit
            continue
        at = bisect_left(starts, unit.end)
        line_end = text.find("\n", unit.end)
        ends = [len(text) if line_end < 0 else line_end, *starts[at : at + 1]]
        yield replace(unit, end=max(unit.end, min(ends)))


_PARTS = frozenset(
    [
        *("address", "article", "aside", "blockquote", "center", "dd", "details", "div", "dl", "dt", "fieldset"),
        *("figure", "form", "h2", "h3", "h4", "h5", "h6", "li", "ol", "p", "pre", "section", "table", "ul"),
    ]
)
_FEWEST = 3
_MOST = 2_000
_MOST_GROUPS = 5


def container_groups(nodes: Nodes) -> tuple[UnitGroup, ...]:
    """Give the block-level parts of the boxes that have the most of them, where these are of several tags or classes.

    Like parts are groups by themselves (``find_unit_groups``). These have no weight of their own: they count once
    records are seen to come from them.
    """
    boxes: dict[int, list[int]] = {}
    for node, tag in enumerate(nodes.tags):
        if tag in _PARTS and nodes.layers[node] in READ:
            boxes.setdefault(nodes.parents[node], []).append(node)
    found: list[list[int]] = []
    for box in sorted(boxes):
        parts = boxes[box]
        if len(parts) >= _FEWEST and _are_of_several_sorts(nodes, parts):
            parts = [part for part in parts if any(map(str.strip, nodes.pieces(part)))]
            if _FEWEST <= len(parts) <= _MOST and _are_of_several_sorts(nodes, parts):
                found.append(parts)
    chosen = sorted(found, key=len, reverse=True)[:_MOST_GROUPS]
    return tuple(UnitGroup("entry", tuple((part,) for part in parts), SPARE_SCORE) for parts in chosen)


def _are_of_several_sorts(nodes: Nodes, parts: Sequence[int]) -> bool:
    return len({(nodes.tags[part], nodes.get(part, "class")) for part in parts}) > 1
