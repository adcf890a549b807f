"""What differs between what is known of a list and a new reading of it: new records, removed ones, other values (WA-1).

Pure code. Records are known again by a key that is chosen once: ids and addresses first, never figures that change.
What a reading did not bring, since it is not whole or not proven, stays as it was known.
"""

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from copy import deepcopy
from itertools import combinations
from typing import Any

from pydantic import BaseModel, Field

from gleaner.contracts.json_pointers import read_pointer
from gleaner.contracts.json_text import canonical
from gleaner.contracts.ports import JsonValue
from gleaner.sites.addresses import same_page
from gleaner.sites.visiting import without_views
from gleaner.values.names import name_words

Proof = dict[str, Any]
"""Where a value stands: its ``status`` and ``text``, the page's ``url``, ``job_id`` and the offsets."""

UNPROVEN = "ungrounded"
MOST_KEY_FIELDS = 12
"""Fields of which pairs are tried as a key."""

_IDS = frozenset({
    "id", "uid", "uuid", "guid", "sku", "ean", "gtin", "upc", "isbn", "issn", "asin", "mpn", "doi", "code", "key",
    "slug", "identifier", "reference", "ref", "number", "no", "url", "uri", "link", "href", "address", "permalink",
    "email",
})  # fmt: skip


class KeptRecord(BaseModel):
    """A record of a reading, and the proof of each of its leaves by pointer."""

    record: Any
    proof: dict[str, Proof] = Field(default_factory=dict[str, Proof])


class FieldChange(BaseModel):
    """A field with another value, both values with their proof."""

    field: str
    old: Any = None
    new: Any = None
    old_proof: Proof | None = None
    new_proof: Proof | None = None


class ChangedRecord(BaseModel):
    """A record of both readings whose fields differ."""

    key: dict[str, Any]
    record: Any
    fields: list[FieldChange]


class RecordChanges(BaseModel):
    """All differences between two readings, in the order of the newer one; what was removed in that of the older."""

    new: list[KeptRecord] = Field(default_factory=list[KeptRecord])
    changed: list[ChangedRecord] = Field(default_factory=list[ChangedRecord])
    removed: list[KeptRecord] = Field(default_factory=list[KeptRecord])

    @property
    def counts(self) -> dict[str, int]:
        """How many records are new, changed and removed."""
        return {"new": len(self.new), "changed": len(self.changed), "removed": len(self.removed)}

    def __bool__(self) -> bool:
        return any(self.counts.values())


class Reading(BaseModel):
    """The records of one reading. ``has_all`` tells that none is missing; ``is_read`` that a null is no gap of it.

    ``unread`` are the fields that were not read at all.
    """

    records: list[KeptRecord]
    has_all: bool = True
    is_read: bool = True
    unread: list[str] = Field(default_factory=list[str])

    def states(self, field: str, value: JsonValue, proof: Proof | None) -> bool:
        """Tell whether a value is what the page says: a refused one is not, and neither is one that was not read."""
        if proof is not None and proof.get("status") == UNPROVEN:
            return False
        names = read_pointer(field)
        return value is not None or (self.is_read and not (names and names[0] in self.unread))


def compare(
    known: Sequence[KeptRecord], reading: Reading, key: Sequence[str]
) -> tuple[RecordChanges, list[KeptRecord]]:
    """Compare a reading with what is known; give what has changed, and what is known now.

    >>> known, now = ([KeptRecord(record={"id": 1, "price": price})] for price in (5, 6))
    >>> changes, _ = compare(known, Reading(records=now), ["id"])
    >>> [(one.field, one.old, one.new) for one in changes.changed[0].fields]
    [('/price', 5, 6)]
    """
    is_one = len(known) == len(reading.records) == 1 and not key
    before = dict(zip(_names_of(known, key, is_one=is_one), known, strict=True))
    changes, now = RecordChanges(), dict[str, KeptRecord]()
    for name, found in zip(_names_of(reading.records, key, is_one=is_one), reading.records, strict=True):
        if name not in before:
            if has_key(found.record, key):
                changes.new.append(found)
                now[name] = found
            continue
        fields = list(_field_changes(before[name], found, reading))
        now[name] = _merged(before[name], found, reading)
        if fields:
            own = {one: found.record.get(one) for one in key} if isinstance(found.record, dict) else {}
            changes.changed.append(ChangedRecord(key=own, record=now[name].record, fields=fields))
    missing = {name: record for name, record in before.items() if name not in now}
    if reading.has_all and all(has_key(one.record, key) for one in reading.records):
        changes.removed = list(missing.values())
    else:
        now |= missing
    return changes, list(now.values())


def key_fields(records: Sequence[KeptRecord]) -> tuple[str, ...]:
    """Choose the fields by which records are known again; () where only the whole record does.

    An id or an address, else a text, else two of them that tell the records apart; figures change, and are no key.

    >>> key_fields([KeptRecord(record={"price": 5, "name": "A"}), KeptRecord(record={"price": 6, "name": "B"})])
    ('name',)
    """
    found: list[dict[str, Any]] = [one.record for one in records if isinstance(one.record, dict)]
    names = [name for name in dict.fromkeys(name for record in found for name in record) if _is_steady(name, found)]
    ranked = sorted(names, key=lambda name: not _is_id(name, found))[:MOST_KEY_FIELDS]
    for fields in (*((name,) for name in ranked), *combinations(ranked, 2)):
        if len({_name_of(record, fields) for record in found}) == len(found):
            return fields
    return tuple(ranked[:2])


def _is_id(name: str, records: Sequence[dict[str, Any]]) -> bool:
    """Tell whether a field holds ids or addresses, by its name or its values."""
    is_named = not _IDS.isdisjoint(name_words(name)[-1:])
    return is_named or all(str(record.get(name)).startswith(("http://", "https://")) for record in records)


def _is_steady(name: str, records: Sequence[dict[str, Any]]) -> bool:
    """Tell whether each record has a value of a field that is no figure, such as a price, a count or a day."""
    values = [record.get(name) for record in records]
    if not all(isinstance(value, str | int) and not isinstance(value, bool) and value != "" for value in values):
        return False
    return _is_id(name, records) or all(isinstance(value, str) and not _is_figure(value) for value in values)


def _is_figure(text: str) -> bool:
    digits = sum(map(str.isdigit, text))
    return digits > 0 and digits >= sum(map(str.isalpha, text))


def _names_of(records: Sequence[KeptRecord], key: Sequence[str], *, is_one: bool) -> list[str]:
    """Give what each record is called by its key; those that are called the same are numbered."""
    if is_one:
        return ["the only one"]
    seen: Counter[str] = Counter()
    names: list[str] = []
    for one in records:
        name = _name_of(one.record, key)
        names.append(f"{name} {seen[name]}")
        seen[name] += 1
    return names


def _name_of(record: Any, key: Sequence[str]) -> str:
    whole = record if not key or not isinstance(record, dict) else [record.get(name) for name in key]
    return canonical(_plain(whole))


def has_key(record: Any, key: Sequence[str]) -> bool:
    """Tell whether a record can be known again by a key: it has a value of one of the fields, or no field is named."""
    return not key or (isinstance(record, dict) and any(record.get(name) is not None for name in key))


def _plain(value: Any) -> Any:
    """Give a value in the form in which two that mean the same are equal: letters composed, addresses as pages."""
    if isinstance(value, str):
        text = " ".join(unicodedata.normalize("NFKC", value).split())
        return same_page(without_views(text)) if text.startswith(("http://", "https://")) else text
    if isinstance(value, dict):
        return {name: _plain(inner) for name, inner in value.items()}
    return [_plain(inner) for inner in value] if isinstance(value, list) else value


def _field_changes(old: KeptRecord, new: KeptRecord, reading: Reading) -> Iterator[FieldChange]:
    """Give the leaves that differ, both of whose values are what the page said."""
    before, after = dict(leaves(old.record)), dict(leaves(new.record))
    for field in dict.fromkeys([*before, *after]):
        was, now = before.get(field), after.get(field)
        proofs = old.proof.get(field), new.proof.get(field)
        is_old_proven = proofs[0] is None or proofs[0].get("status") != UNPROVEN
        if canonical(_plain(was)) != canonical(_plain(now)) and is_old_proven and reading.states(field, now, proofs[1]):
            yield FieldChange(field=field, old=was, new=now, old_proof=proofs[0], new_proof=proofs[1])


def _merged(old: KeptRecord, new: KeptRecord, reading: Reading) -> KeptRecord:
    """Give a record as it is known now: what the reading does not state stays as it was."""
    kept, proof = deepcopy(new.record), dict(new.proof)
    after = dict(leaves(new.record))
    for field, was in leaves(old.record):
        if field and not reading.states(field, after.get(field), new.proof.get(field)):
            _put(kept, read_pointer(field), was)
            proof.pop(field, None)
            proof |= {field: old.proof[field]} if field in old.proof else {}
    return KeptRecord(record=kept, proof=proof)


def _put(record: Any, steps: Sequence[str], value: JsonValue) -> None:
    for step in steps[:-1]:
        record = record.setdefault(step, {}) if isinstance(record, dict) else None
    if isinstance(record, dict):
        record[steps[-1]] = value


def leaves(value: JsonValue, pointer: str = "") -> Iterator[tuple[str, JsonValue]]:
    """Give the leaves of a record by pointer; a list is one leaf, since its items have no names."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from leaves(inner, f"{pointer}/{name.replace('~', '~0').replace('/', '~1')}")
    else:
        yield pointer, value


def proof_by_record(entries: Sequence[tuple[str, Proof]], prefix: str) -> dict[int, dict[str, Proof]]:
    """Sort proofs, given by pointer, to the records that they are of: ``{number: {pointer in the record: proof}}``."""
    found: defaultdict[int, dict[str, Proof]] = defaultdict(dict)
    for pointer, proof in entries:
        number, _, rest = pointer.removeprefix(prefix).lstrip("/").partition("/")
        if pointer.startswith(prefix) and number.isdigit():
            found[int(number)][f"/{rest}"] = proof
    return found
