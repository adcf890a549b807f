"""Heads of columns that shorten the names of fields: "GF" of ``goals_for``, "Pts" of ``points``."""

from collections.abc import Mapping

from gleaner.grounding.evidence.label_forms import Label
from gleaner.grounding.text.spellings import Field, spellings

_LONGEST = 4


def abbreviates(label: Label, field: Field) -> bool:
    """Tell whether a short label is made of a field's initials, or of letters of its name from the first on.

    >>> abbreviates(("gf",), ("goals_for",)), abbreviates(("pts",), ("points",)), abbreviates(("w",), ("points",))
    (True, True, False)
    """
    names = spellings(field)
    if len(label) != 1 or not 0 < len(label[0]) <= _LONGEST or not names:
        return False
    short, words = label[0], names[0].casefold().split()
    if short == "".join(word[0] for word in words):
        return True
    letters = iter("".join(words))
    return len(short) > 1 and short[0] == words[0][0] and all(letter in letters for letter in short)


def swapped_fields(labels: Mapping[Field, Label]) -> frozenset[Field]:
    """Give the fields that stand in each other's columns, by what the heads of both columns shorten."""
    short = {field: label for field, label in labels.items() if len(label) == 1 and len(label[0]) <= _LONGEST}
    found: set[Field] = set()
    for one, head in short.items():
        for other, beside in short.items():
            if one[:-1] == other[:-1] and _is_of(head, other, one) and _is_of(beside, one, other):
                found |= {one, other}
    return frozenset(found)


def _is_of(label: Label, field: Field, other: Field) -> bool:
    return abbreviates(label, field) and not abbreviates(label, other)
