"""One object from labels with values: definition lists, tables of two columns, "Label: value" items."""

from collections.abc import Iterator
from typing import Any

from lxml.html import HtmlElement

from gleaner.dom import visible_text
from gleaner.structured.columns import GENERIC, match_columns
from gleaner.structured.fields import Wanted
from gleaner.structured.grids import Cell, read_cell
from gleaner.structured.labels import Label, read_label
from gleaner.structured.readings import ABSENT, Manner, decimal_mark, read_column
from gleaner.structured.tables import Found
from gleaner.structured.visible import Surroundings, plain

_LONGEST_LABEL = 60
Pair = tuple[Label, Cell]


def find_in_pairs(root: HtmlElement, url: str, wanted: Wanted, around: Surroundings) -> Iterator[Found]:
    """Give the object whose fields are all labels on the page, each of them once."""
    if wanted.is_list:
        return
    pairs = list(dict.fromkeys(read_pairs(root, url, with_bare_tables=len(wanted.fields) > 1)))
    columns = match_columns(wanted, [label for label, _ in pairs], around.nouns())
    if columns is None or len(columns) != len(wanted.fields):
        return
    manner = Manner(decimal_mark((cell.text for _, cell in pairs), around.language), url)
    record: dict[str, Any] = {}
    for field in wanted.fields:
        label, cell = pairs[columns[field.name]]
        read = read_column(field, label, [cell], manner)
        # A name that any thing may have must be the one that stands over the page.
        if not read or (not GENERIC.isdisjoint(field.names) and not around.is_about({plain(cell.text)})):
            return
        if read[0] is not ABSENT:
            record[field.name] = read[0]
    yield Found([record], (), "pairs")


def read_pairs(root: HtmlElement, url: str, *, with_bare_tables: bool = True) -> Iterator[Pair]:
    """Give the labels of a page with their values; a label with several values gives each of them.

    ``with_bare_tables``: rows of two plain cells count too, the first of which may be a header in disguise.
    """
    for element in root.iter("dl", "tr", "li", "p"):
        if element.tag == "dl":
            yield from _definitions(element, url)
        elif element.tag == "tr":
            cells = [each for each in element if each.tag in ("th", "td")]
            is_bare = bool(cells) and cells[0].tag == "td" and not visible_text(cells[0]).endswith(":")
            if len(cells) == 2 and _is_spec_row(element, cells) and (with_bare_tables or not is_bare):
                yield from _pair(visible_text(cells[0]), cells[1], url)
        else:
            yield from _labelled(element)


def _is_spec_row(row: HtmlElement, cells: list[HtmlElement]) -> bool:
    return cells[1].tag == "td" and (row.getparent() is None or getattr(row.getparent(), "tag", "") != "thead")


def _definitions(listing: HtmlElement, url: str) -> Iterator[Pair]:
    label = ""
    for each in listing.iter("dt", "dd"):
        if each.tag == "dt":
            label = visible_text(each)
        else:
            yield from _pair(label, each, url)


def _labelled(element: HtmlElement) -> Iterator[Pair]:
    """Read ``<li><b>Label:</b> value</li>``; the value is the text after the mark."""
    if len(element) != 1 or (element.text or "").strip() or element[0].tag not in ("b", "strong", "span"):
        return
    label, value = visible_text(element[0]), " ".join((element[0].tail or "").split())
    if value.startswith(":"):
        label, value = label + ":", value[1:].strip()
    if label.endswith((":", "：")) and value and len(label) < _LONGEST_LABEL:
        yield read_label(label), Cell(value)


def _pair(label: str, value: HtmlElement, url: str) -> Iterator[Pair]:
    if 0 < len(label) < _LONGEST_LABEL:
        yield read_label(label), read_cell(value, url)
