"""Assign labels to fields by a vote of the values behind them, one label per field."""

from collections import Counter
from collections.abc import Iterable, Mapping

from gleaner.grounding.text.spellings import Field, Label

LEAST_VOTES = 4
_LEAST_OF_ONE_MIND = 3
_LEAST_OF_RIVAL = 2
_MAJORITY = 0.6
_RIVAL = 0.2


def elect(votes: Mapping[Field, Counter[Label]]) -> Iterable[tuple[Field, Label]]:
    """Give each field the label of most of its values; one that is more surely another's only for want of a rival."""
    best = {field: counts.most_common(1)[0] for field, counts in votes.items()}
    order = sorted(votes, key=lambda field: -best[field][1] / votes[field].total())
    taken: set[Label] = set()
    for field in order:
        total = votes[field].total()
        free = [(label, count) for label, count in votes[field].most_common() if label not in taken]
        rival = free[0] if free and free[0][1] >= max(_LEAST_OF_RIVAL, _RIVAL * total) else None
        label, count = rival or best[field]
        is_enough = total >= LEAST_VOTES or count == total >= _LEAST_OF_ONE_MIND
        if is_enough and (count >= _MAJORITY * total or (rival and best[field][0] in taken)):
            taken.add(label)
            yield field, label
