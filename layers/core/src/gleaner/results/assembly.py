"""Assemble the chunks' outcomes into one result: merged, proven, certified."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from gleaner.completeness.certificate import certify, place_unit
from gleaner.completeness.emptiness import may_hold_records, says_it_is_empty, why_not_empty
from gleaner.completeness.inner_lists import ShortList, find_short_lists
from gleaner.completeness.named_lists import report_named_lists
from gleaner.contracts.error_types import ErrorType
from gleaner.contracts.json_pointers import read_pointer
from gleaner.contracts.models import (
    Claim,
    Completeness,
    ExtractionConfig,
    ExtractionError,
    ExtractionResult,
    Passage,
    ProvenanceEntry,
    Usage,
)
from gleaner.contracts.ports import JsonValue
from gleaner.judging.judge import judge
from gleaner.judging.rejection import Rejection, reject_ungrounded
from gleaner.judging.words.answers import check_answer
from gleaner.page.model import Page, PlacedUnit
from gleaner.results.grids import count_cells
from gleaner.results.lists import Lists
from gleaner.results.merging import ChunkOutcome, Merged, merge
from gleaner.results.most_records import cut_to_most
from gleaner.results.naive_times import settle_naive_times
from gleaner.results.record_lists import find_records, rebuild
from gleaner.results.refusals import (
    MOST_NAMED,
    MOST_VALUES,
    doubt_warnings,
    doubtful_days,
    doubts_as_error,
    refusal_warnings,
    refuse_doubtful,
    unproven_result,
)
from gleaner.results.refused import REFUSED, as_merged, dropped, named, refusal
from gleaner.results.side_by_side import find_comparison
from gleaner.results.tasks import ChunkExtractionResult, count
from gleaner.results.withheld import lost_records, report_withheld
from gleaner.schemas import RecordPath, record_path, unenforceable, violations
from gleaner.units import primary_units
from gleaner.units.totals import StatedTotal, stated_total
from gleaner.values.texts.targets import hosts_of
from gleaner.values.texts.text_index import TextIndex

NO_OFFSET = "the schema's format needs a UTC offset, and the page states none"
_MOST_CLAIMS_NAMED = 20
_FEW = 2


@dataclass(frozen=True)
class Measure:
    """What the outcomes are measured against: the page, its units, and where its chunks begin.

    ``lost`` are the places that a chunk gave no record for, ``query`` is what was asked.
    """

    page: Page
    units: tuple[PlacedUnit, ...]
    chunk_starts: tuple[int, ...]
    lost: tuple[tuple[int, int], ...] = ()
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
    def first_unit(self) -> int:
        """The position of the first unit that a chunk was asked about."""
        start = self.chunk_starts[0] if self.chunk_starts else 0
        return next((n for n, unit in enumerate(self.units) if unit.start >= start), len(self.units))


def index_page(page: Page) -> TextIndex:
    """Make a page's text ready for looking values up in it."""
    return TextIndex(page.text, html=page.html, hosts=hosts_of(page.url, page.base))


def assemble(
    outcomes: Sequence[ChunkExtractionResult],
    *,
    page: Page,
    units: Sequence[PlacedUnit],
    schema: dict[str, Any] | bool | None,
    query: str | None,
    config: ExtractionConfig,
    chunk_starts: Sequence[int],
) -> ExtractionResult:
    """Give the result of a page from what its chunks gave, in any order.

    ``units`` are all units of the page, those before the first chunk included; ``chunk_starts`` the chunks' offsets
    in its text.

    The result is partial when a chunk failed, a unit is missing, the
    page states more records than came back, or the merged data breaks the schema; what was found is kept all the same.
    """
    ordered = sorted(outcomes, key=lambda outcome: outcome.chunk_index)
    measure = Measure(page, tuple(units), tuple(chunk_starts), query=query)
    result = ExtractionResult(
        source_url=page.url or None,
        tier="model" if any(one.usage.calls or one.cached for one in ordered) else "none",
        usage=sum((one.usage for one in ordered), Usage()),
        errors=[error for one in ordered for error in one.errors],
        warnings=list(dict.fromkeys(warning for one in ordered for warning in one.warnings)),
    )
    if schema is None or unenforceable(schema) is not None:
        _assemble_text(result, ordered, measure, config)
    else:
        _assemble_data(result, ordered, measure, schema, config)
    return result


def outcomes_of(
    ordered: Sequence[ChunkExtractionResult], units: Sequence[PlacedUnit] = (), markdown: str = ""
) -> list[ChunkOutcome]:
    """Give what the chunks gave, to be merged, with the lists of the page that the records' places belong to."""
    lists = Lists(units, markdown)
    return [
        ChunkOutcome(
            one.chunk_index,
            one.data,
            (),
            tuple(one.record_spans) or None,
            one.structural_context,
            tuple(map(lists.of, one.record_spans)) or None,
        )
        for one in ordered
    ]


def _assemble_text(
    result: ExtractionResult, ordered: Sequence[ChunkExtractionResult], measure: Measure, config: ExtractionConfig
) -> None:
    """Give the answer in words with its claims and passages; what has no support is treated as ``ungrounded`` says."""
    answer = merge(outcomes_of(ordered)).data
    result.data = answer
    words = answer if isinstance(answer, str) else ""
    checked = check_answer(words, measure.index, measure.query)
    result.passages = [
        Passage(text=measure.markdown[found.start : found.end], start=found.start, end=found.end, score=found.score)
        for found in checked.passages
    ]
    result.claims = [
        Claim(
            text=one.claim.text,
            kind=one.claim.kind,
            start=one.claim.start,
            end=one.claim.end,
            support=one.support,
            passage=one.passage,
        )
        for one in checked.claims
    ]
    unsupported = list(dict.fromkeys(f'"{claim.text}"' for claim in checked.unsupported))
    if unsupported:
        named = ", ".join(unsupported[:_MOST_CLAIMS_NAMED])
        more = f" and {len(unsupported) - _MOST_CLAIMS_NAMED} more" if len(unsupported) > _MOST_CLAIMS_NAMED else ""
        message = f"Not found on the page: {named}{more}"
        if config.ungrounded == "null":
            error = ExtractionError(error_type=ErrorType.UNGROUNDED, message=message, retries_exhausted=True)
            result.errors.append(error)
        elif config.ungrounded == "flag":
            result.warnings.append(message)
    result.is_partial = bool(result.errors) or answer is None


def _assemble_data(
    result: ExtractionResult,
    ordered: Sequence[ChunkExtractionResult],
    measure: Measure,
    schema: dict[str, Any] | bool,
    config: ExtractionConfig,
) -> None:
    path = record_path(schema)
    outcomes = outcomes_of(ordered, measure.units, measure.markdown)
    merged = merge(outcomes, schema, config.dedupe, config.dedupe_keys)
    twins = max(0, len(merge(outcomes, schema, "none").spans) - len(merged.spans))
    merged, over = cut_to_most(merged, schema, path)
    result.errors += over
    lost = [(unit.start, unit.end) for one in ordered for unit in one.missing if unit.start is not None]
    measure = replace(measure, lost=tuple((start, end) for start, end in lost if end is not None))
    proven = _prove(merged, measure, schema, path, config)
    result.data = rebuild(path, {}, []) if path and proven.data is None else proven.data
    result.schema_used = schema
    kept = _surviving(merged, proven, path)
    result.provenance = [*proven.entries, *as_merged(ordered, merged, kept, result.data, path)]
    result.conflicts = list(merged.conflicts)
    result.warnings += [
        *_warnings(proven, config.ungrounded),
        *doubt_warnings(proven.entries, proven.data),
        *doubtful_days(proven, measure.markdown, measure.page.html),
    ]
    report_withheld(result, proven)
    unproven = _starts(merged, path, lost_records(proven))
    result.warnings += _given_once(twins, config)
    answered, skipped = _counted(ordered, measure, unproven)
    in_vain = frozenset(unit.unit for one in ordered for unit in one.missing) - answered - skipped
    account = _Account(path, answered, skipped, twins, _places(ordered), in_vain)
    _certify(result, measure, account)
    _count_columns(result, measure, path, account.answered)
    if path is not None and result.completeness.returned > len(account.answered):
        count_cells(result, measure.markdown, read_pointer(path.pointer), measure.chunk_starts)
    _doubt_emptiness(result, measure, path)
    _report_short_lists(result, measure, account, [merged.spans[number] for number in kept])
    if config.ungrounded != "keep" and (message := unproven_result(proven, schema)):
        result.errors.append(ExtractionError(error_type=ErrorType.UNGROUNDED, message=message, retries_exhausted=True))
    if message := doubts_as_error(proven.entries, config):
        result.errors.append(ExtractionError(error_type=ErrorType.UNGROUNDED, message=message, retries_exhausted=True))
    result.data, naive = settle_naive_times(schema, result.data)
    _say_naive(result, naive)
    if result.data is not None or not result.errors:
        result.errors += _faults(result.data, schema)
    result.is_partial = result.is_partial or bool(result.errors)


def _say_naive(result: ExtractionResult, values: dict[str, JsonValue]) -> None:
    """Reject, in the provenance and in a warning, times that were dropped because they have no UTC offset."""
    if not values:
        return
    update = {"status": "ungrounded", "transform": REFUSED, "reason": NO_OFFSET}
    result.provenance = [
        one.model_copy(update={**update, "value": values[one.pointer]}) if one.pointer in values else one
        for one in result.provenance
    ]
    entries = [refusal(pointer, value) for pointer, value in values.items()]
    result.warnings.append(f"Dropped: {named(entries, MOST_VALUES)}: {NO_OFFSET}")


def _prove(
    merged: Merged, measure: Measure, schema: dict[str, Any] | bool, path: RecordPath | None, config: ExtractionConfig
) -> Rejection:
    spans = _units_around(merged, measure)
    entries: tuple[ProvenanceEntry, ...] = judge(
        merged.data,
        measure.index,
        schema=schema,
        spans=merged.spans if path else None,
        units=spans or None,
        chunk_starts=measure.chunk_starts,
        page=measure.page,
        records_at=path.pointer if path else None,
    )
    entries = refuse_doubtful(entries, merged.data, config)
    return reject_ungrounded(merged.data, entries, schema, config.ungrounded)


def _units_around(merged: Merged, measure: Measure) -> list[tuple[int, int]]:
    """Give the places of the page's listing, but for groups with pieces that several records lie in: sections."""
    starts = sorted({span for span in merged.spans if span is not None})
    primary, own = primary_units(measure.units), set(starts)
    sections = {
        unit.group
        for unit in primary
        if sum(end <= unit.end for _, end in starts[bisect_left(starts, (unit.start, 0)) :][:_FEW]) == _FEW
    }
    places = (((unit.start, unit.end), unit.group) for unit in primary)
    return [*(place for place, group in places if group not in sections or place in own), *measure.lost]


def _warnings(proven: Rejection, mode: str) -> list[str]:
    said = (
        [f"Dropped {dropped([one.value for one in proven.dropped])}: not found on the page"] if proven.dropped else []
    )
    return said + (refusal_warnings(proven, kept=mode == "flag") if mode != "keep" else [])


def _starts(merged: Merged, path: RecordPath | None, pointers: Sequence[str]) -> set[int]:
    """Give where the records begin that the pointers lead into, but for places that another record has too."""
    named = _record_numbers(path, pointers)
    starts = [None if span is None else span[0] for span in merged.spans]
    others = {start for number, start in enumerate(starts) if number not in named}
    return {start for number, start in enumerate(starts) if number in named and start is not None} - others


def _given_once(twins: int, config: ExtractionConfig) -> list[str]:
    alike = "equal to" if config.dedupe == "exact" else "with the keys of"
    told = f'{count(range(twins), "record")} {alike} another one dropped: dedupe "none" keeps them'
    return [told] if twins else []


@dataclass(frozen=True, slots=True)
class _Account:
    """What the certificate is made from; ``twins`` are equal records that the page shows and dedupe took out.

    ``places`` are those of the records: of units, or of the elements that a recipe found the records in.
    """

    path: RecordPath | None
    answered: frozenset[int]
    skipped: frozenset[int]
    twins: int
    places: tuple[PlacedUnit, ...]
    unanswered: frozenset[int]

    def more(self, units: Sequence[PlacedUnit]) -> int:
        """Give how many elements with a record there are beyond the units that hold them."""
        known = {(place.start, place.end) for place in self.places}
        are_records = all((units[number].start, units[number].end) in known for number in self.answered)
        return 0 if are_records else max(0, len(self.places) - len(self.answered))

    def stated(self, markdown: str) -> StatedTotal | None:
        """Give the total that the page states outside of records; what follows the last one may belong to it."""
        return stated_total(markdown, self.places[:-1]) if self.path else None


def _counted(
    ordered: Sequence[ChunkExtractionResult], measure: Measure, unproven: set[int]
) -> tuple[frozenset[int], frozenset[int]]:
    """Give the units that were answered, without those whose record the proof threw out, and those skipped."""
    answered = {number for one in ordered for number in one.answered}
    answered |= _homes_of_records(ordered, measure)
    answered -= {n for n in answered if measure.units[n].start in unproven}
    return frozenset(answered), frozenset(number for one in ordered for number in one.skipped)


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


def _places(ordered: Sequence[ChunkExtractionResult]) -> tuple[PlacedUnit, ...]:
    spans = {span for one in ordered for span in one.record_spans if span is not None}
    return tuple(PlacedUnit(0, at, *span, 0.0, "entry") for at, span in enumerate(sorted(spans)))


def _certify(result: ExtractionResult, measure: Measure, account: _Account) -> None:
    records, first = _records(result.data, account.path), measure.first_unit
    certificate = certify(
        returned=records,
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
    completeness: Completeness = certificate.completeness
    missing = [unit.model_copy(update={"unit": unit.unit + first}) for unit in completeness.missing]
    result.completeness = completeness.model_copy(update={"missing": missing})
    result.warnings += certificate.warnings
    result.is_partial = certificate.is_short


def _count_columns(
    result: ExtractionResult, measure: Measure, path: RecordPath | None, answered: frozenset[int]
) -> None:
    """Count the columns of a table that compares its records, where nothing else could be counted."""
    listing = find_records(result.data, path) if path else None
    if listing is None or (result.completeness.method != "unknown" and answered):
        return
    table = find_comparison(measure.markdown, listing.records)
    if table is None:
        return
    places = [PlacedUnit(0, at, start, end, 0.0, "entry") for at, (start, end) in enumerate(table.missing)]
    missing = [place_unit(at, unit, measure.markdown, measure.chunk_starts) for at, unit in enumerate(places)]
    update = {"expected": table.columns, "missing": missing, "method": "units"}
    result.completeness = result.completeness.model_copy(update=update)
    if missing:
        named = ", ".join(f'"{unit.text[:60]}"' for unit in missing[:3])
        message = f"{len(missing)} of {table.columns} columns of a table have no record: {named}"
        result.errors.append(
            ExtractionError(error_type=ErrorType.MISSING_UNITS, message=message, retries_exhausted=True)
        )


def _doubt_emptiness(result: ExtractionResult, measure: Measure, path: RecordPath | None) -> None:
    """Refuse to call an empty list complete where the page shows something else, or states what records would."""
    if path is None or result.completeness.returned:
        return
    read = measure.markdown[measure.chunk_starts[0] if measure.chunk_starts else 0 :]
    why = why_not_empty(read, measure.page.unplaced)
    is_uncounted = result.completeness.method == "unknown" and not says_it_is_empty(read)
    if why is None and is_uncounted and may_hold_records(read, path.item_schema):
        message = "no record came back, although the page states amounts like those in the schema"
        why = ErrorType.EMPTY_ANSWER, message
    if why is not None:
        result.errors.append(ExtractionError(error_type=why[0], message=why[1], retries_exhausted=True))


def _surviving(merged: Merged, proven: Rejection, path: RecordPath | None) -> list[int]:
    """Give the numbers of the records that the proof left, by their index in the data."""
    depth = len(read_pointer(path.pointer)) if path else 0
    whole = [one for one in lost_records(proven) if len(read_pointer(one)) == depth + 1]
    gone = _record_numbers(path, whole)
    return [number for number in range(len(merged.spans)) if number not in gone]


def _record_numbers(path: RecordPath | None, pointers: Sequence[str]) -> set[int]:
    """Give the indices of the records that the pointers name or lead into."""
    depth = len(read_pointer(path.pointer)) if path else 0
    tails = [read_pointer(pointer)[depth:] for pointer in pointers]
    return {int(tail[0]) for tail in tails if tail and tail[0].isdigit()}


def _report_short_lists(
    result: ExtractionResult, measure: Measure, account: _Account, spans: Sequence[tuple[int, int] | None]
) -> None:
    """Name what the lists beside and inside the records lack; such a result is partial, too."""
    records = tuple(read_pointer(account.path.pointer)) if account.path else None
    short_lists = find_short_lists(
        result.data,
        measure.page,
        result.provenance,
        schema=result.schema_used,
        records=records,
        spans=spans,
        start=measure.chunk_starts[0] if measure.chunk_starts else 0,
    )
    result.errors += [
        ExtractionError(error_type=ErrorType.MISSING_UNITS, message=short.describe(), retries_exhausted=True)
        for short in short_lists
    ]
    places = {number for short in short_lists for number in _units_of(short, measure)}
    result.completeness.missing += [
        place_unit(number, measure.units[number], measure.markdown, measure.chunk_starts)
        for number in sorted(places - {unit.unit for unit in result.completeness.missing})
    ]
    report_named_lists(result, measure.markdown, measure.query, records, spans)


def _units_of(short: ShortList, measure: Measure) -> Iterator[int]:
    """Give the numbers of the smallest units around what a list lacks."""
    for start, end in short.missing:
        units = [
            (unit.end - unit.start, number)
            for number, unit in enumerate(measure.units)
            if unit.start <= start and end <= unit.end
        ]
        yield from (number for _, number in sorted(units)[:1])


def _records(data: JsonValue, path: RecordPath | None) -> int:
    if path is None:
        return 0 if data is None or data in ({}, []) else 1
    listing = find_records(data, path)
    return len(listing.records) if listing else 0


def _faults(data: JsonValue, schema: dict[str, Any] | bool) -> list[ExtractionError]:
    """Give the error of data that breaks the schema as a whole (a required field that no chunk held)."""
    found = violations(schema, data)
    if not found:
        return []
    named = "; ".join(f"{fault.pointer or '/'}: {fault.message}" for fault in found[:MOST_NAMED])
    message = f"the data does not match the schema: {named}"
    return [ExtractionError(error_type=ErrorType.VALIDATION_ERROR, message=message, retries_exhausted=True)]
