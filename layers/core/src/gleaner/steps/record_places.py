"""Where records stand in a page's Markdown, found by what their containers say: letter by letter, in their order."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate

from gleaner.units import PlacedUnit, primary_units

Span = tuple[int, int]

_SIGNS = re.compile(r"[^\w\n]*(?=\n|$)")

_RUN = re.compile(r"[^\W_]+")
_UNSAID = re.compile(r"!\[[^\]]*\]\([^()\s]*(?:\s\"[^\"]*\")?\)|(?<=\])\([^()\s]*\)")
"""Images and link targets: Markdown has letters there that no text of the page has."""


def letters(text: str) -> str:
    """Give the letters and digits of a text.

    >>> letters("Ada *Roe*, 3 May")
    'AdaRoe3May'
    """
    return "".join(_RUN.findall(text))


def places_of(texts: Sequence[str], markdown: str) -> list[Span] | None:
    """Give where each text stands, one after the other; None when one does not.

    >>> places_of(["Oak 3", "Elm"], "- **Oak** [3](/oak)\\n- Elm")
    [(0, 12), (20, 25)]
    """
    unsaid = [match.span() for match in _UNSAID.finditer(markdown)]
    starts: list[int] = []
    runs: list[str] = []
    ends = [end for _, end in unsaid]
    for match in _RUN.finditer(markdown):
        at = bisect_left(ends, match.end())
        if at == len(unsaid) or match.start() < unsaid[at][0]:
            starts.append(match.start())
            runs.append(match[0])
    said = "".join(runs)
    borders = [0, *accumulate(map(len, runs))]
    places: list[Span] = []
    after = 0
    for text in map(letters, texts):
        at = _find_whole(text, said, after, borders)
        if at is None:
            return None
        after = at + len(text)
        last = bisect_left(borders, after) - 1
        places.append((starts[bisect_left(borders, at)], starts[last] + len(runs[last])))
    return [_with_marks(place, markdown) for place in places]


def _with_marks(place: Span, markdown: str) -> Span:
    """Give the place with the signs before and after it in its lines: bullets, pipes, emphasis."""
    start, end = place
    line = markdown.rfind("\n", 0, start) + 1
    before = markdown[line:start]
    after = _SIGNS.match(markdown, end)
    return line if not _RUN.search(before) else start, after.end() if after else end


def _find_whole(text: str, said: str, start: int, borders: Sequence[int]) -> int | None:
    """Give where a text stands that begins and ends where words do."""
    at = said.find(text, start) if text else -1
    while at >= 0 and not all(borders[bisect_left(borders, edge)] == edge for edge in (at, at + len(text))):
        at = said.find(text, at + 1)
    return None if at < 0 else at


def units_within(places: Sequence[Span], units: Sequence[PlacedUnit]) -> list[int]:
    """Give the positions of the page's main units that lie in one of the places, and of others that are one of them."""
    primary = {id(unit) for unit in primary_units(units)}
    starts = [start for start, _ in places]
    whole = set(places)
    found: list[int] = []
    for number, unit in enumerate(units):
        at = bisect_right(starts, unit.start) - 1
        is_inside = at >= 0 and unit.end <= places[at][1] and id(unit) in primary
        if is_inside or (unit.start, unit.end) in whole:
            found.append(number)
    return found
