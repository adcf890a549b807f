"""Learning a recipe from proven records, without a model (RC-1): per field, kept as far as it gives them again."""

import re
from collections.abc import Iterable, Iterator, Sequence
from random import Random

from lxml.html import HtmlElement

from gleaner.contracts.json_pointers import read_pointer
from gleaner.contracts.ports import JsonObject, JsonValue
from gleaner.results.record_lists import Listing, find_records
from gleaner.schemas import RecordPath, record_path
from gleaner.schemas.dialects import Schema
from gleaner.wrappers.boxes import box_selectors, extra_of, select
from gleaner.wrappers.container import Container
from gleaner.wrappers.guard import is_claimed, names_on
from gleaner.wrappers.induction.alignment import find_containers, forms_of
from gleaner.wrappers.induction.records import learn_fields, proven_below, scalars_of
from gleaner.wrappers.induction.verifying import ENOUGH, MOST_NOISE, Example, KnownPage, Learned, verified, worth
from gleaner.wrappers.labels import BEHIND
from gleaner.wrappers.looks import look_of_text
from gleaner.wrappers.model import BoxSelector, FieldRecipe, ListRecipe, Recipe
from gleaner.wrappers.opening import LEAST_BREAKS, TreeForm, tree_of
from gleaner.wrappers.readings import Readers, as_template, is_nothing, is_typed, numbers_in
from gleaner.wrappers.selectors import cut_text, read_said
from gleaner.wrappers.trees import label_form, readers_of

_MOST_NAMES = 1500
NO_PARTS = "no parts of the page say what the records do, one each"
_LONGEST_FIXED, _LEAST_LETTERS = 60, 3
"""Characters at most, and letters at least, of a text that a page says beside those of its fields."""


def learn_from(examples: Sequence[Example], schema: Schema, *, page_id: str = "") -> Learned:
    """Give a recipe that reads all examples again, field by field, or why there is none.

    Records that no elements hold, one each, are looked for among the lines of the text and the columns of tables.
    """
    path = record_path(schema)
    made = _learn_from(examples, schema, path, page_id)
    if made.reason != NO_PARTS:
        return made
    forms: tuple[TreeForm, ...] = ("lines", "columns")
    others = (_learn_from(examples, schema, path, page_id, form) for form in forms if _may_be(form, examples))
    return next((one for one in others if one.recipe is not None), made)


def _may_be(form: TreeForm, examples: Sequence[Example]) -> bool:
    """Tell whether some page may hold its records in lines of text, or in columns of a table."""
    tags = ("<table",) if form == "columns" else ("<pre", "<br")
    return any(one.page.html.count(tag) >= (LEAST_BREAKS if tag == "<br" else 1) for one in examples for tag in tags)


def _learn_from(
    examples: Sequence[Example], schema: Schema, path: RecordPath | None, page_id: str, form: TreeForm = ""
) -> Learned:
    known: list[KnownPage] = []
    for one in examples:
        page = tree_of(one.page, form=form)
        listing = find_records(one.data, path) if path else Listing([one.data])
        if listing is None or not all(isinstance(record, dict) or path for record in listing.records):
            return Learned(None, "the data holds no records of the schema")
        found = {pointer: page.element_at(span) for pointer, span in one.proofs.items()}
        proven = {pointer: element for pointer, element in found.items() if element is not None}
        known.append(KnownPage(page, listing.records, listing.outer, one.is_whole, one.is_first, [], proven))
    made = _learn_listing(known, path, schema) if path else _learn_single(known, schema)
    if made.recipe is None:
        return made
    recipe = made.recipe.model_copy(
        update={
            "css_selector": examples[-1].page.options.css_selector,
            "form": form,
            "url": examples[-1].page.url,
            "page_id": page_id,
        }
    )
    return verified(recipe, known)


def _learn_single(known: Sequence[KnownPage], schema: Schema) -> Learned:
    """Learn a page about one thing: its container is the page."""
    for one in known:
        one.boxes = [Container(one.page, [one.page.root])]
    records = [one.records[0] for one in known]
    boxes = [one.boxes[0] for one in known]
    readers = readers_of([one.page for one in known])
    proven = [one.proven for one in known]
    fields, lists = learn_fields(schema, records, boxes, readers, proven=proven, is_single=True)
    own = {label_form(one) for record in records for one in scalars_of(record) if isinstance(one, str)}
    names = {name for box in boxes for name in names_on(box) if len(name) <= 40 and name not in own}
    looks: set[str] = set()
    for box, record in zip(boxes, records, strict=True):
        said = [form for value in scalars_of(record) for form in forms_of(value)]
        told = re.compile(rf"(?<!\w)({'|'.join(map(re.escape, said))})(?!\w)") if said else None
        free = (one for one in box.pieces if not is_nothing(one[0]) and not is_claimed(one[0], said))
        looks |= {look_of_text(text, holder) for text, holder in free if not (told and told.search(text))}
    noise = [*sorted(looks)[:MOST_NOISE], *sorted(names)[:_MOST_NAMES]]
    elsewhere = sorted(_said_elsewhere(fields, records, boxes, readers))[:MOST_NOISE]
    return worth(Recipe(fields=tuple(fields), lists=tuple(lists), noise=tuple(noise), elsewhere=tuple(elsewhere)))


def _said_elsewhere(
    fields: Sequence[FieldRecipe], records: Sequence[JsonValue], boxes: Sequence[Container], readers: Readers
) -> set[str]:
    """Give what pages about one thing say beside the texts of their fields, with 9 for each number.

    That is what stands with a number of the record ("9 min read"), what all of several pages say outside of links, and
    the labels as the beginning of a text, with "*" for the rest.
    """
    own = {as_template(one) for record in records for one in scalars_of(record) if isinstance(one, str)}
    own |= {
        as_template(cut_text(selector, text))
        for one in fields
        for selector in one.selectors
        if not is_typed(selector.reading)
        for box in boxes
        for text in read_said(selector, box, readers)[1]
    }
    found: set[str] = set()
    fixed: list[set[str]] = []
    for box, record in zip(boxes, records, strict=True):
        numbers = {form for one in scalars_of(record) if not isinstance(one, str) for form in forms_of(one)}
        said = [(text, node) for node in box.nodes if 0 < len(text := box.text(node)) <= _LONGEST_FIXED]
        found |= {as_template(text) for text, _ in said if not numbers.isdisjoint(numbers_in(text))}
        fixed.append({as_template(text) for text, node in said if not any(one.tag == "a" for one in _up(node))})
    found |= set.intersection(*fixed) if len(fixed) > 1 else set()
    shared = set.intersection(*({*(box.labelled if len(boxes) > 1 else box.by_label)} for box in boxes))
    labels = [one for one in shared & {*boxes[0].labelled} if not one.startswith(BEHIND)]
    leads = {as_template(f"{one}:") for one in labels} | {as_template(one) for one in labels if " " in one}
    found = (found - own) | {f"{lead}*" for lead in leads if not any(text.startswith(lead) for text in own)}
    return {one for one in found if len(one) <= _LONGEST_FIXED and sum(map(str.isalpha, one)) >= _LEAST_LETTERS}


def _up(node: HtmlElement) -> Iterator[HtmlElement]:
    yield node
    yield from node.iterancestors()


def _learn_listing(known: Sequence[KnownPage], path: RecordPath, schema: Schema) -> Learned:
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
        offered.update(dict.fromkeys(box_selectors(one.page, found, is_whole=one.is_whole, is_first=one.is_first)))
    selectors = _tightest(offered, known)
    if not selectors:
        return Learned(None, "no tag, class or place tells the records' containers from the rest")
    sampled = [(one, row) for one in known for row in _spread(len(one.boxes), ENOUGH // len(known))]
    boxes, records = [one.boxes[row] for one, row in sampled], [one.records[row] for one, row in sampled]
    proven = [proven_below(f"{path.pointer}/{row}", one.proven) for one, row in sampled]
    is_sampled = not all(one.is_whole for one in known)
    readers = readers_of([one.page for one in known])
    fields, lists = learn_fields(
        path.item_schema, records, boxes, readers, proven=proven, is_single=False, is_sampled=is_sampled
    )
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
    return worth(recipe)


def _spread(count: int, enough: int) -> Sequence[int]:
    """Give the numbers of enough of so many records to learn from, from all over the page."""
    if count <= enough:
        return range(count)
    return sorted({*Random(count).sample(range(count), enough), *range(enough // 4)})


def _tightest(offered: Iterable[BoxSelector], known: Sequence[KnownPage]) -> list[BoxSelector]:
    """Give the selectors that find the records of all pages, with the fewest other elements."""
    extras: dict[BoxSelector, int] = {}
    for selector in offered:
        found = [
            extra_of(select(one.page, selector), one.boxes, is_whole=one.is_whole, is_first=one.is_first)
            for one in known
        ]
        if all(extra is not None and extra <= len(one.boxes) for extra, one in zip(found, known, strict=True)):
            extras[selector] = sum(extra or 0 for extra in found)
    least = min(extras.values(), default=0)
    return [selector for selector, extra in extras.items() if extra == least]


def _learn_outer(
    known: Sequence[KnownPage], path: RecordPath, schema: Schema
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
    boxes, proven = [Container(one.page, [one.page.root]) for one in known], [one.proven for one in known]
    readers = readers_of([one.page for one in known])
    return learn_fields(schema, around, boxes, readers, proven=proven, is_single=True, without=steps[:1])
