"""Report what the schema refused, each value with its place, and the items that are withheld for want of one (PR-7)."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from gleaner.contracts.json_pointers import pointer_of, read_pointer, value_at
from gleaner.contracts.json_text import canonical
from gleaner.contracts.models import ProvenanceEntry, Withheld
from gleaner.contracts.ports import JsonValue
from gleaner.judging.rejection import Rejection, WithheldItem
from gleaner.results.merging import Merged
from gleaner.results.tasks import count
from gleaner.schemas import RecordPath

Refusals = list[ProvenanceEntry]
REFUSED = "refused"
"""The transform of a value that the page may well state, and that the schema has no room for."""

_NUMBERED = re.compile(r"/(?:\d+|-)(?=/|$)")
_MOST_NAMED = 5
_LONGEST_VALUE = 60
_LONGEST_RECORD = 160


def refusal(pointer: str, value: JsonValue) -> ProvenanceEntry:
    """Give the entry of a value that was taken out because the schema refuses it; it stood where the pointer leads."""
    return ProvenanceEntry(pointer=pointer, status="ungrounded", transform=REFUSED, value=value)


def left_out(refused: Refusals, chunk: int, of: str = "") -> list[str]:
    """Give the warning that names what was taken out; none where that is nothing.

    >>> left_out([refusal("/start", "tonight"), refusal("/seats", -2)], 0)
    ['chunk 0: dropped /start ("tonight"), /seats (-2): the schema does not allow it']
    """
    where = f" {of}" if of else ""
    return [f"chunk {chunk}: dropped {named(refused)}{where}: the schema does not allow it"] if refused else []


def dropped(records: Sequence[JsonValue]) -> str:
    """Name records that were left out whole, for a warning.

    >>> dropped([{"name": "Jug", "price": 3}])
    '1 record ({"name":"Jug","price":3})'
    """
    said = ", ".join(canonical(record)[:_LONGEST_RECORD] for record in records[:_MOST_NAMED])
    more = ", …" if len(records) > _MOST_NAMED else ""
    return f"{len(records)} record{'' if len(records) == 1 else 's'} ({said}{more})"


def named(refused: Sequence[ProvenanceEntry], most: int = _MOST_NAMED) -> str:
    """Name values that were refused, for a warning: each with the place where it stood.

    A field of several records is named once, with the number of each record.

    >>> named([refusal("/start", "tonight"), refusal("/seats", -2)], 1)
    '/start ("tonight") and 1 more'
    >>> named([refusal("/0/seats", -2), refusal("/4/seats", -3)])
    '/*/seats 2 times (0: -2, 4: -3)'
    """
    fields: dict[str, list[ProvenanceEntry]] = {}
    for entry in refused[:most]:
        fields.setdefault(_NUMBERED.sub("/*", entry.pointer), []).append(entry)
    more = len(refused) - most
    said = ", ".join(_named_once(field, entries) for field, entries in fields.items())
    return said + (f" and {more} more" if more > 0 else "")


def _named_once(field: str, entries: Sequence[ProvenanceEntry]) -> str:
    """Name the values of one field: each with its number in a list, or its pointer where it stands alone."""
    said = [canonical(entry.value)[:_LONGEST_VALUE] for entry in entries]
    if len(entries) == 1:
        return f"{entries[0].pointer or '/'} ({said[0]})"
    numbers = ["/".join(_NUMBERED.findall(entry.pointer)).replace("//", "/").lstrip("/") for entry in entries]
    each = (f"{number}: {value}" if number else value for number, value in zip(numbers, said, strict=True))
    return f"{field} {len(entries)} times ({', '.join(each)})"


def of_records(
    records: Iterable[JsonValue], mended: Iterable[tuple[JsonValue, Refusals]], path: RecordPath
) -> Refusals:
    """Give what was taken out of the records, with pointers into the whole instance; each record's is told once."""
    known: dict[str, list[Refusals]] = {}
    for record, refused in mended:
        known.setdefault(canonical(record), []).append(refused)
    return [
        entry.model_copy(update={"pointer": f"{path.pointer}/{number}{entry.pointer}"})
        for number, record in enumerate(records)
        if (left := known.get(canonical(record)))
        for entry in left.pop(0)
    ]


def as_merged(
    outcomes: Sequence[Any], merged: Merged, kept: Sequence[int], data: JsonValue, path: RecordPath | None
) -> Refusals:
    """Give what the chunks' answers lost, with pointers into the result; what another answer has filled is not lost.

    ``kept`` are the numbers of the merged records that the result holds.
    """
    entries = [
        entry.model_copy(update={"pointer": pointer_of(steps)})
        for outcome in outcomes
        for entry, steps in _moved(outcome, merged, list(kept), path)
    ]
    return [entry for entry in (_settled(one, data) for one in entries) if entry is not None]


def _moved(
    outcome: Any, merged: Merged, kept: list[int], path: RecordPath | None
) -> Iterator[tuple[ProvenanceEntry, list[str]]]:
    root = read_pointer(path.pointer) if path else []
    at_root = path.pointer if path else ""
    given, found = value_at(outcome.data, at_root), value_at(merged.data, at_root)
    for entry in outcome.refused:
        steps = read_pointer(entry.pointer)
        if path is None or not isinstance(given, list) or not isinstance(found, list):
            yield entry, steps
            continue
        number = int(steps[len(root)])
        span = outcome.record_spans[number] if number < len(outcome.record_spans) else None
        same = (at for at in kept if merged.spans[at] == span and canonical(found[at]) == canonical(given[number]))
        at = next(same, None)
        if at is not None:
            yield entry, [*root, str(kept.index(at)), *steps[len(root) + 1 :]]


def _settled(entry: ProvenanceEntry, data: JsonValue) -> ProvenanceEntry | None:
    """Give the entry if nothing stands in its place; one of an item that is gone points past the end of its list."""
    steps = read_pointer(entry.pointer)
    if value_at(data, entry.pointer) is None:
        return entry
    if steps[-1:] and steps[-1].isdigit() and isinstance(value_at(data, pointer_of(steps[:-1])), list):
        return entry.model_copy(update={"pointer": pointer_of([*steps[:-1], "-"])})
    return None


def as_withheld(one: WithheldItem) -> Withheld:
    """Give a withheld item as a result has it."""
    return Withheld(item=one.value, pointer=one.leaf, reason=one.reason)


def warnings_of(withheld: Sequence[WithheldItem]) -> list[str]:
    """Name each withheld item, those beyond the first five by their number alone."""
    named = [f"Withheld {canonical(one.value)[:_LONGEST_RECORD]}: {_why(one)}" for one in withheld[:_MOST_NAMED]]
    more = len(withheld) - _MOST_NAMED
    return [*named, f"{more} more withheld: see withheld"] if more > 0 else named


def _why(one: WithheldItem) -> str:
    value = f" ({canonical(one.entries[0].value)[:_LONGEST_VALUE]})" if one.entries else ""
    return f"{one.leaf}{value}: {one.reason}"


def message_of(withheld: Sequence[WithheldItem]) -> str:
    """Say in one sentence how many items are withheld, and why."""
    return f"{count(withheld, 'item')} withheld for want of a required value: {_reasons(withheld)}"


def _reasons(withheld: Iterable[WithheldItem]) -> str:
    said = list(dict.fromkeys(f"{one.leaf}: {one.reason}" for one in withheld))
    return "; ".join(said[:_MOST_NAMED]) + ("; …" if len(said) > _MOST_NAMED else "")


def lost_records(proven: Rejection) -> list[str]:
    """Give the pointers, in the data as it came, of the records that are in no answer: invented or withheld."""
    return [one.pointer for one in (*proven.dropped, *proven.withheld)]
