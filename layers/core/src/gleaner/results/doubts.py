"""Report the values that are kept although they may be wrong, or treat them as ``doubtful`` asks (PR-6)."""

from collections import defaultdict
from collections.abc import Sequence

from gleaner.contracts.json_pointers import value_at
from gleaner.contracts.models import ExtractionConfig, ExtractionResult, ProvenanceEntry
from gleaner.contracts.ports import JsonValue
from gleaner.results.refused import named
from gleaner.results.tasks import count

_MOST_VALUES = 20
"""Values that a warning names one by one; the provenance has all of them."""

_MOST_NAMED = 5
_LONGEST_RIVAL = 60


def doubted(result: ExtractionResult) -> list[ProvenanceEntry]:
    """Give the entries of a result's values that are kept and may be wrong: a recipe neither serves nor learns them."""
    return [entry for entry in result.provenance if entry.doubt is not None]


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
    return [f"Doubtful: {named(own, _MOST_VALUES)}: {doubt}{_rival_of(own)}" for doubt, own in groups.items()]


def _rival_of(entries: Sequence[ProvenanceEntry]) -> str:
    rival = entries[0].rival if len(entries) == 1 else None
    return "" if rival is None else f' ("{str(rival.value)[:_LONGEST_RIVAL]}")'


def doubts_as_error(entries: Sequence[ProvenanceEntry], config: ExtractionConfig) -> str:
    """Say why doubtful values make the result partial, where ``doubtful`` is "partial"; "" where they do not."""
    pointers = [entry.pointer for entry in entries if entry.doubt is not None]
    if config.doubtful != "partial" or not pointers:
        return ""
    said = ", ".join(pointers[:_MOST_NAMED])
    more = f" and {len(pointers) - _MOST_NAMED} more" if len(pointers) > _MOST_NAMED else ""
    return f"{count(pointers, 'doubtful value')}: {said}{more}"
