"""Every value that a text states, with its place and all of its readings."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from gleaner.values import locales
from gleaner.values.conventions import NOTHING_KNOWN, Conventions
from gleaner.values.dates import parse_date, parse_time, split_date_time
from gleaner.values.measures import dimension_of, units_of
from gleaner.values.money import currencies_of
from gleaner.values.numbers import OPEN, parse_number, times_ten
from gleaner.values.text import fold, plain, without_accents

Kind = Literal["number", "percent", "money", "measure", "duration", "date", "date_time", "time"]


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a mention. ``granularity`` is what a date or a time leaves off: "day", "minute", "month"."""

    kind: Kind
    value: Any
    unit: str | None = None
    currencies: frozenset[str] = frozenset()
    granularity: str | None = None


@dataclass(frozen=True, slots=True)
class Mention:
    """A stretch of a text that states a value, and every reading that it admits."""

    start: int
    end: int
    readings: tuple[Reading, ...]


_NUMBER = re.compile(
    r"(?<![\d.,])(?P<sign>-(?=\d|[^\s\w]\d))?(?P<number>\d+(?:[.,']\d+)*(?: \d{3}(?!\d))*(?:[.,]\d+)?|(?=[¼½¾⅐-⅞]))"
    r"(?P<part>\s?[¼½¾⅐-⅞]|\s\d/\d{1,2}(?!\d))?"
)
_NUMERIC_DATE = re.compile(r"(?<![\d/.-])(?:\d{4}([-/.])\d{1,2}\1\d{1,2}|\d{1,2}([-/.])\d{1,2}\2\d{4})(?![\d/-]|\.\d)")
_EAST_ASIAN = re.compile(r"\d{4}\s?[年년]\s?\d{1,2}\s?[月월]\s?\d{1,2}\s?[日일]?")
_TIME = r"(?P<time>\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:\s?[ap]\.?\s?m\b\.?)?)"
_CLOCK = re.compile(rf"(?<![\d:]){_TIME}", re.IGNORECASE)
_BEHIND_A_DATE = re.compile(
    rf"(?:T|[\s,]{{1,2}}(?:[^\W\d_]{{1,3}}\.?\s)?){_TIME}(?P<zone>\s?(?:Z\b|(?:UTC|GMT)?[+-]\d{{1,2}}:?\d{{2}}|UTC|GMT))?",
    re.IGNORECASE,
)
_BEFORE = re.compile(r"(?:[^\W\d_]{1,4}[.$]?|[^\w\s.,:;!?()\[\]|*\"'/-]{1,2}|[^\W\d_]{0,3}[$£¥])[^\S\n]?$")
_AFTER = re.compile(r"[^\S\n]?(?P<word>[^\W\d_][^\s\d,;:()\[\]|*]{0,20}|[^\w\s,;:.()\[\]|*!?-]{1,2})")
_WORD = re.compile(r"[^\W\d_]+")
_BEFORE_A_MONTH = re.compile(r"(?:\d{4}[. ]{1,2}|\d{1,2}(?:st|nd|rd|th|[.º])?\s(?:[^\W\d_]{1,3}\s)?)$")
_AFTER_A_MONTH = re.compile(
    r"\.?,?\s?(?:[^\W\d_]{1,3}\s)?(?:\d{1,2}(?:st|nd|rd|th|\.)?,?\s\d{4}|\d{4}|\d{1,2}(?:st|nd|rd|th|\.)?)(?!\d)"
)
_REACH = 12
_LONGEST_DATE = 30


def scan(text: str, page: Conventions = NOTHING_KNOWN) -> Iterator[Mention]:
    """Give the mentions of a text in order; those that overlap a date are part of it.

    >>> [(one.readings[0].kind, one.readings[0].value) for one in scan("Ben, 12 March 2026: 5 kg for €3.50 (20 % off)")]
    [('date', '2026-03-12'), ('measure', 5), ('money', 3.5), ('percent', 20)]
    >>> [reading.value for reading in next(scan("1.299")).readings], next(scan("$5")).readings[0].unit
    ([1.299, 1299], None)
    """
    written = plain(text)
    dated = sorted(_dates(written, page), key=lambda one: (one.start, -one.end))
    at, ahead = 0, iter(dated)
    nearest = next(ahead, None)
    for match in _NUMBER.finditer(written):
        while nearest is not None and nearest.end <= match.start():
            if nearest.start >= at:
                yield nearest
                at = nearest.end
            nearest = next(ahead, None)
        if match.start() < at or (nearest is not None and nearest.start < match.end()):
            continue
        mention = _quantity(written, match, page)
        if mention is not None:
            yield mention
            at = mention.end
    while nearest is not None:
        if nearest.start >= at:
            yield nearest
            at = nearest.end
        nearest = next(ahead, None)


def _quantity(text: str, match: re.Match[str], page: Conventions) -> Mention | None:
    """Give a number with what stands beside it: a currency before or behind, a scale, a unit, a percent sign."""
    values = _values(match, page)
    if not values:
        return None
    start, end = match.span()
    before = _BEFORE.search(text[max(0, start - _REACH) : start])
    codes = currencies_of(before[0].strip()) if before else frozenset[str]()
    if start and text[start - 1].isalpha() and not codes:
        return None  # a part of a code, as in "M100"
    start -= len(before[0]) if before and codes else 0
    power = 0
    after = _AFTER.match(text, end)
    if after is not None and (power := _power(after["word"], page, has_sign=bool(codes))):
        end, after = after.end(), _AFTER.match(text, after.end())
    values = [times_ten(value, power) for value in values] if power else values
    word = after["word"] if after else ""
    is_of_next = after is not None and text[after.end() : after.end() + 1].isdigit()  # "70 $229.99"
    if after is not None and not codes and not is_of_next and (codes := currencies_of(word.rstrip("."))):
        end = after.end()
    if codes:
        return _mention(start, end, [Reading("money", value, None, codes) for value in values])
    if after is not None and (word.startswith("%") or fold(word) in locales.words("percent")):
        return _mention(start, after.end(), [Reading("percent", value, "percent") for value in values])
    units = units_of(word) if word else ()
    if after is not None and units:
        readings = [Reading(_kind_of(unit), value, unit) for unit in units for value in values]
        return _mention(start, after.end(), readings)
    return _mention(start, end, [Reading("number", value) for value in values])


def _kind_of(unit: str) -> Kind:
    return "duration" if dimension_of(unit) == "duration" else "measure"


def _power(word: str, page: Conventions, *, has_sign: bool) -> int:
    """Give the power of ten of a word behind a number; of what may be a unit, too, only behind a currency's sign."""
    name = fold(word)
    power = locales.scales(page.language).get(name, 0)
    is_sure = has_sign or name == "k" or name not in locales.units()
    return power if power > 0 and is_sure else 0


def _values(match: re.Match[str], page: Conventions) -> list[int | float]:
    number = f"{match['number']}{match['part'] or ''}"
    negative = -1 if match["sign"] else 1
    found: list[int | float] = []
    marks = (
        [page.decimal]
        if page.decimal
        else [None, *(".,"[:: 1 if "." in number else -1] if OPEN.fullmatch(number) else "")]
    )
    for mark in marks:
        try:
            value = negative * parse_number(number, decimal=mark)
        except ValueError:
            continue
        if value not in found:
            found.append(value)
    return found


def _mention(start: int, end: int, readings: list[Reading]) -> Mention:
    return Mention(start, end, tuple(readings))


def _dates(text: str, page: Conventions) -> Iterator[Mention]:
    spans = [match.span() for pattern in (_NUMERIC_DATE, _EAST_ASIAN) for match in pattern.finditer(text)]
    spans += _named_dates(text)
    ends: set[int] = set()
    for start, end in spans:
        days = _days(text[start:end], page)
        if not days:
            continue
        clock = _BEHIND_A_DATE.match(text, end)
        if clock is not None and (moments := _moments(text[start : clock.end()], days, page)):
            ends.add(clock.start("time"))
            yield _mention(start, clock.end(), moments)
        else:
            yield _mention(start, end, [Reading("date", day, granularity="day") for day in days])
    for clock in _CLOCK.finditer(text):
        if clock.start("time") not in ends:
            try:
                value = parse_time(clock["time"])
            except ValueError:
                continue
            yield _mention(clock.start("time"), clock.end("time"), [Reading("time", value, granularity="minute")])


def _days(text: str, page: Conventions) -> list[str]:
    found: list[str] = []
    for day_first in [page.day_first] if page.day_first is not None else [None, True, False]:
        try:
            day = parse_date(text, day_first=day_first, language=page.language)
        except ValueError:
            continue
        if day not in found:
            found.append(day)
    return found


def _moments(text: str, days: list[str], page: Conventions) -> list[Reading]:
    try:
        moment, offset = split_date_time(
            text, day_first=page.day_first if len(days) == 1 else True, language=page.language
        )
    except ValueError:
        return []
    times = moment.partition("T")[2]
    return [Reading("date_time", f"{day}T{times}{offset}", granularity="second") for day in days]


@cache
def _month_names() -> frozenset[str]:
    return frozenset(name for name in locales.month_numbers() if name.isalpha())


def _named_dates(text: str) -> list[tuple[int, int]]:
    """Give the stretches around the names of months that are dates: the longest that can be read."""
    found: list[tuple[int, int]] = []
    for match in _WORD.finditer(text):
        name = match[0].casefold()
        if name not in _month_names() and without_accents(name) not in _month_names():
            continue
        left = _BEFORE_A_MONTH.search(text[max(0, match.start() - _REACH) : match.start()])
        right = _AFTER_A_MONTH.match(text, match.end())
        after = right.end() if right else match.end()
        for start, end in ((match.start() - len(left[0]) if left else match.start(), after), (match.start(), after)):
            if end - start <= _LONGEST_DATE and _is_date(text[start:end]):
                found.append((start, end))
                break
    return found


def _is_date(text: str) -> bool:
    try:
        parse_date(text)
    except ValueError:
        return False
    return True
