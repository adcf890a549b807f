"""Times of day, and days with a time, as pages write them: read only if all of a text is one."""

import re

from gleaner.values.dates import parse_date

_LONGEST = 80
_CLOCK = re.compile(
    r"(?:(?P<lead>um|at|à|a las|alle|ore|kl\.?|klo|o|om|в)\s+)?(?P<hour>\d{1,2})"
    r"(?:(?P<mark>[:.h])(?P<minute>\d{2})(?::(?P<second>\d{2}))?)?"
    r"\s*(?:(?P<half>[ap])\.?\s?m\.?|(?P<word>uhr|h|hrs|hs))?",
    re.IGNORECASE,
)
_BREAK = re.compile(r"\s*[,·•|–—-]?\s+|,")


def parse_clock(text: str, *, is_half: bool) -> str:
    """Give the time of day that a text says, with its half of the day or without; ValueError for any other text.

    >>> parse_clock("19.30 Uhr", is_half=False), parse_clock("7:30 PM", is_half=True)
    ('19:30:00', '19:30:00')
    """
    match = _CLOCK.fullmatch(text.strip())
    is_told = match and (
        match["half"] or match["word"] or (match["minute"] and (match["lead"] or match["mark"] != "."))
    )
    if match is None or not is_told or bool(match["half"]) != is_half:
        raise ValueError(f"no time of day: {text[:80]!r}")
    hour, minute, second = (int(match[name] or 0) for name in ("hour", "minute", "second"))
    if hour > (12 if is_half else 23) or (is_half and not hour) or minute > 59 or second > 59:
        raise ValueError(f"no such time: {text[:80]!r}")
    if is_half:
        hour = hour % 12 + (12 if match["half"] in "pP" else 0)
    return f"{hour:02}:{minute:02}:{second:02}"


def parse_moment(text: str, *, is_half: bool, day_first: bool | None = None) -> str:
    """Give the day and the time of day that a text says; ValueError for one that says anything else.

    >>> parse_moment("Sat, 3 May 2026, 19.30 Uhr", is_half=False)
    '2026-05-03T19:30:00'
    """
    said = text.strip()
    found: set[str] = set()
    for match in _BREAK.finditer(said) if len(said) <= _LONGEST else ():
        try:
            clock = parse_clock(said[match.end() :], is_half=is_half)
            found.add(f"{parse_date(said[: match.start()], day_first=day_first)}T{clock}")
        except ValueError:
            continue
    if len(found) != 1:
        raise ValueError(f"no day with a time: {text[:80]!r}")
    return found.pop()
