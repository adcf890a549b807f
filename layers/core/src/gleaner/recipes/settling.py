"""One value for each container: what the selectors of a field agree on (RC-2)."""

from collections.abc import Sequence
from typing import Any, cast

from gleaner.contracts.ports import JsonValue
from gleaner.recipes.columns import same
from gleaner.recipes.decoding import UNREAD, Cell, Memory, Unread
from gleaner.recipes.model import FieldRecipe, FieldSelector
from gleaner.recipes.readers import Reader
from gleaner.recipes.rows import Rows
from gleaner.recipes.whole_pages import never_seen

_PLAIN = frozenset({str, int, float, bool})
_NAMING = frozenset({"self", "class", "attribute", "column", "within", "beside"})
"""Kinds of selectors by which an element is said to hold a field's value."""


def is_absent(cell: Cell) -> bool:
    """Tell whether a cell holds nothing."""
    return cell is None or cell == []


def columns_of(
    one: FieldRecipe, rows: Rows, rivals: Sequence[Reader], memory: Memory, *, strict: bool
) -> list[list[Cell]]:
    """Give what each selector of a field reads.

    The only piece of a type is looked for where nothing else names the value, unless ``strict``: where an element does,
    such a piece is that element, or one of several, which tell nothing.
    """
    others = [rival for rival in rivals if rival.selector not in one.selectors]
    columns: list[list[Cell]] = []
    named: list[Cell] | None = None
    for selector in one.selectors:
        reader = Reader(selector, rivals=others, memory=memory)
        if strict or named is None or selector.kind != "typed":
            columns.append(rows.column(reader))
        else:
            columns.append(rows.completed(named, reader))
        named = columns[-1] if named is None and selector.kind in _NAMING else named
    return columns


def settle(
    one: FieldRecipe, columns: list[list[Cell]], size: int, *, strict: bool, is_part: bool = False
) -> list[Cell]:
    """Give one value for each container: what all selectors agree on. A selector that finds nothing at all is lost.

    ``strict``, as on a page about one thing, where a field goes by its place alone: then all must find the same. In a
    part of such a page (``is_part``) also where a label names it: what stands there now may be built otherwise.
    """
    if not columns:
        return [never_seen(one) for _ in range(size)]
    alive = [
        (selector, cells)
        for selector, cells in zip(one.selectors, columns, strict=True)
        if not all(is_absent(cell) for cell in cells)
    ]
    if not alive:
        return columns[0]
    is_left_over = all(selector.kind == "rest" for selector, _ in alive)
    is_flag = strict and one.figures.kind == "boolean"  # without what says it another text of its name says little
    is_flag = is_flag or (strict and all(selector.kind == "typed" for selector, _ in alive))
    is_weak = is_part or is_flag or (not one.selectors[0].is_strong and (strict or is_left_over))
    if is_weak and len(alive) < len(columns):
        return [UNREAD] * size
    if strict and _is_label_of_nothing(one, [selector for selector, _ in alive]):
        return [UNREAD] * size
    if one.selectors[0].is_strong and not any(selector.is_strong for selector, _ in alive):
        is_lost = strict and all(cells[0] is UNREAD for _, cells in alive)
        return [None if is_lost else UNREAD] * size
    distinct = list({id(cells): cells for _, cells in alive}.values())
    if len(distinct) == 1:
        return distinct[0]
    selectors = [selector for selector, _ in alive]
    settled = list(distinct[0])
    for row in _differing(distinct):
        settled[row] = _agreed([column[row] for _, column in alive], selectors)
    return settled


def _is_label_of_nothing(one: FieldRecipe, alive: Sequence[FieldSelector]) -> bool:
    """Tell whether only a label leads to a text, and the element that stood beside that very label is gone."""
    labels = {selector.value for selector in alive if selector.kind == "label"}
    lost = [each for each in one.selectors if each not in alive and each.kind == "beside" and not each.name]
    return len(labels) == len(alive) > 0 and any(each.value in labels for each in lost)


def _differing(columns: Sequence[list[Cell]]) -> set[int]:
    """Give the rows in which columns do not hold the very same value, or one that can't be read."""
    first, *others = columns
    return {
        row
        for other in others
        for row, (one, cell) in enumerate(zip(first, other, strict=True))
        if one is UNREAD or not (one is cell or (type(one) is type(cell) and type(one) in _PLAIN and one == cell))
    }


def _agreed(cells: Sequence[Cell], selectors: Sequence[FieldSelector]) -> Cell:
    """Give what the selectors agree on. Two, or one strong one, may speak for those by place or type that can't."""
    first = cells[0]
    if all(not isinstance(cell, Unread) and same(cast(JsonValue, first), cell) for cell in cells):
        return first
    if items := _items_of(cells, selectors):
        return items
    pairs = list(zip(cells, selectors, strict=True))
    telling = [cell for cell in cells if not isinstance(cell, Unread)]
    is_weak = all(not one.is_strong or one.kind in ("typed", "tag") for cell, one in pairs if isinstance(cell, Unread))
    is_backed = len(telling) > 1 or any(one.is_strong for cell, one in pairs if not isinstance(cell, Unread))
    if telling and is_weak and is_backed and all(same(telling[0], cell) for cell in telling[1:]):
        return telling[0]
    return UNREAD


def _items_of(cells: Sequence[Cell], selectors: Sequence[FieldSelector]) -> list[Any] | None:
    """Give the list items that selectors read where others, learned from a list of one, took all of them for one."""
    lists = [cast(list[Any], cell) for cell in cells if isinstance(cell, list)]
    parted = (
        read
        for read, one in zip(lists, selectors, strict=False)
        if one.tag.rpartition("/")[2] == "li" and len(read) > 1
    )
    items = next(parted, None) if len(lists) == len(cells) else None
    if items is None or not all(isinstance(item, str) for read in lists for item in read):
        return None
    said = _letters(items)
    return items if all(read == items or (len(read) == 1 and _letters(read) == said) for read in lists) else None


def _letters(texts: Sequence[str]) -> str:
    return "".join(filter(str.isalnum, "".join(texts)))
