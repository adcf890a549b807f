"""Units of Markdown without a DOM: table rows and list items."""

import re
from collections.abc import Iterator

from gleaner.page.blocks import Blocks, blocks_of
from gleaner.page.model import Span, UnitKind
from gleaner.units import PlacedUnit, line_units

ROW_SCORE = 0.9
ITEM_SCORE = 0.6
LINKS_SCORE = 0.3
"""How likely rows, list items, and list items that are nothing but links, are records."""

_LINK = re.compile(r"\[[^\]\n]*\](?:\([^)\n]*\))?[ \t]*")


def find_markdown_units(markdown: str) -> tuple[PlacedUnit, ...]:
    """Give the units of a Markdown text, in page order: for pages whose DOM is not at hand.

    >>> [(unit.kind, unit.index) for unit in find_markdown_units("|A|\\n|-|\\n|1|\\n|2|\\n")]
    [('row', 0), ('row', 1)]
    """
    groups = sorted((one for one in _groups(blocks_of(markdown)) if one[2]), key=lambda one: one[2])
    return tuple(
        PlacedUnit(group, index, start, end, score, kind)
        for group, (kind, score, spans) in enumerate(groups)
        for index, (start, end) in enumerate(spans)
    )


def place_markdown_units(markdown: str) -> tuple[PlacedUnit, ...]:
    """Give the units of a Markdown text, and behind them what only its lines and sentences set apart."""
    units = find_markdown_units(markdown)
    return (*units, *line_units(markdown, units[-1].group + 1 if units else 0, units))


def _groups(blocks: Blocks) -> Iterator[tuple[UnitKind, float, list[Span]]]:
    """Give the rows of each table with heads, and the outermost items of each list of several."""
    for table in blocks.tables:
        if table.is_headed:
            yield "row", ROW_SCORE, [blocks.span_of(row) for row in table.rows[1:]]
    for items in blocks.lists:
        if len(items) > 1:
            spans = [(blocks.all[item].start, blocks.stops[item]) for item in items]
            inside = blocks.between(spans[0][0], spans[-1][1])
            are_links = all(_LINK.fullmatch(blocks.said(one)) for one in inside)
            yield "item", LINKS_SCORE if are_links else ITEM_SCORE, spans
