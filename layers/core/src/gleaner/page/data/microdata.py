"""Microdata: elements with ``itemscope`` and ``itemprop`` (WHATWG HTML, section 5)."""

from collections.abc import Mapping
from typing import Any

from lxml.html import HtmlElement

from gleaner.page.data.properties import MOST_DEPTH, Node, add_value, last_part, own_elements, value_of

_MOST_READINGS = 20
"""How often an element is read on average, where items refer to others."""


def read_microdata(root: HtmlElement, url: str) -> list[Node]:
    """Give the top items of microdata (WHATWG HTML, section 5), with itemref; bounded, for items that go in circles."""
    count = sum(1 for each in root.iter() if each.get("itemprop") is not None)
    reader = _Microdata(url, {str(each.get("id")): each for each in root.iter() if each.get("id")}, count)
    tops = [each for each in root.iter() if each.get("itemscope") is not None and each.get("itemprop") is None]
    return [reader.item(each, 0) for each in tops]


class _Microdata:
    def __init__(self, url: str, ids: Mapping[str, HtmlElement], count: int) -> None:
        self.url = url
        self.ids = ids
        self.left = _MOST_READINGS * (len(ids) + count)

    def item(self, element: HtmlElement, depth: int) -> dict[str, Any]:
        """Give one item with all its properties."""
        node: dict[str, Any] = {"@type": [last_part(each) for each in (element.get("itemtype") or "").split()]}
        names = (element.get("itemref") or "").split()
        for part in (element, *(self.ids[name] for name in names if name in self.ids)):
            for inner in own_elements(part, "itemprop", "itemscope", with_itself=part is not element):
                self.left -= 1
                if self.left < 0:
                    return {}
                is_item = inner.get("itemscope") is not None and depth < MOST_DEPTH
                value = self.item(inner, depth + 1) if is_item else value_of(inner, self.url)
                for name in (inner.get("itemprop") or "").split():
                    add_value(node, last_part(name), value)
        return node
