"""Answers of chunks that are kept: under which key, and how they are written and read (EX-8)."""

import hashlib
import json
import re
from typing import Protocol

from gleaner.contracts.models import Usage
from gleaner.extraction.prompts import PROMPT_VERSION
from gleaner.page.model import Part
from gleaner.results.tasks import ChunkExtractionResult
from gleaner.schemas import asks_for_links

_COUNTS = re.compile(r"(?<!\s)\s*\([^()\d]*\d[^()]*\)")


class ChunkCache(Protocol):
    """Texts under keys: complete results of chunks, or single answers of a job that is being resumed (EX-8)."""

    def get(self, key: str) -> str | None:
        """Give the text, or None."""
        ...

    def put(self, key: str, text: str) -> None:
        """Keep the text."""
        ...


def cache_key(task: Part, model_name: str, ungrounded: str) -> str:
    """Give the key of a chunk's result: all that the answer depends on, and nothing of where the chunk stands.

    Counts in the structural context ("rows 51-100 of 200") are left out: they change when another part of the page
    does.
    """
    parts = [
        PROMPT_VERSION,
        model_name,
        task.content,
        [(start - task.start_char, end - task.start_char) for start, end in task.known],
        task.overlap_prefix,
        _COUNTS.sub("", task.structural_context),
        task.query,
        task.hint,
        json.dumps(task.schema),  # in the caller's order, which the model is asked in
        task.total_chunks == 1,
        ungrounded,
        task.base_url if task.schema is not None and asks_for_links(task.schema) else None,
        [(unit.start - task.start_char, unit.end - task.start_char, unit.kind) for unit in task.units],
        [(unit.start - task.start_char, unit.end - task.start_char) for unit in task.spare],
    ]
    return "chunk:" + hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def to_cache(task: Part, result: ChunkExtractionResult) -> str:
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


def from_cache(task: Part, text: str) -> ChunkExtractionResult:
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


_NUMBERS = ("answered", "skipped")


def _shifted(span: tuple[int, int] | None, by: int) -> tuple[int, int] | None:
    return None if span is None else (span[0] + by, span[1] + by)
