"""Which of a page's labels are a field's."""

from collections.abc import Sequence

from gleaner.page.pairs import Pair
from gleaner.values.fields import ALIKE, Field


def pairs_of(field: Field, pairs: Sequence[Pair]) -> list[Pair]:
    """Give the pairs whose label fits a field best; those of one text once."""
    scores = [field.likeness(pair.label) for pair in pairs]
    best = max([ALIKE, *scores])
    fitting = [pair for pair, score in zip(pairs, scores, strict=True) if score == best]
    return list({pair.cell.text.casefold(): pair for pair in fitting}.values())
