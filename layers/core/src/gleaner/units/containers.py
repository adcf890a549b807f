"""Units in boxes whose parts have no common shape."""

from collections.abc import Sequence

from lxml.html import HtmlElement

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


def container_groups(root: HtmlElement) -> tuple[UnitGroup, ...]:
    """Give the block-level parts of the boxes that have the most of them, where these are of several tags or classes.

    Like parts are groups by themselves (``find_unit_groups``). These have no weight of their own: they count once
    records are seen to come from them.
    """
    found: list[tuple[HtmlElement, ...]] = []
    for box in root.iter():
        if isinstance(box.tag, str) and len(box) >= _FEWEST:
            parts = tuple(part for part in box if part.tag in _PARTS)
            parts = tuple(filter(_says_something, parts)) if _are_of_several_sorts(parts) else ()
            if _FEWEST <= len(parts) <= _MOST and _are_of_several_sorts(parts):
                found.append(parts)
    chosen = sorted(found, key=len, reverse=True)[:_MOST_GROUPS]
    return tuple(UnitGroup("entry", tuple((part,) for part in parts), SPARE_SCORE) for parts in chosen)


def _are_of_several_sorts(parts: Sequence[HtmlElement]) -> bool:
    return len({(part.tag, part.get("class")) for part in parts}) > 1


def _says_something(part: HtmlElement) -> bool:
    if part.text and not part.text.isspace():
        return True
    return any(text.strip() for text in part.itertext())
