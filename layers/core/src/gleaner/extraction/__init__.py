"""Extraction by a model: each chunk one call, with recovery, a ledger and a budget; then one proven result (EX)."""

from gleaner.contracts.models import ExtractionConfig, ExtractionError, ExtractionResult, ExtractionRetryConfig
from gleaner.extraction.agent import ExtractionSubAgent
from gleaner.extraction.calling import model_name
from gleaner.extraction.chunk import extract_chunk
from gleaner.extraction.chunk_cache import ChunkCache
from gleaner.extraction.chunk_ends import ChunkEnds
from gleaner.page.model import Part
from gleaner.results.assembly import assemble
from gleaner.results.tasks import CallLimits, ChunkExtractionResult, chunk_tasks

__all__ = [
    "CallLimits",
    "ChunkCache",
    "ChunkEnds",
    "ChunkExtractionResult",
    "ExtractionConfig",
    "ExtractionError",
    "ExtractionResult",
    "ExtractionRetryConfig",
    "ExtractionSubAgent",
    "Part",
    "assemble",
    "chunk_tasks",
    "extract_chunk",
    "model_name",
]
