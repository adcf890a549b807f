"""What a page denies: a flag by the opposite behind its name, a choice by another behind its label, a text by "no"."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from gleaner.judging.flags import denies, fills_a_part, is_flag_denied
from gleaner.judging.named_values import asks_whether_gone, places_of
from gleaner.judging.negation import is_denied as is_negated
from gleaner.judging.stating import Stating
from gleaner.judging.surroundings import Surroundings
from gleaner.page.model import Span
from gleaner.schemas.leaves import Leaf
from gleaner.values.fields import ALIKE, Field
from gleaner.values.texts.text_index import Match, TextIndex, within

_MOST_CHOICES = 30
_LEAST_SAID = 6
_LEAST_OF_CHOICE = 3
_FIRST_WITHOUT_BLANKS = "\u2e80"
_STOCK = re.compile(r"stock|avail", re.IGNORECASE)


@dataclass
class Denying:
    """Tells what a page denies."""

    index: TextIndex
    around: Surroundings
    stating: Stating

    def is_denied(self, leaf: Leaf, match: Match | None, place: Span, field: Field, *, is_shared: bool = False) -> bool:
        """Tell whether a place says that a value is not so: by the field's own name, or word for word.

        ``is_shared`` is for a place with several objects of the leaf's kind: what it says may be said of another one.
        """
        is_said = isinstance(leaf.value, str) and match is not None and match.source == "markdown"
        if is_said and match is not None and is_negated(leaf, match, self.index.text):
            return True
        if leaf.is_open or (match is not None and not isinstance(leaf.value, bool)):
            return False
        if is_shared and match is not None:
            return False
        if is_flag_denied(leaf, self.index, place):
            return True
        return match is None and (self._is_otherwise(leaf, place, field) or self._is_out_of_stock(leaf, place))

    def _is_out_of_stock(self, leaf: Leaf, place: Span) -> bool:
        """Tell whether the opposite of a flag about stock is said, which needs no label: "Sold out"."""
        if not isinstance(leaf.value, bool) or not (asks_whether_gone(leaf) or _STOCK.search(leaf.name)):
            return False
        places = within(places_of(leaf, not leaf.value, self.index), place)
        telling = (one for one in places if not denies(self.index.text, one, self.stating.heads))
        said = (self.index.text[one.start : one.end] for one in telling)
        return any(len(one) >= _LEAST_SAID or one >= _FIRST_WITHOUT_BLANKS for one in said)

    def says_another_choice(self, leaf: Leaf, own: Span, claimed: Sequence[Match]) -> bool:
        """Tell whether a record's own place states another choice, as a part of its own that no other field claims."""
        if not isinstance(leaf.value, str):
            return False
        return any(
            fills_a_part(self.index.text, one.start, one.end)
            and not any(one.start < other.end and other.start < one.end for other in claimed)
            for other in leaf.choices[:_MOST_CHOICES]
            if isinstance(other, str) and len(other) >= _LEAST_OF_CHOICE and other != leaf.value
            for one in within(places_of(leaf, other, self.index), own)
        )

    def _is_otherwise(self, leaf: Leaf, place: Span, field: Field) -> bool:
        """Tell whether the field's label leads to another choice, or to the opposite."""
        others = [not leaf.value] if isinstance(leaf.value, bool) else list(leaf.choices[:_MOST_CHOICES])
        labelled = [one.span for one in self.around.labels_in(place) if field.likeness(one.text) >= ALIKE]
        return any(
            other != leaf.value and within(places_of(leaf, other, self.index), span)
            for span in labelled
            for other in others
        )
