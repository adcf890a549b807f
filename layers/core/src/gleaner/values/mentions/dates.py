"""Dates and times as they stand in texts: numeric in any order, or with the month's name in many languages."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from gleaner.values.locales import month_numbers
from gleaner.values.lookups import grouped
from gleaner.values.mentions.calendars import Day, scan_other_calendars
from gleaner.values.mentions.words import WORD, Words, place_words, tokenize

_SHORTEST = 3
_SYLLABLES = "\u0900"
"""From here on a letter is a syllable, and two of them are a name: "मई" is May."""

MONTHS: Mapping[str, int] = {
    name: number
    for name, number in month_numbers().items()
    if WORD.fullmatch(name) and (len(name) >= _SHORTEST or name > _SYLLABLES)
}
"""Month names, full and short, in folded form: all full ones that coercion reads, since what it gives is proven."""

_FILLERS = frozenset(("st", "nd", "rd", "th", "of", "the", "de", "del", "den", "d", "er", "º", "am"))
_BREAK = re.compile(r"\||\n[ \t]*+(?:\n|[-*+#>] )")
"""Borders of cells, paragraphs and list items: what stands behind "4 May" in the next line is no year of it."""

_OF_A_TIME = re.compile(r"[:h]\d\d(?!\d)| ?(?:uhr|[ap]\.?m)\b")
"""What follows the hour of a time: "4 May 07:15" is of no year."""

_BESIDE = 12
_BEHIND_A_YEAR = frozenset((" ", "-", "/", ".", " m. "))
_RANGE = re.compile(r"[*_ ]{0,3}(?:[-–—]|(?:to|until|till|bis(?: zum)?|al?|au|tot|do|do dnia|til) )[*_ ]{0,3}")
_BEGUN = re.compile(
    rf"(\d(?<![\d.,:/-]\d)\d?)(?:\.|(?=[-–—])|[./] ?(\d{{1,2}})\.?){_RANGE.pattern}(?=\d{{1,2}}[./] ?\d)"
)
"""A day in figures that leaves its year, and perhaps its month, to the last day of its range: "12.–14.6.2026"."""

_JOINS = frozenset(("to", "bis", "au", "a", "al", "til", "till", "tot", "until", "through"))
# Patterns over whole texts begin with the digit and look behind it from there, as in ``values.conventions``.
_BEHIND_AN_END = r"(?:(?<=\.-\d)|(?<=(?<![\d.,/-])\d-\d)|(?<=(?<![\d.,/-])\d\d-\d))(?=\d?[./])"
_NUMERIC = re.compile(
    rf"(\d(?:(?<![\d.,/-]\d)|{_BEHIND_AN_END})\d{{0,3}})"
    r"(?:([-/])|(\.)\s?)(\d{1,2})(?:\2|\3)\s?(\d{4}|\d{1,2})(?!\d|[-/]\d)"
)
_EAST_ASIAN = re.compile(r"(?:(\d{4})\s?[年년]\s?)?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일]")
_ASIAN_MONTH = re.compile(r"(\d{4})\s?[年년]\s?(\d{1,2})\s?[月월](?!\s?\d{1,2}\s?[日일])")
_COMPACT = re.compile(r"((?:19|20)(?<!\d\d\d)\d{2})(0[1-9]|1[0-2])([0-2]\d|3[01])(?!\d)")
_MONTH_ONLY = re.compile(r"\d(?<![\d/.-]\d)(?:\d{3}[-/]\d{1,2}|\d?/\d{4})(?![\d/-]|\.\d)")
_TIME = re.compile(
    r"(?<![\d:.])(\d{1,2})(?:[:h.](\d{2})(?::(\d{2}))?)?"
    r"(?:\s?([ap])(?:\.?\s?m\b\.?|(?<=:\d\d[ap])(?!\w|\.\s?m))|\s?uhr|\s?(?P<half>π\.?\s?μ\b\.?|μ\.?\s?μ\b\.?|صباح[اً]{0,2}|مساء[اً]{0,2}|[صم]\b|ö[ös]\b"
    r"|sáng|chiều|tối|पूर्वाह्न|अपराह्न|(?:de|da) (?:la )?(?:mañana|tarde|noche|manhã|noite)))?",
    re.IGNORECASE,
)
_MORNINGS = ("π", "ص", "öö", "sáng", "पू", "de la mañ", "de mañ", "da manh")
"""How the words for the first half of the day begin, behind a time in other languages than English."""

_ASIAN_TIME = re.compile(
    r"(?:(午前|上午|오전)|(午後|下午|오후))?\s?(?<!\d)(\d{1,2})(?:[時时点點](?!間|间)|시(?!간)|:)\s?(\d{1,2})?"
)
_ISO = re.compile(
    r"\s*(\d{4})-(\d{1,2})(?:-(\d{1,2}))?(?:[T ](\d{1,2}):(\d{2})(?::(\d{2}))?(?:[.,]\d+)?)?\s?"
    r"(Z|[+-]\d{2}:?\d{2})?\s*",
    re.IGNORECASE,
)
_OFFSET = re.compile(
    r"(?:[.,]\d{1,9})?(?:\s?(?P<zero>Z|UTC|GMT)(?![^\W_])\s?)?(?P<offset>[+−-]\d{1,2}(?::?\d{2})?(?![\d:]))?"
    r"(?:[ ](?P<apart>(?:[+−-]\d{4}|\+\d{2}:\d{2})(?![\d:])))?",
    re.IGNORECASE,
)
_CLOCK = re.compile(r"\s*(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s*(?:([ap])\.?m\.?)?(Z|[+-]\d{2}:\d{2})?\s*", re.I)


@dataclass(frozen=True, slots=True)
class Moment:
    """What a value says of time: days that it can mean, the time of day and the offset from UTC, when it states them.

    Both are in seconds.
    """

    days: tuple[Day, ...]
    seconds: int | None = None
    offset: int | None = None


def scan_numeric_dates(text: str) -> Iterator[tuple[int, int, tuple[Day, ...]]]:
    """Give each date written in numbers, with all days that it can mean.

    >>> [days for _, _, days in scan_numeric_dates("on 03/04/2026 or 12.03.2026")]
    [((2026, 4, 3), (2026, 3, 4)), ((2026, 3, 12),)]
    """
    for match in _NUMERIC.finditer(text):
        days = _numeric_readings(match[1], match[4], match[5], dotted=match[3] is not None)
        if days:
            yield match.start(), match.end(), days
    if "月" in text or "월" in text:
        for match in _EAST_ASIAN.finditer(text):
            yield from _checked(match.start(), match.end(), (int(match[1] or 0), int(match[2]), int(match[3])))
        for match in _ASIAN_MONTH.finditer(text):
            yield from _checked(match.start(), match.end(), (int(match[1]), int(match[2]), 0))
    for match in _COMPACT.finditer(text):
        yield from _checked(match.start(), match.end(), (int(match[1]), int(match[2]), int(match[3])))
    for match in _MONTH_ONLY.finditer(text):
        year, month = sorted(match[0].replace("/", "-").split("-"), key=len, reverse=True)
        yield from _checked(match.start(), match.end(), (int(year), int(month), 0))
    for start, end, day in scan_other_calendars(text):
        yield from _checked(start, end, day)


def _checked(start: int, end: int, day: Day) -> Iterator[tuple[int, int, tuple[Day, ...]]]:
    if is_day(day):
        yield start, end, (day,)


def _numeric_readings(first: str, second: str, third: str, *, dotted: bool) -> tuple[Day, ...]:
    if len(first) == 4:
        orders = [(first, second, third)] if len(third) <= 2 else []
    elif len(first) == 3 or len(third) not in (2, 4):
        orders = []
    else:
        orders = [(third, second, first)] if dotted else [(third, second, first), (third, first, second)]
    days = [(full_year(year), int(month), int(day)) for year, month, day in orders]
    return tuple(dict.fromkeys(day for day in days if is_day(day)))


def full_year(year: str) -> int:
    """Give the year of two or four digits; two digits are of 1970 to 2069."""
    number = int(year)
    return number if len(year) > 2 else number + (2000 if number < 70 else 1900)


def is_day(day: Day) -> bool:
    """Tell whether the parts that are stated can be a day of a calendar."""
    year, month, number = day
    longest = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
    return 1 <= month <= 12 and 0 <= number <= longest[month - 1] and 0 <= year <= 9999


def scan_dates(text: str, folded: str) -> Iterator[tuple[int, int, tuple[Day, ...]]]:
    """Give each date of a text: those with the names of months, as its folded form has them, then those in numbers."""
    words = tokenize(folded)
    for first, past, days in scan_named_dates(words, place_words(words)):
        yield words.starts[first], words.ends[past - 1], days
    yield from scan_numeric_dates(text)


_OUT_OF = ("out", "of")
"""No October in Portuguese: "8 out of 10"."""

_AGO = re.compile(r"(?:s|sec|min|h|hr|d|day|w|wk|week|mo|month|y|yr|year|hour|minute|second|moment|while|decade)s?")
"""What stands before an English "ago", which is no August in Italian or Spanish: "2 hours ago, 3 replies"."""


def scan_named_dates(words: Words, places: Mapping[str, Sequence[int]]) -> Iterator[tuple[int, int, tuple[Day, ...]]]:
    """Give each date with a month's name: first word, one past the last word, and the day.

    ``places`` tells where each word stands, so that only the months are looked at.
    """
    for name, month in MONTHS.items():
        for place in places.get(name, ()):
            if not _is_english_word(words, place):
                yield from _around_month(words, place, month)


def _is_english_word(words: Words, place: int) -> bool:
    before = words.forms[place - 1] if place else ""
    is_ago = words.forms[place] == "ago" and _AGO.fullmatch(before) is not None
    return is_ago or tuple(words.forms[place : place + 2]) == _OUT_OF


def _around_month(words: Words, place: int, month: int) -> Iterator[tuple[int, int, tuple[Day, ...]]]:
    before, day_before = _number_near(words, place, -1, 2, _FILLERS)
    after, number_after = _number_near(words, place, 1, 4, _FILLERS)
    if day_before and number_after and _begins_a_day(words, after):
        after, number_after = place, None
    last, year_after = _number_near(words, after, 1, 4) if number_after and len(number_after) <= 2 else (after, None)
    is_day_after = year_after is not None and len(year_after) == 4  # "18 January 17, 2021": the day is the 17th
    if day_before and is_day((0, month, int(day_before))) and not is_day_after:
        year = full_year(number_after) if number_after and len(number_after) in (2, 4) else 0
        yield before, (after if year else place) + 1, ((year, month, int(day_before)),)
        first, day = _number_near(words, before, -1, 2)
        # 3-7 March 2026: the month is the first day's too
        if day and 0 < int(day) < int(day_before) and _are_joined(words, first, before):
            yield first, (after if year else place) + 1, ((year, month, int(day)),)
    if number_after and len(number_after) <= 2 and is_day((0, month, int(number_after))):
        if year_after and _is_last_day(year_after, number_after, month) and _are_joined(words, after, last):
            end, after_range = _number_near(words, last, 1, 4)
            stated = full_year(after_range) if after_range and len(after_range) == 4 else 0
            past = (end if stated else last) + 1
            yield from ((place, past, ((stated, month, int(day)),)) for day in (number_after, year_after))
            return
        stated = full_year(year_after) if year_after and len(year_after) == 4 else 0
        if not stated and (ahead := _year_ahead(words, place, after)):
            yield place - 1, after + 1, ((ahead, month, int(number_after)),)
        yield place, (last if stated else after) + 1, ((stated, month, int(number_after)),)
    elif number_after and len(number_after) == 4 and not day_before:
        yield place, after + 1, ((int(number_after), month, 0),)


def _begins_a_day(words: Words, place: int) -> bool:
    """Tell whether a number is the day of the next month: "14 February – 31 May" is of no year 31."""
    following = (form for form in words.forms[place + 1 : place + 4] if form not in _FILLERS)
    return len(words.forms[place]) <= 2 and next(following, "") in MONTHS


def _year_ahead(words: Words, place: int, day: int) -> int:
    """Give the year right before a month: "2026. május 3.", "2026-May-03"; 0 for none.

    A point behind the year ends a sentence, unless one stands behind the day, too.
    """
    year = words.forms[place - 1] if place else ""
    gap = words.text[words.ends[place - 1] : words.starts[place]] if place else ""
    is_hungarian = gap == ". " and words.text.startswith(".", words.ends[day])
    return int(year) if len(year) == 4 and year.isdecimal() and (gap in _BEHIND_A_YEAR or is_hungarian) else 0


def with_begun_ranges(days: dict[Day, list[tuple[int, int]]], text: str) -> dict[Day, list[tuple[int, int]]]:
    """Give the places of days, those too that begin a range whose year only its last day states: "5 May – 3 June 2026".

    >>> days = {(0, 12, 28): [(0, 11)], (2026, 1, 3): [(14, 28)]}
    >>> with_begun_ranges(days, "28 December – 3 January 2026")[2025, 12, 28]
    [(0, 11)]
    >>> with_begun_ranges({(2026, 7, 4): [(6, 14)]}, "28.6.–4.7.2026")[2026, 6, 28]
    [(0, 4)]
    """
    ends = grouped((start, day) for day, places in days.items() if day[0] and day[2] for start, _ in places)
    begun: list[tuple[Day, tuple[int, int]]] = []
    for (year, month, number), places in days.items() if ends else ():
        for start, end in places if number and not year else ():
            joined = _RANGE.match(text, end)
            if joined and (last := ends.get(joined.end())):
                begun.append(((_year_before(last[-1], month, number), month, number), (start, end)))
    for match in _BEGUN.finditer(text) if ends else ():
        read = (_begun_in_figures(match, last) for last in ends.get(match.end(), ()))
        begun += [(day, (match.start(), match.end(2) if match[2] else match.end(1))) for day in read if day]
    for day, place in begun:
        days.setdefault(day, []).append(place)
    return days


def _year_before(last: Day, month: int, number: int) -> int:
    """Give the year of the first day of a range, by its last day."""
    return last[0] - (last[1:] < (month, number))


def _begun_in_figures(match: re.Match[str], last: Day) -> Day | None:
    """Give the day that begins a range in figures, in the order of parts of its last day."""
    number, month = int(match[1]), int(match[2]) if match[2] else last[1]
    is_day_first = match.string.startswith((f"{last[2]}", f"{last[2]:02}"), match.end())
    if match[2] and not is_day_first:
        number, month = month, number
    day = _year_before(last, month, number), month, number
    return day if is_day(day) and number and (match[2] or (is_day_first and number < last[2])) else None


def _is_last_day(number: str, first: str, month: int) -> bool:
    """Tell whether a number may be the last day of a range that begins with another: "March 3-7, 2026"."""
    return len(number) <= 2 and int(first) < int(number) and is_day((0, month, int(number)))


def _are_joined(words: Words, first: int, last: int) -> bool:
    """Tell whether more than a blank stands between two words: "7-22 March", and not "7 22 March"."""
    return bool(words.text[words.ends[first] : words.starts[last]].strip())


def _number_near(
    words: Words, place: int, step: int, longest: int, between: frozenset[str] = _FILLERS | _JOINS
) -> tuple[int, str | None]:
    """Give the number beside a word, past fillers ("12th of March"), and its place."""
    position = place
    for _ in range(4):
        position += step
        if not 0 <= position < len(words.forms):
            return place, None
        left, right = sorted((position, position - step))
        gap = words.ends[left], words.starts[right]
        if gap[1] - gap[0] > 4 or _BREAK.search(words.text, *gap):
            return place, None
        form = words.forms[position]
        if form.isdecimal():
            is_time = step > 0 and _OF_A_TIME.match(words.text, words.ends[position]) is not None
            return (position, form) if len(form) <= longest and not is_time else (place, None)
        if form not in between:
            return place, None
    return place, None


def scan_times(text: str, start: int, end: int) -> Iterator[tuple[int, int, int]]:
    """Give each time of day in a stretch of text: start, end, seconds after midnight."""
    for match in _TIME.finditer(text, max(0, start), end):
        named = match["half"] or ""
        if match[2] is None and match[4] is None and match[0][-1:] not in "rR" and len(named) < _SHORTEST:
            continue  # "18 Uhr" says a time without its minutes, "18" none
        half = match[4] or (named and ("a" if named.casefold().startswith(_MORNINGS) else "p"))
        seconds = _seconds(match[1], match[2], match[3], half)
        if seconds is not None:
            yield match.start(), match.end(), seconds


def scan_asian_times(text: str) -> Iterator[tuple[int, int, int]]:
    """Give each time of day that is written in Chinese, Japanese or Korean: start, end, seconds after midnight."""
    for match in _ASIAN_TIME.finditer(text):
        is_named = match[1] or match[2] or text[match.end(3)] != ":"
        seconds = _seconds(match[3], match[4], None, "a" if match[1] else "p" if match[2] else None)
        if is_named and seconds is not None:
            yield match.start(), match.end(), seconds


def times_beside(dates: Iterable[tuple[int, int]], text: str) -> Iterator[tuple[int, int]]:
    """Give the places of the times of day, written with a colon, that follow dates with nothing but signs between."""
    for start, end in dates:
        for first, last, _ in scan_times(text, start, end + _BESIDE):
            if first >= end and ":" in text[first:last] and not any(map(str.isalnum, text[end:first])):
                yield first, last


def _seconds(hour: str, minute: str | None, second: str | None, half: str | None) -> int | None:
    hours, minutes, seconds = int(hour), int(minute or 0), int(second or 0)
    if half:
        hours = hours % 12 + (12 if half in "pP" else 0)
    return hours * 3600 + minutes * 60 + seconds if hours < 24 and minutes < 60 and seconds < 60 else None


def read_moment(value: str) -> Moment | None:
    """Read a value that is a date, a month, or a date with a time, in ISO 8601 form; None for anything else.

    >>> read_moment("2026-03-12T14:30:00Z")
    Moment(days=((2026, 3, 12),), seconds=52200, offset=0)
    """
    match = _ISO.fullmatch(value)
    if match is None or not is_day((int(match[1]), int(match[2]), int(match[3] or 0))):
        return None
    seconds = _seconds(match[4], match[5], match[6], None) if match[4] else None
    return Moment(((int(match[1]), int(match[2]), int(match[3] or 0)),), seconds, _in_seconds(match[7]))


def offset_behind(text: str, start: int, end: int) -> int | None:
    """Give the offset from UTC, in seconds, that a time of day is followed by; None where none surely is.

    A dash may lead to the end of a range: it is a minus behind the T of an ISO date, or behind "UTC".

    >>> [offset_behind(text, 0, 5) for text in ("14:30+01:00", "14:30 UTC-5", "14:30Z", "14:30-16:00")]
    [3600, -18000, 0, None]
    """
    match = _OFFSET.match(text, end)
    if match is not None and match["apart"]:  # "14:27:02 -0500": no end of a range is written so
        return _in_seconds(match["apart"])
    if match is None or not (match["zero"] or match["offset"]):
        return None
    if (
        match["offset"]
        and not match["zero"]
        and match["offset"][0] != "+"
        and text[start - 1 : start] not in ("T", "t")
    ):
        return None
    return _in_seconds(match["offset"] or match["zero"])


def _in_seconds(offset: str | None) -> int | None:
    return None if offset is None else seconds_of_offset(offset)


def seconds_of_offset(offset: str) -> int:
    """Give an offset from UTC in seconds.

    >>> seconds_of_offset("+05:30"), seconds_of_offset("−5"), seconds_of_offset("Z")
    (19800, -18000, 0)
    """
    digits = re.sub(r"\D", "", offset)
    hours, minutes = (digits[:2], digits[2:]) if len(digits) != 3 else (digits[:1], digits[1:])
    seconds = int(hours or 0) * 3600 + int(minutes or 0) * 60
    return seconds if offset[0] not in "-−" else -seconds


def read_time(value: str) -> int | None:
    """Read a value that is a time of day, in seconds after midnight.

    >>> read_time("2:30 pm")
    52200
    """
    match = _CLOCK.fullmatch(value)
    return _seconds(match[1], match[2], match[3], match[4]) if match else None


def offset_of_time(value: str) -> int | None:
    """Give the offset from UTC, in seconds, of a value that is a time of day; None where it has none.

    >>> offset_of_time("19:30:00-05:00"), offset_of_time("19:30Z"), offset_of_time("19:30")
    (-18000, 0, None)
    """
    match = _CLOCK.fullmatch(value)
    return _in_seconds(match[5]) if match else None


def read_spoken_moment(text: str) -> Moment | None:
    """Read a date in words or numbers that fills a whole folded text ("march 12, 2026"); None for anything else."""
    for start, end, days in scan_dates(text, text):
        rest = text[:start] + text[end:]
        if not any(character.isalnum() for character in rest):
            return Moment(tuple(days))
        times = list(scan_times(rest, 0, len(rest)))
        if times and not any(character.isdecimal() for character in rest[: times[0][0]] + rest[times[0][1] :]):
            return Moment(tuple(days), times[0][2])
    return None
