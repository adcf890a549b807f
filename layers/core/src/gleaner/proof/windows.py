"""Places of records on a page without rows and items: stretches from one record's own value to the next one's."""

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence

from gleaner.proof.leaves import Leaf
from gleaner.proof.regions import Span
from gleaner.proof.text_index import TextIndex, within

_BLOCK = re.compile(r"(?:\A|\n[ \t]*\n)\s*(?=\S)")
_MOST_BLOCKS_BEFORE = 4
_LEAST_ANCHOR = 4
_LEAST_ANCHORED = 0.8
_LEAST_INSIDE = 0.75
_SAMPLE = 400

Field = tuple[str, ...]


def find_windows(records: Mapping[int, Sequence[Leaf]], index: TextIndex, count: int) -> list[Span | None] | None:
    """Give a stretch of text for each of ``count`` records; None when the records do not follow one another.

    A record is held by its anchor: the text of one field, the same for all, that stands on the page once. Anchors that
    do not rise with the records are left out; those records are held by another field, as many blocks from the first
    as in the other records, or not at all. A stretch starts at the block of the anchor, or so many blocks before it
    as puts most values into their own stretches.
    """
    blocks = [match.end() for match in _BLOCK.finditer(index.text)]
    starts = _start_blocks(records, index, blocks)
    if len(starts) < 2 or len(starts) < _LEAST_ANCHORED * count:
        return None
    best: list[Span | None] = []
    most = -1.0
    for before in range(_MOST_BLOCKS_BEFORE + 1):
        windows = _tile({number: block - before for number, block in starts.items()}, blocks, len(index.text), count)
        share = _share_inside(records, windows, index)
        if share > most:
            best, most = windows, share
    return best if most >= _LEAST_INSIDE else None


def _start_blocks(records: Mapping[int, Sequence[Leaf]], index: TextIndex, blocks: Sequence[int]) -> dict[int, int]:
    """Give the block of each record's anchor; for a record held by another field, where its anchor should be."""
    unique = {number: _unique_blocks(own, index, blocks) for number, own in records.items()}
    fields = Counter(field for found in unique.values() for field in found)
    if not fields:
        return {}
    anchor = max(fields, key=lambda field: fields[field])
    starts = _rising({number: found[anchor] for number, found in unique.items() if anchor in found})
    distance = {
        field: Counter(unique[number][field] - start for number, start in starts.items() if field in unique[number])
        for field in fields
    }
    for number in sorted(set(unique) - set(starts)):
        known = sorted(starts)
        place = bisect_left(known, number)
        low = starts[known[place - 1]] if place else -1
        high = starts[known[place]] if place < len(known) else len(blocks)
        guesses = (
            unique[number][f] - distance[f].most_common(1)[0][0] for f in unique[number] if distance[f] and f != anchor
        )
        guess = next((guess for guess in guesses if low < guess < high), None)
        if guess is not None:
            starts[number] = guess
    return dict(sorted(starts.items()))


def _unique_blocks(leaves: Sequence[Leaf], index: TextIndex, blocks: Sequence[int]) -> dict[Field, int]:
    """Give, for each text field whose value the page states once, the number of its block."""
    return {
        leaf.field: bisect_right(blocks, found[0].start) - 1
        for leaf in leaves
        if isinstance(leaf.value, str)
        and len(leaf.value) >= _LEAST_ANCHOR
        and len(found := index.find(leaf.value)) == 1
    }


def _rising(anchors: Mapping[int, int]) -> dict[int, int]:
    """Give the longest run of anchors, not gapless, whose places rise with the records' numbers."""
    tails: list[int] = []
    last: list[int] = []
    previous: dict[int, int | None] = {}
    for number in sorted(anchors):
        place = bisect_left(tails, anchors[number])
        previous[number] = last[place - 1] if place else None
        tails[place : place + 1] = [anchors[number]]
        last[place : place + 1] = [number]
    chosen: dict[int, int] = {}
    current: int | None = last[-1] if last else None
    while current is not None:
        chosen[current] = anchors[current]
        current = previous[current]
    return dict(sorted(chosen.items()))


def _tile(starts: Mapping[int, int], blocks: Sequence[int], length: int, count: int) -> list[Span | None]:
    """Give the windows that start at these blocks, each up to the next one."""
    places = [blocks[block] if block >= 0 else 0 for block in starts.values()]
    windows: list[Span | None] = [None] * count
    for number, place, end in zip(starts, places, [*places[1:], length], strict=True):
        windows[number] = (place, end)
    return windows


def _share_inside(records: Mapping[int, Sequence[Leaf]], windows: Sequence[Span | None], index: TextIndex) -> float:
    """Give the share of the stated values of a sample that stand in their own record's window."""
    inside = total = 0
    for number, own in list(records.items())[:_SAMPLE]:
        window = windows[number]
        for leaf in own if window is not None else ():
            found = index.find(leaf.value)
            total += bool(found)
            inside += bool(window is not None and within(found, window))
    return inside / max(1, total)
