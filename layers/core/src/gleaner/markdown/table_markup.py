"""Turn tables made of ARIA roles or styles into ``<table>`` (MD-2)."""

import re
from collections.abc import Callable, Iterator
from itertools import groupby
from typing import Any, cast

from lxml import etree
from lxml.html import HtmlElement

from gleaner.html.dom import Words, find_attributes

DISPLAY_MARK = "data-gleaner-display"
"""The attribute in which the renderer says that style makes an element a table, a row or a cell."""

_ROLES, _STYLES, _CLASSES, _MARKED = map(find_attributes, ("role", "style", "class", DISPLAY_MARK))
_KIND_OF_ROLE = {
    **dict.fromkeys(("table", "grid", "treegrid"), "table"), "row": "tr", "cell": "td", "gridcell": "td",
    "rowheader": "th", "columnheader": "th",
}  # fmt: skip
_KIND_OF_DISPLAY = {"table": "table", "table-row": "tr", "table-cell": "td"}
_DISPLAY = re.compile(r"[dD](?<![^;{\s].)(?i:isplay\s*:\s*(table(?:-row|-cell)?))(?=[;}!\s]|$)")
"""With a plain set of letters first, which alone are looked at in most of a style sheet."""
_BODY = re.compile(r"\{[^{}]{0,2000}\}")
_LONGEST_BODY = 2_002
_NO_SELECTOR = re.compile(r"[{}@]")
_LONGEST_SELECTORS = 500
_CLASS_SELECTOR = re.compile(r"(?:^|[\s>])[a-z]*\.([\w-]+)$", re.IGNORECASE)
_SPANS = {"aria-colspan": "colspan", "aria-rowspan": "rowspan"}
_TABLE_TAGS = frozenset({"table", "thead", "tbody", "tfoot", "tr", "td", "th", "caption", "html", "body"})
_IS_SHEET: Callable[..., list[HtmlElement]] = cast(Any, etree.XPath("//style[contains(., 'table-cell')]"))
_FEWEST_ROWS = _FEWEST_CELLS = 2


def normalise_table_markup(root: HtmlElement, words: Words) -> None:
    """Give rows and cells that roles or styles make the tags of a table; ``words`` are the page's (`words_of`).

    Only where two rows of two cells stand together: style also centres a box by calling it a table. Before style
    sheets are taken out.
    """
    kinds = _kinds(root, words)
    if not kinds:
        return
    rows = [row for row, kind in kinds.items() if kind == "tr" and _cells_of(row, kinds)]
    wide = [row for row in rows if len(_cells_of(row, kinds)) >= _FEWEST_CELLS]
    if len(wide) < _FEWEST_ROWS:
        return
    holders: dict[HtmlElement, list[HtmlElement]] = {}
    for row in rows:
        holder = next((one for one in row.iterancestors() if kinds.get(one) == "table"), row.getparent())
        if holder is not None:
            holders.setdefault(holder, []).append(row)
    for holder, own in holders.items():
        if len(own) >= _FEWEST_ROWS and any(len(_cells_of(row, kinds)) >= _FEWEST_CELLS for row in own):
            _make_table(holder, own, kinds)


def _kinds(root: HtmlElement, words: Words) -> dict[HtmlElement, str]:
    """Give which elements are tables, rows and cells by role, by what the renderer says of them, or by style."""
    kinds: dict[HtmlElement, str] = {}
    if b"table-cell" in words:
        sheets = "\n".join(sheet.text or "" for sheet in _IS_SHEET(root))
        named = dict(_displays_of_classes(sheets))
        for element, value in _CLASSES(root, words) if named else ():
            if kind := next((named[name] for name in value.split() if name in named), ""):
                kinds[element] = kind
        for element, value in _STYLES(root, words):
            if match := _DISPLAY.search(value):
                kinds[element] = _KIND_OF_DISPLAY[match[1].lower()]
        for element, value in _MARKED(root, words):
            kinds[element] = _KIND_OF_DISPLAY.get(value, "")
    for element, value in _ROLES(root, words):
        if kind := _KIND_OF_ROLE.get(value.strip().lower()):
            kinds[element] = kind
    return {element: kind for element, kind in kinds.items() if element.tag not in _TABLE_TAGS}


def _displays_of_classes(sheets: str) -> Iterator[tuple[str, str]]:
    """Give what classes make of their elements, as far as a rule's last selector is one class."""
    last = -1
    for match in _DISPLAY.finditer(sheets):
        start = sheets.rfind("{", max(0, match.start() - _LONGEST_BODY), match.end())
        body = _BODY.match(sheets, start) if start > last else None
        if body is not None and match.start() < body.end():
            last = start
            before = sheets[max(0, start - _LONGEST_SELECTORS) : start]
            for selector in _NO_SELECTOR.split(before)[-1].split(","):
                if named := _CLASS_SELECTOR.search(selector.strip()):
                    yield named[1], _KIND_OF_DISPLAY[match[1].lower()]


def _cells_of(row: HtmlElement, kinds: dict[HtmlElement, str]) -> list[HtmlElement]:
    """Give the cells of a row, wrappers around them left aside."""
    cells: list[HtmlElement] = []
    walker: Any = etree.iterwalk(row, events=("start",))
    for _, node in walker:
        if node is not row and (kind := kinds.get(node)):
            if kind in ("td", "th"):
                cells.append(node)
            walker.skip_subtree()
    return cells


def _make_table(holder: HtmlElement, rows: list[HtmlElement], kinds: dict[HtmlElement, str]) -> None:
    for row in rows:
        for cell in _cells_of(row, kinds):
            cell.tag = kinds[cell]
            for said, meant in _SPANS.items():
                if span := cell.get(said):
                    cell.set(meant, span)
        row.tag = "tr"
    if kinds.get(holder) == "table":
        holder.tag = "table"
        return
    wanted = set(rows)
    for is_row, run in groupby(list(holder), key=wanted.__contains__):
        together = list(run)
        if is_row:
            table = together[0].makeelement("table")
            together[0].addprevious(table)
            for row in together:
                table.append(row)
