"""The elements that hold each field's texts in most records: so that two texts that a record has exchanged show.

Names need not tell it (``marks.py``), nor lines of the Markdown (``slots.py``): it is enough that titles stand in an
``h6.header`` and days in a ``span.time`` of their own.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import combinations

from gleaner.dom import parse_html
from gleaner.proof.leaves import Leaf
from gleaner.proof.spellings import Field

Home = tuple[str, str]
"""An element's tag and classes, or its tag and the name of an attribute with a sign before it."""

_LEAST = 3
_MOSTLY = 0.6
_SAYING = frozenset(("alt", "aria-label", "content", "datetime", "title", "value"))
_UNSEEN = frozenset(("script", "style", "head", "title", "template", "noscript"))


def find_exchanged(html: str, records: Mapping[int, Sequence[Leaf]]) -> set[str]:
    """Give the pointers of texts that stand where most records have another field's, whose text stands in theirs."""
    told = {number: [leaf for leaf in own if _is_told(leaf)] for number, own in records.items()}
    if len(told) < _LEAST:
        return set()
    held = _held(html)
    homes = _homes(told, held)
    pairs = (pair for own in told.values() for pair in combinations(own, 2))
    return {
        leaf.pointer
        for one, other in pairs
        if _stands_for(one, other, homes, held) and _stands_for(other, one, homes, held)
        for leaf in (one, other)
    }


def _is_told(leaf: Leaf) -> bool:
    is_one_of_record = leaf.field.count("*") <= 1 and leaf.field[-1:] != ("*",)
    return isinstance(leaf.value, str) and is_one_of_record and not leaf.is_derived


def _homes(told: Mapping[int, Sequence[Leaf]], held: Mapping[str, frozenset[Home]]) -> dict[Field, Home]:
    """Give the kind of element that holds a field's text in most records that have one."""
    votes: dict[Field, Counter[Home]] = {}
    filled = Counter(leaf.field for own in told.values() for leaf in own)
    for leaf in (leaf for own in told.values() for leaf in own):
        votes.setdefault(leaf.field, Counter()).update(held.get(_plain(leaf.value), ()))
    best = {field: counts.most_common(1)[0] for field, counts in votes.items() if counts}
    return {field: home for field, (home, count) in best.items() if count >= max(_LEAST, _MOSTLY * filled[field])}


def _stands_for(leaf: Leaf, other: Leaf, homes: Mapping[Field, Home], held: Mapping[str, frozenset[Home]]) -> bool:
    """Tell whether a text stands where another field's texts do, and nowhere where its own do."""
    own, its = homes.get(leaf.field), homes.get(other.field)
    places = held.get(_plain(leaf.value), frozenset[Home]())
    return own is not None and its is not None and own not in places and its in places


@lru_cache(maxsize=2)
def _held(html: str) -> Mapping[str, frozenset[Home]]:
    """Give the elements without others inside, and the attributes, by what they say; kept for proving list by list."""
    found: dict[str, set[Home]] = {}
    for element in parse_html(html).iter("*"):
        if element.tag in _UNSEEN:
            continue
        tag = str(element.tag)
        if not len(element) and element.text:
            found.setdefault(_plain(element.text), set()).add((tag, element.get("class") or ""))
        for name, value in element.items():
            if name.startswith("data-") or name in _SAYING:
                found.setdefault(_plain(value), set()).add((tag, f"@{name}"))
    return {text: frozenset(homes) for text, homes in found.items() if text}


def _plain(text: object) -> str:
    return " ".join(str(text).casefold().split())
