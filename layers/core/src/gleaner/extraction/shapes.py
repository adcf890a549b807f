"""An answer read as JSON and brought into the schema's shape: out of its envelope, its values coerced, its faults."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from gleaner.coercion import coerce
from gleaner.contracts.json_pointers import pointer_of, read_pointer, value_at
from gleaner.contracts.json_text import canonical
from gleaner.contracts.ports import JsonObject, JsonValue
from gleaner.extraction.prompts import DATA, SKIPPED, echoes_fence, name_of_number
from gleaner.results.answer_json import Answer, UnreadableAnswer, read_answer
from gleaner.results.answer_tables import read_table_answer
from gleaner.results.naive_times import GONE, each_once, lacks_offset, replaced
from gleaner.results.record_lists import unquoted
from gleaner.results.refused import Refusals, refusal
from gleaner.schemas import (
    Violation,
    declared_properties,
    drop_undeclared,
    drop_unnamed,
    is_valid,
    named_as_declared,
    record_path,
    violations,
)
from gleaner.schemas.leaves import SchemaViews, iterate_leaves
from gleaner.schemas.validation import MAX_VIOLATIONS

EMPTY_TEXT = "an empty text is not a value; give the text as the page has it"

_MOST_MENDS = 50
_MOST_ENVELOPES = 3


@dataclass(frozen=True, slots=True)
class Unwrapped:
    """The data of an answer, and the unit numbers that it says hold no record."""

    data: JsonValue
    skipped: frozenset[int] = frozenset()


def unwrap(value: JsonValue, schema: Any) -> Unwrapped:
    """Take the data out of its envelope; data that came without one is taken as it is (LB-2).

    Where the caller's own schema has a property ``data``, an answer that is an instance of it as it stands is bare.
    """
    value = _arguments(value, schema)
    if not (isinstance(value, dict) and DATA in value and set(value) <= {DATA, SKIPPED}):
        if not isinstance(value, dict) or SKIPPED not in value or SKIPPED in declared_properties(schema):
            return Unwrapped(_opened(value, schema))
        # the data stands under a name of the model's own
        others = {name: part for name, part in value.items() if name != SKIPPED}
        return Unwrapped(_opened(others, schema), _numbers(value[SKIPPED]))
    inner = Unwrapped(_opened(value[DATA], schema), _numbers(value.get(SKIPPED)))
    if DATA in declared_properties(schema):
        is_bare = is_valid(schema, coerce(schema, value).value) and not is_valid(
            schema, coerce(schema, inner.data).value
        )
        return Unwrapped(value) if is_bare else inner
    return inner


_CALL, _ARGUMENTS = frozenset({"id", "type", "index", "name"}), ("arguments", "parameters", "input")


def _arguments(value: JsonValue, schema: Any) -> JsonValue:
    """Give the arguments of an answer that is written as one call of a tool; any other as it is.

    >>> _arguments({"name": "extract", "arguments": '{"data": [1]}'}, {})
    {'data': [1]}
    """
    path, call = record_path(schema), value
    own = {*declared_properties(schema), *(declared_properties(path.item_schema) if path else ())}
    for box in ("tool_calls", "function_call", "function"):
        inner = call.get(box) if isinstance(call, dict) and box not in own and len(call) <= len(_CALL) else None
        call = inner[0] if isinstance(inner, list) and len(inner) == 1 else inner if isinstance(inner, dict) else call
    if isinstance(call, list) and len(call) == 1:
        call = call[0]
    given = [name for name in _ARGUMENTS if isinstance(call, dict) and name in call and name not in own]
    if not isinstance(call, dict) or len(given) != 1 or not call.keys() <= _CALL | {given[0]}:
        return value
    if not isinstance(call.get("name"), str):
        return value
    inner = unquoted(call[given[0]], {"type": ["array", "object"]})
    return inner if isinstance(inner, dict | list) else value


def _opened(value: JsonValue, schema: Any) -> JsonValue:
    """Open envelopes of the model's own ({"result": ...}): boxes that name nothing of the schema and hold one value.

    >>> _opened({"status": "ok", "result": {"name": "Lamp"}}, {"properties": {"name": {}}})
    {'name': 'Lamp'}
    """
    value = named_as_declared(schema, unquoted(value, schema))
    path = record_path(schema)
    records = set(declared_properties(path.item_schema)) if path else set[str]()
    own = set(declared_properties(schema))
    for _ in range(_MOST_ENVELOPES):
        if not own | records or not isinstance(value, dict) or _is_data(value, own, records):
            return value
        inner = [part for part in value.values() if isinstance(part, dict | list)]
        if len(inner) != 1:
            return value
        value = inner[0]
    return value


def _is_data(value: JsonObject, own: set[str], of_records: set[str]) -> bool:
    """Tell whether an object names what the schema, or a record, does.

    An envelope may by chance, such as {"status": "ok", "result": [...]}: then what is inside names more of it.
    """
    named = of_records & set(value)
    if not named or own & set(value):
        return bool(own & set(value))
    parts = (part for part in value.values() if isinstance(part, dict | list))
    firsts = (part if isinstance(part, dict) else next(iter(part), None) for part in parts)
    inside = [set(first) for first in firsts if isinstance(first, dict)]
    return not any(own & names or len(of_records & names) > len(named) for names in inside)


def _numbers(value: JsonValue) -> frozenset[int]:
    listed = value if isinstance(value, list) else []
    whole = (item for item in listed if isinstance(item, int | str) and not isinstance(item, bool))
    return frozenset(int(item) for item in whole if str(item).isdigit() and len(str(item)) < 10)


@dataclass(frozen=True, slots=True)
class Checked:
    """A value after coercion and removal of fields that the schema does not allow, with what is still wrong."""

    value: JsonValue
    faults: tuple[Violation, ...] = ()


def says_nothing(value: JsonValue) -> bool:
    """Tell whether nothing is said: null, or an object or list of nothing but nulls and empties.

    >>> says_nothing({"name": None, "tags": []}), says_nothing({"stock": False})
    (True, False)
    """
    if isinstance(value, dict):
        return all(says_nothing(inner) for inner in value.values())
    if isinstance(value, list):
        return all(says_nothing(inner) for inner in value)
    return value is None or value == ""


def empty_required(value: JsonValue, views: SchemaViews) -> list[str]:
    """Give the pointers of required fields that hold an empty text: it is no value, and worth one more question."""
    return [leaf.pointer for leaf in iterate_leaves(value, views) if leaf.value == "" and views.is_required(leaf.field)]


def check(schema: Any, value: JsonValue, *, is_part: bool = False, base_url: str | None = None) -> Checked:
    """Coerce and validate a value, without fields beyond the schema's, items given twice and nulls that it refuses.

    Models are told to say null for what the page does not state. Of a part of a larger instance, what is absent is no
    fault, and neither is a date-time without an offset: pages seldom state one, and no question brings it forth.
    Relative addresses are resolved against ``base_url``.
    """
    coerced = drop_undeclared(schema, coerce(schema, named_as_declared(schema, value), base_url=base_url).value)
    found = _but_for_naive_times(violations(schema, coerced), coerced)
    twice = [read_pointer(fault.pointer) for fault in found if fault.keyword == "uniqueItems"]
    for steps in twice:
        coerced = replaced(coerced, steps, each_once(value_at(coerced, pointer_of(steps))))
    found = _but_for_naive_times(violations(schema, coerced), coerced) if twice else found
    for place, refused in _nulls_by_place(coerced, found).items():
        shorter = _without_nulls(coerced, place, refused)
        left = _but_for_naive_times(violations(schema, shorter), shorter)
        if is_part or len(left) < len(found):
            coerced, found = shorter, left
    if found:
        named = drop_unnamed(schema, coerced)
        left = _but_for_naive_times(violations(schema, named), named) if named != coerced else found
        if len(left) < len(found):
            coerced, found = named, left
    return Checked(coerced, _faults(found, is_part=is_part))


Steps = tuple[str, ...]


def _nulls_by_place(value: JsonValue, found: Sequence[Violation]) -> dict[Steps, frozenset[Steps] | None]:
    """Give the nulls that the schema refuses by their place in it, the numbers of items left open: ("tags", "*").

    None stands for all nulls of the place, where there are more faults than are told. What stands in one place is taken
    out together: a list may hold thousands.
    """
    groups: dict[Steps, set[Steps]] = {}
    for fault in found:
        steps = tuple(read_pointer(fault.pointer))
        if steps and value_at(value, fault.pointer) is None:
            place = tuple("*" if step.isdigit() else step for step in steps)
            if place in groups or len(groups) < _MOST_MENDS:
                groups.setdefault(place, set()).add(steps)
    is_all = len(found) < MAX_VIOLATIONS
    return {place: frozenset(refused) if is_all else None for place, refused in groups.items()}


def _without_nulls(value: JsonValue, place: Steps, refused: frozenset[Steps] | None, at: Steps = ()) -> JsonValue:
    """Give a value without the nulls of a place that are refused.

    >>> _without_nulls({"tags": ["a", None, None]}, ("tags", "*"), frozenset([("tags", "1")]))
    {'tags': ['a', None]}
    """
    step, rest = place[0], place[1:]

    def kept(inner: JsonValue, name: str) -> JsonValue:
        if (step != name and not (step == "*" and name.isdigit())) or (not rest and inner is not None):
            return inner
        if rest:
            return _without_nulls(inner, rest, refused, (*at, name))
        return GONE if refused is None or (*at, name) in refused else inner

    if isinstance(value, dict):
        inside = {name: kept(inner, name) for name, inner in value.items()}
        return {name: inner for name, inner in inside.items() if inner is not GONE}
    if isinstance(value, list):
        return [inner for n, one in enumerate(value) if (inner := kept(one, str(n))) is not GONE]
    return value


def _but_for_naive_times(found: Sequence[Violation], value: JsonValue) -> list[Violation]:
    return [one for one in found if not lacks_offset(one, value)]


def _faults(found: Sequence[Violation], *, is_part: bool) -> tuple[Violation, ...]:
    return tuple(fault for fault in found if not (is_part and fault.keyword in _OF_THE_WHOLE))


_OF_THE_WHOLE = frozenset({"required", "minItems", "minProperties", "dependentRequired", "contains", "minContains"})


def mend(schema: Any, checked: Checked, *, is_part: bool = False) -> tuple[JsonValue, Refusals] | None:
    """Give the value without what breaks the schema in it, and that; None when that is not enough.

    The last resort after asking again: one bad field is no reason to lose the record that it stands in.
    """
    value, dropped = checked.value, Refusals()
    for _ in range(_MOST_MENDS):
        found = _faults(violations(schema, value), is_part=is_part)
        if not found:
            return value, dropped
        mended = _without(schema, value, found[0])
        if mended is None:
            return None
        steps, left = mended
        dropped.append(refusal(pointer_of(steps), value_at(value, pointer_of(steps))))
        value = left
    return None


def mend_incomplete(schema: Any, checked: Checked) -> tuple[JsonValue, Refusals] | None:
    """Give a mended record that lacks only values which the schema requires: it will be withheld (PR-7)."""
    given = check(schema, checked.value, is_part=True)
    mended = mend(schema, given, is_part=True)
    if mended is None or any(fault.keyword != "required" for fault in violations(schema, mended[0])):
        return None
    return mended


def _without(schema: Any, value: JsonValue, fault: Violation) -> tuple[Sequence[str], JsonValue] | None:
    """Give the value with null in place of what is at fault, or without it, or an object at fault without one field.

    The steps lead to what was taken out.

    None when nothing helps.
    """
    before = len(violations(schema, value))
    for steps, new in _changes(value, read_pointer(fault.pointer)):
        candidate = replaced(value, steps, new)
        if candidate != value and len(violations(schema, candidate)) < before:
            return steps, candidate
    return None


def _changes(value: JsonValue, steps: Sequence[str]) -> Iterator[tuple[Sequence[str], JsonValue]]:
    if steps:
        yield steps, None
        yield steps, GONE
    at_fault = value_at(value, pointer_of(steps))
    for name in at_fault if isinstance(at_fault, dict) else ():
        yield (*steps, name), GONE


ECHO = "the answer repeats the lines around the page's text: give what the task asks for, and nothing of the prompt"
NO_SOUND_JSON = (
    'a part of the answer could not be read: give valid JSON, with \\" for each quotation mark within a text'
)
"""What the model is told of an answer of which the repair leaves something out."""

LOSSY = "chunk {}: the model's answer was no valid JSON, and a part of it could not be read"
"""What the caller is told where the model keeps to it."""


def read_sound_answer(text: str, schema: Any) -> Answer:
    """Give the JSON value of an answer as ``read_answer`` does; UnreadableAnswer where it echoes the prompt, too.

    A table under the names of the schema's fields is the list of its records.
    """
    try:
        read = read_answer(text)
    except UnreadableAnswer:
        path = record_path(schema)
        item_schema = path.item_schema if path else schema
        records = read_table_answer(text, {*declared_properties(item_schema), name_of_number(item_schema)})
        if records is None:
            raise
        read = Answer([*records], repaired=True)
    if echoes_fence(text) and echoes_fence(canonical(read.value)):
        raise UnreadableAnswer(ECHO)
    return read
