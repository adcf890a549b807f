"""The state that scripts carry for the page's own code, as JSON."""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from lxml.html import HtmlElement

from gleaner.html.dom import raw_text
from gleaner.html.typed.embedded_json import MOST_CHARS, read_json
from gleaner.page.data.properties import MOST_DEPTH

_MOST_NODES = 200_000
_MOST_FAILURES = 20
_STATE = re.compile(
    r"(?:window|self|globalThis)(?:\.|\[['\"])(?P<name>[A-Za-z_$][\w$]*)(?:['\"]\])?\s*=\s*(?=[\[{])|^\s*(?=[\[{])"
)


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
        if depth < MOST_DEPTH:
            queue.extend((each, depth + 1) for each in inner if isinstance(each, dict | list))
