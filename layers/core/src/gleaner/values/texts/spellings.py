"""Spellings of field names and labels for comparison."""

from collections.abc import Sequence
from functools import lru_cache

from gleaner.values.names import name_words, singular, without_brackets, without_marks

Field = tuple[str, ...]
Label = tuple[str, ...]

_QUIET_WORDS = """
the a an of on at in is are was its his her and date day der die das des den dem von am ist le la les du de l est
el los las del es il lo di w z na jest
"""
_QUIET = frozenset(_QUIET_WORDS.split())
_SHORT = {"pct": "percent", "perc": "percent"}


@lru_cache(maxsize=8192)
def label_words(text: str) -> Label:
    """Give the words of a label or of a field's name, as they are compared; without what stands in brackets.

    >>> label_words("inForceSince"), label_words("Passed on:"), label_words("Mass (g/mol)"), label_words("Win %")
    (('in', 'force', 'since'), ('passed',), ('mass',), ('win', 'percent'))
    >>> label_words("Il / Ilce"), label_words("The date")
    (('il', 'ilce'), ('the', 'date'))
    """
    plain = without_marks(without_brackets(text)).replace("%", " percent ")
    return tuple(singular(word) for part in plain.split("/") for word in _loud_words(part))


def _loud_words(text: str) -> Sequence[str]:
    """Give the words that tell, without articles and the like; all where it has no other: "İl / İlçe" is two names."""
    words = [_SHORT.get(word, word) for word in name_words(text)]
    first = next((at for at, word in enumerate(words) if word not in _QUIET or (at == 0 and word == "in")), len(words))
    return [word for at, word in enumerate(words[first:]) if at == 0 or word not in _QUIET] or words
