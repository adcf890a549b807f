"""Estimate where records without known places lie: from one record's rarest value to the next one's."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from gleaner.grounding.leaves import Leaf
from gleaner.grounding.regions import Span
from gleaner.grounding.text.text_index import TextIndex

_SAMPLE = 200


def find_anchors(records: Mapping[int, Sequence[Leaf]], index: TextIndex) -> Mapping[int, Span]:
    """Give the window of each record that has an anchor: a value that few places state, taken in page order."""
    anchors = anchor_places(records, index)
    return _windows(anchors, len(index.text), _lead(records, index, anchors))


def anchor_places(records: Mapping[int, Sequence[Leaf]], index: TextIndex) -> dict[int, int]:
    """Give where the rarest value of each record stands; equal ones in turn."""
    anchors: dict[int, int] = {}
    turns: dict[object, int] = {}
    for number, own in records.items():
        leaf = rarest_leaf(own, index)
        if leaf is not None:
            found = index.find(leaf.value)
            key = leaf.key
            anchors[number] = found[min(turns.get(key, 0), len(found) - 1)].start
            turns[key] = turns.get(key, 0) + 1
    return anchors


def rarest_leaf(leaves: Sequence[Leaf], index: TextIndex) -> Leaf | None:
    """Give the leaf that the fewest places of the text state, of equally rare ones the longest; None if none does."""
    stated = [leaf for leaf in leaves if index.find(leaf.value)]
    return min(stated, key=lambda leaf: (len(index.find(leaf.value)), -len(str(leaf.value))), default=None)


def _lead(records: Mapping[int, Sequence[Leaf]], index: TextIndex, anchors: Mapping[int, int]) -> int:
    """Give how far before its anchor a record starts: 0 when its other values follow the anchor."""
    ordered = sorted(set(anchors.values()))
    if len(ordered) < 2:
        return 0
    gap = (ordered[-1] - ordered[0]) // (len(ordered) - 1)
    before = after = 0
    for number in list(anchors)[:_SAMPLE]:
        anchor = anchors[number]
        for leaf in records[number]:
            starts = [match.start for match in index.find(leaf.value)[:_SAMPLE]]
            before += any(anchor - gap < start < anchor for start in starts)
            after += any(anchor < start < anchor + gap for start in starts)
    return gap // 2 if before > after else 0


def _windows(anchors: Mapping[int, int], length: int, lead: int) -> dict[int, Span]:
    ordered = sorted(set(anchors.values()))
    end_of = {start: following - lead for start, following in pairwise(ordered)}
    return {number: (max(0, start - lead), end_of.get(start, length)) for number, start in anchors.items()}
