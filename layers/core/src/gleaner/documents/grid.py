"""Make a table of lines whose columns stand under each other, with or without rules between its rows and columns."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, groupby, pairwise
from statistics import median

from gleaner.documents.blocks import Cell, TableBlock, inline
from gleaner.documents.columns import FIGURE, MOST_HEAD_LINES, Placed, column_edges, is_figure, parted, place
from gleaner.documents.lines import Piece, Row, line_pitch, whole
from gleaner.documents.page import Box, around
from gleaner.documents.rulings import NEAR, Rules

_MOSTLY = 0.6
"""Share of the columns that a rule runs along to part all of them."""
_AS_LONG = 0.85
_FULL = 0.75
"""Share of the cells of the fullest line that a line of another row fills."""
_PADDING = 0.06
"""Sizes of the text by which the blanks between rows are higher than those between the lines of a row."""
_FEWEST_ALIGNED, _ALIGNED = 3, 0.7
_FEW_RULES = 3
"""Rules along a table that part its head and its foot; more part its rows."""
_WIDER, _SURELY_SEVERAL = 1.25, 3
_TIGHT = 1.45
"""Distance of two lines of one cell, in sizes of the text."""
_CENTRED = 1.2
"""Sizes of the text by which a name is off the middle of the columns that it stands over."""


@dataclass(slots=True)
class _Cell:
    """What stands in one cell, and the rows and columns that it fills."""

    row: int
    column: int
    last_column: int
    pieces: list[Piece]
    last_row: int = -1


@dataclass(slots=True)
class Table:
    """A table with the lines above and below it that are a title and notes, where they are within its rules."""

    block: TableBlock
    box: Box
    above: list[Row] = field(default_factory=list[Row])
    below: list[Row] = field(default_factory=list[Row])


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
        self.lines = [list(_one_a_cell(place(row, self.edges))) for row in rows]
        self.columns = [self.extent(at) for at in range(self.width)]
        self.lines = [list(_one_a_cell(self._settled(line))) for line in self.lines]
        self.sums = frozenset(filter(self._ends_alike, range(self.width)))
        self.cuts = [self._cut(above, below) for above, below in pairwise(rows)]

    @property
    def width(self) -> int:
        """How many columns it has."""
        return len(self.edges) - 1

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
        if len(line) == self.width and all(self._may_be_in(at, placed.piece) for at, placed in enumerate(line)):
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

    def _may_be_in(self, column: int, piece: Piece) -> bool:
        """Tell whether a piece stands over the contents of no other column."""
        others = [box for at, box in enumerate(self.columns) if at != column and box is not None]
        return not any(piece.x0 < box.x1 - 1 and piece.x1 > box.x0 + 1 for box in others)

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


def table_of(rows: Sequence[Row], rules: Rules, vocabulary: frozenset[str]) -> Table | None:
    """Make a table of lines; None if they do not stand in columns."""
    grid = Grid(rows, rules)
    if grid.width < 2 or len(rows) < 2:
        return None
    first, last = _title_lines(grid), len(rows) - _note_lines(grid)
    if last - first < 2:
        return None
    if first or last < len(rows):
        grid = Grid(rows[first:last], _within(rules, rows[first:last]))
        if grid.width < 2:
            return None
    head = _head_lines(grid)
    cells = list(_head_cells(grid, head))
    head_rows = max((cell.row for cell in cells), default=-1) + 1
    groups = _body_rows(grid, head)
    for at, group in enumerate(groups, head_rows):
        cells += _cells(grid, group, at)
    cells = _merged_down(grid, cells, groups, head_rows)
    block = TableBlock(
        list(_rows_of(cells, grid.width, vocabulary)),
        head_rows,
        grid.edges[:-1],
        median(row[0].size for row in grid.rows),
    )
    return Table(block, grid.box, list(rows[:first]), list(rows[last:]))


def _within(rules: Rules, rows: Sequence[Row]) -> Rules:
    """Give the rules that stand between and right around some lines."""
    box = around(piece for row in rows for piece in row)
    size = rows[0][0].size
    across = [rule for rule in rules.across if box.top - size <= rule.y <= box.bottom + size]
    return Rules(across, [rule for rule in rules.down if rule.bottom > box.top and rule.top < box.bottom])


def _goes_across(grid: Grid, line: Sequence[Placed]) -> bool:
    """Tell whether a line stands in a cell across all columns, or runs across them from the first one."""
    if len(line) != 1:
        return False
    drawn = grid.drawn_span(line[0].first, line[0].piece.y)
    if drawn is not None:
        return drawn == (0, grid.width - 1)
    is_centred = abs(line[0].piece.x - grid.box.x) <= 2 * line[0].piece.size
    is_long = line[0].last - line[0].first + 1 >= max(2, _MOSTLY * grid.width)
    return is_long and (line[0].first == 0 or is_centred)


def _title_lines(grid: Grid) -> int:
    """Give how many of the first lines are a title: they run across all columns, and the names of these follow."""
    count = 0
    while count < len(grid.lines) and _goes_across(grid, grid.lines[count]):
        count += 1
    is_name = count < len(grid.lines) and len(grid.lines[count]) > 1 and not grid.figures(count)
    return count if is_name else 0


def _note_lines(grid: Grid) -> int:
    """Give how many of the last lines are notes: text that runs across, below the last rule if there are any."""
    count = 0
    while count < len(grid.lines) - 2 and _is_note(grid, len(grid.lines) - 1 - count):
        count += 1
    return count


def _is_note(grid: Grid, at: int) -> bool:
    line = grid.lines[at]
    if len(line) != 1 or line[0].first:
        return False
    is_text = len(line[0].piece.words) > 4 and line[0].last > 0
    is_below = any(map(grid.is_full, grid.cuts)) and not any(map(grid.is_full, grid.cuts[at:]))
    return is_text and (_goes_across(grid, line) or is_below)


def _head_lines(grid: Grid) -> int:
    """Give how many of the first lines name the columns.

    They stand over the first rule that runs along the table, or are bold, or have none of the figures below.
    """
    count = len(grid.rows)
    full = [at + 1 for at, cut in enumerate(grid.cuts) if grid.is_full(cut)]
    most = min(MOST_HEAD_LINES, count - 1)
    has_figures = [bool(grid.figures(at)) for at in range(count)]
    plain = next((at for at in range(count) if has_figures[at]), count)
    if full and full[0] <= min(most, plain):
        longest = max(map(len, grid.cuts))
        ends = [at for at in full if at <= min(most, plain)]
        head = next((at for at in ends if len(grid.cuts[at - 1]) == longest), ends[0])
        has_levels = any(0 < len(cut) < len(grid.cuts[head - 1]) for cut in grid.cuts[: head - 1])
        if has_levels or sum(has_figures[head:]) * 2 >= len(full) or _is_bold(grid, head) or len(full) < _FEW_RULES:
            return head
    bold = next((at for at, row in enumerate(grid.rows) if not all(piece.is_bold for piece in row)), count)
    while bold and _is_label(grid, bold - 1):
        bold -= 1
    if 0 < bold <= min(most, plain):
        return bold
    if plain <= most and sum(has_figures[plain:]) * 2 >= count - plain:
        while plain and _is_label(grid, plain - 1):
            plain -= 1
        return plain if plain in full or len(full) < _FEW_RULES else 0
    return 0


def _is_bold(grid: Grid, count: int) -> bool:
    rows = [[piece.is_bold for piece in row] for row in grid.rows]
    return all(map(all, rows[:count])) and not all(map(all, rows[count:]))


def _is_label(grid: Grid, at: int) -> bool:
    """Tell whether a line only names the rows below it."""
    return len(grid.lines[at]) == 1 and grid.lines[at][0].first == 0 and len(grid.rows) > 1


def _head_cells(grid: Grid, count: int) -> Iterator[_Cell]:
    """Give the cells of the names of columns: a name over several columns stands in a row of its own."""
    if not count:
        return
    lines: list[list[Placed]] = []
    for at in range(count):
        lines.append(_widened(grid, at, count, [placed for line in lines for placed in line]))
    level, levels, over = 0, list[int](), list[Placed]()
    for line in lines:
        if any(_is_inside(placed, other) for placed in line for other in over):
            level, over = level + 1, []
        levels.append(level)
        over += line
    spans: dict[tuple[int, int, int], list[Piece]] = {}
    for line, row in zip(lines, levels, strict=True):
        for placed in line:
            spans.setdefault((row, placed.first, placed.last), []).append(placed.piece)
    taken: set[int] = set()
    for (row, first, last), pieces in sorted(spans.items()):
        if first == last and first in taken:
            continue
        others = [
            (other, held) for (other, start, end), held in sorted(spans.items()) if start <= first and end >= last
        ]
        if first == last and all(start == end for (_, start, end) in spans if start <= first <= end):
            taken.add(first)
            yield _Cell(0, first, last, [piece for _, held in others for piece in held], level)
        else:
            yield _Cell(row, first, last, pieces, row)


def _is_inside(inner: Placed, outer: Placed) -> bool:
    return (
        outer.first <= inner.first
        and inner.last <= outer.last
        and (inner.first, inner.last)
        != (
            outer.first,
            outer.last,
        )
    )


def _widened(grid: Grid, at: int, count: int, above: Sequence[Placed]) -> list[Placed]:
    """Give the names of a line with all columns that they stand over: over a rule, or in the middle of them."""
    line = grid.lines[at]
    found: list[Placed] = []
    for index, placed in enumerate(line):
        low = line[index - 1].last + 1 if index else 0
        high = line[index + 1].first - 1 if index + 1 < len(line) else grid.width - 1
        for other in above:
            if other.first <= placed.first and placed.last <= other.last:
                low, high = max(low, other.first), min(high, other.last)
            elif other.last < placed.first:
                low = max(low, other.last + 1)
            elif other.first > placed.last:
                high = min(high, other.first - 1)
        first, last = _span(grid, placed, (low, high), at, count)
        found.append(Placed(first, last, placed.piece))
    return found


def _span(grid: Grid, placed: Placed, free: tuple[int, int], at: int, count: int) -> tuple[int, int]:
    """Give the columns that a name stands over, of those that no other name of its line does."""
    piece = placed.piece
    drawn = grid.drawn_span(placed.first, piece.y)
    if drawn is not None:
        is_alone = free[0] <= drawn[0] and drawn[1] <= free[1]
        return (drawn[0], max(drawn[1], placed.last)) if is_alone else (placed.first, placed.last)
    bottom = min(piece.y for piece in grid.rows[at + 1]) if at + 1 < len(grid.rows) else piece.bottom
    under = [rule for rule in grid.rules.across if piece.y < rule.y < bottom and rule.x0 - 2 <= piece.x <= rule.x1 + 2]
    columns = [(left + right) / 2 for left, right in pairwise(grid.edges)]
    if under and at + 1 < count and under[0].width < 0.95 * grid.box.width:
        held = [at for at, x in enumerate(columns) if under[0].x0 <= x <= under[0].x1 and free[0] <= at <= free[1]]
        if held:
            return min([placed.first, *held]), max([placed.last, *held])
    if at + 1 >= count:
        return placed.first, placed.last
    extents = [grid.extent(column, at + 1) for column in range(grid.width)]
    best = (placed.first, placed.last)
    for first in range(free[0], placed.first + 1):
        for last in range(placed.last, free[1] + 1):
            left, right = extents[first], extents[last]
            if left is None or right is None or last - first <= best[1] - best[0] or first == last:
                continue
            if abs((left.x0 + right.x1) / 2 - piece.x) <= _CENTRED * piece.size:
                best = (first, last)
    return best


def _body_rows(grid: Grid, head: int) -> list[list[int]]:
    """Give the lines below the head by the rows of the table that they make."""
    bands: list[list[int]] = [[head]] if head < len(grid.rows) else []
    for at in range(head + 1, len(grid.rows)):
        if grid.cuts[at - 1]:
            bands.append([])
        bands[-1].append(at)
    are_ruled = len(bands) > 2 and 2 * sum(not _is_stack(grid, band) for band in bands) > len(bands)
    rows: list[list[int]] = []
    for band in bands:
        if are_ruled and not _is_stack(grid, band):
            rows.append(band)
        else:
            rows += _parted(grid, band, _numeric_columns(grid, head))
    return rows


def _is_stack(grid: Grid, lines: Sequence[int]) -> bool:
    """Tell whether lines between two rules are rows of their own: they are full, and hold figures."""
    held = [placed for at in lines for placed in grid.lines[at]]
    figures = Counter(placed.first for placed in held if FIGURE.fullmatch(placed.piece.text))
    return _is_dense(grid, lines) and max(figures.values(), default=0) > 1


def _is_dense(grid: Grid, lines: Sequence[int]) -> bool:
    """Tell whether some lines are rows of their own: another one fills nearly as many columns as the fullest."""
    fullest, second = sorted([0, *(len(grid.lines[at]) for at in lines)], reverse=True)[:2]
    return second > 1 and second >= _FULL * fullest


def _numeric_columns(grid: Grid, head: int) -> set[int]:
    known: list[list[bool]] = [[] for _ in range(grid.width)]
    for line in grid.lines[head:]:
        for placed in line:
            known[placed.first].append(FIGURE.fullmatch(placed.piece.text) is not None)
    return {at for at, figures in enumerate(known) if figures and sum(figures) * 2 >= len(figures)}


def _parted(grid: Grid, band: Sequence[int], numeric: set[int]) -> list[list[int]]:
    """Give lines by rows, where no rules part them.

    Of the ways to do so, by the blanks between them, by what they say, or each alone, that one is taken which leaves
    most rows with a name and cells, and fewest without; a row from each full line on, where this leaves far more.
    """
    bottoms = accumulate((max(piece.bottom for piece in grid.rows[at]) for at in band), max)
    blanks = [min(piece.top for piece in grid.rows[at]) - bottom for at, bottom in zip(band[1:], bottoms, strict=False)]
    least = _PADDING * grid.rows[band[0]][0].size
    ways: list[list[list[int]]] = []
    for low, high in pairwise(sorted(blanks)):
        if high - low >= least:
            rows = [[band[0]]]
            for at, blank in zip(band[1:], blanks, strict=True):
                if blank > (low + high) / 2:
                    rows.append([])
                rows[-1].append(at)
            ways.append(rows)
    fullest = max(len(grid.lines[at]) for at in band)
    ways += [_grouped(grid, band, numeric), [[at] for at in band]]
    others = _from_full_lines(grid, band, fullest)
    worths = [sum(_worth(grid, row, fullest) for row in rows) for rows in [*ways, others]]
    best = max(worths[:-1])
    return others if worths[-1] > 2 * max(best, 1) else ways[worths.index(best)]


def _from_full_lines(grid: Grid, band: Sequence[int], fullest: int) -> list[list[int]]:
    """Give lines by rows that begin with a line that fills most columns, or with a title."""
    rows: list[list[int]] = []
    for at in band:
        line = grid.lines[at]
        is_title = len(line) == 1 and line[0].first == 0
        if not rows or is_title or 2 * len(line) >= fullest or len(grid.lines[rows[-1][0]]) == 1:
            rows.append([])
        rows[-1].append(at)
    return rows


def _worth(grid: Grid, lines: Sequence[int], fullest: int) -> int:
    """Tell whether lines make a row: 1 if they do, 0 for a title of rows or a sum, less for a part or for several."""
    sums = Counter(one.first for at in lines for one in grid.lines[at] if _is_sum(grid, one))
    if max(sums.values(), default=0) > 1:
        return -2
    above = grid.lines[lines[0] - 1] if lines[0] else []
    if any(one.piece.is_broken and one.first == other.first for one in above for other in grid.lines[lines[0]]):
        return -2
    filled = {placed.first for at in lines for placed in grid.lines[at]}
    if len(filled) > 1 and 0 in filled and 2 * len(filled) >= fullest:
        return 1
    return 0 if filled == {0} or sums else -1


def _is_sum(grid: Grid, placed: Placed) -> bool:
    """Tell whether a cell is a figure that ends where the others of its column do, as amounts and numbers of pieces."""
    return placed.first in grid.sums and FIGURE.fullmatch(placed.piece.text) is not None


def _grouped(grid: Grid, band: Sequence[int], numeric: set[int]) -> list[list[int]]:
    """Give lines by rows, where nothing parts them: a line without figures may go on with the cells beside it."""
    bases = [median(piece.words[0].base for piece in grid.rows[at]) for at in band]
    steps = [1e6, *(below - above for above, below in pairwise(bases)), 1e6]
    pitch = line_pitch([grid.rows[at] for at in band])
    few_small = 5 * sum(_is_small(grid.rows[at]) for at in band) <= 2 * len(band)
    groups: list[list[int]] = []
    ahead: list[int] = []
    for place_in_band, at in enumerate(band):
        before, after = steps[place_in_band], steps[place_in_band + 1]
        size = grid.rows[at][0].size
        is_part = _is_continuation(grid, at, numeric, few_small=few_small)
        is_near = before <= max(min(after * 1.25, _TIGHT * size), 1.05 * pitch)
        if is_part and groups and is_near and not ahead:
            groups[-1].append(at)
        elif is_part and after < 0.8 * before and after <= _TIGHT * size:
            ahead.append(at)
        else:
            groups.append([*ahead, at])
            ahead = []
    return groups + ([ahead] if ahead else [])


def _is_small(row: Row) -> bool:
    return row[0].text[:1].islower()


def _is_continuation(grid: Grid, at: int, numeric: set[int], *, few_small: bool) -> bool:
    """Tell whether a line may only go on with cells of the row beside it."""
    line = grid.lines[at]
    filled = {placed.first for placed in line}
    if filled & numeric or any(FIGURE.fullmatch(placed.piece.text) for placed in line):
        return False
    if few_small and all(placed.piece.text[:1].islower() for placed in line):
        return True
    if 2 * len(filled) > grid.width:
        return False
    return 0 not in filled and bool(filled)


def _cells(grid: Grid, group: Sequence[int], row: int) -> list[_Cell]:
    """Give the cells of the lines of one row."""
    cells: dict[int, _Cell] = {}
    for at in group:
        for placed in grid.lines[at]:
            cell = cells.setdefault(placed.first, _Cell(row, placed.first, placed.last, [], row))
            cell.pieces.append(placed.piece)
            cell.last_column = max(cell.last_column, placed.last)
    ordered = [cells[at] for at in sorted(cells)]
    for at, cell in enumerate(ordered):
        low = ordered[at - 1].last_column + 1 if at else 0
        high = ordered[at + 1].column - 1 if at + 1 < len(ordered) else grid.width - 1
        drawn = grid.drawn_span(cell.column, cell.pieces[0].y)
        if drawn and low <= drawn[0] and drawn[1] <= high and all(map(grid.is_wall, range(drawn[0] + 1, drawn[1] + 1))):
            cell.column, cell.last_column = drawn[0], drawn[1]
        cell.last_column = min(cell.last_column, high)
    if len(ordered) == 1 and ordered[0].column < ordered[0].last_column:
        ordered[0].column, ordered[0].last_column = 0, grid.width - 1
    return ordered


def _merged_down(grid: Grid, cells: list[_Cell], rows: Sequence[Sequence[int]], head: int) -> list[_Cell]:
    """Join the cells of drawn columns that no rule parts; ``rows`` are the lines of the rows below the head."""
    merged = [cell for cell in cells if cell.row < head or cell.column < cell.last_column]
    single = [cell for cell in cells if cell.row >= head and cell.column == cell.last_column]
    for column in range(grid.width):
        own = {cell.row: cell for cell in single if cell.column == column}
        chains: list[list[int]] = [[head]]
        for at, (above, below) in enumerate(pairwise(rows), head + 1):
            if not _goes_on_below(grid, column, above[-1], below[0]):
                chains.append([])
            chains[-1].append(at)
        for chain in chains:
            held = [own[row] for row in chain if row in own]
            if len(chain) > 1 and held and not (len(held) == len(chain) > 2):
                merged.append(_Cell(chain[0], column, column, [p for cell in held for p in cell.pieces], chain[-1]))
            else:
                merged += held
    return merged


def _goes_on_below(grid: Grid, column: int, above: int, below: int) -> bool:
    cut = frozenset[int]().union(*grid.cuts[above:below])
    if not cut or column in cut:
        return False
    top, bottom = grid.rows[above][0].y, grid.rows[below][0].y
    return grid.drawn_span(column, (top + bottom) / 2) == (column, column)


def _rows_of(cells: Sequence[_Cell], width: int, vocabulary: frozenset[str]) -> Iterator[list[Cell]]:
    """Give the rows of a table with its empty cells."""
    owners = {
        (row, column): cell
        for cell in cells
        for row in range(cell.row, cell.last_row + 1)
        for column in range(cell.column, cell.last_column + 1)
    }
    count = max(cell.last_row for cell in cells) + 1
    for row in range(count):
        written: list[Cell] = []
        for column in range(width):
            cell = owners.get((row, column))
            if cell is None:
                written.append(Cell(""))
            elif (cell.row, cell.column) == (row, column):
                said = inline(cell.pieces, vocabulary, keeps_lines=True)
                written.append(Cell(said, cell.last_column - cell.column + 1, cell.last_row - cell.row + 1))
        yield written
