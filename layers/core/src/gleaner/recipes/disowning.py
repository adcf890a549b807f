"""Values known by their type or place alone that are another field's: a number of eight digits reads as a day."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import eq

from gleaner.contracts.ports import JsonValue
from gleaner.recipes.boxes import Box
from gleaner.recipes.decoding import NO_VALUES, UNREAD, Cell, Decoded, Memory
from gleaner.recipes.model import FieldRecipe

_NUMBERS = frozenset({int, float})
_COUNTED = NO_VALUES | _NUMBERS
_DAYS = frozenset({"date", "date_time"})
_FIGURE = re.compile(r"[^\W_a-zA-Z]")
"""A digit, or a letter beyond ASCII, as of a numeral: what a text at least has that a day or number is read from."""


def disown(
    fields: Sequence[FieldRecipe],
    columns: Sequence[Sequence[Sequence[Cell]]],
    settled: list[list[Cell]],
    memory: Memory,
    boxes: Sequence[Box],
) -> None:
    """Doubt what only its type tells where a text of another field reads so, too, or is the only one of that number.

    ``columns`` hold for each field what each of its selectors read, ``settled`` what that comes to.
    """
    for at, (one, read) in enumerate(zip(fields, columns, strict=True)):
        typed = next((selector for selector in one.selectors if selector.kind == "typed"), None)
        if typed is None:
            continue
        named = [column for selector, column in zip(one.selectors, read, strict=True) if selector.kind != "typed"]
        if any(NO_VALUES.isdisjoint(map(type, column)) for column in named):
            continue
        lone = [row for row, cell in enumerate(settled[at]) if _is_lone(row, cell, named)]
        known = memory.of(typed)
        texts = [(row, other[row]) for other in settled if other is not settled[at] for row in lone]
        taken = {row for row, text in texts if isinstance(text, str) and known[text] == settled[at][row] != text}
        numbers = {row: settled[at][row] for row in lone if type(settled[at][row]) in _NUMBERS}
        others = [(fields[place], other) for place, other in enumerate(settled) if place != at and numbers]
        shared = {row for each, other in others for row in _shared(each, other, numbers, memory, known)}
        taken |= {row for row in shared if sum(known[text] == numbers[row] for _, text in boxes[row].pieces) == 1}
        if taken:
            settled[at] = [UNREAD if row in taken else cell for row, cell in enumerate(settled[at])]


def _shares_of(
    fields: Sequence[FieldRecipe],
    values: Sequence[Sequence[Cell]],
    asked: Mapping[int, Sequence[int]],
    boxes: Sequence[Box],
    memory: Memory,
) -> dict[int, set[int]]:
    """Give the rows in which another field's value is read from all of a text that is a field's own, field by field.

    Or is that very text, which the container says once. ``asked`` are the rows to look at for each field.
    """
    found: dict[int, set[int]] = {}
    for at, among in asked.items():
        texts = {row: cell for row in among if isinstance(cell := values[at][row], str)}
        figures = {row: text for row, text in texts.items() if _FIGURE.search(text)}
        for other, column in enumerate(values if texts else ()):
            if other == at or any(each.attribute for each in fields[other].selectors):
                continue
            cut = [memory.of(each) for each in fields[other].selectors if each.transforms or each.prefix or each.suffix]
            may_share = figures if _has_figures(fields[other], column) else texts
            rows = {row for way in cut for row in _equal(may_share, way, column) if column[row] != may_share[row]}
            rows |= {row for row in _equal(may_share, str, column) if _says_once(boxes[row], may_share[row])}
            if rows:
                found.setdefault(at, set()).update(rows)
    return found


def _equal(texts: Mapping[int, str], way: Decoded | type[str], column: Sequence[Cell]) -> Iterable[int]:
    """Give the rows whose text, read in a way, is another field's value; most often there is none."""
    read = [*map(way.__getitem__ if isinstance(way, Decoded) else way, texts.values())]
    cells = [column[row] for row in texts]
    if not any(map(eq, read, cells)):
        return ()
    rows = zip(texts, read, cells, strict=True)
    return [row for row, value, cell in rows if type(cell) not in NO_VALUES and value == cell]


def _has_figures(one: FieldRecipe, column: Sequence[Cell]) -> bool:
    """Tell whether all values of a field are read from texts with figures: days, and numbers but 0."""
    if one.selectors and all(each.transforms and _DAYS.issuperset(each.transforms) for each in one.selectors):
        return True
    return _COUNTED.issuperset(map(type, column)) and 0 not in column


def _says_once(box: Box, text: str) -> bool:
    return sum(said == text for _, said in box.pieces) == 1


def _is_placed(one: FieldRecipe) -> bool:
    return one.figures.kind == "text" and any(not each.is_strong for each in one.selectors)


def disown_places(
    fields: Sequence[FieldRecipe],
    columns: Sequence[Sequence[Sequence[Cell]]],
    settled: list[list[Cell]],
    memory: Memory,
    boxes: Sequence[Box],
) -> None:
    """Doubt texts that only their place tells where another field is read from them, if none was ever shared so.

    Where "Mosel" is missing before "12 %", that comes to stand in its place.
    """
    asked = {
        at: _without_any([read for each, read in zip(one.selectors, columns[at], strict=True) if each.is_strong], boxes)
        for at, one in enumerate(fields)
        if _is_placed(one) and not one.shares
    }
    for at, rows in _shares_of(fields, settled, asked, boxes, memory).items():
        settled[at] = [UNREAD if row in rows else cell for row, cell in enumerate(settled[at])]


def _without_any(columns: Sequence[Sequence[Cell]], boxes: Sequence[Box]) -> Sequence[int]:
    """Give the rows in which none of the columns holds a value."""
    left: Sequence[int] = range(len(boxes))
    for column in columns:
        full = NO_VALUES.isdisjoint(map(type, column))
        left = [] if full else [row for row in left if type(column[row]) in NO_VALUES]
    return left


def with_shares(
    fields: Sequence[FieldRecipe], values: Sequence[Sequence[JsonValue]], boxes: Sequence[Box], memory: Memory
) -> list[FieldRecipe]:
    """Give the fields, those noted of whose texts another field's values were read."""
    asked = {at: range(len(boxes)) for at, one in enumerate(fields) if _is_placed(one)}
    shared = _shares_of(fields, values, asked, boxes, memory)
    return [one.model_copy(update={"shares": one.shares or at in shared}) for at, one in enumerate(fields)]


def _shared(
    other: FieldRecipe, cells: Sequence[Cell], numbers: Mapping[int, Cell], memory: Memory, known: Decoded
) -> Iterator[int]:
    """Give the rows in which another field has the same number, and reads texts as such that read so here, too."""
    equal = {row: number for row, number in numbers.items() if cells[row] == number}
    named = [memory.of(selector) for selector in other.selectors if selector.kind != "typed"] if equal else []
    for row, number in equal.items():
        if any(value == number == known.get(text) for one in named for text, value in one.items()):
            yield row


def _is_lone(row: int, cell: Cell, named: Sequence[Sequence[Cell]]) -> bool:
    return type(cell) not in NO_VALUES and all(type(column[row]) in NO_VALUES for column in named)
