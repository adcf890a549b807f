"""Find the columns of a table: by the rules between them, and by the blanks that run down between its words."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from gleaner.documents.lines import BULLET, TICK_BOXES, WIDE_GAP, Piece, Row, piece_of
from gleaner.documents.page import Box, Word

FIGURE = re.compile(
    r"\W{0,4}\(?[^\W\d_]{0,4}\W{0,3}\d[\d.,:'’\s/%-]*[^\W\d_]{0,4}\W{0,4}|[-–—†‡*#.:]{1,5}|n/?a|\(x\)", re.IGNORECASE
)
"""A cell that holds a number, an amount, a time or a sign for none: "€ 1,299.00", "07:45", "12 kg", "–"."""
_LEAST_NARROW_LINES, _NARROW, _MOSTLY = 3, 0.4, 0.5
"""A blank narrower than a wide gap parts columns too, where it runs through this share of this many lines."""
_MOST_DEEP = 12
_LINED_UP = 0.9
"""Share of the lines in which a column begins or ends at one place, if its cells are not centred."""
_MOST_HEAD_LINES = 4


MOST_HEAD_LINES = 8
"""Lines of a head: columns of narrow tables are named in up to seven."""
_YEAR = range(1800, 2200)


def is_figure(text: str) -> bool:
    """Tell whether a cell is a figure, and no year, as names of columns are."""
    return FIGURE.fullmatch(text) is not None and not (text.isdecimal() and int(text[:9]) in _YEAR)


@dataclass(frozen=True, slots=True)
class Placed:
    """A piece of a line in the columns from ``first`` to ``last``."""

    first: int
    last: int
    piece: Piece


def column_edges(rows: Sequence[Row], walls: Sequence[float], box: Box) -> list[float]:
    """Give the places that part the columns of some lines, from the left edge to the right one.

    Where the first lines have no figures and many others do, these others say where the columns are.
    """
    lines = [[word for piece in row for word in _undivided(piece)] for row in rows]
    lines = [_with_bullets(sorted(line, key=lambda word: word.x0)) for line in lines]
    head = _lines_of_head(rows)
    inner = [x for x in walls if box.x0 + 2 < x < box.x1 - 2]
    edges = [box.x0]
    for left, right in pairwise([box.x0, *inner, box.x1]):
        parts = [[word for word in line if left <= word.x < right] for line in lines]
        found = _blanks([part for part in parts[head:] if part], 0, is_walled=bool(inner))
        edges += found if walls else sorted(found + _named_alone(parts[:head], parts[head:], found))
        edges.append(right)
    return _without_heads_alone(_without_empty(sorted(edges), lines), rows, inner)


def _lines_of_head(rows: Sequence[Row]) -> int:
    """Give how many of the first lines have no figures, where many others have some."""
    figures = [3 * sum(is_figure(piece.text) for piece in row) > len(row) for row in rows]
    head = figures.index(True) if True in figures else 0
    others = figures[head:]
    return head if head <= MOST_HEAD_LINES and len(others) > 1 and 5 * sum(others) >= len(others) else 0


def _named_alone(
    names: Sequence[Sequence[Word]], lines: Sequence[Sequence[Word]], edges: Sequence[float]
) -> list[float]:
    """Give the blanks before names under which nothing stands: those of empty columns."""
    words = [word for line in lines for word in line]
    found: list[float] = []
    parts = [[pair for pair in pairwise(line) if _is_wide(*pair)] for line in names]
    for one, other in (pair for pairs in parts if len(pairs) > len(edges) for pair in pairs):
        x = (one.x1 + other.x0) / 2
        is_new = not any(one.x0 < edge < other.x1 for edge in [*edges, *found])
        if is_new and not any(word.x1 > other.x0 - 1 for word in words if word.x0 < other.x1 + 1):
            found.append(x)
    return found


def _undivided(piece: Piece) -> list[Word]:
    """Give the words of a piece, those of choices as one: all of them stand in one column."""
    first, *others = piece.words
    if first.text not in TICK_BOXES or not others:
        return list(piece.words)
    return [replace(first, x1=max(word.x1 for word in others))]


def _with_bullets(line: list[Word]) -> list[Word]:
    """Give a line whose bullets reach to what they stand before: they are no column of their own."""
    return [
        replace(word, x1=max(word.x1, after.x0 - 0.1))
        if BULLET.fullmatch(word.text) and word.text not in "–—-"
        else word
        for word, after in zip(line, [*line[1:], *line[-1:]], strict=True)
    ]


def _blanks(lines: Sequence[Sequence[Word]], depth: int, *, is_walled: bool) -> list[float]:
    """Give the middles of the blanks that run down between the words of lines; wide ones alone between walls."""
    least = WIDE_GAP if is_walled or any(line[0].is_fixed for line in lines) else _NARROW
    counts = [1 + sum(_gap(one, other) >= least for one, other in pairwise(line)) for line in lines]
    most = max(counts, default=0)
    fewest = max(2, (most + 1) // 2)
    core = [line for line, count in zip(lines, counts, strict=True) if count >= fewest]
    if len(core) < 2 or depth > _MOST_DEEP:
        return []
    others = [line for line, count in zip(lines, counts, strict=True) if count < fewest]
    found: list[float] = []
    rivers: set[float] = set()
    for left, right in sorted(_free(core), key=lambda blank: blank[0] - blank[1]):
        x = (left + right) / 2
        wide = sum(_has_gap(line, x, WIDE_GAP) for line in core)
        narrow = sum(_has_gap(line, x, _NARROW) for line in core)
        crossing = sum(any(word.x0 < x < word.x1 for word in line) for line in lines)
        is_river = narrow >= max(_LEAST_NARROW_LINES, _MOSTLY * len(core)) and not is_walled and not crossing
        is_river = is_river and right - left >= least * core[0][0].size
        is_lined_up = wide and _lined_up(core, left, right) >= max(2, _LINED_UP * len(core))
        amid = _amid(others, left, right)
        if amid and wide:
            found += [(left + amid[0]) / 2, (amid[1] + right) / 2]
            rivers |= set(found[-2:])
        elif (wide >= 2 or (wide and len(core) < 4) or is_river) and crossing <= (wide or narrow):
            found.append(x)
            rivers |= {x} if is_river or is_lined_up else set()
    found = [x for x in found if x in rivers or any(_parts_alone(line, x, found) for line in core)]
    found = sorted(found + _outside(core, others))
    parts: list[float] = []
    for left, right in pairwise([float("-inf"), *found, float("inf")]) if found else ():
        inner = [[word for word in line if word.x0 >= left and word.x1 <= right] for line in lines]
        parts += _blanks([line for line in inner if line], depth + 1, is_walled=is_walled)
    return sorted(found + parts)


def _lined_up(lines: Sequence[Sequence[Word]], left: float, right: float) -> int:
    """Count the lines in which a word ends or begins right where a blank does."""
    return max(
        sum(any(abs(word.x1 - left) <= 1 for word in line) for line in lines),
        sum(any(abs(word.x0 - right) <= 1 for word in line) for line in lines),
    )


def _amid(lines: Sequence[Sequence[Word]], left: float, right: float) -> tuple[float, float] | None:
    """Give the extent of what other lines have within a blank, if it is a column: cells beside higher ones."""
    inside = [[word for word in line if word.x0 > left and word.x1 < right] for line in lines]
    inside = [words for words in inside if words]
    if len(inside) < 2:
        return None
    x0, x1 = min(words[0].x0 for words in inside), max(words[-1].x1 for words in inside)
    least = _NARROW * inside[0][0].size
    is_free = not any(
        word.x0 < x1 and word.x1 > x0 for line in lines for word in line if word.x0 <= left or word.x1 >= right
    )
    return (x0, x1) if is_free and x0 - left >= least and right - x1 >= least else None


def _outside(core: Sequence[Sequence[Word]], lines: Sequence[Sequence[Word]]) -> list[float]:
    """Give the blanks before and behind full lines, where other lines have cells there."""
    left, right = min(line[0].x0 for line in core), max(word.x1 for line in core for word in line)
    far = _NARROW * core[0][0].size
    before = [line[0].x1 for line in lines if line[0].x1 < left - far]
    after = [line[-1].x0 for line in lines if line[-1].x0 > right + far]
    found = [(max(before) + left) / 2] if len(before) > 1 else []
    return found + ([(min(after) + right) / 2] if len(after) > 1 else [])


def _gap(one: Word, other: Word) -> float:
    """Give the blank between two words, in sizes of the text."""
    return (other.x0 - one.x1) / max(one.size, other.size, 0.1)


def _is_wide(one: Word, other: Word) -> bool:
    return _gap(one, other) >= WIDE_GAP


def _parts_alone(line: Sequence[Word], x: float, others: Sequence[float]) -> bool:
    """Tell whether a gap of a line is at one place and at no other."""
    pairs = [pair for pair in pairwise(line) if _gap(*pair) >= _NARROW]
    gaps = [(one.x1, other.x0) for one, other in pairs if one.x1 < x < other.x0]
    return bool(gaps) and not any(gaps[0][0] < other < gaps[0][1] for other in others if other != x)


def _has_gap(line: Sequence[Word], x: float, least: float) -> bool:
    before = [word for word in line if word.x1 <= x + 0.5]
    after = [word for word in line if word.x0 >= x - 0.5]
    if not before or not after or len(before) + len(after) < len(line):
        return False
    return after[0].x0 - before[-1].x1 >= least * max(before[-1].size, after[0].size)


def _free(lines: Sequence[Sequence[Word]]) -> list[tuple[float, float]]:
    """Give the blanks between the words of nearly all of some lines, as far as most of these leave them free."""
    turns = sorted(
        [(word.x0, 1) for line in lines for word in line] + [(word.x1, -1) for line in lines for word in line]
    )
    most = len(lines) // 10
    depth = 0
    found: list[tuple[float, float]] = []
    zone: list[tuple[int, float, float]] = []
    for (x, turn), (following, _) in pairwise(turns):
        depth += turn
        if depth <= most:
            zone.append((depth, x, following))
        elif zone:
            least = min(zone)[0]
            left, right = max(((s, e) for d, s, e in zone if d == least), key=lambda blank: blank[1] - blank[0])
            found += [(left, right)] if right - left > 0.5 else []
            zone = []
    return found


def _without_empty(edges: list[float], lines: Sequence[Sequence[Word]]) -> list[float]:
    """Leave out columns in which nothing stands, as between double rules."""
    held = sorted(word.x for line in lines for word in line)
    filled = [bisect_left(held, right) > bisect_left(held, left) for left, right in pairwise(edges)]
    kept = [edges[0]]
    for at, edge in enumerate(edges[1:-1]):
        if filled[at] and any(filled[at + 1 :]):
            kept.append(edge)
    return [*kept, edges[-1]]


def _without_heads_alone(edges: list[float], rows: Sequence[Row], walls: Sequence[float]) -> list[float]:
    """Join a column that has only a name with the one beside it that has only cells.

    Such a name, centred over short cells or at their other end, touches none of them.
    """
    if len(edges) < 4:
        return edges
    filled: list[set[int]] = [set() for _ in edges[1:]]
    for at, row in enumerate(rows):
        for placed in place(row, edges):
            for column in range(placed.first, placed.last + 1):
                filled[column].add(at)
    kept = [edges[0]]
    is_joined = False
    for at, edge in enumerate(edges[1:-1]):
        one, other = filled[at], filled[at + 1]
        may_join = edge not in walls and not is_joined and (_names(one, other) or _names(other, one))
        is_joined = may_join
        if not may_join:
            kept.append(edge)
    return [*kept, edges[-1]]


def _names(head: set[int], cells: set[int]) -> bool:
    return bool(head and cells) and max(head) < _MOST_HEAD_LINES and max(head) < min(cells)


def place(row: Row, edges: Sequence[float]) -> list[Placed]:
    """Give the pieces of a line with their columns; a piece whose words stand in several columns is parted."""
    found: list[Placed] = []
    for piece in row:
        first, last = _column(piece.x0 + 1, edges), _column(piece.x1 - 1, edges)
        if first >= last:
            at = _column(piece.x, edges)
            found.append(Placed(at, at, piece))
        else:
            parts = parted(piece, edges)
            least = 0.1 if all(FIGURE.fullmatch(part.piece.text) for part in parts) else _narrow(piece)
            is_parted = all(_has_gap(piece.words, x, least) for x in edges[first + 1 : last + 1])
            found += parts if parts and is_parted else [Placed(first, last, piece)]
    return found


def parted(piece: Piece, edges: Sequence[float]) -> list[Placed]:
    """Give the parts of a piece in several columns, none if a word goes from one to another."""
    if any(word.x0 + 1 < x < word.x1 - 1 for word in piece.words for x in edges):
        return []
    groups: dict[int, list[Word]] = {}
    for word in piece.words:
        groups.setdefault(_column(word.x, edges), []).append(word)
    return [Placed(at, at, piece_of(words)) for at, words in groups.items()]


def _narrow(piece: Piece) -> float:
    """Give the least gap between columns, in sizes: letters of one width have spaces of 0.6."""
    return 0.75 if piece.words[0].is_fixed else _NARROW


def _column(x: float, edges: Sequence[float]) -> int:
    return min(max(bisect_right(edges, x) - 1, 0), len(edges) - 2)
