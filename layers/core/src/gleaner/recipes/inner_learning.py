"""Learn records whose fields hold lists of objects: each list by the same means as the records that it stands in."""

from collections.abc import Container, Sequence
from dataclasses import dataclass, replace
from typing import Any

from lxml.html import HtmlElement

from gleaner.contracts.ports import JsonValue
from gleaner.recipes.absence import Claims
from gleaner.recipes.advertisements import ad_labels_of
from gleaner.recipes.boxes import Box
from gleaner.recipes.columns import Wanted
from gleaner.recipes.containers import PageMap
from gleaner.recipes.drift import figures_of, figures_of_lists, merge_figures
from gleaner.recipes.fields import captions_of, fields_of, learn_fields, recipe_of, with_absence
from gleaner.recipes.inner_boxes import Opened, area_of, open_box, parents_of, place_in, texts_around
from gleaner.recipes.inner_containers import FoundItems, find_items, is_named, others_selected
from gleaner.recipes.inner_reading import ListReading, fields_in
from gleaner.recipes.interludes import look_of
from gleaner.recipes.model import ListRecipe, Recipe, RecordSelector
from gleaner.recipes.record_selectors import looks_of
from gleaner.recipes.shifting import may_shift
from gleaner.recipes.templates import text_of_box
from gleaner.schemas import record_path

_DEEPEST = 4
_ENOUGH_PAGES = 2


@dataclass(frozen=True, slots=True)
class Nested:
    """A field whose values are lists of objects: the items of each record, and the fields of all items in a row."""

    wanted: Wanted
    rows: list[list[JsonValue]]
    fields: list[Wanted]


def parted(fields: Sequence[Wanted]) -> tuple[list[Wanted], list[Nested]]:
    """Give the plain fields, and those that are lists of objects."""
    plain: list[Wanted] = []
    nested: list[Nested] = []
    for one in fields:
        rows = [value if isinstance(value, list) else [] for value in one.values]
        items = [item for row in rows for item in row]
        if items and all(isinstance(item, dict) for item in items):
            nested.append(Nested(one, rows, fields_of(_schema_of_items(one.schema), items)))
        else:
            plain.append(one)
    return plain, nested


def _schema_of_items(schema: Any) -> Any:
    path = record_path(schema)
    return path.item_schema if path is not None and not path.pointer else True


def leaves_in(value: JsonValue) -> list[JsonValue]:
    """Give the scalars in lists of a value."""
    parts = value if isinstance(value, list) else list(value.values()) if isinstance(value, dict) else None
    if parts is None:
        return [] if value is None or isinstance(value, bool) else [value]
    return [leaf for part in parts for leaf in leaves_in(part)]


def stated(fields: Sequence[Wanted], rows: Sequence[int]) -> tuple[list[list[JsonValue]], list[list[JsonValue]]]:
    """Give the scalars of each of these records, flags left out, and those in its lists."""
    plain, nested = parted(fields)
    lists = [one.wanted for one in nested] + [one for one in plain if one.is_list]
    own = [one for one in fields if not one.is_list]
    leaves = [[None if isinstance(one.values[at], bool) else one.values[at] for one in own] for at in rows]
    return leaves, [[leaf for one in lists for leaf in leaves_in(one.values[at])] for at in rows]


@dataclass(frozen=True, slots=True)
class FoundLists:
    """Records opened at their lists, and where the items of each list were found."""

    opened: list[Opened]
    lists: list[tuple[Nested, FoundItems]]


def find_lists(nested: Sequence[Nested], boxes: Sequence[Box], base: str) -> FoundLists | None:
    """Give where the items of all lists stand in the records; None when those of one can't be told apart."""
    maps = _maps(boxes, base)
    found: list[tuple[Nested, FoundItems]] = []
    for one in nested:
        items = find_items(boxes, maps, _leaves(one))
        if items is None:
            return None
        found.append((one, items))
    opened = [open_box(box, [items.rows[at] for _, items in found]) for at, box in enumerate(boxes)]
    return FoundLists(opened, found) if not any(map(_overlap, opened)) else None


def _maps(boxes: Sequence[Box], base: str) -> list[PageMap]:
    maps: dict[HtmlElement, PageMap] = {}
    roots = [_root_of(box) for box in boxes]
    for root in roots:
        if root not in maps:
            maps[root] = PageMap(root, base)
    return [maps[root] for root in roots]


def _root_of(box: Box) -> HtmlElement:
    top: HtmlElement = box.elements[0]
    while (parent := top.getparent()) is not None:
        top = parent
    return top


def _leaves(one: Nested) -> list[list[list[JsonValue]]]:
    """Give for each item its own scalars, each at the place of its field, and after them those of its lists."""
    own = [field for field in one.fields if not field.is_list]
    lists = [field for field in one.fields if field.is_list]
    rows: list[list[list[JsonValue]]] = []
    at = 0
    for row in one.rows:
        rows.append([])
        for _ in row:
            scalars = [None if isinstance(field.values[at], bool) else field.values[at] for field in own]
            rows[-1].append([*scalars, *(leaf for field in lists for leaf in leaves_in(field.values[at]))])
            at += 1
    return rows


def _overlap(record: Opened) -> bool:
    """Tell whether items of two lists stand in one another, or take all of the record."""
    tops = [element for found in record.inner for box in found for element in box.elements]
    every = {node for top in tops for node in top.iter()}
    return len(every) < sum(1 for top in tops for _ in top.iter()) or set(record.box.elements) <= every


def learn_records(
    selectors: list[RecordSelector], fields: Sequence[Wanted], boxes: Sequence[Box], base: str, *, depth: int = 0
) -> Recipe | None:
    """Give a recipe of the fields in the containers, lists of objects included; None when a value can't be read."""
    plain, nested = parted(fields)
    found = find_lists(nested, boxes, base) if nested and depth < _DEEPEST else None
    if nested and found is None:
        return None
    bare = [one.box for one in found.opened] if found else list(boxes)
    captions = captions_of(bare, plain)
    bare = [Box(box.elements, captions, box.stops) for box in bare]
    learned = learn_fields(plain, bare, base)
    if learned is None:
        return None
    recipe = with_absence(recipe_of(selectors, learned, bare), learned, bare, base)
    is_fixed = not any(may_shift(one, of, bare) for one, of in zip(recipe.fields, learned.wanted, strict=True))
    looks = {"looks": looks_of(bare), "badges": ad_labels_of(bare)}
    is_good = recipe.transferable and is_fixed
    recipe = recipe.model_copy(update={"pointer": "", "captions": sorted(captions), "transferable": is_good, **looks})
    if found is None:
        return recipe
    rows = [[one.values[at] for one in plain] for at in range(len(bare))]
    opened = [replace(one, box=box) for one, box in zip(found.opened, bare, strict=True)]
    claims = Claims(recipe.fields, base, recipe.labels, recipe.noise)
    free = [[text for _, text in claims.unclaimed(one.box, cells)] for one, cells in zip(opened, rows, strict=True)]
    found = replace(found, opened=opened)
    lists = learn_lists(found, boxes, base, [one.box for one in opened], free, depth=depth)
    return with_lists(recipe, lists)


def with_lists(recipe: Recipe, lists: Sequence[ListRecipe] | None) -> Recipe | None:
    """Give the recipe with lists in its records; it is good for other pages if all of them are."""
    if lists is None:
        return None
    is_transferable = recipe.transferable and all(one.items.transferable for one in lists)
    return recipe.model_copy(update={"lists": list(lists), "transferable": is_transferable})


def learn_lists(
    found: FoundLists,
    boxes: Sequence[Box],
    base: str,
    around: Sequence[Box],
    free: Sequence[Sequence[str]],
    *,
    depth: int = 0,
) -> list[ListRecipe] | None:
    """Give the recipes of the lists in the containers; None when one can't be read.

    ``around`` is what holds the items of each record, without them; ``free`` the texts of it that are no field's.
    """
    made: list[ListRecipe] = []
    for nested, items in found.lists:
        inner = [box for row in items.rows for box in row]
        recipe = learn_records(items.selectors, nested.fields, inner, base, depth=depth + 1)
        if recipe is None:
            return None
        if not items.is_exact:
            recipe = recipe.model_copy(update={"interludes": _interludes(boxes, items)})
        made.append(_with_surroundings(_list_recipe(nested, items, recipe, boxes), around, free))
    return made


def _interludes(boxes: Sequence[Box], items: FoundItems) -> dict[str, int]:
    """Give how that looks which stands among the items and is none, each with the length of the longest text."""
    longest: dict[str, int] = {}
    for box in others_selected(boxes, items):
        longest[look_of(box)] = max(len(text_of_box(box)), longest.get(look_of(box), 0))
    return longest


def _list_recipe(nested: Nested, items: FoundItems, recipe: Recipe, boxes: Sequence[Box]) -> ListRecipe:
    pairs = [(box, inner) for box, row in zip(boxes, items.rows, strict=True) for inner in row]
    return ListRecipe(
        steps=nested.wanted.steps,
        items=recipe,
        figures=figures_of_lists([len(row) for row in nested.rows]),
        places=sorted({place_in(box, inner.elements[0]) for box, inner in pairs}),
        together=all(len(parents_of(row)) <= 1 for row in items.rows),
    )


def _with_surroundings(made: ListRecipe, around: Sequence[Box], free: Sequence[Sequence[str]]) -> ListRecipe:
    """Note where other texts stand around the items, and the fields that such texts could be values of."""
    places = [
        (look, text, others) for box, others in zip(around, free, strict=True) for look, text in texts_around(box)
    ]
    texts = sorted({look for look, text, others in places if any(other in text for other in others)})
    return made.model_copy(
        update={"texts": texts, "loose": sorted({at for texts in free for at in fields_in(made, texts)})}
    )


@dataclass(frozen=True, slots=True)
class PageLists:
    """The recipes of lists that stand on pages beside the records, and the elements of their items on each page."""

    lists: list[ListRecipe]
    stops: list[frozenset[Any]]


def learn_page_lists(
    nested: Sequence[Nested], plain: Sequence[Wanted], roots: Sequence[HtmlElement], base: str
) -> PageLists | None:
    """Give what reads the lists of pages; None when one can't be read, or its place is not sure.

    A place without a name needs several pages, and no value of the ``plain`` fields is one; a list is learned from
    pages on which it is not empty.
    """
    if not nested:
        return PageLists([], [frozenset() for _ in roots])
    pages = [Box([root]) for root in roots]
    found = find_lists(nested, pages, base)
    if found is None or any(not row for one, _ in found.lists for row in one.rows):
        return None
    values = {str(value) for one in plain for value in one.values if value is not None}
    found = replace(found, lists=[(one, _without_scopes(items, values)) for one, items in found.lists])
    if not all(items.selectors for _, items in found.lists):
        return None
    if len(roots) < _ENOUGH_PAGES and not all(any(map(is_named, items.selectors)) for _, items in found.lists):
        return None
    made: list[ListRecipe] = []
    stops = [page.box.stops for page in found.opened]
    for number, one in enumerate(found.lists):
        areas = [area_of(page.inner[number], page.box.stops) for page in found.opened]
        texts = [[text for _, text in texts_around(area)] for area in areas]
        lists = learn_lists(replace(found, lists=[one]), pages, base, areas, texts)
        if lists is None or not lists[0].items.transferable:
            return None
        made += lists
    return PageLists(made, stops)


def _without_scopes(items: FoundItems, values: Container[str]) -> FoundItems:
    """Leave out the selectors that go by the values of this page."""
    kept = [one for one in items.selectors if one.scope is None or one.scope[2] not in values]
    return replace(items, selectors=kept)


def merged_lists(lists: Sequence[ListReading]) -> list[ListRecipe]:
    """Give the recipes with the figures of lists that were read right."""
    return [_merged(one) for one in lists]


def _merged(read: ListReading) -> ListRecipe:
    items = read.recipe.items
    fields = [
        one.model_copy(update={"figures": merge_figures(one.figures, figures_of(column))})
        for one, column in zip(items.fields, read.values, strict=True)
    ]
    looks = sorted({*items.looks, *looks_of(read.boxes)})
    update = {"fields": fields, "looks": looks, "lists": merged_lists(read.lists)}
    return read.recipe.model_copy(
        update={
            "items": items.model_copy(update=update),
            "figures": merge_figures(read.recipe.figures, figures_of_lists([len(row) for row in read.rows])),
        }
    )
