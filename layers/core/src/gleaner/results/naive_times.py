"""Times and date-times without an offset, where the page states none: kept as they are, and named (SC-4)."""

import re
from collections.abc import Sequence
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
    taken: dict[str, JsonValue] = {}
    for fault in violations(schema, value):
        if lacks_offset(fault, value):
            candidate = replaced(value, read_pointer(fault.pointer), None)
            if len(violations(schema, candidate)) < len(violations(schema, value)):
                taken[fault.pointer] = value_at(value, fault.pointer)
                value = candidate
    return value, taken


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
