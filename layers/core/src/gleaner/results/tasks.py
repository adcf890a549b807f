"""One extraction task and its outcome: plain data, stored as JSON between states."""

from collections.abc import Sequence, Sized
from dataclasses import dataclass
from typing import Any

from pydantic import Field

from gleaner.chunking import MarkdownChunk
from gleaner.completeness.ledger import number_units, spare_units, units_between
from gleaner.contracts.error_types import ErrorType
from gleaner.contracts.models import ExtractionError, MissingUnit, Open, ProvenanceEntry, Usage
from gleaner.page.model import Part
from gleaner.schemas import declared_properties, declared_types, record_path, unenforceable
from gleaner.units import PlacedUnit


def chunk_tasks(
    chunks: Sequence[MarkdownChunk],
    units: Sequence[PlacedUnit],
    *,
    query: str | None = None,
    schema: dict[str, Any] | bool | None = None,
    base_url: str | None = None,
    hint: str = "",
) -> list[Part]:
    """Give the tasks of a page's chunks; ``units`` are all units of the page, numbered by their position.

    The first chunk has the hint.
    """
    with_lists = schema is not None and _records_hold_lists(schema)
    numbered = number_units(units, with_lists=with_lists)
    spare = spare_units(units, numbered)
    return [
        Part(
            content=chunk.content,
            overlap_prefix=chunk.overlap_prefix,
            structural_context=chunk.structural_context,
            chunk_index=chunk.chunk_index,
            total_chunks=chunk.total_chunks,
            start_char=chunk.start_char,
            units=units_between(numbered, chunk.start_char, chunk.end_char),
            query=query,
            schema=schema,
            spare=units_between(spare, chunk.start_char, chunk.end_char),
            base_url=base_url,
            hint=hint if at == 0 else "",
        )
        for at, chunk in enumerate(chunks)
    ]


def _records_hold_lists(schema: dict[str, Any] | bool) -> bool:
    """Tell whether the records of a schema have lists of objects: an order's rows, a comment's replies."""
    path = record_path(schema) if unenforceable(schema) is None else None
    inner = declared_properties(path.item_schema).values() if path is not None else ()
    return any("array" in declared_types(one) and record_path(one) is not None for one in inner)


class ChunkExtractionResult(Open):
    """What one chunk gave (seed 001, PR 3).

    ``data`` is an instance of the schema (of a part of it, where the page has more chunks), or text. ``record_spans``
    are the records' places in the page's Markdown, one for each record of ``data``, null where no one place is known.
    ``refused`` are the values that were taken out of ``data`` because the schema refuses them.
    ``answered`` and ``skipped`` hold unit numbers; ``retries`` are the calls after the first.
    """

    chunk_index: int = 0
    data: Any = None
    record_spans: list[tuple[int, int] | None] = Field(default_factory=list[tuple[int, int] | None])
    refused: list[ProvenanceEntry] = Field(default_factory=list[ProvenanceEntry])
    answered: list[int] = Field(default_factory=list[int])
    skipped: list[int] = Field(default_factory=list[int])
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
    def was_ended(self) -> bool:
        """Whether a cap, a deadline, or a model that might not be used has ended it: another run may find more."""
        enders = (ErrorType.BUDGET_EXCEEDED, ErrorType.MODEL_MISCONFIGURED)
        return any(error.error_type in enders for error in self.errors)


@dataclass(frozen=True, slots=True)
class CallLimits:
    """What one model call may take: tokens of answer, seconds."""

    max_output_tokens: int = 8_192
    timeout_s: float = 120.0


def count(things: Sized, noun: str) -> str:
    """Give a number of things in words.

    >>> count([1], "record"), count([], "record")
    ('1 record', '0 records')
    """
    return f"{len(things)} {noun}" if len(things) == 1 else f"{len(things)} {noun}s"
