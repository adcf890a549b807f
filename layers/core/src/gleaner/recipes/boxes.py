"""A parsed page as recipes see it: containers of records, their elements, and their pieces of text."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Generic, TypeVar, cast

from lxml import etree
from lxml.html import HtmlElement

from gleaner.dom import parse_html, raw_text, select_outer_html
from gleaner.hidden import drop_hidden
from gleaner.recipes.amounts import join_amounts
from gleaner.recipes.spans import spread_cells

_MAY_BE_HIDDEN = etree.XPath(
    "boolean(//*[@data-gleaner-hidden or @hidden or @popover or @style or self::dialog or self::template"
    " or self::input[translate(@type, 'HIDEN', 'hiden') = 'hidden']])"
)
_UNREAD = ("script", "style", "noscript", "template", "select", "textarea")
_SEPARATOR = re.compile(r"\s+[–—|·•]\s+|\s+-\s+")
_EDGES = "–—|·•-"
_EDGE = re.compile(r"^[–—|·•]\s*|^-\s+|\s*[–—|·•]$|\s+-$")
_MARKED = re.compile(r"[–—|·•:]|\s-|-\s|^-|-$")
_LABEL = re.compile(r"(?:^|(?<=[,;]\s))([^\W\d][^:,;]{0,30}?):(?=\s|$)\s*")
_CELLS = ("td", "th")

T = TypeVar("T")
Piece = tuple[str, str]
"""A label ("" when it has none) and a text."""


def open_page(html: str, css_selector: str | None = None) -> HtmlElement:
    """Give the tree of the part that the request asks for: no scripts, nothing hidden, amounts and rows made whole."""
    root = parse_html(html if css_selector is None else select_outer_html(html, css_selector))
    etree.strip_elements(root, *_UNREAD, with_tail=False)
    if _MAY_BE_HIDDEN(root):
        drop_hidden(root)
    join_amounts(root)
    spread_cells(root)
    return root


def squeeze(text: str) -> str:
    """Give the text with its whitespace collapsed."""
    return " ".join(text.split())


class Once(Generic[T]):
    """A property that is worked out once; without the lock that functools' own takes in Python 3.11."""

    def __init__(self, work: Callable[[Any], T]) -> None:
        self._work = work
        self.__doc__ = work.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, instance: Any, owner: type | None = None) -> T:
        value = instance.__dict__[self._name] = self._work(instance)
        return value


class Box:
    """One container: an element, or a run of siblings. ``stops`` are containers of other records inside it."""

    __slots__ = ("__dict__", "build", "captions", "elements", "stops")

    def __init__(
        self,
        elements: Sequence[HtmlElement],
        captions: frozenset[str] = frozenset(),
        stops: frozenset[Any] = frozenset(),
    ) -> None:
        self.elements = elements
        self.captions = captions
        self.stops = stops
        self.build: int | None = None
        """The same number for containers that are built alike, as far as selectors see; None: not compared."""

    @Once
    def inside(self) -> list[HtmlElement]:
        """All elements of the container, in page order, without those of other records inside it."""
        if not self.stops:
            return [node for element in self.elements for node in element.iter()]
        return [node for element in self.elements for node in self._open(element)]

    def _open(self, element: HtmlElement) -> Iterator[HtmlElement]:
        walker: Any = etree.iterwalk(element, events=("start",))
        for _, node in walker:
            if node is not element and node in self.stops:
                walker.skip_subtree()
            else:
                yield node

    @Once
    def texts(self) -> dict[int, str]:
        """Texts of elements by their place, those that were asked for."""
        return {}

    def text_at(self, place: int) -> str:
        """Give the text of one of the elements inside."""
        known = self.texts.get(place)
        if known is None:
            known = self.texts[place] = text_of(self.inside[place])
        return known

    @Once
    def by_tag(self) -> dict[str, list[HtmlElement]]:
        """The elements by tag."""
        found: dict[str, list[HtmlElement]] = {}
        for node in self.inside:
            found.setdefault(cast(str, node.tag), []).append(node)
        return found

    @Once
    def by_class(self) -> dict[str, list[HtmlElement]]:
        """The elements by each of their classes."""
        found: dict[str, list[HtmlElement]] = {}
        for node in self.inside:
            classes = node.get("class")
            for token in classes.split() if classes else ():
                found.setdefault(token, []).append(node)
        return found

    @Once
    def cells(self) -> list[HtmlElement] | None:
        """The cells of a table row; None when this is none, or has cells over several columns."""
        if len(self.elements) != 1:
            return None
        row = self.elements[0]
        cells = [cell for cell in row if cell.tag in _CELLS or cell.get("role") in ("cell", "gridcell", "rowheader")]
        if not cells or any(cell.get("colspan", "1") != "1" or cell.get("rowspan", "1") != "1" for cell in cells):
            return None
        return cells

    @Once
    def pieces(self) -> list[Piece]:
        """The pieces of text, with their labels."""
        found: list[Piece] = []
        pending = ""
        for text in self._texts():
            if text not in self.captions and not _MARKED.search(text):
                label, piece = self._captioned(text) if self.captions else ("", text)
                found.append((label or pending, piece))
                pending = ""
                continue
            for part in _SEPARATOR.split(text):
                for label, piece in self._labelled(part):
                    if not piece:
                        pending = label
                    else:
                        found.append((label or pending, piece))
                        pending = ""
        return found

    @Once
    def parted(self) -> dict[str, tuple[str, ...]]:
        """The slots of templates that were asked for; empty where the text is not of the form."""
        return {}

    @Once
    def by_label(self) -> dict[str, list[str]]:
        """The texts by label, those without one under ""."""
        found: dict[str, list[str]] = {}
        for label, text in self.pieces:
            found.setdefault(label, []).append(text)
        return found

    def _texts(self) -> Iterator[str]:
        for element in self.elements:
            strings = self._strings(element) if self.stops else element.itertext()
            for string in strings:
                text = " ".join(string.split())
                if text and (text[0] in _EDGES or text[-1] in _EDGES):
                    text = _EDGE.sub("", text)
                if text:
                    yield text

    def _strings(self, element: HtmlElement) -> Iterator[str]:
        yield element.text or ""
        for child in element:
            if child not in self.stops:
                yield from self._strings(child)
            yield child.tail or ""

    def _labelled(self, part: str) -> Iterator[Piece]:
        if part in self.captions or part.rstrip(":") in self.captions:
            yield part.rstrip(":"), ""
            return
        if ":" not in part:
            yield self._captioned(part)
            return
        marks = list(_LABEL.finditer(part))
        if not marks:
            yield "", part
            return
        head = part[: marks[0].start()].rstrip(" ,;")
        if head:
            yield "", head
        for mark, after in zip(marks, [*marks[1:], None], strict=True):
            yield mark[1], part[mark.end() : after.start() if after else len(part)].rstrip(" ,;")

    def _captioned(self, part: str) -> Piece:
        head, blank, rest = part.partition(" ")
        if blank and head in self.captions and not rest[0].isalpha():
            return head, rest
        return "", part

    @Once
    def shape(self) -> str:
        """The tags of the container, level by level: what positions can be trusted by."""
        return " ".join(f"{_depth(node, self.elements)}{node.tag}" for node in self.inside if node.tag != "br")


def compare_builds(boxes: Sequence[Box], marks: Sequence[str]) -> None:
    """Number the ways in which containers are built: tags, classes, these attributes, and numbers of children."""
    builds: dict[tuple[Any, ...], int] = {}
    for box in boxes:
        build: list[Any] = [box.elements[0].getparent()]
        for node in box.inside:
            build += (node.tag, node.get("class"), len(node))
            for mark in marks:
                build.append(node.get(mark))
            if box.stops and len(node):
                build.append(tuple([child.tag for child in node]))
        box.build = builds.setdefault(tuple(build), len(builds))


def beside(part: HtmlElement) -> Box:
    """Give the page without one part of it."""
    return Box([part.getroottree().getroot()], stops=frozenset({part}))


def _depth(node: HtmlElement, tops: Sequence[HtmlElement]) -> int:
    depth = 0
    current: HtmlElement | None = node
    while current is not None and current not in tops:
        depth += 1
        current = current.getparent()
    return depth


def text_of(element: HtmlElement) -> str:
    """Give the element's text with its whitespace collapsed."""
    return squeeze(raw_text(element))


def is_header_row(row: HtmlElement) -> bool:
    """Tell whether a row holds the names of columns, not a record."""
    cells = [cell for cell in row if cell.tag in _CELLS or cell.get("role") == "columnheader"]
    return len(cells) > 1 and all(_is_header(cell) or not text_of(cell) for cell in cells)


def table_headers(row: HtmlElement) -> list[str]:
    """Give the header texts of the table that a row stands in; empty when it has none."""
    table = next(row.iterancestors("table"), None)
    rows: list[HtmlElement] = []
    if table is not None:
        rows = [next(table.iter("tr"), row)]
    else:
        parent = row.getparent()
        rows = [other for other in (parent if parent is not None else ()) if other.get("role") == "row"][:1]
    for first in rows:
        cells = [cell for cell in first if cell.tag in _CELLS or cell.get("role") == "columnheader"]
        texts = [text_of(cell) for cell in cells]
        plain = all(cell.get("colspan", "1") == "1" for cell in cells)
        if first is not row and plain and is_header_row(first):
            return texts
    return []


def _is_header(cell: HtmlElement) -> bool:
    if cell.tag == "th" or cell.get("role") == "columnheader":
        return True
    bold = cell.find(".//b")
    bold = cell.find(".//strong") if bold is None else bold
    return bold is not None and text_of(bold) == text_of(cell)
