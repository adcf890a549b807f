"""Report what was refused or doubted, and decide when that makes a result partial (PR-2, PR-3, PR-6)."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from gleaner.contracts.json_pointers import read_pointer, value_at
from gleaner.contracts.models import ExtractionConfig, ProvenanceEntry
from gleaner.contracts.ports import JsonValue
from gleaner.judging.judge import OUTSIDE
from gleaner.judging.rejection import Rejection
from gleaner.results.refused import REFUSED, named
from gleaner.results.tasks import count
from gleaner.schemas.leaves import SchemaViews
from gleaner.values.conventions import date_of_two_readings, day_comes_first, day_first_by_language

MOST_NAMED = 5
_LEAST_MIXED_UP = 3
MOST_VALUES = 100
"""Values that warnings name one by one; the provenance has all of them."""

_Field = tuple[str, ...]


def refusal_warnings(proven: Rejection, *, kept: bool = False) -> list[str]:
    """Name each refused value: pointer, value, and why. Empty texts whose place may be empty are not worth a word.

    ``kept`` is for callers who want unproven values kept: then they are named as such.
    """
    groups: dict[tuple[str, str], list[ProvenanceEntry]] = defaultdict(list)
    flagged = set(proven.flagged)
    for entry in _refused(proven.entries):
        is_kept = kept or entry.pointer in flagged
        if is_kept or entry.value != "":
            groups["Kept without proof" if is_kept else "Dropped", entry.reason or ""].append(entry)
    return [_told(what, reason, entries) for (what, reason), entries in groups.items()]


def _told(what: str, reason: str, entries: Sequence[ProvenanceEntry]) -> str:
    where = " (see provenance)" if len(entries) > MOST_VALUES else ""
    return f"{what}: {named(entries, MOST_VALUES)}{where}: {reason}"


def unproven_result(proven: Rejection, schema: dict[str, Any] | bool) -> str:
    """Say why what was refused makes the result partial; "" where it does not.

    It does where a value of a required field was refused, in one record or in all of them, and where most values of an
    object were, or most of a field because they stand in other records: that is no answer to what was asked.
    """
    refused = _refused(proven.entries)
    views = SchemaViews(schema)
    required = [one.pointer for one in refused if _is_required(one.pointer, views)]
    required += _emptied_lists(proven, refused, views)
    if required:
        return f"{count(required, 'required value')} without proof: {_listed(required)}"
    mostly = _mostly_refused(proven.entries) + _mixed_up(proven.entries)
    return f"most of the model's values have no proof: {_listed(mostly)}" if mostly else ""


def _refused(entries: Iterable[ProvenanceEntry]) -> list[ProvenanceEntry]:
    return [one for one in entries if one.status == "ungrounded" and one.transform != REFUSED]


def _listed(pointers: Sequence[str]) -> str:
    said = ", ".join(pointer or "the data itself" for pointer in pointers[:MOST_NAMED])
    return said + (f" and {len(pointers) - MOST_NAMED} more" if len(pointers) > MOST_NAMED else "")


def _is_required(pointer: str, views: SchemaViews) -> bool:
    field = _field(pointer)
    return not field or (field[-1] != "*" and views.is_required(field))


def _emptied_lists(proven: Rejection, refused: Sequence[ProvenanceEntry], views: SchemaViews) -> list[str]:
    """Give the required lists of which each item was refused."""
    lost = {one.pointer.rpartition("/")[0] for one in refused if _field(one.pointer)[-1:] == ("*",)}
    left = {
        one.pointer.rpartition("/")[0]
        for one in proven.entries
        if one.status != "ungrounded" and _field(one.pointer)[-1:] == ("*",)
    }
    return sorted(one for one in lost - left if not one or views.is_required(_field(one)))


def _mostly_refused(entries: Sequence[ProvenanceEntry]) -> list[str]:
    """Give the objects of which more than half of the values were refused."""
    values: dict[str, list[bool]] = defaultdict(list)
    for entry in entries:
        if entry.transform != REFUSED:
            values[_object_of(entry.pointer)].append(entry.status == "ungrounded" and entry.value != "")
    return [pointer for pointer, found in values.items() if sum(found) * 2 > len(found)]


def _mixed_up(entries: Sequence[ProvenanceEntry]) -> list[str]:
    """Give the fields of which most values stand in other records: the answer has them one record off."""
    values: dict[_Field, list[bool]] = defaultdict(list)
    for entry in entries:
        if entry.transform != REFUSED:
            values[_field(entry.pointer)].append(entry.status == "ungrounded" and entry.reason == OUTSIDE)
    found = (field for field, own in values.items() if len(own) >= _LEAST_MIXED_UP and sum(own) * 2 > len(own))
    return ["/" + "/".join(field) for field in found]


def _object_of(pointer: str) -> str:
    """Give the object that a leaf belongs to: the items of a list of texts are values of the object around the list."""
    above, _, name = pointer.rpartition("/")
    while above and (name.isdigit() or name == "-"):
        above, _, name = above.rpartition("/")
    return above


def _field(pointer: str) -> _Field:
    """Give a pointer's field: ``*`` for the numbers of records and items."""
    return tuple("*" if step.isdigit() or step == "-" else step for step in read_pointer(pointer))


def doubtful_days(proven: Rejection, text: str, html: str | None = None) -> list[str]:
    """Warn of days that are proven by dates such as 03/04/2026 where no date of the page tells which way it writes."""
    dates = [
        (entry.pointer, said)
        for entry in proven.entries
        if (entry.transform or "").endswith("date") and entry.source == "markdown" and entry.start is not None
        if (said := date_of_two_readings(text[entry.start : entry.end]))
    ]
    if not dates or (day_comes_first(text), day_first_by_language(html or "")) != (None, None):
        return []
    taken = ", ".join(pointer for pointer, _ in dates[:MOST_NAMED])
    return [
        f'The page does not tell whether "{dates[0][1]}" begins with the day or with the month: '
        f"{count(dates, 'date')} taken as answered: {taken}"
    ]


_LONGEST_RIVAL = 60


def refuse_doubtful(
    entries: Sequence[ProvenanceEntry], data: JsonValue, config: ExtractionConfig
) -> tuple[ProvenanceEntry, ...]:
    """Give the entries with the doubtful values refused, where ``doubtful`` is "null"; else as they are."""
    if config.doubtful != "null":
        return tuple(entries)
    return tuple(
        entry
        if entry.doubt is None
        else ProvenanceEntry(
            pointer=entry.pointer,
            status="ungrounded",
            value=value_at(data, entry.pointer),
            reason=entry.doubt,
            rival=entry.rival,
        )
        for entry in entries
    )


def doubt_warnings(entries: Sequence[ProvenanceEntry], data: JsonValue) -> list[str]:
    """Name the doubtful values, those of one doubt together: pointer, value, doubt, and a rival's value."""
    groups: dict[str, list[ProvenanceEntry]] = defaultdict(list)
    for entry in entries:
        if entry.doubt is not None:
            groups[entry.doubt].append(entry.model_copy(update={"value": value_at(data, entry.pointer)}))
    return [f"Doubtful: {named(own, MOST_VALUES)}: {doubt}{_rival_of(own)}" for doubt, own in groups.items()]


def _rival_of(entries: Sequence[ProvenanceEntry]) -> str:
    rival = entries[0].rival if len(entries) == 1 else None
    return "" if rival is None else f' ("{str(rival.value)[:_LONGEST_RIVAL]}")'


def doubts_as_error(entries: Sequence[ProvenanceEntry], config: ExtractionConfig) -> str:
    """Say why doubtful values make the result partial, where ``doubtful`` is "partial"; "" where they do not."""
    pointers = [entry.pointer for entry in entries if entry.doubt is not None]
    if config.doubtful != "partial" or not pointers:
        return ""
    said = ", ".join(pointers[:MOST_NAMED])
    more = f" and {len(pointers) - MOST_NAMED} more" if len(pointers) > MOST_NAMED else ""
    return f"{count(pointers, 'doubtful value')}: {said}{more}"
