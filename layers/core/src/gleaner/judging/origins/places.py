"""The place of each record on the page: given by the caller, or found among rows and items."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from gleaner.contracts.ports import JsonValue
from gleaner.judging.origins.regions import Span
from gleaner.placing import align_records, find_text_units, is_convincing
from gleaner.schemas.leaves import Leaf
from gleaner.values.texts.text_index import Match, TextIndex, within

_MOST_OUTSIDE_GIVEN = 0.5
_MOST_OUTSIDE_GUESSED = 0.3
_SHARED_BY = 2
_FEW = 16
"""Mentions of a value by which its place is looked for."""

_FAR = 1 << 62
_MORE = 2
"""So many values more another unit must state than the place that is given: see ``gleaner.placing``."""


@dataclass(frozen=True, slots=True)
class Places:
    """The place of each record by its index, None where unknown, and the places of all units."""

    own: tuple[Span | None, ...]
    units: tuple[Span, ...]


def settle_places(
    records: Sequence[JsonValue],
    leaves: Mapping[int, Sequence[Leaf]],
    index: TextIndex,
    spans: Sequence[Span | None] | None,
    units: Sequence[Span] | None,
) -> Places | None:
    """Give the places of the records; None when nothing reliable is known of them.

    Places are not believed when many values of single records stand outside of all units: then the units are only
    a part of each record (the bullets of a card). When records regularly go on in the unclaimed units behind or
    before their own (two rows a record), their places grow by these.
    """
    given = _given(leaves, index, spans, units) if spans and len(spans) == len(records) else None
    if given is not None:
        return _trusted(leaves, index, given, _MOST_OUTSIDE_GIVEN)
    if sum(isinstance(record, dict) for record in records) < max(2, len(records) / 2):
        return None
    for found in (units, find_text_units(index.text)):
        places = _aligned(records, index, found) if found else None
        if places is not None and (trusted := _trusted(leaves, index, places, _MOST_OUTSIDE_GUESSED)) is not None:
            return trusted
    return None


def _given(
    leaves: Mapping[int, Sequence[Leaf]], index: TextIndex, spans: Sequence[Span | None], units: Sequence[Span] | None
) -> Places | None:
    """Give the places as the caller knows them.

    Of records that share one, one of which a free unit states at least two values more stands in that unit.
    """
    uses = Counter(span for span in spans if span is not None)
    if not uses:
        return None
    own, places = list(spans), sorted({*uses, *(units or ())})
    for number, given in enumerate(spans) if len(places) > len(uses) else ():
        if given is None or uses[given] < 2:
            continue
        counts = Counter[Span]()
        for found in (index.find(leaf.value)[:_FEW] for leaf in leaves.get(number, ()) if leaf.is_open):
            counts.update({unit for one in found if (unit := unit_at(one, places)) is not None})
        best = max((unit for unit in counts if unit not in uses), key=lambda unit: counts[unit], default=None)
        if best is not None and counts[best] >= counts[given] + _MORE:
            own[number] = best
            uses[best] += 1
            uses[given] -= 1
    return Places(tuple(own), tuple(places))


def _aligned(records: Sequence[JsonValue], index: TextIndex, units: Sequence[Span]) -> Places | None:
    numbers = align_records(records, index, units)
    if not is_convincing(numbers):
        return None
    return Places(tuple(None if number is None else units[number] for number in numbers), tuple(sorted(units)))


def _trusted(leaves: Mapping[int, Sequence[Leaf]], index: TextIndex, places: Places, most: float) -> Places | None:
    return None if _share_outside(leaves, index, places) > most else _grown(leaves, index, places)


def _share_outside(leaves: Mapping[int, Sequence[Leaf]], index: TextIndex, places: Places) -> float:
    """Give the share of the values that belong to one record alone and stand outside of all units."""
    uses = Counter(leaf.key for own in leaves.values() for leaf in own)
    inside = outside = 0
    for leaf in (leaf for own in leaves.values() for leaf in own):
        matches = index.find(leaf.value)
        if not matches or uses[leaf.key] >= _SHARED_BY or isinstance(leaf.value, bool):
            continue
        if any(unit_at(match, places.units) for match in matches):
            inside += 1
        else:
            outside += 1
    return outside / max(1, inside + outside)


def unit_at(match: Match, units: Sequence[Span]) -> Span | None:
    """Give the one of some units, in order, that a mention stands in."""
    number = bisect_right(units, (match.start, _FAR)) - 1
    return units[number] if number >= 0 and match.start < units[number][1] else None


def _grown(leaves: Mapping[int, Sequence[Leaf]], index: TextIndex, places: Places) -> Places:
    """Join the unclaimed neighbours to the records' places, when most records have values there."""
    for extended in (_with_neighbours(places, are_before=False), _with_neighbours(places, are_before=True)):
        longer = [n for n, (old, new) in enumerate(zip(places.own, extended.own, strict=True)) if old != new]
        gained = sum(
            _gains(leaves.get(number, ()), index, places.own[number], extended.own[number]) for number in longer
        )
        if gained >= 2 and 2 * gained > len(longer) and 2 * len(longer) > len(places.own):
            return extended
    return places


def _gains(leaves: Sequence[Leaf], index: TextIndex, old: Span | None, new: Span | None) -> bool:
    return any(
        old is not None and new is not None and not within(matches, old) and bool(within(matches, new))
        for leaf in leaves
        if (matches := index.find(leaf.value))
    )


def _in_step(places: Places) -> tuple[Span | None, ...]:
    """Move a record that is one step out of a regular rhythm of units onto it.

    Of two rows a record, a wrong value can make the other row look like the better one.
    """
    number_of = {unit: number for number, unit in enumerate(places.units)}
    numbers = [number_of.get(span) if span is not None else None for span in places.own]
    steps = Counter(after - before for before, after in pairwise(numbers) if before is not None and after is not None)
    step = steps.most_common(1)[0][0] if steps else 1
    moved = list(places.own)
    for place in range(1, len(numbers) - 1):
        before, own, after = numbers[place - 1 : place + 2]
        if step > 1 and before is not None and own is not None and after == before + 2 * step and own != before + step:
            moved[place] = places.units[before + step]
    return tuple(moved)


def _with_neighbours(places: Places, *, are_before: bool) -> Places:
    """Join to the place of each record the units that no record claims, behind it or before it."""
    own = _in_step(places)
    claimed = {span for span in own if span is not None}
    joined: dict[Span, Span] = {}
    current: Span | None = None
    for unit in reversed(places.units) if are_before else places.units:
        current = unit if unit in claimed else current
        if current is not None:
            start, end = joined.get(current, current)
            joined[current] = (unit[0], end) if are_before else (start, max(end, unit[1]))
    return Places(tuple(None if span is None else joined.get(span, span) for span in own), places.units)
