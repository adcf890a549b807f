"""Learning what stands in records: their fields, and the lists of objects inside them."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from lxml.html import HtmlElement

from gleaner.contracts.json_pointers import pointer_of
from gleaner.contracts.ports import JsonObject, JsonValue
from gleaner.schemas import declared_properties, violations
from gleaner.schemas.dialects import Schema
from gleaner.wrappers.container import Container
from gleaner.wrappers.induction.alignment import find_containers
from gleaner.wrappers.induction.fields import learn_field
from gleaner.wrappers.induction.mentions import Wanted
from gleaner.wrappers.model import FieldRecipe, ListRecipe
from gleaner.wrappers.places import Place, places_of_items
from gleaner.wrappers.readings import Readers, same
from gleaner.wrappers.tables import firsts_of, items_of

_SHORTEST_TOLD = 3
_LONGEST_TEXT = 80


def learn_fields(
    schema: Schema,
    records: Sequence[JsonValue],
    boxes: Sequence[Container],
    readers: Readers,
    *,
    proven: Sequence[Mapping[str, HtmlElement]],
    is_single: bool,
    is_sampled: bool = False,
    without: Sequence[str] | None = None,
) -> tuple[list[FieldRecipe], list[ListRecipe]]:
    """Give the recipes of the fields, and those of lists of objects inside the records.

    ``proven`` has for each record the elements where its values are proven, by their JSON Pointers.
    """
    fields: list[FieldRecipe] = []
    lists: list[ListRecipe] = []
    for wanted in wanted_of(schema, records):
        if without is not None and (not wanted.steps or wanted.steps[0] in without):
            continue
        if any(isinstance(item, dict) for value in wanted.values if isinstance(value, list) for item in value):
            made = _learn_list(wanted, boxes, readers, proven, is_sampled=is_sampled)
            if isinstance(made, ListRecipe):
                lists.append(made)
            else:
                fields.append(FieldRecipe(steps=wanted.steps, unread=made))
            continue
        wanted.is_sampled = is_sampled
        wanted.proven = [one.get(pointer_of(wanted.steps)) for one in proven]
        if is_single:
            wanted.told = _told_by_others(wanted.steps, records)
        twins = _twins(wanted, records) if is_single else []
        wanted.has_twin = any(map(all, twins)) and not isinstance(wanted.values[0], bool)
        made = learn_field(wanted, boxes, readers, is_single=is_single)
        is_needed = bool(violations(wanted.schema, None))
        fields.append(made.model_copy(update={"is_needed": is_needed}))
    return fields, lists


def _twins(wanted: Wanted, records: Sequence[JsonValue]) -> list[list[bool]]:
    """Tell for each other field of which pages it says the same, of those that have a value."""
    others = {steps for record in records for steps in leaves_of(record)} - {wanted.steps}
    known = [(value, one) for value, one in zip(wanted.values, records, strict=True) if value is not None]
    return [[same(value, value_at(one, steps)) for value, one in known] for steps in others if known]


def _told_by_others(steps: tuple[str, ...], records: Sequence[JsonValue]) -> frozenset[str]:
    """Give the short texts that other fields say, in small letters."""
    others = ((record, one) for record in records for one in leaves_of(record) if one != steps)
    values = (value for record, one in others for value in scalars_of(value_at(record, one)))
    texts = (value for value in values if isinstance(value, str))
    return frozenset(
        " ".join(text.split()).casefold() for text in texts if _SHORTEST_TOLD <= len(text) <= _LONGEST_TEXT
    )


def scalars_of(value: JsonValue) -> Iterator[JsonValue]:
    """Give all that a value holds, through objects and lists."""
    if isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from scalars_of(one)
    else:
        yield value


def wanted_of(schema: Schema, records: Sequence[JsonValue]) -> list[Wanted]:
    """Give the fields of the records: their scalars through objects, and their lists as a whole."""
    names: dict[tuple[str, ...], None] = {}
    for record in records:
        for steps in leaves_of(record):
            names.setdefault(steps)
    if any(isinstance(record, dict) for record in records):
        for name in declared_properties(schema):
            if not any(steps[:1] == (name,) for steps in names):
                names.setdefault((name,))
    leaves = [steps for steps in names if not any(other != steps and other[: len(steps)] == steps for other in names)]
    return [
        Wanted(
            steps,
            _schema_at(schema, steps),
            [value_at(record, steps) for record in records],
            is_omitted=any(_leaves_out(record, steps) for record in records),
        )
        for steps in leaves
    ]


def leaves_of(value: JsonValue, steps: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Give the ways to all that a value holds, through objects."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from leaves_of(inner, (*steps, name))
    else:
        yield steps


def value_at(value: JsonValue, steps: Sequence[str]) -> JsonValue:
    """Give what stands at a way into a value; None where it leads nowhere."""
    for step in steps:
        value = value.get(step) if isinstance(value, dict) else None
    return value


def _leaves_out(record: JsonValue, steps: Sequence[str]) -> bool:
    for step in steps:
        if not isinstance(record, dict) or step not in record:
            return True
        record = record[step]
    return False


def _schema_at(schema: Schema, steps: Sequence[str]) -> Schema:
    for step in steps:
        schema = declared_properties(schema).get(step, True)
    return schema


def proven_below(pointer: str, proven: Mapping[str, HtmlElement]) -> dict[str, HtmlElement]:
    """Give the elements that prove what a part of some data holds, by the JSON Pointers of that within the part."""
    return {one.removeprefix(pointer): element for one, element in proven.items() if one.startswith(f"{pointer}/")}


def _learn_list(
    wanted: Wanted,
    boxes: Sequence[Container],
    readers: Readers,
    proven: Sequence[Mapping[str, HtmlElement]],
    *,
    is_sampled: bool,
) -> ListRecipe | str:
    """Give how the items of lists of objects are found and read, or why they are not."""
    counts = [len(value) if isinstance(value, list) else 0 for value in wanted.values]
    if max(counts) < 2:
        return "no record shows two of its items"
    found: list[list[Container]] = []
    for value, box in zip(wanted.values, boxes, strict=True):
        listed = value if isinstance(value, list) else []
        objects: list[JsonObject] = [one if isinstance(one, dict) else {"": one} for one in listed]
        inner = find_containers(box.page, objects, within=box.elements) if len(objects) > 1 else None
        if inner is not None:
            found.append(inner)
    if not found:
        return "no parts of a record say what its items do, one each"
    place = next((one for one in _item_places(found, boxes) if _counts(one, boxes) == counts), None)
    if place is None:
        return "no tag or class tells its items from the rest"
    made = ListRecipe(
        steps=wanted.steps,
        items=place,
        run_length=max(len(item.elements) for items in found for item in items),
        longest=max(counts),
        fewest=min(counts),
    )
    items = [item for box in boxes for item in items_of(made, box)]
    listed = [value if isinstance(value, list) else [] for value in wanted.values]
    values = [one for value in listed for one in value]
    pointer = pointer_of(wanted.steps)
    numbered = [(one, at) for one, value in zip(proven, listed, strict=True) for at in range(len(value))]
    spots = [proven_below(f"{pointer}/{at}", one) for one, at in numbered]
    schema = wanted.schema.get("items", True) if isinstance(wanted.schema, dict) else True
    fields, lists = learn_fields(schema, values, items, readers, proven=spots, is_single=False, is_sampled=is_sampled)
    if any(one.unread for one in fields):
        unread = next(one for one in fields if one.unread)
        return f"{unread.name} of its items: {unread.unread}"
    return made.model_copy(update={"fields": tuple(fields), "lists": tuple(lists)})


def _item_places(found: Sequence[Sequence[Container]], boxes: Sequence[Container]) -> Iterator[Place]:
    """Give the places that may name all items of a list in a record's container."""
    by_element = {element: box for box in boxes for element in box.elements}
    counts: Counter[Place] = Counter()
    for items in found:
        node = items[0].elements[0]
        around = next((by_element[one] for one in [node, *node.iterancestors()] if one in by_element), None)
        if around is None:
            continue
        counts.update([*dict.fromkeys(places_of_items(node, around))])
    yield from (one for one, count in counts.most_common(60) if count == len(found))


def _counts(place: Place, boxes: Sequence[Container]) -> list[int]:
    return [len(firsts_of(place, box)) for box in boxes]
