"""Labels that say a value with more than their text: with the thing's name in it, and with the heading above."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from lxml.html import HtmlElement

from gleaner.contracts.ports import JsonValue
from gleaner.recipes.boxes import Box, text_of
from gleaner.recipes.model import FieldRecipe, FieldSelector

_ORDINAL = re.compile(r"^(?:\d+(?:\.\d+)*|[ivx]+)[.)]\s+", re.IGNORECASE)
_ASIDE = re.compile(r"\s*\([^()]*\)|\d+")
_HEADINGS = frozenset({"h2", "h3", "h4", "h5", "h6", "legend", "caption"})
_LONGEST = 60
_LEAST_NAME = 4
_MOST_BEFORE = 40
_LOOKED_AT = 40
NAME = "…"
"""Stands for the thing's name in a label: "How to store …"."""

SAID = "said"
"""The name of selectors by such labels."""

UNDER = " › "
"""Stands between a heading and a label below it."""


def labelled(box: Box, tag: str) -> dict[str, list[HtmlElement]]:
    """Give the elements of a tag by the labels before them that are longer, or shorter, than the label's text."""
    known = box.labelled.get(tag)
    if known is None:
        known = box.labelled[tag] = {}
        name = name_of(box)
        for node, head in _under_heads(box):
            if node.tag == tag:
                for label in _labels(node, head, name):
                    known.setdefault(label, []).append(node)
    return known


def name_of(box: Box) -> str:
    """Give the name of the thing that a page is about: its heading; "" without one."""
    return next((text_of(node) for node in box.by_tag.get("h1", ())), "")


def without_name(label: str, name: str) -> str:
    """Give a label that holds the thing's name without it.

    >>> without_name("How to store Amipril 5 mg", "Amipril 5 mg"), without_name("Oak", "Oak")
    ('How to store …', 'Oak')
    """
    return label.replace(name, NAME) if len(name) >= _LEAST_NAME and label != name else label


def labels_of(box: Box, node: HtmlElement) -> Sequence[str]:
    """Give such labels that one element alone has; with the heading above only where it takes that."""
    found = labelled(box, str(node.tag))
    own = [label for label, nodes in found.items() if nodes == [node]]
    before: Any = node.getprevious()
    alike = [] if before is None else box.beside(str(node.tag)).get(text_of(before).rstrip(": "), [])
    return own if len(alike) > 1 else [label for label in own if UNDER not in label]


def _under_heads(box: Box) -> Iterator[tuple[HtmlElement, str]]:
    """Give each element with the last heading before it, without numbers and what stands in brackets there."""
    head = ""
    for node in box.inside:
        if node.tag in _HEADINGS or (node.tag == "th" and _is_alone(node)):
            head = " ".join(_ASIDE.sub("", text_of(node)).split())[:_LONGEST]
        yield node, head


def _labels(node: HtmlElement, head: str, name: str) -> Iterator[str]:
    before: Any = node.getprevious()
    text = "" if before is None or node.tag == "h1" else text_of(before).rstrip(": ")
    if not text or len(text) > _LONGEST:
        return
    label = without_name(_ORDINAL.sub("", text), name)
    if label != text and len(label) > len(NAME):
        yield label
    if head and head != label:
        yield f"{head}{UNDER}{label}"


def head_over(element: HtmlElement, name: str) -> str:
    """Give the heading of the section that an element stands in, without the ``name`` of the page's thing.

    The last one before it, or before what is around it; none where the element follows at once, since it is a label.

    >>> from gleaner.recipes.boxes import open_page
    >>> page = open_page("<div><h2>From</h2><p>Ada</p></div><div><h2>To Maple</h2><dl><dd>Bo</dd></dl></div>")
    >>> head_over(page.find(".//p"), ""), head_over(page.find(".//dd"), "Maple")
    ('', 'To …')
    """
    before: Any = element.getprevious()
    if before is not None and before.tag in _HEADINGS:
        return ""
    for around in (element, *element.iterancestors()):
        for before in islice(around.itersiblings(preceding=True), _MOST_BEFORE):
            if before.tag in _HEADINGS:
                return without_name(_ORDINAL.sub("", text_of(before)), name)[:_LONGEST]
    return ""


def begun_by_others(fields: Sequence[FieldRecipe], values: Sequence[Sequence[JsonValue]]) -> Iterator[str]:
    """Give the texts that begin with another field's label: a title that says "Materials: Linen" is not the title."""
    labels = [{label for one in field.selectors if (label := _label_of(one))} for field in fields]
    for at, (field, column) in enumerate(zip(fields, values, strict=True)):
        others = set[str]().union(*labels[:at], *labels[at + 1 :]) - labels[at]
        others -= {text.partition(":")[0] for text in field.figures.common}
        for value in column[:_LOOKED_AT] if others else ():
            label, colon, _ = value.partition(":") if isinstance(value, str) else ("", "", "")
            if colon and label in others:
                yield f"{field.name} begins with {label!r}, the label of another field"
                break


def _label_of(selector: FieldSelector) -> str:
    """Give the label that names a field in words: before it, or at the beginning of its text."""
    said = selector.value if selector.kind in ("label", "beside") else selector.prefix.rstrip()
    is_label = selector.kind in ("label", "beside") or said.endswith(":")
    label = said.rpartition(UNDER)[2].rstrip(": ") if is_label else ""
    return label if any(map(str.isalpha, label)) else ""


def _is_alone(cell: HtmlElement) -> bool:
    parent = cell.getparent()
    return parent is not None and len(parent) == 1
