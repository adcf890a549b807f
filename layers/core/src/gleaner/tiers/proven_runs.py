"""Runs of records of which all values are proven: what an answer teaches in which a value or two were refused."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from gleaner.contracts.json_pointers import read_pointer
from gleaner.contracts.models import ExtractionResult
from gleaner.contracts.ports import JsonValue
from gleaner.results.record_lists import find_records, rebuild
from gleaner.schemas import RecordPath
from gleaner.wrappers import same_data

_LEAST = 5
_MOST_RUNS = 2


class Run(NamedTuple):
    """The data of a run of a page's records, and whether no other record stands before them."""

    data: JsonValue
    is_first: bool


def proven_runs(found: ExtractionResult, path: RecordPath | None) -> list[Run]:
    """Give the longest runs of records without a value that is not proven; none where something else is not proven.

    None either where no record of them has one of the properties that others were refused: it would seem to be absent.
    """
    listing = find_records(found.data, path) if path is not None else None
    if path is None or listing is None:
        return []
    records = listing.records
    refused = [*_unproven(found, path)]
    unproven = {one[0] if len(one) > 1 else None for one in refused}
    if not unproven <= {str(at) for at in range(len(records))}:
        return []
    runs = [[*run] for is_proven, run in groupby(range(len(records)), lambda at: str(at) not in unproven) if is_proven]
    chosen = sorted((run for run in runs if len(run) >= _LEAST), key=len, reverse=True)[:_MOST_RUNS]
    known = [records[at] for run in chosen for at in run]
    if not all(any(_has(one, name) for one in known) for name in {one[1] for one in refused}):
        return []
    return [Run(rebuild(path, listing.outer, records[run[0] : run[-1] + 1]), not run[0]) for run in chosen]


def _has(record: JsonValue, name: str) -> bool:
    return isinstance(record, dict) and record.get(name) not in (None, [])


def agree_but_for_unproven(read: Sequence[JsonValue], found: ExtractionResult, path: RecordPath | None) -> bool:
    """Tell whether records say the same as an answer's, in all but the properties that are not proven there."""
    listing = find_records(found.data, path) if path is not None else None
    if path is None or listing is None or len(read) != len(listing.records):
        return False
    unproven = {tuple(one[:2]) for one in _unproven(found, path)}
    return all(
        same_data(_without(one, at, unproven), _without(wanted, at, unproven))
        for at, (one, wanted) in enumerate(zip(read, listing.records, strict=True))
    )


def _unproven(found: ExtractionResult, path: RecordPath) -> Iterator[list[str]]:
    """Give the steps from the list of records to each value that is not proven."""
    around = read_pointer(path.pointer)
    for entry in found.provenance:
        if entry.status == "ungrounded":
            steps = read_pointer(entry.pointer)
            yield steps[len(around) :] if steps[: len(around)] == around else []


def _without(record: JsonValue, at: int, unproven: set[tuple[str, ...]]) -> JsonValue:
    if not isinstance(record, dict):
        return record
    return {name: value for name, value in record.items() if (str(at), name) not in unproven}
