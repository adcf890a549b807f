"""The order in which the records of a list say two texts that only their places tell: author above publisher.

Where all other records say the one before the other, each alone in its line or between the same signs, the two that a
record says the other way round were exchanged, however many lines are left out or added above them.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations

from gleaner.grounding.evidence.flags import fills_a_part
from gleaner.grounding.evidence.slots import Slots
from gleaner.grounding.leaves import Leaf
from gleaner.grounding.regions import Span
from gleaner.grounding.text.spellings import Field
from gleaner.grounding.text.text_index import Match, TextIndex, within

_LEAST = 3
_MOST_FIELDS = 16
_Placed = Mapping[Field, tuple[Leaf, Match]]


def find_reversed(
    records: Mapping[int, Sequence[Leaf]],
    spans: Sequence[Span | None],
    found: Mapping[str, Match],
    index: TextIndex,
    slots: Slots,
) -> set[str]:
    """Give the pointers of texts of one record whose order is the other way round in all others, four of them or more
    together."""
    known = [(number, spans[number]) for number in records if number < len(spans)]
    placed = [
        (
            own,
            {leaf.field: (leaf, found[leaf.pointer]) for leaf in records[number] if _is_alone(leaf, own, found, index)},
        )
        for number, own in known
        if own is not None
    ]
    votes: Counter[tuple[Field, Field]] = Counter()
    for _, texts in placed:
        votes.update(_orders(texts))
    swapped: set[str] = set()
    for own, texts in placed:
        for first, last in _orders(texts):
            (one, its), (other, theirs) = texts[first], texts[last]
            is_odd = votes[first, last] == 1 and votes[last, first] >= _LEAST
            if is_odd and slots.slot(own, its)[1:3] == slots.slot(own, theirs)[1:3]:
                swapped |= {one.pointer, other.pointer}
    return swapped


def _orders(texts: _Placed) -> list[tuple[Field, Field]]:
    """Give the pairs of fields in the order of their places."""
    in_order = sorted(texts, key=lambda field: texts[field][1].start)
    return list(combinations(in_order, 2)) if len(in_order) <= _MOST_FIELDS else []


def _is_alone(leaf: Leaf, own: Span, found: Mapping[str, Match], index: TextIndex) -> bool:
    """Tell whether a text of a record stands there once, in a line or between signs, behind no label."""
    match = found.get(leaf.pointer)
    if match is None or not isinstance(leaf.value, str) or leaf.choices or "*" in leaf.field[-1:]:
        return False
    text = index.text
    line = max(own[0], text.rfind("\n", own[0], match.start) + 1)
    is_labelled = text[max(line, match.start - 6) : match.start].rstrip(" *_").endswith((":", "："))
    return (
        own[0] <= match.start < own[1]
        and not is_labelled
        and not text.startswith("|", line)
        and fills_a_part(text, match.start, match.end)
        and len(within(index.find(leaf.value), own)) == 1
    )
