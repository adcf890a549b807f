"""Join the words of a page to pieces of lines: what is read in one go, without a wide gap in it."""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from statistics import median

from gleaner.documents.page import Box, Word, around

WIDE_GAP = 0.8
"""Gap between two words, in sizes of the text, that parts columns: spaces have 0.25 to 0.35, justified ones to 0.8."""
RAISED_SIZE, RAISED_BASE, RAISED_GAP = 0.9, 0.12, 0.5
"""A raised figure has at most this share of the size of the text before it, and stands as many sizes higher, apart."""
BULLET = re.compile(r"[•‣◦▪▫■□●○◆◇►▸▹➢➤✓✔–—*·∙⁃-]")
TICK_BOXES = frozenset("☐☑☒")
NUMBER_OF_ITEM = re.compile(r"(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)]|\((?:\d{1,3}|[a-zA-Z]|[ivx]{1,5})\)|\[\d{1,3}\]")
_SAME_LINE = 0.5
"""Share of the lower of two heights by which words of one line overlap."""
_LINED_UP = 0.15
"""Sizes of the text by which the base lines of words differ that stand on one line beyond doubt."""
_FEWEST_STRETCHED, _WIDEST_STRETCH = 4, 2.5
_FEWEST_SPACED, _WIDEST_SPACED, _NEXT_WORD = 4, 1.0, 1.5
"""Letters that are set apart: how many at least, by how many sizes, and how much wider the gap between words is."""
_FARTHEST_ITEM = 4.0
"""Sizes of the text between a bullet and its item."""
_OF_RIGHT_TO_LEFT = ("R", "AL")
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3001-\u30ff\u3400-\u9fff\uf900-\ufaff\uff01-\uff9f]")
"""Letters and signs of scripts without blanks between words: a line ends amid a word."""
_KEEPS_HYPHEN = re.compile(r"[\d@/_\\.:]")
"""Codes, addresses, telephone numbers and dates, whose hyphens are their own."""


class Walls:
    """Vertical rules, which no piece of a line goes through."""

    def __init__(self, rules: Iterable[Box] = ()) -> None:
        self._walls = sorted((rule for rule in rules if rule.height > rule.width), key=lambda wall: wall.x)
        self._xs = [wall.x for wall in self._walls]

    def part(self, x0: float, x1: float, y: float) -> bool:
        """Tell whether one of them stands between two places of a line."""
        low, high = bisect_left(self._xs, x0), bisect_right(self._xs, x1)
        return any(wall.top <= y <= wall.bottom for wall in self._walls[low:high])


@dataclass(frozen=True)
class Piece(Box):
    """Words of one line without a wide gap, in reading order."""

    words: tuple[Word, ...] = ()

    @cached_property
    def text(self) -> str:
        """What it says, without raised figures behind it."""
        first, *others = self.words
        said = [word.text for before, word in zip(self.words, others, strict=False) if not is_raised(before, word)]
        return " ".join([first.text, *said])

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


def is_raised(before: Word, word: Word) -> bool:
    """Tell whether a word is a raised figure of the word before it."""
    return (
        word.size <= RAISED_SIZE * before.size
        and before.base - word.base >= RAISED_BASE * before.size
        and word.x0 - before.x1 <= RAISED_GAP * before.size
    )


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
    box = around(ordered)
    return Piece(box.x0, box.top, box.x1, box.bottom, tuple(ordered))


def whole(row: Sequence[Piece]) -> Piece:
    """Give all of a line as one piece."""
    return row[0] if len(row) == 1 else piece_of([word for piece in row for word in piece.words])


def _is_right_to_left(words: Sequence[Word]) -> bool:
    text = "".join(word.text for word in words)
    if text.isascii():
        return False
    letters = [character for character in text if character.isalpha()]
    return sum(unicodedata.bidirectional(letter) in _OF_RIGHT_TO_LEFT for letter in letters) * 2 > len(letters) > 0


def rows_of(words: Iterable[Word], walls: Walls) -> list[Row]:
    """Give the lines of a page from top to bottom."""
    rows: list[list[Word]] = []
    bottoms: list[float] = []
    for word in sorted(words, key=lambda word: (word.y, word.x0)):
        for at in range(max(0, len(rows) - 3), len(rows)):
            if _are_in_line(rows[at], bottoms[at], word):
                rows[at].append(word)
                bottoms[at] = max(bottoms[at], word.bottom)
                break
        else:
            rows.append([word])
            bottoms.append(word.bottom)
    found = [_pieces(sorted(row, key=lambda word: word.x0), walls) for row in rows]
    return sorted(found, key=lambda row: min(piece.y for piece in row))


def _are_in_line(row: Sequence[Word], bottom: float, word: Word) -> bool:
    if abs(row[-1].base - word.base) <= _LINED_UP * word.size:
        return True
    if bottom <= word.top:
        return False
    nearest = min(row[-6:], key=lambda other: abs(other.x0 - word.x0))
    overlap = min(nearest.bottom, word.bottom) - max(nearest.top, word.top)
    return overlap > _SAME_LINE * max(0.1, min(nearest.height, word.height)) and not _lie_over(row, word)


def _lie_over(row: Sequence[Word], word: Word) -> bool:
    """Tell whether a word stands where another word of the row does: lines that are set very tight."""
    shared = max((min(other.x1, word.x1) - max(other.x0, word.x0) for other in row), default=0.0)
    return shared > 0.5 * max(0.1, min(word.width, word.size))


def _pieces(words: Sequence[Word], walls: Walls) -> Row:
    ordered = _unspaced(words)
    groups: list[list[Word]] = [[ordered[0]]]
    for before, word in pairwise(ordered):
        size = max(before.size, word.size)
        if word.x0 - before.x1 > WIDE_GAP * size or walls.part(before.x1 - 1, word.x0 + 1, word.y):
            groups.append([word])
        else:
            groups[-1].append(word)
    return [piece_of(group) for group in _with_bullets(_unstretched(groups))]


def _unspaced(words: Sequence[Word]) -> list[Word]:
    """Join letters that are set apart, as in "P R I C E   L I S T", to words again."""
    found: list[Word] = []
    at = 0
    while at < len(words):
        end = at + 1
        while end < len(words) and _is_next_letter(words[end - 1], words[end]):
            end += 1
        letters = words[at:end]
        at = end
        if len(letters) < _FEWEST_SPACED:
            found += letters
            continue
        usual = median(letter.x0 - before.x1 for before, letter in pairwise(letters))
        for place, letter in enumerate(letters):
            before = letters[place - 1]
            if place and letter.x0 - before.x1 <= _NEXT_WORD * max(usual, 0.1 * letter.size):
                found[-1] = replace(found[-1], text=found[-1].text + letter.text, x1=letter.x1)
            else:
                found.append(letter)
    return found


def _is_next_letter(before: Word, word: Word) -> bool:
    is_letter = len(before.text) == len(word.text) == 1 and before.text.isalpha() and word.text.isalpha()
    return is_letter and before.text.isascii() and word.x0 - before.x1 <= _WIDEST_SPACED * word.size


def _unstretched(groups: list[list[Word]]) -> list[list[Word]]:
    """Join words again that a justified line has drawn apart: words of different widths with the same gaps.

    Words in columns have gaps as different as the words are.
    """
    if len(groups) < _FEWEST_STRETCHED:
        return groups
    found: list[list[Word]] = []
    at = 0
    while at < len(groups):
        end = at + 1
        gap = groups[end][0].x0 - groups[at][-1].x1 if end < len(groups) else 0.0
        while end < len(groups) and abs(groups[end][0].x0 - groups[end - 1][-1].x1 - gap) <= max(0.6, 0.06 * gap):
            end += 1
        words = [word for group in groups[at:end] for word in group]
        widths = [word.width for word in words]
        text = "".join(word.text for word in words)
        is_text = 2 * sum(map(str.isalpha, text)) > len(text) and max(widths) > 1.3 * min(widths)
        if end - at < _FEWEST_STRETCHED or not is_text or gap > _WIDEST_STRETCH * words[0].size:
            end = at + 1
        found.append([word for group in groups[at:end] for word in group])
        at = end
    return found


def _with_bullets(groups: list[list[Word]]) -> list[list[Word]]:
    """Put a bullet, or the number of an item, to the item beside it, which is the rest of the line.

    A number in square brackets does not count rows: it belongs to what stands behind it in each of several columns.
    """
    found: list[list[Word]] = []
    for group in groups:
        mark = found[-1][0] if found and len(found[-1]) == 1 else None
        is_item = mark is not None and _is_mark(mark) and (len(groups) == 2 or mark.text.startswith("["))
        if mark is not None and is_item and group[0].x0 - mark.x1 <= _FARTHEST_ITEM * mark.size:
            found[-1] += group
        else:
            found.append(group)
    return _with_choices(found) if any(group[0].text in TICK_BOXES for group in found) else found


def _with_choices(groups: list[list[Word]]) -> list[list[Word]]:
    """Put boxes to be ticked to what stands behind them, and the choices of one question together."""
    found: list[list[Word]] = []
    for group in groups:
        before = found[-1] if found else []
        near = before and group[0].x0 - before[-1].x1 <= _FARTHEST_ITEM * group[0].size
        is_label = len(before) == 1 and before[0].text in TICK_BOXES and near and group[0].text not in TICK_BOXES
        if is_label:
            before += group
        else:
            found.append(group)
    joined: list[list[Word]] = []
    for group in found:
        is_choice = len(group) > 1 and group[0].text in TICK_BOXES
        if is_choice and joined and len(joined[-1]) > 1 and joined[-1][0].text in TICK_BOXES:
            joined[-1] += group
        else:
            joined.append(group)
    return joined


def marker_of(line: Piece) -> str:
    """Give the bullet or number with which an item begins, or an empty text."""
    return line.words[0].text if len(line.words) > 1 and _is_mark(line.words[0]) else ""


def _is_mark(word: Word) -> bool:
    return bool(BULLET.fullmatch(word.text) or NUMBER_OF_ITEM.fullmatch(word.text))


def line_pitch(rows: Sequence[Row]) -> float:
    """Give the usual distance from one line to the next, or 0 for a single line."""
    bases = [median(word.base for piece in row for word in piece.words) for row in rows]
    steps = [below - above for above, below in pairwise(bases) if below - above > 1]
    return median(steps) if steps else 0.0


def joined(lines: Sequence[Piece], vocabulary: frozenset[str] = frozenset()) -> list[Word]:
    """Give the words of lines that go on from one to the next; a word that was parted at the end of a line is whole.

    A hyphen at the end of a line stays where the word is written with it elsewhere (``vocabulary``), in names, codes,
    addresses and numbers.
    """
    words: list[Word] = []
    for line in lines:
        found = list(line.words)
        last = words[-1] if words else None
        if last is not None and _goes_on(last, found[0]):
            words[-1] = _rejoined(last, found.pop(0), vocabulary)
        elif last is not None and _UNSPACED.match(last.text[-1]) and _UNSPACED.match(found[0].text):
            found[0] = replace(found[0], is_glued=True)
        words += found
    return words


def _goes_on(last: Word, word: Word) -> bool:
    ends = last.is_broken or (
        len(last.text) > 2 and last.text.endswith(("-", "‐", "\u00ad")) and last.text[-2].isalnum()
    )
    return ends and word.text[:1].isalnum()


def _rejoined(last: Word, word: Word, vocabulary: frozenset[str]) -> Word:
    stem = last.text if last.is_broken else last.text[:-1]
    parted, joint = f"{stem}-{word.text}", stem + word.text
    is_code = bool(_KEEPS_HYPHEN.search(stem) or _KEEPS_HYPHEN.search(word.text.rstrip(".:")))
    keeps = is_code or not word.text[:1].islower() or (bare(parted) in vocabulary and bare(joint) not in vocabulary)
    return replace(word, text=parted if keeps else joint, is_glued=last.is_glued, url=last.url or word.url)


def bare(text: str) -> str:
    """Give a word in small letters and without the marks around it, as vocabularies hold it."""
    return text.strip(".,;:!?()[]{}\"'“”‘’«»").lower()
