"""Every number, amount, day and time that a text states, with its place and all of its readings."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from gleaner.values import locales
from gleaner.values.lookups import grouped
from gleaner.values.measures import dimension_of, units_of
from gleaner.values.money import currencies_of
from gleaner.values.numbers import OPEN, parse_number, times_ten
from gleaner.values.text import fold, plain
from gleaner.values.texts.text_index import TextIndex

Kind = Literal["number", "percent", "money", "measure", "duration", "date", "time"]


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a mention; a time is as the text has it."""

    kind: Kind
    value: Any
    currencies: frozenset[str] = frozenset()


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
_CLOCK = re.compile(
    r"(?<![\d:])(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:\s?[ap]\.?\s?m\b\.?)?", re.IGNORECASE
)
_BEFORE = re.compile(r"(?:[^\W\d_]{1,4}[.$]?|[^\w\s.,:;!?()\[\]|*\"'/-]{1,2}|[^\W\d_]{0,3}[$£¥])[^\S\n]?$")
_AFTER = re.compile(r"[^\S\n]?(?P<word>[^\W\d_][^\s\d,;:()\[\]|*]{0,20}|[^\w\s,;:.()\[\]|*!?-]{1,2})")
_REACH = 12


def scan(text: str) -> list[Mention]:
    """Give the mentions of a text in order; a number that overlaps a day or a time is a part of it.

    >>> [(one.readings[0].kind, one.readings[0].value) for one in scan("Ben, 12 March 2026: 5 kg for €3.50 (20 % off)")]
    [('date', '2026-03-12'), ('measure', 5), ('money', 3.5), ('percent', 20)]
    >>> [reading.value for reading in scan("1.299")[0].readings]
    [1.299, 1299]
    """
    written = plain(text)
    dated: list[Mention] = []
    for one in sorted((*_days(written), *_times(written)), key=lambda one: (one.start, -one.end)):
        if not dated or one.start >= dated[-1].end:
            dated.append(one)
    return sorted((*dated, *_quantities(written, dated)), key=lambda one: one.start)


def _days(text: str) -> Iterator[Mention]:
    """Give the days, as the proof reads them, but for those of figures alone, which number other things."""
    found = grouped(
        (place, Reading("date", f"{year:04}-{month:02}-{day:02}"))
        for (year, month, day), places in TextIndex(text).days.items()
        for place in places
        if year and day and not text[slice(*place)].isdecimal()
    )
    return (Mention(*place, tuple(readings)) for place, readings in found.items())


def _times(text: str) -> Iterator[Mention]:
    return (Mention(*one.span(), (Reading("time", one[0]),)) for one in _CLOCK.finditer(text))


def _quantities(text: str, dated: Sequence[Mention]) -> Iterator[Mention]:
    """Give the numbers that are no part of a day, of a time, or of the number before."""
    starts, reached = [one.start for one in dated], 0
    for match in _NUMBER.finditer(text):
        nearest = bisect_left(starts, match.end()) - 1
        if match.start() < reached or (nearest >= 0 and match.start() < dated[nearest].end):
            continue
        if mention := _quantity(text, match):
            yield mention
            reached = mention.end


def _quantity(text: str, match: re.Match[str]) -> Mention | None:
    """Give a number with what stands beside it: a currency before or behind, a scale, a unit, a percent sign."""
    values = _values(match)
    if not values:
        return None
    start, end = match.span()
    before = _BEFORE.search(text[max(0, start - _REACH) : start])
    codes = currencies_of(before[0].strip()) if before else frozenset[str]()
    if start and text[start - 1].isalpha() and not codes:
        return None  # a part of a code, as in "M100"
    start -= len(before[0]) if before and codes else 0
    after = _AFTER.match(text, end)
    if after is not None and (power := _power(after["word"], has_sign=bool(codes))):
        values = [times_ten(value, power) for value in values]
        end, after = after.end(), _AFTER.match(text, after.end())
    word = after["word"] if after else ""
    is_of_next = after is not None and text[after.end() : after.end() + 1].isdigit()  # "70 $229.99"
    kind: Kind = "money" if codes else "number"
    if after is None or codes:
        pass
    elif not is_of_next and (codes := currencies_of(word.rstrip("."))):
        kind, end = "money", after.end()
    elif word.startswith("%") or fold(word) in locales.words("percent"):
        kind, end = "percent", after.end()
    elif units := units_of(word):
        kind, end = "duration" if dimension_of(units[0]) == "duration" else "measure", after.end()
    return Mention(start, end, tuple(Reading(kind, value, codes) for value in values))


def _power(word: str, *, has_sign: bool) -> int:
    """Give the power of ten of a word behind a number; of what may be a unit, too, only behind a currency's sign."""
    name = fold(word)
    power = locales.scales().get(name, 0)
    return power if power > 0 and (has_sign or name == "k" or name not in locales.units()) else 0


def _values(match: re.Match[str]) -> list[int | float]:
    """Give the values of a number: as it stands, and where its one mark may group or part decimals, both ways."""
    number = f"{match['number']}{match['part'] or ''}"
    marks = (None, *(".,"[:: 1 if "." in number else -1] if OPEN.fullmatch(number) else ""))
    found: list[int | float] = []
    for mark in marks:
        try:
            value = parse_number(number, decimal=mark)
        except ValueError:
            continue
        value = -value if match["sign"] else value
        if value not in found:
            found.append(value)
    return found
