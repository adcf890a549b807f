"""A value at its place, with what its features are made of."""

import re
from collections.abc import Mapping
from functools import cached_property

from gleaner.contracts.ports import JsonValue
from gleaner.contracts.word_lists import any_word, words_in
from gleaner.judging.code_names import names_country
from gleaner.judging.exchanges import exchanged_with
from gleaner.judging.measuring import unit_fit
from gleaner.judging.origins.regions import line_at
from gleaner.judging.scene import Border, Scene
from gleaner.judging.surroundings import Label
from gleaner.schemas.leaves import CONTEXT, Leaf
from gleaner.values import locales
from gleaner.values.fields import ALIKE, VERY_NAME
from gleaner.values.mentions.money import shared_sign
from gleaner.values.money import parse_minor
from gleaner.values.money_signs import AMOUNT
from gleaner.values.names import words_of
from gleaner.values.readings import TO
from gleaner.values.texts.text_index import Match

NOTHING = 0, 0
"""The likeness of no label."""

_SORTS = {"above": "weak", "beside": "weak", "name": "markup"}
_SURELY = 0.9
_SPELLINGS = ("", CONTEXT, "case", "whitespace", "text")
"""How a text stands there that is said in its own words."""

_HALF = 3
"""Other records from which on what they tell of a place counts for more than half."""

_REACH, _LEAST_WORD = 40, 3
_FORMER = re.compile(
    rf"(?<![^\W_]){any_word('value_words', 'former_price')}(?:[ -]?[^\W\d_]{{2,8}})?"
    r"\W{0,6}(?:[A-Z]{3}\s)?\W{0,3}\Z",
    re.IGNORECASE,
)
_AMOUNT = re.compile(AMOUNT)
_WHOLE_AMOUNT = re.compile(rf"[\d.,\u00a0\u202f ]{{0,16}}{AMOUNT}")
_CELL, _SIGNS = 200, 5
"""Characters around a number in which its cell or line is looked at, and in which a sign of money belongs to it."""

_FORMER_NAMES = words_in("value_words", "former_names")
_DAY = re.compile(r"\d{4}-\d\d(?:-\d\d)?(?!\d)")
_LINK = re.compile(r"(?:https?:|mailto:|/)\S+")


def kind_of(leaf: Leaf) -> str:
    """Say what a value is."""
    value = leaf.value
    if isinstance(value, bool):
        return "flag"
    if isinstance(value, int | float):
        return "number"
    if leaf.choices:
        return "choice"
    said = str(value)
    return "day" if _DAY.match(said) else "link" if _LINK.fullmatch(said) else "text"


class Spot:
    """A value at a place, with what its features are made of."""

    def __init__(self, scene: Scene, leaf: Leaf, match: Match | None, level: str) -> None:
        self.scene, self.leaf, self.match, self.level = scene, leaf, match, level
        self.field = scene.fields[leaf.field]
        self.number = scene.number(leaf)
        self.shown = match if match is not None and match.source == "markdown" else None
        """The place, where readers see it."""
        self.kind = kind_of(leaf)
        self.unit = unit_fit(leaf, self.field, self.shown, scene.text) if self.shown else 0
        """1 for the field's own unit, -1 for another one."""

    @cached_property
    def labels(self) -> tuple[Label, ...]:
        """The labels at the place; the sign of a currency has none, as those around it are the amount's."""
        if self.shown is None or self.shown.transform == "currency":
            return ()
        return self.scene.labels(self.leaf, self.shown)

    @cached_property
    def likeness(self) -> Mapping[str, tuple[int, int]]:
        """How like labels are to the field, and to another one that they fit better: each sort for itself."""
        found: dict[str, tuple[int, int]] = {}
        for label in self.labels:
            sort = _SORTS.get(label.kind, "strong")
            (mine, its), (own, other) = self.scene.likeness(self.leaf.field, label.text), found.get(sort, NOTHING)
            found[sort] = max(own, mine), max(other, its)
        return {sort: (own, other if other > own else 0) for sort, (own, other) in found.items()}

    @cached_property
    def strangeness(self) -> float:
        """How much labels may say against a place: little where the other records have the field in such a place."""
        if self.kind == "link":
            return 0.0
        better, away, count = self.learned
        return 1.0 if count < _HALF else min(1.0, max(better, away, 0.0) / 6)

    @property
    def strong(self) -> tuple[int, int]:
        """By heads of columns and rows, terms, colons and pairs."""
        return self.likeness.get("strong", NOTHING)

    @property
    def weak(self) -> tuple[int, int]:
        """By the line above and the words beside."""
        return self.likeness.get("weak", NOTHING)

    @property
    def markup(self) -> tuple[int, int]:
        """By names of classes and attributes."""
        return self.likeness.get("markup", NOTHING)

    @cached_property
    def rival(self) -> tuple[str, int, int] | None:
        """What stands behind the field's own name elsewhere in its record or on its page."""
        if self.match is None or self.strong[0] == VERY_NAME or self.kind in ("flag", "choice"):
            return None
        start, end = self.match.start, self.match.end
        for label in self.scene.named(self.leaf):
            if label.span[0] <= start and end <= label.span[1]:
                return None
            said = self.scene.text[slice(*label.span)].strip(" *_|")
            if said and said.casefold() != str(self.leaf.value).casefold():
                return said[:200], label.span[0], label.span[1]
        return None

    @cached_property
    def learned(self) -> tuple[float, float, int]:
        """By how much another field's places, and the field's usual place, are likelier; from how many records."""
        place = self.scene.place(self.leaf, self.match) if self.match is not None else None
        if place is None or self.number is None:
            return 0.0, 0.0, 0
        field = self.leaf.field
        better, away, count = self.scene.likelihood.compare(field, place, self.number, self.scene.beside(self.leaf))
        trust = count / (count + _HALF) * (1.0 - self.scene.repeating(field))
        return better * trust, away * trust, count

    @cached_property
    def sharing(self) -> list[Leaf]:
        """The other fields of the object that say the same, where there are fewer mentions than fields."""
        if self.match is None or len(self.scene.objects[self.scene.object_of(self.leaf)]) > 400:
            return []
        not_others = {self.leaf.field, *self.scene.other_ends[self.leaf.field]}
        same = [one for one in self.scene.alike(self.leaf) if one.field not in not_others]
        return same if len(same) + 1 > len(self.scene.stated[self.leaf.pointer][1]) else []

    @property
    def exchanged(self) -> Match | None:
        """Where another value of the object stands that was exchanged with this one; None for most values."""
        better, _, count = self.learned
        is_usual = count >= _HALF and better <= 0
        return None if self.shown is None or is_usual else exchanged_with(self.scene, self.leaf, self.shown)

    @property
    def is_turned(self) -> bool:
        """Whether the first end of a range is beyond the last: numbers, or days."""
        other_ends = self.scene.other_ends[self.leaf.field]
        own = self.scene.objects[self.scene.object_of(self.leaf)] if other_ends else ()
        others = ((one, other_ends[one.field]) for one in own if one.field in other_ends)
        return any(
            _is_beyond(*((self.leaf.value, one.value) if is_first else (one.value, self.leaf.value)))
            for one, is_first in others
        )

    @property
    def is_worse(self) -> bool:
        """Whether one of those fits the mention better."""
        if not self.sharing or self.match is None or self._is_named_in_line:
            return False
        mine = self.scene.fit(self.leaf, self.match)
        return any(self.scene.fit(one, self.match) > mine + 0.5 for one in self.sharing)

    @property
    def lone_sharing(self) -> float:
        """How unusual it is that another field says the same: 1 where no other record has it so."""
        if not self.sharing or max(self.strong[0], self.weak[0]) >= ALIKE or self._is_named_in_line:
            return 0.0
        return 1.0 - max(self.scene.repeating(one) for one in (self.leaf.field, *(one.field for one in self.sharing)))

    @property
    def is_its_name(self) -> bool:
        """Whether the line of a mention is what a flag is called: "SOLD OUT" for ``sold_out``, wherever it stands."""
        return self.leaf.value is True and self._line == words_of(self.field.name)

    @property
    def _is_named_in_line(self) -> bool:
        """Whether the line of a flag's mention has words of its name: "Contains ads" for ``ads``."""
        if self.kind != "flag" or self.match is None:
            return False
        return not {one for one in words_of(self.field.name) if len(one) >= _LEAST_WORD}.isdisjoint(self._line)

    @property
    def _line(self) -> tuple[str, ...]:
        """The words of the mention's line."""
        text = self.scene.text
        return words_of(text[slice(*line_at(text, self.match.start, self.match.end))]) if self.match else ()

    @cached_property
    def is_within(self) -> bool:
        """Whether the value is a part of another field's longer one."""
        said = str(self.leaf.value).casefold()
        own = self.scene.objects[self.scene.object_of(self.leaf)]
        if len(own) > 400 or self.kind not in ("text", "number") or not said:
            return False
        return any(
            len(other) > len(said) and said in other and _has_words(other, said)
            for one in own
            if one.field != self.leaf.field and isinstance(one.value, str) and (other := one.value.casefold())
        )

    @property
    def is_former(self) -> bool:
        """Whether a former price stands there, struck out or behind a word for it, and the present one is asked for.

        Where a record has several prices, any of them may be meant.
        """
        field = self.field
        if self.shown is None or not field.is_paid or not _FORMER_NAMES.isdisjoint(field.words):
            return False
        if any(self.scene.fields[one].is_paid for one in self.scene.beside(self.leaf)):
            return False
        before = self.scene.text[max(0, self.shown.start - _REACH) : self.shown.start]
        is_struck = self.scene.around.is_struck(self.shown.start, self.shown.end)
        word = _FORMER.search(before)
        if word is None or self._is_claimed(self.shown.start - len(before) + word.start()):
            return is_struck
        return is_struck or self._has_amount_beside(self.shown)

    def _has_amount_beside(self, match: Match) -> bool:
        """Tell whether another amount stands near, under the same heading: "Regular price $9" alone is the price."""
        text, start, end = self.scene.text, match.start, match.end
        left, heading = max(text.rfind("\n#", 0, start) + 1, start - _CELL), text.find("\n#", end, end + _CELL)
        right = heading if heading >= 0 else end + _CELL
        around = (text[max(0, left) : max(0, start - _SIGNS)], text[end + _SIGNS : right])
        return any(map(_AMOUNT.search, around))

    def _is_claimed(self, place: int) -> bool:
        """Tell whether another value of the object stands at a place: "regular" is a size there."""
        own = self.scene.objects[self.scene.object_of(self.leaf)]
        matches = (self.scene.chosen.get(one.pointer) for one in own)
        return any(one is not None and one.start <= place < one.end for one in matches)

    @property
    def is_no_price(self) -> bool:
        """Whether a bare number is given for a price: a count beside an amount, or cents as if they were whole."""
        if self.shown is None or not self.field.is_paid or self.kind != "number":
            return False
        text, start, end = self.scene.text, self.shown.start, self.shown.end
        left = max(text.rfind(sign, max(0, start - _CELL), start) for sign in "|\n") + 1
        right = min((at for sign in "|\n" if (at := text.find(sign, end, end + _CELL)) >= 0), default=end + _CELL)
        if _AMOUNT.search(text[max(left, start - _SIGNS) : min(right, end + _SIGNS)]):
            return False
        if (joined := TO.match(text, end, end + _REACH)) and _WHOLE_AMOUNT.match(text, joined.end()):
            return False  # "70 000 до 95 000 ₽"
        try:
            cents = parse_minor(text[start:right].strip())
        except ValueError:
            return _AMOUNT.search(text[max(left, start - _CELL) : right]) is not None
        return cents == self.leaf.value and not self.field.is_in_cents

    @property
    def is_open_currency(self) -> bool:
        """Whether nothing but a sign of several currencies tells one: no country of the page, and no word of the field.

        A country that the text names settles it where it names none of the others; so does a code in the page's data.
        """
        code, index = str(self.leaf.value).strip().upper(), self.scene.index
        if self.match is None or self.match.transform != "currency" or self.field.currencies == frozenset((code,)):
            return False
        places = self.scene.stated[self.leaf.pointer][1]
        codes = [shared_sign(self.scene.text[one.start : one.end], code) for one in places]
        open_ones = frozenset[str]().union(*codes) & frozenset(self.leaf.choices or locales.currencies_with_signs())
        if frozenset() in codes or len(open_ones) < 2 or not index.countries.isdisjoint({code[:2]}):
            return False
        in_data = {one for one in open_ones if f'"{one}"' in index.html or f"'{one}'" in index.html}
        named = {one for one in open_ones if names_country(one[:2], index)}
        return {code} not in (in_data, named)

    @cached_property
    def borders(self) -> tuple[Border, ...]:
        """How a text begins and ends in its element."""
        if self.kind != "text" or self.shown is None:
            return ()
        if (self.shown.transform or "").rpartition("+")[2] not in _SPELLINGS:
            return ()
        return self.scene.borders_of(self.leaf, self.shown)

    def unusual(self, border: Border) -> float:
        """Give the share of the field's other texts that begin or end otherwise; 1 where there are none."""
        if border not in self.borders:
            return 0.0
        count = self.scene.borders[self.leaf.field]
        others = count["all"] - 1
        return 1.0 - (count[border] - 1) / others if others > 0 else 1.0

    @property
    def starts_inside(self) -> bool:
        """Whether a text begins behind a word, and most others of the field do not."""
        return self.unusual("word before") > 0.5

    @property
    def is_cut(self) -> bool:
        """Whether a text is cut, or runs on over another field's value, where hardly another of the field does so."""
        kinds: tuple[Border, ...] = ("word behind", "bracket behind", "another value inside")
        is_unusual = bool(self.borders) and max(map(self.unusual, kinds)) > _SURELY
        return is_unusual and (self.is_name or not self.is_within)

    @property
    def is_name(self) -> bool:
        """Whether the field is the name of the thing."""
        return "name" in self.field.roles

    @property
    def is_told(self) -> bool:
        """Whether enough other records tell how the field's texts end."""
        return self.scene.borders[self.leaf.field]["all"] > _HALF

    @cached_property
    def whole(self) -> tuple[str, int, int] | None:
        """The text of the element or line that a cut text is a part of."""
        if self.match is None or not self.borders:
            return None
        return self.scene.around.run_at(self.match.start, self.match.end)


def _has_words(text: str, said: str) -> bool:
    """Tell whether a text has another one as words of its own."""
    at = text.find(said)
    before, after = text[at - 1 : at] if at else "", text[at + len(said) : at + len(said) + 1]
    return not (before.isalnum() or after.isalnum())


def _is_beyond(first: JsonValue, last: JsonValue) -> bool:
    """Tell whether a number is greater than another one, or a day later."""
    if isinstance(first, str) and isinstance(last, str):
        return first > last and all(map(_DAY.match, (first, last)))
    are_numbers = all(isinstance(one, int | float) and not isinstance(one, bool) for one in (first, last))
    return are_numbers and first > last  # type: ignore[operator]
