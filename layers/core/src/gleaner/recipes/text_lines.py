"""Lines that only breaks set apart, and those of preformatted text, made elements: each may be a record, or a value.

So may each entry of several lines between empty ones be a record. Columns of preformatted text are cells of its lines.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from lxml import etree
from lxml.html import HtmlElement

from gleaner.html.elements import HEADINGS

LINE = "line"
"""The tag of a line; HTML has none of that name."""

Kind = tuple[Any, ...]
"""The tag and class of an element, and those of its parent."""

ENTRY = "entry"
CELL = "cell"

_FEWEST = 6
_FEWEST_ENTRIES = 3
_FEWEST_ALIKE = 4
_BLOCKS = frozenset(("table", "ul", "ol", "dl", "div", "p", "section", "article", "form", "pre", *HEADINGS))
_RULES = ("br", "hr")
LINED = ("br", "pre")
"""What all texts of several lines are made of."""

_COLUMN = re.compile(r"(\t\s*| {2,}\s*)")


def set_lines_apart(root: HtmlElement) -> None:
    """Put each line of an element with many breaks, and of a preformatted text of many lines, into an element.

    A blank stands for each break, so that texts of several lines are not glued: "12 March", "2025".
    """
    broken = Counter(above for one in root.iter("br") if (above := one.getparent()) is not None)
    many, some = _with_many(broken), _with_some(root, broken)
    for alike in [*many, *some]:
        lines = [[*_lines_of(_parts(one, ""))] for one in alike]
        are_entries = _are_entries(lines)
        for one, found in zip(alike, lines, strict=True):
            _fill(one, found, are_entries=are_entries, are_parts=alike in some)
    for text in [*root.iter("pre")]:
        if "".join(text.itertext()).count("\n") >= _FEWEST and text.find(LINE) is None and text.find(ENTRY) is None:
            lines = [*_lines_of(_parts(text, "\n"))]
            _fill(text, lines, are_entries=_are_entries([lines]), has_columns=True)
    for one in [*root.iter("br")]:
        one.tail = f" {one.tail or ''}"


def _with_many(broken: Mapping[HtmlElement, int]) -> list[list[HtmlElement]]:
    many = {(one.getparent(), one.tag, one.get("class")): one for one, count in broken.items() if count >= _FEWEST}
    return [_alike(each) for each in many.values()]


def _with_some(root: HtmlElement, broken: Mapping[HtmlElement, int]) -> list[list[HtmlElement]]:
    """Give elements of one kind in which breaks part a few lines each: cells, or the last part of each record."""
    kinds = Counter(_kind_of(one) for one, count in broken.items() if count < _FEWEST)
    several = {kind for kind, count in kinds.items() if count >= _FEWEST_ALIKE}
    found: dict[Kind, list[HtmlElement]] = {kind: [] for kind in several}
    for one in root.iter(*{tag for tag, *_ in several}) if several else ():
        if (kind := _kind_of(one)) in several:
            found[kind].append(one)
    return [
        alike for alike in found.values() if not any(_has_blocks(one) or broken.get(one, 0) >= _FEWEST for one in alike)
    ]


def _kind_of(element: HtmlElement) -> Kind:
    parent = element.getparent()
    return (element.tag, element.get("class"), *((parent.tag, parent.get("class")) if parent is not None else ()))


def _has_blocks(element: HtmlElement) -> bool:
    return any(child.tag in _BLOCKS for child in element)


def _alike(element: HtmlElement) -> list[HtmlElement]:
    """Give an element and the siblings of its tag and class: the last lines of a list may be few."""
    parent = element.getparent()
    siblings = [element] if parent is None else list(parent)
    return [one for one in siblings if one.tag == element.tag and one.get("class") == element.get("class")]


Part = str | HtmlElement


def _parts(parent: HtmlElement, mark: str) -> Iterator[Part | None]:
    """Give the texts and elements of an element, and None where a line ends."""
    yield from _cut(parent.text, mark)
    for child in list(parent):
        tail, child.tail = child.tail, None
        yield child
        if child.tag == "br":
            yield None
        yield from _cut(tail, mark)


def _cut(text: str | None, mark: str) -> Iterator[str | None]:
    first, *others = (text or "").split(mark) if mark else [text or ""]
    yield first
    for line in others:
        yield None
        yield line


def _lines_of(parts: Iterator[Part | None]) -> Iterator[list[Part]]:
    """Give the parts of each line; none of an empty one."""
    line: list[Part] = []
    for part in [*parts, None]:
        if part is not None:
            line.append(part)
        else:
            yield line if any(one.strip() if isinstance(one, str) else one.tag not in _RULES for one in line) else []
            line = []


def _are_entries(texts: Sequence[Sequence[list[Part]]]) -> bool:
    """Tell whether empty lines part several entries, of which most have more than one line."""
    parted = [_entries_of(lines) for lines in texts]
    entries = [entry for one in parted for entry in one]
    return (
        len(entries) >= max(_FEWEST_ENTRIES, len(texts) + 1) and sum(len(one) > 1 for one in entries) > len(entries) / 2
    )


def _entries_of(lines: Sequence[list[Part]]) -> list[list[list[Part]]]:
    return [list(group) for has_text, group in groupby(lines, key=bool) if has_text]


def _fill(
    parent: HtmlElement,
    lines: Sequence[list[Part]],
    *,
    are_entries: bool,
    are_parts: bool = False,
    has_columns: bool = False,
) -> None:
    """Put the lines into the element, those of an entry into one more."""
    parent[:] = []
    parent.text = None
    for entry in _entries_of(lines):
        around = etree.SubElement(parent, ENTRY) if are_entries else parent
        for line in entry:
            alone = _alone(line) if are_parts or are_entries else None
            around.append(_line(_in_columns(line) if has_columns else line) if alone is None else alone)
            around[-1].tail = " "


def _alone(line: Sequence[Part]) -> HtmlElement | None:
    """Give the element that a line consists of: it needs no other, and comes and goes without moving lines of text."""
    said = [part for part in line if not (part.strip() == "" if isinstance(part, str) else part.tag == "br")]
    return said[0] if len(said) == 1 and not isinstance(said[0], str) else None


def _in_columns(parts: Sequence[Part]) -> Iterator[Part]:
    """Give the texts of a line that blanks set apart as elements, where there are several such."""
    for part in parts:
        cells = _COLUMN.split(part) if isinstance(part, str) else []
        if len(cells) < 2 or len(parts) == 1 == len(part.split()):
            yield part
            continue
        for text in cells:
            yield _cell(text) if text.strip() else text


def _cell(text: str) -> HtmlElement:
    made: HtmlElement = etree.Element(CELL)  # type: ignore[assignment]
    made.text = text
    return made


def _line(parts: Iterable[Part]) -> HtmlElement:
    made: HtmlElement = etree.Element(LINE)  # type: ignore[assignment]
    for part in parts:
        if not isinstance(part, str):
            made.append(part)
        elif len(made):
            made[-1].tail = (made[-1].tail or "") + part
        else:
            made.text = (made.text or "") + part
    return made
