"""What a piece of a page says and shows: its text, and the targets of its links and images."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from gleaner.html.link_targets import LinkResolver
from gleaner.page.model import READ, Nodes

_MARK = re.compile(r"(?:\[(?:\d{1,3}|[a-z]|note \d{1,3})\]\s*)+", re.IGNORECASE)
_CONTROLS = ("input", "select", "textarea")
_VOICED = (" ✓ ", " ✗ ")
"""What opening a page writes in the place of an icon."""

_NOWHERE = ("#", "javascript:", "data:", "mailto:", "tel:")


@dataclass(frozen=True, slots=True)
class Content:
    """A text, and the absolute addresses of links and images, each once.

    ``is_marked``: something is shown that is no text, such as a picture, a control or a sign that stands for one.
    ``pieces``: how many texts that tags part make up the text.
    """

    text: str
    links: tuple[str, ...] = ()
    images: tuple[str, ...] = ()
    is_marked: bool = False
    pieces: int = 1


def read_content(nodes: Nodes, node: int, base: str) -> Content:
    """Give what a node says and shows; the mark of a footnote is no part of its text."""
    inside = [one for one in range(node + 1, nodes.ends[node]) if nodes.layers[one] in READ]
    if not inside:
        return Content(nodes.said(node))
    text = nodes.said(node)
    for one in inside:
        if nodes.tags[one] == "sup" and _is_of_footnote(nodes, one):
            text = " ".join(text.replace(nodes.said(one), "", 1).split())
    images = _targets(nodes, inside, base, "img", "src")
    is_sign = not any(map(str.isalnum, text)) and any(nodes.texts[one] in _VOICED for one in inside)
    is_marked = bool(images) or is_sign or any(nodes.tags[one] in ("svg", *_CONTROLS) for one in inside)
    pieces = [nodes.texts[node], *(text for one in inside for text in (nodes.texts[one], nodes.tails[one]))]
    return Content(
        text, _targets(nodes, inside, base, "a", "href"), images, is_marked, sum(1 for one in pieces if one.strip())
    )


def _is_of_footnote(nodes: Nodes, raised: int) -> bool:
    """Tell whether a raised text is the mark of a footnote: a link into the page, or a figure in brackets."""
    links = (one for one in range(raised + 1, nodes.ends[raised]) if nodes.tags[one] == "a")
    is_mark = _MARK.fullmatch(nodes.said(raised).strip()) is not None
    return is_mark or any((nodes.get(one, "href") or "").startswith("#") for one in links)


def _targets(nodes: Nodes, inside: list[int], base: str, tag: str, name: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_resolved(nodes, (one for one in inside if nodes.tags[one] == tag), base, name)))


def _resolved(nodes: Nodes, some: Iterator[int], base: str, name: str) -> Iterator[str]:
    """Give the addresses of elements in the form in which the Markdown has them."""
    resolver = _resolver(base)
    for one in some:
        target = (nodes.get(one, name) or "").strip()
        if target and not target.startswith(_NOWHERE) and (address := resolver.resolve(target)):
            yield address


@lru_cache(maxsize=8)
def _resolver(base: str) -> LinkResolver:
    return LinkResolver(base)
