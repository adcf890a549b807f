"""Time zones behind times of day: "18:00 CEST" is not 18:00+09:00."""

import re

from gleaner.values import locales
from gleaner.values.mentions.dates import seconds_of_offset

_HOURS = locales.meanings("time_zones")
"""Hours from UTC; with those of summer for names that people write all year. Names of several zones far apart, "IST",
"CST", "BST", say nothing."""

_ZONE = re.compile(r"[ \u00a0]?\(?([A-Z]{3,4})(?![^\W_])")
_ANY_ZONE = re.compile(
    r"(?<![^\W_])(?:(?P<zero>UTC|GMT)(?:\s?(?P<offset>[+−-]\d{1,2}(?::?\d{2})?))?|[A-Z]{3,4})(?![^\W_])"
)


def offsets_stated(text: str) -> frozenset[int]:
    """Give the offsets from UTC, in seconds, that a text names anywhere: "All times are CET", "UTC+2".

    >>> sorted(offsets_stated("All times are CET. The server runs on UTC+05:30."))
    [3600, 7200, 19800]
    """
    found: set[int] = set()
    for match in _ANY_ZONE.finditer(text):
        if match["zero"]:
            found.add(seconds_of_offset(match["offset"] or "+0"))
        else:
            found.update(round(hours * 3600) for hours in _HOURS.get(match[0], ()))
    return frozenset(found)


def is_of_zone(text: str, end: int, offset: int, stated: frozenset[int] = frozenset()) -> bool:
    """Tell whether an offset in seconds is meant by the zone behind a time of day, else by one ``stated`` elsewhere.

    >>> [is_of_zone("18:00 CEST", 5, hours * 3600) for hours in (2, 9)], is_of_zone("18:00 hours", 5, 3600)
    ([True, False], False)
    """
    found = _ZONE.match(text, end)
    hours = _HOURS.get(found[1]) if found else None
    return offset in stated if hours is None else offset / 3600 in hours
