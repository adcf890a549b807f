"""Texts of fields that may be absent, and are what others leave: any new text of a record would be one (RC-2)."""

from collections.abc import Iterator, Sequence

from gleaner.contracts.ports import JsonValue
from gleaner.recipes.boxes import Box
from gleaner.recipes.decoding import UNREAD, Cell, Memory
from gleaner.recipes.model import FieldFigures, FieldRecipe, FieldSelector

_LONGEST = 80
_ENOUGH_FRESH = 6
"""So many new texts of other pages must have been a field's, all of them, before any more are taken for such."""

Sides = tuple[set[str], set[str]]
"""What stands before and after a text of a record, as far as that has a name."""


def disown_strays(
    fields: Sequence[FieldRecipe],
    rivals: Sequence[FieldSelector],
    settled: list[list[Cell]],
    boxes: Sequence[Box],
    memory: Memory,
) -> None:
    """Doubt new texts of such fields: "Sold" stands where the agent is missing.

    But where all new texts of another page were the field's, those that are written alike and stand at its place are.
    """
    for at, one in enumerate(fields):
        if not _takes_any(one):
            continue
        known, forms = {*one.figures.common}, _forms_of(one.figures)
        places = _Places(rivals, memory)
        new = {
            row: cell for row, cell in enumerate(settled[at]) if isinstance(cell, str) and cell[:_LONGEST] not in known
        }
        strange = {
            row
            for row, text in new.items()
            if form_of(text) not in forms or _is_out_of_place(one, places.beside(text, boxes[row]))
        }
        if strange:
            settled[at] = [UNREAD if row in strange else cell for row, cell in enumerate(settled[at])]


def with_sides(
    fields: Sequence[FieldRecipe],
    rivals: Sequence[FieldSelector],
    values: Sequence[Sequence[JsonValue]],
    boxes: Sequence[Box],
    memory: Memory,
) -> list[FieldRecipe]:
    """Give the fields, those that are what others leave with what stood before and after their texts."""
    return [
        _with_sides(one, column, boxes, _Places(rivals, memory)) if _takes_any(one) else one
        for one, column in zip(fields, values, strict=True)
    ]


def with_fresh(one: FieldRecipe, first: Sequence[JsonValue], others: Sequence[JsonValue]) -> FieldRecipe:
    """Give a field, noted of how many texts the values of other pages have that those of the first one have not."""
    if one.figures.kind != "text" or not others:
        return one
    texts, known = ({text for text in values if isinstance(text, str)} for values in (others, first))
    return one.model_copy(update={"figures": one.figures.model_copy(update={"fresh": len(texts - known)})})


def form_of(text: str) -> str:
    """Give how the words of a text are written: with a capital, without one, with digits, without either.

    >>> form_of("Zo\u00eb O'Brien"), form_of("Price reduced"), form_of("Lot 12 -")
    ('A A', 'A a', 'A 9 -')
    """
    return " ".join(map(_form_of_word, text.split()))


def _form_of_word(word: str) -> str:
    if any(map(str.isdigit, word)):
        return "9"
    first = next(filter(str.isalpha, word), "-")
    return "A" if first.isupper() else "a" if first.isalpha() else "-"


def _takes_any(one: FieldRecipe) -> bool:
    return bool(one.figures.nulls and one.selectors) and all(each.kind == "rest" for each in one.selectors)


def _forms_of(figures: FieldFigures) -> set[str]:
    """Give how new texts of a field may be written; none until such were seen."""
    return {form_of(text) for text in figures.common} if figures.fresh >= _ENOUGH_FRESH else set()


def _with_sides(one: FieldRecipe, column: Sequence[JsonValue], boxes: Sequence[Box], places: "_Places") -> FieldRecipe:
    ahead, behind = {*one.ahead}, {*one.behind}
    for box, text in zip(boxes, column, strict=True):
        before, after = places.beside(text, box) if isinstance(text, str) else (set[str](), set[str]())
        ahead |= before
        behind |= after
    return one.model_copy(update={"ahead": sorted(ahead), "behind": sorted(behind)})


def _is_out_of_place(one: FieldRecipe, sides: Sides) -> bool:
    """Tell whether something stands before a text that stood only after the field's, or the other way round."""
    before, after = sides
    ahead, behind = {*one.ahead}, {*one.behind}
    return not before.isdisjoint(behind - ahead) or not after.isdisjoint(ahead - behind)


class _Places:
    """Names what stands in records: by its label, or by the number of the rival whose type it is of."""

    def __init__(self, rivals: Sequence[FieldSelector], memory: Memory) -> None:
        self._rivals = [memory.of(rival) for rival in rivals]

    def beside(self, text: str, box: Box) -> Sides:
        """Give what stands before and after a text of a container; nothing where that is not one of its pieces."""
        said = [piece for _, piece in box.pieces]
        if text not in said:
            return set(), set()
        at = said.index(text)
        return {*self._names(box.pieces[:at])}, {*self._names(box.pieces[at + 1 :])}

    def _names(self, pieces: Sequence[tuple[str, str]]) -> Iterator[str]:
        for label, text in pieces:
            if label:
                yield label
            else:
                yield from (f"#{number}" for number, rival in enumerate(self._rivals) if rival.accepts(text))
