"""JSON-LD: scripts whose JSON says what a page is about."""

import html
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from lxml.html import HtmlElement

from gleaner.html.dom import raw_text
from gleaner.html.typed.embedded_json import read_json
from gleaner.page.data.properties import MOST_DEPTH, Node


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
    if depth > MOST_DEPTH:
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
    if isinstance(value, list) and depth < MOST_DEPTH:
        return [_filled(each, by_id, depth + 1) for each in value]
    return value
