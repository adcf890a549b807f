"""The learned judgement of blocks: boosted trees over their features, and the weights of words in classes and ids.

``scripts/train_main_content.py`` writes ``data/main_content.json`` and says what it was learned from.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, TypeAlias

Node: TypeAlias = float | tuple[int, float, "Node", "Node"]
"""A leaf's value, or the number of a feature, a limit, and the nodes for values up to it and above it."""


@dataclass(frozen=True, slots=True)
class ContentModel:
    """Trees whose leaves add up to the log odds that a block is content."""

    trees: Sequence[Node]
    names: Mapping[str, float]

    def probability(self, features: Sequence[float]) -> float:
        """Give how likely a block with these features is content, 0 to 1."""
        odds = 0.0
        for tree in self.trees:
            node = tree
            while isinstance(node, tuple):
                feature, limit, below, above = node
                node = below if features[feature] <= limit else above
            odds += node
        return 1 / (1 + math.exp(-odds))


@cache
def content_model() -> ContentModel:
    """Give the model of the package; it is read once."""
    data: Any = json.loads(resources.files("gleaner").joinpath("data/main_content.json").read_text("utf-8"))
    return ContentModel([_node(tree) for tree in data["trees"]], data["names"])


def _node(data: Any) -> Node:
    if not isinstance(data, list):
        return float(data)
    feature, limit, below, above = data
    return (feature, limit, _node(below), _node(above))
