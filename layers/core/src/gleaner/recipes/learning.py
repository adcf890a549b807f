"""Learn a recipe from proven records, without a model; keep it only if it gives exactly those again (RC-1)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, chain, groupby
from random import Random
from typing import Any

from gleaner.contracts.json_pointers import read_pointer
from gleaner.contracts.ports import JsonValue
from gleaner.recipes.advertisements import ad_labels_of
from gleaner.recipes.boxes import Box
from gleaner.recipes.columns import Wanted
from gleaner.recipes.containers import Found, PageMap, find_containers
from gleaner.recipes.decoding import Memory
from gleaner.recipes.details import learn_detail, sure_fields
from gleaner.recipes.disowning import with_shares
from gleaner.recipes.drift import figures_of, find_drift, find_strange_values, merge_figures, orders_after
from gleaner.recipes.exchanges import find_exchanged
from gleaner.recipes.fields import fields_of, without_zeros
from gleaner.recipes.forerunners import are_apart, forerunners
from gleaner.recipes.hints import doubts_of_hints, with_hints
from gleaner.recipes.inner_learning import learn_page_lists, learn_records, merged_lists, parted, stated
from gleaner.recipes.inner_reading import find_lists_drift
from gleaner.recipes.interludes import Interlude, known_interludes, longest_by_look
from gleaner.recipes.known_pages import (
    KnownPage,
    exact_selectors,
    known_records,
    same_data,
    span_of,
    without_others,
)
from gleaner.recipes.labels import begun_by_others
from gleaner.recipes.markers import icons_of
from gleaner.recipes.model import FieldRecipe, Recipe
from gleaner.recipes.parting import with_parts
from gleaner.recipes.placed import in_these_classes
from gleaner.recipes.reading import PageReading, Replay, interludes_of, is_accounted, opened, read_page
from gleaner.recipes.record_selectors import looks_of
from gleaner.recipes.strays import with_fresh, with_sides
from gleaner.recipes.templates import spoken_text
from gleaner.recipes.unwrapped import learn_unwrapped
from gleaner.recipes.whole_pages import with_places
from gleaner.results.record_lists import Listing, find_records
from gleaner.schemas import RecordPath, record_path, violations

_LEAST_RECORDS = 2
_MOST_ABOVE = 4
_ENOUGH = 150
_ENOUGH_VALIDATED = 50
Schema = dict[str, Any] | bool


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
    path = record_path(schema)
    examples = [*earlier, Example(html, url, data, is_whole, is_first)]
    pages = [
        KnownPage(*opened(one.html, css_selector, one.url), one.data, one.is_whole, one.is_first) for one in examples
    ]
    made = _learn_listing(pages, path, schema) if path else _learn_detail(pages, schema)
    if made is None:
        return None
    recipe = made.model_copy(update={"css_selector": css_selector, "url": url, "page_id": page_id})
    kept = exact_selectors(recipe, recipe.record, pages)
    kept = kept or exact_selectors(recipe, without_others(recipe, pages), pages)
    if not kept:
        return None
    recipe = recipe.model_copy(update={"record": kept})
    readings = [read_page(recipe, page.root, page.base) for page in pages]
    for page, reading in zip(pages, readings, strict=True):
        recipe = with_hints(recipe, reading, page.root)
    found = _interludes(recipe, pages, readings)
    return recipe.model_copy(update={"interludes": found, **_around_runs(recipe, readings)})


def _around_runs(recipe: Recipe, readings: Sequence[PageReading]) -> dict[str, Any]:
    """Give what stands before records that are runs of siblings, and whether they stand in several parts of a page."""
    read = [reading.inner.boxes for reading in readings] if recipe.pointer is not None else []
    return {"forerunners": sorted(set[str]().union(*map(forerunners, read))), "apart": any(map(are_apart, read))}


def _interludes(recipe: Recipe, pages: Sequence[KnownPage], readings: Sequence[PageReading]) -> dict[str, int]:
    """Give how that looks which is no record; of a page that was not read whole, among the records that were."""
    if recipe.pointer is None:
        return {}
    found: list[Interlude] = []
    for page, reading in zip(pages, readings, strict=True):
        inside = span_of(reading, page)
        read = interludes_of(recipe, reading, page.base)
        begun = [one for one in read if one.after > inside.start or not inside.start]
        found += read if page.is_whole else [one for one in begun if one.after in inside]
    return longest_by_look(found)


_AGAIN = 2
"""A container that can't hold two records may have so many times the pieces that one had on the page learned from."""


def replay(recipe: Recipe, html: str, url: str, schema: Schema) -> Replay:
    """Give what the recipe reads on a page, and each reason not to trust it (RC-2)."""
    root, base = opened(html, recipe.css_selector, url)
    reading = read_page(recipe, root, base)
    doubts = [*reading.doubts, *find_drift(recipe, reading.inner.values, reading.inner.boxes)]
    doubts += find_strange_values(recipe.outer, reading.outer.values) if reading.outer else []
    doubts += find_exchanged(*reading.columns) if reading.outer and recipe.pointer is None else ()
    doubts += find_lists_drift(reading.lists)
    doubts += begun_by_others(*reading.columns)
    doubts += doubts_of_hints(recipe, reading, root)
    doubts += [
        f"a record says {one!r}"
        for one in ad_labels_of(reading.inner.boxes, reading.inner.said)
        if one not in recipe.badges
    ]
    if new := forerunners(reading.inner.boxes).difference(recipe.forerunners):
        doubts.append(f"{min(new)} stands before the first record, and looks like a part of one")
    if not recipe.apart and are_apart(reading.inner.boxes):
        doubts.append("records stand in several parts of the page, where all stood in one")
    if not doubts:
        doubts += _faults(recipe, reading, schema)
    found = interludes_of(recipe, reading, base) if recipe.interludes else []
    known = known_interludes(recipe, found, len(reading.records))
    texts = tuple(map(spoken_text, reading.inner.whole))
    boxes, asides = tuple(reading.inner.boxes), frozenset(recipe.asides)
    lists = reading.outer.lists if reading.outer and recipe.pointer is not None else []
    beside = tuple(spoken_text(box) for one in lists for box in one.boxes)
    zeros = any(one.zero for one in recipe.fields)
    told = tuple(dict.fromkeys(doubts))
    return Replay(
        reading.data,
        reading.records,
        told,
        known,
        texts,
        boxes,
        recipe.units * (_AGAIN if _names_each_once(recipe) else 1),
        asides,
        beside,
        zeros,
        reading.inner.doubtful,
    )


def _names_each_once(recipe: Recipe) -> bool:
    """Tell whether a second record in a container would be noticed: by the mark of a text that no two share."""
    firsts = [(one.selectors[0], one.figures) for one in recipe.fields if one.selectors]
    named = [figures for one, figures in firsts if one.kind in ("class", "attribute", "within") and not one.many]
    return any(one.kind == "text" and not one.nulls and one.distinct == one.count for one in named)


def refine(recipe: Recipe, html: str, url: str, data: JsonValue) -> Recipe | None:
    """Give the recipe with the figures of one more page, whose proven data it reads right; None when it does not.

    So a value that was always there becomes one that may be absent, and a range wider, once a model has said so.
    """
    root, base = opened(html, recipe.css_selector, url)
    reading = read_page(recipe, root, base)
    wanted = known_records(data, recipe)
    if len(wanted) != len(reading.records) or not all(map(same_data, reading.records, wanted)):
        return None
    known = with_hints(with_places(recipe, reading.inner.boxes) if recipe.places else recipe, reading, root)
    dressed = [in_these_classes(one, reading.inner.boxes) for one in known.fields]
    fields = _with_figures(with_parts(dressed, reading.inner.boxes), reading.inner.values)
    memory = Memory(base)
    fields = with_shares(fields, reading.inner.values, reading.inner.boxes, memory)
    fields = with_sides(fields, recipe.rivals, reading.inner.values, reading.inner.boxes, memory)
    looks = sorted({*recipe.looks, *looks_of(reading.inner.boxes)})
    badges = sorted({*recipe.badges, *ad_labels_of(reading.inner.boxes, reading.inner.said)})
    icons = (icon for box in reading.inner.boxes for icon in icons_of(recipe.fields, box))
    shapes = sorted({*recipe.shapes, *(box.shape for box in reading.inner.boxes)}) if recipe.shapes else []
    found = interludes_of(recipe, reading, base) if recipe.pointer is not None else []
    return recipe.model_copy(
        update={
            "fields": fields,
            "outer": _with_figures(recipe.outer, reading.outer.values) if reading.outer else recipe.outer,
            "lists": merged_lists(reading.inner.lists),
            "outer_lists": merged_lists(reading.outer.lists if reading.outer else []),
            "shapes": shapes,
            "looks": looks,
            "badges": badges,
            "icons": sorted({*recipe.icons, *icons}),
            "forerunners": sorted({*recipe.forerunners, *forerunners(reading.inner.boxes)}),
            "apart": recipe.apart or are_apart(reading.inner.boxes),
            "orders": orders_after(recipe, reading.inner.values),
            "interludes": longest_by_look(found, recipe.interludes),
            "places": known.places,
            "name_signs": known.name_signs,
            "accounted": (recipe.is_unwrapped and recipe.accounted) or is_accounted(recipe, reading.inner, base),
            "records": recipe.records + len(wanted),
        }
    )


def _with_figures(fields: Sequence[FieldRecipe], values: Sequence[Sequence[JsonValue]]) -> list[FieldRecipe]:
    """Give the fields with the figures of more values."""
    return [
        one.model_copy(update={"figures": merge_figures(one.figures, figures_of(column))})
        for one, column in zip(fields, values, strict=True)
    ]


def widened(recipe: Recipe, examples: Sequence[Example]) -> Recipe:
    """Give the recipe of a page about one thing with what those pages have where that it reads right.

    So what other pages showed is no news, though it takes fewer pages to agree on where the values are.
    """
    for one in examples if recipe.pointer is None else ():
        recipe = refine(recipe, one.html, one.url, one.data) or recipe
    return recipe


def misreads(recipe: Recipe, example: Example, schema: Schema) -> bool:
    """Tell whether a recipe reads, without any doubt, something else on a page than its proven data."""
    wanted = known_records(example.data, recipe)
    replayed = replay(recipe, example.html, example.url, schema)
    read = replayed.records if example.is_whole else replayed.records[: len(wanted)]
    return replayed.holds and not (len(read) == len(wanted) and all(map(same_data, read, wanted)))


def _faults(recipe: Recipe, reading: PageReading, schema: Schema) -> list[str]:
    """Give faults of the data as a whole, or of some records of a long list: who serves it validates it all anyway."""
    step = max(1, len(reading.records) // _ENOUGH_VALIDATED)
    if recipe.pointer is not None and step > 1:
        path = record_path(schema)
        checked: list[tuple[Any, JsonValue]] = [
            (path.item_schema if path else True, r) for r in reading.records[::step]
        ]
    else:
        checked = [(schema, reading.data)]
    return [f"{fault.pointer}: {fault.message}" for rule, part in checked for fault in violations(rule, part)[:1]]


def _learn_detail(pages: Sequence[KnownPage], schema: Schema) -> Recipe | None:
    data = [page.data for page in pages]
    if not all(isinstance(one, dict) for one in data):
        return None
    roots, base = [page.root for page in pages], pages[-1].base
    plain, nested = parted(fields_of(schema, data))
    around = learn_page_lists(nested, plain, roots, base)
    recipe = learn_detail(roots, plain, base, around.stops) if around else None
    return recipe.model_copy(update={"outer_lists": around.lists}) if recipe and around else None


def _learn_listing(pages: Sequence[KnownPage], path: RecordPath, schema: Schema) -> Recipe | None:
    listings = [listing for page in pages if (listing := find_records(page.data, path))]
    if len(listings) < len(pages) or min(len(listing.records) for listing in listings) < _LEAST_RECORDS:
        return None
    chosen = [_spread(listing.records, _ENOUGH // len(pages)) for listing in listings]
    fields = fields_of(path.item_schema, [record for records in chosen for record in records])
    counts = [len(records) for records in chosen]
    parts = [
        replace(page, is_whole=page.is_whole and count == len(listing.records))
        for page, listing, count in zip(pages, listings, counts, strict=True)
    ]
    offered = (fields, without_zeros(fields))
    recipe = next(filter(None, (_learn_fields(parts, one, counts) for one in offered if one)), None)
    outer = _outer(pages, path, schema, listings) if recipe else None
    if recipe is None or outer is None:
        return None
    values = {one.steps: one.values for one in fields}
    known = [with_fresh(one, values[one.steps][: counts[0]], values[one.steps][counts[0] :]) for one in recipe.fields]
    return recipe.model_copy(update={"pointer": path.pointer, "fields": known, **outer})


def _learn_fields(pages: Sequence[KnownPage], fields: Sequence[Wanted], counts: Sequence[int]) -> Recipe | None:
    found = _containers(pages, fields, counts)
    recipe = learn_records(found.selectors, fields, found.boxes, pages[-1].base) if found else None
    return recipe or _learn_groups(pages, fields, counts) or learn_unwrapped(pages, fields, counts)


def _learn_groups(pages: Sequence[KnownPage], fields: Sequence[Wanted], counts: Sequence[int]) -> Recipe | None:
    """Learn records of which one field stands above a group of them: then it does not say where a record stands."""
    offered = sorted((one for one in fields if _may_stand_above(one.values, counts)), key=_variety)
    for above in offered[:_MOST_ABOVE]:
        found = _containers(pages, [one for one in fields if one is not above], counts)
        recipe = learn_records(found.selectors, fields, found.boxes, pages[-1].base) if found else None
        if recipe is not None:
            return recipe
    return None


def _may_stand_above(values: Sequence[JsonValue], counts: Sequence[int]) -> bool:
    """Tell whether records with the same value follow on each other on each page, and not all have the same one."""
    if any(isinstance(value, bool | list | dict) for value in values):
        return False
    pages = (values[end - count : end] for end, count in zip(accumulate(counts), counts, strict=True))
    starts = [[value for value, _ in groupby(map(str, page))] for page in pages]
    return all(len(one) == len(set(one)) for one in starts) and len(set(chain.from_iterable(starts))) > 1


def _variety(one: Wanted) -> int:
    return len(set(map(str, one.values)))


def _containers(pages: Sequence[KnownPage], fields: Sequence[Wanted], counts: Sequence[int]) -> Found | None:
    """Give the records' containers on all pages, and the selectors that find them on each.

    Where pages have other ones, as one whose days have one record each, all are looked for that one of them has.
    """
    found = _found_on(pages, fields, counts)
    if found is None or found[1].selectors:
        return found and found[1]
    again = (_found_on(pages, fields, counts, tag) for tag in found[0])
    return next((one for _, one in filter(None, again) if one.selectors), None)


def _found_on(
    pages: Sequence[KnownPage], fields: Sequence[Wanted], counts: Sequence[int], tag: str = ""
) -> tuple[list[str], Found] | None:
    """Give the tags of the containers of the pages, the containers, and the selectors that find all of them."""
    boxes: list[Box] = []
    tags: dict[str, None] = {}
    kept: dict[Any, None] | None = None
    are_seen = all(any(value is not None for value in one.values) for one in fields)
    start = 0
    for page, count in zip(pages, counts, strict=True):
        rows = range(start, start + count)
        leaves, inner = stated(fields, rows)
        found = find_containers(
            page.root, PageMap(page.root, page.base), leaves, inner, are_all=page.is_whole, are_seen=are_seen, tag=tag
        )
        if found is None:
            return None
        boxes += found.boxes
        tags |= dict.fromkeys(one.tag for one in found.selectors)
        kept = {one: None for one in found.selectors if kept is None or one in kept}
        start += count
    return [*tags], Found(boxes, [*(kept or ())])


def _spread(records: list[JsonValue], enough: int) -> list[JsonValue]:
    """Give enough of the records to learn from, from all over the page; all are checked in the end."""
    if len(records) <= enough:
        return records
    chosen = Random(len(records)).sample(range(len(records)), enough)
    return [records[at] for at in sorted({*chosen, *range(enough // 3)})]


def _outer(
    pages: Sequence[KnownPage], path: RecordPath, schema: Schema, listings: Sequence[Listing]
) -> dict[str, Any] | None:
    """Give what reads the values and lists around a listing; None when one of them has no sure place."""
    steps = read_pointer(path.pointer)
    around: list[JsonValue] = [
        {name: value for name, value in listing.outer.items() if not steps or name != steps[0]} for listing in listings
    ]
    fields = [one for one in fields_of(schema, around) if one.steps and (not steps or one.steps[0] != steps[0])]
    if not any(around):
        return {}
    roots, base = [page.root for page in pages], pages[-1].base
    plain, nested = parted(fields)
    lists = learn_page_lists(nested, plain, roots, base)
    if not lists:
        return None
    found = sure_fields([PageMap(root, base) for root in roots], plain, base, lists.stops)
    sure = [one for one in found if one is not None]
    return {"outer": sure, "outer_lists": lists.lists} if len(sure) == len(plain) else None
