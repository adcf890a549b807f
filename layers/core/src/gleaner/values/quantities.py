"""What a text that is one quantity states: a number with its unit, its currencies, or the scale of a rating."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from gleaner.values.conventions import NOTHING_KNOWN, Conventions
from gleaner.values.measures import seconds_of, split_measure
from gleaner.values.money import split_money
from gleaner.values.numbers import (
    parse_count,
    parse_number,
    parse_percent,
    parse_scaled,
    split_rating,
)

Kind = Literal["number", "percent", "money", "measure", "duration", "count", "rating"]


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number and what stands beside it: the units and the currencies that it may be in; a duration is in seconds."""

    value: int | float
    kind: Kind
    units: tuple[str, ...] = ()
    currencies: frozenset[str] = frozenset()


def read_quantity(text: str, page: Conventions = NOTHING_KNOWN) -> Quantity:
    """Give the quantity that a text states; ValueError where it states none, or more.

    >>> read_quantity("12.5 kg")
    Quantity(value=12.5, kind='measure', units=('kilogram',), currencies=frozenset())
    >>> read_quantity("1 h 30 min").value, read_quantity("4.5 out of 5"), read_quantity("€1,299").value
    (5400, Quantity(value=4.5, kind='rating', units=('of 5',), currencies=frozenset()), 1299)
    """
    mark = page.decimal
    ways: tuple[Callable[[], Quantity], ...] = (
        lambda: Quantity(parse_number(text, decimal=mark), "number"),
        lambda: _money(text, mark),
        lambda: Quantity(parse_percent(text, decimal=mark), "percent", ("percent",)),
        lambda: _duration(text, mark),
        lambda: _measure(text, mark),
        lambda: _rating(text),
        lambda: Quantity(parse_scaled(text, decimal=mark, language=page.language), "number"),
        lambda: Quantity(parse_count(text, decimal=mark), "count"),
    )
    for read in ways:
        try:
            return read()
        except ValueError:
            continue
    raise ValueError(f"no quantity: {text[:80]!r}")


def _money(text: str, mark: str | None) -> Quantity:
    value, currencies = split_money(text, decimal=mark)
    return Quantity(value, "money", (), currencies)


def _measure(text: str, mark: str | None) -> Quantity:
    value, units = split_measure(text, decimal=mark)
    return Quantity(value, "measure", units)


def _duration(text: str, mark: str | None) -> Quantity:
    seconds = seconds_of(text, decimal=mark)
    return Quantity(int(seconds) if seconds == int(seconds) else float(seconds), "duration", ("second",))


def _rating(text: str) -> Quantity:
    value, scale = split_rating(text)
    return Quantity(value, "rating", (f"of {scale}",))
