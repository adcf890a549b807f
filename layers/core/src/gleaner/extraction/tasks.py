"""What is extracted in one piece of work, and what comes out of it: plain data, stored as JSON between the states."""

import hashlib
import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence, Sized
from dataclasses import dataclass, replace
from typing import Any, Protocol

from pydantic import Field

from gleaner.chunking import MarkdownChunk
from gleaner.error_types import ErrorType
from gleaner.extraction.joined_pieces import JoinedPieces
from gleaner.ledger import NumberedUnit, number_units, spare_units, units_between
from gleaner.models import ExtractionError, MissingUnit, Open, ProvenanceEntry, Usage
from gleaner.prompts import PROMPT_VERSION
from gleaner.units import SPARE_SCORE, PlacedUnit

_HEADING_AT_END = re.compile(r"^#{1,6}[ \t][^\n]*\s*\Z", re.MULTILINE)
_COUNTS = re.compile(r"\s*\([^()]*\d[^()]*\)")


_MOST_BOXES = 4
_GAP = 4
"""Blanks and separators at most between a piece and the border behind it."""


@dataclass(frozen=True, slots=True)
class ChunkTask:
    """One chunk and what is asked of it. ``units`` begin inside the chunk; their offsets are the page's.

    ``spare`` are pieces that are no units by their looks; they become the units when records come from them alone.
    ``query`` and ``schema`` are the request's; ``start_char`` is the chunk's place in the page's Markdown.
    """

    content: str
    overlap_prefix: str = ""
    structural_context: str = ""
    chunk_index: int = 0
    total_chunks: int = 1
    start_char: int = 0
    units: tuple[NumberedUnit, ...] = ()
    query: str | None = None
    schema: dict[str, Any] | bool | None = None
    spare: tuple[NumberedUnit, ...] = ()

    @property
    def end_char(self) -> int:
        """Where the chunk ends in the page's Markdown."""
        return self.start_char + len(self.content)


def chunk_tasks(
    chunks: Sequence[MarkdownChunk],
    units: Sequence[PlacedUnit],
    *,
    query: str | None = None,
    schema: dict[str, Any] | bool | None = None,
) -> list[ChunkTask]:
    """Give the tasks of a page's chunks; ``units`` are all units of the page, numbered by their position.

    A border that falls inside a unit is moved to the unit's start, so that no record is cut in two: the contents still
    join to the same text.
    """
    numbered, spare = number_units(units), spare_units(units)
    return [
        ChunkTask(
            content=run.content,
            overlap_prefix=run.before,
            structural_context=run.chunk.structural_context,
            chunk_index=run.chunk.chunk_index,
            total_chunks=run.chunk.total_chunks,
            start_char=run.start,
            units=units_between(numbered, run.start, run.start + len(run.content)),
            query=query,
            schema=schema,
            spare=units_between(spare, run.start, run.start + len(run.content)),
        )
        for run in _whole_units(chunks, list(_with_all_their_text(numbered, units)), spare)
    ]


def _with_all_their_text(numbered: Sequence[NumberedUnit], units: Sequence[PlacedUnit]) -> Iterator[NumberedUnit]:
    """Give units up to their own ends where one other lies in them at most: a box in a record is no reply to it."""
    starts = sorted(unit.start for unit in numbered)
    for unit in numbered:
        end = units[unit.number].end
        inside = bisect_left(starts, end) - bisect_right(starts, unit.start)
        yield replace(unit, end=end) if inside <= 1 else unit


@dataclass(frozen=True, slots=True)
class _Run:
    """A chunk with its borders moved: where it begins now, its text, and the text before it."""

    chunk: MarkdownChunk
    start: int
    content: str
    before: str


def _whole_units(
    chunks: Sequence[MarkdownChunk], units: Sequence[NumberedUnit], spare: Sequence[NumberedUnit]
) -> list[_Run]:
    """Hand the beginning of a unit that a chunk cuts over to the next chunk; else that of a spare piece."""
    runs: list[_Run] = []
    carried = ""
    joined = JoinedPieces(units, spare, chunks)
    for position, chunk in enumerate(chunks):
        start, content = chunk.start_char - len(carried), carried + chunk.content
        before = _last_lines(runs[-1].content, chunk.overlap_prefix) if carried else chunk.overlap_prefix
        follows = position + 1 < len(chunks) and chunks[position + 1].start_char == chunk.end_char
        border = _border(units, spare, joined, start, chunk.end_char) if follows else chunk.end_char
        border = start + _before_heading(content[: border - start]) if border < chunk.end_char else border
        carried = content[border - start :]
        runs.append(_Run(chunk, start, content[: border - start], before))
    return runs


def _border(
    units: Sequence[NumberedUnit], spare: Sequence[NumberedUnit], joined: JoinedPieces, start: int, end: int
) -> int:
    """Give the start of the outermost unit that ``end`` cuts, if at least half of the chunk stays; else ``end``.

    Where it cuts none, the start of a small box, which may be the record that the units are parts of, and of a piece of
    which only the title would stand before it. Else the place where most ways to join the pieces around it to records
    begin one. Where there are no such ways, and no spare piece ends there either, the start of the innermost one that
    it cuts and that does not begin inside a unit: that may be a record which only the text sets apart.
    """
    least = start + (end - start) / 2
    cut = [unit.start for unit in units if least <= unit.start < end < unit.end]
    if cut:
        return min(cut)
    around = [unit for unit in spare if least <= unit.start < end < unit.end and unit.score >= SPARE_SCORE]
    boxes = [
        unit.start
        for unit in around
        if unit.score > SPARE_SCORE and _MOST_BOXES * (unit.end - unit.start) <= end - start
    ]
    titled = [
        box.start for box in around if units and not any(unit.start < end and unit.end > box.start for unit in units)
    ]
    if boxes or titled:
        return min([*boxes, *titled])
    if (begun := joined.begin_before(end)) is not None and begun >= least:
        return begun
    if any(0 <= end - unit.end <= _GAP for unit in spare):
        return end
    starts = {unit.start for unit in spare if least <= unit.start < end < unit.end}
    return max((at for at in starts if not any(unit.start < at < unit.end for unit in units)), default=end)


def _before_heading(content: str) -> int:
    """Give where a run ends without the heading that it ends with: that belongs to what follows."""
    found = _HEADING_AT_END.search(content)
    return found.start() if found and found.start() * 2 >= len(content) else len(content)


def _last_lines(content: str, like: str) -> str:
    """Give as many of the last lines as there are in another text."""
    lines = content.splitlines(keepends=True)
    return "".join(lines[-max(1, len(like.splitlines())) :])


class ChunkExtractionResult(Open):
    """What one chunk gave (seed 001, PR 3).

    ``data`` is an instance of the schema (of a part of it, where the page has more chunks), or text. ``record_spans``
    are the records' places in the page's Markdown, one for each record of ``data``, null where no one place is known.
    ``refused`` are the values that were taken out of ``data`` because the schema refuses them.
    ``answered``, ``skipped`` and ``doubtful`` hold unit numbers; ``retries`` are the calls after the first.
    """

    chunk_index: int = 0
    data: Any = None
    record_spans: list[tuple[int, int] | None] = Field(default_factory=list[tuple[int, int] | None])
    refused: list[ProvenanceEntry] = Field(default_factory=list[ProvenanceEntry])
    answered: list[int] = Field(default_factory=list[int])
    skipped: list[int] = Field(default_factory=list[int])
    doubtful: list[int] = Field(default_factory=list[int])
    missing: list[MissingUnit] = Field(default_factory=list[MissingUnit])
    errors: list[ExtractionError] = Field(default_factory=list[ExtractionError])
    retries: int = 0
    usage: Usage = Field(default_factory=Usage)
    warnings: list[str] = Field(default_factory=list[str])
    structural_context: str = ""
    cached: bool = False

    @property
    def is_complete(self) -> bool:
        """Whether nothing is known to be wrong with it."""
        return not self.errors and not self.missing

    @property
    def was_capped(self) -> bool:
        """Whether a cap or a deadline has ended it, so that more may be found with more room."""
        return any(error.error_type is ErrorType.BUDGET_EXCEEDED for error in self.errors)


@dataclass(frozen=True, slots=True)
class CallLimits:
    """What one model call may take: tokens of answer, seconds."""

    max_output_tokens: int = 8_192
    timeout_s: float = 120.0


class ChunkCache(Protocol):
    """Texts under keys: complete results of chunks, or single answers of a job that is being resumed (EX-8)."""

    def get(self, key: str) -> str | None:
        """Give the text, or None."""
        ...

    def put(self, key: str, text: str) -> None:
        """Keep the text."""
        ...


def cache_key(task: ChunkTask, model_name: str, ungrounded: str) -> str:
    """Give the key of a chunk's result: all that the answer depends on, and nothing of where the chunk stands.

    Counts in the structural context ("rows 51-100 of 200") are left out: they change when another part of the page
    does.
    """
    parts = [
        PROMPT_VERSION,
        model_name,
        task.content,
        task.overlap_prefix,
        _COUNTS.sub("", task.structural_context),
        task.query,
        json.dumps(task.schema, sort_keys=True),
        task.total_chunks == 1,
        ungrounded,
        [(unit.start - task.start_char, unit.end - task.start_char, unit.kind) for unit in task.units],
        [(unit.start - task.start_char, unit.end - task.start_char) for unit in task.spare],
    ]
    return "chunk:" + hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def to_cache(task: ChunkTask, result: ChunkExtractionResult) -> str:
    """Give the text that a complete result is kept as, with places counted from the chunk's own start."""
    ordinals = {unit.number: position for position, unit in enumerate((*task.units, *task.spare))}
    kept = result.model_copy(
        update={
            "record_spans": [_shifted(span, -task.start_char) for span in result.record_spans],
            **{name: [ordinals[number] for number in getattr(result, name)] for name in _NUMBERS},
            "usage": Usage(),
        }
    )
    return kept.model_dump_json()


def from_cache(task: ChunkTask, text: str) -> ChunkExtractionResult:
    """Give the result kept under the task's key, with places and numbers of this page; ValueError if it is none."""
    kept = ChunkExtractionResult.model_validate_json(text)
    numbers = [unit.number for unit in (*task.units, *task.spare)]
    return kept.model_copy(
        update={
            "record_spans": [_shifted(span, task.start_char) for span in kept.record_spans],
            **{name: [numbers[ordinal] for ordinal in getattr(kept, name)] for name in _NUMBERS},
            "chunk_index": task.chunk_index,
            "structural_context": task.structural_context,
            "usage": Usage(cache_hits=1),
            "retries": 0,
            "cached": True,
        }
    )


def count(things: Sized, noun: str) -> str:
    """Give a number of things in words.

    >>> count([1], "record"), count([], "record")
    ('1 record', '0 records')
    """
    return f"{len(things)} {noun}" if len(things) == 1 else f"{len(things)} {noun}s"


_NUMBERS = ("answered", "skipped", "doubtful")


def _shifted(span: tuple[int, int] | None, by: int) -> tuple[int, int] | None:
    return None if span is None else (span[0] + by, span[1] + by)
