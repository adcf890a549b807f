"""Which column of a table each field comes from, as most rows show it; so that a shifted row is noticed."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from gleaner.proof.leaves import Leaf
from gleaner.proof.regions import Span
from gleaner.proof.text_index import Match, TextIndex, within

_LEAST_VOTES = 4
_MAJORITY = 0.6

Field = tuple[str, ...]


class Columns:
    """The columns of the fields, learned from the values that stand in one cell of their row only."""

    def __init__(self, leaves: Mapping[int, Sequence[Leaf]], spans: Sequence[Span | None], index: TextIndex) -> None:
        self._text = index.text
        widths = Counter(self._width(span) for span in spans if span is not None)
        self._usual_width = widths.most_common(1)[0][0] if widths else 0
        self._column_of = self._learn(leaves, spans, index) if self._usual_width else {}
        self._owners: dict[int, set[Field]] = {}
        for field, column in self._column_of.items():
            self._owners.setdefault(column, set()).add(field)

    def fitting(self, leaf: Leaf, own: Span, matches: Sequence[Match]) -> Sequence[Match]:
        """Give the matches in the field's own column; all when it has none there, but for those in another field's.

        Rows of another width than most (a cell that spans columns) are not judged.
        """
        column = self._column_of.get(leaf.field)
        if column is None or self._width(own) != self._usual_width:
            return matches
        placed = [(self._column(own, match), match) for match in matches]
        fitting = [match for found, match in placed if found == column]
        return fitting or [match for found, match in placed if not self._owners.get(found)]

    def _learn(
        self, leaves: Mapping[int, Sequence[Leaf]], spans: Sequence[Span | None], index: TextIndex
    ) -> dict[Field, int]:
        votes: dict[Field, Counter[int]] = {}
        for number, own in enumerate(spans):
            if own is None or self._width(own) != self._usual_width:
                continue
            for leaf in leaves.get(number, ()):
                columns = {self._column(own, match) for match in within(index.find(leaf.value), own)}
                if len(columns) == 1:
                    votes.setdefault(leaf.field, Counter()).update(columns)
        return dict(_elected(votes))

    def _width(self, span: Span) -> int:
        """Give how many cells a row has; 0 for what is no row of a table."""
        row = self._text[span[0] : span[1]].strip()
        return _borders(row) if row.startswith("|") and "\n" not in row else 0

    def _column(self, own: Span, match: Match) -> int:
        return _borders(self._text[own[0] : match.start])


def _elected(votes: Mapping[Field, Counter[int]]) -> Iterable[tuple[Field, int]]:
    for field, counts in votes.items():
        (column, most), total = counts.most_common(1)[0], counts.total()
        if total >= _LEAST_VOTES and most >= _MAJORITY * total:
            yield field, column


def _borders(text: str) -> int:
    return text.count("|") - text.count("\\|")
