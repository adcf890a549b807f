"""Decide which fields may share a mention, and when a record's own place outweighs its context (PR-5)."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

from gleaner.judging.origins.regions import Span
from gleaner.schemas.leaves import Leaf, Steps
from gleaner.values.mentions.money import currencies_at
from gleaner.values.texts.spellings import words_of_name
from gleaner.values.texts.text_index import Match, TextIndex, within

_MOST_FIELDS = 2
"""Fields of one object that one mention may prove without a label: a name and a title, a brand and a maker. One text in
three fields or more is a text that the model put wherever it had none."""


def crowded_mentions(
    leaves: Sequence[Leaf],
    found: Mapping[str, Match],
    mentions: Callable[[Leaf], Sequence[Match]],
    is_labelled: Callable[[Leaf, Match], bool],
) -> set[str]:
    """Give the pointers of values that rest on one mention with too many other fields of their object.

    Fields whose names share a word ("price", "lowest_price") may well say the same, and count once. A field whose own
    label leads to the mention keeps it.
    """
    groups: dict[tuple[Steps, object], list[Leaf]] = defaultdict(list)
    for leaf in leaves:
        if leaf.pointer in found and leaf.field[-1:] not in ((), ("*",)) and not isinstance(leaf.value, bool):
            groups[leaf.steps[:-1], leaf.key].append(leaf)
    refused: set[str] = set()
    for sharing in groups.values():
        if len(sharing) <= _MOST_FIELDS or _families(sharing) <= max(_MOST_FIELDS, len(mentions(sharing[0]))):
            continue
        refused |= {one.pointer for one in sharing if not is_labelled(one, found[one.pointer])}
    return refused


def _families(leaves: Sequence[Leaf]) -> int:
    """Count the fields, those whose names share a word as one."""
    families: list[set[str]] = []
    for leaf in leaves:
        words = set(words_of_name(leaf.field)) or {str(leaf.field)}
        joined = [one for one in families if one & words]
        families = [one for one in families if not one & words] + [words.union(*joined)]
    return len(families)


def has_figure_of_its_own(leaf: Leaf, context: Match, own: Span, others: Sequence[Leaf], index: TextIndex) -> bool:
    """Tell whether a record's place states a figure of the same sort that no other field of the record claims.

    It is what the record says of the field then: "every price is 0.01" below a list is no price of one with "$5.50".
    """
    if isinstance(leaf.value, bool | str):
        return False
    claimed = [match for other in others if other is not leaf for match in within(index.find(other.value), own)]
    is_money = bool(currencies_at(index.text, context.start, context.end))
    return any(
        not any(match.start < one.end and one.start < match.end for match in claimed)
        for one in index.figures(own)
        if bool(currencies_at(index.text, one.start, one.end)) >= is_money
    )
