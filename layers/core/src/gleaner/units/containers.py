"""Units in boxes whose parts have no common shape."""

from collections.abc import Sequence

from gleaner.page.model import READ, Nodes
from gleaner.units.groups import SPARE_SCORE, UnitGroup

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
