"""How alike two pieces of a page are built: the paths of tags below them, tolerant of optional parts."""

from gleaner.units.survey import Survey

ALIKE = 0.55
"""From this likeness on, two siblings are of one sort."""

_WEIGHTS = (3.0, 1.5, 0.5)
_MOST_PATHS = 80


class Likeness:
    """Compares shapes of one survey, each pair and each shape once."""

    def __init__(self, survey: Survey) -> None:
        self._survey = survey
        self._paths: dict[int, dict[str, float]] = {}
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

    def _compare(self, one: int, other: int) -> float:
        if self._survey.shape_tags[one] != self._survey.shape_tags[other]:
            return 0.0
        first, second = self._paths_of(one), self._paths_of(other)
        if not first or not second:
            return 1.0 if first == second else 0.0
        common = sum(weight for path, weight in first.items() if path in second)
        sizes = sorted((sum(first.values()), sum(second.values())))
        return common / (0.6 * sizes[0] + 0.4 * sizes[1])

    def _paths_of(self, shape: int) -> dict[str, float]:
        known = self._paths.get(shape)
        if known is None:
            known = self._paths[shape] = self._collect(shape)
        return known

    def _collect(self, shape: int) -> dict[str, float]:
        paths: dict[str, float] = {}
        level: list[tuple[str, int]] = [("", shape)]
        for weight in _WEIGHTS:
            below: list[tuple[str, int]] = []
            for path, owner in level:
                for child in self._survey.shape_children[owner]:
                    name = f"{path}/{self._survey.shape_tags[child]}"
                    paths.setdefault(name, weight)
                    below.append((name, child))
                    if len(below) >= _MOST_PATHS:
                        break
                if len(below) >= _MOST_PATHS:
                    break
            level = below
        return paths
