"""Lines of a paragraph that only breaks set apart, and of preformatted text, made elements: each may be a record."""

from collections import Counter
from collections.abc import Iterator
from typing import cast

from lxml import etree
from lxml.html import HtmlElement

LINE = "line"
"""The tag of a line; HTML has none of that name."""

_FEWEST = 6
_BREAKS = etree.XPath("//br")
_PREFORMATTED = etree.XPath("//pre")


def set_lines_apart(root: HtmlElement) -> None:
    """Put each line of an element with many breaks, and of a preformatted text of many lines, into an element."""
    broken = Counter(above for one in cast(list[HtmlElement], _BREAKS(root)) if (above := one.getparent()) is not None)
    many = {(one.getparent(), one.tag, one.get("class")): one for one, count in broken.items() if count >= _FEWEST}
    for one in [like for each in many.values() for like in _alike(each)]:
        _wrap(one, [*_parts(one, "")])
    for text in cast(list[HtmlElement], _PREFORMATTED(root)):
        if "".join(text.itertext()).count("\n") >= _FEWEST and text.find(LINE) is None:
            _wrap(text, [*_parts(text, "\n")])


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


def _wrap(parent: HtmlElement, parts: list[Part | None]) -> None:
    parent[:] = []
    parent.text = None
    line: list[Part] = []
    for part in [*parts, None]:
        if part is not None:
            line.append(part)
        elif any(part.strip() if isinstance(part, str) else part.tag != "br" for part in line):
            parent.append(_line(line))
            line = []
        else:
            line = []


def _line(parts: list[Part]) -> HtmlElement:
    made: HtmlElement = etree.Element(LINE)  # type: ignore[assignment]
    for part in parts:
        if not isinstance(part, str):
            made.append(part)
        elif len(made):
            made[-1].tail = (made[-1].tail or "") + part
        else:
            made.text = (made.text or "") + part
    return made
