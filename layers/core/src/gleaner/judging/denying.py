"""What a page denies: a flag by the opposite behind its name, a choice by another behind its label, a text by "no"."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from gleaner.contracts.word_lists import any_word, words_in
from gleaner.judging.flags import denies, ends_a_label, fills_a_part, is_flag_denied, is_left_unticked, marks_a_choice
from gleaner.judging.named_values import asks_whether_gone, places_of
from gleaner.judging.stating import Stating
from gleaner.judging.surroundings import Surroundings
from gleaner.page.model import Span
from gleaner.schemas.leaves import Leaf
from gleaner.values.fields import ALIKE, Field
from gleaner.values.texts.text_index import Match, TextIndex, within

_MOST_CHOICES = 30
_LEAST_SAID = 6
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
        says_no = is_said and match is not None and is_negated(leaf, match, self.index.text)
        if says_no or (is_said and match is not None and is_left_unticked(self.index.text, match)):
            return True
        if leaf.is_open or (match is not None and not isinstance(leaf.value, bool)):
            return False
        if is_shared and match is not None:
            return False
        if is_flag_denied(leaf, self.index, place):
            return True
        labelled = [one.span for one in self.around.labels_in(place) if field.likeness(one.text) >= ALIKE]
        return match is None and (self.is_otherwise(leaf, labelled) or self._is_out_of_stock(leaf, place))

    def _is_out_of_stock(self, leaf: Leaf, place: Span) -> bool:
        """Tell whether the opposite of a flag about stock is said, which needs no label: "Sold out"."""
        if not isinstance(leaf.value, bool) or not (asks_whether_gone(leaf) or _STOCK.search(leaf.name)):
            return False
        places = within(places_of(leaf, not leaf.value, self.index), place)
        text, heads = self.index.text, self.stating.heads
        telling = (one for one in places if not denies(text, one, heads) and not ends_a_label(text, one))
        said = (self.index.text[one.start : one.end] for one in telling)
        return any(len(one) >= _LEAST_SAID or one >= _FIRST_WITHOUT_BLANKS for one in said)

    def is_otherwise(self, leaf: Leaf, labelled: Sequence[Span]) -> bool:
        """Tell whether what the field's label leads to is another choice, or the opposite."""
        others = [not leaf.value] if isinstance(leaf.value, bool) else list(leaf.choices[:_MOST_CHOICES])
        return any(
            other != leaf.value
            and not denies(self.index.text, one, self.stating.heads)
            and not marks_a_choice(self.index.text, one)
            for span in labelled
            for other in others
            for one in within(places_of(leaf, other, self.index), span)
        )

    def says_another_choice(self, leaf: Leaf, own: Span, claimed: Sequence[Match]) -> bool:
        """Tell whether a record's own place states another choice, as a part of its own that no other field claims.

        A letter alone may be of another column: "D" for the day, not for a draw.
        """
        if not isinstance(leaf.value, str):
            return False
        return any(
            one.end - one.start > 1
            and fills_a_part(self.index.text, one.start, one.end)
            and not any(one.start < other.end and other.start < one.end for other in claimed)
            for other in leaf.choices[:_MOST_CHOICES]
            if isinstance(other, str) and len(other) >= _LEAST_OF_CHOICE and other != leaf.value
            for one in within(places_of(leaf, other, self.index), own)
        )


_DENIAL = re.compile(
    rf"(?:(?<![^\W_])(?P<word>{any_word('answer_words', 'text_denials')})[ \u00a0]|(?:不|未|非|没有|沒有|غير |לא ))\Z",
    re.IGNORECASE,
)
_REACH = 8
_LEAST_OF_CHOICE = 3
_ABOUT_ABSENCE = words_in("answer_words", "names_of_absence")
_STATES = words_in("answer_words", "denied_states")
"""What "no" denies: elsewhere it stands before a noun, is short for a number, or is "in the" of Portuguese."""


def is_negated(leaf: Leaf, match: Match, text: str) -> bool:
    """Tell whether a text is what a cell, a line or the text behind a label denies, word for word.

    Items of lists are none ("No pets" lists pets), nor texts that begin with a capital, nor fields that name what is
    not there.
    """
    if not isinstance(leaf.value, str) or not leaf.field or leaf.field[-1] == "*" or text[match.start].isupper():
        return False
    found = _DENIAL.search(text, max(0, match.start - _REACH), match.start)
    if found is None or not fills_a_part(text, found.start(), match.end):
        return False
    if (found["word"] or "").casefold() == "no" and text[match.start : match.end].casefold() not in _STATES:
        return False
    return _ABOUT_ABSENCE.isdisjoint(re.findall(r"[a-z]+", leaf.field[-1].casefold()))
