"""What stands behind a number says what it counts: "193 replies", "48 min", "3 beds", "70 %".

So a number that is counted as another field's is no proof, as long as that field has no better place for its own.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from gleaner.grounding.evidence.labels import Field, Labels, label_words
from gleaner.grounding.leaves import Leaf
from gleaner.grounding.regions import Span
from gleaner.grounding.text.text_index import Match, TextIndex, within

_BEHIND = re.compile(r"[*_~\]]{0,4}[ \u00a0\u202f]?[*_~(]{0,4}(%|[^\W\d_]+(?:/[^\W\d_]+)?)")
_LEADS = re.compile(r"\.?[*_~)\]]{0,4}[ \u00a0\u202f]?[:：]")
"""What makes a word the label of what follows, and no word for what stands before it: "£5 Pages: 12"."""
_REACH = 40
_LEAST_BEGUN = 3


class Counted:
    """Tells by the words behind numbers which of a record's fields they belong to."""

    def __init__(self, records: Mapping[int, Sequence[Leaf]], index: TextIndex, labels: Labels) -> None:
        self._index = index
        self._labels = labels
        self._numbers = {number: [leaf for leaf in own if _is_number(leaf)] for number, own in records.items()}
        self._names: dict[tuple[str, tuple[Field, ...]], Field | None] = {}

    def fitting(
        self,
        leaf: Leaf,
        number: int | None,
        own: Span,
        matches: Sequence[Match],
        part: Callable[[int, Sequence[Match]], Sequence[Match]] | None = None,
    ) -> Sequence[Match]:
        """Give the matches that are counted as the field; all when none is, but for those counted as another's.

        Those stay where the other field's value has a place of its own that is not counted as something else; percents
        are sure. ``part`` gives, of places in ``own``, those of a record with a number.
        """
        others = self._beside(leaf, number) if number is not None and _is_number(leaf) else []
        if not others:
            return matches
        fields = tuple({leaf.field, *(other.field for other in others)})
        counted = [(self._named_beside(match, own, leaf.field, fields), match) for match in matches]
        fitting = [match for name, match in counted if name == leaf.field]
        if fitting or all(name is None for name, _ in counted):
            return fitting or matches
        places = {
            other.field: part(number, found) if part and number is not None else found
            for other in others
            if (found := within(self._index.find(other.value), own))
        }
        return [
            match
            for name, match in counted
            if name is None or self._has_room(name, own, match, places.get(name, ()), fields)
        ]

    def _beside(self, leaf: Leaf, number: int) -> list[Leaf]:
        """Give the other numbers of the same object."""
        parent = leaf.steps[:-1]
        return [one for one in self._numbers.get(number, ()) if one.steps[:-1] == parent and one.field != leaf.field]

    def _has_room(
        self, field: Field, own: Span, match: Match, places: Sequence[Match], fields: tuple[Field, ...]
    ) -> bool:
        """Tell whether one of the places is another one than a match, and nothing says that it is another field's."""
        free = (field,) if self._word(match) == "%" else (None, field)
        return any(
            self._named(place, fields) in free and self._labels.field_before(own, place, field) in (None, field)
            for place in places
            if place.end <= match.start or match.end <= place.start
        )

    def _word(self, match: Match) -> str:
        found = _BEHIND.match(self._index.text, match.end, match.end + _REACH)
        return found[1].casefold() if found and not _LEADS.match(self._index.text, found.end()) else ""

    def _named_beside(self, match: Match, own: Span, field: Field, fields: tuple[Field, ...]) -> Field | None:
        """Give the field that is named before a place, if it is its own, else that behind: "Beds **6** Baths **5**"."""
        return field if self._labels.field_before(own, match, field) == field else self._named(match, fields)

    def _named(self, match: Match, fields: tuple[Field, ...]) -> Field | None:
        """Give the one field, of several, that the word behind a place names."""
        key = self._word(match), fields
        if key not in self._names:
            self._names[key] = _field_of(*key) if key[0] else None
        return self._names[key]


def _field_of(word: str, fields: Iterable[Field]) -> Field | None:
    """Give the field whose name has a word, else the one with a word that begins with it; None for several."""
    said = "".join(label_words(word.replace("/", "")))
    words = {field: label_words(field[-1]) for field in fields}
    whole = [field for field, own in words.items() if said in own]
    begun = [
        field for field, own in words.items() if len(said) >= _LEAST_BEGUN and any(w.startswith(said) for w in own)
    ]
    found = whole or begun
    return found[0] if len(found) == 1 else None


def _is_number(leaf: Leaf) -> bool:
    return bool(leaf.field) and isinstance(leaf.value, int | float) and not isinstance(leaf.value, bool)
