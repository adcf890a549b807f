"""Replace values without proof: by null, by nothing, or with the list item that needs them (PR-2, PR-7)."""

import copy
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from gleaner.contracts.json_pointers import pointer_of, read_pointer
from gleaner.contracts.json_pointers import value_at as value_at_pointer
from gleaner.contracts.models import ProvenanceEntry
from gleaner.contracts.ports import JsonValue
from gleaner.schemas.leaves import CONTEXT, Schema, SchemaViews, Steps, as_list, field_at

Mode = Literal["null", "flag", "keep"]


@dataclass(frozen=True, slots=True)
class DroppedRecord:
    """A record that was invented: where it stood in the data that came in, and what it said."""

    pointer: str
    value: JsonValue


@dataclass(frozen=True, slots=True)
class WithheldItem:
    """A list item whose required value was refused or not given: where the item stood, and what it said.

    ``leaf`` is where that value would stand, with ``-`` in place of the item's number. ``entries`` are those of the
    refused values, none where the model gave no value.
    """

    pointer: str
    value: JsonValue
    leaf: str
    reason: str
    entries: tuple[ProvenanceEntry, ...] = ()


class Rejection(NamedTuple):
    """The data after the rejection, its provenance, the invented records, and the pointers kept for want of null."""

    data: JsonValue
    entries: tuple[ProvenanceEntry, ...]
    dropped: tuple[DroppedRecord, ...] = ()
    flagged: tuple[str, ...] = ()
    withheld: tuple[WithheldItem, ...] = ()


def reject_ungrounded(
    data: JsonValue,
    entries: Sequence[ProvenanceEntry],
    schema: Schema | None = None,
    mode: Mode = "null",
) -> Rejection:
    """Take what is not proven out of the data; the data that came in stays as it is.

    In mode ``null`` an ungrounded leaf becomes null where the schema allows it, and is left out where the property is
    optional or the array may be shorter. Else the smallest list item around it is withheld, and so is one that lacks a
    required value; outside of lists the leaf stays and is flagged. A record of an array of which nothing is proven
    but what it shares with others is dropped. Pointers of the entries fit the new data; the entry of a value taken
    out of an array points past its end (``/tags/-``, RFC 6901). The modes ``flag`` and ``keep`` change nothing.
    """
    ungrounded = [entry for entry in entries if entry.status == "ungrounded"]
    if mode != "null":
        flagged = tuple(entry.pointer for entry in ungrounded) if mode == "flag" else ()
        return Rejection(data, tuple(entries), flagged=flagged)
    lacking = _items_lacking(schema, data)
    if not ungrounded and not lacking:
        return Rejection(data, tuple(entries))
    views = SchemaViews(schema)
    plan = plan_removals(data, ungrounded, find_invented(data, entries), views)
    plan |= {item: "withhold" for item in lacking if plan.get(item) != "drop"}
    before = {_record_of(tuple(read_pointer(pointer))) for pointer in _broken(schema, data)} if plan else set()
    for _ in range(3):
        outcome, tree = _remove(data, entries, plan, lacking)
        broken = _broken(schema, outcome.data) if plan else ()
        if not broken or (changed := _without(plan, broken, tree, before)) == plan:
            return outcome
        plan = changed
    return _remove(data, entries, {steps: action for steps, action in plan.items() if action == "withhold"}, lacking)[0]


def _items_lacking(schema: Schema | None, data: JsonValue) -> dict[Steps, Steps]:
    """Give the list items that lack a required value, or have null in its place, with the steps to that place."""
    if schema is None or isinstance(schema, bool):
        return {}
    from gleaner.schemas import violations

    views = SchemaViews(schema)
    found: dict[Steps, Steps] = {}
    for fault in violations(schema, data, most=_MOST_FAULTS):
        if fault.keyword == "required":
            place = _required_in(data, read_steps(data, fault.pointer), views)
            item = _item_around(place)
        elif fault.keyword in _SAYS_KIND and _is_null_at(data, fault.pointer):
            place = read_steps(data, fault.pointer)
            item = _item_around(place) if views.is_required(field_at(place)) else None
        else:
            continue
        if item is not None:
            found.setdefault(item, place)
    return found


_MOST_FAULTS = 100_000
_SAYS_KIND = ("type", "enum", "const", "anyOf", "oneOf", "allOf")


def _required_in(data: JsonValue, steps: Steps, views: SchemaViews) -> Steps:
    """Give the steps to the first property that an object lacks."""
    given: Any = value_at(data, steps)
    names = (name for view in views.of(field_at(steps)) for name in as_list(view.get("required")))
    return *steps, next((str(name) for name in names if name not in given), "")


def _is_null_at(data: JsonValue, pointer: str) -> bool:
    return pointer != "" and value_at_pointer(data, pointer) is None


def _item_around(steps: Steps) -> Steps | None:
    """Give the smallest list item around a leaf; None where it is in none. An element of a list is a leaf itself."""
    depth = next((at for at in range(len(steps) - 1, 0, -1) if isinstance(steps[at - 1], int)), 0)
    return steps[:depth] or None


Action = Literal["null", "remove", "drop", "withhold"]
_WHOLE: tuple[Action, ...] = ("drop", "withhold")
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
    """Give what is to be done with each ungrounded leaf, each invented record, and each item to withhold.

    A leaf left out stays as it is.
    """
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
        elif (item := _item_around(steps)) is not None:
            plan[item] = "withhold"
    return plan


def _remove(
    data: JsonValue, entries: Sequence[ProvenanceEntry], plan: Plan, lacking: Mapping[Steps, Steps]
) -> tuple[Rejection, "_Tree"]:
    tree = _Tree(data)
    whole = [steps for steps, action in plan.items() if action in _WHOLE and not _gone_with(steps[:-1], plan)]
    for steps, action in plan.items():
        if action not in _WHOLE:
            tree.replace(steps, None if action == "null" else _GONE)
    for steps in whole:
        tree.replace(steps, _GONE)
    changed = tree.finish()
    moved: list[ProvenanceEntry] = []
    flagged: list[str] = []
    refused: dict[Steps, list[tuple[Steps, ProvenanceEntry]]] = {}
    for entry in entries:
        steps = read_steps(data, entry.pointer)
        gone = _gone_with(steps, plan)
        if gone is not None:
            if plan[gone] == "withhold" and entry.status == "ungrounded":
                refused.setdefault(gone, []).append((steps, entry))
            continue
        moved.append(_move(entry, steps, plan, tree))
        if entry.status == "ungrounded" and steps not in plan:
            flagged.append(moved[-1].pointer)
    dropped, withheld = list[DroppedRecord](), list[WithheldItem]()
    for steps in sorted(whole, key=_order):
        if plan[steps] == "drop":
            dropped.append(DroppedRecord(pointer_of(steps), value_at(data, steps)))
        else:
            withheld.append(_withheld(data, steps, refused.get(steps, []), lacking.get(steps), tree))
    return Rejection(changed, tuple(moved), tuple(dropped), tuple(flagged), tuple(withheld)), tree


NOT_GIVEN = "the model gave no value"


def _withheld(
    data: JsonValue,
    item: Steps,
    refused: Sequence[tuple[Steps, ProvenanceEntry]],
    lacking: Steps | None,
    tree: "_Tree",
) -> WithheldItem:
    """Give a withheld item, whose values have pointers past the end of its list."""
    place = (*tree.moved(item)[:-1], "-")
    entries = tuple(
        entry.model_copy(update={"pointer": pointer_of((*place, *steps[len(item) :]))}) for steps, entry in refused
    )
    if entries:
        leaf, reason = entries[0].pointer, entries[0].reason or ""
    else:
        leaf, reason = pointer_of((*place, *(lacking or item)[len(item) :])), NOT_GIVEN
    return WithheldItem(pointer_of(item), value_at(data, item), leaf, reason, entries)


def _order(steps: Steps) -> tuple[tuple[bool, int, str], ...]:
    return tuple((isinstance(step, str), step if isinstance(step, int) else 0, str(step)) for step in steps)


def _gone_with(steps: Steps, plan: Plan) -> Steps | None:
    """Give what a leaf is taken out with, the largest of several; None where it stays."""
    return next((steps[:at] for at in range(1, len(steps) + 1) if plan.get(steps[:at]) in _WHOLE), None)


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
    from gleaner.schemas import violations

    return tuple(found.pointer for found in violations(schema, data))


def _without(plan: Plan, broken: Sequence[str], tree: "_Tree", before: set[tuple[str, ...]]) -> dict[Steps, Action]:
    """Give the plan with the records withheld that it breaks the schema of; none is dropped if a list breaks.

    What is withheld stays so: a list that is too short then is an answer that breaks the schema.
    """
    records = {_record_of(tuple(read_pointer(pointer))) for pointer in broken}
    changed: dict[Steps, Action] = {}
    for steps, action in plan.items():
        own = () if action == "drop" else _record_of(tuple(map(str, steps)))
        is_broken = (() if action == "drop" else _record_of(tuple(map(str, tree.moved(steps))))) in records
        if action == "withhold" or own in before or not is_broken:
            changed[steps] = action
        elif action != "drop" and (item := _item_around(steps)) is not None:
            changed[item] = "withhold"
    return changed


def _record_of(steps: tuple[str, ...]) -> tuple[str, ...]:
    """Give the path up to the first array index; the empty path when there is none."""
    first = next((depth for depth, step in enumerate(steps) if step.isdecimal()), None)
    return () if first is None else steps[: first + 1]
