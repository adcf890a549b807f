"""Tables as grids: labels above columns, and rows of cells under them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gleaner.page.content import Content, read_content
from gleaner.page.model import Page
from gleaner.page.tables import Table

_MOST_COLUMNS = 200
_BLANK = Content("")


@dataclass(frozen=True, slots=True)
class Grid:
    """A table: for each column the labels it goes by, the whole one first, and the rows, all of one width; their nodes.

    ``has_total``: a row sums up others; ``has_titles``: headings part the rows; ``has_groups``: several make one
    record; ``is_headed``: the table says that the labels are labels, which else are the first row, whatever it holds;
    such a table may have no other row.
    """

    labels: tuple[tuple[str, ...], ...]
    rows: tuple[tuple[Content, ...], ...]
    nodes: tuple[int, ...]
    has_total: bool = False
    has_titles: bool = False
    has_groups: bool = False
    is_headed: bool = True

    def column(self, at: int) -> list[Content]:
        """Give the cells of one column."""
        return [row[at] for row in self.rows]


def read_grids(page: Page) -> Iterator[Grid]:
    """Give the tables of a page that have labels and rows."""
    for table in page.tables:
        grid = _read_grid(page, table)
        if grid is not None:
            yield grid


def _read_grid(page: Page, table: Table) -> Grid | None:
    is_headed = table.named_by != "nothing"
    body = table.of_kind("row")
    heads, body = (table.heads, body) if is_headed else (body[:1], body[1:])
    if not heads or (is_headed and not body):
        return None
    width = min(_MOST_COLUMNS, max(len(row.slots) for row in table.rows))
    said = {-1: _BLANK}
    for cell in {cell for row in (*heads, *body) for cell in row.slots[:width]} - {-1}:
        said[cell] = read_content(page.unplaced, cell, page.base)
    lines = [[said[cell] for cell in row.slots[:width]] for row in (*heads, *body)]
    full = [(*line, *[_BLANK] * (width - len(line))) for line in lines]
    totals = (row for row in table.of_kind("total") if row.section != "tfoot")
    kinds = table.kinds[table.rows.index(heads[0]) :]
    has_titles, is_open = "title" in kinds, kinds[-1] == "title"  # such as "Show 14 more"
    labels, rows = _labels(full[: len(heads)]), tuple(full[len(heads) :])
    return Grid(
        labels, rows, tuple(row.node for row in body), any(totals), has_titles, table.period > 1 or is_open, is_headed
    )


def _labels(lines: Sequence[Sequence[Content]]) -> tuple[tuple[str, ...], ...]:
    """Give for each column what stands above it from top to bottom, and the lowest label alone."""
    labels: list[tuple[str, ...]] = []
    for column in zip(*lines, strict=True):
        texts = list(dict.fromkeys(cell.text for cell in column if cell.text))
        labels.append((" ".join(texts), *texts[-1:]) if len(texts) > 1 else (" ".join(texts),))
    return tuple(labels)
