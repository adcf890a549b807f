"""A parsed page as recipes see it: containers of records, their elements, and their pieces of text."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any, Generic, TypeVar, cast

from lxml import etree
from lxml.html import HtmlElement

from gleaner.html.dom import class_values, parse_html, raw_text, select_outer_html, words_of
from gleaner.html.non_text.graphics import replace_graphics_with_text
from gleaner.html.non_text.icons import replace_icons_with_text
from gleaner.html.visibility import drop_hidden, json_ld_texts
from gleaner.recipes.amounts import RAISING, join_amounts, may_hold_cents
from gleaner.recipes.class_names import stem_of
from gleaner.recipes.pieces import Cutter, Layout, Piece, Pieces, alike
from gleaner.recipes.spans import spread_cells
from gleaner.recipes.text_lines import LINED, set_lines_apart

_UNREAD = ("script", "style", "noscript", "template", "select", "textarea")
_CELLS = ("td", "th")

T = TypeVar("T")


def open_page(html: str, css_selector: str | None = None) -> HtmlElement:
    """Give the tree of the part that the request asks for: no scripts, nothing hidden, amounts and rows made whole."""
    part = html if css_selector is None else select_outer_html(html, css_selector)
    root = parse_html(part)
    words = words_of(part)
    data = json_ld_texts(root, words)
    etree.strip_elements(root, *_UNREAD, with_tail=False)
    drop_hidden(root, words, data)
    classes = class_values(root)
    replace_icons_with_text(root, words, classes)
    replace_graphics_with_text(root, words, classes)
    rare = {one.tag for one in root.iter(*RAISING, *LINED)}  # one walk in place of one for each
    if not rare.isdisjoint(RAISING) or may_hold_cents(words):
        join_amounts(root)
    spread_cells(root)
    if not rare.isdisjoint(LINED):
        set_lines_apart(root)
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
    """One container: an element, or a run of siblings. What is inside it and in ``stops`` is another record's."""

    __slots__ = ("__dict__", "build", "captions", "elements", "stops")

    def __init__(
        self,
        elements: Sequence[HtmlElement],
        captions: "frozenset[str] | Cutter" = frozenset(),
        stops: frozenset[Any] = frozenset(),
    ) -> None:
        self.elements = elements
        self.captions = captions if isinstance(captions, Cutter) else Cutter(captions)
        self.stops = stops
        self.build: int | None = None
        """The same number for containers that are built alike, as far as selectors see; None: not compared."""

    @Once
    def inside(self) -> list[HtmlElement]:
        """All elements of the container, in page order, without those of other records inside it."""
        if not self.stops:
            return [node for element in self.elements for node in element.iter()]
        return [node for element in self.elements for node in self._open(element)]

    def _open(self, element: HtmlElement) -> Iterable[HtmlElement]:
        nodes = [*element.iter()]
        return nodes if self.stops.isdisjoint(nodes[1:]) else self._around_stops(element)

    def _around_stops(self, element: HtmlElement) -> Iterator[HtmlElement]:
        walker: Any = etree.iterwalk(element, events=("start",))
        for _, node in walker:
            if node is not element and node in self.stops:
                walker.skip_subtree()
            else:
                yield node

    def level(self, node: HtmlElement | None = None) -> Sequence[HtmlElement]:
        """The children of an element inside, or what paths into the container begin at, without the stops."""
        if node is not None:
            level: Sequence[HtmlElement] = list(node)
        else:
            level = self.elements if len(self.elements) > 1 else list(self.elements[0])
        return [child for child in level if child not in self.stops] if self.stops else level

    @Once
    def places(self) -> dict[HtmlElement, int]:
        """The place of each element among those inside."""
        return {node: place for place, node in enumerate(self.inside)}

    @Once
    def by_tag(self) -> dict[str, list[HtmlElement]]:
        """The elements by tag."""
        found: dict[str, list[HtmlElement]] = {}
        for node in self.inside:
            found.setdefault(cast(str, node.tag), []).append(node)
        return found

    @Once
    def by_class(self) -> dict[str, list[HtmlElement]]:
        """The elements by each of their classes, and by what stays of those that a build tool made."""
        found: dict[str, list[HtmlElement]] = {}
        for node in self.inside:
            classes = node.get("class")
            for token in classes.split() if classes else ():
                found.setdefault(token, []).append(node)
                if stem := stem_of(token):
                    found.setdefault(stem, []).append(node)
        return found

    @Once
    def marks(self) -> Counter[tuple[str, str]]:
        """How many elements have each attribute with each value."""
        return Counter(cast(tuple[str, str], each) for node in self.inside for each in node.attrib.items())

    @Once
    def _beside(self) -> dict[str, dict[str, list[HtmlElement]]]:
        return {}

    def beside(self, tag: str) -> dict[str, list[HtmlElement]]:
        """The elements of a tag, by the text of the element right before each, without a colon at its end."""
        known = self._beside.get(tag)
        if known is None:
            known = self._beside[tag] = {}
            for node in self.inside:
                if node.tag == tag and (before := node.getprevious()) is not None:
                    known.setdefault(as_label(raw_text(before)), []).append(node)
        return known

    @Once
    def labelled(self) -> dict[str, dict[str, list[HtmlElement]]]:
        """The elements by tag and by labels that were asked for (``recipes/labels.py``)."""
        return {}

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
    def cuts(self) -> tuple[Layout, Sequence[str]]:
        """How the container's pieces are laid out, and their texts."""
        cutter = self.captions
        kinds: list[int] = []
        texts: list[str] = []
        for string in self.strings:
            kind, found = cutter[string]
            if kind:
                kinds.append(kind)
                texts += found
        return tuple(kinds), texts

    @Once
    def pieces(self) -> list[Piece]:
        """The pieces of text, with their labels."""
        layout, texts = self.cuts
        return list(zip(self.captions.labels(layout), texts, strict=True))

    @Once
    def alone(self) -> Pieces:
        """The pieces as those of a group of containers with this one only."""
        layout, texts = self.cuts
        return Pieces([0], self.captions.labels(layout), [(text,) for text in texts])

    @property
    def strings(self) -> list[str]:
        """The strings between tags, in page order, without those of other records inside."""
        return [string for element in self.elements for string in _strings_in(element, self.stops)]

    @Once
    def parted(self) -> dict[str, tuple[str, ...]]:
        """The slots of templates that were asked for; empty where the text is not of the form."""
        return {}

    @Once
    def shape(self) -> str:
        """The tags of the container, level by level: what positions can be trusted by."""
        depths: dict[HtmlElement | None, int] = dict.fromkeys(self.elements, 0)
        for node in self.inside:
            if node not in depths:
                depths[node] = depths[node.getparent()] + 1
        return " ".join([f"{depths[node]}{node.tag}" for node in self.inside if node.tag != "br"])


def pieces_of(boxes: Iterable[Box]) -> list[Pieces]:
    """Give the pieces of containers, in groups of those whose pieces have the same labels."""
    return alike([(box.captions, box.strings) for box in boxes])


def _strings_in(element: HtmlElement, stops: Collection[Any]) -> Iterator[str]:
    """Give the strings of an element, in page order, without those inside the stops."""
    walker: Any = etree.iterwalk(element, events=("start", "end"))
    for event, node in walker:
        if event == "end":
            yield "" if node is element else node.tail or ""
        elif node in stops and node is not element:
            walker.skip_subtree()
        else:
            yield node.text or ""


def beside(part: HtmlElement) -> Box:
    """Give the page without one part of it."""
    return Box([part.getroottree().getroot()], stops=frozenset({part}))


LINES = "\n"
"""As a separator: the line breaks of an element, which its text does not show."""


def lines_in(element: HtmlElement) -> list[str]:
    """Give the lines of an element, as its ``br`` part them.

    >>> lines_in(open_page("<p>20099017<br> <b>6979</b>0253<br></p>").find(".//p"))
    ['20099017', '69790253']
    """
    said: list[str] = []
    walker: Any = etree.iterwalk(element, events=("start", "end"))
    for event, node in walker:
        if event == "start":
            said += [LINES] if node.tag == "br" else [_on_one_line(node.text)]
        elif node is not element:
            said.append(_on_one_line(node.tail))
    return [line for part in "".join(said).split(LINES) if (line := squeeze(part))]


def _on_one_line(text: str | None) -> str:
    return (text or "").replace("\n", " ")


def text_of(element: HtmlElement) -> str:
    """Give the element's text with its whitespace collapsed."""
    text = raw_text(element) if len(element) else element.text
    return " ".join(text.split()) if text else ""


def as_label(text: str) -> str:
    """Give a text as a label: its whitespace collapsed, without a colon at its end."""
    return squeeze(text).rstrip(": ")


def is_header_row(row: HtmlElement) -> bool:
    """Tell whether a row holds the names of columns, not a record."""
    if not len(row) or any(map(_is_plain_cell, row)):
        return False
    cells = [cell for cell in row if cell.tag in _CELLS or cell.get("role") == "columnheader"]
    if len(cells) < 2 or not all(_is_header(cell) or not text_of(cell) for cell in cells):
        return False
    return any(_is_named(cell) for cell in cells) or not _has_named_head(row)


def _has_named_head(row: HtmlElement) -> bool:
    """Tell whether the row's table begins with another row, of header cells: then bold cells head no columns."""
    table = next(row.iterancestors("table"), None)
    first = None if table is None else next(table.iter("tr"), None)
    return first is not None and first is not row and len(first) > 1 and all(map(_is_named, first))


def _is_plain_cell(cell: HtmlElement) -> bool:
    """Tell at little cost whether a cell surely is none of a header row."""
    text = cell.text
    if not text or text.isspace() or len(cell):
        return False
    role = cell.get("role")
    return role == "cell" or (role is None and cell.tag == "td")


def _is_named(cell: HtmlElement) -> bool:
    return cell.tag == "th" or cell.get("role") == "columnheader"


def _is_header(cell: HtmlElement) -> bool:
    if _is_named(cell):
        return True
    if not len(cell):
        return False
    bold = cell.find(".//b")
    bold = cell.find(".//strong") if bold is None else bold
    return bold is not None and text_of(bold) == text_of(cell)
