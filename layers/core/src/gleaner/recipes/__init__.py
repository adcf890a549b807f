"""Recipes: what was learned from proven records, replayed without a model while its checks hold (RC-1 to RC-3)."""

from gleaner.recipes.book import KeptExample, KeptRecipe, RecipeBook
from gleaner.recipes.drift import first_stranger
from gleaner.recipes.known_pages import same_data
from gleaner.recipes.learning import Example, learn, misreads, refine, replay, widened
from gleaner.recipes.model import Recipe
from gleaner.recipes.reading import Replay

__all__ = [
    "Example",
    "KeptExample",
    "KeptRecipe",
    "Recipe",
    "RecipeBook",
    "Replay",
    "first_stranger",
    "learn",
    "misreads",
    "refine",
    "replay",
    "same_data",
    "widened",
]
