"""Dates and times as pages write them, to RFC 3339. In doubt, ValueError: "03/04/2026" has no reading.

The names of months are CLDR's: a general date parser takes 0.3 s to import, guesses missing parts from today's date,
and reads numbers that are no dates.
"""

import re
import unicodedata
from datetime import date
from functools import cache

from gleaner.values import locales
from gleaner.values.mentions.calendars import scan_other_calendars
from gleaner.values.mentions.dates import scan_dates
from gleaner.values.text import without_accents

MAX_CHARS = 100

ISO = re.compile(r"(\d{4})-(\d{2})-(\d{2})(?:[t ]\d{2}:\d{2}.*)?")
_YEAR_FIRST = re.compile(r"(\d{4})\s?([-/.])\s?(\d{1,2})\s?\2\s?(\d{1,2})\.?")
_COMPACT = re.compile(r"((?:1[6-9]|20)\d{2})(\d{2})(\d{2})")
"""Without signs between them, digits are a day only of a year that pages speak of: others are numbers of things."""
_YEAR_LAST = re.compile(r"(\d{1,2})\s?([-/.])\s?(\d{1,2})\s?\2\s?(\d{4})\.?")
_EAST_ASIAN = re.compile(r"(\d{4})\s*[年년]\s*(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日일]?(?:\s*[(（]?.{1,3}[)）]?)?")
_COMMON = re.compile(
    r"(\d{1,2})(?:st|nd|rd|th|\.)? ([a-z]{3,9})\.?,? (\d{4})|([a-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})",
    re.IGNORECASE | re.ASCII,
)
"""The common ways to name a month, for the sake of speed: all others are read word by word."""
_OF_ANOTHER_CALENDAR = re.compile("[\u0600-\u06ff\u0e00-\u0e7f令平昭大民]|年.*[月].*日|(?<!\\d)2[45]\\d\\d(?!\\d)")
_LED = re.compile(r"([^\W\d_]+(?: [^\W\d_]+)?)\.?,?\s?(\d.*)")
"""What stands before the figures of a day: "Sat, 03.05.2026"."""
_YEAR = re.compile(r"(?<!\d)\d{4}(?!\d)")
_ORDINAL = re.compile(r"\b(\d{1,2})(?:st|nd|rd|th|er|re|e|o|a|º|ª|\.)(?=\s|$)")
_CLOCK = re.compile(
    r"(?P<date>.*?[^\s,tT])(?:\s*[tT]\s*|[\s,]+(?:(?P<at>[^\W\d_]+(?: [^\W\d_]+)?)\.?\s*)?)"
    r"(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2})(?P<fraction>\.\d{1,9})?)?\s*(?P<half>[ap]\.?\s?m\.?)?\s*"
    r"(?P<zone>z|(?:utc|gmt)?\s*[+-]\d{1,2}(?::?\d{2})?|utc|gmt)?(?:\s*\([^)]{1,40}\))?",
    re.IGNORECASE,
)
_OF_LOGS = re.compile(
    r"(?:[A-Za-z]{3} )?(?P<day>[A-Za-z]{3} {1,2}\d{1,2}) (?P<clock>\d{2}:\d{2}:\d{2}) "
    r"(?:(?P<zone>[A-Z]{3,4}) )?(?P<year>\d{4})"
)
"""What C's ctime writes: "Mon Jan  6 03:32:58 2003", with a zone before or behind the year."""
_TIME = re.compile(
    r"(?P<before>\D{0,12}?)\s*(?P<hour>\d{1,2})(?:[:.h](?P<minute>[0-5]\d))?(?:[:.](?P<second>[0-5]\d))?\s*(?P<after>\D{0,16})"
)


def _plain(text: str) -> str:
    """Fold case, accents, widths and spaces."""
    if text.isascii():
        return " ".join(text.lower().split())
    return " ".join(without_accents(text.casefold()).split())


@cache
def _months(language: str) -> dict[str, int]:
    return {_plain(name): number for name, number in locales.month_numbers(language).items()}


@cache
def _several_words() -> tuple[str, ...]:
    """Give the names of days and months that have blanks: "thứ hai", "tháng 3"."""
    names = {*map(_plain, locales.weekdays()), *_months("")}
    return tuple(sorted((name for name in names if " " in name), key=len, reverse=True))


def parse_date(text: str, *, day_first: bool | None = None, language: str = "") -> str:
    """Give the day as YYYY-MM-DD; ``day_first`` says how "03/04/2026" is meant, where that is known.

    >>> parse_date("12 Mar 2026"), parse_date("March 12, 2026"), parse_date("12.03.2026"), parse_date("2026年3月12日")
    ('2026-03-12', '2026-03-12', '2026-03-12', '2026-03-12')
    """
    if len(text) > MAX_CHARS:
        raise ValueError(f"longer than {MAX_CHARS} characters")
    if _OF_ANOTHER_CALENDAR.search(text) and (found := _of_another_calendar(text)):
        return found
    if (found := _by_digits(text, day_first)) is not None:
        return found
    months = _months(language)
    if match := _COMMON.fullmatch(text):
        day, name, year = (match[1], match[2], match[3]) if match[1] else (match[5], match[4], match[6])
        if month := months.get(name.lower()):
            return _day(text, year, month, day)
    plain = _plain(text)
    if not _YEAR.search(plain):
        raise ValueError(f"not a date: {text[:80]!r}")
    if found := _of_another_calendar(text):
        return found  # "12.III.2026"
    head, _, last = plain.rpartition(" ")
    if last.rstrip(".") in locales.date_links() and (found := _by_digits(head, day_first)):
        return found  # "12.03.2026 г."
    if (led := _LED.fullmatch(plain)) and led[1] in _weekdays() and (found := _by_digits(led[2], day_first)):
        return found
    return _named_month(text, plain, months)


def only_date(text: str) -> str:
    """Give the one day that a text states among other words; ValueError where it states none, several, or half a one.

    >>> only_date("By Mags T. on 11 Feb 2026 · Verified purchase")
    '2026-02-11'
    """
    places = sorted(scan_dates(text, text.casefold()), key=lambda one: one[:2])
    days = {day for *_, some in places for day in some}
    is_one = all(start < places[0][1] for start, *_ in places)
    if not is_one or len(days) != 1 or not all(day := days.pop()):
        raise ValueError(f"not surely one day: {text[:80]!r}")
    return date(*day).isoformat()


def _of_another_calendar(text: str) -> str | None:
    """Give the day of a text that is a day of another calendar or notation, as the proof reads it; None for any other.

    A year such as 1404 in front of figures alone may be of either calendar.
    """
    is_of_figures = not any(map(str.isalpha, text))
    for start, end, (year, month, day) in scan_other_calendars(text):
        if (
            not text[:start].strip()
            and not text[end:].strip(" .")
            and day
            and not (is_of_figures and start == 0 and text.lstrip()[:4].isdecimal())
        ):
            return _day(text, str(year), month, str(day))
    return None


@cache
def _weekdays() -> frozenset[str]:
    return frozenset(map(_plain, locales.weekdays()))


def _by_digits(text: str, day_first: bool | None) -> str | None:
    """Give the day of a date that is written in numbers; None for another text."""
    plain = text.strip().lower() if text.isascii() else unicodedata.normalize("NFKC", text).strip().casefold()
    plain = plain.replace("\u200f", "").replace("\u200e", "")
    if not plain[:1].isdecimal():
        return None
    if not plain[:4].isdecimal():
        match = _YEAR_LAST.fullmatch(plain)
        return _year_last(text, match, day_first) if match else None
    for pattern in (ISO, _COMPACT, _EAST_ASIAN):
        if match := pattern.fullmatch(plain):
            return _day(text, *match.groups()[:3])
    match = _YEAR_FIRST.fullmatch(plain)
    return _day(text, match[1], match[3], match[4]) if match else None


def _day(text: str, year: str, month: str | int, day: str) -> str:
    try:
        return date(int(year), int(month), int(day)).isoformat()
    except ValueError:
        raise ValueError(f"no such day: {text[:80]!r}") from None


def _year_last(text: str, match: re.Match[str], day_first: bool | None) -> str:
    """Points mean day first everywhere; with strokes or dashes a number over 12, or the hint, decides."""
    first, mark, second, year = match.groups()
    if mark == "." or int(first) > 12 or first == second:
        return _day(text, year, second, first)
    if int(second) > 12:
        return _day(text, year, first, second)
    if day_first is None:
        raise ValueError(f"day and month can't be told apart: {text[:80]!r}")
    return _day(text, year, second, first) if day_first else _day(text, year, first, second)


def _named_month(text: str, plain: str, months: dict[str, int]) -> str:
    """Give the day of a date that names its month: a day, a month and a year, and nothing else but links."""
    for name in _several_words():
        if name in plain:
            joined = name.replace(" ", "_") if name in months else " "
            plain = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", joined, plain)
    words = [
        word.strip(".'-_")
        for word in re.split(r"[\s/,،、]+|(?<=\w)-(?=\w)", _ORDINAL.sub(r"\1", plain.replace(",", " ")))
    ]
    words = [word for word in words if word and not _is_idle(word, months)]
    named = [(at, months[word.replace("_", " ")]) for at, word in enumerate(words) if word.replace("_", " ") in months]
    numbers = [word for word in words if word.isdecimal()]
    if len(words) != 3 or len(named) != 1 or {len(number) > 2 for number in numbers} != {True, False}:
        raise ValueError(f"not a date: {text[:80]!r}")
    year = next(number for number in numbers if len(number) > 2)
    day = next(number for number in numbers if len(number) <= 2)
    if len(year) != 4 or (named[0][0] == 2 and words[0] != year) or words[1] == year:
        raise ValueError(f"not a date: {text[:80]!r}")
    return _day(text, year, named[0][1], day)


def _is_idle(word: str, months: dict[str, int]) -> bool:
    """Tell whether a word says nothing of a date: a day of the week, or what links its parts."""
    return word not in months and (word in locales.date_links() or word in _weekdays())


def parse_date_time(text: str, *, day_first: bool | None = None, language: str = "") -> str:
    """Give date and time with its offset, as RFC 3339; without an offset in the text ValueError: none is made up.

    >>> parse_date_time("Thu, 12 Mar 2026 14:30:00 +0100"), parse_date_time("2026-03-12 2:30 PM UTC")
    ('2026-03-12T14:30:00+01:00', '2026-03-12T14:30:00Z')
    """
    found, zone = split_date_time(text, day_first=day_first, language=language)
    if not zone:
        raise ValueError(f"not a date with time and offset: {text[:80]!r}")
    return found + zone


def split_date_time(text: str, *, day_first: bool | None = None, language: str = "") -> tuple[str, str]:
    """Give date and time as pages state them, and the offset from UTC; "" where the text has none.

    >>> split_date_time("2026-03-05T19:30"), split_date_time("5 March 2026, 7:30 pm UTC+1")
    (('2026-03-05T19:30:00', ''), ('2026-03-05T19:30:00', '+01:00'))
    >>> split_date_time("Mon Jan  6 03:32:58 2003 UTC")
    ('2003-01-06T03:32:58', 'Z')
    """
    of_log = _OF_LOGS.match(text.strip()) if len(text) <= MAX_CHARS else None
    if of_log is not None:
        text = (
            f"{of_log['day']} {of_log['year']} {of_log['clock']} {of_log['zone'] or ''}{text.strip()[of_log.end() :]}"
        )
    match = _CLOCK.fullmatch(text.strip()) if len(text) <= MAX_CHARS else None
    if match is None or (match["at"] and without_accents(match["at"].casefold()) not in _at()):
        raise ValueError(f"not a date with time: {text[:80]!r}")
    day = parse_date(match["date"], day_first=day_first, language=language)
    half = (match["half"] or "").lower()[:1]
    hour = _hour(int(match["hour"]), {"a": 0, "p": 12}.get(half), text)
    if int(match["minute"]) > 59 or int(match["second"] or 0) > 59:
        raise ValueError(f"no such time: {text[:80]!r}")
    clock = f"{hour:02d}:{match['minute']}:{match['second'] or '00'}{match['fraction'] or ''}"
    return f"{day}T{clock}", _offset(match["zone"]) if match["zone"] else ""


@cache
def _at() -> frozenset[str]:
    return frozenset(without_accents(word) for word in locales.words("at"))


def parse_time(text: str) -> str:
    """Give a time of day as HH:MM:SS; an hour alone needs what marks the half of the day.

    >>> parse_time("7:30 pm"), parse_time("19.30 Uhr"), parse_time("午後3:05"), parse_time("7 a.m.")
    ('19:30:00', '19:30:00', '15:05:00', '07:00:00')
    """
    match = _TIME.fullmatch(unicodedata.normalize("NFKC", text).strip()) if len(text) <= MAX_CHARS else None
    if match is None:
        raise ValueError(f"not a time: {text[:80]!r}")
    sides = ["".join(match[side].casefold().replace(".", "").split()) for side in ("before", "after")]
    halves = [locales.half_days()[side] for side in sides if side in locales.half_days()]
    others = [
        side for side in sides if side and side not in locales.half_days() and side not in locales.words("o_clock")
    ]
    if others or len(halves) > 1 or not (halves or match["minute"]):
        raise ValueError(f"not a time: {text[:80]!r}")
    hour = _hour(int(match["hour"]), halves[0] if halves else None, text)
    return f"{hour:02d}:{match['minute'] or '00'}:{match['second'] or '00'}"


def is_day(text: str) -> bool:
    """Tell whether a text is a day, with or without a time.

    >>> is_day("12 March 2026"), is_day("March")
    (True, False)
    """
    for parse in (parse_date, parse_date_time):
        try:
            parse(text)
        except ValueError:
            continue
        return True
    return False


def _hour(hour: int, half: int | None, text: str) -> int:
    if half is not None and not 1 <= hour <= 12:
        raise ValueError(f"no such hour: {text[:80]!r}")
    hour = hour % 12 + half if half is not None else hour
    if hour > 23:
        raise ValueError(f"no such hour: {text[:80]!r}")
    return hour


def _offset(zone: str) -> str:
    match = re.search(r"([+-])(\d{1,2}):?(\d{2})?", zone)
    if match is None:
        return "Z"
    if int(match[2]) > 23 or int(match[3] or 0) > 59:
        raise ValueError(f"no such offset: {zone!r}")
    return f"{match[1]}{int(match[2]):02d}:{match[3] or '00'}"
