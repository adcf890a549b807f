"""Where each field of a list stands in its records: how likely a place is a field's, learned from the other records.

Each feature of a place (its column or line, the signs and words on both sides, its element, its turn in the line)
counts for itself, as in naive Bayes with smoothed counts; the record that is judged is left out.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from functools import lru_cache

from gleaner.judging.surroundings import Surroundings
from gleaner.page.model import Span

Key = tuple[str, ...]
"""A field: the steps of a leaf with ``*`` for numbers."""

SMOOTHING = 0.3
_NEAR = 8
_REACH = 40
_LONGEST_LINE, _FARTHEST = 2_000, 20_000
_LETTERS = re.compile(r"[^\W\d_]+")
_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")
_FIGURE = re.compile(r"\d[\d.,:/-]*")
_PARTING = re.compile(r", |; | [·•/|–—-] ")
_SHORT = 6


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """The features of a place, each with its name; places alike are one object, and compared as such."""

    features: tuple[tuple[str, Hashable], ...]


_ANY = Place(())


@lru_cache(maxsize=65_536)
def shape(text: str) -> str:
    """Give how a text is made: letters as ``a``, numbers as ``9``.

    >>> shape("Nr. 12,5 kg")
    'a. 9 a'
    """
    return _LETTERS.sub("a", _DIGITS.sub("9", text))


def features_of(around: Surroundings, own: Span, start: int, end: int) -> tuple[tuple[str, Hashable], ...]:
    """Give the features of a place in its record's stretch."""
    text = around.text
    first = max(own[0], start - _LONGEST_LINE)
    line = max(first, text.rfind("\n", first, start) + 1)
    right = text[end : min(own[1], end + _REACH)].partition("\n")[0]
    left = text[line:start]
    is_row, above = text.startswith("|", line), text.count("\n\n", max(own[0], line - _FARTHEST), line)
    words = _LETTERS.findall(left[-_REACH:])
    behind = _LETTERS.search(right)
    return (
        ("column", left.count("|")) if is_row else ("line", above),
        ("left", shape(left[-_NEAR:])),
        ("right", shape(right[:_NEAR])),
        ("before", words[-1].casefold() if words else ""),
        ("behind", behind[0].casefold() if behind else ""),
        ("turn", (min(_SHORT, len(_FIGURE.findall(left))), min(_SHORT, len(_PARTING.findall(left))))),
        ("home", around.home(start, end)),
    )


class Likelihood:
    """The places of the fields of one list of records."""

    def __init__(self) -> None:
        self._count: dict[Key, dict[tuple[str, Hashable], float]] = defaultdict(dict)
        self._total: Counter[Key] = Counter()
        self._own: dict[int, dict[Key, tuple[Place, ...]]] = defaultdict(dict)
        self._builds: dict[Hashable, int] = {}
        self._build_of: dict[int, int] = {}
        self._kinds: dict[str, set[Hashable]] = defaultdict(set)
        self._known: dict[tuple[Key, Place, object], float] = {}
        self._compared: dict[tuple[Key, Place, int], tuple[float, float, int]] = {}
        self._places: dict[tuple[tuple[str, Hashable], ...], Place] = {}

    def place(self, features: tuple[tuple[str, Hashable], ...]) -> Place:
        """Give the place with some features: one object for all that are alike."""
        found = self._places.get(features)
        if found is None:
            found = self._places[features] = Place(features)
        return found

    def add(self, number: int, field: Key, places: Iterable[Place]) -> None:
        """Count the places that may be a field's in a record, each for its share."""
        found = tuple(places)
        if not found:
            return
        self._own[number][field] = found
        self._total[field] += 1
        count, share = self._count[field], 1 / len(found)
        for place in found:
            for feature in place.features:
                count[feature] = count.get(feature, 0.0) + share
                self._kinds[feature[0]].add(feature[1])

    def others(self, number: int, field: Key) -> int:
        """Give how many other records have a field in a place of their own."""
        return self._total[field] - (field in self._own[number])

    def _build(self, number: int) -> int:
        """Give the number of how a record is built: those with each field in a like place have the same."""
        if number not in self._build_of:
            own = ((field, one if len(one) < _SHORT else number) for field, one in self._own[number].items())
            self._build_of[number] = self._builds.setdefault(tuple(own), len(self._builds))
        return self._build_of[number]

    def compare(self, field: Key, place: Place, number: int, beside: Iterable[Key]) -> tuple[float, float, int]:
        """Give by how much the fields beside it, and its usual place, fit better; and how many other records tell."""
        key = field, place, self._build(number)
        if key not in self._compared:
            count, mine = self.others(number, field), self.score(field, place, number)
            others = [self.score(one, place, number) for one in beside if self.others(number, one) > 1]
            better = max(others, default=mine) - mine if count > 1 else (1.0 if others else 0.0)
            self._compared[key] = better, self.usual(field, number) - mine if count > 1 else 0.0, count
        return self._compared[key]

    def score(self, field: Key, place: Place, number: int) -> float:
        """Give the log-likelihood of a place under a field, as the records but one tell it."""
        own = self._own[number].get(field, ())
        key = field, place, own if len(own) < _SHORT else number
        if key not in self._known:
            count, total = self._count[field], self._total[field] - bool(own)
            mine: dict[tuple[str, Hashable], float] = {}
            for feature in (feature for one in own for feature in one.features):
                mine[feature] = mine.get(feature, 0.0) + 1 / len(own)
            self._known[key] = sum(
                math.log(
                    (max(0.0, count.get(feature, 0.0) - mine.get(feature, 0.0)) + SMOOTHING)
                    / (total + SMOOTHING * (len(self._kinds[feature[0]]) + 1))
                )
                for feature in place.features
            )
        return self._known[key]

    def usual(self, field: Key, number: int) -> float:
        """Give the score of the best place that the other records know for a field."""
        own = self._own[number].get(field, ())
        key = field, _ANY, own if len(own) < _SHORT else number
        if key not in self._known:
            best: dict[str, float] = {}
            total = self._total[field] - bool(own)
            for (name, value), weight in self._count[field].items():
                mine = sum(((name, value) in one.features) / len(own) for one in own)
                best[name] = max(best.get(name, 0.0), weight - mine)
            # columns and lines share one feature
            line = max(best.pop("line", 0.0), best.pop("column", 0.0))
            self._known[key] = sum(
                math.log((max(0.0, most) + SMOOTHING) / (total + SMOOTHING * (len(self._kinds[name]) + 1)))
                for name, most in (*best.items(), ("line", line))
            )
        return self._known[key]
