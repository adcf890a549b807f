"""The elements of a page by their numbers: what was found on one reading of a page is found again on another. Pure."""

from collections.abc import Sequence
from typing import TypeAlias

from lxml import etree
from lxml.html import HtmlElement

Region: TypeAlias = tuple[int, int]
"""A part of a page: the number of its first element, and that of the element where it ends."""


class ElementNumbers:
    """The elements of a page in document order, as the parser gave them: made before anything is cleaned."""

    def __init__(self, root: HtmlElement) -> None:
        elements = [*root.iter(etree.Element)]
        self._starts = {element: at for at, element in enumerate(elements)}
        self._ends = [*range(1, len(elements) + 1)]
        for at in range(len(elements) - 1, 0, -1):
            if (parent := elements[at].getparent()) is not None:
                up = self._starts[parent]
                self._ends[up] = max(self._ends[up], self._ends[at])

    def region(self, run: Sequence[HtmlElement]) -> Region | None:
        """Give the part of the page that a run of siblings takes up; None for elements that the parser did not give."""
        first, last = self._starts.get(run[0]), self._starts.get(run[-1])
        return None if first is None or last is None else (first, self._ends[last])
