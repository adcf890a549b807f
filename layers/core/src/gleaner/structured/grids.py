"""Tables as grids of cells under labels: read strictly, so that a table that leaves a question open is none."""

import re
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass, replace
from itertools import pairwise
from urllib.parse import urljoin

from lxml.html import HtmlElement

from gleaner.completeness.emptiness import says_it_is_empty
from gleaner.html.dom import visible_text
from gleaner.html.elements import HEADINGS
from gleaner.structured.labels import Label, read_label, states_a_scale
from gleaner.structured.measures import listed
from gleaner.structured.sums import may_sum_up
from gleaner.structured.visible import SECTION_WORDS
from gleaner.units.vocabulary import is_total

_INLINE = listed("a abbr b bdi bdo cite code data em font i kbd mark q samp small span strong sub time u var")
_TELLING = listed("img svg input select button meter progress i use object picture video audio canvas")
_MEASURED = listed("size measurement measure größe abmessung maße masse taille medida afmeting")
"""Words of a header over lengths and weights, beside those of plain sections."""
_MOST_SPAN = 1000
_MOST_COLUMNS = 200
_PART = re.compile(
    r"[-–—•>↳└*]\s+\S|\W*(?:(?:of|out of) which|thereof|davon|darunter|dont|di cui|de (?:los|las) cuales|waarvan|varav|"
    r"heraf|herav|в том числе)\b",
    re.IGNORECASE,
)
_INDENTS = ("\u00a0", "\u2002", "\u2003")
_PAID = re.compile(
    r"\W*(?:(?:sponsored|advertisement|promoted|anzeige|gesponsert|werbung|publicité|sponsorisé|patrocinado|"
    r"sponsorizzato|gesponsord|annons|реклама)\b|ad\W*$)",
    re.IGNORECASE,
)
_PAID_CLASSES = listed("ad ads advert advertisement sponsored promoted ad-row row-ad promo-row sponsor")
_MORE_ROWS = re.compile(
    r"…|\.\.\.|\b(?:more|load|show|next|of|further|remaining|loading|weitere|mehr|plus|más|altri|ещё|still)\b|\d", re.I
)


Labels = tuple[Label, ...]
Texts = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell's text. ``is_whole``: it is one text, without badges, struck prices or notes beside it.

    ``links`` and ``images`` are absolute and distinct; ``has_marks``: there is a picture or a control inside.
    """

    text: str
    is_whole: bool = True
    links: tuple[str, ...] = ()
    images: tuple[str, ...] = ()
    has_marks: bool = False


BLANK = Cell("")


@dataclass(frozen=True, slots=True)
class Grid:
    """A table's labels and rows, all of one width, and what is written above it.

    ``is_open``: one of its rows can't be told to be a record or none, so that it has no rows here.
    """

    labels: tuple[Label, ...]
    rows: tuple[tuple[Cell, ...], ...]
    captions: tuple[str, ...] = ()
    heading: str = ""
    is_open: bool = False

    def column(self, at: int) -> list[Cell]:
        """Give the cells of one column."""
        return [row[at] for row in self.rows]


def read_grids(root: HtmlElement, url: str, is_likely: Callable[[Labels, Texts], bool]) -> Iterator[Grid]:
    """Give the tables of a tree that have labels; hidden parts must be out of the tree.

    ``is_likely`` tells from a table's labels and captions whether its rows are worth reading.
    """
    heading: HtmlElement | None = None
    for table in root.iter():
        if table.tag in HEADINGS:
            heading = table
        if not _is_table(table) or any(_is_table(inner) for inner in table.iterdescendants()):
            continue
        grid = _read_grid(table, url, is_likely)
        if grid is not None:
            yield replace(grid, heading="" if heading is None else visible_text(heading))


def _is_table(element: HtmlElement) -> bool:
    return element.tag == "table" or element.get("role") in ("table", "grid")


def _role(element: HtmlElement) -> str:
    roles = {"row": "tr", "columnheader": "th", "rowheader": "th", "cell": "td", "gridcell": "td"}
    return roles.get(element.get("role") or "", str(element.tag))


@dataclass(slots=True)
class _Row:
    element: HtmlElement
    cells: list[HtmlElement]
    section: str
    blank: bool = False

    @property
    def is_header(self) -> bool:
        return self.section == "thead" or all(_role(cell) == "th" for cell in self.cells)


def _read_grid(table: HtmlElement, url: str, is_likely: Callable[[Labels, Texts], bool]) -> Grid | None:
    rows = [row for row in _rows(table) if row.cells]
    head = _head(rows)
    if not head or len(rows) == len(head):
        return None
    labels = _labels(head)
    captions = tuple(visible_text(each) for each in table.iter("caption"))
    if labels is None or not is_likely(tuple(labels), captions):
        return None
    body = _body(rows[len(head) :], labels, url)
    if body is None:
        return Grid(tuple(labels), (), captions, is_open=True)
    return Grid(tuple(labels), tuple(body), captions) if body else None


def _rows(table: HtmlElement) -> Iterator[_Row]:
    for element in table.iterdescendants():
        if _role(element) == "tr":
            parent = element.getparent()
            section = str(parent.tag) if parent is not None else ""
            yield _Row(element, [cell for cell in element if _role(cell) in ("td", "th")], section)


def _head(rows: list[_Row]) -> list[_Row]:
    """Give the leading header rows; plain cells in the first row are labels only where the fields say so."""
    count = 0
    while count < len(rows) and rows[count].is_header and not (count and _is_a_title(rows[count])):
        count += 1
    if count == 0:
        return rows[:1]
    return rows[:count]


def _is_a_title(row: _Row) -> bool:
    return len(row.cells) == 1 and _span(row.cells[0])[0] > 1


def _labels(head: list[_Row]) -> list[Label] | None:
    """Give each column's label: what stands above it, from top to bottom; None when the head's rows do not fit."""
    lines = [line for line in _expand([[_span(cell) for cell in row.cells] for row in head]) if line is not None]
    if len(lines) != len(head) or len({len(line) for line in lines}) != 1:
        return None
    texts: list[list[str]] = [[] for _ in lines[0]]
    cells = [row.cells for row in head]
    for row, line in zip(cells, lines, strict=True):
        for at, (source, index) in enumerate(line):
            cell = (row if source is None else cells[source])[index]
            text = _group_text(cell) if row is not cells[-1] and _span(cell)[0] > 1 else _label_text(cell)
            if text and text not in texts[at]:
                texts[at].append(text)
    return [read_label(" ".join(parts)) for parts in texts]


def _group_text(cell: HtmlElement) -> str:
    """Give a header over several columns; of one that says nothing of them, such as "Dimensions (cm)", the unit."""
    text = _label_text(cell)
    label = read_label(text)
    is_plain = set(label.words) <= SECTION_WORDS | _MEASURED and not states_a_scale(label)
    return text if not is_plain else f"({label.unit})" if label.unit else ""


def _label_text(cell: HtmlElement) -> str:
    """Give a header's text; what an abbreviation that is all of it stands for."""
    text = visible_text(cell)
    short = next((each for each in cell.iter("abbr") if each.get("title")), None)
    return (short.get("title") or "").strip() if short is not None and visible_text(short) == text else text


_Spans = tuple[int, int]
_Place = tuple[int | None, int]


def _expand(rows: list[list[_Spans]]) -> list[list[_Place] | None]:
    """Give for each row the places of its columns' cells: (row that the cell hangs from, or None; its index there)."""
    hanging: dict[int, tuple[int, int, int]] = {}
    lines: list[list[_Place] | None] = []
    for number, spans in enumerate(rows):
        line: list[_Place] = []
        below: dict[int, tuple[int, int, int]] = {}
        queue = list(enumerate(spans))
        while queue or len(line) in hanging:
            column = len(line)
            if column in hanging:
                source, index, left = hanging[column]
                line.append((source, index))
                if left > 1:
                    below[column] = (source, index, left - 1)
                continue
            index, (wide, down) = queue.pop(0)
            for _ in range(min(wide, _MOST_COLUMNS + 1)):
                if len(line) in hanging:
                    lines.append(None)
                    return lines
                if down > 1:
                    below[len(line)] = (number, index, down - 1)
                line.append((None, index))
            if len(line) > _MOST_COLUMNS:
                lines.append(None)
                return lines
        lines.append(line)
        hanging = below
    return lines


def _span(cell: HtmlElement) -> _Spans:
    return _number(cell.get("colspan")), _number(cell.get("rowspan"))


def _number(text: str | None) -> int:
    return min(max(int(text), 1), _MOST_SPAN) if text and text.isdecimal() and len(text) < 6 else 1


def _body(rows: list[_Row], labels: list[Label], url: str) -> list[tuple[Cell, ...]] | None:
    """Give the rows that are records; None when one row can't be told to be a record or none."""
    spans = [[_span(cell) for cell in row.cells] for row in rows]
    if all(span == (1, 1) for row in spans for span in row):
        lines: list[list[_Place] | None] = [[(None, at) for at in range(len(row))] for row in spans]
    else:
        lines = _expand(spans)
    if len(lines) != len(rows) or None in lines:
        return None
    read = [[read_cell(cell, url) for cell in row.cells] for row in rows]
    records: list[tuple[Cell, ...]] = []
    elements: list[HtmlElement] = []
    ended = False
    for number, (row, line) in enumerate(zip(rows, lines, strict=True)):
        standing = _standing(row, read[number], line or [], labels)
        if standing == "doubt" or (standing == "record" and ended):
            return None
        ended = ended or standing == "end"
        if standing == "record":
            records.append(tuple((read[number] if s is None else read[s])[at] for s, at in line or ()))
            elements.append(row.element)
    texts = [[cell.text for cell in row] for row in records]
    return None if may_sum_up(texts, elements, [label.words for label in labels]) else records


def _standing(row: _Row, cells: list[Cell], line: list[_Place], labels: list[Label]) -> str:
    """Tell a record from a spacer, a section's title, a repeated header and a total ("end"); or "doubt"."""
    filled = [cell for cell in cells if cell.text or cell.has_marks]
    if not filled:
        return "none"
    if row.section == "tfoot":
        return "end"
    if len(line) != len(labels) or _is_struck(row.element):
        return "doubt"
    if _repeats(cells, labels):
        return "none" if row.is_header or len(labels) > 1 else "doubt"
    if is_total(filled[0].text, is_whole=False) and len(filled[0].text) < 40:
        return "end" if len(filled) < len(labels) else "doubt"
    if len(cells) == 1 < len(labels):
        return "doubt" if _MORE_ROWS.search(filled[0].text) or filled[0].has_marks else "none"
    if row.is_header or any(_span(cell)[0] > 1 for cell in row.cells):
        return "doubt"
    if len(filled) == 1 and says_it_is_empty(filled[0].text):
        return "doubt"
    # A note or a title may stand in one cell of a row; a record without values has dashes or nothing to say at all.
    if len(filled) == 1 < len(labels) or _is_paid_for(row, cells) or _is_a_part(row.cells[0], filled[0]):
        return "doubt"
    return "record"


def _is_a_part(element: HtmlElement, cell: Cell) -> bool:
    """Tell whether a row breaks down the one above it: its first cell is indented, or says "of which"."""
    return _PART.match(cell.text) is not None or (element.text or "").lstrip(" \t\r\n").startswith(_INDENTS)


def _repeats(cells: list[Cell], labels: list[Label]) -> bool:
    """Tell whether the cells say what the labels do; few rows get past the first letter."""
    if cells[0].text[:1].casefold() != labels[0].text[:1].casefold() or len(cells) != len(labels):
        return False
    return all(read_label(cell.text).words == label.words for cell, label in zip(cells, labels, strict=True))


def _is_paid_for(row: _Row, cells: list[Cell]) -> bool:
    """Tell whether a cell, or the row by its classes, says that it is an advertisement."""
    classes = (row.element.get("class") or "").lower().split()
    return not _PAID_CLASSES.isdisjoint(classes) or any(_PAID.match(cell.text) for cell in cells)


def read_cell(element: HtmlElement, url: str) -> Cell:
    """Read a cell, or any other element that holds one value."""
    if not len(element):
        return Cell(" ".join((element.text or "").split()), not _is_struck(element))
    element = _without_notes(element)
    inner = list(element.iterdescendants())
    tags = {str(each.tag) for each in inner}
    parts = [part for part in element.itertext() if part.strip()]
    links = tuple(dict.fromkeys(filter(None, (_address(each.get("href"), url) for each in inner if each.tag == "a"))))
    images = tuple(dict.fromkeys(filter(None, (_address(each.get("src"), url) for each in inner if each.tag == "img"))))
    text = " ".join(parts[0].split()) if len(parts) == 1 else visible_text(element)
    is_struck = any(_is_struck(each) for each in (element, *inner))
    whole = not (is_struck or tags & {"del", "s", "strike", "script", "style", "select"}) and (
        len(parts) < 2 or (tags <= _INLINE and _is_joined(list(element.itertext())))
    )
    return Cell(text, whole, links, images, bool(tags & _TELLING))


def _is_struck(element: HtmlElement) -> bool:
    return "line-through" in (element.get("style") or "")


_NOTE = re.compile(r"\[\s*(?:\d{1,3}|[a-z]{1,2}|note \d{1,3}|nb \d{1,3})\s*\]", re.IGNORECASE)


def _is_note(element: HtmlElement) -> bool:
    """Tell whether the element is a raised mark in brackets that leads to a note on the same page."""
    leads = [each.get("href") or "" for each in element.iter("a")]
    return bool(leads) and leads[0].startswith("#") and _NOTE.fullmatch(visible_text(element)) is not None


def _without_notes(element: HtmlElement) -> HtmlElement:
    if not any(_is_note(each) for each in element.iter("sup")):
        return element
    copied = deepcopy(element)
    copied.tail = None
    for each in [each for each in copied.iter("sup") if _is_note(each)]:
        each.drop_tree()
    return copied


def _address(target: str | None, url: str) -> str | None:
    if not target or target.startswith(("#", "javascript:", "mailto:", "tel:", "data:")):
        return None
    try:
        return urljoin(url, target.strip())
    except ValueError:
        return None


def _is_joined(parts: list[str]) -> bool:
    """Tell whether pieces of markup make one text: nothing but markup between them, and no number cut in two."""
    inner = _trimmed([part for part in parts if part])
    return not any(
        before[-1].isspace() or after[0].isspace() or (before[-1].isdigit() and after[0].isdigit())
        for before, after in pairwise(inner)
    )


def _trimmed(parts: list[str]) -> list[str]:
    filled = [at for at, part in enumerate(parts) if part.strip()]
    return parts[filled[0] : filled[-1] + 1]
