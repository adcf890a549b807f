"""Mark, in what leaves as records alone, the values that were kept although nothing proves them (PR-2)."""

from collections.abc import Sequence

from gleaner.contracts.json_pointers import pointer_of, read_pointer, value_at
from gleaner.contracts.models import ExtractionResult
from gleaner.contracts.ports import JsonObject, JsonValue
from gleaner.results.records import place_of_records, records_of

UNPROVEN = "_unproven"
"""The field, or column, that names them: pointers within the record."""


def unproven_of(result: ExtractionResult) -> list[list[str]]:
    """Give for each record of a result the pointers, within the record, of values that are there without proof."""
    records, _ = records_of(result)
    found: list[list[str]] = [[] for _ in records]
    place = place_of_records(result)
    for entry in result.provenance:
        if entry.status != "ungrounded" or value_at(result.data, entry.pointer) is None:
            continue
        steps = read_pointer(entry.pointer)
        if place is None and found:
            found[0].append(entry.pointer)
        elif place is not None and steps[: len(place)] == place and steps[len(place) :][:1]:
            found[int(steps[len(place)])].append(pointer_of(steps[len(place) + 1 :]))
    return found


def marked(record: JsonValue, unproven: Sequence[str]) -> JsonValue:
    """Give a record with the field that names its unproven values, if it has any.

    >>> marked({"name": "Jug", "price": 5}, ["/price"])
    {'name': 'Jug', 'price': 5, '_unproven': ['/price']}
    """
    return {**record, UNPROVEN: [*unproven]} if unproven and isinstance(record, dict) else record


def marked_records(result: ExtractionResult) -> list[JsonValue]:
    """Give a result's records as they are exported, with their marks."""
    return [marked(*one) for one in zip(records_of(result)[0], unproven_of(result), strict=True)]


def marked_item(item: JsonObject) -> JsonValue:
    """Give the record of an aggregate's ``{record, pages, unproven}`` as it is exported."""
    unproven = item.get("unproven")
    return marked(item["record"], [str(one) for one in unproven] if isinstance(unproven, list) else [])
