"""Replaying a recipe: containers by agreeing selectors, values by an ensemble for each field, and doubts."""

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from lxml import etree
from lxml.html import HtmlElement

from gleaner.contracts.ports import JsonObject, JsonValue
from gleaner.results.record_lists import rebuild
from gleaner.schemas import RecordPath, record_path, violations
from gleaner.wrappers.containers import (
    behind_runs,
    boxes_of,
    common_ancestor,
    is_head,
    look_of,
    look_of_node,
    runs_of,
)
from gleaner.wrappers.fields import SEVERAL_TEXTS, cut_text, is_in_one_piece, read_said
from gleaner.wrappers.guard import (
    PageGuard,
    doubt_of_field,
    doubt_of_new_parts,
    doubt_of_presence,
    doubt_of_texts,
    marks_of,
)
from gleaner.wrappers.model import BoxSelector, FieldRecipe, ListRecipe, Recipe, Selector
from gleaner.wrappers.places import WEAK, Place, find_all, find_in_bulk, is_made
from gleaner.wrappers.readings import UNREAD, Cell, Readers, same
from gleaner.wrappers.trees import Container, Page, open_page, text_of

Schema = dict[str, Any] | bool

_ALL_CHECKED = 120
"""Pages of more records are checked by the second-best selectors on so many of them, spread over the page."""

_SLOW = ("label", "column", "piece", "says", "above")
"""Kinds of places that are not found by one search of the page: on long pages they read second."""

_MOST_IN_DOUBT = 0.34
"""With more than this share of its fields in doubt, a page is another layout, and the model reads it whole."""

_ENOUGH_VALIDATED = 50
LONGEST_REASON = 200


@dataclass(slots=True)
class Column:
    """A field's value in each container, and why they must not be served; "" when nothing is wrong."""

    one: FieldRecipe
    cells: list[Cell]
    texts: list[tuple[str, ...]]
    """What each value was read from."""
    selector: Selector | None = None
    """The one whose texts these are."""
    doubt: str = ""
    is_fallen: bool = False
    """Whether only selectors that are unlikely to survive a change still find anything."""


@dataclass(slots=True)
class Table:
    """What was read of a row of containers."""

    boxes: list[Container]
    columns: list[Column]
    lists: list["ItemTable"] = field(default_factory=list["ItemTable"])


@dataclass(slots=True)
class ItemTable:
    """The items of a list in each container: the table of all of them, and how many each has."""

    one: ListRecipe
    table: Table
    counts: list[int]
    doubt: str = ""


@dataclass(frozen=True, slots=True)
class Replay:
    """What a recipe answers for a page.

    ``data`` is an instance of the schema without the fields of ``unread``; ``records`` are its records in page order.
    ``doubts`` say why nothing of it may be served; ``unread`` says, for fields that a model is to be asked about, why:
    by JSON Pointer within a record, those around the records with "^" before. ``boxes`` are the records' containers,
    ``texts`` what those of records with lists of objects say, ``interludes`` what stands among the records and is known
    to be none, ``asides`` and ``units`` those of the recipe, ``zeros`` whether records say 0 for what the page leaves
    out, ``doubtful`` the share of the containers before the first doubtful one.
    """

    data: JsonValue
    records: list[JsonValue]
    doubts: tuple[str, ...] = ()
    unread: Mapping[str, str] = field(default_factory=dict[str, str])
    boxes: tuple[Container, ...] = ()
    texts: tuple[str, ...] = ()
    interludes: tuple["Interlude", ...] = ()
    asides: frozenset[str] = frozenset()
    units: int = 0
    zeros: bool = False
    doubtful: float | None = None

    @property
    def holds(self) -> bool:
        """Whether all fields are read, and all checks hold."""
        return not self.doubts and not self.unread


@dataclass(frozen=True, slots=True)
class Interlude:
    """Something among the records that is none: so many records stand before it, and what it says and looks like."""

    after: int
    text: str
    look: str


def find_interludes(page: Page, boxes: Sequence[Container]) -> list[Interlude]:
    """Give what has a text and stands beside the records, in the elements around them up to the one around all."""
    firsts = [box.elements[0] for box in boxes]
    around = common_ancestor(firsts) if len(firsts) > 1 else None
    if around is None:
        return []
    inside = {element for box in boxes for element in box.elements}
    above: dict[HtmlElement, None] = {around: None}
    for node in firsts:
        current = node
        while (parent := current.getparent()) is not None and parent not in above:
            above[parent] = None
            current = parent
    found: list[Interlude] = []
    places: list[int] = []
    for parent in above:
        for child in parent:
            if child in inside or child in above or not isinstance(child.tag, str) or not (said := text_of(child)):
                continue
            places = places or [page.order[node] for node in firsts]
            found.append(Interlude(bisect_left(places, page.order[child]), said, look_of_node(child)))
    return found


def known_interludes(recipe: Recipe, page: Page, boxes: Sequence[Container]) -> list[Interlude]:
    """Give what stands beside the records and looks like what stood there when the recipe was learned."""
    known = frozenset((*recipe.between, *recipe.others))
    return [one for one in find_interludes(page, boxes) if one.look in known] if known else []


IMAGE_TEXT = re.compile("\x02[^\x03]*\x03")
"""What images say in ``spoken_text``."""


def spoken_text(box: Container) -> str:
    """Give all that a container says as one line, with the texts of its images, each between signs of its own."""
    if not any(element.find(".//img") is not None for element in box.elements):
        return box.whole_text
    strings: list[str] = []
    for element in box.elements:
        walker: Any = etree.iterwalk(element, events=("start", "end"))
        for event, node in walker:
            if event == "start":
                said = f"\x02{node.get('alt')}\x03" if node.tag == "img" and node.get("alt") else ""
                strings.append(said + (node.text or ""))
            elif node is not element:
                strings.append(node.tail or "")
        strings.append(" ")
    return " ".join("".join(strings).split())


def own_text(box: Container) -> str:
    """Give what a container says before the first other record inside it; all of it when there is none."""
    if not box.stops:
        return box.whole_text
    strings: list[str] = []
    element = box.elements[0]
    walker: Any = etree.iterwalk(element, events=("start", "end"))
    for event, node in walker:
        if node in box.stops and node is not element:
            break
        strings.append((node.text if event == "start" else node.tail) or "")
    return " ".join("".join(strings).split())


_AGAIN = 2
"""A container that can't hold two records may have so many times the pieces that one had on the page learned from."""


def _names_each_once(recipe: Recipe) -> bool:
    """Tell whether a second record in a container would be noticed: a place that names one element would name two."""
    return any(
        one.is_always_there and any(each.place.nth is None and each.survival >= WEAK for each in one.selectors)
        for one in recipe.fields
    )


def replay(recipe: Recipe, html: str, url: str, schema: Schema) -> Replay:
    """Give what the recipe reads on a page, each reason not to trust it, and the fields that it can't read (RC-2)."""
    root, base = open_page(html, url, recipe.css_selector, by_lines=recipe.by_lines)
    return replay_on(recipe, Page(root, base), schema)


def replay_on(recipe: Recipe, page: Page, schema: Schema | None = None) -> Replay:
    """Give what the recipe reads on an open page; validated where a schema is given."""
    readers = Readers(page.base)
    page.labels = None if recipe.pointer is None else labels_in(recipe)
    boxes, unsure, doubt = find_boxes(recipe, page)
    doubts = [doubt] if doubt else []
    strange_at: float | None = None
    passed: list[Interlude] = []
    table = read_table(recipe.fields, recipe.lists, boxes, readers)
    if recipe.pointer is not None and not doubts:
        table, passed, strange, row = without_others(recipe, table)
        row = next((at for at, box in enumerate(table.boxes) if box.elements[0] in unsure), row)
        if not strange and any(box.elements[0] in unsure for box in table.boxes):
            strange = f"not all ways to find the records find this: {table.boxes[row].whole_text[:60]!r}"
        if not strange:
            strange, row = _doubt_of_runs(recipe, table.boxes)
        if not strange:
            strange, row = doubt_of_new_parts(table.boxes, recipe.parts, frozenset(recipe.noise))
        doubts += [strange] if strange else []
        strange_at = row / len(boxes) if strange else None
    is_single = recipe.pointer is None
    guard = PageGuard(recipe.noise, is_single=is_single, labels=labels_in(recipe))
    judge(table, guard, readers)
    around = Table([Container(page, [page.root])], [])
    if recipe.outer or recipe.outer_lists:
        around = read_table(recipe.outer, recipe.outer_lists, around.boxes, readers)
        judge(around, PageGuard(recipe.noise, is_single=True), readers)
    doubts += _doubts_of_page(table, boxes)
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
        texts=tuple(map(spoken_text, boxes)) if recipe.lists and not is_single else (),
        interludes=() if is_single or doubts else _interludes(recipe, page, table.boxes, passed),
        asides=frozenset(recipe.asides),
        units=recipe.units * (_AGAIN if _names_each_once(recipe) else 1),
        zeros=recipe.has_zeros,
        doubtful=strange_at if strange_at is not None else _first_doubtful(table),
    )


def _doubt_of_runs(recipe: Recipe, boxes: Sequence[Container]) -> tuple[str, int]:
    """Say what stands behind a run that is as long as any was, and behind which: it may begin another record."""
    if recipe.lists or not any(one.is_run for one in recipe.boxes):
        return "", 0
    known = frozenset((*recipe.between, *recipe.others))
    for row, node in behind_runs(boxes):
        if look_of_node(node) not in known:
            return f"behind a record stands more than behind any before: {text_of(node)[:60]!r}", row
    return "", 0


def labels_in(recipe: Recipe) -> frozenset[str]:
    """Give the labels that the selectors of a recipe go by."""
    places = [each.place for one in (*recipe.outer, *recipe.fields) for each in one.selectors]
    waiting = [*recipe.lists, *recipe.outer_lists]
    while waiting:
        one = waiting.pop()
        waiting += one.lists
        places += [one.items, *(each.place for field in one.fields for each in field.selectors)]
    return frozenset(place.value for place in places if place.kind == "label")


def _is_strong(one: BoxSelector) -> bool:
    return bool(one.by) and not (one.by == "class" and is_made(one.value))


def find_boxes(recipe: Recipe, page: Page) -> tuple[list[Container], frozenset[HtmlElement], str]:
    """Give the containers of the records, those that not all ways find, and why they are in doubt.

    Selectors by classes or attributes go first; by tags and paths only where no others find anything.
    """
    if recipe.pointer is None:
        return [Container(page, [page.root])], frozenset(), ""
    may_grow = bool(recipe.lists)
    found = [(one, boxes_of(page, one, recipe.run_length, may_grow=may_grow)) for one in recipe.boxes]
    alive = [(one, boxes) for one, boxes in found if boxes]
    strong = [boxes for one, boxes in alive if _is_strong(one)]
    chosen = strong or [boxes for _, boxes in alive]
    if not chosen:
        return [], frozenset(), "nothing on the page looks like the records"
    largest = max(chosen, key=len)
    found = {box.elements[0] for box in largest}
    others = [{box.elements[0] for box in other} for other in chosen]
    if any(not other <= found for other in others):
        sizes = sorted({len(other) for other in others})
        return largest, frozenset(), f"the ways to find the records disagree: {' or '.join(map(str, sizes))} of them"
    return largest, frozenset(found - set.intersection(*others)), ""


def read_table(
    fields: Sequence[FieldRecipe], lists: Sequence[ListRecipe], boxes: list[Container], readers: Readers
) -> Table:
    """Give what selectors read in each container, the likeliest to survive a change first.

    Selectors unlikely to survive decide only on pages where most fields have no others that find anything: else what
    the others don't find is absent.
    """
    find_in_bulk((each.place for one in fields for each in one.selectors if each.survival >= WEAK), boxes)
    strong = [_vote(one, _surviving(one), boxes, readers) for one in fields]
    had = [at for at, one in enumerate(fields) if _surviving(one)]
    has_changed = 2 * sum(1 for at in had if strong[at] is None) > len(had)
    columns: list[Column] = []
    for one, column in zip(fields, strong, strict=True):
        is_weak = column is None and (has_changed or not _surviving(one))
        read = (
            _vote(one, [each for each in one.selectors if each.survival < WEAK], boxes, readers) if is_weak else column
        )
        nothing = Column(one, [None] * len(boxes), [()] * len(boxes), None, one.unread)
        columns.append(nothing if read is None else replace(read, is_fallen=is_weak and bool(_surviving(one))))
    table = Table(boxes, columns)
    for each in lists:
        groups = [items_of(each, box) for box in boxes]
        items = [item for group in groups for item in group]
        inner = read_table(each.fields, each.lists, items, readers)
        table.lists.append(ItemTable(each, inner, [len(group) for group in groups]))
    return table


def _surviving(one: FieldRecipe) -> list[Selector]:
    return [selector for selector in one.selectors if selector.survival >= WEAK]


def firsts_of(place: Place, box: Container) -> list[HtmlElement]:
    """Give the first element of each item that a place names; rows that head the columns of a table are none."""
    found = [node for node in find_all(place, box) if not isinstance(node, str)]
    return [node for node in found if node.tag != "tr" or not is_head(box.page, node)]


def items_of(one: ListRecipe, box: Container) -> list[Container]:
    """Give the containers of a list's items in a record's."""
    firsts = firsts_of(one.items, box)
    if one.run_length == 1:
        return [Container(box.page, [node]) for node in firsts]
    return [Container(box.page, run) for run in runs_of(firsts, one.run_length)]


def _vote(
    one: FieldRecipe, selectors: Sequence[Selector], boxes: Sequence[Container], readers: Readers
) -> Column | None:
    """Give what agreeing selectors read; None when they find nothing anywhere."""
    cells: list[Cell] | None = None
    chosen: Selector | None = None
    texts: list[tuple[str, ...]] = []
    doubt = ""
    step = max(1, len(boxes) // _ALL_CHECKED)
    is_long = len(boxes) > _ALL_CHECKED
    for selector in sorted(selectors, key=lambda each: is_long and each.place.kind in _SLOW):
        if cells is None:
            found = [read_said(selector, box, readers) for box in boxes]
            if any(cell is not None and cell != [] for cell, _ in found):
                cells, texts = [cell for cell, _ in found], [said for _, said in found]
                chosen = selector
            continue
        for at, box in enumerate(boxes):
            if at % step and cells[at] is not None:
                continue
            other, said = read_said(selector, box, readers)
            if other is None or other is UNREAD or other == []:
                continue
            if cells[at] is None or cells[at] == []:
                cells[at], texts[at] = other, said
            elif not same(cells[at], other):
                doubt = f"two ways to read it give {_shown(cells[at])} and {_shown(other)}"
    return None if cells is None else Column(one, cells, texts, chosen, doubt)


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}…"


def _interludes(
    recipe: Recipe, page: Page, boxes: Sequence[Container], passed: Sequence[Interlude]
) -> tuple[Interlude, ...]:
    """Give what is known to be none among the records and beside them; nothing when it is more than the records."""
    beside = [one for one in known_interludes(recipe, page, boxes) if one not in passed]
    found = sorted([*passed, *beside], key=lambda one: one.after)
    return tuple(found) if len(found) <= len(boxes) else ()


def without_others(recipe: Recipe, table: Table) -> tuple[Table, list[Interlude], str, int]:
    """Give the table without containers that are no records, those known to be none, which one is strange, and its row.

    None is one that looks like what stood among the records before, and neither is one without any of the values that
    all records have; the latter is strange if nothing looked like it before.
    """
    always = [column for column in table.columns if column.one.is_always_there and column.one.selectors]
    telling = [column for column in always if column.one.name in recipe.telling]
    known, foreign = frozenset(recipe.others), frozenset(recipe.foreign)
    gone: set[int] = set()
    strange, at = "", 0
    passed: list[Interlude] = []
    for row, box in enumerate(table.boxes):
        is_other = bool(known) and look_of(box) in known
        is_other = is_other or (bool(foreign) and not foreign.isdisjoint(marks_of(box)))
        is_empty = bool(always) and all(column.cells[row] is None for column in always)
        is_other = is_other or (bool(telling) and not is_empty and all(column.cells[row] is None for column in telling))
        if is_other:
            passed.append(Interlude(row - len(gone), own_text(box), look_of(box)))
        if is_other or is_empty:
            gone.add(row)
        if is_empty and not is_other and not strange:
            strange, at = f"something among the records has none of their values: {look_of(box)}", row
    if not gone:
        return table, [], "", 0
    return rows_of(table, [row for row in range(len(table.boxes)) if row not in gone]), passed, strange, at


def rows_of(table: Table, rows: Sequence[int]) -> Table:
    """Give some rows of a table."""
    columns = [
        replace(column, cells=[column.cells[row] for row in rows], texts=[column.texts[row] for row in rows])
        for column in table.columns
    ]
    kept = Table([table.boxes[row] for row in rows], columns)
    for items in table.lists:
        starts = [sum(items.counts[:row]) for row in range(len(items.counts))]
        inner = [at for row in rows for at in range(starts[row], starts[row] + items.counts[row])]
        kept.lists.append(ItemTable(items.one, rows_of(items.table, inner), [items.counts[row] for row in rows]))
    return kept


def judge(table: Table, guard: PageGuard, readers: Readers) -> None:
    """Put fields in doubt whose values are not as they were where the recipe was learned."""
    claimed: list[list[str]] | None = None
    for column in table.columns:
        if column.doubt:
            continue
        column.doubt = doubt_of_field(column.one, column.cells, is_fallen=column.is_fallen, is_single=guard.is_single)
        if column.selector is not None and not column.doubt:
            texts = [text for said in column.texts for text in said]
            column.doubt = doubt_of_presence(column.one, column.selector, column.cells)
            column.doubt = column.doubt or doubt_of_texts(column.one, column.selector, texts)
            if not column.doubt and column.selector.cut is not None and not column.one.figures.in_pieces:
                column.doubt = _doubt_of_pieces(column, column.selector, table.boxes)
        if column.doubt:
            continue
        missing = [row for row, cell in enumerate(column.cells) if cell is None or cell == []]
        if missing and (len(missing) < len(table.boxes) or guard.is_single or column.one.figures.nulls):
            claimed = claimed if claimed is not None else claimed_texts(table)
            for row in missing:
                if doubt := guard.doubt_of_absence(column.one, table.boxes[row], claimed[row], readers):
                    column.doubt = doubt
                    break
    for items in table.lists:
        if items.one.shortest > 0 and 0 in items.counts:
            items.doubt = "a record has no items, and each had some"
        if not items.one.lists and any(len(item.elements) > items.one.run_length for item in items.table.boxes):
            items.doubt = "one of its items is longer than any was, and may hold two"
        judge(items.table, PageGuard((), is_single=False, is_open=False), readers)
        broken = next((column for column in items.table.columns if column.doubt and not column.one.unread), None)
        if broken is not None:
            items.doubt = items.doubt or f"{broken.one.name} of its items: {broken.doubt}"


def _doubt_of_pieces(column: Column, selector: Selector, boxes: Sequence[Container]) -> str:
    """Say which value runs over several pieces of text, where none did."""
    for said, box in zip(column.texts, boxes, strict=True):
        for text in said:
            if not is_in_one_piece(selector, text, box):
                return f"it runs over several texts: {cut_text(selector, text)[:60]!r}"
    return ""


def claimed_texts(table: Table) -> list[list[str]]:
    """Give the texts of each container that fields are read from."""
    found: list[list[str]] = []
    for row, box in enumerate(table.boxes):
        said = [text for column in table.columns for text in column.texts[row]]
        for items in table.lists:
            said += [item.whole_text for item in items_of(items.one, box)]
        found.append(said)
    return found


def _unread(table: Table) -> dict[str, str]:
    """Give the fields that may not be served, and why: short reasons in plain words."""
    found = {pointer_of(column.one.steps): column.doubt[:LONGEST_REASON] for column in table.columns if column.doubt}
    return found | {pointer_of(items.one.steps): items.doubt[:LONGEST_REASON] for items in table.lists if items.doubt}


def pointer_of(steps: Sequence[str]) -> str:
    """Give the JSON Pointer of a field within a record."""
    return "".join("/" + step.replace("~", "~0").replace("/", "~1") for step in steps)


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


def build_records(table: Table) -> list[JsonValue]:
    """Give the records of a table, without the fields that are in doubt."""
    columns = [column for column in table.columns if not column.doubt]
    lists = [items for items in table.lists if not items.doubt]
    inner = [_grouped(build_records(items.table), items.counts) for items in lists]
    if len(columns) == 1 and not columns[0].one.steps:
        return _values(columns[0])
    if columns and not lists and all(len(one.steps) == 1 and not one.omitted for one in (c.one for c in columns)):
        names = [column.one.steps[0] for column in columns]
        values = [_values(column) for column in columns]
        return [dict(zip(names, row, strict=True)) for row in zip(*values, strict=True)]
    read = [_values(column) for column in columns]
    records: list[JsonValue] = []
    for row in range(len(table.boxes)):
        record: JsonObject = {}
        for column, values in zip(columns, read, strict=True):
            if values[row] is not None or not column.one.omitted:
                _put(record, column.one.steps, values[row])
        for items, groups in zip(lists, inner, strict=True):
            _put(record, items.one.steps, groups[row])
        records.append(record)
    return records


def _values(column: Column) -> list[JsonValue]:
    one = column.one
    nothing: JsonValue = "" if one.blank else [] if one.is_array else 0 if one.is_zero else None
    return [nothing if cell is UNREAD or cell is None else cell for cell in column.cells]  # type: ignore[misc]


def _grouped(records: list[JsonValue], counts: Sequence[int]) -> list[list[JsonValue]]:
    groups: list[list[JsonValue]] = []
    at = 0
    for count in counts:
        groups.append(records[at : at + count])
        at += count
    return groups


def _put(record: JsonObject, steps: Sequence[str], value: Any) -> None:
    for step in steps[:-1]:
        inner = record.setdefault(step, {})
        record = inner if isinstance(inner, dict) else {}
    record[steps[-1]] = value


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
