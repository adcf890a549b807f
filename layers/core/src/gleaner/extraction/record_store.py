"""The records that a chunk's answers gave, each with its place."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gleaner.contracts.ports import JsonValue
from gleaner.extraction.answers.shapes import Checked
from gleaner.extraction.evidence import Span, Witness
from gleaner.extraction.pieces import Piece
from gleaner.results.merging import canonical

_DEEPEST = 8
"""Units around a place that are looked at: replies within replies."""


@dataclass(frozen=True, slots=True)
class Held:
    """A record that was taken: its unit (None: of no numbered one), its place in the chunk, and the answer it is of.

    ``order`` is the number of the answer and of the record in it; ``span`` is None where no place is known.
    """

    record: JsonValue
    unit: int | None
    span: Span | None
    order: tuple[int, int]


def place_of(held: Held) -> tuple[int, tuple[int, int]]:
    """Give what records are ordered by: their places in the chunk, those without one last, as they came."""
    return (held.span[0] if held.span else 1 << 62, held.order)


def complaints_of(item: Checked) -> list[str]:
    """Give what is wrong with a record, for the model to read."""
    return [f"{fault.pointer or '/'}: {fault.message}" for fault in item.faults[:5]]


class RecordStore:
    """Keeps records by their units and outside of these, and leaves out what the text does not state.

    ``refused`` and ``refused_outside`` hold what the schema refuses; ``skipped`` the units that the model passed over.
    ``keeps_all`` keeps records that nothing speaks for (the caller wants them flagged, or as they are).
    """

    def __init__(self, witness: Witness, *, keeps_all: bool) -> None:
        self.witness = witness
        self.keeps_all = keeps_all
        self.by_unit: dict[int, list[Held]] = {}
        self.outside: dict[Piece, list[Held]] = {}
        self.refused: dict[int, Checked] = {}
        self.refused_outside: dict[Piece, list[Checked]] = {}
        self.skipped: set[int] = set()
        self.invented: list[JsonValue] = []
        self.repeated: list[JsonValue] = []
        self._answers = 0
        self._records = 0

    def records(self) -> Iterator[Held]:
        """Give all records taken."""
        for held in self.by_unit.values():
            yield from held
        for held in self.outside.values():
            yield from held

    def begin_answer(self) -> None:
        """Count the next answer."""
        self._answers += 1
        self._records = 0

    def fits(self, record: JsonValue, unit: int) -> bool:
        """Tell whether a unit's text may be where a record comes from."""
        return self.keeps_all or self.witness.speaks_for(record, self.witness.spans[unit])

    def take(self, record: JsonValue, unit: int) -> None:
        """Keep a record as its unit's; a unit may have several of one answer, and later answers add none."""
        order = self._next()
        known = self.by_unit.setdefault(unit, [])
        if any(held.order[0] != order[0] for held in known):
            return
        if any(canonical(held.record) == canonical(record) for held in known):
            self.repeated.append(record)
            return
        known.append(Held(record, unit, self.witness.spans[unit], order))
        self.refused.pop(unit, None)

    def take_outside(self, piece: Piece, items: Sequence[Checked]) -> None:
        """Keep the records that no unit speaks for if the text outside of the groups that gave records does.

        Asked again about a text without units, the fuller answer counts, not both.
        """
        earlier = self.outside.pop(piece, [])
        self.outside[piece] = list(earlier) if piece.units else []
        self.refused_outside[piece] = [item for item in items if item.faults]
        known = {canonical(held.record) for held in self.records()} if self.witness.spans else set[str]()
        giving = sorted(self.witness.spans_like(self.by_unit.keys()))
        for record in (item.value for item in items if not item.faults):
            order = self._next()
            if canonical(record) in known:
                self.repeated.append(record)
            elif self.keeps_all or self._is_supported(record, giving):
                known |= {canonical(record)} if self.witness.spans else set()
                self.outside[piece].append(Held(record, None, self.witness.hull(record), order))
            elif not self.witness.is_echo(record):
                self.invented.append(record)
        if len(self.outside[piece]) < len(earlier):
            self.outside[piece] = earlier

    def _next(self) -> tuple[int, int]:
        self._records += 1
        return self._answers, self._records

    def _is_supported(self, record: JsonValue, giving: Sequence[Span]) -> bool:
        """Tell whether the text outside of the groups that gave records states its first value, or half of them."""
        leaves = list(self.witness.checkable(record))
        stated = [any(not _lies_in(place, giving) for place in self.witness.places(leaf)) for leaf in leaves]
        return not stated or stated[0] or sum(stated) * 2 >= len(stated)


def _lies_in(place: Span, spans: Sequence[Span]) -> bool:
    at = bisect_right(spans, (place[0], 1 << 62)) - 1
    return any(place[1] <= end for _, end in spans[max(0, at - _DEEPEST) : at + 1])
