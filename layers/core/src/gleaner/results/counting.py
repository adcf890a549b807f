"""Count a result: records against the page's units, cells and columns, and the items of their lists (CM-1, CM-2)."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Hashable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from gleaner.completeness.certificate import certify, place_unit
from gleaner.completeness.emptiness import may_hold_records, says_it_is_empty, why_not_empty
from gleaner.completeness.grids import cells_beside, open_cells
from gleaner.completeness.inner_lists import find_repeated, find_short_lists, find_unread
from gleaner.completeness.likeness import is_aside, kinds_stated
from gleaner.completeness.named_lists import unsaid_lists
from gleaner.completeness.named_nulls import find_empty, find_refused
from gleaner.completeness.query_restriction import restricts
from gleaner.completeness.stated_values import StatedValues
from gleaner.contracts.error_types import ErrorType
from gleaner.contracts.json_pointers import read_pointer
from gleaner.contracts.models import Completeness, MissingUnit, ProvenanceEntry
from gleaner.contracts.ports import JsonValue
from gleaner.judging.origins.regions import Stretches, line_at
from gleaner.judging.origins.side_by_side import SideBySide, find_columns
from gleaner.judging.surroundings import Surroundings
from gleaner.page.model import Page, PlacedUnit, Span
from gleaner.results.record_lists import find_records
from gleaner.results.tasks import ChunkExtractionResult
from gleaner.schemas import RecordPath
from gleaner.units import PRIMARY_SCORE, SPARE_SCORE
from gleaner.units.totals import StatedTotal, stated_total
from gleaner.values.texts.targets import hosts_of
from gleaner.values.texts.text_index import TextIndex

_LISTED = 3
"""Pieces of a listing that were read and passed over, from which a form for passwords beside them says nothing."""

_FEW = 0.2
"""Of so many units more than records it is told which are no record's own."""


@dataclass(frozen=True)
class Measure:
    """What the outcomes are measured against: the page, its units, and where its chunks begin.

    ``lost`` are the places that a chunk gave no record for, ``query`` is what was asked.
    """

    page: Page
    units: tuple[PlacedUnit, ...]
    chunk_starts: tuple[int, ...]
    lost: tuple[Span, ...] = ()
    query: str | None = None

    @property
    def markdown(self) -> str:
        """The page's text."""
        return self.page.text

    @property
    def index(self) -> TextIndex:
        """The page's text made ready for looking values up in it."""
        return self.page.once("index", lambda: index_page(self.page))

    @property
    def start(self) -> int:
        """Where reading began."""
        return self.chunk_starts[0] if self.chunk_starts else 0

    @property
    def first_unit(self) -> int:
        """The position of the first unit that a chunk was asked about."""
        return next((n for n, unit in enumerate(self.units) if unit.start >= self.start), len(self.units))

    def missing(self, places: Sequence[Span]) -> list[MissingUnit]:
        """Give places that are no units as some that lack a record."""
        units = (PlacedUnit(0, at, start, end, 0.0, "entry") for at, (start, end) in enumerate(places))
        return [place_unit(at, unit, self.markdown, self.chunk_starts) for at, unit in enumerate(units)]


def index_page(page: Page) -> TextIndex:
    """Make a page's text ready for looking values up in it."""
    return TextIndex(page.text, html=page.html, hosts=hosts_of(page.url, page.base), title=page.title)


@dataclass(frozen=True)
class Account:
    """What the count is made from: ``twins`` are equal records that the page shows and dedupe took out.

    ``places`` are those of the records: of units, or of the elements that a recipe found the records in. ``spans`` are
    the places of the records that are left, by their number in the data.
    """

    path: RecordPath | None
    answered: frozenset[int]
    skipped: frozenset[int]
    unanswered: frozenset[int]
    twins: int
    places: tuple[PlacedUnit, ...]
    spans: tuple[Span | None, ...]

    @classmethod
    def of(
        cls,
        ordered: Sequence[ChunkExtractionResult],
        measure: Measure,
        path: RecordPath | None,
        *,
        unproven: Collection[int],
        twins: int,
        spans: Sequence[Span | None],
    ) -> "Account":
        """Make the account of some outcomes; ``unproven`` is where the records begin that the proof threw out."""
        answered = {number for one in ordered for number in one.answered} | _homes_of_records(ordered, measure)
        answered -= {number for number in answered if measure.units[number].start in unproven}
        skipped = {number for one in ordered for number in one.skipped}
        in_vain = {unit.unit for one in ordered for unit in one.missing} - answered - skipped
        found = sorted({span for one in ordered for span in one.record_spans if span is not None})
        places = tuple(PlacedUnit(0, at, *span, 0.0, "entry") for at, span in enumerate(found))
        return cls(path, frozenset(answered), frozenset(skipped), frozenset(in_vain), twins, places, tuple(spans))

    @property
    def records_at(self) -> tuple[str, ...] | None:
        """The steps to the list of records."""
        return tuple(read_pointer(self.path.pointer)) if self.path else None

    def more(self, units: Sequence[PlacedUnit]) -> int:
        """Give how many elements with a record there are beyond the units that hold them."""
        known = {(place.start, place.end) for place in self.places}
        are_records = all((units[number].start, units[number].end) in known for number in self.answered)
        return 0 if are_records else max(0, len(self.places) - len(self.answered))

    def stated(self, markdown: str) -> StatedTotal | None:
        """Give the total that the page states outside of records; what follows the last one may belong to it."""
        return stated_total(markdown, self.places[:-1]) if self.path else None


def _homes_of_records(ordered: Sequence[ChunkExtractionResult], measure: Measure) -> set[int]:
    """Give the units, of groups that records came from, around records that a chunk kept without a unit."""
    giving = {measure.units[number].group for one in ordered for number in one.answered}
    starts = sorted((unit.start, number) for number, unit in enumerate(measure.units) if unit.group in giving)
    homes: set[int] = set()
    for start, end in (span for one in ordered for span in one.record_spans if span is not None):
        at = bisect_right(starts, (start, len(measure.units))) - 1
        if at >= 0 and end <= measure.units[starts[at][1]].end:
            homes.add(starts[at][1])
    return homes


@dataclass(frozen=True)
class Counted:
    """What the count found: ``losses`` are what the page shows and no record has, apart from units of the list.

    ``is_short`` tells that units are missing, or records of a stated total; ``why_empty`` why no records is no answer.
    ``outside`` are the pointers of the records that stand in no unit, where the others have one each.
    """

    completeness: Completeness
    is_short: bool = False
    warnings: tuple[str, ...] = ()
    losses: list[str] = field(default_factory=list[str])
    why_empty: tuple[ErrorType, str] | None = None
    outside: tuple[str, ...] = ()


def count_result(
    data: JsonValue, entries: Sequence[ProvenanceEntry], account: Account, measure: Measure, schema: Any
) -> Counted:
    """Count what was extracted against what the page shows. ``entries`` say where the values stand."""
    listing = find_records(data, account.path) if account.path else None
    records = listing.records if listing else []
    if records:
        account = replace(account, answered=account.answered - _of_others(account, entries, measure, len(records)))
    counted = _count_units(len(records) if account.path else int(data not in (None, {}, [])), account, measure)
    found = counted.completeness
    across = find_columns(measure.index, records) if records and "|" in measure.markdown else None
    if across and not (found.method != "unknown" and account.answered):
        counted = _with(counted, "columns", measure, *_columns(measure, across))
    cells: Sequence[Span] = ()
    if account.path and found.returned > len(account.answered):
        cells = open_cells(measure.markdown, _begins(entries, account.records_at or ()), found.returned)
    elif account.path and records and across is None and not restricts(measure.query, schema, measure.markdown):
        cells = cells_beside(measure.markdown, _begins(entries, account.records_at or ()), found.returned)
    if cells := [one for one in cells if not measure.page.is_copy(one)]:
        counted = _with(counted, "cells", measure, found.returned + len(cells), cells)
    where: Any = {"schema": schema, "records": account.records_at, "spans": account.spans}
    values = StatedValues(data, entries, **where)
    short = find_short_lists(values, measure.page, start=measure.start)
    known = counted.completeness
    outside = _outside(account, entries, measure) if known.method != "unknown" else ()
    has_more = known.expected is None or known.returned > known.expected
    if account.path and len(records) > 1 and has_more and not outside:
        inside = StatedValues(data, entries, schema=schema)  # several records in an item are a list inside it
        may_be_prose = known.expected is None
        short += find_short_lists(
            inside, measure.page, start=measure.start, only=account.records_at, in_prose=may_be_prose
        )
    said = {one.pointer for one in short}
    told = [one.describe() for one in short]
    told += find_repeated(values)
    told += unsaid_lists(data, measure.markdown, entries, measure.query, said=said, **where)
    told += find_refused(values, measure.page)
    named = {message.partition(":")[0] for message in told}
    numbers = {number for one in short for number in _units_around(one.missing, measure)}
    more = [
        place_unit(number, measure.units[number], measure.markdown, measure.chunk_starts)
        for number in sorted(numbers - {unit.unit for unit in known.missing})
    ]
    return replace(
        counted,
        completeness=known.model_copy(update={"missing": [*known.missing, *more]}),
        warnings=(*counted.warnings, *find_unread(values, measure.page), *find_empty(values, named)),
        losses=[*counted.losses, *told],
        why_empty=_why_empty(counted, account, measure),
        outside=outside,
    )


def _outside(account: Account, entries: Sequence[ProvenanceEntry], measure: Measure) -> tuple[str, ...]:
    """Give the pointers of the few records that sentences and asides beside the list state, and nothing else.

    They lie in no unit of any list, or in elements that state nothing of others. What is no sentence may be a featured
    record, in markup of its own. Of 174 sentences beside generated lists 163 are told by this, and no record of 234
    right lists.
    """
    page, text = measure.page, measure.markdown
    around = page.once("surroundings", lambda: Surroundings(page))
    homes = Stretches(
        (unit.start, unit.end)
        for number, unit in enumerate(measure.units)
        if number in account.answered or unit.group_score > SPARE_SCORE
    )
    stated = _own_places([*_places_of_records(entries, account.records_at or ())], account, measure)
    asides = {
        one
        for one, places in stated.items()
        if all(is_aside(text[slice(*line_at(text, start))]) for start, _ in places)
    }
    builds = {record: {around.home(*place) for place in places} for record, places in stated.items() if asides}
    usual = set[object]().union(*(build for record, build in builds.items() if record not in asides))
    outside = [
        record
        for record in sorted(asides)
        if usual.isdisjoint(builds[record]) or not any(homes.hold(start) for start, _ in stated[record])
    ]
    pointer = account.path.pointer if account.path else ""
    return tuple(f"{pointer}/{record}" for record in outside) if len(outside) * 2 < len(stated) else ()


def _own_places(placed: Sequence[tuple[int, Span]], account: Account, measure: Measure) -> dict[int, list[Span]]:
    """Give the places of each record but those in a unit that states more of another one: an answer may borrow them."""
    homes = _units_of([place for _, place in placed], account, measure)
    told: dict[int | None, Counter[int]] = {}
    for home, (record, _) in zip(homes, placed, strict=True):
        told.setdefault(home, Counter())[record] += 1
    most = {home: max(counts.values()) for home, counts in told.items()}
    found: dict[int, list[Span]] = {}
    for home, (record, place) in zip(homes, placed, strict=True):
        if home is None or told[home][record] == most[home]:
            found.setdefault(record, []).append(place)
    return found


def _units_of(places: Sequence[Span], account: Account, measure: Measure) -> list[int | None]:
    """Give for each place the number of the answered unit that it begins in; None outside of all."""
    units = sorted((measure.units[number].start, measure.units[number].end, number) for number in account.answered)
    around = (bisect_right(units, (at, len(measure.markdown) + 1, 0)) - 1 for at, _ in places)
    return [
        units[unit][2] if unit >= 0 and at < units[unit][1] else None
        for unit, (at, _) in zip(around, places, strict=True)
    ]


def _places_of_records(entries: Sequence[ProvenanceEntry], records: Sequence[str]) -> Iterator[tuple[int, Span]]:
    """Give where the page states values of records, each with the record's number."""
    depth = len(records)
    for entry in entries:
        steps = read_pointer(entry.pointer)
        number = steps[depth] if steps[:depth] == [*records] and len(steps) > depth else ""
        if number.isdigit() and entry.source == "markdown" and entry.start is not None:
            yield int(number), (entry.start, entry.end or entry.start)


def _of_others(account: Account, entries: Sequence[ProvenanceEntry], measure: Measure, returned: int) -> frozenset[int]:
    """Give the answered units that are no record's own, where each record has one and nearly each unit is one's.

    A unit that ends with the title of the next record states some of it, and may have a record that was left out.
    """
    left_over = len(account.answered) - returned - account.twins
    if not 0 < left_over <= _FEW * returned:
        return frozenset()
    placed = [*_places_of_records(entries, account.records_at or ())]
    homes: dict[int, Counter[int]] = {}
    for (record, _), number in zip(placed, _units_of([place for _, place in placed], account, measure), strict=True):
        if number is not None:
            homes.setdefault(record, Counter())[number] += 1
    own = {counts.most_common(1)[0][0] for counts in homes.values()}
    return account.answered - own if len(own) == returned else frozenset()


def _count_units(returned: int, account: Account, measure: Measure) -> Counted:
    first = measure.first_unit
    certificate = certify(
        returned=returned,
        units=measure.units[first:],
        answered={number - first for number in account.answered},
        skipped={number - first for number in account.skipped},
        unanswered={number - first for number in account.unanswered if number >= first},
        stated=account.stated(measure.markdown) if first == 0 else None,
        markdown=measure.markdown,
        is_list=account.path is not None,
        chunk_starts=measure.chunk_starts,
        more=account.more(measure.units),
        twins=account.twins,
    )
    found = certificate.completeness
    missing = [unit.model_copy(update={"unit": unit.unit + first}) for unit in found.missing]
    return Counted(found.model_copy(update={"missing": missing}), certificate.is_short, certificate.warnings)


def _with(counted: Counted, things: str, measure: Measure, expected: int, places: Sequence[Span]) -> Counted:
    """Give the count by the columns or cells of a table, with those that have no record; as it was without any."""
    if not expected:
        return counted
    known, missing = counted.completeness, measure.missing(places)
    every = missing if things == "columns" else [*known.missing, *missing]
    update = {"expected": expected, "missing": every, "method": "units"}
    said = ", ".join(f'"{unit.text[:60]}"' for unit in missing[:3])
    told = [f"{len(missing)} of {expected} {things} of a table have no record: {said}"] if missing else []
    return replace(counted, completeness=known.model_copy(update=update), losses=[*counted.losses, *told])


def _columns(measure: Measure, found: SideBySide) -> tuple[int, list[Span]]:
    """Count the columns of a table that compares its records, and give the first cells of those without one.

    A column without a record counts when it states what those with one do; the first column may hold the labels.
    """
    own = {column for column in found.homes if column is not None}
    texts: dict[int, str] = {}
    for cells in found.rows:
        for column, (start, end) in cells.items():
            texts[column] = f"{texts.get(column, '')}\n{measure.markdown[start:end]}"
    said = kinds_stated([texts[column] for column in own])[0]
    alike = [at for at in texts if at in own or (said and said <= kinds_stated([texts[at]])[1])]
    return len(alike), [next(cells[at] for cells in found.rows if at in cells) for at in alike if at not in own]


def _begins(entries: Sequence[ProvenanceEntry], records: Sequence[str]) -> dict[Hashable, list[list[int]]]:
    """Give where the values of each field of the records begin."""
    values: dict[Hashable, list[list[int]]] = {}
    for entry in entries:
        steps = read_pointer(entry.pointer)
        is_stated = entry.source == "markdown" and entry.start is not None and entry.status != "ungrounded"
        if is_stated and steps[: len(records)] == [*records]:
            values.setdefault((*steps[len(records) + 1 :],), []).append([entry.start or 0])
    return values


def _why_empty(counted: Counted, account: Account, measure: Measure) -> tuple[ErrorType, str] | None:
    """Say why an empty list is no answer: the page shows something else, or states what records would."""
    if account.path is None or counted.completeness.returned:
        return None
    read = measure.markdown[measure.start :]
    passed = sum(measure.units[number].group_score >= PRIMARY_SCORE for number in account.skipped)
    why = why_not_empty(read, measure.page.unplaced if passed < _LISTED else None)
    is_uncounted = counted.completeness.method == "unknown" and not says_it_is_empty(read)
    if why is None and is_uncounted and may_hold_records(read, account.path.item_schema):
        why = ErrorType.EMPTY_ANSWER, "no record came back, although the page states amounts like those in the schema"
    return why


def _units_around(places: Sequence[Span], measure: Measure) -> Iterator[int]:
    """Give the numbers of the smallest units around some places."""
    for start, end in places:
        units = [
            (unit.end - unit.start, number)
            for number, unit in enumerate(measure.units)
            if unit.start <= start and end <= unit.end
        ]
        yield from (number for _, number in sorted(units)[:1])
