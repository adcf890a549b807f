"""Find the tables of a page around which rules are drawn."""

from collections.abc import Iterator, Sequence
from statistics import median

from gleaner.documents.lines import Piece, Row, Walls, line_pitch, rows_of
from gleaner.documents.page import Box, Word, WordsByHeight
from gleaner.documents.tables.columns import column_edges, is_figure, place
from gleaner.documents.tables.rulings import ALIKE, NEAR, Rules, meshes_of
from gleaner.documents.tables.runs import breaks_when_full, is_prose
from gleaner.documents.tables.table import Table, table_of

_DOUBLE = 8.0
"""Points between two rules without text between them that are the ends of one table and the next."""
_LARGER, _SIDES = 1.15, 2
_MOST_BETWEEN = 3
"""Lines between the rules of a table that are not of one width: names over several columns."""
_LEAST_FILLED, _FEW_CELLS = 0.2, 12
"""Share of the cells of a mesh that say something: charts with a mesh have less."""
_DRAWN_OVER = 0.3
"""Share of a table that slopes and curves fill: it is a chart."""
_FAR_LABEL = 12.0
_LEVEL, _FEWEST_LABELS = 2.0, 3
"""Points by which the name of a row may stand higher than its figures, and names that are a column."""
_FEW = 4
_MOST_ABOVE, _MOST_NAMES, _FIRST_NAME, _NEXT_NAME = 120.0, 10, 3.5, 0.7
"""Points and lines above a table in which its columns may be named; sizes of the text by which names are above cells,
and lines of names above each other."""
_MOST_BELOW, _NEXT_ROW, _FARTHEST_SUM = 150.0, 1.3, 3.5
_MOSTLY = 0.6


def ruled_tables(
    words: Sequence[Word], rules: Rules, figures: Sequence[Box], vocabulary: frozenset[str]
) -> tuple[list[Table], list[Word]]:
    """Give the tables of a page that rules part or enclose, and the words outside of them."""
    tables: list[Table] = []
    rest = WordsByHeight(words)
    for area in _areas(rest, rules):
        box = _with_labels(area, rest.words)
        rows = rows_of(rest.inside(box), Walls(area.down))
        if is_chart(box, figures) or not _is_tabular(rows, area, box):
            continue
        over = Box(box.x0 - 2, box.top - _MOST_ABOVE, box.x1 + 2, box.top)
        under = Box(box.x0, box.bottom, box.x1, box.bottom + _MOST_BELOW)
        above, below = rows_of(rest.inside(over), Walls()), rows_of(rest.inside(under), Walls())
        names = [] if _is_closed(area, box, rows) else names_above(rows, box, above)
        rows = [*names, *rows, *rows_below(rows, area.down, box, below)]
        table = table_of(rows, area, vocabulary)
        if table is not None and not _is_sparse(table):
            tables.append(table)
            rest = rest.without(word for row in rows for piece in row for word in piece.words)
    return tables, rest.words


def _is_closed(area: Rules, box: Box, rows: Sequence[Row]) -> bool:
    """Tell whether no line above names columns: rules enclose the table, or its first line, which has no figures."""
    if any(is_figure(piece.text) for piece in rows[0]):
        return False
    sides = [wall.x for wall in area.down if wall.top <= box.top + NEAR and wall.bottom >= box.bottom - NEAR]
    if sides and min(sides) <= box.x0 + NEAR and max(sides) >= box.x1 - NEAR:
        return True
    full = [rule.y for rule in area.across if rule.x0 <= box.x0 + NEAR and rule.x1 >= box.x1 - NEAR]
    first, second = rows[0][0].y, rows[1][0].y
    return any(y < first for y in full) and any(first < y < second for y in full)


def is_chart(box: Box, figures: Sequence[Box]) -> bool:
    """Tell whether slopes and curves are drawn over much of an area."""
    return any(
        max(0.0, min(box.x1, figure.x1) - max(box.x0, figure.x0))
        * max(0.0, min(box.bottom, figure.bottom) - max(box.top, figure.top))
        >= _DRAWN_OVER * max(1.0, box.width * box.height)
        for figure in figures
    )


def _areas(words: WordsByHeight, rules: Rules) -> Iterator[Rules]:
    """Put together rules of one width, or within that of others, between which the lines of a table stand."""
    open_areas: list[Rules] = []
    for mesh in meshes_of(rules):
        box = mesh.box
        over = [area for area in open_areas if area.box.x0 < box.x1 and area.box.x1 > box.x0]
        area = max(over, key=lambda area: area.box.bottom, default=None)
        if area is None or not _go_on(area, mesh, words):
            open_areas.append(mesh)
        else:
            area.across.extend(mesh.across)
            area.down.extend(mesh.down)
    for area in open_areas:
        if len(area.across) + len(area.down) > 1 and (area.box.height > NEAR):
            yield area


def _go_on(area: Rules, mesh: Rules, words: WordsByHeight) -> bool:
    one, other = area.box, mesh.box
    are_alike = abs(one.x0 - other.x0) <= ALIKE and abs(one.x1 - other.x1) <= ALIKE
    is_within = (one.x0 - ALIKE <= other.x0 and other.x1 <= one.x1 + ALIKE) or (
        other.x0 - ALIKE <= one.x0 and one.x1 <= other.x1 + ALIKE
    )
    if not (are_alike or (is_within and not (area.down and mesh.down))):
        return False
    if other.top <= one.bottom:
        return other.bottom <= one.bottom + NEAR
    left, right = min(one.x0, other.x0), max(one.x1, other.x1)
    between = Box(left - NEAR, one.bottom, right + NEAR, other.top)
    inside = words.inside(between)
    if not inside:
        return are_alike and other.top - one.bottom <= _DOUBLE
    rows = rows_of(inside, Walls([*area.down, *mesh.down]))
    size = inside[0].size
    framed = rows_of(words.inside(other), Walls(mesh.down))
    if len(framed) == 1 and _is_heading(framed[0], [*framed, *rows]):
        return False
    if len(rows) == 1:
        return between.height <= 3 * size
    if (not are_alike and len(rows) > _MOST_BETWEEN) or any(_is_heading(row, rows) for row in rows):
        return False
    if _part_otherwise(area, mesh) and any(len(row) == 1 for row in rows):
        return False
    width = max(piece.x1 for row in rows for piece in row) - min(piece.x0 for row in rows for piece in row)
    cells = [row for row in rows if len(row) > 1 and max(piece.width for piece in row) <= _MOSTLY * width]
    many = sum(len(row) > 2 for row in cells)
    return 2 * len(cells) >= len(rows) or 3 * many >= len(rows) or (are_alike and _are_one_row(rows))


def _are_one_row(rows: Sequence[Row]) -> bool:
    """Tell whether lines are the cells of one row, some of them high: each piece is in line with one of the fullest."""
    fullest = max(rows, key=len)
    return len(fullest) > _SIDES and all(
        sum(piece.x0 < cell.x1 and cell.x0 < piece.x1 for cell in fullest) == 1 for row in rows for piece in row
    )


def _part_otherwise(area: Rules, mesh: Rules) -> bool:
    """Tell whether a wall of a mesh within its sides stands where those above have none."""
    box, xs = mesh.box, [wall.x for wall in area.down]
    inner = [wall.x for wall in mesh.down if box.x0 + NEAR < wall.x < box.x1 - NEAR]
    return len(xs) > _SIDES and not all(any(abs(x - other) <= NEAR for other in xs) for x in inner)


def _is_heading(row: Row, rows: Sequence[Row]) -> bool:
    """Tell whether one of some lines stands alone in larger letters than the others."""
    return len(row) == 1 and row[0].size > _LARGER * min(piece.size for other in rows for piece in other)


def _with_labels(area: Rules, words: Sequence[Word]) -> Box:
    """Give the box of an area, with the names of its rows where they stand to the left of its rules."""
    box = area.box
    heights = sorted({round(rule.y) for rule in area.across})
    if len(heights) < 4 or not area.down:
        return box
    beside = [
        word for word in words if word.x1 <= box.x0 + 2 and box.top <= word.y <= box.bottom and box.x0 - word.x1 < 200
    ]
    rows = rows_of(beside, Walls()) if beside else []
    near = [row[-1] for row in rows if box.x0 - row[-1].x1 <= _FAR_LABEL]
    if len(near) < _MOSTLY * (len(heights) - 1):
        near = _labels_of(rows_of([word for word in words if box.holds(word)], Walls(area.down)), rows)
    return Box(min((piece.x0 for piece in near), default=box.x0), box.top, box.x1, box.bottom)


def _labels_of(lines: Sequence[Row], beside: Sequence[Row]) -> list[Piece]:
    """Give what stands beside the lines of a table if that is their names: one for most of them, under each other."""
    figures = [line[0].y for line in lines if any(is_figure(piece.text) for piece in line)]
    labels = [row[0] for row in beside if len(row) == 1 and any(abs(row[0].y - y) <= _LEVEL for y in figures)]
    if len(labels) < max(_FEWEST_LABELS, _MOSTLY * max(len(figures), len(beside))) or breaks_when_full(labels):
        return []
    left = median(label.x0 for label in labels)
    return labels if sum(abs(label.x0 - left) <= 1 for label in labels) >= _MOSTLY * len(labels) else []


def names_above(rows: Sequence[Row], box: Box, above: Sequence[Row]) -> list[Row]:
    """Give those of the lines above a table that name its columns: they stand close together, several in one line.

    Where the table's own first lines have no figures, or its first names each column, those must go on with these, but
    for a line that looks like the head or a row of this table: bold over plain ones, or as far from the first as that
    is from the next, and under each other. A line with figures that does so is a row, over the first of the rules that
    stand below rows, and what names the columns is above it.
    """
    if above and len(rows) > 1 and _has_figures(above[-1]) and _has_figures(rows[0]) and _is_next_row(above[-1], rows):
        return [*names_above([above[-1], *rows], box, above[:-1]), above[-1]]
    has_names = not any(is_figure(piece.text) for row in rows[:_FEW] for piece in row[1:]) or _names_each(rows)
    sets_off = bool(above) and len(above[-1]) > 1 and _is_bold(above[-1]) and not _is_bold(rows[0])
    if has_names and above and len(rows) > 1 and len(above[-1]) > 1:
        has_names = not sets_off and not _is_next_row(above[-1], rows)
    top, far = min(piece.top for piece in rows[0]), _NEXT_NAME if has_names else _FIRST_NAME
    found: list[Row] = []
    for row in reversed(above[-_MOST_NAMES:]):
        slack = 1.5 * row[0].size
        is_over = row[0].x0 >= box.x0 - slack and row[-1].x1 <= box.x1 + slack
        is_text = max(piece.width for piece in row) > _MOSTLY * box.width
        is_text = is_text or (3 * sum(is_figure(piece.text) for piece in row) > len(row) and (found or not sets_off))
        sizes = [piece.size for piece in row]
        is_title = max(sizes) > _LARGER * min(sizes)
        if top - max(piece.bottom for piece in row) > far * row[0].size or is_text or is_title or not is_over:
            break
        found.insert(0, row)
        top, far = min(top, *(piece.top for piece in row)), _NEXT_NAME
    while found and len(found[0]) == 1:
        found.pop(0)
    return found


def _names_each(rows: Sequence[Row]) -> bool:
    """Tell whether the first of some rows says something without figures in as many columns as any of them fills."""
    is_full = len(rows[0]) == max(map(len, rows)) > 2
    return is_full and not any(is_figure(piece.text) for piece in rows[0])


def _is_bold(row: Row) -> bool:
    return all(piece.is_bold for piece in row)


def _is_next_row(row: Row, rows: Sequence[Row]) -> bool:
    """Tell whether a line is as far from the first of some as this is from the next, and its pieces are over theirs."""
    step, usual = rows[0][0].y - row[0].y, rows[1][0].y - rows[0][0].y
    cells = [piece for each in rows[:_FEW] for piece in each]
    return abs(step - usual) <= 1 and all(
        any(min(abs(piece.x0 - cell.x0), abs(piece.x1 - cell.x1)) <= 1 for cell in cells) for piece in row
    )


def _has_figures(row: Row) -> bool:
    return any(is_figure(piece.text) for piece in row[1:])


def rows_below(rows: Sequence[Row], walls: Sequence[Box], box: Box, below: Sequence[Row]) -> list[Row]:
    """Give those of the lines below a table that go on in its columns: its last row, the rest of a cell, sums."""
    edges = column_edges(rows, sorted(wall.x for wall in walls), box)
    lefts = [piece.x0 for row in rows for piece in row]
    found: list[Row] = []
    last = rows[-1]
    pitch = max(line_pitch(rows), 1.5 * last[0].size)
    for row in below:
        placed, step = place(row, edges), row[0].y - last[0].y
        are_cells = len(placed) > 1 and all(each.first == each.last for each in placed)
        is_rest = len(placed) == 1 and 0 < placed[0].first == placed[0].last
        is_rest = is_rest and sum(abs(left - row[0].x0) <= 1 for left in lefts) > 1 and step <= _NEXT_ROW * pitch
        if not is_rest and (not are_cells or step > max(_NEXT_ROW * pitch, _FARTHEST_SUM * row[0].size)):
            break
        found.append(row)
        last = row
    return found


def _is_tabular(rows: Sequence[Row], area: Rules, box: Box) -> bool:
    """Tell whether lines fill columns: drawn ones, or most of the lines several."""
    if len(rows) < 2:
        return False
    inner = [wall for wall in area.down if box.x0 + NEAR < wall.x < box.x1 - NEAR]
    edges = column_edges(rows, sorted(wall.x for wall in inner), box)
    placed = [place(row, edges) for row in rows]
    columns = {each.first for line in placed for each in line}
    if len(columns) < 2:
        return False
    if inner:
        return True
    if is_prose([[each.piece for line in placed for each in line if each.first == at] for at in sorted(columns)]):
        return False
    long = sum(len(row) == 1 and row[0].width > _MOSTLY * box.width for row in rows)
    return 4 * sum(len(line) > 1 for line in placed) >= len(rows) and 3 * long <= len(rows)


def _is_sparse(table: Table) -> bool:
    cells = [cell for row in table.block.rows for cell in row]
    filled = sum(bool(cell.html) for cell in cells)
    return len(cells) > _FEW_CELLS and filled < _LEAST_FILLED * len(cells)
