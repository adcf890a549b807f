"""Estimate the places of records on a page without rows and items, from each record's own values."""

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence

from gleaner.grounding.leaves import Leaf
from gleaner.grounding.regions import Span
from gleaner.grounding.text.text_index import TextIndex, within

_BLOCK = re.compile(r"(?:\A|\n[ \t]*\n)\s*(?=\S)")
_MOST_BLOCKS_BEFORE = 4
_LEAST_ANCHOR = 4
_LEAST_ANCHORED = 0.8
_LEAST_INSIDE = 0.75
_SAMPLE = 400

Field = tuple[str, ...]


def find_windows(records: Mapping[int, Sequence[Leaf]], index: TextIndex, count: int) -> list[Span | None] | None:
    """Give a stretch of text for each of ``count`` records; None when the records do not follow one another.

    Records are held by the values that the page states as often as records have them: the k-th by the k-th. Each
    tells where its record starts, as many blocks before it as is usual for its field; the majority of them decides.
    Records whose starts do not rise with the others stay without a stretch. All starts move up by so many blocks as
    puts most values into their own stretches.
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
    """Give the block at which each record starts, as most of its own values say, as far as these rise."""
    unique = _telling_blocks(records, index, blocks)
    fields = Counter(field for found in unique.values() for field in found)
    if not fields:
        return {}
    anchor = max(fields, key=lambda field: fields[field])
    starts = _rising({number: found[anchor] for number, found in unique.items() if anchor in found})
    distance = {
        field: Counter(unique[number][field] - start for number, start in starts.items() if field in unique[number])
        for field in fields
    }
    usual = {field: counts.most_common(1)[0][0] for field, counts in distance.items() if counts}
    ordered = list(starts.values())
    tolerance = (ordered[-1] - ordered[0]) // max(1, 2 * (len(ordered) - 1)) if ordered else 0
    elected = ((number, _elect(found, usual, anchor, tolerance)) for number, found in unique.items())
    return _rising({number: start for number, start in elected if start is not None})


def _elect(found: Mapping[Field, int], usual: Mapping[Field, int], anchor: Field, tolerance: int) -> int | None:
    """Give the start that most values of a record agree on, near enough; of equally many, the anchor's."""
    votes = [block - usual[field] for field, block in found.items() if field in usual]
    return max(
        dict.fromkeys(votes),
        key=lambda start: (sum(abs(start - vote) <= tolerance for vote in votes), start == found.get(anchor)),
        default=None,
    )


def _telling_blocks(
    records: Mapping[int, Sequence[Leaf]], index: TextIndex, blocks: Sequence[int]
) -> dict[int, dict[Field, int]]:
    """Give the block of each value that the page states once for each record that has it in this field."""
    telling = {number: [leaf for leaf in own if _is_telling(leaf)] for number, own in records.items()}
    uses = Counter(_key(leaf) for own in telling.values() for leaf in own)
    turns: Counter[object] = Counter()
    found: dict[int, dict[Field, int]] = {}
    for number, own in telling.items():
        found[number] = {}
        for leaf in own:
            matches = index.find(leaf.value)
            if len(matches) == uses[_key(leaf)]:
                found[number][leaf.field] = bisect_right(blocks, matches[turns[_key(leaf)]].start) - 1
                turns[_key(leaf)] += 1
    return found


def _is_telling(leaf: Leaf) -> bool:
    return len(str(leaf.value)) >= _LEAST_ANCHOR and not isinstance(leaf.value, bool)


def _key(leaf: Leaf) -> object:
    return leaf.field, *leaf.key


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
    places = [blocks[min(block, len(blocks) - 1)] if block >= 0 else 0 for block in starts.values()]
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
