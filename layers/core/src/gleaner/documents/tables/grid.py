"""The lines of a table placed in its columns, and the rules between them."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from statistics import median

from gleaner.documents.lines import Piece, Row, whole
from gleaner.documents.page import Box, around
from gleaner.documents.tables.columns import FIGURE, Placed, column_edges, is_figure, parted, place
from gleaner.documents.tables.rulings import NEAR, Rules

_MOSTLY = 0.6
"""Share of the columns that a rule runs along to part all of them."""
_AS_LONG = 0.85
_FEWEST_ALIGNED, _ALIGNED = 3, 0.7
_WIDER, _SURELY_SEVERAL = 1.25, 3


@dataclass(slots=True)
class FilledCell:
    """What stands in one cell, and the rows and columns that it fills."""

    row: int
    column: int
    last_column: int
    pieces: list[Piece]
    last_row: int = -1


class Grid:
    """The lines of a table, placed in its columns. ``rules`` are those in and around it."""

    def __init__(self, rows: Sequence[Row], rules: Rules) -> None:
        self.rows = list(rows)
        self.rules = rules
        box = around(piece for row in rows for piece in row)
        xs = [x for rule in [*rules.across, *rules.down] for x in (rule.x0, rule.x1)]
        self.box = Box(min([box.x0, *xs]), box.top, max([box.x1, *xs]), box.bottom)
        self._walls = _apart([wall.x for wall in rules.down])
        inner = [x - 1 for x in rules.starts if self.box.x0 + NEAR < x < self.box.x1 - NEAR]
        self.edges = [self.box.x0, *inner, self.box.x1] if inner else column_edges(rows, self._walls, self.box)
        self.lines = [list(_one_a_cell(line)) for line in self._in_order([place(row, self.edges) for row in rows])]
        self.columns = [self.extent(at) for at in range(self.width)]
        self.lines = [list(_one_a_cell(self._settled(line))) for line in self.lines]
        self.sums = frozenset(filter(self._ends_alike, range(self.width)))
        self.cuts = [self._cut(above, below) for above, below in pairwise(rows)]

    def _in_order(self, lines: Sequence[list[Placed]]) -> Iterator[list[Placed]]:
        """Give lines, those with a piece for each column one by one where the columns beside leave them room.

        Names that begin where their columns do stand far from figures that end there, and nearer to those before.
        """
        is_sound = [len({one.first for one in line}) == len(line) for line in lines]
        sound = [line for line, is_one_each in zip(lines, is_sound, strict=True) if is_one_each]
        held = [
            [one.piece for line in sound for one in line if one.first == one.last == at] for at in range(self.width)
        ]
        for line, is_one_each in zip(lines, is_sound, strict=True):
            is_whole = len(line) == self.width and not is_one_each and all(held)
            fits = is_whole and all(
                (at == 0 or one.piece.x0 >= max(piece.x1 for piece in held[at - 1]) - 1)
                and (at + 1 == self.width or one.piece.x1 <= min(piece.x0 for piece in held[at + 1]) + 1)
                for at, one in enumerate(line)
            )
            yield [Placed(at, at, one.piece) for at, one in enumerate(line)] if fits else line

    @property
    def width(self) -> int:
        """How many columns it has."""
        return len(self.edges) - 1

    @property
    def is_closed(self) -> bool:
        """Whether a rule runs below the last line."""
        return any(rule.y > self.rows[-1][0].y for rule in self.rules.across)

    def extent(self, column: int, start: int = 0) -> Box | None:
        """Give what stands in a column alone, from some line on."""
        held = [each.piece for line in self.lines[start:] for each in line if each.first == each.last == column]
        return around(held) if held else None

    def _ends_alike(self, column: int) -> bool:
        """Tell whether the figures of a column end at one place, and do not begin at one."""
        held = [one.piece for line in self.lines for one in line if one.first == one.last == column]
        figures = [piece for piece in held if FIGURE.fullmatch(piece.text)]
        if len(figures) < _FEWEST_ALIGNED:
            return False
        ends, begins = median(piece.x1 for piece in figures), median(piece.x0 for piece in figures)
        most = _ALIGNED * len(figures)
        return (
            sum(abs(piece.x1 - ends) <= 1 for piece in figures)
            >= most
            > sum(abs(piece.x0 - begins) <= 1 for piece in figures)
        )

    def _settled(self, line: Sequence[Placed]) -> Iterator[Placed]:
        """Give the pieces of a line, those that stand in several columns only where they do so beyond doubt.

        One is in the columns whose contents it stands over or, where it is between these, in the one that is free. One
        whose words stand right over the columns is several.
        """
        if len(line) == self.width:
            line = [Placed(at, at, placed.piece) for at, placed in enumerate(line)]
        taken = {placed.first for placed in line if placed.first == placed.last}
        for placed in line:
            span, piece = range(placed.first, placed.last + 1), placed.piece
            held = [(at, box) for at in span if (box := self.columns[at]) is not None]
            over = [at for at, box in held if piece.x0 < box.x1 - 1 and piece.x1 > box.x0 + 1]
            if len(span) > 1 and not over:
                free = [(abs(box.x - piece.x), at) for at, box in held if at not in taken]
                over = [min(free)[1]] if free else list(span)
            parts = parted(piece, self.edges) if len(over) > 1 else []
            are_all = len(parts) >= _SURELY_SEVERAL and len(parts) == max(over) - min(over) + 1
            if parts and (are_all or all(map(self._is_over, parts)) or _are_apart(parts)):
                yield from parts
            else:
                yield Placed(min(over, default=placed.first), max(over, default=placed.last), piece)
            taken |= set(over)

    def _is_over(self, part: Placed) -> bool:
        """Tell whether a part stands in line with the contents of its column."""
        column, piece = self.columns[part.first], part.piece
        if column is None:
            return False
        sides = (abs(column.x0 - piece.x0), abs(column.x1 - piece.x1))
        return min(sides) <= 2 or abs(column.x - piece.x) <= 0.5 * piece.size

    def _cut(self, above: Row, below: Row) -> frozenset[int]:
        """Give the columns that a rule parts between two lines."""
        top, bottom = median(piece.y for piece in above), median(piece.y for piece in below)
        rules = [rule for rule in self.rules.across if top < rule.y < bottom]
        return frozenset(
            at
            for at, (left, right) in enumerate(pairwise(self.edges))
            if any(
                rule.x0 <= left + NEAR and rule.x1 >= right - NEAR
                if left in self._walls and right in self._walls
                else rule.x0 <= (left + right) / 2 <= rule.x1
                for rule in rules
            )
        )

    def is_full(self, cut: frozenset[int]) -> bool:
        """Tell whether a rule runs along most columns, as far as the longest."""
        longest = max(map(len, self.cuts), default=0)
        return len(cut) >= max(1, _MOSTLY * self.width, _AS_LONG * longest)

    def drawn_span(self, column: int, y: float) -> tuple[int, int] | None:
        """Give the columns between the vertical rules on both sides of a place; None where there are none."""
        drawn = [
            at
            for at, x in enumerate(self.edges)
            if any(abs(wall.x - x) <= NEAR and wall.top - 1 <= y <= wall.bottom + 1 for wall in self.rules.down)
        ]
        at = bisect_right(drawn, column)
        return (drawn[at - 1], drawn[at] - 1) if 0 < at < len(drawn) else None

    def is_wall(self, edge: int) -> bool:
        """Tell whether a vertical rule runs along most of an edge of columns."""
        x = self.edges[edge]
        drawn = sum(wall.height for wall in self.rules.down if abs(wall.x - x) <= NEAR)
        return drawn >= _MOSTLY * self.box.height

    def figures(self, line: int) -> int:
        """Count the cells of a line that hold a figure; 0 where most say something else.

        A year is one in a column of years alone: others may name columns.
        """
        cells = [placed for placed in self.lines[line] if placed.first]
        count = sum(is_figure(one.piece.text) or self._is_year_among(one) for one in cells)
        return count if 3 * count > len(cells) else 0

    def _is_year_among(self, placed: Placed) -> bool:
        texts = [one.piece.text for line in self.lines for one in line if one.first == placed.first]
        figures = [text for text in texts if FIGURE.fullmatch(text)]
        is_year = placed.piece.text in figures and not is_figure(placed.piece.text)
        return is_year and 2 * sum(map(is_figure, figures)) < len(figures)


def _are_apart(parts: Sequence[Placed]) -> bool:
    """Tell whether the blanks between parts of a piece are wider than those within them."""
    within = [b.x0 - a.x1 for part in parts for a, b in pairwise(part.piece.words)]
    between = [other.piece.x0 - one.piece.x1 for one, other in pairwise(parts)]
    return bool(within) and min(between) >= _WIDER * max(within)


def _one_a_cell(line: Iterable[Placed]) -> Iterator[Placed]:
    """Join the pieces of a line that stand in one cell."""
    for _, held in groupby(line, key=lambda placed: (placed.first, placed.last)):
        first, *others = held
        yield Placed(first.first, first.last, whole([first.piece, *(other.piece for other in others)]))


def _apart(values: Sequence[float]) -> list[float]:
    """Give values without those that differ from the one before by what rules miss each other by."""
    found: list[float] = []
    for value in sorted(values):
        if not found or value - found[-1] > NEAR:
            found.append(value)
    return found
