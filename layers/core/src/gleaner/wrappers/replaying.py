"""Replaying a recipe: containers by agreeing selectors, values by an ensemble for each field, and doubts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from lxml.html import HtmlElement

from gleaner.contracts.json_pointers import pointer_of
from gleaner.contracts.ports import JsonValue
from gleaner.page.model import NodeRange, Page
from gleaner.results.record_lists import rebuild
from gleaner.schemas import RecordPath, record_path, violations
from gleaner.wrappers.boxes import boxes_of, select
from gleaner.wrappers.container import Container
from gleaner.wrappers.guard import PageGuard, doubt_of_new_parts, judge
from gleaner.wrappers.interludes import Interlude, doubt_of_runs, doubt_of_strays, interludes_of, without_others
from gleaner.wrappers.looks import signs_of
from gleaner.wrappers.model import BoxSelector, Recipe
from gleaner.wrappers.opening import tree_of
from gleaner.wrappers.places import WEAK, is_made
from gleaner.wrappers.readings import UNREAD
from gleaner.wrappers.selectors import SEVERAL_TEXTS
from gleaner.wrappers.tables import Table, build_records, read_table, some_in
from gleaner.wrappers.trees import PageTree, readers_of

Schema = dict[str, Any] | bool
Told = Mapping[str, tuple[JsonValue, str]]
"""Fields of a page about one thing that need not be read, by JSON Pointer: their values, and the texts of those."""

_MOST_IN_DOUBT = 0.34
"""With more than this share of its fields in doubt, a page is another layout, and the model reads it whole."""

_ENOUGH_VALIDATED = 50
LONGEST_REASON = 200


@dataclass(frozen=True, slots=True)
class Replay:
    """What a recipe answers for a page.

    ``data`` is an instance of the schema without the fields of ``unread``; ``records`` are its records in page order.
    ``doubts`` say why nothing of it may be served; ``unread`` says, for fields that a model is to be asked about, why:
    by JSON Pointer within a record, those around the records with "^" before. ``boxes`` are the records' containers,
    ``interludes`` what stands among the records and is known to be none, ``asides`` and ``units`` those of the recipe,
    ``names_each_once`` whether a second record in a container would be noticed, ``zeros`` whether records say 0 for
    what the page leaves out, ``doubtful`` the share of the containers before the first doubtful one. ``absent`` are the
    fields of ``unread`` that no selector finds, or that had no value on any page learned from; ``unseen`` those without
    a value on these pages that nothing new on this one could be: they are null in ``data``.
    """

    data: JsonValue
    records: list[JsonValue]
    doubts: tuple[str, ...] = ()
    unread: Mapping[str, str] = field(default_factory=dict[str, str])
    boxes: tuple[Container, ...] = ()
    interludes: tuple["Interlude", ...] = ()
    asides: frozenset[str] = frozenset()
    units: int = 0
    names_each_once: bool = False
    zeros: bool = False
    doubtful: float | None = None
    absent: frozenset[str] = frozenset()
    unseen: tuple[str, ...] = ()

    @property
    def regions(self) -> list[NodeRange | None]:
        """The part of the DOM that is each record's own: up to the next one, where that stands inside of it."""
        found = [box.page.region(box.elements) for box in self.boxes]
        for at, (one, after) in enumerate(pairwise(found)):
            if one and after and one[0] < after[0] < one[1]:
                found[at] = one[0], after[0]
        return found

    @property
    def holds(self) -> bool:
        """Whether all fields are read, and all checks hold."""
        return not self.doubts and not self.unread


def _names_each_once(recipe: Recipe) -> bool:
    """Tell whether a second record in a container would be noticed: a place that names one element would name two."""
    return any(
        one.is_always_there and any(each.place.nth is None and each.survival >= WEAK for each in one.selectors)
        for one in recipe.fields
    )


def replay(recipe: Recipe, page: Page, schema: Schema, told: Told | None = None) -> Replay:
    """Give what the recipe reads on a page, each reason not to trust it, and the fields that it can't read (RC-2)."""
    return replay_on(recipe, tree_of(page, form=recipe.form), schema, told)


def replay_on(recipe: Recipe, page: PageTree, schema: Schema | None = None, told: Told | None = None) -> Replay:
    """Give what the recipe reads on an open page; validated where a schema is given."""
    readers = readers_of([page])
    page.labels = None if recipe.pointer is None else labels_in(recipe)
    boxes, unsure, doubt = find_boxes(recipe, page)
    doubts = [doubt] if doubt else []
    if recipe.unlike and not {*recipe.unlike}.isdisjoint(sign for one in page.root.iter("*") for sign in signs_of(one)):
        doubts.append("it has a part that a page with records in other markup had")
    strange_at: float | None = None
    passed: list[Interlude] = []
    is_single = recipe.pointer is None
    table = read_table(recipe.fields, recipe.lists, boxes, readers, None if is_single else frozenset(recipe.parts))
    if not is_single and not doubts and (stray := doubt_of_strays(recipe, page.root, boxes)):
        doubts.append(stray)
    if not is_single and not doubts:
        table, passed, strange, row = without_others(recipe, table)
        row = next((at for at, box in enumerate(table.boxes) if box.elements[0] in unsure), row)
        if not strange and any(box.elements[0] in unsure for box in table.boxes):
            strange = f"not all ways to find the records find this: {table.boxes[row].whole_text[:60]!r}"
        if not strange:
            strange, row = doubt_of_runs(recipe, table.boxes)
        if not strange:
            strange, row = doubt_of_new_parts(table.boxes, frozenset(recipe.noise))
        doubts += [strange] if strange else []
        strange_at = row / len(boxes) if strange else None
    for column in table.columns:
        if (known := (told or {}).get(pointer_of(column.one.steps))) is not None:
            column.cells, column.texts, column.doubt = [known[0]], [(known[1],)], ""
            column.selector = next(iter(column.one.selectors), None)
    guard = PageGuard(recipe.noise, is_single=is_single, labels=labels_in(recipe), elsewhere=recipe.elsewhere)
    judge(table, guard, readers)
    around = Table([Container(page, [page.root])], [])
    if recipe.outer or recipe.outer_lists:
        around = read_table(recipe.outer, recipe.outer_lists, around.boxes, readers)
        judge(around, PageGuard(recipe.noise, is_single=True), readers)
    doubts += _doubts_of_page(table, boxes)
    if recipe.some and not any(some_in(table) or [True]):
        doubts.append("no record has any of what each had some of")
    unread = _unread(table) | {f"^{name}": why for name, why in _unread(around).items()}
    records = build_records(table)
    data = _data(recipe, records, around)
    if not doubts and not unread and schema is not None:
        doubts += _faults(recipe, data, records, schema)
    return Replay(
        data=data,
        records=records,
        doubts=tuple(dict.fromkeys(doubts)),
        unread=unread,
        boxes=tuple(table.boxes) if not is_single else (),
        interludes=() if is_single or doubts else interludes_of(recipe, table.boxes, passed),
        asides=frozenset(recipe.asides),
        units=recipe.units,
        names_each_once=_names_each_once(recipe),
        zeros=recipe.has_zeros,
        doubtful=strange_at if strange_at is not None else _first_doubtful(table),
        absent=frozenset(pointer_of(one.one.steps) for one in table.columns if one.doubt and one.is_absent),
        unseen=tuple(pointer_of(one.one.steps) for one in table.columns if not one.doubt and not one.one.selectors),
    )


def labels_in(recipe: Recipe) -> frozenset[str]:
    """Give the labels that the selectors of a recipe go by."""
    places = [each.place for one in (*recipe.outer, *recipe.fields) for each in one.selectors]
    waiting = [*recipe.lists, *recipe.outer_lists]
    while waiting:
        one = waiting.pop()
        waiting += one.lists
        places += [one.items, *(each.place for field in one.fields for each in field.selectors)]
    return frozenset(place.value for place in places if place.kind == "label")


def find_boxes(recipe: Recipe, page: PageTree) -> tuple[list[Container], frozenset[HtmlElement], str]:
    """Give the containers of the records, those that not all ways find, and why they are in doubt.

    Selectors by classes or attributes go first; where these find nothing, those by classes that a program made, then by
    the name of an attribute, or a path or tag within an element, and last by a tag alone.
    """
    if recipe.pointer is None:
        return [Container(page, [page.root])], frozenset(), ""
    found = [(one, select(page, one)) for one in recipe.boxes]
    alive = [(one, nodes) for one, nodes in found if nodes]
    if not alive:
        return [], frozenset(), "nothing on the page looks like the records"
    surest = min(_rank(one) for one, _ in alive)
    chosen = [(one, nodes) for one, nodes in alive if _rank(one) == surest]
    largest, nodes = max(chosen, key=lambda pair: len(pair[1]))
    boxes = boxes_of(page, largest, recipe.run_length, may_grow=bool(recipe.lists), firsts=nodes)
    all_found = {*nodes}
    others = [{*other} for _, other in chosen]
    if any(not other <= all_found for other in others):
        sizes = sorted({len(other) for other in others})
        return boxes, frozenset(), f"the ways to find the records disagree: {' or '.join(map(str, sizes))} of them"
    return boxes, frozenset(all_found - set.intersection(*others)), ""


def _rank(one: BoxSelector) -> int:
    if one.by and one.value:
        return int(one.by == "class" and is_made(one.value))
    return 2 if one.by or one.scope else 3


def _unread(table: Table) -> dict[str, str]:
    """Give the fields that may not be served, and why: short reasons in plain words."""
    found = {pointer_of(column.one.steps): column.doubt[:LONGEST_REASON] for column in table.columns if column.doubt}
    return found | {pointer_of(items.one.steps): items.doubt[:LONGEST_REASON] for items in table.lists if items.doubt}


def _doubts_of_page(table: Table, boxes: Sequence[Container]) -> list[str]:
    if not table.boxes:
        return [] if not boxes else ["no container has what the records had"]
    if any(SEVERAL_TEXTS in said for column in table.columns for said in column.texts) and len(table.boxes) > 1:
        return ["a record's part of the page holds several of what it held one"]
    read_at_all = [column for column in table.columns if column.one.selectors]
    doubtful = [column for column in read_at_all if column.doubt]
    if doubtful and len(doubtful) > _MOST_IN_DOUBT * len(read_at_all):
        worst = doubtful[0]
        return [f"{len(doubtful)} of {len(read_at_all)} fields are in doubt; {worst.one.name}: {worst.doubt}"]
    return []


def _first_doubtful(table: Table) -> float | None:
    """Give the share of the containers before the first one that lacks or can't be read as a field that is in doubt."""
    rows = [
        row
        for column in table.columns
        if column.doubt and column.one.selectors
        for row, cell in enumerate(column.cells)
        if cell is None or cell is UNREAD
    ]
    return min(rows) / len(table.boxes) if rows else None


def _data(recipe: Recipe, records: list[JsonValue], around: Table) -> JsonValue:
    if recipe.pointer is None:
        return records[0] if records else None
    outer = build_records(around)[0] if around.columns or around.lists else {}
    return rebuild(RecordPath(recipe.pointer, True), outer if isinstance(outer, dict) else {}, records)


def _faults(recipe: Recipe, data: JsonValue, records: Sequence[JsonValue], schema: Schema) -> list[str]:
    """Give faults of the data as a whole, or of some records of a long list: who serves it validates it all anyway."""
    step = max(1, len(records) // _ENOUGH_VALIDATED)
    if recipe.pointer is not None and step > 1:
        path = record_path(schema)
        checked: list[tuple[Any, JsonValue]] = [(path.item_schema if path else True, one) for one in records[::step]]
    else:
        checked = [(schema, data)]
    return [f"{fault.pointer}: {fault.message}" for rule, part in checked for fault in violations(rule, part)[:1]][:3]
