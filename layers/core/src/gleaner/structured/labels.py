"""Labels that name a field on a page, whatever stands beside them: signs that the page states it (RC-6)."""

import re
from collections.abc import Collection, Iterator, Sequence

from gleaner.structured.decline import Declined
from gleaner.structured.fields import Field, read_wanted
from gleaner.structured.matching import likeness
from gleaner.structured.names import same_names, words_of

_BORDER = re.compile(r"[|\n:：]|\*\*|(?<=[.!?;])\s")
"""What parts a label from the text before it and from its value."""

_VALUE = re.compile(r"[\d$€£¥₹]")
_SIGNS = " \t*_#>+-•\\[]()"
_LONGEST, _MOST_WORDS, _SHORTEST_WORD = 60, 6, 3
"""Characters and words of a label; a part of a field's name is at least so long."""


def fields_of(schema: object, names: Collection[str] = ()) -> list[Field]:
    """Give the fields of a schema's records, and one for each of the dotted ``names`` that no table could hold."""
    try:
        known = [*read_wanted(schema).fields]
    except Declined:
        known = []
    left = [*dict.fromkeys(names)]
    return known + [
        Field(tuple(name.split(".")), {}, "text", (name.rpartition(".")[2],), is_required=False, is_nullable=True)
        for name in left
        if name not in {field.name for field in known}
    ]


def labelled(names: Collection[str], fields: Sequence[Field], markdown: str) -> frozenset[str]:
    """Give those of the named fields of which the text has a label that fits no other field better.

    A label is a short piece before a colon, a cell's or a line's end, or a figure: the field's name, what means the
    same, or a part of the name ("Date" of ``publication_date``).

    >>> text = "# Mug\\n\\nGlazed. Guarantee: 24 months"
    >>> sorted(labelled(["guarantee", "gtin"], fields_of({}, ["name", "guarantee", "gtin"]), text))
    ['guarantee']
    """
    wanted = {field.name: _words(field) for field in fields}
    searched = frozenset[str]().union(*(wanted[name] for name in names if name in wanted))
    found: set[str] = set()
    for label in {*_pieces(markdown)}:
        if searched.isdisjoint(words_of(label)):
            continue
        fits = {field.name: _fit(field, label) for field in fields}
        best = max(fits.values())
        found.update(name for name in names if best and fits.get(name) == best)
    return frozenset(found)


def _pieces(markdown: str) -> Iterator[str]:
    for piece in _BORDER.split(markdown):
        label = _VALUE.split(piece, maxsplit=1)[0].strip(_SIGNS)
        if label and len(label) <= _LONGEST and label.count(" ") < _MOST_WORDS:
            yield label


def _words(field: Field) -> frozenset[str]:
    """Give the words by which a label of the field is found: of its names, and of what means the same."""
    named = {word for name in (*field.names, *field.path[-1:]) for word in words_of(name)}
    same = {word for name in field.names for form in same_names(name) for word in form.split()}
    hinted = {word for form in field.hints for word in form.split()}
    return frozenset(named | same | hinted)


def _fit(field: Field, label: str) -> float:
    """Tell how well a label fits: as ``likeness`` has it, and less for a part of the field's name."""
    score = likeness(field, label)
    own, named = words_of(label), {word for name in field.names for word in words_of(name)}
    is_part = named.issuperset(own) and any(len(word) >= _SHORTEST_WORD for word in own)
    return score or (0.5 if is_part else 0)
