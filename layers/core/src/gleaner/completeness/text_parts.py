"""Elements for the parts of a text that lists its things within one line: "Ann Roe, Bo Lund, Cy Ash". Pure."""

import re
from collections import Counter
from itertools import pairwise

from lxml import etree
from lxml.html import HtmlElement

PART, PARTS = "part", "parts"
"""The tags of an element made of a part of a text, whose class is the mark that joins them, and of one around all."""

_BORDER = re.compile(r"(?<=[:：])\s|(?<=\.)\s|[|\n]")
_MARK = re.compile(r"\s*([,;•·、，؛،])\s*(?!\d)|\s+(/)\s+")
_FIGURE = re.compile(r"[^\W\d_]*\d[^\s]*")
_LONGEST = 60
_FEWEST = 2
_FEWEST_FIGURES = 3


def part_texts(root: HtmlElement) -> None:
    """Put the parts of each line that one mark joins into elements of their own, and those of a line into one more.

    Nothing reaches over a label, a sentence's end or a cell's edge; a line with a long part is prose and left alone.

    >>> from gleaner.html.dom import parse_html
    >>> page = parse_html("<p>Cast: Ann Roe, Bo Lund. 2 hours")
    >>> part_texts(page)
    >>> [part.text for part in page.iter("part")]
    ['Ann Roe', 'Bo Lund']
    """
    for element in [*root.iter(etree.Element)]:
        looks = f"{element.tag} {element.get('class') or ''}"
        children = [*element]
        before, made = _listed(element, element.text, looks)
        if made:
            element.text = before
            element[:0] = made
        for child in children:
            before, made = _listed(element, child.tail, looks)
            if made:
                child.tail = before
                for one in reversed(made):
                    child.addnext(one)


def _listed(element: HtmlElement, text: str | None, looks: str) -> tuple[str, list[HtmlElement]]:
    """Give the text before the first list in a text, and an element for each list with what stands behind it."""
    before, made = "", list[HtmlElement]()
    if not text or not (_MARK.search(text) or _FIGURE.search(text)):
        return before, made
    for start, end in pairwise([0, *(found.end() for found in _BORDER.finditer(text)), len(text)]):
        mark, parts = _parts(text[start:end])
        if parts:
            holder = element.makeelement(PARTS, {"class": looks})
            for part in parts:
                one = element.makeelement(PART, {"class": mark})
                one.text, one.tail = part, f"{mark} "
                holder.append(one)
            made.append(holder)
        elif made:
            made[-1].tail = f"{made[-1].tail or ''}{text[start:end]}"
        else:
            before += text[start:end]
    return before, made


def _parts(line: str) -> tuple[str, list[str]]:
    """Give the mark that joins the parts of a line, and these; figures may stand with nothing but blanks between."""
    marks = Counter(found[1] or found[2] for found in _MARK.finditer(line))
    mark = max(marks, key=marks.__getitem__, default="")
    parts = [one.strip().rstrip(".") for one in re.split(rf"{re.escape(mark)}(?!\d)", line)] if mark else line.split()
    parts = [one for one in parts if one]
    is_list = len(parts) >= _FEWEST if mark else len(parts) >= _FEWEST_FIGURES and all(map(_FIGURE.fullmatch, parts))
    return (mark, parts) if is_list and max(map(len, parts)) <= _LONGEST else ("", [])
