"""Numbers that are one part of a date, for fields that ask for it: ``month`` is 3 in "12 March 2026"."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property, lru_cache

from gleaner.contracts.word_lists import listed
from gleaner.schemas.leaves import Leaf
from gleaner.values.name_measures import is_rating, measure_of
from gleaner.values.names import name_words, roles_of
from gleaner.values.texts.spellings import Field
from gleaner.values.texts.text_index import DATE_PART, Match, TextIndex, start_of

_NUMBERS = listed("number num no nr index of in the year date")
_MONTH, _DAY = 1, 2
_MOST_OF_A_DAY = 31
_DATED = frozenset((*_NUMBERS, "day", "days", "week", "month", "months", "quarter", "hour", "issue", "volume"))
_WEEK = re.compile(r"(?<![^\W_])(?:\d{4}-?W|(?:KW|week|semaine|semana|settimana|Woche)\s?)\Z", re.IGNORECASE)
"""What leads to the number of a week: "2026-W12"."""

_LONGEST_WEEK = 12


class DateParts:
    """The parts of the dates of one text."""

    def __init__(self, index: TextIndex) -> None:
        self._index = index

    def fitting(self, leaf: Leaf, value: float, matches: Sequence[Match]) -> Sequence[Match]:
        """Give the matches but for those that are another part of a date than is asked, and months by their names."""
        part = _part_asked(leaf.field)
        if not part:
            is_no_part = measure_of(leaf.name).is_told or is_rating(leaf.name) or _asks_for_no_date(leaf, value)
            return [match for match in matches if not self._is_dated(match)] if is_no_part else matches
        dates = [(place, day[part] == value) for day, places in self._index.days.items() for place in places]
        named = [Match(*place, "normalized", DATE_PART) for place, is_it in dates if is_it and part == _MONTH]
        kept = [match for match in matches if _may_be(match, dates) and not self._is_week(match)]
        known = {match.start for match in kept}
        return sorted([*kept, *(match for match in named if match.start not in known)], key=start_of)

    def _is_dated(self, match: Match) -> bool:
        """Tell whether a number is a part of a date, of a month with its year, too."""
        at = bisect_right(self._dates, (match.start, 1 << 62)) - 1
        place = self._dates[at] if at >= 0 else (0, 0)
        return match.end <= place[1] and place != (match.start, match.end)

    @cached_property
    def _dates(self) -> list[tuple[int, int]]:
        return sorted({place for day, places in self._index.days.items() if day[0] for place in places})

    def _is_week(self, match: Match) -> bool:
        return _WEEK.search(self._index.text, max(0, match.start - _LONGEST_WEEK), match.start) is not None


def _may_be(match: Match, dates: Sequence[tuple[tuple[int, int], bool]]) -> bool:
    around = [is_it for (start, end), is_it in dates if start <= match.start and match.end <= end]
    return not around or any(around)


def _asks_for_no_date(leaf: Leaf, value: float) -> bool:
    """Tell whether a number is one of a day, a month or an hour, and its field's name no word of dates or counting."""
    is_small = isinstance(value, int) and abs(value) <= _MOST_OF_A_DAY
    return is_small and _DATED.isdisjoint(name_words(leaf.name)) and "year" not in roles_of(leaf.name)


@lru_cache(maxsize=1024)
def _part_asked(field: Field) -> int:
    """Give the place of the part, in a day, that a field's name asks for; 0 for none: ``warranty_months`` counts."""
    words = [word for word in name_words("".join(field[-1:])) if word not in _NUMBERS]
    roles = roles_of("".join(words[-1:]))
    return _MONTH if "month" in roles else _DAY if "day_of_month" in roles else 0
