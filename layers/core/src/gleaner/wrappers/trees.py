"""A page as wrappers read it: a repaired tree, and containers of records with their elements indexed."""

import re
from collections.abc import Iterator, Sequence
from copy import deepcopy
from functools import cached_property
from itertools import groupby
from typing import Any, TypeAlias, cast

from lxml import etree
from lxml.html import HtmlElement

from gleaner.html.dom import class_values, classes_of, parse_html, raw_text, select_outer_html, words_of
from gleaner.html.elements import mark_of_raised
from gleaner.html.links import base_url_of
from gleaner.html.non_text.graphics import replace_graphics_with_text
from gleaner.html.non_text.icons import replace_icons_with_text
from gleaner.html.visibility import drop_hidden, json_ld_texts

LINE_END = "\u2028"
"""Stands in a tree for a line break. ``str.split`` takes it for white space, so that texts on one line lose it."""

_UNREAD = ("script", "style", "noscript", "template", "select", "textarea")
_INLINE = frozenset(
    [
        "a",
        "abbr",
        "b",
        "bdi",
        "cite",
        "code",
        "data",
        "em",
        "font",
        "i",
        "ins",
        "mark",
        "q",
        "s",
        "small",
        "span",
        "strong",
        "sub",
        "sup",
        "time",
        "u",
        "var",
    ]
)
_BLOCKS = [
    "article",
    "aside",
    "blockquote",
    "dd",
    "div",
    "dl",
    "dt",
    "figcaption",
    "figure",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "li",
    "ol",
    "p",
    "pre",
    "section",
    "td",
    "th",
    "tr",
    "ul",
]
_CELLS = ("td", "th")
_LONGEST_LABEL = 60
_LONGEST_COPY = 300
_MOST_COPIES = 20_000
_CENTS = re.compile(r"[.,]\d{1,3}\S{0,3}|\d\d\S{0,2}")
_PREFIXED = re.compile(r"(?P<label>[^:\u2028]{1,60}?)\s*[:：]\s*(?P<rest>\S.*)", re.DOTALL)


def open_page(
    html: str, url: str, css_selector: str | None = None, *, by_lines: bool = False
) -> tuple[HtmlElement, str]:
    """Give the tree of the part that is asked for, without scripts and hidden parts, and the base of its links.

    With ``by_lines`` lines that only line breaks part are elements of their own, as are those between blank lines.
    """
    part = html if css_selector is None else select_outer_html(html, css_selector)
    root = parse_html(part)
    words = words_of(part)
    data = json_ld_texts(root, words)
    base = base_url_of(root, url)
    etree.strip_elements(root, *_UNREAD, with_tail=False)
    drop_hidden(root, words, data)
    classes = class_values(root)
    replace_icons_with_text(root, words, classes)
    replace_graphics_with_text(root, words, classes)
    for element in root.iter("sup", "small", "span"):
        _join_cents(element)
    _spread_rows(root)
    if by_lines:
        set_lines_apart(root)
    for element in root.iter("br"):
        element.tail = LINE_END + (element.tail or "")
    for element in root.iter(*_BLOCKS):
        element.tail = f" {element.tail or ''}"
        if element.text:
            element.text = f" {element.text}"
    return root, base


_LEAST_BREAKS = 3
LINE, LINES = "text-line", "text-lines"
"""The classes of elements made of a line, and of lines between blank ones."""


def set_lines_apart(root: HtmlElement) -> None:
    """Put lines that only line breaks part into elements, and into one more those between blank lines.

    What stands beside such lines and is of their tag and class may hold a single one.
    """
    breaks = {one: count for one in root.iter() if (count := sum(1 for _ in one.iterchildren("br")))}
    looks = {(one.tag, one.getparent(), one.get("class")) for one, count in breaks.items() if count >= _LEAST_BREAKS}
    around = dict.fromkeys(above for _, above, _ in looks if above is not None)
    said = (one for above in around for one in above if squeeze(one.text or ""))
    candidates = dict.fromkeys((*breaks, *said))
    for element in [one for one in candidates if (one.tag, one.getparent(), one.get("class")) in looks]:
        lines = _split_lines(element)
        groups = [[*group] for has_text, group in groupby(lines, key=lambda line: bool(text_of(line))) if has_text]
        element[:] = []
        element.text = None
        for group in groups:
            around = element
            if len(groups) > 1:
                around = element.makeelement("div", {"class": LINES})
                element.append(around)
            around.extend(group)


def _split_lines(element: HtmlElement) -> list[HtmlElement]:
    """Give the contents of an element as lines, those without a text too."""
    line = element.makeelement("div", {"class": LINE})
    line.text = element.text
    lines = [line]
    for child in [*element]:
        if child.tag == "br":
            line = element.makeelement("div", {"class": LINE})
            line.text = child.tail
            lines.append(line)
        else:
            line.append(child)
    return lines


def squeeze(text: str) -> str:
    """Give the text with its white space collapsed."""
    return " ".join(text.split())


def text_of(element: HtmlElement) -> str:
    """Give the element's text with its white space collapsed."""
    text = raw_text(element) if len(element) else element.text
    return " ".join(text.split()) if text else ""


def lined_text(element: HtmlElement) -> str:
    """Give the element's text with its line breaks as `LINE_END`."""
    text = raw_text(element) if len(element) else element.text or ""
    if LINE_END not in text:
        return squeeze(text)
    return LINE_END.join(filter(None, map(squeeze, text.split(LINE_END))))


def label_form(text: str) -> str:
    """Give a text as a label is compared: without case, and without a colon at its end."""
    return squeeze(text).rstrip(":： ").casefold()


def _join_cents(element: HtmlElement) -> None:
    """Move the cents of an amount that is split over elements ("$12<sup>99</sup>") into the text that they continue."""
    text = element.text
    if not text or len(element) or not (text[0] in ".," or element.tag == "sup") or not _CENTS.fullmatch(text):
        return
    if (element.tail or "")[:1].isdigit():
        return
    before = element.getprevious()
    slot = (before, "tail") if before is not None else (element.getparent(), "text")
    if before is not None and not (before.tail or "").strip() and not len(before) and before.tag in _INLINE:
        slot = (before, "text")
    said = getattr(slot[0], slot[1], None) or ""
    if said[-1:].isdigit():
        mark = mark_of_raised(text, said) if text[0] not in ".," else ""
        setattr(slot[0], slot[1], f"{said}{mark}{text}")
        element.text = None


def _span(cell: HtmlElement, name: str, most: int = 1000) -> int:
    value = (cell.get(name) or "1").strip()
    return min(max(1, int(value)), most) if value.isascii() and value.isdigit() and len(value) < 6 else 1


def _spread_rows(root: HtmlElement) -> None:
    """Copy each cell that spans rows into the rows below, in its column, as the Markdown has it.

    Left alone are heads, and tables in which most cells of a row span the next one: there several rows make one record.
    """
    spare = _MOST_COPIES
    sections: dict[HtmlElement, None] = {}
    for cell in root.iter(*_CELLS):
        if cell.get("rowspan", "1") != "1":
            row = cell.getparent()
            if row is not None and (above := row.getparent()) is not None and above.tag != "thead":
                sections[above] = None
    for section in sections:
        rows = [row for row in section if row.tag == "tr"]
        lines = [*_lines(rows)]
        pairs = [*zip(rows, lines, strict=True)]
        copies = [[cell for cell in line if cell.getparent() is not row] for row, line in pairs]
        spare -= sum(map(len, copies))
        is_plain = all(
            len(copied) < max(2, len(row)) and all(len(raw_text(cell)) <= _LONGEST_COPY for cell in copied)
            for row, copied in zip(rows, copies, strict=True)
        )
        if spare < 0 or not is_plain:
            continue
        for row, line in pairs:
            made = [cell if cell.getparent() is row else deepcopy(cell) for cell in line]
            row[:] = made
        for row in rows:
            for cell in row:
                cell.attrib.pop("rowspan", None)


def _lines(rows: Sequence[HtmlElement]) -> Iterator[list[HtmlElement]]:
    """Give the cells of each row by their columns, those of rows above that reach into it among them."""
    hanging: dict[int, tuple[HtmlElement, int]] = {}
    for row in rows:
        line: list[HtmlElement] = []
        below: dict[int, tuple[HtmlElement, int]] = {}
        own, column = [*row][::-1], 0
        while own or any(at >= column for at in hanging):
            if column in hanging:
                cell, left = hanging[column]
                left -= 1
            elif own:
                cell = own.pop()
                left = _span(cell, "rowspan", len(rows)) - 1
            else:
                column += 1
                continue
            line.append(cell)
            for at in range(column, column + _span(cell, "colspan", 100)):
                if left > 0 and at == column:
                    below[at] = cell, left
            column += _span(cell, "colspan", 100)
        hanging = below
        yield line


class Page:
    """A page's tree with what is worked out once for all its containers."""

    def __init__(self, root: HtmlElement, base: str) -> None:
        self.root = root
        self.base = base
        self.labels: frozenset[str] | None = None
        """The labels that are asked for; None for all."""

    @cached_property
    def order(self) -> dict[HtmlElement, int]:
        """The place of each element in the page."""
        return {node: at for at, node in enumerate(self.root.iter())}

    @cached_property
    def heading(self) -> str:
        """What the page's only main heading says, as a label is compared; "" without one."""
        found = [*self.root.iter("h1")]
        said = label_form(text_of(found[0])) if len(found) == 1 else ""
        return said if len(said) > _SHORTEST_HEADING else ""

    def label_of(self, text: str) -> str:
        """Give a text as a label: without the page's heading, which changes from page to page.

        >>> page = Page(parse_html("<h1>Zodine</h1>"), "")
        >>> page.label_of("How to store Zodine:")
        'how to store'
        """
        label = label_form(text)
        return label.replace(self.heading, "").strip() or label if self.heading and self.heading in label else label

    @cached_property
    def _heads(self) -> dict[HtmlElement, list[str]]:
        return {}

    def heads_of(self, row: HtmlElement) -> list[str]:
        """Give the texts that head the columns of a table row: those of the table's head, or of its first row."""
        table = next(row.iterancestors("table"), None)
        if table is None:
            return []
        if table not in self._heads:
            self._heads[table] = column_heads(table)
        return self._heads[table]


def _is_bold(cell: HtmlElement) -> bool:
    inner = [*cell.iter("b", "strong", "th")]
    return bool(inner) and text_of(inner[0]) == text_of(cell)


def _is_small(node: HtmlElement) -> bool:
    """Tell whether an element holds at most two others: a label does."""
    return not len(node) or sum(1 for _ in zip(node.iter(), range(4), strict=False)) < 4


_LEAST_PAIRS = 3
_SHORTEST_HEADING = 3


def is_one_of_pairs(node: HtmlElement) -> bool:
    """Tell whether an element is the first of two in its parent, and several siblings of that are such pairs, too."""
    above = node.getparent()
    around = above.getparent() if above is not None else None
    if above is None or around is None or len(above) != 2 or above[0] is not node:
        return False
    look = [(child.tag, child.get("class")) for child in (above, *above)]
    alike = sum(
        1 for one in around if len(one) == 2 and [(each.tag, each.get("class")) for each in (one, *one)] == look
    )
    return alike >= _LEAST_PAIRS


def column_heads(table: HtmlElement) -> list[str]:
    """Give the texts that head the columns of a table: those of its head, or of a row of header or bold cells."""
    rows = [row for row in table.iter("tr") if len(row)]
    first = next((row for row in rows if len(row) > 1 and all(cell.tag == "th" for cell in row)), None)
    in_head = [row for row in rows if (above := row.getparent()) is not None and above.tag == "thead"]
    bold = rows[0] if rows and all(map(_is_bold, rows[0])) else None
    chosen = in_head[-1] if in_head else first if first is not None else bold
    if chosen is None:
        return []
    return [label_form(text_of(cell)) for cell in chosen for _ in range(_span(cell, "colspan", 50))]


def _says_any(text: str, labels: frozenset[str]) -> bool:
    said = text.casefold()
    return any(label in said for label in labels)


Spot: TypeAlias = HtmlElement | str
"""Where a value stands: an element, or a text that has none of its own."""


class Container:
    """The part of a page that one record fills: an element, or a run of siblings."""

    def __init__(
        self, page: Page, elements: Sequence[HtmlElement], stops: frozenset[HtmlElement] = frozenset()
    ) -> None:
        self.page = page
        self.elements = [*elements]
        self.stops = stops
        self._texts: dict[HtmlElement, str] = {}
        self.found: dict[tuple[str, str, str, str], list[HtmlElement | str]] = {}
        """What was found in many containers at once, by kind, value, tag and name."""

    @cached_property
    def nodes(self) -> list[HtmlElement]:
        """All elements of the container in page order, without those of other records inside it."""
        if not self.stops:
            return [node for element in self.elements for node in element.iter() if isinstance(node.tag, str)]
        return [node for element in self.elements for node in self._open(element)]

    def _open(self, element: HtmlElement) -> Iterator[HtmlElement]:
        walker: Any = etree.iterwalk(element, events=("start",))
        for _, node in walker:
            if node is not element and node in self.stops:
                walker.skip_subtree()
            elif isinstance(node.tag, str):
                yield node

    def text(self, node: HtmlElement) -> str:
        """Give an element's text on one line."""
        known = self._texts.get(node)
        if known is None:
            known = self._texts[node] = text_of(node)
        return known

    @cached_property
    def whole_text(self) -> str:
        """All that the container says, on one line."""
        return squeeze(" ".join(text_of(element) for element in self.elements))

    @cached_property
    def by_class(self) -> dict[str, list[HtmlElement]]:
        """The elements by their class tokens."""
        found: dict[str, list[HtmlElement]] = {}
        for node in self.nodes:
            classes = node.get("class")
            if classes:
                for token in dict.fromkeys(classes.split()):
                    found.setdefault(token, []).append(node)
        return found

    @cached_property
    def by_tag(self) -> dict[str, list[HtmlElement]]:
        """The elements by their tags."""
        found: dict[str, list[HtmlElement]] = {}
        for node in self.nodes:
            found.setdefault(cast(str, node.tag), []).append(node)
        return found

    @cached_property
    def by_attribute(self) -> dict[tuple[str, str], list[HtmlElement]]:
        """The elements by their attributes, by name alone and by name and value; classes and styles aside."""
        found: dict[tuple[str, str], list[HtmlElement]] = {}
        for node in self.nodes:
            for name, value in node.items():
                if name not in ("class", "style"):
                    found.setdefault((name, ""), []).append(node)
                    if value:
                        found.setdefault((name, value), []).append(node)
        return found

    @cached_property
    def pieces(self) -> list[tuple[str, HtmlElement]]:
        """The texts between tags that are not blank, each with the element that holds it, in page order."""
        found: list[tuple[str, HtmlElement]] = []
        for element in self.elements:
            walker: Any = etree.iterwalk(element, events=("start", "end"))
            for event, node in walker:
                if event == "start" and node in self.stops and node is not element:
                    walker.skip_subtree()
                    continue
                if event == "end" and node is element:
                    continue
                said = node.text if event == "start" else node.tail
                if said and not said.isspace() and isinstance(node.tag, str):
                    holder = node if event == "start" else node.getparent()
                    found += [(line, holder) for part in said.split(LINE_END) if (line := squeeze(part))]
        return found

    @cached_property
    def labelled(self) -> dict[str, list[Spot]]:
        """What stands behind each short text, which may be its label."""
        found: dict[str, list[Spot]] = {}
        asked = self.page.labels
        if asked is not None and not _says_any(self.whole_text, asked):
            return found
        for node in self.nodes:
            text = self.text(node)
            if not text:
                continue
            may_say = asked is None or _says_any(text, asked)
            is_short = may_say and len(text) <= _LONGEST_LABEL and ":" not in text[:-1]
            label = self.page.label_of(text) if is_short else ""
            if label and (asked is None or label in asked) and _is_small(node):
                spot = self._behind(node)
                if node in self.elements and spot not in self.elements:
                    spot = None
                known = found.setdefault(label, []) if spot is not None else []
                if spot is not None and not (known and known[-1] == spot):
                    known.append(spot)
            lead = self._lead(node)
            if lead and (asked is None or lead in asked):
                found.setdefault(lead, []).append(node)
            if may_say and (":" in text or "：" in text):
                for name, rest in self._prefixed(node):
                    if asked is None or name in asked:
                        found.setdefault(name, []).append(rest)
        return found

    @cached_property
    def labels_of(self) -> dict[Spot, list[tuple[str, int | None]]]:
        """The labels of each place that has some, with its number among the places that have the same one."""
        found: dict[Spot, list[tuple[str, int | None]]] = {}
        for label, spots in self.labelled.items():
            said = {spot if isinstance(spot, str) else self.text(spot) for spot in spots}
            for at, spot in enumerate(spots):
                found.setdefault(spot, []).append((label, None if len(said) == 1 else at))
        return found

    def _behind(self, node: HtmlElement) -> Spot | None:
        """Give what follows an element that may be a label: the next element, or the text up to the end of the line."""
        for _ in range(3):
            tail = (node.tail or "").split(LINE_END)[0].strip(" \t\r\n:：")
            if tail:
                return self._line_behind(node)
            after = node.getnext()
            if after is not None and isinstance(after.tag, str) and after.tag != "br" and after not in self.stops:
                return after
            above = node.getparent()
            if above is None or node in self.elements or self.text(above) != self.text(node):
                return None
            node = above
        return None

    def _lead(self, node: HtmlElement) -> str:
        """Give the text right before an inline element in its parent, as a label: "Offered by <a>…</a>"."""
        above = node.getparent()
        if node.tag not in _INLINE or node in self.elements or above is None:
            return ""
        before = node.getprevious()
        said = ((above.text if before is None else before.tail) or "").split(LINE_END)[-1]
        is_label = 2 < len(said) <= _LONGEST_LABEL and any(map(str.isalpha, said))
        return label_form(said) if is_label else ""

    def _line_behind(self, node: HtmlElement) -> str | None:
        said = [node.tail or ""]
        after = node.getnext()
        while after is not None and LINE_END not in said[-1]:
            if after.tag not in _INLINE or after in self.stops:
                break
            said += [raw_text(after), after.tail or ""]
            after = after.getnext()
        line = squeeze("".join(said).split(LINE_END)[0]).lstrip(":： ")
        return line or None

    def _prefixed(self, node: HtmlElement) -> Iterator[tuple[str, str]]:
        """Give the labels and values of the lines of an element that begin with a label and a colon."""
        if not (node.text or "").strip() and not any((child.tail or "").strip() for child in node):
            return
        for line in lined_text(node).split(LINE_END):
            match = _PREFIXED.fullmatch(line)
            if match:
                yield label_form(match["label"]), squeeze(match["rest"])

    @cached_property
    def columns(self) -> dict[str, list[HtmlElement]]:
        """The cells of a table row, or of the tables inside, by the heads of their columns."""
        found: dict[str, list[HtmlElement]] = {}
        own = [element for element in self.elements if element.tag == "tr"]
        for row in own or [row for element in self.elements for row in element.iter("tr")][:500]:
            heads, at = self.page.heads_of(row), 0
            cells = [cell for cell in row if cell.tag in _CELLS]
            if not own and [label_form(text_of(cell)) for cell in cells] == heads:
                continue
            for cell in cells:
                if at < len(heads) and heads[at]:
                    found.setdefault(heads[at], []).append(cell)
                at += _span(cell, "colspan", 50)
        return found

    def steps_to(self, node: HtmlElement) -> str | None:
        """Give the way from the container down to an element: tags with their number among siblings of that tag."""
        steps: list[str] = []
        while node not in self.elements:
            above = node.getparent()
            if above is None:
                return None
            steps.append(f"{node.tag}.{sum(1 for _ in node.itersiblings(node.tag, preceding=True))}")
            node = above
        if len(self.elements) > 1:
            steps.append(f"+{self.elements.index(node)}")
        return "/".join(reversed(steps))

    def follow(self, steps: str) -> HtmlElement | None:
        """Give the element that a way leads to; None where it leads nowhere."""
        node = self.elements[0]
        for step in steps.split("/") if steps else ():
            if step[0] == "+":
                at = int(step[1:])
                if at >= len(self.elements):
                    return None
                node = self.elements[at]
                continue
            tag, _, number = step.rpartition(".")
            left = int(number)
            for child in node.iterchildren(tag):
                if not left:
                    node = child
                    break
                left -= 1
            else:
                return None
            if node in self.stops:
                return None
        return node


def tokens_of(element: HtmlElement) -> list[str]:
    """Give the class tokens of an element."""
    return classes_of(element)
