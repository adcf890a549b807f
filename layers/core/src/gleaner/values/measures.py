"""Measures and durations: numbers beside a unit, in any unit of the same kind."""

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from types import MappingProxyType

from gleaner.values import locales
from gleaner.values.names import split_name
from gleaner.values.numbers import MAX_CHARS, clean, exact, parse_number
from gleaner.values.text import fold

_FRACTION = "¼½¾⅐-⅞"
_PIECE = re.compile(
    rf"\s*(?:,|\band\b|&|\+)?\s*(?P<number>[+-]?(?:\d[\d.,' ]*\d|\d)?(?:\s?[{_FRACTION}]|\s\d/\d)?)\s?"
    rf"(?P<unit>[^\d,;:()+]+?)\.?(?=$|\s*[\d,;+&]|\s+[{_FRACTION}]|\s+and\s)"
)
_MEASURE = re.compile(
    rf"(?P<number>[+-]?[\d{_FRACTION}][\d.,'/ \u00a0\u202f{_FRACTION}]*?)\s*(?P<unit>[^\d\s.,'/{_FRACTION}].*)"
)
_BESIDE = re.compile(
    rf"(?:(?P<ahead>[^\W\d_]{{1,5}})\.?:?\s?(?=[\d{_FRACTION}]))?"
    rf"(?P<number>[\d{_FRACTION}][\d.,/ {_FRACTION}]*?)(?:\s?(?P<behind>[^\W\d_{_FRACTION}]{{1,5}}))?"
)
"""A number with a word for its unit on either side: "EU 42", "8½ UK"."""
_WORD_AHEAD = re.compile(r"(?<![^\W_])([^\W\d_]{1,5})\.?:?[ \u00a0]?[*_]{0,4}\Z")
_WORD_BEHIND = re.compile(r"[*_]{0,4}[ \u00a0]?([^\W\d_]{1,5})(?![^\W_])")
_REACH = 12
_PARTS = re.compile(r"(?<!\s)\s*[/|;()=]\s*|,\s+")
_ISO = re.compile(
    r"P(?:(?P<week>\d+)W)?(?:(?P<day>\d+(?:[.,]\d+)?)D)?"
    r"(?:T(?:(?P<hour>\d+(?:[.,]\d+)?)H)?(?:(?P<minute>\d+(?:[.,]\d+)?)M)?(?:(?P<second>\d+(?:[.,]\d+)?)S)?)?"
)
_TWICE = re.compile(r"(?<![^\W\d_])([^\W\d_]{1,24})(?: \1)+(?![^\W\d_])", re.IGNORECASE)
"""A unit written for eyes and again for readers of screens: "3 hours hours"."""
_MINUTES_BEHIND, _HOUR = re.compile(r"\s?([0-5]\d)"), 3600
"""What is behind the hours of "1h15"."""
_MOST_DECIMALS = 4
"""A converted number with more decimals is a rounded one: 100 minutes are no number of hours."""
_LONGEST_UNIT = 3


@lru_cache(maxsize=4096)
def units_of(text: str) -> tuple[str, ...]:
    """Give the units that a spelling may stand for, likeliest first; none for a word that is no unit.

    >>> units_of("Metres"), units_of("m²"), units_of("apples")
    (('meter',), ('square-meter',), ())
    """
    return locales.units().get(fold(text), ())


def dimension_of(unit: str) -> str:
    """Give what a unit measures: "length"; a unit that has no other one beside it is its own dimension."""
    return locales.dimensions().get(unit, unit)


_OF_TIME = frozenset(["duration", "calendar", "stay"])
_LETTERS = frozenset(["length", "mass", "volume", "duration"])
_LEAST_FOREIGN = 4
_SCALES_BY_CASE = frozenset("kMT")
"""Behind a number: thousands, millions and trillions. As units they are written K, m and t (SI brochure, 5.2)."""


def is_of_time(unit: str) -> bool:
    """Tell whether a unit measures time: seconds to weeks, months and years, or nights."""
    return dimension_of(unit) in _OF_TIME


@lru_cache(maxsize=4096)
def unit_spelled(word: str) -> str | None:
    """Give the unit that a word right behind a number, or at a name's end, can be taken for; "percent" for a percent.

    A short word of other languages than English is none, since it may be anything: "to" is a terabyte in French.

    >>> unit_spelled("kg"), unit_spelled("Sq. ft"), unit_spelled("Stunden"), unit_spelled("%"), unit_spelled("to")
    ('kilogram', 'square-foot', 'hour', 'percent', None)
    """
    plain = fold(word.replace(" ", "").replace("^", ""))
    for name in (plain, plain.removesuffix("s"), *([fold(word)] if " " in word else [])):
        if name in locales.words("percent"):
            return "percent"
        units = locales.units().get(name, ()) if len(name) > 1 or name == plain else ()
        if units and name not in locales.unit_words("doubtful") and _is_known(name, units[0]):
            return units[0]
    return None


def _is_known(name: str, unit: str) -> bool:
    if len(name) == 1:
        return dimension_of(unit) in _LETTERS and name not in "dst" and (name in locales.english_units() or name > "z")
    is_foreign_word = len(name) >= _LEAST_FOREIGN or (not name.isascii() and len(name) > 1)
    return name in locales.english_units() or name in locales.own_units() or is_foreign_word


@lru_cache(maxsize=256)
def ratios_to(asked: str) -> Mapping[str, tuple[float, ...]]:
    """Give by what numbers in the other units of a dimension are multiplied for one in a unit.

    >>> ratios_to("kilogram")["gram"], ratios_to("gigabyte")["terabyte"], dict(ratios_to("color"))
    ((0.001,), (1000.0, 1024), {})
    """
    known = locales.factors()
    dimension, basic = known.get(asked, ("", 1))
    found = {
        unit: (factor / basic, *([binary] if (binary := locales.binary_ratios().get(unit, {}).get(asked)) else []))
        for unit, (kind, factor) in known.items()
        if kind == dimension and unit != asked
    }
    return MappingProxyType(found)


def is_rounded(said: str, asked: str) -> bool:
    """Tell whether who converts a unit into another one rounds: one of them is metric and the other one is not."""
    customary = locales.unit_words("customary")
    return (said in customary) != (asked in customary)


def convert(value: int | float, unit: str, wanted: str) -> int | float:
    """Give a value in another unit of its dimension; ValueError where there is none, or where digits would be lost.

    >>> convert(1.5, "hour", "minute"), convert(500, "gram", "kilogram"), convert(90, "minute", "hour")
    (90, 0.5, 1.5)
    """
    if unit == wanted:
        return value
    known = locales.factors()
    if unit not in known or wanted not in known or known[unit][0] != known[wanted][0]:
        raise ValueError(f"{unit} is not {wanted}")
    ratio = Decimal(str(value)) * Decimal(repr(known[unit][1])) / Decimal(repr(known[wanted][1]))
    rounded = round(ratio, _MOST_DECIMALS)
    if abs(rounded - ratio) > Decimal("1e-12") * max(abs(ratio), 1):
        raise ValueError(f"{value} {unit} is no exact number of {wanted}")
    return int(rounded) if rounded == rounded.to_integral_value() else exact(format(rounded.normalize(), "f"))


def split_measure(text: str, *, decimal: str | None = None) -> tuple[int | float, tuple[str, ...]]:
    """Give the number and the units that stand beside it.

    >>> split_measure("12.5 kg"), split_measure("½ l"), split_measure("27 inches")
    ((12.5, ('kilogram',)), (0.5, ('liter',)), (27, ('inch',)))
    >>> split_measure("3T")
    Traceback (most recent call last):
    ValueError: not a number and a unit: '3T'
    """
    if len(text) > MAX_CHARS:
        raise ValueError(f"longer than {MAX_CHARS} characters")
    match = _MEASURE.fullmatch(text.strip())
    units = units_of(match["unit"]) if match and match["unit"] not in _SCALES_BY_CASE else ()
    if not units and (match := _BESIDE.fullmatch(text.strip())):
        named = locales.units_beside().get(fold(match["ahead"] or match["behind"] or ""))
        units = (named,) if named and not (match["ahead"] and match["behind"]) else ()
    if match is None or not units:
        raise ValueError(f"not a number and a unit: {text[:80]!r}")
    return parse_number(match["number"], decimal=decimal), units


def measure_in(text: str, wanted: str, *, decimal: str | None = None) -> int | float:
    """Give the number of a measure in a unit: converted, or the one that a text of several units states in it.

    >>> measure_in("1.5 kg / 3.3 lb", "pound"), measure_in("EU 42 / UK 8", "shoe-size-uk")
    (3.3, 8)
    """
    try:
        value, units = split_measure(text, decimal=decimal)
    except ValueError:
        if len(text) > MAX_CHARS:
            raise
        stated = [split_measure(part, decimal=decimal) for part in _PARTS.split(text.strip()) if part]
        own = [value for value, units in stated if wanted in units]
        if len(own) != 1:
            raise
        return own[0]
    unit = next((one for one in units if dimension_of(one) == dimension_of(wanted)), None)
    if unit is None:
        raise ValueError(f"no {wanted}: {text[:80]!r}")
    return convert(value, unit, wanted)


def unit_beside(text: str, start: int, end: int) -> str | None:
    """Give the unit that a word names before a number, or behind it: "EU 42", "42 EU".

    >>> text = "EU 42 / UK 8"
    >>> unit_beside(text, 3, 5), unit_beside(text, 11, 12)
    ('shoe-size-eu', 'shoe-size-uk')
    """
    found = _WORD_AHEAD.search(text[max(0, start - _REACH) : start]) or _WORD_BEHIND.match(text, end)
    return locales.units_beside().get(fold(found[1])) if found else None


def seconds_of(text: str, *, decimal: str | None = None) -> Decimal:
    """Give the seconds of a duration in words or as ISO 8601 has it; ValueError for anything else.

    Behind a longer unit of time "m" is minutes; alone it may be metres.

    >>> [int(seconds_of(text)) for text in ("1 h 30 min", "PT1H45M", "2 Stunden 15 Minuten", "1 ½ hours", "1h 35m")]
    [5400, 6300, 8100, 5400, 5700]
    >>> int(seconds_of("1h15")), int(seconds_of("3 hours hours 30 minutes minutes"))
    (4500, 12600)
    """
    if len(text) > MAX_CHARS:
        raise ValueError(f"longer than {MAX_CHARS} characters")
    stripped = _TWICE.sub(r"\1", text.strip())
    iso = _ISO.fullmatch(stripped.upper()) if stripped[:1] in "Pp" else None
    if iso is not None and any(iso.groups()):
        parts = iso.groupdict().items()
        return sum((_in_seconds(Decimal(part.replace(",", ".")), unit) for unit, part in parts if part), Decimal(0))
    total, at, last = Decimal(0), 0, Decimal("Infinity")
    while at < len(stripped):
        if last == _HOUR and (rest := _MINUTES_BEHIND.fullmatch(stripped, at)):
            return total + int(rest[1]) * 60
        match = _PIECE.match(stripped, at)
        units = () if match is None else ("minute",) if at and match["unit"] == "m" else units_of(match["unit"])
        unit = next((one for one in units if dimension_of(one) == "duration"), None)
        if match is None or unit is None or not match["number"] or _in_seconds(Decimal(1), unit) >= last:
            raise ValueError(f"not a duration: {text[:80]!r}")
        last = _in_seconds(Decimal(1), unit)
        total += Decimal(str(parse_number(match["number"], decimal=decimal))) * last
        at = match.end()
    if not at:
        raise ValueError(f"not a duration: {text[:80]!r}")
    return total


def _in_seconds(value: Decimal, unit: str) -> Decimal:
    return value * Decimal(repr(locales.factors()[unit][1]))


def parse_duration(text: str, unit: str, *, decimal: str | None = None) -> int | float:
    """Give a duration in a unit of time.

    >>> parse_duration("1 h 15 min", "minute"), parse_duration("90 min", "hour"), parse_duration("PT1H", "minute")
    (75, 1.5, 60)
    """
    seconds = seconds_of(text, decimal=decimal)
    value = int(seconds) if seconds == int(seconds) else float(seconds)
    return convert(value, "second", unit)


def parse_quantity(text: str, *, decimal: str | None = None) -> int | float:
    """Give the number before one word, whatever it is; the caller knows that the word is the field's own unit.

    >>> parse_quantity("12.5 kg")
    12.5
    """
    match = re.fullmatch(r"(?P<number>\d[\d., ']*?)\s*[^\W\d_]+", clean(text))
    if match is None:
        raise ValueError(f"not a number and a word: {text[:80]!r}")
    return parse_number(match["number"], decimal=decimal)


_BRACKETED = re.compile(r"[(\[]\s*+(?:in |en )?([^()\[\]]{1,24}?)\s*+[)\]]")
_AFTER_IN = re.compile(r"\b(?:in|measured in|unit:?)\s+((?:[^\s,.;()]+\s?){1,3})", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_][^\s,;()\[\]:]*")
_SHORTEST_WORD = 3


def units_stated(text: str) -> Sequence[str]:
    """Give the units that a label or a description speaks of: in brackets, behind "in", or as a whole word.

    >>> units_stated("Weight (kg)"), units_stated("Duration of the film in minutes"), units_stated("minutes")
    (['kilogram'], ['minute'], ['minute'])
    >>> units_stated("a man of all seasons"), units_stated("Height (m)"), units_stated("Gesamtzeit, Minuten")
    ([], ['meter'], ['minute'])
    """
    found: dict[str, None] = {}
    for piece in (*_BRACKETED.findall(text), *_shorter(_AFTER_IN.findall(text))):
        if units := units_of(piece):
            found.setdefault(units[0])
    for word in _WORD.findall(text):
        bare = word.strip(".'\"")
        if len(bare) >= _SHORTEST_WORD and fold(bare) in locales.english_units():
            found.setdefault(units_of(bare)[0])
        elif len(bare) >= _LEAST_FOREIGN and (unit := unit_spelled(bare)):
            found.setdefault(unit)
    return list(found)


def _shorter(pieces: Sequence[str]) -> list[str]:
    """Give pieces of several words with their first words alone, the longest that is a unit first."""
    found: list[str] = []
    for piece in pieces:
        words = piece.split()
        longest = next(
            (" ".join(words[:count]) for count in range(len(words), 0, -1) if units_of(" ".join(words[:count]))), ""
        )
        found += [longest] if longest else []
    return found


def unit_of_name(name: str) -> str | None:
    """Give the unit that ends a field's name: "weight_kg", "durationMinutes", "minutes".

    >>> unit_of_name("weight_kg"), unit_of_name("durationMinutes"), unit_of_name("name"), unit_of_name("cast_in")
    ('kilogram', 'minute', None, 'inch')
    """
    words = split_name(name)
    for count in range(min(_LONGEST_UNIT, len(words)), 0, -1):
        spelled = " ".join(words[-count:])
        is_long = count < len(words) or len(spelled) >= _SHORTEST_WORD
        if is_long and fold(spelled) in locales.english_units():
            return units_of(spelled)[0]
    return None
