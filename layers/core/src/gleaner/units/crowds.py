"""Count units coarsely on pages with too many elements for a full survey.

A crowd is all elements of one tag and class whose parents, of one tag and class too, hold fifty of them on average.
The outermost crowds that hold much of the page's text are its units: rows, items, cards. What a crowd's elements are
made of is not looked at, so headers and advertisements among them count too.
"""

from typing import TypeAlias

from lxml import etree
from lxml.html import HtmlElement

from gleaner.contracts.errors import PageTooLarge
from gleaner.html.dom import raw_text
from gleaner.units.groups import PRIMARY_SCORE, UnitGroup, UnitKind

MOST_SURVEYED = 400_000
"""Elements up to which a page is surveyed whole; pages of 10,000 records have a quarter as many."""

MOST_UNITS = 500_000
"""Units up to which a page is accounted for: their places alone take a kilobyte each."""

_LEAST_PER_PARENT = 50
_LEAST_SHARE = 0.2
_KINDS: dict[str, UnitKind] = {"tr": "row", "li": "item", "dt": "definition", "dd": "definition"}
_Key: TypeAlias = tuple[str, str, str, str]


def is_crowded(root: HtmlElement) -> bool:
    """Tell whether a page has too many elements for a survey."""
    return sum(1 for _ in zip(root.iter(etree.Element), range(MOST_SURVEYED + 1), strict=False)) > MOST_SURVEYED


def crowd_groups(root: HtmlElement) -> tuple[UnitGroup, ...]:
    """Give the crowds of a page as groups of units, the one with most text first.

    PageTooLarge where they are more than MOST_UNITS: no result could say which of them are missing.
    """
    whole = len(raw_text(root)) or 1
    sizes = {key: (whole_crowd, _text_size(whole_crowd)) for key, whole_crowd in _crowds(root).items()}
    chosen = sorted((one for one in sizes.values() if one[1] >= _LEAST_SHARE * whole), key=lambda one: -one[1])
    count = sum(len(crowd) for crowd, _ in chosen)
    if count > MOST_UNITS:
        raise PageTooLarge(
            f"the page has {count:,} repeated pieces, and at most {MOST_UNITS:,} can be accounted for; "
            "give a css_selector for a part of it"
        )
    return tuple(
        UnitGroup(_KINDS.get(str(crowd[0].tag), "card"), tuple((element,) for element in crowd), _score(size / whole))
        for crowd, size in chosen
    )


def _score(share: float) -> float:
    return round(PRIMARY_SCORE + (1 - PRIMARY_SCORE) * min(1.0, share), 4)


def _crowds(root: HtmlElement) -> dict[_Key, list[HtmlElement]]:
    """Give the outermost crowds: the way down ends at the elements of one."""
    found: dict[_Key, list[HtmlElement]] = {}
    level: dict[tuple[str, str], list[HtmlElement]] = {(str(root.tag), ""): [root]}
    while level:
        below: dict[_Key, list[HtmlElement]] = {}
        parents: dict[_Key, int] = {}
        for (tag, name), elements in level.items():
            for element in elements:
                here = {(tag, name, str(child.tag), child.get("class", "")) for child in element}
                for child in element:
                    below.setdefault((tag, name, str(child.tag), child.get("class", "")), []).append(child)
                for key in here:
                    parents[key] = parents.get(key, 0) + 1
        crowded = {key for key, children in below.items() if len(children) >= _LEAST_PER_PARENT * parents[key]}
        for key in crowded:
            found.setdefault(key, []).extend(below[key])
        level = {}
        for key, children in below.items():
            if key not in crowded:
                level.setdefault(key[2:], []).extend(children)
    return found


def _text_size(elements: list[HtmlElement]) -> int:
    return sum(len(raw_text(element)) for element in elements)
