"""Records over several pages: where a result has them, which are the same, and what of them is unproven (AG-1)."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Literal

from gleaner.contracts.errors import InvalidSchema
from gleaner.contracts.json_pointers import pointer_of, read_pointer, value_at
from gleaner.contracts.json_text import canonical
from gleaner.contracts.models import ExtractionResult
from gleaner.contracts.ports import JsonObject, JsonValue
from gleaner.results.exports import column_names
from gleaner.schemas import declared_properties, record_path

Dedupe = Literal["exact", "keys", "none"]

PAGES_PER_RECORD = 50
"""Pages listed with one record at the most."""

MAX_OTHER_FIELDS = 3
"""Fields beside the list of an object that came without a schema; with more of them it is itself the record."""


@dataclass(frozen=True, slots=True)
class Sameness:
    """What makes a record the same as another one."""

    dedupe: Dedupe = "exact"
    keys: tuple[str, ...] = ()

    @property
    def fills(self) -> bool:
        """Whether a record that is found again gets the fields that it lacks: then it may not be equal to the other."""
        return self.dedupe == "keys"

    def identity(self, record: JsonValue, page: str, position: int) -> str:
        """Give a text that is the same for the same record; one without any of the key fields is taken as a whole."""
        if self.dedupe == "none":
            return canonical([record, page, position])
        if self.dedupe == "keys" and isinstance(record, dict):
            values = [record.get(name) for name in self.keys]
            if any(value is not None for value in values):
                return f"keys {canonical(values)}"
        return canonical(record)


def sameness_of(described: JsonObject) -> Sameness:
    """Read the rule that an aggregate was begun with; ``exact`` where there is none."""
    keys = described.get("dedupe_keys")
    names = tuple(str(name) for name in keys) if isinstance(keys, list) else ()
    match described.get("dedupe"):
        case "keys" if names:
            return Sameness("keys", names)
        case "none":
            return Sameness("none")
        case _:
            return Sameness()


def filled(known: JsonValue, other: JsonValue) -> JsonValue:
    """Give the record with the fields that it lacks from another one.

    >>> filled({"a": 1, "b": None}, {"a": 2, "b": 3})
    {'a': 1, 'b': 3}
    """
    if not isinstance(known, dict) or not isinstance(other, dict):
        return known
    return {**known, **{name: value for name, value in other.items() if known.get(name) is None}}


def joined(known: JsonObject, new: JsonObject, *, fills: bool) -> JsonObject:
    """Give a stored ``{record, pages}`` with the pages of another one, and with ``fills`` the fields that it lacks.

    What one page left ``unproven`` and another one proves is proven.
    """
    record = filled(known["record"], new["record"]) if fills else known["record"]
    pages, more = _list(known.get("pages")), _list(new.get("pages"))
    urls = [one.get("url") for one in pages if isinstance(one, dict)]
    added = [one for one in more if isinstance(one, dict) and one.get("url") not in urls]
    item: JsonObject = {"record": record, "pages": [*pages, *added][: max(PAGES_PER_RECORD, len(pages))]}
    unproven = _still_unproven(known, new, fills=fills)
    if unproven:
        item["unproven"] = unproven
    return item


def _still_unproven(known: JsonObject, new: JsonObject, *, fills: bool) -> list[JsonValue]:
    """Give the pointers of values that no page proves: in both where they say the same, and what the new one fills."""
    before, after = _list(known.get("unproven")), _list(new.get("unproven"))

    def is_there(item: JsonObject, pointer: JsonValue) -> bool:
        return value_at(item["record"], str(pointer)) is not None

    def is_proven_by_new(pointer: JsonValue) -> bool:
        same = value_at(known["record"], str(pointer)) == value_at(new["record"], str(pointer))
        return same and pointer not in after

    filled_in = [one for one in after if fills and not is_there(known, one)]
    return [*(one for one in before if not is_proven_by_new(one)), *filled_in]


def _list(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else []


def records_of(result: ExtractionResult) -> tuple[list[JsonValue], str]:
    """Give a result's records, and what its schema calls them ("products", or "records" where it says nothing)."""
    data = result.data
    if isinstance(data, list):
        return list(data), "records"
    if not isinstance(data, dict):
        return ([] if data in (None, "") else [data]), "records"
    names = place_of_records(result) or []
    found: JsonValue = data
    for name in names:
        found = found.get(name) if isinstance(found, dict) else None
    if names and (found is None or isinstance(found, list)):
        return list(found or []), names[-1]
    return ([data] if data else []), "records"


def place_of_records(result: ExtractionResult) -> list[str] | None:
    """Give the steps that lead to the list of records; None where the data is itself the one record."""
    data = result.data
    if isinstance(data, list):
        return []
    return (_names_of_list(result.schema_used, data) or None) if isinstance(data, dict) else None


def _names_of_list(schema: dict[str, Any] | bool | None, data: JsonObject) -> list[str]:
    """Give the names that lead to the list of records; none when the object is itself the record."""
    if isinstance(schema, dict):
        path = record_path(schema)
        return read_pointer(path.pointer) if path else []
    lists = [name for name, value in data.items() if isinstance(value, list)]
    return lists if len(lists) == 1 and len(data) <= 1 + MAX_OTHER_FIELDS else []


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


def columns_of(result: ExtractionResult) -> list[str]:
    """Give the columns of a result's records: the fields that the schema names, in its order, then what else they have.

    So a file has the same columns whatever the page leaves out, a file without a record too.
    """
    schema, named = result.schema_used, dict[str, Any]()
    with suppress(InvalidSchema):
        path = record_path(schema) if isinstance(schema, dict) else None
        named = declared_properties(path.item_schema if path else schema or {})
    records = marked_records(result)
    return [*dict.fromkeys([*named, *(column_names(records) if records else [])])]


def marked_item(item: JsonObject) -> JsonValue:
    """Give the record of an aggregate's ``{record, pages, unproven}`` as it is exported."""
    unproven = item.get("unproven")
    return marked(item["record"], [str(one) for one in unproven] if isinstance(unproven, list) else [])
