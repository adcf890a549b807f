"""The ways to read a text as a value of a field, by name, and ``parse``, which gives the one value they agree on."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any

from gleaner.values import locales
from gleaner.values.conventions import NOTHING_KNOWN, Conventions
from gleaner.values.dates import parse_date, parse_date_time, parse_time
from gleaner.values.fields import Field
from gleaner.values.flags import is_availability, parse_boolean, parse_null
from gleaner.values.measures import (
    dimension_of,
    measure_in,
    parse_duration,
    parse_quantity,
)
from gleaner.values.money import CENTS, parse_minor, parse_money, without_lead
from gleaner.values.names import name_words
from gleaner.values.numbers import (
    parse_count,
    parse_integer,
    parse_number,
    parse_percent,
    parse_scaled,
    split_label,
    split_rating,
    times_ten,
)
from gleaner.values.text import fold

_WHOLE, _CENTURY, _PIVOT = 100, 2000, 69
_SHORT_YEAR = re.compile(r"['’‘](\d\d)")
"""A year of two figures; those from 69 on are of the last century, as POSIX has it."""


Reader = Callable[[str, Field, Conventions], Any]


def read_number(text: str, field: Field, page: Conventions, *, parse: Callable[..., Any]) -> int | float:
    """Read a number as it stands, or a whole one; a year also in two figures, "'98"."""
    year = _SHORT_YEAR.fullmatch(text.strip()) if "year" in field.roles else None
    if year is None:
        return parse(text, decimal=page.decimal)
    return int(year[1]) + (_CENTURY if int(year[1]) < _PIVOT else _CENTURY - _WHOLE)


def read_money(text: str, field: Field, page: Conventions) -> int | float:
    """Read an amount with its currency, also the least one that is stated: "From £12.50".

    It is in cents where the field's name or description asks for them, and else in units where it names a price: "18
    ct" may be carats, and "99p" pages.
    """
    try:
        amount = _amount(text, field, page)
    except ValueError:
        cents = parse_minor(text, decimal=page.decimal)
        if not (field.is_in_cents or field.is_paid):
            raise ValueError(f"cents, or something else: {text[:80]!r}") from None
        return cents if field.is_in_cents else times_ten(cents, -CENTS)
    return times_ten(amount, CENTS) if field.is_in_cents else amount


def _amount(text: str, field: Field, page: Conventions) -> int | float:
    """Give an amount in its currency, also the least one that is stated."""
    try:
        return parse_money(text, decimal=page.decimal)
    except ValueError:
        if not field.is_paid or (least := without_lead(text)) == text or field.roles & {"highest", "last"}:
            raise
        return parse_money(least, decimal=page.decimal)


def read_percent(text: str, field: Field, page: Conventions) -> int | float:
    """Read a percentage: as a share of one where the field ends at one, and only what can't be both."""
    value = parse_percent(text, decimal=page.decimal)
    if field.maximum != 1:
        return value
    if not 1 < value <= _WHOLE:
        raise ValueError(f"a share of one or a percentage: {text[:80]!r}")
    return round(value / _WHOLE, 12)


def read_rating(text: str, field: Field, page: Conventions) -> int | float:
    """Read the points of a rating whose scale the field states, by its maximum or in words: "4.5/5", "9.1 分"."""
    try:
        value, scale = split_rating(text)
    except ValueError:
        number, word = split_label(text)
        if "rating" not in field.roles or fold(word) not in locales.words("points"):
            raise
        return parse_number(number, decimal=page.decimal)
    if field.maximum != scale and field.words.isdisjoint(locales.words("rating")):
        raise ValueError(f"the field {field.name!r} says nothing of a scale of {scale}")
    return value


def read_quantity(text: str, field: Field, page: Conventions) -> int | float:
    """Read a measure in the field's unit, converted if it is given in another one without losing a digit."""
    for wanted in field.units:
        if dimension_of(wanted) == "duration":
            return parse_duration(text, wanted, decimal=page.decimal)
        try:
            return measure_in(text, wanted, decimal=page.decimal)
        except ValueError:
            continue
    label = fold(split_label(text)[1])
    if label not in field.words and label.removesuffix("s") not in field.words:
        raise ValueError(f"the field {field.name!r} says nothing of {label!r}")
    return parse_quantity(text, decimal=page.decimal)


def read_boolean(text: str, field: Field, _: Conventions) -> bool:
    """Read a word for yes or no. Words about stock answer no field that asks the opposite, as "sold_out" does."""
    words = name_words(field.name)
    if is_availability(text) and not locales.words("sold_out_names").isdisjoint(words):
        if words in (name_words(text), ("is", *name_words(text))):
            return True
        raise ValueError(f"the field {field.name!r} asks the opposite of {text[:80]!r}")
    return parse_boolean(text)


READERS: Mapping[str, Reader] = MappingProxyType(
    {
        "null": lambda text, _, __: parse_null(text),
        "number": partial(read_number, parse=parse_number),
        "integer": partial(read_number, parse=parse_integer),
        "money": read_money,
        "percent": read_percent,
        "scale": lambda text, _, page: parse_scaled(text, decimal=page.decimal, language=page.language),
        "count": lambda text, _, page: parse_count(text, decimal=page.decimal),
        "rating": read_rating,
        "quantity": read_quantity,
        "boolean": read_boolean,
        "date": lambda text, _, page: parse_date(text, day_first=page.day_first, language=page.language),
        "date_time": lambda text, _, page: parse_date_time(text, day_first=page.day_first, language=page.language),
        "time": lambda text, _, __: parse_time(text),
    }
)
"""Every way to read a text, by the name that a result's provenance gives it."""

_OF_NUMBERS = ("money", "percent", "scale", "count", "rating", "quantity")
_OF_FORMATS = {"date": "date", "date-time": "date_time", "time": "time"}


def readers_for(field: Field) -> tuple[str, ...]:
    """Give the names of the readers that may read a text for a field, likeliest first.

    >>> readers_for(Field(types=frozenset(["integer", "null"])))
    ('null', 'integer', 'money', 'percent', 'scale', 'count', 'rating', 'quantity')
    """
    names = ["null"] if "null" in field.types and "string" not in field.types else []
    if "number" in field.types:
        names += ["number", *_OF_NUMBERS]
    elif "integer" in field.types:
        names += ["integer", *_OF_NUMBERS]
    if "boolean" in field.types:
        names.append("boolean")
    if "string" in field.types:
        names += [_OF_FORMATS[each] for each in field.formats if each in _OF_FORMATS]
    return tuple(names)


_FIGURE = re.compile(r"[\d¼½¾⅐-⅞〇零一二三四五六七八九十百千壱弐两]")
_NUMERIC = frozenset(["number", "integer", *_OF_NUMBERS])


def able_to_read(text: str, names: Sequence[str]) -> Sequence[str]:
    """Give those readers that may read a text: no number is read from one without a figure, which is most texts.

    >>> able_to_read("In stock", ("number", "money", "boolean"))
    ['boolean']
    """
    return names if _FIGURE.search(text) else [name for name in names if name not in _NUMERIC]


def parse(text: str, field: Field, page: Conventions = NOTHING_KNOWN) -> Any:
    """Give the value that a text has for a field; ValueError where it has none, or several.

    >>> parse("1 h 30 min", Field("total_time", frozenset(["integer"]), description="minutes"))
    90
    >>> parse("1.299,00 €", Field("price", frozenset(["number"])))
    1299.0
    """
    found: list[Any] = []
    for name in able_to_read(text, readers_for(field)):
        try:
            value = READERS[name](text, field, page)
        except ValueError:
            continue
        if isinstance(value, float) and field.types.isdisjoint(["number"]):
            if not value.is_integer():
                continue
            value = int(value)
        if not any(value == each and type(value) is type(each) for each in found):
            found.append(value)
    if len(found) != 1:
        raise ValueError(f"{'several values' if found else 'no value'} for {field.name!r}: {text[:80]!r}")
    return found[0]
