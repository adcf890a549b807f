"""The phrases that say yes or no, and whether a thing is in stock, wherever they stand in a text."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from functools import cache

from gleaner.coercion.words import IN_STOCK, OUT_OF_STOCK
from gleaner.proof.folding import fold
from gleaner.proof.phrases import Phrase, read_phrase

PHRASES_OF: Mapping[bool, tuple[str, ...]] = {
    True: ("yes", "true", "included", "ja", "oui", "sí", "sim", "✓", "✔", "☑", "✅", *sorted(IN_STOCK)),
    False: ("no", "false", "not included", "nein", "non", "não", "✗", "✘", "❌", "☐", *sorted(OUT_OF_STOCK)),
}


@cache
def read_known(phrase: str) -> Phrase | None:
    """Give a phrase of these, folded once for all texts."""
    return read_phrase(fold(phrase))


def last_two(places: Sequence[tuple[int, int]], start: int) -> Sequence[tuple[int, int]]:
    """Give the last two of these places that begin at or before a start."""
    number = bisect_right(places, (start, 1 << 62))
    return places[max(0, number - 2) : number]
