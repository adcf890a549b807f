"""Other notations of a value, for which a text is searched if the plain form is not found.

"+49 30 1234567" states "+49301234567", "joe [at] example.com" an address, "1 h 30 min" a duration.
"""

import re
from bisect import bisect_right
from collections.abc import Hashable, Iterator
from functools import cached_property
from typing import TypeVar

from gleaner.values.lookups import grouped
from gleaner.values.mentions.durations import scan_durations, scan_spoken_durations

Place = tuple[int, int]
_SEPARATORS = "[ \u00a0()./–-]{0,3}"
_CODE = re.compile(
    r"(?<![\w+])(?:[A-Z]{2}(?=\d\d\s?\w)|(?P<land>[A-Z]{2} )(?=\d))?"
    rf"[+(]{{0,2}}\d(?:{_SEPARATORS}\d){{6,30}}(?:-?X)?(?![^\W_])"
)
_TRUNK_ZERO = "(0)"
_VALUE = re.compile(r"(?:tel:)?(?:[A-Z]{2})?[+(]{0,2}[\d ()./\u00a0–-]{7,50}X?")
_NO_DIGIT = re.compile(r"[^\dA-Z]")
_LEAST_DIGITS = 7

_AT = r"\s*(?:[\[({<]\s*(?:at|ät|@|arroba|chez|AT)\s*[\])}>]|\sAT\s)\s*"
_DOT = r"(?:\.|\s*[\[({<]\s*(?:dot|punkt|punto|point|DOT|\.)\s*[\])}>]\s*|\sDOT\s)"
_OBSCURED = re.compile(rf"(?<![\w.+-])([\w.+-]{{1,64}}){_AT}([\w-]{{1,63}}(?:{_DOT}[\w-]{{1,63}}){{1,5}})")
_ANY_DOT = re.compile(_DOT)
_EMAIL = re.compile(r"[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+")

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
    return grouped((key, (start, end)) for start, end, key in found)


def scan_codes(text: str) -> Iterator[tuple[int, int, str]]:
    """Give the telephone numbers and codes of many digits: start, end, what is left without signs between.

    >>> [code for _, _, code in scan_codes("Tel. +49 (0)30 1234567, ISBN 978-3-16-148410-0, 12 345")]
    ['49301234567', '490301234567', '9783161484100']
    """
    for match in _CODE.finditer(text):
        if _TRUNK_ZERO in match[0]:
            yield match.start(), match.end(), code_key(match[0].replace(_TRUNK_ZERO, ""))
        if match["land"]:
            yield match.end("land"), match.end(), code_key(match[0][match.end("land") - match.start() :])
        yield match.start(), match.end(), code_key(match[0])


def code_key(code: str) -> str:
    """Give a code without what parts its digits."""
    return _NO_DIGIT.sub("", code)


def read_code(value: str) -> str:
    """Give the key of a value that is a telephone number or a code of many digits; "" for any other."""
    key = code_key(value.removeprefix("tel:")) if _VALUE.fullmatch(value.strip()) else ""
    return key if len(key) >= _LEAST_DIGITS else ""


def scan_emails(text: str) -> Iterator[tuple[int, int, str]]:
    """Give the e-mail addresses that are written so that machines should not see them.

    >>> [address for _, _, address in scan_emails("joe [at] example (dot) com")]
    ['joe@example.com']
    """
    for match in _OBSCURED.finditer(text):
        yield match.start(), match.end(), f"{match[1]}@{_ANY_DOT.sub('.', match[2])}".casefold()


def is_email(value: str) -> bool:
    """Tell whether a value is an e-mail address."""
    return "@" in value and _EMAIL.fullmatch(value) is not None
