"""What speaks for and against a value where it stands: each feature is one short function of the table ``FEATURES``.

Their weights are data (``data/judging_weights.json``), learned from right and spoilt answers of real pages by
``python -m judging`` in ``benchmarks``, and judged leaving each site out.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from types import MappingProxyType
from typing import Any

from gleaner.contracts.json_text import packaged
from gleaner.judging.likelihood import Likelihood, Place, place_of
from gleaner.judging.measuring import unit_fit
from gleaner.judging.surroundings import Label, Surroundings
from gleaner.page.model import Span
from gleaner.schemas.leaves import Leaf, Steps, record_number
from gleaner.values.fields import ALIKE, VERY_NAME, Field
from gleaner.values.texts.text_index import DATE_PART, Match, TextIndex

_WEAK = frozenset(("above", "beside"))
_FEW = 16
_MOST_FIELDS = 2
_HALF = 3
"""Other records from which on what they tell of a place counts for more than half."""

_NO_BORDER = re.compile(r"[ \u00a0\t]{0,3}[^\W_]")
_NO_BORDER_BEFORE = re.compile(r"[^\W_][ \u00a0\t]{0,3}\Z")
_NEXT_WORD = re.compile(r"[ \u00a0\t]{0,3}([^\W_]+)")
_DAY = re.compile(r"\d{4}-\d\d(?:-\d\d)?")
_LINK = re.compile(r"(?:https?:|mailto:|/)\S+")


@dataclass(slots=True)
class Case:
    """A value with its place and its features; ``rival`` is what stands behind the field's own label elsewhere."""

    leaf: Leaf
    match: Match | None
    level: str
    features: dict[str, float]
    rival: tuple[str, int, int] | None = None


class Scene:
    """The values of one list of records, or of one thing, with all places that state them."""

    def __init__(
        self,
        index: TextIndex,
        around: Surroundings,
        fields: Mapping[tuple[str, ...], Field],
        leaves: Sequence[Leaf],
        stated: Mapping[str, tuple[str, Sequence[Match]]],
        root: Steps,
        own: Callable[[int | None], Span | None],
    ) -> None:
        self.index, self.text, self.around, self.fields = index, index.text, around, fields
        self.leaves, self.stated, self.root, self.own = leaves, stated, root, own
        self.likelihood = Likelihood()
        self.objects: dict[Steps, list[Leaf]] = defaultdict(list)
        for leaf in leaves:
            self.objects[self.object_of(leaf)].append(leaf)
        self.chosen: dict[str, Match] = {}
        self._labels: dict[tuple[int, int, bool], tuple[Label, ...]] = {}
        self._places: dict[tuple[Span, int, int], Place] = {}
        self._alike: dict[tuple[tuple[str, ...], str], tuple[int, int]] = {}
        self._named: dict[tuple[object, ...], list[Label]] = {}

    @staticmethod
    def object_of(leaf: Leaf) -> Steps:
        """Give the steps to the object that a leaf belongs to; items of a list of texts are of the object around it."""
        steps = leaf.steps[:-1]
        while steps and isinstance(leaf.steps[len(steps)], int):
            steps = steps[:-1]
        return steps

    def number(self, leaf: Leaf) -> int | None:
        """Give the number of a leaf's record."""
        return record_number(leaf.steps, self.root)

    # Which mention is whose

    def assign(self) -> dict[str, Match]:
        """Give each leaf the place that fits its field best, and that no other leaf has taken; long values first.

        Of leaves with one value the best pairs are made first; of very many mentions the k-th leaf gets the k-th.
        """
        groups: dict[object, list[Leaf]] = defaultdict(list)
        for leaf in self.leaves:
            if self.stated[leaf.pointer][1]:
                number = self.number(leaf)
                groups[number if self.own(number) else None, leaf.key].append(leaf)
        taken: dict[object, set[int]] = defaultdict(set)
        for (region, (_, value)), same in sorted(groups.items(), key=_by_length):  # type: ignore[misc]
            del value
            for leaf, match in self._paired(same, taken[region]):
                self.chosen[leaf.pointer] = match
                taken[region].add(match.start)
        return self.chosen

    def _paired(self, same: Sequence[Leaf], taken: set[int]) -> Iterator[tuple[Leaf, Match]]:
        """Give each of the leaves with one value its mention."""
        if len(same) == 1 and len(self.stated[same[0].pointer][1]) == 1:
            yield same[0], self.stated[same[0].pointer][1][0]
            return
        if len(same) > _FEW or any(len(self.stated[leaf.pointer][1]) > _FEW for leaf in same):
            for turn, leaf in enumerate(same):
                matches = self.stated[leaf.pointer][1]
                yield leaf, matches[min(turn, len(matches) - 1)]
            return
        pairs = [
            (one.start in taken, -self.fit(leaf, one), one.start, at, one)
            for at, leaf in enumerate(same)
            for one in self.stated[leaf.pointer][1]
        ]
        given: dict[int, Match] = {}
        used: set[int] = set()
        for is_taken, _, start, at, match in sorted(pairs, key=lambda pair: pair[:4]):
            if at not in given and (is_taken or start not in used):
                given[at] = match
                used.add(start)
        for at, leaf in enumerate(same):
            yield leaf, given.get(at) or max(self.stated[leaf.pointer][1], key=lambda one: self.fit(leaf, one))

    def fit(self, leaf: Leaf, match: Match) -> float:
        """Give how well a place fits a field: by its labels, its unit, and the places of the other records."""
        field = self.fields[leaf.field]
        if match.source != "markdown":
            return 0.0
        labels = self.labels(leaf, match)
        alike = [self.likeness(leaf.field, one.text) for one in labels]
        own, others = (max((pair[at] for pair in alike), default=0) for at in (0, 1))
        fit = own - others + unit_fit(leaf, field, match, self.text) - 2.0 * match.weak
        fit -= 0.5 * (match.transform == DATE_PART)
        if isinstance(leaf.value, str):
            fit -= 0.4 * bool(_NO_BORDER.match(self.text, match.end))
            fit -= 0.4 * bool(_NO_BORDER_BEFORE.search(self.text, max(0, match.start - 4), match.start))
        number = self.number(leaf)
        place = self.place(leaf, match)
        if place is not None and number is not None and self.likelihood.others(number, leaf.field):
            fit += 0.3 * self.likelihood.score(leaf.field, place, number)
        return fit

    @cached_property
    def _siblings(self) -> Mapping[tuple[str, ...], tuple[tuple[str, ...], ...]]:
        groups: dict[tuple[str, ...], dict[tuple[str, ...], None]] = defaultdict(dict)
        for key in self.fields:
            groups[_object_field(key)][key] = None
        return {key: tuple(other for other in groups[_object_field(key)] if other != key) for key in self.fields}

    def beside(self, leaf: Leaf) -> Sequence[tuple[str, ...]]:
        """Give the other fields of a leaf's object."""
        return self._siblings.get(leaf.field, ())

    def labels(self, leaf: Leaf, match: Match) -> tuple[Label, ...]:
        """Give the labels at a place."""
        is_figure = not isinstance(leaf.value, str) or leaf.value[:1].isdigit()
        key = match.start, match.end, is_figure
        if key not in self._labels:
            self._labels[key] = self.around.labels_at(match.start, match.end, is_figure=is_figure)
        return self._labels[key]

    def place(self, leaf: Leaf, match: Match) -> Place | None:
        """Give the features of a place in its record's own stretch; None elsewhere."""
        own = self.own(self.number(leaf))
        if own is None or self.stated[leaf.pointer][0] != "own" or match.source != "markdown":
            return None
        key = own, match.start, match.end
        if key not in self._places:
            self._places[key] = place_of(self.around, own, match.start, match.end)
        return self._places[key]

    def likeness(self, field: tuple[str, ...], label: str) -> tuple[int, int]:
        """Give how like a label is to a field, and to another one of its object that it fits better; 0 where to none."""
        key = field, label
        if key not in self._alike:
            own = self.fields[field].likeness(label)
            others = (self.fields[one].likeness(label) for one in self._siblings.get(field, ()))
            other = max(others, default=0)
            self._alike[key] = own, other if other > own else 0
        return self._alike[key]

    def named(self, leaf: Leaf) -> list[Label]:
        """Give the labels with the field's very name in the stretch of its record, or on the page."""
        own = self.own(self.number(leaf)) or (0, len(self.text))
        key = own, leaf.field
        if key not in self._named:
            field = self.fields[leaf.field]
            self._named[key] = [
                one
                for one in self.around.labels_in(own)
                if field.likeness(one.text) == VERY_NAME and any(map(str.isalnum, self.text[slice(*one.span)]))
            ]
        return self._named[key]

    def crowded(self, chosen: Mapping[str, Match]) -> set[str]:
        """Give the values that rest on one mention with two or more other fields of their object, and no label."""
        refused: set[str] = set()
        for own in self.objects.values():
            groups: dict[object, list[Leaf]] = defaultdict(list)
            for leaf in own:
                if leaf.pointer in chosen and leaf.field[-1:] != ("*",) and not isinstance(leaf.value, bool):
                    groups[leaf.key].append(leaf)
            for sharing in groups.values():
                if len(sharing) <= _MOST_FIELDS or len(sharing) <= len(self.stated[sharing[0].pointer][1]):
                    continue
                if _families(sharing) <= _MOST_FIELDS:
                    continue
                for leaf in sharing:
                    labels = self.labels(leaf, chosen[leaf.pointer])
                    if max((self.fields[leaf.field].likeness(one.text) for one in labels), default=0) < VERY_NAME - 1:
                        refused.add(leaf.pointer)
        return refused

    def case(self, leaf: Leaf, match: Match | None, level: str) -> Case:
        """Give a value with its features."""
        spot = Spot(self, leaf, match, level)
        features = {name: value for name, feature in FEATURES.items() if (value := float(feature(spot)))}
        return Case(leaf, match, level, features, spot.rival)

    @cached_property
    def cuts(self) -> Mapping[tuple[str, ...], Counter[bool]]:
        """Count for each field how often its texts end at no border."""
        found: dict[tuple[str, ...], Counter[bool]] = defaultdict(Counter)
        for leaf in self.leaves:
            match = self.chosen.get(leaf.pointer)
            if match is not None and isinstance(leaf.value, str) and match.source == "markdown":
                found[leaf.field][self.ends_inside(leaf, match)] += 1
        return found

    def ends_inside(self, leaf: Leaf, match: Match) -> bool:
        """Tell whether a text goes on behind its place, with no border between and no other field's value."""
        if not _NO_BORDER.match(self.text, match.end):
            return False
        stop = _NEXT_WORD.match(self.text, match.end)
        at = stop.start(1) if stop else -1
        return at not in self.begins[self.object_of(leaf)]

    @cached_property
    def begins(self) -> Mapping[Steps, set[int]]:
        """Where the values of each object begin."""
        found: dict[Steps, set[int]] = defaultdict(set)
        for leaf in self.leaves:
            if leaf.pointer in self.chosen:
                found[self.object_of(leaf)].add(self.chosen[leaf.pointer].start)
        return found

    @cached_property
    def repeats(self) -> Mapping[tuple[str, ...], Counter[bool]]:
        """Count for each field in how many objects another field says the same."""
        found: dict[tuple[str, ...], Counter[bool]] = defaultdict(Counter)
        for own in self.objects.values():
            times = Counter(leaf.key for leaf in own)
            for leaf in own:
                found[leaf.field][times[leaf.key] > 1] += 1
        return found

    def repeating(self, field: tuple[str, ...]) -> float:
        """Give the share of the other objects in which another field says what a field says."""
        count = self.repeats[field]
        others = count.total() - 1
        return max(0, count[True] - 1) / others if others > 0 else 0.0

    @cached_property
    def values_of(self) -> Mapping[tuple[str, ...], Counter[object]]:
        """Count the values of each field, and those that are stated."""
        found: dict[tuple[str, ...], Counter[object]] = defaultdict(Counter)
        for leaf in self.leaves:
            found[leaf.field][leaf.key] += 1
            found[leaf.field]["all"] += 1
            if leaf.pointer in self.chosen:
                found[leaf.field]["stated"] += 1
                found[leaf.field]["stated", leaf.key] += 1
        return found


def _by_length(group: tuple[tuple[object, tuple[type, object]], list[Leaf]]) -> int:
    value = group[0][1][1]
    return -len(value) if isinstance(value, str) else 0


def _object_field(key: tuple[str, ...]) -> tuple[str, ...]:
    above = key[:-1]
    while above and key[len(above)] == "*":
        above = above[:-1]
    return above


def _families(leaves: Sequence[Leaf]) -> int:
    """Count fields, those whose names share a word as one."""
    families: list[set[str]] = []
    for leaf in leaves:
        words = set(re.findall(r"[^\W_]+", leaf.name.casefold())) or {leaf.name}
        joined = [one for one in families if one & words]
        families = [one for one in families if not one & words] + [words.union(*joined)]
    return len(families)


class Spot:
    """A value at a place, with what its features are made of."""

    def __init__(self, scene: Scene, leaf: Leaf, match: Match | None, level: str) -> None:
        self.scene, self.leaf, self.match, self.level = scene, leaf, match, level
        self.field = scene.fields[leaf.field]
        self.number = scene.number(leaf)
        self.is_in_text = match is not None and match.source == "markdown"

    @cached_property
    def kind(self) -> str:
        """What the value is."""
        value = self.leaf.value
        if isinstance(value, bool):
            return "flag"
        if isinstance(value, int | float):
            return "number"
        if self.leaf.choices:
            return "choice"
        said = str(value)
        return "day" if _DAY.match(said) else "link" if _LINK.fullmatch(said) else "text"

    @cached_property
    def labels(self) -> tuple[Label, ...]:
        """The labels at the place."""
        return self.scene.labels(self.leaf, self.match) if self.is_in_text and self.match is not None else ()

    def likeness(self, kinds: Callable[[str], bool]) -> tuple[int, int]:
        """Give how like labels of some kinds are to the field, and to another one that they fit better."""
        own = other = 0
        for label in self.labels:
            if kinds(label.kind):
                mine, its = self.scene.likeness(self.leaf.field, label.text)
                own, other = max(own, mine), max(other, its)
        return own, other if other > own else 0

    @cached_property
    def strangeness(self) -> float:
        """How much labels may say against a place: little where the other records have the field in such a place."""
        if self.kind == "link":
            return 0.0
        better, away, count = self.learned
        return 1.0 if count < _HALF else min(1.0, max(better, away, 0.0) / 6)

    @cached_property
    def strong(self) -> tuple[int, int]:
        """By heads of columns and rows, terms, colons and pairs."""
        return self.likeness(lambda kind: kind not in _WEAK and kind != "name")

    @cached_property
    def weak(self) -> tuple[int, int]:
        """By the line above and the words beside."""
        return self.likeness(lambda kind: kind in _WEAK)

    @cached_property
    def markup(self) -> tuple[int, int]:
        """By names of classes and attributes."""
        return self.likeness(lambda kind: kind == "name")

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
        known, field = self.scene.likelihood, self.leaf.field
        count = known.others(self.number, field)
        mine = known.score(field, place, self.number)
        others = [
            known.score(one, place, self.number)
            for one in self.scene.beside(self.leaf)
            if known.others(self.number, one) > 1
        ]
        trust = count / (count + _HALF) * (1.0 - self.scene.repeating(field))
        better = max(others, default=mine) - mine if count > 1 else (1.0 if others else 0.0)
        away = known.usual(field, self.number) - mine if count > 1 else 0.0
        return better * trust, away * trust, count

    @cached_property
    def sharing(self) -> list[Leaf]:
        """The other fields of the object that say the same, where there are fewer mentions than fields."""
        own = self.scene.objects[self.scene.object_of(self.leaf)]
        if len(own) > 400 or self.match is None:
            return []
        same = [one for one in own if one.key == self.leaf.key and one.field != self.leaf.field]
        return same if len(same) + 1 > len(self.scene.stated[self.leaf.pointer][1]) else []

    @cached_property
    def is_worse(self) -> bool:
        """Whether one of those fits the mention better."""
        if not self.sharing or self.match is None:
            return False
        mine = self.scene.fit(self.leaf, self.match)
        return any(self.scene.fit(one, self.match) > mine + 0.5 for one in self.sharing)

    @cached_property
    def lone_sharing(self) -> float:
        """How unusual it is that another field says the same: 1 where no other record has it so."""
        if not self.sharing or max(self.strong[0], self.weak[0]) >= ALIKE:
            return 0.0
        return 1.0 - max(self.scene.repeating(one) for one in (self.leaf.field, *(one.field for one in self.sharing)))

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

    @cached_property
    def unit(self) -> int:
        """1 for the field's own unit, -1 for another one."""
        return unit_fit(self.leaf, self.field, self.match, self.scene.text) if self.is_in_text and self.match else 0

    @cached_property
    def starts_inside(self) -> bool:
        """Whether a text begins at no border."""
        if self.match is None or not self.is_in_text:
            return False
        return bool(_NO_BORDER_BEFORE.search(self.scene.text, max(0, self.match.start - 4), self.match.start))

    @cached_property
    def ends_inside(self) -> bool:
        """Whether a text ends at no border."""
        return self.match is not None and self.is_in_text and self.scene.ends_inside(self.leaf, self.match)

    @cached_property
    def cut_share(self) -> float:
        """The share of the field's other texts that end at no border, too."""
        count = self.scene.cuts[self.leaf.field]
        others = count.total() - 1
        return (count[True] - self.ends_inside) / others if others > 0 else 0.0

    @property
    def values(self) -> Counter[object]:
        """The values of the field."""
        return self.scene.values_of[self.leaf.field]


def _has_words(text: str, said: str) -> bool:
    """Tell whether a text has another one as words of its own."""
    at = text.find(said)
    before, after = text[at - 1 : at] if at else "", text[at + len(said) : at + len(said) + 1]
    return not (before.isalnum() or after.isalnum())


def _capped(value: float, most: float) -> float:
    return max(-1.0, min(1.0, value / most))


FEATURES: Mapping[str, Callable[[Spot], float | bool]] = MappingProxyType(
    {
        # what it is, and where it stands
        "always": lambda of: 1.0,
        "is a text": lambda of: of.kind == "text",
        "is a number": lambda of: of.kind == "number",
        "is a day": lambda of: of.kind == "day",
        "is an address": lambda of: of.kind == "link",
        "in no record": lambda of: of.level in ("page", "other things"),
        "in a part about other things": lambda of: of.level == "other things",
        "shared by records": lambda of: of.level == "outside",
        "elsewhere on the page": lambda of: of.level == "elsewhere",
        "only in the HTML": lambda of: of.level == "snapshot",
        "item of a list": lambda of: of.leaf.field[-1:] == ("*",),
        # labels
        "label is the name": lambda of: of.strong[0] == 3,
        "label is alike": lambda of: of.strong[0] == 2,
        "label is a part of the name": lambda of: of.strong[0] == 1,
        "label is another's name": lambda of: of.strangeness if of.strong[1] == 3 else 0,
        "label is like another": lambda of: of.strangeness if of.strong[1] == 2 else 0,
        "label is a part of another's": lambda of: of.strangeness if of.strong[1] == 1 else 0,
        "words beside are the name": lambda of: max(of.weak[0] - 1, 0) / 2,
        "words beside are a part": lambda of: of.weak[0] == 1,
        "words beside are another's": lambda of: of.strangeness * max(of.weak[1] - 1, 0) / 2,
        "words beside are a part of another's": lambda of: of.strangeness if of.weak[1] == 1 else 0,
        "markup is named so": lambda of: of.markup[0] / 3,
        "markup is named as another": lambda of: of.strangeness * of.markup[1] / 3,
        "name leads elsewhere": lambda of: of.strangeness if of.rival is not None else 0,
        # unit
        "in the field's unit": lambda of: of.unit > 0,
        "in another unit": lambda of: of.unit < 0,
        # the other records
        "another field's place": lambda of: _capped(max(0.0, of.learned[0]), 6.0),
        "surely another field's place": lambda of: of.learned[0] > 3,
        "own place": lambda of: _capped(max(0.0, -of.learned[0]), 6.0),
        "not the usual place": lambda of: _capped(max(0.0, of.learned[1]), 12.0),
        "not the usual place at all": lambda of: of.learned[1] > 8,
        "few records tell": lambda of: of.level == "own" and of.learned[2] < 3,
        # other fields
        "said by another field": lambda of: of.lone_sharing,
        "said by another field that fits better": lambda of: of.is_worse,
        "part of another field's value": lambda of: of.is_within,
        # borders
        "ends inside a text": lambda of: _cut(of) if not of.starts_inside else 0,
        "ends inside a text, others too": lambda of: of.cut_share if of.kind == "text" and of.ends_inside else 0,
        "a maker, inside a text": lambda of: _cut(of) if "maker_or_matter" in of.field.roles else 0,
        "one word, inside a text": lambda of: _cut(of) if " " not in str(of.leaf.value).strip() else 0,
        "begins inside a text": lambda of: of.kind == "text" and of.starts_inside and not of.ends_inside,
        "inside a text": lambda of: _cut(of) if of.starts_inside else 0,
        "put together from afar": lambda of: _spread(of),
        "put together": lambda of: of.match is not None and of.match.transform in ("elided", "joined"),
        # how it is stated
        "stated weakly": lambda of: of.match is not None and of.match.weak,
        "part of a date": lambda of: of.match is not None and of.match.transform == DATE_PART,
        "stated often": lambda of: _capped(math.log2(1 + len(of.scene.stated[of.leaf.pointer][1])) - 1, 3.0),
        "a short text": lambda of: of.kind == "text" and len(str(of.leaf.value)) <= 3,
        "struck out": lambda of: of.is_in_text and of.scene.around.is_struck(of.match.start, of.match.end),
        # what goes without saying
        "stated nowhere: no": lambda of: of.match is None and of.leaf.value is False,
        "stated nowhere: yes": lambda of: of.match is None and of.leaf.value is True,
        "stated nowhere: a choice": lambda of: of.match is None and not isinstance(of.leaf.value, bool),
        "stated for the other records": lambda of: _stated_share(of) if of.match is None else 0,
    }
)


def _spread(of: Spot) -> float:
    """Give how much of the stretch that has all pieces of a text is not said in it."""
    if of.match is None or of.match.transform not in ("elided", "joined"):
        return 0.0
    length = max(1, len(str(of.leaf.value)))
    return _capped(max(0.0, (of.match.end - of.match.start) / length - 1.1), 1.0)


def _cut(of: Spot) -> float:
    """Give how unusual it is for the field that a text ends at no border: 1 where no other record's does."""
    return 1.0 - of.cut_share if of.kind == "text" and of.ends_inside and not of.is_within else 0.0


def _stated_share(of: Spot) -> float:
    """Give the share of the records with the same value that state it."""
    count = of.values[of.leaf.key] - 1
    return of.values["stated", of.leaf.key] / count if count > 0 else 0.0


# What becomes of it


@cache
def weights() -> Mapping[str, Any]:
    """Give the weights of the features, and the margin."""
    return packaged("judging_weights")


def score(features: Mapping[str, float]) -> float:
    """Give the logarithm of the odds that a value is wrong."""
    known = weights()["weights"]
    return sum(known.get(name, 0.0) * value for name, value in features.items())


SAYINGS: Mapping[str, str] = MappingProxyType(
    {
        "ends inside a text": "the text goes on behind it",
        "begins inside a text": "the text begins before it",
        "put together from afar": "it is put together from pieces of the text",
        "put together": "it is put together from pieces of the text",
        "in another unit": "it stands in another unit",
        "label is another's name": "it stands behind another field's label",
        "label is like another": "it stands behind another field's label",
        "words beside are another's": "the words beside it name another field",
        "markup is named as another": "its element is named as another field",
        "another field's place": "it stands where other records have another field",
        "surely another field's place": "it stands where other records have another field",
        "not the usual place": "it stands elsewhere than in other records",
        "not the usual place at all": "it stands elsewhere than in other records",
        "said by another field": "another field has the same value, and the page states it once",
        "said by another field that fits better": "another field fits its place better",
        "part of another field's value": "it is a part of another field's value",
        "name leads elsewhere": "the field's name leads to another value",
        "stated nowhere: no": "nothing states it",
        "stated nowhere: yes": "nothing states it",
        "stated nowhere: a choice": "nothing states it",
        "stated for the other records": "other records state it, this one does not",
        "shared by records": "it stands outside of the record",
        "elsewhere on the page": "it stands outside of the record",
        "stated weakly": "a word states it that may mean something else",
        "part of a date": "it is a part of a date",
        "in a part about other things": "it stands in a part of the page about other things",
        "struck out": "it is struck out",
    }
)
"""What a feature says against a value, in words for a person."""


def doubt_of(case: Case, scene: Scene) -> tuple[str | None, Any]:
    """Give the doubt about a value as a sentence, and its rival; None where there is none."""
    if score(case.features) <= weights()["margin"]:
        return None, None
    known = weights()["weights"]
    against = sorted((-known.get(name, 0.0) * value, name) for name, value in case.features.items() if name in SAYINGS)
    said = [SAYINGS[name] for weight, name in against if weight < 0][:1]
    rival = None
    if case.rival is not None:
        rival = {"value": case.rival[0], "start": case.rival[1], "end": case.rival[2]}
    return (said[0] if said else "its place does not fit the field"), rival
