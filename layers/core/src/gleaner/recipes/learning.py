"""Learn a recipe from proven records, without a model; keep it only if it gives exactly those again (RC-1)."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from lxml.html import HtmlElement

from gleaner.extraction.shapes import find_records, rebuild
from gleaner.ports import JsonObject, JsonValue
from gleaner.proof.leaves import read_pointer
from gleaner.recipes.absence import Claims
from gleaner.recipes.boxes import Box
from gleaner.recipes.columns import Wanted, candidate_columns, fit_field, rest_selectors, same
from gleaner.recipes.containers import PageMap, find_containers
from gleaner.recipes.drift import can_be_told_apart, figures_of, find_drift, merge_figures, orders_of
from gleaner.recipes.lists import list_selectors
from gleaner.recipes.model import FieldRecipe, FieldSelector, Recipe, RecordSelector
from gleaner.recipes.readers import Reader
from gleaner.recipes.reading import Reading, Replay, opened, read_boxes, read_records
from gleaner.schemas import RecordPath, declared_properties, record_path, violations

_ALTERNATIVES = 3
_LEAST_RECORDS = 2
_MOST_NOISE = 100
_ENOUGH = 150
_ENOUGH_VALIDATED = 50
Schema = dict[str, Any] | bool


def learn(
    html: str,
    url: str,
    schema: Schema,
    data: JsonValue,
    *,
    css_selector: str | None = None,
    page_id: str = "",
) -> Recipe | None:
    """Give a recipe that reads the proven ``data`` of a page again; None when none can be found.

    ``data`` is an instance of ``schema`` whose records are the page's, in page order, all of them or a run of them;
    ``html`` the stored snapshot, of which ``css_selector`` takes a part.
    """
    path = record_path(schema)
    root, base = opened(html, css_selector, url)
    made = _learn_listing(root, base, path, schema, data) if path else _learn_page(root, base, schema, data)
    if made is None:
        return None
    recipe = made.model_copy(update={"css_selector": css_selector, "url": url, "page_id": page_id})
    alone = ((one, recipe.model_copy(update={"record": [one]})) for one in recipe.record)
    kept = [one for one, by_it in alone if _gives_back(by_it, root, base, data)]
    return recipe.model_copy(update={"record": kept}) if kept else None


def replay(recipe: Recipe, html: str, url: str, schema: Schema) -> Replay:
    """Give what the recipe reads on a page, and each reason not to trust it (RC-2)."""
    root, base = opened(html, recipe.css_selector, url)
    reading = read_records(recipe, root, base)
    doubts = list(reading.doubts)
    shapes = [box.shape for box in reading.boxes] if recipe.shapes else []
    doubts += find_drift(recipe, reading.values, shapes)
    outer = read_boxes(_outer_of(recipe), [Box([root], frozenset(recipe.captions))], base) if recipe.outer else None
    doubts += outer.doubts if outer else []
    data = _instance(recipe, reading, outer, schema)
    if not doubts:
        doubts += _faults(recipe, reading, schema, data)
    return Replay(data, reading.records, tuple(dict.fromkeys(doubts)))


def refine(recipe: Recipe, html: str, url: str, data: JsonValue) -> Recipe | None:
    """Give the recipe with the figures of one more page, whose proven data it reads right; None when it does not.

    So a value that was always there becomes one that may be absent, and a range wider, once a model has said so.
    """
    root, base = opened(html, recipe.css_selector, url)
    reading = read_records(recipe, root, base)
    listing = find_records(data, RecordPath(recipe.pointer, True)) if recipe.pointer is not None else None
    wanted = [data] if recipe.pointer is None else listing.records if listing else []
    if len(wanted) != len(reading.records) or not all(map(same_data, reading.records, wanted)):
        return None
    fields = [
        one.model_copy(update={"figures": merge_figures(one.figures, figures_of(column))})
        for one, column in zip(recipe.fields, reading.values, strict=True)
    ]
    return recipe.model_copy(update={"fields": fields, "records": recipe.records + len(wanted)})


def _faults(recipe: Recipe, reading: Reading, schema: Schema, data: JsonValue) -> list[str]:
    """Give faults of the data as a whole, or of some records of a long list: who serves it validates it all anyway."""
    step = max(1, len(reading.records) // _ENOUGH_VALIDATED)
    if recipe.pointer is not None and step > 1:
        path = record_path(schema)
        checked: list[tuple[Any, JsonValue]] = [
            (path.item_schema if path else True, r) for r in reading.records[::step]
        ]
    else:
        checked = [(schema, data)]
    return [f"{fault.pointer}: {fault.message}" for rule, part in checked for fault in violations(rule, part)[:1]]


def _outer_of(recipe: Recipe) -> Recipe:
    return recipe.model_copy(update={"fields": recipe.outer, "outer": [], "rivals": []})


def _instance(recipe: Recipe, reading: Reading, outer: Reading | None, schema: Schema) -> JsonValue:
    if recipe.pointer is None:
        return reading.records[0] if reading.records else None
    around = outer.records[0] if outer and outer.records else {}
    path = RecordPath(recipe.pointer, True)
    del schema
    return rebuild(path, around if isinstance(around, dict) else {}, list(reading.records))


# Listings


def _learn_listing(root: HtmlElement, base: str, path: RecordPath, schema: Schema, data: JsonValue) -> Recipe | None:
    listing = find_records(data, path)
    if listing is None or len(listing.records) < _LEAST_RECORDS:
        return None
    records = _spread(listing.records)
    fields = _fields(path.item_schema, records)
    page = PageMap(root, base)
    found = find_containers(root, page, [_leaves(fields, at) for at in range(len(records))])
    if found is None:
        return None
    captions = _captions(found.boxes, fields)
    boxes = [Box(box.elements, captions, box.stops) for box in found.boxes]
    learned = _learn_fields(fields, boxes, base)
    outer = _learn_outer(root, base, path, schema, listing.outer)
    if learned is None or outer is None:
        return None
    recipe = _with_absence(_recipe(found.selectors, learned, boxes), learned, boxes, base)
    return recipe.model_copy(update={"pointer": path.pointer, "outer": outer, "captions": sorted(captions)})


def _spread(records: list[JsonValue]) -> list[JsonValue]:
    """Give enough of the records to learn from, from all over the page; all are checked in the end."""
    if len(records) <= _ENOUGH:
        return records
    chosen = Random(len(records)).sample(range(len(records)), _ENOUGH)
    return [records[at] for at in sorted({*chosen, *range(_ENOUGH // 3)})]


def _recipe(selectors: list[RecordSelector], learned: "_Learned", boxes: Sequence[Box]) -> Recipe:
    return Recipe(
        pointer=None,
        record=selectors,
        fields=learned.fields,
        rivals=learned.rivals,
        labels=sorted({label for box in boxes for label, _ in box.pieces if label}),
        orders=orders_of([one.values for one in learned.wanted]),
        shapes=sorted({box.shape for box in boxes}),
        records=len(boxes),
        transferable=can_be_told_apart(learned.fields),
    )


def _with_absence(recipe: Recipe, learned: "_Learned", boxes: Sequence[Box], base: str) -> Recipe:
    """Note the texts that were nobody's, and the fields that such texts could still be values of."""
    rows = [[one.values[at] for one in learned.wanted] for at in range(len(boxes))]
    claims = Claims(recipe.fields, base, recipe.labels)
    counts = Counter(
        text for box, cells in zip(boxes, rows, strict=True) for _, text in dict.fromkeys(claims.unclaimed(box, cells))
    )
    noise = sorted(text for text, count in counts.items() if count >= max(2, 0.05 * len(boxes)))[:_MOST_NOISE]
    claims = Claims(recipe.fields, base, recipe.labels, noise)
    fields = [
        one.model_copy(
            update={"loose": any(claims.could_hold(at, box, cells) for box, cells in zip(boxes, rows, strict=True))}
        )
        for at, one in enumerate(recipe.fields)
    ]
    return recipe.model_copy(update={"fields": fields, "noise": noise})


def _fields(schema: Schema, records: Sequence[JsonValue]) -> list[Wanted]:
    """Give the fields of the records: their scalars through objects, and their lists as a whole."""
    names: dict[tuple[str, ...], None] = {}
    for record in records:
        for steps, _ in _walk(record):
            names.setdefault(steps)
    leaves = [steps for steps in names if not any(other != steps and other[: len(steps)] == steps for other in names)]
    return [
        Wanted(steps, _schema_at(schema, steps), [_value_at(record, steps) for record in records]) for steps in leaves
    ]


def _walk(value: JsonValue, steps: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], JsonValue]]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _walk(inner, (*steps, name))
    else:
        yield steps, value


def _value_at(value: JsonValue, steps: Sequence[str]) -> JsonValue:
    for step in steps:
        value = value.get(step) if isinstance(value, dict) else None
    return value


def _schema_at(schema: Schema, steps: Sequence[str]) -> Schema:
    for step in steps:
        schema = declared_properties(schema).get(step, True)
    return schema


def _leaves(fields: Sequence[Wanted], at: int) -> list[JsonValue]:
    values = (one.values[at] for one in fields if not one.is_list)
    return [None if isinstance(value, bool) else value for value in values]


def _captions(boxes: Sequence[Box], fields: Sequence[Wanted]) -> frozenset[str]:
    """Give the texts that stand in many containers and are nobody's value: labels without a colon."""
    values = {str(value) for one in fields for value in one.values if value is not None}
    counts: Counter[str] = Counter()
    for box in boxes:
        texts = {text for _, text in box.pieces}
        heads = {
            head for text in texts for head, blank, rest in (text.partition(" "),) if blank and not rest[0].isalpha()
        }
        counts.update(texts | heads)
    least = max(2, 0.3 * len(boxes))
    words = {
        word
        for one in fields
        for value in one.values
        if isinstance(value, bool)
        for word in ("in stock", "out of stock")
    }
    return frozenset(
        text
        for text, count in counts.items()
        if count >= least
        and text not in values
        and text.isascii()
        and text[0].isalpha()
        and len(text) <= 30
        and text.lower() not in words
        and not any(value.startswith(text + " ") for value in values)
    )


@dataclass(frozen=True, slots=True)
class _Learned:
    wanted: list[Wanted]
    fields: list[FieldRecipe]
    rivals: list[FieldSelector]


def _learn_fields(fields: list[Wanted], boxes: Sequence[Box], base: str) -> _Learned | None:
    columns = candidate_columns(boxes)
    fitted = [_fit(one, boxes, columns, base) for one in fields]
    typed = [next((each for each in found if each.kind == "typed"), None) for found in fitted]
    rivals = [one for one in typed if one]
    learned: list[FieldRecipe] = []
    for one, found in zip(fields, fitted, strict=True):
        if not any(selector.is_strong for selector in found):
            others = [Reader(rival, base) for rival in rivals if rival not in found]
            found.extend(rest_selectors(one, boxes, others, base))
        if not found and any(value is not None for value in one.values):
            return None
        learned.append(FieldRecipe(steps=one.steps, selectors=_best(found), figures=figures_of(one.values)))
    return _Learned(fields, learned, rivals)


def _fit(
    one: Wanted, boxes: Sequence[Box], columns: dict[FieldSelector, list[str | None]], base: str
) -> list[FieldSelector]:
    if all(value is None for value in one.values):
        return []
    if one.is_list:
        return list_selectors(one, boxes, base)
    return fit_field(one, boxes, columns, base)


def _best(found: Sequence[FieldSelector]) -> list[FieldSelector]:
    """Keep a few selectors of different kinds, most trusted first."""
    kept: dict[tuple[str, str], FieldSelector] = {}
    for selector in found:
        kept.setdefault((selector.kind, "" if selector.kind != "attribute" else selector.name), selector)
    return list(kept.values())[:_ALTERNATIVES]


# Pages about one thing, and what stands around a listing


def _learn_page(root: HtmlElement, base: str, schema: Schema, data: JsonValue) -> Recipe | None:
    if not isinstance(data, dict) or any(data.get(name) is None for name in declared_properties(schema)):
        return None
    learned = _page_fields(root, base, _fields(schema, [data]))
    if learned is None or not any(one.selectors for one in learned):
        return None
    return Recipe(pointer=None, record=[RecordSelector(kind="page")], fields=learned, records=1)


def _learn_outer(
    root: HtmlElement, base: str, path: RecordPath, schema: Schema, outer: JsonObject
) -> list[FieldRecipe] | None:
    steps = read_pointer(path.pointer)
    around = {name: value for name, value in outer.items() if not steps or name != steps[0]}
    return _page_fields(root, base, _fields(schema, [around])) if around else []


def _page_fields(root: HtmlElement, base: str, fields: list[Wanted]) -> list[FieldRecipe] | None:
    box = Box([root])
    columns = candidate_columns([box])
    learned: list[FieldRecipe] = []
    for one in fields:
        found = [selector for selector in _fit(one, [box], columns, base) if _is_general(selector, fields)]
        if not found:
            return None
        learned.append(FieldRecipe(steps=one.steps, selectors=_best(found), figures=figures_of(one.values), loose=True))
    return learned


def _is_general(selector: FieldSelector, fields: Sequence[Wanted]) -> bool:
    """Tell whether a selector found on one page alone is likely to mean the same on the next."""
    texts = [str(value) for one in fields for value in one.values if value is not None and not isinstance(value, bool)]
    return selector.is_strong and not any(len(text) > 1 and text in selector.value for text in texts)


def _gives_back(recipe: Recipe, root: HtmlElement, base: str, data: JsonValue) -> bool:
    """Tell whether the recipe gives the records that it was learned from, in their order, and no doubt of its own."""
    reading = read_records(recipe, root, base)
    if recipe.pointer is None:
        return bool(reading.records) and same_data(reading.records[0], data) and not reading.doubts
    listing = find_records(data, RecordPath(recipe.pointer, True))
    remaining = iter(reading.records)
    return not reading.doubts and all(
        any(same_data(got, one) for got in remaining) for one in (listing.records if listing else [])
    )


def same_data(left: JsonValue, right: JsonValue) -> bool:
    """Tell whether two records say the same; an absent field is a null one."""
    if isinstance(left, dict) and isinstance(right, dict):
        return all(same_data(left.get(name), right.get(name)) for name in {*left, *right})
    return same(left, right)
