"""The units of a page: what repeats in its nodes, then what only the lines of its text set apart."""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import replace

from gleaner.page.model import Page, PlacedUnit
from gleaner.units.containers import container_groups
from gleaner.units.detection import find_unit_groups
from gleaner.units.lines import line_units
from gleaner.units.markdown_units import place_markdown_units

_MANY_UNITS = 100_000
"""Where the tree shows so many pieces, lines that could be records too are not looked for."""


def find_units(page: Page) -> tuple[PlacedUnit, ...]:
    """Give the units of a page that have a text, by group; PageTooLarge for more than can be accounted for."""
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
    units = tuple(_to_line_ends(placed, text))
    return units if len(units) >= _MANY_UNITS else (*units, *line_units(text, len(groups), units))


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
