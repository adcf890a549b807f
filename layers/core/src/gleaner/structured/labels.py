"""Labels that name a field on a page, whatever stands beside them: signs that the page states it (RC-6)."""

import re
from collections.abc import Collection, Iterator, Sequence

from gleaner.values.fields import Field
from gleaner.values.names import words_of

_BORDER = re.compile(r"[|\n:：]|\*\*|(?<=[.!?;])\s")
"""What parts a label from the text before it and from its value."""

_VALUE = re.compile(r"[\d$€£¥₹]")
_SIGNS = " \t*_#>+-•\\[]()"
_LONGEST, _MOST_WORDS = 60, 6
"""Characters and words of a label."""


def labelled(names: Collection[str], fields: Sequence[Field], markdown: str) -> frozenset[str]:
    """Give those of the named fields of which the text has a label that fits no other field better.

    A label is a short piece before a colon, a cell's or a line's end, or a figure: the field's name, what means the
    same, or a part of the name ("Date" of ``publication_date``).

    >>> text = "# Mug\\n\\nGlazed. Guarantee: 24 months"
    >>> sorted(labelled(["guarantee", "gtin"], [Field(name) for name in ("name", "guarantee", "gtin")], text))
    ['guarantee']
    """
    searched = frozenset[str]().union(*(field.label_words for field in fields if field.key in names))
    found: set[str] = set()
    for label in {*_pieces(markdown)}:
        if searched.isdisjoint(words_of(label)):
            continue
        fits = {field.key: field.likeness(label) for field in fields}
        best = max(fits.values())
        found.update(name for name in names if best and fits.get(name) == best)
    return frozenset(found)


def _pieces(markdown: str) -> Iterator[str]:
    for piece in _BORDER.split(markdown):
        label = _VALUE.split(piece, maxsplit=1)[0].strip(_SIGNS)
        if label and len(label) <= _LONGEST and label.count(" ") < _MOST_WORDS:
            yield label
