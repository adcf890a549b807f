"""Notations that the proof knows, and that say a number or a day in other figures: "€1.2m", "▼ 3 %", "03.05.24".

Tried only where no plain reading gives the known values, and each only for texts with one number. And names that say a
value in other words: "Germany" for DE, "Roe, Anna" for Anna Roe.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from functools import partial
from typing import get_args

from gleaner.coercion.dates import parse_date
from gleaner.contracts.ports import JsonValue
from gleaner.grounding.numbers.converted import factor_to
from gleaner.grounding.numbers.measures import unit_behind, unit_of
from gleaner.grounding.numbers.numerals import as_number, scan_numbers
from gleaner.grounding.text.code_names import code_named, weekday_named
from gleaner.grounding.text.text_index import Match
from gleaner.recipes.model import FieldSelector
from gleaner.recipes.moments import parse_clock, parse_moment
from gleaner.recipes.phrases import GROUPED
from gleaner.recipes.range_ends import Ends, Which
from gleaner.recipes.stated_units import unit_beside

_DIRECTED = frozenset({"falling", "accounting", "hemisphere", "era"})
_PLAIN = frozenset({"number"})
_STARS = re.compile(r"(?=.{1,20}$)(?:★\s?)+(?:☆\s?)*")
_OF_TIME = re.compile(r"(?:\d{4}-\d\d-\d\d)?[T ]?(?:\d\d:\d\d(?::\d\d)?)?")
_SHORT = re.compile(r"(\d{1,2})([./-])(\d{1,2})\2(\d{2})")
_FIRST_OF_LAST_CENTURY = 70
_LONGEST = 60
_LONGEST_UNIT = 8
"""What stands beside a number may have so many letters: other texts say more than it."""

_TRIED = 12
_IN = "in_unit_"


def _numeric_notations(steps: Sequence[str]) -> Iterator[str]:
    """Give the notations in which numbers of a field may be told."""
    yield from _NUMERIC
    if steps and (unit := unit_of(tuple(steps))):
        yield f"{_IN}{unit}"


def notation(name: str, day_first: bool | None = None) -> Callable[[str], JsonValue] | None:
    """Give what reads a notation, or raises ValueError; None for a name that is none.

    >>> [notation(name)(text) for name, text in (("scaled", "€1.2m"), ("directed", "▼ 3 %"), ("in_unit_kg", "500 g"))]
    [1200000, -3, 0.5]
    """
    if name.startswith(_IN):
        return partial(_in_unit, name.removeprefix(_IN))
    if name in _ORDERED:
        return partial(_ORDERED[name], day_first=day_first)
    return _NUMERIC.get(name) or _DAYS.get(name) or _CLOCKS.get(name) or _WORDED.get(name)


def _values(text: str, transforms: frozenset[str]) -> set[int | float]:
    """Give the values that a text's only number has by these readings; ValueError where there is more than one."""
    if len(GROUPED.findall(text)) != 1 or len(unit_beside(text)) > _LONGEST_UNIT:
        raise ValueError(f"not one number: {text[:80]!r}")
    return {one.value for one in scan_numbers(text) if one.transform in transforms}


def _only(text: str, values: set[int | float]) -> int | float:
    if len(values) != 1:
        raise ValueError(f"no number that is surely told so: {text[:80]!r}")
    return next(iter(values))


def _scaled(text: str) -> int | float:
    return _only(text, _values(text, frozenset({"scale"})))


def _directed(text: str) -> int | float:
    """Give a number below zero where a sign, a word or brackets say so, else the number as it stands."""
    return _only(text, _values(text, _DIRECTED) or _values(text, _PLAIN))


def _share(text: str) -> int | float:
    return _only(text, _values(text, frozenset({"percent"})))


def _stars(text: str) -> int:
    if not _STARS.fullmatch(text):
        raise ValueError(f"not stars: {text[:80]!r}")
    return text.count("★")


def _in_unit(unit: str, text: str) -> int | float:
    """Give a number in the unit that is asked for, from one of the same kind right behind it."""
    number = _only(text, _values(text, _PLAIN))
    ends = {one.end for one in scan_numbers(text) if one.transform == "number"}
    said = {unit_behind(Match(end - 1, end, "normalized"), text) for end in ends}
    factor = factor_to(unit, said.pop()) if len(said) == 1 else None
    if factor is None:
        raise ValueError(f"no measure: {text[:80]!r}")
    return as_number(round(number * factor, 9))


def _short_day(order: str, text: str) -> str:
    match = _SHORT.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"no day: {text[:80]!r}")
    parts = dict(zip(order, (int(match[1]), int(match[3]), int(match[4])), strict=True))
    year = parts["y"] + (1900 if parts["y"] >= _FIRST_OF_LAST_CENTURY else 2000)
    return date(year, parts["m"], parts["d"]).isoformat()


def _clock(text: str, *, is_half: bool, which: Which | None, last: int) -> str | None:
    """Give a time of day, or that at an end of a range of such, up to so many characters."""
    parse = partial(parse_clock, is_half=is_half)
    clock = parse(text) if which is None else Ends(parse, goes_round=True).end(text, which)
    return clock and clock[:last]


def _moment(text: str, *, is_half: bool, shown: tuple[int, int], blank: str, day_first: bool | None = None) -> str:
    """Give what is asked of a day with its time."""
    return parse_moment(text, is_half=is_half, day_first=day_first).replace("T", blank)[slice(*shown)]


def _end_of_days(text: str, *, which: Which, day_first: bool | None = None) -> str | None:
    return Ends(partial(parse_date, day_first=day_first), earlier=_a_year_before).end(text, which)


def _a_year_before(first: str, last: str) -> str:
    """Give a first day in the year before where only a turn of the year is between: "28 December – 3 January 2026"."""
    is_turn = first[5:7] > _LAST_OF_HALF >= last[5:7]
    return f"{int(first[:4]) - 1:04}{first[4:]}" if is_turn else first


def _right_way_round(text: str) -> str:
    """Give a name whose last name stands first: "Roe, Anna" as Anna Roe."""
    last, comma, first = text.partition(", ")
    if not comma or "," in first or any(map(str.isdigit, text)):
        raise ValueError(f"no name with the last name first: {text[:80]!r}")
    return f"{first.strip()} {last.strip()}"


_HALVES = (("12", True), ("24", False))
_WHICH: Sequence[Which] = get_args(Which)
_MINUTES, _SECONDS = 5, 8
_LAST_OF_HALF = "06"
_NUMERIC: Mapping[str, Callable[[str], int | float | None]] = {
    "scaled": _scaled,
    "directed": _directed,
    "share": _share,
    "stars": _stars,
    **{f"scaled_{which}": partial(Ends(_scaled).end, which=which) for which in _WHICH},
}
_DAYS: Mapping[str, Callable[[str], str]] = {
    "short_dmy": partial(_short_day, "dmy"),
    "short_mdy": partial(_short_day, "mdy"),
    "short_ymd": partial(_short_day, "ymd"),
}
_CLOCKS: Mapping[str, Callable[[str], str | None]] = {
    f"clock{half}_{last}{f'_{which}' if which else ''}": partial(_clock, is_half=is_half, which=which, last=last)
    for half, is_half in _HALVES
    for last in (_MINUTES, _SECONDS)
    for which in (None, *_WHICH)
}
_SHOWN = {"day": (0, 10), "clock_5": (11, 16), "clock_8": (11, 19), "minutes": (0, 16), "seconds": (0, 19)}
_ORDERED: Mapping[str, Callable[..., str | None]] = {
    **{f"days_{which}": partial(_end_of_days, which=which) for which in _WHICH},
    **{
        f"{name}_of_moment{half}{blank.strip()}": partial(_moment, is_half=is_half, shown=shown, blank=blank)
        for half, is_half in _HALVES
        for name, shown in _SHOWN.items()
        for blank in ("T", " ")
    },
}
"""Those that read numbers for the day and the month in an order."""

_WORDED: Mapping[str, Callable[[str], str]] = {
    "country_code": partial(code_named, "countries"),
    "language_code": partial(code_named, "languages"),
    "weekday": weekday_named,
    "name_order": _right_way_round,
}


def in_notations(
    selector: FieldSelector, known: Sequence[tuple[str, JsonValue]], steps: Sequence[str], transforms: tuple[str, ...]
) -> Iterator[FieldSelector]:
    """Give the selector with notations that read the first of the known texts, and plain ones beside: "950", "1.2k"."""
    if any(len(text) > _LONGEST for text, _ in known):
        return
    if "date" in transforms:
        names = [name for name, read in _DAYS.items() if all(_says(read, text, value) for text, value in known)]
        yield from (selector.model_copy(update={"transforms": (name,)}) for name in names if len(names) == 1)
    if isinstance(known[0][1], str):
        yield from _in_time(selector, known[0])
    if "quantity" not in transforms:
        return
    for name in _numeric_notations(steps):
        read = notation(name)
        if read and any(_says(read, text, value) for text, value in known[:_TRIED]):
            for mark in (None, ".", ","):
                yield selector.model_copy(update={"transforms": (name, *transforms), "decimal": mark})


def _in_time(selector: FieldSelector, known: tuple[str, JsonValue]) -> Iterator[FieldSelector]:
    """Give the selector with the notations of time that read a known text."""
    if not _OF_TIME.fullmatch(str(known[1])):
        return
    for name in (*_CLOCKS, *_ORDERED):
        for order in (None, True, False) if name in _ORDERED else (None,):
            read = notation(name, order)
            if read and _says(read, *known):
                yield selector.model_copy(update={"transforms": (name,), "day_first": order})


def in_other_words(selector: FieldSelector, known: Sequence[tuple[str, JsonValue]]) -> Iterator[FieldSelector]:
    """Give the selector as one of names that the values are written otherwise for: a country that comes later, too."""
    names = [name for name, read in _WORDED.items() if all(_says(read, text, value) for text, value in known)]
    yield from (selector.model_copy(update={"transforms": (name,)}) for name in names)


def _says(read: Callable[[str], JsonValue], text: str, value: JsonValue) -> bool:
    try:
        return read(text) == value
    except ValueError:
        return False
