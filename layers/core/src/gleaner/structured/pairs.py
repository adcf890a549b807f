"""Labels with their values: definition lists, tables of two columns, and lines such as "Weight: 5 kg"."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from lxml.html import HtmlElement

from gleaner.html.dom import visible_text
from gleaner.html.elements import HEADINGS, is_one_of_pairs
from gleaner.structured.grids import Cell, read_cell
from gleaner.values.fields import ALIKE, Field

_LONGEST_LABEL = 60
_LINE = re.compile(r"([^\W\d_][^:：|]{0,58}[^\s:：|])\s*[:：]\s*(\S.*)")
_INLINE = frozenset(["a", "abbr", "b", "bdi", "cite", "em", "i", "mark", "small", "span", "strong", "time", "u"])
_MARKED = frozenset(["b", "strong", "span", "em", "label"])
_PAIR = 2


@dataclass(frozen=True, slots=True)
class Pair:
    """A label, the value beside it, and the heading over both."""

    label: str
    cell: Cell
    heading: str = ""


def read_pairs(root: HtmlElement, url: str) -> list[Pair]:
    """Give the labels of a page with their values, each different pair once; a label with several values gives each."""
    found: dict[Pair, None] = {}
    heading = ""
    for element in root.iter("dl", "tr", "li", "p", "div", *HEADINGS):
        if element.tag in HEADINGS:
            heading = visible_text(element)
            continue
        found.update((replace(pair, heading=heading), None) for pair in _pairs(element, url) if pair.cell.text)
    return list(found)


def values_of(field: Field, pairs: list[Pair]) -> list[Pair]:
    """Give the pairs whose label fits a field best; those of one text once."""
    scores = [field.likeness(pair.label) for pair in pairs]
    best = max([ALIKE, *scores])
    fitting = [pair for pair, score in zip(pairs, scores, strict=True) if score == best]
    return list({pair.cell.text.casefold(): pair for pair in fitting}.values())


def _pairs(element: HtmlElement, url: str) -> Iterator[Pair]:
    if element.tag == "dl":
        yield from _definitions(element, url)
    elif element.tag == "tr":
        cells = [each for each in element if each.tag in ("th", "td")]
        if len(cells) == _PAIR and cells[1].tag == "td":
            yield from _pair(visible_text(cells[0]), cells[1], url)
    elif all(each.tag in _INLINE or each.tag == "br" for each in element):
        yield from _lines(element)
    elif len(element) == _PAIR and not (element.text or "").strip():
        label, value = element
        is_label = visible_text(label).endswith((":", "：")) or is_one_of_pairs(label)
        if label.tag in (*_MARKED, "div", "p") and is_label:
            yield from _pair(visible_text(label), value, url)


def _definitions(listing: HtmlElement, url: str) -> Iterator[Pair]:
    label = ""
    for each in listing.iter("dt", "dd"):
        if each.tag == "dt":
            label = visible_text(each)
        else:
            yield from _pair(label, each, url)


def _lines(element: HtmlElement) -> Iterator[Pair]:
    """Read the lines of an element, those that begin with a short label and a colon, or that mark their label."""
    lines = [element.text or ""]
    for each in element:
        if each.tag == "br":
            lines.append(each.tail or "")
        else:
            lines[-1] += (
                f" {visible_text(each)} {each.tail or ''}" if len(each) else f"{each.text or ''}{each.tail or ''}"
            )
    for line in lines:
        if (match := _LINE.fullmatch(" ".join(line.split()))) is not None:
            yield Pair(match[1], Cell(match[2]))
    if len(element) == 1 and element[0].tag in _MARKED and not (element.text or "").strip():
        label = element[0]
        if (said := (label.tail or "").strip()) and is_one_of_pairs(label):
            yield Pair(visible_text(label).rstrip(" :："), Cell(" ".join(said.split())))
    if len(element) == _PAIR and len(lines) == 1 and not (element.text or "").strip():
        label, value = element
        if not (label.tail or "").strip() and not (value.tail or "").strip() and label.tag in _MARKED:
            yield from _pair(visible_text(label), value, "")


def _pair(label: str, value: HtmlElement, url: str) -> Iterator[Pair]:
    bare = label.rstrip(" :：")
    if 0 < len(bare) < _LONGEST_LABEL:
        yield Pair(bare, read_cell(value, url))
