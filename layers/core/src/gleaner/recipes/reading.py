"""Apply a recipe to a page: read the records, and say what makes the answer doubtful (RC-2)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, cast

from lxml.html import HtmlElement

from gleaner.contracts.ports import JsonObject, JsonValue
from gleaner.html.link_targets import LinkResolver
from gleaner.recipes.absence import Claims, doubt_of_words
from gleaner.recipes.advertisements import Said
from gleaner.recipes.beginnings import is_left_over
from gleaner.recipes.boxes import Box, beside, open_page, pieces_of
from gleaner.recipes.decoding import UNREAD, Cell, Memory, Unread
from gleaner.recipes.disowning import disown, disown_places
from gleaner.recipes.inner_reading import ListReading, read_lists
from gleaner.recipes.interludes import Interlude, find_interludes
from gleaner.recipes.lacks import Lack, is_always_there, judge, marks_of_a_record, state_of
from gleaner.recipes.markers import icons_of
from gleaner.recipes.model import FieldRecipe, FieldSelector, ListRecipe, Recipe, RecordSelector
from gleaner.recipes.pieces import Piece
from gleaner.recipes.readers import Reader
from gleaner.recipes.record_selectors import boxes_of, twin_of
from gleaner.recipes.rows import Rows
from gleaner.recipes.settling import columns_of, is_absent, settle
from gleaner.recipes.strangers import doubt_of_strangers
from gleaner.recipes.strays import disown_strays
from gleaner.recipes.whole_pages import doubt_of_whole_page
from gleaner.results.record_lists import rebuild
from gleaner.schemas import RecordPath


@dataclass(frozen=True, slots=True)
class Reading:
    """What a recipe read in a page's containers: one record for each, its values by field, and the doubts.

    ``lists`` are the lists of objects of all records, ``whole`` then the containers with those; ``doubtful`` is the
    share of the containers that stand before the first doubtful one, ``said`` is what they say, if that is known.
    """

    records: list[JsonValue]
    values: list[list[JsonValue]]
    boxes: list[Box]
    doubts: list[str]
    lists: list[ListReading] = field(default_factory=list[ListReading])
    whole: list[Box] = field(default_factory=list[Box])
    doubtful: float | None = None
    said: list[Said] | None = None


def base_of(root: HtmlElement, url: str) -> str:
    """Give the URL that the page's relative addresses start from."""
    base = next((node.get("href") for node in root.iter("base") if node.get("href")), None)
    return LinkResolver(url).resolve(base) if base else url


def read_records(recipe: Recipe, root: HtmlElement, url: str, stops: frozenset[Any] = frozenset()) -> Reading:
    """Give the reading by the first record selector that finds records; ``stops`` are no part of them.

    By the first without doubts, but where an item of a list is in doubt, or an element of the records' class is none of
    them: another way to part the page must not hide it.
    """
    first: Reading | None = None
    memory = Memory(url)
    known: dict[tuple[Any, ...], Box] = {}
    read: dict[tuple[int, ...], Reading] = {}
    for selector in recipe.record:
        boxes = boxes_of(root, selector, frozenset(recipe.captions))
        all_stops = {known: known | stops for known in {box.stops for box in boxes}} if stops else {}
        boxes = [Box(box.elements, box.captions, all_stops[box.stops]) for box in boxes] if stops else boxes
        boxes = [known.setdefault((box.stops, *box.elements), box) for box in boxes]
        same_boxes = tuple(map(id, boxes))
        reading = read[same_boxes] = read.get(same_boxes) or read_boxes(recipe, boxes, url, memory)
        if reading.records and recipe.pointer is not None and (twin := twin_of(selector, boxes)) is not None:
            return replace(reading, doubts=[*reading.doubts, f"a {twin.tag} stands among them of their class"])
        if reading.records and (recipe.lists or not reading.doubts):
            return reading
        first = first or (reading if reading.records or reading.doubts else None)
    return first or Reading([], [], [], ["no record was found where the recipe looks for them"])


def read_boxes(recipe: Recipe, boxes: Sequence[Box], url: str, memory: Memory | None = None) -> Reading:
    """Read every container; those that hold none of the fields that each record has are no records.

    ``memory`` is what texts of the page were read as before.
    """
    if not recipe.lists:
        return _read_plain(recipe, boxes, url, memory)
    found = read_lists(recipe, boxes, url, read_boxes, _read_plain)
    fields, plain = [*recipe.fields, *recipe.lists], found.plain
    columns: list[Sequence[JsonValue]] = [*plain.values, *([[*row] for row in one.rows] for one in found.lists)]
    records = [build(fields, [column[row] for column in columns]) for row in range(len(plain.boxes))]
    return Reading(records, plain.values, plain.boxes, [*plain.doubts, *found.doubts], found.lists, found.whole)


def _read_plain(recipe: Recipe, boxes: Sequence[Box], url: str, memory: Memory | None = None) -> Reading:
    if not boxes:
        return Reading([], [[] for _ in recipe.fields], [], [])
    rows = Rows(boxes, [selector for one in recipe.fields for selector in one.selectors])
    memory = Memory(url) if memory is None else memory
    rivals = [Reader(selector, memory=memory) for selector in recipe.rivals]
    is_detail = recipe.pointer is None
    columns = [columns_of(one, rows, rivals, memory, strict=is_detail) for one in recipe.fields]
    is_part = is_detail and not recipe.places and recipe.record[0].kind != "page"
    settled = [
        settle(one, cells, len(boxes), strict=is_detail, is_part=is_part)
        for one, cells in zip(recipe.fields, columns, strict=True)
    ]
    disown(recipe.fields, columns, settled, memory, boxes)
    if not is_detail:
        disown_places(recipe.fields, columns, settled, memory, boxes)
        disown_strays(recipe.fields, recipe.rivals, settled, boxes, memory)
    claims = Claims(recipe.fields, url, recipe.labels, recipe.noise, memory)
    judged: dict[tuple[str, ...], Lack] = {}
    doubts: list[str] = []
    doubtful: float | None = None
    without: set[int] = set()
    incomplete = sorted(_incomplete(recipe, settled))
    is_whole = recipe.accounted and _may_move(recipe)
    left = None
    if not is_detail and (incomplete or is_whole):
        left = claims.left_over(rows.pieces, [*map(_values, settled)])
    for row in incomplete:
        cells = [column[row] for column in settled]
        states = tuple([state_of(cell) for cell in cells])
        lack = judged.get(states) or judged.setdefault(states, judge(recipe, states))
        if lack.may_be_none and not (lack.is_built_like_one and boxes[row].shape in recipe.shapes):
            without.add(row)
            continue
        doubt = lack.doubt
        if recipe.places:
            doubt = doubt or doubt_of_whole_page(recipe, boxes[row], _values([*cells]), claims)
            doubt = doubt or doubt_of_strangers(recipe, boxes[row], _values([*cells]))
        else:
            free = None if left is None else left.get(row, ())
            doubt = doubt or (
                _doubt_of(recipe, boxes[row], cells, claims, free) if free != () or lack.is_telling else ""
            )
        if is_detail:
            doubt = doubt or doubt_of_words(recipe.fields, cells)
        if is_detail and not recipe.places:
            doubt = doubt or _doubt_of_page(recipe, boxes[row], cells, columns, claims)
        if doubt:
            doubtful = row / len(boxes) if doubtful is None else doubtful
            doubts.append(doubt)
    if recipe.is_unwrapped and is_left_over([box.elements for box in boxes]):
        doubts.append("something like a part of a record stands in none")
    reading = _reading(recipe, boxes, settled, without, doubts)
    if is_whole and not doubts:
        reading.doubts.extend(_unaccounted(reading, claims, None if without else left))
    return replace(reading, doubtful=doubtful, said=rows.said)


def _may_move(recipe: Recipe) -> bool:
    """Tell whether a new text may move others to wrong places: some are known by these, or the record's ends are."""
    is_placed = (
        one.figures.kind == "text" and not one.selectors[0].is_strong for one in recipe.fields if one.selectors
    )
    return recipe.pointer is not None and (recipe.is_unwrapped or any(is_placed))


def _unaccounted(reading: Reading, claims: Claims, left: Mapping[int, Sequence[Piece]] | None = None) -> list[str]:
    """Say which text of a record is nobody's, where no record had such: texts around it may be other fields' now.

    ``left`` are the texts that may be such, if they are known.
    """
    left = claims.left_over(pieces_of(reading.boxes), reading.values) if left is None else left
    rows = ((row, [column[row] for column in reading.values]) for row in sorted(left))
    free = (piece for row, cells in rows for piece in claims.unclaimed(reading.boxes[row], cells, left[row]))
    return [f"a record says {text!r}, and nothing tells what that is" for _, text in islice(free, 1)]


def is_accounted(recipe: Recipe, reading: Reading, url: str) -> bool:
    """Tell whether each text of records is a value, or one that is known to be none."""
    return recipe.accounted and not _unaccounted(reading, Claims(recipe.fields, url, recipe.labels, recipe.noise))


def _incomplete(recipe: Recipe, settled: Sequence[list[Cell]]) -> set[int]:
    """Give the rows that lack a value which others have, or hold one that can't be read; a page's one row always."""
    found = {0} if recipe.pointer is None else set[int]()
    for one, column in zip(recipe.fields, settled, strict=True):
        if one.selectors and (None in column or UNREAD in column or [] in column):
            found |= {row for row, cell in enumerate(column) if cell is UNREAD or cell is None or cell == []}
    return found


def _reading(
    recipe: Recipe, boxes: Sequence[Box], settled: Sequence[list[Cell]], without: set[int], doubts: list[str]
) -> Reading:
    """Give the records of all rows but those ``without`` one."""
    kept = [row for row in range(len(boxes)) if row not in without]
    values = [_values([column[row] for row in kept] if without else column) for column in settled]
    return Reading(build_all(recipe.fields, values), values, [boxes[row] for row in kept], doubts)


def _values(column: list[Cell]) -> list[JsonValue]:
    if UNREAD in column:
        return [None if isinstance(cell, Unread) else cell for cell in column]
    return cast(list[JsonValue], column)


def _lost_selectors(one: FieldRecipe, columns: Sequence[list[list[Cell]]], cells: Sequence[Cell]) -> bool:
    """Tell whether an attribute seems absent from a page that is not built like those learned from otherwise either."""
    return any(selector.attribute for selector in one.selectors) and any(
        cell is not None and any(other[0] is None or other[0] is UNREAD for other in column)
        for cell, column in zip(cells, columns, strict=True)
    )


def _doubt_of(
    recipe: Recipe, box: Box, cells: Sequence[Cell], claims: Claims, left: Sequence[Piece] | None = None
) -> str:
    """Say what makes a record doubtful: a value that is absent without being surely so."""
    for at, (one, cell) in enumerate(zip(recipe.fields, cells, strict=True)):
        if is_absent(cell) and one.selectors:
            if one.loose and is_always_there(one):
                return f"{one.name} is absent from a record, and never was"
            if not one.loose and claims.could_hold(at, box, _values([*cells]), left):
                return f"{one.name} seems absent from a record that has texts which could be it"
            strange = next((icon for icon in icons_of([one], box) if icon not in recipe.icons), "")
            if strange:
                return f"{one.name} is absent from a record, and the icon {strange!r} is new"
    return ""


def _doubt_of_page(
    recipe: Recipe, box: Box, cells: Sequence[Cell], columns: Sequence[list[list[Cell]]], claims: Claims
) -> str:
    """Say what makes a page about one thing doubtful: a value that is absent, and may stand elsewhere."""
    values = _values([*cells])
    for at, (one, cell) in enumerate(zip(recipe.fields, cells, strict=True)):
        if not is_absent(cell):
            continue
        if one.loose or claims.could_hold(at, box, values):
            return f"{one.name} is absent, and other texts could be it"
        if _lost_selectors(one, columns, cells):
            return f"{one.name} is absent from a page on which other selectors find nothing"
        around = beside(box.elements[0])
        count = claims.count(at, around)
        is_more = count is None or count > (one.elsewhere or 0)
        if (is_always_there(one) and is_more) or any(_stands_in(selector, around) for selector in one.selectors):
            return f"{one.name} is absent, and may stand elsewhere now"
    return ""


def _stands_in(selector: FieldSelector, around: Box) -> bool:
    """Tell whether what names the field finds something beside the part of the page that should hold it."""
    is_named = selector.kind in ("class", "attribute", "label", "beside", "column")
    return is_named and not is_absent(Reader(selector).cell(around))


def build_all(fields: Sequence[FieldRecipe], columns: Sequence[Sequence[JsonValue]]) -> list[JsonValue]:
    """Give the records of the values, which come column by column: objects along the fields' steps."""
    rows = zip(*columns, strict=True)
    if any(len(one.steps) != 1 or one.omitted or one.zero for one in fields):
        return [build(fields, row) for row in rows]
    names = [one.steps[0] for one in fields]
    return [dict(zip(names, row, strict=True)) for row in rows]


def build(fields: Sequence[FieldRecipe | ListRecipe], cells: Sequence[JsonValue]) -> JsonValue:
    """Give the record of the values: objects along the fields' steps."""
    record: JsonObject = {}
    for one, cell in zip(fields, cells, strict=True):
        if not one.steps:
            return cell
        if cell is None and one.omitted:
            continue
        target: JsonObject = record
        for step in one.steps[:-1]:
            inner = target.setdefault(step, {})
            target = inner if isinstance(inner, dict) else {}
        target[one.steps[-1]] = 0 if cell is None and isinstance(one, FieldRecipe) and one.zero else cell
    return record


@dataclass(frozen=True, slots=True)
class PageReading:
    """What a recipe read on a page: the records, what stands around them (or beside the part that holds most)."""

    recipe: Recipe
    inner: Reading
    outer: Reading | None

    @property
    def records(self) -> list[JsonValue]:
        """The records in page order; of a page about one thing, that one."""
        if self.recipe.pointer is not None or self.outer is None or not self.inner.records:
            return self.inner.records
        fields = [*self.recipe.outer, *self.recipe.fields, *self.recipe.outer_lists]
        lists: list[JsonValue] = [[*row] for one in self.outer.lists for row in one.rows[:1] or [[]]]
        return [build(fields, [*(column[0] for column in (*self.outer.values, *self.inner.values)), *lists])]

    @property
    def data(self) -> JsonValue:
        """The instance of the schema."""
        if self.recipe.pointer is None:
            return self.records[0] if self.records else None
        around = self.outer.records[0] if self.outer and self.outer.records else {}
        path = RecordPath(self.recipe.pointer, True)
        return rebuild(path, around if isinstance(around, dict) else {}, list(self.inner.records))

    @property
    def lists(self) -> list[ListReading]:
        """The lists of objects of the records and of the page."""
        return [*self.inner.lists, *(self.outer.lists if self.outer else ())]

    @property
    def columns(self) -> tuple[list[FieldRecipe], list[list[JsonValue]]]:
        """The fields of the records and of the page with their values."""
        values = self.inner.values or [[] for _ in self.recipe.fields]
        return [*self.recipe.fields, *(self.recipe.outer if self.outer else ())], [
            *values,
            *(self.outer.values if self.outer else ()),
        ]

    @property
    def doubts(self) -> list[str]:
        """What made values doubtful while they were read."""
        return [*self.inner.doubts, *(self.outer.doubts if self.outer else ())]


def interludes_of(recipe: Recipe, reading: PageReading, url: str) -> list[Interlude]:
    """Give what stands among the records of a page and is none; ``url`` is the base of its addresses."""
    return find_interludes(recipe, reading.inner.whole or reading.inner.boxes, marks_of_a_record(recipe), url)


def read_page(recipe: Recipe, root: HtmlElement, url: str) -> PageReading:
    """Give all that the recipe reads on a page; ``url`` is the base of its addresses."""
    around = recipe.model_copy(
        update={"fields": recipe.outer, "lists": recipe.outer_lists, "outer": [], "rivals": [], "record": _WHOLE_PAGE}
    )
    is_needed = recipe.outer or recipe.outer_lists
    outer = read_boxes(around, [Box([root], frozenset(recipe.captions))], url) if is_needed else None
    items = frozenset[Any]() if outer is None or recipe.pointer is not None else _items_in(outer)
    inner = read_records(recipe, root, url, items)
    return PageReading(recipe, inner, outer if outer is None or outer.records else _lost(outer))


_WHOLE_PAGE = [RecordSelector(kind="page")]


def _items_in(reading: Reading) -> frozenset[Any]:
    """Give the elements of all items of lists: they are no part of what is read around them."""
    return frozenset(element for one in reading.lists for box in one.boxes for element in box.elements)


def _lost(outer: Reading) -> Reading:
    return replace(outer, values=[[None] for _ in outer.values], doubts=["nothing was found around the records"])


@dataclass(frozen=True, slots=True)
class Replay:
    """What a recipe answers for a page. ``doubts`` say why it must not be served; empty when its checks hold.

    ``data`` is an instance of the schema, ``records`` are its records in page order, ``interludes`` what stands among
    them and is known to be none, ``texts`` what the containers of records with lists of objects say, ``boxes`` the
    containers, ``units`` how many pieces of the page one may hold, ``asides`` those of the recipe, ``beside`` what the
    items of lists beside the records say, ``zeros`` whether records say 0 for what the page leaves out, ``doubtful``
    the share of the page's containers before the first doubtful one, if there is one.
    """

    data: JsonValue
    records: list[JsonValue]
    doubts: tuple[str, ...] = ()
    interludes: tuple[Interlude, ...] = ()
    texts: tuple[str, ...] = ()
    boxes: tuple[Box, ...] = ()
    units: int = 0
    asides: frozenset[str] = frozenset()
    beside: tuple[str, ...] = ()
    zeros: bool = False
    doubtful: float | None = None

    @property
    def holds(self) -> bool:
        """Whether all checks of the recipe hold."""
        return not self.doubts


def opened(html: str, css_selector: str | None, url: str) -> tuple[HtmlElement, str]:
    """Give the tree and the base of its addresses."""
    root: Any = open_page(html, css_selector)
    return root, base_of(root, url)
