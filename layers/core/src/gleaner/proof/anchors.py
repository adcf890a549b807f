"""Windows of text around records whose places are not known: from one record's rarest value to the next one's."""

from collections.abc import Mapping, Sequence

from gleaner.proof.leaves import Leaf, Steps
from gleaner.proof.text_index import TextIndex

Span = tuple[int, int]


def find_windows(leaves: Sequence[Leaf], index: TextIndex, root: Steps) -> Mapping[int, Span]:
    """Give the window of each record that has an anchor: a value that few places state, taken in page order."""
    anchors: dict[int, int] = {}
    turns: dict[object, int] = {}
    for number, own in _by_record(leaves, root).items():
        counted = [(len(found), -len(str(leaf.value)), leaf) for leaf in own if (found := index.find(leaf.value))]
        if counted:
            _, _, leaf = min(counted, key=lambda item: item[:2])
            found = index.find(leaf.value)
            key = (type(leaf.value), leaf.value)
            anchors[number] = found[min(turns.get(key, 0), len(found) - 1)].start
            turns[key] = turns.get(key, 0) + 1
    return _windows(anchors, len(index.text), _leads(leaves, index, root, anchors))


def _by_record(leaves: Sequence[Leaf], root: Steps) -> dict[int, list[Leaf]]:
    records: dict[int, list[Leaf]] = {}
    depth = len(root)
    for leaf in leaves:
        if len(leaf.steps) > depth and leaf.steps[:depth] == root and isinstance(leaf.steps[depth], int):
            records.setdefault(int(leaf.steps[depth]), []).append(leaf)
    return records


def _leads(leaves: Sequence[Leaf], index: TextIndex, root: Steps, anchors: Mapping[int, int]) -> int:
    """Give how far before its anchor a record starts: 0 when its other values follow the anchor."""
    before = after = 0
    ordered = sorted(anchors.values())
    if len(ordered) < 2:
        return 0
    gap = (ordered[-1] - ordered[0]) // (len(ordered) - 1)
    for number, own in list(_by_record(leaves, root).items())[:200]:
        anchor = anchors.get(number)
        if anchor is None:
            continue
        for leaf in own:
            starts = [match.start for match in index.find(leaf.value)[:200]]
            before += any(anchor - gap < start < anchor for start in starts)
            after += any(anchor < start < anchor + gap for start in starts)
    return gap // 2 if before > after else 0


def _windows(anchors: Mapping[int, int], length: int, lead: int) -> dict[int, Span]:
    ordered = sorted(set(anchors.values()))
    following = dict(zip(ordered, [*ordered[1:], length], strict=False))
    return {
        number: (max(0, start - lead), following[start] - (lead if following[start] < length else 0))
        for number, start in anchors.items()
    }
