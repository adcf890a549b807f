"""Wrappers: recipes learned from proven records, replayed without a model while their checks hold (RC-1 to RC-5)."""

from gleaner.wrappers.learning import Example, Learned, learn, learn_from
from gleaner.wrappers.model import Recipe
from gleaner.wrappers.readings import same as same_data
from gleaner.wrappers.replaying import Replay, replay

__all__ = ["Example", "Learned", "Recipe", "Replay", "learn", "learn_from", "replay", "same_data"]
