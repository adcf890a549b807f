"""Compare how two elements are built, by the tag paths below them."""

from collections.abc import Iterable
from itertools import islice

from gleaner.units.survey import Survey

ALIKE = 0.55
"""From this likeness on, two siblings are of one sort."""

_WEIGHTS = (3.0, 1.5, 0.5)
_MOST_PATHS = 80
_MOST_CHILD_SHAPES = 40


class Likeness:
    """Compares shapes of one survey, each pair and each shape once."""

    def __init__(self, survey: Survey) -> None:
        self._survey = survey
        self._paths: dict[int, dict[str, float]] = {}
        self._rests: dict[tuple[int, int], dict[str, float]] = {}
        self._child_shapes: dict[int, set[int]] = {}
        self._known: dict[tuple[int, int], float] = {}

    def of(self, one: int, other: int) -> float:
        """Give the likeness of two shapes in [0, 1]: 1 for the same paths of tags, 0 for none in common.

        Parts that only the larger one has weigh less than parts that both would need (a card without its image is
        still a card).
        """
        if one == other:
            return 1.0
        key = (one, other) if one < other else (other, one)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._compare(one, other)
        return known

    def besides(self, ancestor: int, branch: int, place: int) -> float:
        """Give how like an element is to what its ancestor holds besides the branch that leads to the element.

        A post holds its own text besides its replies, in several parts or in one that has several, and is like them;
        a box around posts holds only more posts.
        """
        key = (ancestor, self._survey.shapes[branch])
        paths = self._rests.get(key)
        if paths is None:
            paths = self._rests[key] = self._rest(ancestor, branch)
        return _share(paths, self._paths_of(self._survey.shapes[place]))

    def _rest(self, ancestor: int, branch: int) -> dict[str, float]:
        survey = self._survey
        shapes = self._child_shapes.get(ancestor)
        if shapes is None:
            shapes = self._child_shapes[ancestor] = {survey.shapes[child] for child in survey.children[ancestor]}
        if len(shapes) > _MOST_CHILD_SHAPES:
            return {}
        rest = {shape for shape in shapes if self.of(shape, survey.shapes[branch]) < ALIKE}
        several = sum(1 for child in survey.children[ancestor] if survey.shapes[child] in rest) > 1
        is_whole = any(len(survey.shape_children[shape]) > 1 for shape in rest)
        return self._collect(rest) if several or is_whole else {}

    def _compare(self, one: int, other: int) -> float:
        if self._survey.shape_tags[one] != self._survey.shape_tags[other]:
            return 0.0
        first, second = self._paths_of(one), self._paths_of(other)
        return _share(first, second) if first or second else 1.0

    def _paths_of(self, shape: int) -> dict[str, float]:
        known = self._paths.get(shape)
        if known is None:
            known = self._paths[shape] = self._collect(self._survey.shape_children[shape])
        return known

    def _collect(self, shapes: Iterable[int]) -> dict[str, float]:
        """Give the paths of tags below an element with these children, nearer ones weighing more."""
        tags = self._survey.shape_tags
        paths: dict[str, float] = {}
        level = [("/" + tags[shape], shape) for shape in islice(shapes, _MOST_PATHS)]
        for weight in _WEIGHTS:
            for path, _ in level:
                paths.setdefault(path, weight)
            below = ((path, child) for path, shape in level for child in self._survey.shape_children[shape])
            level = [(f"{path}/{tags[child]}", child) for path, child in islice(below, _MOST_PATHS)]
        return paths


def _share(first: dict[str, float], second: dict[str, float]) -> float:
    if not first or not second:
        return 0.0
    common = sum(weight for path, weight in first.items() if path in second)
    small, large = sorted((sum(first.values()), sum(second.values())))
    return common / (0.6 * small + 0.4 * large)
