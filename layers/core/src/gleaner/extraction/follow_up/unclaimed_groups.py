"""Pieces of a chunk that say the same kinds of things as those that gave records, though nobody numbered them. Pure.

A page may show its records in a table and a list, or in three lists of three looks. Whoever gives those of the first
may have passed over the others. Once one of them gives a record it is counted; one that gives none is named.
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from gleaner.completeness.certificate import calls_itself_an_ad, kinds_stated
from gleaner.completeness.ledger import NumberedUnit, spans_of, whole_pieces
from gleaner.extraction.follow_up.remarks import text_of
from gleaner.grounding.regions import related_sections
from gleaner.results.tasks import ChunkTask
from gleaner.units import SPARE_SCORE

Span = tuple[int, int]

_LEAST_KINDS = 2
_MOST_TIMES_AS_LONG = 3
_MOST = 500
_LEAST_HELD = 2
_NEARLY_ALL = 0.8


@dataclass(frozen=True, slots=True)
class Others:
    """``begun`` are pieces of groups of which one holds a record already; ``open`` those of lists that gave none."""

    begun: tuple[NumberedUnit, ...] = ()
    open: tuple[NumberedUnit, ...] = ()


def find_others(task: ChunkTask, taken: Sequence[Span], beside: Sequence[Span]) -> Others:
    """Give the spare pieces of a chunk that are like the places of the records, and hold none of them.

    All places count in the chunk. ``taken`` are the places of the records known, ``beside`` those among
    them that no numbered unit answers for. Pieces are alike when they state all kinds of things that most of the
    records' places state (money, years, numbers; at least two kinds), and are not much longer. Sections of related
    things and advertisements are left alone.
    """
    text = task.content
    given = [text[start:end] for start, end in taken]
    said = kinds_stated(given)[0]
    if len(said) < _LEAST_KINDS:
        return Others()
    longest = max(map(len, given)) * _MOST_TIMES_AS_LONG
    spare = whole_pieces(task.spare)
    shut = _Places([*taken, *related_sections(text)])
    alike = [
        unit
        for unit in spare
        if unit.end - unit.start <= longest
        and not shut.touch(unit.start - task.start_char, unit.end - task.start_char)
        and said <= kinds_stated([text_of(task, unit)])[1]
        and not calls_itself_an_ad(text_of(task, unit))
    ]
    if not alike:
        return Others()
    base = task.start_char
    holding = list(_holding(spare, [(start + base, end + base) for start, end in beside]))
    groups = {unit.group for unit in holding}
    begun = _apart([unit for unit in alike if unit.group in groups])
    if begun:
        chosen = {unit.group for unit in begun}
        return Others(begun=(*begun, *(unit for unit in holding if unit.group in chosen)))
    sizes = Counter(unit.group for unit in alike)
    return Others(open=tuple(_apart([unit for unit in alike if sizes[unit.group] > 1])))


def find_inner(
    task: ChunkTask, cores: Sequence[Sequence[Span]], giving: Sequence[NumberedUnit]
) -> tuple[NumberedUnit, ...]:
    """Give the spare pieces that hold the records more closely than the units do, if more such pieces hold none.

    All of them lie in units of the groups that gave records (``giving``).

    ``cores`` are the places of each record's values in its unit. A section with two records of which one was given
    looks answered; the pieces that hold the other records show that it holds one more. A piece that states a part of a
    known record, such as its title, is no other record.
    """
    base = task.start_char
    stated = _Places([place for core in cores for place in core])
    groups: dict[object, list[NumberedUnit]] = {}
    for unit in whole_pieces(task.spare):
        groups.setdefault("items" if unit.kind == "item" else unit.group, []).append(unit)
    least = max(_LEAST_HELD, len(cores) * _NEARLY_ALL)
    for pieces in groups.values():
        homes = _homes(spans_of(pieces, base), cores) if len(pieces) >= least else set[int]()
        if len(homes) < least or len(homes) == len(pieces):
            continue
        said = kinds_stated([text_of(task, pieces[at]) for at in homes])[0]
        alike = [
            unit
            for at, unit in enumerate(pieces)
            if at in homes or (not _touches(stated, unit, base) and said <= kinds_stated([text_of(task, unit)])[1])
        ]
        inside = _Places(spans_of(giving, base))
        is_more = len(alike) > max(len(homes), len(task.units))
        if len(said) >= _LEAST_KINDS and is_more and all(_touches(inside, unit, base) for unit in alike):
            return tuple(alike)
    return ()


def with_untouched(units: Iterable[NumberedUnit], chosen: Iterable[NumberedUnit]) -> tuple[NumberedUnit, ...]:
    """Give the pieces chosen in place of units, and the repeated elements among these that none touches, in order.

    A section of one line, among sections whose lines are the records, has no lines of its own and may hold a record.
    """
    taken = {unit.number: unit for unit in chosen}
    places = _Places((unit.start, unit.end) for unit in taken.values())
    kept = (unit for unit in units if unit.score > SPARE_SCORE and unit.number not in taken)
    apart = (unit for unit in kept if not places.touch(unit.start, unit.end))
    return tuple(sorted((*taken.values(), *apart), key=lambda unit: unit.number))


def _touches(places: "_Places", unit: NumberedUnit, base: int) -> bool:
    return places.touch(unit.start - base, unit.end - base)


def _homes(pieces: Sequence[Span], cores: Sequence[Sequence[Span]]) -> set[int]:
    """Give the pieces that hold two thirds of the places of one record each."""
    ordered = sorted(range(len(pieces)), key=lambda at: pieces[at])
    starts = [pieces[at][0] for at in ordered]
    homes: Counter[int] = Counter()
    for core in cores:
        held: Counter[int] = Counter()
        for start, end in core:
            at = bisect_right(starts, start) - 1
            if at >= 0 and end <= pieces[ordered[at]][1]:
                held[ordered[at]] += 1
        best, count = max(held.items(), key=lambda one: one[1], default=(-1, 0))
        if count >= _LEAST_HELD and count * 3 >= len(core) * 2:
            homes[best] += 1
    return {at for at, count in homes.items() if count == 1}


def _holding(spare: Iterable[NumberedUnit], beside: Sequence[Span]) -> Iterator[NumberedUnit]:
    """Give the pieces that hold exactly one of the places."""
    starts = sorted(beside)
    for unit in spare:
        at = bisect_left(starts, (unit.start, -1))
        inside = [place for place in starts[at : at + 2] if unit.start <= place[0] and place[1] <= unit.end]
        if len(inside) == 1:
            yield unit


def _apart(units: Sequence[NumberedUnit]) -> list[NumberedUnit]:
    """Give pieces that do not overlap: the likeliest first, of equally likely ones the shorter."""
    kept = _Places([])
    chosen: list[NumberedUnit] = []
    for unit in sorted(units, key=lambda unit: (-unit.score, unit.end - unit.start, unit.start)):
        if len(chosen) < _MOST and not kept.touch(unit.start, unit.end):
            kept.add((unit.start, unit.end))
            chosen.append(unit)
    return sorted(chosen, key=lambda unit: unit.start)


class _Places:
    """Places in a text, to be asked whether they touch another one."""

    def __init__(self, places: Iterable[Span]) -> None:
        self._places: list[Span] = []
        for start, end in sorted(places):
            if self._places and start <= self._places[-1][1]:
                self._places[-1] = (self._places[-1][0], max(end, self._places[-1][1]))
            else:
                self._places.append((start, end))

    def add(self, place: Span) -> None:
        self._places.insert(bisect_left(self._places, place), place)

    def touch(self, start: int, end: int) -> bool:
        at = bisect_left(self._places, (start, start))
        return any(first < end and start < last for first, last in self._places[max(0, at - 1) : at + 1])
