"""The fields that a page's own data or a recipe did not read: asked of the model alone, in one call (RC-5, RC-6).

The model is shown the part of the page where the records stand, with its unit numbers, and a schema that holds those
fields and one more by which its records are told apart. What it gives is joined with what was read, and the whole is
judged as any answer is.
"""

from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import replace
from typing import Any

from gleaner.chunking import MarkdownChunk, chunk_at
from gleaner.contracts.error_types import ErrorType
from gleaner.contracts.json_pointers import escape_step, read_pointer
from gleaner.contracts.models import ExtractionResult, Tier
from gleaner.contracts.ports import JsonObject, JsonValue
from gleaner.extraction import ChunkEnds, ChunkExtractionResult, chunk_tasks
from gleaner.jobs.content import Remaining
from gleaner.page.model import Part, Span
from gleaner.results.record_lists import find_records, rebuild
from gleaner.results.settling import shows_less_than_it_states, tell_unread
from gleaner.schemas import RecordPath, declared_properties, declared_types
from gleaner.structured import Certified
from gleaner.tiers.outcomes import read_outcome
from gleaner.tiers.recipe_tier import (
    TOKEN,
    Tried,
    assemble_outcome,
    in_order,
    name_of,
    replay_on,
    usable_replays,
    with_nulls,
)
from gleaner.tiers.unit_account import outcomes
from gleaner.tiers.unstated import fields_to_ask
from gleaner.tiers.work import Work
from gleaner.units import PlacedUnit
from gleaner.wrappers import RecipeBook, Replay, same_data

_LONG = 12
"""Characters of a value from which on leaving it out of a question saves anything."""
_OF_ANSWERS = frozenset({ErrorType.VALIDATION_ERROR, ErrorType.EMPTY_ANSWER, ErrorType.MISSING_UNITS})
"""What may be wrong with an answer about some fields; asked about the whole page, the model may do better."""


def ask_for_the_rest(work: Work, chunks: Sequence[MarkdownChunk], tried: Tried) -> bool:
    """Have a model asked about the fields alone that were not read; False where nothing of the page was.

    The tasks of the whole page are stored first, for the case that the model's answer can't be joined.
    """
    found = _best_read(work, tried)
    if found is None:
        return False
    remaining, read = found
    schema = remaining_schema(work, read, remaining.asked)
    places = _places(work, read, remaining)
    if schema is None or places is None:
        return False
    region = (places[0][0], max(end for _, end in places)) if places else (0, len(work.markdown))
    known = _known(work, read, places)
    content, request = work.content, work.plan.request
    config = request.config
    move = ChunkEnds(work.markdown, content.placed_units)
    borders = [place for place in region if 0 < place < len(work.markdown)]
    cut = chunk_at(work.markdown, borders, config.max_chunk_chars, config.overlap_lines, move=move)
    inside = [chunk for chunk in cut if region[0] <= chunk.start_char < region[1]]
    whole = _tasks(work, chunks, work.schema)
    rest = [
        replace(task, chunk_index=len(whole) + at, total_chunks=len(inside), known=_within(known, task))
        for at, task in enumerate(_tasks(work, inside, schema))
    ]
    if not rest:
        return False
    work.store.write_tasks([*whole, *rest])
    content.chunk_starts = [*(task.start_char for task in whole), *(task.start_char for task in rest)]
    content.asked = [task.chunk_index for task in rest]
    content.remaining = remaining.model_copy(update={"whole": [task.chunk_index for task in whole]})
    if remaining.own is None:
        reasons = "; ".join(f"{name_of(pointer)}: {why}" for pointer, why in read.unread.items())
        RecipeBook(work.services.table, work.plan.ref.tenant).note(
            remaining.strategy_id, "asked_in_part", f"{work.stored.source_url}: {reasons}"
        )
    return True


def _tasks(work: Work, chunks: Sequence[MarkdownChunk], schema: Any) -> list[Part]:
    return chunk_tasks(
        chunks,
        work.content.placed_units,
        query=work.plan.request.query,
        schema=schema,
        base_url=work.content.base_url,
    )


def _best_read(work: Work, tried: Tried) -> tuple[Remaining, Replay] | None:
    """Give what was read of the page that leaves the fewest fields to the model, and what that is to be asked."""
    known: list[tuple[Remaining, Replay]] = []
    if tried.own is not None and (own := _read_by(tried.own, work)) is not None:
        known.append((Remaining(asked=_to_ask(work, own), whole=[], own=tried.own), own))
    for (strategy_id, version), replayed in usable_replays(tried):
        asked = _to_ask(work, replayed)
        known.append((Remaining(asked=asked, whole=[], strategy_id=strategy_id, version=version), replayed))
    return min(known, key=lambda one: len(one[0].asked), default=None)


def _read_by(own: Certified, work: Work) -> Replay | None:
    """Give what the page's own data answers as a recipe would have read it."""
    data, path = own.result.data, work.records_at
    listing = find_records(data, path) if path is not None else None
    records = [data] if listing is None else listing.records
    if path is not None and len(records) != len(own.rows):
        return None
    pointers = {"".join(f"/{escape_step(step)}" for step in name.split(".")): why for name, why in own.unread.items()}
    return Replay(data, records, unread=pointers, absent=frozenset(pointers))


def _to_ask(work: Work, read: Replay) -> list[str]:
    """Give the pointers of the fields to ask about: all in doubt, and those that the layout may state."""
    absent = {name_of(pointer): pointer for pointer in read.unread if pointer in read.absent}
    unseen = {name_of(pointer): pointer for pointer in read.unseen}
    asked = {(absent | unseen)[name] for name in fields_to_ask(work, absent, unseen)}
    doubtful = [pointer for pointer in read.unread if pointer in asked or pointer not in read.absent]
    return [*doubtful, *(pointer for pointer in read.unseen if pointer in asked)]


def remaining_schema(work: Work, read: Replay, asked: Sequence[str]) -> Any:
    """Give the request's schema with no other fields than those to be asked about, and one that tells records apart.

    None where the schema refers to parts of itself, or no field that was read tells the records apart.
    """
    path = work.records_at
    within = [read_pointer(pointer) for pointer in asked if not pointer.startswith("^")]
    key = _key_of(read)
    if key is None:
        return None
    if path is None:
        return _restricted(work.schema, [read_pointer(key), *within])
    item = _restricted(path.item_schema, [read_pointer(key), *within])
    around = [pointer[2:].split("/")[0] for pointer in asked if pointer.startswith("^/")]
    steps = read_pointer(path.pointer)
    if item is None or (around and len(steps) != 1):
        return None
    made: JsonObject = {"type": "array", "items": item}
    for step in reversed(steps):
        outer = declared_properties(work.schema) if work.schema is not None and around else {}
        properties: JsonObject = {name: deepcopy(outer[name]) for name in around if name in outer}
        made = {"type": "object", "properties": {**properties, step: made}, "required": [step]}
    return made


def _restricted(schema: Any, wanted: Sequence[Sequence[str]]) -> Any:
    """Give the schema of an object with no other properties than those that the steps lead to; None without these."""
    properties = declared_properties(schema) if schema is not None else {}
    kept: dict[str, Any] = {}
    for name in dict.fromkeys(steps[0] for steps in wanted):
        inner = [steps[1:] for steps in wanted if steps[0] == name]
        own: Any = properties.get(name)
        is_object = own is not None and "object" in declared_types(own) and all(inner)
        kept[name] = _restricted(own, inner) if is_object else deepcopy(own)
    if not kept or None in kept.values() or "$ref" in str(kept):
        return None
    said = schema.get("required", []) if isinstance(schema, dict) else []
    required = [name for name in kept if name in said]
    return {"type": "object", "properties": kept, "required": required, "additionalProperties": False}


def _key_of(read: Replay) -> str | None:
    """Give the pointer of the value by which records are told apart best, of those that were read."""
    records = [dict(_scalars(record)) for record in read.records if isinstance(record, dict)]
    left = tuple(read.unread)
    counts = {
        pointer: len({str(record.get(pointer)) for record in records})
        for pointer in (records[0] if records else {})
        if not pointer.startswith(left) and all(record.get(pointer) is not None for record in records)
    }
    texts = {pointer for pointer in counts if all(isinstance(record[pointer], str) for record in records)}
    return max(counts, key=lambda pointer: (counts[pointer], pointer in texts), default=None)


def _scalars(record: JsonObject, prefix: str = "") -> Iterator[tuple[str, JsonValue]]:
    """Give the texts and numbers of a record and of the objects in it, with their pointers."""
    for name, value in record.items():
        pointer = f"{prefix}/{escape_step(name)}"
        if isinstance(value, dict):
            yield from _scalars(value, pointer)
        elif isinstance(value, str | int | float):
            yield pointer, value


def _places(work: Work, read: Replay, remaining: Remaining) -> list[Span] | None:
    """Give where the records stand in the page's Markdown; none where that is not known, None where it can't be."""
    if work.records_at is None or any(pointer.startswith("^") for pointer in read.unread):
        return []
    outcome, _ = next(_accounts(work, read, remaining), (None, ()))
    if outcome is None:
        return None
    spans = [span for span in outcome.record_spans if span is not None]
    return spans if len(spans) == len(read.records) and spans == sorted(spans) else []


def _known(work: Work, read: Replay, places: Sequence[Span]) -> list[Span]:
    """Give what need not be shown: the text between records, and long values that were read, but for the records' key.

    A record begins as it stands, at the start of a line, so that the numbers of the pieces find their places.
    """
    key, known, last = _key_of(read), list[Span](), 0
    for (start, end), record in zip(places, read.records if places else (), strict=True):
        line = work.markdown.rfind("\n", 0, start) + 1
        known += [(last, line)] if 0 < last < line else []
        text = work.markdown[start:end]
        said = [(pointer, value) for pointer, value in _scalars(record)] if isinstance(record, dict) else []
        long = [(pointer, value) for pointer, value in said if isinstance(value, str) and len(value) >= _LONG]
        taken = [(at, at + len(value)) for pointer, value in long if pointer == key and (at := text.find(value)) >= 0]
        for at, stop in sorted((at, at + len(value)) for _, value in long if (at := text.find(value)) > 0):
            if all(stop <= first or other <= at for first, other in taken):
                before = text[:at].rstrip(" ")
                is_line = before[-1:] == "\n" and text[stop : stop + 1] in ("\n", "")
                known.append((start + (len(before) - 1 if is_line else at), start + stop))
                taken.append((at, stop))
        last = work.markdown.find("\n", end) + 1 or end
    return known


def _within(known: Sequence[Span], task: Part) -> tuple[Span, ...]:
    return tuple(span for span in known if task.start_char <= span[0] and span[1] <= task.end_char)


def _accounts(
    work: Work, read: Replay, remaining: Remaining
) -> Iterator[tuple[ChunkExtractionResult, Sequence[PlacedUnit]]]:
    """Give the ways to account for the page's units, with these: those of its own data have been counted already."""
    if remaining.own is None:
        yield from ((one, work.content.placed_units) for one in outcomes(work, read))
        return
    rows = remaining.own.rows
    units = [PlacedUnit(0, at, *row, 1.0, "row") for at, row in enumerate(rows)]
    yield ChunkExtractionResult(data=read.data, record_spans=[*rows], answered=[*range(len(rows))]), units


def join_the_rest(work: Work) -> ExtractionResult | None:
    """Give what was read with the fields that the model was asked about; None when they can't be joined.

    Where the model could not be asked to the end, what was read is the result, and names what was not.
    """
    remaining = work.content.remaining
    read = _read_again(work, remaining) if remaining is not None else None
    if remaining is None or read is None:
        return None
    outcomes_read = [read_outcome(work.plan, index, work.services) for index in work.content.asked]
    errors = [error for one in outcomes_read for error in one.errors]
    if errors and all(error.error_type in _OF_ANSWERS for error in errors):
        return None
    data = with_nulls(work, read).data if errors else joined(work, read, remaining.asked, outcomes_read)
    if data is None:
        return None
    spent: dict[str, Any] = {
        "usage": sum((one.usage for one in outcomes_read[1:]), outcomes_read[0].usage),
        "warnings": [warning for one in outcomes_read for warning in one.warnings],
        "refused": [] if work.records_at is not None else [entry for one in outcomes_read for entry in one.refused],
        "errors": errors,
    }
    for outcome, units in _accounts(work, read, remaining):
        result = assemble_outcome(work, outcome.model_copy(update={"data": data, **spent}), units)
        found = result.completeness
        is_all = found.expected in (None, found.returned) or shows_less_than_it_states(result)
        if is_all and not found.missing:
            by: Tier = "recipe" if remaining.own is None else "structured"
            result.tier = by if errors else "model"
            result.field_tiers = _field_tiers(read, remaining.asked, by, was_answered=not errors)
            result.usage.saved_input_tokens = max(0, len(work.markdown) // TOKEN - result.usage.input_tokens)
            if errors:
                tell_unread(result, {name_of(pointer): why for pointer, why in read.unread.items()})
            else:
                left = [one for one in (*read.unread, *read.unseen) if one not in remaining.asked]
                result.completeness.unread = [*map(name_of, left)]
            return result
    return None


def _read_again(work: Work, remaining: Remaining) -> Replay | None:
    if remaining.own is not None:
        return _read_by(remaining.own, work)
    book = RecipeBook(work.services.table, work.plan.ref.tenant)
    kept = next((one for one in book.recipes(remaining.strategy_id) if one.version == remaining.version), None)
    replayed = replay_on(work, kept.recipe) if kept is not None else None
    return replayed if replayed is not None and not replayed.doubts else None


def joined(work: Work, read: Replay, asked: Sequence[str], answers: Sequence[ChunkExtractionResult]) -> JsonValue:
    """Give the data with the fields of both; None when the model's records are not those that were read."""
    path = work.records_at
    within = [read_pointer(pointer) for pointer in asked if not pointer.startswith("^")]
    nulled = with_nulls(work, read)
    if path is None:
        given = [one.data for one in answers if isinstance(one.data, dict)]
        if not given or not isinstance(nulled.data, dict):
            return None
        data = nulled.data
        for one in given:
            data = _overlaid(data, one, within)
        return in_order(data, declared_properties(work.schema) if work.schema is not None else ())
    key = _key_of(read)
    listings = [find_records(one.data, RecordPath(path.pointer, path.item_schema)) for one in answers]
    records = [record for one in listings if one is not None for record in one.records if isinstance(record, dict)]
    own = [record for record in nulled.records if isinstance(record, dict)]
    if key is None or len(own) < len(read.records) or len(records) != len(own):
        return None
    steps = read_pointer(key)
    if not all(same_data(_at(one, steps), _at(other, steps)) for one, other in zip(own, records, strict=True)):
        return None
    declared = declared_properties(path.item_schema)
    pairs = zip(own, records, strict=True)
    made: list[JsonValue] = [in_order(_overlaid(one, other, within), declared) for one, other in pairs]
    listing = find_records(nulled.data, path)
    outer = listing.outer if listing is not None else {}
    around = [pointer[2:].split("/")[0] for pointer in asked if pointer.startswith("^/")]
    told = {name: one.outer[name] for one in listings if one is not None for name in around if name in one.outer}
    return rebuild(path, {**outer, **told}, made)


def _overlaid(one: JsonObject, other: JsonObject, wanted: Sequence[Sequence[str]]) -> JsonObject:
    """Give an object with what another one says at some places, if that is anything.

    >>> _overlaid({"name": "Mug", "offer": {"price": 5}}, {"offer": {"price": 6, "unit": "each"}}, [["offer", "unit"]])
    {'name': 'Mug', 'offer': {'price': 5, 'unit': 'each'}}
    """
    made = dict(one)
    for name in dict.fromkeys(steps[0] for steps in wanted if steps[0] in other):
        inner = [steps[1:] for steps in wanted if steps[0] == name]
        mine, theirs = one.get(name), other[name]
        if all(inner) and isinstance(theirs, dict):
            made[name] = _overlaid(mine if isinstance(mine, dict) else {}, theirs, inner)
        elif theirs is not None or name not in one:
            made[name] = theirs
    return made


def _at(value: JsonValue, steps: Sequence[str]) -> JsonValue:
    for step in steps:
        value = value.get(step) if isinstance(value, dict) else None
    return value


def _field_tiers(read: Replay, asked: Sequence[str], by: Tier, *, was_answered: bool) -> dict[str, Tier]:
    """Name the tier that gave each field."""
    first = next((record for record in read.records if isinstance(record, dict)), {})
    tiers: dict[str, Tier] = {name: by for name in first if f"/{escape_step(name)}" not in read.unread}
    if was_answered:
        tiers.update({pointer.lstrip("^/"): "model" for pointer in asked})
    return tiers
