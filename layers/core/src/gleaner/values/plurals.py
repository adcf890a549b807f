"""Words in another number: "review" and "reviews", "Gast" and "Gäste", "bagno" and "bagni"."""

import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from itertools import takewhile

_STEM, _ENDING = 3, 2
"""Letters that both forms begin with at least, and that either may end in at most."""


@lru_cache(4096)
def is_same_word(one: str, other: str) -> bool:
    """Tell whether two words may differ in their number alone.

    >>> is_same_word("Gast", "Gäste"), is_same_word("bagno", "bagni"), is_same_word("bed", "bedrooms")
    (True, True, False)
    """
    first, second = _bare(one), _bare(other)
    start = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(first, second, strict=False)))
    return first == second or (start >= _STEM and max(len(first), len(second)) - start <= _ENDING)


def are_same_words(some: Sequence[str], others: Sequence[str]) -> bool:
    """Tell whether words differ from others, one by one, in their number alone."""
    return len(some) == len(others) and all(map(is_same_word, some, others))


def _bare(word: str) -> str:
    letters = unicodedata.normalize("NFD", word.casefold())
    return "".join(one for one in letters if not unicodedata.combining(one))
