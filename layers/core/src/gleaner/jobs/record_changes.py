"""What differs between two readings of the same records: new ones, removed ones, fields with another value (WA-1).

Pure code. Records are matched by a key: the fields that the caller names, or those that tell the records of both
readings apart.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, Field

from gleaner.contracts.json_text import canonical
from gleaner.contracts.ports import JsonValue

Proof = dict[str, Any]
"""Where a value stands: its ``status`` and ``text``, the page's ``url``, ``job_id`` and the offsets."""

UNPROVEN = "ungrounded"


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


@dataclass(frozen=True, slots=True)
class _Numbered:
    """The key of a record, and which of the records with that key it is."""

    text: str
    number: int


def compare(
    old: Sequence[KeptRecord], new: Sequence[KeptRecord], keys: Sequence[str] = (), *, is_whole: bool = True
) -> RecordChanges:
    """Compare two readings; where the newer one is not whole, nothing counts as removed.

    >>> old, new = [KeptRecord(record={"id": 1, "price": 5})], [KeptRecord(record={"id": 1, "price": 6})]
    >>> [(one.field, one.old, one.new) for one in compare(old, new).changed[0].fields]
    [('/price', 5, 6)]
    """
    names = tuple(keys) or key_fields(old, new)
    before = dict(zip(_numbered(old, names), old, strict=True))
    after = dict(zip(_numbered(new, names), new, strict=True))
    changes = RecordChanges()
    for key, record in after.items():
        known = before.get(key)
        if known is None:
            changes.new.append(record)
        elif fields := list(_field_changes(known, record)):
            changes.changed.append(ChangedRecord(key=_key(record.record, names), record=record.record, fields=fields))
    if is_whole:
        changes.removed = [record for key, record in before.items() if key not in after]
    return changes


def key_fields(old: Sequence[KeptRecord], new: Sequence[KeptRecord]) -> tuple[str, ...]:
    """Give the fields that tell the records of both readings apart; () where only the whole record does.

    Of the fields that do so alone the one with most values in common, then the first; else the first pair.
    """
    records = [[one.record for one in side if isinstance(one.record, dict)] for side in (old, new)]
    names = list(dict.fromkeys(name for side in records for record in side for name in record))
    singles = [(name,) for name in names]
    pairs = [(one, other) for at, one in enumerate(names) for other in names[at + 1 :]]
    for candidates in (singles, pairs):
        fitting = [fields for fields in candidates if all(_tells_apart(side, fields) for side in records)]
        if fitting:
            shared = [_in_common(records[0], records[1], fields) for fields in fitting]
            return fitting[shared.index(max(shared))]
    return ()


def _tells_apart(records: Sequence[dict[str, Any]], fields: tuple[str, ...]) -> bool:
    values = [[record.get(name) for name in fields] for record in records]
    if any(all(value is None for value in own) for own in values):
        return False
    return len({canonical(own) for own in values}) == len(values)


def _in_common(old: Sequence[dict[str, Any]], new: Sequence[dict[str, Any]], fields: tuple[str, ...]) -> int:
    sides = [{canonical([record.get(name) for name in fields]) for record in side} for side in (old, new)]
    return len(sides[0] & sides[1])


def _numbered(records: Sequence[KeptRecord], names: Sequence[str]) -> list[_Numbered]:
    seen: Counter[str] = Counter()
    numbered: list[_Numbered] = []
    for one in records:
        text = canonical(_key(one.record, names) if names else one.record)
        numbered.append(_Numbered(text, seen[text]))
        seen[text] += 1
    return numbered


def _key(record: Any, names: Sequence[str]) -> dict[str, Any]:
    return {name: record.get(name) for name in names} if isinstance(record, dict) else {}


def _field_changes(old: KeptRecord, new: KeptRecord) -> Iterator[FieldChange]:
    """Give the leaves that differ; a value that was refused for want of proof is no change."""
    before, after = dict(leaves(old.record)), dict(leaves(new.record))
    for field in dict.fromkeys([*before, *after]):
        was, now = before.get(field), after.get(field)
        proofs = old.proof.get(field), new.proof.get(field)
        if canonical(was) == canonical(now) or any(one is not None and one["status"] == UNPROVEN for one in proofs):
            continue
        yield FieldChange(field=field, old=was, new=now, old_proof=proofs[0], new_proof=proofs[1])


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
