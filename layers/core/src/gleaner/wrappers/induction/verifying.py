"""Verifying a recipe on the pages it was learned from: what it does not read again is left to the model."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from lxml.html import HtmlElement

from gleaner.contracts.json_pointers import pointer_of
from gleaner.contracts.ports import JsonValue
from gleaner.page.model import Page, Span
from gleaner.results.record_lists import Listing, find_records
from gleaner.schemas import record_path
from gleaner.schemas.dialects import Schema
from gleaner.wrappers.container import Container
from gleaner.wrappers.guard import claimed_by, is_claimed, unclaimed_part
from gleaner.wrappers.induction.records import leaves_of, value_at
from gleaner.wrappers.interludes import find_interludes, own_parts
from gleaner.wrappers.looks import look_of, look_of_holder, marks_of, part_of, signs_of
from gleaner.wrappers.model import FieldRecipe, Recipe
from gleaner.wrappers.opening import tree_of
from gleaner.wrappers.readings import UNREAD, mask, same
from gleaner.wrappers.replaying import find_boxes, replay_on
from gleaner.wrappers.tables import Column, Table, read_table, some_in
from gleaner.wrappers.trees import PageTree, readers_of, squeeze, text_of

ENOUGH = 120
"""Of more records, selectors are learned from so many, spread over the page; all are checked in the end."""
_MOST_LOOKS = 60
MOST_NOISE = 400
_OFTEN = 3
"""A part that holds texts of no field in so many records holds such in others, too."""
_LONGEST_NOISE = 80
_MOST_HOLDERS = 5
_LEAST_READ = 0.5
"""A recipe that reads fewer of the fields is not worth its replay: the model would read most of the page anyway."""


@dataclass(frozen=True, slots=True)
class Example:
    """A page and its proven data: an instance of the schema, its records in page order.

    ``is_whole`` when these are all records of the page, ``is_first`` when no others stand before them. ``proofs`` are
    the places in the page's text that prove the values, by their JSON Pointers, as far as these are known.
    """

    page: Page
    data: JsonValue
    is_whole: bool = True
    is_first: bool = False
    proofs: Mapping[str, Span] = field(default_factory=dict[str, Span])


@dataclass(frozen=True, slots=True)
class Learned:
    """A recipe, or in plain words why there is none."""

    recipe: Recipe | None
    reason: str = ""


@dataclass(slots=True)
class KnownPage:
    """An open page, its records and what stands around them, and the records' containers.

    ``proven`` are the elements where values are proven, by the JSON Pointers of these in the page's data.
    """

    page: PageTree
    records: list[JsonValue]
    outer: JsonValue
    is_whole: bool
    is_first: bool
    boxes: list[Container]
    proven: Mapping[str, HtmlElement]


def worth(recipe: Recipe) -> Learned:
    """Give a recipe that reads enough of the fields to be worth it."""
    count = len(recipe.fields) + len(recipe.lists)
    unread = [one for one in recipe.fields if one.unread]
    has_some = any(one.selectors for one in recipe.fields) or bool(recipe.lists)
    if has_some and count - len(unread) >= _LEAST_READ * count:
        return Learned(recipe)
    said = "; ".join(f"{one.name}: {one.unread}" for one in unread[:3])
    return Learned(None, f"{len(unread)} of {count} fields are read by no selector beyond doubt: {said}")


def verified(recipe: Recipe, known: Sequence[KnownPage]) -> Learned:
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
        extra = {pointer for pointer in replayed.unread if one.is_whole and pointer not in replayed.absent}
        recipe = _without(recipe, {pointer: replayed.unread[pointer] for pointer in extra})
    return worth(recipe)


def _rows_of_known(recipe: Recipe, one: KnownPage, boxes: Sequence[Container]) -> range | None:
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


def _with_figures(recipe: Recipe, one: KnownPage, boxes: list[Container]) -> Recipe:
    """Note what stands among the records of a page and is none, and the texts in records that are no field's."""
    if recipe.pointer is None:
        return recipe
    records = {box.elements[0] for box in one.boxes}
    looks = {*recipe.looks, *(look_of(box) for box in one.boxes)}
    places = [at for at, box in enumerate(boxes) if box.elements[0] in records]
    seen = boxes if one.is_whole else boxes[places[0] : places[-1] + 1] if places else []
    others = {look_of(box) for box in seen if box.elements[0] not in records}
    alike = [box for box in seen if box.elements[0] not in records and look_of(box) in looks]
    parts = {part_of(node) for box in one.boxes[:ENOUGH] for node in box.nodes if node.text and not node.text.isspace()}
    others = {*recipe.others, *others} - looks
    table = read_table(recipe.fields, recipe.lists, one.boxes[:ENOUGH], readers_of([one.page]))
    among = [each for each in find_interludes(one.boxes) if one.is_whole or 0 < each.after < len(one.boxes)]
    between = {*recipe.between, *(each.look for each in among)} - looks
    noise: set[str] = {*recipe.noise}
    holders: Counter[str] = Counter()
    for row, box in enumerate(table.boxes):
        claimed = claimed_by(row, table)
        free = [(text, holder) for text, holder in box.pieces if not is_claimed(text, claimed)]
        noise.update(mask(text) for text, _ in free if len(text) <= _LONGEST_NOISE)
        holders.update({look_of_holder(holder) for _, holder in free})
    noise.update(text for one in table.columns for text in _texts_of_nothing(one, table))
    noise.update(look for look, count in holders.items() if count >= _OFTEN and "." in look.rstrip("."))
    some = some_in(table)
    own = own_parts(one.page.root, one.boxes) if one.is_whole else frozenset(recipe.own or ())
    own = own if recipe.own is None else own & {*recipe.own}
    return recipe.model_copy(
        update={
            "some": some is not None and all(some) and recipe.some is not False,
            "others": tuple(sorted(others)),
            "looks": tuple(sorted(looks)[:_MOST_LOOKS]),
            "foreign": _foreign(recipe, alike, one.boxes),
            "own": tuple(sorted(own)[:MOST_NOISE]),
            "parts": tuple(sorted({*recipe.parts, *parts})[:MOST_NOISE]),
            "between": tuple(sorted(between)[:_MOST_LOOKS]),
            "noise": tuple(sorted(noise)[:MOST_NOISE]),
        }
    )


def _texts_of_nothing(column: Column, table: Table) -> Iterator[str]:
    """Give the texts without a figure that stand in the place of a field where it has no value: "Price on request".

    Of a text that lacks one part, too, the part that no field reads: "Bonus" where others have a number.
    """
    for row, (cell, texts) in enumerate(zip(column.cells, column.texts, strict=True)):
        if cell is None:
            said = (*texts, unclaimed_part(row, column, table, ()))
            yield from (text for text in said if 0 < len(text) <= _LONGEST_NOISE and text == mask(text))


def _foreign(recipe: Recipe, others: Sequence[Container], records: Sequence[Container]) -> tuple[str, ...]:
    """Give what all parts have that look like records and are none, and no record."""
    mine = set[str]().union(*map(marks_of, records[:ENOUGH])) if others or recipe.foreign else set[str]()
    shared = set.intersection(*map(marks_of, others)) if others else {*recipe.foreign}
    shared = shared & {*recipe.foreign} if recipe.foreign else shared
    return tuple(sorted(shared - mine))


def _checked(recipe: Recipe, one: KnownPage) -> Recipe:
    """Give the recipe without the fields that it reads otherwise than they are known on a page."""
    boxes = one.boxes
    table = read_table(recipe.fields, recipe.lists, boxes, readers_of([one.page]))
    wrong: dict[str, str] = {}
    for column in table.columns:
        if column.one.unread:
            continue
        wanted = [value_at(record, column.one.steps) for record in one.records]
        if column.one.blank or column.one.is_zero:
            wanted = [value or None for value in wanted]
        pairs = enumerate(zip(column.cells, wanted, strict=True))
        row = next((row for row, (cell, value) in pairs if cell is UNREAD or not same(cell, value)), None)
        if column.doubt or row is not None:
            wrong[pointer_of(column.one.steps)] = (
                column.doubt or f"its selectors read record {(row or 0) + 1} otherwise"
            )
    recipe = _without(recipe, wrong)
    broken: dict[str, str] = {}
    for items in table.lists:
        wanted_counts = [
            len(value) if isinstance(value := value_at(record, items.one.steps), list) else 0 for record in one.records
        ]
        if items.counts != wanted_counts:
            broken[pointer_of(items.one.steps)] = "its items are found otherwise in some record"
    return _without(recipe, broken)


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


def told_apart(recipe: Recipe, example: Example, schema: Schema, pages: Sequence[Page]) -> Recipe | None:
    """Give the recipe with the signs of a page that it reads but for some records, such as a featured one.

    The signs stand around those records, and on none of the ``pages`` that it was learned from. None where there are no
    such signs, or it reads a record otherwise: then nothing tells the page from those that it may answer.
    """
    path, tree = record_path(schema), tree_of(example.page, form=recipe.form)
    listing = find_records(example.data, path) if path and example.is_whole else None
    read = replay_on(recipe, tree).records
    missed = [one for one in (listing.records if listing else []) if not any(same(one, other) for other in read)]
    if listing is None or not missed or len(missed) + len(read) != len(listing.records):
        return None
    known = {sign for page in pages for node in tree_of(page).root.iter("*") for sign in signs_of(node)}
    signs: set[str] = set()
    for record in missed:
        home = _home_of(record, tree)
        around = [] if home is None else [home, *home.iterancestors()]
        own = {sign for node in around for sign in signs_of(node)} - known
        if not own:
            return None
        signs |= own
    return recipe.model_copy(update={"unlike": tuple(sorted({*recipe.unlike, *signs}))})


def _home_of(record: JsonValue, tree: PageTree) -> HtmlElement | None:
    """Give the smallest element that says all texts of a record."""
    values = [value_at(record, steps) for steps in leaves_of(record)]
    texts = sorted((squeeze(one) for one in values if isinstance(one, str) and one.strip()), key=len, reverse=True)
    holders = (node for node in tree.root.iter("*") if texts and texts[0] in squeeze(node.text or ""))
    homes = [
        home
        for holder in islice(holders, _MOST_HOLDERS)
        for home in islice((one for one in (holder, *holder.iterancestors()) if _says(one, texts)), 1)
    ]
    return min(homes, key=lambda one: len(text_of(one)), default=None)


def _says(node: HtmlElement, texts: Sequence[str]) -> bool:
    said = text_of(node)
    return all(text in said for text in texts)


def misreads(recipe: Recipe, example: Example, schema: Schema) -> bool:
    """Tell whether a recipe reads, without any doubt, something else on a page than its proven data."""
    path = record_path(schema)
    listing = find_records(example.data, path) if path else Listing([example.data])
    wanted = listing.records if listing else []
    replayed = replay_on(recipe, tree_of(example.page, form=recipe.form))
    if replayed.doubts:
        return False
    read = replayed.records if example.is_whole else replayed.records[: len(wanted)]
    left = {pointer.lstrip("^") for pointer in replayed.unread}
    every = dict.fromkeys(steps for record in wanted for steps in leaves_of(record))
    steps = [each for each in every if not any(pointer_of(each).startswith(one) for one in left)]
    return len(read) != len(wanted) or any(
        not same(value_at(got, each), value_at(one, each))
        for got, one in zip(read, wanted, strict=True)
        for each in steps
    )
