"""Wrappers: recipes learned from proven records, replayed without a model while their checks hold (RC-1 to RC-5)."""

from gleaner.wrappers.book import PAGES_TO_BELIEVE, KeptExample, KeptRecipe, RecipeBook
from gleaner.wrappers.induction.learning import learn_from
from gleaner.wrappers.induction.verifying import Example, Learned, misreads, told_apart
from gleaner.wrappers.interludes import Interlude
from gleaner.wrappers.model import Recipe
from gleaner.wrappers.readings import same as same_data
from gleaner.wrappers.replaying import Replay, replay

__all__ = [
    "PAGES_TO_BELIEVE",
    "Example",
    "Interlude",
    "KeptExample",
    "KeptRecipe",
    "Learned",
    "Recipe",
    "RecipeBook",
    "Replay",
    "learn_from",
    "misreads",
    "replay",
    "same_data",
    "told_apart",
]
