"""The lines of a table placed in its columns, and the rules between them."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from statistics import median

from gleaner.documents.lines import Piece, Row, whole
from gleaner.documents.page import Box, around
from gleaner.documents.tables.columns import Placed, column_edges, is_figure, parted, place
from gleaner.documents.tables.rulings import NEAR, Rules

_MOSTLY = 0.6
"""Share of the columns that a rule runs along to part all of them."""
_AS_LONG = 0.85
_SURELY_SEVERAL = 3


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
        self.edges = column_edges(rows, self._walls, self.box)
        self.lines = [list(_one_a_cell(line)) for line in (place(row, self.edges) for row in rows)]
        self.columns = [self.extent(at) for at in range(self.width)]
        self.lines = [list(_one_a_cell(self._settled(line))) for line in self.lines]
        self.cuts = [self._cut(above, below) for above, below in pairwise(rows)]

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

    def _settled(self, line: Sequence[Placed]) -> Iterator[Placed]:
        """Give the pieces of a line, those that stand in several columns only where they do so beyond doubt.

        One is in the columns whose contents it stands over or, where it is between these, in the one that is free. One
        whose words stand in each of three columns or more is several.
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
            if are_all:
                yield from parts
            else:
                yield Placed(min(over, default=placed.first), max(over, default=placed.last), piece)
            taken |= set(over)

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
        """Count the cells of a line that hold a figure; 0 where most say something else."""
        cells = [placed for placed in self.lines[line] if placed.first]
        count = sum(is_figure(one.piece.text) for one in cells)
        return count if 3 * count > len(cells) else 0


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
