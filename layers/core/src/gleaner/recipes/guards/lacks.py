"""What it means that a container lacks values: that it is no record, that something is wrong, or nothing."""

from collections.abc import Sequence
from dataclasses import dataclass

from gleaner.recipes.model import FieldRecipe, Recipe
from gleaner.recipes.texts.decoding import UNREAD, Cell


def state_of(cell: Cell) -> str:
    """Tell whether a value was "read", is "absent", or can't be read ("unread")."""
    return "unread" if cell is UNREAD else "absent" if cell is None or cell == [] else "read"


@dataclass(frozen=True, slots=True)
class Lack:
    """What it means that a container lacks certain values, whatever the others are.

    ``may_be_none`` when it may be no record, unless it ``is_built_like_one``; ``doubt`` is what is wrong even so;
    ``is_telling`` when what is absent should be there, or shows by an icon.
    """

    may_be_none: bool
    is_built_like_one: bool
    doubt: str
    is_telling: bool


def judge(recipe: Recipe, states: Sequence[str]) -> Lack:
    """Say what it means that the fields of a container are in these states."""
    is_detail = recipe.pointer is None
    always, marks = always_there(recipe), marks_of_a_record(recipe)
    found, known = (sum(states[at] == "read" for at in of) for of in (marks, always))
    unread = [at for at in marks if states[at] == "unread"]
    is_clear = not unread or (found == 0 and not any(recipe.fields[at].selectors[0].phrase for at in unread))
    is_bare = is_clear and found < len(marks) and found <= (0 if is_detail else len(marks) // 3)
    few = (known < len(always) if recipe.is_unwrapped else known < 0.6 * len(always)) and not is_detail
    placed = len(always) - len(marks)
    absent = [one for one, state in zip(recipe.fields, states, strict=True) if state == "absent" and one.selectors]
    return Lack(
        is_bare and not recipe.is_unwrapped,
        len(unread) == len(marks) or known - found == placed > 0,
        "a container holds some of a record's fields" if few else _unread(recipe, states),
        any(one.loose or any(each.kind == "behind" for each in one.selectors) for one in absent),
    )


def marks_of_a_record(recipe: Recipe) -> list[int]:
    """Give the fields that tell a record from an advertisement or a total: always there, and not by place alone."""
    always = always_there(recipe)
    return [at for at in always if recipe.fields[at].selectors[0].is_strong] or always


def always_there(recipe: Recipe) -> list[int]:
    """Give the fields that each record had, but for what stands above several."""
    fields = enumerate(recipe.fields)
    return [at for at, one in fields if is_always_there(one) and one.selectors[0].kind != "heading"]


def is_always_there(one: FieldRecipe) -> bool:
    """Tell whether each record had a value of a field that is looked for."""
    return one.figures.nulls == 0 and one.figures.count > 0 and bool(one.selectors)


def _unread(recipe: Recipe, states: Sequence[str]) -> str:
    """Say which value can't be read."""
    lost = (one for one, state in zip(recipe.fields, states, strict=True) if state == "unread")
    return next((f"{one.name}: its selectors do not agree, or can't read what is there" for one in lost), "")
