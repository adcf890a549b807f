"""Days of which a text states one part where they stand and the rest above or beside: "1" under "June 2026"."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from functools import cached_property, lru_cache

from gleaner.values import locales
from gleaner.values.dates import parse_time
from gleaner.values.lookups import grouped
from gleaner.values.mentions.dates import MONTHS, Day, is_day, scan_dates
from gleaner.values.texts.folding import fold

YEARLESS = "date_without_year"
"""The transform of a day whose year nothing states, but the day of the week beside it fits."""

Place = tuple[int, int]
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_NEXT_YEAR = re.compile(r"(?<!\d)(19|20)\d\d\s?[/–-]\s?(\d\d)(?!\d)")
_WHOLE = re.compile(r"\d{4}-\d\d-\d\d")
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

_ROW_OF_MONTH = re.compile(r"^\|[ \t*_]*([^\W\d_]{3,})[.*_ \t]*\|(.*)\|[ \t]*$", re.MULTILINE)
"""A row of a table whose first cell is one word, as of a month, and what the others say."""

_LONE = re.compile(r"\W*(\d{1,2})(?:st|nd|rd|th|[.º])?\W*")
_CLOCK = re.compile(r"(?<![\d:])\d{1,2}:\d\d(?::\d\d)?(?:\s?[ap]\.?m\b\.?)?(?![\d:])", re.IGNORECASE)
_LONGEST_HEADING = 80
_LOOSE = "?"
_MOST_OVER = 40


def days_in(text: str) -> set[Day]:
    """Give the days that a text states, in all ways in which they can be read; parts that it leaves out are 0."""
    return {day for *_, days in scan_dates(text, fold(text).text) for day in days}


@lru_cache(256)
def days_over(text: str) -> str:
    """Give the years, months and days that a text states, as it may leave them to what stands below; "" for none.

    What is too long for a heading, or states whole days, comes with a "?" before: a day below is of another year unless
    the day of the week beside it fits.

    >>> days_over("Tides at Whitby, June 2026"), days_over("Meetings 2026"), days_over("Updated 21 March 2026, 08:40")
    ('2026-06', '2026', '?2026-03-21')
    >>> days_over("Season 2025/26")
    '2025 2026'
    """
    days = {day for day in days_in(text) if day[0]}
    said = {"-".join(f"{part:02}" for part in day if part) for day in days}
    years = {*_YEAR.findall(text), *(f"{one[1]}{one[2]}" for one in _NEXT_YEAR.finditer(text))}
    said |= years - {f"{year:04}" for year, *_ in days}
    is_loose = len(text) > _LONGEST_HEADING or any(number for *_, number in days)
    return (_LOOSE if is_loose else "") + " ".join(sorted(said)[:_MOST_OVER]) if said else ""


def day_below(text: str, over: str) -> str:
    """Give the day of which a text states a part and ``days_over`` the rest; ValueError unless there is just one.

    >>> day_below("28", "2026-03"), day_below("12 Mar", "2026"), day_below("Sat 21 Mar", "?2025-12-31 2026")
    ('2026-03-28', '2026-03-12', '2026-03-21')
    >>> day_below("12 Mar", "2026-06")
    Traceback (most recent call last):
    ValueError: not one day: '12 Mar'
    """
    stated = [[int(part) for part in one.split("-")] for one in over.removeprefix(_LOOSE).split()]
    own = {(month, day) for year, month, day in days_in(text) if day and not year}
    lone = _LONE.fullmatch(_WORD.sub("", text))
    words = [word.casefold() for word in _WORD.findall(text)]
    weekdays = [locales.weekday_numbers().get(word) for word in words if word not in MONTHS]
    found: set[Day] = set()
    for year, *rest in stated:
        found |= {(year, month, day) for month, day in own if rest[:1] in ([], [month])}
        if rest and lone and not own and None not in weekdays:
            found.add((year, rest[0], int(lone[1])))
    told = [numbers for numbers in weekdays if numbers is not None]
    days = {date(*day) for day in found if is_day(day) and day[2]}
    days = {day for day in days if all(day.weekday() in numbers for numbers in told)}
    if len(days) != 1 or (over.startswith(_LOOSE) and not told):
        raise ValueError(f"not one day: {text[:80]!r}")
    return days.pop().isoformat()


def time_below(text: str, over: str) -> str:
    """Give the day and time of which a text states the time; ValueError unless there is just one.

    >>> time_below("19:30", "?2026-03-28"), time_below("Sat 28 Mar, 7:30 pm", "2026")
    ('2026-03-28T19:30:00', '2026-03-28T19:30:00')
    """
    clocks = [*_CLOCK.finditer(text)]
    if len(clocks) != 1:
        raise ValueError(f"not one time: {text[:80]!r}")
    left = f"{text[: clocks[0].start()]} {text[clocks[0].end() :]}"
    day = over.removeprefix(_LOOSE)
    if _WORD.search(left) or any(map(str.isdigit, left)) or not _WHOLE.fullmatch(day):
        day = day_below(left, over)
    return f"{day}T{parse_time(clocks[0][0])}"


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
        in_row = self._in_rows.get((month, number), ()) if year in self._years_over else ()
        yield from ((place, "date", False) for place in in_row)
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
        found = {day[:2] for day in days_in(self._title) if day[0] and day[1]}
        return found.pop() if len(found) == 1 else None

    def _month_over(self, place: Place) -> tuple[int, int] | None:
        at = bisect_left(self._months, (place, (0, 0)))
        return self._months[at - 1][1] if at else self._month_of_title

    @cached_property
    def _lone(self) -> dict[int, list[Place]]:
        """The places of numbers that may be days of a month."""
        led = _LED.finditer(self._text) if self._months or self._month_of_title else ()
        days = (one for one in led if one[1] is None or one[1].casefold() in locales.weekday_numbers())
        return grouped((int(one[2]), one.span(2)) for one in days)

    @cached_property
    def _in_rows(self) -> dict[tuple[int, int], list[Place]]:
        """The places of numbers alone in their cells, in rows that a month heads: "| May | 6 | 20 |"."""
        found: dict[tuple[int, int], list[Place]] = {}
        for row in _ROW_OF_MONTH.finditer(self._text):
            at = row.start(2)
            for cell in row[2].split("|") if row[1].casefold() in MONTHS else ():
                if lone := _LONE.fullmatch(cell):
                    place = at + lone.start(1), at + lone.end(1)
                    found.setdefault((MONTHS[row[1].casefold()], int(lone[1])), []).append(place)
                at += len(cell) + 1
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
