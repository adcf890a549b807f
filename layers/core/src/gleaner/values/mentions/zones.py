"""Time zones behind times of day: "18:00 CEST" is not 18:00+09:00."""

import re

_HOURS: dict[str, tuple[float, ...]] = {
    "CET": (1, 2), "MEZ": (1, 2), "CEST": (2,), "MESZ": (2,), "EET": (2, 3), "EEST": (3,), "WET": (0, 1), "WEST": (1,),
    "MSK": (3,), "EST": (-5, -4, 10, 11), "EDT": (-4, 11), "MST": (-7, -6, 8), "MDT": (-6,), "PST": (-8, -7, 8),
    "PDT": (-7,), "CDT": (-5, -4), "AKST": (-9, -8), "AKDT": (-8,), "HST": (-10,), "JST": (9,), "KST": (9,),
    "AEST": (10, 11), "AEDT": (11,), "ACST": (9.5, 10.5), "AWST": (8,), "NZST": (12, 13), "NZDT": (13,),
    "SGT": (8,), "HKT": (8,), "SAST": (2,), "BRT": (-3,),
}  # fmt: skip
"""Hours from UTC; with those of summer for names that people write all year. Names of several zones far apart, "IST",
"CST", "BST", say nothing."""

_ZONE = re.compile(r"[ \u00a0]?\(?([A-Z]{3,4})(?![^\W_])")
_ANY_ZONE = re.compile(
    r"(?<![^\W_])(?:(?P<zero>UTC|GMT)(?:\s?(?P<sign>[+−-])(?P<hours>\d{1,2})(?::?(?P<minutes>\d{2}))?)?|[A-Z]{3,4})(?![^\W_])"
)


def offsets_stated(text: str) -> frozenset[int]:
    """Give the offsets from UTC, in seconds, that a text names anywhere: "All times are CET", "UTC+2".

    >>> sorted(offsets_stated("All times are CET. The server runs on UTC+05:30."))
    [3600, 7200, 19800]
    """
    found: set[int] = set()
    for match in _ANY_ZONE.finditer(text):
        if match["zero"]:
            seconds = int(match["hours"] or 0) * 3600 + int(match["minutes"] or 0) * 60
            found.add(seconds if match["sign"] in (None, "+") else -seconds)
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
