"""Collect the nodes of a page: numbered before anything of it is changed, read when all is settled."""

from array import array
from collections.abc import Collection, Iterable, Mapping, Sequence
from sys import intern

from lxml import etree
from lxml.html import HtmlElement

from gleaner.page.model import Layer, Nodes

_SHARED = 24
"""Characters of a text up to which equal ones are kept once: most are nothing but white space."""


class Numbering:
    """The elements of a tree by their numbers in document order, and which element each stood in."""

    def __init__(self, root: HtmlElement) -> None:
        self.elements: list[HtmlElement] = [*root.iter(etree.Element)]
        self.number_of = {element: at for at, element in enumerate(self.elements)}
        self.tags = [intern(element.tag) for element in self.elements]
        number_of = self.number_of
        self.parents = array("i", (-1,))
        self.parents.extend(number_of[element.getparent()] for element in self.elements[1:])

    def numbers_in(self, root: HtmlElement) -> "array[int]":
        """Give the number of each element of a tree, in document order; -1 for those that were put in."""
        number_of = self.number_of.get
        return array("i", (number_of(element, -1) for element in root.iter(etree.Element)))

    def moved(self, elements: Iterable[HtmlElement]) -> None:
        """Note that elements stand in another one than before: the next one around that has a number."""
        for element in elements:
            above = element.getparent()
            while above is not None and above not in self.number_of:
                above = above.getparent()
            if above is not None:
                self.parents[self.number_of[element]] = self.number_of[above]

    def ends(self) -> "array[int]":
        """Give for each number the one behind its last descendant; elements move without passing one another."""
        ends = array("i", range(1, len(self.elements) + 1))
        for at in range(len(self.elements) - 1, 0, -1):
            up, end = self.parents[at], ends[at]
            ends[up] = max(ends[up], end)
        return ends


def collect(
    numbering: Numbering,
    kept: Iterable[int],
    *,
    unfolded: Iterable[HtmlElement],
    chrome: Iterable[HtmlElement],
    data: Iterable[HtmlElement],
) -> Nodes:
    """Give the nodes of a page, as yet without spans.

    ``kept`` are the numbers of the elements that are still in the tree; others are hidden, unless they are data. The
    outermost elements of the other layers are given.
    """
    elements = numbering.elements
    attributes, texts, tails = _attributes(elements), _Texts(), _Texts()
    for element in elements:
        texts.add(element.text)
        tails.add(element.tail)
    ends = numbering.ends()
    layers: list[Layer] = ["hidden"] * len(elements)
    tags = numbering.tags
    for number in kept:
        if number >= 0:
            layers[number] = "content"
            tags[number] = intern(elements[number].tag)
    for element in unfolded:
        _cover(layers, numbering, ends, element, "unfolded", over=("content",))
    for element in chrome:
        _cover(layers, numbering, ends, element, "chrome", over=("content", "unfolded"))
    for element in data:
        _cover(layers, numbering, ends, element, "data", over=("content", "unfolded", "chrome", "hidden"))
    nowhere = array("i", (-1,)) * len(elements)
    return Nodes(tags, attributes, numbering.parents, ends, texts.found, tails.found, layers, nowhere, nowhere)


def _cover(
    layers: list[Layer],
    numbering: Numbering,
    ends: Sequence[int],
    element: HtmlElement,
    layer: Layer,
    *,
    over: Collection[Layer],
) -> None:
    """Put an element and all inside of it in a layer, but for what is in one that goes before it."""
    first = numbering.number_of.get(element)
    if first is not None:
        layers[first : ends[first]] = [layer if one in over else one for one in layers[first : ends[first]]]


class _Texts:
    """Texts, "" for none; short ones that are equal are kept once."""

    def __init__(self) -> None:
        self.found: list[str] = []
        self._known: dict[str, str] = {}

    def add(self, text: str | None) -> None:
        if text and len(text) < _SHARED:
            text = self._known.setdefault(text, text)
        self.found.append(text or "")


def _attributes(elements: Iterable[HtmlElement]) -> list[Mapping[str, str] | None]:
    """Give the attributes of each element; equal ones once."""
    known: dict[tuple[tuple[str, str], ...], Mapping[str, str] | None] = {(): None}
    found: list[Mapping[str, str] | None] = []
    for element in elements:
        items = tuple(element.items())
        if items not in known:
            known[items] = {intern(name): value for name, value in items}
        found.append(known[items])
    return found
