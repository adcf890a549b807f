"""The names of time zones that stand behind times of day: "18:00 CEST" is no 18:00+09:00."""

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


def is_of_zone(text: str, end: int, offset: int) -> bool:
    """Tell whether an offset in seconds may be meant by what stands behind a time of day; any if no zone does.

    >>> [is_of_zone("18:00 CEST", 5, hours * 3600) for hours in (2, 9)], is_of_zone("18:00 hours", 5, 3600)
    ([True, False], True)
    """
    found = _ZONE.match(text, end)
    hours = _HOURS.get(found[1]) if found else None
    return hours is None or offset / 3600 in hours
