"""Try other notations of a value, if its plain form is not found."""

import re
from bisect import bisect_right
from collections.abc import Hashable, Iterator
from functools import cached_property
from typing import TypeVar

from gleaner.values.mentions.durations import scan_durations, scan_spoken_durations
from gleaner.values.texts.codes import is_email, read_code, scan_codes, scan_emails

Place = tuple[int, int]
_FIGURES = re.compile(r"\d+(?:[.,]\d+)?|[½¼¾]")
_MINUTES = re.compile(r"(?<![\d:.])(\d{1,3}):([0-5]\d)(?![\d:])")
_DEGREES = re.compile(
    r"(?<![\d.,])(\d{1,3})\s?°\s?([0-5]?\d(?:[.,]\d+)?)\s?['′’]"
    r"(?:\s?([0-5]?\d(?:[.,]\d+)?)\s?(?:[\"″”]|['′’]{2}))?\s?([NSEWO])?(?![^\W_])"
)
_SIXTY = 60
_SOUTH_AND_WEST = "SWO"
"""Letters of degrees below zero; "O" is the west in Romance languages and the east in German."""

Key = TypeVar("Key", bound=Hashable)


class Notations:
    """The numbers of telephones, obscured e-mail addresses and durations of one text."""

    def __init__(self, text: str) -> None:
        self._text = text

    def find(self, value: str) -> Iterator[tuple[Place, str]]:
        """Give the places that say a value, each with the transform that reads it."""
        if is_email(value):
            yield from ((place, "email") for place in self._emails.get(value.casefold(), ()))
        elif code := read_code(value):
            yield from ((place, "code") for place in self._codes.get(code, ()))

    @cached_property
    def durations(self) -> dict[int, list[Place]]:
        """The places of durations, by their seconds."""
        return _collect(scan_durations(self._text))

    @cached_property
    def spoken(self) -> dict[int, list[Place]]:
        """The places of durations that are said in words, by their seconds."""
        return _collect(scan_spoken_durations(self._text))

    @cached_property
    def degrees(self) -> list[tuple[float, Place]]:
        """Coordinates in degrees and minutes, in degrees, sorted; those of the south and west are below zero."""
        found: list[tuple[float, Place]] = []
        for one in _DEGREES.finditer(self._text) if "°" in self._text else ():
            minutes, seconds = (float((said or "0").replace(",", ".")) for said in one.group(2, 3))
            value = int(one[1]) + (minutes + seconds / _SIXTY) / _SIXTY
            signs = (-1, 1) if one[4] == "O" else (-1,) if one[4] and one[4] in _SOUTH_AND_WEST else (1,)
            found += [(sign * value, one.span()) for sign in signs]
        return sorted(found)

    @cached_property
    def compounds(self) -> dict[int, list[Place]]:
        """The places of durations of several units, by their seconds."""
        found = {
            seconds: [one for one in places if self._is_compound(one)] for seconds, places in self.durations.items()
        }
        return {seconds: places for seconds, places in found.items() if places}

    @cached_property
    def minutes(self) -> dict[int, list[Place]]:
        """The places of minutes and seconds, "3:45", by their seconds."""
        return _collect(
            (one.start(), one.end(), int(one[1]) * 60 + int(one[2])) for one in _MINUTES.finditer(self._text)
        )

    def is_in_compound(self, start: int, end: int) -> bool:
        """Tell whether a stretch lies in a duration of several units."""
        at = bisect_right(self._compound_places, (start, len(self._text) + 1)) - 1
        return at >= 0 and end <= self._compound_places[at][1]

    @cached_property
    def _compound_places(self) -> list[Place]:
        return sorted(place for places in self.compounds.values() for place in places)

    def _is_compound(self, place: Place) -> bool:
        return len(_FIGURES.findall(self._text, *place)) > 1

    @cached_property
    def _codes(self) -> dict[str, list[Place]]:
        return _collect(scan_codes(self._text))

    @cached_property
    def _emails(self) -> dict[str, list[Place]]:
        return _collect(scan_emails(self._text))


def _collect(found: Iterator[tuple[int, int, Key]]) -> dict[Key, list[Place]]:
    collected: dict[Key, list[Place]] = {}
    for start, end, key in found:
        collected.setdefault(key, []).append((start, end))
    return collected
