"""Texts of pages about one thing that stand in another place than before: what stood where they stood says which."""

from collections.abc import Mapping, Sequence

from gleaner.contracts.ports import JsonValue
from gleaner.recipes.boxes import Box
from gleaner.recipes.model import FieldRecipe, Recipe
from gleaner.recipes.novelty import ANYTHING, BARE, PagePlaces, begins, key_of, short, sign_of
from gleaner.recipes.whole_pages import elements_of

_LONGEST = 40


def doubt_of_strangers(recipe: Recipe, box: Box, cells: Sequence[JsonValue]) -> str:
    """Say which value is a text that stood elsewhere before, where now another one stands: they are turned."""
    doubts = (_doubt_of_stranger(recipe, one, cell, box) for one, cell in zip(recipe.fields, cells, strict=True))
    return next(filter(None, doubts), "")


def _doubt_of_stranger(recipe: Recipe, one: FieldRecipe, cell: JsonValue, box: Box) -> str:
    """So a title is no "On-site", which another page said of the job, where that place now says the title."""
    if not isinstance(cell, str) or len(cell) > _LONGEST or cell in one.figures.common:
        return ""
    key = key_of(cell)
    held = {sign: texts for sign, texts in recipe.places.items() if key in texts and says_one_text(texts)}
    if not held:
        return ""
    own = {
        short(sign_of(node)) for each in one.selectors for found in elements_of(each, box) for node in found.iter("*")
    }
    said = ((short(sign), text) for sign, text in PagePlaces(box, recipe.name_signs).texts)
    turned = (text for sign, text in said if sign in held and sign not in own and key_of(text) not in held[sign])
    other = next((text for text in turned if text != cell), "")
    return f"{one.name} is {cell!r}, which stood where {other[:40]!r} stands now" if other else ""


def says_one_text(texts: Mapping[str, int]) -> bool:
    """Tell whether a place said one text on each page that had it, and not always the same.

    >>> says_one_text({"": 2, "a": 1, "b": 1}), says_one_text({"": 2, "a": 2, "b": 1}), says_one_text({"": 2, "a": 2})
    (True, False, False)
    """
    counts = [count for text, count in texts.items() if text != ANYTHING and not begins(text, BARE)]
    return len(counts) > 1 and sum(counts) == texts.get(ANYTHING, 0)
