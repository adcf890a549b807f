"""Lengths of time for fields that count them in one unit: "1 h 30 min" is 90 for ``cook_minutes``, and no 30."""

import re
from collections.abc import Sequence

from gleaner.judging.origins.regions import Span
from gleaner.schemas.leaves import Leaf, View
from gleaner.values.locales import time_words
from gleaner.values.measures import is_of_time, unit_spelled
from gleaner.values.mentions.durations import read_duration, word_of_time
from gleaner.values.name_measures import measure_of, seconds_of_unit
from gleaner.values.texts.spellings import Field
from gleaner.values.texts.text_index import Match, TextIndex, start_of, within

_LENGTH = re.compile(r"runtime|duration|(?:cook|prep|total|bak|running|playing)\w{0,40}time$", re.IGNORECASE)
"""Names of lengths of time without a unit: pages and schemas count these in minutes."""

_MINUTE, _HOUR = 60, 3600
_LONGEST = 1e12
"""What no page tells as a length of time: larger numbers are none, and infinite ones can't be rounded."""

_WORDS = re.compile(r"[^\W\d_]{2,20}|[^\W\d_a-zA-Z]")
"""A letter alone may be anything, but for scripts in which it is a word."""

_ISO = re.compile(r"ISO[ -]?8601|\bPT?\d|\^P", re.IGNORECASE)
_CALENDAR = re.compile(r"P(\d{1,4})([YMW])")
_OF_CALENDAR = {"Y": "year", "M": "month", "W": "week"}


def unit_of_lengths(field: Field) -> int:
    """Give the seconds of the unit in which a field counts lengths of time, by its name; 0 for any other field.

    >>> unit_of_lengths(("stay_hours",)), unit_of_lengths(("runtime",)), unit_of_lengths(("price",))
    (3600, 60, 0)
    """
    return measure_of("".join(field[-1:])).seconds or (_MINUTE if _LENGTH.search("".join(field[-1:])) else 0)


class Durations:
    """The fields of one list of records (or of none) that count time, and where the text states their values."""

    def __init__(self, leaves: Sequence[Leaf], index: TextIndex) -> None:
        self._index = index
        fields = {leaf.field for leaf in leaves}
        self._units: dict[Field, set[int]] = {}
        for field in fields:
            if unit := measure_of("".join(field[-1:])).seconds:
                self._units.setdefault(field[:-1], set()).add(unit)

    def fitting(self, leaf: Leaf, value: float, matches: Sequence[Match]) -> Sequence[Match]:
        """Give the matches without parts of lengths of time in several units, and those lengths that are the value.

        Where an object says hours in one field and minutes in another, the parts are what it asks for.
        """
        if not abs(value) < _LONGEST or len(self._units.get(leaf.field[:-1], ())) > 1:
            return matches
        unit = unit_of_lengths(leaf.field) or _unit_described(leaf)
        if not unit:
            return matches or _as_matches(self._in_several_units(leaf, value))
        seconds = round(value * unit)
        said = self._index.notations
        clocks = said.minutes if unit == 1 else {}
        whole = [place for one in (said.compounds, said.spoken, clocks) for place in one.get(seconds, ())]
        if unit < _HOUR <= seconds:  # "3 hours" of a field of minutes; "900 m" says its own number, in what unit ever
            stated = self._index.find(value)
            whole += [place for place in said.durations.get(seconds, ()) if not within(stated, place)]
        single = [match for match in matches if not self._index.notations.is_in_compound(match.start, match.end)]
        return sorted({one.start: one for one in (*single, *_as_matches(whole))}.values(), key=start_of)

    def _in_several_units(self, leaf: Leaf, value: float) -> list[Span]:
        """Give the lengths of time in several units that are a number in the smallest of them: minutes, or seconds.

        "1 h 40 min" is 100 of a field that says nothing of a unit, and it is no other number.
        """
        both = self._index.notations.compounds
        of_seconds = both.get(round(value), ()) if value % _MINUTE else ()
        return [] if measure_of(leaf.name).is_told else [*both.get(round(value * _MINUTE), ()), *of_seconds]

    def in_words(self, leaf: Leaf, value: str) -> list[Match]:
        """Give where a duration stands that the schema wants in ISO 8601: PT90M is stated by "1 h 30 min"."""
        if not any(view.get("format") == "duration" or _names_iso(view) for view in leaf.views):
            return []
        seconds = read_duration(value)
        if seconds is None:
            return _as_matches(self._of_calendar(value))
        said = self._index.notations
        places = [place for one in (said.durations, said.spoken) for place in one.get(seconds, ())]
        return _as_matches(sorted(places))

    def _of_calendar(self, value: str) -> list[Span]:
        """Give where months, weeks or years stand, whose lengths in days differ: P6M is stated by "6 Monate"."""
        found = _CALENDAR.fullmatch(value)
        if found is None:
            return []
        said = re.finditer(rf"(?<![\d.,/–—-]){found[1]}[ \u00a0-]?([^\W\d_]{{1,20}})", self._index.text)
        words = ((one, word_of_time(one[1])) for one in said)
        wanted = _OF_CALENDAR[found[2]]
        return [(one.start(), one.start(1) + len(word)) for one, word in words if time_words().get(word) == wanted]


def _unit_described(leaf: Leaf) -> int:
    """Give the seconds of the one unit of time that a field's title or description names, in any language; else 0."""
    said = [text for view in leaf.views for key in ("title", "description") if isinstance(text := view.get(key), str)]
    units = {
        unit for text in said for word in _WORDS.findall(text) if (unit := unit_spelled(word)) and is_of_time(unit)
    }
    return seconds_of_unit(units.pop()) if len(units) == 1 else 0


def _names_iso(view: View) -> bool:
    return _ISO.search(f"{view.get('description', '')} {view.get('pattern', '')}") is not None


def _as_matches(places: Sequence[Span]) -> list[Match]:
    return [Match(*place, "normalized", "duration") for place in places]
