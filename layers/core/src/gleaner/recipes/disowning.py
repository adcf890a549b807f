"""Values known by their type alone that are another field's: a number of eight digits reads as a day."""

from collections.abc import Sequence

from gleaner.recipes.decoding import NO_VALUES, UNREAD, Cell, Memory
from gleaner.recipes.model import FieldRecipe


def disown(
    fields: Sequence[FieldRecipe],
    columns: Sequence[Sequence[Sequence[Cell]]],
    settled: list[list[Cell]],
    memory: Memory,
) -> None:
    """Doubt what only its type tells where a text of another field reads so, too.

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
        if taken:
            settled[at] = [UNREAD if row in taken else cell for row, cell in enumerate(settled[at])]


def _is_lone(row: int, cell: Cell, named: Sequence[Sequence[Cell]]) -> bool:
    return type(cell) not in NO_VALUES and all(type(column[row]) in NO_VALUES for column in named)
