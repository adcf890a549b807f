"""Join the words of a page to pieces of lines: what is read in one go, without a wide gap in it."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from statistics import median

from gleaner.documents.page import Box, Word, around

WIDE_GAP = 0.9
"""Gap between two words, in sizes of the text, that parts columns: spaces have 0.25 to 0.35, justified ones to 0.8."""
_SAME_LINE = 0.5
"""Share of the lower of two heights by which words of one line overlap."""
BULLET = re.compile(r"[•‣◦▪▫■□●○◆◇►▸▹➢➤✓✔–—*·∙⁃-]")
NUMBER_OF_ITEM = re.compile(r"(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)]|\((?:\d{1,3}|[a-zA-Z]|[ivx]{1,5})\)")
_FEWEST_STRETCHED = 4
_WIDEST_STRETCH = 2.5
_FARTHEST_ITEM = 4.0
"""Sizes of the text between a bullet and its item."""
_OF_RIGHT_TO_LEFT = ("R", "AL")


@dataclass(frozen=True)
class Piece(Box):
    """Words of one line without a wide gap, in reading order."""

    words: tuple[Word, ...] = ()

    @cached_property
    def text(self) -> str:
        """What it says."""
        return " ".join(word.text for word in self.words)

    @cached_property
    def size(self) -> float:
        """The size of most of its text."""
        return _most([(word.size, len(word.text)) for word in self.words])

    @cached_property
    def is_bold(self) -> bool:
        """Whether all of it is bold."""
        return all(word.is_bold for word in self.words)

    @property
    def is_broken(self) -> bool:
        """Whether its last word goes on in the next line."""
        return self.words[-1].is_broken


Row = list[Piece]
"""The pieces of one line of the page, from left to right."""


def _most(weighted: Iterable[tuple[float, int]]) -> float:
    totals: dict[float, int] = {}
    for value, weight in weighted:
        totals[value] = totals.get(value, 0) + weight
    return max(totals, key=lambda value: totals[value])


def piece_of(words: Sequence[Word]) -> Piece:
    """Give a piece of the words of one line; those of scripts from right to left are read from there."""
    ordered = sorted(words, key=lambda word: word.x0)
    if _is_right_to_left(ordered):
        ordered.reverse()
    box = around(list(ordered))
    return Piece(box.x0, box.top, box.x1, box.bottom, tuple(ordered))


def _is_right_to_left(words: Sequence[Word]) -> bool:
    letters = [character for word in words for character in word.text if character.isalpha()]
    return sum(unicodedata.bidirectional(letter) in _OF_RIGHT_TO_LEFT for letter in letters) * 2 > len(letters) > 0


def rows_of(words: Iterable[Word], walls: Sequence[Box] = ()) -> list[Row]:
    """Give the lines of a page from top to bottom; ``walls`` are vertical rules, which no piece goes through."""
    rows: list[list[Word]] = []
    for word in sorted(words, key=lambda word: (word.middle, word.x0)):
        row = next((row for row in rows[-3:] if _are_in_line(row, word)), None)
        if row is None:
            rows.append([word])
        else:
            row.append(word)
    found = [_pieces(row, walls) for row in rows]
    return sorted(found, key=lambda row: min(piece.middle for piece in row))


def _are_in_line(row: Sequence[Word], word: Word) -> bool:
    nearest = min(row[-6:], key=lambda other: abs(other.x0 - word.x0))
    overlap = min(nearest.bottom, word.bottom) - max(nearest.top, word.top)
    return overlap > _SAME_LINE * max(0.1, min(nearest.height, word.height)) and not _lie_over(row, word)


def _lie_over(row: Sequence[Word], word: Word) -> bool:
    """Tell whether a word stands where another word of the row does: lines that are set very tight."""
    shared = max((min(other.x1, word.x1) - max(other.x0, word.x0) for other in row), default=0.0)
    return shared > 0.5 * max(0.1, min(word.width, word.size))


def _pieces(row: Sequence[Word], walls: Sequence[Box]) -> Row:
    ordered = sorted(row, key=lambda word: word.x0)
    groups: list[list[Word]] = [[ordered[0]]]
    for before, word in pairwise(ordered):
        size = max(before.size, word.size)
        is_parted = word.x0 - before.x1 > WIDE_GAP * size or any(_parts(wall, before, word) for wall in walls)
        if is_parted:
            groups.append([word])
        else:
            groups[-1].append(word)
    return [piece_of(group) for group in _with_bullets(_unstretched(groups))]


def _unstretched(groups: list[list[Word]]) -> list[list[Word]]:
    """Join words again that a justified line has drawn apart: words of different widths with the same gaps.

    Words in columns have gaps as different as the words are.
    """
    joined_groups: list[list[Word]] = []
    at = 0
    while at < len(groups):
        end = at + 1
        gap = groups[end][0].x0 - groups[at][-1].x1 if end < len(groups) else 0.0
        while end < len(groups) and abs(groups[end][0].x0 - groups[end - 1][-1].x1 - gap) <= max(0.6, 0.06 * gap):
            end += 1
        words = [word for group in groups[at:end] for word in group]
        widths = [word.width for word in words]
        letters = sum(character.isalpha() for word in words for character in word.text)
        is_text = 2 * letters > sum(len(word.text) for word in words) and max(widths) > 1.3 * min(widths)
        if end - at >= _FEWEST_STRETCHED and is_text and gap <= _WIDEST_STRETCH * words[0].size:
            joined_groups.append(words)
        else:
            end = at + 1
            joined_groups.append(groups[at])
        at = end
    return joined_groups


def _parts(wall: Box, before: Word, word: Word) -> bool:
    x = (wall.x0 + wall.x1) / 2
    return before.x1 - 1 <= x <= word.x0 + 1 and wall.top <= word.middle <= wall.bottom


def _with_bullets(groups: list[list[Word]]) -> list[list[Word]]:
    """Put a bullet, or the number of an item, to the item beside it, which is the rest of the line."""
    if len(groups) == 2 and len(groups[0]) == 1:
        mark, first = groups[0][0], groups[1][0]
        is_mark = BULLET.fullmatch(mark.text) or NUMBER_OF_ITEM.fullmatch(mark.text)
        if is_mark and first.x0 - mark.x1 <= _FARTHEST_ITEM * mark.size:
            return [groups[0] + groups[1]]
    return groups


def line_pitch(rows: Sequence[Row]) -> float:
    """Give the usual distance from one line to the next, or 0 for a single line."""
    middles = [median(piece.middle for piece in row) for row in rows]
    steps = [below - above for above, below in pairwise(middles) if below - above > 1]
    return median(steps) if steps else 0.0


def joined(lines: Sequence[Piece], vocabulary: frozenset[str] = frozenset()) -> list[Word]:
    """Give the words of lines that go on from one to the next; a word that was parted at the end of a line is whole.

    A hyphen at the end of a line stays where the word is written with it elsewhere (``vocabulary``), or is a name.
    """
    words: list[Word] = []
    for line in lines:
        found = list(line.words)
        last = words[-1] if words else None
        if last is not None and _goes_on(last, found[0]):
            words[-1] = _rejoined(last, found.pop(0), vocabulary)
        words += found
    return words


def _goes_on(last: Word, word: Word) -> bool:
    is_cut = last.is_broken or (
        len(last.text) > 2 and last.text.endswith(("-", "‐", "\u00ad")) and last.text[-2].isalpha()
    )
    return is_cut and word.text[:1].isalpha()


def _rejoined(last: Word, word: Word, vocabulary: frozenset[str]) -> Word:
    stem = last.text if last.is_broken else last.text[:-1]
    parted, whole = f"{stem}-{word.text}", stem + word.text
    keeps = not word.text[:1].islower() or (bare(parted) in vocabulary and bare(whole) not in vocabulary)
    return Word(
        *(word.x0, word.top, word.x1, word.bottom),
        text=parted if keeps else whole,
        size=last.size,
        is_bold=last.is_bold,
        url=last.url or word.url,
        is_broken=word.is_broken,
    )


def bare(text: str) -> str:
    """Give a word in small letters and without the marks around it, as vocabularies hold it."""
    return text.strip(".,;:!?()[]{}\"'“”‘’«»").lower()
