"""Pages about one thing: what is named surely is read anywhere on the page, the rest in the smallest part with it.

One page shows what is sure: a heading, a label, a telling class. Whether a place without a name is the field's own, and
what may be absent, only several pages show.
"""

from collections.abc import Iterator, Sequence
from typing import Any, cast

from lxml.html import HtmlElement

from gleaner.contracts.ports import JsonValue
from gleaner.html.elements import HEADINGS
from gleaner.recipes.absence import Claims
from gleaner.recipes.boxes import Box, beside
from gleaner.recipes.bylines import byline_selectors
from gleaner.recipes.columns import Wanted, candidate_columns, fit_hashed
from gleaner.recipes.containers import PageMap, smallest_with
from gleaner.recipes.fields import (
    captions_of,
    field_recipe,
    fit,
    is_general,
    learn_fields,
    recipe_of,
    with_absence,
)
from gleaner.recipes.flags import flag_places, is_flag
from gleaner.recipes.model import FieldRecipe, FieldSelector, Recipe, RecordSelector
from gleaner.recipes.naming import beyond_chance, fit_on_pages, of_several_places, page_columns
from gleaner.recipes.parting import with_parts
from gleaner.recipes.placed import placed_selectors
from gleaner.recipes.readers import Reader
from gleaner.recipes.record_selectors import select, selectors_of_one
from gleaner.recipes.variants import in_several_places
from gleaner.recipes.whole_pages import with_places
from gleaner.schemas import declared_types

_MOST_LEVELS = 6
_ENOUGH_PAGES = 2
_MOST_PLACES = 40
_AROUND = 3
_LEAST_NAMED = 2
_CROWDED = 300
"""Elements of a part above which only those that state a value are tried."""


def learn_detail(
    roots: Sequence[HtmlElement], fields: Sequence[Wanted], base: str, stops: Sequence[frozenset[Any]] = ()
) -> Recipe | None:
    """Give a recipe for pages about one thing, of which ``fields`` hold a value for each; None when doubt is left.

    ``stops`` are for each page the elements of lists' items: they hold no field.
    """
    stops = stops or [frozenset() for _ in roots]
    maps = [PageMap(root, base) for root in roots]
    sure = sure_fields(maps, fields, base, stops, may_lack=True)
    if all(sure) and sum(bool(one and one.selectors) for one in sure) >= min(_LEAST_NAMED, len(sure)):
        named = [one for one in sure if one is not None]
        pages = [Box([root], stops=within) for root, within in zip(roots, stops, strict=True)]
        named = with_parts(named, pages)
        recipe = Recipe(pointer=None, record=[RecordSelector(kind="page")], fields=named, records=len(roots))
        return with_places(recipe, pages)
    sure = [one if one and not one.figures.nulls and one.selectors else None for one in sure]
    if len(roots) < _ENOUGH_PAGES:
        return None
    for selectors, parts in _parts(maps, fields, sure):
        boxes = [Box([part], stops=within) for part, within in zip(parts, stops, strict=True)]
        made = _learn_part(selectors, boxes, fields, sure, maps)
        if made is not None:
            return made
    return None


def sure_fields(
    maps: Sequence[PageMap],
    fields: Sequence[Wanted],
    base: str,
    stops: Sequence[frozenset[Any]] = (),
    *,
    may_lack: bool = False,
) -> list[FieldRecipe | None]:
    """Give the fields that every page states and names surely, outside its ``stops``; None for the others.

    If pages ``may_lack`` a value, one that is absent from some pages, or from all, is sure, too.
    """
    boxes = [Box([page.root], stops=s) for page, s in zip(maps, stops or [frozenset()] * len(maps), strict=True)]
    columns = page_columns(boxes, _all_places(maps, boxes, fields))
    sure: list[FieldRecipe | None] = []
    for one in fields:
        found = [selector for selector in fit_on_pages(one, boxes, columns, base) if is_general(selector, fields, one)]
        if not found and _is_always_there(one) and _is_shown(one):
            found = fit_hashed(one, boxes, base)
        if not found and len(boxes) == 1 and isinstance(one.values[0], str):
            found = list(byline_selectors(one, fields, boxes[0], base))
        found = beyond_chance(one, found, boxes, maps)
        several = [] if found else in_several_places(one, boxes, maps, columns=columns, base=base, fields=fields)
        if may_lack and not (found or several):
            several = beyond_chance(one, placed_selectors(one, boxes, base), boxes, maps)
        is_full = bool(found or several) and not any(value is None for value in one.values)
        is_sure = is_full or (may_lack and (bool(found or several) or _is_never_there(one)))
        made = field_recipe(one, found or several, loose=not may_lack) if is_sure else None
        sure.append(made and made.model_copy(update={"selectors": several or of_several_places(found, boxes)}))
    return sure


def _is_always_there(one: Wanted) -> bool:
    """Tell whether each page must have one value: then a class that another element has in its place is noticed."""
    return not (one.is_list or one.is_omitted or None in one.values or "null" in declared_types(one.schema))


def _is_never_there(one: Wanted) -> bool:
    return all(value is None or value == [] or value is False for value in one.values)


def _is_plain(one: Wanted, found: Sequence[FieldSelector], maps: Sequence[PageMap]) -> bool:
    """Tell whether the places give the values by no coincidence: the values differ, or stand in one place only."""
    return (
        _is_shown(one)
        or found[0].tag == "h1"
        or all(len(page.hits(value)) <= 1 for page, value in zip(maps, one.values, strict=True) if not _is_list(value))
    )


def _is_list(value: JsonValue) -> bool:
    return isinstance(value, list)


def _is_shown(one: Wanted) -> bool:
    return len({str(value) for value in one.values if value is not None}) >= _ENOUGH_PAGES


def _parts(
    maps: Sequence[PageMap], fields: Sequence[Wanted], sure: Sequence[FieldRecipe | None]
) -> Iterator[tuple[list[RecordSelector], list[HtmlElement]]]:
    """Give the parts of the pages with all that is not sure, smallest first, and how to find them again."""
    unsure = [one for one, known in zip(fields, sure, strict=True) if known is None]
    if any(value is None or value == [] for one in unsure for value in one.values):
        unsure = [one for one in fields if not _is_heading(one, fields, sure)]
    stated = [_stated(page, unsure, at) for at, page in enumerate(maps)]
    fullest = max(range(len(maps)), key=lambda at: len(stated[at]))
    part: HtmlElement | None = smallest_with(maps[fullest], stated[fullest])
    for _ in range(_MOST_LEVELS):
        if part is None or part.tag in ("body", "html"):
            return
        for selector in selectors_of_one(maps[fullest].root, part):
            found = [select(page.root, selector) for page in maps]
            if all(len(one) == 1 for one in found):
                yield [selector], [one[0] for one in found]
                break
        part = part.getparent()


def _is_heading(one: Wanted, fields: Sequence[Wanted], sure: Sequence[FieldRecipe | None]) -> bool:
    recipe = sure[list(fields).index(one)]
    return recipe is not None and any(selector.tag in HEADINGS for selector in recipe.selectors)


def _stated(page: PageMap, fields: Sequence[Wanted], at: int) -> list[list[int]]:
    """Give for each value the places that state it."""
    values = [one.values[at] for one in fields]
    leaves = [leaf for value in values for leaf in (value if isinstance(value, list) else [value])]
    return [hits for leaf in leaves if leaf is not None and (hits := page.hits(cast(JsonValue, leaf)))]


def _all_places(maps: Sequence[PageMap], boxes: Sequence[Box], fields: Sequence[Wanted]) -> set[HtmlElement]:
    """Give the elements of the pages that state a value, or may tell a flag."""
    places = {place for at, page in enumerate(maps) for place in _places(page, fields, at)}
    return places.union(*(flag_places(box, fields) for box in boxes))


def _places(page: PageMap, fields: Sequence[Wanted], at: int) -> Iterator[HtmlElement]:
    """Give the elements that state a value, and those around them."""
    for hits in _stated(page, fields, at):
        for hit in hits[:_MOST_PLACES]:
            element: HtmlElement | None = page.elements[hit]
            for _ in range(_AROUND):
                if element is not None:
                    yield element
                    element = element.getparent()


def _learn_part(
    selectors: list[RecordSelector],
    bare: Sequence[Box],
    fields: Sequence[Wanted],
    sure: Sequence[FieldRecipe | None],
    maps: Sequence[PageMap],
) -> Recipe | None:
    """Give a recipe whose record is the part; what is sure and stands elsewhere is read around it."""
    captions = captions_of(bare, fields)
    parts = [box.elements[0] for box in bare]
    boxes = [Box(box.elements, captions, box.stops) for box in bare]
    base = maps[0].base
    is_crowded = max(len(box.inside) for box in boxes) > _CROWDED
    columns = candidate_columns(boxes, _all_places(maps, boxes, fields) if is_crowded else None)
    inside = [
        one
        for one, known in zip(fields, sure, strict=True)
        if known is None
        or (not is_flag(one) and any(selector.is_strong for selector in fit(one, boxes, columns, base)))
    ]
    learned = learn_fields(inside, boxes, base, columns, of_pages=fields)
    if learned is None or not any(one.selectors for one in learned.fields):
        return None
    recipe = with_absence(recipe_of(selectors, learned, boxes), learned, boxes, base)
    pairs = zip(recipe.fields, inside, strict=True)
    if not all(_is_beyond_doubt(one, wanted, fields, maps) for one, wanted in pairs):
        return None
    is_nameless = all(selector.by == "place" for selector in selectors)
    if is_nameless and any(_goes_by_the_part(one, parts) for one in recipe.fields):
        return None
    recipe = recipe.model_copy(update={"fields": _with_elsewhere(recipe, parts, base)})
    outer = [known for one, known in zip(fields, sure, strict=True) if known is not None and one not in inside]
    return recipe.model_copy(update={"outer": outer, "captions": sorted(captions)})


def _is_beyond_doubt(one: FieldRecipe, wanted: Wanted, fields: Sequence[Wanted], maps: Sequence[PageMap]) -> bool:
    """Tell whether pages enough have shown where the field stands, and that nothing else could be it."""
    if not one.selectors:
        return not one.loose
    first = one.selectors[0]
    if first.kind == "self":
        return bool(first.mark)
    if is_general(first, fields, wanted):
        return _is_plain(wanted, one.selectors, maps)
    return _is_shown(wanted) and not one.loose and any(selector.kind in ("path", "tag") for selector in one.selectors)


def _goes_by_the_part(one: FieldRecipe, parts: Sequence[HtmlElement]) -> bool:
    """Tell whether a name would name several things but for the part, which is known by its place alone.

    So a cell of a table of facts is not taken for the one fact whose row stands there.
    """
    if not one.selectors or one.selectors[0].kind not in ("class", "attribute", "within", "self"):
        return False
    reader = Reader(one.selectors[0])
    return any(
        reader.place(Box([part.getroottree().getroot()])) < 0 for part in parts if reader.place(Box([part])) >= 0
    )


def _with_elsewhere(recipe: Recipe, parts: Sequence[HtmlElement], base: str) -> list[FieldRecipe]:
    """Note how many texts of each field's type the pages have beside the part."""
    claims = Claims(recipe.fields, base)
    around = [beside(part) for part in parts]
    counts = [[claims.count(at, box) for box in around] for at in range(len(recipe.fields))]
    return [
        one.model_copy(update={"elsewhere": max((count for count in seen if count is not None), default=None)})
        for one, seen in zip(recipe.fields, counts, strict=True)
    ]
