"""Lengths of time that a field counts in one unit: "1 hr 4 min" is 64 for ``duration_minutes``, and "2 hr" is 120."""

import re
from collections.abc import Sequence

from gleaner.grounding.dates.durations import unit_of_lengths
from gleaner.grounding.dates.spoken_durations import scan_spoken_durations
from gleaner.grounding.text.codes import scan_durations

LENGTHS = {"in_seconds": 1, "in_minutes": 60, "in_hours": 3600, "in_days": 86400}
"""The transforms that read lengths of time, with the seconds of the unit that they count in."""

_NAMES = {seconds: name for name, seconds in LENGTHS.items()}
_MINUTES_AND_SECONDS = re.compile(r"(\d{1,3}):([0-5]\d)")
_LONGEST = 40


def length_transform(steps: Sequence[str]) -> tuple[str, ...]:
    """Give the transform for numbers of a field whose name says that they are lengths of time; none for others.

    >>> length_transform(("cook_minutes",)), length_transform(("price",))
    (('in_minutes',), ())
    """
    unit = unit_of_lengths(tuple(steps))
    return (_NAMES[unit],) if unit in _NAMES else ()


def parse_length(text: str, *, unit: int) -> int | float:
    """Give how many units of so many seconds a length of time has; ValueError for a text that is no such length alone.

    >>> parse_length("1 hr 4 min", unit=60), parse_length("90 min", unit=3600), parse_length("3:45", unit=1)
    (64, 1.5, 225)
    """
    text = text.strip()
    seconds = _seconds_of(text, unit) if len(text) <= _LONGEST else None
    if seconds is None:
        raise ValueError(f"not a length of time: {text[:80]!r}")
    value = seconds / unit
    return int(value) if value.is_integer() else value


def _seconds_of(text: str, unit: int) -> int | None:
    clock = _MINUTES_AND_SECONDS.fullmatch(text) if unit == 1 else None
    if clock:
        return int(clock[1]) * 60 + int(clock[2])
    for scan in (scan_durations, scan_spoken_durations):
        for start, end, seconds in scan(text):
            if start == 0 and end == len(text):
                return seconds
    return None
