"""Dates of other calendars, or with Roman numerals, as Gregorian dates."""

import re
from collections.abc import Iterator
from datetime import date, timedelta

from gleaner.values.mentions.chinese_numerals import NUMERAL, read_kanji

_THAI = (
    "มกราคม|ม.ค. กุมภาพันธ์|ก.พ. มีนาคม|มี.ค. เมษายน|เม.ย. พฤษภาคม|พ.ค. มิถุนายน|มิ.ย. "
    "กรกฎาคม|ก.ค. สิงหาคม|ส.ค. กันยายน|ก.ย. ตุลาคม|ต.ค. พฤศจิกายน|พ.ย. ธันวาคม|ธ.ค."
)
_PERSIAN = "فروردین اردیبهشت خرداد تیر مرداد شهریور مهر آبان آذر دی بهمن اسفند"
_ROMAN = "I II III IV V VI VII VIII IX X XI XII"
_MONTHS = {
    name: number
    for line in (_THAI, _PERSIAN, _ROMAN)
    for number, names in enumerate(line.split(), start=1)
    for name in names.split("|")
}


def _one_of(line: str) -> str:
    return "|".join(sorted(map(re.escape, re.split(r"[ |]", line)), key=len, reverse=True))


_ERAS = {"令和": 2018, "平成": 1988, "昭和": 1925, "大正": 1911, "民國": 1911, "民国": 1911}
_ERA = re.compile(r"(令和|平成|昭和|大正|民國|民国)\s?(\d{1,3}|元)\s?[年.]\s?(\d{1,2})\s?[月.]\s?(\d{1,2})日?")
_KANJI_DAY = re.compile(rf"(令和|平成|昭和|大正|民國|民国)?({NUMERAL}|元)年({NUMERAL})月({NUMERAL})日")
_FOREIGN = re.compile("[\u0600-\u06ff\u0e00-\u0e7f令平昭大民年]")
_NAMED = re.compile(rf"(?<!\d)(\d{{1,2}})\s*({_one_of(_THAI)}|{_one_of(_PERSIAN)})\s*(?:พ\.?ศ\.?\s*)?(\d{{4}})(?!\d)")
_ROMAN_MONTH = re.compile(rf"(?<![\d.])(\d{{1,2}})([./ -])\s?({_one_of(_ROMAN)})\2\s?(\d{{4}})(?!\d)")
_NUMBERED_MONTH = re.compile(
    r"(?<!\d)(\d{1,2})(?:\s+|\s*,\s*)tháng\s+(\d{1,2})(?:\s*,\s*|\s+)(?:năm\s+)?(\d{4})(?!\d)"
    r"|tháng\s+(\d{1,2})\s+(\d{1,2}),\s+(\d{4})(?!\d)",
    re.IGNORECASE,
)
_PERSIAN_YEAR_FIRST = re.compile(r"(?<![\d/.-])(1[34]\d\d)([/-])(\d{1,2})\2(\d{1,2})(?![\d/-])")
_BUDDHIST_YEAR_LAST = re.compile(r"(?<![\d/.-])(\d{1,2})([/.-])(\d{1,2})\2(2[45]\d\d)(?![\d/-])")
_BUDDHIST = 543
_FIRST_BUDDHIST = 2440
_LAST_PERSIAN = 1600
_NEW_YEAR_1400 = date(2021, 3, 21)
_LONG_MONTHS = 6

Day = tuple[int, int, int]
"""Year, month, day; a year or a day that the text does not state is 0."""


def scan_other_calendars(text: str) -> Iterator[tuple[int, int, Day]]:
    """Give the days that a text writes in other calendars and notations: start, end, year, month and day of ours.

    >>> [day for *_, day in scan_other_calendars("令和8年3月12日, 12 มีนาคม 2569, 1404/12/21, 12.III.2026")]
    [(2026, 3, 12), (2026, 3, 12), (2026, 3, 12), (2026, 3, 12)]
    """
    is_foreign = _FOREIGN.search(text) is not None
    for match in _ERA.finditer(text) if is_foreign else ():
        year = 1 if match[2] == "元" else int(match[2])
        yield *match.span(), (_ERAS[match[1]] + year, int(match[3]), int(match[4]))
    for match in _KANJI_DAY.finditer(text) if is_foreign else ():
        year, month, day = (read_kanji(one) if one != "元" else 1 for one in match.group(2, 3, 4))
        if year and month and day:
            yield *match.span(), (_ERAS.get(match[1], 0) + year, month, day)
    for match in _NAMED.finditer(text) if is_foreign else ():
        yield *match.span(), _as_ours(int(match[3]), _MONTHS[match[2]], int(match[1]))
    for match in _ROMAN_MONTH.finditer(text):
        yield *match.span(), (int(match[4]), _MONTHS[match[3]], int(match[1]))
    for match in _NUMBERED_MONTH.finditer(text):
        day, month, year = match.group(1, 2, 3) if match[1] else match.group(5, 4, 6)
        yield *match.span(), (int(year), int(month), int(day))
    for match in _PERSIAN_YEAR_FIRST.finditer(text):
        yield *match.span(), _as_ours(int(match[1]), int(match[3]), int(match[4]))
    for match in _BUDDHIST_YEAR_LAST.finditer(text):
        yield *match.span(), _as_ours(int(match[4]), int(match[3]), int(match[1]))


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
