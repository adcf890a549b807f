"""Notations that the proof knows, and that say a number or a day in other figures: "€1.2m", "▼ 3 %", "03.05.24".

Tried only where no plain reading gives the known values, and each only for texts with one number.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from functools import partial

from gleaner.ports import JsonValue
from gleaner.proof.converted import factor_to
from gleaner.proof.measures import unit_behind, unit_of
from gleaner.proof.numerals import as_number, scan_numbers
from gleaner.proof.text_index import Match
from gleaner.recipes.model import FieldSelector
from gleaner.recipes.phrases import GROUPED
from gleaner.recipes.stated_units import unit_beside

_DIRECTED = frozenset({"falling", "accounting", "hemisphere", "era"})
_PLAIN = frozenset({"number"})
_STARS = re.compile(r"(?=.{3,20}$)(?:★\s?)+(?:☆\s?)*")
_SHORT = re.compile(r"(\d{1,2})([./-])(\d{1,2})\2(\d{2})")
_FIRST_OF_LAST_CENTURY = 70
_LONGEST = 40
_LONGEST_UNIT = 8
"""What stands beside a number may have so many letters: other texts say more than it."""

_TRIED = 12
_IN = "in_unit_"


def _numeric_notations(steps: Sequence[str]) -> Iterator[str]:
    """Give the notations in which numbers of a field may be told."""
    yield from _NUMERIC
    if steps and (unit := unit_of(tuple(steps))):
        yield f"{_IN}{unit}"


def notation(name: str) -> Callable[[str], int | float | str] | None:
    """Give what reads a notation, or raises ValueError; None for a name that is none.

    >>> [notation(name)(text) for name, text in (("scaled", "€1.2m"), ("directed", "▼ 3 %"), ("in_unit_kg", "500 g"))]
    [1200000, -3, 0.5]
    """
    if name.startswith(_IN):
        return partial(_in_unit, name.removeprefix(_IN))
    return _NUMERIC.get(name) or _DAYS.get(name)


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


_NUMERIC: Mapping[str, Callable[[str], int | float]] = {
    "scaled": _scaled,
    "directed": _directed,
    "share": _share,
    "stars": _stars,
}
_DAYS: Mapping[str, Callable[[str], str]] = {
    "short_dmy": partial(_short_day, "dmy"),
    "short_mdy": partial(_short_day, "mdy"),
    "short_ymd": partial(_short_day, "ymd"),
}


def in_notations(
    selector: FieldSelector, known: Sequence[tuple[str, JsonValue]], steps: Sequence[str], transforms: tuple[str, ...]
) -> Iterator[FieldSelector]:
    """Give the selector with notations that read the first of the known texts, and plain ones beside: "950", "1.2k"."""
    if "date" in transforms:
        names = [name for name, read in _DAYS.items() if all(_says(read, text, value) for text, value in known)]
        yield from (selector.model_copy(update={"transforms": (name,)}) for name in names if len(names) == 1)
    if "quantity" not in transforms or any(len(text) > _LONGEST for text, _ in known):
        return
    for name in _numeric_notations(steps):
        read = notation(name)
        if read and any(_says(read, text, value) for text, value in known[:_TRIED]):
            for mark in (None, ".", ","):
                yield selector.model_copy(update={"transforms": (name, *transforms), "decimal": mark})


def _says(read: Callable[[str], JsonValue], text: str, value: JsonValue) -> bool:
    try:
        return read(text) == value
    except ValueError:
        return False
