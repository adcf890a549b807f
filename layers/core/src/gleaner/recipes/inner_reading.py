"""Read the lists of objects inside records, and say what makes them doubtful. An item is never left out in silence."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from gleaner.contracts.ports import JsonValue
from gleaner.recipes.absence import Claims
from gleaner.recipes.boxes import Box
from gleaner.recipes.drift import figures_of_lists, find_drift, nulls_differ
from gleaner.recipes.inner_boxes import Opened, area_of, open_boxes, texts_around
from gleaner.recipes.interludes import look_of
from gleaner.recipes.model import ListRecipe, Recipe
from gleaner.recipes.templates import text_of_box

_SPARE = 12
_MOST_TIMES = 20


@dataclass(frozen=True, slots=True)
class ListReading:
    """What a recipe read of one list in all records: the containers of all items, the values of each of their fields.

    ``rows`` holds the list of each record, ``lists`` the readings of the lists inside the items.
    """

    recipe: ListRecipe
    rows: list[list[JsonValue]]
    values: list[list[JsonValue]]
    boxes: list[Box]
    lists: list["ListReading"]


class Read(Protocol):
    """What was read in containers: a record for each of ``boxes``, which may be fewer than were given."""

    @property
    def records(self) -> list[JsonValue]:
        """One for each of the boxes."""
        ...

    @property
    def values(self) -> list[list[JsonValue]]:
        """By field, then by record."""
        ...

    @property
    def boxes(self) -> list[Box]:
        """The containers that held a record."""
        ...

    @property
    def lists(self) -> list[ListReading]:
        """The lists of objects of all records."""
        ...

    @property
    def doubts(self) -> list[str]:
        """What makes the records doubtful."""
        ...


ReadBoxes = Callable[[Recipe, Sequence[Box], str], Read]
"""Reads containers by a recipe; the last argument is the base of addresses."""


def read_list(
    one: ListRecipe, number: int, records: Sequence[Opened], url: str, read: ReadBoxes
) -> tuple[ListReading, list[str]]:
    """Give one list of each record and the doubts; ``number`` is the list's place among those of the record."""
    inner = [box for record in records for box in record.inner[number]]
    reading = read(one.items, inner, url)
    items = {box.elements[0]: item for box, item in zip(reading.boxes, reading.records, strict=True)}
    leaders = [[box.elements[0] for box in record.inner[number]] for record in records]
    rows = [[items[leader] for leader in row if leader in items] for row in leaders]
    doubts = [*reading.doubts, *_left_out(one, [box for box in inner if box.elements[0] not in items], reading.boxes)]
    name = "/".join(one.steps)
    found = ListReading(one, rows, reading.values, reading.boxes, reading.lists)
    return found, [f"{name}: {doubt}" for doubt in doubts]


def _left_out(one: ListRecipe, others: Sequence[Box], items: Sequence[Box]) -> Iterator[str]:
    """Notice containers that gave no item, but for such as were none where the recipe was learned."""
    forms = {form_of(box) for box in items} if others else set[str]()
    for box in others:
        text = text_of_box(box)
        longest = one.items.interludes.get(look_of(box))
        if text and (longest is None or form_of(box) in forms or len(text) > 2 * longest + _SPARE):
            yield f"an item can't be read: {text[:60]!r}"


def form_of(box: Box) -> str:
    """Give how a container looks, whatever it says."""
    return look_of(box).removesuffix(" 9")


def row_doubts(
    lists: Sequence[ListReading], row: int, record: Opened, claims: Claims, cells: Sequence[JsonValue]
) -> Iterator[str]:
    """Notice texts in a record that may be items of its lists: in a place where none stood, or that read as one.

    ``claims`` tell which texts are values of the record's own fields, which are ``cells``.
    """
    free = [text for _, text in claims.unclaimed(record.box, cells)]
    if not free:
        return
    places = list(texts_around(record.box))
    for one in lists:
        name = "/".join(one.recipe.steps)
        strange = [text for look, text in places if look not in one.recipe.texts]
        if any(text in other for text in free for other in strange):
            yield f"{name}: a record has texts where none were when the recipe was learned: {strange[0][:60]!r}"
        if not one.rows[row] and not one.recipe.figures.nulls:
            yield f"{name}: a record has no items, but texts that could be some"
        if any(at not in one.recipe.loose for at in fields_in(one.recipe, free)):
            yield f"{name}: a record has texts beside the items that could belong to one"


def fields_in(one: ListRecipe, texts: Sequence[str]) -> list[int]:
    """Give the fields of items, of those always there that go by type, that one of the texts could be a value of."""
    claims = Claims(one.items.fields, "")
    always = [at for at, each in enumerate(one.items.fields) if each.selectors and not each.figures.nulls]
    return [at for at in always if claims.goes_by_type(at) and any(claims.accepts(at, text) for text in texts)]


def page_doubts(lists: Sequence[ListReading], page: Opened) -> Iterator[str]:
    """Notice what stands among the items of a page's lists and is none; a list without items may stand elsewhere."""
    for number, one in enumerate(lists):
        name = "/".join(one.recipe.steps)
        if not one.rows[0]:
            yield f"{name}: the page has no items where the recipe looks for them"
            continue
        area = area_of(page.inner[number], page.box.stops)
        strange = [text for look, text in texts_around(area) if look not in one.recipe.texts]
        if strange:
            yield f"{name}: among the items is a text where none was when the recipe was learned: {strange[0][:60]!r}"


@dataclass(frozen=True, slots=True)
class ListsRead:
    """What was read in containers beside their lists, the containers as they were, the lists, and the doubts."""

    plain: Read
    whole: list[Box]
    lists: list[ListReading]
    doubts: list[str]


def read_lists(recipe: Recipe, boxes: Sequence[Box], url: str, read: ReadBoxes, read_plain: ReadBoxes) -> ListsRead:
    """Give what ``read_plain`` reads in the containers without their items, then the lists, and the doubts."""
    opened, doubts = open_boxes(recipe.lists, boxes)
    reading = read_plain(recipe, [one.box for one in opened], url)
    records = {id(box): None for box in reading.boxes}
    kept = [one for one in opened if id(one.box) in records]
    whole = [box for box, one in zip(boxes, opened, strict=True) if id(one.box) in records]
    if any(any(one.inner) for one in opened if id(one.box) not in records):
        doubts.append("a container holds items of a list, and none of a record's fields")
    lists: list[ListReading] = []
    for number, one in enumerate(recipe.lists):
        found, more = read_list(one, number, kept, url, read)
        lists.append(found)
        doubts += more
    if recipe.record[0].kind == "page":
        doubts += page_doubts(lists, kept[0]) if kept else ()
        return ListsRead(reading, whole, lists, doubts)
    claims = Claims(recipe.fields, url, recipe.labels, recipe.noise)
    for row, record in enumerate(kept):
        doubts += row_doubts(lists, row, record, claims, [column[row] for column in reading.values])
    return ListsRead(reading, whole, lists, doubts)


def find_lists_drift(lists: Sequence[ListReading]) -> Iterator[str]:
    """Give the ways in which lists, and the items of all of them together, differ from what was learned."""
    for one in lists:
        name = "/".join(one.recipe.steps)
        old, new = one.recipe.figures, figures_of_lists([len(row) for row in one.rows])
        if nulls_differ(old, new):
            yield f"{name}: {new.nulls} of {new.count} are empty, where {old.nulls} of {old.count} were"
        if new.longest > _MOST_TIMES * old.longest:
            yield f"{name}: has {new.longest} items, where it had {old.longest} at most"
        if one.boxes:
            doubts = [*find_drift(one.recipe.items, one.values, one.boxes), *find_lists_drift(one.lists)]
            yield from (f"{name}: {doubt}" for doubt in doubts)
