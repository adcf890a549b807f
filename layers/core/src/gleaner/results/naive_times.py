"""Times and date-times without an offset, where the page states none: kept as they are, and named (SC-4)."""

import re
from collections.abc import Sequence
from copy import deepcopy
from typing import Any

from gleaner.contracts.json_pointers import read_pointer, value_at
from gleaner.contracts.json_text import canonical
from gleaner.contracts.ports import JsonValue
from gleaner.schemas import Violation, violations


def is_naive_time(value: JsonValue) -> bool:
    """Tell whether a text is a date with a time of day in ISO 8601 that says no offset from UTC.

    >>> is_naive_time("2026-03-05T19:30"), is_naive_time("2026-03-05T19:30:00Z"), is_naive_time("2026-03-05")
    (True, False, False)
    """
    return isinstance(value, str) and _NAIVE_TIME.fullmatch(value) is not None


def lacks_offset(fault: Violation, value: JsonValue) -> bool:
    """Tell whether all that a schema finds wrong with a time of day, or a date with one, is that it has no offset."""
    wrong = value_at(value, fault.pointer) if fault.keyword == "format" else None
    is_of_day = fault.message.endswith("'time'") and isinstance(wrong, str) and _OF_DAY.fullmatch(wrong) is not None
    return is_of_day or is_naive_time(wrong)


def settle_naive_times(schema: Any, value: JsonValue) -> tuple[JsonValue, dict[str, JsonValue]]:
    """Give the value with null in place of times without an offset where the schema wants one and takes null.

    The values taken out come with their pointers; what may not be null stays, and breaks the schema.
    """
    faults = violations(schema, value)
    naive = [fault.pointer for fault in faults if lacks_offset(fault, value)]
    without = _with_null(value, naive)
    still = {fault.pointer for fault in violations(schema, without)} if naive else set[str]()
    taken = [pointer for pointer in naive if pointer not in still]
    without = _with_null(value, taken) if still else without
    if not taken or len(violations(schema, without)) >= len(faults):
        return value, {}
    return without, {pointer: value_at(value, pointer) for pointer in taken}


def _with_null(value: JsonValue, pointers: Sequence[str]) -> JsonValue:
    """Give a copy with null at some places, made at once: lists of records have thousands."""
    changed = deepcopy(value) if pointers else value
    for pointer in pointers:
        *above, last = read_pointer(pointer) or ("",)
        holder: Any = changed
        for step in above:
            holder = holder[int(step)] if isinstance(holder, list) else holder[step]
        if isinstance(holder, list):
            holder[int(last)] = None
        elif isinstance(holder, dict):
            holder[last] = None
        else:
            changed = None
    return changed


def each_once(value: JsonValue) -> JsonValue:
    """Give a list of scalars without the items that it has before."""
    if not isinstance(value, list) or any(isinstance(item, dict | list) for item in value):
        return value
    return list({canonical(item): item for item in value}.values())


def replaced(value: JsonValue, steps: Sequence[str], new: JsonValue) -> JsonValue:
    """Give a copy with another value at the place; ``GONE`` takes a property out."""
    if not steps:
        return new
    step, rest = steps[0], steps[1:]
    if isinstance(value, dict) and step in value:
        if new is GONE and not rest:
            return {name: inner for name, inner in value.items() if name != step}
        return {**value, step: replaced(value[step], rest, new)}
    if isinstance(value, list) and step.isdigit() and int(step) < len(value):
        if new is GONE and not rest:
            return value[: int(step)] + value[int(step) + 1 :]
        return [replaced(inner, rest, new) if n == int(step) else inner for n, inner in enumerate(value)]
    return value


_OF_DAY = re.compile(r"(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?")
_NAIVE_TIME = re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?")


GONE: Any = object()
