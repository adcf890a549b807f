"""Cells that are left empty because the row above says the same: the day of a list of games, the first game's alone."""

from collections.abc import Mapping
from functools import cached_property

from gleaner.judging.origins.regions import Span
from gleaner.page.blocks import blocks_of


class Dittos:
    """What the rows above say for the empty cells that rows of tables begin with."""

    def __init__(self, text: str) -> None:
        self._blocks = blocks_of(text)

    def over(self, own: Span) -> Mapping[int, Span]:
        """Give the nearest filled cell above each of the empty ones that the row at a place begins with, by column.

        >>> text = "| Day | At |\\n|---|---|\\n| Mon | 1 |\\n|  | 2 |"
        >>> {column: text[slice(*cell)] for column, cell in Dittos(text).over((35, 43)).items()}
        {1: 'Mon'}
        """
        return self._over.get(self._blocks.at(own[0]), {})

    @cached_property
    def _over(self) -> dict[int, Mapping[int, Span]]:
        found: dict[int, Mapping[int, Span]] = {}
        for table in self._blocks.tables:
            last: dict[int, Span] = {}
            for row in table.rows[table.is_headed :]:
                cells = self._blocks.cells(row)
                if carried := {column: last[column] for column in range(1, min(cells, default=1)) if column in last}:
                    found[row] = carried
                last |= cells
        return found
