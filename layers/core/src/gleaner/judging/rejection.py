"""Replace values without proof: by null, by nothing, or kept with a flag (PR-2)."""

import copy
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from gleaner.contracts.json_pointers import pointer_of, read_pointer
from gleaner.contracts.models import ProvenanceEntry
from gleaner.contracts.ports import JsonValue
from gleaner.schemas.leaves import CONTEXT, Schema, SchemaViews, Steps, field_at

Mode = Literal["null", "flag", "keep"]


@dataclass(frozen=True, slots=True)
class DroppedRecord:
    """A record that was invented: where it stood in the data that came in, and what it said."""

    pointer: str
    value: JsonValue


class Rejection(NamedTuple):
    """The data after the rejection, its provenance, the invented records, and the pointers kept for want of null."""

    data: JsonValue
    entries: tuple[ProvenanceEntry, ...]
    dropped: tuple[DroppedRecord, ...] = ()
    flagged: tuple[str, ...] = ()


def reject_ungrounded(
    data: JsonValue,
    entries: Sequence[ProvenanceEntry],
    schema: Schema | None = None,
    mode: Mode = "null",
) -> Rejection:
    """Take what is not proven out of the data; the data that came in stays as it is.

    In mode ``null`` an ungrounded leaf becomes null where the schema allows it, is left out where the property is
    optional or the array may be shorter, else stays and is flagged. A record of an array of which nothing is proven
    but what it shares with others is dropped. Pointers of the entries fit the new data; the entry of a value taken
    out of an array points past its end (``/tags/-``, RFC 6901). The modes ``flag`` and ``keep`` change nothing.
    """
    ungrounded = [entry for entry in entries if entry.status == "ungrounded"]
    if mode != "null" or not ungrounded:
        flagged = tuple(entry.pointer for entry in ungrounded) if mode == "flag" else ()
        return Rejection(data, tuple(entries), flagged=flagged)
    views = SchemaViews(schema)
    plan = plan_removals(data, ungrounded, find_invented(data, entries), views)
    for _ in range(3):
        outcome, tree = _remove(data, entries, plan)
        broken = _broken(schema, outcome.data) if plan else ()
        if not broken:
            return outcome
        plan = _without(plan, broken, tree)
    return _remove(data, entries, {})[0]


Action = Literal["null", "remove", "drop"]
Plan = Mapping[Steps, Action]
_GONE = object()


def find_invented(data: JsonValue, entries: Sequence[ProvenanceEntry]) -> set[Steps]:
    """Give the array elements of which something is ungrounded and nothing is proven but shared context."""
    unproven: set[Steps] = set()
    proven: set[Steps] = set()
    for entry in entries:
        elements = _elements_around(data, read_steps(data, entry.pointer))
        if entry.status == "ungrounded":
            unproven.update(elements)
        elif entry.status in ("verbatim", "normalized") and not (entry.transform or "").startswith(CONTEXT):
            proven.update(elements)
    return unproven - proven


def _elements_around(data: JsonValue, steps: Steps) -> Iterator[Steps]:
    """Give the records around a leaf: objects that are elements of arrays, and the elements of a root array."""
    value: Any = data
    for depth, step in enumerate(steps):
        value = value[step]
        if isinstance(step, int) and (isinstance(value, dict) or depth == 0):
            yield steps[: depth + 1]


def plan_removals(
    data: JsonValue, ungrounded: Iterable[ProvenanceEntry], invented: set[Steps], views: SchemaViews
) -> dict[Steps, Action]:
    """Give what is to be done with each ungrounded leaf and each invented record; a leaf left out stays as it is."""
    plan: dict[Steps, Action] = dict.fromkeys(invented, "drop")
    for entry in ungrounded:
        steps = read_steps(data, entry.pointer)
        if any(steps[:depth] in invented for depth in range(1, len(steps) + 1)):
            continue
        field = field_at(steps)
        is_unnamed = bool(field) and views.is_unnamed(field) and not views.is_required(field)
        if views.allows_null(field) and not is_unnamed:
            plan[steps] = "null"
        elif steps and not views.is_required(field):
            plan[steps] = "remove"
    return plan


def _remove(data: JsonValue, entries: Sequence[ProvenanceEntry], plan: Plan) -> tuple[Rejection, "_Tree"]:
    tree = _Tree(data)
    dropped = [steps for steps, action in plan.items() if action == "drop" and not _is_below(steps, plan)]
    for steps, action in plan.items():
        if action != "drop":
            tree.replace(steps, None if action == "null" else _GONE)
    for steps in dropped:
        tree.replace(steps, _GONE)
    changed = tree.finish()
    moved: list[ProvenanceEntry] = []
    flagged: list[str] = []
    for entry in entries:
        steps = read_steps(data, entry.pointer)
        if plan.get(steps) == "drop" or _is_below(steps, plan):
            continue
        moved.append(_move(entry, steps, plan, tree))
        if entry.status == "ungrounded" and steps not in plan:
            flagged.append(moved[-1].pointer)
    records = tuple(DroppedRecord(pointer_of(steps), value_at(data, steps)) for steps in sorted(dropped, key=_order))
    return Rejection(changed, tuple(moved), records, tuple(flagged)), tree


def _order(steps: Steps) -> tuple[tuple[bool, int, str], ...]:
    return tuple((isinstance(step, str), step if isinstance(step, int) else 0, str(step)) for step in steps)


def _is_below(steps: Steps, plan: Plan) -> bool:
    return any(plan.get(steps[:depth]) == "drop" for depth in range(1, len(steps)))


def _move(entry: ProvenanceEntry, steps: Steps, plan: Plan, tree: "_Tree") -> ProvenanceEntry:
    moved = tree.moved(steps)
    if plan.get(steps) == "remove" and isinstance(steps[-1], int):
        moved = (*moved[:-1], "-")
    pointer = pointer_of(moved)
    return entry if pointer == entry.pointer else entry.model_copy(update={"pointer": pointer})


class _Tree:
    """A value changed in some places: only what lies on the way to them is copied."""

    def __init__(self, data: JsonValue) -> None:
        self._copies: dict[Steps, Any] = {(): copy.copy(data)}
        self._gone: dict[Steps, list[int]] = {}

    def replace(self, steps: Steps, value: Any) -> None:
        if not steps:
            self._copies[()] = None if value is _GONE else value
            return
        parent = self._writable(steps[:-1])
        if value is _GONE and isinstance(steps[-1], int):
            self._gone.setdefault(steps[:-1], []).append(steps[-1])
        elif value is _GONE:
            del parent[steps[-1]]
            return
        parent[steps[-1]] = value

    def _writable(self, steps: Steps) -> Any:
        for depth in range(1, len(steps) + 1):
            path = steps[:depth]
            if path not in self._copies:
                parent = self._copies[path[:-1]]
                self._copies[path] = parent[path[-1]] = copy.copy(parent[path[-1]])
        return self._copies[steps]

    def finish(self) -> JsonValue:
        for path, numbers in self._gone.items():
            numbers.sort()
            array = self._copies[path]
            array[:] = [item for item in array if item is not _GONE]
        return self._copies[()]

    def moved(self, steps: Steps) -> Steps:
        """Give where a path of the old value leads in the new one."""
        if not self._gone:
            return steps
        return tuple(
            step - bisect_left(self._gone.get(steps[:depth], ()), step) if isinstance(step, int) else step
            for depth, step in enumerate(steps)
        )


def value_at(data: JsonValue, steps: Steps) -> JsonValue:
    """Give the value at the end of a path."""
    value: Any = data
    for step in steps:
        value = value[step]
    return value


def read_steps(data: JsonValue, pointer: str) -> Steps:
    """Give the path of a pointer into the data, array indices as integers."""
    steps: list[str | int] = []
    value: Any = data
    for text in read_pointer(pointer):
        step: Any = int(text) if isinstance(value, list) else text
        steps.append(step)
        value = value[step]
    return tuple(steps)


def _broken(schema: Schema | None, data: JsonValue) -> tuple[str, ...]:
    """Give the pointers at which the data breaks the schema."""
    if schema is None or isinstance(schema, bool):
        return ()
    from gleaner.schemas import is_valid, violations

    return () if is_valid(schema, data) else tuple(found.pointer for found in violations(schema, data)) or ("",)


def _without(plan: Plan, broken: Sequence[str], tree: "_Tree") -> dict[Steps, Action]:
    """Give the plan without what it did to the records that now break the schema; none is dropped if a list breaks."""
    records = {_record_of(tuple(read_pointer(pointer))) for pointer in broken}
    list_breaks = () in records
    return {
        steps: action
        for steps, action in plan.items()
        if not (list_breaks if action == "drop" else _record_of(tuple(map(str, tree.moved(steps)))) in records)
    }


def _record_of(steps: tuple[str, ...]) -> tuple[str, ...]:
    """Give the path up to the first array index; the empty path when there is none."""
    first = next((depth for depth, step in enumerate(steps) if step.isdecimal()), None)
    return () if first is None else steps[: first + 1]
