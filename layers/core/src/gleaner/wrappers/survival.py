"""How likely selectors are to survive a change of a layout: rates learned once from changed pages, kept as data."""

import json
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Final

from gleaner.wrappers.places import Place, is_made, names_field

WEAK: Final = 0.5
"""Selectors less likely than this to find their value after a change decide only where no others find anything."""

_CUT = 0.9
_CHOSEN = 0.93
"""What a cut inside the text, and a choice among several elements found, leave of a rate."""


@cache
def rates() -> MappingProxyType[str, float]:
    """Give the rate of each kind of place: how often it still read the right value after a change."""
    text = files("gleaner").joinpath("data/selector_survival.json").read_text("utf-8")
    return MappingProxyType(json.loads(text)["rates"])


def kind_of(place: Place, source: str, words: frozenset[str]) -> str:
    """Give the kind of a place for its rate: what it goes by, and whether that has a word of the field's name.

    >>> kind_of(Place("class", "product-price"), "", frozenset(("price",)))
    'class+named'
    """
    kind = place.kind
    if kind == "tag" and place.tag == "h1" and place.nth is None:
        return "h1"
    if kind == "class" and is_made(place.value):
        return "class+made"
    if kind == "attribute" and place.name == "id":
        kind = "id"
    if kind == "attribute" and not place.value:
        kind = "attribute name"
    return (
        f"{kind}+named"
        if kind in ("class", "attribute", "id", "label", "column") and names_field(place, words)
        else kind
    )


def survival_of(place: Place, source: str, words: frozenset[str], is_cut: bool) -> float:
    """Give how likely a selector is to read its field after a change of the layout."""
    rate = rates().get(kind_of(place, source, words), 0.3)
    if place.nth is not None:
        rate *= _CHOSEN
    return round(rate * (_CUT if is_cut else 1.0), 4)
