"""Which units of a page a replayed answer accounts for, by the elements of the DOM that its records stand in."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256

from gleaner.completeness.ledger import spare_units
from gleaner.contracts.ports import JsonValue
from gleaner.extraction import ChunkExtractionResult
from gleaner.extraction.record_pieces import pieces_of
from gleaner.page.model import NodeRange, Part
from gleaner.placing import align_records
from gleaner.tiers.work import Work
from gleaner.units import SPARE_SCORE, PlacedUnit, primary_units
from gleaner.wrappers import Replay

Span = tuple[int, int]

_AGAIN = 2
"""A container that can't hold two records may have so many times the units that one had on the page learned from."""

_LONGEST_ASIDE = 200
_WORD = re.compile(r"\w+")
_TARGET = re.compile(r"\]\([^()\s]*\)")


@dataclass(frozen=True, slots=True)
class UnitAccount:
    """The units in each record's part of the page, and those around it, by position; and those apart from all records.

    Of those in a record the first one is the record's own. ``spans`` are the records' places in the Markdown.
    """

    inside: list[list[int]]
    around: list[list[int]]
    outside: list[int]
    spans: list[Span | None]

    @property
    def most(self) -> int:
        """How many units one record has at most."""
        return max(map(len, self.inside), default=0)

    @property
    def answered(self) -> list[int]:
        """The units that are records, or hold some."""
        pairs = zip(self.inside, self.around, strict=True)
        return sorted({number for own, holders in pairs for number in (*own[:1], *holders)})


def account_of(work: Work, replayed: Replay) -> UnitAccount | None:
    """Give the account of the page's main units, and of all groups with a unit that is a record; None in doubt.

    A record without any unit may be an advertisement, unless it says nothing but its values: an author without books.
    None also where records have no elements of the page, as those that only line breaks part.
    """
    regions = [one for one in replayed.regions if one is not None]
    if not regions or len(regions) < len(replayed.records):
        return None
    units = work.content.whole_units
    main = {id(unit) for unit in primary_units(units)}
    chosen = {at for at, unit in enumerate(units) if (id(unit) in main if main else unit.group == 0)}
    places = {*regions}
    alike = {unit.group for unit in units if unit.region in places and unit.group_score > SPARE_SCORE}
    chosen.update(at for at, unit in enumerate(units) if unit.group in alike)
    account = _account(regions, units, chosen)
    pairs = enumerate(zip(account.inside, account.around, strict=True))
    homeless = [at for at, (own, holders) in pairs if not own and not holders]
    is_sure = len(homeless) < len(regions) and all(
        _says_all(replayed.records[at], replayed.boxes[at].whole_text) for at in homeless
    )
    return account if is_sure else None


def _account(regions: Sequence[NodeRange], units: Sequence[PlacedUnit], chosen: Collection[int]) -> UnitAccount:
    starts = [start for start, _ in regions]
    inside: list[list[int]] = [[] for _ in regions]
    around: list[list[int]] = [[] for _ in regions]
    parts: list[list[PlacedUnit]] = [[] for _ in regions]
    outside: list[int] = []
    for number, unit in enumerate(units):
        if unit.region is None:
            continue
        start, end = unit.region
        home, last = bisect_right(starts, start) - 1, bisect_left(starts, end)
        is_inside = home >= 0 and (end <= regions[home][1] or _reaches_over(unit.region, regions, home))
        if is_inside:
            parts[home].append(unit)
        if number not in chosen:
            continue
        if is_inside:
            inside[home].insert(0 if unit.region == regions[home] else len(inside[home]), number)
        elif held := [at for at in range(max(0, home), last) if start <= starts[at] and regions[at][1] <= end]:
            for at in held:
                around[at].append(number)
        else:
            outside.append(number)
    spans = [
        _span(region, parts[at], [units[number] for number in around[at]] if not inside[at] else [])
        for at, region in enumerate(regions)
    ]
    return UnitAccount(inside, around, outside, spans)


def _reaches_over(unit: NodeRange, regions: Sequence[NodeRange], home: int) -> bool:
    """Tell whether most of a unit is a record's, and the rest the next one's: runs may be parted at another heading."""
    after = regions[home + 1] if home + 1 < len(regions) else (-1, -1)
    middle = (unit[0] + unit[1]) // 2
    return regions[home][1] == after[0] and middle < regions[home][1] and unit[1] <= after[1]


def _span(region: NodeRange, parts: Sequence[PlacedUnit], holders: Sequence[PlacedUnit]) -> Span | None:
    """Give where a record stands: its own unit's place, or from the first of its units to the last one's end."""
    own = [unit for unit in parts if unit.region == region] or parts or holders[-1:]
    return (min(unit.start for unit in own), max(unit.end for unit in own)) if own else None


def outcomes(work: Work, replayed: Replay) -> Iterator[ChunkExtractionResult]:
    """Give the ways to account for the page's units, one after the other, as long as they are asked for.

    No record may have more units than it has objects, or than one had where the recipe was learned: a record could hide
    there. On a page that has units each record must have one; on others there is nothing to count.
    """
    account = account_of(work, replayed)
    known = replayed.units * (_AGAIN if replayed.names_each_once else 1)
    if account is not None and all(
        len(own) <= max(1, known, _objects_in(record))
        for own, record in zip(account.inside, replayed.records, strict=True)
    ):
        yield ChunkExtractionResult(
            data=replayed.data,
            record_spans=[*account.spans],
            answered=account.answered,
            skipped=_skipped(work, replayed, account),
        )
    by_text = _by_text(work, replayed) if work.records_at is not None else None
    if by_text is not None and len(by_text.answered) == len(replayed.records):
        yield by_text
    if by_text is None or not primary_units(work.content.whole_units):
        yield ChunkExtractionResult(data=replayed.data)


def _skipped(work: Work, replayed: Replay, account: UnitAccount) -> list[int]:
    """Give the units that are known to hold no record of their own: more of a record's own, and what is passed over."""
    units = work.content.whole_units
    groups = {units[number].group for number in account.answered}
    more = {number for own in account.inside for number in own[1:] if units[number].group in groups}
    passed = sorted(one.region for one in replayed.interludes if one.region is not None)
    starts = [start for start, _ in passed]
    for number in account.outside:
        region = units[number].region or (0, 0)
        at = bisect_right(starts, region[0]) - 1
        if (at >= 0 and region[1] <= passed[at][1]) or aside_of(letters_of(work, number)) in replayed.asides:
            more.add(number)
    return sorted(more - {*account.answered})


def _by_text(work: Work, replayed: Replay) -> ChunkExtractionResult:
    """Account for records by what units state: the main ones, or else the pieces that most of the records come from."""
    path, placed = work.records_at, work.content.placed_units
    if path is None:
        return ChunkExtractionResult(data=replayed.data)
    records = list(replayed.records)
    main = {id(unit) for unit in primary_units(work.content.whole_units)}
    numbers = [number for number, unit in enumerate(placed) if id(unit) in main]
    if not numbers:
        task = Part(content=work.markdown, spare=spare_units(placed))
        numbers = [unit.number for unit in pieces_of(task, path, records)]
    spans = [(placed[number].start, placed[number].end) for number in numbers]
    homes = align_records(records, work.markdown, spans, schema=path.item_schema)
    return ChunkExtractionResult(
        data=replayed.data,
        record_spans=[None if at is None else spans[at] for at in homes],
        answered=sorted({numbers[at] for at in homes if at is not None}),
    )


def letters_of(work: Work, number: int) -> str:
    """Give the letters and digits of a unit, without the targets of its links."""
    unit = work.content.placed_units[number]
    return "".join(_WORD.findall(_TARGET.sub("]", work.markdown[unit.start : unit.end])))


def aside_of(letters: str) -> str:
    """Give what a piece of a page is known again by: its letters, or what they are hashed to where they are many.

    >>> aside_of("Imprint"), aside_of("Imprint" * 40) == aside_of("imprint" * 40), len(aside_of("Imprint" * 40))
    ('Imprint', False, 33)
    """
    return letters if len(letters) <= _LONGEST_ASIDE else f"#{sha256(letters.encode()).hexdigest()[:32]}"


def _says_all(record: JsonValue, text: str) -> bool:
    """Tell whether a record without objects inside is all that its element says."""
    letters = "".join(_WORD.findall(text))
    values = record.values() if isinstance(record, dict) else ()
    for said in sorted(("".join(_WORD.findall(one)) for one in values if isinstance(one, str)), key=len, reverse=True):
        letters = letters.replace(said, "", 1)
    return _objects_in(record) == 1 and not letters


def _objects_in(value: JsonValue) -> int:
    parts = value if isinstance(value, list) else list(value.values()) if isinstance(value, dict) else []
    return isinstance(value, dict) + sum(_objects_in(part) for part in parts)
