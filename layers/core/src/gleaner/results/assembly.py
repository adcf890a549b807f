"""From what the chunks gave to one result: merge, place, judge, count, settle."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from gleaner.contracts.json_pointers import read_pointer
from gleaner.contracts.models import ExtractionConfig, ExtractionResult, ProvenanceEntry, Usage
from gleaner.contracts.ports import JsonValue
from gleaner.judging.judge import judge
from gleaner.judging.rejection import Rejection, reject_ungrounded
from gleaner.page.model import Page, PlacedUnit, Span
from gleaner.results.counting import Account, Measure, count_result
from gleaner.results.merging import ChunkOutcome, Lists, Merged, merge
from gleaner.results.naive_times import settle_naive_times
from gleaner.results.record_lists import find_records, most_records, rebuild
from gleaner.results.refused import REFUSED, as_merged, as_withheld, lost_records
from gleaner.results.settling import NO_OFFSET, Case, refuse_doubtful, settle
from gleaner.results.tasks import ChunkExtractionResult
from gleaner.results.words import settle_words
from gleaner.schemas import RecordPath, record_path, unenforceable
from gleaner.units import primary_units

_FEW = 2
Schema: TypeAlias = dict[str, Any] | bool


def assemble(
    outcomes: Sequence[ChunkExtractionResult],
    *,
    page: Page,
    units: Sequence[PlacedUnit],
    schema: Schema | None,
    query: str | None,
    config: ExtractionConfig,
    chunk_starts: Sequence[int],
) -> ExtractionResult:
    """Give the result of a page from what its chunks gave, in any order.

    ``units`` are all units of the page, those before the first chunk included; ``chunk_starts`` the chunks' offsets
    in its text. What makes the result partial stands in ``settling.CONDITIONS``; what was found is kept all the same.
    """
    ordered = sorted(outcomes, key=lambda outcome: outcome.chunk_index)
    lost = [(unit.start, unit.end) for one in ordered for unit in one.missing if unit.start is not None]
    places = tuple((start, end) for start, end in lost if end is not None)
    measure = Measure(page, tuple(units), tuple(chunk_starts), places, query)
    result = ExtractionResult(
        source_url=page.url or None,
        tier="model" if any(one.usage.calls or one.cached for one in ordered) else "none",
        usage=sum((one.usage for one in ordered), Usage()),
        errors=[error for one in ordered for error in one.errors],
        warnings=list(dict.fromkeys(warning for one in ordered for warning in one.warnings)),
    )
    given = outcomes_of(ordered, measure.units, measure.markdown)
    if schema is None or unenforceable(schema) is not None:
        return settle_words(result, given, measure, config)
    path = record_path(schema)
    merged = merge(given, schema, config.dedupe, config.dedupe_keys)
    twins = max(0, len(merge(given, schema, "none").spans) - len(merged.spans))
    merged, most, beyond = _cut_to_most(merged, schema, path)
    proven = _prove(merged, measure, schema, path, config)
    kept = _surviving(merged, proven, path)
    account = Account.of(
        ordered,
        measure,
        path,
        unproven=_starts(merged, path, lost_records(proven)),
        twins=twins,
        spans=[merged.spans[number] for number in kept],
    )
    data = rebuild(path, {}, []) if path and proven.data is None else proven.data
    entries = [*proven.entries, *as_merged(ordered, merged, kept, data, path)]
    counted = count_result(data, entries, account, measure, schema)
    result.data, naive = settle_naive_times(schema, data)
    result.schema_used, result.conflicts = schema, list(merged.conflicts)
    result.withheld = [as_withheld(one) for one in proven.withheld]
    withheld = [entry for one in proven.withheld for entry in one.entries]
    result.provenance = [*_without_naive(entries, naive), *withheld]
    case = Case(proven, counted, result.data, schema, config, measure.markdown, page.html, twins, beyond, most, naive)
    return settle(result, replace(case, has_errors=bool(result.errors)))


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


def _cut_to_most(merged: Merged, schema: Schema, path: RecordPath | None) -> tuple[Merged, int | None, int]:
    """Give the first records of the page, as many as the schema takes, that number, and how many there are beyond."""
    most = None if path is None else most_records(schema, path)
    listing = find_records(merged.data, path) if path else None
    if path is None or most is None or listing is None or len(listing.records) <= most:
        return merged, most, 0
    data = rebuild(path, listing.outer, listing.records[:most])
    return replace(merged, data=data, spans=merged.spans[:most]), most, len(listing.records) - most


def _prove(
    merged: Merged, measure: Measure, schema: Schema, path: RecordPath | None, config: ExtractionConfig
) -> Rejection:
    entries = judge(
        merged.data,
        measure.index,
        schema=schema,
        spans=merged.spans if path else None,
        units=_units_around(merged, measure) or None,
        chunk_starts=measure.chunk_starts,
        page=measure.page,
        records_at=path.pointer if path else None,
    )
    entries = refuse_doubtful(entries, merged.data, config)
    return reject_ungrounded(merged.data, entries, schema, config.ungrounded)


def _units_around(merged: Merged, measure: Measure) -> list[Span]:
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


def _surviving(merged: Merged, proven: Rejection, path: RecordPath | None) -> list[int]:
    """Give the numbers of the records that the proof left, by their index in the data."""
    depth = len(read_pointer(path.pointer)) if path else 0
    whole = [one for one in lost_records(proven) if len(read_pointer(one)) == depth + 1]
    gone = _record_numbers(path, whole)
    return [number for number in range(len(merged.spans)) if number not in gone]


def _starts(merged: Merged, path: RecordPath | None, pointers: Sequence[str]) -> set[int]:
    """Give where the records begin that the pointers lead into, but for places that another record has too."""
    named = _record_numbers(path, pointers)
    starts = [None if span is None else span[0] for span in merged.spans]
    others = {start for number, start in enumerate(starts) if number not in named}
    return {start for number, start in enumerate(starts) if number in named and start is not None} - others


def _record_numbers(path: RecordPath | None, pointers: Sequence[str]) -> set[int]:
    """Give the indices of the records that the pointers name or lead into."""
    depth = len(read_pointer(path.pointer)) if path else 0
    tails = [read_pointer(pointer)[depth:] for pointer in pointers]
    return {int(tail[0]) for tail in tails if tail and tail[0].isdigit()}


def _without_naive(entries: Sequence[ProvenanceEntry], naive: Mapping[str, JsonValue]) -> list[ProvenanceEntry]:
    """Give the provenance with the times refused that were dropped because they have no UTC offset."""
    update = {"status": "ungrounded", "transform": REFUSED, "reason": NO_OFFSET}
    return [
        one.model_copy(update={**update, "value": naive[one.pointer]}) if one.pointer in naive else one
        for one in entries
    ]
