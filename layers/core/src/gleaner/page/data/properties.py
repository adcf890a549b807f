"""What microdata, RDFa and the rest share: objects of named properties, as JSON."""

import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urljoin

from lxml.html import HtmlElement

from gleaner.html.dom import visible_text

Node = Mapping[str, Any]
"""An object: its properties by their names without a vocabulary, its types under ``@type``."""

MOST_DEPTH = 40
"""Objects within objects that are read."""

_URL_ATTRIBUTES = {
    "a": "href",
    "area": "href",
    "link": "href",
    "img": "src",
    "audio": "src",
    "video": "src",
    "source": "src",
    "iframe": "src",
    "embed": "src",
    "object": "data",
}


def own_elements(element: HtmlElement, name: str, scope: str, *, with_itself: bool = False) -> Iterator[HtmlElement]:
    """Give the elements with the attribute ``name`` inside an element that belong to no inner object."""
    stack: list[HtmlElement] = [element] if with_itself else list(reversed(element))
    while stack:
        each = stack.pop()
        if each.get(name) is not None:
            yield each
        if each.get(scope) is None:
            stack.extend(reversed(each))


def value_of(element: HtmlElement, url: str) -> str:
    """Give what an element states as a property: its content, an absolute address, an instant, or its text."""
    tag = str(element.tag)
    content = element.get("content")
    if content is not None:
        return content
    if tag in _URL_ATTRIBUTES and element.get(_URL_ATTRIBUTES[tag]):
        return _absolute(element.get(_URL_ATTRIBUTES[tag]) or "", url)
    if tag == "time" and element.get("datetime"):
        return element.get("datetime") or ""
    if tag in ("data", "meter") and element.get("value"):
        return element.get("value") or ""
    return visible_text(element)


def _absolute(target: str, url: str) -> str:
    try:
        return urljoin(url, target.strip())
    except ValueError:
        return target


def add_value(node: dict[str, Any], name: str, value: Any) -> None:
    """Add a value to an object: several ones of a property make a list."""
    if name not in node:
        node[name] = value
    elif isinstance(node[name], list):
        node[name].append(value)
    else:
        node[name] = [node[name], value]


def last_part(name: str) -> str:
    """Give the name of a property or a type without its vocabulary.

    >>> last_part("https://schema.org/Product"), last_part("og:title")
    ('Product', 'title')
    """
    return re.split(r"[/#:]", name.rstrip("/"))[-1]


def types_of(node: Node) -> tuple[str, ...]:
    """Give the names of the node's types."""
    listed = node.get("@type")
    named = listed if isinstance(listed, list) else [listed]
    return tuple(last_part(each) for each in named if isinstance(each, str) and each)
