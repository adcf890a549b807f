"""Where a text states a value of a field: codes by names, flags that ask whether a thing is gone by their opposites."""

from collections.abc import Sequence
from functools import lru_cache
from heapq import merge

from gleaner.coercion.words import IN_STOCK, NEGATIVE_NAMES, OUT_OF_STOCK, folded
from gleaner.ports import JsonValue
from gleaner.proof.code_names import asked_code, places_of_code
from gleaner.proof.flags import name_of
from gleaner.proof.leaves import Leaf
from gleaner.proof.text_index import Match, TextIndex, start_of

_GONE = NEGATIVE_NAMES - {"out"}


def places_of(leaf: Leaf, value: JsonValue, index: TextIndex) -> Sequence[Match]:
    """Give the places that would state a value of a leaf: "In stock" says no to ``sold_out``, "Germany" DE."""
    if isinstance(value, str):
        asked = asked_code(leaf, value)
        return places_of_code(*asked, value, index) if asked else index.find(value)
    found = index.find(value)
    if not asks_whether_gone(leaf):
        return found
    turned = (match for match in index.find(not value) if _is_of_stock(index.text[match.start : match.end]))
    plain = (match for match in found if not _is_of_stock(index.text[match.start : match.end]))
    return [*merge(plain, turned, key=start_of)]


def asks_whether_gone(leaf: Leaf) -> bool:
    """Tell whether a flag is true for what can't be had: ``sold_out``, ``is_unavailable``."""
    name = name_of(leaf) if leaf.field and isinstance(leaf.value, bool) else ""
    return "out of" in name or not _GONE.isdisjoint(name.split())


@lru_cache(maxsize=1024)
def _is_of_stock(text: str) -> bool:
    said = folded(text)
    return said in IN_STOCK or said in OUT_OF_STOCK
