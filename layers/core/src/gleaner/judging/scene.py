"""The values of one answer side by side: which mention is whose, and what the others tell of each."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Literal

from gleaner.judging.likelihood import Likelihood, Place, features_of
from gleaner.judging.measuring import unit_fit
from gleaner.judging.surroundings import Label, Surroundings
from gleaner.page.model import Span
from gleaner.schemas.leaves import Leaf, Steps
from gleaner.values.fields import VERY_NAME, Field
from gleaner.values.lookups import Remembered, grouped
from gleaner.values.names import name_words
from gleaner.values.texts.text_index import DATE_PART, Match, TextIndex

_MOST_PAIRS = 512
"""Pairs of a leaf and a mention up to which the best are looked for: a wide row may say "0" thirty times."""

_MOST_FIELDS = 2

Border = Literal["all", "word before", "word behind", "bracket behind", "another value inside"]
_NO_BORDER = re.compile(r"[ \u00a0\t]{0,3}[^\W_]|(?<=[^\W\d_])-[^\W\d_]")
_NO_BORDER_BEFORE = re.compile(r"[^\W_][ \u00a0\t]{0,3}\Z")
_JOINING = 3
"""Letters of a word that joins two values: "v.", "and", "bei"."""

_NEXT_WORD = re.compile(r"(?:[ \u00a0\t]{0,3}|(?<=[^\W\d_])-(?!\d))([^\W_]+)")
_LABEL_BEHIND = re.compile(r"[ \u00a0\t]{1,3}(?:[^\W\d_]{1,20} ){0,2}[^\W\d_]{1,20} ?[:：](?!\S*\d)")
_SIGN_BEHIND = re.compile(r"[ \u00a0]{0,2}(?:\(|[^\w\s.,;:!?|()\[\]*<>/·•☐☑☒–—-]{1,3}[ \u00a0]?)(?=[^\W_])")


class Scene:
    """The values of one list of records, or of one thing, with all places that state them."""

    def __init__(
        self,
        index: TextIndex,
        around: Surroundings,
        fields: Mapping[tuple[str, ...], Field],
        leaves: Sequence[Leaf],
        *,
        stated: Mapping[str, tuple[str, Sequence[Match]]],
        number: Callable[[Leaf], int | None],
        own: Callable[[Leaf], Span | None],
    ) -> None:
        self.index, self.text, self.around, self.fields = index, index.text, around, fields
        self.leaves, self.stated, self.number, self.own = leaves, stated, number, own
        self.likelihood = Likelihood()
        self.objects = grouped((self.object_of(leaf), leaf) for leaf in leaves)
        self.chosen: dict[str, Match] = {}
        self.other_ends = Remembered(self._other_ends)
        """The fields beside a field that are the other end of a range, and whether this one is the first."""
        self._labels = Remembered[tuple[int, int, bool], tuple[Label, ...]](
            lambda key: around.labels_at(key[0], key[1], is_figure=key[2])
        )
        self._places = Remembered[tuple[Span, int, int], Place](
            lambda key: self.likelihood.place(features_of(around, *key))
        )
        self._alike = Remembered[tuple[tuple[str, ...], str], tuple[int, int]](lambda key: self._likeness(*key))
        self._named = Remembered[tuple[Span, tuple[str, ...]], list[Label]](lambda key: self._named_in(*key))

    @staticmethod
    def object_of(leaf: Leaf) -> Steps:
        """Give the steps to the object that a leaf belongs to; items of a list of texts are of the object around it."""
        steps = leaf.steps[:-1]
        while steps and isinstance(leaf.steps[len(steps)], int):
            steps = steps[:-1]
        return steps

    # Which mention is whose

    def assign(self) -> dict[str, Match]:
        """Give each leaf the place that fits its field best, and that no other leaf has taken; long values first.

        Of leaves with one value the best pairs are made first; of very many mentions the k-th leaf gets the k-th.
        """
        groups: dict[object, list[Leaf]] = defaultdict(list)
        for leaf in self.leaves:
            if self.stated[leaf.pointer][1]:
                number = self.number(leaf)
                groups[number if self.own(leaf) else None, leaf.key].append(leaf)
        taken: dict[object, set[int]] = defaultdict(set)
        for (region, (_, value)), same in sorted(groups.items(), key=_by_length):  # type: ignore[misc]
            del value
            for leaf, match in self._paired(same, taken[region]):
                self.chosen[leaf.pointer] = match
                taken[region].add(match.start)
        return self.chosen

    def learn_chosen(self) -> None:
        """Learn anew where the fields stand, from the one place that each value was given."""
        self.likelihood = Likelihood()
        for leaf in self.leaves:
            match, number = self.chosen.get(leaf.pointer), self.number(leaf)
            if match is None or number is None or leaf.field[-1:] == ("*",):
                continue
            if (place := self.place(leaf, match)) is not None:
                self.likelihood.add(number, leaf.field, (place,))

    def _paired(self, same: Sequence[Leaf], taken: set[int]) -> Iterator[tuple[Leaf, Match]]:
        """Give each of the leaves with one value its mention: first those that fit a field so much more than others do.

        How well they fit alone says little: a field that stands in one column in all records has better places than one
        whose column few records tell.
        """
        if len(same) == 1 and len(self.stated[same[0].pointer][1]) == 1:
            yield same[0], self.stated[same[0].pointer][1][0]
            return
        if sum(len(self.stated[leaf.pointer][1]) for leaf in same) > _MOST_PAIRS:
            for turn, leaf in enumerate(same):
                matches = self.stated[leaf.pointer][1]
                yield leaf, matches[min(turn, len(matches) - 1)]
            return
        pairs: list[tuple[bool, float, int, int, Match]] = []
        for at, leaf in enumerate(same):
            fits = [self.fit(leaf, one) for one in self.stated[leaf.pointer][1]]
            usual = sum(fits) / len(fits)
            rated = zip(fits, self.stated[leaf.pointer][1], strict=True)
            pairs += [(one.start in taken, usual - fit, one.start, at, one) for fit, one in rated]
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
    def inside(self) -> Mapping[tuple[str, ...], Counter[bool]]:
        """Count for each field in how many records it stands in the record's own place, and in how many elsewhere."""
        found: dict[tuple[str, ...], Counter[bool]] = defaultdict(Counter)
        for leaf in self.leaves:
            if leaf.pointer in self.chosen:
                found[leaf.field][self.stated[leaf.pointer][0] == "own"] += 1
        return found

    @cached_property
    def _siblings(self) -> Mapping[tuple[str, ...], tuple[tuple[str, ...], ...]]:
        groups = grouped((_object_field(key), key) for key in self.fields)
        return {key: tuple(other for other in groups[_object_field(key)] if other != key) for key in self.fields}

    def beside(self, leaf: Leaf) -> Sequence[tuple[str, ...]]:
        """Give the other fields of a leaf's object."""
        return self._siblings.get(leaf.field, ())

    def _other_ends(self, field: tuple[str, ...]) -> Mapping[tuple[str, ...], bool]:
        own, beside = self.fields[field], [(one, self.fields[one]) for one in self._siblings.get(field, ())]
        firsts = {one: True for one, known in beside if own.is_other_end_of(known)}
        return firsts | {one: False for one, known in beside if known.is_other_end_of(own)}

    def labels(self, leaf: Leaf, match: Match) -> tuple[Label, ...]:
        """Give the labels at a place."""
        is_figure = not isinstance(leaf.value, str) or leaf.value[:1].isdigit()
        return self._labels[match.start, match.end, is_figure]

    def place(self, leaf: Leaf, match: Match) -> Place | None:
        """Give the features of a place in its record's own stretch; None elsewhere."""
        own = self.own(leaf)
        if own is None or self.stated[leaf.pointer][0] != "own" or match.source != "markdown":
            return None
        return self._places[own, match.start, match.end]

    def likeness(self, field: tuple[str, ...], label: str) -> tuple[int, int]:
        """Give how like a label is to a field, and to another one of its object that it fits better."""
        return self._alike[field, label]

    def _likeness(self, field: tuple[str, ...], label: str) -> tuple[int, int]:
        own = self.fields[field].likeness(label)
        others = (self.fields[one].likeness(label) for one in self._siblings.get(field, ()))
        other = max(others, default=0)
        return own, other if other > own else 0

    def named(self, leaf: Leaf) -> list[Label]:
        """Give the labels with the field's very name in the stretch of its record, or on the page."""
        return self._named[self.own(leaf) or (0, len(self.text)), leaf.field]

    def _named_in(self, place: Span, field: tuple[str, ...]) -> list[Label]:
        known, labels = self.fields[field], self.around.labels_in(place)
        very_own = (one for one in labels if known.likeness(one.text) == VERY_NAME)
        return [one for one in very_own if any(map(str.isalnum, self.text[slice(*one.span)]))]

    def crowded(self, chosen: Mapping[str, Match]) -> set[str]:
        """Give the values that rest on one mention with two or more other fields of their object, and no label."""
        refused: set[str] = set()
        for own in self.objects.values():
            single = (leaf for leaf in own if leaf.field[-1:] != ("*",) and not isinstance(leaf.value, bool))
            for sharing in grouped((leaf.key, leaf) for leaf in single if leaf.pointer in chosen).values():
                if len(sharing) <= _MOST_FIELDS or len(sharing) <= len(self.stated[sharing[0].pointer][1]):
                    continue
                if _families(sharing) <= _MOST_FIELDS:
                    continue
                for leaf in sharing:
                    labels = self.labels(leaf, chosen[leaf.pointer])
                    if max((self.fields[leaf.field].likeness(one.text) for one in labels), default=0) < VERY_NAME - 1:
                        refused.add(leaf.pointer)
        return refused

    @cached_property
    def borders(self) -> Mapping[tuple[str, ...], Counter[Border]]:
        """Count for each field how its texts begin and end."""
        found: dict[tuple[str, ...], Counter[Border]] = defaultdict(Counter)
        for leaf in self.leaves:
            match = self.chosen.get(leaf.pointer)
            if match is not None and isinstance(leaf.value, str) and match.source == "markdown":
                found[leaf.field].update(("all", *self.borders_of(leaf, match)))
        return found

    def borders_of(self, leaf: Leaf, match: Match) -> tuple[Border, ...]:
        """Tell whether a text has a word right before it, and what is behind it in its element and line.

        That is a word, or a sign before more words, of the same element, and no other field's value of the object. Such
        a value may lie inside the text, in another element than it begins in.
        """
        text = self.text
        before: tuple[Border, ...] = ()
        if _NO_BORDER_BEFORE.search(text, max(0, match.start - 4), match.start):
            before = ("word before",)
        if inside := self.begins[self.object_of(leaf)].intersection(range(match.start + 1, match.end)):
            first = self.around.run_at(match.start, match.start + 1)
            if first and first[2] <= max(inside):
                before = (*before, "another value inside")
        following, sign = _NEXT_WORD.match(text, match.end), _SIGN_BEHIND.match(text, match.end)
        if following is None and sign is None:
            return before
        run, begins = self.around.run_at(match.start, match.end), self.begins[self.object_of(leaf)]
        if following is not None:
            is_border = following.start(1) in begins or _LABEL_BEHIND.match(text, match.end)
            is_border = is_border or following[1].casefold() in name_words(self.fields[leaf.field].name)
            if leaf.field[-1:] == ("*",) or len(following[1]) <= _JOINING:  # "MUS 210 and MUS 220", "Hall v. Moss"
                is_border = is_border or bool(begins.intersection(range(following.end(1) + 1, following.end(1) + 3)))
            return before if is_border or (run and run[2] <= following.start(1)) else (*before, "word behind")
        if sign is None or not run or sign.end() >= run[2] or begins.intersection(range(match.end, sign.end() + 1)):
            return before
        return (*before, "bracket behind" if "(" in sign[0] else "word behind")

    @cached_property
    def begins(self) -> Mapping[Steps, set[int]]:
        """Where the values of each object begin."""
        found: dict[Steps, set[int]] = defaultdict(set)
        for leaf in self.leaves:
            if leaf.pointer in self.chosen:
                found[self.object_of(leaf)].add(self.chosen[leaf.pointer].start)
        return found

    @cached_property
    def _alike_in_object(self) -> Mapping[tuple[Steps, object], list[Leaf]]:
        return grouped(((above, leaf.key), leaf) for above, own in self.objects.items() for leaf in own)

    def alike(self, leaf: Leaf) -> Sequence[Leaf]:
        """Give the leaves of a leaf's object that say what it says, itself among them."""
        return self._alike_in_object[self.object_of(leaf), leaf.key]

    @cached_property
    def _repeats(self) -> Mapping[tuple[str, ...], float]:
        found: dict[tuple[str, ...], Counter[bool]] = defaultdict(Counter)
        for same in self._alike_in_object.values():
            for leaf in same:
                found[leaf.field][len(same) > 1] += 1
        return {field: max(0, one[True] - 1) / max(1, one.total() - 1) for field, one in found.items()}

    def repeating(self, field: tuple[str, ...]) -> float:
        """Give the share of the other objects in which another field says what a field says."""
        return self._repeats[field]

    @cached_property
    def said(self) -> Counter[tuple[tuple[str, ...], object, bool]]:
        """Count the values of each field, those that are stated and those that are not."""
        return Counter((leaf.field, leaf.key, leaf.pointer in self.chosen) for leaf in self.leaves)


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
