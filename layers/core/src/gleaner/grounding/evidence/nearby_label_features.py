"""The field names and units beside each number on a page about one thing.

"RAM 16 GB, SSD 512 GB" has neither colons nor lines of their own, so that either number would prove either field. A
number, a day or a time of day is refused where all that name it name another field while its own field's name stands
beside another figure; where two would fit better the other way round; and where two fields share one figure that is the
other's, while a free one fits.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, permutations
from typing import Protocol

from gleaner.contracts.word_lists import listed
from gleaner.grounding.copies import is_name
from gleaner.grounding.evidence.labels import Labels
from gleaner.grounding.evidence.nearby_words import is_same_word, with_english, words_beside
from gleaner.grounding.leaves import Leaf, SchemaViews, Steps, types_of
from gleaner.grounding.numbers.measures import has_unit, is_in_unit_of
from gleaner.grounding.numbers.ranges import without_ends
from gleaner.grounding.text.spellings import Field, label_words, spellings
from gleaner.grounding.text.text_index import Match, TextIndex
from gleaner.values.conventions import mark_that_groups
from gleaner.values.mentions.dates import read_moment, read_time
from gleaner.values.name_measures import NameMeasure, measure_of

_QUIET = listed("number num count total value amount min max minimum maximum first last from to time per field")
_PRICE = listed("price cost fee preis prix precio prezzo")
_OF = r"\s(?:of|out of|von|sur|de|su|di|van|av|af|из|z)\s"
_JOINED_AHEAD = re.compile(rf"\d[-–/:]\Z|[-–/:][^\W\d_]\Z|\d(?:{_OF}|\s/\s)\Z")
_RATED_AHEAD = re.compile(rf"\d[.,]\d{_OF}\Z")
_JOINED = re.compile(rf"[-–/:][^\W\d_]?\d|(?:{_OF}|\s/\s)\d")
_COUNTS = re.compile(r"[*_]{0,2}[ \u00a0]([^\W\d_]{4,})")
_MOST = 2_000
_NEAR = 10
_NAMED, _IN_UNIT, _NO_PLACE = 2, 1, -9
_SURE = 2


class Stating(Protocol):
    """Gives the places that may state a leaf's value."""

    def __call__(self, leaf: Leaf, /) -> Sequence[Match]:
        """Give them in order, without those that only a record beside them would make sure."""
        ...


class Figures:
    """The figures of a page about one thing, and the fields that the words beside them name."""

    def __init__(
        self, leaves: Sequence[Leaf], views: SchemaViews, index: TextIndex, labels: Labels, stating: Stating
    ) -> None:
        self._index, self._labels, self._stating = index, labels, stating
        self._views, self._ends = views, without_ends(leaves, views)
        objects: dict[Steps, list[Leaf]] = {}
        self._said: dict[Field, set[Field]] = {}
        self._leaves, self._texts = leaves, dict[Field, Sequence[Match]]()
        for leaf in leaves:
            if leaf.field[-1:] in ((), ("*",)):
                continue
            self._said.setdefault(leaf.field[:-1], set()).add(leaf.field)
            if _is_figure(leaf):
                objects.setdefault(leaf.steps[:-1], []).append(leaf)
        self._objects = list(objects.values())
        self._keys: dict[Field, Mapping[Field, frozenset[str]]] = {}
        self._known: dict[tuple[int, int, Field], frozenset[Field]] = {}

    def refuted(self) -> set[str]:
        """Give the pointers of values that stand beside another field's name or in another field's unit."""
        if not self._objects or len(self._index.numbers) > _MOST:
            return set()
        return {leaf.pointer for own in self._objects for leaf in self._misplaced(own)}

    def _misplaced(self, own: Sequence[Leaf]) -> Iterator[Leaf]:
        yield from (leaf for leaf in own if self._is_anothers(leaf))
        yield from self._grouped_otherwise([leaf for leaf in own if not isinstance(leaf.value, str)])
        for one, other in combinations(own, 2):
            if one.value != other.value and self._are_exchanged(one, other):
                yield from (one, other)
        for one, other in permutations(own, 2):
            if _say_the_same(one, other) and self._is_shared(one, other, own):
                yield one

    def _grouped_otherwise(self, numbers: Sequence[Leaf]) -> Iterator[Leaf]:
        """Give the numbers that are read by another custom than the whole ones of the thing; money is left as it is.

        So is 42195 of "42,195 km", where 8412 of "8.412 runners" can be nothing else.
        """
        marks = {leaf.pointer: self._mark_that_groups(leaf) for leaf in numbers}
        sure = {marks[leaf.pointer] for leaf in numbers if not _is_of_its_type(replace(leaf, value=0.5))} - {""}
        if len(sure) == 1:
            yield from (
                leaf for leaf in numbers if marks[leaf.pointer] not in ("", *sure) and not _measured(leaf.field).is_paid
            )

    def _mark_that_groups(self, leaf: Leaf) -> str:
        value = leaf.value if isinstance(leaf.value, int | float) else 0
        marks = {mark_that_groups(self._index.text, place.start, value) for place in self._stating(leaf)}
        return marks.pop() if len(marks) == 1 else ""

    def _is_anothers(self, leaf: Leaf) -> bool:
        """Tell whether each place of a value is named as other fields', and the field's own name stands elsewhere.

        A figure in the unit of its name needs no name there. Where a place is named as none, the field's unit,
        or the figures of a year, must stand there, too, unless the place is in another field's unit or text. Of a mere
        price that tells nothing: pages have many, "price per m²" and the one that is meant without a word.
        """
        places = self._stating(leaf)
        named = [self._named(place, leaf) for place in places]
        if not named or any(leaf.field in one for one in named):
            return False
        if all(named):
            has_unit_named = _measured(self._meant(leaf.field)).sure_unit not in (None, "year")
            return self._has_better(leaf, _IN_UNIT if has_unit_named else _NAMED)
        if all(one or self._is_of_other(place, leaf) for one, place in zip(named, places, strict=True)):
            return self._has_better(leaf, _NAMED)
        return _PRICE.isdisjoint(_words_of(leaf.field)) and self._has_better(leaf, _NAMED + _IN_UNIT)

    def _is_of_other(self, place: Match, leaf: Leaf) -> bool:
        """Tell whether a place is in the unit of another field, or in its text: "12 years" are no ``tablets``, and the
        12 of "Via Roma 12" are no seats. What a field's own name says it is measured in may stand in any text.
        """
        text, meant = self._index.text, self._meant(leaf.field)
        if _measured(meant).is_measured:
            return False
        if any(one != leaf.field and is_in_unit_of(self._meant(one), place, text) for one in self._said[meant[:-1]]):
            return has_unit(place, text)
        return any(one.start < place.start and place.end <= one.end for one in self._text_places(leaf.field[:-1]))

    def _text_places(self, parent: Field) -> Sequence[Match]:
        """Give the places of the texts of an object that are said once."""
        if parent not in self._texts:
            found = (self._stating(leaf) for leaf in self._leaves if leaf.field[:-1] == parent and _is_words(leaf))
            self._texts[parent] = [places[0] for places in found if len(places) == 1]
        return self._texts[parent]

    def _are_exchanged(self, one: Leaf, other: Leaf) -> bool:
        """Tell whether two values fit none of their fields better as they are, and one better the other way round."""
        if isinstance(one.value, str) != isinstance(other.value, str):
            return False
        turned = replace(one, value=other.value), replace(other, value=one.value)
        if not all(map(_is_of_its_type, turned)):
            return False
        old, new = (tuple(map(self._fit, pair)) for pair in ((one, other), turned))
        gains = [after - before for before, after in zip(old, new, strict=True)]
        if _NO_PLACE in new or max(old) == _NO_PLACE or min(gains) < 0:
            return False
        if _NO_PLACE in old:
            return all(gain > 0 for gain in gains)
        return sum(gains) >= _SURE or self._is_counted(one, turned[0]) or self._is_counted(other, turned[1])

    def _is_counted(self, leaf: Leaf, turned: Leaf) -> bool:
        """Tell whether a value that is measured stands before a word that it counts, and the other one in its unit."""
        text, places = self._index.text, self._stating(leaf)
        is_of_unit = self._fit(leaf) == 0 and self._fit(turned) == _IN_UNIT
        return is_of_unit and all(_COUNTS.match(text, place.end) and not has_unit(place, text) for place in places)

    def _is_shared(self, leaf: Leaf, other: Leaf, own: Sequence[Leaf]) -> bool:
        """Tell whether a field has its value from another field's only place, and a free place would fit it better.

        That place is the other's if it fits that one better, or if it is not in the unit that the field is measured in.
        Where it fits both alike, the field's own name must stand beside the free one.
        """
        fit = self._fit(leaf)
        is_alone = _is_measured(self._meant(leaf.field)) and not _is_measured(self._meant(other.field))
        least = 0 if is_alone else max(fit, 0) + 1
        others = self._fit(other)
        if fit > 0 or others < min(fit, 0) or len(self._stating(leaf)) > 1:
            return False
        taken = [place for one in own for place in self._stating(one)]
        return self._has_better(leaf, _IN_UNIT if others >= least else _NAMED, taken)

    def _has_better(self, leaf: Leaf, least: int, taken: Sequence[Match] = ()) -> bool:
        """Tell whether another figure, of a value that the field may have, fits a field so well, and is not taken."""
        taken = [*taken, *self._stating(leaf)]
        for value in self._values_beside(leaf):
            new = replace(leaf, value=value)
            for place in self._stating(new) if _is_of_its_type(new) else ():
                is_free = not any(place.start < one.end and one.start < place.end for one in taken)
                if is_free and self._fit_at(new, place) >= least and self._named(place, new) <= {leaf.field}:
                    return True
        return False

    def _values_beside(self, leaf: Leaf) -> Iterable[str | int | float]:
        """Give other values of a leaf's kind that the page says beside the words of the field's name."""
        if not isinstance(leaf.value, str):
            return [value for value in self._index.numbers if value != leaf.value]
        if read_time(leaf.value) is not None:
            return [value for value in clock_times(self._index) if read_time(value) != read_time(leaf.value)]
        return [value for value in whole_days(self._index) if value != leaf.value[: len(value)]]

    def _fit(self, leaf: Leaf) -> int:
        """Give how well what stands beside the best place of a value fits its field."""
        return max((self._fit_at(leaf, place) for place in self._stating(leaf)), default=_NO_PLACE)

    def _fit_at(self, leaf: Leaf, place: Match) -> int:
        named = self._named(place, leaf)
        fit = _NAMED if named == frozenset([leaf.field]) else -1 if named and leaf.field not in named else 0
        return fit + _IN_UNIT * is_in_unit_of(self._meant(leaf.field), place, self._index.text)

    def _meant(self, field: Field) -> Field:
        """Give a field by the name that says what it is measured in: the ``min`` of ``players_min`` is no minutes."""
        return self._ends.get(field, field)

    def _named(self, place: Match, leaf: Leaf) -> frozenset[Field]:
        """Give the fields of a leaf's object that are named beside a place, and may have what stands there."""
        key = place.start, place.end, leaf.field[:-1]
        if key not in self._known:
            self._known[key] = frozenset(self._find_named(place, leaf))
        return self._known[key]

    def _find_named(self, place: Match, leaf: Leaf) -> Iterator[Field]:
        text = self._index.text
        ahead = max(0, place.start - _NEAR), place.start
        is_rated = _RATED_AHEAD.search(text, *ahead) is not None  # "4,5 su 612 recensioni"
        if (_JOINED_AHEAD.search(text, *ahead) and not is_rated) or _JOINED.match(text, place.end):
            return  # Parts of one code or score, "2026-W12", "3 of 5": what leads to it is said of none of them.
        keys = self._keys_beside(leaf.field[:-1])
        before, after = (with_english(words) for words in words_beside(text, (place.start, place.end)))
        before = before or with_english(self._labels.label((0, len(text)), place) or ())
        in_unit = has_unit(place, text)
        counting = {
            one
            for one in keys
            if is_in_unit_of(self._meant(one), place, text) or not (in_unit or _is_measured(self._meant(one)))
        }
        nearest = {one for one in counting if _count_common(keys[one], with_english(after[:1]))}
        if is_rated and not nearest:
            return
        said = {
            one: _count_common(words, (*(() if nearest else before), *(after if one in counting else ())))
            for one, words in keys.items()
        }
        labelled = self._labels.field_before((0, len(text)), place, leaf.field)
        told = {
            one: count for one, count in said.items() if (count or one == labelled) and self._may_be(one, place, leaf)
        }
        most = max(told.values(), default=0)
        yield from (one for one, count in told.items() if count == most or one == labelled)

    def _may_be(self, field: Field, place: Match, leaf: Leaf) -> bool:
        one = Leaf("", (), field, leaf.value, self._views.of(field))
        return not _is_of_its_type(one) or any(place.start == other.start for other in self._stating(one))

    def _keys_beside(self, parent: Field) -> Mapping[Field, frozenset[str]]:
        """Give the words of the names of an object's fields."""
        if parent not in self._keys:
            named = (str(name) for view in self._views.of(parent) for name in view.get("properties") or ())
            fields = {*((*parent, name) for name in named), *self._said.get(parent, ())}
            self._keys[parent] = {field: _words_of(field) for field in fields if not _is_flag(self._views, field)}
        return self._keys[parent]


def clock_times(index: TextIndex) -> list[str]:
    """Give all times of day that a text states, in hours and minutes."""
    return [f"{seconds // 3600:02}:{seconds // 60 % 60:02}" for seconds in index.times if seconds % 60 == 0]


def whole_days(index: TextIndex) -> list[str]:
    """Give all days of a year that a text states, in ISO 8601 form."""
    return [f"{year:04}-{month:02}-{day:02}" for year, month, day in index.days if year and day]


def _measured(field: Field) -> NameMeasure:
    return measure_of("".join(field[-1:]))


def _is_measured(field: Field) -> bool:
    return _measured(field).is_measured


def _words_of(field: Field) -> frozenset[str]:
    """Give the words of a field's name without its unit, and without those that say nothing of what is meant."""
    names = spellings(field)[:1] if _measured(field).is_paid else spellings(field)[-1:]
    return frozenset(label_words("".join(names))) - _QUIET


def _count_common(words: Iterable[str], others: Sequence[str]) -> int:
    """Count the words that stand among others in any form."""
    return sum(any(is_same_word(word, other) for other in others) for word in words)


def _is_flag(views: SchemaViews, field: Field) -> bool:
    return any("boolean" in types_of(view) for view in views.of(field))


def _is_figure(leaf: Leaf) -> bool:
    """Tell whether a value is a number, a day or a time of day."""
    if isinstance(leaf.value, str):
        return read_time(leaf.value) is not None or read_moment(leaf.value) is not None
    return leaf.value is not None and not isinstance(leaf.value, bool) and not leaf.is_derived


def _is_words(leaf: Leaf) -> bool:
    """Tell whether a value is a text with words; what a thing is called may hold its figures: "Phone 12 128 GB"."""
    return isinstance(leaf.value, str) and not leaf.is_derived and not is_name(leaf)


def _say_the_same(one: Leaf, other: Leaf) -> bool:
    return one.value == other.value and isinstance(one.value, str) == isinstance(other.value, str)


def _is_of_its_type(leaf: Leaf) -> bool:
    kinds = {kind for view in leaf.views for kind in types_of(view)}
    if isinstance(leaf.value, str):
        return not kinds or "string" in kinds
    is_whole = isinstance(leaf.value, int) or float(str(leaf.value)).is_integer()
    return not kinds or "number" in kinds or ("integer" in kinds and is_whole)
