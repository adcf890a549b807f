"""The runs of a chunk that one question is about: the whole chunk, a half of it, or some units alone."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from gleaner.chunking import chunk_markdown_by_structure
from gleaner.extraction.link_numbers import LinkNumbers
from gleaner.extraction.prompts import choose_marker, mark_units
from gleaner.page.blocks import blocks_of
from gleaner.page.model import NumberedUnit, Part, Span
from gleaner.page.tables import is_rule

LEAST_SPLIT = 80
"""Characters below which a piece is not split."""

_LONGEST_HEAD, _MOST_BESIDE = 160, 2
"""Characters of a line that heads a run of units, and how many such lines are shown beside its headings."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Runs of a chunk's text, by offsets in the chunk, with the units that are asked about.

    ``before`` is context that stands before it; ``place`` names it. ``alone`` tells that it shows units without the
    text between them.
    """

    ranges: tuple[tuple[int, int], ...]
    units: tuple[NumberedUnit, ...] = ()
    before: str = ""
    place: str = ""
    alone: bool = False

    @property
    def length(self) -> int:
        """Characters of page text."""
        return sum(end - start for start, end in self.ranges)

    def holds(self, position: int) -> bool:
        """Tell whether a position of the chunk lies in its runs."""
        return any(start <= position < end for start, end in self.ranges)

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of its units."""
        return tuple(unit.number for unit in self.units)


def links_of(task: Part) -> LinkNumbers:
    """Give the numbers of a chunk's addresses, the same for all questions about it."""
    return LinkNumbers.of("\n".join((task.structural_context, task.overlap_prefix, task.content)), task.schema)


def whole_piece(task: Part) -> Piece:
    """Give the piece that is the whole chunk, without what is known of it already."""
    ends = [0, *(at - task.start_char for span in task.known for at in span), len(task.content)]
    ranges = tuple((start, end) for start, end in zip(ends[::2], ends[1::2], strict=True) if start < end)
    return Piece(ranges, task.units, task.overlap_prefix, _place(task))


def _place(task: Part) -> str:
    """Give what names the place of a chunk; a page of one chunk names itself."""
    return task.structural_context if task.total_chunks > 1 else ""


def unmarked_piece(task: Part) -> Piece:
    """Give the whole chunk without units to mark, for questions that no ledger is kept of."""
    return replace(whole_piece(task), units=())


def piece_of_units(task: Part, units: Sequence[NumberedUnit]) -> Piece:
    """Give the piece that shows these units and the lines that head their runs; rows come with the table's head."""
    runs: list[tuple[int, int]] = []
    own = [(unit.start - task.start_char, unit.end - task.start_char) for unit in units]
    known = _heads_by_unit(task)
    heads = {span for unit in units for span in known.get(unit.number, ())}
    for start, end in sorted({*own, *heads}):
        if runs and start < runs[-1][1]:
            runs[-1] = (runs[-1][0], max(end, runs[-1][1]))
        else:
            runs.append((start, end))
    head = head_of_table(task, min(own)[0]) if any(unit.kind == "row" for unit in units) else ""
    return Piece(tuple(runs), tuple(units), head, _place(task), alone=True)


def _heads_by_unit(task: Part) -> dict[int, tuple[Span, ...]]:
    """Give the lines of a chunk that head the run of each unit: its headings, and short lines right before it.

    Units with nothing but blanks between them are one run. The names of a table's columns are given with its rows, and
    items of other lists head nothing.
    """
    found: dict[int, tuple[Span, ...]] = {}
    headings: list[tuple[int, Span]] = []
    beside: list[Span] = []
    reached, blocks = 0, blocks_of(task.content)
    for unit in sorted(task.units, key=lambda unit: unit.start):
        for number in blocks.numbers(reached, max(reached, unit.start - task.start_char)):
            block, line = blocks.all[number], blocks.span_of(number)
            if block.kind == "heading":
                headings = [*(one for one in headings if one[0] < block.level), (block.level, line)]
                beside = []
            elif number not in blocks.names_of_columns and any(map(str.isalnum, task.content[slice(*line)])):
                is_head = block.end - block.said <= _LONGEST_HEAD and block.kind != "item"
                beside = [*beside[1 - _MOST_BESIDE :], line] if is_head else []
        found[unit.number] = (*(line for _, line in headings), *beside)
        reached = max(reached, unit.end - task.start_char)
    return found


def head_of_table(task: Part, position: int) -> str:
    """Give the head and rule lines of the table around a row, from the chunk or from its overlap."""
    lines = (task.overlap_prefix + "\n" + task.content[:position]).splitlines()
    for number in range(len(lines) - 1, 0, -1):
        if is_rule(lines[number]):
            return f"{lines[number - 1]}\n{lines[number]}"
    return ""


def marks_of(task: Part) -> dict[int, int]:
    """Give the small number that each unit of a chunk is shown with: its position, whatever the question.

    The spare ones follow, as they can be asked about alone.
    """
    ordered = [
        unit for units in (task.units, task.spare) for unit in sorted(units, key=lambda one: (one.start, -one.end))
    ]
    return {unit.number: mark for mark, unit in enumerate(ordered)}


def show(task: Part, piece: Piece) -> tuple[str, str]:
    """Give the piece's page text with its units marked, and the mark; "" without units."""
    marker = choose_marker(task.content, task.overlap_prefix) if piece.units else ""
    shown: list[str] = []
    marks = marks_of(task)
    for start, end in piece.ranges:
        text = task.content[start:end]
        shown.append(mark_units(text, task.start_char + start, piece.units, marks, marker) if marker else text)
    return "\n".join(text.rstrip("\n") for text in shown) if piece.alone else "".join(shown), marker


def split(task: Part, piece: Piece) -> list[Piece]:
    """Give the piece in about two halves, cut between units or at a border of the text; itself when it can't be cut."""
    if piece.alone:
        middle = len(piece.units) // 2
        halves = [piece.units[:middle], piece.units[middle:]]
        return [piece_of_units(task, half) for half in halves] if middle else [piece]
    start, end = piece.ranges[0][0], piece.ranges[-1][1]
    if end - start < LEAST_SPLIT:
        return [piece]
    text = task.content[start:end]
    chunks = chunk_markdown_by_structure(text, (len(text) * 11 + 19) // 20)
    if len(chunks) < 2:
        return [piece]
    parts: list[Piece] = []
    for chunk in chunks:
        first, last = start + chunk.start_char, start + chunk.end_char
        before = piece.before if chunk.chunk_index == 0 else chunk.overlap_prefix
        parts.append(part_of(task, piece, first, last, before))
    return parts


def part_of(task: Part, piece: Piece, start: int, end: int, before: str) -> Piece:
    """Give a run of a piece, with the units that begin in it."""
    base = task.start_char
    units = tuple(unit for unit in piece.units if base + start <= unit.start < base + end)
    return Piece(((start, end),), units, before, piece.place)
