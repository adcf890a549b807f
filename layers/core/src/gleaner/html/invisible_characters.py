"""Remove invisible characters, by Unicode's rules and their context.

A page can write to a model what its readers never get to see: in tag characters (a copy of ASCII without glyphs), in
runs of variation selectors (each a byte), between letters as zero-width marks, or turned about by bidi overrides. Some
of the same characters are part of how scripts and emoji are written; those stay where they do that:

- a joiner or non-joiner between letters of a script that joins them, and in emoji sequences (UAX #31, 2.3; UTS #51);
- one variation selector behind a character that can have one, and keycaps;
- tag characters in the flags of England, Scotland and Wales, which begin with a black flag and end with a cancel tag;
- bidi marks and isolates in a text that has right-to-left letters at all.

Unicode 16, Default_Ignorable_Code_Point; UTS #39, section 5.4; UTR #36, 2.1.
"""

import re
import unicodedata
from functools import lru_cache

_IGNORABLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
"""Default_Ignorable_Code_Point, and the marks of interlinear annotations."""
_RUN = re.compile(f"[{_IGNORABLE}]+")
_MAY_BE = re.compile(f"[{_IGNORABLE[: _IGNORABLE.index(chr(0x1BCA0))]}\U00010000-\U0010ffff]")
"""A third of the time of the run: few texts have anything beyond the first plane, which one range tells."""
_BLANKS = frozenset("\u115f\u1160\u3164\uffa0")
"""Hangul fillers: letters by their category, blank to the eye."""
_JOINERS = frozenset("\u200c\u200d")
_FLAG = re.compile("(?<=\U0001f3f4)[\U000e0030-\U000e0039\U000e0061-\U000e007a]{1,6}\U000e007f")
_BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u2066\u2067\u2068\u2069")
"""Marks, embeddings and isolates; the overrides, U+202D and U+202E, show other text than is written."""
_RIGHT_TO_LEFT = frozenset(("R", "AL", "AN"))
_OPENING, _CLOSING = (
    frozenset("\u2066\u2067\u2068\u202a\u202b"),
    {"\u2069": "\u2066\u2067\u2068", "\u202c": "\u202a\u202b"},
)
_JOINING_BLOCKS = ((0x0600, 0x08FF), (0x0900, 0x0DFF), (0x0F00, 0x109F), (0x1780, 0x18AF), (0x1900, 0x1CFF),
                   (0xA800, 0xABFF), (0xFB50, 0xFDFF), (0xFE70, 0xFEFF), (0x10A00, 0x11FFF),
                   (0x1E900, 0x1E95F))  # fmt: skip
"""Scripts whose letters join or stack: Arabic to Sinhala, Tibetan to Mongolian, South Asia, Rohingya to Adlam."""
SKIPPED_IN_CELLS = f"\\s\x00-\x1f\x7f-\xa0{_IGNORABLE}"
"""For a character class: what stands before a sign without being seen, blanks too."""


def drop_invisible(text: str) -> str:
    """Give the text without the characters that nobody sees and that write nothing.

    >>> drop_invisible("ti\\u200bn\\U000e0041\\u202e"), drop_invisible("\\u2764\\ufe0f \\u0645\\u06cc\\u200c\\u062e")
    ('tin', '\\u2764\\ufe0f \\u0645\\u06cc\\u200c\\u062e')
    """
    if text.isascii() or not _MAY_BE.search(text):
        return text
    keeps_bidi = bool(_BIDI.intersection(text)) and any(map(_is_right_to_left, text))
    return _RUN.sub(lambda found: _seen_of(found, keeps_bidi=keeps_bidi), text)


def _seen_of(found: re.Match[str], *, keeps_bidi: bool) -> str:
    """Give what of a run of invisible characters has a use between its neighbours."""
    text, start, end = found.string, found.start(), found.end()
    before, behind = text[start - 1 : start], text[end : end + 1]
    if flag := _FLAG.match(text, start):
        return flag[0]
    kept = ""
    for character in found[0]:
        last = kept[-1:] or before
        if character in _JOINERS:
            is_used = _joins(last, behind, character)
        elif _is_selector(character):
            is_used = not kept and _takes_selector(last, character)
        elif character in _BLANKS:
            is_used = False
        else:
            is_used = keeps_bidi and character in _BIDI
        kept += character if is_used and not kept.endswith(character) else ""
    return _balanced(kept)


def _balanced(kept: str) -> str:
    """Give the marks as they stand: what opens and closes without a text between it turns nothing about."""
    for closing, openings in _CLOSING.items():
        for opening in openings:
            kept = kept.replace(opening + closing, "")
    return kept


def _is_selector(character: str) -> bool:
    return (
        "\ufe00" <= character <= "\ufe0f"
        or "\U000e0100" <= character <= "\U000e01ef"
        or "\u180b" <= character <= "\u180d"
    )


def _takes_selector(base: str, selector: str) -> bool:
    """Tell whether a character can have such a selector: emoji and symbols, ideographs, Mongolian, keycaps."""
    if not base:
        return False
    if "\U000e0100" <= selector <= "\U000e01ef":
        return unicodedata.category(base) == "Lo" and unicodedata.name(base, "").startswith("CJK")
    if "\u180b" <= selector <= "\u180d":
        return "\u1800" <= base <= "\u18aa"
    return base in "0123456789#*\u00a9\u00ae" or unicodedata.category(base)[0] in "SP" or ord(base) >= 0x2190


def _joins(before: str, behind: str, joiner: str) -> bool:
    """Tell whether a joiner stands where one is written: in a script that joins letters, or between emoji."""
    if not before or not behind:
        return bool(before) and _is_joining(before)
    if joiner == "\u200d" and _is_pictured(before) and _is_pictured(behind):
        return True
    return _is_joining(before) and (_is_joining(behind) or not behind.isalnum())


@lru_cache(4096)
def _is_joining(character: str) -> bool:
    code = ord(character)
    return any(low <= code <= high for low, high in _JOINING_BLOCKS)


def _is_pictured(character: str) -> bool:
    """Tell whether emoji are made of it: pictures, skin tones, selectors."""
    return unicodedata.category(character) in ("So", "Sk", "Sm") or character == "\ufe0f" or character in "\u2640\u2642"


@lru_cache(4096)
def _is_right_to_left(character: str) -> bool:
    return unicodedata.bidirectional(character) in _RIGHT_TO_LEFT
