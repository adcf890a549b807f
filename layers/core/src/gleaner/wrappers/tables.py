"""Reading containers: for each field a column of values that agreeing selectors give, likeliest to survive first."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import Any

from lxml.html import HtmlElement

from gleaner.contracts.ports import JsonObject, JsonValue
from gleaner.wrappers.boxes import is_head, runs_of
from gleaner.wrappers.container import Container, Shape
from gleaner.wrappers.looks import Shapes
from gleaner.wrappers.model import FieldRecipe, ListRecipe, Selector
from gleaner.wrappers.places import WEAK, Place, find
from gleaner.wrappers.readings import UNREAD, Cell, Readers, same
from gleaner.wrappers.selectors import read_alike, read_all

_ALL_CHECKED = 120
"""Pages of more records are checked by slow selectors on so many of them, spread over the page."""

_SLOW = ("label", "column", "says", "above")
"""Kinds of places that are not found by one search of the page: on long pages they read second."""


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

    @property
    def is_absent(self) -> bool:
        """Whether nothing was found of a field that selectors could have found, or that no page had."""
        return not any(self.texts) and (bool(self.one.selectors) or self.one.figures.nulls == self.one.figures.count)


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


def read_table(
    fields: Sequence[FieldRecipe],
    lists: Sequence[ListRecipe],
    boxes: list[Container],
    readers: Readers,
    parts: Collection[str] | None = None,
) -> Table:
    """Give what selectors read in each container, the likeliest to survive a change first.

    Selectors unlikely to survive decide only on pages where most fields have no others that find anything: else what
    the others don't find is absent. Elements of other tags and classes than ``parts`` are noted as strange.
    """
    Shapes((each.place for one in fields for each in _surviving(one)), parts).tell(boxes)
    strong = [_vote(one, _surviving(one), boxes, readers) for one in fields]
    had = [at for at, one in enumerate(fields) if _surviving(one)]
    has_changed = 2 * sum(1 for at in had if strong[at] is None) > len(had)
    pairs = [*zip(fields, strong, strict=True)]
    is_gone = not has_changed and any(column is None and one.is_always_there for one, column in pairs)
    stands = is_gone and all(_stands(column, boxes, readers) for _, column in pairs if column is not None)
    columns: list[Column] = []
    for one, column in pairs:
        is_weak = column is None and (has_changed or not _surviving(one) or (stands and one.is_always_there))
        read = (
            _vote(one, [each for each in one.selectors if each.survival < WEAK], boxes, readers) if is_weak else column
        )
        nothing = Column(one, [None] * len(boxes), [()] * len(boxes), None, one.unread)
        if is_weak and not has_changed and read is not None and not any(map(_is_read, read.cells)):
            read = None  # a part cut out of a larger text, which lacks it
        is_fallen = is_weak and has_changed and bool(_surviving(one))
        columns.append(nothing if read is None else replace(read, is_fallen=is_fallen))
    table = Table(boxes, columns)
    for each in lists:
        groups = [items_of(each, box) for box in boxes]
        items = [item for group in groups for item in group]
        inner = read_table(each.fields, each.lists, items, readers)
        table.lists.append(ItemTable(each, inner, [len(group) for group in groups]))
    return table


def _is_read(cell: Cell) -> bool:
    return cell is not None and cell is not UNREAD


def _stands(column: Column, boxes: Sequence[Container], readers: Readers) -> bool:
    """Tell whether a field stands where it did: its mere place on the page reads what its name or class does."""
    weak = [each for each in column.one.selectors if each.survival < WEAK and each.place.kind == "path"]
    return all(
        same(cell, other)
        for each in weak
        for cell, other in zip(column.cells, read_all(each, boxes, readers)[0], strict=True)
    )


def _surviving(one: FieldRecipe) -> list[Selector]:
    return [selector for selector in one.selectors if selector.survival >= WEAK]


def firsts_of(place: Place, box: Container) -> list[HtmlElement]:
    """Give the first element of each item that a place names; rows that head the columns of a table are none."""
    found = [node for node in find(place, box) if not isinstance(node, str)]
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
    is_long = len(boxes) > _ALL_CHECKED
    column: Column | None = None
    for selector in sorted(selectors, key=lambda each: is_long and each.place.kind in _SLOW):
        if column is None or column.selector is None:
            read, said_there = read_all(selector, boxes, readers)
            if any(cell is not None and cell != [] for cell in read):
                column = Column(one, read, said_there, selector)
            elif column is None and selector.words and all(said_there):
                column = Column(one, read, said_there)
        else:
            _check(column, selector, boxes, readers)
    return column


def _check(column: Column, selector: Selector, boxes: Sequence[Container], readers: Readers) -> None:
    """Fill in what another selector reads where there is nothing, and note where it reads something else.

    Each selector read all records that were learned from: where some had no value, two that differ are in doubt.
    What stands in the same elements in all containers of a shape needs no second look.
    """
    cells = column.cells
    step = max(1, len(boxes) // _ALL_CHECKED) if selector.place.kind in _SLOW else 1
    alike: dict[Shape | None, bool] = {None: False}
    rows: list[int] = []
    for at, box in enumerate(boxes):
        if at % step and cells[at] is not None:
            continue
        known = alike.get(box.shape)
        if known is None:
            known = alike[box.shape] = column.selector is not None and read_alike(column.selector, selector, box)
        if not known:
            rows.append(at)
    others, said = read_all(selector, [boxes[at] for at in rows], readers)
    for at, other, texts in zip(rows, others, said, strict=True):
        if other is None or other is UNREAD or other == []:
            continue
        is_empty = cells[at] is None or cells[at] == []
        if is_empty and not column.one.figures.nulls:
            cells[at], column.texts[at] = other, texts
        elif not same(cells[at], other):
            column.doubt = f"two ways to read it give {_shown(cells[at])} and {_shown(other)}"


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}…"


def some_in(table: Table) -> list[bool] | None:
    """Tell of each record whether it has any of the fields that not all records had; None without such fields."""
    columns = [column for column in table.columns if column.one.selectors and column.one.figures.nulls]
    return [any(map(_is_there, cells)) for cells in zip(*(column.cells for column in columns), strict=True)] or None


def _is_there(cell: Cell) -> bool:
    return cell is not None and cell != [] and cell is not False


def rows_of(table: Table, rows: Sequence[int]) -> Table:
    """Give some rows of a table."""
    columns = [
        replace(column, cells=[column.cells[row] for row in rows], texts=[column.texts[row] for row in rows])
        for column in table.columns
    ]
    kept = Table([table.boxes[row] for row in rows], columns)
    for items in table.lists:
        starts = [0, *accumulate(items.counts)]
        inner = [at for row in rows for at in range(starts[row], starts[row + 1])]
        kept.lists.append(ItemTable(items.one, rows_of(items.table, inner), [items.counts[row] for row in rows]))
    return kept


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
