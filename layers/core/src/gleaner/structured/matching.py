"""Which label, header or key is a field's."""

from collections.abc import Mapping, Sequence

from gleaner.page.pairs import Pair
from gleaner.structured.fields import Field
from gleaner.structured.names import forms, same_names, without_brackets, words_of


def likeness(field: Field, label: str) -> int:
    """Tell how sure a label is the field's: 4 as it stands, 3 by its words, 2 without brackets, 1 by meaning; 0 no.

    ``data/field_names.json`` and the schema's own short description tell what means the same.
    """
    squeezed = " ".join(label.split()).casefold().rstrip(" :")
    if not squeezed:
        return 0
    if any(squeezed == " ".join(name.split()).casefold() for name in field.names):
        return 4
    own = field.forms
    if not own.isdisjoint(forms(label)):
        return 3
    bare = without_brackets(label)
    if bare and bare != label and not own.isdisjoint(forms(bare)):
        return 2
    same = frozenset[str]().union(*(same_names(name) for name in field.names))
    hints = field.hints - frozenset(form for name in field.names for word in words_of(name) for form in forms(word))
    return 1 if not (same | hints).isdisjoint(forms(label)) else 0


def match_labels(fields: Sequence[Field], labels: Sequence[Sequence[str]]) -> Mapping[str, Sequence[int]]:
    """Give for each field the positions of the labels that fit it best; each position may go by several texts.

    >>> from gleaner.structured.fields import read_wanted
    >>> schema = {"type": "object", "properties": {"unitPrice": {"type": "number"}}}
    >>> match_labels(read_wanted(schema).fields, [["Name"], ["Unit price (€)"]])
    {'unitPrice': [1]}
    """
    found: dict[str, Sequence[int]] = {}
    for field in fields:
        scores = [max((likeness(field, text) for text in texts), default=0) for texts in labels]
        best = max(scores, default=0)
        found[field.name] = [at for at, score in enumerate(scores) if score == best] if best else []
    return found


def pairs_of(field: Field, pairs: Sequence[Pair]) -> list[Pair]:
    """Give the pairs whose label fits a field best; those of one text once."""
    scores = [likeness(field, pair.label) for pair in pairs]
    best = max(scores, default=0)
    fitting = [pair for pair, score in zip(pairs, scores, strict=True) if score == best and best]
    return list({pair.cell.text.casefold(): pair for pair in fitting}.values())
