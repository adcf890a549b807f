"""Dates of other calendars, or with Roman numerals, as Gregorian dates."""

import re
from collections.abc import Iterator
from datetime import date, timedelta
from functools import cache
from typing import NamedTuple

from gleaner.values import locales
from gleaner.values.mentions.chinese_numerals import NUMERAL, read_kanji

_ROMAN = ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII"]
_FOREIGN = re.compile("[\u0600-\u06ff\u0e00-\u0e7f令平昭大民年]")
_ROMAN_MONTH = re.compile(
    rf"(\d(?<![\d.]\d)\d?)([./ -])\s?({'|'.join(sorted(_ROMAN, key=len, reverse=True))})\2\s?(\d{{4}})(?!\d)"
)
_NUMBERED_MONTH = re.compile(
    r"(?<!\d)(\d{1,2})(?:\s+|\s*,\s*)tháng\s+(\d{1,2})(?:\s*,\s*|\s+)(?:năm\s+)?(\d{4})(?!\d)"
    r"|tháng\s+(\d{1,2})\s+(\d{1,2}),\s+(\d{4})(?!\d)",
    re.IGNORECASE,
)
_PERSIAN_YEAR_FIRST = re.compile(r"(1(?<![\d/.-]1)[34]\d\d)([/-])(\d{1,2})\2(\d{1,2})(?![\d/-])")
_BUDDHIST_YEAR_LAST = re.compile(r"(\d(?<![\d/.-]\d)\d?)([/.-])(\d{1,2})\2(2[45]\d\d)(?![\d/-])")
_BUDDHIST = 543
_FIRST_BUDDHIST = 2440
_LAST_PERSIAN = 1600
_NEW_YEAR_1400 = date(2021, 3, 21)
_LONG_MONTHS = 6

Day = tuple[int, int, int]
"""Year, month, day; a year or a day that the text does not state is 0."""


class _Patterns(NamedTuple):
    """The patterns made of the words of our tables: eras in figures, eras in Chinese numerals, and named months."""

    era: re.Pattern[str]
    kanji_day: re.Pattern[str]
    named: re.Pattern[str]


@cache
def _patterns() -> _Patterns:
    eras = "|".join(locales.meanings("eras"))
    months = "|".join(map(re.escape, sorted(locales.meanings("months_of_calendars"), key=len, reverse=True)))
    return _Patterns(
        re.compile(rf"({eras})\s?(\d{{1,3}}|元)\s?[年.]\s?(\d{{1,2}})\s?[月.]\s?(\d{{1,2}})日?"),
        re.compile(rf"({eras})?({NUMERAL}|元)年({NUMERAL})月({NUMERAL})日"),
        re.compile(rf"(?<!\d)(\d{{1,2}})\s*({months})\s*(?:พ\.?ศ\.?\s*)?(\d{{4}})(?!\d)"),
    )


def scan_other_calendars(text: str) -> Iterator[tuple[int, int, Day]]:
    """Give the days that a text writes in other calendars and notations: start, end, year, month and day of ours.

    >>> [day for *_, day in scan_other_calendars("令和8年3月12日, 12 มีนาคม 2569, 1404/12/21, 12.III.2026")]
    [(2026, 3, 12), (2026, 3, 12), (2026, 3, 12), (2026, 3, 12)]
    """
    if not text.isascii() and _FOREIGN.search(text):
        yield from _named_days(text)
    for match in _ROMAN_MONTH.finditer(text):
        yield *match.span(), (int(match[4]), _ROMAN.index(match[3]) + 1, int(match[1]))
    for match in _NUMBERED_MONTH.finditer(text) if "tháng" in text.lower() else ():
        day, month, year = match.group(1, 2, 3) if match[1] else match.group(5, 4, 6)
        yield *match.span(), (int(year), int(month), int(day))
    for match in _PERSIAN_YEAR_FIRST.finditer(text):
        yield *match.span(), _as_ours(int(match[1]), int(match[3]), int(match[4]))
    for match in _BUDDHIST_YEAR_LAST.finditer(text):
        yield *match.span(), _as_ours(int(match[4]), int(match[3]), int(match[1]))


def _named_days(text: str) -> Iterator[tuple[int, int, Day]]:
    eras, months = locales.meanings("eras"), locales.meanings("months_of_calendars")
    for match in _patterns().era.finditer(text):
        year = 1 if match[2] == "元" else int(match[2])
        yield *match.span(), (eras[match[1]] + year, int(match[3]), int(match[4]))
    for match in _patterns().kanji_day.finditer(text):
        year, month, day = (read_kanji(one) if one != "元" else 1 for one in match.group(2, 3, 4))
        if year and month and day:
            yield *match.span(), (eras.get(match[1], 0) + year, month, day)
    for match in _patterns().named.finditer(text):
        yield *match.span(), _as_ours(int(match[3]), months[match[2]], int(match[1]))


def _as_ours(year: int, month: int, day: int) -> Day:
    """Give a day of the Persian calendar by its year, of the Buddhist one by its year, or of ours."""
    if year > _FIRST_BUDDHIST:
        return year - _BUDDHIST, month, day
    return from_persian(year, month, day) if year < _LAST_PERSIAN else (year, month, day)


def from_persian(year: int, month: int, day: int) -> Day:
    """Give the Gregorian day of a Persian one, by leap years in a cycle of 33; right from 1206 to 1498.

    >>> from_persian(1404, 12, 21), from_persian(1357, 1, 1)
    ((2026, 3, 12), (1978, 3, 21))
    """
    years = range(1400, year) if year >= 1400 else range(year, 1400)
    days = sum(365 + (_is_leap(one)) for one in years) * (1 if year >= 1400 else -1)
    days += 30 * (month - 1) + min(month - 1, _LONG_MONTHS) + day - 1
    found = _NEW_YEAR_1400 + timedelta(days=days)
    return found.year, found.month, found.day


def _is_leap(year: int) -> bool:
    return (25 * year + 11) % 33 < 8
