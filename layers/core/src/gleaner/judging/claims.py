"""When what a record's own place says outweighs what stands outside of it (PR-5)."""

from collections.abc import Sequence

from gleaner.schemas.leaves import Leaf
from gleaner.values.mentions.money import currencies_at
from gleaner.values.texts.text_index import Match, TextIndex, within

Span = tuple[int, int]


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
