"""RDFa Lite: elements with ``typeof`` and ``property``."""

from typing import Any

from lxml.html import HtmlElement

from gleaner.page.data.properties import MOST_DEPTH, Node, add_value, last_part, own_elements, value_of


def read_rdfa(root: HtmlElement, url: str) -> list[Node]:
    """Give the top objects of RDFa Lite: typeof, property, resource, content."""
    return [
        _rdfa(each, url, 0)
        for each in root.iter()
        if each.get("typeof") is not None and not (each.get("property") and _inside_rdfa(each))
    ]


def _inside_rdfa(element: HtmlElement) -> bool:
    return any(each.get("typeof") is not None for each in element.iterancestors())


def _rdfa(element: HtmlElement, url: str, depth: int) -> dict[str, Any]:
    node: dict[str, Any] = {"@type": [last_part(each) for each in (element.get("typeof") or "").split()]}
    for each in own_elements(element, "property", "typeof"):
        is_object = each.get("typeof") is not None and depth < MOST_DEPTH
        value = _rdfa(each, url, depth + 1) if is_object else value_of(each, url)
        for name in (each.get("property") or "").split():
            add_value(node, last_part(name), value)
    return node
