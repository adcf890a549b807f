"""Find tables that rules draw, and put the words of a page into their cells."""

from collections.abc import Sequence
from statistics import median

from gleaner.documents.blocks import Cell, TableBlock, inline
from gleaner.documents.column_tables import FIGURE, Run, grouped
from gleaner.documents.lines import Piece, Row, rows_of
from gleaner.documents.page import Box, Word, around

_NEAR = 3.0
"""Points by which rules that are meant to meet miss each other."""
_MOST_CELLS = 20_000
_MOST_RULES = 4_000
_FEWEST_STACKED = 3
_Held = dict[tuple[int, int], list[Word]]
_Spans = dict[tuple[int, int], tuple[int, int]]


def ruled_tables(
    words: Sequence[Word], rules: Sequence[Box], vocabulary: frozenset[str]
) -> tuple[list[tuple[Box, TableBlock]], list[Word]]:
    """Give the tables of a page with the boxes that they fill, and the words outside of them."""
    found: list[tuple[Box, TableBlock]] = []
    rest = list(words)
    for across, down in _meshes(rules):
        xs = _places([x for rule in across for x in (rule.x0, rule.x1)] + [_x(rule) for rule in down])
        ys = _places([y for rule in down for y in (rule.top, rule.bottom)] + [_y(rule) for rule in across])
        if len(xs) < 3 or len(ys) < 2 or len(xs) * len(ys) > _MOST_CELLS:
            continue
        box = Box(xs[0], ys[0], xs[-1], ys[-1])
        inside = [word for word in rest if box.holds((word.x0 + word.x1) / 2, word.middle)]
        table = _table(inside, _Mesh(xs, ys, across, down), vocabulary)
        if table is not None:
            found.append((box, table))
            held = set(map(id, inside))
            rest = [word for word in rest if id(word) not in held]
    return found, rest


def _x(rule: Box) -> float:
    return (rule.x0 + rule.x1) / 2


def _y(rule: Box) -> float:
    return (rule.top + rule.bottom) / 2


def _places(values: Sequence[float]) -> list[float]:
    """Give values without those that differ from the one before by what rules miss each other by."""
    places: list[float] = []
    for value in sorted(values):
        if not places or value - places[-1] > _NEAR:
            places.append(value)
    return places


def _meshes(rules: Sequence[Box]) -> list[tuple[list[Box], list[Box]]]:
    """Give the horizontal and vertical rules that hang together."""
    across = [rule for rule in rules if rule.width > rule.height][:_MOST_RULES]
    down = [rule for rule in rules if rule.width <= rule.height][:_MOST_RULES]
    owner = list(range(len(across) + len(down)))

    def root(at: int) -> int:
        while owner[at] != at:
            owner[at] = owner[owner[at]]
            at = owner[at]
        return at

    ordered = sorted(range(len(down)), key=lambda at: _x(down[at]))
    for one, rule in enumerate(across):
        for other in ordered:
            wall = down[other]
            if _x(wall) > rule.x1 + _NEAR:
                break
            if _x(wall) >= rule.x0 - _NEAR and wall.top - _NEAR <= _y(rule) <= wall.bottom + _NEAR:
                owner[root(one)] = root(len(across) + other)
    meshes: dict[int, tuple[list[Box], list[Box]]] = {}
    for at, rule in enumerate([*across, *down]):
        meshes.setdefault(root(at), ([], []))[at >= len(across)].append(rule)
    return sorted((mesh for mesh in meshes.values() if all(mesh)), key=lambda mesh: min(_y(rule) for rule in mesh[0]))


class _Mesh:
    """The places of the rules of one table, and which borders are drawn."""

    def __init__(self, xs: list[float], ys: list[float], across: list[Box], down: list[Box]) -> None:
        self.xs, self.ys = xs, ys
        self._across = {at: [rule for rule in across if abs(_y(rule) - y) <= _NEAR] for at, y in enumerate(ys)}
        self._down = {at: [rule for rule in down if abs(_x(rule) - x) <= _NEAR] for at, x in enumerate(xs)}

    def is_drawn_below(self, row: int, column: int) -> bool:
        """Tell whether a rule runs below a cell."""
        x = (self.xs[column] + self.xs[column + 1]) / 2
        return any(rule.x0 <= x <= rule.x1 for rule in self._across[row + 1])

    def is_drawn_right(self, row: int, column: int) -> bool:
        """Tell whether a rule runs to the right of a cell."""
        y = (self.ys[row] + self.ys[row + 1]) / 2
        return any(rule.top <= y <= rule.bottom for rule in self._down[column + 1])


def _table(words: Sequence[Word], mesh: _Mesh, vocabulary: frozenset[str]) -> TableBlock | None:
    """Give the table of a mesh; None if it is only a frame: fewer than two of its columns or cells say something."""
    held: _Held = {}
    owners, spans = _owners(mesh)
    for word in words:
        row = _band(mesh.ys, word.middle)
        column = _band(mesh.xs, (word.x0 + word.x1) / 2)
        held.setdefault(owners[row, column], []).append(word)
    if len({column for _, column in held}) < 2 or len(held) < 2:
        return None
    rows: list[list[Cell]] = []
    for row in range(len(mesh.ys) - 1):
        starts = sorted(column for at, column in spans if at == row)
        if any((row, column) in held for column in starts) or any(spans[row, column][0] > 1 for column in starts):
            rows += _rows_of_band(row, held, spans, mesh, vocabulary)
    rows = _without_blank(rows)
    return (
        TableBlock(rows, _head(words, mesh, rows), mesh.xs[:-1], median(word.size for word in words)) if rows else None
    )


def _owners(mesh: _Mesh) -> tuple[dict[tuple[int, int], tuple[int, int]], dict[tuple[int, int], tuple[int, int]]]:
    """Give for each place of the mesh the cell that it belongs to, and for each cell its rows and columns."""
    owners: dict[tuple[int, int], tuple[int, int]] = {}
    spans: dict[tuple[int, int], tuple[int, int]] = {}
    for row in range(len(mesh.ys) - 1):
        for column in range(len(mesh.xs) - 1):
            if (row, column) in owners:
                continue
            across = 1
            while (
                column + across < len(mesh.xs) - 1
                and not mesh.is_drawn_right(row, column + across - 1)
                and (row, column + across) not in owners
            ):
                across += 1
            down = 1
            while row + down < len(mesh.ys) - 1 and not any(
                mesh.is_drawn_below(row + down - 1, column + each) for each in range(across)
            ):
                down += 1
            spans[row, column] = (down, across)
            for each_row in range(row, row + down):
                for each in range(column, column + across):
                    owners.setdefault((each_row, each), (row, column))
    return owners, spans


def _band(places: Sequence[float], value: float) -> int:
    return min(max(sum(place <= value for place in places) - 1, 0), len(places) - 2)


def _rows_of_band(row: int, held: _Held, spans: _Spans, mesh: _Mesh, vocabulary: frozenset[str]) -> list[list[Cell]]:
    """Give the row between two rules; several rows where no rules part the values that stand under each other."""
    starts = sorted(column for at, column in spans if at == row)
    lines = [[_line(line) for line in rows_of(held.get((row, column), []))] for column in starts]
    figures = [sum(FIGURE.fullmatch(line.text) is not None for line in column) for column in lines]
    is_plain = all(spans[row, column] == (1, 1) for column in starts)
    if is_plain and max(figures, default=0) >= _FEWEST_STACKED:
        columns = [(mesh.xs[column] + 1, mesh.xs[column + 1] - 1) for column in starts]
        run = Run(_stacked([line for column in lines for line in column]), columns, set())
        return [
            [
                Cell(inline(pieces, vocabulary)) if (pieces := _in_column(run, group, at)) else Cell("")
                for at in range(len(columns))
            ]
            for group in grouped(run, ())
        ]
    cells = [
        Cell(inline(column, vocabulary, keeps_lines=True) if column else "", spans[row, start][1], spans[row, start][0])
        for start, column in zip(starts, lines, strict=True)
    ]
    return [cells]


def _line(row: Row) -> Piece:
    words = tuple(word for piece in row for word in piece.words)
    box = around(list(words))
    return Piece(box.x0, box.top, box.x1, box.bottom, words)


def _stacked(lines: Sequence[Piece]) -> list[Row]:
    """Give the lines of cells side by side as rows."""
    rows: list[Row] = []
    for line in sorted(lines, key=lambda line: line.middle):
        if rows and line.middle - rows[-1][0].middle <= 0.5 * line.size:
            rows[-1].append(line)
        else:
            rows.append([line])
    return rows


def _in_column(run: Run, group: Sequence[int], at: int) -> list[Piece]:
    x0, x1 = run.columns[at]
    return [piece for row in group for piece in run.rows[row] if x0 <= (piece.x0 + piece.x1) / 2 <= x1]


def _without_blank(rows: list[list[Cell]]) -> list[list[Cell]]:
    """Leave out rows without text, as between double rules, if no cell reaches into them."""
    is_simple = all(cell.rowspan == 1 for row in rows for cell in row)
    return [row for row in rows if any(cell.html for cell in row)] if is_simple else rows


def _head(words: Sequence[Word], mesh: _Mesh, rows: Sequence[Sequence[Cell]]) -> int:
    """Give how many rows name the columns: the first is in bold, or has no figures where the rows below have some."""
    first = [word for word in words if word.middle < mesh.ys[1]]
    others = [word for word in words if word.middle >= mesh.ys[1]]
    if len(rows) < 2 or not first or len([cell for cell in rows[0] if cell.html]) < 2:
        return 0
    has_figures = any(FIGURE.fullmatch(word.text) for word in first)
    is_bold = all(word.is_bold for word in first) and not all(word.is_bold for word in others)
    below = sum(any(FIGURE.fullmatch(cell.html) for cell in row) for row in rows[1:])
    is_head = is_bold or (not has_figures and 2 * below >= len(rows) - 1)
    return max(cell.rowspan for cell in rows[0]) if is_head else 0
