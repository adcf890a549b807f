"""The elements that hold each field in most records, to notice exchanged texts.

Names need not tell it (``marks.py``), nor lines of the Markdown (``slots.py``): it is enough that titles stand in an
``h6.header`` and days in a ``span.time`` of their own.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations

from gleaner.grounding.evidence.markup_names import plain
from gleaner.grounding.leaves import Leaf
from gleaner.grounding.text.spellings import Field
from gleaner.page.model import Page

Home = tuple[str, str]
"""An element's tag and classes, or its tag and the name of an attribute with a sign before it."""

_NOWHERE: frozenset[Home] = frozenset()
_LEAST = 3
_MOSTLY = 0.6
_SAYING = frozenset(("alt", "aria-label", "content", "datetime", "title", "value"))
_UNSEEN = frozenset(("head", "title"))


def find_exchanged(page: Page, records: Mapping[int, Sequence[Leaf]]) -> set[str]:
    """Give the pointers of texts that stand where most records have another field's, whose text stands in theirs."""
    told = [[leaf for leaf in own if _is_told(leaf)] for own in records.values()]
    if len(told) < _LEAST:
        return set()
    held = page.once("held", lambda: _held(page))
    placed = [[(leaf, held.get(plain(str(leaf.value)), _NOWHERE)) for leaf in own] for own in told]
    homes = _homes([one for own in placed for one in own])
    swapped: set[str] = set()
    for own in placed:
        away = [(leaf, places) for leaf, places in own if leaf.field in homes and homes[leaf.field] not in places]
        for (one, its), (other, theirs) in combinations(away, 2):
            if homes[other.field] in its and homes[one.field] in theirs:
                swapped |= {one.pointer, other.pointer}
    return swapped


def _is_told(leaf: Leaf) -> bool:
    is_one_of_record = leaf.field.count("*") <= 1 and leaf.field[-1:] != ("*",)
    return isinstance(leaf.value, str) and is_one_of_record and not leaf.is_derived


def _homes(placed: Sequence[tuple[Leaf, frozenset[Home]]]) -> dict[Field, Home]:
    """Give the kind of element that holds a field's text in most records that have one."""
    votes: dict[Field, Counter[Home]] = {}
    filled = Counter(leaf.field for leaf, _ in placed)
    for leaf, places in placed:
        votes.setdefault(leaf.field, Counter()).update(places)
    best = {field: counts.most_common(1)[0] for field, counts in votes.items() if counts}
    return {field: home for field, (home, count) in best.items() if count >= max(_LEAST, _MOSTLY * filled[field])}


def _held(page: Page) -> Mapping[str, frozenset[Home]]:
    """Give the elements without others inside, and the attributes, by what they say."""
    found: dict[str, set[Home]] = {}
    for element in page.tree.iter("*"):
        if element.tag in _UNSEEN:
            continue
        tag = str(element.tag)
        if not len(element) and element.text:
            found.setdefault(plain(element.text), set()).add((tag, element.get("class") or ""))
        for name, value in element.items():
            if name.startswith("data-") or name in _SAYING:
                found.setdefault(plain(value), set()).add((tag, f"@{name}"))
    return {text: frozenset(homes) for text, homes in found.items() if text}
