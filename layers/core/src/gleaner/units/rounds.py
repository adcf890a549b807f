"""Units of several pieces without a wrapper, found by their repeating order."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median

from gleaner.page.blocks import CELL
from gleaner.units.vocabulary import LABELLED
from gleaner.values.money_signs import SIGN

Spans = list[tuple[int, int]]

_MARKER = re.compile(r"[ \t]*(?:[-*+•]\s+|\|\s*)?")
_BEGINNINGS = (
    ("bold", r"\*\*\S|__\S"),
    ("link", r"\[[^\]\n]+\]\("),
    ("image", r"!\["),
    ("numbered", r"\d{1,4}[.)]\s"),
)
BEGINNING = re.compile("|".join(pattern for _, pattern in _BEGINNINGS))
"""What the first piece of a record begins with rather than a later one."""

_LOOKS = tuple(
    (name, re.compile(pattern))
    for name, pattern in (
        *_BEGINNINGS,
        ("money", rf".*{SIGN}"),
        ("time", r".*\b\d{1,2}:\d\d\b"),
        ("year", r".*\b(?:19|20)\d\d\b"),
        ("figure", r".*\d"),
    )
)
"""What a piece begins with, or what kinds of things it says."""

_RULE = re.compile(r"[ \t]*(?:[-*_=][ \t]*){3,}")
_LONGEST_LABEL = 30
_LONGEST_ROUND = 12
_FEWEST_REGULAR = 0.7
_MOST_PIECES = 20_000
_MOST_WAYS = 8
_SIZES = range(2, 7)
_MOST_IN_TURNS = 400


def rounds(text: str, pieces: Spans) -> list[Spans]:
    """Give the ways to join neighbouring pieces to records: from each that looks so to the next, or up to each.

    The pieces are blocks, the lines of one, the rows of a table or the items of a list, in page order. Rules between
    them, and rows that say nothing, part records. Which of the ways is right only the records tell.

    >>> text = "Oak\\n$5\\nElm\\n$7\\nAsh\\n$9"
    >>> [text[start:end] for start, end in rounds(text, [(0, 3), (4, 6), (7, 10), (11, 13), (14, 17), (18, 20)])[0]]
    ['Oak\\n$5', 'Elm\\n$7', 'Ash\\n$9']
    """
    if not 2 < len(pieces) <= _MOST_PIECES:
        return []
    rules = {at for at, (start, end) in enumerate(pieces) if _is_rule(text[start:end])}
    kept = [piece for at, piece in enumerate(pieces) if at not in rules]
    parted = [at - before for before, at in enumerate(sorted(rules))]
    ways = [parted] if parted else []
    for places in _by_looks(text, kept):
        ways += [places, [place + 1 for place in places]]
    found = [_joined(kept, ends) for way in ways if (ends := _borders(way, len(kept)))]
    return list({tuple(way): way for way in found}.values())[:_MOST_WAYS]


def turns(pieces: Spans) -> list[Spans]:
    """Give the ways to join pieces by fixed numbers, begun at each of the first ones; none of a long page's.

    >>> [len(way) for way in turns([(at, at + 1) for at in range(7)])]
    [3, 3, 2, 2]
    """
    if not 2 < len(pieces) <= _MOST_IN_TURNS:
        return []
    ways = [(size, range(first, len(pieces) - size + 1, size)) for size in _SIZES for first in range(size)]
    return [_joined(pieces, [(at, at + size) for at in begins]) for size, begins in ways if len(begins) > 1]


def _is_rule(piece: str) -> bool:
    return _RULE.fullmatch(piece) is not None or not any(map(str.isalnum, piece))


def _by_looks(text: str, pieces: Spans) -> Iterator[list[int]]:
    """Give the places of the pieces that look alike in one way, where at most every second one does."""
    places: dict[str, list[int]] = {}
    for at, (start, end) in enumerate(pieces):
        for look in _looks(text[start:end]):
            places.setdefault(look, []).append(at)
    for found in places.values():
        if 1 < len(found) <= (len(pieces) + 1) // 2:
            yield found


def _looks(piece: str) -> Iterator[str]:
    begin = _MARKER.match(piece)
    said = piece[begin.end() if begin else 0 :]
    if label := LABELLED.match(said):
        yield f"label {label[1].strip().casefold()}"
    elif piece.startswith("|"):
        cells = [cell.strip() for cell in CELL.split(said)]
        yield f"cells {[at for at, cell in enumerate(cells) if cell]}"
        if cells[0] and len(cells[0]) <= _LONGEST_LABEL:
            yield f"label {cells[0].casefold()}"
    looks = [name for name, pattern in _LOOKS if pattern.match(said)]
    yield from looks or ("plain",)
    if (marker := begin[0].strip() if begin else "") and marker != "|":
        yield f"marked {piece.index(marker)}"


def _borders(begins: Sequence[int], count: int) -> list[tuple[int, int]]:
    """Give where each record begins and ends among ``count`` pieces; none where they are of all lengths.

    What stands before the first and after the last is no longer than others.
    """
    inner = [(first, last) for first, last in pairwise(begins) if last > first]
    sizes = [last - first for first, last in inner]
    if not sizes or max(sizes) > _LONGEST_ROUND or median(sizes) < 2:
        return []
    usual, longest = median(sizes), max(sizes)
    if sum(abs(size - usual) <= 1 for size in sizes) < _FEWEST_REGULAR * len(sizes):
        return []
    head = [(max(0, begins[0] - longest), begins[0])] if begins[0] > 0 else []
    tail = [(begins[-1], min(count, begins[-1] + longest))] if begins[-1] < count else []
    return [*head, *inner, *tail]


def _joined(pieces: Spans, borders: Sequence[tuple[int, int]]) -> Spans:
    return [(pieces[first][0], pieces[last - 1][1]) for first, last in borders]
