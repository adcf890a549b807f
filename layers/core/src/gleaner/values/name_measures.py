"""What a field's name says that it is measured in, in any language: a unit, money, a count, a year, a rating.

Where a name says nothing of it, any number will do.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from gleaner.values import locales
from gleaner.values.measures import is_of_time, unit_spelled
from gleaner.values.names import name_words, roles_of

_OF_NAMES = {"c": "°c", "f": "°f", "celcius": "°c"}
_PERCENT = "percent"
_PARTS_OF_TIME = frozenset(["day", "week", "month", "year", "hour", "minute", "second", "night"])
"""Parts of calendars and clocks, in the singular: what is measured in them is named in the plural."""

_LARGE = re.compile(
    r"follower|subscri|view|download|install|user|population|member|inhabitant|play|stream|revenue|budget|turnover|sales"
    r"|profit|income|cap\b|valuation|vote|like|share|review|umsatz|einwohner|abonn",
    re.IGNORECASE,
)
_METRIC = ("meter", "gram", "liter")
_SURE = 2
"""Letters of a unit that can mean nothing else: metres, minutes and millions all are "m"."""

_SECONDS = {"second": 1, "minute": 60, "hour": 3600, "day": 86400}


class NameMeasure(NamedTuple):
    """What a field's name says: a unit, and whether surely; the currencies; that it is paid, counted or a year."""

    unit: str | None = None
    is_sure: bool = False
    currencies: frozenset[str] = frozenset()
    is_paid: bool = False
    is_counted: bool = False
    is_year: bool = False

    @property
    def is_told(self) -> bool:
        """Whether it is measured, paid or counted: no part of a date."""
        if self.is_year or (self.unit is not None and is_of_time(self.unit)):
            return False
        return self.is_counted or self.is_paid or self.unit is not None

    @property
    def sure_unit(self) -> str | None:
        """The unit that the name surely says."""
        return self.unit if self.is_sure or self.unit in _METRIC else None

    @property
    def seconds(self) -> int:
        """How many seconds its unit has, from seconds to days; 0 for any other unit."""
        return seconds_of_unit(self.unit or "")


def seconds_of_unit(unit: str) -> int:
    """Give how many seconds a unit of time has, from seconds to days; 0 for any other unit."""
    return _SECONDS.get(unit, 0)


@lru_cache(maxsize=4096)
def measure_of(name: str) -> NameMeasure:
    """Give what a field's name says that its numbers are measured in.

    >>> measure_of("weight_kg").unit, measure_of("dauer_stunden").unit, measure_of("price").is_paid
    ('kilogram', 'hour', True)
    >>> measure_of("hourly_wage_min").unit, measure_of("min").unit, measure_of("min_weight_kg").unit
    (None, None, 'kilogram')
    """
    words = name_words(name)
    if not words or "per" in words:
        return NameMeasure()
    if "period" in roles_of(words[-1]) and len(words) > _SURE and unit_spelled(words[-2]):
        words = words[:-1]  # "kwh_year" is told in kWh
    last = " ".join(words[-2:]) if unit_spelled(" ".join(words[-2:])) else words[-1]
    if last in ("m", "b") and is_large(words[0]):
        return NameMeasure()
    if last in locales.main_currencies() or "money" in roles_of(last):
        return NameMeasure(currencies=locales.marks_of_money()[last], is_paid=True)
    if not locales.words("paid").isdisjoint(words) and unit_spelled(last) != _PERCENT:
        return NameMeasure(is_paid=True)
    # "min" alone, or ahead, is the least of something; minutes are told with what they are minutes of.
    units = [word for at, word in enumerate(words) if unit_spelled(word) and word not in last and (at or word != "min")]
    spelled = _OF_NAMES.get(last, last)
    known = unit_spelled(spelled) if not units and last not in _PARTS_OF_TIME and words != ("min",) else None
    is_named = known is not None and (len(words) > 1 or len(spelled) >= _SURE)
    roles = roles_of(last)
    return NameMeasure(
        unit=known if is_named else None,
        is_sure=is_named and len(spelled) >= _SURE,
        is_counted="count" in roles and not units,
        is_year="year" in roles and not is_named,
    )


def is_large(name: str) -> bool:
    """Tell whether a name is of what is told in thousands and millions, and never in metres or bytes."""
    return _LARGE.search(name) is not None


def is_rating(name: str) -> bool:
    """Tell whether a name says that it is a rating."""
    return "rating" in roles_of(name)


@lru_cache(maxsize=1024)
def is_of_a_scale(name: str) -> bool:
    """Tell whether a name says that it is a rating or a place of several, and not the scale itself."""
    roles, words = roles_of(name), name_words(name)
    last = roles_of("".join(words[-1:]))
    is_given = words[-1:] == ("score",) and "giver" in roles
    return (is_given or not last.isdisjoint(["rating", "place_in_order"])) and "of_a_scale" not in roles
