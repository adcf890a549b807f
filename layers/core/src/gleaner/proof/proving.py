"""Prove a result: for each scalar leaf, the place of the text that states it."""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from typing import Any

from gleaner.alignment import align_records, find_text_units, is_convincing
from gleaner.models import ProvenanceEntry
from gleaner.ports import JsonValue
from gleaner.proof.anchors import find_windows
from gleaner.proof.leaves import CONTEXT, Leaf, Schema, SchemaViews, Steps, iterate_leaves, locate_records
from gleaner.proof.passages import find_passage
from gleaner.proof.regions import Regions, Span
from gleaner.proof.text_index import Match, TextIndex


def prove(
    data: JsonValue,
    text: str | TextIndex,
    *,
    schema: Schema | None = None,
    spans: Sequence[Span | None] | None = None,
    units: Sequence[Span] | None = None,
    chunk_starts: Sequence[int] | None = None,
    snapshot: str | None = None,
) -> tuple[ProvenanceEntry, ...]:
    """Give a provenance entry for each scalar leaf but nulls, in document order (PR-1).

    ``spans`` are the places of the records (by index; None where unknown), ``units`` the places of all units of
    the page, answered or not; without spans the rows and list items of the text are tried. A value that stands only
    in another unit than the record's own is ungrounded. ``chunk_starts`` are the rising offsets of the chunks.
    ``snapshot`` is the stored HTML, where attributes and embedded data may state what the Markdown does not.
    """
    index = text if isinstance(text, TextIndex) else TextIndex(text)
    prover = _Prover(data, index, SchemaViews(schema), spans=spans, units=units, snapshot=snapshot)
    return tuple(_entry(leaf, match, status, chunk_starts) for leaf, match, status in prover.prove())


_Proof = tuple[Leaf, Match | None, str]


class _Prover:
    def __init__(
        self,
        data: JsonValue,
        index: TextIndex,
        views: SchemaViews,
        *,
        spans: Sequence[Span | None] | None,
        units: Sequence[Span] | None,
        snapshot: str | None,
    ) -> None:
        self.data, self.index, self.views, self.snapshot = data, index, views, snapshot
        self.root, self.records = locate_records(data, len(spans) if spans is not None else None)
        self.spans = self._usable(spans)
        if self.spans is None:
            self.spans, units = self._guess(units)
        claimed = [span for span in self.spans or () if span is not None]
        self.regions = Regions(index.text, [*claimed, *(units or ())])
        self.taken: dict[tuple[Span | None, type, JsonValue], int] = {}

    def _usable(self, spans: Sequence[Span | None] | None) -> list[Span | None] | None:
        if spans is None or len(spans) != len(self.records) or not any(spans):
            return None
        return list(spans)

    def _guess(self, units: Sequence[Span] | None) -> tuple[list[Span | None] | None, Sequence[Span] | None]:
        if len(self.records) < 2:
            return None, None
        places = list(units) if units else find_text_units(self.index.text)
        numbers = align_records(self.records, self.index, places)
        if not is_convincing(numbers):
            return None, None
        return [None if number is None else places[number] for number in numbers], places

    def prove(self) -> list[_Proof]:
        leaves = list(iterate_leaves(self.data, self.views))
        leaves = [leaf for leaf in leaves if leaf.value is not None]
        windows = {} if self.spans else find_windows(leaves, self.index, self.root)
        return [self._prove(leaf, windows) for leaf in leaves]

    def _prove(self, leaf: Leaf, windows: Mapping[int, Span]) -> _Proof:
        if leaf.is_derived:
            return leaf, None, "inferred"
        number = record_number(leaf.steps, self.root)
        if self.spans is not None and number is not None:
            match = self._in_own_place(leaf, self.spans[number])
        else:
            match = self._anywhere(leaf, windows.get(number) if number is not None else None)
        if match is not None:
            return leaf, match, match.status
        return leaf, None, "inferred" if isinstance(leaf.value, bool) or leaf.choices else "ungrounded"

    def _in_own_place(self, leaf: Leaf, own: Span | None) -> Match | None:
        matches = self.index.find(leaf.value)
        if own is not None:
            inside = within(matches, own)
            if inside:
                return self._next(leaf, own, inside)
            passage = find_passage(self.index, leaf.value, own) if isinstance(leaf.value, str) else None
            if passage:
                return passage
        shared = [match for match in matches if self.regions.is_shared(match, own, is_text=isinstance(leaf.value, str))]
        if not shared:
            return None
        place = bisect_right(shared, own[0], key=_start) - 1 if own else 0
        return as_context(shared[max(place, 0)])

    def _anywhere(self, leaf: Leaf, window: Span | None) -> Match | None:
        matches = [match for match in self.index.find(leaf.value) if window or not match.weak]
        inside = within(matches, window) if window else ()
        if inside:
            return self._next(leaf, window, inside)
        if matches and not matches[0].weak:
            return self._next(leaf, None, matches) if window is None else _nearest(matches, window)
        return find_passage(self.index, leaf.value, None) if isinstance(leaf.value, str) else None

    def _next(self, leaf: Leaf, region: Span | None, matches: Sequence[Match]) -> Match:
        """Take the mentions of equal values in turn: the k-th leaf gets the k-th, later ones the last."""
        key = (region, type(leaf.value), leaf.value)
        turn = self.taken.get(key, 0)
        self.taken[key] = turn + 1
        return matches[min(turn, len(matches) - 1)]


def record_number(steps: Steps, root: Steps) -> int | None:
    """Give the index of the record that a leaf belongs to; None outside of the records."""
    if len(steps) <= len(root) or steps[: len(root)] != root:
        return None
    step = steps[len(root)]
    return step if isinstance(step, int) else None


def within(matches: Sequence[Match], region: Span) -> Sequence[Match]:
    """Give the matches that start in a region."""
    return matches[bisect_left(matches, region[0], key=_start) : bisect_left(matches, region[1], key=_start)]


def as_context(match: Match) -> Match:
    """Give a match marked as shared by several records."""
    transform = f"{CONTEXT}+{match.transform}" if match.transform else CONTEXT
    return Match(match.start, match.end, match.status, transform)


def _nearest(matches: Sequence[Match], window: Span) -> Match:
    return min(matches, key=lambda match: abs(match.start - window[0]))


def _start(match: Match) -> int:
    return match.start


def _entry(leaf: Leaf, match: Match | None, status: Any, chunk_starts: Sequence[int] | None) -> ProvenanceEntry:
    if match is None:
        return ProvenanceEntry(
            pointer=leaf.pointer, status=status, value=leaf.value if status == "ungrounded" else None
        )
    chunk = max(bisect_right(chunk_starts, match.start) - 1, 0) if chunk_starts else None
    return ProvenanceEntry(
        pointer=leaf.pointer, status=status, chunk=chunk, start=match.start, end=match.end, transform=match.transform
    )
