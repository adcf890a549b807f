"""Days of which a text states one part where they stand and the rest above or beside: "1" under "June 2026"."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from functools import cached_property

from gleaner.values import locales
from gleaner.values.mentions.dates import Day, scan_named_dates
from gleaner.values.mentions.words import place_words, tokenize
from gleaner.values.texts.folding import fold

YEARLESS = "date_without_year"
"""The transform of a day whose year nothing states, but the day of the week beside it fits."""

Place = tuple[int, int]
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_HEADING = re.compile(r"^#{1,6} .*", re.MULTILINE)
_BESIDE = 24
_WORD = re.compile(r"[^\W\d_]+")
_LED = re.compile(
    r"(?:^|\|)[ \t]*(?:[-*+][ \t]+|#{1,6}[ \t]+)?[*_]{0,3}(?:([^\W\d_]+)[.,]?[ \t]+)?"
    r"(\d{1,2})(?:st|nd|rd|th|º|\.(?=[ \t]*\|))?(?=[*_]{0,3}(?:[ \t,:–—|]|$))",
    re.MULTILINE,
)
"""A number of two digits at most that its line or cell begins with, or with one word before it; the "1." of a numbered
list is none."""


class PartialDays:
    """The days of one text that it states in parts. ``days`` are the places of those that it states together.

    ``title`` is what the page calls itself: it stands over all of its text.
    """

    def __init__(self, text: str, title: str, days: Mapping[Day, Sequence[Place]]) -> None:
        self._text = text
        self._title = title
        self._days = days

    def find(self, day: Day) -> Iterator[tuple[Place, str, bool]]:
        """Give the places that state a part of a day whose other parts stand elsewhere.

        Each comes with its transform, and whether it is weak: a day and month are strong where their year stands in the
        title or a heading, or where the day of the week beside them fits.

        >>> text = "Monday 4 May"
        >>> list(PartialDays(text, "Sailings 2026", {(0, 5, 4): [(7, 12)]}).find((2026, 5, 4)))
        [((7, 12), 'date', False)]
        """
        _, month, number = day
        if not day[0] or not number:
            return
        year = f"{day[0]:04}"
        short = self._days.get((0, month, number), ())
        for place in short:
            is_fitting = self._is_of_weekday(place, day)
            if year in self._years_over or year in self._years:
                yield place, "date", not (is_fitting or year in self._years_over)
            elif is_fitting:
                yield place, YEARLESS, False
        yield from ((place, "date", True) for place in self._lone.get(number, ()) if self._month_over(place) == day[:2])

    @cached_property
    def _years(self) -> frozenset[str]:
        return frozenset(_YEAR.findall(self._text))

    @cached_property
    def _years_over(self) -> frozenset[str]:
        return frozenset(
            found for line in (self._title, *_HEADING.findall(self._text)) for found in _YEAR.findall(line)
        )

    @cached_property
    def _months(self) -> list[tuple[Place, tuple[int, int]]]:
        """The months with their years, in order."""
        return sorted((place, day[:2]) for day, some in self._days.items() if day[0] and not day[2] for place in some)

    @cached_property
    def _month_of_title(self) -> tuple[int, int] | None:
        words = tokenize(fold(self._title).text)
        found = {day[:2] for *_, days in scan_named_dates(words, place_words(words)) for day in days if day[0]}
        return found.pop() if len(found) == 1 else None

    def _month_over(self, place: Place) -> tuple[int, int] | None:
        at = bisect_left(self._months, (place, (0, 0)))
        return self._months[at - 1][1] if at else self._month_of_title

    @cached_property
    def _lone(self) -> dict[int, list[Place]]:
        """The places of numbers that may be days of a month."""
        found: dict[int, list[Place]] = {}
        for one in _LED.finditer(self._text) if self._months or self._month_of_title else ():
            if one[1] is None or one[1].casefold() in locales.weekday_numbers():
                found.setdefault(int(one[2]), []).append(one.span(2))
        return found

    def _is_of_weekday(self, place: Place, day: Day) -> bool:
        """Tell whether the day of the week stands beside a day and a month, and is that of the whole day."""
        before = _WORD.findall(self._text[max(0, place[0] - _BESIDE) : place[0]])[-1:]
        behind = _WORD.findall(self._text[place[1] : place[1] + _BESIDE])[:1]
        try:
            number = date(*day).weekday()
        except ValueError:
            return False
        return any(number in locales.weekday_numbers().get(word.casefold(), ()) for word in (*before, *behind))
