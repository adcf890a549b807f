"""Whether a place of a text is a part of something longer, which another value would state."""

import re
from functools import lru_cache

from gleaner.proof.codes import is_email

_CODE = re.compile(r"(?=.*\d)(?=.*[A-Z])[A-Z0-9]+(?:[-./][A-Z0-9]+)+")
_GOES_ON = re.compile(r"[-./][A-Z0-9]")
"""A code of several parts, and what makes it another one: FK-0900 is not FK-0900-B."""

_DOTTED = re.compile(r"\d+(?:\.\d+)+")
_DASHED = re.compile(r"\d+(?:-\d+){2,}")
_CLOCK = re.compile(r"\d{1,2}:\d{2}")
_BEGUN_EMAIL = re.compile(r"[\w.+-]+@[\w-]+")
_NEVER = re.compile(r"(?!)")
_BEHIND_OF = {
    "code": _GOES_ON,
    "dotted": re.compile(r"\.\d|-(?:alpha|beta|rc|pre|dev|snapshot|canary|nightly)(?![^\W\d_])", re.IGNORECASE),
    "dashed": re.compile(r"-[\dX]"),
    "clock": re.compile(r"\s?[ap]\.?\s?m\b", re.IGNORECASE),
    "email": re.compile(r"\.?[\w-]"),
}
_DENIED = re.compile(r"(?<![^\W_])non[-\u2010\u2011]\Z", re.IGNORECASE)
_AHEAD_OF = {"dotted": re.compile(r"\d\.\Z"), "dashed": re.compile(r"\d-\Z"), "email": re.compile(r"[\w.+-]\Z")}


def is_cut(value: str, text: str, start: int, end: int) -> bool:
    """Tell whether a code, a version, a clock or an e-mail address goes on beside its place, or "non-" denies it.

    >>> is_cut("1.2", "1.2.3", 0, 3), is_cut("7:05", "7:05 pm", 0, 4), is_cut("1.2", "up to 1.2.", 6, 9)
    (True, True, False)
    """
    if start and text[start - 1] in "-\u2010\u2011" and _DENIED.search(text, max(0, start - 5), start):
        return True
    kind = _kind_of(value)
    if not kind:
        return False
    ahead = _AHEAD_OF.get(kind, _NEVER)
    return bool(_BEHIND_OF[kind].match(text, end) or ahead.search(text, max(0, start - 2), start))


@lru_cache(maxsize=4096)
def _kind_of(value: str) -> str:
    plain = value.strip()
    if is_email(plain) or _BEGUN_EMAIL.fullmatch(plain):
        return "email"
    if plain[-1:].isdigit():
        for kind, pattern in (("dotted", _DOTTED), ("dashed", _DASHED), ("clock", _CLOCK)):
            if pattern.fullmatch(plain):
                return kind
    return "code" if _CODE.fullmatch(value) else ""


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
