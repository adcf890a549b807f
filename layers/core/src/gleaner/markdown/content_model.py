"""The learned judgement of blocks: boosted trees over their features, and the weights of words in classes and ids.

``benchmarks/train_main_content.py`` writes ``data/main_content.json`` and says what it was learned from.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias

from gleaner.contracts.json_text import packaged

Tree: TypeAlias = "float | tuple[int, float, Tree, Tree]"
"""A leaf's value, or the number of a feature, a limit, and the trees for values up to it and above it."""


@dataclass(frozen=True, slots=True)
class ContentModel:
    """Trees whose leaves add up to the log odds that a block is content, also compiled to one function of a row."""

    trees: Sequence[Tree]
    names: Mapping[str, float]
    odds: Callable[[Sequence[float]], float]

    def probabilities(self, rows: Sequence[Sequence[float]]) -> list[float]:
        """Give how likely each block is content, 0 to 1, from the features of each."""
        odds = self.odds
        return [1 / (1 + math.exp(-odds(row))) for row in rows]

    def shares(self, row: Sequence[float]) -> list[float]:
        """Give how much each feature moves the log odds of a block: the change of the mean at each fork it decides."""
        found = [0.0] * len(row)
        for tree in self.trees:
            at = tree
            while isinstance(at, tuple):
                feature, limit, below, above = at
                following = below if row[feature] <= limit else above
                found[feature] += _mean(following) - _mean(at)
                at = following
        return found


def _mean(tree: Tree) -> float:
    return (_mean(tree[2]) + _mean(tree[3])) / 2 if isinstance(tree, tuple) else tree


@cache
def content_model() -> ContentModel:
    """Give the model of the package; it is read once."""
    data: Any = packaged("main_content")
    return model_of(data["trees"], data["names"])


def model_of(trees: Sequence[Any], names: Mapping[str, float]) -> ContentModel:
    """Make a model of trees as JSON has them.

    The trees become one function: that is ten times as fast as following them node by node. Its source is made of
    numbers alone, whatever the file holds.
    """
    read = [_tree(tree) for tree in trees]
    used = sorted({feature for tree in read for feature in _used_by(tree)})
    names_of_row = [f"f{feature}" if feature in used else "_" for feature in range(used[-1] + 1)] if used else []
    unpacked = f" {', '.join([*names_of_row, '*_'])}, = row"  # a local name is read faster than a place of a list
    lines = ["def odds(row):", unpacked, " total = 0.0", *(f" total += {_source(tree)}" for tree in read)]
    lines.append(" return total")
    scope: dict[str, Any] = {}
    exec("\n".join(lines), scope)  # noqa: S102 - numbers alone, see above
    return ContentModel(read, names, scope["odds"])


def _tree(data: Any) -> Tree:
    if not isinstance(data, list):
        return float(data)
    feature, limit, below, above = data
    return (int(feature), float(limit), _tree(below), _tree(above))


def _used_by(tree: Tree) -> Iterator[int]:
    """Give the numbers of the features that a tree asks for."""
    if isinstance(tree, tuple):
        yield tree[0]
        yield from _used_by(tree[2])
        yield from _used_by(tree[3])


def _source(tree: Tree) -> str:
    if not isinstance(tree, tuple):
        return repr(tree)
    feature, limit, below, above = tree
    return f"({_source(below)} if f{feature} <= {limit!r} else {_source(above)})"
