"""Count units coarsely on pages with too many elements for a full survey.

A crowd is all elements of one tag and class whose parents, of one tag and class too, hold fifty of them on average.
The outermost crowds that hold much of the page's text are its units: rows, items, cards. What a crowd's elements are
made of is not looked at, so headers and advertisements among them count too.
"""

from array import array
from typing import TypeAlias

from gleaner.contracts.errors import PageTooLarge
from gleaner.page.model import READ, Nodes
from gleaner.units.groups import PRIMARY_SCORE, UnitGroup, UnitKind

MOST_SURVEYED = 400_000
"""Elements up to which a page is surveyed whole; pages of 10,000 records have a quarter as many."""

MOST_UNITS = 500_000
"""Units up to which a page is accounted for: their places alone take a kilobyte each."""

_LEAST_PER_PARENT = 50
_LEAST_SHARE = 0.2
_KINDS: dict[str, UnitKind] = {"tr": "row", "li": "item", "dt": "definition", "dd": "definition"}
_Key: TypeAlias = tuple[str, str, str, str]


def is_crowded(nodes: Nodes) -> bool:
    """Tell whether a page has too many elements for a survey."""
    return len(nodes) > MOST_SURVEYED and sum(layer in READ for layer in nodes.layers) > MOST_SURVEYED


def crowd_groups(nodes: Nodes) -> tuple[UnitGroup, ...]:
    """Give the crowds of a page as groups of units, the one with most text first.

    PageTooLarge where they are more than MOST_UNITS: no result could say which of them are missing.
    """
    sizes = _text_sizes(nodes)
    whole = sizes[0] or 1
    crowds = [(crowd, sum(sizes[node] for node in crowd)) for crowd in _crowds(nodes).values()]
    chosen = sorted((one for one in crowds if one[1] >= _LEAST_SHARE * whole), key=lambda one: -one[1])
    count = sum(len(crowd) for crowd, _ in chosen)
    if count > MOST_UNITS:
        raise PageTooLarge(
            f"the page has {count:,} repeated pieces, and at most {MOST_UNITS:,} can be accounted for; "
            "give a css_selector for a part of it"
        )
    return tuple(
        UnitGroup(_KINDS.get(nodes.tags[crowd[0]], "card"), tuple((node,) for node in crowd), _score(size / whole))
        for crowd, size in chosen
    )


def _score(share: float) -> float:
    return round(PRIMARY_SCORE + (1 - PRIMARY_SCORE) * min(1.0, share), 4)


def _crowds(nodes: Nodes) -> dict[_Key, list[int]]:
    """Give the outermost crowds: the way down ends at the elements of one."""
    found: dict[_Key, list[int]] = {}
    level: dict[tuple[str, str], list[int]] = {(nodes.tags[0], ""): [0]}
    while level:
        below: dict[_Key, list[int]] = {}
        parents: dict[_Key, int] = {}
        for (tag, name), some in level.items():
            for node in some:
                inside = [
                    ((tag, name, nodes.tags[child], nodes.get(child, "class") or ""), child)
                    for child in nodes.children(node)
                    if nodes.layers[child] in READ
                ]
                for key, child in inside:
                    below.setdefault(key, []).append(child)
                for key in {key for key, _ in inside}:
                    parents[key] = parents.get(key, 0) + 1
        crowded = {key for key, children in below.items() if len(children) >= _LEAST_PER_PARENT * parents[key]}
        for key in crowded:
            found.setdefault(key, []).extend(below[key])
        level = {}
        for key, children in below.items():
            if key not in crowded:
                level.setdefault(key[2:], []).extend(children)
    return found


def _text_sizes(nodes: Nodes) -> "array[int]":
    """Give how many characters each node says that is read."""
    sizes = array("i", (len(text) for text in nodes.texts))
    for node in range(len(nodes) - 1, 0, -1):
        up = nodes.parents[node]
        sizes[up] += len(nodes.tails[node]) + (sizes[node] if nodes.layers[node] in READ else 0)
    return sizes
