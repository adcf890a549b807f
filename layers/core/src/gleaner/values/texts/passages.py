"""Find long texts piece by piece: shortened with "…", or joined from paragraphs and cells."""

import re
from bisect import bisect_left
from collections.abc import Sequence

from gleaner.values.texts.text_index import Match, TextIndex, start_of

_SENTENCES = re.compile(r"(?:\.{3}|…|[.!?。！？]{1,20}(?=\s|$)|\n|\[…\]|[。！？])\s*")
_ITEMS = re.compile(r"\s*(?:[,;|/•·、]|\s[-–—]\s|\n|\s(?:and|und|et|y|e|&)\s)\s*")

_WORD = re.compile(r"[^\W_]+")
_LONG = 12
"""Words of a text that may have other words between its sentences, such as marks of notes."""

_FEW_WORDS = 3
_MOST_STARTS = 64
_MOST_PIECES = 400


def find_passage(index: TextIndex, value: str, window: tuple[int, int] | None) -> Match | None:
    """Give the stretch of text in which all pieces of a value stand in order; None when one is missing.

    ``window`` narrows to a stretch of the text; without one the pieces must stand close together. A value without a
    blank is no passage: an address or a code stands in one piece, or not at all. A short text has nothing but its own
    words: "2026 Tex. 9" does not stand in "2026 Tex. 4 (9 pages)".
    """
    if not any(map(str.isspace, value.strip())):
        return None
    for splitter, transform in ((_SENTENCES, "elided"), (_ITEMS, "joined")):
        pieces = [piece.strip() for piece in splitter.split(value) if piece and piece.strip()]
        if _is_worth_it(pieces, value, transform):
            place = _find_in_order(index, pieces, window, 3 * len(value) + 500)
            if place:
                is_it = _has_no_other_words(index.text[slice(*place)], value)
                return Match(*place, "normalized", transform) if is_it else None
    return None


def _has_no_other_words(stated: str, value: str) -> bool:
    """Tell whether a stretch has hardly more words than a value whose pieces stand in it."""
    said, words = _WORD.findall(stated), _WORD.findall(value)
    most = len(words) // 2 if len(words) >= _LONG else _FEW_WORDS * any(sign in stated for sign in "\n|")
    return len(said) - len(words) <= most


def _is_worth_it(pieces: Sequence[str], value: str, transform: str) -> bool:
    if not pieces or len(pieces) > _MOST_PIECES:
        return False
    shortened = transform == "elided" and len(pieces) == 1 and pieces[0] != value.strip() and len(pieces[0]) >= 12
    return shortened or len(pieces) > 1


def _find_in_order(
    index: TextIndex,
    pieces: Sequence[str],
    window: tuple[int, int] | None,
    reach: int,
) -> tuple[int, int] | None:
    found = [index.find(piece) or index.find(piece.rstrip(".")) for piece in pieces]
    if not all(found):
        return None
    low, high = window or (0, len(index.text))
    first = bisect_left(found[0], low, key=start_of)
    for start in found[0][first : first + _MOST_STARTS]:
        end = _follow(found[1:], start.end, min(high, high if window else start.start + reach))
        if start.end <= high and end is not None:
            return start.start, end
    return None


def _follow(found: Sequence[Sequence[Match]], cursor: int, limit: int) -> int | None:
    for matches in found:
        place = bisect_left(matches, cursor, key=start_of)
        if place == len(matches) or matches[place].end > limit:
            return None
        cursor = matches[place].end
    return cursor
