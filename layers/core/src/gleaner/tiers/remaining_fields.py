"""The fields that a recipe can't read beyond doubt: asked of the model alone, for all records in one call (RC-5).

The model is shown the part of the page where the records stand, with its unit numbers, and a schema that holds those
fields and one more by which its records are told apart. What it gives is joined with what the recipe reads, and the
whole is judged as any answer is.
"""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from typing import Any

from gleaner.chunking import MarkdownChunk, chunk_at
from gleaner.contracts.json_pointers import read_pointer
from gleaner.contracts.models import ExtractionResult, Tier
from gleaner.contracts.ports import JsonObject, JsonValue
from gleaner.extraction import ChunkEnds, ChunkExtractionResult, chunk_tasks
from gleaner.jobs.content import Remaining
from gleaner.page.model import Part
from gleaner.results.record_lists import find_records, rebuild
from gleaner.schemas import RecordPath, declared_properties
from gleaner.tiers.outcomes import read_outcome
from gleaner.tiers.recipe_tier import TOKEN, KeptAs, Tried, assemble_outcome, replay_on
from gleaner.tiers.unit_account import outcomes
from gleaner.tiers.work import Work
from gleaner.wrappers import RecipeBook, Replay, same_data


def ask_for_the_rest(work: Work, chunks: Sequence[MarkdownChunk], tried: Tried) -> bool:
    """Have a model asked about the fields alone that a recipe of the page can't read; False when there is none such.

    ``tried`` are the recipes that gave no whole answer. The tasks of the whole page are stored first, for the case that
    the model's answer can't be joined.
    """
    found = _best_replay(tried)
    if found is None:
        return False
    kept, replayed = found
    schema = remaining_schema(work, replayed)
    region = _region(work, replayed)
    if schema is None or region is None:
        return False
    content, request = work.content, work.plan.request
    config = request.config
    move = ChunkEnds(work.markdown, content.placed_units)
    places = [place for place in region if 0 < place < len(work.markdown)]
    cut = chunk_at(work.markdown, places, config.max_chunk_chars, config.overlap_lines, move=move)
    inside = [chunk for chunk in cut if region[0] <= chunk.start_char < region[1]]
    whole = _tasks(work, chunks, work.schema)
    rest = [
        replace(task, chunk_index=len(whole) + at, total_chunks=len(inside))
        for at, task in enumerate(_tasks(work, inside, schema))
    ]
    if not rest:
        return False
    work.store.write_tasks([*whole, *rest])
    content.chunk_starts = [*(task.start_char for task in whole), *(task.start_char for task in rest)]
    content.asked = [task.chunk_index for task in rest]
    content.remaining = Remaining(strategy_id=kept[0], version=kept[1], whole=[task.chunk_index for task in whole])
    reasons = "; ".join(f"{name.lstrip('/^')}: {why}" for name, why in replayed.unread.items())
    RecipeBook(work.services.table, work.plan.ref.tenant).note(
        kept[0], "asked_in_part", f"{work.stored.source_url}: {reasons}"
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


def _best_replay(tried: Tried) -> tuple[KeptAs, Replay] | None:
    """Give the recipe that leaves the fewest fields to the model, of those that find the records beyond doubt."""
    usable = (
        (kept, replayed)
        for kept, replayed in tried.items()
        if replayed is not None and not replayed.doubts and replayed.unread and replayed.records
    )
    return min(usable, key=lambda one: len(one[1].unread), default=None)


def remaining_schema(work: Work, replayed: Replay) -> Any:
    """Give the request's schema with no other fields than those to be asked about, and one that tells records apart.

    None where the schema refers to parts of itself, or no field that was read tells the records apart.
    """
    path = work.records_at
    names = _names(replayed.unread)
    key = _key_of(replayed)
    if key is None:
        return None
    if path is None:
        return _restricted(work.schema, [key, *names])
    item = _restricted(path.item_schema, [key, *names])
    around = [pointer[2:].split("/")[0] for pointer in replayed.unread if pointer.startswith("^/")]
    steps = read_pointer(path.pointer)
    if item is None or (around and len(steps) != 1):
        return None
    made: JsonObject = {"type": "array", "items": item}
    for step in reversed(steps):
        outer = declared_properties(work.schema) if work.schema is not None and around else {}
        properties: JsonObject = {name: deepcopy(outer[name]) for name in around if name in outer}
        made = {"type": "object", "properties": {**properties, step: made}, "required": [step]}
    return made


def _names(unread: Mapping[str, str]) -> list[str]:
    """Give the properties of a record that hold fields which were not read."""
    within = (pointer for pointer in unread if not pointer.startswith("^"))
    return [*dict.fromkeys(read_pointer(pointer)[0] for pointer in within if pointer)]


def _restricted(schema: Any, names: Sequence[str]) -> Any:
    properties = declared_properties(schema) if schema is not None else {}
    kept: dict[str, Any] = {name: deepcopy(properties[name]) for name in names if name in properties}
    if len(kept) < len(names) or not kept or "$ref" in str(kept):
        return None
    wanted = schema.get("required", []) if isinstance(schema, dict) else []
    required = [name for name in names if name in wanted]
    return {"type": "object", "properties": kept, "required": required, "additionalProperties": False}


def _key_of(replayed: Replay) -> str | None:
    """Give the property by whose text records are told apart best, of those that were read."""
    records = [record for record in replayed.records if isinstance(record, dict)]
    left = {pointer.lstrip("/").split("/")[0] for pointer in replayed.unread}
    counts = {
        name: len({str(record.get(name)) for record in records})
        for name in (records[0] if records else {})
        if name not in left and all(isinstance(record.get(name), str | int | float) for record in records)
    }
    texts = {name for name in counts if all(isinstance(record.get(name), str) for record in records)}
    return max(counts, key=lambda name: (counts[name], name in texts), default=None)


def _region(work: Work, replayed: Replay) -> tuple[int, int] | None:
    """Give where the records stand in the page's Markdown; all of it where their places are not known."""
    end = len(work.markdown)
    if work.records_at is None or any(pointer.startswith("^") for pointer in replayed.unread):
        return 0, end
    outcome = next(outcomes(work, replayed), None)
    if outcome is None:
        return None
    spans = [span for span in outcome.record_spans if span is not None]
    if not spans or len(spans) < len(replayed.records):
        return 0, end
    return min(start for start, _ in spans), max(stop for _, stop in spans)


def join_the_rest(work: Work) -> ExtractionResult | None:
    """Give the recipe's answer with the fields that the model was asked about; None when they can't be joined."""
    remaining = work.content.remaining
    if remaining is None:
        return None
    book = RecipeBook(work.services.table, work.plan.ref.tenant)
    kept = next((one for one in book.recipes(remaining.strategy_id) if one.version == remaining.version), None)
    replayed = replay_on(work, kept.recipe) if kept is not None else None
    if replayed is None or replayed.doubts:
        return None
    read = [read_outcome(work.plan, index, work.services) for index in work.content.asked]
    if any(one.errors for one in read):
        return None
    data = joined(work, replayed, read)
    if data is None:
        return None
    spent = {
        "usage": sum((one.usage for one in read[1:]), read[0].usage),
        "warnings": [warning for one in read for warning in one.warnings],
        "refused": [] if work.records_at is not None else [entry for one in read for entry in one.refused],
    }
    for outcome in outcomes(work, replayed):
        result = assemble_outcome(work, outcome.model_copy(update={"data": data, **spent}))
        found = result.completeness
        if not found.missing and found.expected in (None, found.returned):
            result.tier = "model"
            result.field_tiers = field_tiers(replayed)
            result.usage.saved_input_tokens = max(0, len(work.markdown) // TOKEN - result.usage.input_tokens)
            return result
    return None


def joined(work: Work, replayed: Replay, read: Sequence[ChunkExtractionResult]) -> JsonValue:
    """Give the data with the fields of both; None when the model's records are not the recipe's."""
    path, names = work.records_at, _names(replayed.unread)
    if path is None:
        given = [one.data for one in read if isinstance(one.data, dict)]
        if not given or not isinstance(replayed.data, dict):
            return None
        told = {name: value for one in given for name, value in one.items() if name in names}
        return {**replayed.data, **{name: _merged(replayed.data.get(name), value) for name, value in told.items()}}
    key = _key_of(replayed)
    listings = [find_records(one.data, RecordPath(path.pointer, path.item_schema)) for one in read]
    records = [record for one in listings if one is not None for record in one.records if isinstance(record, dict)]
    own = [record for record in replayed.records if isinstance(record, dict)]
    if key is None or len(own) < len(replayed.records) or len(records) != len(own):
        return None
    made: list[JsonValue] = []
    for one, other in zip(own, records, strict=True):
        if not same_data(one.get(key), other.get(key)):
            return None
        made.append({**one, **{name: _merged(one.get(name), other.get(name)) for name in names if name in other}})
    listing = find_records(replayed.data, path)
    outer = listing.outer if listing is not None else {}
    around = [name[2:].split("/")[0] for name in replayed.unread if name.startswith("^/")]
    told = {name: one.outer[name] for one in listings if one is not None for name in around if name in one.outer}
    return rebuild(path, {**outer, **told}, made)


def _merged(one: JsonValue, other: JsonValue) -> JsonValue:
    """Give what a model says of a property, with what of an object inside it a recipe has read."""
    if isinstance(one, dict) and isinstance(other, dict):
        return {**other, **one}
    return other


def field_tiers(replayed: Replay) -> dict[str, Tier]:
    """Name the tier that gave each field."""
    first = next((record for record in replayed.records if isinstance(record, dict)), {})
    tiers: dict[str, Tier] = dict.fromkeys(first, "recipe")
    tiers.update({name.lstrip("^/"): "model" for name in replayed.unread})
    return tiers
