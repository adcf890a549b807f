"""Data that a page embeds for machines: JSON-LD, microdata, RDFa, meta tags and the state of scripts, as JSON."""

import html
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import urljoin

from lxml.html import HtmlElement

from gleaner.html.dom import raw_text, visible_text
from gleaner.html.typed.embedded_json import MOST_CHARS, read_json

Node = Mapping[str, Any]

_MOST_NODES = 200_000
_MOST_READINGS = 20
"""How often an element of microdata is read on average, where items refer to others."""
_MOST_DEPTH = 40
_MOST_FAILURES = 20
_STATE = re.compile(
    r"(?:window|self|globalThis)(?:\.|\[['\"])(?P<name>[A-Za-z_$][\w$]*)(?:['\"]\])?\s*=\s*(?=[\[{])|^\s*(?=[\[{])"
)
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


def read_json_ld(scripts: Iterable[HtmlElement]) -> list[Node]:
    """Give the objects of all JSON-LD blocks, those of @graph one by one, references by @id filled in once."""
    found: list[Node] = []
    for script in scripts:
        if "ld+json" in (script.get("type") or "").lower():
            found += _top_nodes(_unescaped(read_json(raw_text(script))))
    by_id = {node["@id"]: node for node in found if isinstance(node.get("@id"), str) and len(node) > 1}
    return [_resolved(node, by_id) for node in found]


def _unescaped(data: Any, depth: int = 0) -> Any:
    """Give the data with its texts' character references read: many sites write their HTML's text into JSON-LD."""
    if isinstance(data, str):
        return html.unescape(data) if "&" in data else data
    if depth > _MOST_DEPTH:
        return data
    if isinstance(data, list):
        return [_unescaped(each, depth + 1) for each in data]
    if isinstance(data, dict):
        return {key: _unescaped(value, depth + 1) for key, value in data.items()}
    return data


def _top_nodes(data: Any) -> Iterator[Node]:
    for node in data if isinstance(data, list) else [data]:
        if isinstance(node, dict) and isinstance(node.get("@graph"), list):
            yield from (inner for inner in node["@graph"] if isinstance(inner, dict))
        elif isinstance(node, dict):
            yield node


def _resolved(node: Node, by_id: Mapping[str, Node]) -> Node:
    return {key: _filled(value, by_id) for key, value in node.items()}


def _filled(value: Any, by_id: Mapping[str, Node], depth: int = 0) -> Any:
    if isinstance(value, dict) and set(value) == {"@id"}:
        return by_id.get(value["@id"], value) if isinstance(value["@id"], str) else value
    if isinstance(value, list) and depth < _MOST_DEPTH:
        return [_filled(each, by_id, depth + 1) for each in value]
    return value


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
        node: dict[str, Any] = {"@type": [_last_part(each) for each in (element.get("itemtype") or "").split()]}
        names = (element.get("itemref") or "").split()
        for part in (element, *(self.ids[name] for name in names if name in self.ids)):
            for inner in _own(part, "itemprop", "itemscope", with_itself=part is not element):
                self.left -= 1
                if self.left < 0:
                    return {}
                is_item = inner.get("itemscope") is not None and depth < _MOST_DEPTH
                value = self.item(inner, depth + 1) if is_item else _value(inner, self.url)
                for name in (inner.get("itemprop") or "").split():
                    _add(node, _last_part(name), value)
        return node


def _own(element: HtmlElement, name: str, scope: str, *, with_itself: bool = False) -> Iterator[HtmlElement]:
    """Give the elements with the attribute ``name`` inside an element that belong to no inner object."""
    stack: list[HtmlElement] = [element] if with_itself else list(reversed(element))
    while stack:
        each = stack.pop()
        if each.get(name) is not None:
            yield each
        if each.get(scope) is None:
            stack.extend(reversed(each))


def _value(element: HtmlElement, url: str) -> str:
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


def _add(node: dict[str, Any], name: str, value: Any) -> None:
    if name not in node:
        node[name] = value
    elif isinstance(node[name], list):
        node[name].append(value)
    else:
        node[name] = [node[name], value]


def _last_part(name: str) -> str:
    return re.split(r"[/#:]", name.rstrip("/"))[-1]


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
    node: dict[str, Any] = {"@type": [_last_part(each) for each in (element.get("typeof") or "").split()]}
    for each in _own(element, "property", "typeof"):
        is_object = each.get("typeof") is not None and depth < _MOST_DEPTH
        value = _rdfa(each, url, depth + 1) if is_object else _value(each, url)
        for name in (each.get("property") or "").split():
            _add(node, _last_part(name), value)
    return node


_META = {
    "og:title": "title",
    "og:description": "description",
    "og:image": "image",
    "og:url": "url",
    "article:published_time": "datePublished",
    "article:modified_time": "dateModified",
    "product:price:amount": "price",
    "og:price:amount": "price",
    "product:price:currency": "priceCurrency",
    "og:price:currency": "priceCurrency",
    "product:brand": "brand",
    "product:availability": "availability",
    "book:isbn": "isbn",
    "book:author": "author",
}


def read_meta(root: HtmlElement) -> list[Node]:
    """Give what OpenGraph and meta tags say of the page, under schema.org's names: at most one object."""
    node: dict[str, Any] = {}
    for meta in root.iter("meta"):
        name = _META.get((meta.get("property") or meta.get("name") or "").strip().lower())
        content = (meta.get("content") or "").strip()
        if name and content and node.get(name) != content:
            _add(node, name, content)
    return [node] if node else []


def read_states(code: Iterable[HtmlElement]) -> Iterator[Any]:
    """Give the JSON that scripts carry for the page's own code: __NEXT_DATA__, window.X = {...}, application/json."""
    for script in code:
        if script.tag != "script":
            continue
        kind = (script.get("type") or "").lower()
        text = raw_text(script)
        if len(text) > MOST_CHARS or "ld+json" in kind or script.get("src"):
            continue
        if "json" in kind:
            yield read_json(text)
        elif kind in ("", "text/javascript", "module", "application/javascript"):
            yield from _assigned(text)


def _assigned(text: str) -> Iterator[Any]:
    decoder = json.JSONDecoder(strict=False)
    position, failures = 0, 0
    while failures < _MOST_FAILURES and (match := _STATE.search(text, position)) is not None:
        try:
            data, position = decoder.raw_decode(text, match.end())
        except (ValueError, RecursionError):
            position, failures = match.end() + 1, failures + 1
            continue
        if match["name"]:
            yield data


def walk(data: Any) -> Iterator[Any]:
    """Give every object and list inside some JSON, the outer ones first; bounded."""
    queue: list[tuple[Any, int]] = [(data, 0)]
    seen = 0
    while queue and seen < _MOST_NODES:
        value, depth = queue.pop(0) if len(queue) < 1_000 else queue.pop()
        seen += 1
        if not isinstance(value, dict | list):
            continue
        yield value
        inner: Iterable[Any] = value.values() if isinstance(value, dict) else value
        if depth < _MOST_DEPTH:
            queue.extend((each, depth + 1) for each in inner if isinstance(each, dict | list))


def types_of(node: Node) -> tuple[str, ...]:
    """Give the names of the node's types."""
    listed = node.get("@type")
    named = listed if isinstance(listed, list) else [listed]
    return tuple(_last_part(each) for each in named if isinstance(each, str) and each)
