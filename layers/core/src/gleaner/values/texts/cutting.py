"""Notice that a match is only part of a larger whole: a code, a phone number, an address, a time.

Strings with structure are proven as wholes (PR-4): "KT-1042" is not what "KT-1042-UK" states, nor "555 0199" what
"+351 22 555 0199" does. What parts a whole from its neighbours is decided by its own shape, in any language.
"""

import re
from collections.abc import Callable
from functools import lru_cache

from gleaner.values.texts.notations import is_email

_DENIED = re.compile(r"(?<![^\W_])non[-\u2010\u2011]\Z", re.IGNORECASE)
_CLOCK = re.compile(r"\d{1,2}:\d{2}")
_HALF_OF_DAY = re.compile(r"\s?[ap]\.?\s?m\b|[ap](?![\w.])", re.IGNORECASE)
_BEGUN_EMAIL = re.compile(r"[\w.+-]+@[\w-]+")
_GOES_ON_AS_EMAIL = re.compile(r"\.?[\w-]")
_BEGAN_AS_EMAIL = re.compile(r"[\w.+-]\Z")
_PHONE = re.compile(r"[+(]{0,2}\d[\d ()./\u00a0-]*\d")
_LEAST_OF_PHONE = 6
"""Digits: shorter groups are amounts and sizes, which are numbers."""

_NORTH_AMERICAN = re.compile(r"(?:1-)?(?:\([2-9]\d\d\) ?|[2-9]\d\d[ .-])\d{3}[ .-]\d{4}")
"""Numbers of ten digits: a blank and figures beside them are of something else."""

_MORE_DIGITS = re.compile(r"[ \u00a0)/-]{1,2}\d")
_DIGITS_BEFORE = re.compile(r"(?:\d[ \u00a0()/-]{1,2}|\+)\Z")
_COUNTRY_BEFORE = re.compile(r"(?:\+\d{1,3}[ \u00a0-]?|\d[/-])\Z")
_CODE = re.compile(r"(?=\S*\d)[^\W_](?:[\w./#+-]*[^\W_])?")
_NUMERIC = re.compile(r"\d+(?:[.,]\d+)*")
_MEASURE = re.compile(r"\d+(?:[.,]\d+)?[^\W\d_]{1,3}")
_NEXT = re.compile(r"([-./_])([^\W_]+)")
_LAST = re.compile(r"([^\W_]+)([-./_])\Z")
_RUN = re.compile(r"[^\W\d_]+|\d+")
_REACH = 24
_LEAST_OF_WORD = 3
_LEAST_OF_NUMBER = 3
_YEARS = range(1000, 3000)


def is_cut(value: str, text: str, start: int, end: int) -> bool:
    """Tell whether a value of a structured kind goes on beside its place, or "non-" denies it.

    >>> is_cut("(030) 123 45", "(030) 123 45 67", 0, 12), is_cut("(201) 555-0199", "07001 (201) 555-0199 24/7", 6, 20)
    (True, False)
    >>> is_cut("1.2", "1.2.3", 0, 3), is_cut("7:05", "7:05 pm", 0, 4), is_cut("1.2", "up to 1.2.", 6, 9)
    (True, True, False)
    >>> is_cut("WPA2", "WPA2/WPA3", 0, 4), is_cut("HL-77", "HL-77/B", 0, 5), is_cut("4410", "4410-22", 0, 4)
    (False, True, True)
    """
    if start and text[start - 1] in "-\u2010\u2011" and _DENIED.search(text, max(0, start - 5), start):
        return True
    goes_on = _rule_of(value.strip())
    return goes_on is not None and goes_on(value.strip(), text, start, end)


_Rule = Callable[[str, str, int, int], bool]


@lru_cache(maxsize=4096)
def _rule_of(value: str) -> _Rule | None:
    """Give what decides for a value of its shape; None for words, which have no whole."""
    if is_email(value) or _BEGUN_EMAIL.fullmatch(value):
        return _is_part_of_email
    if _CLOCK.fullmatch(value):
        return lambda _, text, __, end: _HALF_OF_DAY.match(text, end) is not None
    if _PHONE.fullmatch(value) and sum(map(str.isdigit, value)) >= _LEAST_OF_PHONE and not value.isdigit():
        return _is_part_of_phone
    return _is_part_of_code if _CODE.fullmatch(value) and not _MEASURE.fullmatch(value) else None


def _is_part_of_email(_: str, text: str, start: int, end: int) -> bool:
    return bool(_GOES_ON_AS_EMAIL.match(text, end) or _BEGAN_AS_EMAIL.search(text, max(0, start - 2), start))


def _is_part_of_phone(value: str, text: str, start: int, end: int) -> bool:
    is_whole = _NORTH_AMERICAN.fullmatch(value) is not None
    if is_whole or value.startswith("("):
        goes_on = _MORE_DIGITS.match(text, end) if not is_whole or text[end : end + 1] in "/-" else None
        return bool(goes_on or _COUNTRY_BEFORE.search(text, max(0, start - _REACH), start))
    is_led = not value.startswith("+") and _DIGITS_BEFORE.search(text, max(0, start - 3), start)
    return bool(is_led or _MORE_DIGITS.match(text, end) or _is_part_of_code(value, text, start, end))


def _is_part_of_code(value: str, text: str, start: int, end: int) -> bool:
    behind, ahead = _NEXT.match(text, end), _LAST.search(text, max(0, start - _REACH), start)
    return bool(
        (behind and _belongs(value, behind[1], behind[2]))
        or (ahead and _belongs(value, ahead[2], ahead[1], leads=True))
    )


def _belongs(value: str, mark: str, other: str, *, leads: bool = False) -> bool:
    """Tell whether what a mark joins to a code is a part of it: no alternative, no range, no word after a hyphen."""
    if _NUMERIC.fullmatch(value):
        if mark == "." and other.isdigit():
            return True
        if mark == "-" and value.count(".") > 1:
            return not leads  # "1.0.0-beta"
        return (
            mark == "-"
            and other.isdigit()
            and len(value) >= _LEAST_OF_NUMBER
            and not _is_range(value, other, leads=leads)
        )
    if mark in "-_" and other.islower() and other.isalpha() and len(other) >= _LEAST_OF_WORD:
        return False
    if mark == "." and not (other.islower() or any(map(str.isdigit, other))):
        return False  # the next sentence: "doi: 10.21/j.99.PMID: 3"
    return _shape(value) != _shape(other)


def _is_range(value: str, other: str, *, leads: bool) -> bool:
    first, last = (other, value) if leads else (value, other)
    if not (first.isdigit() and last.isdigit()):
        return False
    return int(first) < int(last) or int(first) in _YEARS


def _shape(text: str) -> str:
    """Give how a text is made: letters, digits, and the marks between them.

    >>> _shape("WPA2"), _shape("HL-77")
    ('a9', 'a-9')
    """
    return _RUN.sub(lambda run: "9" if run[0].isdigit() else "a", text)


def stands_apart(text: str, start: int, end: int) -> bool:
    """Tell whether a stretch begins and ends at a border of words.

    Such is a change from small letters to capitals, too, and the "v" before the number of a version.
    """
    if text[start].isdigit() and text[start - 1 : start] in ("v", "V") and not text[start - 2 : start - 1].isalnum():
        start -= 1
    before, after = text[start - 1 : start], text[end : end + 1]
    return all(
        not (left.isalnum() and right.isalnum()) or (left.islower() and right.isupper())
        for left, right in ((before, text[start]), (text[end - 1], after))
    )
