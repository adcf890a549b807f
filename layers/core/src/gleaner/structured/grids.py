"""Tables as grids: labels above columns, and rows of cells under them."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urljoin

from lxml.html import HtmlElement

from gleaner.html.dom import visible_text
from gleaner.units.vocabulary import is_total

_ROLES = {"row": "tr", "columnheader": "th", "rowheader": "th", "cell": "td", "gridcell": "td"}
_MOST_SPAN = 1000
_MOST_COLUMNS = 200
_CONTROLS = ("input", "select", "textarea")
_VOICED = (" ✓ ", " ✗ ")
"""What ``replace_icons_with_text`` writes in place of an icon."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: its text, and the absolute addresses of its links and images, each once.

    ``is_marked``: it shows something that is no text, such as a picture, a control or a sign that stands for one.
    """

    text: str
    links: tuple[str, ...] = ()
    images: tuple[str, ...] = ()
    is_marked: bool = False


BLANK = Cell("")


@dataclass(frozen=True, slots=True)
class Grid:
    """A table: for each column the labels it goes by, the whole one first, and the rows, all of one width.

    ``has_total``: a row sums up others; ``has_groups``: headings part the rows; ``is_headed``: markup says that the
    labels are labels, which else are the first row, whatever it holds; such a table may have no other row.
    """

    labels: tuple[tuple[str, ...], ...]
    rows: tuple[tuple[Cell, ...], ...]
    has_total: bool = False
    has_groups: bool = False
    is_headed: bool = True

    def column(self, at: int) -> list[Cell]:
        """Give the cells of one column."""
        return [row[at] for row in self.rows]


def read_grids(root: HtmlElement, url: str) -> Iterator[Grid]:
    """Give the tables of a tree that have labels and rows; those that hold tables only place them on the page."""
    for table in root.iter():
        if _is_table(table) and not any(_is_table(inner) for inner in table.iterdescendants()):
            grid = _read_grid(table, url)
            if grid is not None:
                yield grid


def _is_table(element: HtmlElement) -> bool:
    return element.tag == "table" or element.get("role") in ("table", "grid")


def _role(element: HtmlElement) -> str:
    return _ROLES.get(element.get("role") or "", str(element.tag))


@dataclass(slots=True)
class _Row:
    cells: list[HtmlElement]
    section: str

    @property
    def is_header(self) -> bool:
        return self.section == "thead" or all(_role(cell) == "th" for cell in self.cells)

    @property
    def is_title(self) -> bool:
        return len(self.cells) == 1 and _span(self.cells[0], "colspan") > 1


def _read_grid(table: HtmlElement, url: str) -> Grid | None:
    rows = [row for row in _rows(table) if row.cells]
    while rows and rows[0].is_title:
        rows = rows[1:]
    if not rows:
        return None
    head = 1
    while head < len(rows) and rows[0].is_header and rows[head].is_header and not rows[head].is_title:
        head += 1
    lines = _expand(rows, url)
    labels = _labels(lines[:head])
    body: list[tuple[Cell, ...]] = []
    has_total = has_groups = False
    for row, line in zip(rows[head:], lines[head:], strict=True):
        texts = [cell.text for cell in line]
        is_heading = row.is_title or len(set(texts)) == 1 < len(line)
        has_groups = has_groups or (is_heading and any(texts))
        if row.section == "tfoot" or is_heading or not any(texts) or texts == [label[0] for label in labels]:
            continue
        has_total = has_total or is_total(next(filter(None, texts)))
        body.append(tuple(line))
    is_headed = rows[0].is_header
    return Grid(labels, tuple(body), has_total, has_groups, is_headed) if body or not is_headed else None


def _rows(table: HtmlElement) -> Iterator[_Row]:
    for element in table.iterdescendants():
        if _role(element) == "tr":
            parent = element.getparent()
            section = str(parent.tag) if parent is not None else ""
            yield _Row([cell for cell in element if _role(cell) in ("td", "th")], section)


def _labels(lines: list[list[Cell]]) -> tuple[tuple[str, ...], ...]:
    """Give for each column what stands above it from top to bottom, and the lowest label alone."""
    labels: list[tuple[str, ...]] = []
    for column in zip(*lines, strict=True):
        texts = list(dict.fromkeys(cell.text for cell in column if cell.text))
        labels.append((" ".join(texts), *texts[-1:]) if len(texts) > 1 else (" ".join(texts),))
    return tuple(labels)


def _expand(rows: list[_Row], url: str) -> list[list[Cell]]:
    """Give the rows with every span filled, all of one width."""
    lines: list[list[Cell]] = []
    hanging: dict[int, tuple[Cell, int]] = {}
    for row in rows:
        line: list[Cell] = []
        cells = iter(row.cells)
        element = next(cells, None)
        while element is not None or len(line) in hanging:
            if len(line) in hanging:
                cell, left = hanging.pop(len(line))
                if left > 1:
                    hanging[len(line)] = (cell, left - 1)
                line.append(cell)
                continue
            assert element is not None
            cell, down = read_cell(element, url), _span(element, "rowspan")
            for _ in range(_span(element, "colspan")):
                if down > 1:
                    hanging[len(line)] = (cell, down - 1)
                line.append(cell)
            element = next(cells, None)
        lines.append(line[:_MOST_COLUMNS])
    width = max(len(line) for line in lines)
    return [[*line, *([BLANK] * (width - len(line)))] for line in lines]


def _span(element: HtmlElement, name: str) -> int:
    stated = (element.get(name) or "1").strip()
    return min(max(int(stated), 1), _MOST_SPAN) if stated.isascii() and stated.isdigit() else 1


def read_cell(element: HtmlElement, url: str) -> Cell:
    """Read a cell's text, links and images; the mark of a footnote is no part of the text."""
    if not len(element):
        return Cell(" ".join((element.text or "").split()))
    links = _addresses(element, url, "a", "href")
    images = _addresses(element, url, "img", "src")
    text = _without_footnotes(element)
    is_sign = not any(map(str.isalnum, text)) and any(each.text in _VOICED for each in element.iter("span"))
    is_marked = bool(images) or is_sign or next(element.iter("svg", *_CONTROLS), None) is not None
    return Cell(text, links, images, is_marked)


def _without_footnotes(element: HtmlElement) -> str:
    text = visible_text(element)
    for raised in element.iter("sup"):
        if any((link.get("href") or "").startswith("#") for link in raised.iter("a")):
            text = text.replace(visible_text(raised), "", 1)
    return " ".join(text.split())


def _addresses(element: HtmlElement, url: str, tag: str, name: str) -> tuple[str, ...]:
    found: dict[str, Any] = {}
    for each in element.iter(tag):
        target = (each.get(name) or "").strip()
        if target and not target.startswith(("#", "javascript:", "data:", "mailto:", "tel:")):
            try:
                found[urljoin(url, target)] = None
            except ValueError:
                continue
    return tuple(found)
