"""The text of a page with its proofs marked, as HTML in which each mark leads to its value."""

import heapq
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from html import escape
from itertools import pairwise


@dataclass(frozen=True, slots=True)
class Mark:
    """A place of the text, ``text[start:end]``: what it is for, the id of what it leads to, and its title."""

    start: int
    end: int
    kind: str
    target: str
    title: str = ""


def marked_text(text: str, marks: Iterable[Mark]) -> tuple[str, Mapping[tuple[int, int], str]]:
    """Give the text as escaped HTML, and the id of each place, by its begin and end.

    Where marks overlap, the one that begins last is shown. Linear in the text, and in the marks but for sorting them.

    >>> html, places = marked_text("1 < 2", [Mark(4, 5, "verbatim", "v0")])
    >>> html
    '1 &lt; <i id="p0"></i><a class="verbatim" href="#v0" title="">2</a>'
    >>> places
    {(4, 5): 'p0'}
    """
    placed: dict[tuple[int, int], Mark] = {}
    for mark in marks:
        if 0 <= mark.start < mark.end <= len(text):
            placed.setdefault((mark.start, mark.end), mark)
    ordered = sorted(placed.values(), key=lambda mark: (mark.start, -mark.end))
    ids = {(mark.start, mark.end): f"p{at}" for at, mark in enumerate(ordered)}
    return "".join(_pieces(text, ordered, ids)), ids


def _pieces(text: str, marks: list[Mark], ids: Mapping[tuple[int, int], str]) -> Iterator[str]:
    edges = sorted({0, len(text), *(mark.start for mark in marks), *(mark.end for mark in marks)})
    open_marks: list[tuple[int, int, int]] = []
    following = 0
    for start, end in pairwise(edges):
        while following < len(marks) and marks[following].start <= start:
            mark = marks[following]
            yield f'<i id="{ids[mark.start, mark.end]}"></i>'
            heapq.heappush(open_marks, (-mark.start, mark.end, following))
            following += 1
        while open_marks and open_marks[0][1] <= start:
            heapq.heappop(open_marks)
        piece = shown(text[start:end])
        if not open_marks:
            yield piece
            continue
        mark = marks[open_marks[0][2]]
        yield f'<a class="{mark.kind}" href="#{mark.target}" title="{shown(mark.title)}">{piece}</a>'


def shown(text: str) -> str:
    """Give a text as it may stand in HTML, in an attribute too: without markup, control characters and surrogates.

    >>> shown('<b title="x">\\x00&')
    '&lt;b title=&quot;x&quot;&gt;\\ufffd&amp;'
    """
    return escape(text.translate(_CONTROLS).encode("utf-8", "replace").decode())


_CONTROLS = dict.fromkeys((*range(9), 11, *range(14, 32), 127), "\ufffd")
