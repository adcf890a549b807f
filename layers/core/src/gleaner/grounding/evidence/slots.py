"""The position of each field within its record, as most records show it, to notice swapped fields.

Columns of tables are ``columns.py``'s. Elsewhere a slot is a line of the place and the signs on both sides of a value:
"- **name** – $price, city" has its name between stars and its city behind a comma. Where two fields have the same signs
around them, the figures before them in their line are counted, too; where these tell nothing, the signs that part them.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import takewhile

from gleaner.grounding.leaves import Leaf
from gleaner.grounding.regions import Span
from gleaner.grounding.text.spellings import spellings
from gleaner.grounding.text.text_index import DATE_PART, Match, TextIndex, within
from gleaner.values.mentions.dates import read_moment
from gleaner.values.money_signs import SIGN

Field = tuple[str, ...]
Slot = tuple[int, str, str, int]

_LEAST_VOTES = 4
_LEAST_OF_ONE_MIND = 3
_MAJORITY = 0.55
_SIGNS = 3
_MONEY_FIELD = re.compile(r"price|cost|amount|fee\b|preis|prix|precio|prezzo|цена", re.IGNORECASE)
_COUNT_FIELD = re.compile(
    r"rating|score|stars?\b|review|(?<!dis)(?<!ac)count|year|quantity|qty|stock|minute|hour|day|weight|rank|vote|like|view|comment|"
    r"person|guest|room|bed|bath|area|_kg|_km|_m2|bewertung|jahr|note\b|avis|année|valoraci|año|voto|anno",
    re.IGNORECASE,
)
"""Names of what is counted or measured, and never paid."""

_CURRENCY = re.compile(SIGN)
_ENDS_IN_CURRENCY = re.compile(rf"{SIGN}\s?\Z")
_BEGINS_WITH_CURRENCY = re.compile(rf"\s?{SIGN}(?!\s?\d)")
_LAST_WORD = re.compile(r"[ \u00a0](?:[^\W\d_]{1,3} )?([^\W\d_]{3,})[*_ ]*(?:$|[|\n,;.)·•])")
_NEAR = 5
_WORD = re.compile(r"[^\W\d_]{3}|[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_PARTING = re.compile(r",[ ]|;[ ]|[ ][·•/|–—-][ ]")
_FIGURE = re.compile(r"\d[\d.,:/-]*")


class Slots:
    """The slots of the fields, learned from the records whose places have as many lines as most have."""

    def __init__(self, leaves: Mapping[int, Sequence[Leaf]], spans: Sequence[Span | None], index: TextIndex) -> None:
        self._text = index.text
        self._index = index
        self._leaves = leaves
        self._known_lines: dict[Span, int] = {}
        self._known: dict[tuple[Span, int, int], Slot] = {}
        counts = Counter(self.lines(span) for span in spans if span is not None)
        self._usual_lines = counts.most_common(1)[0][0] if counts else 0
        self._shared: frozenset[Slot] = frozenset()
        self._parted: frozenset[Slot] = frozenset()
        self._slot_of = self._learn(spans) if self._usual_lines else {}
        self._shared = self._of_several()
        if self._shared:
            self._slot_of = self._learn_anew(spans)
            self._parted = self._of_several()
            self._slot_of = self._learn_anew(spans) if self._parted else self._slot_of

    def _of_several(self) -> frozenset[Slot]:
        """Give the slots that several fields have."""
        uses = Counter(self._slot_of.values())
        return frozenset(slot for slot, count in uses.items() if count > 1)

    def _learn_anew(self, spans: Sequence[Span | None]) -> dict[Field, Slot]:
        self._known = {}
        return self._learn(spans)

    @cached_property
    def _kinds(self) -> Mapping[tuple[Field, str], int]:
        return Counter((leaf.field, _kind(leaf)) for own in self._leaves.values() for leaf in own)

    @cached_property
    def _filled(self) -> Mapping[Field, int]:
        return Counter(leaf.field for own in self._leaves.values() for leaf in own)

    def fitting(self, leaf: Leaf, number: int, own: Span, matches: Sequence[Match]) -> Sequence[Match]:
        """Give the matches in the field's own slot; all when it has none there, but for those in a swapped field's.

        Two fields are swapped when each stands in the other's slot, or one where the other stands already. A slot alone
        says little: where a field is left out the next may stand, and texts have several ways to say a thing.
        """
        if leaf.field and _is_of_money(leaf.field[-1]) and not isinstance(leaf.value, str | bool):
            matches = [match for match in matches if not self._is_no_amount(leaf, number, own, match)]
        usual = self._slot_of.get(leaf.field)
        if usual is None or self.lines(own) != self._usual_lines:
            return matches
        fitting = [match for match in matches if self.slot(own, match) == usual]
        others = self._others(leaf, number)
        left = fitting or [
            match
            for match in matches
            if not (self._is_swapped(leaf, match, usual, own, others) or self._is_displaced(leaf, match, usual, own))
        ]
        if len(left) == len(matches) or fitting:
            return left
        # The "Tin" of "Tin plate" is no year either, where the one beside it is the material.
        longer = [one for other in others if isinstance(other.value, str) for one in self._index.find(other.value)]
        return [one for one in left if not any(of.start <= one.start and one.end < of.end for of in longer)]

    def _is_displaced(self, leaf: Leaf, match: Match, usual: Slot, own: Span) -> bool:
        """Tell whether a value stands in another field's slot, and is of another kind than the field's, or its own
        slot holds a figure that is not it: the other field's value was lost when the two were swapped."""
        slot = self.slot(own, match)
        if slot == usual or slot not in self._slot_of.values():
            return False
        if isinstance(leaf.value, str):
            kind = _kind(leaf)
            return kind != "words" and self._kinds[leaf.field, kind] * 2 < self._filled[leaf.field]
        figures = (place for place in self._index.figures(own) if not place.start <= match.start < place.end)
        return any(self.slot(own, place) == usual for place in figures)

    def _is_swapped(self, leaf: Leaf, match: Match, usual: Slot, own: Span, others: Sequence[Leaf]) -> bool:
        slot = self.slot(own, match)
        for other in others:
            if self._slot_of.get(other.field) == slot != usual and not self._are_of_their_kinds(leaf, other):
                places = within(self._index.find(other.value), own)
                if any(place.start == match.start or self.slot(own, place) == usual for place in places):
                    return True
        return False

    def _are_of_their_kinds(self, leaf: Leaf, other: Leaf) -> bool:
        """Tell whether two texts are each of the kind of its field, and of two kinds: then neither is the other's."""
        kinds = _kind(leaf), _kind(other)
        fields = leaf.field, other.field
        are_usual = all(2 * self._kinds[pair] > self._filled[pair[0]] for pair in zip(fields, kinds, strict=True))
        return kinds[0] != kinds[1] and all(kinds) and are_usual

    def _others(self, leaf: Leaf, number: int) -> list[Leaf]:
        return [one for one in self._leaves.get(number, ()) if one.field != leaf.field and one.value is not None]

    def _is_no_amount(self, leaf: Leaf, number: int, own: Span, match: Match) -> bool:
        """Tell whether the number of another field is taken for a price, in a place that marks its amounts of money.

        It is where another field has the same number, or has the marked one: the two are swapped.
        """
        if self._is_marked(own, match) or _CURRENCY.search(self._text, *own) is None:
            return False
        if self._is_counted_behind(leaf, match):
            return True
        others = [other for other in self._others(leaf, number) if isinstance(other.value, int | float)]
        return any(not isinstance(other.value, bool) and self._is_anothers(leaf, other, own) for other in others)

    def _is_counted_behind(self, leaf: Leaf, match: Match) -> bool:
        """Tell whether the name of another field, of what is counted, ends the line behind a number: "12 in stock"."""
        behind = _LAST_WORD.match(self._text, match.end)
        if behind is None:
            return False
        counts = (field for field in self._filled if field != leaf.field and _COUNT_FIELD.search(field[-1]))
        return any(behind[1].casefold() in name.casefold().split() for field in counts for name in spellings(field)[:1])

    def _is_anothers(self, leaf: Leaf, other: Leaf, own: Span) -> bool:
        """Tell whether another field has the same number, or, being a count or a measure, the marked one."""
        if other.value == leaf.value:
            return True
        places = [place for place in within(self._index.find(other.value), own) if place.transform != DATE_PART]
        is_count = _COUNT_FIELD.search(other.field[-1]) and not _is_of_money(other.field[-1])
        return bool(is_count) and any(self._is_marked(own, place) for place in places)

    def _is_marked(self, own: Span, match: Match) -> bool:
        before = self._text[max(own[0], match.start - _NEAR) : match.start]
        after = self._text[match.end : min(match.end + _NEAR, own[1])]
        return bool(_ENDS_IN_CURRENCY.search(before) or _BEGINS_WITH_CURRENCY.match(after))

    def _learn(self, spans: Sequence[Span | None]) -> dict[Field, Slot]:
        votes: dict[Field, Counter[Slot]] = {}
        several: dict[Field, list[set[Slot]]] = {}
        for number, own in enumerate(spans):
            if own is None or self.lines(own) != self._usual_lines:
                continue
            for leaf in self._leaves.get(number, ()):
                slots = {self.slot(own, match) for match in within(self._index.find(leaf.value), own)}
                if len(slots) == 1:
                    votes.setdefault(leaf.field, Counter()).update(slots)
                elif slots:
                    several.setdefault(leaf.field, []).append(slots)
        elected = {field: _elect(votes.get(field, Counter()), several.get(field, [])) for field in {*votes, *several}}
        return {field: slot for field, slot in elected.items() if slot is not None}

    def lines(self, span: Span) -> int:
        """Give how many lines a place has; 0 for a row of a table."""
        if span not in self._known_lines:
            text = self._text[span[0] : span[1]].strip()
            self._known_lines[span] = 0 if text.startswith("|") else _count_lines(text)
        return self._known_lines[span]

    def slot(self, own: Span, match: Match) -> Slot:
        """Give the slot of a value in its record's place."""
        key = own, match.start, match.end
        if key not in self._known:
            self._known[key] = self._slot_around(own, match)
        return self._known[key]

    def _slot_around(self, own: Span, match: Match) -> Slot:
        text = self._text
        line_start = max(own[0], text.rfind("\n", 0, match.start) + 1)
        line_end = text.find("\n", match.end)
        before = text[max(line_start, match.start - _SIGNS) : match.start]
        after = text[match.end : min(match.end + _SIGNS, own[1], line_end if line_end >= 0 else len(text))]
        number = _count_lines(text[own[0] : line_start])
        opening = "^" if match.start - len(_signs_at_end(before)) <= line_start else ""
        closing = "" if after else "^"
        slot = number, opening + _signs_at_end(before), _signs_at_start(after) + closing, 0
        if slot not in self._shared:
            return slot
        slot = *slot[:3], 1 + len(_FIGURE.findall(text, line_start, match.start))
        if slot not in self._parted:
            return slot
        return *slot[:3], -1 - len(_PARTING.findall(text, line_start, match.start))


def _elect(votes: Counter[Slot], several: Sequence[set[Slot]]) -> Slot | None:
    """Give the slot of a field: that of most records, those with several among them where the others name it."""
    if not votes:
        return None
    slot = votes.most_common(1)[0][0]
    beside = sum(slot in slots for slots in several)
    most, total = votes[slot] + beside, votes.total() + beside
    is_told = (total >= _LEAST_VOTES and most >= _MAJORITY * total) or most == total >= _LEAST_OF_ONE_MIND
    return slot if is_told else None


def _count_lines(text: str) -> int:
    return sum(1 for line in text.split("\n") if line and not line.isspace())


@lru_cache(maxsize=1024)
def _is_of_money(name: str) -> bool:
    return _MONEY_FIELD.search(name) is not None


def _kind(leaf: Leaf) -> str:
    """Give what a text is: a day, words, or signs such as a code or a version."""
    if not isinstance(leaf.value, str):
        return ""
    return "day" if read_moment(leaf.value) else "words" if _WORD.search(leaf.value) else "signs"


def _signs_at_end(text: str) -> str:
    """Give the signs that a text ends with.

    >>> _signs_at_end("at $"), _signs_at_end("a")
    (' $', '')
    """
    return text[len(text) - _count_signs(reversed(text)) :]


def _signs_at_start(text: str) -> str:
    return text[: _count_signs(text)]


def _count_signs(signs: Iterable[str]) -> int:
    return sum(1 for _ in takewhile(lambda sign: not sign.isalnum(), signs))
