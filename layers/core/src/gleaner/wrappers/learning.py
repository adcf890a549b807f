"""Learning a recipe from proven records, without a model (RC-1): per field, kept as far as it gives them again."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from lxml.html import HtmlElement

from gleaner.contracts.json_pointers import read_pointer
from gleaner.contracts.ports import JsonObject, JsonValue
from gleaner.results.record_lists import Listing, find_records
from gleaner.schemas import RecordPath, declared_properties, record_path, violations
from gleaner.wrappers.alignment import find_containers
from gleaner.wrappers.boxes import box_selectors, boxes_of
from gleaner.wrappers.container import Container
from gleaner.wrappers.fields import Wanted, learn_field
from gleaner.wrappers.guard import claimed_by, is_claimed, names_on
from gleaner.wrappers.interludes import find_interludes
from gleaner.wrappers.looks import look_of, look_of_holder, marks_of, part_of
from gleaner.wrappers.model import BoxSelector, FieldRecipe, ListRecipe, Recipe
from gleaner.wrappers.opening import open_page
from gleaner.wrappers.places import Place, places_of
from gleaner.wrappers.readings import UNREAD, Readers, mask, same
from gleaner.wrappers.replaying import find_boxes, pointer_of, replay_on
from gleaner.wrappers.tables import firsts_of, items_of, read_table
from gleaner.wrappers.trees import Page

Schema = dict[str, Any] | bool

_ENOUGH = 120
"""Of more records, selectors are learned from so many, spread over the page; all are checked in the end."""

_MOST_NOISE = 400
_MOST_LOOKS = 60
_MOST_NAMES = 1500
_OFTEN = 3
"""A part that holds texts of no field in so many records holds such in others, too."""

_LONGEST_NOISE = 80
_SHORTEST_TOLD = 3
NO_PARTS = "no parts of the page say what the records do, one each"
_MANY_BREAKS = 4
_LEAST_READ = 0.5
"""A recipe that reads fewer of the fields is not worth its replay: the model would read most of the page anyway."""


@dataclass(frozen=True, slots=True)
class Example:
    """A stored snapshot, its URL, and the proven data: an instance of the schema, its records in page order.

    ``is_whole`` when these are all records of the page, ``is_first`` when no others stand before them.
    """

    html: str
    url: str
    data: JsonValue
    is_whole: bool = True
    is_first: bool = False


@dataclass(frozen=True, slots=True)
class Learned:
    """A recipe, or in plain words why there is none."""

    recipe: Recipe | None
    reason: str = ""


@dataclass(slots=True)
class _Known:
    """An open page, its records and what stands around them, and the records' containers."""

    page: Page
    records: list[JsonValue]
    outer: JsonValue
    is_whole: bool
    is_first: bool
    boxes: list[Container]


def learn(
    html: str,
    url: str,
    schema: Schema,
    data: JsonValue,
    *,
    earlier: Sequence[Example] = (),
    css_selector: str | None = None,
    page_id: str = "",
    is_whole: bool = True,
    is_first: bool = False,
) -> Recipe | None:
    """Give a recipe that reads the proven ``data`` of a page, and of earlier ones, again; None when none can be found.

    ``data`` is an instance of ``schema`` whose records are the page's, in page order, all of them or (not ``is_whole``)
    a run of them, the first ones if ``is_first``; ``html`` the stored snapshot, of which ``css_selector`` takes a part.
    """
    examples = [*earlier, Example(html, url, data, is_whole, is_first)]
    return learn_from(examples, schema, css_selector=css_selector, page_id=page_id).recipe


def learn_from(
    examples: Sequence[Example], schema: Schema, *, css_selector: str | None = None, page_id: str = ""
) -> Learned:
    """Give a recipe that reads all examples again, field by field, or why there is none.

    Records that no elements hold, one each, are looked for among the lines of the text.
    """
    path = record_path(schema)
    made = _learn_from(examples, schema, path, css_selector, page_id)
    if made.reason == NO_PARTS and any(one.html.count("<br") > _MANY_BREAKS for one in examples):
        return _learn_from(examples, schema, path, css_selector, page_id, by_lines=True)
    return made


def _learn_from(
    examples: Sequence[Example],
    schema: Schema,
    path: RecordPath | None,
    css_selector: str | None,
    page_id: str,
    *,
    by_lines: bool = False,
) -> Learned:
    known: list[_Known] = []
    for one in examples:
        page = Page(*open_page(one.html, one.url, css_selector, by_lines=by_lines))
        listing = find_records(one.data, path) if path else Listing([one.data])
        if listing is None or not all(isinstance(record, dict) or path for record in listing.records):
            return Learned(None, "the data holds no records of the schema")
        known.append(_Known(page, listing.records, listing.outer, one.is_whole, one.is_first, []))
    made = _learn_listing(known, path, schema) if path else _learn_single(known, schema)
    if made.recipe is None:
        return made
    recipe = made.recipe.model_copy(
        update={
            "css_selector": css_selector,
            "by_lines": by_lines,
            "url": examples[-1].url,
            "page_id": page_id,
            "examples": len(examples),
            "records": sum(len(one.records) for one in known),
        }
    )
    return _verified(recipe, known)


def _learn_single(known: Sequence[_Known], schema: Schema) -> Learned:
    """Learn a page about one thing: its container is the page."""
    for one in known:
        one.boxes = [Container(one.page, [one.page.root])]
    records = [one.records[0] for one in known]
    boxes = [one.boxes[0] for one in known]
    fields, lists = _learn_fields(schema, records, boxes, known[-1].page.base, is_single=True)
    names = {name for box in boxes for name in names_on(box) if len(name) <= 40}
    looks = {look_of_holder(holder) for box in boxes for _, holder in box.pieces}
    noise = [*sorted(looks)[:_MOST_NOISE], *sorted(names)[:_MOST_NAMES]]
    recipe = Recipe(fields=tuple(fields), lists=tuple(lists), noise=tuple(noise))
    return _worth(recipe)


def _learn_listing(known: Sequence[_Known], path: RecordPath, schema: Schema) -> Learned:
    """Learn a list: the containers of its records, their fields, and the fields around them."""
    offered: dict[BoxSelector, None] = {}
    for one in known:
        objects: list[JsonObject] = [record if isinstance(record, dict) else {"": record} for record in one.records]
        if len(objects) < 2:
            return Learned(None, "one record does not show where another would stand")
        found = find_containers(one.page, objects)
        if found is None:
            return Learned(None, NO_PARTS)
        one.boxes = found
        offered.update(dict.fromkeys(box_selectors(one.page, found, is_whole=one.is_whole)))
    selectors = _tightest(offered, known)
    if not selectors:
        return Learned(None, "no tag, class or place tells the records' containers from the rest")
    sampled = [(box, record) for one in known for box, record in _spread(one, _ENOUGH // len(known))]
    boxes, records = [box for box, _ in sampled], [record for _, record in sampled]
    fields, lists = _learn_fields(path.item_schema, records, boxes, known[-1].page.base, is_single=False)
    outer, outer_lists = _learn_outer(known, path, schema)
    longest = max(len(box.elements) for one in known for box in one.boxes)
    recipe = Recipe(
        pointer=path.pointer,
        boxes=tuple(selectors[:4]),
        fields=tuple(fields),
        lists=tuple(lists),
        outer=tuple(outer),
        outer_lists=tuple(outer_lists),
        run_length=longest,
    )
    return _worth(recipe)


def _tightest(offered: Iterable[BoxSelector], known: Sequence[_Known]) -> list[BoxSelector]:
    """Give the selectors that find the records of all pages, with the fewest other elements."""
    extras: dict[BoxSelector, int] = {}
    for selector in offered:
        found = [_extra(selector, one) for one in known]
        if None not in found:
            extras[selector] = sum(extra for extra in found if extra is not None)
    least = min(extras.values(), default=0)
    return [selector for selector, extra in extras.items() if extra == least]


def _extra(selector: BoxSelector, one: _Known) -> int | None:
    """Give how many elements besides the records a selector finds; None when it misses one, or finds too many."""
    found = boxes_of(one.page, selector)
    places = {box.elements[0]: at for at, box in enumerate(found)}
    at = [places.get(box.elements[0], -1) for box in one.boxes]
    if -1 in at or at != sorted(at):
        return None
    extra = len(found) - len(at) if one.is_whole else 0
    return extra if extra <= len(at) else None


def _worth(recipe: Recipe) -> Learned:
    """Give a recipe that reads enough of the fields to be worth it."""
    count = len(recipe.fields) + len(recipe.lists)
    unread = [one for one in recipe.fields if one.unread]
    has_some = any(one.selectors for one in recipe.fields) or bool(recipe.lists)
    if has_some and count - len(unread) >= _LEAST_READ * count:
        return Learned(recipe)
    said = "; ".join(f"{one.name}: {one.unread}" for one in unread[:3])
    return Learned(None, f"{len(unread)} of {count} fields are read by no selector beyond doubt: {said}")


def _spread(one: _Known, enough: int) -> Iterator[tuple[Container, JsonValue]]:
    """Give enough of the containers with their records to learn from, from all over the page."""
    count = len(one.boxes)
    rows = range(count)
    if count > enough:
        rows = sorted({*Random(count).sample(range(count), enough), *range(enough // 4)})
    return ((one.boxes[row], one.records[row]) for row in rows)


def _learn_fields(
    schema: Schema,
    records: Sequence[JsonValue],
    boxes: Sequence[Container],
    base: str,
    *,
    is_single: bool,
    without: Sequence[str] | None = None,
) -> tuple[list[FieldRecipe], list[ListRecipe]]:
    """Give the recipes of the fields, and those of lists of objects inside the records."""
    readers = Readers(base)
    fields: list[FieldRecipe] = []
    lists: list[ListRecipe] = []
    for wanted in wanted_of(schema, records):
        if without is not None and (not wanted.steps or wanted.steps[0] in without):
            continue
        if any(isinstance(item, dict) for value in wanted.values if isinstance(value, list) for item in value):
            made = _learn_list(wanted, boxes, base)
            if isinstance(made, ListRecipe):
                lists.append(made)
            else:
                fields.append(FieldRecipe(steps=wanted.steps, unread=made))
            continue
        if is_single:
            wanted.told = _told_by_others(wanted.steps, records)
        made = learn_field(wanted, boxes, readers, is_single=is_single)
        fields.append(made.model_copy(update={"is_needed": bool(violations(wanted.schema, None))}))
    return fields, lists


def _told_by_others(steps: tuple[str, ...], records: Sequence[JsonValue]) -> frozenset[str]:
    """Give the short texts that other fields say, in small letters."""
    others = ((record, one) for record in records for one in _leaves(record) if one != steps)
    texts = (value for record, one in others for value in _scalars(_value_at(record, one)))
    return frozenset(
        " ".join(text.split()).casefold() for text in texts if _SHORTEST_TOLD <= len(text) <= _LONGEST_NOISE
    )


def _scalars(value: JsonValue) -> list[str]:
    return [one for one in (value if isinstance(value, list) else [value]) if isinstance(one, str)]


def wanted_of(schema: Schema, records: Sequence[JsonValue]) -> list[Wanted]:
    """Give the fields of the records: their scalars through objects, and their lists as a whole."""
    names: dict[tuple[str, ...], None] = {}
    for record in records:
        for steps in _leaves(record):
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
            [_value_at(record, steps) for record in records],
            is_omitted=any(_leaves_out(record, steps) for record in records),
        )
        for steps in leaves
    ]


def _leaves(value: JsonValue, steps: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _leaves(inner, (*steps, name))
    else:
        yield steps


def _value_at(value: JsonValue, steps: Sequence[str]) -> JsonValue:
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


def _learn_list(wanted: Wanted, boxes: Sequence[Container], base: str) -> ListRecipe | str:
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
        shortest=min(counts),
    )
    items = [item for box in boxes for item in items_of(made, box)]
    values = [one for value in wanted.values if isinstance(value, list) for one in value]
    schema = wanted.schema.get("items", True) if isinstance(wanted.schema, dict) else True
    fields, lists = _learn_fields(schema, values, items, base, is_single=False)
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
        counts.update({*_places_of_items(node, around)})
    yield from (one for one, count in counts.most_common(60) if count == len(found))


def _places_of_items(node: HtmlElement, box: Container) -> Iterator[Place]:
    for place in places_of(node, box):
        if place.kind in ("class", "attribute", "tag") and not place.inner:
            yield place._replace(nth=None)
    above = node.getparent()
    if above is not None and above not in box.elements:
        for place in places_of(above, box):
            if not place.inner and place.nth is None:
                yield place._replace(inner=str(node.tag))


def _counts(place: Place, boxes: Sequence[Container]) -> list[int]:
    return [len(firsts_of(place, box)) for box in boxes]


def _learn_outer(
    known: Sequence[_Known], path: RecordPath, schema: Schema
) -> tuple[list[FieldRecipe], list[ListRecipe]]:
    """Give the recipes of the fields around the records, and those of other lists there."""
    steps = read_pointer(path.pointer)
    around: list[JsonValue] = [
        {name: value for name, value in one.outer.items() if not steps or name != steps[0]}
        for one in known
        if isinstance(one.outer, dict)
    ]
    if not any(around):
        return [], []
    boxes = [Container(one.page, [one.page.root]) for one in known]
    return _learn_fields(schema, around, boxes, known[-1].page.base, is_single=True, without=steps[:1])


def _verified(recipe: Recipe, known: Sequence[_Known]) -> Learned:
    """Give the recipe without what it does not read again on the pages it was learned from."""
    for one in known:
        boxes, _, doubt = find_boxes(recipe, one.page)
        if recipe.pointer is not None and doubt:
            return Learned(None, doubt)
        recipe = _with_figures(recipe, one, boxes)
    for one in known:
        recipe = _checked(recipe, one)
    for one in known:
        replayed = replay_on(recipe, one.page)
        if replayed.doubts and one.is_whole:
            return Learned(None, replayed.doubts[0])
        if _rows_of_known(recipe, one, replayed.boxes) is None:
            return Learned(None, "it finds other records on the page it was learned from")
        extra = {pointer for pointer in replayed.unread if one.is_whole}
        recipe = _without(recipe, {pointer: replayed.unread[pointer] for pointer in extra})
    return _worth(recipe)


def _rows_of_known(recipe: Recipe, one: _Known, boxes: Sequence[Container]) -> range | None:
    """Give which of the containers read are those of the known records; None when they are others."""
    if recipe.pointer is None:
        return range(1)
    firsts = [box.elements[0] for box in boxes]
    wanted = [box.elements[0] for box in one.boxes]
    try:
        start = firsts.index(wanted[0])
    except ValueError:
        return None
    found = firsts[start : start + len(wanted)]
    is_all = len(firsts) == len(wanted) if one.is_whole else (not one.is_first or start == 0)
    return range(start, start + len(wanted)) if found == wanted and is_all else None


def _with_figures(recipe: Recipe, one: _Known, boxes: list[Container]) -> Recipe:
    """Note what stands among the records of a page and is none, and the texts in records that are no field's."""
    if recipe.pointer is None:
        return recipe
    records = {box.elements[0] for box in one.boxes}
    looks = {*recipe.looks, *(look_of(box) for box in one.boxes)}
    places = [at for at, box in enumerate(boxes) if box.elements[0] in records]
    seen = boxes if one.is_whole else boxes[places[0] : places[-1] + 1] if places else []
    others = {look_of(box) for box in seen if box.elements[0] not in records}
    alike = [box for box in seen if box.elements[0] not in records and look_of(box) in looks]
    parts = {
        part_of(node) for box in one.boxes[:_ENOUGH] for node in box.nodes if node.text and not node.text.isspace()
    }
    others = {*recipe.others, *others} - looks
    telling = _telling(recipe, alike, Readers(one.page.base))
    table = read_table(recipe.fields, recipe.lists, one.boxes[:_ENOUGH], Readers(one.page.base))
    among = [each for each in find_interludes(one.boxes) if one.is_whole or 0 < each.after < len(one.boxes)]
    between = {*recipe.between, *(each.look for each in among)} - looks
    noise: set[str] = {*recipe.noise}
    holders: Counter[str] = Counter()
    for row, box in enumerate(table.boxes):
        claimed = claimed_by(row, table)
        free = [(text, holder) for text, holder in box.pieces if not is_claimed(text, claimed)]
        noise.update(mask(text) for text, _ in free if len(text) <= _LONGEST_NOISE)
        holders.update({look_of_holder(holder) for _, holder in free})
    noise.update(look for look, count in holders.items() if count >= _OFTEN and "." in look.rstrip("."))
    return recipe.model_copy(
        update={
            "others": tuple(sorted(others)),
            "looks": tuple(sorted(looks)[:_MOST_LOOKS]),
            "telling": telling,
            "foreign": _foreign(recipe, alike, one.boxes),
            "parts": tuple(sorted({*recipe.parts, *parts})[:_MOST_NOISE]),
            "between": tuple(sorted(between)[:_MOST_LOOKS]),
            "noise": tuple(sorted(noise)[:_MOST_NOISE]),
        }
    )


def _telling(recipe: Recipe, others: Sequence[Container], readers: Readers) -> tuple[str, ...]:
    """Give the fields that all records have, and none of the parts that look like records and are none."""
    if not others:
        return recipe.telling
    table = read_table(recipe.fields, (), [*others], readers)
    names = [
        column.one.name
        for column in table.columns
        if column.one.is_always_there and column.one.selectors and all(cell is None for cell in column.cells)
    ]
    return tuple(name for name in names if not recipe.telling or name in recipe.telling)


def _foreign(recipe: Recipe, others: Sequence[Container], records: Sequence[Container]) -> tuple[str, ...]:
    """Give what all parts have that look like records and are none, and no record."""
    mine = set[str]().union(*map(marks_of, records[:_ENOUGH])) if others or recipe.foreign else set[str]()
    shared = set.intersection(*map(marks_of, others)) if others else {*recipe.foreign}
    shared = shared & {*recipe.foreign} if recipe.foreign else shared
    return tuple(sorted(shared - mine))


def _checked(recipe: Recipe, one: _Known) -> Recipe:
    """Give the recipe without the fields that it reads otherwise than they are known on a page."""
    boxes = one.boxes
    table = read_table(recipe.fields, recipe.lists, boxes, Readers(one.page.base))
    wrong: dict[str, str] = {}
    for column in table.columns:
        if column.one.unread:
            continue
        wanted = [_value_at(record, column.one.steps) for record in one.records]
        if column.one.blank or column.one.is_zero:
            wanted = [value or None for value in wanted]
        row = next(
            (row for row, (cell, value) in enumerate(zip(column.cells, wanted, strict=True)) if not _is(cell, value)),
            None,
        )
        if column.doubt or row is not None:
            wrong[pointer_of(column.one.steps)] = (
                column.doubt or f"its selectors read record {(row or 0) + 1} otherwise"
            )
    recipe = _without(recipe, wrong)
    broken: dict[str, str] = {}
    for items in table.lists:
        wanted_counts = [
            len(value) if isinstance(value := _value_at(record, items.one.steps), list) else 0 for record in one.records
        ]
        if items.counts != wanted_counts:
            broken[pointer_of(items.one.steps)] = "its items are found otherwise in some record"
    return _without(recipe, broken)


def _is(cell: object, value: JsonValue) -> bool:
    return cell is not UNREAD and same(cell, value)


def _without(recipe: Recipe, unread: dict[str, str]) -> Recipe:
    """Give the recipe with some of its fields left to the model."""
    if not unread:
        return recipe

    def left(one: FieldRecipe, prefix: str = "") -> FieldRecipe:
        why = unread.get(prefix + pointer_of(one.steps))
        return one.model_copy(update={"unread": why, "selectors": ()}) if why and not one.unread else one

    lists = [one for one in recipe.lists if pointer_of(one.steps) not in unread]
    gone = [one for one in recipe.lists if pointer_of(one.steps) in unread]
    fields = [left(one) for one in recipe.fields]
    fields += [FieldRecipe(steps=one.steps, unread=unread[pointer_of(one.steps)]) for one in gone]
    outer_lists = [one for one in recipe.outer_lists if f"^{pointer_of(one.steps)}" not in unread]
    gone = [one for one in recipe.outer_lists if one not in outer_lists]
    outer = [left(one, "^") for one in recipe.outer]
    outer += [FieldRecipe(steps=one.steps, unread=unread[f"^{pointer_of(one.steps)}"]) for one in gone]
    kept = {"fields": fields, "lists": lists, "outer": outer, "outer_lists": outer_lists}
    return recipe.model_copy(update={name: tuple(those) for name, those in kept.items()})


def misreads(recipe: Recipe, example: Example, schema: Schema) -> bool:
    """Tell whether a recipe reads, without any doubt, something else on a page than its proven data."""
    path = record_path(schema)
    listing = find_records(example.data, path) if path else Listing([example.data])
    wanted = listing.records if listing else []
    replayed = replay_on(
        recipe, Page(*open_page(example.html, example.url, recipe.css_selector, by_lines=recipe.by_lines))
    )
    if replayed.doubts:
        return False
    read = replayed.records if example.is_whole else replayed.records[: len(wanted)]
    left = {pointer.lstrip("^") for pointer in replayed.unread}
    steps = [each for each in _all_leaves(wanted) if not any(pointer_of(each).startswith(one) for one in left)]
    return len(read) != len(wanted) or any(
        not same(_value_at(got, each), _value_at(one, each))
        for got, one in zip(read, wanted, strict=True)
        for each in steps
    )


def _all_leaves(records: Sequence[JsonValue]) -> list[tuple[str, ...]]:
    return [*dict.fromkeys(steps for record in records for steps in _leaves(record))]
